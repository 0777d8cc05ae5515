"""A claim's amounts as its passages write them, for a reader that knows no arithmetic.

That 0.78 kilowatts are 780 W, and 90 minutes 1.5 hours, is worked out exactly; a model of language
guesses it. No value changes, only its writing, and so no false claim becomes a true one.
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
from halgo.types import Pair, Quantity, Span


def as_written(pairs: Sequence[Pair]) -> list[tuple[Span, str]]:
    """Stretches of one claim with an amount, each with the first other writing of it in a passage.

    pairs: the claim beside its passages, best first. Not of an amount that one of them writes as
    the claim does.
    """
    if not pairs:
        return []
    found = []
    for amount in pairs[0].claim_facts.quantities[:MOST_CLAIMED]:
        if amount.low != amount.high:
            continue  # "more than 10" is met by 12, and not written so
        given = list(_same(amount, pairs))
        words = set(amount.span.of(pairs[0].claim.text).casefold().split())
        # A number alone, as the cell of a table has it, has lost its unit.
        if given and not any(words.issuperset(one.casefold().split()) for one in given):
            found.append((amount.span, given[0]))
    return found


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
