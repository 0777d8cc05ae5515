"""A claim's amounts as its passages write them, which is what the entailment model reads."""

from __future__ import annotations

import pytest

from halgo import Halgorithm
from halgo.entailment.hypothesis import Hypothesis
from halgo.signals.quantities.rewriting import as_written

pytestmark = pytest.mark.models


@pytest.fixture(scope="module")
def halgorithm() -> Halgorithm:
    return Halgorithm(embedder="lexical", entailment=None)


@pytest.mark.parametrize(
    ("document", "claim", "read"),
    [
        ("Rooms are let for 120 minutes.", "A room is let for two hours.", "120 minutes"),
        ("Books are lent for 28 days.", "Books are lent for three weeks.", "21 days"),
        (
            "The piers are checked every 3 months.",
            "The piers are checked half-yearly.",
            "every 6 months",
        ),
        ("The story hour is at 15:45.", "The story hour is at quarter past four.", "16:15"),
        (
            "Rooms are let for up to 120 minutes.",
            "Rooms are let for up to an hour and a half.",
            "90 minutes",
        ),
        ("Students get 20% off.", "Students pay a quarter less.", "25%"),
    ],
)
def test_an_amount_is_told_in_the_unit_of_the_passages(
    halgorithm: Halgorithm, document: str, claim: str, read: str
) -> None:
    assert read in _read(halgorithm, document, claim)


@pytest.mark.parametrize(
    ("document", "claim"),
    [
        ("Books are lent for 28 days.", "Books are lent for 21 days."),  # one unit already
        ("Books are lent for 28 weeks.", "Books are lent for five months."),  # no round number
        ("The default is P30D.", "The default is two weeks."),
        ("The rent is due in 20 days.", "The rent is 900 euros."),  # another measure
        ("Uploads are retried every 20 s.", "Uploads are retried once a minute."),
    ],
)
def test_an_amount_stays_where_there_is_no_round_other_writing(
    halgorithm: Halgorithm, document: str, claim: str
) -> None:
    assert _read(halgorithm, document, claim) == claim


def _read(halgorithm: Halgorithm, document: str, claim: str) -> str:
    checker = halgorithm.checker([document])
    (examined,) = checker.examine([checker.check_claims([claim]).results[0].claim])
    return Hypothesis.of(examined.claim, as_written(examined.pairs)).text
