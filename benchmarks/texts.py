"""Texts as halgo reads them: the sentences and windows that get embedded and parsed.

For the cosine baseline and for filling the cache; halgo itself makes them on its own.
"""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=20000)
def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text as they are read, in order."""
    from halgo.sources.sentences import split

    return tuple(sentence.reading.text for sentence in split(text))


def windows(text: str, size: int = 2, overlap: int = 1) -> tuple[str, ...]:
    """The chunks of a text as they are read: windows of `size` sentences, headings on top."""
    from halgo.sources.chunks import chunk
    from halgo.sources.sentences import split
    from halgo.types import Document, Reading

    found = split(text)
    chunks = chunk(Document("", text, ""), found, size, overlap)
    return tuple(
        Reading.joined(
            sentence.reading for sentence in found[piece.sentences.start : piece.sentences.end]
        ).text
        for piece in chunks
    )
