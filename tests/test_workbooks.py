"""XLSX is read sheet by sheet, each table with its heads, each cell as it is shown."""

from __future__ import annotations

import datetime as dt
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.styles import Font
from small_office import packed, relations

from halgo import Checker, DocumentError, Verdict
from halgo.sources.locations import locator
from halgo.sources.readers import read_bytes
from halgo.sources.workbooks import read_xlsx
from halgo.types import Span

SPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def saved(book: Any) -> bytes:
    held = io.BytesIO()
    book.save(held)
    return held.getvalue()


def book_of(**sheets: Sequence[Sequence[Any]]) -> Any:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    return book


def text_of(book: Any) -> str:
    return read_xlsx(saved(book), "a.xlsx")[0]


def written(sheet: str, strings: str = "") -> bytes:
    """A workbook of one sheet with this XML in it."""
    sheets = "<sheets><sheet name='S' r:id='r0'/></sheets>"
    main = f"<workbook xmlns='{SPACE}' xmlns:r='r'>{sheets}</workbook>"
    targets = {"worksheet": "sheet.xml", "sharedStrings": "strings.xml"}
    parts = {
        "_rels/.rels": relations({"officeDocument": "xl/workbook.xml"}),
        "xl/_rels/workbook.xml.rels": relations(targets),
        "xl/workbook.xml": main,
        "xl/sheet.xml": f"<worksheet xmlns='{SPACE}'>{sheet}</worksheet>",
        "xl/strings.xml": f"<sst xmlns='{SPACE}'>{strings}</sst>",
    }
    return packed(parts)


def test_cells_are_read_as_they_are_shown() -> None:
    rows = [["Item", "Price", "VAT", "Since"], ["Lamp", 12.5, 0.19, dt.date(2024, 3, 1)]]
    book = book_of(Prices=rows)
    for column, code in ((2, '#,##0.00 "€"'), (3, "0%"), (4, "dd.mm.yyyy")):
        book["Prices"].cell(2, column).number_format = code
    assert text_of(book).splitlines() == [
        "# Prices",
        "",
        "| Item | Price | VAT | Since |",
        "| --- | --- | --- | --- |",
        "| Lamp | 12.50 € | 19% | 2024-03-01 |",
    ]


def test_each_sheet_stands_under_its_name_unless_nobody_named_it() -> None:
    text = text_of(book_of(Fees=[["A", "B"], ["x", 1]], Sheet2=[["C", "D"], ["y", 2]]))
    assert text.startswith("# Fees\n\n| A | B |") and "Sheet2" not in text
    assert text.endswith("| C | D |\n| --- | --- |\n| y | 2 |")


def test_a_title_and_notes_stand_beside_the_table() -> None:
    rows = [["Price list 2024"], [], ["Item", "Price"], ["Lamp", 12], [], ["All prices net."]]
    book = book_of(Sheet1=rows)
    book["Sheet1"].merge_cells("A1:B1")
    blocks = text_of(book).split("\n\n")
    assert blocks[0] == "Price list 2024" and blocks[-1] == "All prices net."
    assert blocks[1].startswith("| Item | Price |")


def test_heads_in_two_rows_become_one() -> None:
    rows = [
        ["Region", "2023", None, "2024", None],
        [None, "Q1", "Q2", "Q1", "Q2"],
        ["North", 1, 2, 3, 4],
    ]
    book = book_of(Sheet1=rows)
    for place in ("A1:A2", "B1:C1", "D1:E1"):
        book["Sheet1"].merge_cells(place)
    assert text_of(book).splitlines()[0] == "| Region | 2023 Q1 | 2023 Q2 | 2024 Q1 | 2024 Q2 |"


def test_a_merged_cell_is_told_in_each_of_its_rows() -> None:
    book = book_of(Sheet1=[["Team", "Name"], ["Red", "Ana"], [None, "Bo"], ["Blue", "Cy"]])
    book["Sheet1"].merge_cells("A2:A3")
    assert text_of(book).splitlines()[2:] == ["| Red | Ana |", "| Red | Bo |", "| Blue | Cy |"]


def test_rows_behind_a_blank_one_have_the_heads_before_it_or_their_own() -> None:
    rows = [
        ["Year", "Members"],
        [2019, 1200],
        [],
        [2020, 1350],
        [],
        ["Club", "Town"],
        ["Orla", "Bern"],
    ]
    first, second, third = text_of(book_of(Sheet1=rows)).split("\n\n")
    assert second == "| Year | Members |\n| --- | --- |\n| 2020 | 1350 |" and "1200" in first
    assert third.startswith("| Club | Town |")


