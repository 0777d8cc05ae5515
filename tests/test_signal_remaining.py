"""What is left, by its number: whose record counts, which keys do, and which words."""

from __future__ import annotations

import json

import pytest

from halgo import Halgorithm, Stance

pytestmark = pytest.mark.models

STOCK = [
    {"sku": "B-200", "warehouse": "Berlin", "qty": 0},
    {"sku": "B-200", "warehouse": "Hamburg", "qty": 75},
]
LAMP = [{"item": "Lamp", "stock": 14, "units sold": 0}, {"item": "Chair", "stock": 0}]
TRIAL = [{"plan": "Trial", "days left": 3}, {"plan": "Basic", "days left": 0}]


@pytest.fixture(scope="module")
def halgorithm() -> Halgorithm:
    return Halgorithm(embedder="lexical", entailment=None)


@pytest.mark.parametrize(
    ("records", "claim", "stances"),
    [
        (STOCK, "B-200 is out of stock in Berlin.", {Stance.SUPPORTS}),
        (STOCK, "B-200 is out of stock in Hamburg.", {Stance.CONTRADICTS}),
        (STOCK, "B-200 is out of stock.", set()),  # of two warehouses nobody knows which
        (STOCK, "B-200 is available in Hamburg.", set()),  # a quantity may be one that is ordered
        (LAMP, "The lamp is still in stock.", {Stance.SUPPORTS}),
        (LAMP, "The lamp is not in stock.", {Stance.CONTRADICTS}),
        (LAMP, "No chairs are left.", {Stance.SUPPORTS}),
        (LAMP, "The chair isn't sold out.", {Stance.CONTRADICTS}),
        (LAMP, "The lamp is in stock in red.", set()),
        (LAMP, "Only one lamp is left.", set()),
        (LAMP, "The lamp will be sold out.", set()),
        (TRIAL, "The trial is no longer available.", set()),
    ],
)
def test_what_a_number_of_things_left_says(
    halgorithm: Halgorithm, records: list[dict[str, object]], claim: str, stances: set[Stance]
) -> None:
    (result,) = halgorithm.checker(json.dumps(records)).check_claims([claim]).results
    told = (signal for found in result.assessments for signal in found.signals)
    assert {signal.stance for signal in told if signal.detector == "remaining"} == stances
