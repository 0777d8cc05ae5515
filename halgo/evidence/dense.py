"""Vectors of claims -> the passages whose vectors are nearest, exactly or nearly so.

`Exact` compares a claim with every passage. In many passages that takes longer than all else that a
check does, so `Segmented` walks graphs of them (HNSW, Malkov and Yashunin 2018; usearch), whose
vectors are int8 and stay on disk. Either way what is found is only a choice of candidates: the
cosines that rank them are worked out anew from their float32 vectors.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from halgo.evidence import runtime
from halgo.evidence.bm25 import highest
from halgo.types import FloatMatrix

Rows = NDArray[np.int64]
_Near = tuple[Rows, NDArray[np.float32]]

# Cells of the product of claims and passages that are in memory at a time (64 MB).
_CELLS = 1 << 24

# Products of the same two rows differ by about 1e-7 with the size of the batch. Passages closer
# together than this are compared again one by one, in an order of sums that is always the same.
NOISE = 1e-5

# A graph's cosines are those of rounded vectors: so many are taken from it, to be ranked exactly.
FETCHED = 50

# From so many numbers in all vectors on exact search takes over 15 ms (`python -m benchmarks
# scale`), and a store gets graphs; a part with fewer than SMALLEST passages never needs one.
GRAPHS_FROM = 65_536 * 384
SMALLEST = 8_192

_MOST_UNSEEN = 2_048  # passages of a part that its graph lacks, compared one by one

# A graph of usearch: links of a passage, and passages looked at while one is added or looked for.
_LINKS, _ADDING, _SEARCHING = 24, 128, 128


class DenseSearch(Protocol):
    """Nearest passages of vectors. name: the engine where search is approximate, else None."""

    @property
    def name(self) -> str | None: ...

    def candidates(self, queries: FloatMatrix, depth: int) -> list[Rows]:
        """For each query rows of passages, the `depth` nearest among them (all where fewer are).

        Of exact search with all that are as near as the last; of approximate search most of them.
        """
        ...

    def vectors(self, rows: Sequence[int] | Rows) -> FloatMatrix:
        """(len(rows), dim) float32: the vectors of these passages."""
        ...


class Exact:
    """Every passage is compared. matrices: float32, whose rows count one after the other."""

    name: str | None = None

    def __init__(self, matrices: Sequence[FloatMatrix]) -> None:
        self._matrices = list(matrices)
        sizes = [len(matrix) for matrix in self._matrices]
        self._firsts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)

    def candidates(self, queries: FloatMatrix, depth: int) -> list[Rows]:
        """As in `DenseSearch`."""
        total = int(self._firsts[-1])
        at_once = max(1, _CELLS // max(1, total))
        found: list[Rows] = []
        for start in range(0, len(queries), at_once):
            some = queries[start : start + at_once]
            products = np.concatenate([some @ matrix.T for matrix in self._matrices], axis=1)
            found += [highest(row, depth, NOISE) for row in products]
        return found

    def vectors(self, rows: Sequence[int] | Rows) -> FloatMatrix:
        """As in `DenseSearch`."""
        return vectors_of(self._matrices, self._firsts, rows)


class Part(NamedTuple):
    """The passages of one segment: their vectors (n, dim) float32, and a graph that finds them.

    graph: what `write_graph` wrote; None where all are compared. places: for each passage that the
    graph was made of its row now, -1 where it is gone; None where all are where they were. Rows
    that it does not name came later and are compared.
    """

    vectors: FloatMatrix
    graph: memoryview | None = None
    places: NDArray[np.int32] | None = None


class Segmented:
    """Parts with graphs are walked, those without compared; with no graph at all this is exact.

    Without usearch every part is compared.
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts = list(parts)
        sizes = [len(part.vectors) for part in self._parts]
        self._firsts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self._graphs: dict[int, _Graph] = {}
        graphs = any(part.graph is not None for part in self._parts) and has_usearch()
        self.name = f"usearch int8, the nearest {FETCHED} ranked exactly" if graphs else None

    def candidates(self, queries: FloatMatrix, depth: int) -> list[Rows]:
        """As in `DenseSearch`."""
        if self.name is None:
            return Exact([part.vectors for part in self._parts]).candidates(queries, depth)
        wanted = max(depth, FETCHED)
        found = [self._near(number, queries, wanted) for number in range(len(self._parts))]
        told = []
        for at in range(len(queries)):
            rows = np.concatenate([of_part[at][0] for of_part in found])
            cosines = np.concatenate([of_part[at][1] for of_part in found])
            told.append(np.sort(rows[highest(cosines, wanted, NOISE)]))
        return told

    def vectors(self, rows: Sequence[int] | Rows) -> FloatMatrix:
        """As in `DenseSearch`."""
        return vectors_of([part.vectors for part in self._parts], self._firsts, rows)

    def _near(self, number: int, queries: FloatMatrix, wanted: int) -> list[_Near]:
        """For each query rows of one part and their cosines, roughly where it has a graph."""
        part, first = self._parts[number], int(self._firsts[number])
        if part.graph is None:
            return _compared(queries, part.vectors, wanted, first)
        if number not in self._graphs:
            # Two threads may both open it: they get equal ones, and one of them is kept.
            self._graphs[number] = _Graph(part)
        return self._graphs[number].near(queries, wanted, first)


