"""The tables of a PDF's page: its text in reading order, and as laid out -> rows of Markdown.

A PDF has no tables, only words in places. The text of a page in reading order has their cells one
after the other, "Revenue 48,612 44,905"; the text as laid out has them in columns, but runs two
columns of prose together. Lines whose cells stand under one another are taken for a table where the
reading order has them row by row as well: so nothing is lost or told twice, and where the two do
not agree the page stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from halgo.sources import plain_tables
from halgo.sources.ceilings import Told
from halgo.sources.column_names import names_both
from halgo.sources.grids import Cell, table
from halgo.sources.page_headings import Place
from halgo.sources.page_text import HYPHEN_ENDS, SOFT_HYPHEN
from halgo.sources.raised import in_line

_CELL = re.compile(r"\S+(?: \S+)*")
_BLANK = re.compile(rf"[\s{SOFT_HYPHEN}]+")
_FEWEST = 3  # rows of a table
_GAP = 4  # blanks between the cells of two columns, in one row at least: words stand nearer
# A line that begins with it has one cell less: "•    BOOLEAN;"
_ITEM = re.compile(r"[-*\u2022\u25e6\u25aa\u2013\u2014]|\(?\d{1,3}[.)]|\(?[a-z][.)]")
_AMOUNT = re.compile(
    r"[-+(\u2013\u2212<>~\u2248]?\s?[A-Z]{0,3}\s?[$\u20ac\u00a3\u00a5]?\s?\d"
)  # how one begins
_CODE = re.compile(r"^[<{]|[={]$|=\"|[:=-]=|[=-]>")
_MOST_LINES = 8  # that the longest cell of a row is wrapped to
_MOST_ROWS, _MOST_COLUMNS = 400, 20
_FIRST_ROWS = 10  # that have to be a table before more are looked at
_LONGEST_CELL = 80  # characters of a cell in one line
_LONGEST_LINE, _LINES_OF_PAGE = 1000, 500  # others are left as they stand
_LINE = 2  # sizes of its letters that a line of a cell is below the one before it, at most
_NEAR = 4  # blanks between what may be of one column: "Note" and, ranged right, "3"


@dataclass(frozen=True, slots=True)
class _Piece:
    """A cell of a row, or the part of it in one line: from where to where it reaches."""

    start: int
    end: int
    text: str = ""

    def overlaps(self, other: _Piece) -> bool:
        return self.start < other.end and other.start < self.end

    def joined(self, other: _Piece) -> _Piece:
        blank = "" if HYPHEN_ENDS.search(self.text[-2:]) else " "
        text = f"{self.text}{blank}{other.text}".strip()
        return _Piece(min(self.start, other.start), max(self.end, other.end), text)


_Row = list[_Piece]


@dataclass(frozen=True, slots=True)
class _Found:
    """A row: where it starts and ends in the bare text, the line after it, and its cells."""

    start: int
    end: int
    line: int
    cells: _Row


@dataclass(frozen=True, slots=True)
class _Table:
    """A table: how many columns it has, and its rows, each cell with the columns it covers."""

    columns: int
    rows: list[list[tuple[range, str]]]


def with_tables(text: str, laid_out: str, told: Told, places: Sequence[Place] = ()) -> list[str]:
    """The lines of a page in reading order, each table as one "line" of Markdown rows.

    text, laid_out: the page in both ways; places: where the characters of `text` that are no
    blanks stand, if that is known. What no table is found in stays as it stands.
    """
    if laid_out.count("\n") > _LINES_OF_PAGE:
        return text.splitlines()
    lines = [pieces for line in laid_out.split("\n") if (pieces := _pieces(line))]
    order = _Order(text, places)
    return order.lines(_tables(lines, order, told))


class _Order:
    """The text in reading order, and where in it each character that is no blank stands."""

    def __init__(self, text: str, places: Sequence[Place] = ()) -> None:
        self.text = text
        letters = [k for k, char in enumerate(text) if not char.isspace()]
        known = len(letters) == len(places)
        self.places = [place for k, place in zip(letters, places, strict=False) if self._shown(k)]
        self.places = self.places if known else []
        self.at = list(filter(self._shown, letters))
        self.bare = _bare(text)

    def _shown(self, at: int) -> bool:
        return self.text[at] != SOFT_HYPHEN

    def near(self, at: int) -> bool:
        """Whether a character of `bare` stands in the line below the one before it, or may do."""
        if not self.places:
            return True
        (above, _), (y, size) = self.places[at - 1], self.places[at]
        return 0 < above - y <= _LINE * size

    def printed(self, text: str, start: int) -> str:
        """A text as laid out in the characters of the reading order, from a place in `bare` on.

        These have raised digits, and soft hyphens where the other has blanks.
        """
        found: list[str] = []
        k = start
        for char in text:
            if not char.isspace() and char != SOFT_HYPHEN:
                found.append(self.text[self.at[k]])
                k += 1
            elif SOFT_HYPHEN not in self.text[self.at[k - 1] : self.at[k]]:
                found.append(char)
        return "".join(found)

    def lines(self, tables: Sequence[tuple[int, int, str]]) -> list[str]:
        """The text's lines, with what stands from one place of `bare` to another replaced."""
        found: list[str] = []
        done = 0
        for start, end, made in tables:
            found += [*self.text[done : self.at[start]].splitlines(), "", made, ""]
            done = self.at[end - 1] + 1
        return found + self.text[done:].splitlines()


