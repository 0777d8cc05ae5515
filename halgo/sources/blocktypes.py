"""What blocks are made of: Block, a Line of a text, and Table, which takes in the lines of one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from halgo.sources.ceilings import LONGEST_NAME
from halgo.sources.stops import OTHER_STOPS
from halgo.types import Span

ENDS = re.compile(rf"[.!?\u2026][^\w\s]{{0,8}}\s|[{OTHER_STOPS}]")  # where a sentence may end
# A byte order mark is white space at the start of a line.
_BLANKS = " \t\xa0\u3000\ufeff\u200b\x00"


@dataclass(frozen=True, slots=True)
class Block:
    """A block's kind (as `Sentence.block`) and its lines without block marks.

    A row has one segment per cell in `lines`, `header` its columns' names (or none), each at
    most LONGEST_NAME characters of it, and `whole` the row from its first to its last character.
    `further` are the other lines of a drawn table's cells and names, beside the first of each.
    `ticked` says of a task, an item with a box, whether it is done. `literal`: its cells have no
    inline marks.
    """

    kind: str
    lines: tuple[Span, ...]
    header: tuple[Span, ...] = ()
    whole: Span | None = None
    further: Mapping[Span, tuple[Span, ...]] = field(default_factory=dict)
    ticked: bool | None = None
    literal: bool = False

    def segments(self, first: Span) -> tuple[Span, ...]:
        """All lines of the cell, or the column's name, that begins with this one."""
        return first, *self.further.get(first, ())


@dataclass(frozen=True, slots=True)
class Line:
    """A line of `text` without the blanks and the marks of quotes around it; never empty."""

    text: str
    span: Span
    content: str
    indent: int  # characters
    ended: bool  # False for the last one of a text, of which more may come

    @property
    def may_become(self) -> bool:
        """Whether the line may still become one of another kind: it is under way."""
        return not (self.ended or ENDS.search(self.content))


class Table(Protocol):
    """A table under way, or a row told line by line. Two that are equal go on alike."""

    # Whether a blank line, or the end of a quote, ends only the row under way.
    lasts: ClassVar[bool] = False

    def take(self, line: Line) -> list[Block] | None:
        """The blocks that a line settles; None where it does not belong to the table."""

    def blank(self) -> bool:
        """Take in a blank line; False where the table ends with it."""
        return False

    def close(self) -> list[Block]:
        """The blocks that are left, each given only once."""


# A table and the blocks that its first lines settle.
Begun = tuple[Table, list[Block]]


def headed(row: Block) -> tuple[tuple[Span, ...], list[Block]]:
    """The columns' names that a row has, cut to what may be read in each row of their table.

    A header with a name longer than that is a row as well, so that all of it is read once.
    """
    names = tuple(Span(name.start, min(name.end, name.start + LONGEST_NAME)) for name in row.lines)
    return names, [row] if names != row.lines else []


def trimmed(text: str, start: int, end: int) -> Span:
    """A stretch of a text without the blanks around it."""
    while start < end and (text[start] in _BLANKS or text[start].isspace()):
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end)
