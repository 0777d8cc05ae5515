"""Word files of the parts that are read, small enough to stand in a test."""

from __future__ import annotations

import io
import zipfile

import pytest

NAMESPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def docx(body: str, styles: str = "", before: str = "", **parts_beside: str) -> bytes:
    """A DOCX of the parts that are read, with this body.

    parts_beside: the content of numbering, footnotes or endnotes.
    """
    pytest.importorskip("docx")
    beside = {"styles": styles, **parts_beside}
    parts = {
        "_rels/.rels": _relations({"officeDocument": "word/document.xml"}),
        "word/_rels/document.xml.rels": _relations({kind: f"{kind}.xml" for kind in beside}),
        **{f"word/{k}.xml": f"<w:{k} {NAMESPACE}>{of}</w:{k}>" for k, of in beside.items()},
        "word/document.xml": f"{before}<w:document {NAMESPACE}><w:body>{body}</w:body>"
        "</w:document>",
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return packed.getvalue()


def _relations(targets: dict[str, str]) -> str:
    listed = "".join(
        f"<Relationship Id='r{k}' Type='{RELATIONS}/{kind}' Target='{target}'/>"
        for k, (kind, target) in enumerate(targets.items())
    )
    space = "http://schemas.openxmlformats.org/package/2006/relationships"
    return f"<Relationships xmlns='{space}'>{listed}</Relationships>"


def run(text: str) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


def cell(properties: str, text: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr><w:p>{run(text)}</w:p></w:tc>"
