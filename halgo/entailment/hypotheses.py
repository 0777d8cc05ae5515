"""Claim -> the hypothesis that the entailment model reads: its amounts as the passages write them.

That 0.78 kilowatts are 780 W, and 200 minutes 3 h 20, is worked out exactly by the rules; a model
of language guesses it. So a claim's amount that a rule found in a passage, in other writing, is
read in the passage's. No value changes, only its writing, and so no false claim becomes true.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from halgo.entailment.judgement import Judgement
from halgo.types import Claim, Signal, Span

# Kinds of signal by which two amounts are one in different writing, and how sure they have to be:
# one that is less sure only leaves room for the other.
_SAME = frozenset({"number_agrees"})
_SURE = 0.5


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """What is read of a claim. moved: stretches of `claim.resolved`, and of `text` in their place.

    In order, and none overlaps another.
    """

    text: str
    moved: tuple[tuple[Span, Span], ...] = ()

    def told_of_claim(self, judgement: Judgement) -> Judgement:
        """A judgement of the hypothesis with its word pieces placed in `claim.resolved`.

        Pieces of an amount in other writing are the whole amount.
        """
        if not self.moved:
            return judgement
        pieces = tuple(replace(one, span=self._back(one.span)) for one in judgement.pieces)
        return replace(judgement, pieces=pieces)

    def _back(self, span: Span) -> Span:
        by = 0
        for was, now in self.moved:
            if span.overlaps(now):
                return was
            if now.start >= span.end:
                break
            by = was.end - now.end
        return span.shift(by)


def hypothesis(claim: Claim, signals: Sequence[Sequence[Signal]]) -> Hypothesis:
    """The hypothesis of one claim. signals: what stands beside each of its passages, best first."""
    shift = len(claim.resolved) - len(claim.text)
    written: dict[Span, list[str]] = {}
    for signal in (one for told in signals for one in told):
        span, values = signal.claim_span, signal.values
        if signal.kind in _SAME and signal.weight >= _SURE and span is not None and values:
            written.setdefault(span, []).append(values[1])
    moved: list[tuple[Span, Span]] = []
    text, at = "", 0
    for span in sorted(written):
        was, said = span.shift(shift), span.of(claim.text)
        # Of what some passage writes as the claim does nothing is to be told; a number alone, as
        # the cell of a table has it, has lost its unit.
        if was.start < at or was.of(claim.resolved) != said or _has(said, written[span]):
            continue
        given = written[span][0]
        text += claim.resolved[at : was.start]
        moved.append((was, Span(len(text), len(text) + len(given))))
        text, at = text + given, was.end
    return Hypothesis(text + claim.resolved[at:], tuple(moved))


def _has(said: str, given: Sequence[str]) -> bool:
    """Whether an amount is written as in one of these, or none of them has all of it."""
    words = set(said.casefold().split())
    return any(words.issuperset(one.casefold().split()) for one in given)
