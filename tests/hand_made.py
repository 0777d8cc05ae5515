"""Reports made by hand: an answer, what the sources say of which sentence, and no model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from halgo.claims.kinds import by_wording
from halgo.config import Config
from halgo.report.report import Engine, Report
from halgo.sources.sentences import split
from halgo.types import (
    Assessment,
    Chunk,
    Claim,
    ClaimKind,
    ClaimResult,
    Evidence,
    Reading,
    Signal,
    Span,
    State,
    Verdict,
)

ENGINE = Engine("0", "by-table", "none", "none", "by-hand", "0")
GOOD, WEAK = Verdict.SUPPORTED, Verdict.WEAK_SUPPORT
WRONG, INVENTED = Verdict.CONTRADICTION, Verdict.HALLUCINATION
SCORES = {GOOD: 0.95, WEAK: 0.5, INVENTED: 0.1, WRONG: 0.05}


def passage(text: str, source: str = "policy.md") -> Evidence:
    """A passage that is a document of its own."""
    span = Span(0, len(text))
    chunk = Chunk(0, source, span, text, Span(0, 1))
    return Evidence(chunk, source, span, 0.9, 0.8, Reading.verbatim(text), span)


def result(
    claim: Claim,
    verdict: Verdict = GOOD,
    message: str = "",
    source: str = "",
    signals: Sequence[Signal] = (),
    unsupported: Sequence[str] = (),
) -> ClaimResult:
    """A claim with its verdict and, where `source` is given, the passage it rests on."""
    found = (Assessment(passage(source), SCORES[verdict], tuple(signals)),) if source else ()
    own = () if source else tuple(signals)
    reason = "supported" if verdict is GOOD else "no_evidence"
    return ClaimResult(
        claim, verdict, reason, message, SCORES[verdict], found, own, tuple(unsupported)
    )


def report(
    answer: str,
    verdicts: Mapping[str, Verdict] | None = None,
    *,
    kinds: Mapping[str, ClaimKind] | None = None,
    resolved: Mapping[str, str] | None = None,
    unsupported: Sequence[str] = (),
    source: str = "",
    state: State | None = None,
) -> Report:
    """A report on `answer`, a claim a sentence; those are SUPPORTED that `verdicts` does not name.

    The keys are the beginnings of sentences as they are read. What no wording shows is a fact,
    headings but for those among `verdicts` are headings.
    """
    results, skipped = [], []
    for number, sentence in enumerate(split(answer), start=1):
        text = sentence.reading.text

        def told(table: Mapping[str, object] | None, text: str = text) -> object:
            named = [key for key in table or {} if text.startswith(key)]
            return (table or {})[max(named, key=len)] if named else None

        verdict = told(verdicts)
        kind = told(kinds) or (by_wording(text, sentence.block) if verdict is None else None)
        if kind is None and sentence.block == "heading" and verdict is None:
            kind = ClaimKind.HEADING
        kind = kind or ClaimKind.FACT
        assert isinstance(kind, ClaimKind)
        put = told(resolved)
        claim = Claim(number, text, sentence.span, kind, sentence.reading, str(put or text))
        if kind.checked:
            found = verdict if isinstance(verdict, Verdict) else GOOD
            results.append(
                result(claim, found, source=source, unsupported=unsupported if verdict else ())
            )
        else:
            skipped.append(claim)
    return of(answer, results, skipped, state)


def atomic(answer: str, *clauses: tuple[Sequence[str], Verdict]) -> Report:
    """A report on one sentence whose clauses are claims; each is the stretches that it is read as.

    A stretch is looked for in the answer; the last ones that follow each other, marks between
    them aside, are the clause's own place.
    """
    results = []
    for number, (stretches, verdict) in enumerate(clauses, start=1):
        spans = [Span(answer.index(s), answer.index(s) + len(s)) for s in stretches]
        reading = Reading.joined(
            Reading.verbatim(s, span.start) for s, span in zip(stretches, spans, strict=True)
        )
        own = spans[-1]
        for span in reversed(spans[:-1]):
            if any(char.isalnum() for char in answer[span.end : own.start]):
                break
            own = Span(span.start, own.end)
        claim = Claim(number, reading.text, own, ClaimKind.FACT, reading, reading.text)
        results.append(result(claim, verdict))
    return of(answer, results)


def of(
    answer: str,
    results: Sequence[ClaimResult],
    skipped: Sequence[Claim] = (),
    state: State | None = None,
) -> Report:
    """A report of these results."""
    if state is None:
        state = State.ASSESSED if results else State.NO_CLAIMS
    return Report(answer, state, tuple(results), tuple(skipped), (), Config(), ENGINE)
