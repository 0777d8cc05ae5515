"""Documents -> Index: their sentences, chunks, facts and vectors, made once and searched often.

Never changed after it is built, so threads may share one. What repeats is done once: each
distinct sentence is parsed once, each distinct chunk embedded once, and what an earlier index
of the same documents holds is taken from there.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from halgo.errors import DocumentError
from halgo.evidence.columns import Strings, Table
from halgo.evidence.lexical import Bm25
from halgo.facts import SLAB
from halgo.sources.chunks import leads_in
from halgo.types import Chunk, Corpus, Document, Facts, FloatMatrix, Reading, Sentence, Span

if TYPE_CHECKING:
    from halgo.config import Config
    from halgo.protocols import Embedder

# What one index may hold. An index in the making takes about 150 bytes for a character of ordinary
# prose (measured on 1 and 2 MB, in sentences of 90 characters), so that these take 8 GB.
MOST_CHARACTERS = 50_000_000
# How many sentences before a chunk its heading is looked for: further up it says little of it.
_FAR = 40
_MOST_HEADINGS = 100  # of one document
_KEPT = 1024  # chunks whose merged facts and readings are kept, for claims about the same passages


@dataclass(frozen=True, eq=False)
class Index:
    """What all the documents say, ready to be held against claims.

    sentences: all sentences, document after document; `fact_rows` (len(sentences),) int32 says
        which of `sentence_facts` are theirs (sentences of one wording share them).
    vectors: (len(chunks), dim) float32, rows of L2 norm 1.
    embedder: the name of what made the vectors; only its vectors may be compared with them.
    digest: SHA-256 of documents, chunk settings and embedder; the same on every machine.
    """

    documents: tuple[Document, ...]
    sentences: Table[Sentence]
    chunks: tuple[Chunk, ...]
    sentence_facts: Table[Facts]
    fact_rows: NDArray[np.int32]
    vectors: FloatMatrix
    bm25: Bm25
    corpus: Corpus
    embedder: str
    dim: int
    sentences_per_chunk: int
    sentence_overlap: int
    digest: str
    _by_id: Mapping[str, Document] = field(init=False, repr=False)
    _first_rows: Mapping[str, int] = field(init=False, repr=False)
    _inside: Mapping[str, Span] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.vectors.setflags(write=False)
        self.fact_rows.setflags(write=False)
        first_rows: dict[str, int] = {}
        inside: dict[str, Span] = {}  # the sentences of each document
        for chunk in self.chunks:
            first_rows.setdefault(chunk.doc_id, chunk.row)
            start = inside.get(chunk.doc_id, chunk.sentences).start
            inside[chunk.doc_id] = Span(start, chunk.sentences.end)
        for name, value in {
            "_by_id": {document.id: document for document in self.documents},
            "_first_rows": first_rows,
            "_inside": inside,
            "_parts_of": lru_cache(_KEPT)(self._cut_out),
            "_reading_of": lru_cache(_KEPT)(self._read),
            "_facts_of": lru_cache(_KEPT)(self._merge),
            "_revision_of": lru_cache(_KEPT)(self._revise),
            "_headings_of": lru_cache(_KEPT)(self._titled),
        }.items():
            object.__setattr__(self, name, value)

    @classmethod
    def build(
        cls,
        documents: Sequence[Document],
        embedder: Embedder,
        config: Config,
        previous: Index | None = None,
    ) -> Self:
        """The index of `documents`; texts that `previous` holds are not read or embedded again.

        Raises DocumentError for more than MOST_CHARACTERS in all, before anything is read;
        ValueError when two documents share an id, or the embedder breaks its protocol.
        """
        documents = tuple(documents)
        _bounded(documents)
        size, overlap = config.sentences_per_chunk, config.sentence_overlap
        if (
            isinstance(previous, cls)
            and previous.documents == documents
            and (previous.sentences_per_chunk, previous.sentence_overlap) == (size, overlap)
            and (previous.embedder, previous.dim) == (embedder.name, embedder.dim)
        ):
            return previous
        strings = Strings()
        sentences, chunks, texts = _cut(documents, size, overlap, strings)
        distinct = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        sentence_facts = _facts(list(distinct), strings, previous)
        strings.settle()
        spoken = [" ".join(texts[chunk.sentences.start : chunk.sentences.end]) for chunk in chunks]
        from halgo.facts.corpus import corpus_of

        return cls(
            documents=documents,
            sentences=sentences,
            chunks=tuple(chunks),
            sentence_facts=sentence_facts,
            fact_rows=np.array([distinct[text] for text in texts], dtype=np.int32),
            vectors=_vectors(spoken, embedder, previous),
            bm25=Bm25.build(spoken),
            corpus=corpus_of(sentence_facts, [*distinct, *_titles(documents)]),
            embedder=embedder.name,
            dim=embedder.dim,
            sentences_per_chunk=size,
            sentence_overlap=overlap,
            digest=_digest(documents, size, overlap, embedder.name, embedder.dim),
        )

    def rows(self, chunk: Chunk) -> tuple[int, ...]:
        """The sentences that are read of the chunk: its own, before them its heading and lead-in.

        "Removed: support for Windows 8" says little without the "4.2.0" that stands over the list,
        and "glass" nothing without "Not accepted:".
        """
        own = range(chunk.sentences.start, chunk.sentences.end)
        first = max(self._inside[chunk.doc_id].start, own.start - _FAR)
        blocks = self.sentences.of_field("block", first, own.start + 1)
        if blocks[-1] == "heading":
            return tuple(own)
        lead = self.lead_in(own.start, chunk)
        leads = () if lead is None else (lead,)
        if "heading" not in blocks:
            return (*leads, *own)
        heading = own.start - 1 - blocks[-2::-1].index("heading")
        return (heading, *(row for row in leads if row != heading), *own)

    def lead_in(self, row: int, chunk: Chunk) -> int | None:
        """The sentence that leads in the list of which sentence `row` is an item; None without.

        chunk: one of the document that the sentence stands in.
        """
        first = max(self._inside[chunk.doc_id].start, row - _FAR)
        blocks = self.sentences.of_field("block", first, row + 1)
        at = len(blocks) - 1
        while at >= 0 and blocks[at] == "item":
            at -= 1
        if at < 0 or at == len(blocks) - 1:
            return None
        text = self.sentences[first + at].reading.text
        return first + at if leads_in(blocks[at], text) else None

    def heading(self, chunk: Chunk) -> str:
        """The heading that the chunk stands under, as it was read; "" where there is none."""
        above = [part.reading.text for part, _ in self.parts(chunk) if part.block == "heading"]
        return above[-1] if above else ""

    def headings(self, chunk: Chunk) -> tuple[str, ...]:
        """The first headings of the chunk's document, each once."""
        found: tuple[str, ...] = self._headings_of(chunk.doc_id)  # type: ignore[attr-defined]
        return found

    def reading(self, chunk: Chunk) -> Reading:
        """The chunk as it was read: the words of its heading and sentences, spaces between them."""
        found: Reading = self._reading_of(chunk.row)  # type: ignore[attr-defined]
        return found

    def parts(self, chunk: Chunk) -> tuple[tuple[Sentence, Span], ...]:
        """What is read of the chunk, each with its place in `reading(chunk).text`."""
        found: tuple[tuple[Sentence, Span], ...] = self._parts_of(chunk.row)  # type: ignore[attr-defined]
        return found

    def facts(self, chunk: Chunk) -> Facts:
        """What the chunk asserts; spans are characters of `reading(chunk).text`."""
        found: Facts = self._facts_of(chunk.row)  # type: ignore[attr-defined]
        return found

    def document(self, chunk: Chunk) -> Document:
        """The document that the chunk is a part of."""
        return self._by_id[chunk.doc_id]

    def source(self, chunk: Chunk) -> str:
        """What a reader is shown as the chunk's origin."""
        return self._by_id[chunk.doc_id].source

    def revision(self, chunk: Chunk) -> str:
        """The revision of the document that the chunk is a part of."""
        found: str = self._revision_of(chunk.doc_id)  # type: ignore[attr-defined]
        return found

    def number(self, chunk: Chunk) -> int:
        """The chunk's place among those of its document, from 0."""
        return chunk.row - self._first_rows[chunk.doc_id]

    def _revise(self, doc_id: str) -> str:
        return self._by_id[doc_id].revision

    def _titled(self, doc_id: str) -> tuple[str, ...]:
        inside = self._inside[doc_id]
        blocks = self.sentences.of_field("block", inside.start, inside.end)
        rows = [row for row, block in enumerate(blocks, inside.start) if block == "heading"]
        texts = (self.sentences[row].reading.text for row in rows[:_MOST_HEADINGS])
        return tuple(dict.fromkeys(texts))

    def _cut_out(self, row: int) -> tuple[tuple[Sentence, Span], ...]:
        found, at = [], 0
        for place in self.rows(self.chunks[row]):
            sentence = self.sentences[place]
            end = at + len(sentence.reading.text)
            found.append((sentence, Span(at, end)))
            at = end + 1
        return tuple(found)

    def _read(self, row: int) -> Reading:
        return Reading.joined(sentence.reading for sentence, _ in self.parts(self.chunks[row]))

    def _merge(self, row: int) -> Facts:
        from halgo.facts import merged

        chunk = self.chunks[row]
        places = [span.start for _, span in self.parts(chunk)]
        read = [self.sentence_facts[int(self.fact_rows[row])] for row in self.rows(chunk)]
        return merged(list(zip(read, places, strict=True)))


