"""What a caller calls documents -> Documents with unique ids, and warnings about odd ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from io import IOBase
from pathlib import PurePath
from typing import Any

from halgo.printable import printable, shows
from halgo.sources import jsontext, xmltext, yamltext
from halgo.sources.records import stated
from halgo.sources.spreadsheets import is_table, rows_as_lines
from halgo.types import Document

_TEXT_KEYS = ("text", "content", "page_content")
_ID_KEYS = ("id", "file_id")
_AS_RECORDS = (
    " and was read as records; spans count in the text of its statements, as they do for the value "
    "itself. To have it read as plain text, give a Document"
)
_SOURCE_KEYS = ("source", "file_path", "title")
_ABOUT = {*_TEXT_KEYS, *_ID_KEYS, *_SOURCE_KEYS, "metadata"}
# What a vector store's or search engine's hit holds beside the record that it has found.
_HIT_KEYS = frozenset(
    (
        *("id", "_id", "score", "_score", "distance", "version"),
        *("vector", "values", "sparse_values", "_index", "_type"),
    )
)
_RECORD_KEYS = ("metadata", "payload", "_source", "properties")
_LONGEST_PATH = 400


def to_documents(
    docs: str | Document | Mapping[str, Any] | Iterable[str | Mapping[str, Any] | Document],
) -> tuple[list[Document], list[str]]:
    """Documents of a string, a mapping, a Document, or several of these; and warnings.

    Several are a list, or anything else that is gone through in an order: a tuple, a generator, an
    array, a column of a table.

    A mapping gives its text under `text`, `content` or `page_content`, its id under `id` or
    `file_id`, its source under `source`, `file_path` or `title`, itself or in its `metadata`; its
    other plain values become metadata. So does the record in a hit of a vector store or search
    engine (`{"id", "score", "payload": {"text": ...}}`). One whose text is None, with no keys but
    these, has no text. Another mapping
    without text is a database row or a tool's result and becomes statements that keep their
    path (`orders[3].status: shipped`); so does a string, or a text, that is a JSON object, a JSON
    array or a CSV table, with a warning (a Document's text is taken as it is). Without an id a
    document is "doc1", "doc2" by position; an id met twice gets "#2". A document without text is
    kept, with a warning; so is a string that looks like a file's path.
    Raises TypeError that names position and type of anything else.
    """
    warnings: list[str] = []
    made = [_document(given, k, warnings) for k, given in enumerate(several(docs), start=1)]
    documents, found = unique(made)
    return documents, warnings + found


def several(docs: Any) -> list[Any]:
    """What was given as documents, one after the other, gone through once; one alone is a list.

    Raises TypeError for what is neither, or has documents in no order.
    """
    if isinstance(docs, (str, Document, Mapping)):
        return [docs]
    if isinstance(docs, Iterable) and not _is_one_thing(docs):
        return list(docs)
    raise TypeError(
        "documents must be a string, or a list of strings, dicts and Documents, "
        f"not {type(docs).__name__}{_advice(docs)}"
    )


def _is_one_thing(given: Any) -> bool:
    """Whether something that can be gone through has other things in it than documents.

    Bytes have numbers, files lines, tables the names of their columns, and other libraries' objects
    their fields; a set has no order, so that the ids would differ from one run to the next.
    """
    if isinstance(given, (bytes, bytearray, memoryview, set, frozenset, IOBase)):
        return True
    return any(hasattr(given, name) for name in ("columns", "page_content", "model_fields"))


def unique(documents: Sequence[Document]) -> tuple[list[Document], list[str]]:
    """The documents, an id met again marked "#2"; a warning for each, and for empty ones."""
    warnings: list[str] = []
    taken = {document.id for document in documents}
    seen: dict[str, int] = {}
    result: list[Document] = []
    for document in documents:
        name = document.id
        if name in seen:
            count = seen[name] + 1
            while f"{name}#{count}" in taken:
                count += 1
            seen[name] = count
            document = replace(document, id=f"{name}#{count}")
            taken.add(document.id)
            first, later = (printable(repr(each)) for each in (name, document.id))
            warnings.append(f"document id {first} is used twice; the later is {later}")
        else:
            seen[name] = 1
        warnings += empty(document)
        result.append(document)
    return result, warnings


def empty(document: Document) -> list[str]:
    """The warning about a document without text; none about another."""
    if shows(document.text):
        return []
    what = "nothing but characters that do not show" if document.text.strip() else "no text"
    shown = f"{printable(repr(document.id))} ({printable(document.source)})"
    return [f"document {shown} has {what}"]


def has_id(given: Mapping[Any, Any]) -> bool:
    """Whether a mapping names its document, so that it can be told from others later on."""
    key = _first(given, _ID_KEYS)
    return key is not None and bool(_named(given, key, ""))


def _document(given: Any, position: int, warnings: list[str]) -> Document:
    fallback = f"doc{position}"
    if isinstance(given, Document):
        _require(given.text, "text", position)
        return given
    if isinstance(given, str):
        return Document(fallback, _read(given, position, warnings), fallback)
    if isinstance(given, Mapping):
        return _of_mapping(given, position, fallback, warnings)
    raise TypeError(
        f"document {position} must be a string, a dict or a Document, "
        f"not {type(given).__name__}{_advice(given)}"
    )


def _of_mapping(
    given: Mapping[Any, Any], position: int, fallback: str, warnings: list[str]
) -> Document:
    given = _found(given)
    text_key = _first(given, _TEXT_KEYS)
    if text_key is None and _ABOUT.issuperset(given) and not given.keys().isdisjoint(_TEXT_KEYS):
        text_key = next(key for key in _TEXT_KEYS if key in given)
        given = {**given, text_key: ""}
    if text_key is None:
        # A row without words of its own: everything in it is text, and nothing metadata.
        id_key, source_key = _first(given, _ID_KEYS), _first(given, _SOURCE_KEYS)
        name = _named(given, id_key, fallback)
        text, found = stated(given, f"document {position}")
        warnings += found
        return Document(name, text, _named(given, source_key, name))
    text = given[text_key]
    if isinstance(text, (Mapping, list, tuple)):
        text, found = stated(text, f"document {position}")
        warnings += found
    _require(text, text_key, position)
    text = _read(text, position, warnings)
    id_key, source_key = _first(given, _ID_KEYS), _first(given, _SOURCE_KEYS)
    name = _named(given, id_key, fallback)
    used = {text_key, id_key, source_key}
    metadata = {
        str(key): str(value)
        for key, value in given.items()
        if key not in used and isinstance(value, (str, int, float, bool))
    }
    inner = given.get("metadata")
    if isinstance(inner, Mapping):
        metadata.update({str(key): str(value) for key, value in inner.items()})
        if source_key is None:  # where LangChain and others have it
            name_of = _first(inner, _SOURCE_KEYS)
            return Document(name, text, _named(inner, name_of, name), metadata)
    return Document(name, text, _named(given, source_key, name), metadata)


def _found(given: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """The record in a hit of a store, with the hit's id and score; another mapping as it is."""
    key = next((key for key in _RECORD_KEYS if isinstance(given.get(key), Mapping)), None)
    if key is None or not _HIT_KEYS.issuperset(given.keys() - {key}):
        return given
    record = given[key]
    if _first(record, _TEXT_KEYS) is None:
        return given
    told = {
        "id": _first(given, ("id", "_id")),
        "score": _first(given, ("score", "_score", "distance")),
    }
    return {**{name: given[at] for name, at in told.items() if at is not None}, **record}


def _read(text: str, position: int, warnings: list[str]) -> str:
    """The text; of one that is JSON or CSV its statements."""
    name = f"document {position}"
    if _is_path(text):
        warnings.append(
            f"{name} is nothing but {printable(repr(text.strip()))}, which looks like a file's "
            "path and was read as text; to read files use Checker.from_files"
        )
    if (read := jsontext.records(text)) is not None:
        made, odd = stated(read[0], name)
        warnings += [f"{name} is JSON{_AS_RECORDS}", *jsontext.twice(read[1], name), *odd]
        return made
    for kind, records in (("YAML", yamltext.records), ("XML", xmltext.records)):
        if (nested := records(text)) is not None:
            made, odd = stated(nested[0], name)
            warnings += [f"{name} is {kind}{_AS_RECORDS}", *odd]
            return "\n\n".join([made, *nested[1]])
    if is_table(text):
        made, _, odd = rows_as_lines(text)
        warnings += [f"{name} is CSV{_AS_RECORDS}", *(f"{name}: {one}" for one in odd)]
        return made
    return text


def _is_path(text: str) -> bool:
    """Whether a text is one word with the extension of a kind of file that is read."""
    words = text.split() if len(text) <= _LONGEST_PATH else []
    if len(words) != 1 or "." not in words[0] or "://" in words[0]:
        return False
    from halgo.sources.readers import READERS

    return PurePath(words[0]).suffix.lower() in READERS


def _first(given: Mapping[Any, Any], keys: Sequence[str]) -> str | None:
    return next((key for key in keys if given.get(key) is not None), None)


def _named(given: Mapping[Any, Any], key: str | None, fallback: str) -> str:
    value = given[key] if key is not None else None
    return str(value) if isinstance(value, (str, int)) and str(value).strip() else fallback


def _require(text: Any, name: str, position: int) -> None:
    if not isinstance(text, str):
        raise TypeError(
            f"{name!r} of document {position} must be a string, "
            f"not {type(text).__name__}{_advice(text)}"
        )


def _advice(given: Any) -> str:
    if isinstance(given, (bytes, bytearray, memoryview)):
        return "; decode it first: data.decode('utf-8')"
    if hasattr(given, "__fspath__"):
        return "; to read files use compare_to_files or Checker.from_files"
    if isinstance(given, IOBase):
        return "; give its text: file.read()"
    if isinstance(given, (set, frozenset)):
        return ", which has no order; give sorted(docs)"
    if hasattr(given, "columns"):
        return "; give the column that holds the texts: table['text']"
    return ""
