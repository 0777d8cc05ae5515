"""A table as columns: what stands under each, what its values are, and what rows are called."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property

from halgo.evidence.lexical import content_stems, stems
from halgo.signals.records.fields import IDS, NO, NO_VALUE, YES
from halgo.types import Cell, Date, Table

_NOTHING = NO_VALUE | {"unknown", "tbd"}
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d):(\d\d)")


class Columns:
    """The columns of one table, by name; rows are told by their place."""

    def __init__(self, table: Table) -> None:
        self.table = table

    @cached_property
    def cells(self) -> dict[str, dict[int, Cell]]:
        """Of each column the cells, by the place of their row; without those that are empty."""
        found: dict[str, dict[int, Cell]] = {}
        for at, row in enumerate(self.table.rows):
            for cell in row:
                cells = found.setdefault(cell.column, {})
                if cell.text.lower() not in _NOTHING:
                    cells.setdefault(at, cell)
        return found

    @cached_property
    def naming(self) -> list[str]:
        """The columns whose values tell the rows apart, and are no mere amounts."""
        found = []
        for place, (column, cells) in enumerate(self.cells.items()):
            values = {cell.text.lower() for cell in cells.values()}
            apart = len(values) == len(cells) == len(self.table.rows)
            textual = not any(cell.amount or cell.day for cell in cells.values())
            if apart and (textual or not place):
                found.append(column)
        return found

    @cached_property
    def measuring(self) -> list[str]:
        """The columns of amounts, but for those that name rows."""
        return [
            column
            for column, cells in self.cells.items()
            if column not in self.naming and any(cell.amount for cell in cells.values())
        ]

    @cached_property
    def switches(self) -> dict[str, Mapping[int, bool]]:
        """The columns that have nothing but yes and no, and of each row which it is."""
        found: dict[str, Mapping[int, bool]] = {}
        for column, cells in self.cells.items():
            texts = {at: cell.text.lower() for at, cell in cells.items()}
            if len(texts) > 1 and set(texts.values()) <= YES | NO:
                found[column] = {at: text in YES for at, text in texts.items()}
        return found

    @property
    def first(self) -> str:
        """The name of the first column."""
        return next(iter(self.cells), "")

    @cached_property
    def nameless(self) -> bool:
        """Whether nothing says what the rows are: records of a list, told apart by their ids."""
        return self.first.rpartition(" ")[2] in IDS

    @cached_property
    def nouns(self) -> frozenset[str]:
        """The stems of what the rows may be called."""
        told = (*self.naming, self.first, self.table.name, *self.table.above)
        return frozenset[str]().union(*map(content_stems, told))

    @cached_property
    def context(self) -> frozenset[str]:
        """The stems of what is said right before the table."""
        return content_stems(" ".join(self.table.about))

    def title(self, at: int) -> str:
        """What a row is called in a message."""
        for column in (*self.naming, *self.cells):
            if at in self.cells[column]:
                return self.cells[column][at].text
        return f"row {at + 1}"

    def values(self, column: str) -> dict[int, float]:
        """What the rows have under a column, as numbers of the unit that most of them have."""
        cells = self.cells[column]
        days = {at: _moment(c.text, c.day) for at, c in cells.items() if c.day}
        some = {at: c.amount for at, c in cells.items() if c.amount and at not in days}
        if len(days) >= len(some):
            return days
        units = Counter(one.unit for one in some.values())
        unit = max(units, key=lambda one: (units[one], one))
        return {at: one.low for at, one in some.items() if one.unit == unit or not one.low}

    def named_in(self, text: str) -> str:
        """The column of amounts that a text has most words of; "" where none or two have."""
        held = frozenset(stems(text))
        hits = {column: len(held & set(stems(column))) for column in self.measuring}
        best = max(hits.values(), default=0)
        found = [column for column, count in hits.items() if count == best > 0]
        return found[0] if len(found) == 1 else ""

    def held(self, column: str, rows: Iterable[int]) -> str:
        """The message of what rows have under a column."""
        told = [f"{self.title(at)} {self.cells[column][at].text}" for at in dict.fromkeys(rows)]
        under = f'Under "{column}" the' if column.strip() else "The"
        return f"{under} source gives {' and '.join(told)}."


def _moment(written: str, day: Date) -> float:
    """A day in days, with its time of day where that is told."""
    time = _MOMENT.match(written)
    return day.first.toordinal() + ((int(time[2]) * 60 + int(time[3])) / 1440 if time else 0.0)
