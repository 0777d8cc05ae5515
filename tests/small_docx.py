"""Word files of the parts that are read, small enough to stand in a test."""

from __future__ import annotations

from small_office import packed, relations

NAMESPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def docx(body: str, styles: str = "", before: str = "", **parts_beside: str) -> bytes:
    """A DOCX of the parts that are read, with this body.

    parts_beside: the content of numbering, footnotes or endnotes.
    """
    beside = {"styles": styles, **parts_beside}
    parts = {
        "_rels/.rels": relations({"officeDocument": "word/document.xml"}),
        "word/_rels/document.xml.rels": relations({kind: f"{kind}.xml" for kind in beside}),
        **{f"word/{k}.xml": f"<w:{k} {NAMESPACE}>{of}</w:{k}>" for k, of in beside.items()},
        "word/document.xml": f"{before}<w:document {NAMESPACE}><w:body>{body}</w:body>"
        "</w:document>",
    }
    return packed(parts)


def run(text: str) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


def cell(properties: str, text: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr><w:p>{run(text)}</w:p></w:tc>"
