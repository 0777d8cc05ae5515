"""Chunks -> the ids under which a vector store keeps them.

Ids are digests, so that the same passage has the same id on every machine, putting it in twice
changes nothing, and no name that a user gave reaches an engine's query language.
"""

from __future__ import annotations

import hashlib
import json
from typing import NamedTuple

from halgo.evidence.index import Index


class Place(NamedTuple):
    """Where a passage stands: the chunk's number within its document, from 0."""

    document: str
    chunk: int

    def payload(self) -> bytes:
        """As it is kept beside the vector."""
        return json.dumps([self.document, self.chunk]).encode()

    @classmethod
    def of(cls, payload: bytes) -> Place | None:
        """The reverse of `payload`; None for bytes that are none of a passage."""
        try:
            document, chunk = json.loads(payload)
        except (ValueError, TypeError, RecursionError):
            return None
        whole = isinstance(chunk, int) and not isinstance(chunk, bool)
        return cls(document, chunk) if isinstance(document, str) and whole else None


def digest(*parts: str | int) -> str:
    """32 hexadecimal digits that stand for these values and no others."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def id_of(index: Index, row: int, place: Place) -> str:
    """The id of a chunk: of what was embedded, and of where it stands."""
    return digest("passage", *place, index.spoken(row))


def document_key(doc_id: str) -> str:
    """What the records of a document have in common."""
    return digest("document", doc_id)


def fingerprint(index: Index) -> str:
    """What made the vectors of an index; only its vectors may be compared with them."""
    return f"{index.embedder} ({index.dim})"
