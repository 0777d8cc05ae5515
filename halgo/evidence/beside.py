"""Two indexes -> one that is searched as if it had been made of all their documents.

Nothing of the first is copied, read again or embedded again, however large it is: what is asked for
is made by the one or the other. So a few documents of one request stand beside a library for it
alone. Of the second, which is to be the smaller, places are counted anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from halgo.errors import IndexMismatchError
from halgo.evidence.dense import DenseSearch
from halgo.evidence.index import WRITTEN, Index, Place, digest_over
from halgo.evidence.sliced import Sliced
from halgo.evidence.subjects import Subjects
from halgo.types import Corpus, FloatMatrix

Item = TypeVar("Item")


def joined(first: Index, second: Index) -> Index:
    """An index of the documents of both, those of `first` before.

    A document of `second` whose id `first` has gets another, as `renamed` says. Raises
    IndexMismatchError when other embedders made their vectors.
    """
    mine, theirs = (first.embedder, first.dim), (second.embedder, second.dim)
    if mine != theirs:
        raise IndexMismatchError(
            f"one index was made with the embedder {mine[0]!r} ({mine[1]} numbers), the other with "
            f"{theirs[0]!r} ({theirs[1]}): their vectors cannot be compared. Make both with one."
        )
    ids = {document.id: document.id for document in second.documents} | renamed(first, second)
    passages, sentences = len(first.chunks), len(first.sentences)
    documents = [replace(one, id=ids[one.id]) for one in second.documents]
    chunks = [
        replace(
            one,
            row=one.row + passages,
            doc_id=ids[one.doc_id],
            sentences=one.sentences.shift(sentences),
        )
        for one in second.chunks
    ]
    facts = len(first.sentence_facts)
    places = {
        ids[one.id]: _moved(second.places[one.id], len(first.documents), passages, sentences)
        for one in second.documents
    }
    return _Joined(
        documents=_Both(first.documents, documents),
        sentences=_Both(first.sentences, second.sentences),
        chunks=_Both(first.chunks, chunks),
        sentence_facts=_Both(first.sentence_facts, second.sentence_facts),
        fact_rows=cast(
            "Any", _FactRows(first.fact_rows, [int(n) + facts for n in second.fact_rows])
        ),
        vectors=cast("Any", _Vectors(first.vectors, second.vectors)),
        bm25=first.bm25.beside(second.bm25),
        corpus=_mentioned(first.corpus, second.corpus),
        embedder=first.embedder,
        dim=first.dim,
        sentences_per_chunk=first.sentences_per_chunk,
        sentence_overlap=first.sentence_overlap,
        digest=digest_over(
            [bytes.fromhex(one.digest) for one in (first, second)],
            first.sentences_per_chunk,
            first.sentence_overlap,
            *mine,
        ),
        places=_Places(first.places, places),
        dense=_Nearest(first.dense, second.dense, passages),
        first=first,
        second=second,
    )


def renamed(first: Index, second: Index) -> dict[str, str]:
    """The ids of `second` that `first` has as well, each with the one that it gets: "doc1#2"."""
    found: dict[str, str] = {}
    taken = {document.id for document in second.documents}
    for name in (document.id for document in second.documents):
        if name in first.places:
            count = 2
            while (new := f"{name}#{count}") in first.places or new in taken:
                count += 1
            taken.add(new)
            found[name] = new
    return found


@dataclass(frozen=True, eq=False, kw_only=True)
class _Joined(Index):
    first: Index
    second: Index

    def _about(self) -> Subjects | None:
        # All texts are read for it, so what is known of the first is kept where nothing is added.
        if not any(document.kind in WRITTEN for document in self.second.documents):
            return self.first.subjects
        return super()._about()


class _Both(Sliced[Item]):
    """Two sequences, one after the other, with what an index asks of a table."""

    def __init__(self, first: Any, second: Any) -> None:
        self._first, self._second, self._cut = first, second, len(first)

    def _one(self, place: int) -> Item:
        if place < self._cut:
            return cast("Item", self._first[place])
        return cast("Item", self._second[place - self._cut])

    def _stretch(self, start: int, end: int) -> list[Item]:
        return [*self._first[start : min(end, self._cut)], *self._second[self._past(start, end)]]

    def of_field(self, name: str, start: int, end: int) -> list[Any]:
        """One field of the values at [start, end), the others not made again."""
        found: list[Any] = []
        if start < self._cut:
            found += self._first.of_field(name, start, min(end, self._cut))
        if end > self._cut:
            past = self._past(start, end)
            found += self._second.of_field(name, past.start, past.stop)
        return found

    def _past(self, start: int, end: int) -> slice:
        return slice(max(0, start - self._cut), max(0, end - self._cut))

    def __iter__(self) -> Iterator[Item]:
        yield from self._first
        yield from self._second

    def __len__(self) -> int:
        return self._cut + len(self._second)


class _FactRows(_Both[int]):
    def tolist(self) -> list[int]:
        """All of them."""
        return [*self._first.tolist(), *self._second]


class _Vectors:
    """The vectors of all passages, (passages, dim) float32, as far as they are asked for."""

    def __init__(self, first: Any, second: Any) -> None:
        self._both: _Both[NDArray[np.float32]] = _Both(first, second)
        self._parts = first, second
        self.shape = (len(self._both), first.shape[1])

    def __getitem__(self, row: int) -> NDArray[np.float32]:
        return self._both[int(row)]

    def __matmul__(self, other: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.concatenate([part @ other for part in self._parts])

    def __len__(self) -> int:
        return self.shape[0]


class _Nearest:
    """Nearest passages of both; rows of the second count on from those of the first."""

    def __init__(self, first: DenseSearch, second: DenseSearch, passages: int) -> None:
        self._first, self._second, self._cut = first, second, passages
        self.name = first.name or second.name

    def candidates(self, queries: FloatMatrix, depth: int) -> list[NDArray[np.int64]]:
        """As in `DenseSearch`: the nearest of each are among the nearest of both."""
        pairs = zip(
            self._first.candidates(queries, depth),
            self._second.candidates(queries, depth),
            strict=True,
        )
        return [np.concatenate([mine, theirs + self._cut]) for mine, theirs in pairs]

    def vectors(self, rows: Any) -> FloatMatrix:
        """As in `DenseSearch`."""
        asked = np.asarray(rows, dtype=np.int64)
        mine = asked < self._cut
        if mine.all():
            return self._first.vectors(asked)
        theirs = self._second.vectors(asked[~mine] - self._cut)
        found = np.empty((len(asked), theirs.shape[1]), dtype=np.float32)
        found[~mine] = theirs
        if mine.any():
            found[mine] = self._first.vectors(asked[mine])
        return found


class _Places(Mapping[str, Place]):
    def __init__(self, first: Mapping[str, Place], second: Mapping[str, Place]) -> None:
        self._first, self._second = first, second

    def __getitem__(self, doc_id: str) -> Place:
        found = self._second.get(doc_id)
        return self._first[doc_id] if found is None else found

    def __iter__(self) -> Iterator[str]:
        yield from self._first
        yield from self._second

    def __len__(self) -> int:
        return len(self._first) + len(self._second)


class _Either(Set[Item], Generic[Item]):
    """What either of two sets holds. To ask is quick, to go through them is not."""

    def __init__(self, first: Set[Item], second: Set[Item]) -> None:
        self._first, self._second = first, second

    def __contains__(self, item: object) -> bool:
        return item in self._second or item in self._first

    def __iter__(self) -> Iterator[Item]:
        yield from self._first
        yield from (item for item in self._second if item not in self._first)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    @classmethod
    def _from_iterable(cls, items: Any) -> Any:
        return frozenset(items)


def _mentioned(first: Corpus, second: Corpus) -> Corpus:
    """What both mention; of a term that both define the first definition holds."""

    def either(name: str) -> Any:
        return _Either(getattr(first, name), getattr(second, name))

    return Corpus(
        names=either("names"),
        terms=either("terms"),
        amounts=either("amounts"),
        dates=either("dates"),
        aliases={**second.aliases, **first.aliases} if second.aliases else first.aliases,
    )


def _moved(place: Place, documents: int, passages: int, sentences: int) -> Place:
    rows = range(place.rows.start + passages, place.rows.stop + passages)
    return Place(place.number + documents, rows, place.sentences.shift(sentences))
