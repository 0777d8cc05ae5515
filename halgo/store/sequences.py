"""Segments -> sequences of documents, sentences, chunks and facts, as one index has them.

Numbers count over all segments, one after the other; a value is made when it is asked for.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from halgo.evidence.columns import MappedStrings, Table
from halgo.evidence.index import Place
from halgo.evidence.sliced import Sliced
from halgo.store import stringsets
from halgo.store.segment import Segment
from halgo.types import Chunk, Corpus, Document, Facts, Sentence, Span

Item = TypeVar("Item")
_DOCUMENTS, _CHUNKS = 64, 4096  # how many of those last asked for are kept


class Parts(Generic[Item]):
    """Things that have so many numbers each, and which of them a number of all belongs to."""

    def __init__(self, parts: Sequence[Item], sizes: Sequence[int]) -> None:
        self.parts = parts
        self.starts = [0, *accumulate(sizes)]

    def __len__(self) -> int:
        return self.starts[-1]

    def at(self, number: int) -> tuple[Item, int, int]:
        """The part that number `number` is in, its number there, and the part's first number."""
        if not 0 <= number < len(self):
            raise IndexError(f"no {number} of {len(self)}")
        which = bisect_right(self.starts, number) - 1
        return self.parts[which], number - self.starts[which], self.starts[which]

    def within(self, start: int, end: int) -> Iterator[tuple[Item, int, int]]:
        """The parts that numbers [start, end) are in, and the numbers there."""
        while start < end:
            part, here, first = self.at(start)
            size = self.starts[bisect_right(self.starts, start)] - first
            last = min(size, end - first)
            yield part, here, last
            start = first + last


class Lazy(Sliced[Item]):
    """A sequence whose values are made by a function of their number."""

    def __init__(self, size: int, make: Callable[[int], Item], kept: int) -> None:
        self._size, self._make = size, lru_cache(kept)(make)

    def _one(self, place: int) -> Item:
        return self._make(place)

    def __len__(self) -> int:
        return self._size

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or len(other) != len(self):
            return False
        return all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]


def documents_of(segments: Sequence[Segment]) -> Lazy[Document]:
    """All documents, in order."""
    parts = Parts(segments, [segment.documents for segment in segments])

    def make(number: int) -> Document:
        segment, at, _ = parts.at(number)
        with segment.reading():
            return segment.document(at)

    return Lazy(len(parts), make, _DOCUMENTS)


def chunks_of(segments: Sequence[Segment]) -> Lazy[Chunk]:
    """All chunks, in order."""
    parts = Parts(segments, [segment.passages for segment in segments])
    sentences = dict(
        zip(parts.starts, [0, *accumulate(one.sentences for one in segments)], strict=True)
    )

    def make(row: int) -> Chunk:
        segment, at, first_row = parts.at(row)
        with segment.reading():
            document, start, end, first, last = segment.chunk_table[at].tolist()
            if not (0 <= start <= end and 0 <= first < last <= segment.sentences):
                raise ValueError(f"chunk {at}")
            span, before = Span(start, end), sentences[first_row]
            inside = Span(first + before, last + before)
            return Chunk(row, segment.ids[document], span, segment.text(document, span), inside)

    return Lazy(len(parts), make, _CHUNKS)


class Tables(Sliced[Item]):
    """Several tables of one kind as one, with what an index asks of a table."""

    def __init__(self, segments: Sequence[Segment], name: str, sizes: Sequence[int]) -> None:
        self._parts, self._name = Parts(segments, sizes), name

    def _table(self, segment: Segment) -> Table[Item]:
        table: Table[Item] = getattr(segment, self._name)
        return table

    def _one(self, place: int) -> Item:
        segment, here, _ = self._parts.at(place)
        with segment.reading():
            return self._table(segment)[here]

    def _stretch(self, start: int, end: int) -> list[Item]:
        found = self._parts.within(start, end)
        return [one for part, a, b in found for one in self._table(part)[a:b]]

    def of_field(self, name: str, start: int, end: int) -> list[Any]:
        """One field of the values at [start, end), the others not made again."""
        found = self._parts.within(start, end)
        return [one for part, a, b in found for one in self._table(part).of_field(name, a, b)]

    def __iter__(self) -> Iterator[Item]:
        for segment in self._parts.parts:
            yield from self._table(segment)

    def __len__(self) -> int:
        return len(self._parts)


