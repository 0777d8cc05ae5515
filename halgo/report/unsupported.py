"""A Report -> the stretches of its answer that the sources do not support.

What span-level hallucination detection gives (Niu et al. 2024, RAGTruth, ACL): stretches of the
answer, here each with its claim. A wrong detail is one stretch of a claim; a claim that is
invented altogether, of which the passages found for it hold at most a third of the content words,
is one stretch as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from halgo.evidence.lexical import overlap
from halgo.report.marks import marked, offsets
from halgo.types import ClaimResult, Span, Verdict

if TYPE_CHECKING:
    from halgo.report.report import Report

# Of a claim with no more of its content words in its passages, no detail is wrong: all of it is.
_SAID_OF = 1 / 3


@dataclass(frozen=True, slots=True)
class UnsupportedSpan:
    """A stretch of an answer that the sources do not support.

    span: [start, end) in characters of `report.answer`; text: what stands there. claim_id,
    verdict and score are those of the claim that it is part of.
    """

    span: Span
    text: str
    claim_id: int
    verdict: Verdict
    score: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON."""
        return {
            "span": [self.span.start, self.span.end],
            "text": self.text,
            "claim_id": self.claim_id,
            "verdict": self.verdict.value,
            "score": round(self.score, 4),
        }


def unsupported_spans(report: Report) -> tuple[UnsupportedSpan, ...]:
    """In the order of the answer, none overlapping another of its claim.

    Of every claim that is not SUPPORTED the words that disagree or are missing, or all of it.
    """
    starts = offsets(report)
    found = [
        UnsupportedSpan(span, span.of(report.answer), claim.id, result.verdict, result.score)
        for result in report.results
        if result.verdict is not Verdict.SUPPORTED
        for claim in (result.claim,)
        for span in Span.joined(one.shift(starts[claim.id]) for one in _stretches(result))
    ]
    return tuple(sorted(found, key=lambda one: (one.span, one.claim_id)))


def _stretches(result: ClaimResult) -> list[Span]:
    """In characters of the answer; all of the claim where no word of it is to be singled out."""
    whole = [result.claim.span]
    passages = (found.evidence.reading.text for found in result.assessments)
    said = overlap(result.claim.text, *passages)
    invented = result.verdict is not Verdict.CONTRADICTION and said <= _SAID_OF
    if invented and not result.claim.code:  # of code most words are the writer's own
        return whole
    return [signal.claim_span for signal in marked(result) if signal.claim_span] or whole
