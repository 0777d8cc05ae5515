"""What a document is about, by the name that it begins with, and which others are about others.

"Spa: included for guests from 16 years on" under "HOTEL SEEBLICK – Conditions" says nothing of the
Hotel Miramar, whose conditions are another document.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Set

from halgo.types import Facts

_ARTICLE = re.compile(r"\W*(?:(?:the|an?)\s+)?", re.IGNORECASE)
# Words with a capital or a figure, one after the other: "Sweepo S8 Ultra", "Bank of Orla".
_RUN = re.compile(r"[A-Z\d][\w.'’&+-]*(?: (?:(?:of|the|de|for|and) )?[A-Z\d][\w.'’&+-]*){0,5}")
_PLAIN = re.compile(r"\b[a-z][^\W_]*")
_INNER = re.compile(r"(?<=[a-z] )[A-Z][^\W_]+")
_LABEL = re.compile(r"[A-Z]\w{1,19}(?::| [\u2013\u2014])\s+(?=[A-Z\d])")  # "Model: Arden Pilot E"
_GREETING = re.compile(r"(?:hello|hi|hey|dear|good|from|to|re|subject)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:[-.][^\W_]+)*")
# Words of a company's name, a paper's or a page's that tell nobody which one it is.
_GENERAL = frozenset(
    "inc plc ltd llc llp gmbh ag se sa spa co corp company group the a an of de for and mr mrs ms dr"
    .split()
)


def subject(text: str, facts: Facts) -> str:
    """The name that a document begins with: "Hotel Miramar" of "Hotel Miramar · Good to know".

    text, facts: its first sentence. "" where it begins with none.
    """
    label = _LABEL.match(text)
    return (_run(text, label.end(), facts) if label else "") or _run(text, 0, facts)


def _run(text: str, start: int, facts: Facts) -> str:
    article = _ARTICLE.match(text, start)
    found = _RUN.match(text, article.end() if article else start)
    if found is None or _GREETING.match(found[0]):
        return ""
    name = found[0].rstrip(".")
    named = any(found.start() <= one.span.start < found.end() for one in facts.names)
    return name if named or " " in name else ""


def words(name: str) -> frozenset[str]:
    """The words of a name, in lower case, by which it is known."""
    return frozenset(word.lower() for word in _WORD.findall(name)) - _GENERAL


class Capitals:
    """Which words documents have without a capital, and which with one inside a sentence."""

    def __init__(self, texts: Iterable[str]) -> None:
        plain: set[str] = set()
        inner: set[str] = set()
        for text in texts:
            plain.update(_PLAIN.findall(text))
            inner.update(word.lower() for word in _INNER.findall(text))
        self._plain, self._inner = plain, inner - plain

    def proper(self, words: Set[str]) -> Set[str]:
        """The words of a name that are never plain words."""
        return words - self._plain

    def is_name(self, name: str) -> bool:
        """Whether several words, or one that is a name within a sentence too: not "Borrowing"."""
        return " " in name or name.lower() in self._inner


def others(
    own: str, names: Iterable[str], held: Set[str], capitals: Capitals
) -> tuple[tuple[str, frozenset[str]], ...]:
    """The names of other documents, each with its words that this one does not have anywhere.

    own: this one's name. held: all its words, in lower case. A page called "Supervision" is one
    about "Harrow Lane" all the same: only names are told apart that share a proper word, or have
    one each that the other lacks.
    """
    mine = words(own)
    found: list[tuple[str, frozenset[str]]] = []
    for name in names:
        theirs = words(name)
        apart = mine - theirs, theirs - mine
        alike = capitals.proper(mine & theirs) or all(map(capitals.proper, apart))
        if alike and all(apart) and theirs - held:
            found.append((name, theirs - held))
    return tuple(found)


def said(claim: str) -> frozenset[str]:
    """The words of a claim that have a capital or a figure, in lower case."""
    return frozenset(
        word.lower() for word in _WORD.findall(claim) if word[0].isupper() or word[0].isdecimal()
    )
