"""Tables of pages and Word files with merged cells: each value stands under its own heads."""

from __future__ import annotations

import pytest
from small_docx import cell, docx

from halgo.errors import DocumentError
from halgo.sources import wordfiles
from halgo.sources.ceilings import allowed
from halgo.sources.webpages import markdown

EXPORTS = """<table><tr><th></th><th colspan=2>Exports (bn €)</th></tr>
<tr><th>Country</th><th>2022</th><th>2023</th></tr><tr><td>Austria<td>194.7<td>200.6</table>"""


def lines_of(page: str) -> list[str]:
    """The lines of a page's text, without those that divide a table's head from its body."""
    return [line for line in markdown(page)[0].split("\n") if line and not line.startswith("| ---")]


def rows_of(*rows: str) -> list[str]:
    """The lines of a Word table of these rows."""
    body = "".join(f"<w:tr>{row}</w:tr>" for row in rows)
    text = wordfiles.read_docx(docx(f"<w:tbl>{body}</w:tbl>"), "a.docx")[0]
    return [line for line in text.split("\n") if line and not line.startswith("| ---")]


# --- pages ---------------------------------------------------------------------------------------


def test_heads_in_two_rows_are_joined_over_each_column() -> None:
    assert lines_of(EXPORTS) == [
        "| Country | Exports (bn €) 2022 | Exports (bn €) 2023 |",
        "| Austria | 194.7 | 200.6 |",
    ]


def test_a_cell_across_the_last_row_is_a_note_below_and_one_in_the_middle_stays() -> None:
    rows = "<tr><td colspan=2>Summer<tr><td>Red<td>5<tr><td colspan=2>Credits are capped."
    assert lines_of(f"<table><tr><th>Plan<th>Price<tr><td>Blue<td>4{rows}</table>") == [
        "| Plan | Price |",
        "| Blue | 4 |",
        "| Summer |",
        "| Red | 5 |",
        "Credits are capped.",
    ]


def test_a_cell_over_several_rows_stands_in_each_of_them() -> None:
    page = """<table><tr><th>Region<th>City<th>Staff<tr><td rowspan=2>North<td>Leeds<td>5
    <tr><td>York<td>6<tr><td>South<td rowspan="2">Hove<td>7<tr><td>West<td>8</table>"""
    assert lines_of(page) == [
        "| Region | City | Staff |",
        "| North | Leeds | 5 |",
        "| North | York | 6 |",
        "| South | Hove | 7 |",
        "| West | Hove | 8 |",
    ]


def test_a_cell_over_several_columns_stands_under_each_of_their_heads() -> None:
    page = "<table><tr><th>Plan<th>Month<th>Year<tr><td>Pro<td colspan=2>on request</table>"
    assert lines_of(page)[1] == "| Pro | on request | on request |"


def test_the_rows_of_a_thead_are_heads_whatever_their_cells_are() -> None:
    page = """<table><thead><tr><td rowspan=2>Plan<td colspan=2>Price<tr><td>month<td>year</thead>
    <tr><td>Basic<td>$5<td>$50</table>"""
    assert lines_of(page) == ["| Plan | Price month | Price year |", "| Basic | $5 | $50 |"]


def test_heads_that_no_tag_tells_are_those_that_divide_the_first_row() -> None:
    named = "<table><tr><td>Plan<td colspan=2>Price<tr><td><td>month<td>year<tr><td>A<td>1<td>2"
    assert lines_of(named) == ["| Plan | Price month | Price year |", "| A | 1 | 2 |"]
    amounts = "<table><tr><td><td colspan=2>Price<tr><td>A<td>$5<td>$50<tr><td>B<td>$6<td>$60"
    assert lines_of(amounts)[:2] == ["|  | Price | Price |", "| A | $5 | $50 |"]
    words = "<table><tr><td>Plan<td colspan=2>Open<tr><td>A<td>yes<td>no<tr><td>B<td>no<td>no"
    assert lines_of(words)[:2] == ["| Plan | Open | Open |", "| A | yes | no |"]


def test_a_title_across_the_table_is_a_line_of_its_own_and_no_head() -> None:
    page = "<table><tr><th colspan=3>Fees &lt;b&gt;<tr><th>Plan<th>A<th>B<tr><td>Pro<td>1<td>2"
    assert lines_of(page) == ["Fees \\<b>", "| Plan | A | B |", "| Pro | 1 | 2 |"]


def test_a_row_that_is_one_cell_is_told_once_and_ends_the_heads() -> None:
    page = "<table><tr><th>Plan<th>Fee<tr><th colspan=9>Europe<tr><td>Pro<td>5</table>"
    assert lines_of(page) == ["| Plan | Fee |", "| Europe |", "| Pro | 5 |"]


