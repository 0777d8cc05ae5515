"""Claims, passages, pairs and reports made by hand, for tests of what is done with them."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from halgo.config import Config
from halgo.report.report import Engine, Report
from halgo.types import (
    Chunk,
    Claim,
    ClaimKind,
    ClaimResult,
    Evidence,
    Facts,
    Pair,
    Reading,
    Span,
    State,
    Verdict,
)

ENGINE = Engine("0", "by-table", "none", "none", "by-hand", "0")


class NoWords:
    """A lexicon that knows no word."""

    def synonyms(self, lemma: str) -> frozenset[str]:
        return frozenset()

    def antonyms(self, lemma: str) -> frozenset[str]:
        return frozenset()


class Yes:
    """A checker that says yes to everything, and remembers what it was asked."""

    def __init__(self, asked: list[tuple[str, ...]]) -> None:
        self.asked = asked

    def check_claims(self, claims: list[str]) -> Any:
        self.asked.append(tuple(claims))
        result = SimpleNamespace(verdict=Verdict.SUPPORTED, reason="supported", score=1.0)
        return SimpleNamespace(results=[result])


def span_of(words: str, text: str) -> Span:
    """Where `words` stand first in `text`."""
    start = text.index(words)
    return Span(start, start + len(words))


def claim_of(
    answer: str, words: str = "", number: int = 1, kind: ClaimKind = ClaimKind.FACT
) -> Claim:
    """The claim that these words of an answer make; all of it when there are none."""
    words = words or answer
    span = span_of(words, answer)
    return Claim(number, words, span, kind, Reading.verbatim(words, span.start), words)


def evidence_of(document: str, best: str | Span = "", source: str = "d") -> Evidence:
    """A document in one chunk, with its best sentence; all of it when there is none."""
    whole = Span(0, len(document))
    span = span_of(best or document, document) if isinstance(best, str) else best
    chunk = Chunk(0, source, whole, document, Span(0, 1))
    return Evidence(chunk, source, span, 0.9, 0.8, Reading.verbatim(document), span)


def pair_of(
    claim: str, facts: Facts, passage: str, its_facts: Facts, best: str | Span = ""
) -> Pair:
    """A claim beside a passage, with the facts of both."""
    return Pair(claim_of(claim), facts, evidence_of(passage, best), its_facts)


def report_of(
    answer: str, results: list[ClaimResult], skipped: tuple[Claim, ...] = (), **changes: Any
) -> Report:
    """An assessed report with these results."""
    report = Report(answer, State.ASSESSED, tuple(results), skipped, (), Config(), ENGINE)
    return replace(report, **changes)
