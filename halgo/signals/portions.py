"""Segmentation of long claims: the portions that rules look at as if they were sentences.

Rules hold each amount, date and word of a claim against each of a passage. A sentence has at most
`LONGEST` characters, so that this stays cheap; only a claim of the caller's own may have any
length, and is looked at in the stretches in which it was parsed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TypeVar

from halgo.facts.parse import stretches
from halgo.types import Date, Facts, Name, Pair, Predicate, Quantity, Signal, Span, Term

_Fact = TypeVar("_Fact", Quantity, Date, Name, Predicate, Term)


@dataclass(frozen=True, slots=True)
class Portion:
    """A claim, or a stretch of it from `start` on, beside a passage: `pair` of `pairs[at]`."""

    at: int
    start: int
    pair: Pair

    def placed(self, signal: Signal) -> Signal:
        """The signal with its span moved from the portion into the claim."""
        if not self.start or signal.claim_span is None:
            return signal
        return replace(signal, claim_span=signal.claim_span.shift(self.start))


def portions(pairs: Sequence[Pair]) -> list[Portion]:
    """The portions of all pairs; those of one claim together, each beside all its passages."""
    found: list[Portion] = []
    for _, group in groupby(enumerate(pairs), key=lambda one: id(one[1].claim)):
        mine = list(group)
        claim, facts = mine[0][1].claim, mine[0][1].claim_facts
        spans = stretches(claim.text)
        if len(spans) == 1:
            found += (Portion(at, 0, pair) for at, pair in mine)
            continue
        for span, held in zip(spans, _divided(facts, spans), strict=True):
            text = span.of(claim.text)
            part = replace(claim, text=text, resolved=text)
            found += (
                Portion(at, span.start, replace(pair, claim=part, claim_facts=held))
                for at, pair in mine
            )
    return found


def _divided(facts: Facts, spans: Sequence[Span]) -> list[Facts]:
    """The facts that stand in each of the stretches, their spans counted from its start."""
    starts = [span.start for span in spans]

    def divided(items: Sequence[_Fact]) -> list[tuple[_Fact, ...]]:
        found: list[list[_Fact]] = [[] for _ in spans]
        for item in items:
            at = bisect_right(starts, item.span.start) - 1
            found[at].append(replace(item, span=item.span.shift(-starts[at])))
        return [tuple(some) for some in found]

    terms = divided(facts.terms)
    holding: dict[str, set[int]] = {}
    for at, some in enumerate(terms):
        for term in some:
            holding.setdefault(term.lemma, set()).add(at)
    ties: list[list[tuple[str, str, str]]] = [[] for _ in spans]
    for tie in dict.fromkeys(facts.relations):
        for at in holding.get(tie[0], set()) & holding.get(tie[2], set()):
            ties[at].append(tie)
    return [
        Facts(amounts, dates, names, predicates, some, tuple(relations))
        for amounts, dates, names, predicates, some, relations in zip(
            divided(facts.quantities),
            divided(facts.dates),
            divided(facts.names),
            divided(facts.predicates),
            terms,
            ties,
            strict=True,
        )
    ]
