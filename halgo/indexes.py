"""Index: documents in a folder on disk that come, change and go; opened in a moment, however many.

`Checker.save` writes an index once, to a file that is read whole. This one is for more than that:
it is changed document by document, several processes read it while one writes, and what is read of
it is what a check asks for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from halgo.checker import Checker
from halgo.config import Config
from halgo.halgorithm import Halgorithm
from halgo.types import Document

if TYPE_CHECKING:
    from halgo.evidence.index import Index as Opened
    from halgo.progress import OnProgress
    from halgo.store.changes import Changed
    from halgo.store.manifest import Manifest
    from halgo.store.verifying import Verified
    from halgo.workers import Workers

# Files are read so many characters at a time, and then indexed: their texts are in memory.
_AT_ONCE = 200_000_000

Given = str | Document | Mapping[str, Any]


def open_index(
    path: str | Path,
    *,
    create: bool = False,
    config: Config | None = None,
    halgorithm: Halgorithm | None = None,
    wait_s: float = 10.0,
) -> Index:
    """The index in the folder `path`.

    create: make an empty one where there is none; `config` then says how documents are cut into
    passages, which stays so. wait_s: how long a change waits for another process's change. Raises
    IndexFormatError where there is no index, or a damaged one; IndexMismatchError for one of
    another embedder; OSError for a folder that cannot be made or read.
    """
    from halgo.store.folder import create as made

    if halgorithm is None:
        from halgo.api import shared

        halgorithm = shared() if config is None else Halgorithm(config)
    elif config is not None:
        raise ValueError("give either config or halgorithm; a Halgorithm has its own config")
    if create:
        settings = halgorithm.config
        size, overlap = settings.sentences_per_chunk, settings.sentence_overlap
        made(path, halgorithm.embedder, size, overlap)
    return Index(path, halgorithm, wait_s)


@dataclass(frozen=True, slots=True)
class IndexChange:
    """What a change did: how many documents it added, replaced, removed or found unchanged."""

    added: int
    replaced: int
    removed: int
    unchanged: int
    warnings: tuple[str, ...] = ()


class Index:
    """An index in a folder, made by `open_index`. Threads and processes may share it.

    Each change is there as a whole or not at all, and reads no document but those that it is given.
    Checkers made before it keep the state that they were made of.
    """

    def __init__(self, path: str | Path, halgorithm: Halgorithm, wait_s: float = 10.0) -> None:
        from halgo.store.folder import Folder

        self.path, self.halgorithm = Path(path), halgorithm
        self._folder = Folder(self.path, halgorithm.embedder, wait_s)

    # -- reading --------------------------------------------------------------------------------

    def checker(self, config: Config | None = None, *, exact: bool = False) -> Checker:
        """A Checker of the documents that are in the index now.

        exact: whether every vector is compared, also where search would be approximate.
        """
        return Checker(self.halgorithm, self._opened(exact=exact), config=config)

    @property
    def documents(self) -> Sequence[Document]:
        """The documents that are in it now, in order, each read when it is asked for."""
        return self._opened().documents

    @property
    def state(self) -> int:
        """How many changes there have been; it goes up with every one."""
        return self._folder.manifest().state

    def size(self) -> int:
        """How many bytes its files take."""
        return self._folder.size()

    def __len__(self) -> int:
        return sum(one.documents for one in self._folder.manifest().segments)

    def __contains__(self, doc_id: object) -> bool:
        return doc_id in self._opened().places

    def __getitem__(self, doc_id: str) -> Document:
        """The document of that id. Raises KeyError."""
        opened = self._opened()
        return opened.documents[opened.places[doc_id].number]

    def verify(self) -> Verified:
        """Reads every byte of the index, and says what is not as it was written."""
        from halgo.store.verifying import verify

        return verify(self.path)

    # -- changing -------------------------------------------------------------------------------

    def add(
        self,
        documents: Given | Iterable[Given],
        *,
        progress: OnProgress | None = None,
        jobs: int = 1,
    ) -> IndexChange:
        """Adds documents, each with an id of its own, behind those that are there.

        documents: `Document`s, or dicts with `id` and `text` (see `from_docs`), one or many, also
        from a generator. Raises DocumentError for an id that is there, TypeError for a document
        without one, IndexLockedError when another process goes on changing the index.
        """
        return self._change("add", documents, progress, jobs)

    def replace(
        self, document: Given, *, progress: OnProgress | None = None, jobs: int = 1
    ) -> IndexChange:
        """Puts a document in the place of the one of its id. Raises DocumentError without one."""
        return self._change("replace", document, progress, jobs)

    def put(
        self,
        documents: Given | Iterable[Given],
        *,
        progress: OnProgress | None = None,
        jobs: int = 1,
    ) -> IndexChange:
        """Adds those that are new and replaces those of the same id; what is unchanged stays."""
        return self._change("put", documents, progress, jobs)

    def remove(self, *ids: str) -> IndexChange:
        """Takes documents out. Raises DocumentError for one that is not there: then all stay."""
        return _told(self._folder.remove(ids))

    def put_files(
        self,
        paths: str | Path | Sequence[str | Path],
        *,
        progress: OnProgress | None = None,
        jobs: int = 1,
    ) -> IndexChange:
        """`put` for files and folders, whose paths are the ids of their documents.

        Many are put in by lots, each a change of its own: interrupted, what is in stays in, and
        the same call goes on from there. Raises DocumentError naming a file it cannot read.
        """
        from halgo.evidence.build import meter_of
        from halgo.store.changes import Changed, batches
        from halgo.workers import running

        found, warnings = Changed(), list[str]()
        with running(jobs) as workers:
            for load in _loads(_read(paths, warnings, progress, workers)):
                found += Changed(unchanged=len(load) - len(new := self._folder.changed(load)))
                meter = meter_of(new, progress)
                for batch in batches(new):
                    found += self._folder.put(self._make(meter, workers), batch)
                if new:
                    meter.finish()
        return _told(found, warnings)

    def _change(
        self,
        how: str,
        given: Given | Iterable[Given],
        progress: OnProgress | None,
        jobs: int,
    ) -> IndexChange:
        from halgo.workers import running

        warnings: list[str] = []
        with running(jobs) as workers:
            make = self._make(progress, workers)
            change = getattr(self._folder, how)
            return _told(change(make, _documents(given, warnings)), warnings)

    def _make(self, progress: Any, jobs: Any) -> Any:
        from halgo.evidence.build import build_index

        told: Manifest = self._folder.manifest()
        config = Config(
            sentences_per_chunk=told.sentences_per_chunk, sentence_overlap=told.sentence_overlap
        )
        embedder = self.halgorithm.embedder

        def make(documents: Sequence[Document]) -> Opened:
            return build_index(documents, embedder, config, progress=progress, jobs=jobs)

        return make

    def _opened(self, *, exact: bool = False) -> Opened:
        from halgo.store.opening import open_index as opened

        return opened(self.path, self.halgorithm.embedder, exact=exact)


def _told(changed: Changed, warnings: Iterable[str] = ()) -> IndexChange:
    counts = changed.added, changed.replaced, changed.removed, changed.unchanged
    return IndexChange(*counts, tuple(warnings))


def _documents(given: Given | Iterable[Given], warnings: list[str]) -> Iterator[Document]:
    """The documents that were given, one after the other, each with the id that it was given."""
    from halgo.sources.documents import has_id, to_documents

    if isinstance(given, (str, bytes, Document, Mapping)):
        given = [given]
    for position, one in enumerate(given, start=1):
        if not isinstance(one, Document) and not (isinstance(one, Mapping) and has_id(one)):
            raise TypeError(
                f"document {position} has no id, by which it could be replaced or removed; give "
                f'{{"id": ..., "text": ...}} or a Document, not {type(one).__name__}: {one!r:.80}'
            )
        documents, found = to_documents([one])
        warnings += found
        yield from documents


def _read(
    paths: str | Path | Sequence[str | Path],
    warnings: list[str],
    progress: OnProgress | None,
    jobs: int | Workers,
) -> Iterator[Document]:
    from halgo.sources.documents import empty
    from halgo.sources.folders import documents_in

    for document, found in documents_in(paths, progress=progress, jobs=jobs):
        warnings += found
        if document is not None:
            warnings += empty(document)
            yield document


def _loads(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """The documents in lots whose texts are in memory together."""
    load: list[Document] = []
    size = 0
    for document in documents:
        load.append(document)
        size += len(document.text)
        if size >= _AT_ONCE:
            yield load
            load, size = [], 0
    if load:
        yield load