def sentences_of(segments: Sequence[Segment]) -> Tables[Sentence]:
    """All sentences, document after document."""
    return Tables(segments, "sentence_table", [segment.sentences for segment in segments])


def facts_of(segments: Sequence[Segment]) -> Tables[Facts]:
    """The facts of all wordings."""
    return Tables(segments, "fact_table", [segment.facts for segment in segments])


class FactRows(Sequence[int]):
    """Which of all facts are a sentence's."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        befores = accumulate((segment.facts for segment in segments), initial=0)
        pairs = list(zip(segments, befores, strict=False))
        self._parts = Parts(pairs, [segment.sentences for segment in segments])

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return [self[place] for place in range(*at.indices(len(self)))]
        (segment, before), here, _ = self._parts.at(at)
        return int(segment.fact_rows[here]) + before

    def tolist(self) -> list[int]:
        """All of them."""
        return list(self)

    def __len__(self) -> int:
        return len(self._parts)


class Vectors:
    """The vectors of all chunks, (chunks, dim) float32, as far as they are asked for."""

    def __init__(self, segments: Sequence[Segment], dim: int) -> None:
        self._matrices = [segment.array("vectors") for segment in segments]
        self._parts = Parts(self._matrices, [len(matrix) for matrix in self._matrices])
        self.shape = (len(self._parts), dim)

    def __getitem__(self, at: Any) -> NDArray[np.float32]:
        if isinstance(at, (int, np.integer)):
            matrix, here, _ = self._parts.at(int(at) + len(self) if at < 0 else int(at))
            return np.asarray(matrix[here])
        rows = range(*at.indices(len(self))) if isinstance(at, slice) else at
        found = np.empty((len(rows), self.shape[1]), dtype=np.float32)
        for place, row in enumerate(rows):
            found[place] = self[row]
        return found

    def __matmul__(self, other: NDArray[np.float32]) -> NDArray[np.float32]:
        none = np.zeros((0, self.shape[1]), dtype=np.float32)
        return np.concatenate([matrix @ other for matrix in [none, *self._matrices]])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        found = np.concatenate([np.zeros((0, self.shape[1]), np.float32), *self._matrices])
        return found if dtype is None else found.astype(dtype)

    def __len__(self) -> int:
        return self.shape[0]


class Places(Mapping[str, Place]):
    """Document id -> where it stands, found by the hash of the id."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        before = (0, 0, 0)
        self._segments = []
        for one in segments:
            self._segments.append((one, before))
            documents, rows, sentences = before
            before = (documents + one.documents, rows + one.passages, sentences + one.sentences)
        self._size = before[0]
        self._kept = lru_cache(_CHUNKS)(self._look)

    def __getitem__(self, doc_id: str) -> Place:
        found = self._kept(doc_id)
        if found is None:
            raise KeyError(doc_id)
        return found

    def _look(self, doc_id: str) -> Place | None:
        for segment, (documents, rows, sentences) in self._segments:
            with segment.reading():
                at = segment.find(doc_id)
            if at is not None:
                chunks = segment.first_chunks[at : at + 2].tolist()
                inside = segment.first_sentences[at : at + 2].tolist()
                return Place(
                    documents + at,
                    range(rows + chunks[0], rows + chunks[1]),
                    Span(sentences + inside[0], sentences + inside[1]),
                )
        return None

    def __iter__(self) -> Iterator[str]:
        return (doc_id for segment, _ in self._segments for doc_id in segment.ids)

    def __len__(self) -> int:
        return self._size


class _Aliases(Mapping[str, str]):
    """The terms that documents define; the first definition holds. Read when first asked for."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        self._segments = segments

    @cached_property
    def _all(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for segment in self._segments:
            terms = MappedStrings(segment.under("corpus/defined"))
            names = MappedStrings(segment.under("corpus/meant"))
            for term, name in zip(terms, names, strict=True):
                found.setdefault(term, name)
        return found

    def __getitem__(self, term: str) -> str:
        return self._all[term]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)


def corpus_of(segments: Sequence[Segment]) -> Corpus:
    """What the documents of all segments mention together."""

    def parts(name: str) -> list[dict[str, NDArray[Any]]]:
        return [segment.under(f"corpus/{name}") for segment in segments]

    return Corpus(
        names=stringsets.words(parts("names")),
        terms=stringsets.words(parts("terms")),
        amounts=stringsets.amounts(parts("amounts")),
        dates=stringsets.dates(parts("dates")),
        aliases=_Aliases(segments),
    )
