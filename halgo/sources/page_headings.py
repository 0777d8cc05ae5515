"""The headings of a PDF: lines in larger or bolder letters than the text -> Markdown's marks.

A PDF does not say what is a heading; its letters do. Each line looks as most of its characters do,
and the text of a document as the largest letters that much of it is printed in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

# Stands before a heading, once for each level. It is white space, so that a table that has such
# lines in it is found all the same, and it ends no line.
_MARK = "\x1f"
BULLET = "\u205f"  # before a line whose bullet is drawn; it is white space as well
_LARGER = 1.12  # times the size of the text, from which on a line is a heading
_LONGEST, _LONGEST_BOLD = 150, 80
_WRAPPED = 30  # characters from which on a heading may go on in the next line
_OFTEN = 0.15  # of a document's characters; what has so much is no heading
_MOST = 0.3  # of a document's characters; what has more in large letters has no headings
_DEEPEST = 6
_BOLD = ("bold", "cmbx", "black", "heavy")
_DOTS = ". . ."  # of a table of contents
_ENDS = (".", ",", ";", ":", "!", "?")


class Look(NamedTuple):
    """How letters are printed: their size in points, and whether they are bold."""

    size: float
    bold: bool


_UNPRINTED = Look(0.0, False)


@dataclass(frozen=True, slots=True)
class PageText:
    """The text of a page in reading order, and how each piece of it is printed, in order.

    pieces: (how many characters, how they look); heights: how high each piece stands, in points.
    """

    text: str
    pieces: tuple[tuple[int, Look], ...]
    heights: tuple[float, ...] = ()


class Place(NamedTuple):
    """How high a letter stands on its page and how large it is, in points."""

    y: float
    size: float


def places(page: PageText) -> list[Place]:
    """The places of the characters that are no blanks; none where the heights are not known."""
    at = 0
    found: list[Place] = []
    for (length, printed), y in zip(page.pieces, page.heights, strict=False):
        letters = len("".join(page.text[at : at + length].split()))
        found += [Place(y, printed.size)] * letters
        at += length
    return found


def look(size: float, font: str) -> Look:
    """How a piece of text looks. size: in points, as it is shown; font: the name of its font."""
    return Look(round(size, 1), any(name in font.lower() for name in _BOLD))


def marked(pages: Sequence[PageText]) -> list[str]:
    """The text of each page, the lines that are headings behind marks; `shown` reads these."""
    lines = [list(_lines(page)) for page in pages]
    counts = Counter[Look]()
    for _, text, printed in (one for some in lines for one in some):
        counts[printed] += len(text.strip())
    if not counts:
        return [page.text for page in pages]
    total = counts.total()
    often = [printed for printed, count in counts.items() if count >= _OFTEN * total]
    usual = max(often or counts, key=lambda printed: (printed.size, not printed.bold))
    over = [printed for printed in counts if _is_heading(printed, usual)]
    if sum(counts[printed] for printed in over) > _MOST * total:
        return [page.text for page in pages]
    levels = {printed: k for k, printed in enumerate(sorted(over, reverse=True), start=1)}

    def behind_marks(line: str, text: str, printed: Look) -> str:
        return _MARK * _level(text, printed, usual, levels) + line

    return ["".join(behind_marks(*line) for line in some) for some in lines]


def _lines(page: PageText) -> Iterator[tuple[str, str, Look]]:
    """(line with its line break, line, how most of it looks)."""
    looks = [printed for length, printed in page.pieces for _ in range(length)]
    at = 0
    for line in page.text.replace(_MARK, " ").splitlines(keepends=True):
        end = at + len(line)
        letters = zip(line, looks[at:end], strict=False)
        found = Counter(printed for letter, printed in letters if not letter.isspace())
        yield line, line.strip(), found.most_common(1)[0][0] if found else _UNPRINTED
        at = end


def _is_heading(printed: Look, usual: Look) -> bool:
    larger = printed.size >= _LARGER * usual.size
    return larger or (printed.bold and not usual.bold and printed.size >= usual.size)


def _level(text: str, printed: Look, usual: Look, levels: dict[Look, int]) -> int:
    """The level of a line as a heading, 0 where it is none."""
    level = levels.get(printed, 0)
    if not level or len(text) > _LONGEST or sum(map(str.isalpha, text)) < 3 or _DOTS in text:
        return 0
    larger = printed.size >= _LARGER * usual.size
    if not larger and (len(text) > _LONGEST_BOLD or text.endswith(_ENDS) or text[0].islower()):
        return 0  # bold words of a sentence
    return min(level, _DEEPEST)


def shown(lines: Sequence[str]) -> list[str]:
    """Lines with the marks of headings as those of Markdown; one that is wrapped is one line."""
    found: list[str] = []
    last = 0  # the level of the line before
    for line in lines:
        text = line.strip()
        marks = line[: len(line) - len(line.lstrip())]
        level = marks.count(_MARK) if text else 0
        if BULLET in marks and text and not level:
            text = "\u2022 " + text
        if level and level == last and len(found[-1]) >= _WRAPPED:
            found[-1] += " " + text
        else:
            found.append("#" * level + " " + text if level else text)
        last = level
    return found
