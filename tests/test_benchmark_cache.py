"""The benchmarks' cache gives what the real thing gives, and asks it only once."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import nullcontext

import numpy as np
import pytest

from benchmarks import cache
from benchmarks.cache import CachedEmbedder, CachedEntailment, cached_parses
from halgo import facts
from halgo.entailment.judgement import Judgement, Piece
from halgo.facts import parse
from halgo.types import Span


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


def test_vectors_of_another_runtime_are_made_anew_but_torch_makes_none(tmp_path, monkeypatch):
    embedder, versions = Counting(), {"onnxruntime": "1.0", "torch": "2.0"}
    monkeypatch.setattr(cache, "_version", versions.__getitem__)
    CachedEmbedder(embedder, tmp_path).embed(["a"])
    versions["torch"] = "3.0"
    CachedEmbedder(embedder, tmp_path).embed(["a"])
    assert embedder.asked == ["a"]
    versions["onnxruntime"] = "2.0"
    CachedEmbedder(embedder, tmp_path).embed(["a"])
    assert embedder.asked == ["a", "a"]


class Reader:
    """A model that tells words too; what it says depends on both texts."""

    name = "reader"

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def predict(self, pairs):
        raise AssertionError("a model that can tell words is asked for them")

    def read(self, pairs):
        self.asked += pairs
        return [
            Judgement(
                (1 / 3, 2 / 3 - len(premise) / 1000, len(premise) / 1000),
                (Piece(Span(0, len(claim)), 0.1 * len(claim)), Piece(Span(2, 5), 1 / 7)),
            )
            for premise, claim in pairs
        ]


class Plain(Reader):
    name, read = "plain", None

    def predict(self, pairs):
        self.asked += pairs
        return np.array([[0.5, 0.25, 0.25] for _ in pairs], dtype=np.float32)


PAIRS = [("It rains.", "Rain."), ("It snows.", "Rain."), ("It rains.", "Rain."), ("", "\ud800")]


def test_each_pair_is_read_once_even_in_another_run_and_its_judgement_is_the_same(tmp_path):
    model = Reader()
    first = CachedEntailment(model, tmp_path).read(PAIRS)
    again = CachedEntailment(model, tmp_path).read(PAIRS[::-1])
    assert model.asked == [PAIRS[0], PAIRS[1], PAIRS[3]]
    assert first == Reader().read(PAIRS) and again == first[::-1]


def test_premise_and_claim_are_kept_apart(tmp_path):
    model = Reader()
    pairs = [("a", "b\0c"), ("a\0b", "c"), ("a 1", "b"), ("a", "1 b")]
    assert CachedEntailment(model, tmp_path).read(pairs) == Reader().read(pairs)
    assert CachedEntailment(model, tmp_path).read(pairs) == Reader().read(pairs)
    assert model.asked == pairs


def test_a_model_that_tells_no_words_is_cached_too(tmp_path):
    model = Plain()
    cached = CachedEntailment(model, tmp_path)
    for _ in range(2):
        assert cached.predict(PAIRS).tolist() == [[0.5, 0.25, 0.25]] * 4
    assert len(model.asked) == 3 and cached.predict([]).shape == (0, 3)


def test_other_weights_are_another_model(tmp_path):
    def model(weights: bytes) -> Reader:
        made = Reader()
        made._folder, made._weights = tmp_path, tmp_path / "model.onnx"
        made._weights.write_bytes(weights)
        for name in ("config.json", "tokenizer.json"):
            (tmp_path / name).write_text("{}", encoding="utf-8")
        return made

    for weights, asked in ((b"one", 1), (b"two", 1), (b"one", 0)):
        made = model(weights)
        CachedEntailment(made, tmp_path).read(PAIRS[:1])
        assert len(made.asked) == asked


def test_what_does_not_shape_facts_does_not_make_them_stale(tmp_path, monkeypatch):
    (tmp_path / "halgo" / "data").mkdir(parents=True)
    (tmp_path / "halgo" / "types.py").write_text("", encoding="utf-8")
    monkeypatch.setattr(cache, "ROOT", tmp_path)
    before = cache._digest_of_code()
    for name in ("models.toml", "fusion.json"):
        (tmp_path / "halgo" / "data" / name).write_text("changed", encoding="utf-8")
        assert cache._digest_of_code() == before
    (tmp_path / "halgo" / "data" / "units.txt").write_text("changed", encoding="utf-8")
    assert cache._digest_of_code() != before


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
def test_a_text_whose_tokens_are_told_is_read_from_the_cache_too(tmp_path, monkeypatch):
    knot = ["Costs " + "$" * 200 + " rose."]
    read = []
    for _ in ("real", "written", "read"):
        monkeypatch.setattr(parse, "_recent", OrderedDict())
        with cached_parses(tmp_path) if read else nullcontext():
            read += [seen(doc) for doc in parse.parse(knot)]
    assert read[0] == read[1] == read[2]


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
