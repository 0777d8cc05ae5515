"""Clauses by their numbers: whether what a claim cites as 4.2 is where a passage stands.

The number of a clause is no part of its words: "4.2 The landlord may charge interest" is read
without it. What a claim says of clause 4.1 is held against the number before the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from halgo.facts.words import words
from halgo.types import Quantity

_ROMAN = re.compile(r"(?=[ivxlc])c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_LETTERS = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_LABELS = words("section clause article art paragraph para step item rule regulation chapter point")


def is_cited(amount: Quantity) -> bool:
    """Whether an amount is the number of a clause, a section or a step."""
    return number_of(amount) != ""


def number_of(amount: Quantity) -> str:
    """The number as it is written, "4.2"; "" for what is no number of a clause."""
    kind, _, number = amount.unit.partition(":")
    return number if kind == "identifier" and amount.noun in _LABELS else ""


def stands_in(cited: str, numbers: Sequence[str]) -> bool:
    """Whether a sentence stands in a clause, by the numbers of what it stands in.

    Whoever cites 4.2(b) may mean more than the number before the sentence tells, 4.2.
    """
    numbers = [*numbers, *filter(None, map(_of_roman, numbers))]
    return any(_within(cited, one) for one in numbers) or any(
        _within(one, cited) for one in numbers[:1]
    )


def _of_roman(written: str) -> str:
    """A Roman numeral in figures, 12 of "xii"; "" of anything else."""
    if not _ROMAN.fullmatch(written):
        return ""
    values = [_LETTERS[letter] for letter in written]
    signed = (
        -one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True)
    )
    return str(sum(signed))


def _within(whole: str, part: str) -> bool:
    """Whether 4.2 is within 4."""
    return part == whole or (part.startswith(whole) and not part[len(whole)].isalnum())
