"""A folder -> an Index: its segments mapped into memory, and nothing of them read.

Who has opened a state keeps it: a writer makes new files and takes the names of old ones away,
and what is mapped stays as long as somebody reads it.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from halgo import disk
from halgo.errors import IndexFormatError, IndexMismatchError
from halgo.evidence import files
from halgo.evidence.bm25 import Bm25
from halgo.evidence.dense import Part, Segmented
from halgo.evidence.index import Index
from halgo.store import manifest, sequences
from halgo.store.container import Mapped, damaged
from halgo.store.manifest import Entry, Manifest
from halgo.store.segment import Segment

if TYPE_CHECKING:
    from halgo.protocols import Embedder

# A writer may take files away between the reading of a state and the opening of its files. So many
# changes in a row while one opens them are no chance.
_ATTEMPTS = 50


@dataclass(frozen=True, slots=True)
class State:
    """One state of an index in a folder: its manifest, its segments, and their graphs."""

    manifest: Manifest
    segments: tuple[Segment, ...]
    graphs: tuple[memoryview | None, ...]


def load(path: str | Path, embedder: Embedder | None = None, *, exact: bool = False) -> Index:
    """The index at `path`, a file or a folder; raises what `files.load` and `open_index` raise."""
    if Path(path).is_dir():
        return open_index(path, embedder, exact=exact)
    return files.load(path, embedder)


def open_index(
    folder: str | Path, embedder: Embedder | None = None, *, exact: bool = False
) -> Index:
    """The index in a folder, in the state that it has now; later changes do not touch it.

    exact: whether every vector is compared even where approximate search would be used. Raises
    IndexFormatError where there is no index, or one that is damaged or of another version, as far
    as its manifest and the tables and sizes of its files show; `verify` looks at everything.
    IndexMismatchError when another embedder than `embedder` made its vectors.
    """
    folder = Path(folder)
    state = opened(folder)
    require_match(folder, state.manifest, embedder)
    return index_of(state, exact=exact)


def opened(folder: Path) -> State:
    """The state that the folder has now."""
    before: Manifest | None = None
    for _ in range(_ATTEMPTS):
        try:
            told = manifest.read(folder)
        except FileNotFoundError:
            raise manifest.nowhere(folder) from None
        try:
            segments = tuple(Segment(Mapped(folder / one.file, one.size)) for one in told.segments)
            graphs = tuple(_graph(folder, one) for one in told.segments)
            _require_counts(folder, told, segments)
            return State(told, segments, graphs)
        except FileNotFoundError as error:
            missing = Path(error.filename or folder)
            if told == before:  # nobody changed anything meanwhile: it is gone
                raise damaged(missing, "it is missing") from None
            before = told
        except OSError as error:
            raise damaged(Path(error.filename or folder), str(error.strerror or error)) from error
        except (ValueError, TypeError, OverflowError) as error:
            raise damaged(folder, f"a segment makes no sense ({error!s:.100})") from error
    raise IndexFormatError(f"{folder} was changed {_ATTEMPTS} times while it was opened; try again")


def index_of(state: State, *, exact: bool = False) -> Index:
    """The index of a state."""
    told, segments = state.manifest, state.segments
    parts = [
        Part(
            segment.array("vectors"),
            None if exact else graph,
            segment.places if graph is not None and not exact else None,
        )
        for segment, graph in zip(segments, state.graphs, strict=True)
    ]
    return Index(
        documents=sequences.documents_of(segments),
        sentences=sequences.sentences_of(segments),
        chunks=sequences.chunks_of(segments),
        sentence_facts=sequences.facts_of(segments),
        fact_rows=cast("Any", sequences.FactRows(segments)),
        vectors=cast("Any", sequences.Vectors(segments, told.dim)),
        bm25=Bm25([segment.under("bm25") for segment in segments]),
        corpus=sequences.corpus_of(segments),
        embedder=told.embedder,
        dim=told.dim,
        sentences_per_chunk=told.sentences_per_chunk,
        sentence_overlap=told.sentence_overlap,
        digest=told.digest,
        places=sequences.Places(segments),
        dense=Segmented(parts),
    )


def require_match(folder: Path, told: Manifest, embedder: Embedder | None) -> None:
    """Raises IndexMismatchError unless this embedder made the vectors."""
    if embedder is None:
        return
    if embedder.name != told.embedder:
        raise IndexMismatchError(
            f"{folder} was made with the embedder {told.embedder!r}, not {embedder.name!r}: their "
            f"vectors cannot be compared. Use {told.embedder!r}, or index the documents again."
        )
    if embedder.dim != told.dim:
        raise IndexMismatchError(
            f"{folder} holds vectors of width {told.dim}, but {embedder.name!r} makes "
            f"{embedder.dim}. Index the documents again."
        )


def _graph(folder: Path, entry: Entry) -> memoryview | None:
    if not entry.graph:
        return None
    path = folder / entry.graph
    with disk.opened(path) as stream:
        size = os.fstat(stream.fileno()).st_size
        if size != entry.graph_size or not size:
            raise damaged(path, f"it has {size:,} bytes, and {entry.graph_size:,} were written")
        return memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))


def _require_counts(folder: Path, told: Manifest, segments: Sequence[Segment]) -> None:
    """Raises IndexFormatError where a segment holds other than the manifest says."""
    for entry, segment in zip(told.segments, segments, strict=True):
        counts = (segment.documents, segment.passages)
        shape = segment.array("vectors").shape
        if counts != (entry.documents, entry.passages) or shape != (entry.passages, told.dim):
            raise damaged(folder / entry.file, "it holds other than the index says")