def test_tables_side_by_side_are_tables_of_their_own() -> None:
    rows = [
        ["Fruit", "Kilos", None, "Herb", "Kilos"],
        ["Apple", 120, None, "Dill", 80],
        ["Pear", 45, None, "Mint", 33],
        ["Plum", 7, None, None, None],
    ]
    fruit, herbs = text_of(book_of(Sheet1=rows)).split("\n\n")
    assert fruit.endswith("| Pear | 45 |\n| Plum | 7 |")
    assert herbs == "| Herb | Kilos |\n| --- | --- |\n| Dill | 80 |\n| Mint | 33 |"


@pytest.mark.parametrize(
    "right",
    [
        [["2023", "2024"], [5, 6], [7, 8]],  # amounts of the same rows
        [["Status", "Paid"], ["open", 6], ["open", 8]],  # words that repeat name no rows
        [["", "Paid"], ["Dill", 6], ["Mint", 8]],  # no heads of their own
    ],
)
def test_an_empty_column_within_a_table_divides_nothing(right: list[list[Any]]) -> None:
    left = [["Firm", "Town"], ["Orla", "Bern"], ["Dale", "Cork"]]
    rows = [[*a, None, *(cell or None for cell in b)] for a, b in zip(left, right, strict=True)]
    assert "\n\n" not in text_of(book_of(Sheet1=rows))


def test_each_row_is_known_by_its_number_and_its_sheet() -> None:
    prices = [["List 2024"], [], ["Plan", "Price"], ["Basic", 10], [], ["Team", 45]]
    heads = [["Region", "2023", None], [None, "Q1", "Q2"], ["North", 1, 2], ["South", 3, 4]]
    book = book_of(Prices=prices, Sheet2=heads)
    for place in ("A1:A2", "B1:C1"):
        book["Sheet2"].merge_cells(place)
    document, _ = read_bytes(saved(book), "a.xlsx")
    found = locator(document)
    assert found is not None
    parts = found.within(Span(0, len(document.text)))
    assert [(str(where), part.of(document.text).split("\n")[0]) for part, where in parts] == [
        ("sheet Prices, row 1", "List 2024"),
        ("sheet Prices, row 3", "| Plan | Price |"),
        ("sheet Prices, row 4", "| Basic | 10 |"),
        ("sheet Prices, row 3", "| Plan | Price |"),
        ("sheet Prices, row 6", "| Team | 45 |"),
        ("sheet Sheet2, row 1", "| Region | 2023 Q1 | 2023 Q2 |"),
        ("sheet Sheet2, row 3", "| North | 1 | 2 |"),
        ("sheet Sheet2, row 4", "| South | 3 | 4 |"),
    ]
    # The name of a sheet stands over its rows, and in none of the sheet before.
    assert document.text.startswith("# Prices") and parts[0][0].start == len("# Prices\n\n")


def test_the_name_of_a_sheet_is_in_no_row_of_the_one_before() -> None:
    book = book_of(Fees=[["A", "B"], ["x", 1]], Staff=[["C", "D"], ["y", 2]])
    document, _ = read_bytes(saved(book), "a.xlsx")
    found = locator(document)
    assert found is not None
    second = Span(document.text.index("# Staff"), len(document.text))
    assert [str(where) for _, where in found.within(second)] == [
        "sheet Staff, row 1", "sheet Staff, row 2"
    ]  # fmt: skip


def test_names_with_their_values_have_no_heads() -> None:
    rows = [["Contact", "Mara Lindt"], ["Town", "Ulm"], ["Extension", 4410], ["Founded", 1998]]
    assert text_of(book_of(Sheet1=rows)).splitlines() == [
        "| Contact | Mara Lindt |",
        "| Town | Ulm |",
        "| Extension | 4410 |",
        "| Founded | 1998 |",
    ]


def test_heads_in_bold_may_be_numbers() -> None:
    book = book_of(Sheet1=[["Region", 1.5, 2.5], ["North", 3, 4]])
    for column in (1, 2, 3):
        book["Sheet1"].cell(1, column).font = Font(bold=True)
    assert text_of(book).splitlines()[:2] == ["| Region | 1.5 | 2.5 |", "| --- | --- | --- |"]


def test_hidden_sheets_and_formulas_without_a_value_are_named() -> None:
    book = book_of(Open=[["A", "B"], ["x", "=1+1"]], Secret=[["s"]])
    book["Secret"].sheet_state = "hidden"
    text, _, warnings = read_xlsx(saved(book), "a.xlsx")
    assert "Secret" not in text and len(warnings) == 2
    assert "hidden sheets are left out: Secret" in warnings[0] and "1 formula has" in warnings[1]


