"""ODT, ODS and ODP are read: text with its notes, sheets with what they show, slides."""

from __future__ import annotations

import pytest
from small_office import packed

from halgo import DocumentError
from halgo.sources.locations import locator
from halgo.sources.readers import read_bytes
from halgo.types import Span

_NAMES = {name: name for name in ("office", "text", "table", "presentation", "style")}
_SPACES = " ".join(
    f"xmlns:{short}='urn:oasis:names:tc:opendocument:xmlns:{name}:1.0'"
    for short, name in {**_NAMES, "draw": "drawing"}.items()
)


def odf(kind: str, body: str, styles: str = "", **parts: str) -> bytes:
    content = (
        f"<office:document-content {_SPACES}>{styles}<office:body><office:{kind}>{body}"
        f"</office:{kind}></office:body></office:document-content>"
    )
    return packed({"content.xml": content, **parts})


def text_of(ending: str, kind: str, body: str, styles: str = "") -> str:
    return read_bytes(odf(kind, body, styles), f"a.{ending}")[0].text


def cell(text: str, more: str = "", name: str = "table-cell") -> str:
    return f"<table:{name} {more}><text:p>{text}</text:p></table:{name}>"


def row(*cells: str, more: str = "") -> str:
    return f"<table:table-row {more}>{''.join(cells)}</table:table-row>"


def test_text_has_its_headings_lists_and_notes() -> None:
    note = (
        "<text:note><text:note-citation>1</text:note-citation><text:note-body>"
        "<text:p>No heating.</text:p></text:note-body></text:note>"
    )
    body = (
        "<text:h text:outline-level='2'>Lease</text:h>"
        f"<text:p>The rent<text:s text:c='3'/>is <text:span>EUR 900</text:span>{note}.</text:p>"
        "<text:list><text:list-item><text:p>Deposit</text:p><text:list><text:list-item>"
        "<text:p>In cash</text:p></text:list-item></text:list></text:list-item></text:list>"
    )
    assert text_of("odt", "text", body).split("\n\n") == [
        "## Lease", "The rent is EUR 900.", "No heating.", "- Deposit\n  - In cash"
    ]  # fmt: skip


def test_what_was_deleted_and_comments_are_left_out() -> None:
    body = (
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>Old.</text:p>"
        "</text:deletion></text:changed-region></text:tracked-changes>"
        "<text:p>New<office:annotation><text:p>Why?</text:p></office:annotation>.</text:p>"
    )
    assert text_of("odt", "text", body) == "New."


def test_a_table_of_a_text_has_its_merged_cells() -> None:
    rows = row(cell("Team"), cell("Name"))
    rows += row(cell("Red", "table:number-rows-spanned='2'"), cell("Ana"))
    rows += row(cell("", name="covered-table-cell"), cell("Bo"))
    text = text_of("odt", "text", f"<table:table table:name='T'>{rows}</table:table>")
    assert text.splitlines()[2:] == ["| Red | Ana |", "| Red | Bo |"]


def test_a_sheet_has_what_is_shown_and_days_without_doubt() -> None:
    share = "office:value-type='percentage' office:value='0.153'"
    day = "office:value-type='date' office:date-value='2024-03-05'"
    rows = row(cell("Item"), cell("Share"), cell("Since"))
    rows += row(cell("Copy"), cell("15.3%", share), cell("05.03.24", day))
    rows += row("<table:table-cell table:number-columns-repeated='16384'/>",
                more="table:number-rows-repeated='1048573'")  # fmt: skip
    text = text_of("ods", "spreadsheet", f"<table:table table:name='Fees'>{rows}</table:table>")
    assert text.splitlines()[0] == "# Fees" and text.endswith("| Copy | 15.3% | 2024-03-05 |")


