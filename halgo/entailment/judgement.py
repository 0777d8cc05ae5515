"""What an entailment model says of a premise and a claim."""

from __future__ import annotations

from dataclasses import dataclass

from halgo.types import Span


@dataclass(frozen=True, slots=True)
class Piece:
    """A word piece of the claim: its characters, and the probability that it is unsupported."""

    span: Span
    unsupported: float


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the model says of one pair.

    probabilities: entailment, neutral, contradiction; they sum to 1. pieces: the claim's word
    pieces in order, as far as the model read; empty for a model that only judges whole claims.
    """

    probabilities: tuple[float, float, float]
    pieces: tuple[Piece, ...] = ()