def _bounded(documents: Sequence[Document]) -> None:
    """Raises DocumentError for more text than one index may hold, naming the longest document."""
    total = sum(len(document.text) for document in documents)
    if total > MOST_CHARACTERS:
        longest = max(documents, key=lambda document: len(document.text))
        raise DocumentError(
            f"the documents have {total:,} characters, and one index holds at most "
            f"{MOST_CHARACTERS:,}, which take about 8 GB of memory; the longest is "
            f"{longest.source!r} with {len(longest.text):,}. Make several indexes of fewer "
            f"documents and check an answer against each",
            longest.source,
        )


def _titles(documents: Sequence[Document]) -> list[str]:
    """What the documents are called, as words: "docs/harbour-rules.pdf" names the harbour too."""
    called = (
        title
        for document in documents
        for title in (document.source, str(document.metadata.get("title", "")))
    )
    return [re.sub(r"[\W_]+", " ", title) for title in dict.fromkeys(called) if title]


def spoken_texts(index: Index) -> list[str]:
    """Each chunk's text as it was embedded: its sentences as read, joined by a space."""
    texts = [sentence.reading.text for sentence in index.sentences]
    return [" ".join(texts[chunk.sentences.start : chunk.sentences.end]) for chunk in index.chunks]


def _cut(
    documents: Sequence[Document], size: int, overlap: int, strings: Strings
) -> tuple[Table[Sentence], list[Chunk], list[str]]:
    """Sentences, chunks, and each sentence's text as read."""
    from halgo.sources.chunks import chunk
    from halgo.sources.sentences import split

    table = Table(Sentence, strings)
    chunks: list[Chunk] = []
    texts: list[str] = []
    known: set[str] = set()
    for document in documents:
        if document.id in known:
            raise ValueError(f"two documents have the id {document.id!r}; ids must be unique")
        known.add(document.id)
        found = split(document.text)
        chunks += chunk(document, found, size, overlap, len(chunks), len(texts))
        for sentence in found:
            table.add(sentence)
            texts.append(sentence.reading.text)
    return table, chunks, texts


