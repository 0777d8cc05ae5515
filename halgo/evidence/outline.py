"""Headings and their levels -> which sections a document has, one inside the other.

"Added: dark mode" says little without the "3.2.0" that stands over "Added", and is said of 3.2.0
and not of 3.1.0, whose heading stands beside it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass

_MOST_ABOVE = 2  # headings that a passage is read with, beside its own
_MOST_BESIDE = 100
_LONGEST = 80  # characters of a line that is taken for a title
_LABELLED = re.compile(
    r"\W*(?:(?:section|clause|article|art\.|chapter|part|rule|regulation|step|appendix|annex)\s+"
    r"|§\s*)(\d{1,3}(?:\.\d{1,3}){0,4}|[ivxlc]{1,6})\b",
    re.IGNORECASE,
)
_LED = re.compile(r"\W*(\d{1,3}(?:\.\d{1,3}){0,4})[.)]?\s+[^\W\d]")


def titled(text: str, heading: bool) -> str:
    """The number of a title: "7" of "Article 7" and "7. Payment", "iii" of "Part III"; else "".

    Of what is no heading only a short line that begins with such a word is a title.
    """
    if len(text) > _LONGEST:
        return ""
    found = _LABELLED.match(text) or (_LED.match(text) if heading else None)
    return found[1].lower() if found else ""


@dataclass(frozen=True)
class Outline:
    """The headings of a document whose level is known, by their rows.

    levels: of each, from 1. parents: the heading over each, None for none. groups: the headings of
    one level in one section, by level and parent. titles: levels that only one heading has, which
    stands over everything.
    """

    texts: Mapping[int, str]
    levels: Mapping[int, int]
    parents: Mapping[int, int | None]
    groups: Mapping[tuple[int, int | None], tuple[str, ...]]
    titles: Set[int]

    @classmethod
    def of(cls, headings: Iterable[tuple[int, str, int | None]]) -> Outline:
        """From (row, text, level) in order; those without a level are left out."""
        known = [(row, text, level) for row, text, level in headings if level is not None]
        counts = Counter(level for _, _, level in known)
        open_: list[tuple[int, int]] = []  # (level, row) from the outermost in
        parents: dict[int, int | None] = {}
        groups: dict[tuple[int, int | None], list[str]] = {}
        for row, text, level in known:
            while open_ and open_[-1][0] >= level:
                open_.pop()
            parents[row] = open_[-1][1] if open_ else None
            open_.append((level, row))
            groups.setdefault((level, parents[row]), []).append(text)
        return cls(
            {row: text for row, text, _ in known},
            {row: level for row, _, level in known},
            parents,
            {key: tuple(dict.fromkeys(texts))[:_MOST_BESIDE] for key, texts in groups.items()},
            {level for level, many in counts.items() if many == 1},
        )

    def above(self, row: int) -> tuple[int, ...]:
        """The headings over one, the outermost first, titles left out."""
        found: list[int] = []
        over = self.parents.get(row)
        while over is not None and len(found) < _MOST_ABOVE:
            if self.levels[over] not in self.titles:
                found.insert(0, over)
            over = self.parents[over]
        return tuple(found)

    def beside(self, row: int) -> tuple[str, ...]:
        """The other headings of its level in the same section."""
        text, group = self.texts[row], self.groups[self.levels[row], self.parents[row]]
        return tuple(other for other in group if other != text)
