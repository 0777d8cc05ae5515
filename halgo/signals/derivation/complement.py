"""Complements: "seven of eleven were met" beside "four of eleven were missed", 66% beside 34%.

What is told of one half of a whole by a word follows for the other half by its opposite.
"""

from __future__ import annotations

from collections.abc import Iterator

from halgo.protocols import Lexicon
from halgo.signals.matching import opposites
from halgo.types import Pair, Quantity, Signal, Span, Stance, Term

_RIGHT = 0.75
_NEAR = 0.02  # how far "two-thirds" may be from the 66% that is left of 34%
_PARTS_OF_SPEECH = frozenset({"NOUN", "VERB", "ADJ", "ADV"})
_MOST = 40  # terms, amounts
_FRACTION = "fraction"


def signals(pair: Pair, lexicon: Lexicon) -> list[Signal]:
    """Signals `derived` of an amount that is the rest, and of the opposite word beside it; or none.

    That another rest is wrong is not said: of what did not improve not all has worsened.
    """
    claimed = [one for one in pair.claim_facts.quantities[:_MOST] if one.low == one.high]
    if not claimed or len(claimed) > 2:
        return []
    best = pair.evidence.best
    given = [
        one
        for one in pair.evidence_facts.quantities[:_MOST]
        if one.span.overlaps(best) and one.low == one.high
    ]
    left = next(_left(claimed, given), None)
    word = _opposite(pair, lexicon) if left is not None else None
    if left is None or word is None or not _covered(pair, word):
        return []
    ours, theirs, formula = left
    said = ours.span.of(pair.claim.text)
    return [
        Signal("derived", Stance.SUPPORTS, _RIGHT, f"{said} = {formula} (sources)", span,
               theirs.span, (said, formula))
        for span in (*(one.span for one in claimed), word.span)
    ]  # fmt: skip


def _left(
    claimed: list[Quantity], given: list[Quantity]
) -> Iterator[tuple[Quantity, Quantity, str]]:
    """An amount of the claim that is what one of the sentence leaves of the whole, and how."""
    for ours in claimed:
        for theirs in given:
            if ours.unit == theirs.unit == _FRACTION and 0 < theirs.low < 1 and len(claimed) == 1:
                rest, rough = 1 - theirs.low, ours.approximate or not ours.step
                room = max(ours.step, theirs.step, _NEAR if rough else 0.0)
                if abs(ours.low - rest) <= room / 2 + 1e-9:
                    yield ours, theirs, f"100% - {100 * theirs.low:.4g}%"
            for whole in claimed:
                bare = not (ours.unit or theirs.unit or whole.unit)
                if not bare or whole is ours or theirs.low >= whole.low or ours.low >= whole.low:
                    continue
                told = any(one.low == whole.low and one is not theirs for one in given)
                if told and ours.low == whole.low - theirs.low:
                    yield ours, theirs, f"{whole.low:g} - {theirs.low:g}"


def _opposite(pair: Pair, lexicon: Lexicon) -> Term | None:
    """The word of the claim in whose place the sentence has its opposite."""
    ours = _terms(pair.claim_facts.terms, None)
    theirs = _terms(pair.evidence_facts.terms, pair.evidence.best)
    for lemma, term in ours.items():
        if lemma not in theirs and any(
            other not in ours and opposites(lemma, other, lexicon) for other in theirs
        ):
            return term
    return None


def _covered(pair: Pair, word: Term) -> bool:
    """Whether the sentence has all other nouns of the claim."""
    theirs = _terms(pair.evidence_facts.terms, pair.evidence.best)
    ours = _terms(pair.claim_facts.terms, None)
    nouns = (lemma for lemma, term in ours.items() if term.pos == "NOUN" and term is not word)
    return all(lemma in theirs for lemma in nouns)


def _terms(terms: tuple[Term, ...], within: Span | None) -> dict[str, Term]:
    return {
        term.lemma: term
        for term in terms[: 4 * _MOST]
        if term.pos in _PARTS_OF_SPEECH and (within is None or term.span.overlaps(within))
    }
