"""A judged claim -> what a page shows of it: its passage, and the words that agree or clash."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from halgo.report.marks import marked, offsets, resting_on
from halgo.types import ClaimResult, Evidence, Reading, Signal, Span, Stance, Verdict

if TYPE_CHECKING:
    from halgo.report.report import Report

_MODEL = "entailment"  # speaks of a whole sentence, not of words in it


@dataclass(frozen=True, slots=True)
class Finding:
    """What is shown of one claim.

    `span` is its place in the answer. `evidence` is the passage it rests on, None without one,
    `place` what of it is marked, in the document, and `best` what of it is quoted. `said` and
    `there` are words of the answer and of the document, each with whether they agree.
    """

    result: ClaimResult
    span: Span
    evidence: Evidence | None
    place: Span | None
    best: Span | None
    said: tuple[tuple[Span, bool], ...]
    there: tuple[tuple[Span, bool], ...]

    __hash__ = None  # type: ignore[assignment]

    @property
    def number(self) -> int:
        """The claim's number."""
        return self.result.claim.id


def findings(report: Report) -> list[Finding]:
    """What is shown of each checked claim, in order."""
    starts = offsets(report)
    return [finding(result, starts[result.claim.id]) for result in report.results]


def finding(result: ClaimResult, start: int = 0) -> Finding:
    """The same of one claim; start: what `marks.offsets` says of it."""
    resting = resting_on(result)
    # What is underlined in a supported claim is how it follows, so that is no clash.
    against = [] if result.verdict is Verdict.SUPPORTED else marked(result)
    agreeing = [] if resting is None else list(_agreeing(resting.signals))
    said = _words(_claim_spans(agreeing, start), _claim_spans(against, start))
    there = _words(_evidence_spans(agreeing), _evidence_spans(against))
    evidence = None if resting is None else resting.evidence
    span = result.claim.span.shift(start)
    if evidence is None:
        return Finding(result, span, None, None, None, said, ())
    place = _place(evidence, [word for word, _ in there])
    best = _place(evidence, [word for word, yes in there if not yes])
    there = tuple((word, yes) for word, yes in there if place.overlaps(word))
    return Finding(result, span, evidence, place, best, said, there)


def _agreeing(signals: Iterable[Signal]) -> Iterator[Signal]:
    for signal in signals:
        both = signal.claim_span is not None and signal.evidence_span is not None
        if both and signal.stance is Stance.SUPPORTS and signal.kind != _MODEL:
            yield signal


def _claim_spans(signals: Iterable[Signal], start: int) -> list[Span]:
    return [s.claim_span.shift(start) for s in signals if s.claim_span is not None]


def _evidence_spans(signals: Iterable[Signal]) -> list[Span]:
    return [s.evidence_span for s in signals if s.evidence_span is not None and s.kind != _MODEL]


def _words(agree: Iterable[Span], clash: Iterable[Span]) -> tuple[tuple[Span, bool], ...]:
    """Words with whether they agree; what clashes anywhere does not agree as well."""
    bad = Span.joined(clash)
    good = Span.joined(span for span in agree if not any(span.overlaps(other) for other in bad))
    return (*((span, True) for span in good), *((span, False) for span in bad))


def _place(evidence: Evidence, words: Iterable[Span]) -> Span:
    """The best sentence, or all of the passage when a word stands outside of it."""
    best, whole = evidence.span, evidence.chunk.span
    inside = [span for span in words if whole.overlaps(span)]
    fits = all(best.start <= span.start and span.end <= best.end for span in inside)
    return best if fits and best.start < best.end else whole


def pieces(reading: Reading, within: Span) -> Iterator[tuple[str, Span | None]]:
    """A stretch of a reading in pieces: its words, and where they stand; None for glue."""
    at = within.start
    for piece in reading.pieces:
        start, end = max(piece.at, within.start), min(piece.at + len(piece.span), within.end)
        if start >= end:
            continue
        if at < start:
            yield reading.text[at:start], None
        begin = piece.span.start + start - piece.at
        yield reading.text[start:end], Span(begin, begin + end - start)
        at = end
    if at < within.end:
        yield reading.text[at : within.end], None
