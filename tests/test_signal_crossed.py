"""What a sentence says of one thing and the claim of the other, and the other way round."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from small_values import pair_of

from halgo import facts
from halgo.signals.relations import argument_swap

pytestmark = pytest.mark.models


def signals_of(claim, source):
    mine, theirs = facts.extract([claim, source])
    return argument_swap.signals(pair_of(claim, mine, source, theirs))


RENT = "The rent may be raised once a year; the service charges are settled every March."
PAY = "Nurses get 20 days of leave on full pay and doctors get 25 days."
PRESS = "Tamsin drafts the press release; Noor approves it."


@pytest.mark.parametrize(
    "claim, source",
    [
        ("The rent is settled every March, the service charges may be raised once a year.", RENT),
        ("Noor drafts the press release, and Tamsin approves it.", PRESS),
        ("The monthly rent is €160, plus €980 for service charges.",
         "The monthly rent is €980 plus €160 for service charges."),
        ("Nurses get 25 days of leave on full pay and doctors get 20 days.", PAY),
        ("Rinse the tank after every use and the frother once a week.",
         "Rinse the frother after every use and the tank once a week."),
        ("Dana Ober is leaving to join a bank, while Neil Crane keeps her post in the group.",
         "Dana Ober keeps her post in the group, while Neil Crane is leaving to join a bank."),
        ("Demand from yacht builders offset weaker orders from ferry operators.",
         "Demand from ferry operators had offset weaker orders from yacht builders."),
        ("Debt fell after Brightkeel sold its stake in the company.",
         "Debt fell after the company sold its stake in Brightkeel."),
        ("Upgrades take effect immediately, while downgrades take effect at the end of the month.",
         "Downgrades take effect immediately, while upgrades take effect at the end of the month."),
    ],
)  # fmt: skip
def test_told_crosswise(claim, source):
    (signal,) = signals_of(claim, source)
    assert (signal.kind, signal.stance.name) == ("swapped_names", "CONTRADICTS")
    assert signal.claim_span.of(claim) and signal.evidence_span.of(source)
    assert signal.claim_span.of(claim) in signal.message


@pytest.mark.parametrize(
    "claim, source",
    [
        # the same, its parts in the other order
        ("The service charges are settled every March, the rent may be raised once a year.", RENT),
        ("Noor approves the press release that Tamsin drafts.", PRESS),
        ("Doctors get 25 days of leave on full pay, nurses get 20 days.", PAY),
        ("Because the pitch was flooded, the match was called off.",
         "The match was called off because the pitch was flooded."),
        ("Brightkeel was the company in which the firm sold its stake after debt fell.",
         "Debt fell after the firm sold its stake in the company Brightkeel."),
        # turned into the passive
        ("The effect of iron is weakened by tea, and both are taken two hours apart.",
         "Tea weakens the effect of iron, and both are taken two hours apart."),
        # of one list
        ("It is used in Canada, Spain and other countries to track goods.",
         "It is used in other countries, Spain and Canada to track goods."),
        ("Sophie, 21, and Sheree, 25, let others use their accounts.",
         "Sheree, 25, and Sophie, 21, let others use their accounts."),
        # another sentence says just this
        ("Nurses get 25 days and doctors get 20 days of leave.",
         "Nurses get 20 days and doctors get 25 days. Nurses get 25 days and doctors get 20 days "
         "of leave in Wells."),
        ("", PRESS),
        ("Noor.", PRESS),
    ],
)  # fmt: skip
def test_not_told_crosswise(claim, source):
    assert signals_of(claim, source) == []


@settings(max_examples=40, deadline=None)
@given(some.lists(some.sampled_from([*RENT.split(), *PAY.split(), "because", ";"]), max_size=30))
def test_any_words_give_at_most_one_signal_inside_its_texts(said):
    claim = " ".join(said)
    for signal in signals_of(claim, f"{RENT} {PAY}"):
        assert signal.claim_span.end <= len(claim)
    assert len(signals_of(claim, f"{RENT} {PAY}")) <= 1
    assert signals_of(RENT, RENT) == []
