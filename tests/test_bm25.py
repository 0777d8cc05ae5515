"""The best passages by their words, found without scoring all, however passages are spread."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halgo.evidence.bm25 import Bm25, highest
from halgo.evidence.lexical import stems
from halgo.evidence.postings import gathered, postings, require_postings

WORDS = st.sampled_from("fee month the late cat 1500 lease of zebra".split())  # noqa: SIM905
TEXTS = st.lists(st.lists(WORDS, max_size=8).map(" ".join), max_size=12)
QUICK = settings(max_examples=60, deadline=None)


def spread_over(texts: list[str], parts: int) -> Bm25:
    """The passages in several parts of about the same size."""
    step = max(1, -(-len(texts) // parts))
    return Bm25([postings(texts[at : at + step]) for at in range(0, len(texts), step)])


def made_up(count: int, seed: int) -> list[str]:
    """Passages in which some words are common and some rare, of different lengths."""
    generator = random.Random(seed)
    words = [f"w{number}" for number in range(300)]
    weights = [1 / (1 + number) for number in range(300)]
    return [
        " ".join(generator.choices(words, weights, k=generator.randint(1, 30)))
        for _ in range(count)
    ]


@QUICK
@given(TEXTS, st.integers(1, 5), st.lists(WORDS, max_size=4))
def test_scores_are_the_same_however_passages_are_spread_over_parts(texts, parts, query) -> None:
    one, many = Bm25.build(texts), spread_over(texts, parts)
    assert np.array_equal(one.scores(query), many.scores(query))
    assert one.share(query, range(len(texts))).tolist() == (
        many.share(query, range(len(texts))).tolist()
    )
    for word in query:
        assert one.weight(word) == many.weight(word)
        assert one.spread(word) == many.spread(word)


@pytest.mark.parametrize("parts", [1, 2, 7, 40])
@pytest.mark.parametrize("count", [1, 5, 20])
def test_the_best_are_those_of_all_scores_with_all_that_tie_for_the_last_place(
    parts: int, count: int
) -> None:
    texts = made_up(2000, seed=3) + ["w1 w2 w3"] * 9
    bm25, generator = spread_over(texts, parts), random.Random(7)
    queries = [
        "w0 w1 w2",
        "w299 w0",
        "w1 w2 w3",
        *(" ".join([*generator.sample(texts[at].split(), 1), "w0", "w5"]) for at in range(40)),
    ]
    for query in queries:
        scores = bm25.scores(stems(query))
        right = [row for row in highest(scores, count).tolist() if scores[row] > 0]
        rows, told = bm25.top(stems(query), count)
        assert rows.tolist() == right
        assert np.array_equal(told, scores[right])


def test_far_fewer_passages_are_scored_than_hold_a_common_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = [f"common word number{at}" for at in range(4000)]
    bm25, looked_at = spread_over(texts, 4), []
    scored = Bm25._scored
    monkeypatch.setattr(
        Bm25,
        "_scored",
        lambda self, words, rows: looked_at.append(len(rows)) or scored(self, words, rows),
    )
    rows, _ = bm25.top(stems("common number17 number18 number2500"), 2)
    assert rows.tolist() == [17, 18, 2500]
    assert sum(looked_at) < 100


@QUICK
@given(TEXTS.filter(any), st.integers(1, 4), st.lists(WORDS, max_size=4))
def test_of_the_passages_that_hold_a_word_the_best_is_found(texts, parts, query) -> None:
    bm25 = spread_over(texts, parts)
    scores = bm25.scores(query)
    for word in set(stems(" ".join(texts))):
        holders = [row for row, text in enumerate(texts) if word in stems(text)]
        assert bm25.held(word, range(len(texts))).nonzero()[0].tolist() == holders
        assert bm25.best_with(word, query) == max(holders, key=lambda row: (scores[row], -row))


def test_a_word_that_stands_nowhere_has_no_best_passage() -> None:
    with pytest.raises(ValueError, match="zebra"):
        Bm25.build(["The fee is late."]).best_with("zebra", ["fee"])


@QUICK
@given(TEXTS, TEXTS, st.randoms())
def test_postings_that_are_put_together_are_those_of_the_texts(one, other, random) -> None:
    def kept(texts: list[str]) -> np.ndarray:
        return np.array(sorted(random.sample(range(len(texts)), len(texts) // 2)), dtype=np.int64)

    parts = [(texts, kept(texts)) for texts in (one, other)]
    found = gathered([(postings(texts), rows) for texts, rows in parts])
    right = postings([texts[row] for texts, rows in parts for row in rows])
    require_postings(found, len(right["lengths"]))
    assert found.keys() == right.keys()
    for name, values in right.items():
        assert values.dtype == found[name].dtype
        assert np.array_equal(values, found[name]), name


@pytest.mark.parametrize(
    "name, change",
    [
        ("rows", lambda values: values[::-1]),
        ("rows", lambda values: values + 1),
        ("counts", lambda values: values * 0),
        ("most", lambda values: values + 1),
        ("shortest", lambda values: values - 1),
        ("lengths", lambda values: -values),
        ("tokens", lambda values: values + 1),
        ("hashes", lambda values: values[::-1]),
        ("starts", lambda values: values * 0),
        ("ends", lambda values: values + 1),
    ],
)
def test_postings_that_do_not_fit_together_are_refused(name, change) -> None:
    arrays = postings(["The fee is late.", "The lease names the fee.", "A cat and a fee."])
    require_postings(arrays, 3)
    with pytest.raises(ValueError, match=r"word index|strings|ends"):
        require_postings({**arrays, name: change(arrays[name])}, 3)


def test_what_has_two_words_of_one_hash_finds_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("halgo.evidence.vocabulary.hashed", lambda word: len(word))
    monkeypatch.setattr("halgo.evidence.bm25.hashed", lambda word: len(word))
    bm25 = Bm25.build(["cat fee", "dog", "fee dog", "zebra"])
    assert [bm25.spread(word) for word in ("cat", "dog", "fee", "zebra", "cow")] == [1, 2, 2, 1, 0]
