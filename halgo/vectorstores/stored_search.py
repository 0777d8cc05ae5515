"""A vector store as the dense search of an index: queries -> rows, rows -> their exact vectors.

Text, facts and words stay in the index; only vectors lie in the store. What comes back is taken
for what it is: a hit counts where the index has the very passage that was embedded under its id,
and after every search the store is asked whether it still is the one that this index filled.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from halgo.errors import VectorStoreError
from halgo.evidence.bm25 import highest
from halgo.evidence.dense import NOISE
from halgo.evidence.index import Index
from halgo.protocols import Hit, Record, VectorStore
from halgo.types import FloatMatrix, FloatVector
from halgo.vectorstores.filling import require_encoder
from halgo.vectorstores.identity import Place, id_of
from halgo.vectorstores.ledger import SEAL, Seal

_SPARE = 44  # hits beyond the depth asked for: near ties, and for approximate search its misses
_MOST = 65_536  # hits for one query, where that many passages are equally near
_KEPT = 8192  # vectors that are remembered: 12 MB at 384 dimensions


def searched_in(store: VectorStore, index: Index) -> Index:
    """The same index, its nearest passages found in a store that it filled."""
    return replace(index, dense=StoredSearch(index, store))


class StoredSearch:
    """Dense search in a vector store that holds the vectors of `index`.

    Raises IndexMismatchError for a store of another encoder's vectors, VectorStoreError for one
    that was not filled from this index.
    """

    def __init__(self, index: Index, store: VectorStore) -> None:
        require_encoder(store, index)
        self._index, self._store = index, store
        self._known: OrderedDict[int, FloatVector] = OrderedDict()
        self._lock = threading.Lock()
        state, seals = store.state(), store.get([SEAL])
        self.name = state.approximate
        seal = Seal.of(seals[0].payload) if seals else None
        if seal is None or seal.index != index.digest:
            raise VectorStoreError(_OTHER if seals else _NEVER)
        if state.count < seal.records:
            raise VectorStoreError(_LOST.format(f"{seal.records - state.count:,} records"))
        self._seal = seals[0].payload

    def candidates(self, queries: FloatMatrix, depth: int) -> list[NDArray[np.intp]]:
        """For each query rows among which are its `depth` nearest; see `DenseSearch`."""
        found: dict[int, list[int]] = {
            # Everything is equally near to no direction at all.
            at: list(range(min(2 * depth, len(self._index.chunks))))
            for at in np.flatnonzero(~queries.any(axis=1)).tolist()
        }
        open_, k = [at for at in range(len(queries)) if at not in found], depth + _SPARE
        while open_:
            answers = self._store.search(queries[open_], k)
            for at, hits in zip(open_, answers, strict=True):
                enough = self.name is not None or len(hits) < k or k >= _MOST
                rows = self._nearest(hits, depth, enough)
                if rows is not None:
                    found[at] = rows
            open_, k = [at for at in open_ if at not in found], min(4 * k, _MOST)
        self._get([row for rows in found.values() for row in rows], sealed=True)
        return [np.array(found[at], dtype=np.intp) for at in range(len(queries))]

    def vectors(self, rows: Sequence[int] | NDArray[np.intp]) -> FloatMatrix:
        """(len(rows), dim) float32, as they were embedded."""
        rows = [int(row) for row in rows]
        found = self._get(rows)
        if not rows:
            return np.zeros((0, self._index.dim), dtype=np.float32)
        return np.stack([found[row] for row in rows])

    def _nearest(self, hits: Sequence[Hit], depth: int, enough: bool) -> list[int] | None:
        """The rows of the `depth` best hits and of what is level; None when more are needed.

        enough: whether there are no more. Engines add up in an order of their own, so what comes
        within twice the noise of the last may be level with it.
        """
        placed = [(row, hit.similarity) for hit in hits if (row := self._row(hit)) is not None]
        if len(placed) < depth:
            if enough and self.name is None and len(placed) < len(self._index.chunks):
                raise self._lost("passages of this index")
            return [row for row, _ in placed] if enough else None
        rows, similarities = (np.array(column) for column in zip(*sorted(placed), strict=True))
        nearest = highest(similarities, depth, NOISE)
        last = np.sort(similarities)[-depth]
        if not enough and hits[-1].similarity >= last - 2 * NOISE:
            return None
        return [int(row) for row in rows[nearest]]

    def _row(self, hit: Hit) -> int | None:
        """The row of the passage that was found; None where the index does not have it."""
        place = Place.of(hit.payload)
        if place is None:
            return None
        rows = self._index.rows_of(place.document)
        if not 0 <= place.chunk < len(rows):
            return None
        row = rows[place.chunk]
        return row if id_of(self._index, row, place) == hit.id else None

    def _get(self, rows: Sequence[int], sealed: bool = False) -> dict[int, FloatVector]:
        """The vectors of these rows, from the store where they are not known yet.

        sealed: whether to ask if the store still is the one of this index.
        """
        with self._lock:
            found = {row: self._known[row] for row in rows if row in self._known}
        new = [row for row in dict.fromkeys(rows) if row not in found]
        ids = [self._id(row) for row in new]
        asked = [SEAL, *ids] if sealed else ids
        records = self._store.get(asked) if asked else []
        if sealed:
            self._require_seal(records)
        vectors = {record.id: record.vector for record in records}
        for row, id_ in zip(new, ids, strict=True):
            if id_ not in vectors:
                raise self._lost(f"passage {row} of this index ({id_})")
            found[row] = np.asarray(vectors[id_], dtype=np.float32)
        with self._lock:
            self._known.update((row, found[row]) for row in new)
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return found

    def _require_seal(self, records: Sequence[Record]) -> None:
        """Raises VectorStoreError when the store is not, or no longer, the one of this index."""
        seals = [record.payload for record in records if record.id == SEAL]
        if seals != [self._seal]:
            raise VectorStoreError(_OTHER if seals else _NEVER)

    def _lost(self, what: str) -> VectorStoreError:
        """What to raise when something is missing; unless the store is another index's by now."""
        self._require_seal(self._store.get([SEAL]))
        return VectorStoreError(_LOST.format(what))

    def _id(self, row: int) -> str:
        chunk = self._index.chunks[row]
        return id_of(self._index, row, Place(chunk.doc_id, self._index.number(chunk)))


_LOST = (
    "the vector store has lost {}: records were deleted by other means, or another halgo cut "
    "these documents. Empty the store, or name another table, and fill it: "
    "Checker.from_index(path).fill(store)"
)
_NEVER = (
    "the vector store does not hold the vectors of this index: it was never filled, or a filling "
    "was interrupted. Fill it, which goes on from where it stopped: "
    "Checker.from_index(path).fill(store)"
)
_OTHER = (
    "the vector store holds the vectors of another index, or of this one before or after it was "
    "changed. Open the index that it was filled from, or fill it from this one: "
    "Checker.from_index(path).fill(store)"
)
