"""What the entailment model reads for a claim."""

from hypothesis import given
from hypothesis import strategies as st

from halgo.evidence.premises import WORDS, select

TEXTS = st.lists(st.text(alphabet="abc XYZ 12.", min_size=1, max_size=60), min_size=1, max_size=12)


def test_a_fact_told_in_two_places_is_read_whole():
    sentences = [
        "The pump was made by Harlan.",
        "Guests praise the garden.",
        "The pump lifts 40 litres a minute.",
    ]
    chosen = select("Harlan's pump lifts 40 litres a minute.", sentences, ["a", "b", "a"])
    assert set(chosen) == {0, 2}


def test_an_unrelated_document_changes_nothing():
    sentences = ["The permit ends in May.", "It may be renewed once."]
    claim = "The permit can be renewed and ends in May."
    alone = select(claim, sentences, ["a", "a"])
    beside = select(claim, [*sentences, "Bees sleep at night."], ["a", "a", "b"])
    assert beside == alone


def test_the_rest_of_a_document_joins_while_there_is_room():
    sentences = ["The fee is 5 euros.", "Children pay half."]
    assert select("The fee is 5 euros.", sentences, ["a", "a"]) == [0, 1]
    assert select("The fee is 5 euros.", sentences, ["a", "a"], words=6) == [0]


def test_a_sentence_longer_than_the_limit_is_still_read():
    assert select("word", ["word " * (2 * WORDS)], ["a"]) == [0]


@given(TEXTS, st.text(alphabet="abc XYZ 12.", max_size=40))
def test_positions_are_distinct_and_within_the_limit(sentences, claim):
    chosen = select(claim, sentences, ["a"] * len(sentences), words=10)
    assert len(set(chosen)) == len(chosen) >= 1
    assert all(0 <= at < len(sentences) for at in chosen)
    assert len(chosen) == 1 or sum(len(sentences[at].split()) for at in chosen) <= 10
