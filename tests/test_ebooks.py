"""EPUB is read page by page in the order that the book gives."""

from __future__ import annotations

import pytest
from small_office import packed

from halgo import DocumentError
from halgo.sources.readers import read_bytes

_PAGES = "".join(
    f"<item id='{name}' href='{file}' media-type='{kind}'/>"
    for name, file, kind in (
        ("b", "b.xhtml", "application/xhtml+xml"),
        ("a", "one%20a.xhtml", "application/xhtml+xml"),
        ("i", "i.png", "image/png"),
    )
)
_TITLE = "<title xmlns='http://purl.org/dc/elements/1.1/'>Orla</title>"
_PARTS = {
    "META-INF/container.xml": "<container xmlns='c'><rootfiles>"
    "<rootfile full-path='OEBPS/book.opf'/></rootfiles></container>",
    "OEBPS/book.opf": f"<package xmlns='o'><metadata>{_TITLE}</metadata>"
    f"<manifest>{_PAGES}</manifest><spine><itemref idref='a'/><itemref idref='b'/>"
    "<itemref idref='gone'/></spine></package>",
    "OEBPS/b.xhtml": "<html><body><p>Last.</p></body></html>",
    "OEBPS/one a.xhtml": "<html><body><h1>First</h1><p>Ada sails.</p></body></html>",
}


def test_pages_come_in_the_order_of_the_book() -> None:
    document, warnings = read_bytes(packed(_PARTS), "a.epub")
    assert document.text == "# First\n\nAda sails.\n\nLast."
    assert document.metadata == {"format": "epub", "title": "Orla"} and not warnings


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ({"a": "b"}, "no EPUB that can be read"),
        ({**_PARTS, "META-INF/rights.xml": ""}, "encrypted"),
    ],
)
def test_damaged_and_locked_books_are_refused(parts: dict[str, str], why: str) -> None:
    with pytest.raises(DocumentError, match=why):
        read_bytes(packed(parts), "a.epub")
