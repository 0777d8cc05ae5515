"""PDF -> text in headings, paragraphs and tables; by an extra of its own.

Of the pages the repeated heads and feet are kept once and lone page numbers dropped, words divided
at a line's end joined, lines made paragraphs again, and cells rows of a table.
"""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from halgo.errors import DocumentError, MissingDependencyError
from halgo.sources.blocks import CLAUSE
from halgo.sources.ceilings import Told
from halgo.sources.form_lines import has_leader
from halgo.sources.page_headings import PageText, marked, places, shown
from halgo.sources.page_tables import with_tables
from halgo.sources.page_text import HYPHEN_ENDS, SOFT_HYPHEN, page_text, spelt
from halgo.sources.pagework import LARGEST_LAID_OUT, LARGEST_PAGE, works

_PAGE_NUMBER = re.compile(
    r"\W{0,3}(?:page\s+|p\.\s*)?\d{1,4}(?:\s*(?:of|/)\s*\d{1,4})?\W{0,3}$", re.I
)
# What only a line has that numbers its page: "page 4", "4 of 9", "Acme | 4".
_PAGED = re.compile(r"\bpage\b|\bp\.|\d\s*(?:of|/)\s*\d|\s[|\u2022\u00b7\u2013\u2014]\s", re.I)
_DIVIDED = re.compile(r"([^\W\d_]{2,})([-\u2010\u00ad]+)$")
_WORD = re.compile(r"[^\W\d_]+")
_HYPHENED = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_SOFT = re.compile(f"{SOFT_HYPHEN}(?!$)")
_ITEM = re.compile(r"(?:[-*\u2022\u25e6\u25aa\u2013]|\(?[0-9]{1,3}[.)]|\([a-z]\))\s")
_LETTER = re.compile(r"([a-z])[.)]\s")
_TABLE = "| "  # how its rows begin
_APART = (_TABLE, "# ", "## ", "### ", "#### ", "##### ", "###### ")  # no lines of a paragraph
_MARGIN_LINES = 4  # at most, of the heads and of the feet of pages
_STOPS = (".", "!", "?", ":", '."', ".\u201d", ".)", "\u2026")


