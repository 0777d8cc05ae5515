"""PDF and DOCX -> text in paragraphs; each by an extra of its own.

Of a PDF's pages the repeated heads and feet and lone page numbers are dropped, words divided at
a line's end joined, and lines made paragraphs again.
"""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from halgo.errors import DocumentError, MissingDependencyError
from halgo.sources.webpages import table

_PAGE_NUMBER = re.compile(
    r"\W{0,3}(?:page\s+|p\.\s*)?\d{1,4}(?:\s*(?:of|/)\s*\d{1,4})?\W{0,3}$", re.I
)
_DIVIDED = re.compile(r"[^\W\d_]{2,}-$")
_ITEM = re.compile(r"(?:[-*\u2022\u25e6\u25aa\u2013]|\(?[0-9]{1,3}[.)]|\([a-z]\))\s")
_STOPS = (".", "!", "?", ":", '."', ".\u201d", ".)", "\u2026")


def read_pdf(data: bytes, name: str) -> tuple[str, dict[str, str], list[str]]:
    """The text of a PDF; metadata "pages" is a JSON list of where each page begins in it.

    Raises MissingDependencyError without pypdf, DocumentError when encrypted or damaged.
    """
    try:
        from pypdf import PdfReader
    except ImportError as error:
        raise MissingDependencyError(
            f"reading {name} takes pypdf; install it with: pip install 'halgo[pdf]'"
        ) from error
    try:
        reader = PdfReader(io.BytesIO(data), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise DocumentError(f"{name} is encrypted; save a copy without a password", name)
        pages = [page.extract_text() or "" for page in reader.pages]
    except DocumentError:
        raise
    except Exception as error:  # pypdf raises KeyError, TypeError and others on damaged files
        what = f"{type(error).__name__}: {error}".strip(": ")
        raise DocumentError(f"{name} is no PDF that can be read ({what})", name) from error
    text, starts = flowed(pages)
    warnings = []
    empty = [k for k, page in enumerate(pages, start=1) if not page.strip()]
    if empty and text:
        shown = ", ".join(map(str, empty[:5])) + (" ..." if len(empty) > 5 else "")
        warnings.append(f"{name}: no text on page {shown} (a picture of text is not read)")
    elif empty:
        warnings.append(f"{name}: no text on any page; it may be a scan, which is not read")
    return text, {"pages": json.dumps(starts)}, warnings


def flowed(pages: list[str]) -> tuple[str, list[int]]:
    """The pages as one text in paragraphs, and where each page begins in it."""
    stripped = [[line.strip() for line in page.splitlines()] for page in pages]
    stripped = _without_margins(stripped)
    known = frozenset(re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", "\n".join(pages)))
    text: list[str] = []
    starts: list[int] = []
    at = 0
    open_end = False  # the page before ended within a sentence
    for lines in stripped:
        paragraphs = list(_paragraphs(lines, known))
        if at and paragraphs:
            goes_on = open_end and paragraphs[0][:1].islower()
            text.append("\n" if goes_on else "\n\n")
            at += len(text[-1])
        starts.append(at)
        body = "\n\n".join(paragraphs)
        text.append(body)
        at += len(body)
        if paragraphs:
            open_end = not body.endswith(_STOPS)
    return "".join(text), starts


def _without_margins(pages: list[list[str]]) -> list[list[str]]:
    """The pages without the first and last lines that most pages share, and page numbers."""
    pages = [_trimmed(lines) for lines in pages]
    for edge in (0, -1):
        for _ in range(2):
            shapes = Counter(_shape(lines[edge]) for lines in pages if lines)
            often = max(3, 0.6 * len(pages))
            pages = [
                _trimmed(lines[1:] if edge == 0 else lines[:-1])
                if lines
                and (shapes[_shape(lines[edge])] >= often or _PAGE_NUMBER.match(lines[edge]))
                else lines
                for lines in pages
            ]
    return pages


def _shape(line: str) -> str:
    return re.sub(r"\d+", "#", line)


def _trimmed(lines: list[str]) -> list[str]:
    start, end = 0, len(lines)
    while start < end and not lines[start]:
        start += 1
    while end > start and not lines[end - 1]:
        end -= 1
    return lines[start:end]


def _paragraphs(lines: list[str], known: frozenset[str]) -> Iterator[str]:
    """Lines joined to paragraphs: a short line, an item or a blank line ends one."""
    widths = sorted(len(line) for line in lines if line)
    usual = widths[len(widths) * 3 // 4] if widths else 0
    parts: list[str] = []
    for k, line in enumerate(lines):
        if not line:
            if parts:
                yield "".join(parts)
            parts = []
            continue
        if parts:
            before = lines[k - 1]
            # A line with room left for the next word was ended on purpose.
            room = len(before) + len(line.split(" ", 1)[0]) < 0.8 * usual
            ended = room and (before.endswith(_STOPS) or not line[:1].islower())
            if ended or _ITEM.match(line):
                yield "".join(parts)
                parts = []
            else:
                _join(parts, line, known)
                continue
        parts.append(line)
    if parts:
        yield "".join(parts)


def _join(parts: list[str], line: str, known: frozenset[str]) -> None:
    """Append a line to a paragraph; "agree-" and "ment" become one word."""
    last = parts[-1]
    divided = _DIVIDED.search(last[-40:])
    if divided and line[:1].islower():
        left = divided.group()[:-1]
        right = re.match(r"[^\W\d_]+", line)
        word = right.group() if right else ""
        # "long-" and "term" keep their hyphen when the text writes "long-term" elsewhere.
        hyphened = f"{left}-{word}" in known and left + word not in known
        parts[-1] = last if hyphened else last[:-1]
        parts.append(line)
    else:
        parts.append(" " + line)


def read_docx(data: bytes, name: str) -> tuple[str, dict[str, str], list[str]]:
    """The paragraphs, headings, lists and tables of a DOCX as Markdown.

    Raises MissingDependencyError without python-docx, DocumentError when damaged.
    """
    try:
        import docx
    except ImportError as error:
        raise MissingDependencyError(
            f"reading {name} takes python-docx; install it with: pip install 'halgo[docx]'"
        ) from error
    try:
        document = docx.Document(io.BytesIO(data))
        blocks = list(_docx_blocks(document))
    except Exception as error:  # python-docx raises KeyError, BadZipFile and others
        what = f"{type(error).__name__}: {error}".strip(": ")
        raise DocumentError(f"{name} is no DOCX that can be read ({what})", name) from error
    return "\n\n".join(blocks), {}, []


def _docx_blocks(document: Any) -> Iterator[str]:
    items: list[str] = []
    for block in document.iter_inner_content():
        if hasattr(block, "rows"):
            text = _docx_table(block)
        else:
            text = " ".join(block.text.split())
            style = (block.style.name or "") if block.style is not None else ""
            level = re.match(r"(?:Heading (\d)|Title)", style)
            numbered = block._p.pPr is not None and block._p.pPr.numPr is not None
            if text and level:
                text = "#" * int(level.group(1) or 1) + " " + text
            elif text and (numbered or style.startswith("List")):
                items.append("- " + text)
                continue
        if items:
            yield "\n".join(items)
            items = []
        if text:
            yield text
    if items:
        yield "\n".join(items)


def _docx_table(block: Any) -> str:
    rows = []
    for row in block.rows:
        cells: list[str] = []
        seen: set[Any] = set()
        for cell in row.cells:
            # A merged cell is met once for each column that it spans.
            first = cell._tc not in seen
            seen.add(cell._tc)
            cells.append(" ".join(cell.text.split()) if first else "")
        rows.append(cells)
    rows = [row for row in rows if any(row)]
    return table(rows) if rows else ""
