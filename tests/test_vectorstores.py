"""Vectors in a store: the same reports, nothing lost, nothing told by a store out of line.

The stores of engines pass the same checks in tests/ecosystem/test_vectorstores.py.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from small_index import built, without_models  # noqa: F401

from halgo import Checker, Config, Document, Halgorithm, MissingDependencyError, open_index
from halgo.errors import IndexMismatchError, VectorStoreError
from halgo.evidence.index import Index
from halgo.protocols import Hit, Record, StoreState, VectorStore
from halgo.types import FloatMatrix
from halgo.vectorstores import LanceStore, MemoryStore, PostgresStore, fill, searched_in
from halgo.vectorstores.conformance import CHECKS, Opened
from halgo.vectorstores.ledger import SEAL

RULES = [
    "The fee is 40 euros. It is due within 7 days. Late fees are 5 euros.",
    "Dogs stay outside. Cats may come in. Birds may sing.",
    "No refunds are given. Not even to members.",
    "The harbour opens at six. It closes at ten.",
]
CHANGED = [RULES[0], "Dogs stay outside. Cats may come in. Birds may be fed.", RULES[3]]


def near(index: Index, text: str, depth: int = 3) -> list[set[str]]:
    """The texts of the passages nearest to each of two queries."""
    from halgo.evidence.embed import LexicalEmbedder

    rows = LexicalEmbedder().embed([text, "Birds may sing."])
    found = index.dense.candidates(rows, depth)
    told = []
    for row, places in zip(rows, found, strict=True):
        cosines = index.dense.vectors(places).astype(np.float64) @ row.astype(np.float64)
        texts = [index.chunks[int(place)].text for place in places]
        ranked = sorted(zip((-np.round(cosines, 6)).tolist(), texts, strict=True))
        told.append({said for _, said in ranked[:depth]})
    return told


needs_models = {"reports_are_those_of_the_index_in_memory"}


@pytest.mark.parametrize(
    "check",
    [
        pytest.param(
            check,
            id=check.__name__,
            marks=[pytest.mark.models] if check.__name__ in needs_models else [],
        )
        for check in CHECKS
    ],
)
def test_the_store_in_memory_passes_every_check(check: Callable[[Opened], None]) -> None:
    store = MemoryStore()
    check(lambda: store)


class Rounded(MemoryStore):
    def get(self, ids: Sequence[str]) -> list[Record]:
        return [
            replace(one, vector=one.vector.astype(np.float16).astype(np.float32))
            for one in super().get(ids)
        ]


class Approximate(MemoryStore):
    def search(self, vectors: FloatMatrix, k: int) -> list[list[Hit]]:
        return [[*hits[:2], *hits[3 : k + 1]] for hits in super().search(vectors, k + 1)]


class WorstFirst(MemoryStore):
    def search(self, vectors: FloatMatrix, k: int) -> list[list[Hit]]:
        return [hits[::-1] for hits in super().search(vectors, k)]


class InAnyOrder(MemoryStore):
    def get(self, ids: Sequence[str]) -> list[Record]:
        return super().get(sorted(ids))


class KeepsNothing(MemoryStore):
    def delete(self, documents: Sequence[str], keep: Sequence[str] = ()) -> int:
        return super().delete(documents)


class TakesAnyEncoder(MemoryStore):
    def state(self) -> StoreState:
        return replace(super().state(), encoder="")


class Adds(MemoryStore):
    def upsert(
        self,
        encoder: str,
        ids: Sequence[str],
        documents: Sequence[str],
        vectors: FloatMatrix,
        payloads: Sequence[bytes],
    ) -> None:
        free = [id_ if not self.get([id_]) else id_ + "0" for id_ in ids]
        super().upsert(encoder, free, documents, vectors, payloads)


class LosesPayloads(MemoryStore):
    def get(self, ids: Sequence[str]) -> list[Record]:
        return [replace(one, payload=one.payload.strip(b"\x00")) for one in super().get(ids)]


@pytest.mark.parametrize(
    ("broken", "caught_by"),
    [
        (Rounded, "what_is_put_in_comes_back_bit_for_bit"),
        (InAnyOrder, "what_is_put_in_comes_back_bit_for_bit"),
        (LosesPayloads, "what_is_put_in_comes_back_bit_for_bit"),
        (Approximate, "search_is_exact_unless_it_says_otherwise"),
        (WorstFirst, "search_is_exact_unless_it_says_otherwise"),
        (KeepsNothing, "documents_are_taken_out"),
        (TakesAnyEncoder, "another_encoder_is_refused"),
        (Adds, "putting_in_twice_changes_nothing"),
    ],
)
def test_a_store_that_breaks_the_protocol_fails_its_check(
    broken: type[MemoryStore], caught_by: str
) -> None:
    (check,) = [one for one in CHECKS if one.__name__ == caught_by]
    store = broken()
    with pytest.raises(AssertionError):
        check(lambda: store)


@pytest.mark.usefixtures("without_models")
def test_only_what_is_new_is_put_in_and_what_is_gone_is_taken_out() -> None:
    store, before, after = MemoryStore(), built(*RULES), built(*CHANGED)
    assert fill(store, before).passages == len(before.chunks)
    assert (fill(store, before).passages, fill(store, before).removed) == (0, 0)
    told = fill(store, after)
    assert told.documents == 2  # d1 has another sentence, d2 is the harbour now
    assert told.passages == len(after.rows_of("d1")) + len(after.rows_of("d2"))
    assert near(searched_in(store, after), "Cats may come in.") == near(after, "Cats may come in.")


class Dying(MemoryStore):
    """A store that fails for good at its nth call."""

    left = 10**9

    def _step(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise VectorStoreError("the engine is gone")

    def upsert(
        self,
        encoder: str,
        ids: Sequence[str],
        documents: Sequence[str],
        vectors: FloatMatrix,
        payloads: Sequence[bytes],
    ) -> None:
        self._step()
        super().upsert(encoder, ids, documents, vectors, payloads)

    def delete(self, documents: Sequence[str], keep: Sequence[str] = ()) -> int:
        self._step()
        return super().delete(documents, keep)

    def get(self, ids: Sequence[str]) -> list[Record]:
        self._step()
        return super().get(ids)


@pytest.mark.usefixtures("without_models")
def test_killed_at_any_step_a_store_tells_nothing_false_and_the_next_filling_completes_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("halgo.vectorstores.filling.AT_ONCE", 3)
    before, after = built(*RULES), built(*CHANGED)
    expected = {id(one): near(one, "The fee is 40 euros.") for one in (before, after)}
    steps = 0
    while True:
        store = Dying()
        fill(store, before)
        readers = {id(before): searched_in(store, before)}
        store.left = steps
        try:
            fill(store, after)
        except VectorStoreError:
            died = True
        else:
            died = False
        store.left = 10**9
        for index in (before, after):
            try:
                reader = readers.get(id(index)) or searched_in(store, index)
                assert near(reader, "The fee is 40 euros.") == expected[id(index)], steps
            except VectorStoreError:
                continue
        fill(store, after)
        assert near(searched_in(store, after), "The fee is 40 euros.") == expected[id(after)]
        with pytest.raises(VectorStoreError, match="another index"):
            searched_in(store, before)
        if not died:
            break
        steps += 1
    assert steps > 10


@pytest.mark.usefixtures("without_models")
def test_a_filling_that_was_interrupted_is_not_taken_for_a_whole_one() -> None:
    store, index = Dying(), built(*RULES)
    store.left = 2
    with pytest.raises(VectorStoreError, match="the engine is gone"):
        fill(store, index)
    store.left = 10**9
    with pytest.raises(VectorStoreError, match=r"interrupted.*fill\(store\)"):
        searched_in(store, index)


@pytest.mark.usefixtures("without_models")
def test_an_empty_store_is_no_store_of_this_index() -> None:
    with pytest.raises(VectorStoreError, match="never filled"):
        searched_in(MemoryStore(), built(*RULES))


@pytest.mark.usefixtures("without_models")
def test_another_encoder_is_refused_by_name() -> None:
    store, index = MemoryStore(), built(*RULES)
    fill(store, index)
    other = replace(index, embedder="another")
    for use in (fill, searched_in):
        with pytest.raises(IndexMismatchError, match=r"lexical \(512\).*another \(512\)"):
            use(store, other)


@pytest.mark.usefixtures("without_models")
def test_records_that_others_took_out_are_missed() -> None:
    store, index = MemoryStore(), built(*RULES)
    fill(store, index)
    reader = searched_in(store, index)
    for id_, record in list(store._records.items()):
        if record.payload.startswith(b'["d1"'):
            del store._records[id_]
    with pytest.raises(VectorStoreError, match="lost"):
        near(reader, "The fee is 40 euros.", depth=100)
    with pytest.raises(VectorStoreError, match="lost"):
        searched_in(store, index)


@pytest.mark.usefixtures("without_models")
def test_records_that_are_not_halgos_are_counted_against_a_filling() -> None:
    store, index = MemoryStore(), built(*RULES)
    fill(store, index)
    store.upsert("lexical (512)", ["0" * 32], ["d"], index.vectors[:1], [b"{"])
    assert near(searched_in(store, index), "Cats may come in.") == near(index, "Cats may come in.")
    with pytest.raises(VectorStoreError, match="another process changed"):
        fill(store, index)


@pytest.mark.usefixtures("without_models")
def test_two_who_fill_one_store_at_once_do_not_mix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("halgo.vectorstores.filling.AT_ONCE", 2)
    mine, theirs = built(*RULES), built(*RULES[:3], "The harbour opens at nine. It closes at one.")
    assert len(mine.chunks) == len(theirs.chunks)  # so that counting them would tell nothing
    for moment in range(1, 5):  # a batch of each document
        store, moments = MemoryStore(), []

        def progress(done: int, of: int, store: MemoryStore = store, moments: list[int] = moments):
            moments.append(done)
            if len(moments) == moment:  # noqa: B023
                fill(store, theirs)

        with pytest.raises(VectorStoreError, match="another process changed"):
            fill(store, mine, progress)
        fill(store, mine)
        assert near(searched_in(store, mine), "It closes.") == near(mine, "It closes.")


@pytest.mark.usefixtures("without_models")
def test_a_damaged_ledger_is_told() -> None:
    store, index = MemoryStore(), built(*RULES)
    fill(store, index)
    (line, *_) = [
        one for id_, one in store._records.items() if b"begun" in one.payload or b"{" in one.payload
    ]
    store._records[line.id] = replace(line, payload=b'{"d0": 5}')
    assert line.id != SEAL
    with pytest.raises(VectorStoreError, match="not what halgo wrote"):
        fill(store, index)


@pytest.mark.usefixtures("without_models")
def test_of_many_equal_passages_the_same_ones_are_found() -> None:
    texts = [f"Page {at} of 900." for at in range(9)] + ["All rights reserved."] * 300
    index, store = built(*texts), MemoryStore()
    fill(store, index)
    queries = np.vstack([index.vectors[20], np.zeros_like(index.vectors[0]), index.vectors[4]])
    inside, outside = index.dense, searched_in(store, index).dense
    for mine, theirs in zip(
        inside.candidates(queries, 20), outside.candidates(queries, 20), strict=True
    ):
        assert sorted(mine.tolist()) == sorted(theirs.tolist())


@pytest.mark.usefixtures("without_models")
def test_vectors_come_from_the_store_and_not_from_the_index() -> None:
    index, store = built(*RULES), MemoryStore()
    fill(store, index)
    blank = replace(index, vectors=np.zeros_like(index.vectors), dense=None)
    reader = searched_in(store, blank)
    assert near(reader, "Dogs stay outside.") == near(index, "Dogs stay outside.")
    assert reader.dense.vectors([2, 0]).tobytes() == index.vectors[[2, 0]].tobytes()


class Guessing(MemoryStore):
    def state(self) -> StoreState:
        return replace(super().state(), approximate="by guesses")


@pytest.mark.models
def test_one_call_fills_and_one_opens_and_reports_are_the_same_bytes(tmp_path: Path) -> None:
    halgorithm = Halgorithm(Config(), embedder="lexical", entailment=None)
    plain = Checker.from_docs(RULES, halgorithm=halgorithm)
    plain.save(tmp_path / "rules.halgo")
    answer = "The fee is 45 euros. Dogs stay outside. The tower is 9 metres high."
    for store in (MemoryStore(), Guessing()):
        told: list[tuple[int, int]] = []
        plain.fill(store, lambda done, of, told=told: told.append((done, of)))
        assert told == [(len(plain.index.chunks),) * 2]
        stored = Checker.from_index(tmp_path / "rules.halgo", vectors=store, halgorithm=halgorithm)
        report = stored.check(answer)
        if isinstance(store, Guessing):
            assert report.to_dict()["engine"]["search"] == "by guesses"
            assert "search by guesses" in report.to_html()
        else:
            assert "search" not in report.to_dict()["engine"]
            assert report.to_json() == plain.check(answer).to_json()
        assert isinstance(store, VectorStore)


@pytest.mark.models
def test_an_index_in_a_folder_is_changed_and_filled_again(tmp_path: Path) -> None:
    halgorithm = Halgorithm(Config(), embedder="lexical", entailment=None)
    index = open_index(tmp_path / "rules", create=True, halgorithm=halgorithm)
    index.add([Document(f"d{at}", text, f"{at}.txt") for at, text in enumerate(RULES)])
    store, answer = MemoryStore(), "The harbour opens at six. The fee is 45 euros."
    index.checker().fill(store)
    before = Checker.from_index(tmp_path / "rules", vectors=store, halgorithm=halgorithm)
    assert before.check(answer).to_json() == index.checker().check(answer).to_json()
    index.replace(Document("d3", "The harbour opens at nine.", "3.txt"))
    with pytest.raises(VectorStoreError, match="another index"):
        Checker.from_index(tmp_path / "rules", vectors=store, halgorithm=halgorithm)
    filled = index.checker().fill(store)
    assert (filled.documents, filled.passages) == (1, 1)
    after = Checker.from_index(tmp_path / "rules", vectors=store, halgorithm=halgorithm)
    assert after.check(answer).to_json() == index.checker().check(answer).to_json()
    with pytest.raises(VectorStoreError, match="another index"):
        before.check("Dogs stay outside.")


@pytest.mark.parametrize(
    ("make", "package", "extra"),
    [
        (lambda: LanceStore("somewhere"), "lancedb", "lancedb"),
        (lambda: PostgresStore("dbname=x"), "psycopg", "postgres"),
    ],
)
def test_a_missing_library_is_named_with_its_extra(
    make: Callable[[], object], package: str, extra: str
) -> None:
    if importlib.util.find_spec(package) is not None:
        pytest.skip(f"{package} is installed")
    with pytest.raises(MissingDependencyError, match=rf"pip install 'halgo\[{extra}\]'"):
        make()
