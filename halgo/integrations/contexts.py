"""What a framework calls contexts -> documents, as `Checker.from_docs` takes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from halgo.types import Document

# Where frameworks keep the words of a retrieved passage; the first that is there counts.
_OURS = ("text", "content")
_TEXTS = (*_OURS, "page_content", "context")
_NAMES = ("source", "file_path", "file_name", "title", "url")


def sources(contexts: Any) -> list[Any]:
    """What a framework calls contexts -> documents, as `Checker.from_docs` takes them.

    Raises TypeError for an object in which no text is found.
    """
    if contexts is None:
        return []
    one = isinstance(contexts, (str, Mapping, Document)) or _text(contexts) is not None
    if not one and not isinstance(contexts, Iterable):
        raise TypeError(f"contexts must hold texts, not {type(contexts).__name__}")
    return [_source(each) for each in ([contexts] if one else contexts) if each is not None]


def _source(given: Any) -> Any:
    """One context as a document: with its text, and its name where it has one."""
    if isinstance(given, (str, Document)):
        return given
    text = _text(given)
    if isinstance(given, Mapping) and (text is None or text in (given.get(k) for k in _OURS)):
        return given  # as halgo takes it: with a text, or a row that is read as statements
    if text is None:
        raise TypeError(
            f"a context must be a text or hold one as {', '.join(_TEXTS)}, "
            f"not {type(given).__name__}"
        )
    inner = next((m for m in map(_reader(given), ("metadata", "meta")) if m), None)
    named = (read(key) for read in (_reader(given), _reader(inner)) for key in _NAMES)
    name = next((n for n in named if isinstance(n, str) and n.strip()), None)
    return {"text": text, "source": name} if name else text


def _text(given: Any) -> str | None:
    found = (_reader(given)(key) for key in _TEXTS)
    return next((text for text in found if isinstance(text, str)), None)


def _reader(given: Any) -> Any:
    """What reads a field by its name, of a mapping or of an object; None for one not there."""
    if isinstance(given, Mapping):
        return given.get
    return lambda key: getattr(given, key, None)
