"""Lines with bars between cells -> rows: tables of Markdown and psql, and others without a rule.

    | Plan  | Price |     Plan | Price      product | price      Plan | Price
    |-------|-------|     ---- | -----     ---------+-------     Basic | 9
    | Basic | 9     |     Basic | 9         Lantern | 12.5       Plus | 29

Whether a row has the names of the columns is told by the line under it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from halgo.sources import drawn_tables, plain_tables
from halgo.sources.blocktypes import ENDS, Begun, Block, Line, Table, headed, trimmed
from halgo.sources.stops import OTHER_STOPS
from halgo.types import Span

_SEPARATOR = re.compile(r"[-:|+=\s]+$")
_BORDER = re.compile(r"\+\s*(?:[-=_*~#+\u2022\u00b7\u2014\u2013]\s*)+$")  # of a drawn table
# A table's header is no sentence and none may have been closed in it.
_MAY_END = re.compile(rf"[.!?\u2026]\S{{0,8}}\s|[{OTHER_STOPS}]")
_CELL = re.compile(r"(?:[^|\\]|\\.|\\$)*")
_BAR = " | "
_SHORT_LINE = 80  # characters; a longer line with one bar may be prose


@dataclass
class Piped(Table):
    """The rows of one table; they wait for a separator as long as the columns have no names.

    style: "piped", "open" (rows without a leading bar) or "loose" (without a separator too).
    """

    style: str
    header: tuple[Span, ...] = ()
    waiting: Block | None = None  # a row that may turn out to be the header

    def take(self, line: Line) -> list[Block] | None:
        if self.style == "piped" and line.content[0] != "|":
            return [] if _BORDER.match(line.content) else None
        # A line under way may still get a bar; what is settled in it must not be unsettled by one.
        may_be_row = _BAR in line.content or (not line.ended and ENDS.search(line.content))
        if self.style == "loose" and not may_be_row:
            return None
        return self.row(line)

    def row(self, line: Line) -> list[Block]:
        """The blocks that a header, a separator or a row settles."""
        if _SEPARATOR.match(line.content):
            return self._name() if "-" in line.content else []
        settled = self.close()
        row = Block("row", tuple(cells(line.text, line.span)), self.header, line.span)
        if self.header:
            return [*settled, row]
        self.waiting = row
        return settled

    def close(self) -> list[Block]:
        waiting, self.waiting = self.waiting, None
        return [waiting] if waiting is not None else []

    def _name(self) -> list[Block]:
        """Take the row that waits as the names of the columns."""
        settled: list[Block] = []
        for row in self.close():
            self.header, settled = headed(row)
        return settled


def begun(line: Line) -> Begun:
    """The table that a line with a leading bar begins."""
    table = Piped("piped")
    return table, table.row(line)


def loose(first: Span, line: Line) -> Begun | None:
    """The table that a line and the one before it begin, without a separator.

    "Plan | Price" over "Basic | 9": as many cells, in lines that no sentence ends in.
    """
    both = [first.of(line.text), line.content]
    bars = {one.count(_BAR) for one in both}
    few = bars == {1} and max(map(len, both)) > _SHORT_LINE
    if len(bars) != 1 or bars == {0} or few or _SEPARATOR.match(line.content):
        return None
    if any(map(ENDS.search, both)):
        return None
    rows = [tuple(cells(line.text, one)) for one in (first, line.span)]
    row = Block("row", rows[0], (), first)
    named = plain_tables.names_columns(*([cell.of(line.text) for cell in own] for own in rows))
    header, settled = headed(row) if named else ((), [row])
    table = Piped("loose", header)
    return table, settled + table.row(line)


def ruled(names: Span, line: Line, alone: bool) -> Begun | None:
    """The table of which names of columns are the first line, over a rule of Markdown or psql.

    alone: whether the names are all of a paragraph, as those over Markdown's rule are.
    """
    over, rule = names.of(line.text), line.content
    separated = alone and "|" in rule and "-" in rule and _SEPARATOR.match(rule)
    if separated and "|" in over and not _MAY_END.search(over):
        style = "open"
    elif drawn_tables.is_under(rule, over):
        style = "loose"
    else:
        return None
    header, settled = headed(Block("row", tuple(cells(line.text, names)), (), names))
    return Piped(style, header), settled


def cells(text: str, line: Span, cell: re.Pattern[str] = _CELL) -> Iterator[Span]:
    r"""The cells of a row; "\|" does not divide. cell: what one consists of."""
    start, end = line.start, line.end
    first = cell.match(text, start, end)
    at = start + 1 if first is not None and first.end() == start else start
    while at < end:
        found = cell.match(text, at, end)
        stop = found.end() if found else end
        yield trimmed(text, at, stop)
        at = stop + 1
