"""Embedders: rows of length 1, the same text the same row, and no text that breaks them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halgo import models
from halgo.errors import MissingDependencyError, ModelDamagedError, ModelNotFoundError
from halgo.evidence.embed import LexicalEmbedder, SentenceTransformerEmbedder, resolve
from halgo.types import FloatMatrix

ODD = ["", " \n\t", "\ud800 lone", "\x00\x1b", "\u200f\u05e9\u05dc\u05d5\u05dd", "é" * 500, "?!"]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=60), max_size=6))
def test_a_lexical_row_has_length_one_or_is_zero(texts: list[str]) -> None:
    rows = LexicalEmbedder(64).embed(texts)
    assert rows.shape == (len(texts), 64)
    assert rows.dtype == np.float32
    lengths = np.linalg.norm(rows, axis=1)
    assert np.all((lengths == 0) | np.isclose(lengths, 1, atol=1e-5))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=40), min_size=1, max_size=6), st.randoms())
def test_a_lexical_row_does_not_depend_on_the_texts_beside_it(texts: list[str], random) -> None:
    embedder = LexicalEmbedder()
    alone = {text: embedder.embed([text])[0] for text in texts}
    random.shuffle(texts)
    for text, row in zip(texts, embedder.embed(texts), strict=True):
        assert np.array_equal(row, alone[text])


def test_lexical_rows_are_the_same_in_another_process() -> None:
    code = (
        "from halgo.evidence.embed import LexicalEmbedder as E;"
        "print(E().embed(['The late fee is 5%.']).tobytes().hex())"
    )
    texts = [
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(filter(None, sys.path))},
        ).stdout
        for seed in ("1", "2")
    ]
    assert texts[0] == texts[1] != ""


def test_lexical_likeness_follows_words_and_not_case_or_number_format() -> None:
    fee, same, near, far = LexicalEmbedder().embed(
        [
            "The late fee is 1,500 dollars.",
            "the LATE fee is 1500 dollars",
            "A fee is due late.",
            "Cats sleep all day.",
        ]
    )
    assert fee @ same == pytest.approx(1, abs=1e-5)
    assert fee @ same > fee @ near > fee @ far


def test_odd_texts_do_not_stop_the_lexical_embedder() -> None:
    rows = LexicalEmbedder().embed([*ODD, "x" * 100_000, "a b " * 25_000])
    assert np.isfinite(rows).all()
    assert not rows[0].any()
    assert not rows[1].any()


@pytest.mark.parametrize("dim", [0, -1, True, 3.5, "512"])
def test_a_width_that_makes_no_sense_is_refused(dim: object) -> None:
    with pytest.raises(ValueError, match="dim"):
        LexicalEmbedder(dim)  # type: ignore[arg-type]


class ByTable:
    name, dim = "by-table", 2

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        return np.zeros((len(texts), 2), dtype=np.float32)


def test_an_object_of_ones_own_is_taken_as_it_is() -> None:
    mine = ByTable()
    assert resolve(mine) is mine
    assert isinstance(resolve("lexical"), LexicalEmbedder)


def test_an_object_that_cannot_embed_is_refused_by_name_of_what_it_lacks() -> None:
    with pytest.raises(TypeError, match="lacks name"):
        resolve(object())  # type: ignore[arg-type]


def test_a_folder_without_a_model_says_what_to_do(tmp_path) -> None:
    with pytest.raises(ModelNotFoundError, match=r"modules\.json.*lexical"):
        resolve(str(tmp_path / "nothing"))


@pytest.mark.parametrize("gone", ["torch", "sentence_transformers"])
def test_an_encoder_of_ones_own_without_its_packages_names_the_extra(
    tmp_path, monkeypatch, gone
) -> None:
    (tmp_path / "modules.json").write_text("[]", encoding="utf-8")
    if gone == "torch":
        monkeypatch.setattr("halgo.evidence.embed.unfit", lambda folder: "")
        monkeypatch.setattr("halgo.evidence.encoder.unfit", lambda folder: "")
        monkeypatch.setitem(sys.modules, "safetensors.torch", None)
    monkeypatch.setitem(sys.modules, gone, None)
    embedder = SentenceTransformerEmbedder(tmp_path)
    with pytest.raises(MissingDependencyError, match=r"halgo\[sentence-transformers\]"):
        embedder.embed(["x"])


class SentenceTransformer:
    """A stand-in for a loaded model of the library: told by its class, given texts by `encode`."""

    __module__ = "sentence_transformers.SentenceTransformer"

    def __init__(self, came_from: str = "", length: float = 1.0) -> None:
        config = SimpleNamespace(_name_or_path=came_from)
        self.modules = [SimpleNamespace(auto_model=SimpleNamespace(config=config))]
        self.length = length

    def __getitem__(self, at: int) -> SimpleNamespace:
        return self.modules[at]

    def encode(self, texts: str | list[str], **how: bool) -> FloatMatrix:
        assert how["show_progress_bar"] is False
        if isinstance(texts, str):
            return np.ones(2, dtype=np.float32)
        assert how["normalize_embeddings"] and all(text.strip() for text in texts)
        angles = np.array([len(text) for text in texts], dtype=np.float64)
        rows = np.stack([np.cos(angles), np.sin(angles)], axis=1) * self.length
        return rows.astype(np.float32)


class Tuned(SentenceTransformer):
    __module__ = "my.models"


@pytest.mark.parametrize("kind", [SentenceTransformer, Tuned])
def test_a_loaded_sentence_transformer_is_an_embedder(kind: type[SentenceTransformer]) -> None:
    embedder = resolve(kind("sentence-transformers/all-MiniLM-L6-v2"))
    assert (embedder.name, embedder.dim) == ("all-MiniLM-L6-v2", 2)
    rows = embedder.embed([*ODD, "a fee", "a fee"])
    assert rows.shape == (len(ODD) + 2, 2) and rows.dtype == np.float32
    assert not rows[0].any() and not rows[1].any()
    assert np.allclose(np.linalg.norm(rows[2:], axis=1), 1)
    assert embedder.embed([]).shape == (0, 2)


@pytest.mark.parametrize(
    ("came_from", "name"),
    [
        ("owner/model", "model"),
        ("/models/mine/", "mine"),
        ("C:\\models\\mine", "mine"),
        ("/c/models--owner--some-model/snapshots/0a1b2c", "some-model"),
        ("", "SentenceTransformer"),
        ("./", "SentenceTransformer"),
    ],
)
def test_a_loaded_model_is_called_what_it_was_loaded_as(came_from: str, name: str) -> None:
    assert resolve(SentenceTransformer(came_from)).name == name


def test_a_loaded_model_with_damaged_weights_is_refused() -> None:
    with pytest.raises(ModelDamagedError, match=r"owner/model|model"):
        resolve(SentenceTransformer("owner/model", length=float("nan"))).embed(["a fee"])


@pytest.mark.parametrize("asked", ["sentence-transformers/small", "small"])
def test_a_name_on_the_hub_is_found_in_its_local_cache(tmp_path, monkeypatch, asked) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelNotFoundError, match=r"cache of the public hub.*\n.*hf download"):
        resolve(asked)
    snapshot = tmp_path / "models--sentence-transformers--small" / "snapshots" / "0a1b2c"
    snapshot.mkdir(parents=True)
    (snapshot / "modules.json").write_text("[]", encoding="utf-8")
    assert resolve(asked).name == "small"


@pytest.mark.parametrize("asked", ["../up", "a/b/c", "no such name", ""])
def test_what_is_no_name_on_the_hub_is_only_looked_for_as_a_folder(asked: str) -> None:
    with pytest.raises(ModelNotFoundError) as caught:
        resolve(asked)
    assert len(caught.value.searched) == 1


@pytest.mark.torch
def test_a_sentence_transformer_and_its_folder_give_the_same_rows() -> None:
    library = pytest.importorskip("sentence_transformers")
    found = list(models.float_models(models.entry("minilm")))
    if not found:
        pytest.skip("no float model on this machine")
    model = library.SentenceTransformer(str(found[0]), device="cpu", local_files_only=True)
    loaded, folder = resolve(model), resolve(found[0])
    assert (loaded.name, loaded.dim) == (folder.name, folder.dim)
    texts = ["The late fee is 5% per month.", "", "Tea."]
    assert np.allclose(loaded.embed(texts), folder.embed(texts), atol=1e-5)


@pytest.fixture(scope="module")
def minilm() -> SentenceTransformerEmbedder:
    return SentenceTransformerEmbedder()


@pytest.mark.models
class TestMiniLM:
    def test_rows_are_near_those_of_sentence_transformers(self, minilm) -> None:
        # These components were computed once with sentence-transformers 5 and the float model; a
        # cosine of 0.9991 between rows of 384 is a difference of 0.002 in a component.
        row = minilm.embed(["The late fee is 5% per month."])[0]
        assert (minilm.name, minilm.dim) == ("all-MiniLM-L6-v2-int8-1.1.0", 384)
        assert row.shape == (384,)
        assert row[:3] == pytest.approx([0.117460, -0.075541, 0.003247], abs=0.008)

    def test_the_same_text_has_the_same_row_whatever_stands_beside_it(self, minilm) -> None:
        texts = [" ".join(["fee", "of", "the", "month"] * n)[: 7 * n] for n in range(1, 40)]
        together = minilm.embed([*texts, *texts[::-1]])
        assert np.array_equal(together[:39], together[39:][::-1])
        for row, text in zip(together, texts, strict=False):
            assert np.array_equal(minilm.embed([text])[0], row)

    def test_odd_texts_do_not_stop_it(self, minilm) -> None:
        rows = minilm.embed([*ODD, "x" * 100_000])
        lengths = np.linalg.norm(rows, axis=1)
        assert np.all((lengths == 0) | np.isclose(lengths, 1, atol=1e-5))
        assert not rows[0].any()
        assert not rows[1].any()

    def test_nothing_of_a_long_text_is_cut_off(self, minilm) -> None:
        filler = "The committee met on Monday and talked about the weather. " * 60
        long, without = minilm.embed([filler + "Penguins live in Antarctica. " * 20, filler])
        asked = minilm.embed(["Where do penguins live?"])[0]
        assert asked @ long > asked @ without + 0.05

    def test_meaning_counts_and_not_only_spelling(self, minilm) -> None:
        a, b, c = minilm.embed(["A man drives a car.", "A man is driving an automobile.", "Tea."])
        assert a @ b > 0.8 > 0.3 > a @ c

    def test_no_texts_give_no_rows(self, minilm) -> None:
        assert minilm.embed([]).shape == (0, 384)

    def test_threads_may_share_it(self, minilm) -> None:
        texts = [f"Sentence number {at} about fees." for at in range(12)]
        alone = minilm.embed(texts)
        fresh = SentenceTransformerEmbedder()  # not loaded yet: threads also race to load it
        with ThreadPoolExecutor(4) as pool:
            rows = list(pool.map(lambda text: fresh.embed([text])[0], texts))
        assert np.array_equal(np.stack(rows), alone)
