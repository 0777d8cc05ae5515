"""Claims over the rows of a table: superlatives, comparisons, changes, counts, all, none and only.

"The cheapest plan with SSO is Business", "Kiel sold more than Essen", "two of the four orders are
unpaid", "every branch but Ulm grew" (Chen et al. 2020, TabFact). What the claim's words mean is
told by the table (`row_wording.py`); here it is worked out on all its rows, those too that are not
among the passages. Kinds of signal: `rows_agree` and `rows_conflict`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from halgo.protocols import Lexicon
from halgo.signals.quantities.directions import DOWN, UP
from halgo.signals.records.row_wording import Condition, Measure, Wording
from halgo.types import Pair, Quantity, Signal, Span, Stance, Table

WEIGHT = 0.8
_LONGEST = 400  # characters of a claim
_MOST_NAMED = 3  # rows that a message names
_ASKS = re.compile(
    rf"\b(?:{UP}|{DOWN}|\w{{3,}}est|most|least|latest|last|first|more|less|fewer|before|after|all"
    r"|every|each|none|no|only|both|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|below|under|above|over|exceed\w*|\d{1,3})\b|\w{3,}er\b.*\bthan\b",
    re.IGNORECASE,
)
_ALL = re.compile(r"\b(?:all|every|each)\b(?!\s+(?:year|month|day|week|other))", re.IGNORECASE)
_NONE = re.compile(
    r"\b(?:none|neither)\b|^\W*no\b(?! one\b)|\bnot (?:one|a single)\b", re.IGNORECASE
)
_ONLY = re.compile(r"\b(?:only|solely|exclusively|alone)\b", re.IGNORECASE)
_EXCEPT = re.compile(r"\b(?:except(?: for)?|apart from|other than|but|besides)\b", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:not|never|nor|neither|hardly|cannot)\b|n['\u2019]t\b", re.IGNORECASE)
_SUMMED = re.compile(
    r"\b(?:total\w*|sum|average\w*|mean|together|combined|altogether|in all)\b", re.IGNORECASE
)
_HEDGED = re.compile(r"\b(?:if|unless|would|could|may|might|among the|one of the)\b", re.IGNORECASE)
_AGAINST = re.compile(
    r"\b(?:(?P<above>above|over|exceed(?:s|ed|ing)?|beats?"
    r"|(?:more|higher|greater|larger|longer) than)"
    r"|(?P<below>below|under|short of|(?:less|lower|fewer|smaller|shorter) than))\b",
    re.IGNORECASE,
)
_VERBS = frozenset({"VERB", "AUX", "ADV"})


def asks(claim: str) -> bool:
    """Whether a claim may speak of several rows of a table."""
    return len(claim) <= _LONGEST and _ASKS.search(claim) is not None


def signals(pairs: Sequence[Pair], lexicon: Lexicon) -> list[list[Signal]]:
    """For each passage of one claim at most one signal: what its table makes of the claim."""
    told: dict[int, list[Signal]] = {}
    for pair in pairs:
        table = pair.table
        if table is not None and id(table) not in told:  # an index has one object of each
            signal = _told(pair, table, lexicon)
            told[id(table)] = [signal] if signal is not None else []
    return [told.get(id(pair.table), []) for pair in pairs]


def _told(pair: Pair, table: Table, lexicon: Lexicon) -> Signal | None:
    claim = pair.claim.text
    if len(claim) > _LONGEST or _HEDGED.search(claim):
        return None
    said = Wording(claim, pair.claim_facts, table, lexicon)
    return _Verdict(said, claim).signal()


class _Verdict:
    """What a table makes of a claim."""

    def __init__(self, said: Wording, claim: str) -> None:
        self.said, self.claim = said, claim
        self.named = [at for _, at in said.names]
        self.counts: list[Quantity] = []
        self.given: set[float] = set()  # amounts of the claim that are worked out

    def signal(self) -> Signal | None:
        """At most one, of the first of these operations that the claim asks for."""
        said = self.said
        measure = said.measure
        if measure is not None and measure.superlative and len(self.named) == 1:
            return self._superlative(measure)
        if measure is not None and not measure.superlative and len(self.named) == 2:
            found = self._comparison(measure)
            if found is not None or said.change is None:
                return found
        if len(self.named) > 1 and (each := self._enumerated()) is not None:
            return each
        if len(self.named) == 1 and (beside := self._columns_compared()) is not None:
            return beside
        conditions = [*said.conditions, *([said.change] if said.change else []), *self._limits()]
        if measure is not None and said.change is None and not self._is_limit(measure):
            return None
        return self._quantified(conditions)

    # --- order ----------------------------------------------------------------------------------

    def _superlative(self, measure: Measure) -> Signal | None:
        """The named row against all others that are as the claim says."""
        said, (own,) = self.said, self.named
        fit = [at for at in range(len(said.table.rows)) if self._fits(at, own)]
        results: list[tuple[bool, str]] = []
        columns, told = said.columns_of(measure)
        for column, sign in columns:
            values = said.values(column)
            way = sign if measure.more else -sign
            some = {at: values[at] * way for at in fit if at in values}
            if own not in some or len(some) < 2:
                return None
            ranked = sorted(some, key=lambda at: -some[at])
            better = [at for at in ranked if some[at] > some[own]]
            level = [at for at in ranked if some[at] == some[own] and at != own]
            if level and len(better) < measure.rank:
                return None
            right = len(better) == measure.rank - 1
            first = ranked[measure.rank - 1] if len(ranked) >= measure.rank else own
            results.append((right, self._held(column, [first, own])))
        complete = len(fit) == len(said.table.rows) or bool(said.conditions)
        return self._made(results, measure.span, told=told, sure=complete and said.table.whole)

    def _fits(self, at: int, own: int) -> bool:
        """Whether a row has what the claim says of the one it names, as far as that has it."""
        said = self.said.conditions
        return all(one.of.get(at, False) for one in said if one.of.get(own, False)) and all(
            at in one.of for one in said
        )

    def _comparison(self, measure: Measure) -> Signal | None:
        """Two named rows, one on either side of "than", "before" or "after"."""
        said = self.said
        (first, one), (second, two) = said.names
        than = re.search(r"\bthan\b", self.claim[first.end :], re.IGNORECASE)
        middle = first.end + than.start() if than else measure.span.start
        if not first.end <= middle < second.start or _DENIED.search(self.claim):
            return None
        results: list[tuple[bool, str]] = []
        columns, told = said.columns_of(measure)
        for column, sign in columns:
            values = said.values(column)
            if one not in values or two not in values:
                return None
            apart = (values[one] - values[two]) * (sign if measure.more else -sign)
            by = [one.low for one in self._plain_amounts()]
            right = apart > 0 and all(math.isclose(apart, amount, rel_tol=0.005) for amount in by)
            results.append((right, self._held(column, [one, two])))
            self.given |= {amount for amount in by if right}
        return self._made(results, measure.span, told=told, sure=not said.conditions)

    def _columns_compared(self) -> Signal | None:
        """Two columns of the named row, one on either side of "below", "more than", "exceeded"."""
        cue = _AGAINST.search(self.claim)
        (own,) = self.named
        if cue is None or _DENIED.search(self.claim):
            return None
        said = self.said
        left = said.column_in(Span(0, cue.start()))
        right = said.column_in(Span(cue.end(), len(self.claim)))
        if not left or not right or left == right or self._plain_amounts():
            return None
        ours, theirs = said.values(left).get(own), said.values(right).get(own)
        if ours is None or theirs is None or ours == theirs:
            return None
        cells = said.by_column
        message = f'Under "{left}" the source gives {cells[left][own].text}, '
        message += f'under "{right}" {cells[right][own].text}.'
        above = cue["above"] is not None
        results = [((ours > theirs) == above, message)]
        return self._made(results, Span(*cue.span()), told=True, sure=True)

    def _held(self, column: str, rows: Sequence[int]) -> str:
        cells = self.said.by_column[column]
        told = [f"{self.said.title(at)} {cells[at].text}" for at in dict.fromkeys(rows)]
        return f'Under "{column}" the source gives {" and ".join(told)}.'

    def _enumerated(self) -> Signal | None:
        """An amount for each named row: "Starter at €19, Team at €49", "A and B cost 5 and 6".

        They are looked for under one column: the one that the claim names, or that has all but one.
        """
        said = self.said
        amounts = [one for one in self._plain_amounts() if not self._is_count(one)]
        counts = [one for one in said.amounts() if one not in amounts]
        if len(amounts) != len(said.names) or any(one.low != len(amounts) for one in counts):
            return None
        items = sorted(
            [*((span, False) for span, _ in said.names), *((a.span, True) for a in amounts)]
        )
        order = [is_amount for _, is_amount in items]
        half = len(order) // 2
        if order not in (
            [False, True] * half,
            [True, False] * half,
            [False] * half + [True] * half,
        ):
            return None
        best: tuple[int, int, str] = (0, 0, "")
        for column in said.by_column:
            values = said.values(column)
            held = [math.isclose(values.get(at, math.nan), one.low) for at, one in
                    zip(self.named, amounts, strict=True)]  # fmt: skip
            if all(at in values for at in self.named):
                best = max(best, (sum(held), said.said.get(column, 0), column))
        hits, named, column = best
        if not column or not (hits == len(amounts) or named or hits >= max(2, len(amounts) - 1)):
            return None
        self.counts, self.given = list(counts), {one.low for one in amounts}
        message = self._held(column, self.named)
        results = [(hits == len(amounts), message)]
        return self._made(results, Span(0, len(self.claim)), told=True, sure=True)

    # --- quantifiers ----------------------------------------------------------------------------

    def _is_limit(self, measure: Measure) -> bool:
        """Whether a comparative is the bound of an amount: "more than 100 euros"."""
        return any(
            one.low != one.high and one.span.start - measure.span.end <= 8
            for one in self.said.facts.quantities
        )

    def _limits(self) -> list[Condition]:
        """Amounts that rows have: "cost more than 100 euros", "have three users"."""
        said, found = self.said, []
        amounts = said.amounts()
        for amount in amounts:
            if self._is_count(amount):
                self.counts.append(amount)
                continue
            columns = said.under(amount)
            if len(columns) != 1:
                return []
            values = said.values(columns[0])
            has = {at: amount.low <= value <= amount.high for at, value in values.items()}
            at_end = [at for at, value in values.items() if value in (amount.low, amount.high)]
            if amount.low != amount.high:
                for at in at_end:  # whether "more than 12" takes in the 12 is not told here
                    del has[at]
            found.append(Condition(f"{columns[0]}: {amount.span.of(self.claim)}", amount.span, has))
        return found

    def _plain_amounts(self) -> list[Quantity]:
        """The claim's amounts that are no bounds: "at €9 per month"."""
        return [one for one in self.said.amounts() if one.low == one.high]

    def _is_count(self, amount: Quantity) -> bool:
        """Whether an amount is a number of rows: "two orders", "three of the four plans"."""
        if amount.unit or amount.low < 0 or amount.low % 1:
            return False
        behind = self.claim[amount.span.end :]
        if re.match(r"\s+(?:out )?of (?:the|these|those|them|\w+\b)", behind):
            return True
        return bool(amount.noun) and self.said.may_be_row(amount.noun)

    def _quantified(self, conditions: Sequence[Condition]) -> Signal | None:
        said, rows = self.said, range(len(self.said.table.rows))
        if _SUMMED.search(self.claim):
            return None
        if not conditions:
            return self._number_of_rows()
        asked = self.named if said.change is not None and not self.counts else rows
        if any(at not in one.of for one in conditions for at in asked or rows):
            return None  # of an empty cell nobody knows
        fit = [at for at in rows if all(one.of.get(at, False) for one in conditions)]
        told = "; ".join(one.told for one in conditions)
        span = conditions[0].span
        excepted = _EXCEPT.search(self.claim)
        if self.named:
            if excepted and _ALL.search(self.claim) and excepted.end() <= said.names[0][0].start:
                right = sorted(fit) == [at for at in rows if at not in self.named]
            elif [one.low for one in self.counts] in ([], [len(self.named)]) and (
                self.counts or self._only()
            ):
                right = sorted(fit) == sorted(self.named)
            elif said.change is not None and not self.counts and not _ONLY.search(self.claim):
                right = all(at in fit for at in self.named)
                fit = [at for at in fit if at in self.named]
            else:
                return None
        elif _NONE.search(self.claim) and not self.counts:
            right = not fit
        elif _ALL.search(self.claim) and not self.counts and excepted is None:
            if _DENIED.search(self.claim):
                return None
            right = len(fit) == len(rows)
        elif self.counts:
            count = self.counts[0]
            right = count.low <= len(fit) <= count.high
            if len(self.counts) > 1:
                right &= self.counts[1].low == len(rows)
        else:
            return None
        changed = said.change is not None
        return self._made(
            [(right, self._listed(told, fit))], span, told=changed, sure=said.table.whole
        )

    def _number_of_rows(self) -> Signal | None:
        """A claim that says nothing but how many rows there are."""
        said = self.said
        if len(self.counts) != 1 or self.named or not said.table.whole or said.measure:
            return None
        if not re.match(r"\W*(?:there (?:are|were)|the \w+ (?:has|have|lists?|contains?|shows?))\b",
                        self.claim, re.IGNORECASE):  # fmt: skip
            return None
        rows = len(said.table.rows)
        right = self.counts[0].low <= rows <= self.counts[0].high
        message = f"The source lists {rows} of them."
        return self._made([(right, message)], self.counts[0].span, told=False, sure=True)

    def _only(self) -> bool:
        """Whether something is said of the named rows alone: "only A", "A is the only one"."""
        for found in _ONLY.finditer(self.claim):
            first = self.said.names[0][0]
            between = self.claim[found.end() : first.start] if found.end() <= first.start else "-"
            the = re.search(r"\bthe\s+$", self.claim[: found.start()], re.IGNORECASE)
            if re.fullmatch(r"\s+(?:the\s+|in\s+|\w+s\s+)?", between) or the:
                return True
        return False

    def _listed(self, told: str, fit: Sequence[int]) -> str:
        names = ", ".join(self.said.title(at) for at in fit[:_MOST_NAMED])
        more = f" and {len(fit) - _MOST_NAMED} more" if len(fit) > _MOST_NAMED else ""
        rows = len(self.said.table.rows)
        return f"Of {rows} rows {len(fit)} have {told}" + (f" ({names}{more})." if fit else ".")

    def _made(
        self, results: Sequence[tuple[bool, str]], span: Span, *, told: bool, sure: bool
    ) -> Signal | None:
        """The signal of results that agree; none where the claim says what no table can tell.

        told: whether what is compared is plain, whatever the verb. sure: whether no row is missing
        that might say otherwise.
        """
        said = self.said
        if not results or len({right for right, _ in results}) != 1:
            return None
        if any(not told or pos not in _VERBS for pos in said.unknown):
            return None
        right, message = results[0]
        if right:
            own = (said.table.rows[at].cells for at in self.named)
            known = {a.low for cells in own for cell in cells if (a := cell.amount)}
            known |= {one.low for one in self.counts} | self.given
            if not sure or any(one.low not in known for one in self._plain_amounts()):
                return None
            # Every word of the claim is accounted for, so no other rule has to say anything of one.
            return Signal("rows_agree", Stance.SUPPORTS, WEIGHT, message, Span(0, len(self.claim)))
        return Signal("rows_conflict", Stance.CONTRADICTS, WEIGHT, message, span)
