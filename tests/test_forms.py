"""Forms, bills and agendas in plain text, and tables of two columns: what belongs to what."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from small_docx import cell, docx
from small_pdf import placed

from halgo import Checker, Halgorithm
from halgo.sources import wordfiles
from halgo.sources.column_names import names_both
from halgo.sources.papers import read_pdf
from halgo.sources.sentences import split
from halgo.sources.webpages import markdown


def told(text: str) -> list[str]:
    return [sentence.reading.text for sentence in split(text, hanging=True)]


def test_leaders_lead_from_a_name_to_its_value() -> None:
    text = "Berth ............ C 14\nShore power ...... included\nWater . . . . . . EUR 3 a day\n"
    assert told(text) == ["Berth: C 14", "Shore power: included", "Water: EUR 3 a day"]
    assert told("Length ...... 4.1 m ...... 4.6 m\n") == ["Length; 4.1 m; 4.6 m"]


def test_an_ellipsis_leads_nowhere() -> None:
    text = "He waited ... and went. They asked .... Nobody knew. A . . . . B is cut."
    assert "He waited ... and went." in told(text)
    assert not any(": " in one for one in told(text))


def test_fields_side_by_side_are_told_one_by_one() -> None:
    text = "Skipper: Ada Holm         Crew:   Nils Berg\nYacht: Tern, 9.4 m        No 4471\n"
    assert told(text) == ["Skipper: Ada Holm", "Crew: Nils Berg", "Yacht: Tern, 9.4 m", "No 4471"]
    one = "Open from 2 May:  Sat  10-16    Sun  11-17    Wed  closed"
    assert told(one) == ["Open from 2 May: Sat 10-16 Sun 11-17 Wed closed"]


def test_names_and_values_in_two_columns_are_pairs() -> None:
    text = """Post         Harbour master
Deputy       Ines Quist
Since        March 2019
Languages    Danish, German,
             and some Polish
Radio        channel 12
             Channel 16 in distress
"""
    assert told(text) == [
        "Post: Harbour master",
        "Deputy: Ines Quist",
        "Since: March 2019",
        "Languages: Danish, German, and some Polish",
        "Radio: channel 12",
        "Radio: Channel 16 in distress",
    ]


def test_names_of_two_columns_stay_names() -> None:
    text = "Berth       Price per night\nSmall       EUR 18\nLarge       EUR 31\n"
    assert told(text) == [
        "Berth: Small — Price per night: EUR 18",
        "Berth: Large — Price per night: EUR 31",
    ]


@pytest.mark.parametrize(
    ("rows", "named"),
    [
        ([("Item", "Price"), ("Rope", "4.50")], True),
        ([("Boat", "Length (m)"), ("Tern", "9.4")], True),
        ([("Team", "Wins"), ("Kiel", "4"), ("Husum", "3"), ("Eckern", "1")], True),
        ([("", "2023"), ("Moorings", "120")], True),
        ([("Tenant", "Ann Weber"), ("Rent", "EUR 900"), ("Deposit", "EUR 1,800")], False),
        ([("Tenant:", "Price"), ("Rent:", "EUR 900")], False),
        ([("Status", "Active"), ("Seats", "5"), ("Since", "2 May 2024")], False),
        ([("Thu 31 Oct", "all areas"), ("Fri 1 Nov", "closed")], False),
    ],
)
def test_whether_the_first_row_names_two_columns(rows: list[tuple[str, str]], named: bool) -> None:
    assert names_both(rows) is named


def test_each_line_of_a_bill_is_told_with_its_item() -> None:
    text = """Chandlery Nord
Shackle 8 mm                 5.90
Rope, white
     12 m x 1.40            16.80
Fender
     2 x 14.00              28.00
------------------------------------
TOTAL EUR                   50.70
"""
    assert told(text)[1:] == [
        "Shackle 8 mm: 5.90",
        "Rope, white: 12 m x 1.40 16.80",
        "Fender: 2 x 14.00 28.00",
        "TOTAL EUR: 50.70",
    ]


def test_the_lines_of_an_agenda_are_not_run_together() -> None:
    columns = "08:30  Coffee in the foyer\n09:15  Welcome, Lena Holm\n10:30  Break\n"
    assert told(columns) == [
        "08:30: Coffee in the foyer",
        "09:15: Welcome, Lena Holm",
        "10:30: Break",
    ]
    plain = "08:30 Coffee in the foyer\n09:15 Welcome\n"
    assert told(plain) == ["08:30 Coffee in the foyer", "09:15 Welcome"]


def test_prose_that_is_filled_with_blanks_stays_prose() -> None:
    text = """The  winter was  kinder  to the quay than  we had  feared. The
