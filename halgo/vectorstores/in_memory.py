"""A vector store in memory: what the protocol asks for in its shortest form, for tests."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np

from halgo.protocols import Hit, Record, StoreState
from halgo.types import FloatMatrix
from halgo.vectorstores.checks import require_match, require_rows


class MemoryStore:
    """Vectors for as long as the process lives; exact search."""

    def __init__(self) -> None:
        self._records: dict[str, Record] = {}
        self._encoder, self._dim = "", 0
        self._lock = threading.RLock()

    def upsert(
        self,
        encoder: str,
        ids: Sequence[str],
        documents: Sequence[str],
        vectors: FloatMatrix,
        payloads: Sequence[bytes],
    ) -> None:
        """See `VectorStore`."""
        require_rows(ids, documents, vectors, payloads)
        with self._lock:
            require_match(self.state(), encoder, vectors.shape[1], "the store in memory")
            self._encoder, self._dim = encoder, vectors.shape[1]
            for row in zip(ids, documents, vectors.copy(), payloads, strict=True):
                self._records[row[0]] = Record(*row)

    def delete(self, documents: Sequence[str], keep: Sequence[str] = ()) -> int:
        """See `VectorStore`."""
        of, but = set(documents), set(keep)
        with self._lock:
            gone = [
                id_
                for id_, record in self._records.items()
                if record.document in of and id_ not in but
            ]
            for id_ in gone:
                del self._records[id_]
        return len(gone)

    def search(self, vectors: FloatMatrix, k: int) -> list[list[Hit]]:
        """See `VectorStore`."""
        with self._lock:
            records = list(self._records.values())
        if not records:
            return [[] for _ in vectors]
        products = vectors @ np.stack([record.vector for record in records]).T
        best = np.argsort(-products, axis=1, kind="stable")[:, :k]
        return [
            [Hit(records[at].id, float(row[at]), records[at].payload) for at in places]
            for row, places in zip(products, best, strict=True)
        ]

    def get(self, ids: Sequence[str]) -> list[Record]:
        """See `VectorStore`."""
        with self._lock:
            return [self._records[id_] for id_ in ids if id_ in self._records]

    def state(self) -> StoreState:
        """See `VectorStore`."""
        with self._lock:
            return StoreState(len(self._records), self._dim, self._encoder, None, "memory")
