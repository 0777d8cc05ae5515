"""Documents -> Index: their sentences, chunks, facts and vectors, made once and searched often.

Never changed after it is built (`build.py`), so threads may share one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, NamedTuple, Protocol, TypeVar, cast, overload

import numpy as np
from numpy.typing import NDArray

from halgo.evidence.bm25 import Bm25
from halgo.evidence.dense import DenseSearch, Exact
from halgo.evidence.outline import Outline, titled
from halgo.evidence.subjects import LONGEST, MOST, Subjects
from halgo.evidence.tables import read_item, read_row, run_of_rows, table_of
from halgo.sources.chunks import depth, heads_list, is_under, leads_in, level, number, reaches
from halgo.sources.locations import Locator, locator
from halgo.types import (
    Cell,
    Chunk,
    Corpus,
    Document,
    Facts,
    FloatMatrix,
    Location,
    Reading,
    Sentence,
    SourceKind,
    Span,
    Table,
)

# How many sentences before a chunk its heading is looked for: further up it says little of it.
_FAR = 40
_MOST_LEADS = 3  # items that a passage is read with, each in the list that the one before leads in
_TEXTS = 16  # documents whose text is kept, as a mapped one is read anew each time
_LOCATORS = 64  # documents whose pages, rows or lines stay counted
WRITTEN = (SourceKind.DOCUMENT, SourceKind.CHUNK)  # what tools and rows tell is of records
_MOST_HEADINGS = 100  # of one document
_MOST_SECTIONS = 10_000  # headings of one document by whose level its sections are told
_KEPT = 1024  # chunks whose merged facts and readings are kept, for claims about the same passages

Item = TypeVar("Item")


class Rows(Protocol[Item]):
    """Many values that are made when they are asked for: a `Table`, or several of them."""

    @overload
    def __getitem__(self, at: int) -> Item: ...
    @overload
    def __getitem__(self, at: slice) -> list[Item]: ...
    def __iter__(self) -> Iterator[Item]: ...
    def __len__(self) -> int: ...
    def of_field(self, name: str, start: int, end: int) -> list[Any]: ...


class Place(NamedTuple):
    """Where a document stands: its number, the rows of its chunks, and its sentences."""

    number: int
    rows: range
    sentences: Span


@dataclass(frozen=True, eq=False)
class Index:
    """What all the documents say, ready to be held against claims.

    sentences: all sentences, document after document; `fact_rows` (len(sentences),) int32 says
        which of `sentence_facts` are theirs (sentences of one wording share them).
    vectors: (len(chunks), dim) float32, rows of L2 norm 1.
    embedder: the name of what made the vectors; only its vectors may be compared with them.
    digest: SHA-256 of documents, chunk settings and embedder; the same on every machine.
    places: document id -> where it stands; made from the chunks unless given.
    dense: what finds the nearest vectors; exact search over `vectors` unless given.

    An index in a folder has sequences that read a value when it is asked for (`halgo/store/`).
    """

    documents: Sequence[Document]
    sentences: Rows[Sentence]
    chunks: Sequence[Chunk]
    sentence_facts: Rows[Facts]
    fact_rows: NDArray[np.int32]
    vectors: FloatMatrix
    bm25: Bm25
    corpus: Corpus
    embedder: str
    dim: int
    sentences_per_chunk: int
    sentence_overlap: int
    digest: str
    places: Mapping[str, Place] = field(default_factory=dict, repr=False)
    dense: DenseSearch = field(default=cast("DenseSearch", None), repr=False)

    def __post_init__(self) -> None:
        if isinstance(self.vectors, np.ndarray):  # what is on disk is read-only
            self.vectors.setflags(write=False)
            self.fact_rows.setflags(write=False)
        for name, value in {
            "dense": self.dense or Exact([self.vectors]),
            "places": self.places or _places(self.documents, self.chunks),
            "_sentence_of": lru_cache(_KEPT)(self.sentences.__getitem__),
            "_lead_in_of": lru_cache(4 * _KEPT)(self._led_in),
            "_caption_of": lru_cache(4 * _KEPT)(self._captioned),
            "_text_of": lru_cache(_TEXTS)(self._written),
            "_rows_of": lru_cache(_KEPT)(self._listed),
            "_parts_of": lru_cache(_KEPT)(self._cut_out),
            "_body_of": lru_cache(_KEPT)(self._said_itself),
            "_reading_of": lru_cache(_KEPT)(self._read),
            "_facts_of": lru_cache(_KEPT)(self._merge),
            "_lemmas_of": lru_cache(4 * _KEPT)(self._lemmatized),
            "_cells_of": lru_cache(4 * _KEPT)(self._tabled),
            "_run_of": lru_cache(4 * _KEPT)(partial(run_of_rows, self)),
            "_table_of": lru_cache(_KEPT)(partial(table_of, self)),
            "_revision_of": lru_cache(_KEPT)(self._revise),
            "_locations_of": lru_cache(_KEPT)(self._located),
            "_locator_of": lru_cache(_LOCATORS)(self._counted),
            "_headings_of": lru_cache(_KEPT)(self._titled),
            "_outline_of": lru_cache(_KEPT)(self._outlined),
            "_subjects": lru_cache(1)(self._about),
            "_numbers_of": lru_cache(4 * _KEPT)(self._numbered),
        }.items():
            object.__setattr__(self, name, value)

    def rows(self, chunk: Chunk) -> tuple[int, ...]:
        """The sentences that are read of the chunk: its own, before them its heading and lead-in.

        "Removed: support for Windows 8" says little without the "4.2.0" that stands over the list,
        and "glass" nothing without "Not accepted:".
        """
        found: tuple[int, ...] = self._rows_of(chunk.row)  # type: ignore[attr-defined]
        return found

    def sentence(self, row: int) -> Sentence:
        """`sentences[row]`, kept for claims about the same passages."""
        found: Sentence = self._sentence_of(row)  # type: ignore[attr-defined]
        return found

    def lead_in(self, row: int, chunk: Chunk) -> int | None:
        """The sentence that leads in the list of which sentence `row` is an item; None without.

        chunk: one of the document that the sentence stands in.
        """
        found: int | None = self._lead_in_of(row, chunk.doc_id)  # type: ignore[attr-defined]
        return found

    def caption(self, row: int, chunk: Chunk) -> int | None:
        """The line over the table of which sentence `row` is a row; None without.

        chunk: one of the document that the sentence stands in.
        """
        found: int | None = self._caption_of(row, chunk.doc_id)  # type: ignore[attr-defined]
        return found

    def heading(self, chunk: Chunk) -> str:
        """The heading that the chunk stands under, as it was read; "" where there is none."""
        above = [part.reading.text for part, _ in self.parts(chunk) if part.block == "heading"]
        return above[-1] if above else ""

    def headings(self, chunk: Chunk) -> tuple[str, ...]:
        """The first headings of the chunk's document, each once."""
        found: tuple[str, ...] = self._headings_of(chunk.doc_id)  # type: ignore[attr-defined]
        return found

    def sections(self, chunk: Chunk) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The headings of known level that the chunk stands under, the outermost first.

        Each with those that stand beside it, of its level and in the same section.
        """
        outline: Outline = self._outline_of(chunk.doc_id)  # type: ignore[attr-defined]
        return tuple(
            (part.reading.text, outline.beside(row))
            for row, (part, _) in zip(self.rows(chunk), self.parts(chunk), strict=True)
            if part.block == "heading" and row in outline.levels
        )

    def another(self, claim: str, doc_id: str) -> tuple[str, str, frozenset[str]] | None:
        """What a document is about, what else the claim names, and the words of that; or None."""
        subjects = self.subjects
        return None if subjects is None else subjects.another(claim, doc_id)

    @property
    def subjects(self) -> Subjects | None:
        """What the documents are about; None for one, or for too many."""
        found: Subjects | None = self._subjects()  # type: ignore[attr-defined]
        return found

    def opening(self, chunk: Chunk) -> str:
        """The first sentence or heading of a chunk's document; "" where there are no others."""
        return self._opening(chunk.doc_id) if len(self.documents) > 1 else ""

    def numbers(self, row: int, chunk: Chunk) -> tuple[str, ...]:
        """The numbers of what a sentence stands in, the innermost first: ("4.2", "4").

        chunk: one of the document that the sentence stands in. Empty where nothing is numbered.
        """
        found: tuple[str, ...] = self._numbers_of(row, chunk.doc_id)  # type: ignore[attr-defined]
        return found

    def reading(self, chunk: Chunk) -> Reading:
        """The chunk as it was read: the words of its heading and sentences, spaces between them."""
        found: Reading = self._reading_of(chunk.row)  # type: ignore[attr-defined]
        return found

    def parts(self, chunk: Chunk) -> tuple[tuple[Sentence, Span], ...]:
        """What is read of the chunk, each with its place in `reading(chunk).text`."""
        found: tuple[tuple[Sentence, Span], ...] = self._parts_of(chunk.row)  # type: ignore[attr-defined]
        return found

    def body(self, chunk: Chunk) -> Mapping[int, tuple[Sentence, Span]]:
        """What the chunk says itself, by row; headings and lead-ins where there is nothing else."""
        found: Mapping[int, tuple[Sentence, Span]] = self._body_of(chunk.row)  # type: ignore[attr-defined]
        return found

    def lemmas(self, row: int) -> frozenset[str]:
        """The lemmas of the content words of a sentence."""
        found: frozenset[str] = self._lemmas_of(row)  # type: ignore[attr-defined]
        return found

    def cells(self, row: int, doc_id: str) -> tuple[str, tuple[Cell, ...]] | None:
        """What rows of a table are called, and the cells of the one that a sentence is.

        row: of a sentence of this document. None for prose.
        """
        found: tuple[str, tuple[Cell, ...]] | None
        found = self._cells_of(row, doc_id)  # type: ignore[attr-defined]
        return found

    def table(self, chunk: Chunk, best: Span) -> Table | None:
        """The table that the sentence of the chunk that begins where `best` does is a row of.

        best: in the document.
        """
        for place in range(chunk.sentences.start, chunk.sentences.end):
            if self.sentence(place).span.start == best.start:
                run: range = self._run_of(place, chunk.doc_id)  # type: ignore[attr-defined]
                found: Table | None = self._table_of(run, chunk.doc_id)  # type: ignore[attr-defined]
                return found
        return None

    def facts(self, chunk: Chunk) -> Facts:
        """What the chunk asserts; spans are characters of `reading(chunk).text`."""
        found: Facts = self._facts_of(chunk.row)  # type: ignore[attr-defined]
        return found

    def document(self, chunk: Chunk) -> Document:
        """The document that the chunk is a part of."""
        return self.documents[self.places[chunk.doc_id].number]

    def rows_of(self, doc_id: str) -> range:
        """The rows of a document's chunks: none for one without text, or that is not here."""
        place = self.places.get(doc_id)
        return range(0) if place is None else place.rows

    def spoken(self, row: int) -> str:
        """A chunk's text as it was embedded: its sentences as read, joined by a space."""
        span = self.chunks[row].sentences
        return " ".join(part.reading.text for part in self.sentences[span.start : span.end])

    def source(self, chunk: Chunk) -> str:
        """What a reader is shown as the chunk's origin."""
        return self.document(chunk).source

    def revision(self, chunk: Chunk) -> str:
        """The revision of the document that the chunk is a part of."""
        found: str = self._revision_of(chunk.doc_id)  # type: ignore[attr-defined]
        return found

    def locations(self, chunk: Chunk) -> tuple[tuple[Span, Location], ...]:
        """The parts of the chunk, each with its page, slide, row or line; empty where not known."""
        found: tuple[tuple[Span, Location], ...] = self._locations_of(chunk.row)  # type: ignore[attr-defined]
        return found

    def number(self, chunk: Chunk) -> int:
        """The chunk's place among those of its document, from 0."""
        return chunk.row - self.places[chunk.doc_id].rows.start

    def _located(self, row: int) -> tuple[tuple[Span, Location], ...]:
        chunk = self.chunks[row]
        found: Locator | None = self._locator_of(chunk.doc_id)  # type: ignore[attr-defined]
        return () if found is None else found.within(chunk.span)

    def _counted(self, doc_id: str) -> Locator | None:
        return locator(self.documents[self.places[doc_id].number])

    def _revise(self, doc_id: str) -> str:
        return self.documents[self.places[doc_id].number].revision

    def _titled(self, doc_id: str) -> tuple[str, ...]:
        inside = self.places[doc_id].sentences
        blocks = self.sentences.of_field("block", inside.start, inside.end)
        rows = [row for row, block in enumerate(blocks, inside.start) if block == "heading"]
        texts = (self.sentences[row].reading.text for row in rows[:_MOST_HEADINGS])
        return tuple(dict.fromkeys(texts))

    def _outlined(self, doc_id: str) -> Outline:
        inside = self.places[doc_id].sentences
        blocks = self.sentences.of_field("block", inside.start, inside.end)
        text: str = self._text_of(doc_id)  # type: ignore[attr-defined]
        found: list[tuple[int, str, int | None]] = []
        for row, block in enumerate(blocks, inside.start):
            if block == "heading" and len(found) < _MOST_SECTIONS:
                sentence = self.sentences[row]
                found.append((row, sentence.reading.text, level(text, sentence.span.start)))
        return Outline.of(found)

    def _about(self) -> Subjects | None:
        if not 1 < len(self.documents) <= MOST:
            return None
        some = [d for d in self.documents if self.places[d.id].sentences and d.kind in WRITTEN]
        if sum(len(one.text) for one in some) > LONGEST:
            return None
        of_source: dict[str, list[Document]] = {}  # chunks of one source are one document
        for one in some:
            of_source.setdefault(one.source.partition("#")[0], []).append(one)
        wholes = [(parts[0].id, parts) for parts in of_source.values()]
        texts = {first: "\n".join(one.text for one in parts) for first, parts in wholes}
        return Subjects(
            texts, self._begun, {one.id: first for first, parts in wholes for one in parts}
        )

    def _opening(self, doc_id: str) -> str:
        first = self.sentence(self.places[doc_id].sentences.start)
        return first.reading.text if first.block in ("heading", "paragraph") else ""

    def _begun(self, doc_id: str) -> tuple[str, Facts]:
        row = self.places[doc_id].sentences.start
        return self._opening(doc_id), self.sentence_facts[int(self.fact_rows[row])]

    def _said_itself(self, row: int) -> Mapping[int, tuple[Sentence, Span]]:
        chunk = self.chunks[row]
        listed = dict(zip(self.rows(chunk), self.parts(chunk), strict=True))
        leads = {self.lead_in(place, chunk) for place in listed}
        return {
            place: part
            for place, part in listed.items()
            if part[0].block != "heading" and place not in leads
        } or listed

    def _numbered(self, row: int, doc_id: str) -> tuple[str, ...]:
        text: str = self._text_of(doc_id)  # type: ignore[attr-defined]
        outline: Outline = self._outline_of(doc_id)  # type: ignore[attr-defined]
        first = max(self.places[doc_id].sentences.start, row - _FAR)
        found: list[str] = []
        for above in range(row, first - 1, -1):
            sentence = self.sentence(above)
            told = titled(sentence.reading.text, sentence.block == "heading")
            own = number(text, sentence.span.start)
            if told or (own and not found):
                found.append(told or own)
            if told or sentence.block == "heading":
                over = (outline.texts[one] for one in reversed(outline.above(above)))
                found += [told for one in over if (told := titled(one, heading=True))]
                break
        return tuple(found)

    def _written(self, doc_id: str) -> str:
        return self.documents[self.places[doc_id].number].text

    def _led_in(self, row: int, doc_id: str) -> int | None:
        first = max(self.places[doc_id].sentences.start, row - _FAR)
        blocks = self.sentences.of_field("block", first, row + 1)
        at = len(blocks) - 1
        if blocks[at] != "item":
            return None
        text: str = self._text_of(doc_id)  # type: ignore[attr-defined]
        least: int | None = None  # how far from the left the items stand that it may belong to
        while at >= 0 and blocks[at] == "item":
            above = self.sentence(first + at)
            here = depth(text, above.span.start)
            if here is not None and (least is None or here < least):
                if least is not None and heads_list(above.reading.text):
                    return first + at
                least = here
            at -= 1
        if at < 0:
            return None
        lead, item = self.sentence(first + at), self.sentence(first + at + 1)
        led = reaches(text, lead.span.start, item.span.start)
        return first + at if led and leads_in(blocks[at], lead.reading.text) else None

    def _captioned(self, row: int, doc_id: str) -> int | None:
        first = max(self.places[doc_id].sentences.start, row - _FAR)
        blocks = self.sentences.of_field("block", first, row + 1)
        at = len(blocks) - 1
        while at >= 0 and blocks[at] == "row":
            at -= 1
        if not 0 <= at < len(blocks) - 1 or blocks[at] != "paragraph":
            return None
        text = self.sentence(first + at).reading.text
        return first + at if leads_in("paragraph", text) else None

    def _listed(self, row: int) -> tuple[int, ...]:
        chunk = self.chunks[row]
        own = range(chunk.sentences.start, chunk.sentences.end)
        first = max(self.places[chunk.doc_id].sentences.start, own.start - _FAR)
        blocks = self.sentences.of_field("block", first, own.start + 1)
        outline: Outline = self._outline_of(chunk.doc_id)  # type: ignore[attr-defined]
        if blocks[-1] == "heading":
            return (*outline.above(own.start), *own)
        leads: list[int] = []
        while len(leads) < _MOST_LEADS:
            lead = self.lead_in(leads[0] if leads else own.start, chunk)
            if lead is None:
                break
            leads.insert(0, lead)
        heading = self._over(blocks, first, chunk.doc_id)
        above = (*outline.above(heading), heading) if heading is not None else ()
        return tuple(dict.fromkeys((*above, *leads, *own)))

    def _over(self, blocks: Sequence[str], first: int, doc_id: str) -> int | None:
        """The heading that the last of these blocks stands under; None where there is none.

        blocks: those of the document's sentences from row `first` on.
        """
        text: str = self._text_of(doc_id)  # type: ignore[attr-defined]
        at = self.sentence(first + len(blocks) - 1).span.start
        for row in range(first + len(blocks) - 2, first - 1, -1):
            if blocks[row - first] != "heading":
                continue
            if is_under(text, self.sentence(row).span.start, at):
                return row
        return None

    def _cut_out(self, row: int) -> tuple[tuple[Sentence, Span], ...]:
        found, at = [], 0
        for place in self.rows(self.chunks[row]):
            sentence = self.sentence(place)
            end = at + len(sentence.reading.text)
            found.append((sentence, Span(at, end)))
            at = end + 1
        return tuple(found)

    def _read(self, row: int) -> Reading:
        return Reading.joined(sentence.reading for sentence, _ in self.parts(self.chunks[row]))

    def _lemmatized(self, row: int) -> frozenset[str]:
        at = int(self.fact_rows[row])
        (terms,) = self.sentence_facts.of_field("terms", at, at + 1)
        return frozenset(term.lemma for term in terms)

    def _tabled(self, row: int, doc_id: str) -> tuple[str, tuple[Cell, ...]] | None:
        sentence = self.sentence(row)
        facts = self.sentence_facts[int(self.fact_rows[row])]
        text: str = self._text_of(doc_id)  # type: ignore[attr-defined]
        line = sentence.span.of(text).strip().removesuffix(".")
        found = read_row(line, sentence.reading.text, facts)
        listed = found is None and sentence.block == "item"
        return read_item(sentence.reading.text, facts) if listed else found

    def _merge(self, row: int) -> Facts:
        from halgo.facts import merged
        from halgo.facts.anaphora import resolved

        chunk = self.chunks[row]
        places = [span.start for _, span in self.parts(chunk)]
        read = [self.sentence_facts[int(self.fact_rows[row])] for row in self.rows(chunk)]
        return merged(list(zip(resolved(read), places, strict=True)))


