"""An answer -> its blocks and sentences: what stands in which line, and what hangs on what.

Made for taking parts out: a block knows the whole lines it stands in, with the fence of its code
or the rule under its heading, the item it belongs to and its number in a list.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from halgo.sources import drawn_tables
from halgo.sources.blocks import scan
from halgo.sources.blocktypes import Block as Scanned
from halgo.sources.sentences import split
from halgo.types import Span

_BREAK = re.compile(r"\r\n|[\n\r]")
_BACKWARDS = re.compile(r"(?:[ \t>]*(?:[\r\n]|\Z))*")  # blank lines, their characters reversed
_BLANK = re.compile(r"(?:[ \t>]*(?:\r\n|[\n\r]))+")
_QUOTED = re.compile(r"[ \t>]*")
_NUMBERED = re.compile(r"[ \t>]*(\(?)(\d{1,3}|[a-z])([.)])(?=\s)")
_HASHES = re.compile(r"[ \t>]*(#{1,6})")


@dataclass(frozen=True, slots=True)
class Number:
    """The number of a list's item: its value, its place, and how it is written around it."""

    value: int
    span: Span
    style: str
    letter: bool

    def shown(self, value: int) -> str:
        """Another value written in the same way."""
        return chr(ord("a") + value - 1) if self.letter else str(value)


@dataclass(frozen=True, slots=True)
class Block:
    """A block: its kind, whole lines with their break, and sentences [first, last) of the layout.

    kind: paragraph, heading, item, row or code. indent in columns. parent: the item, by position,
    that the block is part of. level: of a heading, 1 to 6. table: the lines of the header of a
    row's table, None where there is no header.
    """

    kind: str
    lines: Span
    first: int
    last: int
    indent: int
    parent: int | None = None
    number: Number | None = None
    level: int = 0
    table: Span | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """The blocks of a text, its sentences' spans, and the block of each sentence."""

    text: str
    blocks: tuple[Block, ...]
    sentences: tuple[Span, ...]
    block_of: tuple[int, ...]

    def descendants(self, at: int) -> range:
        """The blocks that are part of item `at`, or of an item in it."""
        end = at + 1
        while end < len(self.blocks) and self._within(end, at):
            end += 1
        return range(at + 1, end)

    def _within(self, block: int, at: int) -> bool:
        parent = self.blocks[block].parent
        while parent is not None and parent > at:
            parent = self.blocks[parent].parent
        return parent == at

    def touched(self, span: Span) -> range:
        """The sentences that share a character with `span`."""
        first = max(0, bisect_right(self.sentences, span.start, key=_start) - 1)
        while first < len(self.sentences) and self.sentences[first].end <= span.start:
            first += 1
        last = first
        while last < len(self.sentences) and self.sentences[last].start < span.end:
            last += 1
        return range(first, last)


def _start(span: Span) -> int:
    return span.start


def layout(text: str) -> Layout:
    """The blocks and sentences of an answer, in order."""
    scanned = [block for block in scan(text) if block.lines or block.whole]
    sentences = tuple(sentence.span for sentence in split(text))
    starts = [_hull(block).start for block in scanned]
    block_of = tuple(max(0, bisect_right(starts, span.start) - 1) for span in sentences)
    blocks: list[Block] = []
    items: list[int] = []  # the items that may still have parts
    at = 0
    for number, block in enumerate(scanned):
        first = at
        while at < len(sentences) and block_of[at] == number:
            at += 1
        made = _block(text, block, first, at)
        while items and blocks[items[-1]].indent >= made.indent:
            items.pop()
        parent = items[-1] if items else None
        blocks.append(replace(made, parent=parent))
        if made.kind == "item":
            items.append(number)
    if sentences and not blocks:  # "16." alone is a sentence, and to a scan the mark of an item
        lines = lines_of(text, sentences[0])
        blocks.append(Block("paragraph", lines, 0, len(sentences), _indent(text, lines)))
    return Layout(text, tuple(blocks), sentences, block_of)


def lines_of(text: str, span: Span) -> Span:
    """The whole lines that a span stands in, the last one's break included."""
    start = max(text.rfind("\n", 0, span.start), text.rfind("\r", 0, span.start)) + 1
    found = _BREAK.search(text, span.end)
    return Span(start, found.end() if found else len(text))


