"""Named indexes that clients make, change and delete; and those of a request's own documents.

An index is never changed: a changed document makes a new one, which takes the old one's place for
the requests that come after, and in which nothing that stayed the same is embedded again. One that
was named on the command line is changed on the disk alone, and read again once it was.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from halgo.checker import Checker
from halgo.config import Config
from halgo.halgorithm import Halgorithm
from halgo.server.limits import Limits
from halgo.server.offsets import Offsets
from halgo.server.refusals import Refused
from halgo.store import manifest
from halgo.types import Document

DEFAULT = "default"
OF_TAB = "page-"  # as the page names the index of the documents dropped on it
NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"
# Indexes of requests' own documents that are kept: a client that asks again embeds nothing.
_KEPT = 8


@dataclass(frozen=True, eq=False)
class Corpus:
    """A Checker, and how its documents' characters count elsewhere."""

    checker: Checker
    _offsets: dict[str, Offsets] = field(default_factory=dict)

    def offsets(self, doc_id: str) -> Offsets:
        """The offsets of one document; made when first asked for. Raises KeyError."""
        if doc_id not in self._offsets:
            document = next(one for one in self.documents if one.id == doc_id)
            self._offsets[doc_id] = Offsets(document.text)
        return self._offsets[doc_id]

    @property
    def documents(self) -> Sequence[Document]:
        """The documents, in order."""
        return self.checker.index.documents

    def with_own(self, own: Corpus) -> Corpus:
        """These documents and a request's own, for that request alone."""
        return Corpus(self.checker.joined(own.checker)) if own.documents else self

    def with_config(self, config: Config) -> Corpus:
        """The same documents with other settings."""
        return Corpus(self.checker.with_config(config), self._offsets)

    def to_dict(self, name: str, *, documents: bool = False) -> dict[str, Any]:
        """Plain values; `documents`: each of them too, without its text."""
        index = self.checker.index
        plain: dict[str, Any] = {
            "name": name,
            "documents": len(index.documents),
            "chunks": len(index.chunks),
            "characters": sum(len(document.text) for document in index.documents),
            "digest": index.digest,
            "warnings": list(self.checker.warnings),
        }
        if documents:
            plain["contents"] = [
                {
                    "id": document.id,
                    "source": document.source,
                    "kind": document.kind.value,
                    "revision": document.revision,
                    "characters": len(document.text),
                }
                for document in index.documents
            ]
        return plain


@dataclass(frozen=True, eq=False)
class Change:
    """An index as it is now, and the ids of the documents that came, took a place, or went."""

    corpus: Corpus
    added: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    def to_dict(self, name: str) -> dict[str, Any]:
        """Plain values."""
        ids = {kind: list(getattr(self, kind)) for kind in ("added", "replaced", "removed")}
        return {**self.corpus.to_dict(name), **ids}


# When and where a file was last written: modified, bytes, number on its disk.
_Stamp = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class _Stored:
    """The file or folder that an index was read from, and how that stood then."""

    path: Path
    stamp: _Stamp | None

    def now(self) -> _Stamp | None:
        """How it stands now; None where it is gone."""
        folder = self.path.is_dir()
        try:
            seen = (self.path / manifest.NAME if folder else self.path).stat()
        except OSError:
            return None
        return seen.st_mtime_ns, seen.st_size, seen.st_ino


