"""Word files of the parts that are read, small enough to stand in a test."""

from __future__ import annotations

import io
import zipfile

import pytest

NAMESPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def docx(body: str, styles: str = "", before: str = "") -> bytes:
    """A DOCX of the three parts that are read, with this body."""
    pytest.importorskip("docx")
    rels = "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'>{}"
    rel = "<Relationship Id='r1' Type='" + RELATIONS + "/{}' Target='{}'/></Relationships>"
    parts = {
        "_rels/.rels": rels.format(rel.format("officeDocument", "word/document.xml")),
        "word/_rels/document.xml.rels": rels.format(rel.format("styles", "styles.xml")),
        "word/styles.xml": f"<w:styles {NAMESPACE}>{styles}</w:styles>",
        "word/document.xml": f"{before}<w:document {NAMESPACE}><w:body>{body}</w:body>"
        "</w:document>",
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return packed.getvalue()


def run(text: str) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


def cell(properties: str, text: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr><w:p>{run(text)}</w:p></w:tc>"