class _Graph:
    """The graph of a part, opened; its contents stay on disk."""

    def __init__(self, part: Part) -> None:
        rows = len(part.vectors)
        self._part = part  # usearch reads from its memory, and does not keep it
        self._index = _empty(part.vectors.shape[1])
        self._index.view(part.graph)
        self._places = np.arange(rows) if part.places is None else part.places.astype(np.int64)
        self._unseen = np.setdiff1d(np.arange(rows), self._places)
        self._late = part.vectors[self._unseen]

    def near(self, queries: FloatMatrix, wanted: int, first: int) -> list[_Near]:
        """For each query rows, counted from `first`, and their cosines."""
        found = []
        late = _compared(queries, self._late, wanted, 0)
        for query, (new, cosines) in zip(queries, late, strict=True):
            matches = self._index.search(query, wanted, threads=1)
            rows = self._places[matches.keys.astype(np.int64)]
            there = rows >= 0
            rows = np.concatenate([rows[there], self._unseen[new]])
            found.append((rows + first, np.concatenate([1.0 - matches.distances[there], cosines])))
        return found


def _compared(queries: FloatMatrix, vectors: FloatMatrix, wanted: int, first: int) -> list[_Near]:
    """For each query the rows, counted from `first`, and the cosines of nearest vectors."""
    # Not by BLAS, whose threads take 8 ms to meet for what one of them does in 0.2.
    products = np.einsum("ij,kj->ik", queries, vectors)
    rows = [highest(row, wanted, NOISE) for row in products]
    return [(mine + first, row[mine]) for mine, row in zip(rows, products, strict=True)]


def has_usearch() -> bool:
    """Whether the extra `large` is installed."""
    from importlib.util import find_spec

    return find_spec("usearch") is not None


def wants_graphs(passages: int, dim: int) -> bool:
    """Whether so many passages get graphs; never without usearch (extra `large`)."""
    return passages * dim >= GRAPHS_FROM and has_usearch()


def write_graph(path: Path, vectors: FloatMatrix) -> None:
    """Writes the graph of these vectors to a file: the same vectors, the same bytes."""
    graph = _empty(vectors.shape[1])
    graph.add(np.arange(len(vectors)), np.ascontiguousarray(vectors), threads=1)
    graph.save(path)


def worn(places: NDArray[np.int32], passages: int) -> bool:
    """Whether a new graph is due: a fifth of the old one's passages gone, or too many unseen."""
    gone = int((places < 0).sum())
    unseen = passages - (len(places) - gone)
    return gone > len(places) / 5 or unseen > min(passages / 5, _MOST_UNSEEN)


def vectors_of(
    matrices: Sequence[FloatMatrix], firsts: Rows, rows: Sequence[int] | Rows
) -> FloatMatrix:
    """Rows of several matrices whose rows count one after the other, from `firsts` on."""
    asked = np.asarray(rows, dtype=np.int64)
    if len(matrices) == 1:
        return np.asarray(matrices[0][asked])
    found = np.empty((len(asked), matrices[0].shape[1] if matrices else 0), dtype=np.float32)
    for matrix, (first, end) in zip(matrices, pairwise(firsts.tolist()), strict=True):
        mine = np.flatnonzero((asked >= first) & (asked < end))
        if len(mine):
            found[mine] = matrix[asked[mine] - first]
    return found


def _empty(dim: int) -> Any:
    # Loaded the other way round the two crash the process (usearch 2.26.6, onnxruntime 1.31.1).
    if "usearch" not in sys.modules:
        with suppress(ImportError):
            runtime.load()
    from usearch.index import Index

    return Index(
        ndim=dim,
        metric="cos",
        dtype="i8",
        connectivity=_LINKS,
        expansion_add=_ADDING,
        expansion_search=_SEARCHING,
        enable_key_lookups=False,
    )
