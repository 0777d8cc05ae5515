"""Verdicts -> how they look: a word and a symbol beside the colour, so that all read without it."""

from __future__ import annotations

from dataclasses import dataclass

from halgo.report.marks import status
from halgo.types import ClaimResult, Verdict


@dataclass(frozen=True, slots=True)
class Look:
    """`name` is the class in the style sheet; symbol and word are what is read."""

    name: str
    symbol: str
    word: str


_LOOKS = {
    Verdict.SUPPORTED: Look("supported", "✓", "supported"),
    Verdict.WEAK_SUPPORT: Look("weak", "≈", "weak support"),
    Verdict.CONTRADICTION: Look("contradiction", "✗", "contradicted"),
    Verdict.HALLUCINATION: Look("hallucination", "?", "not found"),
}
# The worst first: what is shown where several claims share a passage.
WORST_FIRST = (
    Verdict.CONTRADICTION,
    Verdict.HALLUCINATION,
    Verdict.WEAK_SUPPORT,
    Verdict.SUPPORTED,
)


def look(verdict: Verdict) -> Look:
    """Class, symbol and word of a verdict."""
    return _LOOKS[verdict]


def look_of(result: ClaimResult) -> Look:
    """Those of a claim; a formula that classic mode cannot read has a word of its own."""
    found = _LOOKS[result.verdict]
    said = status(result)
    return found if said == result.verdict.value else Look(found.name, "!", said.lower())