def _bare(text: str) -> str:
    """A text without what the reading order and the layout may tell in different ways."""
    return in_line(_BLANK.sub("", text)).replace("\u2212", "-")


def _pieces(line: str) -> _Row:
    if len(line) > _LONGEST_LINE:
        return []
    found = [_Piece(cell.start(), cell.end(), cell.group()) for cell in _CELL.finditer(line)]
    if len(found) > 1 and _ITEM.fullmatch(found[0].text):
        found[:2] = [found[0].joined(found[1])]
    return found


# -- lines to rows ---------------------------------------------------------------------------------


def _tables(lines: Sequence[_Row], order: _Order, told: Told) -> list[tuple[int, int, str]]:
    """From where to where in the bare text each table stands, and the table as Markdown."""
    found: list[tuple[int, int, str]] = []
    at = begin = 0
    while at < len(lines):
        made = rows = None
        for most in (_FIRST_ROWS, _MOST_ROWS) if len(lines[at]) > 1 else ():
            rows = _rows(lines, at, order, begin, most)
            made = _table([row.cells for row in rows])
            if made is None or len(rows) < most:
                break
        if made is None or rows is None or _is_above([row.cells for row in rows[:3]]):
            at += 1
            continue
        last = rows[len(made.rows) - 1]
        begin, at = last.end, last.line
        found.append((rows[0].start, begin, _written(made, told)))
    return found


def _rows(lines: Sequence[_Row], first: int, order: _Order, begin: int, most: int) -> list[_Found]:
    """The rows from a line on that the reading order has one after the other, at most so many."""
    found: list[_Found] = []
    while first < len(lines) and len(found) < most:
        row = _row(lines, first, order, begin, exact=bool(found))
        if row is None or (len(row.cells) == 1 and len(found[-1].cells) == 1):
            break
        row = _with_overflow(row, lines, order)
        first, begin = row.line, row.end
        found.append(replace(row, cells=list(_printed(row, order))))
    return found


def _row(
    lines: Sequence[_Row], first: int, order: _Order, begin: int, exact: bool
) -> _Found | None:
    """The row that begins with a line.

    It is one line or several, of which the cells are put together, as the reading order has them
    one after the other. exact: it has to begin at `begin`, and not anywhere after it.
    """
    joined: _Row = []
    found: _Found | None = None
    for at in range(first, min(first + _MOST_LINES, len(lines))):
        if len(lines[at]) > _MOST_COLUMNS:
            return found
        if any(len(one.text) > _LONGEST_CELL or _CODE.search(one.text) for one in lines[at]):
            return found
        for piece in lines[at]:
            over = next((k for k, one in enumerate(joined) if one.overlaps(piece)), None)
            if over is None:
                joined.append(piece)
            else:
                joined[over] = joined[over].joined(piece)
        joined.sort(key=lambda one: one.start)
        bare = _bare("".join([piece.text for piece in joined]))
        start = begin if exact else order.bare.find(bare, begin)
        within = found is None or start <= found.start < start + len(bare)
        if start >= 0 and within and order.bare.startswith(bare, start):
            found = _Found(start, start + len(bare), at + 1, list(joined))
        # Heads in the middle of two lines of others stand between these.
        if found and (exact or _overlap(joined, lines[at + 1 : at + 2])):
            return found
    return found


def _overlap(row: _Row, lines: Sequence[_Row]) -> bool:
    return any(one.overlaps(piece) for line in lines for piece in line for one in row)


def _with_overflow(row: _Found, lines: Sequence[_Row], order: _Order) -> _Found:
    """The row with the lines in which nothing but its last cell goes on.

    The reading order alone does not tell: without these it has the row as well.
    """
    for line in lines[row.line : row.line + _MOST_LINES]:
        bare = _bare(line[0].text)
        goes_on = len(line) == 1 and len(row.cells) > 1 and order.bare.startswith(bare, row.end)
        if not goes_on or not order.near(row.end) or len(line[0].text) > _LONGEST_CELL:
            break
        *others, last = row.cells
        # A figure under a figure is a sum.
        letters = any(map(str.isalpha, last.text + line[0].text))
        if not letters or not last.overlaps(line[0]) or _overlap(others, [line]):
            break
        cells = [*others, last.joined(line[0])]
        row = _Found(row.start, row.end + len(bare), row.line + 1, cells)
    return row


