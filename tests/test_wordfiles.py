"""What stands in a Word file: changes, notes, controls, boxes, and numbers that no text holds."""

from __future__ import annotations

import pytest
from small_docx import NAMESPACE, cell, docx, run

from halgo import Checker, Document
from halgo.errors import DocumentError
from halgo.sources import wordfiles


def read(body: str, **parts: str) -> str:
    return wordfiles.read_docx(docx(body, **parts), "a.docx")[0]


def warned(body: str, **parts: str) -> list[str]:
    return wordfiles.read_docx(docx(body, **parts), "a.docx")[2]


def paragraph(content: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr>{content}</w:p>"


def deleted(text: str) -> str:
    return f"<w:del><w:r><w:delText>{text}</w:delText></w:r></w:del>"


# --- changes, strokes ----------------------------------------------------------------------------


def test_tracked_changes_are_read_as_accepted_with_a_warning() -> None:
    body = paragraph(
        run("The fee is ")
        + deleted("€3,950")
        + f"<w:ins>{run('€4,150')}</w:ins>"
        + run(" a month.")
    )
    assert read(body) == "The fee is €4,150 a month."
    (warning,) = warned(body)
    assert "a.docx" in warning and "tracked changes" in warning and "accepted" in warning
    assert not warned(paragraph(run("The fee is 5.")))


def test_a_claim_of_inserted_text_is_supported_and_one_of_deleted_text_is_not() -> None:
    body = paragraph(
        run("The fee is ")
        + deleted("€3,950")
        + f"<w:ins>{run('€4,150')}</w:ins>"
        + run(" a month.")
    )
    checker = Checker.from_docs([Document("a", read(body), "a")])
    claims = ["The fee is €4,150 a month.", "The fee is €3,950 a month."]
    found = [result.verdict.value for result in checker.check_claims(claims)]
    assert found == ["SUPPORTED", "CONTRADICTION"]


def test_moved_text_is_read_where_it_has_gone_to() -> None:
    body = paragraph(f"<w:moveFrom>{run('Gone.')}</w:moveFrom>" + run("Here.")) + paragraph(
        f"<w:moveTo>{run('Come.')}</w:moveTo>"
    )
    assert read(body) == "Here.\n\nCome."


@pytest.mark.parametrize("stroke", ["strike", "dstrike"])
def test_struck_out_text_is_left_out_with_a_warning(stroke: str) -> None:
    def struck(value: str) -> str:
        return f"<w:r><w:rPr><w:{stroke}{value}/></w:rPr><w:t>not </w:t></w:r>"

    body = paragraph(run("It is ") + struck("") + run("allowed."))
    assert read(body) == "It is allowed."
    (warning,) = warned(body)
    assert "struck-out" in warning
    kept = paragraph(run("It is ") + struck(' w:val="0"') + run("allowed."))
    assert read(kept) == "It is not allowed." and not warned(kept)


def test_hidden_text_is_no_text() -> None:
    hidden = "<w:r><w:rPr><w:vanish/></w:rPr><w:t>secret </w:t></w:r>"
    assert read(paragraph(run("A ") + hidden + run("b."))) == "A b."


def test_a_deleted_row_of_a_table_is_left_out() -> None:
    rows = [("Plan", "Price"), ("Basic", "10"), ("Pro", "20")]
    made = "".join(
        f"<w:tr><w:trPr>{'<w:del/>' if name == 'Basic' else ''}</w:trPr>"
        + "".join(cell("", text) for text in (name, price))
        + "</w:tr>"
        for name, price in rows
    )
    assert read(f"<w:tbl>{made}</w:tbl>") == "| Plan | Price |\n| --- | --- |\n| Pro | 20 |"


# --- notes, controls, boxes ----------------------------------------------------------------------

NOTES = (
    '<w:footnote w:id="2"><w:p><w:r><w:t>In August it is 30% less.</w:t></w:r></w:p></w:footnote>'
)


def test_a_footnote_follows_the_paragraph_that_refers_to_it() -> None:
    mark = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    body = paragraph(run("The fee is 5.") + mark) + paragraph(run("It is due in May."))
    text = read(body, footnotes=NOTES)
    assert text == "The fee is 5.\n\nIn August it is 30% less.\n\nIt is due in May."


def test_notes_of_a_list_and_of_a_table_follow_them() -> None:
    mark = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    item = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
    body = paragraph(run("One") + mark, item) + paragraph(run("Two"), item)
    assert read(body, footnotes=NOTES) == "- One\n- Two\n\nIn August it is 30% less."
    rows = f"<w:tr><w:tc><w:p>{run('Fee')}{mark}</w:p></w:tc>{cell('', '5')}</w:tr>"
    assert read(f"<w:tbl>{rows}</w:tbl>", footnotes=NOTES).endswith("\n\nIn August it is 30% less.")


def test_a_note_that_is_not_there_and_one_referred_to_twice_do_no_harm() -> None:
    mark = '<w:r><w:footnoteReference w:id="{}"/></w:r>'
    body = paragraph(run("A.") + mark.format(2) + mark.format(7)) + paragraph(mark.format(2))
    assert read(body, footnotes=NOTES) == "A.\n\nIn August it is 30% less."
    assert read(body) == "A."


def test_text_in_content_controls_is_read() -> None:
    def control(content: str) -> str:
        return f"<w:sdt><w:sdtPr/><w:sdtContent>{content}</w:sdtContent></w:sdt>"

    body = control(paragraph(run("The tenant is ") + control(run("Ann Lee")) + run(".")))
    rows = f"<w:tr>{control(cell('', 'Plan'))}{cell('', 'Price')}</w:tr>" + control(
        f"<w:tr>{cell('', 'Pro')}{cell('', '20')}</w:tr>"
    )
    text = read(body + f"<w:tbl>{rows}</w:tbl>")
    assert text == "The tenant is Ann Lee.\n\n| Plan | Price |\n| --- | --- |\n| Pro | 20 |"


def test_a_table_within_a_cell_is_read_as_the_cells_text() -> None:
    inner = f"<w:tbl><w:tr>{cell('', 'net')}{cell('', '19')}</w:tr></w:tbl>"
    row = f"<w:tr>{cell('', 'Price')}<w:tc><w:p>{run('gross 23')}</w:p>{inner}</w:tc></w:tr>"
    assert read(f"<w:tbl>{row}</w:tbl>") == "| Price | gross 23 net 19 |"


@pytest.mark.parametrize("levels", [110, 400])
def test_controls_within_controls_are_read_or_refused(levels: int) -> None:
    open_, close = "<w:sdt><w:sdtContent>", "</w:sdtContent></w:sdt>"
    body = open_ * levels + paragraph(run("deep")) + close * levels
    if levels < 125:  # the parser reads 256 elements deep
        assert read(body) == "deep"
    else:
        with pytest.raises(DocumentError, match="no DOCX that can be read"):
            read(body)


def test_a_text_box_comes_after_its_paragraph_once() -> None:
    box = f"<w:txbxContent>{paragraph(run('Closed on Sundays.'))}</w:txbxContent>"
    space = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    shape = (
        f"<w:r><mc:AlternateContent {space}><mc:Choice><w:drawing>{box}</w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict>{box}</w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    assert read(paragraph(run("Hours") + shape)) == "Hours\n\nClosed on Sundays."


def test_boxes_within_boxes_are_read_once_each() -> None:
    content = paragraph(run("deep"))
    for _ in range(12):
        box = f"<w:r><w:pict><w:txbxContent>{content}</w:txbxContent></w:pict></w:r>"
        content = paragraph(run("x") + box)
    text = read(content)
    assert text.count("x") == 12 and text.count("deep") == 1


# --- numbers -------------------------------------------------------------------------------------


def level(at: int, form: str, text: str, more: str = "") -> str:
    return (
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>{more}'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
    )


def numbered(*levels: str, uses: str = "") -> str:
    listed = f'<w:abstractNum w:abstractNumId="5">{"".join(levels)}</w:abstractNum>'
    return listed + '<w:num w:numId="1"><w:abstractNumId w:val="5"/></w:num>' + uses


def item(text: str, at: int = 0, number: int = 1) -> str:
    place = f'<w:numPr><w:ilvl w:val="{at}"/><w:numId w:val="{number}"/></w:numPr>'
    return paragraph(run(text), place)


CONTRACT = numbered(
    level(0, "decimal", "%1."), level(1, "decimal", "%1.%2"), level(2, "lowerLetter", "(%3)")
)


def test_clauses_have_the_numbers_that_word_shows() -> None:
    body = (
        item("Services")
        + item("The offices are cleaned daily.", 1)
        + item("Windows are cleaned:", 1)
        + item("inside: every three months;", 2)
        + item("outside: twice a year.", 2)
        + item("Fees")
        + item("The fee is €4,150.", 1)
        + item("A surcharge applies:", 1)
        + item("at weekends.", 2)
    )
    assert read(body, numbering=CONTRACT) == (
        "## 1. Services\n\n1.1 The offices are cleaned daily.\n\n1.2 Windows are cleaned:\n\n"
        "(a) inside: every three months;\n(b) outside: twice a year.\n\n"
        "## 2. Fees\n\n2.1 The fee is €4,150.\n\n2.2 A surcharge applies:\n\n(a) at weekends."
    )


@pytest.mark.parametrize(
    ("form", "text", "marks"),
    [
        ("bullet", "", ["- ", "- "]),
        ("decimal", "%1)", ["1) ", "2) "]),
        ("lowerRoman", "(%1)", ["(i) ", "(ii) "]),
        ("lowerLetter", "%1.", ["(a) ", "(b) "]),
        ("none", "%1", ["- ", "- "]),
    ],
)
def test_items_keep_the_mark_of_their_list(form: str, text: str, marks: list[str]) -> None:
    body = item("one") + item("two")
    lines = read(body, numbering=numbered(level(0, form, text))).split("\n")
    assert lines == [mark + word for mark, word in zip(marks, ["one", "two"], strict=True)]


def test_articles_are_paragraphs_and_not_items() -> None:
    numbering = numbered(level(0, "upperRoman", "Article %1"))
    body = item("The seat is in Bonn.") + item("Members pay 20 euros.")
    assert read(body, numbering=numbering) == (
        "Article I The seat is in Bonn.\n\nArticle II Members pay 20 euros."
    )


def test_a_list_goes_on_after_a_paragraph_and_a_further_use_begins_where_it_says() -> None:
    again = (
        '<w:num w:numId="2"><w:abstractNumId w:val="5"/><w:lvlOverride w:ilvl="0">'
        '<w:startOverride w:val="1"/></w:lvlOverride></w:num>'
    )
    body = item("one") + paragraph(run("Between.")) + item("two") + item("new", number=2)
    text = read(body, numbering=numbered(level(0, "decimal", "%1."), uses=again))
    assert text == "1. one\n\nBetween.\n\n2. two\n1. new"


def test_headings_are_numbered_by_their_styles() -> None:
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="{key}"><w:name w:val="{name}"/>{based}'
        f"<w:pPr>{more}</w:pPr></w:style>"
        for key, name, based, more in [
            ("H1", "heading 1", "", '<w:numPr><w:numId w:val="1"/></w:numPr>'),
            ("H2", "heading 2", "", '<w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr>'),
            ("S", "Small", '<w:basedOn w:val="H2"/>', ""),
        ]
    )
    numbering = numbered(
        level(0, "decimal", "%1", '<w:pStyle w:val="H1"/>'), level(1, "decimal", "%1.%2")
    )

    def styled(key: str, text: str) -> str:
        return paragraph(run(text), f'<w:pStyle w:val="{key}"/>')

    body = styled("H1", "Scope") + styled("H2", "Works") + styled("S", "It holds for all works.")
    text = read(body, styles=styles, numbering=numbering)
    assert text == "# 1 Scope\n\n## 1.1 Works\n\n1.2 It holds for all works."


def test_styles_that_are_based_on_each_other_end() -> None:
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="{a}"><w:name w:val="{a}"/>'
        f'<w:basedOn w:val="{b}"/></w:style>'
        for a, b in [("A", "B"), ("B", "A")]
    )
    assert read(paragraph(run("Text."), '<w:pStyle w:val="A"/>'), styles=styles) == "Text."


def test_numbers_out_of_range_do_no_harm() -> None:
    numbering = numbered(level(99, "decimal", "%1."), level(0, "upperLetter", "%1%2%3"))
    text = read(item("far", 44) + item("near"), numbering=numbering)
    assert text.split()[-1] == "near" and "far" in text


def test_the_namespace_of_the_small_files_is_the_readers() -> None:
    assert wordfiles._W.strip("{}") in NAMESPACE
