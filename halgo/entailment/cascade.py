"""A small and a large entailment model as one: the large one reads what leaves the small in doubt.

A cascade (Viola and Jones 2001): the cheap model settles most pairs, the dear one reads the rest.
Of a pair that both have read, their probabilities are multiplied, each to the power of its weight
(a logarithmic pool, Genest and Zidek 1986), and so are those of each word.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from halgo.entailment.judgement import Judgement, Piece
from halgo.types import FloatMatrix

# Probability of entailment by the small model between which the large one is asked. The
# wider, the more right and the slower: most time of a check goes into what lies between.
DOUBT = (0.015, 0.98)
EVERY = (-1.0, 2.0)  # every pair
_LARGE = 0.7  # the large model's weight; the small one has the rest
_LEAST = 1e-6


class Reader(Protocol):
    """What a cascade is made of: a `CrossEncoder`, or a stand-in for one."""

    @property
    def name(self) -> str: ...

    def load(self) -> None: ...

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]: ...


class Cascade:
    """An `EntailmentModel` of two, which read the same word pieces.

    doubt: the large model reads pairs to which the small one gives a probability of entailment
    between these two. Safe to share between threads.
    """

    parallel = True  # pairs may be read by several threads at once

    def __init__(self, small: Reader, large: Reader, doubt: tuple[float, float] = DOUBT) -> None:
        self.small, self.large, self.doubt = small, large, doubt
        joint = "+" if doubt == DOUBT else "&"
        self.name = f"{small.name}{joint}{large.name.removeprefix('halgo-entailment-')}"

    def load(self) -> None:
        """Loads both models now, not at the first pair. Raises what that would raise."""
        self.small.load()
        self.large.load()

    def predict(self, pairs: Sequence[tuple[str, str]]) -> FloatMatrix:
        """(premise, hypothesis) -> (n, 3) float32: entailment, neutral, contradiction."""
        found = [judgement.probabilities for judgement in self.read(pairs)]
        return np.array(found, dtype=np.float32).reshape(len(pairs), 3)

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        """One judgement per pair, in order."""
        return self.closer(pairs, self.first(pairs))

    def first(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        """What the small model alone says of each pair."""
        return self.small.read(pairs)

    def closer(
        self, pairs: Sequence[tuple[str, str]], first: Sequence[Judgement]
    ) -> list[Judgement]:
        """The same judgements, joined with the large model's where the small one is in doubt."""
        found = list(first)
        least, most = self.doubt
        doubtful = [at for at, one in enumerate(found) if least < one.probabilities[0] < most]
        again = self.large.read([pairs[at] for at in doubtful])
        for at, judgement in zip(doubtful, again, strict=True):
            found[at] = joined(found[at], judgement)
        return found


def joined(small: Judgement, large: Judgement) -> Judgement:
    """What the two say together of one pair."""
    powers = [
        max(one, _LEAST) ** (1 - _LARGE) * max(other, _LEAST) ** _LARGE
        for one, other in zip(small.probabilities, large.probabilities, strict=True)
    ]
    entailed, neutral, contradicted = (power / sum(powers) for power in powers)
    pieces = tuple(
        Piece(one.span, _chance((1 - _LARGE) * _odds(one) + _LARGE * _odds(other)))
        for one, other in zip(small.pieces, large.pieces, strict=True)
    )
    return Judgement((entailed, neutral, contradicted), pieces)


def _odds(piece: Piece) -> float:
    chance = min(max(piece.unsupported, _LEAST), 1 - _LEAST)
    return math.log(chance / (1 - chance))


def _chance(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))
