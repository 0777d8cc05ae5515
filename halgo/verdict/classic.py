"""The algorithm as first published, kept to the letter, so that results can be compared.

score = cosine of claim and chunk, + `number_bonus` (at most 1) when every number of the claim is
in the chunk, - `negation_penalty` on a negation mismatch when the score had reached `threshold`.
The chunk with the highest score so adjusted is the match. A number conflict with it is a
CONTRADICTION, so is a negation mismatch; else the score decides. Unsupported terms are listed and
decide nothing. A claim with "=", or one that is nothing but a sum ("15% of 200 is 30"), is MATH:
both sides worked out, equal within 1e-6. No passage is looked at for it, and none has to be there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from halgo.config import Config
from halgo.protocols import Embedder, Lexicon
from halgo.types import (
    Assessment,
    Claim,
    ClaimKind,
    ClaimResult,
    Evidence,
    Reading,
    Signal,
    Span,
    Stance,
    Verdict,
)

if TYPE_CHECKING:
    from sympy import Rational  # type: ignore[import-untyped]

    from halgo.evidence.index import Index

_KEPT = 50  # passages kept in a report; the matched one is always among them


def judge(
    claims: Sequence[Claim], index: Index, embedder: Embedder, lexicon: Lexicon, config: Config
) -> list[ClaimResult]:
    """One result per claim, in order, with the published reasons."""
    from halgo import facts
    from halgo.signals.entities.mentioned import unsupported_terms

    if not claims:
        return []
    if index.chunks:
        # Product by product: those of a batch differ in the last digit with its size.
        vectors = embedder.embed([claim.text for claim in claims])
        cosines = [index.vectors @ vector for vector in vectors]
    else:
        cosines = [np.zeros(0, dtype=np.float32) for _ in claims]
    read = facts.extract([claim.text for claim in claims])
    results = []
    for claim, claim_facts, row in zip(claims, read, cosines, strict=True):
        terms = unsupported_terms(claim_facts, index.corpus, lexicon)
        if claim.kind is ClaimKind.ARITHMETIC or "=" in claim.text:
            results.append(_math(claim, terms))
            continue
        blank = ClaimResult(
            claim=claim,
            verdict=Verdict.HALLUCINATION,
            reason="",
            message="",
            score=0.0,
            assessments=_assess(claim, index, row, config),
            unsupported_terms=terms,
        )
        results.append(decide_again(blank, config))
    return results


def decide_again(result: ClaimResult, config: Config) -> ClaimResult:
    """The verdict from passages already assessed, for the cut points of `config`."""
    if result.claim.kind is ClaimKind.ARITHMETIC and "type" in result.details:
        return result
    if not result.assessments:
        return replace(result, reason="No matching chunk found", score=0.0)
    scored = [
        (adjusted(found, config), -found.evidence.chunk.row, found) for found in result.assessments
    ]
    score, _, match = max(scored, key=lambda item: item[:2])
    others = tuple(found for found in result.assessments if found is not match)
    verdict, reason, details = _verdict(match, score, config)
    return replace(
        result,
        verdict=verdict,
        reason=reason,
        score=max(0.0, score),
        assessments=(match, *others),
        details=details,
    )


def adjusted(found: Assessment, config: Config) -> float:
    """The passage's score less the penalty for a negation mismatch, where that applies."""
    mismatch = any(signal.kind == "negation" for signal in found.signals)
    penalty = config.negation_penalty if mismatch and found.score >= config.threshold else 0.0
    return found.score - penalty


def _verdict(
    match: Assessment, score: float, config: Config
) -> tuple[Verdict, str, dict[str, Any]]:
    kinds = {signal.kind for signal in match.signals}
    if "number_conflict" in kinds:
        from halgo.facts.published import numbers

        claim_text = next(s.message for s in match.signals if s.kind == "number_conflict")
        details = {
            "ai_numbers": list(numbers(claim_text)),
            "truth_numbers": list(numbers(match.evidence.reading.text)),
        }
        return Verdict.CONTRADICTION, "Number mismatch", details
    if "negation" in kinds and score >= config.threshold:
        return Verdict.CONTRADICTION, "Negation mismatch", {}
    if score >= config.support_threshold:
        return Verdict.SUPPORTED, "", {}
    if score >= config.threshold:
        return Verdict.WEAK_SUPPORT, "", {}
    return Verdict.HALLUCINATION, "Score below threshold", {}


