"""An Index of some documents <-> a segment: everything of it as plain arrays, and new from old.

A segment holds whole documents. What it becomes when documents leave it, or when segments are
put together, is gathered from its arrays, row by row: nothing is read, parsed, embedded or even
made into a value again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from halgo.errors import IndexFormatError
from halgo.evidence import postings
from halgo.evidence.build import titles
from halgo.evidence.columns import Arrays, MappedStrings, Strings, Table, joined, runs
from halgo.evidence.index import Index, document_digest
from halgo.facts.aliases import forms
from halgo.facts.corpus import corpus_of
from halgo.store import stringsets
from halgo.store.container import Mapped, damaged
from halgo.types import Document, Facts, Sentence, Span

Rows = NDArray[np.int64]

# A text has one, two or four bytes for each character, so that a passage is cut out of it without
# reading what stands before.
_ENCODINGS = {1: "latin-1", 2: "utf-16-le", 4: "utf-32-le"}


class Segment:
    """The arrays of a segment, in memory or mapped, and the values that they stand for."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]] | Mapped) -> None:
        self._arrays = arrays
        self.documents, self.passages, self.sentences, self.facts, self.characters = (
            int(count) for count in self.array("counts")
        )

    def array(self, name: str) -> NDArray[Any]:
        """One array. Raises IndexFormatError for a file that has none of that name."""
        return self._arrays.array(name) if isinstance(self._arrays, Mapped) else self._arrays[name]

    def under(self, prefix: str) -> Arrays:
        """The arrays whose names begin with `prefix` and "/", by the rest of their names."""
        if isinstance(self._arrays, Mapped):
            return self._arrays.under(prefix)
        start = f"{prefix}/"
        return {
            name.removeprefix(start): values
            for name, values in self._arrays.items()
            if name.startswith(start)
        }

    @cached_property
    def places(self) -> NDArray[np.int32] | None:
        """The row of each passage that its graph was made of, -1 where it is gone; see `Part`."""
        return self.array("graph_places") if "graph_places" in self.names else None

    def arrays(self) -> Arrays:
        """All its arrays, by name."""
        return {name: self.array(name) for name in self.names}

    @property
    def names(self) -> list[str]:
        """The names of its arrays, in order."""
        return list(self._arrays)

    @cached_property
    def ids(self) -> MappedStrings:
        """The ids of its documents, in order."""
        return MappedStrings(self.under("documents/ids"))

    @cached_property
    def _heads(self) -> MappedStrings:
        return MappedStrings(self.under("documents/heads"))

    @cached_property
    def chunk_table(self) -> NDArray[np.int64]:
        """(passages, 5): document, characters [start, end) of it, sentences [first, last)."""
        return self.array("chunks")

    @cached_property
    def fact_rows(self) -> NDArray[np.int32]:
        """(sentences,): which of the facts are a sentence's."""
        return self.array("fact_rows")

    @cached_property
    def first_chunks(self) -> NDArray[np.int64]:
        """(documents + 1,): the row of each document's first chunk, and the end of the last."""
        return self.array("documents/chunks")

    @cached_property
    def first_sentences(self) -> NDArray[np.int64]:
        """(documents + 1,): each document's first sentence, and the end of the last."""
        return self.array("documents/sentences")

    @cached_property
    def strings(self) -> Strings:
        """What the columns of sentences and facts number."""
        return Strings.mapped(self.under("strings"))

    @cached_property
    def sentence_table(self) -> Table[Sentence]:
        """The sentences, document after document."""
        return self._table(Sentence, "sentences", self.sentences)

    @cached_property
    def fact_table(self) -> Table[Facts]:
        """The facts of each wording."""
        return self._table(Facts, "facts", self.facts)

    def _table(self, kind: Any, name: str, size: int) -> Table[Any]:
        table: Table[Any] = Table(kind, self.strings)
        with self.reading():
            table.fill(self.under(name), size, check=False)
        return table

    def text(self, document: int, span: Span | None = None) -> str:
        """The text of a document, or some characters of it."""
        bounds, width = self.array("documents/text_starts"), self._widths[document]
        start, end = int(bounds[document]), int(bounds[document + 1])
        if span is not None:
            start, end = start + span.start * width, min(end, start + span.end * width)
        told = self.array("documents/text")[start:end].tobytes()
        return told.decode(_ENCODINGS[width], "surrogatepass" if width > 1 else "strict")

    def characters_of(self, document: int) -> int:
        """How many characters the text of a document has."""
        start, end = self.array("documents/text_starts")[document : document + 2].tolist()
        return int(end - start) // self._widths[document]

    @cached_property
    def _widths(self) -> list[int]:
        return [int(width) for width in self.array("documents/widths")]

    def head(self, document: int) -> tuple[str, dict[str, str]]:
        """Source and metadata of a document."""
        source, metadata = json.loads(self._heads[document])
        return source, metadata

    def document(self, at: int) -> Document:
        """A document, whole."""
        source, metadata = self.head(at)
        return Document(self.ids[at], self.text(at), source, metadata)

    def find(self, doc_id: str) -> int | None:
        """The number of the document of that id; None where there is none."""
        for place in stringsets.places_of(doc_id, self.array("documents/hashes")):
            at = int(self.array("documents/order")[place])
            if self.ids[at] == doc_id:
                return at
        return None

    def digest_of(self, document: int) -> bytes:
        """The digest of a document."""
        return bytes(self.array("documents/digests")[document])

    def digests(self) -> list[bytes]:
        """The digest of each document, in order."""
        return [bytes(row) for row in self.array("documents/digests")]

    def digest(self) -> str:
        """The digest of the file that is mapped, whatever stands at its name now."""
        assert isinstance(self._arrays, Mapped)
        return self._arrays.digest()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Around the making of values: what does not fit together is an IndexFormatError."""
        try:
            yield
        except IndexFormatError:
            raise
        except (ValueError, KeyError, IndexError, TypeError, OverflowError) as error:
            raise self.damaged(str(error)) from error

    def damaged(self, why: str) -> Exception:
        """The error for a segment whose arrays do not fit together."""
        if isinstance(self._arrays, Mapped):
            return damaged(self._arrays.path, f"it does not fit together: {why:.200}")
        return ValueError(why)


def arrays_of(index: Index) -> Arrays:
    """The arrays of an index that was built in memory."""
    documents = list(index.documents)
    places = [index.places[one.id] for one in documents]
    first_chunks = np.cumsum([0, *(len(place.rows) for place in places)])
    first_sentences = np.cumsum([0, *(len(place.sentences) for place in places)])
    numbers = {one.id: at for at, one in enumerate(documents)}
    chunks = [
        (numbers[one.doc_id], one.span.start, one.span.end, one.sentences.start, one.sentences.end)
        for one in index.chunks
    ]
    table, facts = index.sentences, index.sentence_facts
    assert isinstance(table, Table) and isinstance(facts, Table), "an index that is on disk"
    arrays = {
        **_documents(documents, first_chunks, first_sentences),
        "chunks": np.array(chunks, dtype=np.int64).reshape(-1, 5),
        "fact_rows": index.fact_rows,
        **_over("strings", table.strings.arrays()),
        **_over("sentences", table.arrays()),
        **_over("facts", facts.arrays()),
        **_over("bm25", index.bm25.arrays()),
        "vectors": index.vectors,
    }
    return _finished(arrays, len(facts), sum(len(one.text) for one in documents))


def gathered(parts: Sequence[tuple[Segment, Rows]]) -> Arrays:
    """The arrays of a segment that is made of some documents of others.

    parts: segments, and the numbers of the documents taken from each, in order.
    """
    strings: list[Arrays] = []
    pieces: dict[str, list[Any]] = {
        name: [] for name in ("sentences", "facts", "fact_rows", "chunks", "vectors")
    }
    roles = {name: Table(kind, Strings()).roles() for name, kind in _TABLES.items()}
    found, words, facts, characters = _NoDocuments(), [], 0, 0
    for segment, documents in parts:
        sentences, _ = runs(*_bounds(segment.first_sentences, documents))
        rows, _ = runs(*_bounds(segment.first_chunks, documents))
        used, numbers = np.unique(segment.fact_rows[sentences], return_inverse=True)
        taken = {
            "sentences": segment.sentence_table.take(sentences),
            "facts": segment.fact_table.take(used.astype(np.int64)),
        }
        strings.append(_renumbered(taken, roles, segment, sum(len(one["ends"]) for one in strings)))
        chunks = segment.chunk_table[rows]
        chunks[:, 0] = np.searchsorted(documents, chunks[:, 0]) + found.count
        chunks[:, 3:] += (_shifts(segment, documents) + found.sentences)[
            chunks[:, :1] - found.count
        ]
        for name, values in taken.items():
            pieces[name].append(values)
        pieces["fact_rows"].append((numbers + facts).astype(np.int32))
        pieces["chunks"].append(chunks)
        pieces["vectors"].append(segment.array("vectors")[rows])
        words.append((segment, rows))
        facts += len(used)
        characters += found.add(segment, documents)
    arrays = {
        **found.arrays(),
        "chunks": np.concatenate(pieces["chunks"]),
        "fact_rows": np.concatenate(pieces["fact_rows"]),
        **_over("strings", joined({"ends": "ends", "utf8": "plain"}, strings)),
        **_over("sentences", joined(roles["sentences"], pieces["sentences"])),
        **_over("facts", joined(roles["facts"], pieces["facts"])),
        **_over("bm25", _postings(words)),
        "vectors": np.concatenate(pieces["vectors"]),
    }
    return _finished(arrays, facts, characters)


_TABLES: dict[str, type[Any]] = {"sentences": Sentence, "facts": Facts}


class _NoDocuments:
    """The documents of a segment in the making, none at first."""

    def __init__(self) -> None:
        self.count = self.sentences = 0
        self._ids: list[str] = []
        self._heads: list[str] = []
        self._texts: list[NDArray[Any]] = []
        self._sizes: list[Any] = []
        self._widths: list[int] = []
        self._digests: list[NDArray[Any]] = []
        self._chunk_sizes: list[int] = []
        self._sentence_sizes: list[int] = []

    def add(self, segment: Segment, documents: Rows) -> int:
        """Adds some documents of a segment; returns how many characters they have."""
        starts, ends = _bounds(segment.array("documents/text_starts"), documents)
        widths = segment.array("documents/widths")[documents]
        for at, start, end in zip(documents.tolist(), starts, ends, strict=True):
            self._ids.append(segment.ids[at])
            self._heads.append(segment._heads[at])
            self._texts.append(segment.array("documents/text")[start:end])
        self._sizes += (ends - starts).tolist()
        self._widths += widths.tolist()
        self._digests.append(segment.array("documents/digests")[documents])
        for sizes, bounds in (
            (self._chunk_sizes, segment.first_chunks),
            (self._sentence_sizes, segment.first_sentences),
        ):
            first, last = _bounds(bounds, documents)
            sizes += (last - first).tolist()
        self.count += len(documents)
        self.sentences = sum(self._sentence_sizes)
        return int(((ends - starts) // np.maximum(widths, 1)).sum())

    def arrays(self) -> Arrays:
        """The arrays of these documents."""
        hashes, order = stringsets.ids_by_hash(self._ids)
        none = np.zeros(0, dtype=np.uint8)
        return {
            **_over("documents/ids", Strings(self._ids).arrays()),
            **_over("documents/heads", Strings(self._heads).arrays()),
            "documents/text": np.concatenate([none, *self._texts]),
            "documents/text_starts": _from_sizes(self._sizes),
            "documents/widths": np.array(self._widths, dtype=np.uint8),
            "documents/digests": np.concatenate([none.reshape(0, 32), *self._digests]),
            "documents/hashes": hashes,
            "documents/order": order,
            "documents/chunks": _from_sizes(self._chunk_sizes),
            "documents/sentences": _from_sizes(self._sentence_sizes),
        }


def _documents(documents: Sequence[Document], first_chunks: Any, first_sentences: Any) -> Arrays:
    encoded, widths = [], []
    for one in documents:
        width, told = _encoded(one.text)
        encoded.append(told)
        widths.append(width)
    heads = [
        json.dumps([one.source, {str(k): str(v) for k, v in sorted(one.metadata.items())}])
        for one in documents
    ]
    ids = [one.id for one in documents]
    hashes, order = stringsets.ids_by_hash(ids)
    digests = b"".join(map(document_digest, documents))
    return {
        **_over("documents/ids", Strings(ids).arrays()),
        **_over("documents/heads", Strings(heads).arrays()),
        "documents/text": np.frombuffer(b"".join(encoded), dtype=np.uint8),
        "documents/text_starts": _from_sizes([len(told) for told in encoded]),
        "documents/widths": np.array(widths, dtype=np.uint8),
        "documents/digests": np.frombuffer(digests, dtype=np.uint8).reshape(-1, 32),
        "documents/hashes": hashes,
        "documents/order": order,
        "documents/chunks": first_chunks.astype(np.int64),
        "documents/sentences": first_sentences.astype(np.int64),
    }


def _encoded(text: str) -> tuple[int, bytes]:
    """A text with as few bytes for each character as all of them need."""
    try:
        return 1, text.encode("latin-1")
    except UnicodeEncodeError:
        told = text.encode("utf-16-le", "surrogatepass")
    if len(told) == 2 * len(text) and not _pairs(text):
        return 2, told
    return 4, text.encode("utf-32-le", "surrogatepass")


def _pairs(text: str) -> bool:
    """Whether two half characters stand beside each other, which UTF-16 reads as one."""
    return any(
        "\ud800" <= one <= "\udbff" and "\udc00" <= other <= "\udfff"
        for one, other in pairwise(text)
    )


def _finished(arrays: Arrays, facts: int, characters: int) -> Arrays:
    """The arrays with what is worked out from them: the corpus, and how much there is."""
    documents, passages = len(arrays["documents/digests"]), len(arrays["chunks"])
    counts = [documents, passages, len(arrays["fact_rows"]), facts, characters]
    arrays = {"counts": np.array(counts, dtype=np.int64), **arrays}
    return {**arrays, **_corpus(Segment(arrays))}


def _corpus(segment: Segment) -> Arrays:
    """What the documents mention together, as `corpus_of` finds it, from the columns."""
    facts, strings = segment.under("facts"), segment.strings.all
    texts = segment.array("sentences/.reading.text")
    _, first = np.unique(texts, return_index=True)
    distinct = [strings[int(texts[at])] for at in np.sort(first)]
    called = titles(Document("", "", *segment.head(at)) for at in range(segment.documents))
    said = corpus_of((), [*distinct, *called])
    keys = [strings[int(at)] for at in np.unique(facts[".names[].key"])]
    names = set(said.names).union(keys, *map(forms, keys))
    terms = set(said.terms).union(strings[int(at)] for at in np.unique(facts[".terms[].lemma"]))
    told = np.stack([facts[f".quantities[].{name}"] for name in ("low", "high", "unit")], axis=1)
    amounts = {
        stringsets.amount_written((low, high, strings[int(unit)]))
        for low, high, unit in np.unique(told, axis=0).tolist()
    }
    days = np.stack([facts[f".dates[].{name}"] for name in ("first", "last")], axis=1)
    dates = {f"{first} {last}" for first, last in np.unique(days, axis=0).tolist()}
    return {
        **_over("corpus/names", stringsets.string_set(names)),
        **_over("corpus/terms", stringsets.string_set(terms)),
        **_over("corpus/amounts", stringsets.string_set(amounts)),
        **_over("corpus/dates", stringsets.string_set(dates)),
        **_over("corpus/defined", Strings(list(said.aliases)).arrays()),
        **_over("corpus/meant", Strings(list(said.aliases.values())).arrays()),
    }


def _postings(runs_: Sequence[tuple[Segment, Rows]]) -> Arrays:
    """The postings of runs of passages, of which several may be of one segment."""
    taken: dict[int, list[Rows]] = {}
    segments = {id(segment): segment for segment, _ in runs_}
    places: dict[int, list[Rows]] = {}
    before = 0
    for segment, rows in runs_:
        taken.setdefault(id(segment), []).append(rows)
        places.setdefault(id(segment), []).append(np.arange(before, before + len(rows)))
        before += len(rows)
    found = postings.gathered(
        [(segments[key].under("bm25"), np.concatenate(rows)) for key, rows in taken.items()]
    )
    order = np.concatenate([one for rows in places.values() for one in rows])
    if (order[1:] > order[:-1]).all():
        return found
    # Each segment was gone through once; now its passages go to where they belong.
    moved = order[found["rows"]].astype(np.int32)
    stems = np.repeat(np.arange(len(found["starts"]) - 1), np.diff(found["starts"]))
    by_place = np.lexsort((moved, stems))
    lengths = np.empty_like(found["lengths"])
    lengths[order] = found["lengths"]
    return {
        **found,
        "rows": moved[by_place],
        "counts": found["counts"][by_place],
        "lengths": lengths,
    }


def _renumbered(
    taken: Mapping[str, Arrays],
    roles: Mapping[str, Mapping[str, str]],
    segment: Segment,
    before: int,
) -> Arrays:
    """The strings of a segment that are used, whose numbers in `taken` now follow on `before`."""
    columns = [
        (values, name)
        for table, values in taken.items()
        for name, role in roles[table].items()
        if role == "strings"
    ]
    used = np.unique(np.concatenate([values[name] for values, name in columns]))
    for values, name in columns:
        values[name] = (np.searchsorted(used, values[name]) + before).astype(np.int32)
    ends, utf8 = segment.array("strings/ends"), segment.array("strings/utf8")
    starts = np.concatenate([[0], ends[:-1]]).astype(np.int64)
    places, new = runs(starts[used], ends[used])
    return {"ends": new, "utf8": utf8[places]}


def _shifts(segment: Segment, documents: Rows) -> NDArray[np.int64]:
    """How far the sentences of each document move when only these are kept."""
    starts, ends = _bounds(segment.first_sentences, documents)
    return _from_sizes(ends - starts)[:-1] - starts


def _bounds(firsts: NDArray[np.int64], documents: Rows) -> tuple[Rows, Rows]:
    return firsts[documents], firsts[documents + 1]


def _from_sizes(sizes: Any) -> NDArray[np.int64]:
    """Where each of several things begins, and the last one ends."""
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64)


def _over(name: str, arrays: Mapping[str, NDArray[Any]]) -> Arrays:
    return {f"{name}/{key}": values for key, values in arrays.items()}
