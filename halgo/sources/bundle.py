"""Retrieved chunks, tool results, database rows, earlier turns -> Documents of one bundle.

What an agent may rely on comes from many places. A bundle brings it all into one index, and each
document keeps where it is from (`Document.kind`), which version it is (`Document.revision`) and an
id that does not depend on the order in which things were added.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from typing import Any

from halgo.printable import printable
from halgo.sources import jsontext
from halgo.sources.documents import unique
from halgo.sources.records import stated
from halgo.types import Document, SourceKind

_ID_KEYS = ("id", "uuid", "key", "number", "code", "sku")


class Bundle:
    """Collects sources; `documents` are those of a `Checker.from_bundle`.

    Each method returns the id of what was added, or the ids. What is added twice under one id and
    with the same text is there once; an id met again with another text gets "#2" and a warning.
    """

    def __init__(self) -> None:
        self._added: dict[tuple[str, str], Document] = {}  # by id and text
        self._turns = 0
        self._odd: list[str] = []  # about what was added, in order

    def __len__(self) -> int:
        return len(self.documents)

    def __repr__(self) -> str:
        kinds = [document.kind for document in self._added.values()]
        counts = (f"{kind}={kinds.count(kind)}" for kind in SourceKind if kind in kinds)
        return f"<Bundle {', '.join(counts) or 'empty'}>"

    @property
    def documents(self) -> list[Document]:
        """All that was added, in order, with unique ids."""
        return unique(list(self._added.values()))[0]

    @property
    def warnings(self) -> list[str]:
        """What was odd: an id used for two texts, a source without text, a JSON key given twice."""
        return self._odd + unique(list(self._added.values()))[1]

    def add_document(self, document: Document) -> str:
        """Adds a document as it is, its metadata included.

        Raises TypeError when it is no Document.
        """
        if not isinstance(document, Document):
            raise TypeError(f"a document is a Document, not {type(document).__name__}")
        self._added.setdefault((document.id, document.text), document)
        return document.id

    def add_chunk(
        self,
        text: str,
        *,
        id: str | None = None,
        source: str | None = None,
        revision: str | None = None,
        title: str | None = None,
        page: int | str | None = None,
    ) -> str:
        """Adds a passage that a retriever found. Without an id its source and text make one.

        source: what a reader is shown; the title, or the id, unless given.
        """
        text = _text(text, "a chunk's text")
        shown = source or title or ""
        name = id or f"chunk:{_digest(shown, text)}"
        told = {"title": title, "page": None if page is None else str(page)}
        return self._add(SourceKind.CHUNK, str(name), text, shown or str(name), revision, told)

    def add_tool_result(
        self, name: str, payload: Any, *, call_id: str | None = None, revision: str | None = None
    ) -> str:
        """Adds what a tool returned: JSON as values or as a string, or a text.

        Its leaves become statements that keep their path, under the tool's name. Without a call_id
        the name and the payload make the id.
        """
        name = _text(name, "a tool's name")
        again: list[str] = []
        if isinstance(payload, (str, bytes, bytearray)):
            payload, again = _loaded(payload)
        shown = f"result of {printable(repr(name))}"
        text, odd = (payload, []) if isinstance(payload, str) else _stated(name, payload, shown)
        self._note([*jsontext.twice(again, shown), *odd])
        made = call_id or f"tool:{_word(name)}:{_digest(name, text)}"
        return self._add(SourceKind.TOOL, made, text, name, revision, {"tool": name})

    def add_rows(
        self,
        table: str,
        rows: Iterable[Mapping[str, Any]],
        *,
        key: str | None = None,
        revision: str | None = None,
    ) -> list[str]:
        """Adds rows of a database table, each a document of its own.

        key: the column whose value is the row's id within the table; "id" and its like unless
        given, else the row's content. Raises TypeError for a row that is no mapping, ValueError
        for a key that a row does not have.
        """
        table = _text(table, "a table's name")
        if isinstance(rows, (str, bytes, Mapping)) or not isinstance(rows, Iterable):
            raise TypeError(f"rows are a list of mappings, not {type(rows).__name__}: {rows!r:.80}")
        made = []
        for at, row in enumerate(rows, start=1):
            if not isinstance(row, Mapping):
                raise TypeError(
                    f"row {at} of {table!r} is a {type(row).__name__}, not a mapping: {row!r:.80}"
                )
            text, odd = _stated(table, row, f"row {at} of {printable(repr(table))}")
            self._note(odd)
            name = f"{table}/{_row_key(row, key, table, at) or _digest(text)}"
            made.append(self._add(SourceKind.ROW, name, text, table, revision, {"table": table}))
        return made

    def add_turn(
        self, role: str, text: str, n: int | None = None, *, revision: str | None = None
    ) -> str:
        """Adds what was said earlier; n counts turns from 1, on from the last unless given.

        It is evidence like any other, an assistant's turn too: leave out the answer that is to be
        checked, or it confirms itself.
        """
        role, text = _text(role, "a role"), _text(text, "a turn's text")
        if n is not None and (not isinstance(n, int) or isinstance(n, bool)):
            raise TypeError(f"n counts turns, so it is an int, not {type(n).__name__}: {n!r:.80}")
        self._turns = self._turns + 1 if n is None else n
        told = {"role": role, "turn": str(self._turns)}
        name, source = f"turn:{self._turns}", f"{role}, turn {self._turns}"
        return self._add(SourceKind.TURN, name, text, source, revision, told)

    def _note(self, warnings: Iterable[str]) -> None:
        """Keeps warnings, each once."""
        self._odd += (warning for warning in warnings if warning not in self._odd)

    def _add(
        self,
        kind: SourceKind,
        id: str,
        text: str,
        source: str,
        revision: str | None,
        told: Mapping[str, str | None],
    ) -> str:
        metadata = {"kind": kind.value, **{k: v for k, v in told.items() if v}}
        if revision:
            metadata["revision"] = str(revision)
        return self.add_document(Document(id, text, source, metadata))


def _stated(name: str, value: Any, shown: str) -> tuple[str, list[str]]:
    """The statements of a value as those of a record that is called `name`; and warnings."""
    word = _word(name)
    if isinstance(value, Mapping):
        return stated({word: [value]}, shown)
    if isinstance(value, (list, tuple)) and any(isinstance(one, Mapping) for one in value):
        return stated({word: list(value)}, shown)
    return stated({word: [{"result": value}]}, shown)


def _word(name: str) -> str:
    """A name as a key of a path: letters, digits, spaces, hyphens and underscores."""
    word = " ".join(re.sub(r"[^\w $-]+", " ", name).split())[:60].strip()
    return word if word and not word[0].isdigit() and word[0].isalpha() else f"tool {word}".strip()


def _loaded(payload: str | bytes | bytearray) -> tuple[Any, list[str]]:
    """The values of JSON text and its keys given twice; the text itself when it is none."""
    text = payload if isinstance(payload, str) else bytes(payload).decode("utf-8", "replace")
    try:
        return jsontext.loads(text, as_written=True)
    except (ValueError, RecursionError):
        return text, []


def _row_key(row: Mapping[str, Any], key: str | None, table: str, at: int) -> str:
    if key is not None:
        if row.get(key) is None:
            told = printable(", ".join(map(str, row)))
            raise ValueError(f"row {at} of {table!r} has no {key!r}; it has {told}")
        return str(row[key])
    folded = {str(name).lower(): value for name, value in row.items()}
    found = next((folded[name] for name in _ID_KEYS if folded.get(name) is not None), "")
    return str(found)


def _text(given: Any, what: str) -> str:
    if not isinstance(given, str):
        raise TypeError(f"{what} is a string, not {type(given).__name__}: {given!r:.80}")
    return given


def _digest(*parts: str) -> str:
    joined = "\x00".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(joined).hexdigest()[:12]
