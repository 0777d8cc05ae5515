"""What the entailment model reads for a claim."""

import os
import random
import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st
from small_index import built, without_models  # noqa: F401

from halgo.claims.extract import as_claims
from halgo.entailment.premises import FURTHER, WORDS, drawn_on, premises, select
from halgo.evidence.embed import LexicalEmbedder
from halgo.evidence.retrieve import retrieve
from halgo.facts.words import words
from halgo.types import Facts

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


def test_what_adds_nothing_to_the_claim_does_not_fill_all_the_room():
    sentences = ["The fee is 5 euros.", "Children pay half.", "It rained.", "Bees hum."]
    claim = "The fee is 5 euros."
    assert select(claim, sentences, ["a"] * 4, words=20) == [0, 1, 2, 3]
    assert select(claim, sentences, ["a"] * 4, words=14) == [0, 1]  # FILLED allows 8.4 of them
    other = "A fee of 5 euros is what pilgrims, porters and nuns give."
    assert len(select(other, sentences, ["a"] * 4, words=14)) == 4  # much of it is missing
    both = "The fee is 5 euros, children pay half, it rained and bees hum."
    assert len(select(both, sentences, ["a"] * 4, words=14)) == 4  # each adds to this claim


def test_a_sentence_longer_than_the_limit_is_still_read():
    assert select("word", ["word " * (2 * WORDS)], ["a"]) == [0]


@given(TEXTS, st.text(alphabet="abc XYZ 12.", max_size=40))
def test_positions_are_distinct_and_within_the_limit(sentences, claim):
    chosen = select(claim, sentences, ["a"] * len(sentences), words=10)
    assert len(set(chosen)) == len(chosen) >= 1
    assert all(0 <= at < len(sentences) for at in chosen)
    assert len(chosen) == 1 or sum(len(sentences[at].split()) for at in chosen) <= 10


def of_mixed_words() -> list[list[int]]:
    """What is chosen for claims and sentences of function words and others, often equally good."""
    draw = random.Random(4)
    known = sorted(
        words("the of to in on by with from that this pump lamp door mill barn well fern moss")
    )
    found = []
    for _ in range(300):
        claim = " ".join(draw.sample(known, 14))
        sentences = [" ".join(draw.sample(known, 9)) + " x" * draw.randint(0, 3) for _ in "abcdef"]
        found.append(select(claim, sentences, list("abcdef"), 30))
    return found


def test_the_choice_is_the_same_in_any_process():
    # The order of a set of strings is another in each: sums must not depend on it.
    told = [
        subprocess.run(
            [sys.executable, "-c", "import test_premises as t; print(t.of_mixed_words())"],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert told[0] == told[1] and len(told[0]) > 1000


def test_one_word_alone_does_not_bring_another_document():
    sentences = ["Returns are free for members.", "Guests pay 4 EUR.", "Refunds take a week."]
    claim = "Returns are free for members and guests are paid refunds."
    assert select(claim, sentences, ["a", "b", "b"]) == [0, 1, 2]  # guests, pay
    assert select(claim, sentences, ["a", "a", "b"]) == [0, 1]


def test_inflected_words_are_the_same_word():
    sentences = ["The town lies on a river.", "Solund will buy its rival Baltrans.", "It rained."]
    chosen = select("Baltrans is being bought by Solund.", sentences, ["a", "b", "c"])
    assert chosen == [1]


def test_another_plan_s_section_is_not_read_where_the_claim_s_own_is(without_models):  # noqa: F811
    index = built("# Plans\n\n## Basic plan\n- 10 GB\n- Mail\n\n## Pro plan\n- 1 TB\n- Telephone")
    claim = as_claims(["The Basic plan has Telephone support and 10 GB."])[0]
    (found,) = retrieve(index, [claim], [Facts()], LexicalEmbedder(), 8)
    assert any("Telephone" in passage.reading.text for passage in found)
    read = [premise.text for premise in premises(index, claim, found)]
    assert read
    assert all("10 GB" in text and "Telephone" not in text for text in read)


FAR = [f"The fee for room {room} is due in May." for room in "ABCDEF"]


def test_as_many_words_are_read_together_as_asked(without_models):  # noqa: F811
    index = built(*FAR, "Zeppelin parking is free.")
    claim = as_claims(["The fee for room A is due in May and Zeppelin parking is free."])[0]
    (found,) = retrieve(index, [claim], [Facts()], LexicalEmbedder(), 8, FURTHER)
    few, many = (premises(index, claim, found, words)[0].text for words in (12, WORDS))
    assert len(few.split()) <= 12 < len(many.split())


def test_a_passage_behind_the_first_joins_for_what_it_alone_holds(without_models):  # noqa: F811
    index = built(*FAR, "Zeppelin parking is free.", "Bees sleep at night.")
    claim = as_claims(["The fee for room A is due in May and Zeppelin parking is free."])[0]
    (found,) = retrieve(index, [claim], [Facts()], LexicalEmbedder(), 2, FURTHER)
    sure = 1
    kept = drawn_on(index, claim, found, sure)
    assert kept[:sure] == found[:sure]
    texts = [passage.reading.text for passage in kept]
    assert any("Zeppelin" in text for text in texts)
    assert not any("Bees" in text for text in texts)
    assert premises(index, claim, kept) == premises(index, claim, found)


def test_few_passages_are_all_kept(without_models):  # noqa: F811
    index = built("The fee is due.", "Bees sleep.")
    claim = as_claims(["The fee is due."])[0]
    (found,) = retrieve(index, [claim], [Facts()], LexicalEmbedder(), 5, FURTHER)
    assert drawn_on(index, claim, found, 5) == found
