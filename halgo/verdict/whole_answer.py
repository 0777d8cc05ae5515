"""Scores of an answer's claims -> the probability that the sources support all of the answer.

An answer is worth its weakest claim, and less the less likely it is that all of them are supported
together. Logistic regression on the two (Platt 1999), fitted on answers that people labelled as a
whole; `data/whole_answer.json` has the coefficients, the command and the figures out of fold.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from halgo.calibration import log_odds

# Beyond this a score is no surer: its log odds would outweigh all else.
SUREST = 0.99
# The weakest of so many claims are taken together: answers that people labelled seldom have more,
# and of a long one that is right the product would be nothing.
_MOST = 15


@dataclass(frozen=True, slots=True)
class WholeAnswer:
    """p = 1 / (1 + exp(-(weakest * w + joint * j + intercept))), w and j being `features`."""

    weakest: float
    joint: float
    intercept: float

    def __call__(self, scores: Sequence[float]) -> float:
        """The probability, in (0, 1), that every claim is supported.

        scores: of the claims, in [0, 1], not calibrated for a domain; at least one.
        Raises ValueError for none: nothing can be said of an answer that asserts nothing.
        """
        least, together = features(scores)
        logit = self.weakest * least + self.joint * together + self.intercept
        return 1.0 / (1.0 + math.exp(-logit))

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> WholeAnswer:
        """From the JSON form."""
        return cls(*(float(values[name]) for name in ("weakest", "joint", "intercept")))


def features(scores: Sequence[float]) -> tuple[float, float]:
    """(log odds of the least score, natural log of the product of the 15 least).

    The product would be the probability of the whole if one claim said nothing about the next.
    """
    if not scores:
        raise ValueError("an answer without a checked claim has no probability")
    bounded = [min(SUREST, max(1.0 - SUREST, score)) for score in scores]
    return log_odds(min(bounded)), math.fsum(math.log(score) for score in sorted(bounded)[:_MOST])


@lru_cache(maxsize=1)
def default_whole_answer() -> WholeAnswer:
    """The shipped coefficients."""
    text = resources.files("halgo").joinpath("data/whole_answer.json").read_text(encoding="utf-8")
    return WholeAnswer.from_dict(json.loads(text)["coefficients"])
