"""Dates that follow from another date and a length of time: "expires on 15 January 2027".

The sources give the beginning and the term ("takes effect on 15 January 2024", "36 months"), a
claim the end, which stands nowhere. That a day is hit by chance is unlikely where a document has
few dates and terms; a whole month is taken for one only where the claim speaks of the term.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice

from halgo.facts.period import moved, so_many_months
from halgo.facts.units import DAY, YEAR
from halgo.protocols import Lexicon
from halgo.signals.quantities.likeness import likeness
from halgo.signals.segments import shown
from halgo.types import Date, Pair, Quantity, Signal, Stance

# A day is enough to support a claim, a month settles only what misses it.
_OF_DAY, _OF_MONTH = 0.7, 0.6
_CENTURY = 100 * YEAR
_LONGEST = 31  # days of a claim's date
_MOST = 40  # pairs of a date and a term
_ALIKE = 0.3  # how alike the parts of a claim's month and of a term have to be


@dataclass(frozen=True, slots=True)
class _Term:
    """A length of time in seconds, and as it is written."""

    size: float
    written: str
    amount: Quantity


def signals(pairs: Sequence[Pair], lexicon: Lexicon) -> list[tuple[Signal, ...]]:
    """For each passage of one claim the dates of the claim that follow from all of them."""
    none: list[tuple[Signal, ...]] = [() for _ in pairs]
    asked = [one for one in (pairs[0].claim_facts.dates if pairs else ()) if _is_asked(one, pairs)]
    if not asked:
        return none
    known = [
        (day, day.span.of(pair.evidence.reading.text))
        for pair in pairs
        for day in pair.evidence_facts.dates
    ]
    known += [(day, day.span.of(pairs[0].claim.text)) for day in pairs[0].claim_facts.dates]
    starts = {day.first: written for day, written in reversed(known) if day.first == day.last}
    terms: dict[float, tuple[int, _Term]] = {}
    for row, pair in enumerate(pairs):
        for term in _terms(pair):
            terms.setdefault(term.size, (row, term))
    found: list[list[Signal]] = [[] for _ in pairs]
    for target in asked:
        tried = (
            (start, row, term)
            for start in sorted(starts)
            for row, term in terms.values()
            if start != target.first
        )
        for start, row, term in islice(tried, _MOST):
            if _hits(target, start, term) and _is_meant(target, term):
                said = target.span.of(pairs[0].claim.text)
                working = f"{' '.join(starts[start].split())} + {term.written}"
                message = f"{said} = {working} (sources)"
                found[row].append(
                    Signal(
                        "derived",
                        Stance.SUPPORTS,
                        _OF_DAY if target.first == target.last else _OF_MONTH,
                        message,
                        target.span,
                        None,
                        (said, working),
                    )
                )
                break
    return [tuple(some) for some in found]


def _is_asked(day: Date, pairs: Sequence[Pair]) -> bool:
    """Whether a date of the claim is a day or a month that no passage has."""
    if day.approximate or (day.last - day.first).days > _LONGEST:
        return False
    return not any(
        day.first <= other.first and other.last <= day.last
        for pair in pairs
        for other in pair.evidence_facts.dates
    )


def _terms(pair: Pair) -> Iterator[_Term]:
    text = pair.evidence.reading.text
    for amount in pair.evidence_facts.quantities:
        ends = {end for end in (amount.low, amount.high) if DAY <= end < _CENTURY}
        if amount.unit != "second" or len(ends) != 1:
            continue
        yield _Term(ends.pop(), shown(text, amount.span), amount)


def _hits(target: Date, start: date, term: _Term) -> bool:
    """Whether a term from a day on ends within the claim's date; of months on its eve, too."""
    end = moved(start, term.size)
    eves = (0,) if so_many_months(term.size) is None else (0, 1)
    return end is not None and any(
        target.first <= end - timedelta(days=eve) <= target.last for eve in eves
    )


def _is_meant(target: Date, term: _Term) -> bool:
    """Whether the claim's date may be the end of this term: of a month by what is said of both."""
    if target.first == target.last:
        return True
    return likeness("", target.context, term.amount.noun, term.amount.context).strength >= _ALIKE
