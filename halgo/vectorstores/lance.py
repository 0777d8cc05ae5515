"""LanceDB as a vector store: embedded, in a folder, larger than memory.

Every change makes a new version of the table and readers see whole versions, so a writer that is
killed leaves the one before. One process writes at a time; any number read.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from halgo.errors import HalgoError, MissingDependencyError, VectorStoreError
from halgo.protocols import Hit, Record, StoreState
from halgo.types import FloatMatrix
from halgo.vectorstores.checks import require_match, require_rows, table_name

if TYPE_CHECKING:
    import lancedb
    import pyarrow

Value = TypeVar("Value")

_ENCODER = b"halgo.encoder"
_VERSIONS = 32  # changes after which what they left in small pieces is put together
_KEPT = timedelta(hours=1)  # how long old versions stay, for readers that are in one
_NAMED = 1000  # ids in one query
_PROBES, _REFINED = 20, 10  # of approximate search: partitions looked at, candidates per hit


class LanceStore:
    """Vectors in a LanceDB table.

    folder: where the database is, made when it is missing. approximate: search by the table's
    index where `build_index` has made one. Raises MissingDependencyError without lancedb.
    Safe to share between threads; not over a fork.
    """

    def __init__(
        self, folder: str | Path, table: str = "halgo_vectors", *, approximate: bool = False
    ) -> None:
        try:
            import lancedb
        except ImportError as error:
            raise MissingDependencyError(
                f"LanceStore needs a package that is not here ({error}); "
                f"run: pip install 'halgo[lancedb]'"
            ) from error
        self._folder, self._name, self._approximate = str(folder), table_name(table), approximate
        self._lock = threading.Lock()  # of writers in this process
        # Zero: what another process has written is seen at once.
        self._db: lancedb.DBConnection = self._run(
            "opening", lambda: lancedb.connect(self._folder, read_consistency_interval=timedelta(0))
        )
        self._opened: lancedb.table.Table | None = None

    def upsert(
        self,
        encoder: str,
        ids: Sequence[str],
        documents: Sequence[str],
        vectors: FloatMatrix,
        payloads: Sequence[bytes],
    ) -> None:
        """See `VectorStore`; all of it or, when it fails, nothing."""
        require_rows(ids, documents, vectors, payloads)

        def do() -> None:
            table = self._table() or self._made(encoder, vectors.shape[1])
            require_match(_about(table), encoder, vectors.shape[1], self._place())
            rows = _columns(table.schema, ids, documents, vectors, payloads)
            merge = table.merge_insert("id").when_matched_update_all()
            merge.when_not_matched_insert_all().execute(rows)
            if len(table.list_versions()) > _VERSIONS:
                table.optimize(cleanup_older_than=_KEPT)

        with self._lock:
            self._run(f"putting in {len(ids)} records", do)

    def delete(self, documents: Sequence[str], keep: Sequence[str] = ()) -> int:
        """See `VectorStore`."""

        def do() -> int:
            table = self._table()
            if table is None or not documents:
                return 0
            but = f" AND NOT ({_among('id', keep)})" if keep else ""
            return int(table.delete(f"{_among('document', documents)}{but}").num_deleted_rows)

        with self._lock:
            return self._run(f"taking out {len(documents)} documents", do)

    def search(self, vectors: FloatMatrix, k: int) -> list[list[Hit]]:
        """See `VectorStore`."""

        def do() -> list[list[Hit]]:
            table = self._table()
            found: list[list[Hit]] = [[] for _ in vectors]
            if table is None or not len(vectors):
                return found
            query = table.search(list(vectors), vector_column_name="vector").distance_type("dot")
            if self._approximate and self._has_index(table):
                query = query.nprobes(_PROBES).refine_factor(_REFINED)
            else:
                query = query.bypass_vector_index()
            columns = query.select(["id", "payload", "_distance"]).limit(k).to_arrow()
            numbers = (
                columns["query_index"].to_pylist()
                if "query_index" in columns.column_names
                else [0] * len(columns)
            )
            told = (columns[name].to_pylist() for name in ("id", "_distance", "payload"))
            for number, id_, far, payload in zip(numbers, *told, strict=True):
                found[number].append(Hit(id_, 1.0 - far, payload))
            return [sorted(hits, key=lambda hit: -hit.similarity) for hits in found]

        return self._run(f"searching for {len(vectors)} vectors", do)

    def get(self, ids: Sequence[str]) -> list[Record]:
        """See `VectorStore`."""

        def do() -> list[Record]:
            table = self._table()
            if table is None:
                return []
            found: dict[str, Record] = {}
            for start in range(0, len(ids), _NAMED):
                where = _among("id", ids[start : start + _NAMED])
                rows = table.search().where(where).limit(_NAMED).to_arrow()
                told = [rows[name].to_pylist() for name in ("id", "document", "payload")]
                for id_, document, payload, vector in zip(*told, _matrix(rows), strict=True):
                    found[id_] = Record(id_, document, vector, payload)
            return [found[id_] for id_ in ids if id_ in found]

        return self._run(f"getting {len(ids)} records", do)

    def state(self) -> StoreState:
        """See `VectorStore`."""

        def do() -> StoreState:
            import lancedb

            engine = f"LanceDB {lancedb.__version__}, {self._place()}"
            table = self._table()
            if table is None:
                return StoreState(0, 0, "", None, engine)
            about = _about(table)
            indexed = self._approximate and self._has_index(table)
            name = "lancedb ivf_pq, re-ranked exactly" if indexed else None
            return StoreState(table.count_rows(), about.dim, about.encoder, name, engine)

        return self._run("looking at the table", do)

    def build_index(self) -> None:
        """Builds the index for approximate search, or brings what came since into it."""

        def do() -> None:
            from lancedb.index import BTree, IvfPq

            table = self._table()
            if table is None:
                raise VectorStoreError(f"{self._place()} is not there yet; fill it first")
            # Each of the two takes what the other leaves: whole columns, then rows by their ids.
            table.create_index("vector", config=IvfPq(distance_type="dot"), replace=True)
            table.create_index("id", config=BTree(), replace=True)

        with self._lock:
            self._run("building an index", do)

    # -- the table --------------------------------------------------------------------------------

    def _table(self) -> lancedb.table.Table | None:
        """The table; None where there is none. Raises VectorStoreError for one not of ours."""
        if self._opened is None:
            if self._name not in self._names():
                return None
            table = self._db.open_table(self._name)
            if _ENCODER not in (table.schema.metadata or {}):
                raise VectorStoreError(
                    f"{self._place()} is not one that halgo made. Name another table: "
                    f"LanceStore(folder, table='...')"
                )
            self._opened = table
        return self._opened

    def _names(self) -> list[str]:
        """All tables of the database, of which the engine tells a page at a time."""
        found: list[str] = []
        page = None
        while True:
            told = self._db.list_tables(page_token=page)
            found += told.tables
            page = told.page_token
            if not page:
                return found

    def _made(self, encoder: str, dim: int) -> lancedb.table.Table:
        import pyarrow as pa

        schema = pa.schema(
            [
                pa.field("id", pa.string(), nullable=False),
                pa.field("document", pa.string(), nullable=False),
                pa.field("vector", pa.list_(pa.float32(), dim), nullable=False),
                pa.field("payload", pa.binary(), nullable=False),
            ],
            metadata={_ENCODER: encoder.encode()},
        )
        self._opened = self._db.create_table(self._name, schema=schema, exist_ok=True)
        return self._opened

    def _has_index(self, table: lancedb.table.Table) -> bool:
        return any("vector" in index.columns for index in table.list_indices())

    def _run(self, what: str, do: Callable[[], Value]) -> Value:
        """What `do` gives; what the engine raises of its own becomes a VectorStoreError."""
        try:
            return do()
        except HalgoError:
            raise
        except Exception as error:
            self._opened = None  # perhaps it was replaced: looked at anew next time
            told = " ".join(str(error).split()) or type(error).__name__
            raise VectorStoreError(
                f"{self._place()}: {what} failed; tried once: {told:.500}. See that the folder is "
                f"there, may be written to and has room, and that no other process writes to it, "
                f"then do it again: what was acknowledged is kept, and a filling goes on from "
                f"where it stopped"
            ) from error

    def _place(self) -> str:
        return f"table {self._name} in {self._folder}"


def _about(table: lancedb.table.Table) -> StoreState:
    schema = table.schema
    dim = schema.field("vector").type.list_size
    return StoreState(0, dim, schema.metadata[_ENCODER].decode())


def _columns(
    schema: pyarrow.Schema,
    ids: Sequence[str],
    documents: Sequence[str],
    vectors: FloatMatrix,
    payloads: Sequence[bytes],
) -> pyarrow.Table:
    import pyarrow as pa

    flat = pa.array(np.ascontiguousarray(vectors, dtype=np.float32).ravel())
    columns = [
        pa.array(list(ids), pa.string()),
        pa.array(list(documents), pa.string()),
        pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1]),
        pa.array(list(payloads), pa.binary()),
    ]
    return pa.Table.from_arrays(columns, schema=schema)


def _matrix(rows: pyarrow.Table) -> FloatMatrix:
    """The column of vectors as (n, dim) float32."""
    flat = rows["vector"].combine_chunks().flatten().to_numpy(zero_copy_only=False)
    dim = rows.schema.field("vector").type.list_size
    return np.array(flat, dtype=np.float32).reshape(len(rows), dim)


def _among(column: str, digests: Sequence[str]) -> str:
    """A condition. Raises ValueError for what is no digest and could be a piece of a query."""
    odd = [one for one in digests if not one.isalnum()]
    if odd:
        raise ValueError(f"{odd[0]!r} is no digest")
    told = ", ".join(f"'{one}'" for one in digests)
    return f"{column} IN ({told})" if digests else "false"
