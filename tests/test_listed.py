"""A claim that lists is a claim of each of its items; what holds only of all together is one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from halgo import Config, Halgorithm, Verdict, facts
from halgo.claims.extract import as_claims
from halgo.claims.listed import items_of, may_list, to_parse
from halgo.facts.parse import parse
from halgo.types import FloatMatrix
from halgo.verdict.pooling import amounts_of

pytestmark = pytest.mark.models


def items(text: str) -> list[str]:
    (claim,) = as_claims([text])
    (read,) = facts.extract([text])
    return [one.text for one in items_of(claim, parse([to_parse(text)])[0], amounts_of(read))]


@pytest.mark.parametrize(
    "text, expected",
    [
        (
            "Team and Business have API access.",
            ["Team have API access", "Business have API access"],
        ),
        (
            "You can bring a tent, a stove or a dog.",
            ["You can bring a tent", "You can bring a stove", "You can bring a dog"],
        ),
        (
            "The fee covers the pool and the sauna on weekdays.",
            ["The fee covers the pool on weekdays", "The fee covers the sauna on weekdays"],
        ),
        (
            "Monthly and annual plans can be cancelled.",
            ["Monthly plans can be cancelled", "annual plans can be cancelled"],
        ),
        (
            "Trains run in winter as well as in summer.",
            ["Trains run in winter", "Trains run in summer"],
        ),
        (
            "Staff as well as visitors and guests must sign in.",
            ["Staff must sign in", "visitors must sign in", "guests must sign in"],
        ),
        (
            "Dogs are let in everywhere, even in the dining room.",
            ["in the dining room Dogs are let in everywhere"],
        ),
    ],
)
def test_items(text: str, expected: list[str]) -> None:
    assert items(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "The desk is open.",
        "The lot holds between cars and vans.",
        "Meyer and Kuhn together own the house.",
        "A ticket is good for an hour and a half.",
        "A full tank steams for roughly one hour and ten minutes.",
        "Holm & Sohn sent an offer.",
        "Mr Toll was elected treasurer and Ms Rahm chair.",
        "Support answers calls on Mondays and Sales on Fridays.",
        "Her papers went to the archive and her violins to the school.",
        "Guests need a passport or a licence.",  # one of them will do
        "Free and open source.",
        "The film was shot as a black and white picture.",
        "The vaccine is safe and effective.",
        "It works in and around Kiel.",
        "It is punished with a fine and not with prison.",
        "We sell to shops but not to restaurants and not in Malta.",
        "A stall costs €6 per metre and day.",
        "The line should break even in the second half of the year.",
        "The two plans, Team and Business, cost the same.",
    ],
)
def test_what_is_not_divided(text: str) -> None:
    assert items(text) == []


def test_most_claims_need_no_parse() -> None:
    listing, other = as_claims(["Team and Free have it.", "The handle is sandy."])
    assert may_list(listing) and not may_list(other)


class Reader:
    """A model that takes a list with "Norway" in it for right, and Norway alone for wrong."""

    name = "reader"

    def predict(self, pairs: Sequence[tuple[str, str]]) -> FloatMatrix:
        wrong = [said.startswith("Norway") and " and " not in said for _, said in pairs]
        rows = [[0.01, 0.01, 0.98] if one else [0.98, 0.01, 0.01] for one in wrong]
        return np.array(rows, dtype=np.float32)


def test_one_wrong_item_contradicts_the_claim_and_is_shown() -> None:
    halgorithm = Halgorithm(Config(), entailment=Reader())
    text = (
        "With Austria and Denmark there is access to the API; with Norway there is access to help."
    )
    checker = halgorithm.checker(text)
    right, wrong = checker.check_claims(
        [
            "Austria and Denmark have access to the API.",
            "Norway and Austria have access to the API.",
        ]
    ).results
    assert right.verdict is Verdict.SUPPORTED and right.parts == ()
    assert wrong.verdict is Verdict.CONTRADICTION
    norway, austria = wrong.parts
    assert (norway.verdict, austria.verdict) == (Verdict.CONTRADICTION, Verdict.SUPPORTED)
    assert wrong.message == norway.message


def test_as_well_as_does_not_shift_the_clauses_of_a_claim_whose_facts_are_spread() -> None:
    checker = Halgorithm(Config()).checker(
        [
            "The desk as well as the chair was sold in 2019. Both came from Bergen, where the "
            "workshop stood until the fire.",
            "The lamp was sold in 2021. It had been made by a cousin.",
        ]
    )
    said = "The desk as well as the chair was sold in 2019, and the lamp was sold in 2021."
    (result,) = checker.check_claims([said]).results
    assert [part.claim.text for part in result.parts] == [
        "The desk as well as the chair was sold in 2019",
        "the lamp was sold in 2021",
    ]
