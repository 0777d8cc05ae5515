"""Role reversal: a claim in which two of a sentence's parts have changed places.

A predicate's arguments are held by place: its subject, its object, and the nouns that its
prepositions bring ("reports to", "sold to", "works for"). When the passage has the claim's verb
with the same two words in each other's places, and nowhere has them as the claim does, the claim
has it the wrong way round. Verbs that say the same from both sides (marry, merge) are left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from halgo.facts.words import words
from halgo.signals.matching import Arguments, Match
from halgo.signals.texts import Fillers, Texts
from halgo.types import Facts, Name, Predicate, Signal, Stance

_WEIGHT = 0.85
_SYMMETRIC = words(
    "marry merge meet partner compete border equal be cooperate collaborate cohabit differ match "
    "resemble intersect adjoin neighbour neighbor coincide correspond compare combine unite tie "
    "draw argue fight clash debate negotiate agree disagree talk speak converse interact connect "
    "link relate associate divorce date exchange swap trade share separate similar equivalent "
    "identical adjacent close near next opposite parallel sibling brother sister cousin twin "
    "friend colleague spouse neighbor rival competitor partner classmate teammate roommate "
    "relative engage overlap join mix attach related married different distinct apart far "
    "between balance alternate intermarry correlate"
)
# What causes what is told by many words and may well go both ways; `event_links` reads all of them.
_CAUSAL = words("cause lead result trigger prompt contribute")
_EITHER_WAY = _SYMMETRIC | _CAUSAL


def swapped(texts: Texts) -> list[Signal]:
    """swapped_names signals, at most one per predicate of the claim."""
    pair = texts.pair
    passage = pair.evidence_facts.predicates[:160]
    best = pair.evidence.best
    found: list[Signal] = []
    for said in pair.claim_facts.predicates[:40]:
        if said.negated or said.frame in ("if", "ask") or said.lemma in _EITHER_WAY:
            continue
        same = [
            other
            for other in passage
            if other.negated == said.negated and texts.said(said, other) == 1
        ]
        if not any(other.span.overlaps(best) for other in same):
            continue  # what is told elsewhere is no sign of an exchange
        ours = texts.our_places.of(said)
        if len(ours) < 2:
            continue
        rivals = [(other, texts.their_places.of(other)) for other in same]
        near = [(other, places) for other, places in rivals if other.span.overlaps(best)]
        for one, second in _twos(ours):
            signal = _judged(texts, said, ours, near, one, second)
            if signal is None:
                continue
            if not any(_agrees(texts, ours, places, one, second) for _, places in rivals):
                found.append(signal)
                break
    return found


def _twos(places: Fillers) -> Iterator[tuple[str, str]]:
    names = list(places)
    for i, one in enumerate(names):
        for second in names[i + 1 :]:
            yield one, second


def _agrees(texts: Texts, ours: Fillers, theirs: Fillers, one: str, second: str) -> bool:
    """Whether the passage may have the claim's words in the claim's own places.

    Not where it has just these words, each in the other's place: "the company acquired Saltmarsh"
    leaves open who the company is, but not that Saltmarsh acquired it.
    """
    if _crossed(texts, ours, theirs, one, second):
        straight = (_surest(texts, ours[place][0], theirs[place]) for place in (one, second))
        return all(match is Match.SAME for match in straight)  # "this engine", "that engine"
    return all(
        any(texts.match(ours[place][0], other) is not Match.DIFFERENT for other in theirs[place])
        for place in (one, second)
        if place in theirs
    ) and (one in theirs or second in theirs)


def _judged(
    texts: Texts,
    said: Predicate,
    ours: Fillers,
    rivals: list[tuple[Predicate, Fillers]],
    one: str,
    second: str,
) -> Signal | None:
    for other, theirs in rivals:
        if _crossed(texts, ours, theirs, one, second):
            return _exchanged(texts, said, other, ours[one][0], ours[second][0])
    return None


def _crossed(texts: Texts, ours: Fillers, theirs: Fillers, one: str, second: str) -> bool:
    """Whether the claim's words fill each other's places in the passage."""
    return (
        one in theirs
        and second in theirs
        and _surest(texts, ours[one][0], theirs[second]) is Match.SAME
        and _surest(texts, ours[second][0], theirs[one]) is Match.SAME
    )


def _surest(texts: Texts, ours: str, theirs: list[str]) -> Match:
    return max(texts.match(ours, other) for other in theirs)


def _exchanged(texts: Texts, said: Predicate, other: Predicate, a: str, b: str) -> Signal:
    """The signal that `a` and `b`, lemmas of the claim, stand the other way round."""
    claim, source = texts.pair.claim.text, texts.pair.evidence.reading.text
    shown = [_written(word, texts.mine, texts.pair.claim_facts, claim) for word in (a, b)]
    message = f'In the source "{shown[0]}" and "{shown[1]}" stand the other way round.'
    values = (said.span.of(claim), other.span.of(source))
    return Signal(
        "swapped_names", Stance.CONTRADICTS, _WEIGHT, message, said.span, other.span, values
    )


def _written(lemma: str, arguments: Arguments, facts: Facts, text: str) -> str:
    """A word or the name it belongs to as the text has it."""
    names: list[Name] = arguments.names(lemma)
    if names:
        return names[0].text
    spans = (term.span for term in facts.terms if term.lemma == lemma)
    span = next(spans, None)
    return span.of(text) if span else lemma
