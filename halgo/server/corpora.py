"""Named indexes that clients make, change and delete; and those of a request's own documents.

An index is never changed: a changed document makes a new one, which takes the old one's place for
the requests that come after, and in which nothing that stayed the same is embedded again.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from halgo.checker import Checker
from halgo.config import Config
from halgo.halgorithm import Halgorithm
from halgo.server.limits import Limits
from halgo.server.offsets import Offsets
from halgo.server.refusals import Refused
from halgo.sources.documents import to_documents
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


class Corpora:
    """The indexes of a server, by name. `get` and `names` are for any thread, the rest for one."""

    def __init__(self, halgorithm: Halgorithm, limits: Limits) -> None:
        self.halgorithm, self.limits = halgorithm, limits
        self._named: OrderedDict[str, Corpus] = OrderedDict()  # the last used last
        self._own: OrderedDict[str, Corpus] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def names(self) -> list[str]:
        """The names, in order."""
        with self._lock:
            return sorted(self._named)

    def get(self, name: str) -> Corpus:
        """The index of that name. Raises Refused with the names that there are."""
        with self._lock:
            found = self._named.get(name)
            if found is not None:
                self._named.move_to_end(name)
            there = ", ".join(sorted(self._named)) or "none yet"
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
        return corpus

    def create(
        self, name: str, documents: Sequence[Document], warnings: Iterable[str], *, anew: bool
    ) -> Corpus:
        """Makes an index; `anew`: it may take the place of another."""
        require_name(name)
        with self._lock:
            before = self._named.get(name)
        if before is not None and not anew:
            raise Refused(
                "index_exists",
                "there is an index of that name; PUT replaces it, DELETE removes it",
            )
        return self.add(name, self._checker(documents, warnings, before))

    def put(self, name: str, documents: Sequence[Document], warnings: Iterable[str]) -> Corpus:
        """Adds documents to an index, those with an id that is there in the place of that one."""
        before = self.get(name)
        new = {document.id: document for document in documents}
        kept = [new.pop(one.id, one) for one in before.documents]
        return self.create(name, [*kept, *new.values()], warnings, anew=True)

    def remove(self, name: str, doc_id: str) -> Corpus:
        """Takes a document out of an index. Raises Refused when it is not there."""
        before = self.get(name)
        kept = [one for one in before.documents if one.id != doc_id]
        if len(kept) == len(before.documents):
            raise Refused("document_not_found", "the index has no document of that id")
        return self.create(name, kept, (), anew=True)

    def delete(self, name: str) -> None:
        """Takes an index away. Raises Refused when it is not there."""
        self.get(name)
        with self._lock:
            self._named.pop(name, None)

    def own(self, given: Sequence[Any]) -> Corpus:
        """The index of a request's own documents; the last few are kept."""
        documents, warnings = to_documents(given)
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
