"""Lines of a drawn table, or of one in markup -> blocks: its rows, and the text in a box.

What such lines look like is told by `drawn_tables` and `markup_tables`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from halgo.sources.blocktypes import Block, Line, Table, headed
from halgo.sources.drawn_tables import UPRIGHTS, Drawing, Row, is_rule
from halgo.sources.markup_tables import Markup
from halgo.sources.piped_tables import cells
from halgo.types import Span

_CELL = re.compile(rf"(?:[^{UPRIGHTS}\\]|\\.|\\$)*")


@dataclass
class Drawn(Table):
    """The rows of a table drawn with rules, after its first rule."""

    drawing: Drawing = field(default_factory=Drawing)
    header: tuple[Span, ...] = ()

    def take(self, line: Line) -> list[Block] | None:
        content = line.content
        # A line of strokes alone may still become a rule.
        if is_rule(content) or not (line.ended or any(map(str.isalnum, content))):
            return self._told(self.drawing.rule(line.text))
        found = list(cells(line.text, line.span, _CELL)) if content[0] in UPRIGHTS else []
        if not found or (line.ended and content[-1] not in UPRIGHTS):
            return None
        return self._told(self.drawing.line((line.span, found)))

    def close(self) -> list[Block]:
        return self._told(self.drawing.close())

    def _told(self, rows: list[Row]) -> list[Block]:
        self.header, blocks = _blocks(rows, self.drawing.header, self.header)
        return blocks


@dataclass
class InMarkup(Table):
    """The rows of a table of AsciiDoc or MediaWiki, told when it has ended."""

    markup: Markup
    over: bool = False  # whether its last line has been taken in

    def take(self, line: Line) -> list[Block] | None:
        if self.over:
            return None
        if self.markup.ends(line.content):
            return self.close()
        return [] if self.markup.line(line.text, line.span) else None

    def blank(self) -> bool:
        self.markup.blank()
        return not self.over

    def close(self) -> list[Block]:
        if self.over:
            return []
        self.over = True
        rows, caption = self.markup.close(), self.markup.caption
        _, blocks = _blocks(rows, self.markup.header)
        return [Block("paragraph", (caption,)), *blocks] if caption else blocks


def _blocks(
    rows: list[Row], named: Row | None, header: tuple[Span, ...] = ()
) -> tuple[tuple[Span, ...], list[Block]]:
    """The names of the columns, and the rows after them; a row of one cell, a box, is a paragraph.

    header: the names as they are known before these rows.
    """
    blocks: list[Block] = []
    for row in rows:
        if len(row.cells) == 1:
            blocks.append(Block("paragraph", row.cells[0]))
            continue
        if named and not header:
            header, settled = headed(_block(named))
            blocks += settled
        blocks.append(_block(row, header, named))
    return header, blocks


def _block(row: Row, header: tuple[Span, ...] = (), named: Row | None = None) -> Block:
    """A row of a drawn table, under these names where it has as many cells."""
    fits = named is not None and len(named.cells) == len(row.cells)
    told = (*row.cells, *(named.cells if named is not None and fits else ()))
    further = {first: tuple(more) for first, *more in told if more}
    lines = tuple(cell[0] for cell in row.cells)
    return Block("row", lines, header if fits else (), row.whole, further)
