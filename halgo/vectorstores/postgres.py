"""PostgreSQL with pgvector as a vector store: the server that most companies have already.

Vectors are kept as `vector` (float32), so that reports are those of the index in memory to the
byte: `halfvec` (float16) has half the size and moves similarities in the fifth decimal place. The
index of approximate search is built over them as `halfvec`, which finds as much at 57 % of the size
(`python -m benchmarks stores`).
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from halgo.errors import MissingDependencyError, VectorStoreError
from halgo.protocols import Hit, Record, StoreState
from halgo.types import FloatMatrix
from halgo.vectorstores.checks import require_match, require_rows, table_name

if TYPE_CHECKING:
    import psycopg

Value = TypeVar("Value")

_PAUSE_S = 1.0  # before the second try: a server that restarts is back by then, mostly
_NOTE = "halgo vectors "  # how the comment on a table of ours begins
_WIDEST = 4000  # dimensions that pgvector can build an index over, as halfvec
_CANDIDATES = 200  # hnsw.ef_search, which pgvector bounds by 1,000


class PostgresStore:
    """Vectors in a table of a PostgreSQL database with the extension pgvector.

    dsn: how to reach it, "postgresql://user@host/database" or "host=... dbname=..."; what it
        leaves out comes from the environment (PGPASSWORD, ~/.pgpass) as with every client.
    approximate: search by the table's HNSW index where `build_index` has made one.
    timeout_s: how long the server may take for one search.

    Raises MissingDependencyError without psycopg and pgvector. Connects when first needed; safe to
    share between threads.
    """

    def __init__(
        self,
        dsn: str,
        table: str = "halgo_vectors",
        *,
        approximate: bool = False,
        timeout_s: float = 60.0,
    ) -> None:
        try:
            import pgvector.psycopg  # noqa: F401
            import psycopg  # noqa: F401
        except ImportError as error:
            raise MissingDependencyError(
                f"PostgresStore needs a package that is not here ({error}); "
                f"run: pip install 'halgo[postgres]'"
            ) from error
        self._dsn, self._table = dsn, table_name(table)
        self._approximate, self._timeout_s = approximate, timeout_s
        self._idle: list[tuple[int, psycopg.Connection[Any]]] = []
        self._lock = threading.Lock()

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

        def do(connection: psycopg.Connection[Any]) -> None:
            self._make(connection, encoder, vectors.shape[1])
            connection.execute(f"CREATE TEMP TABLE new (LIKE {self._table}) ON COMMIT DROP")
            with connection.cursor().copy("COPY new FROM STDIN (FORMAT BINARY)") as copy:
                copy.set_types(["text", "text", "vector", "bytea"])
                for row in zip(ids, documents, vectors, payloads, strict=True):
                    copy.write_row(row)
            # In one order, so that two who put in the same records do not wait for each other.
            connection.execute(
                f"INSERT INTO {self._table} SELECT * FROM new ORDER BY id ON CONFLICT (id) "
                f"DO UPDATE SET document = EXCLUDED.document, vector = EXCLUDED.vector, "
                f"payload = EXCLUDED.payload"
            )

        self._run(f"putting in {len(ids)} records", do)

    def delete(self, documents: Sequence[str], keep: Sequence[str] = ()) -> int:
        """See `VectorStore`."""

        def do(connection: psycopg.Connection[Any]) -> int:
            if self._about(connection) is None:
                return 0
            gone = connection.execute(
                f"DELETE FROM {self._table} WHERE document = ANY(%s) AND NOT id = ANY(%s)",
                (list(documents), list(keep)),
            )
            return int(gone.rowcount)

        return self._run(f"taking out {len(documents)} documents", do)

    def search(self, vectors: FloatMatrix, k: int) -> list[list[Hit]]:
        """See `VectorStore`."""

        def do(connection: psycopg.Connection[Any]) -> list[list[Hit]]:
            about = self._about(connection)
            if about is None:
                return [[] for _ in vectors]
            connection.execute(f"SET LOCAL statement_timeout = {int(1000 * self._timeout_s)}")
            distance = "(vector <#> %s) + 0"  # the sum keeps any index out of it
            if self._approximate and self._has_index(connection):
                connection.execute(f"SET LOCAL hnsw.ef_search = {max(_CANDIDATES, min(k, 1000))}")
                half = f"halfvec({about[1]})"
                distance = f"vector::{half} <#> %s::{half}"
            query = (
                f"SELECT id, {distance} AS distance, payload FROM {self._table} "
                f"ORDER BY {distance} LIMIT %s"
            )
            with connection.pipeline():
                cursors = [connection.execute(query, (row, row, k), binary=True) for row in vectors]
                return [[Hit(id_, -far, told) for id_, far, told in found] for found in cursors]

        return self._run(f"searching for {len(vectors)} vectors", do)

    def get(self, ids: Sequence[str]) -> list[Record]:
        """See `VectorStore`."""

        def do(connection: psycopg.Connection[Any]) -> list[Record]:
            if self._about(connection) is None:
                return []
            rows = connection.execute(
                f"SELECT id, document, vector, payload FROM {self._table} WHERE id = ANY(%s)",
                (list(ids),),
                binary=True,
            )
            found = {row[0]: Record(row[0], row[1], _array(row[2]), row[3]) for row in rows}
            return [found[id_] for id_ in ids if id_ in found]

        return self._run(f"getting {len(ids)} records", do)

    def state(self) -> StoreState:
        """See `VectorStore`."""

        def do(connection: psycopg.Connection[Any]) -> StoreState:
            about = self._about(connection)
            engine = f"PostgreSQL {connection.info.server_version // 10000}, table {self._table}"
            if about is None:
                return StoreState(0, 0, "", None, engine)
            (count,) = connection.execute(f"SELECT count(*) FROM {self._table}").fetchone() or (0,)
            indexed = self._approximate and self._has_index(connection)
            name = "pgvector hnsw over halfvec, re-ranked exactly" if indexed else None
            return StoreState(count, about[1], about[0], name, engine)

        return self._run("looking at the table", do)

    def build_index(self) -> None:
        """Builds the HNSW index for approximate search; once, PostgreSQL keeps it up to date."""

        def do(connection: psycopg.Connection[Any]) -> None:
            about = self._about(connection)
            if about is None:
                raise VectorStoreError(f"{self._place()} is not there yet; fill it first")
            if about[1] > _WIDEST:
                raise VectorStoreError(
                    f"pgvector builds no index over {about[1]} dimensions, at most {_WIDEST}; "
                    f"search it exactly"
                )
            connection.execute(
                f"CREATE INDEX IF NOT EXISTS {self._table}_hnsw ON {self._table} "
                f"USING hnsw ((vector::halfvec({about[1]})) halfvec_ip_ops)"
            )

        self._run("building an index", do)

    def close(self) -> None:
        """Closes the connections that are open; the store may be used on."""
        with self._lock:
            idle, self._idle = self._idle, []
        for _, connection in idle:
            with suppress(Exception):
                connection.close()

    # -- the table --------------------------------------------------------------------------------

    def _about(self, connection: psycopg.Connection[Any]) -> tuple[str, int] | None:
        """Encoder and width of the table; None where there is none."""
        row = connection.execute(
            "SELECT obj_description(c, 'pg_class') FROM to_regclass(%s) AS c WHERE c IS NOT NULL",
            (self._table,),
        ).fetchone()
        if row is None:
            return None
        note = str(row[0] or "")
        if not note.startswith(_NOTE):
            raise VectorStoreError(
                f"{self._place()} is not one that halgo made. Name another table: "
                f"PostgresStore(dsn, table='...')"
            )
        about = json.loads(note.removeprefix(_NOTE))
        return str(about["encoder"]), int(about["dim"])

    def _make(self, connection: psycopg.Connection[Any], encoder: str, dim: int) -> None:
        """Makes the table when it is not there; refuses vectors that it may not hold."""
        from psycopg.sql import SQL, Literal

        about = self._about(connection)
        if about is None:
            connection.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", (self._table,))
            about = self._about(connection)  # another may have made it while we waited
        if about is not None:
            require_match(StoreState(0, about[1], about[0]), encoder, dim, self._place())
            return
        connection.execute(
            f"CREATE TABLE {self._table} (id text PRIMARY KEY, document text NOT NULL, "
            f"vector vector({dim}) NOT NULL, payload bytea NOT NULL)"
        )
        connection.execute(f"CREATE INDEX {self._table}_document ON {self._table} (document)")
        note = _NOTE + json.dumps({"encoder": encoder, "dim": dim})
        connection.execute(SQL(f"COMMENT ON TABLE {self._table} IS {{}}").format(Literal(note)))

    def _has_index(self, connection: psycopg.Connection[Any]) -> bool:
        found = connection.execute(
            "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)",
            (f"{self._table}_hnsw",),
        ).fetchone()
        return found is not None and bool(found[0])

    # -- connections ------------------------------------------------------------------------------

    def _run(self, what: str, do: Callable[[psycopg.Connection[Any]], Value]) -> Value:
        """What `do` gives in a transaction; tried again on a new connection when one breaks."""
        import psycopg

        start = time.monotonic()
        for last in (False, True):
            connection = None
            try:
                connection = self._connection()
                with connection.transaction():
                    result = do(connection)
            except psycopg.OperationalError as error:
                # The others are as old: who lost one connection to a server has lost them all.
                self.close()
                if last or isinstance(error, _refusals()):
                    raise self._failed(what, error, time.monotonic() - start, last) from error
                time.sleep(_PAUSE_S)
            except psycopg.Error as error:
                raise self._failed(what, error, time.monotonic() - start, last) from error
            else:
                with self._lock:
                    self._idle.append((os.getpid(), connection))
                connection = None
                return result
            finally:
                if connection is not None:
                    with suppress(Exception):
                        connection.close()
        raise AssertionError("the second try returns or raises")

    def _connection(self) -> psycopg.Connection[Any]:
        import psycopg
        from pgvector.psycopg import register_vector

        with self._lock:
            # A connection of the process that this one was forked from is still in use there.
            mine = [one for pid, one in self._idle if pid == os.getpid() and not one.closed]
            self._idle = [(os.getpid(), one) for one in mine[1:]]
        if mine:
            return mine[0]
        connection = psycopg.connect(self._dsn, connect_timeout=10, autocommit=True)
        try:
            if not _has_extension(connection):
                self._bring_extension(connection)
            register_vector(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _bring_extension(self, connection: psycopg.Connection[Any]) -> None:
        import psycopg

        try:
            connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        except psycopg.Error as error:
            raise VectorStoreError(
                f"the database of {self._place()} has no extension pgvector; tried CREATE "
                f"EXTENSION vector: {_said(error)}. Install it on the server (on Debian "
                f"postgresql-{connection.info.server_version // 10000}-pgvector), then have an "
                f"administrator run CREATE EXTENSION vector in this database"
            ) from error

    def _failed(
        self, what: str, error: psycopg.Error, elapsed_s: float, twice: bool
    ) -> VectorStoreError:
        tried = f"tried twice within {elapsed_s:.0f} s" if twice else "tried once"
        return VectorStoreError(
            f"{self._place()}: {what} failed; {tried}: {_said(error)}. {_advice(error)}"
        )

    def _place(self) -> str:
        """Where the table is, without what is secret of it."""
        from psycopg import ProgrammingError
        from psycopg.conninfo import conninfo_to_dict

        try:
            known = conninfo_to_dict(self._dsn)
        except ProgrammingError:
            known = {}
        host, name = known.get("host") or "this machine", known.get("dbname") or "the database"
        return f"table {self._table} in {name} on {host}"


def _array(vector: Any) -> np.ndarray[Any, Any]:
    """A vector as pgvector gives it, which differs by its version, as an array."""
    told = vector.to_numpy() if hasattr(vector, "to_numpy") else vector
    return np.array(told, dtype=np.float32)


def _has_extension(connection: psycopg.Connection[Any]) -> bool:
    found = connection.execute("SELECT 1 FROM pg_extension WHERE extname = 'vector'").fetchone()
    return found is not None


def _refusals() -> tuple[type[psycopg.Error], ...]:
    """What a second try would not change."""
    from psycopg import errors

    return (
        errors.InvalidPassword,
        errors.InvalidAuthorizationSpecification,
        errors.QueryCanceled,
        errors.DiskFull,
    )


def _said(error: psycopg.Error) -> str:
    """The engine's own words, in one line."""
    return " ".join(str(error).split()).rstrip(".?") or type(error).__name__


def _advice(error: psycopg.Error) -> str:
    from psycopg import errors

    told = _said(error)
    if "password" in told or "authentication" in told or "role " in told:
        return "Check user and password: in the dsn, PGPASSWORD or ~/.pgpass"
    if isinstance(error, errors.InsufficientPrivilege):
        return "Grant this user CREATE on the schema, or name a table that it owns"
    if isinstance(error, errors.QueryCanceled):
        return "Give the server more time (timeout_s=), or search approximately: build_index()"
    if isinstance(error, errors.DiskFull):
        return "Make room on the server's disk, then do it again: what is in stays in"
    return (
        "See that the server runs and can be reached (psql), then do it again: what was "
        "acknowledged is kept, and a filling goes on from where it stopped"
    )