def blank_after(text: str, at: int) -> int:
    """Where the blank lines end that begin at `at`, the start of a line."""
    found = _BLANK.match(text, at)
    end = found.end() if found else at
    rest = _QUOTED.match(text, end)
    return len(text) if rest and rest.end() == len(text) else end


def blank_before(text: str, at: int) -> int:
    """Where the text ends before the blank lines, and empty ones of a quotation, that lead to `at`.

    A ">" behind other characters of its line closes a tag or an address, and stays.
    """
    blank = _BACKWARDS.match(text[:at][::-1])
    return len(text[: at - blank.end() if blank else at].rstrip(" \t\r\n"))


def _hull(block: Scanned) -> Span:
    return block.whole or Span(block.lines[0].start, block.lines[-1].end)


def _block(text: str, block: Scanned, first: int, last: int) -> Block:
    hull = _hull(block)
    lines = lines_of(text, hull)
    prefix = text[lines.start : hull.start]
    kind = {"underlined": "heading", "record": "row"}.get(block.kind, block.kind)
    level = 0
    if block.kind == "underlined":
        under = lines_of(text, Span(lines.end, lines.end))
        level = 1 if "=" in under.of(text) else 2
        lines = Span(lines.start, under.end)
        if last - first != 1:
            kind = "paragraph"
    elif kind == "heading":
        hashes = _HASHES.match(prefix)
        level = len(hashes.group(1)) if hashes else 1
    elif kind == "code":
        above = lines_of(text, Span(max(0, lines.start - 1), max(0, lines.start - 1)))
        lines = Span(above.start, lines_of(text, Span(lines.end, lines.end)).end)
    number = _number(prefix, lines.start) if kind == "item" else None
    table = _header(text, block, lines) if block.header else None
    lines = _closed(text, lines) if table else lines
    return Block(kind, lines, first, last, _indent(text, lines), None, number, level, table)


def _header(text: str, row: Scanned, lines: Span) -> Span:
    """The lines of a table's header and of the rule under it; of settings their section's name."""
    if row.whole is not None and row.lines[0].end <= row.whole.start:
        return lines_of(text, row.lines[0])
    start = lines_of(text, row.header[0]).start
    above = lines_of(text, Span(max(0, start - 1), max(0, start - 1)))
    if drawn_tables.is_rule(above.of(text).strip()):
        start = above.start
    end = lines_of(text, row.header[-1]).end
    under = lines_of(text, Span(end, end)) if end < lines.start else Span(end, end)
    return Span(start, under.end)


def _closed(text: str, row: Span) -> Span:
    """The lines of a row, with the rule under it where that closes a drawn table."""
    below = lines_of(text, Span(row.end, row.end))
    after = lines_of(text, Span(below.end, below.end)).of(text).strip()
    closes = drawn_tables.is_rule(below.of(text).strip()) and not drawn_tables.is_row(after[:1])
    return Span(row.start, below.end) if closes else row


def _number(prefix: str, start: int) -> Number | None:
    found = _NUMBERED.match(prefix)
    if found is None:
        return None
    written = found.group(2)
    letter = not written.isdigit()
    value = ord(written) - ord("a") + 1 if letter else int(written)
    span = Span(start + found.start(2), start + found.end(2))
    return Number(value, span, found.group(1) + found.group(3) + "a" * letter, letter)


def _indent(text: str, lines: Span) -> int:
    found = _QUOTED.match(text, lines.start, lines.end)
    lead = found.group() if found else ""
    return len(lead.rpartition(">")[2].expandtabs(4))


def renumbered(layout_: Layout, gone: Sequence[bool]) -> list[tuple[Number, int]]:
    """The numbers that change when the items `gone` are left out, each with its new value.

    A list is a row of items, each counting one on from the one before at the same depth; one that
    numbers every item "1." is left to whoever shows it.
    """
    changes: list[tuple[Number, int]] = []
    running: dict[int, tuple[Number, int]] = {}  # indent -> the last item's number, items left out
    for block, left_out in zip(layout_.blocks, gone, strict=True):
        if block.kind != "item" or block.number is None:
            continue
        for deeper in [indent for indent in running if indent > block.indent]:
            del running[deeper]
        before = running.get(block.indent)
        follows = before is not None and _follows(before[0], block.number)
        missing = before[1] if before is not None and follows else 0
        if missing and not left_out:
            changes.append((block.number, block.number.value - missing))
        running[block.indent] = (block.number, missing + left_out)
    return changes


def _follows(before: Number, number: Number) -> bool:
    return number.style == before.style and number.value == before.value + 1