class Corpora:
    """The indexes of a server, by name.

    `get`, `names`, `changed` and `refresh` are for any thread, the rest for one.
    """

    def __init__(self, halgorithm: Halgorithm, limits: Limits) -> None:
        self.halgorithm, self.limits = halgorithm, limits
        self._named: OrderedDict[str, Corpus] = OrderedDict()  # the last used last
        self._own: OrderedDict[str, Corpus] = OrderedDict()
        self._stored: dict[str, _Stored] = {}  # those that are kept on the disk
        self._same: dict[str, str] = {}  # a second name of an index -> its name
        self._lock = threading.Lock()
        self._reading = threading.Lock()

    @property
    def names(self) -> list[str]:
        """The names, in order."""
        with self._lock:
            return sorted((*self._named, *self._same))

    def same_as(self, name: str) -> str | None:
        """The index that this is a second name of; None where it is a name of its own."""
        return self._same.get(name)

    def get(self, name: str) -> Corpus:
        """The index of that name. Raises Refused with the names that there are."""
        with self._lock:
            name = self._same.get(name, name)
            found = self._named.get(name)
            if found is not None:
                self._named.move_to_end(name)
            there = ", ".join(sorted((*self._named, *self._same))) or "none yet"
        if found is None:
            raise Refused(
                "index_not_found",
                f"there is no index of that name; there are: {there}. "
                "POST /v1/indexes makes one, or send the documents with the request.",
            )
        return found

    def add(self, name: str, checker: Checker) -> Corpus:
        """Puts a Checker under a name, whatever was there before."""
        require_name(name)
        corpus = Corpus(checker)
        with self._lock:
            if name not in self._named and len(self._named) >= self.limits.indexes:
                self._forget()
            if name not in self._named and len(self._named) >= self.limits.indexes:
                raise Refused(
                    "too_many_indexes",
                    f"there are {len(self._named)} indexes, which is the most; delete one first",
                )
            self._named[name] = corpus
            self._stored.pop(name, None)
            self._same.pop(name, None)
        return corpus

    def open(self, name: str, path: Path) -> Corpus:
        """Puts the index in a file or a folder under a name. Raises what `from_index` raises."""
        stored = _Stored(path, None)
        stored = replace(stored, stamp=stored.now())  # before it is read, so that no change is lost
        corpus = self.add(name, Checker.from_index(path, halgorithm=self.halgorithm))
        with self._lock:
            self._stored[name] = stored
        return corpus

    def name_too(self, name: str, index: str) -> None:
        """Gives an index a second name."""
        with self._lock:
            self._same[name] = index

    def changed(self, name: str) -> bool:
        """Whether an index on the disk is another than was read: one look at the disk."""
        stored = self._stored.get(self._same.get(name, name))
        return stored is not None and stored.now() not in (None, stored.stamp)

    def refresh(self, name: str) -> None:
        """Reads an index on the disk again where it has changed.

        Raises what `from_index` raises; the index is then as it was, until the next change.
        """
        name = self._same.get(name, name)
        with self._reading:
            stored = self._stored.get(name)
            if stored is None or not self.changed(name):
                return
            read = replace(stored, stamp=stored.now())
            corpus = None
            try:
                corpus = Corpus(Checker.from_index(read.path, halgorithm=self.halgorithm))
            finally:
                with self._lock:
                    if self._stored.get(name) is stored:  # nobody deleted it meanwhile
                        self._stored[name] = read
                        if corpus is not None:
                            self._named[name] = corpus

    def create(
        self, name: str, documents: Sequence[Document], warnings: Iterable[str], *, anew: bool
    ) -> Change:
        """Makes an index; `anew`: it may take the place of another."""
        require_name(name)
        with self._lock:
            before = self._named.get(self._same.get(name, name))
        if before is not None and not anew:
            raise Refused(
                "index_exists",
                "there is an index of that name; PUT replaces it, DELETE removes it",
            )
        self._require_ours(name)
        corpus = self.add(name, self._checker(documents, warnings, before))
        there = {} if before is None else {one.id: None for one in before.documents}
        ids = [one.id for one in corpus.documents]
        return Change(
            corpus,
            tuple(one for one in ids if one not in there),
            tuple(one for one in ids if one in there),
            tuple(one for one in there if one not in set(ids)),
        )

    def put(self, name: str, documents: Sequence[Document], warnings: Iterable[str]) -> Change:
        """Adds documents to an index, those with an id that is there in the place of that one."""
        self._require_ours(name)
        before = self.get(name)
        new = {document.id: document for document in documents}
        given = frozenset(new)
        kept = [new.pop(one.id, one) for one in before.documents]
        change = self.create(name, [*kept, *new.values()], warnings, anew=True)
        return replace(change, replaced=tuple(one for one in change.replaced if one in given))

    def remove(self, name: str, doc_id: str) -> Change:
        """Takes a document out of an index. Raises Refused when it is not there."""
        self._require_ours(name)
        before = self.get(name)
        kept = [one for one in before.documents if one.id != doc_id]
        if len(kept) == len(before.documents):
            raise Refused("document_not_found", "the index has no document of that id")
        return replace(self.create(name, kept, (), anew=True), replaced=())

    def delete(self, name: str) -> None:
        """Takes an index away, or its second name. Raises Refused when it is not there."""
        self.get(name)
        with self._lock:
            if self._same.pop(name, None) is not None:
                return
            self._named.pop(name, None)
            self._stored.pop(name, None)
            self._same = {one: other for one, other in self._same.items() if other != name}

    def _require_ours(self, name: str) -> None:
        """Raises Refused for an index that is kept on the disk: a change here would be lost."""
        if self._same.get(name, name) in self._stored:
            raise Refused(
                "index_on_disk",
                "this index was read from the disk and is changed there: halgo index DOCS --store "
                "FOLDER; the next request sees it. Or make an index of another name.",
            )

    def own(self, documents: Sequence[Document], warnings: Iterable[str]) -> Corpus:
        """The index of a request's own documents; the last few are kept."""
        self.require_bounds(documents)
        key = _digest(documents)
        with self._lock:
            if key in self._own:
                self._own.move_to_end(key)
                return self._own[key]
            last = next(reversed(self._own.values()), None)
        corpus = Corpus(self._checker(documents, warnings, last))
        with self._lock:
            self._own[key] = corpus
            while len(self._own) > _KEPT:
                self._own.popitem(last=False)
        return corpus

    def _forget(self) -> None:
        """Makes room: of the indexes of browser tabs, which nobody deletes, the longest unused."""
        name = next((name for name in self._named if name.startswith(OF_TAB)), None)
        if name is not None:
            del self._named[name]

    def require_bounds(self, documents: Sequence[Document]) -> None:
        """Raises Refused for more documents, or more text, than one index may hold."""
        if len(documents) > self.limits.documents:
            raise Refused(
                "too_many_documents",
                f"{len(documents):,} documents; {self.limits.documents:,} is the most",
            )
        size = sum(len(document.text) for document in documents)
        if size > self.limits.document_characters:
            raise Refused(
                "documents_too_large",
                f"the documents have {size:,} characters; "
                f"{self.limits.document_characters:,} is the most. Make several indexes.",
            )

    def _checker(
        self, documents: Sequence[Document], warnings: Iterable[str], previous: Corpus | None
    ) -> Checker:
        self.require_bounds(documents)
        known = None if previous is None else previous.checker.index
        return Checker.of(self.halgorithm, documents, warnings, known)


def require_name(name: str) -> None:
    """Raises Refused for what is no name of an index."""
    if not re.fullmatch(NAME, name):
        raise Refused(
            "invalid_request",
            "an index's name has 1 to 64 letters, digits, dots, dashes and underscores, "
            "the first a letter or a digit",
        )


def _digest(documents: Sequence[Document]) -> str:
    plain = [(d.id, d.text, d.source, sorted(d.metadata.items())) for d in documents]
    return hashlib.sha256(repr(plain).encode("utf-8", "surrogatepass")).hexdigest()
