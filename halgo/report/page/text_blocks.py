"""Text -> blocks as they are shown: paragraphs, headings, items, rows of tables, code.

The blocks are those that are read for checking. Marks of markdown that only say how a text looks
("##", "**", the rule below a table's head) are left out; every letter and digit stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from halgo.sources.blocks import scan
from halgo.sources.blocktypes import Block
from halgo.types import Span

_BREAKS = "\n\r\f\v\x85\u2028\u2029"
_LOOKS = re.compile(r"\*{1,3}|_{2,3}(?=\w)|(?<=\w)_{2,3}|`+")
_FENCE = re.compile(r"[ \t>]*(?:`{3}|~{3})")
# A line at least this long was broken by its writer only to fit a page.
_WRAPPED = 60


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its looks: what is shown of it; `hard`: it was ended on purpose.

    Of a table's cell with several lines, `wraps` are the places in `spans` where one begins.
    """

    spans: tuple[Span, ...]
    hard: bool
    wraps: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """A block: its kind (as `Block.kind`), the number or bullet before it, its lines or cells.

    `header` are the cells of a table's head, given with the table's first row alone.
    """

    kind: str
    lead: Span | None
    lines: tuple[Line, ...]
    header: tuple[Line, ...] = ()


def laid_out(text: str) -> Iterator[Shown]:
    """The blocks of a text in order; what is in none of them, such as an empty item, as lines."""
    at = 0
    for block in _blocks(text):
        start, end = _ends(block)
        yield from _between(text, Span(at, start))
        at = max(at, end)
        yield block
    yield from _between(text, Span(at, len(text)))


def _blocks(text: str) -> Iterator[Shown]:
    header: tuple[Span, ...] = ()
    for block in scan(text):
        if not block.lines:
            continue
        if block.kind == "row":
            fresh = block.header != header
            header = block.header
            cells = tuple(_cell(text, block, cell) for cell in block.lines)
            names = tuple(_name(block, name) for name in header) if fresh else ()
            yield Shown("row", None, cells, names)
            continue
        header = ()
        yield Shown(_kind(block), _lead(text, block), tuple(_lines(text, block)))


def _cell(text: str, block: Block, first: Span) -> Line:
    """A cell with all its lines."""
    spans: list[Span] = []
    wraps = []
    for line in block.segments(first):
        wraps.append(len(spans))
        spans += _read(text, line)
    return Line(tuple(spans), False, tuple(wraps[1:]))


def _name(block: Block, first: Span) -> Line:
    """A column's name with all its lines, as it stands."""
    spans = block.segments(first)
    return Line(spans, False, tuple(range(1, len(spans))))


def _ends(block: Shown) -> tuple[int, int]:
    spans = [span for line in (*block.header, *block.lines) for span in line.spans]
    if block.lead is not None:
        spans.append(block.lead)
    return min((s.start for s in spans), default=0), max((s.end for s in spans), default=0)


def _between(text: str, gap: Span) -> Iterator[Shown]:
    """Lines that are in no block and yet say something; the language of code does not."""
    start = gap.start
    for line in gap.of(text).splitlines(keepends=True):
        end = start + len(line)
        if any(map(str.isalnum, line)) and not _FENCE.match(line):
            yield Shown("paragraph", None, (Line((Span(start, end),), True),))
        start = end


def _kind(block: Block) -> str:
    return "heading" if block.kind == "underlined" else block.kind


def _lead(text: str, block: Block) -> Span | None:
    """What stands before the block's first line: "1.", "2.2", "-"; not the signs of a heading."""
    end = start = block.lines[0].start
    while start > 0 and text[start - 1] not in _BREAKS:
        start -= 1
    while start < end and (text[start].isspace() or text[start] in "#>"):
        start += 1
    return Span(start, end) if text[start:end].strip() else None


def _lines(text: str, block: Block) -> Iterator[Line]:
    if block.kind == "code":
        yield Line((block.lines[0],), False)
        return
    for span in block.lines:
        long = block.kind != "paragraph" or len(span) >= _WRAPPED
        yield Line(tuple(_read(text, span)), not long)


def _read(text: str, span: Span) -> Iterator[Span]:
    """A line without the marks that only say how it looks."""
    start = span.start
    for found in _LOOKS.finditer(text, span.start, span.end):
        # A star between figures is a sum: "5 * 6", "2**3".
        if found.group()[0] == "*" and not _is_mark(text, found.start(), found.end()):
            continue
        if start < found.start():
            yield Span(start, found.start())
        start = found.end()
    if start < span.end:
        yield Span(start, span.end)


def _is_mark(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    digits = before.isdigit() and after.isdigit()
    return not digits and not (_blank(before) and _blank(after))


def _blank(sign: str) -> bool:
    return not sign or sign.isspace()
