"""The nearest passages by vector, compared with all or found by walking a graph."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from halgo.evidence import dense
from halgo.evidence.dense import Exact, Part, Segmented, worn, write_graph
from halgo.types import FloatMatrix


def clustered(count: int, seed: int = 0, dim: int = 32) -> FloatMatrix:
    """Unit vectors around 50 centres."""
    centres = np.random.default_rng(5).standard_normal((50, dim))
    generator = np.random.default_rng(seed)
    rows = centres[generator.integers(0, 50, count)] + 0.7 * generator.standard_normal((count, dim))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows, dtype=np.float32)


def nearest(vectors: FloatMatrix, query: FloatMatrix, count: int) -> list[int]:
    return np.argsort(-(vectors @ query))[:count].tolist()


def graph(folder: Path, vectors: FloatMatrix, name: str = "a.graph") -> memoryview:
    write_graph(folder / name, vectors)
    return memoryview((folder / name).read_bytes())


def recall(search: Segmented, vectors: FloatMatrix, queries: FloatMatrix) -> float:
    found = search.candidates(queries, 5)
    return float(
        np.mean(
            [
                np.isin(nearest(vectors, query, 5), rows).mean()
                for query, rows in zip(queries, found, strict=True)
            ]
        )
    )


def test_exact_search_gives_the_nearest_of_all_matrices_and_their_vectors() -> None:
    vectors, queries = clustered(300), clustered(20, seed=1)
    one, three = Exact([vectors]), Exact([vectors[:100], vectors[100:101], vectors[101:]])
    for query, rows, same in zip(
        queries, one.candidates(queries, 7), three.candidates(queries, 7), strict=True
    ):
        assert set(nearest(vectors, query, 7)) <= set(rows.tolist())
        assert rows.tolist() == same.tolist()
    assert np.array_equal(three.vectors([150, 3, 100]), vectors[[150, 3, 100]])
    assert one.name is None


def test_exact_search_keeps_all_that_are_as_near_as_the_last() -> None:
    vectors = np.array([[1, 0], [0, 1], [0, 1], [0, 1]], dtype=np.float32)
    (rows,) = Exact([vectors]).candidates(np.array([[0, 1]], dtype=np.float32), 2)
    assert rows.tolist() == [1, 2, 3]


def test_graphs_of_several_parts_find_nearly_all_of_the_nearest(tmp_path: Path) -> None:
    if not dense.has_usearch():  # to import it here, before a model, crashes the process
        pytest.skip("the extra `large` is not installed")
    vectors, queries = clustered(3000), clustered(50, seed=1)
    parts = [
        Part(vectors[:2000], graph(tmp_path, vectors[:2000])),
        Part(vectors[2000:2100]),  # too few for a graph
        Part(vectors[2100:], graph(tmp_path, vectors[2100:])),
    ]
    search = Segmented(parts)
    assert search.name is not None and "usearch" in search.name
    assert recall(search, vectors, queries) >= 0.98
    assert np.array_equal(search.vectors([2999, 0]), vectors[[2999, 0]])
    assert max(len(rows) for rows in search.candidates(queries, 5)) < 200


def test_the_same_vectors_make_the_same_graph(tmp_path: Path) -> None:
    if not dense.has_usearch():  # to import it here, before a model, crashes the process
        pytest.skip("the extra `large` is not installed")
    assert graph(tmp_path, clustered(500), "a") == graph(tmp_path, clustered(500), "b")


def test_a_graph_serves_on_after_passages_went_and_others_came(tmp_path: Path) -> None:
    if not dense.has_usearch():  # to import it here, before a model, crashes the process
        pytest.skip("the extra `large` is not installed")
    old, new = clustered(1000), clustered(60, seed=2)
    gone = np.arange(0, 100)  # the first hundred; what follows moves up, new ones come behind
    places = np.concatenate([np.full(100, -1), np.arange(900)]).astype(np.int32)
    vectors = np.concatenate([np.delete(old, gone, axis=0), new])
    search = Segmented([Part(vectors, graph(tmp_path, old), places)])
    assert recall(search, vectors, clustered(50, seed=3)) >= 0.98
    assert recall(search, vectors, new) == pytest.approx(1, abs=0.02)
    (rows,) = search.candidates(old[:1], 5)
    assert 0 <= rows.min() <= rows.max() < len(vectors)


def test_a_graph_is_worn_when_much_went_or_much_came() -> None:
    places = np.arange(1000, dtype=np.int32)
    assert not worn(places, 1000)
    assert not worn(places, 1100)
    assert worn(places, 1400)
    assert worn(np.where(places < 300, -1, places).astype(np.int32), 700)


def test_without_usearch_every_passage_is_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not dense.has_usearch():  # to import it here, before a model, crashes the process
        pytest.skip("the extra `large` is not installed")
    vectors, queries = clustered(400), clustered(5, seed=1)
    parts = [Part(vectors, graph(tmp_path, vectors))]
    monkeypatch.setattr(dense, "has_usearch", lambda: False)
    search = Segmented(parts)
    assert search.name is None
    assert not dense.wants_graphs(10**9, 384)
    found = [rows.tolist() for rows in search.candidates(queries, 5)]
    assert found == [rows.tolist() for rows in Exact([vectors]).candidates(queries, 5)]


def test_a_few_passages_want_no_graphs() -> None:
    assert not dense.wants_graphs(1000, 384)
    if dense.has_usearch():
        assert dense.wants_graphs(1_000_000, 384)


def test_a_graph_may_be_made_before_a_model_is_loaded() -> None:
    if not dense.has_usearch():  # to import it here, before a model, crashes the process
        pytest.skip("the extra `large` is not installed")
    pytest.importorskip("onnxruntime")
    # In a process of its own: what crashes there takes this one with it.
    code = (
        "from halgo.evidence import dense, runtime; dense._empty(8); print(runtime.load().__name__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "onnxruntime")