def read_pdf(
    data: bytes, name: str, turned: Callable[[int], None] | None = None
) -> tuple[str, dict[str, str], list[str]]:
    """The text of a PDF; metadata "pages" is a JSON list of where each page begins in it.

    turned: called after each page with the number of all pages.

    Raises MissingDependencyError without pypdf, DocumentError when encrypted, damaged, or when
    its pages unpack to more than the pages of a file of its size do.
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
        work = works(reader.pages, len(data), name)
        large = [k for k, cost in enumerate(work, start=1) if cost > LARGEST_PAGE]
        told = Told(len(data), name)
        read: list[PageText] = []
        laid_out: list[str] = []
        for cost, page in zip(work, reader.pages, strict=True):
            read.append(PageText("", ()) if cost > LARGEST_PAGE else page_text(page))
            told.more(len(read[-1].text))
            laid_out.append(_laid_out(page) if cost <= LARGEST_LAID_OUT else "")
            if turned is not None:
                turned(len(work))
        each = zip(marked(read), laid_out, map(places, read), strict=True)
        pages = [shown(with_tables(text, layout, told, at)) for text, layout, at in each]
    except DocumentError:
        raise
    except Exception as error:  # pypdf raises KeyError, TypeError and others on damaged files
        what = f"{type(error).__name__}: {error}".strip(": ")
        raise DocumentError(f"{name} is no PDF that can be read ({what})", name) from error
    text, starts = flowed(pages)
    warnings = []
    if large:
        warnings.append(
            f"{name}: page {_listed(large)} was left out: its content unpacks to more than "
            f"{LARGEST_PAGE:,} bytes"
        )
    empty = [k for k, page in enumerate(pages, start=1) if not "".join(page).strip()]
    empty = sorted({*empty} - {*large})
    if empty and text:
        warnings.append(f"{name}: no text on page {_listed(empty)} (a picture of text is not read)")
    elif empty:
        warnings.append(f"{name}: no text on any page; it may be a scan, which is not read")
    return text, {"pages": json.dumps(starts)}, warnings


def _laid_out(page: Any) -> str:
    """The text of a page as it is laid out; "" where something odd on it forbids that."""
    try:
        found = page.extract_text(extraction_mode="layout", layout_mode_space_vertically=False)
    except Exception:
        return ""
    return spelt(found)


def _listed(pages: list[int]) -> str:
    return ", ".join(map(str, pages[:5])) + (" ..." if len(pages) > 5 else "")


class _Words(NamedTuple):
    """The words of a document, and whether it tells where it has divided some."""

    known: frozenset[str]
    soft: bool

    @classmethod
    def of(cls, lines: Sequence[str]) -> _Words:
        text = "\n".join(lines)
        soft = SOFT_HYPHEN in text or "\u2010\n" in text
        return cls(frozenset(_HYPHENED.findall(text.replace(SOFT_HYPHEN, ""))), soft)

    def hyphened(self, left: str, right: str) -> bool:
        """Whether a word that ends one line and one that begins the next keep their hyphen.

        "long-" and "term" do when the text writes "long-term" elsewhere, or has soft hyphens.
        """
        if self.soft:
            return left + right not in self.known
        return f"{left}-{right}" in self.known and left + right not in self.known


def flowed(pages: Sequence[Sequence[str]]) -> tuple[str, list[int]]:
    """The pages' lines as one text in paragraphs, and where each page begins in it."""
    words = _Words.of([line.strip() for lines in pages for line in lines])
    # A soft hyphen within a line is not shown.
    stripped = _without_margins([[_SOFT.sub("", line.strip()) for line in some] for some in pages])
    text: list[str] = []
    starts: list[int] = []
    at = 0
    open_end = False  # the page before ended within a sentence
    last = ""  # paragraph of the page before
    for lines in stripped:
        paragraphs = list(_paragraphs(lines, words))
        if at and paragraphs:
            goes_on = open_end and paragraphs[0][:1].islower()
            text.append("\n" if goes_on or _continues(last, paragraphs[0]) else "\n\n")
            at += len(text[-1])
        starts.append(at)
        body = "\n\n".join(paragraphs)
        text.append(body)
        at += len(body)
        if paragraphs:
            last = paragraphs[-1]
            open_end = not body.endswith(_STOPS)
    return "".join(text), starts


def _continues(above: str, below: str) -> bool:
    """Whether a table without heads goes on the one that the page before ended with."""
    tables = above.startswith(_TABLE) and below.startswith(_TABLE)
    first = below.split("\n", 2)[:2]
    headed = len(first) > 1 and first[1].startswith("| ---")
    return tables and not headed and above.rsplit("\n", 1)[-1].count(" | ") == first[0].count(" | ")


def _without_margins(pages: list[list[str]]) -> list[list[str]]:
    """The pages without page numbers, and with the first and last lines that most share told once.

    A head stays on the first page, a foot on the last. Of two pages only lines that are alike, or
    number the pages, are heads and feet: "Total: 5" and "Total: 7" are none.
    """
    pages = [_trimmed(lines) for lines in pages]
    told: dict[int, list[str]] = {0: [], -1: []}
    often = 2 if len(pages) == 2 else max(3, 0.6 * len(pages))
    for edge, kept in told.items():
        for _ in range(_MARGIN_LINES):
            ends = [lines[edge] for lines in pages if lines]
            # Of two pages, what leaves nothing of its own on either is their text.
            whole = often == 2 and (pages[0] == pages[1] or min(map(len, pages)) < 2)
            shared = set() if whole else _shared(ends, often)
            kept += [line for line, n in Counter(ends).items() if n >= often and line in shared]
            pages = [
                _trimmed(lines[1:] if edge == 0 else lines[:-1])
                if lines and (lines[edge] in shared or _PAGE_NUMBER.match(lines[edge]))
                else lines
                for lines in pages
            ]
    if pages:
        heads, feet = told[0], told[-1][::-1]
        pages[0] = [*(part for line in heads for part in (line, "")), *pages[0]]
        pages[-1] = [*pages[-1], *(part for line in feet for part in ("", line))]
    return pages