def test_hidden_rows_and_columns_are_left_out_and_counted() -> None:
    rows = [
        ["Team", "Name", "Note", "Pay"],
        ["Red", "Ana", "x", 5],
        [None, "Bo", "y", 6],
        ["Blue", "Cy", "z", 7],
    ]
    book = book_of(Sheet1=rows)
    sheet = book["Sheet1"]
    sheet.merge_cells("A2:A3")
    sheet.row_dimensions[2].hidden = sheet.column_dimensions["C"].hidden = True
    text, _, warnings = read_xlsx(saved(book), "a.xlsx")
    assert text.splitlines()[2:] == ["| Red | Bo | 6 |", "| Blue | Cy | 7 |"]
    assert warnings == ["a.xlsx: what is hidden is left out: 1 row, 1 column"]


def test_what_is_hidden_divides_no_table() -> None:
    rows = [["Name", "Post", "Town"], ["Ana", "clerk", "Ulm"], ["Bo", "cook", "Bonn"]]
    rows += [["Cy", "guard", "Kiel"], ["Di", "nurse", "Jena"]]
    book = book_of(Sheet1=[[*row[:2], None, row[2], None] for row in rows])
    book["Sheet1"].row_dimensions[4].hidden = True
    book["Sheet1"].column_dimensions["C"].hidden = True
    assert text_of(book).splitlines()[-1] == "| Di | nurse | Jena |"
    assert "\n\n" not in text_of(book)


def test_what_a_formula_came_to_and_rich_text_are_read() -> None:
    cells = (
        "<row><c t='s'><v>0</v></c><c t='inlineStr'><is><t>Sum</t></is></c></row>"
        "<row><c t='str'><f>A1</f><v>Lamp</v></c><c><f>1+1</f><v>2</v></c></row>"
        "<row r='4'><c r='A4' t='b'><v>1</v></c><c r='B4' t='e'><v>#N/A</v></c></row>"
    )
    data = written(f"<sheetData>{cells}</sheetData>", "<si><r><t>It</t></r><r><t>em</t></r></si>")
    text, _, warnings = read_xlsx(data, "a.xlsx")
    assert "| Item | Sum |" in text and "| Lamp | 2 |" in text and "| TRUE | #N/A |" in text
    assert not warnings


@pytest.mark.parametrize(
    "sheet",
    [
        "<sheetData><row r='1048576'><c r='XFD1048576'><v>1</v></c></row></sheetData>",
        "<sheetData><row><c><v>1</v></c></row></sheetData>"
        "<mergeCells><mergeCell ref='A1:XFD1048576'/></mergeCells>",
        "<sheetData><row r='999999999999'><c r='ZZZZ9' s='99'><v>1e999</v></c></row></sheetData>",
    ],
    ids=["far", "wide", "beyond"],
)
def test_a_cell_far_away_costs_no_more_than_a_near_one(sheet: str) -> None:
    assert len(read_xlsx(written(sheet), "a.xlsx")[0]) < 30


def test_cells_that_are_each_in_a_column_of_their_own_are_bounded() -> None:
    def letters(number: int) -> str:
        return "".join(chr(65 + number // 26**k % 26) for k in (2, 1, 0))

    rows = "".join(
        f"<row><c><v>1</v></c><c r='{letters(n + 702)}{n + 1}'><v>1</v></c></row>"
        for n in range(9000)
    )
    with pytest.raises(DocumentError, match="would become more than"):
        read_xlsx(written(f"<sheetData>{rows}</sheetData>"), "a.xlsx")


def test_a_file_that_is_no_workbook_is_refused() -> None:
    for data, why in ((b"PK\3\4", "no XLSX that can be read"), (b"\xd0\xcf\x11\xe0", "encrypted")):
        with pytest.raises(DocumentError, match=why):
            read_bytes(data, "a.xlsx")


def test_claims_about_a_workbook_are_checked(tmp_path: Path) -> None:
    book = book_of(
        Staff=[["Name", "Office", "Share"], ["Ada Renn", "Ulm", 0.25], ["Bo Lind", "Kiel", 0.4]]
    )
    for row in (2, 3):
        book["Staff"].cell(row, 3).number_format = "0%"
    book.save(tmp_path / "staff.xlsx")
    checker = Checker.from_files(tmp_path)
    claims = ["Ada Renn works in Ulm.", "Ada Renn's share is 25%.", "Ada Renn works in Kiel.",
              "Bo Lind's share is 25%."]  # fmt: skip
    verdicts = [one.verdict for one in checker.check_claims(claims).results]
    assert verdicts[:2] == [Verdict.SUPPORTED] * 2
    assert Verdict.SUPPORTED not in verdicts[2:]
