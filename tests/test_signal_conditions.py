"""Conditions of a source that a claim waves away, and what only another may."""

import pytest
from small_values import pair_of

from halgo import facts
from halgo.facts.lexicon import default_lexicon
from halgo.signals.polarity import conditionals

pytestmark = pytest.mark.models


def signals_of(claim, source):
    mine, theirs = facts.extract([claim, source])
    return conditionals.signals(pair_of(claim, mine, source, theirs), default_lexicon())


OWNER = "Only the owner can change the plan; billing admins can download invoices."


@pytest.mark.parametrize(
    "claim, source, told",
    [
        ("Business class may be booked on long flights, even when the trip is for training.",
         "Business class may be booked on long flights, except when the trip is for training.",
         "except when the trip is for training"),
        ("Breakfast is reimbursed whether or not it is included in the rate.",
         "Breakfast is reimbursed only if it is included in the rate.",
         "only if it is included in the rate"),
        ("Children may use the machine without supervision.",
         "Children may use the machine only under supervision.", "only under supervision"),
        ("The pump is covered for 36 months even if the machine is not registered.",
         "The pump is covered for 36 months if the machine is registered.",
         "if the machine is registered"),
        ("The app will follow in December regardless of when Zentrio delivers the parts.",
         "The app will follow in December, provided that Zentrio delivers the parts by October.",
         "provided that Zentrio delivers the parts by October"),
        ("The lease may be ended at any time, including during the first twelve months.",
         "The lease may be ended, but the tenant may not do so during the first twelve months.",
         "but the tenant may not do so during the first twelve months"),
        ("Billing admins can change the plan.", OWNER, "owner"),
        ("The drip tray and the tank are safe in the dishwasher.",
         "The tank is washed by hand. Only the drip tray is safe in the dishwasher.", "tray"),
    ],
)  # fmt: skip
def test_a_condition_waved_away(claim, source, told):
    (signal,) = signals_of(claim, source)
    assert (signal.kind, signal.stance.name) == ("limited", "CONTRADICTS")
    assert signal.evidence_span.of(source).strip() == told and told in signal.message


@pytest.mark.parametrize(
    "claim, source",
    [
        # "without" is the condition itself
        ("A student cannot enrol without the consent of the director.",
         "A student may enrol only with the consent of the director."),
        # the source waves it away too
        ("He may claim it even if the asset is not used.",
         "He may claim it, subject to the rate, even though the asset is not used."),
        # a condition on something else
        ("Cover for storm continues even when the home is empty.",
         "When the home is empty, cover for theft stops; cover for storm continues."),
        ("The owner can change the plan.", OWNER),
        ("Billing admins can download invoices.", OWNER),
        ("Billing admins cannot change the plan.", OWNER),
        ("Ann Moss may sign it.", "Only the owner may sign it. The owner is Ann Moss."),
        ("Ann Moss may sign it.", "The owner, Ann Moss, was there. Only the owner may sign it."),
        ("He may enter without notice in an emergency.",
         "He may enter only with notice, or without notice in an emergency."),
        ("Arsenal won the cup in 2002.",
         "Arsenal is one of only six clubs that won the cup twice, in 2002 and 2003."),
        ("", OWNER),
        ("Even if.", OWNER),
    ],
)  # fmt: skip
def test_no_condition_is_waved_away(claim, source):
    assert signals_of(claim, source) == []
