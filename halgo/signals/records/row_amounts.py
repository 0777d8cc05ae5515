"""Amounts of a claim beside a table: of which column each is, or that it is a number of rows."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from functools import cached_property

from halgo.evidence.lexical import stems
from halgo.facts.units import CURRENCIES
from halgo.signals.derivation.questions import is_apart
from halgo.signals.records.fields import FIGURE, figure_in
from halgo.signals.records.row_wording import Condition, Wording
from halgo.types import Quantity, Span

_APPROXIMATE = 0.02  # how far "about 50" may be from an amount, as a share of it
_INCLUSIVE = re.compile(
    r"\b(?:at least|at most|up to|within|between|or (?:more|less|fewer|over|under)|from|minimum"
    r"|maximum|(?:no|not) (?:more|less|fewer|longer|shorter|higher|lower) than)\b",
    re.IGNORECASE,
)
_BESIDE = 16  # characters on either side of an amount in which it is told what bound it is
_COUNTED = re.compile(r"\s+([^\W\d][\w'\u2019-]+)")  # behind an amount
_NEAR = 8  # characters between a comparative and the amount that it bounds
_MOST_COUNTED = 20
_WITHIN = re.compile(r"\bwithin\s$", re.IGNORECASE)
_NOT_ONE = re.compile(r"\b(?:without|not|never)\s(?:an?\s)?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Limits:
    """Amounts that rows have, each with its column: "cost more than 100 euros", "three users".

    counts: what is a number of rows. unplaced: whether one is of no column.
    """

    of: tuple[tuple[str, Condition], ...]
    counts: tuple[Quantity, ...]
    unplaced: bool


class Amounts:
    """The amounts of one claim, and the columns of one table that they may be of."""

    def __init__(self, said: Wording) -> None:
        self.said, self.columns = said, said.columns
        # Of "3 seats" the noun may be that of a column.
        free = (
            one
            for one in said.facts.quantities
            if not said.is_used(_begin(one.span))
            # "without a single failure" has none
            and not (one.low == 1 and _NOT_ONE.search(said.claim, 0, one.span.start))
        )
        # "The Teal 6" is no number of an identifier.
        self.all = [
            replace(
                one,
                unit="" if one.span.of(said.claim).isdecimal() else one.unit,
                low=0.0 if _WITHIN.search(said.claim, 0, one.span.start) else one.low,
            )
            for one in free
        ]
        self.plain = [one for one in self.all if one.low == one.high]  # "at €9 per month"

    @cached_property
    def limits(self) -> Limits:
        """What the claim's amounts restrict."""
        found: list[tuple[str, Condition]] = []
        counts: list[Quantity] = []
        unplaced = False
        for amount in self.all:
            if self.is_count(amount):
                counts.append(amount)
                continue
            columns = [] if is_apart(self.said.claim, amount.span) else self.under(amount)
            by = self.scale(amount, columns[0]) if len(columns) == 1 else None
            if by is None:
                unplaced = True
                continue
            values, ends = self.columns.values(columns[0]), (amount.low * by, amount.high * by)
            exact = amount.low == amount.high or self._takes_in_its_end(amount.span)
            has = {
                at: ends[0] <= value <= ends[1] and (exact or value not in ends)
                for at, value in values.items()  # "more than 12" leaves 12 out
            }
            written = amount.span.of(self.said.claim)
            found.append((columns[0], Condition(columns[0], written, amount.span, has)))
        return Limits(tuple(found), tuple(counts), unplaced)

    def _takes_in_its_end(self, amount: Span) -> bool:
        """Whether a bound holds of its own value, too: "at least 12", "12 or more"."""
        around = self.said.claim[max(0, amount.start - _BESIDE) : amount.end + _BESIDE]
        return _INCLUSIVE.search(around) is not None

    def is_count(self, amount: Quantity) -> bool:
        """Whether an amount is a number of rows: "two orders", "three of the four plans"."""
        most = max(_MOST_COUNTED, 3 * len(self.columns.table.rows))
        if amount.unit or amount.low % 1 or not 0 <= amount.low <= most:
            return False
        behind = self.said.claim[amount.span.end :]
        if re.match(r"\s+(?:out )?of (?:the|these|those|them|\w+\b)", behind):
            return True
        beside = re.match(rf"\s+(?:[\w'’-]+\s+){{0,3}}{re.escape(amount.noun[:4])}", behind, re.I)
        return bool(amount.noun and beside) and self.said.may_be_row(amount.noun)

    def are_bound_by(self, comparative: Span) -> bool:
        """Whether a comparative is the bound of an amount: "more than 100 euros"."""
        return any(
            one.low != one.high and one.span.start - comparative.end <= _NEAR
            for one in self.said.facts.quantities
        )

    def under(self, amount: Quantity, *, every: bool = False) -> list[str]:
        """The columns that an amount may be told in: those that the claim has most words of.

        every: all of its measure, whether or not the claim has a word of them.
        """
        found: list[tuple[int, str]] = []
        for column in self.columns.measuring:
            some = [cell.amount for cell in self.columns.cells[column].values() if cell.amount]
            same = all(one.unit.partition("/")[0] == amount.unit.partition("/")[0] for one in some)
            bare = not any(one.unit for one in some)
            counted = self._counts(amount) & set(stems(column))
            hits = self.said.said.get(column, 0)
            if not (amount.unit or counted or every) and amount.low == amount.high:
                hits *= hits >= len(stems(column))  # "in round 21" is no 21 home goals
            hits += 2 * bool(counted)
            if (amount.unit and same) or ((hits or every) and (same or bare)):
                found.append((hits, column))
        if every:
            return [column for _, column in sorted(found, key=lambda one: -one[0])]
        if not found and len(self.columns.measuring) == 1 and amount.low < amount.high:
            return (
                [] if amount.unit or amount.noun else self.columns.measuring
            )  # "all are under 50"
        best = max((hits for hits, _ in found), default=0)
        return [column for hits, column in found if hits == best]

    def _counts(self, amount: Quantity) -> set[str]:
        """The stems of what a claim says an amount counts: "users", "person-days"."""
        behind = _COUNTED.match(self.said.claim, amount.span.end)
        told = behind[1] if behind and not amount.noun else amount.noun
        return set(stems(told))

    def scale(self, amount: Quantity, column: str) -> float | None:
        """What an amount is multiplied by to be told in the numbers of a column; None if unknown.

        "30 minutes" is 1,800 seconds, and 30 under "delay minutes".
        """
        cells = self.columns.cells[column].values()
        measured = any(cell.amount.unit for cell in cells if cell.amount)
        if not amount.unit or measured or amount.unit.partition("/")[0] in CURRENCIES:
            return 1.0
        written = amount.span.of(self.said.claim)
        figures = FIGURE.findall(written)
        unit = set(stems(FIGURE.sub(" ", written)))
        if len(figures) != 1 or not unit or not unit <= set(stems(column)):
            return None
        end = next((e for e in (amount.low, amount.high) if 0 < abs(e) < math.inf), 0.0)
        return (figure_in(written) or 0.0) / end if end else None

    def has(self, at: int, column: str, amount: Quantity) -> bool:
        """Whether a row has an amount of the claim under a column; "7" alone may be 7 minutes."""
        cell = self.columns.cells[column].get(at)
        if cell is None or cell.amount is None:
            return False
        by = self.scale(amount, column)
        room = max(amount.step / 2, _APPROXIMATE * abs(amount.low) if amount.approximate else 0.0)
        if by and abs(cell.amount.low / by - amount.low) <= max(room, 1e-9 * abs(amount.low)):
            return True
        given = figure_in(cell.text)
        return not amount.unit and given is not None and math.isclose(given, amount.low)


def _begin(span: Span) -> Span:
    return Span(span.start, span.start + 1)
