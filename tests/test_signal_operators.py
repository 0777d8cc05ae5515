"""What a claim says of all, always or everywhere, and what its source restricts or excepts."""

import pytest
from small_values import pair_of

from halgo import facts
from halgo.facts.lexicon import default_lexicon
from halgo.signals.polarity import operators
from halgo.types import Signal, Stance

pytestmark = pytest.mark.models


def pair(claim, source):
    mine, theirs = facts.extract([claim, source])
    return pair_of(claim, mine, source, theirs)


def told(claim, source):
    return [
        found[0].values
        for found in operators.wider([pair(claim, source)], default_lexicon())
        if found
    ]


@pytest.mark.parametrize(
    "claim, source, values",
    [
        ("Every stall must show a certificate.",
         "Stalls at the market that sell food must show a certificate.",
         ("Every stall", "at the market that sell food")),
        ("All members pay half the fee.", "Members over 60 pay half the fee.",
         ("All members", "over 60")),
        ("Any pilot may fly over the harbour.", "A registered pilot may fly over the harbour.",
         ("Any pilot", "registered pilot")),
        ("Anyone can apply for a permit.", "Photographers can apply for a permit.",
         ("Anyone", "Photographers")),
        ("Guests may use the sauna at any hour.", "Guests may use the sauna after 8 pm.",
         ("at any hour", "after 8 pm")),
        ("The van is insured for journeys anywhere in the world.",
         "The van is insured for journeys within the district.",
         ("anywhere in the world", "within the district")),
        ("The club pays for fuel without any limit.", "The club pays for fuel up to €80 a month.",
         ("without any limit", "for fuel up to €80")),
        ("Withdrawals are always free.", "Withdrawals are free except in the first ninety days.",
         ("always", "except in the first ninety days")),
        ("Relays always discard large messages.", "By default, relays discard large messages.",
         ("always", "By default")),
    ],
)  # fmt: skip
def test_a_restriction_that_a_universal_word_drops(claim, source, values):
    assert told(claim, source) == [values]


@pytest.mark.parametrize(
    "claim, source",
    [
        # no universal word: one case that meets the condition, or one part of what is allowed
        ("A stall that sells food must show a certificate.",
         "Stalls that sell food must show a certificate."),
        ("The sauna is open to guests.", "Guests may use the sauna after 8 pm."),
        # the restriction is kept, or told by another amount
        ("Every stall that sells food must show a certificate.",
         "Stalls that sell food must show a certificate."),
        ("Any member aged 64 pays half the fee.", "Members over 60 pay half the fee."),
        ("Everyone except Ann agreed to the logo.", "Everyone except Ann agreed to the logo."),
        # the passage also says it without one
        ("Every stall must show a certificate.",
         "Stalls that sell food must show a certificate. Every stall must show a certificate."),
        # how often, how little, how high
        ("The sensors are tested every month.", "Sensors in the north hall are tested monthly."),
        ("The lawyer had no sense of music.", "The lawyer had no sense of music but of words."),
        # one of several conditions
        ("Anyone who takes norsavir must not drive.",
         "You must not drive if you have a cold or if you take norsavir."),
    ],
)  # fmt: skip
def test_what_leaves_no_restriction_out(claim, source):
    assert told(claim, source) == []


def test_a_passage_that_lacks_the_sentence_does_not_say_it_either():
    claim = "Every stall must show a certificate."
    whole = pair(claim, "Stalls that sell food must show a certificate.")
    other = pair(claim, "A certificate hangs in the office.")
    (here,), (there,) = operators.wider([whole, other], default_lexicon())
    assert here.stance is there.stance is Stance.UNSUPPORTED
    assert here.evidence_span is not None and there.evidence_span is None


EXCEPT = "Everyone except Mette agreed to the new logo."


@pytest.mark.parametrize(
    "claim, source, said",
    [
        ("Mette agreed to the new logo.", EXCEPT, "contradicts"),
        ("Mette did not agree to the new logo.", EXCEPT, True),
        ("Everyone agreed to the new logo.", EXCEPT, False),
        ("Editors can delete a project.", "Admins, but not editors, can delete a project.",
         "contradicts"),
        ("Admins can delete a project.", "Admins, but not editors, can delete a project.", False),
        ("Milan burnt his arm on the oven.",
         "The oven was praised by all except Milan, who burnt his arm.", True),
        ("Milan praised the oven.", "The oven was praised by all except Milan, who burnt his arm.",
         "contradicts"),
        ("All but Milan praised the oven.",
         "The oven was praised by all except Milan, who burnt his arm.", False),
    ],
)  # fmt: skip
def test_what_an_exception_says_of_the_thing_excepted(claim, source, said):
    found = operators.excepted(pair(claim, source), default_lexicon())
    assert (found.stance.value if isinstance(found, Signal) else found) == said


def test_hostile_claims_take_bounded_time():
    claim = "Every stall, always and everywhere, " * 400 + "must show a certificate."
    source = "Stalls that sell food, except if, unless, only " * 400
    assert told(claim, source) == []
