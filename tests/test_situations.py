"""The value of a case beside the limits of its rule."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from halgo import Checker, Halgorithm, facts
from halgo.entailment.hypothesis import Hypothesis
from halgo.signals.quantities.situations import as_they_lie
from halgo.types import FloatMatrix


def told(docs: list[str], claim: str) -> tuple[str, list[str]]:
    """What is read of a claim, and of which other cases its rule is."""
    checker = Checker.from_docs(docs, halgorithm=Halgorithm(entailment=None))
    claimed = checker.check_claims([claim]).results[0].claim
    (examined,) = checker.examine([claimed])
    lying = as_they_lie(examined.pairs)
    text = Hypothesis.of(claimed, [(one.span, one.told) for one in lying]).text
    return text, [one.other for one in lying if one.other]


@pytest.mark.parametrize(
    ("text", "supposed"),
    [
        ("A parcel of 45 kg goes by freight.", ["45 kg"]),
        ("If 3% of the requests fail, the minute does not count.", ["3%"]),
        ("Someone who arrives at 21:45 gets no food.", ["21:45"]),
        ("Our group of eight cannot book the small cabin.", ["eight"]),
        ("Members who joined in 2015 pay 40 euros.", ["2015"]),
        ("The parcel weighs 45 kg.", []),
        ("A fee of 45 euros is due.", []),
        ("The team found a ship of 45 m that sank in 1912.", []),
        ("A notice period of 30 days applies.", []),
        ("The hall has seats for 45 people.", []),
        ("Since you received it 20 days ago, you can return it.", ["20 days"]),
        ("You bought it 20 days ago, so you can return it.", ["20 days"]),
        ("Although he is 70 years old, he can be accepted.", ["70 years old"]),
        ("Having worked here for seven years, you get more leave.", ["seven years"]),
        ("Cancelling a booking two days ahead costs the fee.", ["two days"]),
        ("With seven years of service, you get more leave.", ["seven years"]),
        ("Your 12 MB file can be uploaded.", ["12 MB"]),
        ("The fee rose because the fund grew by 3%.", []),
        ("With 45 staff, the company opened a plant.", []),
        ("Acme sold 35 ships, so its income fell.", []),
    ],
)
def test_an_amount_is_supposed_where_it_tells_whom_a_rule_is_about(
    text: str, supposed: list[str]
) -> None:
    (found,) = facts.extract([text])
    values = [*found.quantities, *found.dates]
    assert [one.span.of(text) for one in values if one.supposed] == supposed


@pytest.mark.parametrize(
    ("claim", "read", "others"),
    [
        ("A parcel of 45 kg goes by freight.", "A parcel of over 40 kg goes by freight.", []),
        (
            "A parcel of 12,000 g goes by freight.",
            "A parcel of less than 40 kg goes by freight.",
            ["over 40 kg"],
        ),
        ("The parcel of 12 kg goes by freight.", "The parcel of 12 kg goes by freight.", []),
        ("A parcel of over 45 kg goes by freight.", "A parcel of over 45 kg goes by freight.", []),
    ],
)
def test_a_value_is_read_on_its_side_of_the_limit(claim: str, read: str, others: list[str]) -> None:
    assert told(["Parcels over 40 kg go by freight."], claim) == (read, others)


@pytest.mark.parametrize(
    ("rule", "read"),
    [
        ("Loans of up to 40 kg are signed once.", "up to 40 kg"),
        ("Boats of at least 20 kg are towed.", "at least 20 kg"),
        ("Bags between 20 and 40 kg are towed.", "20 and 40 kg"),
        ("Bags of 20 kg or more are towed.", "20 kg or more"),
        ("Bags are towed within a limit of 40 kg.", "less than 40 kg"),
    ],
)
def test_a_range_is_read_in_the_words_of_its_source(rule: str, read: str) -> None:
    text, _ = told([rule], "A bag of 30 kg is towed.")
    assert f"of {read} is" in text


def test_a_denial_beyond_the_limit_is_right_where_the_rule_would_be_wrong() -> None:
    class Denies:
        """An entailment model that is sure that what is over 40 kg goes by freight."""

        name = "stand-in"

        def predict(self, pairs: Sequence[tuple[str, str]]) -> FloatMatrix:
            """(premise, hypothesis) -> rows of entailment, neutral, contradiction."""
            wrong = ["over 40 kg" in said for _, said in pairs]
            return np.array([(0.02, 0.02, 0.96) if one else (0.1, 0.2, 0.7) for one in wrong])

    checker = Checker.from_docs(
        ["Parcels over 40 kg go by freight."], halgorithm=Halgorithm(entailment=Denies())
    )
    claims = [
        "A parcel of 12 kg does not go by freight.",
        "A parcel of 50 kg does not go by freight.",
    ]
    right, wrong = checker.check_claims(claims).results
    assert right.verdict.value == "SUPPORTED"
    assert wrong.verdict.value != "SUPPORTED"


def test_a_value_that_the_passage_has_is_left_as_it_is() -> None:
    claim = "A parcel of 40 kg goes by freight."
    assert told(["Parcels over 40 kg go by freight."], claim) == (claim, [])


class SureOfTheRule:
    """An entailment model that is sure of what is said of parcels over 40 kg alone."""

    name = "stand-in"

    def predict(self, pairs: Sequence[tuple[str, str]]) -> FloatMatrix:
        """(premise, hypothesis) -> rows of entailment, neutral, contradiction."""
        sure = ["over 40 kg" in said for _, said in pairs]
        return np.array([(0.96, 0.02, 0.02) if one else (0.3, 0.4, 0.3) for one in sure])


@pytest.mark.parametrize(
    ("weight", "verdict"), [("45 kg", "SUPPORTED"), ("12 kg", "CONTRADICTION")]
)
def test_what_the_rule_says_of_other_cases_is_denied_of_this_one(weight: str, verdict: str) -> None:
    halgorithm = Halgorithm(entailment=SureOfTheRule())
    checker = Checker.from_docs(["Parcels over 40 kg go by freight."], halgorithm=halgorithm)
    (result,) = checker.check_claims([f"A parcel of {weight} goes by freight."]).results
    assert result.verdict.value == verdict
    assert result.reason == ("supported" if verdict == "SUPPORTED" else "other_case")


TARIFF = """| Weight | Rate | Handling |
|---|---|---|
| up to 10 kg | €9.80 | by hand |
| over 10 kg to 20 kg | €14.50 | with a trolley |
| over 20 kg | €21.00 | with a forklift |
"""


@pytest.mark.parametrize(
    ("claim", "conflict"),
    [
        ("A parcel of 12 kg costs €9.80.", True),
        ("A parcel of 12,000 g costs €21.00.", True),
        ("A parcel of 12 kg costs €14.50.", False),
        ("A parcel of 31 kg is moved with a trolley.", True),
        ("A parcel of 31 kg is moved with a forklift.", False),
        ("A parcel of 12 kg costs €17.", False),  # of no row
    ],
)
def test_what_only_another_row_than_the_one_it_falls_into_holds_contradicts(
    claim: str, conflict: bool
) -> None:
    checker = Checker.from_docs([TARIFF], halgorithm=Halgorithm(entailment=None))
    (result,) = checker.check_claims([claim]).results
    kinds = {signal.kind for found in result.assessments for signal in found.signals}
    assert ("rows_conflict" in kinds) == conflict


def test_a_row_that_the_claim_names_goes_before_the_one_that_a_value_falls_into() -> None:
    plans = """| Plan | Users | Price |
|---|---|---|
| Basic | up to 5 | €9 |
| Pro | 6 to 50 | €40 |
| Enterprise | unlimited | €90 |
"""
    checker = Checker.from_docs([plans], halgorithm=Halgorithm(entailment=None))
    claims = ["Enterprise costs €90 for 30 users.", "A team of 30 users pays €9."]
    named, fallen = checker.check_claims(claims).results
    conflicts = [
        [
            one
            for found in result.assessments
            for one in found.signals
            if one.kind == "rows_conflict"
        ]
        for result in (named, fallen)
    ]
    assert not conflicts[0]
    assert conflicts[1]
    assert '30 users falls under "6 to 50"' in conflicts[1][0].message
