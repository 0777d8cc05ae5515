"""Lines of a table drawn with rules and uprights -> its rows, each cell with all of its lines.

    +-------+-------+    ┌───────┬───────┐    ┏━━━━━━━┳━━━━━━━┓
    | name  | price |    │ name  │ price │    ┃ name  ┃ price ┃
    +-------+-------+    ├───────┼───────┤    ┡━━━━━━━╇━━━━━━━┩
    | Lamp  | 12.50 |    │ Lamp  │ 12.50 │    │ Lamp  │ 12.50 │
    +-------+-------+    └───────┴───────┘    └───────┴───────┘

As MySQL, DuckDB, Polars, Rich, reStructuredText and rendered manuals print them. What stands
between the first two rules names the columns, if more follows and there are several. A line with an
empty first cell goes on with the row above it, and so does every line where each row has a rule
under it, and every line of a single column, which is a box with a text in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from halgo.types import Span

UPRIGHTS = "|\u2502\u2503\u2551\u2506\u250a\u254e"  # | and those of U+2500 to U+257F
_STROKES = "-=\u2500\u2501\u2550\u254c\u2504"
_CORNER = rf"[+{UPRIGHTS[1:]}\u250c-\u254b\u2552-\u2570]"
# Strokes of two or more: in a diagram of bits, "+-+-+", each bit has one.
_RULE = re.compile(rf"{_CORNER}(?:[{_STROKES}]{{2,}}{_CORNER})+$")
_UNDER = re.compile(r"-{2,}(?:\+-{2,})+$")
# What Polars and DuckDB put under a column's name: the type of its values.
_TYPE = re.compile(
    r"-{2,}|(?:var|big|small|tiny|huge|u)?(?:char|int)(?:eger)?\d{0,3}|double|float\d{0,2}"
    r"|decimal\([\d, ]+\)|bool(?:ean)?|date(?:time\b.{0,40})?|time(?:stamp\b.{0,40})?"
    r"|str(?:ing)?|text|[iuf]\d{1,2}|cat|object|uuid",
    re.IGNORECASE,
)

_MOST_NAMED = 6  # lines of the names of columns

Line = tuple[Span, Sequence[Span]]  # all of it, and its cells
Cell = tuple[Span, ...]  # its lines; one, empty, where nothing is in it


def is_rule(line: str) -> bool:
    """Whether a line, without the blanks around it, is a rule of a drawn table."""
    return _RULE.match(line) is not None


def is_under(line: str, names: str) -> bool:
    """Whether a line is the rule under names of columns that only "|" parts, as psql has it."""
    return _UNDER.match(line) is not None and line.count("+") == names.count("|")


def is_row(line: str) -> bool:
    """Whether a line of a document may be a row of a table, drawn or in Markdown."""
    return any(mark in line for mark in UPRIGHTS)


@dataclass(frozen=True, slots=True)
class Row:
    """A row's cells, and all of it with its uprights."""

    cells: tuple[Cell, ...]
    whole: Span

    @classmethod
    def of(cls, lines: Sequence[Line]) -> Row:
        """What stands in one column together."""
        width = max(len(found) for _, found in lines)
        told: list[list[Span]] = [[] for _ in range(width)]
        for _, found in lines:
            for at, cell in enumerate(found):
                if cell:
                    told[at].append(cell)
        whole = Span(lines[0][0].start, lines[-1][0].end)
        empty = (Span(whole.end, whole.end),)
        return cls(tuple(tuple(cell) or empty for cell in told), whole)


@dataclass
class Drawing:
    """The lines of one drawn table, after its first rule."""

    header: Row | None = None
    _rules: int = 1
    _named: list[Line] = field(default_factory=list)  # the lines of the header
    _begun: list[Line] = field(default_factory=list)  # ... of the row under way
    _since: int = 0  # rows that ended since the last rule
    _ruled: bool = True  # whether a rule stood under each row so far

    def line(self, line: Line) -> list[Row]:
        """Takes in a line between two rules; gives the rows that end before it."""
        if len(line[1]) > 1 and self._rules == 1 and len(self._begun) == _MOST_NAMED:
            self._rules, self._ruled = 2, False  # no header is so long: each line is a row
            begun, self._begun = self._begun, [line]
            return [Row.of([one]) for one in begun]
        goes_on = not line[1][0] or self._rules == 1 or (self._rules > 2 and self._ruled)
        goes_on = goes_on or len(line[1]) == 1
        ended = [] if goes_on else self._end()
        self._begun.append(line)
        return ended

    def rule(self, text: str) -> list[Row]:
        """Takes in a rule; gives the row that it ends, if one."""
        self._rules += 1
        box = bool(self._begun) and len(self._begun[0][1]) == 1
        if self._rules > 2 or not self._begun or box:
            ended = self._end()
            self._ruled, self._since = self._ruled and self._since < 2, 0
            return ended
        self._named, self._begun = self._begun, []
        more = [cell.of(text) for _, found in self._named[1:] for cell in found if cell]
        typed = all(map(_TYPE.fullmatch, more))
        self.header = Row.of(self._named[:1] if typed else self._named)
        return []

    def close(self) -> list[Row]:
        """The row that is left: the one under way, or all cells of a table without a header.

        As one row, because of what follows it could still be the header.
        """
        if self._rules > 2 or (self._rules == 2 and self._begun):
            return self._end()
        lines, self.header = self._named or self._begun, None
        self._named, self._begun = [], []
        if not lines:
            return []
        cells = tuple((cell,) for _, found in lines for cell in found)
        return [Row(cells, Span(lines[0][0].start, lines[-1][0].end))]

    def _end(self) -> list[Row]:
        begun, self._begun = self._begun, []
        self._since += bool(begun)
        return [Row.of(begun)] if begun else []