def _facts(texts: Sequence[str], strings: Strings, previous: Index | None) -> Table[Facts]:
    """The facts of each text, in order, from `previous` where it holds the text."""
    from halgo.facts import extract

    known: dict[str, int] = {}
    if previous is not None:
        said = (sentence.reading.text for sentence in previous.sentences)
        known = dict(zip(said, previous.fact_rows.tolist(), strict=True))
    table = Table(Facts, strings)
    for start in range(0, len(texts), SLAB):
        slab = texts[start : start + SLAB]
        new = [text for text in slab if text not in known]
        read = dict(zip(new, extract(new), strict=True)) if new else {}
        for text in slab:
            if text in read:
                table.add(read[text])
            elif previous is not None:
                table.add(previous.sentence_facts[known[text]])
    return table


def _vectors(texts: Sequence[str], embedder: Embedder, previous: Index | None) -> FloatMatrix:
    """A vector for each text, each distinct one embedded once, none that `previous` holds."""
    known: dict[str, int] = {}
    if previous is not None and (previous.embedder, previous.dim) == (embedder.name, embedder.dim):
        known = {text: row for row, text in enumerate(spoken_texts(previous))}
    new = [text for text in dict.fromkeys(texts) if text not in known]
    rows = checked_rows(embedder, new)
    if len(new) == len(texts):
        return rows
    places = {text: row for row, text in enumerate(new)}
    vectors = np.empty((len(texts), embedder.dim), dtype=np.float32)
    for row, text in enumerate(texts):
        if text in places:
            vectors[row] = rows[places[text]]
        elif previous is not None:
            vectors[row] = previous.vectors[known[text]]
    return vectors


def checked_rows(embedder: Embedder, texts: Sequence[str]) -> FloatMatrix:
    """The embedder's rows for `texts`. Raises ValueError when they are not what it promises."""
    if not texts:
        return np.zeros((0, embedder.dim), dtype=np.float32)
    rows = np.array(embedder.embed(texts), dtype=np.float32)
    if rows.shape != (len(texts), embedder.dim):
        raise ValueError(
            f"embedder {embedder.name!r} gave rows of shape {rows.shape} for {len(texts)} texts; "
            f"({len(texts)}, {embedder.dim}) was expected"
        )
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))  # with no second array of that size
    wrong = np.flatnonzero(~((lengths == 0) | (np.abs(lengths - 1) < 1e-3)))
    if len(wrong):
        raise ValueError(
            f"embedder {embedder.name!r} gave a row of length {lengths[wrong[0]]}; rows have L2 "
            f"norm 1, or are zero for empty text"
        )
    return rows


def _digest(documents: Sequence[Document], size: int, overlap: int, embedder: str, dim: int) -> str:
    """SHA-256 as hex of all that decides what an index holds."""
    digest = hashlib.sha256()
    settings = {"size": size, "overlap": overlap, "embedder": embedder, "dim": dim}
    digest.update(json.dumps(settings, sort_keys=True).encode())
    for document in documents:
        digest.update(b"\n" + json.dumps(plain(document), sort_keys=True).encode())
    return digest.hexdigest()


def plain(document: Document) -> dict[str, Any]:
    """A document as plain values, fit for JSON."""
    return {
        "id": document.id,
        "text": document.text,
        "source": document.source,
        "metadata": {str(key): str(value) for key, value in sorted(document.metadata.items())},
    }
