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

# A merged cell is told in each of its places: whole, until so many characters have been told again.
_MOST_AGAIN = 1_000_000


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


class Told:
    """Counts the characters that are told, and those of merged cells that are told again."""

    def __init__(self, size: int, name: str) -> None:
        self.size, self.name = size, name
        self.made = 0
        self.left = _MOST_AGAIN

    def more(self, characters: int) -> None:
        """Count characters. Raises DocumentError when they are too many, as `check_growth` does."""
        self.made += characters
        check_growth(self.made, self.size, self.name)

    def again(self, text: str) -> str:
        """A merged cell's text in a further place: shortened where too much was told again."""
        if len(text) > LONGEST_NAME:
            self.left -= len(text)
        return text if self.left >= 0 else shortened(text, LONGEST_NAME)

    def warnings(self) -> list[str]:
        """What is to be said of cells that were shortened."""
        if self.left >= 0:
            return []
        return [
            f"{self.name}: long cells that are merged over many rows are whole in the first of "
            f"them, shortened to {LONGEST_NAME} characters in the others"
        ]
