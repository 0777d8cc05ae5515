"""How much may come out of a file for what went in: names that are repeated, what is unpacked.

A column's name is told again in each row and a record's path before each value, a packed file
unpacks to a thousand times its size, and a page may be shown ten thousand times: a small file could
fill the memory. So what is repeated is cut at a length that ordinary names stay below, and what a
reader makes stays within a multiple of what it was given. No clock decides: a file that is read on
one machine is read on every other, to the same text.
"""

from __future__ import annotations

from halgo.errors import DocumentError

ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"

# Names of columns in public tables are below 100 characters; questions of surveys, below 200.
LONGEST_NAME = 200
LONGEST_PATH = 500

# Text is seldom repeated more than ten times: deep records with short values come to seven. What is
# small may grow freely, so that a survey of long questions and one-letter answers is read in full.
_TIMES = 20
_FREE = 4_000_000


def allowed(size: int) -> int:
    """How many characters may be made of `size` characters or bytes."""
    return _TIMES * size + _FREE


def check_growth(made: int, size: int, name: str) -> None:
    """Raises DocumentError when `made` characters are too many for a file of `size` bytes."""
    if made > allowed(size):
        raise DocumentError(
            f"{name} would become more than {allowed(size):,} characters of text, out of {size:,}; "
            "it repeats or packs itself too often. Split it, or save its text as .txt.",
            name,
        )


def shortened(text: str, most: int) -> str:
    """`text`, or its beginning and end with an ellipsis between: at most `most` characters."""
    if len(text) <= most:
        return text
    tail = (most - 1) // 2
    return text[: most - 1 - tail] + ELLIPSIS + text[len(text) - tail :]
