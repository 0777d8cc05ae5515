"""A claim in the sources' own words that the entailment model doubts."""

from __future__ import annotations

import numpy as np
import pytest

from halgo.entailment.judgement import Judgement
from halgo.entailment.premises import Premise
from halgo.entailment.readings import Judged
from halgo.verdict.scoring import FEATURES, with_judgement


@pytest.mark.parametrize(
    ("share", "entailed", "more"),
    [
        (1.0, 0.50, True),  # all its words, and the model cannot tell
        (0.5, 0.50, False),  # in other words: its doubt says less
        (1.0, 0.97, False),  # sure of it
    ],
)
def test_doubt_counts_more_of_what_has_the_sources_words(
    share: float, entailed: float, more: bool
) -> None:
    table = np.zeros((2, len(FEATURES)), dtype=np.float32)
    table[:, FEATURES.index("plain")] = share
    rest = (1.0 - entailed) / 2
    judged = Judged(Premise("", ()), Judgement((entailed, rest, rest)))
    told = with_judgement(table, judged)
    assert ((told[:, FEATURES.index("doubted_copy")] > 0) == more).all()
    assert (table[:, FEATURES.index("doubted_copy")] == 0).all()
