import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_rules import Family
from small_values import NoWords, pair_of

from halgo import facts
from halgo.signals.quantities.one_unit import in_one_unit
from halgo.signals.quantities.relation import Relation, relation
from halgo.types import Corpus, Facts, Quantity, Span, Stance, Term


def amount(low, unit="", high=None, **more):
    return Quantity(low, low if high is None else high, unit, Span(0, 1), **more)


def stated(text, surface, low, unit="", noun="", context=(), high=None, **more):
    """An amount where `surface` stands in `text`."""
    at = text.index(surface)
    high = low if high is None else high
    return Quantity(low, high, unit, Span(at, at + len(surface)), noun=noun,
                    context=frozenset(context), **more)  # fmt: skip


def terms(text):
    found, at = [], 0
    for word in text.lower().split():
        at, word = text.lower().index(word, at), word.rstrip(".")
        if word.isalpha() and len(word) > 3:
            found.append(Term(word, "NOUN", Span(at, at + len(word))))
    return tuple(found)


def pair(claim, claim_amounts, source, source_amounts, best=None):
    return pair_of(
        claim,
        Facts(quantities=tuple(claim_amounts), terms=terms(claim)),
        source,
        Facts(quantities=tuple(source_amounts), terms=terms(source)),
        best or source,
    )


def signals(*arguments, corpus=None, **more):
    (found,) = Family("numbers", NoWords()).compare([pair(*arguments, **more)], corpus or Corpus())
    return found


CLAIM, SOURCE = "The late fee is 5% per month.", "A late fee of 1.5% per month applies."
FEE = ("fee", "late")


def test_another_amount_of_the_same_thing_is_a_conflict():
    (signal,) = signals(
        CLAIM, [stated(CLAIM, "5%", 0.05, "fraction/month", "fee", FEE)],
        SOURCE, [stated(SOURCE, "1.5%", 0.015, "fraction/month", "fee", FEE)],
    )  # fmt: skip
    assert signal.kind == "number_conflict" and signal.stance is Stance.CONTRADICTS
    assert signal.weight >= 0.8
    assert signal.values == ("5%", "1.5%")
    assert signal.message == "The claim says 5%; the source says 1.5%."
    assert signal.claim_span.of(CLAIM) == "5%" and signal.evidence_span.of(SOURCE) == "1.5%"


def test_the_same_amount_agrees_even_beside_another():
    source = "A late fee of 5% applies. The discount is 2%."
    (signal,) = signals(
        CLAIM, [stated(CLAIM, "5%", 0.05, "fraction/month", "fee", FEE)],
        source, [stated(source, "5%", 0.05, "fraction", "fee", FEE),
                 stated(source, "2%", 0.02, "fraction", "discount", ("discount",))],
    )  # fmt: skip
    assert signal.kind == "number_agrees" and signal.stance is Stance.SUPPORTS


def test_a_count_of_other_things_is_no_conflict():
    claim, source = "The hotel has 40 rooms.", "The hotel has 12 floors."
    (signal,) = signals(
        claim, [stated(claim, "40", 40, noun="room", context=("hotel", "room"))],
        source, [stated(source, "12", 12, noun="floor", context=("hotel", "floor"))],
    )  # fmt: skip
    assert signal.kind == "unsupported_number" and signal.stance is Stance.UNSUPPORTED


def test_an_amount_that_stands_elsewhere_weighs_less_than_one_that_stands_nowhere():
    claim, source = "The hotel has 40 rooms.", "The hotel is in Graz."
    mine = [stated(claim, "40", 40, noun="room")]
    (nowhere,) = signals(claim, mine, source, [])
    (elsewhere,) = signals(
        claim, mine, source, [], corpus=Corpus(amounts=frozenset({(40, 40, "")}))
    )
    assert elsewhere.weight < 0.5 < nowhere.weight


def test_the_amount_of_another_thing_is_named_as_such():
    claim = "The joining fee is $40."
    source = "The annual fee is $40. The joining fee is $15."
    (signal,) = signals(
        claim, [stated(claim, "$40", 40, "dollar", "fee", ("fee", "joining"))],
        source, [stated(source, "$40", 40, "dollar", "fee", ("fee", "annual")),
                 stated(source, "$15", 15, "dollar", "fee", ("fee", "joining"))],
    )  # fmt: skip
    assert signal.kind == "number_other_role" and signal.stance is Stance.UNSUPPORTED


