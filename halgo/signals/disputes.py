"""Conflicting evidence: a passage that says the claim's very sentence with another value in it.

"The trial lasts 14 days" in one source and "The trial lasts 30 days" in another: whichever an
answer repeats, a reader has to know of the other (Chen et al. 2022, knowledge conflicts). Of what
contradicts a claim most says something near it, of a neighbouring plan or year; here are only the
passages that leave no doubt of what they are about, each of them marked: those with the claim's
very words, and the record or the row of a table that the claim names and is about, whole. That
another source supports the claim is for the verdict to see.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from halgo.evidence.lexical import content_stems
from halgo.signals.segments import CLAUSE, SENTENCE, above, split
from halgo.types import Claim, Pair, Signal, Span, Stance

KIND = "says_otherwise"
_SURE = 0.5
_LONGEST = 2_000  # characters of a passage
# Rules that compare a claim with the fields of the very record that it names.
OF_RECORDS = frozenset({"statuses", "field_values", "records"})


class DisputesDetector:
    """Marks the passages that say the claim's sentence otherwise: a `ClaimDetector`."""

    name = "disputes"

    def alone(self, claim: Claim) -> tuple[Signal, ...]:
        """Nothing: it takes passages."""
        return ()

    def together(
        self, pairs: Sequence[Pair], found: Sequence[tuple[Signal, ...]]
    ) -> list[tuple[Signal, ...]]:
        """One tuple per passage, in order; at most one signal in each."""
        return [
            tuple(_marks(pair, signals))[:1] for pair, signals in zip(pairs, found, strict=True)
        ]


def _marks(pair: Pair, signals: Sequence[Signal]) -> Iterator[Signal]:
    sure = [signal for signal in signals if signal.weight >= _SURE]
    if any(signal.stance is Stance.UNSUPPORTED for signal in sure):
        return  # something of the claim the passage does not have at all
    for signal in sure:
        if signal.stance is not Stance.CONTRADICTS or not (
            signal.claim_span and signal.evidence_span
        ):
            continue
        ours, theirs = signal.claim_span, signal.evidence_span
        place = _same_sentence(pair, ours, theirs)
        if place is None and signal.detector in OF_RECORDS:
            place = _its_record(pair, ours, theirs)
        if place is not None:
            said = place.of(pair.evidence.reading.text).strip()
            message = f"\N{LEFT DOUBLE QUOTATION MARK}{said}\N{RIGHT DOUBLE QUOTATION MARK}"
            yield Signal(KIND, Stance.NEUTRAL, signal.weight, message, signal.claim_span, place)


def _same_sentence(pair: Pair, ours: Span, theirs: Span) -> Span | None:
    """The clause around `theirs` with the claim's words and no others, the two values aside."""
    claim = pair.claim.text
    wanted = content_stems(claim[: ours.start]) | content_stems(claim[ours.end :])
    text = pair.evidence.reading.text[:_LONGEST]
    sentences = split(SENTENCE, Span(0, len(text)), text)
    sentence = next((each for each in sentences if _holds(each, theirs)), None)
    if not wanted or sentence is None:
        return None
    for part in (sentence, *(clause for clause in split(CLAUSE, sentence, text))):
        rest = text[part.start : theirs.start], text[theirs.end : part.end]
        if _holds(part, theirs) and content_stems(rest[0]) | content_stems(rest[1]) == wanted:
            return part
    return None


def _its_record(pair: Pair, ours: Span, theirs: Span) -> Span | None:
    """The record around `theirs`, where the claim says nothing but what it is of, and a value.

    That "has" or "costs" stands for a field its rule has seen. What a record says of one day or
    year another source does not say otherwise, nor does one that gives another unit or rate.
    """
    read, said, there = pair.evidence.best, pair.claim_facts, pair.evidence_facts
    if not _holds(read, theirs):
        return None
    scene, text, claim = (read, above(pair.evidence)), pair.evidence.reading.text, pair.claim.text
    held = {stem for part in scene for stem in content_stems(part.of(text)[:_LONGEST])}
    acts = " ".join(t.span.of(claim) for t in said.terms if t.pos in ("VERB", "AUX"))
    rest = content_stems(f"{claim[: ours.start]} {claim[ours.end :]}") - content_stems(acts)
    dates = (one.span for one in there.dates if not one.span.overlaps(theirs))
    dated = any(span.overlaps(part) for span in dates for part in scene)
    units = [
        {one.unit for one in facts.quantities if one.span.overlaps(span)}
        for facts, span in ((said, ours), (there, theirs))
    ]
    if not rest or not rest <= held or dated or units[0] != units[1]:
        return None
    return read


def _holds(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
