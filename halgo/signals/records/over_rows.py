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

from halgo.evidence.lexical import overlap
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
_ALL = re.compile(
    r"(?<!\bin )\b(?:all|every|each)\b(?!\s+(?:year|month|day|week|other))", re.IGNORECASE
)
_NO_OTHER = re.compile(r"^\W*(?:no|none of the) other\b.*\bthan\b", re.IGNORECASE)
_NONE = re.compile(
    r"\b(?:none|neither)\b|^\W*no\b(?! one\b)|\bnot (?:one|a single)\b", re.IGNORECASE
)
_ONLY = re.compile(r"\b(?:only|solely|exclusively|alone)\b", re.IGNORECASE)
_EXCEPT = re.compile(r"\b(?:except(?: for)?|apart from|other than|but|besides)\b", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:not|never|nor|neither|hardly|cannot)\b|n['\u2019]t\b", re.IGNORECASE)
_SUMMED = re.compile(
    r"\b(?:total\w*|sum|average\w*|mean|together|combined|altogether|in all|add(?:s|ed)? up"
    r"|c(?:o|a)mes? to|makes? up)\b",
    re.IGNORECASE,
)
_SUM_OF = re.compile(r"\b(?:total|sum|average|mean)\b[^.]{0,20}\b(?:of|for|over|across)\b", re.I)
_HEDGED = re.compile(
    r"\b(?:(?:almost|nearly|virtually|practically|mostly|about|roughly|around|not)"
    r" (?:all|every|none|no)|if|unless|would|could|may|might"
    r"|(?:among|one of) the (?:most|least|\w+est))\b",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"\b(?:(?P<above>above|over|exceed(?:s|ed|ing)?|beats?"
    r"|(?:more|higher|greater|larger|longer) than)"
    r"|(?P<below>below|under|short of|(?:less|lower|fewer|smaller|shorter) than))\b",
    re.IGNORECASE,
)
_WITHOUT = re.compile(r"\b(?:without|no|not|never|none|free of)\b|n['\u2019]t\b", re.IGNORECASE)
_SAME = re.compile(
    r"(?<!almost )(?<!nearly )(?<!about )"
    r"\b(?:the same|equal(?:ly)?|as (?!well |soon |far )\w+ as)\b",
    re.IGNORECASE,
)
# What may stand between "than" and the name of the other row.
_TO_NAME = re.compile(r"\s+(?:[^\W\d]+\s+){0,3}")
_WITH = re.compile(r"\b(?:including|excluding|incl|excl|plus|net of|before|after)\b", re.IGNORECASE)
_MEAN = re.compile(r"\b(?:average\w*|mean)\b", re.IGNORECASE)
_JOINED = re.compile(r"\b(?:and|or)\b|,", re.IGNORECASE)
_INCLUSIVE = re.compile(
    r"\b(?:at least|at most|up to|or (?:more|less|fewer|over|under)|from|minimum|maximum"
    r"|(?:no|not) (?:more|less|fewer|longer|shorter|higher|lower) than)\b",
    re.IGNORECASE,
)
_BESIDE = 16  # characters on either side of an amount in which it is told what bound it is
_SAYS_IT = 0.5  # share of a claim's content words from which on a passage may tell it by itself
_MOST_COUNTED = 20
_DESCRIBES = 6  # characters between the name of a row and what it is further told to be
_ROUND = 0.005  # how far an amount may be rounded, as a share of it
_UNASKED = frozenset({"VERB", "AUX", "ADV"})  # words that restrict no rows where the rest is plain


def _fits(at: int, own: int, filters: Sequence[Condition]) -> bool:
    """Whether a row has what the claim says of row `own`, as far as that has it."""
    return all(at in one.of for one in filters) and all(
        one.of[at] for one in filters if one.of.get(own, False)
    )


def _takes_in_its_end(claim: str, amount: Span) -> bool:
    """Whether a bound holds of its own value, too: "at least 12", "12 or more"."""
    around = claim[max(0, amount.start - _BESIDE) : amount.end + _BESIDE]
    return _INCLUSIVE.search(around) is not None


def _is_apart(one: float, two: float, amount: Quantity) -> bool:
    """Whether two values differ by an amount: as their difference, or as a share or a multiple."""
    apart = abs(one - two)
    if amount.unit in ("times", "fraction") and one * two:
        more, less = max(one, two), min(one, two)
        apart = more / less if amount.unit == "times" else apart / abs(two)
    return math.isclose(apart, amount.low, rel_tol=_ROUND, abs_tol=amount.step / 2)


def asks(claim: str) -> bool:
    """Whether a claim may speak of several rows of a table."""
    return len(claim) <= _LONGEST and _ASKS.search(claim) is not None


def signals(pairs: Sequence[Pair], lexicon: Lexicon) -> list[list[Signal]]:
    """For each passage of one claim at most one signal: what its table makes of the claim."""
    told: dict[int, list[Signal]] = {}
    for pair in pairs:
        table = pair.table
        if table is not None and id(table) not in told:
            signal = _told(pair, table, lexicon)
            told[id(table)] = [signal] if signal is not None else []
    found = [list(told.get(id(pair.table), [])) for pair in pairs]
    seen = [(pair, one) for pair, some in zip(pairs, found, strict=True) for one in some]
    if any(one.stance is Stance.SUPPORTS for _, one in seen):
        return found
    against = {pair.evidence.chunk.doc_id: one for pair, one in reversed(seen)}
    for pair, some in zip(pairs, found, strict=True):
        best = pair.evidence.best.of(pair.evidence.reading.text)
        if not some and overlap(pair.claim.text, best) < _SAYS_IT:
            # What the rows deny, a passage of their document with few of its words does not say.
            some += [one for doc_id, one in against.items() if doc_id == pair.evidence.chunk.doc_id]
    return found


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
        self.unplaced = False  # whether an amount of the claim is of no column
        self.given: set[float] = set()  # amounts of the claim that are worked out

    def signal(self) -> Signal | None:
        """At most one, of the first of these operations that the claim asks for."""
        said = self.said
        measure = said.measure
        if measure is not None and measure.superlative and len(self.named) == 1:
            return self._superlative(measure)
        if measure is not None and len(self.named) == 1 and _NO_OTHER.search(self.claim):
            return self._superlative(measure)
        if measure is not None and not measure.superlative and len(self.named) == 2:
            compared = self._comparison(measure)
            if compared is not None or said.change is None:
                return compared
        if len(self.named) == 2 and (same := self._same()) is not None:
            return same
        if len(self.named) > 1 and (each := self._enumerated()) is not None:
            return each
        if len(self.named) == 1 and (beside := self._columns_compared()) is not None:
            return beside
        limits = [one for _, one in self._limits()]
        summed = _SUMMED.search(self.claim)
        every = _ALL.search(self.claim) or _NONE.search(self.claim)
        whole = _SUM_OF.search(self.claim) or not (every or (summed and said.is_column(summed[0])))
        if summed and whole:
            return self._summed()
        conditions = [*said.conditions, *([said.change] if said.change else []), *limits]
        if measure is not None and said.change is None and not self._is_limit(measure):
            return None
        conditions = conditions or self._some()
        named = any(one.told.partition(":")[0] in said.said for one in said.conditions)
        told = said.change is not None or bool(limits) or named
        return self._quantified(conditions, told=told)

    # --- order ----------------------------------------------------------------------------------

    def _superlative(self, measure: Measure) -> Signal | None:
        """The named row against all others that are as the claim says."""
        said, (own,) = self.said, self.named
        if measure.rank > 1 and not said.table.whole:
            return None
        filters, taken = self._filters(own)
        fit = [at for at in range(len(said.table.rows)) if _fits(at, own, filters)]
        results: list[tuple[bool, str]] = []
        complete = len(fit) == len(said.table.rows) or bool(filters)
        columns, told = said.columns_of(measure, taken)
        for column, sign in columns:
            values = said.values(column)
            way = sign if measure.more else -sign
            some = {at: values[at] * way for at in fit if at in values}
            if own not in some or len(some) < 2:
                return None
            held = said.by_column[column]  # what is empty does not compete, "on request" may
            complete &= all(at in values for at in fit if at in held)
            ranked = sorted(some, key=lambda at: -some[at])
            better = [at for at in ranked if some[at] > some[own]]
            level = [at for at in ranked if some[at] == some[own] and at != own]
            if level and len(better) < measure.rank and measure.superlative:
                return None
            right = len(better) == measure.rank - 1
            first = ranked[measure.rank - 1] if len(ranked) >= measure.rank else own
            results.append((right, self._held(column, [first, own])))
        return self._made(results, measure.span, told=told, sure=complete and said.table.whole)

    def _filters(self, own: int) -> tuple[list[Condition], set[str]]:
        """What the rows have that a claim of one row compares, and the columns of their amounts.

        An amount that no other row has is told of the row itself: "the cheapest at €9".
        """
        name = self.said.names[0][0]
        # "INV-7 to Harbour Ltd": no invoice of others is left out.
        found = [c for c in self.said.conditions if not 0 <= c.span.start - name.end <= _DESCRIBES]
        taken = set[str]()
        for column, one in self._limits():
            if one.of.get(own) and sum(one.of.values()) > 1:
                found.append(one)
                taken.add(column)
                self.given.add(self.said.values(column)[own])
        return found, taken

    def _comparison(self, measure: Measure) -> Signal | None:
        """Two named rows, one on either side of "than", "before" or "after"."""
        said = self.said
        (first, one), (second, two) = said.names
        both = all(each.of.get(one) and each.of.get(two) for each in said.conditions)
        than = re.search(r"\bthan\b", self.claim[first.end :], re.IGNORECASE)
        middle = first.end + than.start() if than else measure.span.start
        if not first.end <= middle < second.start or _DENIED.search(self.claim):
            return None
        if than and not _TO_NAME.fullmatch(self.claim, middle + len("than"), second.start):
            return None
        results: list[tuple[bool, str]] = []
        columns, told = said.columns_of(measure)
        for column, sign in columns:
            values = said.values(column)
            if one not in values or two not in values:
                return None
            apart = (values[one] - values[two]) * (sign if measure.more else -sign)
            by = self._plain_amounts()
            held = [
                self._is_held(amount) or _is_apart(values[one], values[two], amount)
                for amount in by
            ]
            if apart > 0 and not all(held):
                return None  # the amount may be of another column
            right = apart > 0
            results.append((right, self._held(column, [one, two])))
            self.given |= {amount.low for amount in by if right}
        return self._made(results, measure.span, told=told, sure=both)

    def _is_held(self, amount: Quantity) -> bool:
        """Whether a named row has an amount of the claim: "Pro, at €49, costs more than Basic"."""
        rows = (self.said.table.rows[at] for at in self.named)
        unit = amount.unit.partition("/")[0]
        held = (cell.amount for row in rows for cell in row if cell.amount)
        return any((a.low, a.unit.partition("/")[0]) == (amount.low, unit) for a in held)

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

    def _same(self) -> Signal | None:
        """Two named rows that are said to have as much: "the same price", "as many seats as"."""
        cue = _SAME.search(self.claim)
        if any(one.unit in ("times", "fraction") for one in self.said.facts.quantities):
            return None  # "three times as long as"
        column = self.said.column_in(Span(0, len(self.claim)))
        values = self.said.values(column) if column else {}
        if cue is None or _DENIED.search(self.claim) or any(at not in values for at in self.named):
            return None
        one, two = (values[at] for at in self.named)
        results = [(one == two, self._held(column, self.named))]
        return self._made(results, Span(*cue.span()), told=True, sure=True)

    def _enumerated(self) -> Signal | None:
        """An amount for each named row: "Starter at €19, Team at €49", "A and B cost 5 and 6".

        They are looked for under one column: the one that the claim names, or that has all but one.
        """
        said = self.said
        amounts = [one for one in self._plain_amounts() if not self._is_count(one)]
        counts = [one for one in said.amounts() if one not in amounts]
        if len(amounts) != len(said.names) or any(one.low != len(amounts) for one in counts):
            return None
        units = {one.unit for one in amounts} - {""}
        if len(units) > 1 or (units and amounts and not amounts[0].unit):
            return None  # "10 users and Basic costs €40"; but "2 minutes, the next 7"
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
        scores: dict[str, tuple[int, int]] = {}
        for column in said.by_column:
            values = said.values(column)
            held = [said.has(at, column, one) for at, one in zip(self.named, amounts, strict=True)]
            if all(at in values for at in self.named):
                scores[column] = (sum(held), said.said.get(column, 0))
        (hits, named) = max(scores.values(), default=(0, 0))
        first = [column for column, score in scores.items() if score == (hits, named)]
        column = first[0] if len(first) == 1 else ""
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

    def _limits(self) -> list[tuple[str, Condition]]:
        """Amounts that rows have, by column: "cost more than 100 euros", "have three users".

        What is a number of rows goes to `counts`; `unplaced` tells of one that is of no column.
        """
        said = self.said
        found: list[tuple[str, Condition]] = []
        self.counts, self.unplaced = [], False
        for amount in said.amounts():
            if self._is_count(amount):
                self.counts.append(amount)
                continue
            columns = said.under(amount)
            if len(columns) != 1:
                self.unplaced = True
                continue
            values, by = said.values(columns[0]), said.scale(amount, columns[0])
            if by is None:
                self.unplaced = True
                continue
            low, high = amount.low * by, amount.high * by
            has = {at: low <= value <= high for at, value in values.items()}
            at_end = [at for at, value in values.items() if value in (low, high)]
            if amount.low != amount.high and not _takes_in_its_end(self.claim, amount.span):
                for at in at_end:
                    has[at] = False  # "more than 12" leaves 12 out
            written = amount.span.of(self.claim)
            found.append((columns[0], Condition(f"{columns[0]}: {written}", amount.span, has)))
        return found

    def _some(self) -> list[Condition]:
        """The one column of amounts that rows are said to have, or not: "without a setup fee"."""
        said = self.said
        whole = Span(0, len(self.claim))
        column = said.column_in(whole)
        if not column or not (_ALL.search(self.claim) or _NONE.search(self.claim) or self.named):
            return []
        none = _NONE.search(self.claim)
        denied = _WITHOUT.search(self.claim, none.end() if none else 0) is not None
        has = {at: bool(value) != denied for at, value in said.values(column).items()}
        return [Condition(f"{column}: {'none' if denied else 'some'}", whole, has)]

    def _summed(self) -> Signal | None:
        """The total or the average of a column over all rows, or over those that are so."""
        said = self.said
        amounts = [one for one in said.amounts() if one not in self.counts]
        if len(amounts) != 1 or self.named or said.measure or said.change or not said.table.whole:
            return None
        (amount,) = amounts
        columns = said.under(amount, every=_WITH.search(self.claim) is not None)
        fit = [
            at
            for at in range(len(said.table.rows))
            if all(one.of.get(at, False) for one in said.conditions)
        ]
        if len(fit) < 2 or any(one.low != len(fit) for one in self.counts):
            return None
        mean = _MEAN.search(self.claim) is not None
        called = "average" if mean else "total"
        results: list[tuple[bool, str]] = []
        for column in columns:
            values, by = said.values(column), said.scale(amount, column)
            if by is None or any(at not in values for at in fit):
                return None
            result = math.fsum(values[at] for at in fit) / (len(fit) if mean else 1) / by
            rough = amount.approximate or mean
            room = max(amount.step / 2, _ROUND * abs(result) if rough else 1e-9 * abs(result))
            right = amount.low - room <= result <= amount.high + room
            message = f'The {called} of "{column}" over {len(fit)} rows is {result * by:.10g}.'
            results.append((right, message))
        self.given = {amount.low}
        hits = [one for one in results if one[0]][:1]
        if not hits and len(results) > 1 and len(said.under(amount)) > 1:
            return None
        return self._made(hits or results[:1], amount.span, told=True, sure=True)

    def _plain_amounts(self) -> list[Quantity]:
        """The claim's amounts that are no bounds: "at €9 per month"."""
        return [one for one in self.said.amounts() if one.low == one.high]

    def _is_count(self, amount: Quantity) -> bool:
        """Whether an amount is a number of rows: "two orders", "three of the four plans"."""
        most = max(_MOST_COUNTED, 3 * len(self.said.table.rows))
        if amount.unit or amount.low % 1 or not 0 <= amount.low <= most:
            return False
        behind = self.claim[amount.span.end :]
        if re.match(r"\s+(?:out )?of (?:the|these|those|them|\w+\b)", behind):
            return True
        beside = re.match(rf"\s+(?:[\w'’-]+\s+){{0,3}}{re.escape(amount.noun[:4])}", behind, re.I)
        return bool(amount.noun and beside) and self.said.may_be_row(amount.noun)

    def _quantified(self, conditions: Sequence[Condition], *, told: bool) -> Signal | None:
        """All, none, only, all but some, or so many of the rows are so.

        Of an empty cell nobody knows: such rows neither show that the claim is wrong nor right.
        """
        said, rows = self.said, range(len(self.said.table.rows))
        if not conditions:
            return self._number_of_rows()
        fit = {at for at in rows if all(one.of.get(at, False) for one in conditions)}
        out = {at for at in rows if not all(one.of.get(at, True) for one in conditions)}
        columns = [one.told.partition(":")[0] for one in conditions]
        if self.unplaced or len(set(columns)) < len(columns):  # "shipped or delivered"
            return None
        named = set(self.named)
        excepted = _EXCEPT.search(self.claim)
        if self.named:
            if excepted and _ALL.search(self.claim) and excepted.end() <= said.names[0][0].start:
                wrong = bool(fit & named or out - named)
            elif [one.low for one in self.counts] in ([], [len(self.named)]) and (
                self.counts or self._only()
            ):
                wrong = bool(out & named or fit - named)
            elif said.change is not None and not self.counts and not _ONLY.search(self.claim):
                wrong = bool(out & named)
                fit, out = fit & named, out & named
                rows = range(len(fit) + len(out))
            else:
                return None
        elif self.counts:
            count, unknown = self.counts[0], len(rows) - len(fit) - len(out)
            whole = said.table.whole
            wrong = len(fit) > count.high or (whole and len(fit) + unknown < count.low)
            if len(self.counts) > 1 and whole:  # "of Maren's three orders": those that are Maren's
                each = [sum(one.of.values()) for one in conditions]
                wrong |= self.counts[1].low not in (len(rows), *each)
            if not wrong and unknown and not count.low <= len(fit) <= count.high:
                return None
            out = set(rows) - fit
        elif _NONE.search(self.claim):
            wrong = bool(fit)
        elif _ALL.search(self.claim) and excepted is None and not _DENIED.search(self.claim):
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
        sure = said.table.whole and (wrong or len(fit) + len(out) == len(rows) > 0)
        message = self._listed("; ".join(one.told for one in conditions), sorted(fit))
        return self._made([(not wrong, message)], conditions[0].span, told=told, sure=sure)

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

        told: whether what is compared is plain, whatever the verb. sure: whether nothing is missing
        that might say otherwise of what agrees.
        """
        said = self.said
        if not results or len({right for right, _ in results}) != 1:
            return None
        if any(not told or pos not in _UNASKED for pos in said.unknown):
            return None
        right, message = results[0]
        if not right and any(one.approximate for one in said.amounts()):
            return None
        if right:
            own = (said.table.rows[at] for at in self.named)
            known = {a.low for cells in own for cell in cells if (a := cell.amount)}
            known |= {one.low for one in self.counts} | self.given
            if not sure or any(one.low not in known for one in self._plain_amounts()):
                return None
            # Every word of the claim is accounted for, so no other rule has to say anything of one.
            return Signal("rows_agree", Stance.SUPPORTS, WEIGHT, message, Span(0, len(self.claim)))
        return Signal("rows_conflict", Stance.CONTRADICTS, WEIGHT, message, span)