def test_a_conflict_in_the_best_sentence_counts_more_than_one_beside_it():
    source = "A late fee of 1.5% per month applies. Call us to pay late fees each month."
    theirs = [stated(source, "1.5%", 0.015, "fraction/month", "fee", FEE)]
    mine = [stated(CLAIM, "5%", 0.05, "fraction/month", "fee", FEE)]
    inside = signals(CLAIM, mine, source, theirs, best=Span(0, 37))
    beside = signals(CLAIM, mine, source, theirs, best=Span(38, len(source)))
    assert inside[0].kind == beside[0].kind == "number_conflict"
    assert inside[0].weight > beside[0].weight


def test_a_passage_amount_is_used_up_by_the_claim_amount_it_agrees_with():
    claim, source = "Two men and six women ran.", "Two men and two women ran."
    at = source.index("two")
    found = signals(
        claim, [stated(claim, "Two", 2, noun="man", context=("man", "run")),
                stated(claim, "six", 6, noun="woman", context=("woman", "run"))],
        source, [stated(source, "Two", 2, noun="man", context=("man", "run")),
                 Quantity(2, 2, "", Span(at, at + 3), noun="woman",
                          context=frozenset({"woman", "run"}))],
    )  # fmt: skip
    assert [signal.kind for signal in found] == ["number_agrees", "number_conflict"]


def test_small_words_raise_no_complaint_of_their_own():
    claim = "A single car passed."
    assert signals(claim, [stated(claim, "single", 1, noun="car")], "It rained.", []) == ()


def test_a_claim_without_amounts_has_no_signals():
    assert signals("It rained.", [], SOURCE, []) == ()


def test_digits_that_stand_in_the_passage_are_never_called_missing():
    claim, source = "It scored 5 points.", "The score was 5 points'."
    assert signals(claim, [stated(claim, "5 points", 5, "point")], source, []) == ()


@pytest.mark.parametrize(
    "claim, truth, expected",
    [
        (amount(2700, "metre"), amount(2700, "metre"), Relation.SAME),
        (amount(3000, "metre", 5000), amount(4000, "metre"), Relation.SAME),
        (amount(4000, "metre"), amount(3000, "metre", 5000), Relation.COMPATIBLE),
        (amount(9000, "metre"), amount(3000, "metre", 5000), Relation.DISJOINT),
        (amount(40, "", math.inf), amount(50), Relation.SAME),
        (amount(40), amount(40, "", math.inf), Relation.COMPATIBLE),
        (amount(30), amount(40, "", math.inf), Relation.DISJOINT),
        (amount(0, "", 10), amount(0, "", 20), Relation.DISJOINT),
        (amount(0, "", 20), amount(0, "", 10), Relation.DISJOINT),
        (amount(300, approximate=True), amount(304), Relation.ROUNDED),
        (amount(12500), amount(12000, approximate=True), Relation.FINER),
        (amount(13000), amount(12000, approximate=True), Relation.ROUNDED),
        (amount(4.2e9, step=1e8), amount(4e9, step=1e9), Relation.FINER),
        (amount(8050, "metre", step=10), amount(8046.72, "metre", step=1609.344),
         Relation.ROUNDED),
        (amount(4.2e9, "dollar", step=1e8), amount(4.213e9, "dollar", step=1e6), Relation.ROUNDED),
        (amount(0.02, "fraction", step=0.01), amount(0.015, "fraction", step=0.001),
         Relation.DISJOINT),
        (amount(5, "gram"), amount(5, "metre"), Relation.APART),
        (amount(5), amount(5, "metre"), Relation.APART),
        (amount(0.05, "fraction/month"), amount(0.05, "fraction/year"), Relation.DISJOINT),
        (amount(0.05, "fraction"), amount(0.05, "fraction/year"), Relation.SAME),
        (amount(8.2, "identifier:8.2", noun="section"), amount(9, "identifier:9", noun="section"),
         Relation.DISJOINT),
        (amount(2, "identifier:2", noun="phase"), amount(2, "identifier:2", noun="page"),
         Relation.APART),
        (amount(54000, "clock"), amount(10800, "clock12"), Relation.SAME),
        (amount(5, "degree"), amount(5, "degree Celsius"), Relation.SAME),
        (amount(14 / 365.25, "year of age", math.inf), amount(14 * 86400, "second"),
         Relation.SAME),
        (amount(14 / 365.25, "year of age"), amount(21 * 86400, "second"), Relation.APART),
        (amount(2e6, "byte"), amount(2.048e6, "byte"), Relation.ROUNDED),
        (amount(2e6, "byte"), amount(2.2e6, "byte"), Relation.DISJOINT),
    ],
)  # fmt: skip
def test_how_two_amounts_bear_on_each_other(claim, truth, expected):
    assert relation(claim, truth) is expected


