"""Claim -> the claim without a detail that no source holds: leave-one-out over its modifiers.

What a sentence can do without, a modifier, a phrase with a preposition, a clause, is a detail of
it: "joined in 2019 as a chemist [from Oslo]". Its subject, its verb and its object are none:
without them something else would be said. Whether the rest is supported is for the check to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from halgo.claims.extract import glued
from halgo.claims.phrases import words
from halgo.types import Claim, ClaimResult, Reading, Signal, Span, Stance, Verdict
from halgo.verdict.sureness import DECIDES

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

MOST = 3  # ways of leaving a detail out that are tried
_PLACES = 2
_LEAST_WORDS = 3
# What can be left out, by its relation to its head (labels of spaCy's English pipelines).
_DETAILS = words(
    "prep agent amod compound nummod advmod npadvmod appos relcl acl advcl conj dative oprd nmod "
    "quantmod"
)
# On the way from a word to what can be left out with it.
_INSIDE = words("pobj pcomp det poss case punct dobj attr acomp nsubj nsubjpass prt")
_BAD = (Verdict.HALLUCINATION, Verdict.WEAK_SUPPORT)


@dataclass(frozen=True, slots=True)
class Rest:
    """A claim without a detail; `detail` are its words, as the claim has them."""

    detail: str
    claim: Claim


def rests(results: Sequence[ClaimResult]) -> list[list[Rest]]:
    """For each result the claim without what no source holds, the least left out first.

    Empty for a claim that is supported or contradicted, and where no detail is missing.
    """
    from halgo.facts.parse import parse

    missing = [_missing(result) for result in results]
    wanted = [at for at, places in enumerate(missing) if places]
    docs = parse([results[at].claim.text for at in wanted]) if wanted else []
    found: list[list[Rest]] = [[] for _ in results]
    for at, doc in zip(wanted, docs, strict=True):
        claim = results[at].claim
        places = missing[at]
        cuts = dict.fromkeys(cut for place in places for cut in _cuts(doc, place))
        # First what takes all that is missing, and of that the least.
        order = sorted(cuts, key=lambda cut: (_left(places, cut), len(cut)))
        some = [_without(claim, cut) for cut in order]
        found[at] = [rest for rest in some if rest is not None][:MOST]
    return found


def _missing(result: ClaimResult) -> list[Span]:
    """The places of `claim.text` that no passage holds, and for which none has another value."""
    if result.verdict not in _BAD or result.parts or not result.assessments:
        return []
    told = [(at, s) for at, found in enumerate(result.assessments) for s in found.signals]
    if any(_other_value(signal) for _, signal in told):
        return []
    unsupported = [
        (signal.weight, at, signal.claim_span)
        for at, signal in told
        if signal.stance is Stance.UNSUPPORTED and signal.claim_span is not None
    ]
    places: dict[Span, None] = {}
    for _, _, place in sorted(unsupported, key=lambda one: (-one[0], one[1], one[2])):
        here = _read_at(result.claim.reading, place)
        if here is not None:
            places[here] = None
        if len(places) == _PLACES:
            break
    return list(places)


def _other_value(signal: Signal) -> bool:
    """Whether a source has another value for the same detail, which is then not merely missing."""
    against = signal.stance in (Stance.CONTRADICTS, Stance.UNSUPPORTED)
    return against and signal.weight >= DECIDES and bool(signal.values and signal.values[1])


def _read_at(reading: Reading, place: Span) -> Span | None:
    """Characters of the answer as those of the reading."""
    for piece in reading.pieces:
        if piece.span.start <= place.start and place.end <= piece.span.end:
            return place.shift(piece.at - piece.span.start)
    return None


def _cuts(doc: Doc, place: Span) -> Iterator[Span]:
    """What can be left out around a place, from the least on."""
    within = [t for t in doc if t.idx < place.end and place.start < t.idx + len(t.text)]
    inside = {token.i for token in within}
    head = next((t for t in within if t.head.i not in inside or t.head.i == t.i), None)
    for _ in range(8):
        if head is None or head.dep_ not in _DETAILS | _INSIDE:
            return
        if head.dep_ in _DETAILS:
            yield _stretch(doc, head)
        head = head.head if head.head.i != head.i else None


def _stretch(doc: Doc, head: Token) -> Span:
    """The words that hang on one, with the "and" or the comma before them."""
    first, last = head.left_edge.i, head.right_edge.i
    while first > 0 and (doc[first - 1].dep_ == "cc" or doc[first - 1].text == ","):
        first -= 1
    while last > first and doc[last].is_punct:
        last -= 1
    return Span(doc[first].idx, doc[last].idx + len(doc[last].text))


def _left(places: Sequence[Span], cut: Span) -> int:
    """How many of the places a cut leaves in."""
    return sum(not (cut.start <= place.start and place.end <= cut.end) for place in places)


def _without(claim: Claim, cut: Span) -> Rest | None:
    """The claim without a stretch of it; None where hardly anything is left."""
    before, after = claim.text[: cut.start].rstrip(), claim.text[cut.end :]
    lead = len(after) - len(after.lstrip(" ,"))
    kept = [Span(0, len(before)), Span(cut.end + lead, len(claim.text))]
    kept = [span for span in kept if any(map(str.isalnum, span.of(claim.text)))]
    reading = glued(claim.reading, kept)
    if len(reading.text.split()) < _LEAST_WORDS:
        return None
    shift = len(claim.resolved) - len(claim.text)
    same = claim.resolved == claim.text or cut.start + shift < 0
    resolved = reading.text
    if not same:
        resolved = f"{claim.resolved[: cut.start + shift].rstrip()} {after[lead:]}"
    return Rest(
        cut.of(claim.text).strip(" ,."),
        replace(claim, text=reading.text, reading=reading, resolved=resolved.strip()),
    )
