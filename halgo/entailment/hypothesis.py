"""What an entailment model reads of a claim: it in the user's case, amounts in other writing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from halgo.entailment.judgement import Judgement
from halgo.types import Claim, Span


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """What is read of a claim. moved: stretches of `claim.resolved`, and of `text` in their place.

    In order, and none overlaps another. ahead: characters of `text` before the claim, which tell
    the case that it is said of; the stretches count from behind them. other: the claim
    said of a case that the rule is for, where its own is one that the rule is not for, so that what
    is entailed of the one is denied of the other; "" for none. denies: whether the claim is a
    denial, so that what is wrong of the one is right of the other.
    """

    text: str
    moved: tuple[tuple[Span, Span], ...] = ()
    ahead: int = 0
    other: str = ""
    denies: bool = False

    @classmethod
    def of(cls, claim: Claim, written: Sequence[tuple[Span, str]] = ()) -> Hypothesis:
        """The claim as it stands, but for stretches of `claim.text` that are written otherwise.

        A stretch that overlaps the one before it stays, as does one that `claim.resolved` lacks.
        """
        shift = len(claim.resolved) - len(claim.text)
        moved: list[tuple[Span, Span]] = []
        text, at = "", 0
        for span, given in sorted(written):
            was = span.shift(shift)
            if was.start < at or was.of(claim.resolved) != span.of(claim.text):
                continue
            text += claim.resolved[at : was.start]
            moved.append((was, Span(len(text), len(text) + len(given))))
            text, at = text + given, was.end
        case = claim.in_case[: len(claim.in_case) - len(claim.resolved)]
        return cls(case + text + claim.resolved[at:], tuple(moved), len(case))

    def told_of_claim(self, judgement: Judgement) -> Judgement:
        """A judgement of the hypothesis with its word pieces placed in `claim.resolved`.

        A piece of what is written otherwise stands for all of it.
        """
        if not self.moved and not self.ahead:
            return judgement
        pieces = tuple(
            replace(one, span=self._back(one.span.shift(-self.ahead)))
            for one in judgement.pieces
            if one.span.start >= self.ahead
        )
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
