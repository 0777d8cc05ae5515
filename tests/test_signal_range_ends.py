"""Ends of a stretch: which value something begins at, and which it ends at."""

from __future__ import annotations

import pytest

from halgo import Halgorithm, Stance

pytestmark = pytest.mark.models

MEALS = "Breakfast is served from 7 to 10, lunch from 10 am to 2 pm."
MINISTER = "She was prime minister from 1994 to 2001."
ROAD = "The road is closed from November to April."
CAFE = "The café opens at 8, and it serves lunch from 12 to 14."


@pytest.fixture(scope="module")
def halgorithm() -> Halgorithm:
    return Halgorithm(embedder="lexical", entailment=None)


@pytest.mark.parametrize(
    ("text", "claim", "stances"),
    [
        (MEALS, "Breakfast ends at 10.", {Stance.SUPPORTS}),
        (MEALS, "Breakfast starts at 10 am.", {Stance.CONTRADICTS}),
        (MEALS, "Lunch starts at ten o'clock.", {Stance.SUPPORTS}),
        (MEALS, "Late breakfast, with music, starts at 10.", set()),  # less than half of it is told
        (MEALS, "Breakfast does not end at 7.", set()),
        (MEALS, "Breakfast starts at 8.", set()),  # neither end: a matter of amounts
        (MINISTER, "She left office in 1994.", {Stance.CONTRADICTS}),
        (MINISTER, "She became prime minister in May 1994.", set()),
        (ROAD, "The road opens in November.", {Stance.CONTRADICTS}),
        (ROAD, "The road closes in November.", {Stance.SUPPORTS}),
        ("Letters from 1912 to 1950 are kept.", "The letters are from 1950.", set()),
        (CAFE, "The café opens at 12.", set()),  # lunch is of "it", which also opens at 8
    ],
)
def test_an_end_is_not_the_other(
    halgorithm: Halgorithm, text: str, claim: str, stances: set[Stance]
) -> None:
    (result,) = halgorithm.checker(text).check_claims([claim]).results
    told = {
        signal.stance
        for assessment in result.assessments
        for signal in assessment.signals
        if signal.detector == "range_ends"
    }
    assert told == stances
