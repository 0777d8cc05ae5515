"""Tables of a PDF's page: rows where the layout and the reading order agree, else nothing."""

from __future__ import annotations

import random
import time

import pytest
from small_pdf import Placed, placed

from halgo import Checker, Document
from halgo.errors import DocumentError
from halgo.sources.ceilings import Told
from halgo.sources.page_tables import with_tables
from halgo.sources.papers import read_pdf


def shown(text: str, laid_out: str) -> list[str]:
    lines = with_tables(text, laid_out, Told(100_000, "a.pdf"))
    return [line for line in "\n".join(lines).split("\n") if line and not line.startswith("| ---")]


def cell_by_cell(laid_out: str) -> str:
    """The reading order in which each cell is a line of its own."""
    parts = (part.strip() for line in laid_out.split("\n") for part in line.split("  "))
    return "\n".join(filter(None, parts))


FIGURES = """
                        Note        2023        2022
Revenue                    3      48,612      44,905
Cost of sales                   (31,204)    (29,870)
Other income                         412           -
"""


def test_cells_one_after_the_other_become_rows_under_their_heads() -> None:
    assert shown(cell_by_cell(FIGURES), FIGURES) == [
        "|  | Note | 2023 | 2022 |",
        "| Revenue | 3 | 48,612 | 44,905 |",
        "| Cost of sales |  | (31,204) | (29,870) |",
        "| Other income |  | 412 | - |",
    ]


def test_rows_that_are_lines_already_become_rows_too() -> None:
    text = "\n".join(" ".join(line.split()) for line in FIGURES.split("\n"))
    assert shown(text, FIGURES)[1] == "| Revenue | 3 | 48,612 | 44,905 |"


def test_what_stands_around_a_table_stays() -> None:
    around = "Income of the year\n{}\nThe board has agreed to this."
    found = shown(around.format(cell_by_cell(FIGURES)), around.format(FIGURES))
    assert found[0] == "Income of the year" and found[-1] == "The board has agreed to this."
    assert len(found) == 6


def test_wrapped_cells_are_put_together() -> None:
    laid_out = """
Expense     Limit                    Condition
Hotel       140 a night;             only when the trip
            in London 190            needs a night
Taxi        35 a trip                where no bus runs
Meals       42 a day                 none
"""
    text = (
        "Expense\nLimit\nCondition\nHotel\n140 a night;\nin London 190\nonly when the trip\n"
        "needs a night\nTaxi\n35 a trip\nwhere no bus runs\nMeals\n42 a day\nnone"
    )
    assert shown(text, laid_out)[1:] == [
        "| Hotel | 140 a night; in London 190 | only when the trip needs a night |",
        "| Taxi | 35 a trip | where no bus runs |",
        "| Meals | 42 a day | none |",
    ]


OVERFLOW = """
Course          Teacher        Price     Note
Pottery for     Ann Weber      90        bring an
beginners                                apron and old
                                         clothes
Baking          Bo Lind        45        from May
                                         2025
French          Jean-          120       none
                Luc Petit
Yoga            Dee Rao        60
"""
READ = (
    "Course\nTeacher\nPrice\nNote\nPottery for\nbeginners\nAnn Weber\n90\nbring an\napron and old\n"
    "clothes\nBaking\nBo Lind\n45\nfrom May\n2025\nFrench\nJean-\nLuc Petit\n120\nnone\n"
    "Yoga\nDee Rao\n60"
)


def test_a_last_cell_that_goes_on_below_the_others_is_one() -> None:
    assert shown(READ, OVERFLOW) == [
        "| Course | Teacher | Price | Note |",
        "| Pottery for beginners | Ann Weber | 90 | bring an apron and old clothes |",
        "| Baking | Bo Lind | 45 | from May 2025 |",
        "| French | Jean-Luc Petit | 120 | none |",
        "| Yoga | Dee Rao | 60 |  |",
    ]


@pytest.mark.parametrize(
    "last, kept",
    [("              1,387", "1,387"), ("Total     9", "| Total | 9 |  |")],
    ids=["a sum", "a row"],
)
def test_what_stands_below_a_last_cell_is_not_always_of_it(last: str, kept: str) -> None:
    laid_out = f"Item      Kg      Price\nBolts     4       975\nNuts      5       412\n{last}\n"
    after = "Screws    6       100\n"
    found = shown(cell_by_cell(laid_out + after), laid_out + after)
    assert "| Nuts | 5 | 412 |" in found and kept in found


@pytest.mark.parametrize("below, joined", [(12, True), (40, False)])
def test_what_stands_far_below_a_last_cell_is_not_of_it(below: int, joined: bool) -> None:
    pytest.importorskip("pypdf")
    rows = [["Course", "Price", "Note"], ["Pottery", "90", "none"], ["Yoga", "60", "not in July"]]
    page = [*grid(rows), (360, 700 - 32 - below, "or August")]
    text = read_pdf(placed([page]), "a.pdf")[0]
    assert ("| Yoga | 60 | not in July or August |" in text) is joined
    assert joined or text.endswith("\n\nor August")


