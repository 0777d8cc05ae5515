"""So many rows: all, none, only, all but some, two of four; totals, averages, amounts of each."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from halgo.signals.derivation.counting import is_whole
from halgo.signals.records.row_amounts import Amounts
from halgo.signals.records.row_wording import DENIED, Condition, Told, Wording
from halgo.types import Span

_MOST_NAMED = 3  # rows that a message names
ALL = re.compile(
    r"(?<!\bin )\b(?:all|every|each)\b(?!\s+(?:year|month|day|week|other))", re.IGNORECASE
)
NONE = re.compile(
    r"\b(?:none|neither)\b|^\W*no\b(?! one\b)|\bnot (?:one|a single)\b", re.IGNORECASE
)
ONLY = re.compile(r"\b(?:only|solely|exclusively|alone)\b", re.IGNORECASE)
_EXCEPT = re.compile(r"\b(?:except(?: for)?|apart from|other than|but|besides)\b", re.IGNORECASE)
_WITHOUT = re.compile(
    r"\b(?:without|no|not|cannot|never|none|free of)\b|n['\u2019]t\b", re.IGNORECASE
)
_SUMMED = re.compile(
    r"\b(?:total\w*|sum|average\w*|mean|together|combined|altogether|in all|add(?:s|ed)? up"
    r"|c(?:o|a)mes? to|makes? up)\b",
    re.IGNORECASE,
)
_TOGETHER = re.compile(r"\b(?:together|combined|altogether|in (?:all|total)|add up)\b", re.I)
_SUM_OF = re.compile(r"\b(?:total|sum|average|mean)\b[^.]{0,20}\b(?:of|for|over|across)\b", re.I)
_WITH = re.compile(r"\b(?:including|excluding|incl|excl|plus|net of|before|after)\b", re.IGNORECASE)
_MEAN = re.compile(r"\b(?:average\w*|mean)\b", re.IGNORECASE)
_JOINED = re.compile(r"\b(?:and|or)\b|,", re.IGNORECASE)
_LISTS = re.compile(
    r"\W*(?:there (?:are|were)|the \w+ (?:has|have|lists?|contains?|shows?))\b", re.IGNORECASE
)
_ROUND = 0.005  # how far an average may be rounded, as a share of it


class Counts:
    """What the rows of a table tell of one claim when they are counted or added up."""

    def __init__(self, said: Wording, amounts: Amounts) -> None:
        self.said, self.amounts, self.columns = said, amounts, said.columns
        self.claim, self.rows = said.claim, range(len(said.columns.table.rows))
        self.named = [at for _, at in said.names]
        self.every, self.none = ALL.search(self.claim), NONE.search(self.claim)

    def enumerated(self) -> Told | None:
        """An amount for each named row: "Starter at €19, Team at €49", "A and B cost 5 and 6".

        They are looked for under one column: the one that the claim names, or that has all but one.
        """
        names, plain = self.said.names, self.amounts.plain
        counts = [one for one in plain if self.amounts.is_count(one)]
        amounts = [one for one in plain if one not in counts]
        others = [one for one in self.amounts.all if one not in amounts]
        if not len(amounts) == len(names) > 1 or any(one.low != len(amounts) for one in others):
            return None
        units = {one.unit for one in amounts} - {""}
        if len(units) > 1 or (units and not amounts[0].unit):
            return None  # "10 users and Basic costs €40"; but "2 minutes, the next 7"
        items = sorted([*((span, False) for span, _ in names), *((a.span, True) for a in amounts)])
        order, half = [is_amount for _, is_amount in items], len(amounts)
        if order not in (
            [False, True] * half,
            [True, False] * half,
            [False] * half + [True] * half,
        ):
            return None
        scores: dict[str, tuple[int, int]] = {}
        for column in self.columns.cells:
            values = self.columns.values(column)
            held = [
                self.amounts.has(at, column, one)
                for at, one in zip(self.named, amounts, strict=True)
            ]
            if all(at in values for at in self.named):
                scores[column] = (sum(held), self.said.said.get(column, 0))
        (hits, named) = max(scores.values(), default=(0, 0))
        first = [column for column, score in scores.items() if score == (hits, named)]
        if len(first) != 1 or not (hits == half or named or hits >= max(2, half - 1)):
            return None
        results = [(hits == half, self.columns.held(first[0], self.named))]
        given = {one.low for one in (*others, *amounts)}
        return Told(results, Span(0, len(self.claim)), given)

    def asks_for_sum(self) -> bool:
        """Whether a claim adds up or averages: no column of totals is meant, nor "each"."""
        cue = _SUMMED.search(self.claim)
        if cue is None or _SUM_OF.search(self.claim):
            return cue is not None
        each = self.every and not _TOGETHER.search(self.claim)
        return not (each or self.none)

    def summed(self) -> Told | None:
        """The total or the average of a column over all rows, or over those that are so."""
        said, counts = self.said, self.amounts.limits.counts
        amounts = [one for one in self.amounts.all if one not in counts]
        if len(amounts) != 1 or self.named or said.measure or said.change:
            return None
        (amount,) = amounts
        under = self.amounts.under(amount)
        columns = self.amounts.under(amount, every=_WITH.search(self.claim) is not None)
        fit = [at for at in self.rows if all(one.of.get(at, False) for one in said.conditions)]
        if not self.columns.table.whole or len(fit) < 2:
            return None
        if any(one.low != len(fit) for one in counts):
            return None
        if not columns and len(self.columns.measuring) == 1:
            columns = self.columns.measuring  # "employ 28 people" of a column of staff
        mean = _MEAN.search(self.claim) is not None
        called = "average" if mean else "total"
        results: list[tuple[bool, str]] = []
        for column in columns:
            values, by = self.columns.values(column), self.amounts.scale(amount, column)
            if by is None or any(at not in values for at in fit):
                return None
            result = math.fsum(values[at] for at in fit) / (len(fit) if mean else 1) / by
            rough = amount.approximate or mean
            room = max(amount.step / 2, _ROUND * abs(result) if rough else 1e-9 * abs(result))
            right = amount.low - room <= result <= amount.high + room
            message = f'The {called} of "{column}" over {len(fit)} rows is {result * by:.10g}.'
            results.append((right, message))
        hits = [one for one in results if one[0]][:1]
        if not hits and len(under) != 1:
            return None
        given = {amount.low, *(one.low for one in counts)}
        return Told(hits or results[:1], amount.span, given)

    def of_all(self) -> Told | None:
        """What the rows have together where no word says so: "the four segments employ 4,800"."""
        if not self.amounts.limits.counts or self.every or self.none:
            return None
        told = self.summed()
        return told if told is not None and told.results[0][0] else None

    def counted(self) -> Told | None:
        """All, none, only, all but some, or so many of the rows are as the claim says."""
        said, limits = self.said, [one for _, one in self.amounts.limits.of]
        conditions = [*said.conditions, *([said.change] if said.change else []), *limits]
        conditions = conditions or self._some()
        if not conditions:
            return self._number_of_rows()
        named = any(one.column in said.said for one in said.conditions)
        plain = said.change is not None or bool(limits) or named
        return self._quantified(conditions, plain=plain)

    def _some(self) -> list[Condition]:
        """The one column of amounts that rows are said to have, or not: "without a setup fee"."""
        column = self.columns.named_in(self.claim)
        if not column or not (self.every or self.none or self.named):
            return []
        denied = _WITHOUT.search(self.claim, self.none.end() if self.none else 0) is not None
        has = {at: bool(value) != denied for at, value in self.columns.values(column).items()}
        value = "none" if denied else "some"
        return [Condition(column, value, Span(0, len(self.claim)), has)]

    def _quantified(self, conditions: Sequence[Condition], *, plain: bool) -> Told | None:
        """Of an empty cell nobody knows: such rows show neither that the claim is wrong nor right.

        plain: whether what is said of them is, whatever the verb.
        """
        said, rows, told = self.said, self.rows, self.amounts.limits.counts
        wholes = [one for one in told if is_whole(self.claim, one)]
        counts = [one for one in told if one not in wholes]
        fit = {at for at in rows if all(one.of.get(at, False) for one in conditions)}
        out = {at for at in rows if not all(one.of.get(at, True) for one in conditions)}
        columns = [one.column for one in conditions]
        if self.amounts.limits.unplaced or len(set(columns)) < len(columns):
            return None  # "shipped or delivered"
        named, whole = set(self.named), self.columns.table.whole
        excepted = _EXCEPT.search(self.claim)
        moved = ""  # what the named rows have, where they are told to have changed
        if named:
            if excepted and self.every and excepted.end() <= said.names[0][0].start:
                wrong = bool(fit & named or out - named)
            elif [one.low for one in counts] in ([], [len(self.named)]) and (
                counts or self._only()
            ):
                wrong = bool(out & named or fit - named)
            elif said.change is not None and not counts and not ONLY.search(self.claim):
                wrong = bool(out & named)
                fit, out = fit & named, out & named
                rows = range(len(fit) + len(out))
                moved = " ".join(self.columns.held(one, self.named) for one in said.moved)
            else:
                return None
        elif counts:
            count, unknown = counts[0], len(rows) - len(fit) - len(out)
            wrong = len(fit) > count.high or (whole and len(fit) + unknown < count.low)
            if not wrong and unknown and not count.low <= len(fit) <= count.high:
                return None
            out = set(rows) - fit
        elif self.none:
            wrong = bool(fit)
        elif self.every and excepted is None and not DENIED.search(self.claim):
            *restricting, last = sorted(conditions, key=lambda one: one.span)
            if restricting and not _JOINED.search(
                self.claim[restricting[-1].span.end : last.span.start]
            ):  # "all plans with a static IP have"
                base = {at for at in rows if all(one.of.get(at, False) for one in restricting)}
                fit, out = fit & base, out & base
                rows = range(len(base))
            wrong = bool(out)
        else:
            return None
        if whole:  # "of Maren's three orders": those that are Maren's
            each = [len(self.rows), *(sum(one.of.values()) for one in conditions)]
            wrong |= any(one.low not in each for one in (*wholes, *counts[1:]))
        sure = whole and (wrong or len(fit) + len(out) == len(rows) > 0)
        message = moved or self._listed("; ".join(one.told for one in conditions), sorted(fit))
        given = {one.low for one in told}
        return Told([(not wrong, message)], conditions[0].span, given, plain=plain, sure=sure)

    def _number_of_rows(self) -> Told | None:
        """A claim that says nothing but how many rows there are."""
        counts, rows = self.amounts.limits.counts, len(self.rows)
        if len(counts) != 1 or self.named or not self.columns.table.whole or self.said.measure:
            return None
        (count,) = counts
        if not _LISTS.match(self.claim):
            return None
        results = [(count.low <= rows <= count.high, f"The source lists {rows} of them.")]
        return Told(results, count.span, {count.low}, plain=False)

    def _only(self) -> bool:
        """Whether something is said of the named rows alone: "only A", "A is the only one"."""
        first = self.said.names[0][0]
        for found in ONLY.finditer(self.claim):
            between = self.claim[found.end() : first.start] if found.end() <= first.start else "-"
            the = re.search(r"\bthe\s+$", self.claim[: found.start()], re.IGNORECASE)
            if re.fullmatch(r"\s+(?:the\s+|in\s+|\w+s\s+)?", between) or the:
                return True
        return False

    def _listed(self, told: str, fit: Sequence[int]) -> str:
        names = ", ".join(self.columns.title(at) for at in fit[:_MOST_NAMED])
        more = f" and {len(fit) - _MOST_NAMED} more" if len(fit) > _MOST_NAMED else ""
        message = f"Of {len(self.rows)} rows {len(fit)} have {told}"
        return message + (f" ({names}{more})." if fit else ".")