def spoken_texts(index: Index) -> list[str]:
    """Each chunk's text as it was embedded: its sentences as read, joined by a space."""
    texts = [sentence.reading.text for sentence in index.sentences]
    return [" ".join(texts[chunk.sentences.start : chunk.sentences.end]) for chunk in index.chunks]


def digest_of(
    documents: Iterable[Document], size: int, overlap: int, embedder: str, dim: int
) -> str:
    """SHA-256 as hex of all that decides what an index holds."""
    return digest_over(map(document_digest, documents), size, overlap, embedder, dim)


def digest_over(digests: Iterable[bytes], size: int, overlap: int, embedder: str, dim: int) -> str:
    """`digest_of` from the digests of the documents, so that one change need not read them all."""
    digest = hashlib.sha256()
    settings = {"size": size, "overlap": overlap, "embedder": embedder, "dim": dim}
    digest.update(json.dumps(settings, sort_keys=True).encode())
    for one in digests:
        digest.update(one)
    return digest.hexdigest()


def document_digest(document: Document) -> bytes:
    """SHA-256 of a document with its id, source and metadata."""
    return hashlib.sha256(json.dumps(plain(document), sort_keys=True).encode()).digest()


def plain(document: Document) -> dict[str, Any]:
    """A document as plain values, fit for JSON."""
    return {
        "id": document.id,
        "text": document.text,
        "source": document.source,
        "metadata": {str(key): str(value) for key, value in sorted(document.metadata.items())},
    }


def _places(documents: Sequence[Document], chunks: Sequence[Chunk]) -> dict[str, Place]:
    rows: dict[str, range] = {}
    inside: dict[str, Span] = {}
    for chunk in chunks:
        rows[chunk.doc_id] = range(rows.get(chunk.doc_id, range(chunk.row, 0)).start, chunk.row + 1)
        start = inside.get(chunk.doc_id, chunk.sentences).start
        inside[chunk.doc_id] = Span(start, chunk.sentences.end)
    nowhere = Span(0, 0)
    return {
        one.id: Place(at, rows.get(one.id, range(0)), inside.get(one.id, nowhere))
        for at, one in enumerate(documents)
    }
