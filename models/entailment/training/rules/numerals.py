"""Numerals of a sentence: which tell an amount, and whether it is a bound ("at least 5")."""

from __future__ import annotations

import re
from itertools import pairwise

from spacy.tokens import Token

from .tables import word_list, word_set

DIGITS = re.compile(r"\d{1,3}(,\d{3})+(\.\d+)?|\d+(\.\d+)?")

_ONES = word_list(
    """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen twenty
    """
)

_TENS = dict(
    zip(
        word_list("thirty forty fifty sixty seventy eighty ninety"), range(30, 100, 10), strict=True
    )
)

VALUES = {word: value for value, word in enumerate(_ONES)} | _TENS
WORD_OF = {value: word for word, value in VALUES.items()}
SCALES = ("thousand", "million", "billion", "trillion")
_LOWER_BOUND = word_set("over above least exceeding exceed exceeded exceeds beyond")
_UPPER_BOUND = word_set("under below most within until")
ABOUT = word_set("about around nearly almost approximately roughly some circa estimated ~")

# "Section 4", "type 2": the number names a thing.
_BEFORE_A_CODE = word_set(
    """
    section page version figure table chapter no. article clause number level type grade phase
    """
)

_DURATIONS = word_set(
    """
    years year months month weeks week days day hours minutes seconds decades
    """
)


def bound_on(token: Token) -> str:
    """One of "up", "down", "about" or "": how a number's neighbours loosen it."""
    words = [t.lower_ for t in token.doc[max(token.sent.start, token.i - 4) : token.i]]
    near = words[-3:]
    for left, right in pairwise(words):
        if right == "than":
            return "up" if left in ("more", "greater", "higher", "longer", "older") else "down"
        if left == "up" and right == "to":
            return "down"
        if left == "at" and right in ("least", "most"):
            return "up" if right == "least" else "down"
    if any(word in _LOWER_BOUND for word in near):
        return "up"
    if any(word in _UPPER_BOUND for word in near):
        return "down"
    return "about" if any(word in ABOUT for word in near) else ""


def tells_amount(token: Token) -> bool:
    """Whether a numeral tells an amount, and is no year, name, list mark or code."""
    if token.dep_ in ("nummod", "appos", "punct", "meta") and token.head.i < token.i:
        return False  # "Clause 4.1"
    if token.ent_type_ in ("DATE", "TIME"):
        return _duration(token)
    if token.ent_type_ not in ("", "CARDINAL", "QUANTITY", "MONEY", "PERCENT"):
        return False
    if token.i == token.sent.start and not token.is_alpha:
        nxt = token.nbor(1).text if token.i + 1 < len(token.doc) else ""
        if nxt in (".", ")"):
            return False
    for at in (-1, 1):
        if 0 <= token.i + at < len(token.doc):
            near = token.nbor(at)
            glued = not (token.whitespace_ if at == 1 else near.whitespace_)
            # "COVID-19", "3-1", "1/2", "10:30", "(4)" are no amounts to play with.
            if glued and near.text in "-–—/:+_#()[]":
                return False
            if at == -1 and (near.pos_ == "PROPN" or near.lower_ in _BEFORE_A_CODE):
                return False
    return True


def _duration(token: Token) -> bool:
    after = token.nbor(1).lower_ if token.i + 1 < len(token.doc) else ""
    return after in _DURATIONS and (token.is_alpha or float(token.text.replace(",", "")) < 1000)
