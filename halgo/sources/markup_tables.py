"""Lines of a table in AsciiDoc or MediaWiki markup -> its rows.

    [cols="1,1", options="header"]      {| class="wikitable"
    |===                                |+ Ships in service
    |Ship |Built                        ! Ship !! Built
                                        |-
    |Arven                              | Arven || 1968
    |1968                               |}
    |===

In AsciiDoc the cells of a row may stand in one line or in several; how many there are is told by
the columns or by the first line. A blank line after that makes it the names of the columns.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from halgo.sources.drawn_tables import Row
from halgo.types import Span

_ASCIIDOC = re.compile(r"\|={3,}$")
_ATTRIBUTES = re.compile(r"\[[^\]\n]{1,300}\]$")
_COLUMNS = re.compile(r"cols\s*=\s*(?:\"([^\"]+)\"|([\w*,]+))")
_TIMES = re.compile(r"(\d{1,2})\*")
# What stands before the bar of a cell: how many columns it spans, where it is put, its style.
_SPEC = re.compile(r"(?:\d{1,2}(?:\.\d{1,2})?[+*])?[<^>]?(?:\.[<^>])?[adehlmsv]?(?=\|)")
_SPEC_BEHIND = re.compile(r"(?:(?<=\s)|^)(?:\d{1,2}[+*]|[<^>]|\.[<^>]|[adehlmsv]){1,3}$")
_BAR = re.compile(r"(?<!\\)\|")
_WIKI_BAR = re.compile(r"\|\||!!")
_STYLED = re.compile(r"[^|\[\]{}]{0,200}=[^|\[\]{}]{0,200}\|(?!\|)")  # "style=... | 1968"
_EMPHASIS = re.compile(r"'{2,5}")
_MOST_CELLS = 10_000
_MOST_COLUMNS = 100

Cell = list[Span]


def is_begun(line: str) -> bool:
    """Whether a line, without the blanks around it, begins such a table."""
    return line.startswith("{|") or _ASCIIDOC.match(line) is not None


def is_attributes(line: str) -> bool:
    """Whether a line may tell of the table under it how many columns it has."""
    return _ATTRIBUTES.match(line) is not None


@dataclass
class Markup:
    """The lines of one table after its first; `header` is known when it has been closed."""

    wiki: bool
    columns: int = 0
    named: bool = False  # whether its first row is known to have the columns' names
    header: Row | None = None
    caption: Span | None = None
    _rows: list[list[Cell]] = field(default_factory=list)
    _lines: int = 0
    _count: int = 0
    _blank: bool = False  # whether the last line was
    _heads: set[int] = field(default_factory=set)  # rows of which all cells name columns

    @classmethod
    def of(cls, line: str, attributes: str) -> Markup:
        """The table that a line begins; attributes: the line above it, or ""."""
        told = _COLUMNS.search(attributes)
        columns = 0
        if told is not None:
            listed = told[1] or told[2]
            times = _TIMES.match(listed)
            columns = int(times[1]) if times else len(re.split("[,;]", listed))
        return cls(line.startswith("{|"), min(columns, _MOST_COLUMNS), "header" in attributes)

    def blank(self) -> None:
        """Takes in a blank line."""
        if not self.wiki and self._rows and not self._blank:
            first = self._rows[0]
            self.columns = self.columns or len(first)
            self.named |= self._lines == 1 and len(first) == self.columns > 1
        self._blank = True

    def line(self, text: str, line: Span) -> bool:
        """Takes in a line, without the blanks around it; False where the table has ended before."""
        blank, self._blank = self._blank, False
        content = line.of(text)
        marked = content[0] in "|!" if self.wiki else _SPEC.match(content) is not None
        if self._count > _MOST_CELLS or not (marked or (self._rows and not blank)):
            return False
        self._lines += 1
        if not marked:
            if self._rows[-1]:
                self._rows[-1][-1].append(line)
        elif self.wiki:
            self._in_wiki(text, line)
        else:
            self._in_asciidoc(text, line)
        return True

    def ends(self, line: str) -> bool:
        """Whether a line is the last one of the table."""
        return line.startswith("|}") if self.wiki else _ASCIIDOC.match(line) is not None

    def close(self) -> list[Row]:
        """Its rows but for the header."""
        firsts = [at for at, row in enumerate(self._rows) if row]
        rows = [self._rows[at] for at in firsts]
        if not self.wiki and rows:
            cells = [cell for row in rows for cell in row]
            width = self.columns or len(rows[0])
            rows = [cells[at : at + width] for at in range(0, len(cells), width)]
        named = firsts[:1] != [] and firsts[0] in self._heads if self.wiki else self.named
        told = [_row(row) for row in rows]
        if named and len(told) > 1:
            self.header = told.pop(0)
        self._rows = []
        return told

    def _in_asciidoc(self, text: str, line: Span) -> None:
        bars = [found.start() for found in _BAR.finditer(text, line.start, line.end)]
        cells: list[Cell] = []
        for at, bar in enumerate(bars):
            end = bars[at + 1] if at + 1 < len(bars) else line.end
            spec = _SPEC_BEHIND.search(text[bar + 1 : end]) if end < line.end else None
            cells.append([_trim(text, bar + 1, bar + 1 + spec.start() if spec else end)])
        self._add(cells, new=not self._rows or len(cells) > 1)

    def _in_wiki(self, text: str, line: Span) -> None:
        mark, after = text[line.start], text[line.start + 1 : line.start + 2]
        if mark == "|" and after == "+":
            self.caption = self._plain(text, Span(line.start + 2, line.end))
        elif mark == "|" and after == "-":
            self._rows.append([])
        else:
            cells: list[Cell] = []
            at = line.start + 1
            for found in [*_WIKI_BAR.finditer(text, at, line.end), None]:
                end = found.start() if found else line.end
                cells.append([self._plain(text, Span(at, end))])
                at = found.end() if found else end
            self._add(cells, new=not self._rows)
            row = len(self._rows) - 1
            if mark == "|":
                self._heads.discard(row)
            elif len(self._rows[row]) == len(cells):  # the first of its line
                self._heads.add(row)

    def _plain(self, text: str, cell: Span) -> Span:
        """A cell without its attributes and without emphasis around all of it."""
        styled = _STYLED.match(text, cell.start, cell.end)
        told = _trim(text, styled.end() if styled else cell.start, cell.end)
        begun = _EMPHASIS.match(text, told.start, told.end)
        if (
            begun
            and text.endswith(begun[0], told.start, told.end)
            and len(told) > 2 * len(begun[0])
        ):
            return Span(begun.end(), told.end - len(begun[0]))
        return told

    def _add(self, cells: list[Cell], new: bool) -> None:
        self._count += len(cells)
        if new:
            self._rows.append(cells)
        else:
            self._rows[-1] += cells


def _row(cells: list[Cell]) -> Row:
    return Row(tuple(map(tuple, cells)), Span(cells[0][0].start, cells[-1][-1].end))


def _trim(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end)
