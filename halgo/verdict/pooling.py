"""A claim whose facts stand in several passages -> the verdict of its parts together.

One passage that says everything is not asked for: a claim is supported when each of its parts is,
and contradicted when one of them is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from halgo.types import Assessment, ClaimKind, ClaimResult, Facts, Span, Stance, Verdict
from halgo.verdict.unread_languages import LANGUAGE

_AGREES = ("number_agrees", "date_agrees")


def amounts_of(facts: Facts) -> list[Span]:
    """Where the amounts and dates of a claim stand, in order."""
    return sorted({item.span for kind in (facts.quantities, facts.dates) for item in kind})


def is_open(result: ClaimResult) -> bool:
    """Whether its parts may tell more of a claim: one that is contradicted is left as it is."""
    known = result.verdict is Verdict.CONTRADICTION or result.reason == LANGUAGE
    return result.claim.kind is ClaimKind.FACT and not known


def is_spread(result: ClaimResult, facts: Facts) -> bool:
    """Whether a claim has several amounts, some of which a passage confirms, but no one all.

    facts: those of the claim's text.
    """
    wanted = amounts_of(facts)
    if len(wanted) < 2:
        return False
    places = [result.claim.reading.locate(span) for span in wanted]
    confirmed = [_confirmed(found, places) for found in result.assessments]
    return any(confirmed) and max(map(len, confirmed)) < len(wanted)


def _confirmed(found: Assessment, places: Sequence[Span | None]) -> set[Span]:
    spans = [
        signal.claim_span
        for signal in found.signals
        if signal.kind in _AGREES and signal.stance is Stance.SUPPORTS and signal.claim_span
    ]
    return {place for place in places if place and any(span.overlaps(place) for span in spans)}


def pooled(result: ClaimResult, parts: Sequence[ClaimResult]) -> ClaimResult:
    """The result with its parts, and the verdict that follows from them where one does.

    The parts are kept, so that other thresholds judge them again.
    """
    result = replace(result, parts=tuple(parts))
    wrong = [part for part in parts if part.verdict is Verdict.CONTRADICTION]
    if wrong:
        part = wrong[0]
        return replace(
            result,
            verdict=Verdict.CONTRADICTION,
            reason=part.reason,
            message=part.message,
            score=min(result.score, part.score),
            raw_score=_least(result, part),
        )
    if result.verdict is not Verdict.SUPPORTED and all(
        part.verdict is Verdict.SUPPORTED for part in parts
    ):
        least = min(parts, key=lambda part: part.score)
        return replace(
            result,
            verdict=Verdict.SUPPORTED,
            reason="supported",
            message="Its parts stand in several passages.",
            score=max(result.score, least.score),
            raw_score=(least if least.score >= result.score else result).raw_score,
        )
    return result


def _least(*results: ClaimResult) -> float | None:
    scores = [result.raw_score for result in results if result.raw_score is not None]
    return min(scores, default=None)
