"""Of figures altered by chance hardly one is taken for what the sources say."""

from __future__ import annotations

import pytest

from benchmarks import altered
from halgo import Halgorithm


def test_each_alteration_is_another_figure() -> None:
    assert dict(altered.altered(89.4, 1)) == pytest.approx(
        {"last digit": 89.5, "a hundredth": 90.294, "tenfold": 894.0, "digits": 98.4}
    )
    assert dict(altered.altered(-6.0, 0))["sign"] == 6.0


@pytest.mark.models
@pytest.mark.parametrize("seed", [11, 12])
def test_altered_figures_are_caught_and_the_same_in_other_forms_supported(seed: int) -> None:
    found = altered.count(Halgorithm(), seed, 1)
    true = found.pop("")
    assert true["right"] == true["claims"] >= 15
    assert sum(one["right"] for one in found.values()) >= 0.95 * sum(
        one["claims"] for one in found.values()
    )
