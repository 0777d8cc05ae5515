"""Role likeness: whether two amounts, or two dates, play the same part in their sentences.

Only then can they disagree: "a fee of 5%" and "a discount of 10%" are both true. The part is
told by what is counted or measured, by the words the amount hangs from, and by how much of the
claim's sentence the passage's sentence says as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from halgo.types import Facts, Pair, Span

# Parts of speech whose lemmas tell what a sentence is about.
_CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ"})


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike two parts are.

    noun: True same, False different, None where one is not known. overlap: share of the smaller
    context that both have, in [0, 1]; None where one has none.
    """

    noun: bool | None
    overlap: float | None

    @property
    def strength(self) -> float:
        """In [0, 1]: 0 other parts, 1 the same part, 0.4 where nothing is known."""
        overlap = 0.4 if self.overlap is None else self.overlap
        if self.noun is None:
            return 0.85 * overlap
        return 0.35 + 0.65 * overlap if self.noun else 0.6 * overlap


# A claim about "they" or "he" says too little of whom it is about to be sure of a conflict.
_PRONOUN_SHARE = 0.7
_PRONOUNS = frozenset({"he", "she", "it", "they", "we", "this", "that", "these", "those"})


def certainty(pair: Pair) -> float:
    """What a conflict with the passage is worth, in (0, 1]: less where the claim is of a pronoun.

    Two content words that both have make the pronoun's meaning sure enough.
    """
    first = pair.claim.text.split(maxsplit=1)[:1]
    if not first or first[0].lower() not in _PRONOUNS:
        return 1.0
    common = _lemmas(pair.claim_facts) & _lemmas(pair.evidence_facts, pair.evidence.best)
    return 1.0 if len(common) >= 2 else _PRONOUN_SHARE


@lru_cache(maxsize=4096)
def likeness(
    noun: str, context: frozenset[str], other_noun: str, other_context: frozenset[str]
) -> Likeness:
    """How alike two parts are, each told by its noun and its context."""
    ours = context | {noun} if noun else context
    theirs = other_context | {other_noun} if other_noun else other_context
    same: bool | None = None
    if noun and other_noun:
        same = noun == other_noun or noun in theirs or other_noun in ours
    overlap = len(ours & theirs) / min(len(ours), len(theirs)) if ours and theirs else None
    return Likeness(same, overlap)


def shared_words(pair: Pair) -> float:
    """Share of the claim's content words that the passage's best sentence has too, in [0, 1].

    Numbers do not count; 0 for a claim without content words, and a claim of one or two words
    does not reach 1: that they stand in a sentence too says little.
    """
    claim = _lemmas(pair.claim_facts)
    if not claim:
        return 0.0
    best = _lemmas(pair.evidence_facts, pair.evidence.best)
    few = 0.5 if len(claim) < 3 else 0.0
    return len(claim & best) / (len(claim) + few)


def _lemmas(facts: Facts, within: Span | None = None) -> frozenset[str]:
    return frozenset(
        term.lemma
        for term in facts.terms
        if term.pos in _CONTENT and (within is None or within.overlaps(term.span))
    )


def differently_denied(pair: Pair, about: frozenset[str]) -> bool:
    """Whether the claim denies something and the passage's words about an amount do not, or so.

    `about` are the lemmas around the passage's amount: of the best sentence, only what is denied
    of them counts. "was not the first" and "was the second" are both true.
    """
    claim = any(predicate.negated for predicate in pair.claim_facts.predicates)
    best = any(
        predicate.negated
        for predicate in pair.evidence_facts.predicates
        if predicate.span.overlaps(pair.evidence.best)
        and not about.isdisjoint((predicate.lemma, predicate.subject, predicate.object))
    )
    return claim != best
