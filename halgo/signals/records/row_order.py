"""Rows in order: the cheapest, the second oldest, more than another, the same, above a target.

A superlative may tell its row, "the Lake is the dearest", or only what that has, "the dearest costs
€150", as a range and the start of all values do.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from halgo.evidence.lexical import stems
from halgo.signals.derivation.operands import cues
from halgo.signals.polarity.comparisons import UNITS
from halgo.signals.records.row_amounts import Amounts
from halgo.signals.records.row_wording import DENIED, Condition, Measure, Told, Wording
from halgo.types import Quantity, Span

_NO_OTHER = re.compile(r"^\W*(?:no|none of the) other\b.*\bthan\b", re.IGNORECASE)
_AGAINST = re.compile(
    r"\b(?:(?P<above>above|over|exceed(?:s|ed|ing)?|beats?|surpass(?:es|ed)?"
    r"|(?:more|higher|greater|larger|longer) than)"
    r"|(?P<below>below|under|short of|miss(?:es|ed)|(?:less|lower|fewer|smaller|shorter) than))\b",
    re.IGNORECASE,
)
_ITS = re.compile(r"\s+(?:its|their|his|her|the)\b", re.IGNORECASE)
_SAME = re.compile(
    r"(?<!almost )(?<!nearly )(?<!about )"
    r"\b(?:the same|equal(?:ly)?|as (?!well |soon |far )\w+ as)\b",
    re.IGNORECASE,
)
_RANGES = re.compile(
    r"\b(?:rang(?:es?|ed|ing)|var(?:y|ies|ied)|spans?|spanned)\s(?:(?:from|between)\s)?$",
    re.IGNORECASE,
)
_STARTS = re.compile(
    r"\b(?:starts?|started|begins?|began)\s(?:at|from)\s(?:just\s)?$", re.IGNORECASE
)
_IS = re.compile(r"\b(?:is|are|was|were|of|at|reache[sd])\s(?:\w+\s)?$", re.IGNORECASE)
_BEHIND = 2  # words behind a superlative that may name a column: "the highest monthly price"
_THAN = re.compile(r"\bthan\b", re.IGNORECASE)
# What may stand between "than" and the name of the other row.
_TO_NAME = re.compile(r"\s+(?:[^\W\d]+\s+){0,3}")
_DESCRIBES = 6  # characters between the name of a row and what it is further told to be


@dataclass(frozen=True, slots=True)
class _First:
    """An amount that is told of the row which is first, or `rank`-th, by a column.

    sign: 1 where the first has most of the column, -1 where it has least. under: the amount's own
    column.
    """

    column: str
    sign: int
    under: str
    amount: Quantity
    rank: int = 1


class Order:
    """What the order of a table's rows tells of one claim."""

    def __init__(self, said: Wording, amounts: Amounts) -> None:
        self.said, self.amounts, self.columns = said, amounts, said.columns
        self.claim = said.claim
        self.named = [at for _, at in said.names]

    def asks_for_first(self, measure: Measure) -> bool:
        """Whether a claim puts the row that it names before all others."""
        first = measure.superlative or _NO_OTHER.search(self.claim) is not None
        return first and len(self.named) == 1

    def superlative(self, measure: Measure) -> Told | None:
        """The named row against all others that are as the claim says."""
        table, (own,) = self.columns.table, self.named
        if measure.rank > 1 and not table.whole:
            return None
        filters, taken, given = self._filters(own)
        fit = [at for at in range(len(table.rows)) if _fits(at, own, filters)]
        results: list[tuple[bool, str]] = []
        complete = len(fit) == len(table.rows) or bool(filters)
        columns, plain = self._columns_of(measure, taken)
        for column, sign in columns:
            values = self.columns.values(column)
            way = sign if measure.more else -sign
            some = {at: values[at] * way for at in fit if at in values}
            if own not in some or len(some) < 2:
                return None
            held = self.columns.cells[column]  # what is empty does not compete, "on request" may
            complete &= all(at in values for at in fit if at in held)
            ranked = sorted(some, key=lambda at: -some[at])
            better = [at for at in ranked if some[at] > some[own]]
            level = [at for at in ranked if some[at] == some[own] and at != own]
            if level and len(better) < measure.rank and measure.superlative:
                return None
            right = len(better) == measure.rank - 1
            first = ranked[measure.rank - 1] if len(ranked) >= measure.rank else own
            results.append((right, self.columns.held(column, [first, own])))
        given |= {one.low for one in self.amounts.limits.counts}
        return Told(results, measure.span, given, plain=plain, sure=complete and table.whole)

    def extremes(self) -> Told | None:
        """What the first row has, where the claim does not name it: "the cheapest costs €90".

        Or what the first and the last have: "prices range from €90 to €150", "start at €90".
        """
        table, counts = self.columns.table, self.amounts.limits.counts
        amounts = [one for one in self.amounts.all if one not in counts]
        conditions = self.said.conditions
        fit = [at for at in range(len(table.rows)) if all(c.of.get(at, False) for c in conditions)]
        if self.named or len(amounts) != 1 or len(fit) < 2 or not table.whole:
            return None
        if DENIED.search(self.claim) or any(one.low != len(fit) for one in counts):
            return None
        asked = self._firsts(amounts[0])
        results = [self._held_by_first(fit, one) for one in asked]
        if None in results:
            return None
        told = [one for one in results if one is not None]
        (amount,) = amounts
        if amount.low < amount.high:  # of a range either end may be wrong
            told = sorted(told)[:1]
        given = {amount.low, *(one.low for one in counts)}
        return Told(told, amount.span, given)

    def _firsts(self, amount: Quantity) -> list[_First]:
        """What a claim tells of the first row by its only amount."""
        measure, told = self.said.measure, self.claim[: amount.span.start]
        under = self.amounts.under(amount)
        own = under[0] if len(under) == 1 else ""
        if own and amount.low < amount.high < math.inf and _RANGES.search(told):
            low, high = replace(amount, high=amount.low), replace(amount, low=amount.high)
            return [_First(own, -1, own, low), _First(own, 1, own, high)]
        if amount.low != amount.high:
            return []
        if own and _STARTS.search(told) and not amount.unit.startswith("clock"):
            return [_First(own, -1, own, amount)]
        if measure is None or not measure.superlative or measure.name == "much":
            return []  # "most plans" is of rows
        behind = self._behind(measure)
        columns, _ = self._columns_of(measure, said=behind)
        asked: list[_First] = []
        for column, sign in columns:
            value = own or (column if column in under else "")
            other = (
                behind[column] and amount.noun and not set(stems(amount.noun)) & set(stems(column))
            )
            if not value or (value == column and other and not _IS.search(told)):
                return []  # "with the most pallets employs 19 people"
            way = sign if measure.more else -sign
            asked.append(_First(column, way, value, amount, measure.rank))
        return asked

    def _behind(self, measure: Measure) -> dict[str, int]:
        """Of each column how many of its words stand right behind a superlative."""
        found = re.findall(r"\w+", self.claim[measure.span.end :])[:_BEHIND]
        rows = [at for at, word in enumerate(found) if self.said.may_be_row(word)]
        held = set(stems(" ".join(found[: min(rows, default=_BEHIND)])))
        return {column: len(held & set(stems(column))) for column in self.columns.cells}

    def _held_by_first(self, fit: Sequence[int], one: _First) -> tuple[bool, str] | None:
        """Whether the first of these rows has an amount; None where that is not certain."""
        values, held = self.columns.values(one.column), self.columns.cells[one.under]
        if any(at not in values for at in fit):
            return None
        ranked = sorted((values[at] * one.sign for at in fit), reverse=True)[one.rank - 1 :]
        first = [at for at in fit if values[at] * one.sign in ranked[:1]]
        if not first or any(at not in held for at in first):
            return None
        right = any(self.amounts.has(at, one.under, one.amount) for at in first)
        return right, self.columns.held(one.under, first)

    def _filters(self, own: int) -> tuple[list[Condition], set[str], set[float]]:
        """What the rows have that a claim of one row compares, the columns and amounts of that.

        An amount that no other row has is told of the row itself: "the cheapest at €9".
        """
        name = self.said.names[0][0]
        # "INV-7 to Harbour Ltd": no invoice of others is left out.
        found = [c for c in self.said.conditions if not 0 <= c.span.start - name.end <= _DESCRIBES]
        taken, given = set[str](), set[float]()
        for column, one in self.amounts.limits.of:
            if one.of.get(own) and sum(one.of.values()) > 1:
                found.append(one)
                taken.add(column)
                given.add(self.columns.values(column)[own])
        return found, taken, given

    def _columns_of(
        self,
        measure: Measure,
        taken: Set[str] = frozenset(),
        said: Mapping[str, int] | None = None,
    ) -> tuple[list[tuple[str, int]], bool]:
        """The columns that a measure may be told in, each with 1 where more of it is more, or -1.

        Those that the claim names most of; without a name only one that has the measure's unit, or
        the only one that has amounts or days. And whether the claim's words or its unit chose
        them. taken: columns that the claim says something else of. said: of each column how many
        of its words the claim has, where not all of them count; all columns come back then where
        none is chosen.
        """
        by_day = measure.name in ("earlier", "older")
        pairs = (pair.split() for pair in cues()["measure"])
        hints = {stem for name, word in pairs if name == measure.name for stem in stems(word)}
        wanted = UNITS.get(measure.name, frozenset())
        found: list[tuple[tuple[int, int], str, int]] = []
        for column, cells in self.columns.cells.items():
            if column in taken:
                continue
            days = [cell.day for cell in cells.values() if cell.day]
            some = [cell.amount for cell in cells.values() if cell.amount]
            in_unit = some and all({u.unit, u.unit.partition("/")[0]} & wanted for u in some)
            told = 2 if set(stems(column)) & hints else int(bool(in_unit))
            hits = (self.said.said if said is None else said).get(column, 0)
            if by_day and len(days) > 1:
                found.append(((hits, 1), column, -1))
            elif measure.name == "older" and len(some) > 1 and "age" in column.split():
                found.append(((1, 1), column, 1))
            elif not by_day and len(some) > 1 and column not in self.columns.naming:
                slow = measure.name == "faster" and {one.unit for one in some} == {"second"}
                found.append(((hits, told), column, -1 if slow else 1))
        best = max((score for score, _, _ in found), default=(0, 0))
        chosen = [(column, sign) for score, column, sign in found if score == best]
        sure = best > (0, 0)
        return (chosen if sure or len(found) == 1 or said is not None else []), sure

    def comparison(self, measure: Measure) -> Told | None:
        """Two named rows, one on either side of "than", "before" or "after"."""
        (first, one), (second, two) = self.said.names
        both = all(each.of.get(one) and each.of.get(two) for each in self.said.conditions)
        than = _THAN.search(self.claim, first.end)
        middle = than.start() if than else measure.span.start
        if not first.end <= middle < second.start or DENIED.search(self.claim):
            return None
        if than and not _TO_NAME.fullmatch(self.claim, than.end(), second.start):
            return None
        results: list[tuple[bool, str]] = []
        columns, plain = self._columns_of(measure)
        for column, sign in columns:
            values = self.columns.values(column)
            if one not in values or two not in values:
                return None
            right = (values[one] - values[two]) * (sign if measure.more else -sign) > 0
            if right and self.amounts.plain:
                return None  # the amount may be of another column
            results.append((right, self.columns.held(column, [one, two])))
        return Told(results, measure.span, plain=plain, sure=both)

    def of_columns(self) -> Told | None:
        """Two columns of the named row, one on either side of "below", "more than", "exceeded".

        "A-100 is below its reorder level" names one of them: the other is the only one beside it.
        """
        cue = _AGAINST.search(self.claim)
        if cue is None or len(self.named) != 1 or DENIED.search(self.claim) or self.amounts.plain:
            return None
        (own,) = self.named
        left = self.columns.named_in(self.claim[: cue.start()])
        right = self.columns.named_in(self.claim[cue.end() :])
        if right and not left and _ITS.match(self.claim, cue.end()):
            left = self._only_beside(right, own)
        if not left or not right or left == right:
            return None
        ours, theirs = (self.columns.values(column).get(own) for column in (left, right))
        if ours is None or theirs is None or ours == theirs:
            return None
        cells = self.columns.cells
        message = f'Under "{left}" the source gives {cells[left][own].text}, '
        message += f'under "{right}" {cells[right][own].text}.'
        return Told([((ours > theirs) == bool(cue["above"]), message)], Span(*cue.span()))

    def _only_beside(self, column: str, own: int) -> str:
        """The only other column in which a row has an amount of the same unit; "" of several."""
        row = self.columns.table.rows[own]
        measuring = [cell for cell in row if cell.column in self.columns.measuring]
        units = {cell.column: cell.amount.unit for cell in measuring if cell.amount}
        found = [name for name, unit in units.items() if unit == units.get(column)]
        others = [name for name in found if name != column]
        return others[0] if len(others) == 1 < len(found) else ""

    def same(self) -> Told | None:
        """Two named rows that are said to have as much: "the same price", "as many seats as"."""
        cue = _SAME.search(self.claim)
        if cue is None or len(self.named) != 2 or DENIED.search(self.claim):
            return None
        if any(one.unit in ("times", "fraction") for one in self.said.facts.quantities):
            return None  # "three times as long as"
        column = self.columns.named_in(self.claim)
        values = self.columns.values(column) if column else {}
        if any(at not in values for at in self.named):
            return None
        one, two = (values[at] for at in self.named)
        return Told([(one == two, self.columns.held(column, self.named))], Span(*cue.span()))


def _fits(at: int, own: int, filters: Sequence[Condition]) -> bool:
    """Whether a row has what the claim says of row `own`, as far as that has it."""
    return all(at in one.of for one in filters) and all(
        one.of[at] for one in filters if one.of.get(own, False)
    )
