"""A claim that says several things -> the verdict of its parts together.

One passage that says everything is not asked for: a claim whose facts are spread over passages is
supported when each of its parts is, and contradicted when one of them is. Of a claim that lists,
each item has to be true.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from halgo.types import Assessment, Claim, ClaimKind, ClaimResult, Facts, Span, Stance, Verdict
from halgo.verdict.scoring import is_own
from halgo.verdict.unread_languages import LANGUAGE

if TYPE_CHECKING:
    from halgo.verdict.examining import Examination

_AGREES = ("number_agrees", "date_agrees")


def by_parts(
    examined: Sequence[Examination],
    results: Sequence[ClaimResult],
    written: Sequence[Claim],
    examine: Callable[[Sequence[Claim]], list[Examination]],
    decide: Callable[[Examination], ClaimResult],
) -> list[ClaimResult]:
    """The results; those of claims that say several things by each of these as well.

    That is a claim whose facts are spread over passages, and a supported one that lists: of one
    that is doubted an item may only be missing, which is no contradiction. written: the claims as
    they stand in the answer; examine, decide: how the parts are checked.
    """
    from halgo.claims.normal import as_written

    divided = _divided(examined, results)
    told = list(results)
    every = [part for parts, _ in divided.values() for part in parts]
    found = iter([decide(one) for one in examine(every)] if every else [])
    for at, (parts, is_list) in divided.items():
        mine = [
            replace(result, claim=as_written(part, written[at]))
            for part, result in zip(parts, found, strict=False)
        ]
        # Items tell nothing new unless one is wrong: the claim has been read whole.
        if not is_list or any(result.verdict is Verdict.CONTRADICTION for result in mine):
            told[at] = pooled(told[at], mine)
    return told


def _divided(
    examined: Sequence[Examination], results: Sequence[ClaimResult]
) -> dict[int, tuple[list[Claim], bool]]:
    """The parts of each claim that has some, and whether they are the items of a list."""
    from halgo.claims.listed import items_of, may_list, to_parse
    from halgo.claims.parts import may_divide, parts_of
    from halgo.facts.parse import parse
    from halgo.sources.sentences import LONGEST

    spread: set[int] = set()
    listing: set[int] = set()
    for at, (one, result) in enumerate(zip(examined, results, strict=True)):
        # No sentence is longer, so that is no one claim.
        if len(one.claim.text) > LONGEST or not is_open(result):
            continue
        if may_divide(one.claim) and is_spread(result, one.facts):
            spread.add(at)
        supported = result.verdict is Verdict.SUPPORTED and not is_own(one.features)
        if supported and may_list(one.claim):
            listing.add(at)
    texts = {examined[at].claim.text for at in spread}
    texts |= {to_parse(examined[at].claim.text) for at in listing}
    docs = dict(zip(sorted(texts), parse(sorted(texts)), strict=True)) if texts else {}
    found: dict[int, tuple[list[Claim], bool]] = {}
    for at in sorted(spread | listing):
        claim, amounts = examined[at].claim, amounts_of(examined[at].facts)
        parts = parts_of(claim, docs[claim.text], amounts) if at in spread else []
        is_list = not parts and at in listing
        if is_list:
            parts = items_of(claim, docs[to_parse(claim.text)], amounts)
        if parts:
            found[at] = parts, is_list
    return found


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
