"""What a denial is of: claims beside passages, both read by the real parser."""

import pytest
from small_values import pair_of

from halgo import facts
from halgo.facts.lexicon import default_lexicon
from halgo.signals.polarity import negation
from halgo.signals.relations import substitution
from halgo.signals.texts import Texts
from halgo.types import Pair

pytestmark = pytest.mark.models


def pair(claim: str, passage: str) -> Pair:
    ours, theirs = facts.extract([claim, passage])
    return pair_of(claim, ours, passage, theirs)


def denied(claim: str, passage: str) -> bool:
    texts = Texts(pair(claim, passage), default_lexicon())
    return any(signal.kind == "negation" for signal in negation.polarity(texts))


@pytest.mark.parametrize(
    ("claim", "other", "passage"),
    [
        # of a condition
        ("The landlord may refuse consent with good reason.",
         "The landlord may refuse consent without good reason.",
         "The landlord may not refuse consent without good reason."),
        ("With shade the plants survived at 40 °C.",
         "All the plants survived at 40 °C.",
         "At 40 °C the plants did not survive unless shade was provided."),
        # of a time
        ("Norvik has not yet left Tallinn.", "Norvik will not leave Tallinn.",
         "Norvik will leave Tallinn in May."),
        ("The penalty was carried out until 1987.", "The penalty has been carried out since 1987.",
         "The penalty has not been carried out since 1987."),
        # of others
        ("No man has won the prize.", "Nobody has won the prize.",
         "Three women have won the prize."),
        # of what is advised
        ("Deleting the folder by hand is not advised.", "Deleting the folder by hand is advised.",
         "Do not delete the folder by hand."),
    ],
)  # fmt: skip
def test_a_denial_is_held_against_what_it_is_of(claim: str, other: str, passage: str) -> None:
    assert not denied(claim, passage)
    assert denied(other, passage)


def placed(claim: str, passage: str) -> list[str]:
    texts = Texts(pair(claim, passage), default_lexicon())
    return [signal.kind for signal in substitution.conflicts(texts)]


@pytest.mark.parametrize(
    ("land", "other"), [("Poland", "Portugal"), ("Europe", "Africa"), ("Katowice", "Riga")]
)
def test_a_place_is_told_from_one_that_it_does_not_lie_in(land: str, other: str) -> None:
    passage = "The trainer in Katowice has resigned."
    assert placed(f"The trainer in {land} has resigned.", passage) == []
    assert placed(f"The trainer in {other} has resigned.", passage) == ["name_conflict"]
