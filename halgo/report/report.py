"""ClaimResults -> Report: counts, confidence, other thresholds, the dict and JSON forms."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, TypedDict

from halgo.config import Config
from halgo.report.unsupported import UnsupportedSpan, unsupported_spans
from halgo.types import (
    Category,
    Claim,
    ClaimKind,
    ClaimResult,
    Document,
    Signal,
    Span,
    State,
    Verdict,
)
from halgo.verdict.pooling import pooled
from halgo.verdict.rules import decide
from halgo.verdict.unread_languages import warnings_of
from halgo.verdict.whole_answer import default_whole_answer

SCHEMA = 1


class ClaimDict(TypedDict):
    """One claim as `compare_to_docs` gives it: always these keys, absent values None.

    The first twelve are the published structure; spans are [start, end) in characters.
    """

    claim_id: int
    type: str
    status: str
    claim: str
    score: float
    matched_source: str | None
    matched_chunk_id: int | None
    chunk_text: str | None
    unsupported_terms: list[str]
    reason: str | None
    ai_numbers: list[Any] | None
    truth_numbers: list[Any] | None
    similarity: float | None
    kind: str
    claim_span: list[int]
    matched_doc_id: str | None
    evidence_span: list[int] | None
    message: str | None
    signals: list[dict[str, Any]]
    raw_score: float | None
    category: str
    source_kind: str | None
    source_revision: str | None
    source_location: dict[str, Any] | None
    expected: float | str | None
    got: float | str | None
    chunk_span: list[int] | None
    evidence_text: str | None
    parts: list[PartDict]


class PartDict(TypedDict):
    """A clause of a claim that was judged by its clauses."""

    claim: str
    status: str
    message: str | None
    matched_source: str | None
    source_location: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Engine:
    """What produced a report: enough to produce it again.

    entailment: None where none ran. search: what found passages approximately, None where all
    were compared; then it is in no dict either.
    """

    halgo: str
    embedder: str
    parser: str
    lexicon: str
    calibration: str
    index_digest: str
    entailment: str | None = None
    search: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON."""
        told = asdict(self)
        if self.search is None:
            del told["search"]
        return told


