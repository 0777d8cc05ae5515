"""The benchmarks' cache gives what the real thing gives, and asks it only once."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.cache import CachedEmbedder, cached_parses
from halgo import facts
from halgo.facts import parse


class Counting:
    name, dim = "counting", 3

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts):
        self.asked += texts
        return np.array([[len(text), text.count("a"), 1] for text in texts], dtype=np.float32)


def test_each_text_is_embedded_once_even_in_another_run(tmp_path):
    embedder = Counting()
    first = CachedEmbedder(embedder, tmp_path).embed(["a cat", "", "a cat", "\ud800"])
    again = CachedEmbedder(embedder, tmp_path).embed(["", "a dog", "a cat"])
    assert embedder.asked == ["a cat", "", "\ud800", "a dog"]
    assert first.tolist() == embedder.embed(["a cat", "", "a cat", "\ud800"]).tolist()
    assert again.tolist() == embedder.embed(["", "a dog", "a cat"]).tolist()
    assert again.dtype == np.float32 and again.flags.writeable


def test_no_texts_have_no_rows(tmp_path):
    assert CachedEmbedder(Counting(), tmp_path).embed([]).shape == (0, 3)


def test_two_embedders_share_nothing(tmp_path):
    one, other = Counting(), Counting()
    other.name = "other"
    CachedEmbedder(one, tmp_path).embed(["a"])
    CachedEmbedder(other, tmp_path).embed(["a"])
    assert other.asked == ["a"]


TEXTS = [
    "Dr. Finch didn't sell 1,250 pumps to Acme Ltd. in March 2021.",
    "Turnover rose by 12%; costs fell from $4.2m to $3m.",
    "",
    "  Two spaces\tand a tab. ",
    "مرحبا 東京 🙂",
]


@pytest.mark.models
def test_a_cached_parse_is_the_parse(tmp_path):
    real = list(parse.pipeline().pipe(TEXTS))
    for _ in ("written", "read"):
        with cached_parses(tmp_path):
            cached = list(parse.pipeline().pipe(TEXTS))
        assert [seen(doc) for doc in cached] == [seen(doc) for doc in real]


@pytest.mark.models
def test_cached_facts_are_the_facts_and_the_real_reader_is_put_back(tmp_path):
    before = facts.extract
    expected = facts.extract(TEXTS)
    for _ in ("written", "read"):
        with cached_parses(tmp_path):
            assert facts.extract is not before
            assert facts.extract(TEXTS) == expected
    assert facts.extract is before


def seen(doc):
    words = [
        (t.text, t.whitespace_, t.tag_, t.pos_, str(t.morph), t.lemma_, t.norm_, t.dep_, t.head.i)
        for t in doc
    ]
    entities = [(entity.text, entity.label_) for entity in doc.ents]
    return doc.text, words, entities, [s.text for s in doc.sents], [n.text for n in doc.noun_chunks]
