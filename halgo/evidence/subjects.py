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
    start = _ARTICLE.match(text)
    found = _RUN.match(text, start.end() if start else 0)
    if found is None:
        return ""
    named = any(found.start() <= name.span.start < found.end() for name in facts.names)
    return found[0] if named or " " in found[0] else ""


def words(name: str) -> frozenset[str]:
    """The words of a name, in lower case, by which it is known."""
    return frozenset(word.lower() for word in _WORD.findall(name)) - _GENERAL


def others(own: str, held: Set[str], names: Iterable[str]) -> tuple[tuple[str, frozenset[str]], ...]:
    """The names of other documents, each with its words that this one does not have anywhere.

    own: this one's. held: its words, in lower case.
    """
    mine = words(own)
    found = ((name, words(name) - held) for name in names)
    return tuple((name, told) for name, told in found if told and mine - words(name))


def said(claim: str) -> frozenset[str]:
    """The words of a claim that have a capital or a figure, in lower case."""
    return frozenset(
        word.lower() for word in _WORD.findall(claim) if word[0].isupper() or word[0].isdecimal()
    )
