"""Documents -> Index: cut into sentences and chunks, parsed, embedded.

What repeats is done once: each distinct sentence is parsed once, each distinct chunk embedded
once, and what an earlier index of the same documents holds is taken from there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from halgo.errors import DocumentError
from halgo.evidence.columns import Strings, Table
from halgo.evidence.embed import checked_rows
from halgo.evidence.index import Index, digest_of, spoken_texts
from halgo.evidence.lexical import Bm25
from halgo.facts import SLAB
from halgo.types import Chunk, Document, Facts, FloatMatrix, Sentence

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
) -> Index:
    """The index of `documents`; texts that `previous` holds are not read or embedded again.

    Raises DocumentError for more than MOST_CHARACTERS in all, before anything is read;
    ValueError when two documents share an id, or the embedder breaks its protocol.
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
    strings = Strings()
    sentences, chunks, texts = _cut(documents, size, overlap, strings)
    distinct = {text: row for row, text in enumerate(dict.fromkeys(texts))}
    sentence_facts = _facts(list(distinct), strings, previous)
    strings.settle()
    spoken = [" ".join(texts[chunk.sentences.start : chunk.sentences.end]) for chunk in chunks]
    from halgo.facts.corpus import corpus_of

    return Index(
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
        digest=digest_of(documents, size, overlap, embedder.name, embedder.dim),
    )


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
