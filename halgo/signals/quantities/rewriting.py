"""A claim's amounts and dates as its passages write them, for a reader that knows no arithmetic.

That 0.78 kilowatts are 780 W, 90 minutes 1.5 hours and 4 March 2026 2026-03-04, is worked out
exactly; a model of language guesses it. No value changes, only its writing, and so no false claim
becomes a true one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from halgo.signals.quantities.relation import (
    MOST_AMOUNTS,
    MOST_CLAIMED,
    Relation,
    in_one_money,
    relation,
)
from halgo.types import Date, Pair, Quantity, Span


def as_written(pairs: Sequence[Pair]) -> list[tuple[Span, str]]:
    """Stretches of one claim with an amount or a date, each with a passage's other writing of it.

    pairs: the claim beside its passages, best first; the first writing counts. Not of what one of
    them writes as the claim does.
    """
    if not pairs:
        return []
    text, facts = pairs[0].claim.text, pairs[0].claim_facts
    told: list[tuple[Span, list[str]]] = [
        (amount.span, list(_same(amount, pairs)))
        for amount in facts.quantities[:MOST_CLAIMED]
        if amount.low == amount.high  # "more than 10" is met by 12, and not written so
    ]
    told += [(day.span, _same_day(day, pairs)) for day in facts.dates[:MOST_CLAIMED]]
    # A number alone, as the cell of a table has it, has lost its unit.
    return [
        (span, given[0])
        for span, given in told
        if given and not any(_words(span.of(text)).issuperset(_words(one)) for one in given)
    ]


def _words(written: str) -> set[str]:
    return set(written.casefold().replace(", ", " ").split())


def _same_day(claimed: Date, pairs: Sequence[Pair]) -> list[str]:
    """How the passages write this day or period.

    A year that the claim leaves out may be there, but none is added to words that are the claim's
    own, nor one of several.
    """
    if claimed.approximate:
        return []
    found = [
        (_days(theirs), " ".join(theirs.span.of(pair.evidence.reading.text).split()))
        for pair in pairs
        for theirs in pair.evidence_facts.dates[:MOST_AMOUNTS]
        if not theirs.approximate and _is_same_day(claimed, theirs)
    ]
    if len({days for days, _ in found}) > 1:
        return []
    said = _words(claimed.span.of(pairs[0].claim.text))
    return [] if any(said <= _words(given) for _, given in found) else [one for _, one in found]


def _is_same_day(claimed: Date, theirs: Date) -> bool:
    if claimed.year_known:
        return theirs.year_known and _days(theirs) == _days(claimed)
    return [day[1:] for day in _days(theirs)] == [day[1:] for day in _days(claimed)]


def _days(period: Date) -> tuple[tuple[int, int, int], ...]:
    return tuple((day.year, day.month, day.day) for day in (period.first, period.last))


def _same(amount: Quantity, pairs: Sequence[Pair]) -> Iterator[str]:
    """How the passages write this amount, or one that it is rounded from."""
    for pair in pairs:
        given = pair.evidence.reading.text
        for theirs in pair.evidence_facts.quantities[:MOST_AMOUNTS]:
            if theirs.low != theirs.high:
                continue
            related = relation(*in_one_money(amount, pair.claim.text, theirs, given))
            # "Some 300" is no other writing of 304.
            rough = theirs.approximate and not amount.approximate
            if related is Relation.SAME or (related is Relation.ROUNDED and not rough):
                yield " ".join(theirs.span.of(given).split())
