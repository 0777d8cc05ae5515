"""Two parties of a relation, told from either side."""

import pytest
from small_rules import Family
from small_values import pair_of

from halgo import facts
from halgo.facts.corpus import corpus_of
from halgo.facts.lexicon import default_lexicon
from halgo.signals.relations import converse
from halgo.signals.texts import Texts

pytestmark = pytest.mark.models


def signals_of(claim, source):
    """Kind -> signal of the detector for a claim beside a passage."""
    mine, theirs = facts.extract([claim, source])
    pairs = [pair_of(claim, mine, source, theirs)]
    (found,) = Family("terms", default_lexicon()).compare(pairs, corpus_of([theirs], [source]))
    return {signal.kind: signal for signal in found}


SAME = [
    ("Quaye learned to sail from Penn.", "Penn taught Quaye to sail."),
    ("Adler was Quaye's pupil.", "Quaye was Adler's teacher."),
    ("Corran sells oats to Aster.", "Aster buys its oats from Corran."),
    ("Amadi took the place of Croft.", "Amadi has succeeded Croft on the board."),
    ("Teldis has taken legal action against the city.", "Teldis has sued the city."),
    ("Anna Berg lost to Lucia Conti.", "Lucia Conti beat Anna Berg in the final."),
    ("Nils Holm works for Acme.", "Acme employs Nils Holm as a driver."),
    ("Otto is Carl Berg's son.", "Carl Berg is the father of Otto."),
]


@pytest.mark.parametrize("claim, source", SAME)
def test_the_same_from_the_other_side_is_no_conflict(claim, source):
    assert not {"swapped_names", "antonym", "name_conflict"} & set(signals_of(claim, source))


@pytest.mark.parametrize(
    "claim, source",
    [
        ("Penn learned to sail from Quaye.", "Penn taught Quaye to sail."),
        ("Quaye was Adler's pupil.", "Quaye was Adler's teacher."),
        ("Aster sells oats to Corran.", "Aster buys its oats from Corran."),
        ("Croft took the place of Amadi.", "Amadi has succeeded Croft on the board."),
        ("The city has taken legal action against Teldis.", "Teldis has sued the city."),
        ("Lucia Conti lost to Anna Berg.", "Lucia Conti beat Anna Berg in the final."),
        ("Carl Berg is Otto's son.", "Carl Berg is the father of Otto."),
    ],
)
def test_parties_in_each_others_places(claim, source):
    signal = signals_of(claim, source)["swapped_names"]
    assert signal.weight > 0.5 and "the other way round" in signal.message


def test_a_text_of_nothing_but_relations_costs_no_more_than_its_first(monkeypatch):
    def compared(many):
        asked = []
        best = converse._best
        monkeypatch.setattr(converse, "_best", lambda *of: asked.append(of) or best(*of))
        source = " ".join(f"Ann{at} sold oats to Bob{at}." for at in range(many))
        claim = source.replace("Ann", "Carl")
        mine, theirs = facts.extract([claim, source])
        converse.reversed_parties(Texts(pair_of(claim, mine, source, theirs), default_lexicon()))
        monkeypatch.undo()
        return len(asked)

    assert 0 < compared(10) < compared(50) == compared(100)


def test_a_pronoun_is_not_the_one_that_it_is_told_with():
    source = "Members elected Grace Amadi; she takes the place of Leonard Croft."
    assert "swapped_names" in signals_of("Croft has replaced Amadi.", source)
    assert "swapped_names" not in signals_of("Amadi has replaced Croft.", source)


@pytest.mark.parametrize(
    "claim, source",
    [
        ("Aster sells biscuits to Corran.", "Corran sells oats to Aster."),  # both can be
        ("Quaye was not Adler's pupil.", "Quaye was Adler's teacher."),  # for negation to tell
        ("Lucia Conti lost to Anna Berg.", "Nobody knows if Lucia Conti beat Anna Berg."),
        ("Croft has replaced Amadi.", "She takes the place of Croft."),
    ],
)
def test_what_leaves_it_open_is_no_swap(claim, source):
    assert "swapped_names" not in signals_of(claim, source)


@pytest.mark.parametrize(
    "one, other, told",
    [
        ("buy", "sell", True),
        ("sell", "buy", True),
        ("lend", "borrow", True),
        ("import", "export", True),
        ("give", "take", True),
        ("employer", "employee", False),
        ("buy", "purchase", False),
        ("win", "lend", False),
    ],
)
def test_verbs_for_the_two_sides_of_one_relation(one, other, told):
    assert converse.converse(one, other) is told