def test_an_amount_that_leaves_room_for_a_limit_hardly_supports_it():
    # Nobody says "up to 20,000" of 2,000, though it is not untrue.
    claim, source = "It reads up to 20,000 characters.", "It reads 2,000 characters."
    mine = [stated(claim, "20,000 characters", 0, "character", "character", high=20000)]
    (found,) = signals(
        claim, mine, source, [stated(source, "2,000 characters", 2000, "character", "character")]
    )
    assert found.kind == "number_agrees" and found.weight < 0.4
    source = "It reads 20,000 characters."
    (found,) = signals(
        claim, mine, source, [stated(source, "20,000 characters", 20000, "character", "character")]
    )
    assert found.kind == "number_agrees" and found.weight > 0.8


UNITS = ["", "metre", "second", "dollar", "fraction", "degree", "ordinal", "fraction/month"]
AMOUNTS = st.builds(
    lambda a, b, unit, about: Quantity(min(a, b), max(a, b), unit, Span(0, 1), about),
    st.floats(-1e9, 1e9),
    st.floats(-1e9, 1e9),
    st.sampled_from(UNITS),
    st.booleans(),
)


@given(AMOUNTS, AMOUNTS)
def test_conflict_is_mutual_for_points_and_closed_ranges(one, other):
    ours = relation(one, other) is Relation.DISJOINT
    theirs = relation(other, one) is Relation.DISJOINT
    if 0.0 not in (one.low, other.low):
        assert ours == theirs


DAY, YEAR = 86_400, 31_557_600
TWICE_A_YEAR = amount(2, "times/year")


@pytest.mark.parametrize(
    ("claim", "truth", "expected"),
    [
        (TWICE_A_YEAR, amount(YEAR / 2, "second/every"), Relation.SAME),
        (TWICE_A_YEAR, amount(180 * DAY, "second/every"), Relation.SAME),
        (TWICE_A_YEAR, amount(YEAR / 4, "second/every"), Relation.DISJOINT),
        (amount(8 * 3600, "second/every"), amount(0, "times/day", high=3), Relation.COMPATIBLE),
        (amount(4 * 3600, "second/every"), amount(0, "times/day", high=3), Relation.DISJOINT),
        (amount(YEAR, "second/every"), amount(2, "times/year", high=math.inf), Relation.DISJOINT),
        (amount(0, "second/every", high=YEAR / 2), amount(2, "times/year", high=math.inf),
         Relation.SAME),
    ],
)  # fmt: skip
def test_how_often_is_compared_by_the_time_between(claim, truth, expected):
    assert relation(claim, truth) is expected


@given(AMOUNTS)
def test_an_amount_never_disagrees_with_itself(one):
    assert relation(one, one) is Relation.SAME


@given(st.integers(10_000, 999_999), st.integers(-900, 900))
def test_in_one_unit_another_number_with_as_many_digits_is_another_amount(cents, off):
    """€246.75 is told as €247 or, cut off, as €246, and as nothing else."""
    truth = amount(cents / 100, "euro", step=0.01)
    euros = (cents + off) // 100
    claim = amount(float(euros), "euro", step=1.0)
    agrees, far = relation(claim, truth) >= Relation.ROUNDED, abs(euros - cents / 100)
    assert agrees or far > 0.5
    assert not agrees or far < 1


