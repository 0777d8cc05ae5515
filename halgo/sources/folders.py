"""Files and folders -> Documents, one after the other, read by one process or by several.

The order, the documents and the warnings are the same however many processes read; a file that
another one equals byte for byte is read once.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from halgo import disk
from halgo.errors import DocumentError
from halgo.progress import READ, Meter, OnProgress, pages_of
from halgo.sources.documents import unique
from halgo.sources.readers import LARGEST_BYTES, OTHER_KINDS, READERS, as_shown, quoted, read_file
from halgo.types import Document
from halgo.workers import Workers, packed, remade, running, told, unpacked

# Kinds that take long to read; what others take is little beside sending it to another process.
_SLOW = (
    *(".pdf", ".docx", ".xlsx", ".ods", ".pptx", ".odt", ".odp", ".epub"),
    *(".html", ".htm", ".xhtml"),
)
# Less is read before another process has started.
_WORTH_SHARING = 300_000  # bytes

# Hidden files, and those that Office keeps beside a document that is open.
_UNSEEN = (".", "~$")

_TASK = "halgo.sources.folders:read_task"

Read = tuple[Document | None, list[str]]


@dataclass(frozen=True, slots=True)
class _Found:
    """A file to be read, or something to be said. folder: the one that the file was found in.

    twin: an earlier file of the same bytes. ends: of this folder there is no more. named: by
    itself, in whatever place. again: it came before.
    """

    path: Path
    folder: Path | None = None
    said: str = ""
    ends: bool = False
    size: int = 0
    twin: Path | None = None
    named: bool = False
    again: bool = False

    @property
    def slow(self) -> bool:
        return self.path.suffix.lower() in _SLOW

    @property
    def is_file(self) -> bool:
        return not self.said and not self.ends and not self.again


def read_files(
    paths: str | Path | Sequence[str | Path],
    *,
    progress: OnProgress | None = None,
    jobs: int | Workers = 1,
) -> tuple[list[Document], list[str]]:
    """The documents in files and folders, in the order given, and warnings.

    Folders are read to any depth, in order of name; hidden files are passed over, and files of an
    unknown or unreadable kind left out with a warning, as are links to folders. A Document's id
    and source are its path as it is; messages show it made safe to print. progress: told how far
    it is. jobs: how many processes, or those that are running already.
    Raises DocumentError when a file that was named is missing, unreadable, no regular file, not
    text or larger than LARGEST_BYTES, or a folder that was named cannot be listed;
    UnsupportedFormatError when its kind is unknown, MissingDependencyError when it takes an extra,
    WorkerError when one of several processes dies.
    """
    documents: list[Document] = []
    warnings: list[str] = []
    for document, found in documents_in(paths, progress=progress, jobs=jobs):
        if document is not None:
            documents.append(document)
        warnings += found
    documents, found = unique(documents)
    return documents, warnings + found


def documents_in(
    paths: str | Path | Sequence[str | Path],
    *,
    progress: OnProgress | None = None,
    jobs: int | Workers = 1,
) -> Iterator[Read]:
    """Each document as it is read and the warnings about it; warnings about none, with None.

    As `read_files` says, which has them all at once, and ids that are used twice told apart.
    """
    found = list(_with_twins(_once(_listed(_given(paths)))))
    sizes = [one.size for one in found]
    meter = Meter(progress, READ, sum(sizes))
    alone = sum(map(bool, sizes)) == 1
    with running(jobs) as workers:
        away = _away(found, workers)
        replies = workers.map((_TASK, packed(str(one.path))) for one in away)
        sent = {id(one) for one in away}
        before: dict[Path, Document] = {}  # those that a later file equals
        twins = {one.twin for one in found}
        here = 0  # documents of the folder
        for one in found:
            if not one.is_file:
                here += one.again and one.folder is not None
                if one.ends and not here:
                    empty = f"folder {as_shown(one.path)} holds no file that can be read"
                    yield None, [empty]
                elif one.said:
                    yield None, [one.said]
                here = 0 if one.ends else here
                continue
            turned = _Turned(meter, one.size, alone)
            try:
                if one.twin in before:
                    like = before[one.twin]
                    document = replace(like, id=str(one.path), source=str(one.path))
                    warnings: list[str] = []
                elif id(one) in sent:
                    document, warnings = _answered(next(replies))
                else:
                    warnings = []
                    document = read_file(one.path, warnings, turned.page)
            except DocumentError as error:
                if one.named:
                    raise
                turned.rest(0)
                yield None, [f"{as_shown(one.path)} was left out: {error}"]
                continue
            if one.path in twins and not warnings:  # a warning names its file
                before[one.path] = document
            here += one.folder is not None
            turned.rest(pages_of(document))
            yield document, warnings
    meter.finish()


class _Turned:
    """Tells the meter of the pages of one file."""

    def __init__(self, meter: Meter, size: int, alone: bool) -> None:
        self._meter, self._size, self._alone = meter, size, alone
        self._told, self._pages = 0.0, 0

    def page(self, pages: int) -> None:
        """One more page of so many is read."""
        if self._alone:
            self._meter.of_pages = pages
        self._pages += 1
        self._told += self._size / pages
        self._meter.advance(self._size / pages, 1)

    def rest(self, pages: int) -> None:
        """The file is read, and has so many pages."""
        self._meter.advance(max(0.0, self._size - self._told), max(0, pages - self._pages))


def _given(paths: Any) -> list[Any]:
    if isinstance(paths, bytes) or not isinstance(paths, (str, os.PathLike, Iterable)):
        raise TypeError(f"paths must be a path or a list of paths, not {paths!r:.80}")
    return [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)


def _listed(given: Sequence[Any]) -> Iterator[_Found]:
    """The files that were named or stand in folders, and what is to be said of others, in order."""
    for path in given:
        if not isinstance(path, (str, os.PathLike)):
            raise TypeError(f"a path must be a string or a Path, not {type(path).__name__}")
        if not str(path).strip() or "\0" in str(path):
            raise DocumentError(f"not a path: {quoted(str(path))}", str(path))
        place = Path(path)
        try:
            folder = place.is_dir()
        except OSError as error:  # a name longer than the system allows
            raise DocumentError(f"{as_shown(place)}: {error.strerror}", str(place)) from error
        if folder:
            yield from _inside(place)
        else:
            yield _Found(place, size=_size(place), named=True)


def _inside(folder: Path) -> Iterator[_Found]:
    warnings: list[str] = []
    for path in files_in(folder, warnings):
        yield from (_Found(folder, folder, said) for said in warnings)
        warnings.clear()
        if path.suffix.lower() in READERS:
            yield _Found(path, folder, size=_size(path))
        else:
            remedy = OTHER_KINDS.get(path.suffix.lower())
            said = remedy or f"files of kind {quoted(path.suffix)} are not read"
            said = f"{as_shown(path)} was left out: {said}"
            yield _Found(path, folder, said)
    yield from (_Found(folder, folder, said) for said in warnings)
    yield _Found(folder, folder, ends=True)


def _once(found: Iterable[_Found]) -> Iterator[_Found]:
    """The same, each file but where it comes first marked as such, in whatever spelling."""
    found = list(found)
    # Links are not followed: one is a file of its own.
    places = [os.path.abspath(one.path) for one in found]  # noqa: PTH100
    named = {place for place, one in zip(places, found, strict=True) if one.named}
    seen: set[str] = set()
    for place, one in zip(places, found, strict=True):
        if not one.is_file:
            yield one
            continue
        again = place in seen
        seen.add(place)
        yield replace(one, named=place in named, again=again, size=0 if again else one.size)


def _with_twins(found: Iterable[_Found]) -> Iterator[_Found]:
    """The same, each slow file that an earlier one equals byte for byte told of it."""
    found = list(found)
    slow = [one for one in found if one.is_file and one.slow and one.size]
    often = Counter((one.size, one.path.suffix.lower()) for one in slow)
    first: dict[tuple[bytes, str], Path] = {}
    for one in found:
        suffix = one.path.suffix.lower()
        if one.is_file and one.slow and often[one.size, suffix] > 1:
            try:
                digest = hashlib.sha256(disk.read(one.path, LARGEST_BYTES)).digest()
            except (OSError, ValueError):  # reading it will say what is wrong
                yield one
                continue
            twin = first.setdefault((digest, suffix), one.path)
            yield one if twin == one.path else replace(one, twin=twin)
        else:
            yield one


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except (OSError, ValueError):
        return 0


def _away(found: Sequence[_Found], workers: Workers) -> list[_Found]:
    """The files that other processes read."""
    slow = [one for one in found if one.is_file and one.slow and one.twin is None]
    enough = len(slow) > 1 and sum(one.size for one in slow) >= _WORTH_SHARING
    return slow if workers.several and enough else []


def read_task(payload: bytes) -> bytes:
    """What a worker process does with a path: its document and warnings, or why there is none."""
    warnings: list[str] = []
    try:
        document = read_file(Path(unpacked(payload)), warnings)
    except DocumentError as error:
        return b"-" + packed(told(error))
    fields = [document.id, document.text, document.source, dict(document.metadata)]
    return b"+" + packed([fields, warnings])


def _answered(reply: bytes) -> tuple[Document, list[str]]:
    if reply[:1] == b"-":
        raise remade(unpacked(reply[1:]))
    fields, warnings = unpacked(reply[1:])
    return Document(*fields), warnings


def files_in(folder: Path, warnings: list[str]) -> Iterator[Path]:
    """The files of a folder in order of name, then those of each folder in it, hidden ones not.

    A folder that cannot be listed, or is a link, which may lead round in a circle, is left out
    with a warning. Raises DocumentError when `folder` itself cannot be listed.
    """
    left = [str(folder)]  # as text: of a deep one, a Path takes longer to make
    top = True
    while left:
        here = left.pop()
        try:
            with os.scandir(here) as entries:
                found = sorted((entry.name, entry.path, _kind(entry)) for entry in entries)
        except OSError as error:
            what = f"cannot be listed: {error.strerror or error}"
            if top:
                raise DocumentError(f"folder {as_shown(folder)} {what}", str(folder)) from error
            warnings.append(f"folder {as_shown(Path(here))} was left out: it {what}")
            continue
        top = False
        seen = [(path, kind) for name, path, kind in found if not name.startswith(_UNSEEN)]
        yield from (Path(path) for path, kind in seen if kind == "file")
        for path, kind in seen:
            if kind == "link":
                what = "links to folders are not followed; name it to have it read"
                warnings.append(f"{as_shown(Path(path))} was left out: {what}")
        left += (path for path, kind in reversed(seen) if kind == "folder")


def _kind(entry: os.DirEntry[str]) -> str:
    """What an entry is: "folder", "link" for a link to one, "file" for all else."""
    try:
        if entry.is_dir():
            return "link" if entry.is_symlink() else "folder"
    except OSError:  # reading it as a file will say what is wrong
        pass
    return "file"