storm of 21 January lifted some forty slates  from the  crane
house, but  the wheel came  through  without a scratch.
"""
    assert told(text) == [
        "The winter was kinder to the quay than we had feared.",
        "The storm of 21 January lifted some forty slates from the crane house, but the wheel came "
        "through without a scratch.",
    ]


def test_a_table_of_more_columns_is_none_of_pairs() -> None:
    text = "Plan      Seats   Price\nBasic     5       EUR 9\nPlus      50      EUR 29\n"
    assert told(text)[0] == "Plan: Basic — Seats: 5; Price: EUR 9"


def test_each_value_points_at_its_own_place() -> None:
    text = "Berth ...... C 14\nRate         EUR 31\nDeposit      EUR 50\n"
    places = [sentence.span.of(text) for sentence in split(text, hanging=True)]
    assert places == ["Berth ...... C 14", "Rate         EUR 31", "Deposit      EUR 50"]


@pytest.mark.parametrize(
    "unit",
    [
        *("name     4.50\n", "a ..... b ..... ", "Label: value    Other: thing\n", "x    1 "),
        *("name     4.50\r", "Alpha         beta\n              go on\n", "a\tb\n", "a:   "),
    ],
)
def test_long_forms_take_time_in_proportion(unit: str) -> None:
    text = unit * (50_000 // len(unit))
    begun = time.process_time()
    assert told(text)
    assert time.process_time() - begun < 10


PAIRS = [("Post", "Harbour master"), ("Deputy", "Ines Quist"), ("Since", "March 2019")]
READ = ["Post: Harbour master", "Deputy: Ines Quist", "Since: March 2019"]


def test_pairs_in_a_page_and_in_a_word_file() -> None:
    page = "".join(f"<tr><td>{name}<td>{value}" for name, value in PAIRS)
    assert told(markdown(f"<table>{page}</table>")[0]) == READ
    rows = "".join(f"<w:tr>{cell('', a)}{cell('', b)}</w:tr>" for a, b in PAIRS)
    assert told(wordfiles.read_docx(docx(f"<w:tbl>{rows}</w:tbl>"), "a.docx")[0]) == READ


def test_labels_in_four_columns_of_a_page() -> None:
    rows = (
        "<tr><td>Skipper:<td>Ada Holm<td>Crew:<td>Nils Berg<tr><td>Yacht:<td>Tern<td>Reg.:<td>4471"
    )
    assert told(markdown(f"<table>{rows}</table>")[0]) == [
        "Skipper: Ada Holm; Crew: Nils Berg",
        "Yacht: Tern; Reg.: 4471",
    ]


def test_pairs_and_leaders_in_a_pdf() -> None:
    pairs = [*PAIRS, ("Radio", "channel 12"), ("Office", "Quay 4")]
    rows = [[(50, 700 - 16 * k, a), (220, 700 - 16 * k, b)] for k, (a, b) in enumerate(pairs)]
    text = read_pdf(placed([[piece for row in rows for piece in row]]), "a.pdf")[0]
    assert told(text) == [*READ, "Radio: channel 12", "Office: Quay 4"]
    lines = [
        "Berth .............. C 14",
        "Shore power ........ included",
        "Crane .............. EUR 45",
    ]
    page = placed([[(50, 700 - 16 * k, line) for k, line in enumerate(lines)]])
    assert told(read_pdf(page, "a.pdf")[0]) == [
        "Berth: C 14",
        "Shore power: included",
        "Crane: EUR 45",
    ]


def test_the_first_row_of_a_sheet_names_its_columns(tmp_path: Path) -> None:
    path = tmp_path / "crew.csv"
    path.write_text("name,boat\nAda Holm,Tern\nNils Berg,Gull\n", encoding="utf-8")
    index = Checker.from_files([path], halgorithm=Halgorithm(entailment=None)).index
    assert index.sentence(0).reading.text == "name: Ada Holm; boat: Tern."
