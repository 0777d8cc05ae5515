"""What every vector store checks of what it is given, before its engine is asked for anything."""

from __future__ import annotations

import re
from collections.abc import Sequence

from halgo.errors import IndexMismatchError
from halgo.protocols import StoreState
from halgo.types import FloatMatrix

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,49}")


def require_rows(
    ids: Sequence[str], documents: Sequence[str], vectors: FloatMatrix, payloads: Sequence[bytes]
) -> None:
    """Raises ValueError when there is not one of each for every id, or an id is there twice."""
    counts = {len(ids), len(documents), len(vectors), len(payloads)}
    if len(counts) > 1 or vectors.ndim != 2:
        raise ValueError(
            f"{len(ids)} ids, {len(documents)} documents, {len(payloads)} payloads and vectors of "
            f"shape {vectors.shape}; there is one of each for every record"
        )
    if len(set(ids)) < len(ids):
        raise ValueError(f"{len(ids) - len(set(ids))} ids of {len(ids)} are there twice")


def require_match(state: StoreState, encoder: str, dim: int, place: str) -> None:
    """Raises IndexMismatchError when vectors like these may not be put into the store."""
    if state.encoder and (state.encoder, state.dim) != (encoder, dim):
        raise IndexMismatchError(
            f"{place} holds vectors of {state.encoder}, {state.dim} wide; these are of {encoder}, "
            f"{dim} wide, and the two cannot be compared. Name another table for them"
        )


def table_name(name: str) -> str:
    """The name of a table. Raises ValueError when engines would not all take it."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ValueError(
            f"{name!r} is no name for a table: up to 50 letters, digits and underscores, no digit "
            f"first"
        )
    return name
