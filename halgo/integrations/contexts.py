"""What a framework hands over -> contexts as `Checker.from_docs` takes them, and the question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from halgo.types import Document

# Where frameworks keep the words of a retrieved passage; the first that is there counts.
_OURS = ("text", "content")
_TEXTS = (*_OURS, "page_content", "context")
_NAMES = ("source", "file_path", "file_name", "title", "url")
# Where they keep what was asked, the surest name first.
_QUESTIONS = ("question", "query", "user_input", "input", "messages")
_LONGEST = 1_000  # characters of a lone text without a name; a longer one is a document


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


def question_of(given: Any) -> str | None:
    """What was asked, where what a framework hands over leaves no doubt of it; else None.

    given: a text, a list of messages (then the last of a person), or a mapping that holds either
    under one of the usual names, or no more than one text.
    """
    if isinstance(given, str):
        return given
    if isinstance(given, Mapping):
        named = (question_of(given.get(key)) for key in _QUESTIONS)
        texts = [value for value in given.values() if isinstance(value, str)]
        alone = len(texts) == 1 and len(texts[0]) <= _LONGEST
        return next((text for text in named if text), texts[0] if alone else None)
    messages = reversed(given) if isinstance(given, (list, tuple)) else ()
    return next((_said(one) for one in map(_reader, messages) if _is_of_person(one)), None)


def _is_of_person(read: Any) -> bool:
    return read("role") == "user" or read("type") == "human"


def _said(read: Any) -> str | None:
    """The text of a message: its content, or the blocks of it that are text."""
    content = read("content")
    if isinstance(content, (list, tuple)):
        texts = (one if isinstance(one, str) else _reader(one)("text") for one in content)
        return "\n".join(text for text in texts if isinstance(text, str))
    return content if isinstance(content, str) else None


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
