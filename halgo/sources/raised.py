"""What is set high or low -> Unicode's digits for it: "m²", "10⁶", "$45² million", "CO₂".

Beside a number, digits of a footnote or a power would be read as its last ones: "$452 million".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter

# As HTML calls them; "" is neither.
_PLACES = {"superscript": "sup", "subscript": "sub"}
_HIGH = str.maketrans("0123456789+-\u2212", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
_LOW = str.maketrans("0123456789+-\u2212", "₀₁₂₃₄₅₆₇₈₉₊₋₋")
_TABLES = {"sup": _HIGH, "sub": _LOW}
_DIGITS = re.compile(r"[+\u2212-]?\d+", re.ASCII)
OFF_LINE = "⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉"
_IN_LINE = str.maketrans(OFF_LINE + "⁺⁻₊₋", 2 * "0123456789" + 2 * "+-")
# Small print is a text of its own, and "[3]" is a citation mark as it is.
_OWN_TEXT = re.compile(r"[^\W\d_]{3}|[\[\]]")


def written(text: str, place: str) -> str:
    """A text that is set high ("sup"), low ("sub") or in line (""); what are no digits stays.

    It is as long as it was.
    """
    table = _TABLES.get(place)
    if table is None or _OWN_TEXT.search(text):
        return text
    return _DIGITS.sub(lambda found: found.group().translate(table), text)


def in_line(text: str) -> str:
    """A text with plain digits and signs for those that are set high or low."""
    return text.translate(_IN_LINE)


def of_runs(pieces: Iterable[tuple[str, str]]) -> str:
    """The text of pieces, each with its place; neighbours in one place are set there as one."""
    return "".join(
        written("".join(text for text, _ in some), place)
        for place, some in groupby(pieces, itemgetter(1))
    )


def place_of(align: str | None) -> str:
    """The place that an office file calls "superscript", "subscript" or something else."""
    return _PLACES.get(align or "", "")
