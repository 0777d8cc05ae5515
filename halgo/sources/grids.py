"""The table of a page or a Word file -> Markdown: merged cells told in each place that they cover.

Cells find their places as in the table model of HTML, each in the first column that is free. Rows
of heads become one row, the words over a column side by side: "Exports" over "2022" and "2023" are
"Exports 2022" and "Exports 2023".
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, takewhile, zip_longest
from typing import NamedTuple

from halgo.sources.ceilings import Told
from halgo.sources.column_names import names_both
from halgo.sources.spreadsheets import may_be_name

# A decoded "<b>" is text, not a tag: it keeps its bracket when it is read.
_LIKE_TAG = re.compile(r"<(?=[A-Za-z/!])")
_BARS = 3  # characters that a cell takes beside its text


class Cell(NamedTuple):
    """A cell as it is given: its text, the columns and rows it covers, whether it is a head."""

    text: str
    columns: int = 1
    rows: int = 1
    head: bool = False


class _Place(NamedTuple):
    """Where a cell stands: from a column up to another, from a row on."""

    start: int
    stop: int
    row: int
    cell: Cell


class _Row(NamedTuple):
    """The text in each column of a row, and the columns of each cell that stands in several.

    all_heads: every cell but an empty corner is a head; names: some heads have text; place: that
    of the row among those that were given.
    """

    texts: list[str]
    merged: list[tuple[int, int]]
    all_heads: bool
    names: bool
    place: int

    @property
    def alone(self) -> bool:
        """Whether it is one cell across several columns."""
        return len(self.texts) == 1 and bool(self.merged)


def table(rows: Sequence[Sequence[Cell]], told: Told) -> str:
    """Rows as a Markdown table: the text of `placed_table`."""
    return placed_table(rows, told)[0]


def placed_table(
    rows: Sequence[Sequence[Cell]], told: Told, listed: bool = False
) -> tuple[str, list[tuple[int, int]]]:
    """The same, and where in it each line of a row begins, with the row's place among `rows`.

    The text is "" when they have none; cells become single lines. A cell alone in its row is told
    once; above the heads it is a title, a paragraph of its own. The heads are the first rows in
    which all cells are, else the first row, with the one that divides its merged cells; there are
    none where the first row begins with the name of the row, or is one of a list of pairs.
    listed: whether the first row names the columns, where nothing shows that it does not.
    Raises DocumentError when merged cells repeat too much, by what `told` allows.
    """
    columns: set[int] = set()
    for placed in _placed(rows):
        told.more(_BARS * len(placed))
        columns.update(place.start for place in placed)
    starts = sorted(columns)  # a column in which no cell begins is one with that before it
    grid = [
        _row(k, placed, starts, told)
        for k, placed in enumerate(_placed(rows))
        if any(place.cell.text for place in placed)
    ]
    titles = sum(1 for _ in takewhile(lambda row: row.alone, grid))
    below = grid[titles:]
    if not below:
        return _written([], grid[:1], grid[1:])
    if heads := _heads(below, listed):
        return _written(grid[:titles], below[:heads], below[heads:])
    return _written([], grid[:titles], below)


def untagged(text: str) -> str:
    """The text as Markdown in which nothing is taken for a tag."""
    return _LIKE_TAG.sub(r"\\<", text)


def _placed(rows: Iterable[Sequence[Cell]]) -> Iterator[list[_Place]]:
    """The cells of each row in their places, those that reach into it from above among them."""
    above: list[_Place] = []
    for k, row in enumerate(rows):
        here: list[_Place] = []
        waiting = deque(place for place in above if place.row + place.cell.rows > k)
        at = 0
        for cell in row:
            while waiting and waiting[0].start <= at:
                here.append(waiting.popleft())
                at = here[-1].stop
            stop = at + cell.columns
            if waiting:
                stop = min(stop, waiting[0].start)
            here.append(_Place(at, stop, k, cell))
            at = stop
        here += waiting
        yield here
        above = here


def _row(number: int, placed: Sequence[_Place], starts: list[int], told: Told) -> _Row:
    """A row as it is told, in the columns that begin at `starts`."""
    texts: list[str] = []
    merged: list[tuple[int, int]] = []
    for place in placed:
        first, last = bisect_left(starts, place.start), bisect_left(starts, place.stop)
        if last - first > 1:
            merged.append((first, last))
        text = place.cell.text
        texts += [""] * (first - len(texts))
        texts.append(text if place.row == number else told.again(text))
        if len(placed) > 1:
            texts += [told.again(text) for _ in range(first + 1, last)]
    told.more(sum(map(len, texts)) + _BARS * len(texts))
    cells = [place.cell for place in placed]
    all_heads = all(cell.head or not (k or cell.text) for k, cell in enumerate(cells))
    names = any(cell.head and cell.text for cell in cells)
    return _Row(texts, merged, all_heads, names, number)


def _heads(rows: Sequence[_Row], listed: bool) -> int:
    """How many rows at the beginning name the columns."""
    marked = sum(1 for _ in takewhile(lambda row: row.all_heads and not row.alone, rows))
    if marked:
        return marked if marked < len(rows) else 1
    if rows[0].names:
        return 0
    if any(text.endswith(":") for text in rows[0].texts):
        return 0
    if not listed and max(len(row.texts) for row in rows) == 2:
        return int(
            names_both([(row.texts[0], row.texts[1]) for row in rows if len(row.texts) == 2])
        )
    return 2 if len(rows) > 2 and _divides(rows[1], rows[0]) else 1


def _divides(lower: _Row, upper: _Row) -> bool:
    """Whether a row has a name under each place of the merged cells above it, and no more words.

    "| | 2022 | 2023 |" under "| Country | Exports (two columns) |" does, a row of amounts does not.
    """
    under = {column for first, last in upper.merged for column in range(first, last)}
    if not under or not set(upper.merged).isdisjoint(lower.merged):
        return False
    pairs = zip_longest(upper.texts, lower.texts, fillvalue="")
    return all(
        bool(below) and may_be_name(below)
        if k in under
        else not (above and below and above != below)
        for k, (above, below) in enumerate(pairs)
    )


def _written(
    titles: Iterable[_Row], heads: Sequence[_Row], body: Sequence[_Row]
) -> tuple[str, list[tuple[int, int]]]:
    """The titles as paragraphs over the table, the heads of each column side by side.

    So are cells alone in the last rows, below: notes that stand in no column.
    """
    feet = sum(1 for _ in takewhile(lambda row: row.alone, reversed(body)))
    feet = feet if heads and feet < len(body) else 0
    body, notes = body[: len(body) - feet], body[len(body) - feet :]
    names = [
        " ".join(dict.fromkeys(filter(None, column)))
        for column in zip_longest(*(row.texts for row in heads), fillvalue="")
    ]
    lines = [(untagged(row.texts[0]) + "\n", row.place) for row in titles if row.texts[0]]
    if names:
        rule = "\n|" + " --- |" * len(names) if body else ""
        lines.append((_line(names) + rule, heads[0].place))
    lines += ((_line(row.texts), row.place) for row in body)
    lines += (("\n" + untagged(row.texts[0]), row.place) for row in notes)
    starts = accumulate((len(line) + 1 for line, _ in lines), initial=0)
    text = "\n".join(line for line, _ in lines).rstrip("\n")
    return text, [(at, place) for at, (_, place) in zip(starts, lines, strict=False)]


def _line(texts: Iterable[str]) -> str:
    """A row of a Markdown table."""
    return "| " + " | ".join(map(_one_line, texts)) + " |"


def _one_line(text: str) -> str:
    """A cell's text as Markdown."""
    return " ".join(untagged(text).split()).replace("|", r"\|") if text else ""