def _assess(
    claim: Claim, index: Index, cosines: np.ndarray[Any, Any], config: Config
) -> tuple[Assessment, ...]:
    """The passages that could be the match at any threshold, best first."""
    from halgo.facts.published import negated, numbers

    ours, denied = numbers(claim.text), negated(claim.text)
    order = np.argsort(-cosines, kind="stable")
    found: list[Assessment] = []
    floor = -2.0  # what the best passage so far keeps even if penalised
    for row in order.tolist():
        cosine = float(cosines[row])
        # No later passage can still win: reading its numbers would be work for nothing.
        if cosine + config.number_bonus < floor or len(found) >= _KEPT:
            break
        chunk = index.chunks[row]
        own = index.sentences[chunk.sentences.start : chunk.sentences.end]
        reading = Reading.joined(sentence.reading for sentence in own)
        theirs = numbers(reading.text)
        holds_all = bool(ours) and all(number in theirs for number in ours)
        score = min(1.0, cosine + config.number_bonus) if holds_all else cosine
        signals = []
        if conflicts(ours, theirs):
            signals.append(Signal("number_conflict", Stance.CONTRADICTS, 1.0, claim.text))
        mismatch = negated(reading.text) is not denied
        if mismatch:
            signals.append(Signal("negation", Stance.CONTRADICTS, 1.0, "Negation mismatch"))
        floor = max(floor, score - (config.negation_penalty if mismatch else 0.0))
        whole = Span(0, len(reading.text))
        document = index.document(chunk)
        evidence = Evidence(
            chunk,
            document.source,
            chunk.span,
            cosine,
            0.0,
            reading,
            whole,
            document.kind,
            index.revision(chunk),
            locations=index.locations(chunk),
        )
        found.append(Assessment(evidence, score, tuple(signals)))
    return tuple(found)


def conflicts(ours: Sequence[float], theirs: Sequence[float]) -> bool:
    """Whether two numbers differ and lie within 0.5x to 2x of each other.

    Years (1400 to 2100) and values up to 31 are skipped, as published.
    """
    return any(
        a != b and a > 0 and b > 0 and min(a, b) / max(a, b) >= 0.5
        for a in ours
        if not _skipped(a)
        for b in theirs
        if not _skipped(b)
    )


def _skipped(number: float) -> bool:
    return number != number or 1400 <= number <= 2100 or number <= 31


def _math(claim: Claim, terms: tuple[str, ...]) -> ClaimResult:
    """What a sum comes to: the values of its sides, or what the sum in words should have been."""
    details: dict[str, Any] = {"type": "MATH"}
    sides = _sides(claim.text)
    if sides is None and claim.kind is ClaimKind.ARITHMETIC:
        sides = _in_words(claim.text)
    if sides is None:
        details["status"] = "ERROR"
        verdict, reason, score = Verdict.HALLUCINATION, "Unreadable formula", 0.0
    elif sides[2]:
        verdict, reason, score = Verdict.SUPPORTED, "", 1.0
    else:
        expected, got, _ = sides
        details |= {"expected": expected, "got": got}
        verdict, reason, score = Verdict.CONTRADICTION, f"expected {expected}, got {got}", 0.0
    return ClaimResult(
        claim=replace(claim, kind=ClaimKind.ARITHMETIC),
        verdict=verdict,
        reason=reason,
        message="",
        score=score,
        assessments=(),
        unsupported_terms=terms,
        details=details,
    )


# What was expected, what was got, and whether they agree.
_Compared = tuple[int | float | str, int | float | str, bool]


def _sides(text: str) -> _Compared | None:
    """The values of both sides, and whether they are the same; None for what is no sum."""
    from halgo.arithmetic.equations import evaluate

    for left, right in _halves(text):
        expected = evaluate(left.strip())
        # The "!" of "120 = 5!" is the sum's, that of "2 + 2 = 4!" the sentence's.
        endings = dict.fromkeys((right.strip(" ."), right.strip(" .!")))
        found = [value for value in map(evaluate, endings) if value is not None]
        if expected is not None and found:
            got = next((value for value in found if _close(expected, value)), found[-1])
            return _plain(expected), _plain(got), _close(expected, got)
    return None


def _halves(text: str) -> Iterator[tuple[str, str]]:
    """What stands before and behind the first "=", and the one relation of any kind."""
    from halgo.arithmetic.tokens import items

    before, equals, behind = text.partition("=")
    if equals:
        yield before, behind
    relations = [item for item in items(text) if item.kind == "="]
    # "about" has its own measure, and no exact other side.
    if len(relations) == 1 and not relations[0].about:
        (relation,) = relations
        yield text[: relation.span.start], text[relation.span.end :]


def _in_words(text: str) -> _Compared | None:
    """The first wrong sum of a text, or the first, each result as it was written; None: no sum."""
    from halgo.arithmetic.sums import check_sums

    sums = sorted(check_sums(text), key=lambda found: found.agrees)
    return (sums[0].expected, sums[0].got, sums[0].agrees) if sums else None


def _close(left: Rational, right: Rational) -> bool:
    """Whether two values differ by no more than 1e-6 of the larger one."""
    return bool(abs(left - right) <= 1e-6 * max(abs(left), abs(right)))


def _plain(value: Rational) -> int | float:
    """A number fit for JSON: whole ones as they are, others to the digits of a float."""
    if value.is_integer:
        return int(value)
    try:
        return float(Fraction(int(value.p), int(value.q)))
    except OverflowError:  # above 1.8e308, where a fraction makes no difference
        return int(value)