def _printed(row: _Found, order: _Order) -> Iterator[_Piece]:
    """The cells of a row in the characters of the reading order."""
    at = row.start
    for cell in row.cells:
        yield replace(cell, text=order.printed(cell.text, at))
        at += len(_bare(cell.text))


# -- rows to columns -------------------------------------------------------------------------------


def _table(rows: list[_Row]) -> _Table | None:
    """The table that rows begin with, None where they are none."""
    if len(rows) < _FEWEST:
        return None
    over = divides = _divides(rows)
    body, columns = _fitting(rows[1:] if over else rows)
    if not over and len(body) < _FEWEST:
        below = _fitting(rows[1:])  # heads may be wider than what they stand over
        if len(below[0]) >= _FEWEST - 1:
            over, (body, columns) = True, below
    placed = [[(range(at, at + 1), one.text) for at, one in _in(row, columns)] for row in body]
    if over:
        heads = _spread(rows[0], columns, [at for at, _ in _in(body[0], columns)], divides)
        if heads is None:
            return None
        placed.insert(0, heads)
    if len(placed) < _FEWEST or len(columns) < 2 or not _is_table(body, columns):
        return None
    return _Table(len(columns), placed)


def _fitting(rows: Sequence[_Row]) -> tuple[list[_Row], _Row]:
    """The first rows whose cells stand under one another, and the columns that they cover."""
    taken: list[_Row] = []
    columns: _Row = []
    figures = False
    for k, row in enumerate(rows):
        more = _merged([*columns, *row])
        under_all = all(sum(map(one.overlaps, columns)) == 1 for one in row)
        looked_at = [row] if under_all else [*taken, row]
        if len(more) > _MOST_COLUMNS or not _apart(looked_at, more):
            break
        if taken and not _goes_on(row, rows[k + 1 : k + 2], more, figures):
            break
        taken.append(row)
        columns = more
        figures = figures or not _are_names(row[1:])
    while taken and len(taken[-1]) == 1:
        taken.pop()
    return taken, _close(taken, columns)


def _goes_on(row: _Row, after: Sequence[_Row], columns: _Row, figures: bool) -> bool:
    """Whether a row belongs to the rows over it: no heads of the next table, no title over these.

    after: the row after it, if there is one; figures: whether the rows so far have some.
    """
    if len(row) > 1:
        return row[0].overlaps(columns[0]) or not (figures and _are_names(row[1:]))
    below = after[0] if after else row
    if len(below) == 1 or not (row[0].overlaps(columns[0]) and below[0].overlaps(columns[0])):
        return False
    return not (figures and _are_names(below))


def _merged(pieces: Sequence[_Piece]) -> _Row:
    """What cells cover, where they overlap as one."""
    found: _Row = []
    for piece in sorted(pieces, key=lambda one: one.start):
        if found and piece.start < found[-1].end:
            found[-1] = _Piece(found[-1].start, max(found[-1].end, piece.end))
        else:
            found.append(_Piece(piece.start, piece.end))
    return found


def _in(row: _Row, columns: _Row) -> list[tuple[int, _Piece]]:
    """The cells of a row, each with the column it stands in."""
    found: list[tuple[int, _Piece]] = []
    at = 0
    for piece in row:
        while not columns[at].overlaps(piece):
            at += 1
        found.append((at, piece))
    return found


def _apart(rows: Sequence[_Row], columns: _Row) -> bool:
    """Whether the cells of each row stand in different columns."""
    return all(a < b for row in rows for (a, _), (b, _) in pairwise(_in(row, columns)))


def _is_table(rows: Sequence[_Row], columns: _Row) -> bool:
    """Whether it is no prose in large letters, whose words stand apart like cells.

    Between any two columns some row leaves a wide gap, and half of a column is figures, or every
    row has every cell.
    """
    gaps, figures = [0] * len(columns), [0] * len(columns)
    for row in rows:
        placed = _in(row, columns)
        for (_, left), (at, right) in pairwise(placed):
            gaps[at] = max(gaps[at], right.start - left.end)
            figures[at] += bool(_AMOUNT.match(right.text))
    full = len(rows) > _FEWEST and all(len(row) == len(columns) for row in rows)
    return all(gap >= _GAP for gap in gaps[1:] if gap) and (full or 2 * max(figures) >= len(rows))