def _shared(ends: Sequence[str], often: float) -> set[str]:
    """The heads or feet among the lines that pages end with at one edge; no table is one.

    Where figures differ they number the pages.
    """
    ends = [line for line in ends if not line.startswith(_TABLE)]
    if often > 2:
        shapes = Counter(map(_shape, ends))
        return {line for line in ends if shapes[_shape(line)] >= often}
    return set(ends) if len(ends) == 2 and (ends[0] == ends[1] or _number_pages(*ends)) else set()


def _number_pages(first: str, second: str) -> bool:
    """Whether two lines differ in nothing but the numbers of their pages: "Page 4 of 9 | Acme"."""
    if _shape(first) != _shape(second) or not _PAGED.search(first):
        return False
    both = zip(re.findall(r"\d+", first), re.findall(r"\d+", second), strict=True)
    return [int(b[-9:]) - int(a[-9:]) for a, b in both if a != b] == [1]


def _shape(line: str) -> str:
    return re.sub(r"\d+", "#", line)


def _trimmed(lines: list[str]) -> list[str]:
    start, end = 0, len(lines)
    while start < end and not lines[start]:
        start += 1
    while end > start and not lines[end - 1]:
        end -= 1
    return lines[start:end]


def _paragraphs(lines: list[str], words: _Words) -> Iterator[str]:
    """Lines joined to paragraphs: a short line, an item, a clause or a blank line ends one."""
    widths = sorted(len(line) for line in lines if line and not line.startswith(_APART))
    usual = widths[len(widths) * 3 // 4] if widths else 0
    letters = frozenset(found[1] for line in lines if (found := _LETTER.match(line)))
    parts: list[str] = []
    for k, line in enumerate(lines):
        if not line or line.startswith(_APART):
            if parts:
                yield "".join(parts)
            parts = []
            if line:
                yield line
            continue
        if parts:
            before = lines[k - 1]
            # A line with room left for the next word was ended on purpose.
            room = len(before) + len(line.split(" ", 1)[0]) < 0.8 * usual
            ended = before.endswith(_STOPS) or not (line[:1].islower() or before.endswith("&"))
            led = has_leader(line) or has_leader(before)
            item = _ITEM.match(line) or _lettered(line, letters)
            if (room and ended) or led or item or CLAUSE.match(line):
                yield "".join(parts)
                parts = []
            else:
                _join(parts, line, words)
                continue
        parts.append(line)
    if parts:
        yield "".join(parts)


def _lettered(line: str, letters: frozenset[str]) -> bool:
    """Whether a line is an item of a list with letters: "b." where "a." or "c." begins one too."""
    found = _LETTER.match(line)
    return found is not None and not letters.isdisjoint({chr(ord(found[1]) + k) for k in (-1, 1)})


def _join(parts: list[str], line: str, words: _Words) -> None:
    """Append a line to a paragraph; "agree-" and "ment" become one word."""
    last = parts[-1]
    divided = _DIVIDED.search(last[-40:])
    if divided and line[:1].islower():
        right = _WORD.match(line)
        kept = divided[2] == "-" and words.hyphened(divided[1], right.group() if right else "")
        parts[-1] = last if kept else last[: -len(divided[2])]
        parts.append(line)
    else:
        parts.append(line if HYPHEN_ENDS.search(last[-2:]) and line[:1].isalnum() else " " + line)
