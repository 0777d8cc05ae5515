"""A page of a PDF -> its text in reading order, with what pypdf's text of it leaves out.

That is how high letters stand, which tells a footnote's mark from a digit; the bullets of a list,
where they are drawn and no letters; and the hyphens that only show where a line ends.
"""

from __future__ import annotations

import re
import unicodedata
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from halgo.sources.page_headings import BULLET, PageText, look
from halgo.sources.raised import written

SOFT_HYPHEN = "\u00ad"
HYPHEN_ENDS = re.compile(r"\w[-\u2010]$")  # "24-", and no dash
_SOFT_HYPHENS = (SOFT_HYPHEN, b"\xad", b"\xfe\xff\x00\xad")
# Letters in the form that a font prints them in: the one character "ffi".
_PRINTED = re.compile(r"[\ufb00-\ufb4f]+")
# Footnotes' marks or a power: how they stand to what they are behind, in sizes of that. Browsers
# print <sup> at 0.83 of the size.
_RAISED = re.compile(r" ?(?:\d{1,2}(?:[,;] ?\d{1,2}){0,4}|[+\u2212-]\d{1,2}) ?")
_SMALLER, _LEAST_RISE, _MOST_RISE, _WIDEST_LETTER = 0.9, 0.1, 0.7, 0.75
# A bullet that is drawn: how large it is and how far before its text, in sizes of that.
_SMALLEST, _LARGEST, _BEFORE = 0.1, 0.6, 2.5
_SHOWS = (b"Tj", b"TJ", b"'", b'"')
_LINES = (b"m", b"l", b"c", b"v", b"y", b"re")
_PAINTS = (b"f", b"F", b"f*", b"B", b"B*", b"b", b"b*", b"S", b"s")
_MOST_SAVED = 1000  # states of a page at a time

_Matrix = Sequence[float]


class _Box(NamedTuple):
    """What a drawn shape covers, in points."""

    left: float
    low: float
    right: float
    high: float


class _Shown(NamedTuple):
    """How large a piece of text is, where it begins, in points, and what is drawn before it."""

    size: float
    x: float
    y: float
    shape: _Box | None = None

    def has_bullet(self) -> bool:
        """Whether the shape before it is small, about round, and stands left of its letters."""
        if self.shape is None:
            return False
        left, low, right, high = self.shape
        sides = right - left, high - low
        small = _SMALLEST * self.size <= min(sides) and max(sides) <= _LARGEST * self.size
        beside = 0 <= self.x - right <= _BEFORE * self.size
        return small and beside and self.y <= (low + high) / 2 <= self.y + self.size


_Piece = tuple[str, _Shown, str]  # its text, how it is shown, and the name of its font


def page_text(page: Any) -> PageText:
    """The text of a page of pypdf's, in reading order, with what is set high or low."""
    pieces: list[_Piece] = []
    state = _State()

    def take(text: str, around: _Matrix, matrix: _Matrix, font: Any, size: float) -> None:
        if text:
            rise, shape = state.taken() if text.strip() else (0.0, None)
            shown_size = abs(size * matrix[3] * around[3])
            x = matrix[4] * around[0] + around[4]
            y = (matrix[5] + rise * matrix[3]) * around[3] + around[5]
            name = str(font.get("/BaseFont", "")) if font else ""
            pieces.append((spelt(text), _Shown(shown_size, x, y, shape), name))

    found = page.extract_text(visitor_text=take, visitor_operand_before=state.before)
    text = spelt(found or "")
    if "".join(piece for piece, _, _ in pieces) != text:
        return PageText(text, ())
    texts = list(_marked(pieces))
    looks = [
        (len(text), look(its.size, name), its.y)
        for text, (_, its, name) in zip(texts, pieces, strict=True)
    ]
    return PageText("".join(texts), tuple(one[:2] for one in looks), tuple(y for *_, y in looks))


