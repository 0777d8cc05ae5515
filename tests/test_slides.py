"""PPTX is read slide by slide: title, text, tables, charts and notes."""

from __future__ import annotations

import pytest
from small_office import packed, relations

from halgo import DocumentError
from halgo.sources.locations import locator
from halgo.sources.readers import read_bytes
from halgo.sources.slides import read_pptx
from halgo.types import Span

_SPACES = (
    "xmlns:p='http://schemas.openxmlformats.org/presentationml/2006/main' "
    "xmlns:a='http://schemas.openxmlformats.org/drawingml/2006/main' "
    "xmlns:c='http://schemas.openxmlformats.org/drawingml/2006/chart' xmlns:r='r'"
)


def paragraph(text: str, more: str = "") -> str:
    return f"<a:p>{more}<a:r><a:t>{text}</a:t></a:r></a:p>"


def shape(paragraphs: str, kind: str | None = None) -> str:
    holder = "" if kind is None else f"<p:nvPr><p:ph type='{kind}'/></p:nvPr>"
    return f"<p:sp><p:nvSpPr>{holder}</p:nvSpPr><p:txBody>{paragraphs}</p:txBody></p:sp>"


def pptx(*slides: str, shown: str = "1", **beside: str) -> bytes:
    """A presentation of these slides. beside: what the first names, r0 on, by its kind."""
    names = {f"slide#{k}": f"slide{k}.xml" for k in range(len(slides))}
    listed = "".join(f"<p:sldId id='{k}' r:id='r{k}'/>" for k in range(len(slides)))
    parts = {
        "_rels/.rels": relations({"officeDocument": "ppt/main.xml"}),
        "ppt/_rels/main.xml.rels": relations(names),
        "ppt/main.xml": f"<p:main {_SPACES}><p:sldIdLst>{listed}</p:sldIdLst></p:main>",
        "ppt/_rels/slide0.xml.rels": relations({kind: f"{kind}.xml" for kind in beside}),
        **{f"ppt/{kind}.xml": f"<c:x {_SPACES}>{text}</c:x>" for kind, text in beside.items()},
    }
    for k, text in enumerate(slides):
        parts[f"ppt/slide{k}.xml"] = (
            f"<p:sld {_SPACES} show='{shown}'><p:cSld><p:spTree>{text}</p:spTree></p:cSld></p:sld>"
        )
    return packed(parts)


def text_of(*slides: str, **beside: str) -> str:
    return read_pptx(pptx(*slides, **beside), "a.pptx")[0]


def test_the_title_comes_first_and_points_are_a_list() -> None:
    points = paragraph("Spending rises by 4%") + paragraph("Schools", "<a:pPr lvl='1'/>")
    slide = shape(points, "body") + shape(paragraph("Budget"), "title")
    assert text_of(slide) == "# Budget\n\n- Spending rises by 4%\n  - Schools"


def test_what_stands_on_every_slide_is_left_out() -> None:
    fixed = "".join(shape(paragraph("7"), kind) for kind in ("sldNum", "dt", "ftr"))
    assert text_of(shape(paragraph("Words.")) + fixed) == "Words."


def test_shapes_in_groups_and_the_newer_of_two_versions_are_read() -> None:
    group = f"<p:grpSp>{shape(paragraph('Inside'))}</p:grpSp>"
    both = "".join(f"<{k}>{shape(paragraph(k))}</{k}>" for k in ("Choice", "Fallback"))
    assert text_of(group + f"<AlternateContent>{both}</AlternateContent>") == "Inside\n\nChoice"


def test_tables_have_their_heads_and_merged_cells() -> None:
    def row(*cells: str) -> str:
        return "<a:tr>" + "".join(cells) + "</a:tr>"

    def cell(text: str, more: str = "") -> str:
        return f"<a:tc {more}><a:txBody>{paragraph(text)}</a:txBody></a:tc>"

    rows = row(cell("Team"), cell("Name")) + row(cell("Red", "rowSpan='2'"), cell("Ana"))
    rows += row(cell("", "vMerge='1'"), cell("Bo"))
    text = text_of(f"<p:graphicFrame><a:tbl><a:tblPr firstRow='1'/>{rows}</a:tbl></p:graphicFrame>")
    assert text.splitlines() == [
        "| Team | Name |", "| --- | --- |", "| Red | Ana |", "| Red | Bo |"
    ]  # fmt: skip


def test_a_chart_is_read_as_its_table() -> None:
    def points(*values: str) -> str:
        return "".join(f"<c:pt idx='{k}'><c:v>{v}</c:v></c:pt>" for k, v in enumerate(values))

    code = "<c:formatCode>0%</c:formatCode>"
    series = (
        f"<c:ser><c:tx>{points('Pool')}</c:tx><c:cat>{points('Jan', 'Feb')}</c:cat>"
        f"<c:val>{code}{points('0.2', '0.35')}</c:val></c:ser>"
    )
    title = f"<c:title>{paragraph('Visitors')}</c:title>"
    slide = "<p:graphicFrame><c:chart r:id='r0'/></p:graphicFrame>"
    text = text_of(slide, chart=f"<c:chart>{title}{series}</c:chart>")
    assert text.splitlines() == [
        "Visitors", "", "|  | Pool |", "| --- | --- |", "| Jan | 20% |", "| Feb | 35% |"
    ]  # fmt: skip


def test_notes_follow_their_slide() -> None:
    notes = shape(paragraph("2"), "sldNum") + shape(paragraph("Closed until May."), "body")
    text = text_of(shape(paragraph("Pool"), "title"), notesSlide=f"<p:spTree>{notes}</p:spTree>")
    assert text == "# Pool\n\nClosed until May."


def test_where_each_slide_begins_is_known_and_hidden_ones_are_named() -> None:
    document, _ = read_bytes(pptx(shape(paragraph("One.")), shape(paragraph("Two."))), "a.pptx")
    assert document.text == "One.\n\nTwo." and document.metadata["pages"] == "[0, 6]"
    text, _, warnings = read_pptx(pptx(shape(paragraph("One.")), shown="0"), "a.pptx")
    assert text == "" and warnings == ["a.pptx: 1 hidden slide is left out"]


def test_a_passage_has_the_number_of_its_slide() -> None:
    slides = (shape(paragraph("One.")), "", shape(paragraph("Three.")))
    document, _ = read_bytes(pptx(*slides), "a.pptx")
    found = locator(document)
    assert found is not None
    for word, told in (("One.", "slide 1"), ("Three.", "slide 3")):
        start = document.text.index(word)
        ((_, where),) = found.within(Span(start, start + len(word)))
        assert str(where) == told


def test_damaged_and_hostile_files_are_refused() -> None:
    deep = "<p:grpSp>" * 300 + "</p:grpSp>" * 300
    for data, why in (
        (b"PK\3\4", "no PPTX that can be read"),
        (pptx(deep), "more than 256 deep"),
        (pptx(shape(paragraph(" " * 30_000_000))), "unpacks to more than"),
    ):
        with pytest.raises(DocumentError, match=why):
            read_bytes(data, "a.pptx")