@pytest.mark.parametrize(("said", "given", "expected"), [
    (365 * 86400.0, 365.2425 * 86400, True),  # 365 days and a year
    (4667.0, 4675.75, False),
])  # fmt: skip
def test_only_what_is_written_in_two_units_may_be_converted_roughly(said, given, expected):
    step = (86400.0, 365.2425 * 86400) if expected else (1.0, 0.01)
    claim, truth = (
        amount(value, "second", step=one) for value, one in zip((said, given), step, strict=True)
    )
    assert (relation(claim, truth) >= Relation.ROUNDED) == expected


@pytest.mark.parametrize(
    ("said", "given", "kind"),
    [
        ("34 cents", "€0.34", "number_agrees"),  # whose cents, the claim does not say
        ("€0.34", "34 cents", "number_agrees"),
        ("43 cents", "€0.34", "number_conflict"),
        ("$0.34", "€0.34", "number_conflict"),
    ],
)
def test_cents_are_those_of_the_other_money(said, given, kind):
    claim, source = f"A kilometre is paid at {said}.", f"A kilometre is paid at {given}."
    money = {"$": "dollar", "€": "euro"}
    ours, theirs = (
        stated(text, written, 0.43 if "43" in written else 0.34, money.get(written[0], "dollar"),
               "kilometre", ("pay",))
        for text, written in ((claim, said), (source, given))
    )  # fmt: skip
    (signal,) = signals(claim, [ours], source, [theirs])
    assert signal.kind == kind


def test_a_name_with_a_number_is_no_count():
    claim, source = "Two buses stop at the school.", "Bus 4705 stops at the school."
    theirs = stated(source, "4705", 4705, noun="bus", context=("stop", "school"))
    ours = stated(claim, "Two", 2, context=("stop", "school"))
    (signal,) = signals(claim, [ours], source, [theirs])
    assert signal.kind == "unsupported_number"


def test_a_range_is_held_against_a_range_before_what_it_happens_to_hold():
    claim = "A pitch holds anything between five and 250 people."
    source = "A pitch holds 10 to 250 people, and 50 as a rule."
    around = ("pitch", "hold")
    theirs = [
        stated(source, "10 to 250", 10, noun="people", context=around, high=250),
        stated(source, "50 as", 50, noun="people", context=around),
    ]
    ours = stated(claim, "five and 250", 5, noun="people", context=around, high=250)
    (signal,) = signals(claim, [ours], source, theirs)
    assert signal.kind == "number_conflict" and signal.values == ("five and 250", "10 to 250")


@pytest.mark.parametrize(
    ("said", "given", "agrees"),
    [
        ("The oven is at 177 °C.", "The oven is at 350 °F.", True),
        ("The oven is at 350 °C.", "The oven is at 350 °F.", False),
        ("The freezer is at 0 °F.", "The freezer is at -18 °C.", True),
        ("It boils at 373 K.", "It boils at 100 degrees Celsius.", True),
        ("Store it below 77 °F.", "Store it below 25 ° C.", True),
        ("Store it at 78 °F.", "Store it at 25 °C.", False),
        ("It rose by 9 °F.", "It rose by 5 °C.", True),
        ("It rose by 41 °F.", "It rose by 5 °C.", False),
        ("It is 9 °F warmer.", "It is 5 °C warmer.", True),
        ("It rose to 41 °F.", "It rose to 5 °C.", True),
        ("It cools by 9 °F per hour.", "It cools by 5 °C per hour.", True),
        ("It lost 34 cents.", "It lost €0.34.", True),
        ("It is 5 metres long.", "It is at 5 °C.", False),
    ],
)
def test_temperatures_are_compared_on_one_scale_and_differences_without_its_beginning(
    said, given, agrees
):
    ours, theirs = (found.quantities[0] for found in facts.extract([said, given]))
    claim, truth = in_one_unit(ours, said, theirs, given)
    assert (relation(claim, truth) >= Relation.ROUNDED) is agrees
