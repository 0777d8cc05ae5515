"""How far reading and indexing documents have come -> whoever waits for it.

Shown in pages, which people have a feeling for: a PDF's own, of other texts PAGE characters each.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from halgo.types import Document

READ, INDEX = "read", "index"
PAGE = 3000  # characters; a page of business prose has 400 to 500 words
_OFTEN = 0.1  # seconds between two calls, but for the last one
_UNFINISHED = 0.999  # the most that is told of a stage before it is finished


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a stage has come.

    stage: "read" for files that are opened and read, "index" for texts that are parsed and
    embedded. pages: those that are done; of_pages: of how many, None while that is not known.
    share: of the stage's work, 0 to 1. elapsed_s: since the stage began. remaining_s: about how
    long the rest of it takes, None while nothing is done.
    """

    stage: str
    pages: int
    of_pages: int | None
    share: float
    elapsed_s: float
    remaining_s: float | None


OnProgress = Callable[[Progress], None]


class Meter:
    """Counts the work of a stage and tells a caller of it, some ten times a second.

    told: what is called, in the thread that does the work; what it raises stops the work.
    total: the work in all, in any unit. of_pages: how many pages that is; None until it is known.
    """

    def __init__(
        self, told: OnProgress | None, stage: str, total: float, of_pages: int | None = None
    ) -> None:
        self._told, self._stage, self._total = told, stage, total
        self.of_pages = of_pages
        self._done, self._pages = 0.0, 0.0
        self._start = self._last = time.monotonic()
        self._ended = False

    def advance(self, work: float, pages: float = 0.0) -> None:
        """Counts work that is done, and the pages of it; a share of 1 is told by `finish` alone."""
        self._done += work
        self._pages += pages
        if time.monotonic() - self._last >= _OFTEN:
            self._tell(min(self._done / self._total, _UNFINISHED) if self._total > 0 else 0.0)

    def finish(self) -> None:
        """Tells that the stage is done, once."""
        if not self._ended:
            self._ended = True
            self._tell(1.0)

    def _tell(self, share: float) -> None:
        self._last = time.monotonic()
        if self._told is None:
            return
        elapsed = self._last - self._start
        pages = round(self._pages)
        if self.of_pages is not None:
            pages = self.of_pages if share == 1.0 else min(pages, self.of_pages)
        remaining = elapsed * (1 - share) / share if share > 0 else None
        self._told(Progress(self._stage, pages, self.of_pages, share, elapsed, remaining))


def pages_of(document: Document) -> int:
    """The pages of a document: those of its PDF, else one for each PAGE characters."""
    starts = document.metadata.get("pages", "")
    own = starts.count(",") + 1 if starts.startswith("[") else 0  # a list of numbers, as JSON
    return own or -(-len(document.text) // PAGE)
