"""What the passages of a claim say of another thing than the claim does."""

import pytest
from small_values import pair_of

from halgo import facts
from halgo.facts.lexicon import default_lexicon
from halgo.signals import attribution

pytestmark = pytest.mark.models


def signals(claim, *sources):
    mine, *theirs = facts.extract([claim, *sources])
    pairs = [pair_of(claim, mine, text, its) for text, its in zip(sources, theirs, strict=True)]
    return attribution.signals(pairs, default_lexicon())


@pytest.mark.parametrize(
    "claim, source, whose",
    [
        (
            "The Alpha trial reached a success rate of 81%.",
            "The Alpha trial lasted two years. The Beta trial enrolled 95 patients. "
            "It reached a success rate of 81%.",
            "Beta trial",
        ),
        (
            "Defects must be reported by the seller.",
            "Defects must be reported by the buyer. The seller replaces the goods.",
            "buyer",
        ),
        (
            "Apart from the Cargo, the Trail is the only model to which a child seat is fitted.",
            "A child seat is fitted to the City and the Trail only. The Cargo carries a box.",
            "City",
        ),
    ],
)
def test_what_is_said_of_another_thing_is_told_of_both(claim, source, whose):
    ((signal,),) = signals(claim, source)
    assert signal.kind == "name_conflict" and signal.weight >= 0.5
    assert signal.values[1] == whose and signal.values[0] == signal.claim_span.of(claim)
    assert whose in signal.message


def test_each_clause_of_a_claim_is_looked_at_on_its_own():
    claim = "The landlord pays for electricity, while the tenant insures the building."
    source = "The landlord insures the building. The tenant pays for electricity."
    found = {signal.values for signal in signals(claim, source)[0]}
    assert found == {("landlord", "tenant"), ("tenant", "landlord")}


@pytest.mark.parametrize(
    "claim, source",
    [
        ("The Elm ward has ten beds.", "The Ash ward has ten beds. The Elm ward has ten beds too."),
        ("Orlo Textiles exports cloth.", "Orlo Textiles moved to Hull. The company exports cloth."),
        ("The Brisa is heavier than the Vento.", "The Vento weighs 1 t and the Brisa 2 t."),
        ("The landlord pays the tax.", "Holm Estates pays the tax. The landlord is Holm Estates."),
        ("Linen is ironed damp.", "Linen is cheap. Wool is dear. Both fabrics are ironed damp."),
        ("Sund bought the ferry.", "The ferry was bought by Sund from Norwick. Norwick grew."),
    ],
)
def test_what_may_be_said_of_the_same_is_left_alone(claim, source):
    assert signals(claim, source) == [[]]


def test_what_one_passage_says_of_the_claims_own_silences_the_others():
    claim = "The Brill plan includes shared folders."
    other = "The Team plan includes shared folders. The Brill plan is cheap."
    assert signals(claim, other)[0]
    assert signals(claim, other, "The Brill plan includes shared folders.") == [[], []]


def test_no_passages_give_no_signals():
    assert attribution.signals([], default_lexicon()) == []
