"""Lines that say of what, and its value -> a row for each: forms, bills, statements, leaders.

    Rate per night ....... EUR 118      Renter: Ann Weber     Plate: 4417 LKM
    Breakfast ............ included     Return: 15 July       Fuel: full

    Position     Senior engineer        Oat milk 1 l
    Joined       May 2016                    3 x 1.89          5.67

What stands before the gap is the name of what stands behind it. `column_names` tells whether the
first of several such lines names two columns instead.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from halgo.sources.blocktypes import Begun, Block, Line, Table, headed, trimmed
from halgo.sources.column_names import kind_of, names_both
from halgo.sources.plain_tables import cells, is_rule
from halgo.types import Span

# The dots between a name and its value: more than those of an ellipsis, which may be four.
_DOTS = re.compile(r"[ \t]?(?:\.{5,}|\u2026{2,}|(?:[ \t]\.){5,})[ \t]?|[ \t]\.{4}[ \t]")
_LABELLED = re.compile(r"(?P<name>[^\W_][^:\n]{0,40}?):[ \t]+(?P<value>\S.*)")
_LABEL = re.compile(r"[^\W_][^:\n]{0,40}:")
_GAP = re.compile(r"\S(?: {3,}|[ ]*\t\s*)\S")
_SENTENCE = re.compile(r"[.!?][)\"'\u201d]?$")
_STOP = re.compile(r"[^\W\d_]{3}[.!?]\s")
_NARROW = re.compile(r"\S {2,}\S")
_ENDS = re.compile(r"[.!?\u2026;,]$|[!?\u2026]\s")  # of a sentence, or of a part of one
_SHORT_NAME, _LONGEST_NAME, _LONGEST_LED, _LONGEST_LINE, _FEW = 32, 45, 60, 200, 3  # characters
_MOST_FURTHER = 8  # lines that go on a value
_NEAR = 1  # characters by which what stands under something may be out of line
_YEAR = re.compile(r"(?:19|20)\d\d")
# What a line of a list of times begins with.
_MARKED = re.compile(r"\d{1,2}[:.]\d\d\b|\d{1,2}\.? (?:[A-Z][a-z]{2,8})\b|\d{4}-\d\d-\d\d\b")

Pair = tuple[Span, Span]  # a name and its value


def fields(line: Line) -> list[Block]:
    """The rows of a line with leaders, or with several fields side by side; none of another."""
    if len(line.content) > _LONGEST_LINE:
        return []
    if has_leader(line.content):
        return [_led(line)]
    if ":" not in line.content or not ("  " in line.content or "\t" in line.content):
        return []
    return _side_by_side(line)


def has_leader(line: str) -> bool:
    """Whether dots lead from a name to its value in a line: "City tax ....... EUR 16"."""
    if len(line) > _LONGEST_LINE or _SENTENCE.search(line):
        return False
    parts = _DOTS.split(line)
    named = len(parts) > 1 and len(parts[0]) <= _LONGEST_LED and not _STOP.search(parts[0])
    return named and all(any(map(str.isalnum, part)) for part in parts)


def is_dated(line: str) -> bool:
    """Whether a line begins with a time or a date, as those of an agenda do: "09:15 Welcome"."""
    return _MARKED.match(line) is not None


def _led(line: Line) -> Block:
    """The row of a line with leaders: a name and a value, or cells of which none has a name."""
    text, parts, at = line.text, list[Span](), line.span.start
    for dots in _DOTS.finditer(text, line.span.start, line.span.end):
        parts.append(trimmed(text, at, dots.start()))
        at = dots.end()
    parts.append(trimmed(text, at, line.span.end))
    if len(parts) == 2:
        return _row(*parts)
    return Block("row", tuple(parts), (), line.span)


def _side_by_side(line: Line) -> list[Block]:
    text, blocks, named = line.text, list[Block](), 0
    waiting: Span | None = None  # a label whose value stands behind a gap
    for cell in cells(text, line.span.start, line.span.end):
        labelled = _LABELLED.fullmatch(text, cell.start, cell.end)
        if waiting is not None:
            blocks.append(_row(waiting, cell))
            waiting = None
        elif labelled is not None:
            blocks.append(_row(Span(*labelled.span("name")), Span(*labelled.span("value"))))
            named += 1
        elif _LABEL.fullmatch(text, cell.start, cell.end):
            waiting = Span(cell.start, cell.end - 1)
            named += 1
        elif not blocks or kind_of(cell.of(text)):
            return []  # "06 Sep   Card: Foodhall   -64.30"
        else:
            blocks.append(Block("paragraph", (cell,)))
    # "Open from May:  Sat  10-16   Sun  11-17" has one name for all of it.
    return blocks if waiting is None and len(blocks) <= named + 1 and named else []


def _row(name: Span, value: Span) -> Block:
    return Block("row", (value,), (name,), Span(name.start, value.end))


@dataclass
class Form(Table):
    """Lines with a name, a gap and a value; what they say is settled when the last one is known."""

    text: str
    pairs: list[Pair] = field(default_factory=list)
    more: dict[Span, tuple[Span, ...]] = field(default_factory=dict)  # lines that go on a value
    alone: Span | None = None  # a line of one cell, which may be the name of a deeper next one

    def take(self, line: Line) -> list[Block] | None:
        if is_rule(line.content):
            return []
        if len(line.content) > _LONGEST_LINE or fields(line):
            return None
        if self.alone is not None and line.indent > _column(self.text, self.alone):
            self.pairs.append((self.alone, line.span))
            self.alone = None
            return []
        pair = _pair(self.text, line.span, _LONGEST_NAME)
        if pair is None:
            return [] if self._single(line) else None
        self._keep()
        self.pairs.append(pair)
        return []

    def close(self) -> list[Block]:
        self._keep()
        pairs, self.pairs = self.pairs, []
        told = [(name, value) for name, value in pairs if value]
        header: tuple[Span, ...] = ()
        blocks: list[Block] = []
        if names_both([(name.of(self.text), value.of(self.text)) for name, value in told]):
            header, blocks = headed(Block("row", told[0]))
            pairs.remove(told[0])
        for name, value in pairs:
            if not value:
                blocks.append(Block("paragraph", (name,)))
                continue
            lines, names = ((name, value), header) if header else ((value,), (name,))
            more = self.more.get(value, ())
            start, end = min(name.start, value.start), max(one.end for one in (name, value, *more))
            further = {value: more} if more else {}
            blocks.append(Block("row", lines, names, Span(start, end), further))
        return blocks

    def _single(self, line: Line) -> bool:
        """Take in a line of one cell: what goes on a value, or what the next line is of."""
        if self.alone is not None:
            return False
        name, value = self.pairs[-1] if self.pairs else (line.span, Span(0, 0))
        if value and line.indent + _NEAR >= _column(self.text, value):
            more = self.more.get(value, ())
            if len(more) == _MOST_FURTHER:
                return False
            if line.content[0].islower() and not _LABELLED.match(line.content):
                self.more[value] = (*more, line.span)
            else:
                self.pairs.append((name, line.span))
            return True
        if len(line.content) > _LONGEST_NAME or _SENTENCE.search(line.content):
            return False
        self.alone = line.span
        return True

    def _keep(self) -> None:
        """Tell a line of one cell by itself, as nothing deeper came."""
        if self.alone is not None:
            self.pairs.append((self.alone, Span(self.alone.end, self.alone.end)))
            self.alone = None


def begun(above: Span, line: Line) -> Begun | None:
    """The form that a line and the one before it begin: their values stand under one another."""
    upper, lower = (_pair(line.text, one, _SHORT_NAME) for one in (above, line.span))
    if upper is None or lower is None:
        return None
    columns = [_column(line.text, value) for _, value in (upper, lower)]
    ends = [at + len(value) for at, (_, value) in zip(columns, (upper, lower), strict=True)]
    tabbed = all("\t" in one.of(line.text) for one in (above, line.span))
    under = any(abs(first - second) <= _NEAR for first, second in (columns, ends))
    return (Form(line.text, [upper, lower]), []) if tabbed or under else None


def alone(line: Line) -> Begun | None:
    """The form that one line begins, whose value is an amount: "Sourdough loaf       4.20"."""
    pair = _pair(line.text, line.span, _LONGEST_NAME)
    if pair is None:
        return None
    name, value = (one.of(line.text) for one in pair)
    if kind_of(value) in ("", "yes") or _YEAR.fullmatch(value) or not name[0].isalnum():
        return None
    return (Form(line.text, [pair]), []) if any(map(str.isalpha, name)) else None


def _pair(text: str, line: Span, longest: int) -> Pair | None:
    """The name and the value of a line with a gap in it; None of another."""
    if len(line) > _LONGEST_LINE:
        return None
    gap = _GAP.search(text, line.start, line.end)
    if gap is None and _MARKED.match(text, line.start, line.end):
        gap = _NARROW.search(text, line.start, line.end)
    if gap is None:
        return None
    name, value = Span(line.start, gap.start() + 1), Span(gap.end() - 1, line.end)
    written = name.of(text)
    if len(name) > longest or _ENDS.search(written) or not any(map(str.isalnum, written)):
        return None
    return (name, value) if any(map(str.isalnum, value.of(text))) or len(value) < _FEW else None


def _column(text: str, at: Span) -> int:
    least = max(0, at.start - _LONGEST_LINE)
    return at.start - max(text.rfind(mark, least, at.start) for mark in "\n\r") - 1