def spelt(text: str) -> str:
    """The text with its ligatures as the letters they stand for: "effective" has two f."""
    text = text.replace(BULLET, " ")
    return _PRINTED.sub(lambda found: unicodedata.normalize("NFKC", found.group()), text)


def _marked(pieces: Sequence[_Piece]) -> Iterator[str]:
    """The texts of pieces, smaller digits right behind one, above or below its line, set so.

    A line with a bullet drawn before it begins with the mark of one.
    """
    last, its = "\n", _Shown(0, 0, 0)
    for text, shown_so, _ in pieces:
        rise = shown_so.y - its.y
        beside = shown_so.x - its.x <= _WIDEST_LETTER * its.size * len(last)
        smaller = shown_so.size <= _SMALLER * its.size
        off = _LEAST_RISE * its.size < abs(rise) < _MOST_RISE * its.size
        begins = last[-1:] == "\n"
        if beside and smaller and off and _RAISED.fullmatch(text) and not begins:
            # Where there is a blank, it stands behind the mark.
            yield written(text.strip().ljust(len(text)), "sup" if rise > 0 else "sub")
        elif begins and shown_so.has_bullet():
            yield BULLET + text
        else:
            yield text
        last, its = text, shown_so


class _State:
    """What the operators before a piece of text say of it: its rise, and a shape drawn before it.

    `before` is called with each operator of a page, and `taken` when a piece of text is complete.
    """

    def __init__(self) -> None:
        self.rise = 0.0
        self.saved = deque[float](maxlen=_MOST_SAVED)
        # Of each marked content that is open: whether it is a soft hyphen.
        self.soft = deque[bool](maxlen=_MOST_SAVED)
        self.path: _Box | None = None
        self.drawn: _Box | None = None
        self.shown: tuple[float, _Box | None] = 0.0, None

    def taken(self) -> tuple[float, _Box | None]:
        """The rise of the text that was shown last, and the shape drawn before it, told once."""
        rise, shape = self.shown
        self.shown = rise, None
        return rise, shape

    def before(self, operator: bytes, operands: Any, around: _Matrix, matrix: _Matrix) -> None:
        """Takes in an operator; a blank that stands for a soft hyphen becomes one."""
        with suppress(IndexError, TypeError, ValueError):  # what a damaged page may have
            self._take(operator, operands, around)

    def _take(self, operator: bytes, operands: Any, around: _Matrix) -> None:
        if operator in _SHOWS:
            self.shown = self.rise, self.drawn or self.shown[1]
            self.drawn = None
            if operator == b"Tj" and self.soft and self.soft[-1]:
                operands[:] = [SOFT_HYPHEN]
        elif operator in _LINES:
            self._draw(operator, [float(each) for each in operands], around)
        elif operator in _PAINTS:
            self.drawn, self.path = self.path, None
        elif operator == b"n":
            self.path = None
        elif operator == b"Ts":
            self.rise = float(operands[0])
        elif operator == b"q":
            self.saved.append(self.rise)
        elif operator == b"Q" and self.saved:
            self.rise = self.saved.pop()
        elif operator in (b"BDC", b"BMC"):
            given: Any = operands[1] if len(operands) > 1 else None
            actual = given.get("/ActualText") if hasattr(given, "get") else None
            self.soft.append(actual in _SOFT_HYPHENS)
        elif operator == b"EMC" and self.soft:
            self.soft.pop()

    def _draw(self, operator: bytes, given: Sequence[float], around: _Matrix) -> None:
        """Takes the points of a path into what it covers; they bound a curve as well."""
        if operator == b"re":
            x, y, width, height = given
            given = (x, y, x + width, y + height)
        for x, y in zip(given[::2], given[1::2], strict=True):
            right, high = x * around[0] + around[4], y * around[3] + around[5]
            path = self.path or _Box(right, high, right, high)
            self.path = _Box(
                min(path.left, right), min(path.low, high),
                max(path.right, right), max(path.high, high),
            )  # fmt: skip
