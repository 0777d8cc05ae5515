"""Documents that come, change and go -> new segments, and then one new manifest that names them.

Segments keep the order of documents: what is new comes last, what is replaced keeps its place. A
segment that a change touches is written anew from its own arrays; small neighbours are put
together, so that there are never many. Until the manifest is there, nobody sees any of it; who
is killed or runs out of disk before that has changed nothing.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from halgo import disk
from halgo.errors import DocumentError
from halgo.evidence import dense
from halgo.evidence.index import Index, digest_over, document_digest
from halgo.printable import printable
from halgo.store import container, manifest
from halgo.store.manifest import GRAPH, SEGMENT, Entry, Manifest
from halgo.store.opening import State, opened
from halgo.store.segment import Rows, Segment, arrays_of, gathered
from halgo.types import Document

Make = Callable[[Sequence[Document]], Index]

# A segment has about so many passages; a document that alone has more is a segment of its own.
MOST_PASSAGES = 65_536
# What is read before a segment is written. A passage of prose has about 90 characters, and a row
# of a table may have few, so each line counts as some more. Built in about 1 GB of memory.
_MOST_READ, _LINE = 6_000_000, 80

_OURS = re.compile(rf"[0-9a-f]{{64}}({SEGMENT}|{GRAPH})|new({SEGMENT}|{GRAPH})")


@dataclass(frozen=True, slots=True)
class Changed:
    """How many documents a change added, replaced and removed, or found to be there already."""

    added: int = 0
    replaced: int = 0
    removed: int = 0
    unchanged: int = 0

    def __add__(self, other: Changed) -> Changed:
        return Changed(
            self.added + other.added,
            self.replaced + other.replaced,
            self.removed + other.removed,
            self.unchanged + other.unchanged,
        )


def batches(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """The documents in lots that are read in bounded memory, in order."""
    batch: list[Document] = []
    read = 0
    for document in documents:
        size = _read(document)
        if batch and read + size > _MOST_READ:
            yield batch
            batch, read = [], 0
        batch.append(document)
        read += size
    if batch:
        yield batch


def _read(document: Document) -> int:
    return len(document.text) + _LINE * document.text.count("\n")


def change(
    folder: Path, make: Make, put: Iterable[Document] = (), remove: Collection[str] = ()
) -> Changed:
    """Puts documents in, those whose id is there in the place of that one, and takes others out.

    All of it or nothing; the folder's lock has to be held. make: documents -> their index in
    memory. Raises DocumentError for an id to be removed that is not there, ValueError for an id
    that is put twice; and what `make` raises.
    """
    before = opened(folder)
    _sweep(folder, before.manifest)
    try:
        return _Change(folder, before, make).run(put, remove)
    except BaseException:
        with contextlib.suppress(Exception):
            _sweep(folder, manifest.read(folder))
        raise


@dataclass(slots=True)
class _Planned:
    """A segment of the new state: runs of documents of segments; one that stays as it is."""

    runs: list[tuple[Segment, Rows]]
    entry: Entry | None = None

    @property
    def passages(self) -> int:
        return sum(
            int((one.first_chunks[rows + 1] - one.first_chunks[rows]).sum())
            for one, rows in self.runs
        )


class _Change:
    """One change in the making."""

    def __init__(self, folder: Path, before: State, make: Make) -> None:
        self._folder, self._before, self._make = folder, before, make
        self._entries = {
            id(segment): entry
            for segment, entry in zip(before.segments, before.manifest.segments, strict=True)
        }
        self._planned = [
            _Planned([(segment, _all(segment))], self._entries[id(segment)])
            for segment in before.segments
        ]

    def run(self, put: Iterable[Document], remove: Collection[str]) -> Changed:
        """Makes the change, and the new state."""
        gone = [self._require(doc_id) for doc_id in dict.fromkeys(remove)]
        added, replaced, unchanged = self._put(put, set(remove))
        self._rewrite(gone, replaced)
        if added or replaced or gone:
            self._settle()
            self._commit()
        return Changed(added, len(replaced), len(gone), unchanged)

    def _find(self, doc_id: str) -> tuple[int, int] | None:
        """Which segment a document is in, and its number there."""
        for which, segment in enumerate(self._before.segments):
            at = segment.find(doc_id)
            if at is not None:
                return which, at
        return None

    def _require(self, doc_id: str) -> tuple[int, int]:
        found = self._find(doc_id)
        if found is None:
            raise no_document(self._folder, doc_id)
        return found

    def _put(
        self, put: Iterable[Document], removed: Collection[str]
    ) -> tuple[int, list[tuple[int, int, Document]], int]:
        """Reads what is new; what replaces a document waits for its segment to be written."""
        met: set[str] = set()
        replaced: list[tuple[int, int, Document]] = []
        unchanged = added = 0

        def new() -> Iterator[Document]:
            nonlocal unchanged
            for document in put:
                if document.id in met or document.id in removed:
                    raise ValueError(f"document id {document.id!r} is given twice in one change")
                met.add(document.id)
                found = self._find(document.id)
                if found is None:
                    yield document
                elif self._digest(*found) == document_digest(document):
                    unchanged += 1
                else:
                    replaced.append((*found, document))

        waiting: list[_Planned] = []
        for batch in batches(new()):
            for planned in waiting:  # all but the last are full: out of memory with them
                self._written(planned)
            segment = Segment(arrays_of(self._make(batch)))
            waiting = [_Planned([(segment, _all(segment))])]
            self._planned += waiting
            added += len(batch)
        return added, replaced, unchanged

    def _digest(self, which: int, at: int) -> bytes:
        return self._before.segments[which].digest_of(at)

    def _rewrite(
        self, gone: Sequence[tuple[int, int]], replaced: Sequence[tuple[int, int, Document]]
    ) -> None:
        """Plans the segments that documents leave, or in which others take their place."""
        for which in sorted({one for one, *_ in gone} | {one for one, *_ in replaced}):
            segment = self._before.segments[which]
            out = {at for in_, at in gone if in_ == which}
            instead: dict[int, tuple[Segment, int]] = {}
            mine = {at: one for in_, at, one in replaced if in_ == which}
            numbers = {one.id: at for at, one in mine.items()}
            for batch in batches(mine[at] for at in sorted(mine)):
                made = Segment(arrays_of(self._make(batch)))
                instead |= {numbers[one.id]: (made, n) for n, one in enumerate(batch)}
            sequence = [
                instead.get(at, (segment, at)) for at in range(segment.documents) if at not in out
            ]
            self._planned[which] = _Planned(list(_runs(sequence)))

    def _settle(self) -> None:
        """Leaves out what is empty, and plans neighbours as one: of like size, or a new one's.

        What is new is written in this change anyway: a small neighbour is taken in at little cost.
        """
        planned = [one for one in self._planned if any(len(rows) for _, rows in one.runs)]
        at = 0
        while at + 1 < len(planned):
            one, other = planned[at], planned[at + 1]
            small, large = sorted((one, other), key=lambda planned: planned.passages)
            alike = 2 * small.passages >= large.passages or self._is_new(large)
            if small.passages + large.passages <= MOST_PASSAGES and alike:
                planned[at : at + 2] = [_Planned([*one.runs, *other.runs])]
                at = max(0, at - 1)
            else:
                at += 1
        self._planned = planned

    def _is_new(self, planned: _Planned) -> bool:
        return any(id(segment) not in self._entries for segment, _ in planned.runs)

    def _commit(self) -> None:
        """Writes what is not written yet, and then the manifest."""
        for planned in self._planned:
            self._written(planned)
        before = self._before.manifest
        segments = [planned.runs[0][0] for planned in self._planned]
        entries = [planned.entry for planned in self._planned if planned.entry is not None]
        if dense.wants_graphs(sum(one.passages for one in entries), before.dim):
            entries = [
                self._with_graph(entry, segment)
                for entry, segment in zip(entries, segments, strict=True)
            ]
        digests = (digest for segment in segments for digest in segment.digests())
        after = replace(
            before,
            segments=tuple(entries),
            state=before.state + 1,
            digest=digest_over(
                digests,
                before.sentences_per_chunk,
                before.sentence_overlap,
                before.embedder,
                before.dim,
            ),
        )
        disk.settled(self._folder)  # the files have their names before the manifest names them
        manifest.write(self._folder, after)
        _sweep(self._folder, after)

    def _written(self, planned: _Planned) -> None:
        """Writes a segment that is not on the disk yet; from then on it is read from there."""
        if planned.entry is not None:
            return
        (first, rows), graph, graph_size = planned.runs[0], "", 0
        if len(planned.runs) == 1 and len(rows) == first.documents:
            arrays = first.arrays()
        else:
            arrays = gathered(planned.runs)
            kept = self._kept_graph(planned.runs, len(arrays["chunks"]))
            if kept is not None:
                graph, graph_size, arrays["graph_places"] = kept
        file, size = container.write(self._folder, arrays, SEGMENT)
        segment = Segment(container.Mapped(self._folder / file, size))
        planned.runs = [(segment, _all(segment))]
        counts = segment.documents, segment.passages
        planned.entry = Entry(file, size, *counts, graph, graph_size)

    def _kept_graph(
        self, runs: Sequence[tuple[Segment, Rows]], passages: int
    ) -> tuple[str, int, NDArray[np.int32]] | None:
        """The graph of the largest part that goes on, and where its passages are now."""
        entries = {id(one): self._entries.get(id(one)) for one, _ in runs}
        withs = [one for one, _ in runs if (entry := entries[id(one)]) and entry.graph]
        if not withs or passages < dense.SMALLEST:
            return None
        largest = max(withs, key=lambda one: one.passages)
        new, before = np.full(largest.passages, -1, dtype=np.int32), 0
        for segment, documents in runs:
            for at in documents.tolist():
                start, end = segment.first_chunks[at : at + 2].tolist()
                if segment is largest:
                    new[start:end] = np.arange(before, before + end - start)
                before += end - start
        old = largest.places
        places = new if old is None else np.where(old >= 0, new[old], np.int32(-1))
        entry = entries[id(largest)]
        assert entry is not None
        if dense.worn(places, passages):
            return None
        return entry.graph, entry.graph_size, places.astype(np.int32)

    def _with_graph(self, entry: Entry, segment: Segment) -> Entry:
        """The same with a graph, unless it has one or needs none."""
        if entry.graph or segment.passages < dense.SMALLEST:
            return entry
        draft = self._folder / f"new{GRAPH}"
        try:
            dense.write_graph(draft, segment.array("vectors"))
            with draft.open("rb") as stream:
                os.fsync(stream.fileno())
            name = f"{container.digest_of_file(draft)}{GRAPH}"
            size = draft.stat().st_size
            draft.replace(self._folder / name)
        except RuntimeError as error:  # which is how usearch says that it cannot write
            raise OSError(None, f"the search graph could not be written: {error}") from error
        finally:
            draft.unlink(missing_ok=True)
        return replace(entry, graph=name, graph_size=size)


def no_document(folder: Path, doc_id: str) -> DocumentError:
    """The error for a document that is not in the index."""
    return DocumentError(
        f"the index {folder} has no document {printable(repr(doc_id))[:200]}, so nothing was "
        f"changed; `halgo index --store {folder} --list` shows those that it has",
        doc_id,
    )


def _all(segment: Segment) -> Rows:
    return np.arange(segment.documents, dtype=np.int64)


def _runs(sequence: Iterable[tuple[Segment, int]]) -> Iterator[tuple[Segment, Rows]]:
    """Documents one after the other -> runs of those that are in one segment, ascending."""
    segment: Segment | None = None
    numbers: list[int] = []
    for one, at in sequence:
        if segment is not None and (one is not segment or at < numbers[-1]):
            yield segment, np.array(numbers, dtype=np.int64)
            numbers = []
        segment = one
        numbers.append(at)
    if segment is not None:
        yield segment, np.array(numbers, dtype=np.int64)


def _sweep(folder: Path, kept: Manifest) -> None:
    """Removes files of states before and of writers that did not come to their end."""
    for path in folder.iterdir():
        if _OURS.fullmatch(path.name) and path.name not in kept.files:
            with contextlib.suppress(OSError):  # Windows keeps what somebody has mapped
                path.unlink()
