"""Encoders in folders of other makers, on torch: the same rows by ours and by the whole library."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from small_bert import small_bert, texts

from halgo.evidence import embed
from halgo.evidence.embed import SentenceTransformerEmbedder
from halgo.evidence.encoder import BertEncoder, unfit

pytestmark = pytest.mark.torch


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_bert(tmp_path_factory.mktemp("small-bert"))


def test_the_same_text_has_the_same_row_whatever_stands_beside_it(folder: Path) -> None:
    encoder = BertEncoder(folder)
    asked = texts(120, longest=30)
    together = encoder.encode([*asked, *asked[::-1]])
    assert np.array_equal(together[:120], together[120:][::-1])
    for row, text in zip(together, asked, strict=False):
        assert np.array_equal(encoder.encode([text])[0], row)


def test_a_folder_is_an_embedder_of_its_name(folder: Path) -> None:
    embedder = SentenceTransformerEmbedder(folder)
    rows = embedder.embed(["the rent is due", " ", "the rent is due", "\ud800 fee"])
    assert (embedder.name, embedder.dim, rows.shape) == (folder.name, 32, (4, 32))
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 0, 1, 1], abs=1e-5)
    assert np.array_equal(rows[0], rows[2])


def test_what_only_the_whole_library_can_run_gives_the_same_rows(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("sentence_transformers")
    ours = SentenceTransformerEmbedder(folder)
    asked = ["the late fee is due", " ", "\ud800 rent", "cats sleep all day long"]
    rows = ours.embed(asked)
    assert unfit(folder) == ""
    monkeypatch.setattr(embed, "unfit", lambda folder: "said so for the test")
    whole = SentenceTransformerEmbedder(folder)
    assert np.allclose(whole.embed(asked), rows, atol=1e-5)
    assert capfd.readouterr() == ("", "")
