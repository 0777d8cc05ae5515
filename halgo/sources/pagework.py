"""A PDF's pages -> how much there is to read on each, before any of it is read.

A few bytes can be a lot of work: content unpacks to a thousand times its size, one content may be
shown on each of many pages, forms may call forms that call forms, and a page's fonts are read again
for each page. pypdf sets a limit to each of these and none to their sum.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from halgo.errors import DocumentError

# Work is counted in bytes of content, of which pypdf reads about 150,000 a second. Content and
# fonts of pages that were written to be read come to ten times the file at most.
_TIMES = 25
_FREE = 600_000
# pypdf copies a page's text at each of its lines: beyond this its time grows with the square.
LARGEST_PAGE = 4_000_000

# Looked at once more, as it is laid out; there each piece of text may have 10,000 blanks before it.
LARGEST_LAID_OUT = 100_000

_PER_PAGE = 200
_PER_FONT = 100
# A font's table is read ten times as fast as content; a range of characters, one by one.
_TABLE_BYTES = 10
_RANGE_STEP = 0.7
_LONGEST_RANGE = 100_000

_NAMED = re.compile(rb"/([^\s/\[\]<>(){}%]{1,200})\s+Do\b")
_CALL = re.compile(rb"\bDo\b")
_RANGES = re.compile(rb"beginbfrange(.*?)(?:endbfrange|\Z)", re.DOTALL)
_RANGE = re.compile(rb"<\s*([0-9A-Fa-f]{1,8})\s*>\s*<\s*([0-9A-Fa-f]{1,8})\s*>\s*[<\[]")
_TARGET = re.compile(rb"<([0-9A-Fa-f\s]+)>")
# "ffi" is three characters; what stands for more than these makes a short text long.
_LONGEST_TARGET = 8


def works(pages: Iterable[Any], size: int, name: str) -> list[int]:
    """The work that the text of each page takes, in bytes of content; the pages are pypdf's.

    Raises DocumentError when all in all it is more than a file of `size` bytes may ask for.
    """
    work = _Work(_TIMES * size + _FREE, size, name)
    return [work.of(page) for page in pages]


class _Work:
    """Counts the work, each stream and font looked at once however often it is used."""

    def __init__(self, ceiling: int, size: int, name: str) -> None:
        self.ceiling, self.size, self.name = ceiling, size, name
        self.spent = 0
        self.unpacked = 0
        # By identity, which an object keeps while it is held here.
        self.streams: dict[int, tuple[Any, bytes]] = {}
        self.fonts: dict[int, tuple[Any, int, int]] = {}
        self.forms: dict[int, tuple[Any, int]] = {}

    def of(self, page: Any) -> int:
        """The work of a page, which is added to that of the pages before it."""
        work = _PER_PAGE + self.shown(page, page.get("/Contents"))
        self.spent += work
        self._check(self.spent)
        return work

    def _check(self, work: int) -> None:
        if work > self.ceiling:
            raise DocumentError(
                f"{self.name} has {self.size:,} bytes and would take more than {self.ceiling:,} "
                "bytes of page content and fonts to read, more than a document of its size does. "
                "Print it to a new PDF, or save its text as .txt.",
                self.name,
            )

    def shown(self, holder: Any, content: Any) -> int:
        """The work of a page or form: its content, its fonts, and the forms that it calls."""
        resources = _resources(holder)
        fonts = [self.font(font) for font in _values(resources, "/Font")]
        longest = max((target for _, target in fonts), default=1)
        work = sum(cost for cost, _ in fonts)
        data = self.content(content)
        work += len(data) * max(1, longest // _LONGEST_TARGET)
        called = _NAMED.findall(data)
        forms = _get(resources, "/XObject") if called or _CALL.search(data) else None
        if forms is None or not hasattr(forms, "keys"):
            return work
        costs = {name: self.form(_get(forms, name)) for name in forms}
        # A name may be written so that it is not found; it may then be any of them.
        dearest = max(costs.values(), default=0)
        for name in called:
            work += costs.get("/" + name.decode("latin-1"), dearest)
        return work + dearest * (len(_CALL.findall(data)) - len(called))

    def content(self, given: Any) -> bytes:
        """What a page or form shows, unpacked; of several streams, one after the other."""
        given = _resolved(given)
        if isinstance(given, list):
            parts = [self.stream(_resolved(part)) for part in given]
            self._check(sum(map(len, parts)))
            return b"\n".join(parts)
        return self.stream(given)

    def stream(self, stream: Any) -> bytes:
        """A stream's bytes; none when it cannot be unpacked, which is for the reader to find."""
        if id(stream) not in self.streams:
            try:
                data = bytes(stream.get_data())
            except Exception:  # pypdf raises many kinds on damaged streams
                data = b""
            self.streams[id(stream)] = stream, data
            self.unpacked += len(data)
            self._check(self.unpacked)
        return self.streams[id(stream)][1]

    def form(self, form: Any) -> int:
        if _get(form, "/Subtype") in (None, "/Image"):
            return 0
        if id(form) not in self.forms:
            self.forms[id(form)] = form, 0  # one that calls itself is not followed
            self.forms[id(form)] = form, _PER_PAGE + self.shown(form, form)
        return self.forms[id(form)][1]

    def font(self, font: Any) -> tuple[int, int]:
        """The work that a font takes, and how many characters it makes of one at most."""
        if id(font) not in self.fonts:
            table = _get(font, "/ToUnicode")
            data = self.stream(table) if hasattr(table, "get_data") else b""
            steps = sum(
                min(max(int(last, 16) - int(first, 16), 0), _LONGEST_RANGE)
                for ranges in _RANGES.findall(data)
                for first, last in _RANGE.findall(ranges)
            )
            widths = sum(len(each) for each in _lists(font))
            work = _PER_FONT + len(data) // _TABLE_BYTES + int(_RANGE_STEP * steps) + widths
            longest = max(map(len, _TARGET.findall(data)), default=4) // 4
            self.fonts[id(font)] = font, work, max(longest, 1)
        return self.fonts[id(font)][1:]


def _lists(font: Any) -> Iterator[list[Any]]:
    """The lists of widths, differences and glyphs that are read with a font."""
    descendants = _resolved(_get(font, "/DescendantFonts"))
    of_kin = [_resolved(each) for each in descendants] if isinstance(descendants, list) else []
    found = [_get(font, "/Widths"), _get(_get(font, "/Encoding"), "/Differences")]
    found += [_get(each, "/W") for each in of_kin]
    yield from (each for each in found if isinstance(each, list))
    glyphs = _get(font, "/CharProcs")
    if hasattr(glyphs, "keys"):
        yield list(glyphs)


def _resources(holder: Any) -> Any:
    """The resources of a page or form, or of the nearest node above it that has some."""
    for _ in range(100):
        found = _get(holder, "/Resources")
        if found is not None:
            return found
        holder = _get(holder, "/Parent")
    return None


def _values(holder: Any, key: str) -> list[Any]:
    found = _get(holder, key)
    return [_get(found, name) for name in found] if hasattr(found, "keys") else []


def _get(holder: Any, key: str) -> Any:
    """What an object holds under `key`, resolved; None when there is none, or it is damaged."""
    if not hasattr(holder, "raw_get"):
        return None
    try:
        return _resolved(holder.raw_get(key)) if key in holder else None
    except Exception:  # pypdf raises many kinds on damaged references
        return None


def _resolved(value: Any) -> Any:
    return value.get_object() if hasattr(value, "get_object") else value
