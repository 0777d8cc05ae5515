"""Lines with columns that blanks or marks set apart -> rows, under names where the first has such.

What such lines look like is told by `plain_tables`.
"""

from __future__ import annotations

from dataclasses import dataclass

from halgo.sources.blocktypes import Begun, Block, Line, Table, headed
from halgo.sources.plain_tables import Layout, in_layout, is_rule, layout_of, names_columns
from halgo.types import Span


@dataclass
class Plain(Table):
    """The rows of one table."""

    columns: Layout
    header: tuple[Span, ...] = ()
    waiting: Block | None = None  # the names, until a row has them

    def take(self, line: Line) -> list[Block] | None:
        if line.ended and is_rule(line.content):
            return []
        found = in_layout(line.text, line.span, self.columns, len(self.header))
        if found is None and line.may_become:
            found = [line.span]  # it may still get more cells
        if found is None:
            return None
        self.waiting = None
        return [Block("row", tuple(found), self.header, line.span)]

    def close(self) -> list[Block]:
        waiting, self.waiting = self.waiting, None
        return [waiting] if waiting is not None else []


def begun(first: Span, line: Line, fewest: int = 2) -> Begun | None:
    """The table that a line and the one before it begin, the first over strokes or a row.

    fewest: columns that it has.
    """
    text = line.text
    columns = layout_of(text, first, line.span)
    if columns is None or (len(columns) < fewest and not isinstance(columns, str)):
        return None
    upper, lower = (tuple(in_layout(text, one, columns) or ()) for one in (first, line.span))
    ruled = is_rule(line.content)
    if not upper or not (lower or ruled):
        return None
    named = ruled or names_columns(*([cell.of(text) for cell in row] for row in (upper, lower)))
    if not named and (isinstance(columns, str) or len(columns) == 2):
        return None
    row = Block("row", upper, (), first)
    header, settled = headed(row) if named else ((), [row])
    if ruled:
        return Plain(columns, header, row), settled
    return Plain(columns, header), [*settled, Block("row", lower, header, line.span)]
