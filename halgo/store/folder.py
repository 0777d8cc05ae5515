"""A folder that holds an index: made, opened, changed, looked through."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from halgo.errors import DocumentError, IndexFormatError
from halgo.evidence.index import Index, digest_over, document_digest
from halgo.store import manifest
from halgo.store.changes import Changed, Make, change, no_document
from halgo.store.manifest import Manifest
from halgo.store.opening import opened, require_match
from halgo.store.writerlock import writing
from halgo.types import Document

if TYPE_CHECKING:
    from halgo.protocols import Embedder

WAIT_S = 10.0  # for another writer


def create(folder: str | Path, embedder: Embedder, size: int, overlap: int) -> bool:
    """Makes an empty index in a folder that is not there, or is empty; whether it was made.

    size, overlap: sentences of a passage, and those it shares with the next. An index that is
    there is left as it is. Raises IndexFormatError for a folder with other things in it, so that
    none of them is mistaken for a part of an index; OSError where it cannot be made.
    """
    folder = Path(folder)
    if manifest.is_folder_index(folder):
        return False
    if folder.exists() and not folder.is_dir():
        raise IndexFormatError(f"{folder} is a file; name a folder, which is made if need be")
    if folder.is_dir() and any(one.name != "lock" for one in folder.iterdir()):
        raise IndexFormatError(
            f"{folder} is not empty and holds no index (it has no {manifest.NAME}); name a folder "
            f"that is not there yet, or an empty one"
        )
    folder.mkdir(exist_ok=True)
    with writing(folder, WAIT_S):
        if manifest.is_folder_index(folder):  # another process was quicker
            return False
        digest = digest_over((), size, overlap, embedder.name, embedder.dim)
        empty = Manifest(embedder.name, embedder.dim, size, overlap, digest, 0, ())
        manifest.write(folder, empty)
    return True


class Folder:
    """The writing side of an index in a folder. Threads and processes may share it."""

    def __init__(
        self, folder: str | Path, embedder: Embedder | None, wait_s: float = WAIT_S
    ) -> None:
        """embedder: of what is put in; None where documents are only taken out.

        Raises IndexFormatError and IndexMismatchError as `open_index` does.
        """
        self.folder, self.wait_s = Path(folder), wait_s
        self.embedder = embedder
        self.manifest()

    def manifest(self) -> Manifest:
        """The state that the folder has now."""
        try:
            told = manifest.read(self.folder)
        except FileNotFoundError:
            raise manifest.nowhere(self.folder) from None
        require_match(self.folder, told, self.embedder)
        return told

    def put(
        self, make: Make, documents: Iterable[Document] = (), remove: Collection[str] = ()
    ) -> Changed:
        """Adds documents, or replaces those of their ids, and removes others: all or nothing."""
        with writing(self.folder, self.wait_s):
            return change(self.folder, make, documents, remove)

    def add(self, make: Make, documents: Iterable[Document]) -> Changed:
        """Adds documents. Raises DocumentError for one whose id is there already."""

        def new() -> Iterable[Document]:
            for document in documents:
                if document.id in there:
                    raise DocumentError(
                        f"the index {self.folder} has a document {document.id!r:.200} already, so "
                        f"nothing was changed; replace it, or give this one another id",
                        document.source,
                    )
                yield document

        with writing(self.folder, self.wait_s):
            there = _Ids(self.folder)
            return change(self.folder, make, new())

    def replace(self, make: Make, documents: Iterable[Document]) -> Changed:
        """Puts documents in the place of those of their ids. Raises DocumentError without one."""

        def known() -> Iterable[Document]:
            for document in documents:
                if document.id not in there:
                    raise no_document(self.folder, document.id)
                yield document

        with writing(self.folder, self.wait_s):
            there = _Ids(self.folder)
            return change(self.folder, make, known())

    def remove(self, ids: Collection[str]) -> Changed:
        """Takes documents out. Raises DocumentError for one that is not there: then all stay."""
        with writing(self.folder, self.wait_s):
            return change(self.folder, _makes_nothing, remove=ids)

    def changed(self, documents: Iterable[Document]) -> list[Document]:
        """Those of the documents that are not there as they are."""
        there = _Ids(self.folder)
        return [one for one in documents if there.digest(one.id) != document_digest(one)]

    def size(self) -> int:
        """How many bytes the files of the state that it has now take."""
        told = self.manifest()
        return (self.folder / manifest.NAME).stat().st_size + sum(told.files.values())


class _Ids:
    """The ids of the documents that a folder has now."""

    def __init__(self, folder: Path) -> None:
        self._segments = opened(folder).segments

    def __contains__(self, doc_id: str) -> bool:
        return self.digest(doc_id) is not None

    def digest(self, doc_id: str) -> bytes | None:
        """The digest of the document of that id; None where there is none."""
        for segment in self._segments:
            at = segment.find(doc_id)
            if at is not None:
                return segment.digest_of(at)
        return None


def _makes_nothing(documents: Sequence[Document]) -> Index:
    raise AssertionError("a removal reads no document")
