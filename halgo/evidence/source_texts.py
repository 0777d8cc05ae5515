"""Words -> the texts of the sources in which something may stand that is written just so."""

from __future__ import annotations

from collections.abc import Iterable

from halgo.evidence.index import Index
from halgo.evidence.lexical import stems

_QUICKLY_READ = 20_000  # passages: to read all texts of more takes longer than to look some up
_LOOKED_UP = 50  # passages for each wording, of a larger index


def texts_for(index: Index, wordings: Iterable[str]) -> list[str]:
    """The sources' texts: all of a small index, of a large one what is best for each wording."""
    if len(index.chunks) <= _QUICKLY_READ:
        return [document.text for document in index.documents]
    rows: set[int] = set()
    for wording in wordings:
        rows.update(index.bm25.top(stems(wording), _LOOKED_UP)[0].tolist())
    return [index.chunks[row].text for row in sorted(rows)]
