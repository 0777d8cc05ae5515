"""Contrast sets: what is said of one of several like things, told of another."""

import pytest

from halgo import Checker, Halgorithm, Verdict

PLANS = ["The Basic plan costs 9 EUR a month.", "The Pro plan costs 19 EUR a month."]
TRIALS = "The Alpha trial reached a 64% success rate. The Beta trial reached an 81% success rate."
OFFICES = "The north office opens at eight. The south office opens at ten."


@pytest.fixture(scope="module")
def halgorithm() -> Halgorithm:
    return Halgorithm(embedder="lexical", entailment=None)


@pytest.mark.parametrize(
    ("documents", "claim", "true"),
    [
        (PLANS, "The Basic plan costs 9 EUR a month.", True),
        (PLANS, "The Basic plan costs 19 EUR a month.", False),
        (TRIALS, "The Beta trial reached an 81% success rate.", True),
        (TRIALS, "The Alpha trial reached an 81% success rate.", False),
        (OFFICES, "The south office opens at ten.", True),
        (OFFICES, "The north office opens at ten.", False),
    ],
)
def test_what_is_said_of_the_other_thing_contradicts(
    documents: str | list[str], claim: str, true: bool, halgorithm: Halgorithm
) -> None:
    (result,) = Checker.from_docs(documents, halgorithm=halgorithm).check_claims([claim]).results
    assert result.verdict is (Verdict.SUPPORTED if true else Verdict.CONTRADICTION)