def test_rows_of_a_sheet_and_slides_are_known_by_their_numbers() -> None:
    blank = row("<table:table-cell/>", more="table:number-rows-repeated='3'")
    rows = blank + row(cell("Item"), cell("Share")) + row(cell("Copy"), cell("half"))
    sheet = f"<table:table table:name='Fees'>{rows}</table:table>"
    box = "<draw:frame><draw:text-box><text:p>Hello.</text:p></draw:text-box></draw:frame>"
    slides = "<draw:page/>" + f"<draw:page>{box}</draw:page>"
    for ending, kind, body, told in (
        ("ods", "spreadsheet", sheet, ["sheet Fees, row 4", "sheet Fees, row 5"]),
        ("odp", "presentation", slides, ["slide 2"]),
    ):
        document, _ = read_bytes(odf(kind, body), f"a.{ending}")
        found = locator(document)
        assert found is not None
        parts = found.within(Span(0, len(document.text)))
        assert [str(where) for _, where in parts] == told


def test_hidden_sheets_are_named() -> None:
    style = (
        "<office:automatic-styles><style:style style:name='h'><style:table-properties "
        "table:display='false'/></style:style></office:automatic-styles>"
    )
    sheet = f"<table:table table:name='Secret' table:style-name='h'>{row(cell('x'))}</table:table>"
    document, warnings = read_bytes(odf("spreadsheet", sheet, style), "a.ods")
    assert document.text == "" and "hidden sheet Secret" in warnings[0]


def test_hidden_rows_columns_and_text_are_left_out() -> None:
    columns = (
        "<table:table-column/><table:table-column table:visibility='filter'/><table:table-column/>"
    )
    rows = row(cell("Name"), cell("Note"), cell("Fee"))
    rows += row(cell("Ana"), cell("x"), cell("5"), more="table:visibility='collapse'")
    rows += row(cell("Bo"), cell("y"), cell("6"))
    rows += row("<table:table-cell/>", more="table:number-rows-repeated='1048573'")
    data = odf("spreadsheet", f"<table:table table:name='Fees'>{columns}{rows}</table:table>")
    document, warnings = read_bytes(data, "a.ods")
    assert document.text == "# Fees\n\n| Name | Fee |\n| --- | --- |\n| Bo | 6 |"
    assert warnings == ["a.ods: what is hidden is left out: 1 row, 1 column"]
    style = (
        "<office:automatic-styles><style:style style:name='h'><style:text-properties "
        "text:display='none'/></style:style></office:automatic-styles>"
    )
    body = "<text:p>No <text:span text:style-name='h'>big </text:span>dogs.</text:p>"
    body += "<text:p text:style-name='h'>Secret.</text:p>"
    assert text_of("odt", "text", body, style) == "No dogs."


def test_slides_have_their_titles_first_and_are_pages() -> None:
    def page(title: str, text: str) -> str:
        return (
            f"<draw:page><draw:frame><draw:text-box><text:p>{text}</text:p></draw:text-box></draw:frame>"
            f"<draw:frame presentation:class='title'><draw:text-box><text:p>{title}</text:p>"
            "</draw:text-box></draw:frame></draw:page>"
        )

    slides = page("Plan", "It grows.") + page("End", "Bye.")
    document, _ = read_bytes(odf("presentation", slides), "a.odp")
    assert document.text == "# Plan\n\nIt grows.\n\n# End\n\nBye."
    assert document.metadata["pages"] == "[0, 19]"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (packed({"mimetype": "application/vnd.oasis.opendocument.text"}), "can be read"),
        (odf("text", "", **{"META-INF/manifest.xml": "<encryption-data/>"}), "encrypted"),
        (odf("text", "<text:span>" * 300 + "</text:span>" * 300), "256 deep"),
        (
            odf("spreadsheet", "<table:table>" + row(
                cell("x" * 100, "table:number-columns-repeated='16384'"),
                more="table:number-rows-repeated='1048576'",
            ) + "</table:table>"),
            "would become more than",
        ),
    ],
    ids=["empty", "encrypted", "deep", "repeated"],
)  # fmt: skip
def test_damaged_and_hostile_files_are_refused(data: bytes, why: str) -> None:
    with pytest.raises(DocumentError, match=why):
        read_bytes(data, "a.odt")
