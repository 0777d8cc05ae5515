"""Texts -> tokens and stems: the form in which a claim's words are looked for in passages.

Vectors blur what is exact: to an encoder "1,500" and "1,600" are nearly one. By its tokens the
passage is found that has the very name, date or amount (`bm25.py`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

from halgo.evidence.stems import stem

Value = TypeVar("Value")
_KEPT, _LONGEST_KEPT = 2_048, 2_000  # texts, and characters of one

_TOKEN = re.compile(
    r"\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|[^\W\d_](?:[^\W_]|['’](?=[^\W\d_]))*|%"
)

_FUNCTION_WORDS = (
    "a about after all also an and any are as at be been before being between both but by can "
    "could did do does during each for from had has have he her here him his how i if in into is "
    "it its may might more most must no nor not of on one only or other our out over own per "
    "she should so some such than that the their them then there these they this those "
    "through to under until up very was we were what when where which while who whom whose why "
    "will with within without would you your"
)
# Not "one", which is more often a pronoun than a number.
_SMALL = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty"
)
_TENS = "thirty forty fifty sixty seventy eighty ninety"
_NUMBERS = {word: str(value) for value, word in enumerate(_SMALL.split(), 2)}
_NUMBERS |= {word: str(value) for value, word in enumerate(_TENS.split(), 3)}
_NUMBERS |= {word: f"{_NUMBERS[word]}0" for word in _TENS.split()}


def _kept(of: Callable[[str], Value]) -> Callable[[str], Value]:
    """The same function, which remembers what it said of the last texts; long ones are not kept.

    Many rules ask about one claim, and many claims about one passage.
    """
    remembered = lru_cache(maxsize=_KEPT)(of)

    @wraps(of)
    def asked(text: str) -> Value:
        return remembered(text) if len(text) <= _LONGEST_KEPT else of(text)

    return asked


@_kept
def tokens(text: str) -> tuple[str, ...]:
    """The words and numbers of a text, in order, in the form in which they are compared.

    Case, accents, possessives and simple plurals are gone; "1,500" and "1500.0" are "1500",
    "thirty" is "30", "%" is "percent".
    """
    if not text.isascii():
        decomposed = unicodedata.normalize("NFKD", text)
        text = "".join(mark for mark in decomposed if not unicodedata.combining(mark))
    return tuple(map(_folded, _TOKEN.findall(text)))


@_kept
def stems(text: str) -> tuple[str, ...]:
    """The tokens of a text with their inflections gone too: what passages are found by."""
    return tuple(map(_uninflected, tokens(text)))


@_kept
def content_stems(text: str) -> frozenset[str]:
    """The stems of a text without function words."""
    return frozenset(stems(text)) - _COMMON


def overlap(claim: str, *passages: str) -> float:
    """The share of a claim's content words that passages hold together, in [0, 1]; 1 of none."""
    wanted = content_stems(claim)
    missing = wanted.difference(*map(content_stems, passages))
    return (len(wanted) - len(missing)) / len(wanted) if wanted else 1.0


def is_common(token: str) -> bool:
    """Whether a token is a function word, which stands in texts about anything."""
    return token in _COMMON


@lru_cache(maxsize=65536)
def _uninflected(token: str) -> str:
    return token if token[0].isdecimal() or is_common(token) else stem(token)


@lru_cache(maxsize=65536)
def _folded(token: str) -> str:
    if token[0].isdecimal():
        whole, _, part = token.replace(",", "").partition(".")
        part = part.rstrip("0")
        return f"{whole}.{part}" if part else whole
    if token == "%":
        return "percent"
    word = token.casefold().replace("’", "'")
    word = word.removesuffix("'s").replace("'", "")
    if word in _NUMBERS:
        return _NUMBERS[word]
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


_COMMON = frozenset(_folded(word) for word in _FUNCTION_WORDS.split())
