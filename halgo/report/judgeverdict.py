"""What a judge gives: claims, counts and the decision, which read like the published dicts."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from halgo.report.claimtypes import ClaimType
from halgo.report.quotes import Quote
from halgo.report.unchecked import Unchecked
from halgo.types import Span, State, Verdict

SUPPORTED, UNSUPPORTED, CONTRADICTED = "supported", "unsupported", "contradicted"


class _AsDict(Mapping[str, Any]):
    """Reads like the dict of the published keys: `verdict["is_hallucinated"]`."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values under the published keys."""
        raise NotImplementedError

    def __getitem__(self, key: str) -> Any:
        return self.to_dict()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.to_dict())

    def __len__(self) -> int:
        return len(self.to_dict())


@dataclass(frozen=True, slots=True)
class JudgedClaim(_AsDict):
    """One claim of the answer, with what the sources say of it.

    `span` is its place in the answer; None for a claim that a text model put in its own words.
    `quotes` are the sentences it rests on, those that say otherwise, or the nearest, by `status`.
    `verdict`, `reason` and `message` are those of the check. `widened` says that it was judged
    once more with the sections that `more_context` gave.
    """

    text: str
    type: ClaimType
    status: str
    span: Span | None
    quotes: tuple[Quote, ...]
    verdict: Verdict
    reason: str
    message: str
    widened: bool = False

    @property
    def found_in_source(self) -> bool:
        """Whether a sentence of the sources supports the claim."""
        return self.source_quote is not None

    @property
    def source_quote(self) -> str | None:
        """The sentence that supports the claim, word for word; None where none does."""
        supported = self.status == SUPPORTED and self.quotes
        return self.quotes[0].text if supported else None

    def to_dict(self, *, full: bool = False) -> dict[str, Any]:
        """The published keys; `full` adds the place, the quotes and the reason."""
        plain: dict[str, Any] = {
            "text": self.text,
            "type": self.type.value,
            "found_in_source": self.found_in_source,
            "source_quote": self.source_quote,
            "status": self.status,
        }
        if full:
            plain |= {
                "span": None if self.span is None else [self.span.start, self.span.end],
                "quotes": [quote.to_dict() for quote in self.quotes],
                "verdict": self.verdict.value,
                "reason": self.reason,
                "message": self.message,
                "widened": self.widened,
            }
        return plain


@dataclass(frozen=True, slots=True)
class Summary(_AsDict):
    """How many claims there are, and how many of each status."""

    total_claims: int
    supported: int
    unsupported: int
    contradicted: int

    def to_dict(self) -> dict[str, Any]:
        """Plain values under the published keys."""
        return {
            "total_claims": self.total_claims,
            "supported": self.supported,
            "unsupported": self.unsupported,
            "contradicted": self.contradicted,
        }


@dataclass(frozen=True, slots=True)
class JudgeVerdict(_AsDict):
    """The decision on an answer; reads like the published dict too: `verdict["summary"]`.

    `confidence_score` is in [0, 1], rounded to two places; 0 where nothing could be assessed, and
    `is_hallucinated` then too, so that a caller of either asks again. `state` says what kind of
    answer it was, `warnings` are as in a report. `unchecked` are the sentences that nothing was
    held against, each with its kind and place.
    """

    claims: tuple[JudgedClaim, ...]
    confidence_score: float
    is_hallucinated: bool
    reasoning: str
    state: State
    warnings: tuple[str, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()

    def __await__(self) -> Generator[None, None, JudgeVerdict]:
        """Itself, so that `await judge.evaluate(...)` reads as the published code does."""
        return self
        yield

    @property
    def should_return(self) -> bool:
        """Whether the answer may be returned to the user."""
        return not self.is_hallucinated

    @property
    def summary(self) -> Summary:
        """The counts."""
        return count(self.claims)

    def to_dict(self, *, full: bool = False) -> dict[str, Any]:
        """The published keys, fit for JSON; `full` adds state, warnings, the unchecked and more."""
        plain: dict[str, Any] = {
            "claims": [claim.to_dict(full=full) for claim in self.claims],
            "confidence_score": self.confidence_score,
            "is_hallucinated": self.is_hallucinated,
            "should_return": self.should_return,
            "summary": self.summary.to_dict(),
            "reasoning": self.reasoning,
        }
        if full:
            plain |= {"state": self.state.value, "warnings": list(self.warnings)}
            plain["unchecked"] = [one.to_dict() for one in self.unchecked]
        return plain

    def to_json(self, *, full: bool = False, indent: int | None = 2) -> str:
        """The JSON form, all of it ASCII."""
        return json.dumps(self.to_dict(full=full), indent=indent, allow_nan=False)


def count(claims: Sequence[JudgedClaim]) -> Summary:
    """How many claims there are, and how many of each status."""
    counts = [claim.status for claim in claims]
    return Summary(
        total_claims=len(claims),
        supported=counts.count(SUPPORTED),
        unsupported=counts.count(UNSUPPORTED),
        contradicted=counts.count(CONTRADICTED),
    )


def confidence(
    summary: Summary, *, contradicted_weight: float = 0.8, unsupported_weight: float = 0.3
) -> float:
    """The confidence of an answer with these counts, in [0, 1].

    1 without claims: nothing takes from it. What such an answer deserves is the judge's to say.
    """
    if not summary.total_claims:
        return 1.0
    score = 1.0
    score -= summary.contradicted / summary.total_claims * contradicted_weight
    score -= summary.unsupported / summary.total_claims * unsupported_weight
    return max(0.0, min(1.0, score))