@dataclass(frozen=True, slots=True)
class Report:
    """What the sources say about an answer, claim by claim. Iterating gives the results.

    `results` are the checked claims in order, `skipped` the sentences that assert nothing
    checkable, each with its kind: every sentence is in one of the two. A report holds no clock time
    and no random id: the same answer, index and settings give an equal report.
    """

    answer: str
    state: State
    results: tuple[ClaimResult, ...]
    skipped: tuple[Claim, ...]
    warnings: tuple[str, ...]
    config: Config
    engine: Engine
    # Chunk numbers within their document, for `matched_chunk_id`: row of the index -> number.
    numbers: dict[int, int] = field(default_factory=dict, repr=False)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        counts: list[tuple[str, int]] = [*self.counts.items()]
        counts += [("skipped", len(self.skipped)), ("warnings", len(self.warnings))]
        told = [self.state.value, *(f"{name}={count}" for name, count in counts if count)]
        return f"<Report {', '.join(told)}>"

    def __iter__(self) -> Iterator[ClaimResult]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def __bool__(self) -> bool:
        """True, also without results: a report is there."""
        return True

    @property
    def confidence(self) -> float | None:
        """Mean score of the checked claims, in [0, 1]; None when nothing was assessed."""
        if self.state is not State.ASSESSED:
            return None
        return sum(result.score for result in self.results) / len(self.results)

    @property
    def weakest(self) -> float | None:
        """Least score of the checked claims, in [0, 1]; None when nothing was assessed."""
        if self.state is not State.ASSESSED:
            return None
        return min(result.score for result in self.results)

    @property
    def probability(self) -> float | None:
        """The probability that the sources support the whole answer, in (0, 1).

        None when nothing was assessed, and in classic mode, whose scores are cosines. A calibration
        for a domain does not change it (`halgo.verdict.whole_answer`).
        """
        if self.state is not State.ASSESSED or self.config.mode == "classic":
            return None
        return default_whole_answer()(
            [r.score if r.raw_score is None else r.raw_score for r in self.results]
        )

    @property
    def grounded(self) -> bool | None:
        """Whether every checked claim is SUPPORTED; None when nothing was assessed."""
        if self.state is not State.ASSESSED:
            return None
        return all(result.verdict is Verdict.SUPPORTED for result in self.results)

    @property
    def counts(self) -> dict[Verdict, int]:
        """How many claims have each verdict; every verdict is a key."""
        verdicts = [result.verdict for result in self.results]
        return {verdict: verdicts.count(verdict) for verdict in Verdict}

    @property
    def shares(self) -> dict[Category, float] | None:
        """What share of all sentences (or clauses) is of each category; None when there are none.

        Every category is a key; the shares sum to 1.
        """
        found = [result.claim.category for result in self.results]
        found += [claim.category for claim in self.skipped]
        if not found:
            return None
        return {category: found.count(category) / len(found) for category in Category}

    @property
    def unsupported_spans(self) -> tuple[UnsupportedSpan, ...]:
        """The stretches of the answer that the sources do not support (unsupported.py)."""
        return unsupported_spans(self)

    def rethreshold(
        self, threshold: float | None = None, *, support_threshold: float | None = None
    ) -> Report:
        """The same findings judged with other cut points: a new report, nothing is embedded.

        Raises ConfigError for a value outside [0, 1] or cut points out of order.
        """
        config = self.config.with_(
            threshold=self.config.threshold if threshold is None else threshold,
            support_threshold=(
                self.config.support_threshold if support_threshold is None else support_threshold
            ),
        )
        results = tuple(_again(result, config) for result in self.results)
        # What rests on the verdicts is told last.
        mine, warnings = tuple(warnings_of(self.results)), self.warnings
        if mine == warnings[len(warnings) - len(mine) :]:
            warnings = (*warnings[: len(warnings) - len(mine)], *warnings_of(results))
        return replace(self, config=config, results=results, warnings=warnings)

    def claim_dicts(self) -> list[ClaimDict]:
        """The results in the published structure."""
        return [self._claim_dict(result) for result in self.results]

    def _claim_dict(self, result: ClaimResult) -> ClaimDict:
        evidence = result.evidence
        located = evidence.location if evidence else None
        signals = list(result.signals)
        if result.assessment is not None:
            signals += result.assessment.signals
        conflict = next((s for s in signals if s.kind == "number_conflict" and s.values), None)
        values = conflict.values if conflict and conflict.values else None
        details = result.details
        return ClaimDict(
            claim_id=result.claim.id,
            type="MATH" if result.claim.kind is ClaimKind.ARITHMETIC else "SOURCE",
            status=str(details.get("status", result.verdict.value)),
            claim=result.claim.text,
            score=_rounded(result.score),
            matched_source=evidence.source if evidence else None,
            matched_chunk_id=self.numbers.get(evidence.chunk.row) if evidence else None,
            chunk_text=evidence.chunk.text if evidence else None,
            unsupported_terms=list(result.unsupported_terms),
            reason=result.reason or None,
            ai_numbers=details.get("ai_numbers", [values[0]] if values else None),
            truth_numbers=details.get("truth_numbers", [values[1]] if values else None),
            similarity=_rounded(evidence.similarity) if evidence else None,
            kind=result.claim.kind.value,
            claim_span=_ends(result.claim.span),
            matched_doc_id=evidence.chunk.doc_id if evidence else None,
            evidence_span=_ends(evidence.span) if evidence else None,
            message=result.message or None,
            signals=[_signal_dict(signal) for signal in signals],
            raw_score=None if result.raw_score is None else _rounded(result.raw_score),
            category=result.claim.category.value,
            source_kind=evidence.kind.value if evidence else None,
            source_revision=evidence.revision if evidence else None,
            source_location=located.to_dict() if located else None,
            expected=details.get("expected"),
            got=details.get("got"),
            chunk_span=_ends(evidence.chunk.span) if evidence else None,
            evidence_text=evidence.best.of(evidence.reading.text) if evidence else None,
            parts=[_part_dict(part) for part in result.parts],
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON; `schema` counts up when a key changes its meaning."""
        return {
            "schema": SCHEMA,
            "state": self.state.value,
            "grounded": self.grounded,
            "confidence": None if self.confidence is None else _rounded(self.confidence),
            "weakest": None if self.weakest is None else _rounded(self.weakest),
            "probability": None if self.probability is None else _rounded(self.probability),
            "counts": {verdict.value: count for verdict, count in self.counts.items()},
            "shares": _shares(self.shares),
            "claims": self.claim_dicts(),
            "unsupported_spans": [one.to_dict() for one in self.unsupported_spans],
            "skipped": [
                {
                    "claim_id": c.id,
                    "kind": c.kind.value,
                    "category": c.category.value,
                    "text": c.text,
                    "span": _ends(c.span),
                }
                for c in self.skipped
            ],
            "warnings": list(self.warnings),
            "config": self.config.to_dict(),
            "engine": self.engine.to_dict(),
        }

    def to_json(self, *, indent: int | None = 2) -> str:
        """The JSON form: the same report gives the same bytes, all of them ASCII."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=True, allow_nan=False)

    def to_html(
        self,
        documents: Iterable[Document] | None = None,
        *,
        sent: Mapping[str, Any] | None = None,
        citations: Mapping[str, Any] | None = None,
        title: str | None = None,
    ) -> str:
        """A page of its own that loads nothing: the same values give the same bytes.

        documents: those that were checked against (`checker.index.documents`); without them the
        page shows the passages that claims rest on. sent: `Decision.to_dict()`, for the view "as
        it may be sent". citations: `CitationReport.to_dict()`. Raises TypeError for documents that
        are no `Document`s.
        """
        from halgo.report.page import render

        return render.page(self, documents, sent, citations, title)

    def _repr_html_(self) -> str:
        """The page in a frame, for notebooks."""
        from halgo.report.page import render

        return render.framed(self)


def _again(result: ClaimResult, config: Config) -> ClaimResult:
    if config.mode == "classic":
        from halgo.verdict.classic import decide_again

        return decide_again(result, config)
    if result.reason == "no_sources":
        return result
    decision = decide(result.claim, result.assessments, result.signals, config)
    again = replace(
        result,
        verdict=decision.verdict,
        reason=decision.reason,
        message=decision.message,
        score=decision.score,
        raw_score=decision.raw_score,
    )
    parts = [_again(part, config) for part in result.parts]
    return pooled(again, parts) if parts else again


def _shares(shares: dict[Category, float] | None) -> dict[str, float] | None:
    if shares is None:
        return None
    return {category.value: _rounded(share) for category, share in shares.items()}


def _rounded(value: float) -> float:
    return round(float(value), 4)


def _ends(span: Span) -> list[int]:
    return [span.start, span.end]


def _part_dict(part: ClaimResult) -> PartDict:
    evidence = part.evidence
    located = evidence.location if evidence else None
    return PartDict(
        claim=part.claim.text,
        status=part.verdict.value,
        message=part.message or None,
        matched_source=evidence.source if evidence else None,
        source_location=located.to_dict() if located else None,
    )


def _signal_dict(signal: Signal) -> dict[str, Any]:
    return {
        "kind": signal.kind,
        "detector": signal.detector,
        "stance": signal.stance.value,
        "weight": _rounded(signal.weight),
        "message": signal.message,
        "claim_span": _ends(signal.claim_span) if signal.claim_span else None,
        "evidence_span": _ends(signal.evidence_span) if signal.evidence_span else None,
        "values": list(signal.values) if signal.values else None,
    }
