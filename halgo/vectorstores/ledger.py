"""What a vector store holds of which documents, written down in the store itself.

Each document has versions, by what its text and the cutting of it were. A version is written down
as begun before its first vector is put in and as whole after its last, so that a filling that was
killed is completed by the next, and nothing lies in a store that no line of the ledger tells of.
The lines lie in records beside the vectors, by a share of the documents each, with a zero vector.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from halgo.errors import VectorStoreError
from halgo.protocols import Record, VectorStore
from halgo.vectorstores.identity import digest

_SHARES = 256
_BEGUN = "begun "  # before a version that is not whole yet
_DOCUMENT = digest("ledger")
SEAL = digest("seal")  # the id of the record that names the index whose vectors are all there


@dataclass(frozen=True, slots=True)
class Seal:
    """Which index a store holds all vectors of, and how many records these are at least."""

    index: str
    records: int

    def payload(self) -> bytes:
        """As it is kept."""
        return json.dumps([self.index, self.records]).encode()

    @classmethod
    def of(cls, payload: bytes) -> Seal | None:
        """The reverse of `payload`; None for what is no seal."""
        try:
            index, records = json.loads(payload)
            return cls(str(index), int(records))
        except (ValueError, TypeError, RecursionError):
            return None


class Ledger:
    """Document -> its versions in the store, the lines changed here but not there yet beside it."""

    def __init__(self, store: VectorStore) -> None:
        self._store = store
        self._lines: dict[int, dict[str, list[str]]] = {}
        ids = [_id(share) for share in range(_SHARES)]
        numbers = {id_: share for share, id_ in enumerate(ids)}
        for record in store.get(ids):
            self._lines[numbers[record.id]] = _read(record)

    def __len__(self) -> int:
        """How many records the ledger takes."""
        return len(self._lines)

    @property
    def documents(self) -> list[str]:
        """The documents of which there may be anything in the store."""
        return [document for line in self._lines.values() for document in line]

    def holds(self, document: str, version: str) -> bool:
        """Whether all vectors of this version are in the store."""
        return version in self._line(document).get(document, ())

    def holds_only(self, document: str, version: str) -> bool:
        """Whether there is nothing else of the document in the store."""
        return self._line(document).get(document) == [version]

    def begin(self, versions: Mapping[str, str]) -> None:
        """Says that vectors of these versions are about to be put in."""
        for document, version in versions.items():
            lines = self._line(document).setdefault(document, [])
            lines += [] if _BEGUN + version in lines else [_BEGUN + version]

    def finish(self, versions: Mapping[str, str]) -> None:
        """Says that these versions are in the store as a whole."""
        for document, version in versions.items():
            line = self._line(document)
            others = [known for known in line[document] if known != _BEGUN + version]
            line[document] = [*others, version]

    def doubt(self, versions: Mapping[str, str]) -> None:
        """Says that versions other than these are about to be taken out, and are whole no more."""
        for document, version in versions.items():
            line = self._line(document)
            line[document] = [
                known if known == version or known.startswith(_BEGUN) else _BEGUN + known
                for known in line.get(document, ())
            ]

    def keep(self, versions: Mapping[str, str]) -> None:
        """Says that nothing but these versions is left of these documents."""
        for document, version in versions.items():
            self._line(document)[document] = [version]

    def forget(self, documents: Iterable[str]) -> None:
        """Says that nothing is left of these documents."""
        for document in documents:
            self._line(document).pop(document, None)

    def write(self, encoder: str, dim: int, documents: Iterable[str]) -> None:
        """Brings the lines of these documents into the store."""
        shares = sorted({_share(document) for document in documents})
        if shares:
            payloads = [json.dumps(self._lines[share], sort_keys=True).encode() for share in shares]
            put(self._store, encoder, dim, [_id(share) for share in shares], payloads)

    def _line(self, document: str) -> dict[str, list[str]]:
        return self._lines.setdefault(_share(document), {})


def put(
    store: VectorStore, encoder: str, dim: int, ids: Sequence[str], payloads: Sequence[bytes]
) -> None:
    """Records that are no passages: they have a zero vector, so that no search favours them."""
    zeros = np.zeros((len(ids), dim), dtype=np.float32)
    store.upsert(encoder, ids, [_DOCUMENT] * len(ids), zeros, payloads)


def _share(document: str) -> int:
    return int(digest(document)[:8], 16) % _SHARES


def _id(share: int) -> str:
    return digest("ledger", share)


def _read(record: Record) -> dict[str, list[str]]:
    try:
        told = json.loads(record.payload)
        return {str(document): [str(one) for one in told[document]] for document in told}
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise VectorStoreError(
            f"the vector store's record {record.id} is not what halgo wrote there ({error}). "
            f"Empty the store, or name another table, and fill it again"
        ) from error