def test_marks_of_footnotes_in_cells_are_no_digits_of_them() -> None:
    text = cell_by_cell(FIGURES).replace("44,905", "44,90⁵").replace("Other", "Ot\u00adher")
    found = shown(text, FIGURES.replace("Other", "Ot her"))
    assert found[1] == "| Revenue | 3 | 48,612 | 44,90⁵ |" and found[3].startswith("| Other inc")


@pytest.mark.parametrize(
    "upper, lower, heads",
    [
        ("Room           Summer              Winter",
         "           Single   Double    Single   Double",
         "| Room | Summer Single | Summer Double | Winter Single | Winter Double |"),
        ("Room       Summer             Winter",
         "           Single   Double    Single   Double",
         "| Room | Summer Single | Summer Double | Winter Single | Winter Double |"),
        ("               Summer              Winter",
         "Room       Single   Double    Single   Double",
         "| Room | Summer Single | Summer Double | Winter Single | Winter Double |"),
        ("               Summer              Winter\nRoom",
         "           Single   Double    Single   Double",
         "| Room | Summer Single | Summer Double | Winter Single | Winter Double |"),
    ],
    ids=["centred", "left", "below", "middle"],
)  # fmt: skip
def test_heads_beside_those_over_several_columns_keep_theirs(
    upper: str, lower: str, heads: str
) -> None:
    body = (
        "Garden     80       110       60       85\n"
        "Sea view   95       140       70       99\n"
        "Suite      –        220       –        160\n"
    )
    laid_out = f"{upper}\n{lower}\n{body}"
    text = cell_by_cell(laid_out)
    if upper.endswith("\nRoom"):
        text = "Room\n" + text.replace("Room\n", "")
    assert shown(text, laid_out)[0] == heads


def test_an_address_over_a_table_is_no_row_of_it() -> None:
    laid_out = """
Bill to:                       Invoice date: 4 May 2025
Norsk Fisk AS                  Due: 3 June 2025
Item         Qty    Unit       Amount
Net          12     40.00      480.00
Rope         3      25.00      75.00
"""
    text = (
        "Bill to:\nNorsk Fisk AS\nInvoice date: 4 May 2025\nDue: 3 June 2025\n"
        "Item Qty Unit Amount\nNet 12 40.00 480.00\nRope 3 25.00 75.00"
    )
    assert shown(text, laid_out) == [
        *text.split("\n")[:4],
        "| Item | Qty | Unit | Amount |",
        "| Net | 12 | 40.00 | 480.00 |",
        "| Rope | 3 | 25.00 | 75.00 |",
    ]


def test_dates_over_columns_stay_their_heads() -> None:
    laid_out = """
                     31 Dec 2023               31 Dec 2022
                 Sales       Profit       Sales       Profit
Hull             29,104       5,012      25,866        2,950
Porto             4,310         890       2,015          640
"""
    assert shown(cell_by_cell(laid_out), laid_out)[0] == (
        "|  | 31 Dec 2023 Sales | 31 Dec 2023 Profit | 31 Dec 2022 Sales | 31 Dec 2022 Profit |"
    )


def test_heads_over_several_columns_are_told_with_those_below() -> None:
    laid_out = """
                        2023                      2022
                 Sales       Profit       Sales       Profit
Hull             29,104       5,012      25,866        2,950
Porto             4,310         890       2,015          640
"""
    assert shown(cell_by_cell(laid_out), laid_out)[0] == (
        "|  | 2023 Sales | 2023 Profit | 2022 Sales | 2022 Profit |"
    )


def test_rows_that_are_titles_of_those_below_belong_to_the_table() -> None:
    laid_out = """
                          2023        2022
Current assets
Cash                       510         690
Receivables                975         822
Other assets
Property                 2,194       1,936
"""
    assert shown(cell_by_cell(laid_out), laid_out)[1:] == [
        "| Current assets |  |  |",
        "| Cash | 510 | 690 |",
        "| Receivables | 975 | 822 |",
        "| Other assets |  |  |",
        "| Property | 2,194 | 1,936 |",
    ]


def test_the_next_table_has_heads_of_its_own() -> None:
    laid_out = """
                          2023        2022
Cash                       510         690
Receivables                975         822
Staff
                          2021        2020
Drivers                     44          40
Clerks                      12          11
"""
    found = shown(cell_by_cell(laid_out), laid_out)
    assert found[3:] == [
        "Staff",
        "|  | 2021 | 2020 |",
        "| Drivers | 44 | 40 |",
        "| Clerks | 12 | 11 |",
    ]


PROSE = """
The fee is 5% a month.      The owner pays for
It is due on the third      all repairs above 90
working day of the month.   euros, and the tenant
Late fees are 2%.           for those below.
"""


