"""Document -> where in its file each stretch stands: its page, slide, row or line, from 1.

What the reader of a file notes in the metadata is all it takes, so an index that was saved tells
the same: "pages", where each page or slide begins in the text, and the rows of `row_numbers.py`.
Text that is the file's own is counted in lines.
"""

from __future__ import annotations

import json
import re
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from halgo.sources.readers import keeps_lines
from halgo.types import Document, Location, Span

_OWN_PAGE = ("page_num", "page", "page_number")  # of a passage that a retriever found
_LONGEST = 9  # digits of a page's number
_SLIDES = ("pptx", "pptm", "odp")
_BREAK = re.compile(r"\r\n?|\n")
_ONE_BY_ONE = ((0, 1),)


@dataclass(frozen=True, slots=True)
class Locator:
    """The pages, slides, rows or lines of one document, found by halving.

    starts: where each begins, ascending. numbers: [place among the starts, number], from which on
    they count by one. sheets: [where it begins, name], ascending.
    """

    unit: str
    starts: Sequence[int]
    numbers: Sequence[tuple[int, int]] = _ONE_BY_ONE
    sheets: Sequence[tuple[int, str]] = ()

    def within(self, stretch: Span) -> tuple[tuple[Span, Location], ...]:
        """The parts of a stretch of the document, each with its page, slide, row or line.

        Leaves out what stands in none, as the name of a sheet does.
        """
        found = []
        at = max(bisect_right(self.starts, stretch.start) - 1, 0)
        while at < len(self.starts) and self.starts[at] < stretch.end:
            start, end = self.starts[at], stretch.end
            if at + 1 < len(self.starts):
                end = min(end, self.starts[at + 1])
            name, beyond = self._sheet(start)
            part = Span(max(start, stretch.start), end if beyond is None else min(end, beyond))
            if part.start < part.end:
                number = self._number(at)
                found.append((part, Location(self.unit, number, number, name)))
            at += 1
        return tuple(found)

    def _number(self, at: int) -> int:
        first, number = self.numbers[bisect_right(self.numbers, at, key=lambda one: one[0]) - 1]
        return number + at - first

    def _sheet(self, start: int) -> tuple[str, int | None]:
        """The name of the sheet that a row is of, and where the next one begins."""
        following = bisect_right(self.sheets, start, key=lambda one: one[0])
        beyond = self.sheets[following][0] if following < len(self.sheets) else None
        return (self.sheets[following - 1][1] if following else ""), beyond


def locator(document: Document) -> Locator | None:
    """What finds places in a document's file; None where nothing is known of them."""
    kind = document.metadata.get("format", "")
    if pages := page_starts(document):
        return Locator("slide" if kind in _SLIDES else "page", pages)
    if (rows := _rows(document)) is not None:
        return rows
    if (page := own_page(document)) is not None:
        return Locator("page", (0,), ((0, page),))
    if kind and keeps_lines(kind):
        ends = (found.end() for found in _BREAK.finditer(document.text))
        return Locator("line", array("q", (0, *ends)))
    return None


def page_starts(document: Document) -> list[int]:
    """Where each page begins, as the reader of its file notes it; empty when nothing is noted."""
    starts = _whole_numbers(_noted(document, "pages"))
    return starts if starts[:1] == [0] else []  # a caller's list may be of other things


def own_page(document: Document) -> int | None:
    """The page that a retrieved passage says it comes from."""
    for name in _OWN_PAGE:
        value = str(document.metadata.get(name, "")).strip()
        if value.isascii() and value.isdigit() and len(value) <= _LONGEST:
            return int(value)
    return None


def _rows(document: Document) -> Locator | None:
    starts = _whole_numbers(_noted(document, "rows"))
    numbers = [(at, it) for at, it in _pairs(document, "row_numbers") if type(it) is int]
    sheets = [(at, it) for at, it in _pairs(document, "sheets") if isinstance(it, str)]
    # An index of an earlier version does not have the numbers.
    if not starts or not numbers or numbers[0][0] != 0:
        return None
    return Locator("row", starts, numbers, sheets)


def _noted(document: Document, key: str) -> list[Any]:
    """A list of the metadata; empty for anything else, as metadata are also the caller's."""
    try:
        found = json.loads(document.metadata.get(key, "[]"))
    except (TypeError, ValueError, RecursionError):
        return []
    return found if isinstance(found, list) else []


def _whole_numbers(values: list[Any]) -> list[int]:
    return values if all(type(value) is int for value in values) else []


def _pairs(document: Document, key: str) -> list[tuple[int, Any]]:
    values = _noted(document, key)
    if not all(isinstance(one, list) and len(one) == 2 and type(one[0]) is int for one in values):
        return []
    return [(one[0], one[1]) for one in values]
