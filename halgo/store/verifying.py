"""Every byte of an index in a folder, looked at: what opening it takes on trust.

A file's name is the digest of what was written, so damage is noticed wherever it is. A digest
keeps no one from writing an index of their own: each number is looked at as well, so that what is
said to be whole can be searched without an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from halgo.errors import ConfigError, IndexFormatError
from halgo.evidence.columns import Strings, Table
from halgo.evidence.files import inside, require_chunks, require_places, require_units
from halgo.evidence.index import digest_over, document_digest
from halgo.evidence.postings import require_postings
from halgo.evidence.vocabulary import hashed
from halgo.store.container import digest_of_file
from halgo.store.manifest import NAME
from halgo.store.opening import State, opened
from halgo.store.segment import Segment
from halgo.types import Facts, Sentence

_WRONG = (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError)


@dataclass(frozen=True, slots=True)
class Verified:
    """What an index holds, and what of it is not as it was written.

    size: the bytes of its files.
    """

    documents: int
    passages: int
    characters: int
    size: int
    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether everything is as it was written."""
        return not self.problems


def verify(folder: str | Path) -> Verified:
    """Reads the state that the folder has now, whole; writers may go on meanwhile.

    Raises IndexFormatError for what cannot even be opened.
    """
    folder = Path(folder)
    state = opened(folder)
    problems = [*_problems(folder, state)]
    told = state.manifest
    return Verified(
        documents=sum(one.documents for one in told.segments),
        passages=sum(one.passages for one in told.segments),
        characters=sum(one.characters for one in state.segments),
        size=(folder / NAME).stat().st_size + sum(told.files.values()),
        problems=tuple(problems),
    )


def _problems(folder: Path, state: State) -> Iterator[str]:
    told = state.manifest
    good = True
    for entry, segment in zip(told.segments, state.segments, strict=True):
        for name in filter(None, (entry.file, entry.graph)):
            mapped = segment if name == entry.file else None
            if _digest(folder / name, mapped) != name.partition(".")[0]:
                good = False
                yield f"{folder / name} is damaged: its contents are not what was written"
    if not good:
        return
    for entry, segment in zip(told.segments, state.segments, strict=True):
        try:
            _look_through(segment, told.dim)
        except (*_WRONG, ConfigError, IndexFormatError) as error:
            good = False
            yield f"{folder / entry.file} makes no sense: {error!s:.200}"
    digests = (digest for segment in state.segments for digest in segment.digests())
    settings = told.sentences_per_chunk, told.sentence_overlap, told.embedder, told.dim
    if good and digest_over(digests, *settings) != told.digest:
        yield f"{folder} does not hold the documents that its index.json says"
    ids = [doc_id for segment in state.segments for doc_id in segment.ids] if good else []
    if len(set(ids)) != len(ids):
        yield f"{folder} has two documents of one id"


def _digest(path: Path, segment: Segment | None) -> str:
    """The digest of a file; of a segment of what is mapped, for its name may be gone by now."""
    if segment is not None:
        return segment.digest()
    try:
        return digest_of_file(path)
    except FileNotFoundError:  # a writer has taken it away meanwhile: there is a newer state
        return path.name.partition(".")[0]


def _look_through(segment: Segment, dim: int) -> None:
    """Raises one of `_WRONG` unless everything in the segment fits together."""
    count, passages, sentences = segment.documents, segment.passages, segment.sentences
    documents = [segment.document(at) for at in range(count)]
    ids = [one.id for one in documents]
    _require(sorted(segment.array("documents/order").tolist()) == list(range(count)), "its ids")
    hashes = [hashed(ids[at]) for at in segment.array("documents/order").tolist()]
    _require(hashes == segment.array("documents/hashes").tolist() == sorted(hashes), "its ids")
    _require(segment.digests() == [document_digest(one) for one in documents], "its documents")
    _require(sum(len(one.text) for one in documents) == segment.characters, "its characters")
    strings = Strings.of(segment.under("strings"))
    table, facts = Table(Sentence, strings), Table(Facts, strings)
    table.fill(segment.under("sentences"), sentences)
    facts.fill(segment.under("facts"), segment.facts)
    inside("fact_rows", segment.fact_rows, sentences, segment.facts)
    require_units(segment.array("vectors"), (passages, dim))
    chunks = segment.chunk_table
    require_chunks(chunks, documents, passages, sentences)
    arrays = {
        name: segment.array(name) for name in ("chunks", "fact_rows", "sentences/.reading.text")
    }
    require_places(arrays, documents, table, facts)
    _require_firsts(segment)
    require_postings(segment.under("bm25"), passages)
    for name in ("names", "terms", "amounts", "dates"):
        part = segment.under(f"corpus/{name}")
        held = Strings.of({key: part[key] for key in ("ends", "utf8")}).all
        _require([hashed(one) for one in held] == part["hashes"].tolist(), name)
        _require((part["hashes"][1:] >= part["hashes"][:-1]).all(), name)
    defined, meant = (Strings.of(segment.under(f"corpus/{k}")).all for k in ("defined", "meant"))
    _require(len(defined) == len(meant), "the terms that it defines")
    places = segment.places
    if places is not None:
        there = places[places >= 0]
        _require(len(set(there.tolist())) == len(there), "its graph")
        _require(places.ndim == 1 and (places >= -1).all() and (places < passages).all(), "graph")


def _require_firsts(segment: Segment) -> None:
    """Raises ValueError unless each document begins where its chunks and sentences do."""
    table, count = segment.chunk_table, segment.documents
    rows = np.searchsorted(table[:, 0], np.arange(count + 1))
    _require(np.array_equal(segment.first_chunks, rows), "where its documents begin")
    firsts = segment.first_sentences
    _require(firsts[0] == 0 and firsts[-1] == segment.sentences, "its sentences")
    _require(len(firsts) == count + 1 and (np.diff(firsts) >= 0).all(), "its sentences")
    within = (table[:, 3] >= firsts[table[:, 0]]) & (table[:, 4] <= firsts[table[:, 0] + 1])
    _require(within.all(), "sentences of another document")


def _require(true: object, what: str) -> None:
    if not true:
        raise ValueError(f"it does not fit together: {what}")
