"""Rows told line by line -> blocks: fields, the settings of a section, a JSON object in one line.

    plot: 4                   [server]           {"item": "T-014", "fee_per_day": 4}
      holder: Devi Raman      port = 8480
      area: 30 m              timeout = 30       MAX_SIZE=20

Each key is the name of its value's column.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from halgo.sources import plain_tables
from halgo.sources.blocktypes import Begun, Block, Line, Table, trimmed
from halgo.types import Span

_MOST_SETTINGS = 8  # of a section in one row

Pair = tuple[Span, Span]  # a key and its value


@dataclass
class Fields(Table):
    """One row: what its fields are of, and the fields, each in a line of its own, equally deep."""

    pairs: list[Pair]
    indent: int  # of the lines

    def take(self, line: Line) -> list[Block] | None:
        own = _field(line) if line.indent == self.indent else None
        if own is None:
            return None
        self.pairs.append(own)
        return []

    def close(self) -> list[Block]:
        pairs, self.pairs = self.pairs, []
        return [_row(pairs, min(one.start for one in pairs[0]))] if pairs else []


@dataclass
class Settings(Table):
    """The settings of a section and of those after it; rows are kept short, each with its name."""

    lasts: ClassVar[bool] = True
    section: Span
    pairs: list[Pair]

    def take(self, line: Line) -> list[Block] | None:
        start, end = line.span.start, line.span.end
        own = plain_tables.setting(line.text, start, end)
        if own is None and line.may_become:
            own = Span(start, start), line.span
        if own is not None:
            return self._add(own)
        if line.content[0] in "#;":  # a remark
            return [*self.close(), Block("paragraph", (trimmed(line.text, start + 1, end),))]
        section = plain_tables.section(line.text, start, end)
        if section is None:
            return None
        settled = self.close()
        self.section = section
        return settled

    def close(self) -> list[Block]:
        pairs, self.pairs = self.pairs, []
        name = Span(self.section.start, self.section.start), self.section
        return [_row([name, *pairs], pairs[0][0].start)] if pairs else []

    def _add(self, pair: Pair) -> list[Block]:
        settled = self.close() if len(self.pairs) == _MOST_SETTINGS else []
        self.pairs.append(pair)
        return settled


def fields(above: Span, line: Line) -> Begun | None:
    """The row that a line and the one before it, further to the left, begin.

    "plot: 4" over "  holder: Devi Raman", "listen_port:" over "  type: integer". What stands
    under "Details:" says something line by line.
    """
    over = plain_tables.field(line.text, above.start, above.end)
    own = _field(line)
    if over is None or own is None or over[0].of(line.text)[:1].isupper():
        return None
    key, value = over
    return Fields([over if value else (Span(key.start, key.start), key), own], line.indent), []


def settings(above: Span, line: Line) -> Begun | None:
    """The settings of a section, of which the line before has the name and this one the first."""
    section = plain_tables.section(line.text, above.start, above.end)
    own = plain_tables.setting(line.text, line.span.start, line.span.end)
    return (Settings(section, [own]), []) if section is not None and own is not None else None


def setting(line: Line) -> Block | None:
    """The row of a line that is a setting of no section, "MAX_SIZE=20"."""
    own = plain_tables.setting(line.text, line.span.start, line.span.end, alone=True)
    return Block("row", (own[1],), (own[0],), line.span) if own is not None else None


def json_object(line: Line) -> Block | None:
    """The row of a line that is a JSON object with several fields."""
    found = plain_tables.fields(line.text, line.span.start, line.span.end)
    if len(found) < 2:
        return None
    keys, values = zip(*found, strict=True)
    return Block("row", values, keys, line.span)


def _field(line: Line) -> Pair | None:
    """The key and the value of a line; a line under way may still become a field."""
    start, end = line.span.start, line.span.end
    own = plain_tables.field(line.text, start, end)
    if own is not None and own[1]:
        return own
    return (Span(start, start), line.span) if line.may_become else None


def _row(pairs: list[Pair], start: int) -> Block:
    """The row of several lines, from where it starts to where the last key or value ends."""
    keys, values = zip(*pairs, strict=True)
    return Block("row", values, keys, Span(start, max(keys[-1].end, values[-1].end)))
