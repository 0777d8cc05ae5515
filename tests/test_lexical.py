"""Tokens that compare equal when they mean the same, and BM25 over them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halgo.evidence.bm25 import Bm25
from halgo.evidence.lexical import stems, tokens

WORDS = st.sampled_from("fee month the late cat 1500 lease of zebra".split())  # noqa: SIM905
TEXTS = st.lists(st.lists(WORDS, max_size=8).map(" ".join), max_size=8)


@pytest.mark.parametrize(
    "one, other",
    [
        ("1,500", "1500.0"),
        ("12.50", "12.5"),
        ("thirty", "30"),
        ("5 %", "5 percent"),
        ("The Client's fees", "the clients fee"),
        ("companies", "company"),
        ("Café", "CAFE"),
        ("boxes", "box"),
    ],
)
def test_what_means_the_same_is_one_token(one: str, other: str) -> None:
    assert tokens(one) == tokens(other)


@pytest.mark.parametrize("one, other", [("1.5", "15"), ("1,500", "1.500"), ("bus", "bu")])
def test_what_differs_stays_apart(one: str, other: str) -> None:
    assert tokens(one) != tokens(other)


def test_a_hostile_text_takes_time_in_proportion() -> None:
    for text in ("1" * 100_000, "1,111" * 20_000, "a'" * 50_000, "\ud800" * 1000, "," * 100_000):
        tokens(text)


def test_the_passage_with_the_rare_word_comes_first() -> None:
    bm25 = Bm25.build(["The fee is late.", "The lease names Zanzibar.", "The fee is the fee."])
    assert int(np.argmax(bm25.scores(stems("the Zanzibar")))) == 1


@settings(max_examples=50, deadline=None)
@given(TEXTS, TEXTS)
def test_the_share_is_one_where_every_word_stands_and_never_outside_zero_to_one(
    texts: list[str], queries: list[str]
) -> None:
    bm25 = Bm25.build(texts)
    for query in [*queries, *texts]:
        share = bm25.share(stems(query), range(len(texts)))
        assert np.all((share >= 0) & (share <= 1))
        for text, held in zip(texts, share, strict=True):
            if query and set(stems(query)) <= set(stems(text)):
                assert held == pytest.approx(1)
            if not set(stems(query)) & set(stems(text)):
                assert held == 0


@settings(max_examples=50, deadline=None)
@given(TEXTS, st.randoms(), st.lists(WORDS, min_size=1, max_size=4))
def test_scores_follow_the_passages_when_their_order_changes(texts, random, query) -> None:
    order = list(range(len(texts)))
    random.shuffle(order)
    before = Bm25.build(texts).scores(query)
    after = Bm25.build([texts[row] for row in order]).scores(query[::-1])
    assert np.array_equal(after, before[order])


def test_a_missing_rare_word_costs_more_of_the_share_than_a_missing_common_one() -> None:
    bm25 = Bm25.build(["Acme owns Zanzibar Holdings.", "Nothing."])
    without_rare = bm25.share(stems("Acme owns Quux"), [0])[0]
    without_common = bm25.share(stems("Acme owns the Zanzibar"), [0])[0]
    assert without_rare < 0.7 < 0.9 < without_common < 1


def test_an_empty_collection_and_an_empty_query_score_nothing() -> None:
    assert Bm25.build([]).scores(["fee"]).shape == (0,)
    assert not Bm25.build(["", "fee"]).scores([]).any()
    assert not Bm25.build(["", "fee"]).share([], [0, 1]).any()
