"""Documents -> Index: cut into sentences and chunks, parsed, embedded.

What repeats is done once: each distinct sentence is parsed once, each distinct chunk embedded
once, and what an earlier index of the same documents holds is taken from there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Self

import numpy as np

from halgo.errors import DocumentError
from halgo.evidence.bm25 import Bm25
from halgo.evidence.columns import Strings, Table
from halgo.evidence.index import Index, digest_of, spoken_texts
from halgo.evidence.slabs import Slab, slabs, worked_out
from halgo.facts.corpus import Mentions
from halgo.progress import INDEX, Meter, OnProgress, pages_of
from halgo.types import Chunk, Document, Facts, FloatMatrix, Sentence
from halgo.workers import Workers, running

if TYPE_CHECKING:
    from halgo.config import Config
    from halgo.protocols import Embedder

# What one index may hold. An index in the making takes about 150 bytes for a character of ordinary
# prose (measured on 1 and 2 MB, in sentences of 90 characters), so that these take 8 GB.
MOST_CHARACTERS = 50_000_000


def build_index(
    documents: Sequence[Document],
    embedder: Embedder,
    config: Config,
    previous: Index | None = None,
    *,
    progress: OnProgress | Meter | None = None,
    jobs: int | Workers = 1,
) -> Index:
    """The index of `documents`; texts that `previous` holds are not read or embedded again.

    progress: told how far it is, or a meter in characters that several indexes share, which their
    maker finishes. jobs: how many processes, or those that are running already.
    Raises DocumentError for more than MOST_CHARACTERS in all, before anything is read;
    ValueError when two documents share an id, or the embedder breaks its protocol; WorkerError
    when one of several processes dies.
    """
    documents = tuple(documents)
    _bounded(documents)
    size, overlap = config.sentences_per_chunk, config.sentence_overlap
    if (
        previous is not None
        and previous.documents == documents
        and (previous.sentences_per_chunk, previous.sentence_overlap) == (size, overlap)
        and (previous.embedder, previous.dim) == (embedder.name, embedder.dim)
    ):
        return previous
    meter = progress if isinstance(progress, Meter) else meter_of(documents, progress)
    with running(jobs) as workers:
        strings = Strings()
        sentences, chunks, texts = _cut(documents, size, overlap, strings)
        distinct = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        spoken = [" ".join(texts[chunk.sentences.start : chunk.sentences.end]) for chunk in chunks]
        known = Known.of(previous, embedder)
        passages = Passages(spoken, embedder.dim, known)
        work = slabs([text for text in distinct if text not in known.facts], passages.new)
        fresh = _fresh(worked_out(work, embedder, workers), passages, _counted(documents, meter))
        table, mentions = Table(Facts, strings), Mentions()
        for text in distinct:
            facts = known.facts_of(text) if text in known.facts else next(fresh)
            table.add(facts)
            mentions.add(facts)
        for _ in fresh:
            raise AssertionError("more facts than sentences")
    strings.settle()
    if not isinstance(progress, Meter):
        meter.finish()
    return Index(
        documents=documents,
        sentences=sentences,
        chunks=tuple(chunks),
        sentence_facts=table,
        fact_rows=np.array([distinct[text] for text in texts], dtype=np.int32),
        vectors=passages.vectors(),
        bm25=Bm25.build(spoken),
        corpus=mentions.corpus([*distinct, *titles(documents)]),
        embedder=embedder.name,
        dim=embedder.dim,
        sentences_per_chunk=size,
        sentence_overlap=overlap,
        digest=digest_of(documents, size, overlap, embedder.name, embedder.dim),
    )


def meter_of(documents: Sequence[Document], told: OnProgress | None) -> Meter:
    """What counts the indexing of these documents, in characters."""
    characters = sum(len(document.text) for document in documents)
    return Meter(told, INDEX, characters, sum(map(pages_of, documents)))


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


def titles(documents: Iterable[Document]) -> list[str]:
    """What the documents are called, as words: "docs/harbour-rules.pdf" names the harbour too."""
    called = (
        title
        for document in documents
        for title in (document.source, str(document.metadata.get("title", "")))
    )
    return [re.sub(r"[\W_]+", " ", title) for title in dict.fromkeys(called) if title]


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
        found = split(document.text, hanging=True)
        chunks += chunk(document, found, size, overlap, len(chunks), len(texts))
        for sentence in found:
            table.add(sentence)
            texts.append(sentence.reading.text)
    return table, chunks, texts


class Known:
    """What an earlier index holds: its sentences' facts, its passages' vectors."""

    def __init__(self, previous: Index | None, facts: dict[str, int], rows: dict[str, int]) -> None:
        self._previous, self.facts, self.rows = previous, facts, rows

    @classmethod
    def of(cls, previous: Index | None, embedder: Embedder) -> Self:
        """Of `previous`; its vectors only where the same embedder made them."""
        if previous is None:
            return cls(None, {}, {})
        said = (sentence.reading.text for sentence in previous.sentences)
        facts = dict(zip(said, previous.fact_rows.tolist(), strict=True))
        same = (previous.embedder, previous.dim) == (embedder.name, embedder.dim)
        texts = spoken_texts(previous) if same else ()
        return cls(previous, facts, {text: row for row, text in enumerate(texts)})

    def facts_of(self, text: str) -> Facts:
        """The facts of a sentence that is in `facts`."""
        assert self._previous is not None
        return self._previous.sentence_facts[self.facts[text]]

    def vectors_of(self, texts: Sequence[str]) -> FloatMatrix:
        """The vectors of passages that are in `rows`, at least one."""
        assert self._previous is not None
        return self._previous.dense.vectors([self.rows[text] for text in texts])


class Passages:
    """The matrix of all passages in the making; each distinct one is embedded once.

    new: those that have to be embedded, the shortest first.
    """

    def __init__(self, spoken: Sequence[str], dim: int, known: Known) -> None:
        self._spoken, self._known = spoken, known
        self._first: dict[str, int] = {}
        for row, text in enumerate(spoken):
            self._first.setdefault(text, row)
        self.new = sorted((text for text in self._first if text not in known.rows), key=len)
        self._vectors: FloatMatrix = np.empty((len(spoken), dim), dtype=np.float32)

    def take(self, texts: Sequence[str], vectors: FloatMatrix) -> None:
        """Puts the vectors of new passages where they belong."""
        self._vectors[[self._first[text] for text in texts]] = vectors

    def vectors(self) -> FloatMatrix:
        """The whole matrix, when all that is new has been taken."""
        old = [text for text in self._first if text in self._known.rows]
        if old:
            self.take(old, self._known.vectors_of(old))
        for row, text in enumerate(self._spoken):
            if self._first[text] != row:
                self._vectors[row] = self._vectors[self._first[text]]
        return self._vectors


def _fresh(
    done: Iterable[tuple[Slab, Sequence[Facts] | FloatMatrix]],
    passages: Passages,
    counted: Callable[[float], None],
) -> Iterator[Facts]:
    """The facts of all slabs, in order; vectors go to the passages."""
    for slab, found in done:
        if isinstance(found, np.ndarray):
            passages.take(slab.texts, found)
        else:
            yield from found
        counted(slab.share)


def _counted(documents: Sequence[Document], meter: Meter) -> Callable[[float], None]:
    """What tells the meter that a share of the work on these documents is done."""
    characters = sum(len(document.text) for document in documents)
    pages = sum(map(pages_of, documents))
    return lambda share: meter.advance(share * characters, share * pages)
