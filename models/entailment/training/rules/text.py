"""The characters of a sentence: where it stands, and making cut text a sentence again."""

from __future__ import annotations

import re

from spacy.tokens import Doc, Span, Token

_SPACES = re.compile(r"\s+")
_BEFORE_MARK = re.compile(r"\s+([,.;:!?)])")
_ODD_COMMAS = re.compile(r",\s*(?=[,.;])")


def source_text(doc: Doc) -> str:
    """The text of the document; kept, for spaCy joins it anew from all tokens each time."""
    found = doc.user_data.get("halgo_text")
    if not isinstance(found, str):
        found = doc.user_data["halgo_text"] = doc.text
    return found


def bounds_of(sentence: Span) -> tuple[int, int]:
    """First and last character of the sentence in its document, without outer space."""
    text = sentence.text
    start = sentence.start_char + len(text) - len(text.lstrip())
    return start, sentence.end_char - (len(text) - len(text.rstrip()))


def text_between(left: Token, right: Token) -> str:
    """The text from the first token to the last, both included."""
    return str(left.doc[left.i : right.i + 1].text)


def finished(text: str) -> str:
    """Tidied: single spaces, upper-case start, one full stop at the end."""
    text = _BEFORE_MARK.sub(r"\1", _SPACES.sub(" ", text)).strip(" ,;:-–—")
    text = _ODD_COMMAS.sub("", text).strip(" ,;:-–—")
    if not text:
        return ""
    if text[-1] not in ".!?":
        text += "." if text[-1] not in "\"'”’" or text[-2:-1] not in ".!?" else ""
    return text[0].upper() + text[1:]


def balanced(text: str) -> bool:
    """Whether every quote and bracket of the text has its other half."""
    quotes = text.count('"') % 2 == 0 and text.count("“") == text.count("”")
    return quotes and text.count("(") == text.count(")") and text.count("[") == text.count("]")
