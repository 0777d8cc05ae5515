"""The numbers that Word writes before paragraphs by itself: "2.", "2.1", "(a)".

They stand in no text: a paragraph, or its style, names a list and a level, and the list says how
each level counts and what its number looks like. Parts and elements are those of ECMA-376, 17.9.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_LEVELS = 9  # that a list has
_LARGEST = 9999
_PLACE = re.compile(r"%([1-9])")
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
          (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip
_NO_NUMBER = frozenset({"bullet", "none"})


class Listed(NamedTuple):
    """A paragraph's place: the list it counts in and its level in it, from 0."""

    number: str
    level: int


class Label(NamedTuple):
    """What stands before a paragraph: its number as it looks, "" for a bullet.

    is_title: the paragraphs a level below are numbered within it, "2.1" below "2."
    """

    text: str
    is_title: bool = False


@dataclass(slots=True)
class _Level:
    start: int = 1
    form: str = "decimal"
    text: str = ""
    style: str = ""  # of the paragraphs that stand on this level


@dataclass(slots=True)
class _List:
    levels: dict[int, _Level] = field(default_factory=dict)
    counts: dict[int, int] = field(default_factory=dict)


class Numbering:
    """The lists of a document, and how far each has been counted."""

    def __init__(self, part: Any) -> None:
        self.lists: dict[str, _List] = {}
        self.list_of: dict[str, str] = {}
        self.restarts: dict[str, dict[int, int]] = {}  # where a further use of a list begins
        for element in part if part is not None else ():
            if element.tag == W + "abstractNum":
                self.lists.setdefault(element.get(W + "abstractNumId", ""), _list(element))
            elif element.tag == W + "num":
                name = element.get(W + "numId", "")
                self.list_of.setdefault(name, value(element, "abstractNumId") or "")
                begins = dict(_restarts(element))
                if begins:
                    self.restarts.setdefault(name, begins)

    def level_of_style(self, number: str, style: str) -> int:
        """The level on which the paragraphs of a style stand in a list."""
        listed = self.lists.get(self.list_of.get(number, ""))
        levels = listed.levels.items() if listed and style else ()
        return next((at for at, level in levels if level.style == style), 0)

    def label(self, listed: Listed) -> Label:
        """The next number of a list on a level."""
        one = self.lists.get(self.list_of.get(listed.number, ""))
        if one is None:
            return Label("")
        at, counts = listed.level, one.counts
        for level, begin in self.restarts.pop(listed.number, {}).items():
            counts[level] = begin - 1
        own = one.levels.get(at, _Level(form="bullet"))
        counts[at] = min(counts.get(at, own.start - 1) + 1, _LARGEST)
        for deeper in range(at + 1, _LEVELS):
            counts.pop(deeper, None)
        if own.form in _NO_NUMBER:
            return Label("")

        def shown(found: re.Match[str]) -> str:
            level = int(found[1]) - 1
            its = one.levels.get(level, _Level())
            return _written(counts.get(level, its.start), its.form)

        below = one.levels.get(at + 1)
        return Label(
            _PLACE.sub(shown, own.text).strip(), bool(below and f"%{at + 1}" in below.text)
        )


def listed_in(properties: Any) -> tuple[str | None, int | None]:
    """The list and the level that properties of a paragraph name, None for what they do not."""
    numbering = None if properties is None else properties.find(W + "numPr")
    if numbering is None:
        return None, None
    level = value(numbering, "ilvl")
    return value(numbering, "numId"), _number(level) if level is not None else None


def value(properties: Any, key: str) -> str | None:
    """What a property of that name is set to, None where it is not there."""
    child = properties.find(W + key)
    written = None if child is None else child.get(W + "val")
    return None if written is None else str(written)


def _list(element: Any) -> _List:
    found = _List()
    for level in element.findall(W + "lvl"):
        at = _number(level.get(W + "ilvl"))
        if at < _LEVELS:
            start = value(level, "start")
            form, text = value(level, "numFmt") or "decimal", value(level, "lvlText") or ""
            its = _Level(1 if start is None else _number(start), form, text[:40])
            its.style = value(level, "pStyle") or ""
            found.levels.setdefault(at, its)
    return found


def _restarts(element: Any) -> Iterator[tuple[int, int]]:
    for override in element.findall(W + "lvlOverride"):
        begin = value(override, "startOverride")
        if begin is not None:
            yield _number(override.get(W + "ilvl")), _number(begin)


def _number(written: str | None) -> int:
    return int(written) if written and re.fullmatch(r"\d{1,4}", written) else 0


def _written(count: int, form: str) -> str:
    """A count as a level writes it; as digits where the form is none of the Latin ones."""
    if form in ("lowerLetter", "upperLetter") and count:
        letter = chr(ord("a") + (count - 1) % 26) * min(1 + (count - 1) // 26, 4)
        return letter if form == "lowerLetter" else letter.upper()
    if form in ("lowerRoman", "upperRoman"):
        left, roman = count, ""
        for worth, sign in _ROMAN:
            roman += sign * (left // worth)
            left %= worth
        return roman if form == "lowerRoman" else roman.upper()
    return f"{count:02}" if form == "decimalZero" else str(count)
