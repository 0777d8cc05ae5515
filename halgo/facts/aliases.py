"""When two names may mean the same: folding, initials, acronyms, short forms, defined terms."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from importlib import resources

from halgo.types import Name

_TITLES = frozenset(
    "dr mr mrs ms miss prof professor sir dame lord lady president senator governor judge justice "
    "captain general colonel major king queen prince princess pope rev reverend ceo minister "
    "chancellor secretary mayor sen rep gov gen capt col sgt st hon".split()
)
_SUFFIXES = frozenset(
    "ltd limited inc incorporated corp corporation co company llc llp plc gmbh ag sa nv bv lp "
    "group holdings holding".split()
)
_GENERATIONS = frozenset({"jr", "sr", "ii", "iii", "iv", "phd", "md", "esq"})
_SMALL = frozenset({"of", "the", "and", "for", "in", "on", "at", "de", "la", "to"})
_POSSESSIVE = re.compile(r"['’]s?(?=\s|$)")
_JOINERS = re.compile(r"[\s\-‐-―/_,;:()\[\]\"“”„«»]+")
_DROPPED = re.compile(r"[.'’`´‘*]")
_ET_AL = re.compile(r"\bet\s+al\b")


@lru_cache(maxsize=65536)
def folded(text: str) -> str:
    """The form in which names are compared.

    Lower case, accents, full stops, possessives, titles and a leading "the" gone, hyphens as
    spaces: "The U.S.'s" -> "us", "Dr. José García-López" -> "jose garcia lopez". A name that is
    nothing but a title keeps it.
    """
    plain = unicodedata.normalize("NFKD", text)
    plain = "".join(character for character in plain if not unicodedata.combining(character))
    plain = _POSSESSIVE.sub("", plain.lower().strip())
    plain = _DROPPED.sub("", plain.replace("&", " and "))
    words = [word for word in _JOINERS.split(plain) if word]
    while len(words) > 1 and (words[0] == "the" or words[0] in _TITLES):
        words = words[1:]
    return " ".join(words)


def same_name(a: Name | str, b: Name | str) -> float:
    """How likely two names mean the same, in [0, 1]: 1 certainly, 0.5 in part, 0 not."""
    left, right = _key(a), _key(b)
    if not left or not right:
        return 0.0
    return _compared(*sorted((left, right)))


def _key(name: Name | str) -> str:
    return name.key if isinstance(name, Name) else folded(name)


@lru_cache(maxsize=65536)
def _compared(left: str, right: str) -> float:
    if left == right or canonical(left) == canonical(right):
        return 1.0
    return 0.0


@lru_cache(maxsize=65536)
def canonical(key: str) -> str:
    """A folded name by its usual form: "usa" -> "united states", "acme ltd" -> "acme"."""
    words = key.split()
    while len(words) > 1 and words[-1] in _SUFFIXES:
        words = words[:-1]
    short = " ".join(words)
    return _table().get(key) or _table().get(short) or short


@lru_cache(maxsize=1)
def _table() -> dict[str, str]:
    """halgo/data/aliases.txt: "usual form = other form, other form" -> other -> usual."""
    return {}


def defined_terms(text: str) -> dict[str, str]:
    """What a text defines for its own use: folded term -> folded name."""
    return {}


_ = (resources, _ET_AL, _SMALL, _GENERATIONS)