def test_a_name_that_begins_the_first_row_is_no_head_of_a_column() -> None:
    page = "<table><tr><th>Mon<td>9 to 17<tr><th>Tue<td>10 to 18</table>"
    assert markdown(page)[0] == "| Mon | 9 to 17 |\n| Tue | 10 to 18 |"
    titled = "<table><tr><th colspan=2>Austria<tr><th>Capital<td>Vienna</table>"
    assert lines_of(titled) == ["| Austria |", "| Capital | Vienna |"]


def test_a_span_of_columns_that_are_not_there_makes_none() -> None:
    page = "<table><tr><th colspan=2>Plan<th colspan=999>Fee<tr><td colspan=2>Pro<td>5</table>"
    assert lines_of(page) == ["| Plan | Fee |", "| Pro | 5 |"]


def test_a_row_span_of_none_reaches_to_the_end() -> None:
    page = "<table><tr><th>A<th>B<tr><td rowspan=0>x<td>1<tr><td>2<tr><td>3</table>"
    assert lines_of(page)[1:] == ["| x | 1 |", "| x | 2 |", "| x | 3 |"]


@pytest.mark.parametrize(
    "page",
    [
        "<table><tr>" + "<td rowspan=65534>x" * 3000 + "<tr>" * 3000,
        "<table><tr>" + "<td colspan=1000 rowspan=65534>x" * 1000 + "<tr><td>y" * 10_000,
        "<table><tr>" + "<td>a" * 1000 + "<tr><td colspan=1000>b<td>c" * 2000,
        "<table><tr><td rowspan=65534>" + "w" * 190 + "<tr>" * 65_000,
    ],
)
def test_cells_merged_beyond_measure_are_refused_with_the_name(page: str) -> None:
    with pytest.raises(DocumentError, match=r"a\.html would become more than .*Split it"):
        markdown(page, "a.html")


def test_a_cell_of_the_largest_span_grows_with_the_page() -> None:
    page = "<table><tr><td colspan=99999999 rowspan=99999999>x" + "<tr><td>y" * 10_000
    text = markdown(page)[0]
    assert text.count("\n") == 10_000 and len(text) < allowed(len(page)) / 20


def test_a_long_merged_cell_of_a_page_is_shortened_with_a_warning() -> None:
    page = "<table><tr><td rowspan=9999>" + "w" * 10_000 + "<td>1" + "<tr><td>2" * 3000
    text, _, warnings = markdown(page, "a.html")
    assert text.count("w" * 10_000) == 101 and len(text) < 2_500_000
    assert len(warnings) == 1 and warnings[0].startswith("a.html: long cells that are merged")


# --- Word files ----------------------------------------------------------------------------------

TWO = '<w:gridSpan w:val="2"/>'
FIRST, NEXT = '<w:vMerge w:val="restart"/>', "<w:vMerge/>"


def test_heads_of_a_word_table_are_joined_over_each_column() -> None:
    assert rows_of(
        cell("") + cell(TWO, "Exports (bn €)"),
        cell("", "Country") + cell("", "2022") + cell("", "2023"),
        cell("", "Austria") + cell("", "194.7") + cell("", "200.6"),
    ) == ["| Country | Exports (bn €) 2022 | Exports (bn €) 2023 |", "| Austria | 194.7 | 200.6 |"]


def test_heads_merged_down_and_across_are_joined_and_their_cells_stay_in_place() -> None:
    assert rows_of(
        cell(FIRST, "Region") + cell(TWO, "Staff") + cell(FIRST, "Head"),
        cell(NEXT) + cell("", "2022") + cell("", "2023") + cell(NEXT),
        cell(FIRST, "North") + cell("", "5") + cell("", "6") + cell("", "Ann"),
        cell(NEXT) + cell(TWO, "none") + cell("", "Bob"),
    ) == [
        "| Region | Staff 2022 | Staff 2023 | Head |",
        "| North | 5 | 6 | Ann |",
        "| North | none | none | Bob |",
    ]


def test_rows_that_a_word_file_marks_as_heads_are_joined() -> None:
    marked = "<w:trPr><w:tblHeader/></w:trPr>"
    assert rows_of(
        marked + cell("", "Plan") + cell("", "Fee"),
        marked + cell("", "") + cell("", "in euro"),
        '<w:trPr><w:tblHeader w:val="0"/></w:trPr>' + cell("", "Pro") + cell("", "5"),
    ) == ["| Plan | Fee in euro |", "| Pro | 5 |"]


def test_a_group_in_the_first_column_makes_no_heads() -> None:
    rows = [cell(FIRST, "North") + cell("", "Leeds"), cell(NEXT) + cell("", "York")]
    assert rows_of(*rows, cell("", "South") + cell("", "Hove")) == [
        "| North | Leeds |",
        "| North | York |",
        "| South | Hove |",
    ]


def test_a_row_that_begins_behind_the_first_column_keeps_its_place() -> None:
    before = '<w:trPr><w:gridBefore w:val="1"/></w:trPr>'
    rows = [cell("", "Plan") + cell("", "Fee"), before + cell("", "5")]
    assert rows_of(*rows) == ["| Plan | Fee |", "|  | 5 |"]
