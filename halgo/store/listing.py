"""What is in an index in a folder, without reading any of the texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from halgo.store.opening import opened


@dataclass(frozen=True, slots=True)
class Contents:
    """A document of an index: its id, and how many chunks and characters it has."""

    id: str
    passages: int
    characters: int


def contents(folder: str | Path) -> Iterator[Contents]:
    """The documents of a folder, in order. Raises IndexFormatError as opening it does."""
    for segment in opened(Path(folder)).segments:
        for at, doc_id in enumerate(segment.ids):
            first, last = segment.first_chunks[at : at + 2].tolist()
            yield Contents(doc_id, last - first, segment.characters_of(at))
