"""An index -> a vector store that holds its vectors and no others; repeated, it does what is left.

First what is new is put in, which disturbs no reader of what was there. Then the seal is set: from
here on the store answers for this index and refuses readers of another. Then what is of neither
use is taken out. Killed anywhere, the next filling goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from halgo import __version__
from halgo.errors import IndexMismatchError, VectorStoreError
from halgo.evidence.index import Index
from halgo.protocols import VectorStore
from halgo.types import Document
from halgo.vectorstores.identity import Place, digest, document_key, fingerprint, id_of
from halgo.vectorstores.ledger import SEAL, Ledger, Seal, put

# Vectors that are handed over at once: 6 MB at 384 dimensions.
AT_ONCE = 4096


@dataclass(frozen=True, slots=True)
class Filled:
    """What a filling did: passages put in, documents of which they are, records taken out."""

    passages: int
    documents: int
    removed: int


def fill(
    store: VectorStore, index: Index, progress: Callable[[int, int], None] | None = None
) -> Filled:
    """Makes `store` hold the vectors of `index` and no others; what it holds already stays.

    progress: called with the passages that are in and how many there will be. Raises
    IndexMismatchError for a store of another encoder's vectors, VectorStoreError when the engine
    fails or another process changes the store meanwhile; repeat it then.
    """
    require_encoder(store, index)
    encoder, dim = fingerprint(index), index.dim
    before, ledger = _seal(store), Ledger(store)
    wanted = {document.id: _version(index, document) for document in index.documents}
    new = {doc: version for doc, version in wanted.items() if not ledger.holds(doc, version)}
    ledger.begin(new)
    ledger.write(encoder, dim, new)
    passages = _put_in(store, index, ledger, new, before, progress)
    _require_seal(store, before)
    expected = len(index.chunks) + len(ledger) + 1
    seal = Seal(index.digest, expected).payload()
    put(store, encoder, dim, [SEAL], [seal])
    changed = [doc for doc, version in wanted.items() if not ledger.holds_only(doc, version)]
    removed = _take_out(store, index, ledger, wanted, changed)
    if store.state().count > expected:  # two have filled it at once, and one's lines are lost
        removed += _take_out(store, index, ledger, wanted, list(wanted))
    held = store.state().count
    if held != expected or _seal(store) != seal:
        if _seal(store) == seal:
            put(store, encoder, dim, [SEAL], [b""])  # of no index, so that no reader relies on it
        raise VectorStoreError(
            f"{_MEANWHILE} (it holds {held:,} records, and {expected:,} are this index's). If this "
            f"remains, something else writes to it: empty it, or name another table"
        )
    return Filled(passages, len(new), removed)


def _put_in(
    store: VectorStore,
    index: Index,
    ledger: Ledger,
    new: Mapping[str, str],
    before: bytes | None,
    progress: Callable[[int, int], None] | None,
) -> int:
    """Puts in the passages of these documents; how many."""
    of = sum(len(index.rows_of(document)) for document in new)
    done = 0
    for documents in _batches(index, list(new)):
        rows = [(doc, row) for doc in documents for row in index.rows_of(doc)]
        for start in range(0, len(rows), AT_ONCE):
            some = rows[start : start + AT_ONCE]
            places = [Place(doc, row - index.rows_of(doc).start) for doc, row in some]
            store.upsert(
                fingerprint(index),
                [id_of(index, row, place) for (_, row), place in zip(some, places, strict=True)],
                [document_key(doc) for doc, _ in some],
                index.dense.vectors(np.array([row for _, row in some])),
                [place.payload() for place in places],
            )
            done += len(some)
            if progress is not None:
                progress(done, of)
        _require_seal(store, before)  # else others may have taken out again what was put in
        ledger.finish({document: new[document] for document in documents})
        ledger.write(fingerprint(index), index.dim, documents)
    return done


def _take_out(
    store: VectorStore,
    index: Index,
    ledger: Ledger,
    wanted: Mapping[str, str],
    changed: Sequence[str],
) -> int:
    """Takes out what is of no document of the index, and other versions of those `changed`."""
    gone = [document for document in ledger.documents if document not in wanted]
    removed = 0
    for start in range(0, len(gone), AT_ONCE):
        some = gone[start : start + AT_ONCE]
        ledger.doubt(dict.fromkeys(some, ""))
        ledger.write(fingerprint(index), index.dim, some)
        removed += store.delete([document_key(document) for document in some])
        ledger.forget(some)
        ledger.write(fingerprint(index), index.dim, some)
    for documents in _batches(index, changed):
        keep = [
            id_of(index, row, Place(document, number))
            for document in documents
            for number, row in enumerate(index.rows_of(document))
        ]
        ledger.doubt({document: wanted[document] for document in documents})
        ledger.write(fingerprint(index), index.dim, documents)
        removed += store.delete([document_key(document) for document in documents], keep)
        ledger.keep({document: wanted[document] for document in documents})
        ledger.write(fingerprint(index), index.dim, documents)
    return removed


def _batches(index: Index, documents: Sequence[str]) -> Iterator[list[str]]:
    """The documents in groups of about AT_ONCE passages, at least one each."""
    group: list[str] = []
    size = 0
    for document in documents:
        group.append(document)
        size += 1 + len(index.rows_of(document))
        if size >= AT_ONCE:
            yield group
            group, size = [], 0
    if group:
        yield group


def _require_seal(store: VectorStore, before: bytes | None) -> None:
    """Raises VectorStoreError when another has filled the store since."""
    if _seal(store) != before:
        raise VectorStoreError(_MEANWHILE)


def _seal(store: VectorStore) -> bytes | None:
    """What the store says of whose vectors it holds; None for one that was never filled."""
    return next((record.payload for record in store.get([SEAL])), None)


_MEANWHILE = (
    "another process changed the vector store while it was filled. Fill it again when no one else "
    "does: checker.fill(store) does what is left"
)


def _version(index: Index, document: Document) -> str:
    """What decides the vectors of a document: its text, how it is cut, and by which halgo."""
    cut = (index.sentences_per_chunk, index.sentence_overlap)
    return digest(__version__, document.text, *cut)


def require_encoder(store: VectorStore, index: Index) -> None:
    """Raises IndexMismatchError for a store of another encoder's vectors."""
    state = store.state()
    if state.encoder and state.encoder != fingerprint(index):
        raise IndexMismatchError(
            f"the vector store holds vectors of {state.encoder}, and this index has those of "
            f"{fingerprint(index)}. Name another table for this index, or load the index with the "
            f"embedder that filled the store"
        )