def _close(rows: Sequence[_Row], columns: _Row) -> _Row:
    """The columns, two as one that are near to each other and of which no row has both."""
    found: _Row = []
    for column in columns:
        joined = found[-1].joined(column) if found else column
        near = bool(found) and column.start - found[-1].end <= _NEAR
        if near and all(sum(map(joined.overlaps, row)) < 2 for row in rows):
            found[-1] = joined
        else:
            found.append(column)
    return found


def _is_above(rows: Sequence[_Row]) -> bool:
    """Whether the first row is text over a table that has its heads in the second.

    An address beside the date of an invoice, over "Item", "Price" and "Sum".
    """
    first, second, third = rows
    headed = len(first) < len(second) and _are_names(second) and not _are_names(third[1:])
    told = not _are_names(first) and first[0].overlaps(third[0])
    return headed and (told or any(":" in one.text for one in first))


def _divides(rows: Sequence[_Row]) -> bool:
    """Whether the first row has heads over several columns each, which the second row names.

    "2022" and "2023" over "Sales", "Profit", "Sales" and "Profit"; beside them may be heads of
    columns that the second row does not name.
    """
    upper, lower = rows[0], rows[1]
    named = _are_names(upper) and _are_names(lower)
    unnamed = [one for one in rows[2] if not any(map(one.overlaps, lower))]
    wide = [one for one in upper if not any(map(one.overlaps, unnamed))]
    return named and 0 < 2 * len(wide) <= len(lower) and not _are_names(rows[2][1:])


def _spread(
    heads: _Row, columns: _Row, below: Sequence[int], divides: bool
) -> list[tuple[range, str]] | None:
    """Heads with the columns they stand over.

    below: the columns that the next row has a cell in. divides: of these each goes to the nearest
    head, or where all heads stand over the left end of their columns, to the last one left of it.
    """
    over: dict[int, list[int]] = {}
    if not divides and len(heads) in (len(columns), len(columns) - 1):
        gap = len(columns) - len(heads)
        over = {k: [k + gap] for k in range(len(heads))}
        below = []
    for at in set(range(len(columns))) - {*below} if divides else ():
        over.update({k: [at] for k, head in enumerate(heads) if head.overlaps(columns[at])})
    wide = [k for k in range(len(heads)) if k not in over]
    if divides and not any(heads[k].overlaps(columns[below[0]]) for k in wide) and below[0] == 0:
        below = below[1:]  # the names of rows, which no head is over
    lefts = [columns[at].start for at in below]
    left = bool(wide and below) and abs(heads[wide[0]].start - lefts[0]) < 2
    left = left and all(min(abs(heads[k].start - x) for x in lefts) < 2 for k in wide)
    for at in below:
        middle = columns[at].start + columns[at].end
        off = {k: abs(heads[k].start + heads[k].end - middle) for k in wide}
        begun = [k for k in wide if heads[k].start < columns[at].start + 2]
        over.setdefault(begun[-1] if left else min(wide, key=off.__getitem__), []).append(at)
    placed = [(range(over[k][0], over[k][-1] + 1), heads[k].text) for k in sorted(over)]
    if len(placed) < len(heads) or any(a.stop > b.start for (a, _), (b, _) in pairwise(placed)):
        return None
    return placed


def _are_names(cells: Sequence[_Piece]) -> bool:
    """Whether cells may be the names of columns: years, and words without figures."""
    return all(plain_tables.is_name(cell.text) for cell in cells)


# -- columns to Markdown ---------------------------------------------------------------------------


def _written(made: _Table, told: Told) -> str:
    """The table as Markdown, its first rows as the heads where they read like names."""
    first, second = made.rows[:2]
    heads = 2 if any(len(place) > 1 for place, _ in first) else 1
    if made.columns == 2:
        given = [{place.start: text for place, text in row} for row in made.rows]
        heads = int(names_both([(row.get(0, ""), row.get(1, "")) for row in given]))
    elif heads == 1:
        under = {place.start: text for place, text in second}
        named = {0: "", **{place.start: text for place, text in first}}
        below = [under.get(at, "") for at in named]
        heads = int(plain_tables.names_columns(list(named.values()), below))
    rows = [list(_cells(row, made.columns, k < heads)) for k, row in enumerate(made.rows)]
    if not heads:  # rows that begin with their names have no heads over them
        rows = [[row[0]._replace(head=True), *row[1:]] for row in rows]
    return table(rows, told)


def _cells(row: Sequence[tuple[range, str]], columns: int, head: bool) -> Iterator[Cell]:
    """The cells of a row as a table of a page has them, empty ones among them."""
    at = 0
    for place, text in row:
        for _ in range(at, place.start):
            yield Cell("", head=head)
        yield Cell(text, len(place), head=head)
        at = place.stop
    for _ in range(at, columns):
        yield Cell("", head=head)
