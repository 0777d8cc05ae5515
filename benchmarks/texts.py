"""Texts as halgo reads them: the sentences and windows that get embedded and parsed.

For the cosine baseline and for filling the cache; halgo itself makes them on its own.
"""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=20000)
def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text as they are read, in order; blank ones left out."""
    from halgo.sources.sentences import split

    readings = (sentence.reading.text.strip() for sentence in split(text))
    return tuple(reading for reading in readings if reading)


def windows(text: str, size: int = 2, overlap: int = 1) -> tuple[str, ...]:
    """Windows of `size` consecutive sentences, each sharing `overlap` with the next."""
    found = sentences(text)
    if len(found) <= size:
        return (" ".join(found),) if found else ()
    step = size - overlap
    return tuple(" ".join(found[at : at + size]) for at in range(0, len(found) - overlap, step))
