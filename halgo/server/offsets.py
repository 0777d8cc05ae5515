"""Code points -> UTF-8 bytes and UTF-16 units: one place in a text, as each language counts it.

Python counts characters, Go and Rust bytes, JavaScript, Java and C# units of UTF-16.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

_STEP = 1024  # characters between two places that are known beforehand


class Offsets:
    """The places of one text; making it takes one walk over the text, a place a few hundred steps.

    Half a surrogate pair, which no encoding can write, counts as three bytes and one unit.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._ascii = text.isascii()
        self._bytes: list[int] = [0]
        self._units: list[int] = [0]
        if not self._ascii:
            parts = [text[at : at + _STEP] for at in range(0, len(text), _STEP)]
            self._bytes += accumulate(_bytes(part) for part in parts)
            self._units += accumulate(_units(part) for part in parts)

    def place(self, span: Sequence[int] | None) -> dict[str, list[int]] | None:
        """[start, end) as {"characters": ..., "utf8": ..., "utf16": ...}; None for None."""
        if span is None:
            return None
        ends = [self._at(at) for at in span]
        return {
            "characters": list(span),
            "utf8": [utf8 for utf8, _ in ends],
            "utf16": [utf16 for _, utf16 in ends],
        }

    def _at(self, at: int) -> tuple[int, int]:
        if self._ascii:
            return at, at
        step = at // _STEP
        rest = self._text[step * _STEP : at]
        return self._bytes[step] + _bytes(rest), self._units[step] + _units(rest)


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
