"""Amounts told side by side: claims beside passages, both read by the real parser."""

import pytest
from small_values import NoWords, pair_of

from halgo import facts
from halgo.signals.quantities import coordinated

pytestmark = pytest.mark.models

TICKET = "A day ticket costs £12, or £7 for pensioners."
FIRMS = "Lindgard employs 420 people, Torvik 65."


def values(claim: str, passage: str) -> list[tuple[str, str] | None]:
    """What the claim says and what it should."""
    ours, theirs = facts.extract([claim, passage])
    return [s.values for s in coordinated.signals(pair_of(claim, ours, passage, theirs), NoWords())]


@pytest.mark.parametrize(
    ("claim", "passage", "said", "told"),
    [
        ("A day ticket for pensioners costs £12.", TICKET, "£12", "£7"),
        ("Lindgard employs 65 people.", FIRMS, "65", "420"),
        ("Torvik employs 420 people.", FIRMS, "420", "65"),
        ("In May the level was 3.1 m.", "The level was 3.1 m (2.4 m in May).", "3.1 m", "2.4 m"),
        (
            "The bread is in the oven for 20 minutes.",
            "The bread takes 20 minutes of work and 45 minutes in the oven.",
            "20 minutes",
            "45 minutes",
        ),
    ],
)
def test_a_claim_with_the_amount_of_the_other_is_told(
    claim: str, passage: str, said: str, told: str
) -> None:
    assert values(claim, passage) == [(said, told)]


HEALING = "No smoking for three days, no sport for two."
SENSES = "Loss of smell was named by 35 percent, trouble with memory by 30."


@pytest.mark.parametrize(
    ("claim", "passage", "said", "told"),
    [
        ("No smoking for two days, no sport for three.", HEALING, "two days", "three days"),
        (
            "Trouble with memory was named by 35 percent, loss of smell by 30.",
            SENSES,
            "35 percent",
            "30",
        ),
    ],
)
def test_two_amounts_that_a_claim_has_exchanged_are_told(
    claim: str, passage: str, said: str, told: str
) -> None:
    assert values(claim, passage) == [(said, told)]


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("No sport for two days, no smoking for three.", HEALING),
        ("Trouble with memory was named by 30 percent, loss of smell by 35.", SENSES),
        ("A day ticket costs £12.", TICKET),
        ("Pensioners pay £7 for a day ticket.", TICKET),
        ("A day ticket costs £12, while pensioners pay less.", TICKET),
        ("A day ticket costs £12, and £7 for pensioners.", TICKET),
        ("Lindgard employs 420 people.", FIRMS),
        ("Torvik employs 65 people.", FIRMS),
        # Its words may be put otherwise.
        ("Of the line, 9 km run underground.", "The line is 12 km long, 9 km of it in tunnels."),
        # Amounts of other measures are not told side by side.
        ("The tour takes 3 hours.", "The tour costs £30, or 3 hours of work."),
        ("Nothing is counted here.", TICKET),
    ],
)
def test_a_claim_with_its_own_amount_is_left_alone(claim: str, passage: str) -> None:
    assert values(claim, passage) == []
