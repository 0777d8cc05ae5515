"""The cells of a spreadsheet's sheet -> its tables as Markdown, under the sheet's name.

Rows that a blank one sets apart are a table of their own where they have heads of their own, and go
on with the table before them where they have none; so are columns that an empty one sets apart and
that begin with names. Names with their values need no heads.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field, replace
from itertools import accumulate, dropwhile, product, takewhile

from halgo.sources.ceilings import Told
from halgo.sources.grids import Cell, placed_table
from halgo.sources.row_numbers import noted
from halgo.sources.spreadsheets import may_be_name

# What programs call a sheet that nobody named.
_UNNAMED = re.compile(
    r"(?:sheet|tabelle|feuil(?:le)?|hoja|foglio|blad|ark|arkusz|planilha|taulukko)\s?\d{1,3}",
    re.IGNORECASE,
)
_KEYED = 2  # columns of names with their values, which have no heads


@dataclass(frozen=True, slots=True)
class Held:
    """What a cell holds: its text as it is shown, whether it is in bold and an amount."""

    text: str
    bold: bool = False
    is_amount: bool = False


Row = dict[int, Held]  # by the number of its column, from 1
# A text, and where in it the line of each row begins, with the row's number.
Block = tuple[str, list[tuple[int, int]]]


@dataclass(slots=True)
class Sheet:
    """The rows of a sheet by their numbers, and the cells that stand for several.

    under, beside: of each hidden row and column the next one that is shown.
    """

    rows: dict[int, Row] = field(default_factory=dict)
    merged: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    under: dict[int, int] = field(default_factory=dict)
    beside: dict[int, int] = field(default_factory=dict)


def shown(sheet: Sheet, rows: Set[int], columns: Set[int]) -> tuple[Sheet, int, int]:
    """A sheet without its hidden rows and columns, and how many of each had something in them.

    A cell that stands for shown ones too is in the first of them.
    """
    found = Sheet(under=_next_shown(rows), beside=_next_shown(columns))
    filled: set[int] = set()
    for number, row in sheet.rows.items():
        filled.update(row.keys() & columns)
        if number not in rows and (cells := {k: row[k] for k in row if k not in columns}):
            found.rows[number] = cells
    for (number, column), (down, across) in sheet.merged.items():
        place = found.under.get(number, number), found.beside.get(column, column)
        left = number + down - place[0], column + across - place[1]
        if min(left) > 0:
            found.merged[place] = left
            if held := sheet.rows.get(number, {}).get(column):
                found.rows.setdefault(place[0], {})[place[1]] = held
    return found, len(sheet.rows.keys() & rows), len(filled)


def _next_shown(hidden: Set[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for number in sorted(hidden, reverse=True):
        found[number] = found.get(number + 1, number + 1)
    return found


def left_out(name: str, rows: int, columns: int) -> list[str]:
    """The warning of hidden rows and columns; none where there are none."""
    counts = ((rows, "row"), (columns, "column"))
    told = [f"{count} {kind}{'s' * (count > 1)}" for count, kind in counts if count]
    return [f"{name}: what is hidden is left out: {', '.join(told)}"] if told else []


def joined(sheets: Iterable[tuple[str, Iterable[Block]]]) -> tuple[str, dict[str, str]]:
    """The blocks of all sheets as one text, and metadata that tell each row and its sheet.

    sheets: the name of each, and its blocks.
    """
    texts: list[str] = []
    rows: list[tuple[int, int]] = []
    begun: list[tuple[int, str]] = []
    at = 0
    for called, blocks in sheets:
        begun.append((at, called))
        for text, starts in blocks:
            texts.append(text)
            rows += ((at + start, number) for start, number in starts)
            at += len(text) + 2
    return "\n\n".join(texts), noted(rows, begun)


def tables(called: str, sheet: Sheet, told: Told) -> list[Block]:
    """The sheet's name as a heading, unless nobody named it, and its tables as Markdown."""
    found = list(_tables(sheet, told))
    if found and called and not _UNNAMED.fullmatch(called):
        told.more(len(called))
        found.insert(0, (f"# {called}", []))
    return found


def _tables(sheet: Sheet, told: Told) -> Iterator[Block]:
    """The tables of a sheet, and the lines that stand alone over or under them."""
    heads: list[int] = []  # the row with the heads of the table before
    for numbers in _blocks(sheet):
        if len(sides := _sides(sheet, numbers)) > 1:
            for side in sides:
                yield from _tables(side, told)
            continue
        alone = sum(1 for _ in takewhile(lambda number: len(sheet.rows[number]) == 1, numbers))
        titles, below = numbers[:alone], numbers[alone:]
        for number in titles:
            (held,) = sheet.rows[number].values()
            told.more(len(held.text))
            yield held.text, [(0, number)]
        if not below:
            continue
        if _is_keyed(sheet, below):
            yield _table(sheet, below, told, is_keyed=True)
            continue
        first = sheet.rows[below[0]]
        if _are_heads(first):
            heads = below[:1]
        elif heads and first.keys() <= sheet.rows[heads[0]].keys():
            below = [*heads, *below]  # the table before goes on
        yield _table(sheet, below, told, is_keyed=not _are_heads(sheet.rows[below[0]]))