def test_two_columns_of_prose_are_no_table() -> None:
    columns = [[line[:28].strip(), line[28:].strip()] for line in PROSE.strip().split("\n")]
    text = "\n".join([left for left, _ in columns] + [right for _, right in columns])
    assert shown(text, PROSE) == text.split("\n")


@pytest.mark.parametrize(
    "laid_out",
    [
        "•    one thing\n•    another\n•    a third\n•    a fourth\n",
        "1.    one thing 5\n2.    another 6\n3.    a third 7\n",
        "Ranged   wide   words   stand\nfar   from  one   another   in\nlines   of 12   or   so\n",
        "read    tree\nread    array\nread    file\n",
        "<a     b=1>\n<c     d=2>\n<e     f=3>\n",
        "Report 2023        Page 1\nThe fee is due.\n",
    ],
    ids=["bullets", "numbers", "justified", "large words", "code", "head"],
)
def test_lines_that_are_no_table_stay(laid_out: str) -> None:
    text = "\n".join(" ".join(line.split()) for line in laid_out.strip().split("\n"))
    assert shown(text, laid_out) == text.split("\n")


def test_where_the_two_do_not_agree_the_page_stays() -> None:
    text = cell_by_cell(FIGURES).replace("412", "413")
    assert [line for line in shown(text, FIGURES) if not line.startswith("|")][-3:] == [
        "Other income", "413", "-",
    ]  # fmt: skip


def test_no_character_is_lost_or_told_twice() -> None:
    random.seed(5)
    for _ in range(300):
        rows = [
            ["".join(random.choices("ab12 (%|", k=random.randint(0, 9))) for _ in range(4)]
            for _ in range(random.randint(1, 7))
        ]
        laid_out = "\n".join("".join(cell.strip().ljust(14) for cell in row) for row in rows)
        text = "\n".join(cell for row in rows for cell in row)
        if random.random() < 0.3:
            text = text[::-1]
        found = "".join(shown(text, laid_out)).replace("\\|", "¦")
        bare = "".join(found.replace("|", "").replace("¦", "|").split())
        kept = "".join(text.split())
        assert sorted(bare) == sorted(kept) if "|" not in text else len(bare) <= len(kept)


@pytest.mark.parametrize(
    "line", ["a    1    b", "a", "a    1\nb", "x    " * 30, "a    b    c" + " d" * 30]
)
@pytest.mark.parametrize("lines", [450, 60_000])
def test_the_worst_pages_take_a_second(line: str, lines: int) -> None:
    laid_out = (line + "\n") * lines
    text = cell_by_cell(laid_out)
    started = time.process_time()
    with_tables(text, laid_out, Told(len(text), "a.pdf"))
    assert time.process_time() - started < 2


def test_a_table_that_repeats_too_much_is_refused() -> None:
    with pytest.raises(DocumentError, match="more than"):
        for _ in range(20_000):
            told = Told(0, "a.pdf")
            told.made = 4_000_000
            with_tables(cell_by_cell(FIGURES), FIGURES, told)


# --- in files ------------------------------------------------------------------------------------


def grid(rows: list[list[str]], top: int = 700) -> list[Placed]:
    return [
        (60 + 150 * column, top - 16 * row, text)
        for row, cells in enumerate(rows)
        for column, text in enumerate(cells)
        if text
    ]


ROWS = [["", "2023", "2022"], ["Revenue", "48,612", "44,905"], ["Net profit", "4,049", "2,429"]]


def test_an_amount_of_another_year_is_not_supported_by_a_pdf() -> None:
    pytest.importorskip("pypdf")
    data = placed([[(60, 740, "Income in thousands of euros"), *grid(ROWS)]])
    text, _, warnings = read_pdf(data, "a.pdf")
    assert "| Revenue | 48,612 | 44,905 |" in text and not warnings
    checker = Checker.from_docs([Document("a", text, "a")])
    claims = ["Revenue was 44,905 in 2022.", "Revenue was 44,905 in 2023."]
    found = [result.verdict.value for result in checker.check_claims(claims)]
    assert found == ["SUPPORTED", "CONTRADICTION"]


def test_a_table_goes_on_on_the_next_page() -> None:
    pytest.importorskip("pypdf")
    first = [["Depot", "Opened", "Area"], ["Hull", "1998", "12,400"], ["Porto", "2015", "6,850"]]
    more = [["Lyon", "2011", "15,100"], ["Malmo", "2019", "7,700"], ["Riga", "2022", "4,020"]]
    text, metadata, _ = read_pdf(placed([grid(first), grid(more)]), "a.pdf")
    assert text.split("\n") == [
        "| Depot | Opened | Area |",
        "| --- | --- | --- |",
        "| Hull | 1998 | 12,400 |",
        "| Porto | 2015 | 6,850 |",
        "| Lyon | 2011 | 15,100 |",
        "| Malmo | 2019 | 7,700 |",
        "| Riga | 2022 | 4,020 |",
    ]
    assert metadata["pages"] == f"[0, {text.index('| Lyon')}]"
