"""What every vector store has to do, as checks: for the stores of halgo and for those of others.

Each check takes `opened`, a function that opens the store; every call gives a handle to the same
place, which was empty when the check began:

    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
    def test_my_store(check, tmp_path):
        check(lambda: MyStore(tmp_path))

A check raises AssertionError with what was expected. `killed_while_putting_in` is apart from
them: it kills a process, so `opened` must be something that another process can make again, such
as `functools.partial(MyStore, path)`.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Sequence
from multiprocessing import get_context

import numpy as np

from halgo.errors import IndexMismatchError, VectorStoreError
from halgo.protocols import Hit, StoreState, VectorStore
from halgo.types import Document, FloatMatrix

Opened = Callable[[], VectorStore]

ENCODER, DIM = "an encoder", 48
_NOISE = 1e-5


def expect(holds: bool, otherwise: str) -> None:
    """Raises AssertionError unless it holds; an `assert` would be gone under python -O."""
    if not holds:
        raise AssertionError(otherwise)


def made_vectors(count: int, seed: int = 1) -> FloatMatrix:
    """Rows of L2 norm 1 in clusters, as passages lie."""
    draw = np.random.default_rng(seed)
    rows = draw.standard_normal((8, DIM))[draw.integers(0, 8, count)]
    rows = rows + 0.6 * draw.standard_normal((count, DIM))
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def put(store: VectorStore, vectors: FloatMatrix, start: int = 0, of: int = 10) -> list[str]:
    """Puts in vectors under ids counted from `start`, `of` of them a document; the ids."""
    ids = [f"{start + at:032x}" for at in range(len(vectors))]
    documents = [f"d{(start + at) // of:031x}" for at in range(len(vectors))]
    store.upsert(ENCODER, ids, documents, vectors, [f"[{id_}]".encode() for id_ in ids])
    return ids


def an_empty_store_says_so(opened: Opened) -> None:
    """Nothing was put in: no records, no encoder, and no error."""
    store = opened()
    state = store.state()
    expect((state.count, state.dim, state.encoder) == (0, 0, ""), f"state() gave {state}")
    expect(store.search(made_vectors(2), 5) == [[], []], "search finds something in nothing")
    expect(store.get(["0" * 32]) == [], "get finds something in nothing")
    expect(store.delete(["0" * 32]) == 0, "delete takes something out of nothing")


def what_is_put_in_comes_back_bit_for_bit(opened: Opened) -> None:
    """Vectors with every bit, payloads with every byte, in the order that was asked for."""
    vectors = made_vectors(30)
    vectors[3] = 0
    ids = put(opened(), vectors)
    store = opened()
    payloads = [bytes(range(256)), b"", b"\x00"]
    store.upsert(ENCODER, ["a" * 32, "b" * 32, "c" * 32], ["e"] * 3, vectors[:3], payloads)
    asked = [ids[7], "b" * 32, ids[3], "f" * 32, "a" * 32, "c" * 32]  # one is not there
    found = store.get(asked)
    expect([one.id for one in found] == [one for one in asked if one != "f" * 32], "order of get")
    expected = [vectors[7], vectors[1], vectors[3], vectors[0], vectors[2]]
    for record, vector in zip(found, expected, strict=True):
        got = np.asarray(record.vector)
        expect(got.dtype == np.float32, f"a vector of {got.dtype} came back, not float32")
        expect(got.tobytes() == vector.tobytes(), f"the vector of {record.id} came back changed")
    expect([found[at].payload for at in (3, 1, 4)] == payloads, "payloads came back changed")
    expect(found[0].document == f"d{0:031x}", "a record came back with another document")
    expect(store.get(["f" * 32]) == [], "get finds what is not there")
    state = store.state()
    expected_state = (33, DIM, ENCODER)
    expect((state.count, state.dim, state.encoder) == expected_state, f"state() gave {state}")


def putting_in_twice_changes_nothing(opened: Opened) -> None:
    """The same record again leaves one; another under its id replaces it."""
    store, vectors = opened(), made_vectors(20)
    ids = put(store, vectors)
    put(store, vectors)
    expect(store.state().count == 20, f"{store.state().count} records after the same 20 twice")
    store.upsert(ENCODER, ids[:1], ["z"], vectors[5:6], [b"new"])
    (found,) = store.get(ids[:1])
    expect(store.state().count == 20, "a record was added where one was to be replaced")
    expect((found.document, found.payload) == ("z", b"new"), "the record was not replaced")
    expect(store.delete(["z"]) == 1, "the replaced record kept its old document")


def documents_are_taken_out(opened: Opened) -> None:
    """All records of a document but for those to keep; others stay; how many went is told."""
    store = opened()
    ids = put(store, made_vectors(40))
    gone = store.delete([f"d{1:031x}", f"d{2:031x}", "missing"], keep=[ids[15], ids[35]])
    expect(gone == 19, f"delete says {gone} where 19 of 20 records go and one is kept")
    left = {one.id for one in opened().get(ids)}
    expect(left == {*ids[:10], ids[15], *ids[30:]}, "delete took out other records")
    hits = store.search(made_vectors(1), 40)[0]
    expect({hit.id for hit in hits} == left, "search still finds what was taken out")


def search_is_exact_unless_it_says_otherwise(opened: Opened) -> None:
    """The k highest inner products, best first, for each of several queries."""
    store, vectors = opened(), made_vectors(600)
    vectors[5], vectors[77] = 0, vectors[78]
    ids = put(store, vectors)
    state: StoreState = store.state()
    queries = made_vectors(7, seed=2)
    found = store.search(queries, 25)
    expect([len(hits) for hits in found] == [25] * 7, "other than k hits for each query")
    for query, hits in zip(queries, found, strict=True):
        products = {id_: float(vector @ query) for id_, vector in zip(ids, vectors, strict=True)}
        best = sorted(products.values(), reverse=True)[24]
        _expect_true(hits, products)
        if state.approximate is None:
            expect(hits[-1].similarity > best - _NOISE, "a nearer record was missed")
    (every,) = store.search(queries[:1], 10_000)
    if state.approximate is None:
        expect({hit.id for hit in every} == set(ids), "a large k does not find every record")
    expect(store.search(queries[:0], 5) == [], "no queries, and yet results")
    zero = store.search(np.zeros((1, DIM), dtype=np.float32), 9)[0]
    expect(all(abs(hit.similarity) < _NOISE for hit in zero), "a zero query is near to something")


def _expect_true(hits: Sequence[Hit], products: dict[str, float]) -> None:
    similarities = [hit.similarity for hit in hits]
    expect(similarities == sorted(similarities, reverse=True), "hits are not best first")
    expect(len({hit.id for hit in hits}) == len(hits), "a record was found twice")
    for hit in hits:
        expect(
            abs(hit.similarity - products[hit.id]) < _NOISE,
            f"{hit.similarity} for an inner product of {products[hit.id]}",
        )
        expect(hit.payload == f"[{hit.id}]".encode(), "a hit has another record's payload")


def another_encoder_is_refused(opened: Opened) -> None:
    """Its vectors mean other things: refused with IndexMismatchError, and nothing is put in."""
    put(opened(), made_vectors(4))
    store = opened()
    for encoder, width in (("another encoder", DIM), (ENCODER, DIM + 1)):
        row = np.zeros((1, width), dtype=np.float32)
        try:
            store.upsert(encoder, ["9" * 32], ["d"], row, [b""])
        except IndexMismatchError:
            pass
        else:
            raise AssertionError(f"vectors of {encoder!r}, {width} wide, were taken")
    state = store.state()
    expect((state.count, state.encoder, state.dim) == (4, ENCODER, DIM), f"state() gave {state}")


def what_does_not_fit_together_is_refused(opened: Opened) -> None:
    """Fewer payloads than ids, or an id twice: ValueError, and nothing is put in."""
    store, rows = opened(), made_vectors(2)
    for ids, payloads in ((["a" * 32, "b" * 32], [b""]), (["a" * 32] * 2, [b"", b""])):
        try:
            store.upsert(ENCODER, ids, ["d", "d"], rows, payloads)
        except ValueError:
            continue
        raise AssertionError(f"{ids} with {len(payloads)} payloads were taken")
    expect(store.state().count == 0, "some of it was put in")


def other_handles_see_what_was_acknowledged(opened: Opened) -> None:
    """At once: a second handle that was open before sees what the first put in and took out."""
    writer, reader = opened(), opened()
    reader.state()
    ids = put(writer, made_vectors(5))
    expect(len(reader.get(ids)) == 5, "another handle does not see what was put in")
    writer.delete([f"d{0:031x}"])
    expect(reader.search(made_vectors(1), 3) == [[]], "another handle finds what was taken out")


def many_records_at_once(opened: Opened) -> None:
    """As many as halgo hands over, and all of their ids asked for together."""
    store, vectors = opened(), made_vectors(4096)
    ids = put(store, vectors)
    found = store.get(ids[::-1])
    expect([one.id for one in found] == ids[::-1], "get of 4,096 ids")
    expect(store.delete([f"d{at:031x}" for at in range(410)], keep=ids[:100]) == 3996, "delete")


def threads_may_share_it(opened: Opened) -> None:
    """Searches and upserts from several threads at a time give what they give alone."""
    store, vectors = opened(), made_vectors(200)
    put(store, vectors)
    alone = [hit.id for hit in store.search(vectors[:1], 5)[0]]
    wrong: list[object] = []

    def work(number: int) -> None:
        try:
            for _ in range(5):
                put(store, vectors[:20])
                found = [hit.id for hit in store.search(vectors[:1], 5)[0]]
                wrong.extend([found] if found != alone else [])
        except Exception as error:  # the thread's end would hide it
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expect(not wrong, f"with four threads: {wrong[:3]}")
    expect(store.state().count == 200, "records came or went")


def reports_are_those_of_the_index_in_memory(opened: Opened) -> None:
    """An index in the store gives the same reports, byte for byte; so it does after a change."""
    from halgo import Checker, Config, Halgorithm
    from halgo.vectorstores.filling import fill
    from halgo.vectorstores.stored_search import searched_in

    halgorithm = Halgorithm(Config(), embedder="lexical", entailment=None)
    plain: Checker | None = None
    for documents, most in ((_DOCUMENTS, 5 * len(_DOCUMENTS)), (_CHANGED, 2)):
        plain = Checker.of(halgorithm, documents, previous=None if plain is None else plain.index)
        filled = fill(opened(), plain.index)
        expect(filled.passages <= most, f"{filled.passages} passages put in, of {most} new ones")
        expect(fill(opened(), plain.index).passages == 0, "what was there was put in again")
        stored = Checker(halgorithm, searched_in(opened(), plain.index))
        same = [report.to_json() for report in plain.check_many(_ANSWERS)]
        found = [report.to_json() for report in stored.check_many(_ANSWERS)]
        if opened().state().approximate is None:
            expect(found == same, "a report differs from that of the index in memory")
    records = opened().state().count
    fill(opened(), Checker.of(halgorithm, _CHANGED[:1]).index)
    expect(opened().state().count < records, "what left the index stayed in the store")
    try:
        stored.check(_ANSWERS[0] + " It was so in 1987.")
    except VectorStoreError:
        return
    raise AssertionError("a reader of an index that is no longer there was answered")


def killed_while_putting_in(opened: Opened, times: int = 5) -> None:
    """A process that is killed while it puts records in leaves what was acknowledged.

    And whatever it left, putting them in again completes it.
    """
    vectors = made_vectors(3000)
    context = get_context("spawn")
    for number in range(times):
        ours, theirs = context.Pipe()
        process = context.Process(target=_put_slowly, args=(opened, theirs), daemon=True)
        process.start()
        theirs.close()
        ours.recv()  # the first hundred are in
        time.sleep(0.02 + 0.07 * number)
        if process.is_alive() and process.pid:
            import os

            os.kill(process.pid, signal.SIGKILL)
        process.join()
        acknowledged = 100
        while ours.poll():
            try:
                acknowledged = ours.recv()
            except EOFError:
                break
        ids = [f"{at:032x}" for at in range(acknowledged)]
        store = opened()
        found = store.get(ids)
        expect(len(found) == len(ids), f"{len(ids) - len(found)} acknowledged records are lost")
    put(opened(), vectors)
    store = opened()
    expect(store.state().count == 3000, f"{store.state().count} records, not 3,000")
    expect(len(store.search(vectors[:1], 10)[0]) == 10, "the store cannot be searched any more")


def _put_slowly(opened: Opened, told: object) -> None:
    store, vectors = opened(), made_vectors(3000)
    for start in range(0, 3000, 100):
        put(store, vectors[start : start + 100], start)
        told.send(start + 100)  # type: ignore[attr-defined]


CHECKS: tuple[Callable[[Opened], None], ...] = (
    an_empty_store_says_so,
    what_is_put_in_comes_back_bit_for_bit,
    putting_in_twice_changes_nothing,
    documents_are_taken_out,
    search_is_exact_unless_it_says_otherwise,
    another_encoder_is_refused,
    what_does_not_fit_together_is_refused,
    other_handles_see_what_was_acknowledged,
    many_records_at_once,
    threads_may_share_it,
    reports_are_those_of_the_index_in_memory,
)

_SUBJECTS = ("fee", "deposit", "lease", "ferry")
_DOCUMENTS = tuple(
    Document(
        f"rules/{subject}'s \x00\udc80\u00e9 {number}",  # no engine may stumble over an id
        f"# The {subject} of {place}\n\n"
        f"The {subject} of {place} costs {7 * number + 12} euros a year. "
        f"It is due within {number + 3} days. Nobody may sell the {subject}.\n\n"
        f"- opened in {1900 + 9 * number}\n- closed on Sundays\n\nAll rules of the town apply.",
        f"{subject}-{place}.md",
    )
    for number, (subject, place) in enumerate(
        (subject, place) for subject in _SUBJECTS for place in ("Bergen", "Turku", "Porto")
    )
)
_CHANGED = (
    *_DOCUMENTS[:4],
    Document("new", "The lighthouse of Turku is 31 metres high.", "new.txt"),
    *_DOCUMENTS[6:],
)
_ANSWERS = (
    "The deposit of Turku costs 40 euros a year. It is due within 7 days.",
    "Nobody may sell the lease. All rules of the town apply. The ferry of Porto opened in 1999.",
    "The lighthouse of Turku is 31 metres high. The ferry is closed on Mondays.",
    "Quarks are confined.",
)