def _blocks(sheet: Sheet) -> Iterator[list[int]]:
    """The numbers of rows that no blank row divides."""
    block: list[int] = []
    for number in sorted(sheet.rows):
        after = block[-1] + 1 if block else number
        if number > sheet.under.get(after, after) and not _reaches(sheet, block[-1], number):
            yield block
            block = []
        block.append(number)
    if block:
        yield block


def _sides(sheet: Sheet, numbers: list[int]) -> list[Sheet]:
    """The tables side by side that empty columns part; one where a side may belong to another.

    Each has heads of its own and begins with the names of its rows: an empty column before amounts
    or words that repeat only sets off columns of the same table.
    """
    reach: dict[int, int] = {}  # the last column of the widest cell that begins in one
    for number in numbers:
        for column in sheet.rows[number]:
            last = column + sheet.merged.get((number, column), (1, 1))[1] - 1
            reach[column] = max(last, reach.get(column, column))
    columns = sorted(reach)
    ends = accumulate((reach[column] for column in columns), max)
    starts = [
        one
        for one, end in zip(columns[1:], ends, strict=False)
        if one > sheet.beside.get(end + 1, end + 1)
    ]
    if not starts:
        return [sheet]
    sides = [replace(sheet, rows={}) for _ in range(len(starts) + 1)]
    for number in numbers:
        for column, held in sheet.rows[number].items():
            side = sides[bisect_right(starts, column)]
            side.rows.setdefault(number, {})[column] = held
    whole = all(map(_has_heads, sides)) and all(map(_has_names, sides[1:]))
    return sides if whole else [sheet]


def _below_titles(side: Sheet) -> list[Row]:
    return list(dropwhile(lambda row: len(row) == 1, side.rows.values()))


def _has_heads(side: Sheet) -> bool:
    """Whether the first row below the titles of a side names all of its columns."""
    rows = _below_titles(side)
    columns = {column for row in rows for column in row}
    return len(rows) > 1 and len(columns) > 1 and rows[0].keys() == columns and _are_heads(rows[0])


def _has_names(side: Sheet) -> bool:
    """Whether a side begins with a name for each row, and no two are alike."""
    rows = _below_titles(side)
    names = [row.get(min(min(row) for row in rows)) for row in rows]
    texts = {held.text for held in names if held is not None and not held.is_amount}
    return len(texts) == len(rows)


def _reaches(sheet: Sheet, last: int, number: int) -> bool:
    """Whether a cell of the last row stands for those below it too, as far as another row."""
    return any(
        last + sheet.merged.get((last, column), (1, 1))[0] >= number for column in sheet.rows[last]
    )


def _are_heads(row: Row) -> bool:
    """Whether a row names columns: it holds no amounts, but perhaps years or days, or is bold."""
    cells = row.values()
    return all(held.bold for held in cells) or all(
        not held.is_amount or (may_be_name(held.text) and held.text.isdigit()) for held in cells
    )


def _is_keyed(sheet: Sheet, numbers: list[int]) -> bool:
    """Whether rows are names with their values, "Founded | 1998", of several kinds."""
    rows = [sheet.rows[number] for number in numbers]
    columns = sorted({column for row in rows for column in row})
    if len(columns) != _KEYED or all(held.bold for held in rows[0].values()):
        return False
    names, values = ([row[at] for row in rows if at in row] for at in columns)
    if any(held.is_amount for held in names):
        return False
    return len({held.is_amount for held in values[1:]}) > 1


def _table(sheet: Sheet, numbers: list[int], told: Told, is_keyed: bool) -> Block:
    """Rows as a Markdown table; a column in which none of them has a cell is none.

    is_keyed: the first cell of each row is its name, and no row names the columns.
    """
    columns = sorted({column for number in numbers for column in sheet.rows[number]})
    covered: set[tuple[int, int]] = set()
    rows: list[list[Cell]] = []
    are_heads = not is_keyed
    for number in numbers:
        row, cells = sheet.rows[number], []
        are_heads = are_heads and all(held.bold for held in row.values())
        told.more(len(columns))
        for column in columns:
            if (number, column) in covered:
                continue
            under, beside = [number], [column]
            if (number, column) in sheet.merged:
                down, across = sheet.merged[number, column]
                under, beside = _from(numbers, number, down), _from(columns, column, across)
                told.more(len(under) * len(beside))
                covered.update(product(under, beside))
            head = are_heads or (is_keyed and column == columns[0])
            text = row[column].text if column in row else ""
            cells.append(Cell(text, len(beside), len(under), head))
        rows.append(cells)
    text, places = placed_table(rows, told, listed=True)
    return text, [(start, numbers[place]) for start, place in places]


def _from(known: list[int], first: int, count: int) -> list[int]:
    """Those of sorted numbers that are among the `count` from `first` on."""
    return known[bisect_left(known, first) : bisect_left(known, first + count)]
