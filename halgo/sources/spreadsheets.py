"""CSV text -> one line per row, each cell after its column's name: "Plan: Basic; Price: $10."."""

from __future__ import annotations

import csv
import io
import math
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from itertools import chain, dropwhile, islice, zip_longest

from halgo.sources.ceilings import LONGEST_NAME, allowed, shortened
from halgo.sources.decimal_commas import columns, with_points

_Row = tuple[int, list[str]]  # its number and its cells
_Line = tuple[int, str]  # of the row of this number
_Start = tuple[int, int]  # where the line of a row begins, and the row's number

_DELIMITERS = ",;\t|"
# The longest a column's name may be in a row; the next one where cells of a letter repeat it so
# often that the text would outgrow the file. With the shortest none does.
_LONGEST_NAMES = (LONGEST_NAME, 60)
_SHORTEST_NAME = 20
# What is surely a table, and no prose with commas: so many rows, all as wide, of no longer cells.
_FEWEST_ROWS = 2  # below the head
_LONGEST_CELL = 200
_SAMPLE = 30  # rows that tell whether what stands above them is a title
_ENDS = (".", "!", "?", ":")  # of a sentence, and of what leads to a list


def rows_as_lines(text: str, tabs: bool = False) -> tuple[str, list[_Start], list[str]]:
    """The rows as lines, where in the text each begins with its number, and what was odd.

    Rows of one cell above the first row of several are titles where most rows after that have
    several too: each is a line of its own before the rows. The next row, or the first where there
    are no titles, names the columns unless it holds numbers, with the one below it where it was
    saved of merged cells. A row with too few or too many cells
    is kept, with a warning; its surplus cells have no name. Blank rows are passed over; rows are
    counted from 1 as in a spreadsheet, titles and header included. A name longer than LONGEST_NAME
    stands whole once, before the rows, and shortened in each of them, with a warning.
    """
    ceiling = allowed(len(text))
    for most in _LONGEST_NAMES:
        told = _told(text, tabs, most, ceiling)
        if len(told[0]) <= ceiling:
            return told
    return _told(text, tabs, _SHORTEST_NAME, math.inf)


def is_table(text: str) -> bool:
    """Whether a text is surely CSV or TSV: a head of names over rows that are all as wide.

    Prose and Markdown are none: a head has neither numbers nor sentences, its names differ, and
    unless a column is all numbers no space follows its delimiters. Reads until a row is amiss.
    """
    text = text.lstrip("\ufeff\r\n")
    head = text.partition("\n")[0]
    if head.rstrip()[-1:] in _ENDS or not any(mark in head for mark in ",;\t"):
        return False  # as nearly all prose
    delimiter = _delimiter(text)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    filled = (row for row in rows if any(map(str.strip, row)))
    count = 0
    amounts: set[int] = set()  # columns that have nothing but numbers
    try:
        names = next(filled, [])
        if not _are_names([name.strip() for name in names]):
            return False
        for row in filled:
            if len(row) != len(names) or max(map(len, row)) > _LONGEST_CELL:
                return False
            numbers = {at for at, cell in enumerate(row) if _is_number(cell)}
            amounts = amounts & numbers if count else numbers
            count += 1
    except csv.Error:
        return False
    return count >= _FEWEST_ROWS and (bool(amounts) or f"{delimiter} " not in head)


def _are_names(cells: list[str]) -> bool:
    """Whether the cells of a first row may name columns."""
    return len(set(cells)) == len(cells) > 1 and all(
        cell and len(cell) <= LONGEST_NAME and cell[-1] not in _ENDS and may_be_name(cell)
        for cell in cells
    )


def may_be_name(cell: str) -> bool:
    """Whether a cell may name a column: "2024" may, "10:00" and "4 kg" may not."""
    return not _is_number(cell) and (cell.isdigit() or not cell[0].isdigit())


def _told(text: str, tabs: bool, most: int, ceiling: float) -> tuple[str, list[_Start], list[str]]:
    """What `rows_as_lines` gives, with names of at most `most` characters.

    It ends with the row that goes beyond `ceiling` characters.
    """
    delimiter = "\t" if tabs else _delimiter(text)
    problems: list[str] = []
    titles, rows = _titled(_rows(text, delimiter, problems))
    header = next(rows, None)
    if header is None:
        return "", [], problems
    first = list(islice(rows, _SAMPLE))
    if merged := _merged([header, *first]):
        header, first = (header[0], merged), first[1:]
    begin = first[0][0] if first else 0
    rows = chain(first, rows)
    names = [" ".join(cell.split()) for cell in header[1]]
    ragged: list[int] = []
    pending: list[_Row] = []
    if any(_is_number(name) for name in names):
        pending, begin = [header], header[0]
        names = [""] * len(names)
    names = [name or f"Column {k}" for k, name in enumerate(names, start=1)]
    # Where commas part the cells, one within a cell stands between quotation marks.
    may_have_commas = delimiter != "," or '"' in text
    told = (row for number, row in _rows(text, delimiter, []) if number >= begin)
    swapped = columns(told) if may_have_commas else ()
    whole = [name for name in names if len(name) > most]
    above = [*titles, *((header[0], name) for name in whole)]
    lines: list[str] = []
    starts: list[_Start] = []
    at = 0
    for number, line in chain(
        above, _lines(_distinct(names, most), chain(pending, rows), ragged, swapped)
    ):
        lines.append(line)
        starts.append((at, number))
        at += len(line) + 2
        if at > ceiling + 2:
            break
    if whole:
        count = "1 column name is" if len(whole) == 1 else f"{len(whole)} column names are"
        problems.append(
            f"{count} longer than {most} characters; whole before the rows, shortened in each row"
        )
    if ragged:
        shown = ", ".join(map(str, ragged[:5])) + (" ..." if len(ragged) > 5 else "")
        word = "row has" if len(ragged) == 1 else "rows have"
        problems.append(f"{len(ragged)} {word} not {len(names)} cells: {shown}")
    # A blank line between rows keeps each a block of its own.
    return "\n\n".join(lines), starts, problems


def _merged(rows: list[_Row]) -> list[str]:
    """The names of columns that two rows give together, as saved of merged cells; else none.

    ",2023,,2024," over "Region,Q3,Q4,Q1,Q2": a cell of the first row stands for the empty ones
    behind it too, where the second has names under all of them, and the rows below have amounts.
    """
    if len(rows) < 3:
        return []
    upper, lower, *below = ([cell.strip() for cell in row] for _, row in rows)
    both = list(zip_longest(upper, lower, fillvalue=""))
    size = max((k for k, pair in enumerate(both, start=1) if any(pair)), default=0)
    over, lower = (list(cells) for cells in zip(*both[:size], strict=True))
    corner = next((k for k, cell in enumerate(over) if cell), size)
    behind = [k for k in range(corner + 1, size) if not over[k]]
    under = {*behind, *(k - 1 for k in behind)}
    for k in behind:
        over[k] = over[k - 1]
    names = [" ".join(filter(None, pair)) for pair in zip(over, lower, strict=True)]
    named = all(names) and all(lower[k] and may_be_name(lower[k]) for k in under)
    amounts = all(_may_be_amount(row[k]) for row in below for k in under if k < len(row))
    return [*names, *[""] * len(both[size:])] if under and named and amounts else []


def _may_be_amount(cell: str) -> bool:
    """Whether a cell holds an amount or nothing: "120", "4 kg", "-"."""
    return cell[:1].isdigit() or _is_number(cell) or not any(map(str.isalnum, cell))


def _distinct(names: list[str], most: int) -> list[str]:
    """The names, each of at most `most` characters; those that would become alike are numbered."""
    short = [shortened(name, most) for name in names]
    spread: dict[str, set[str]] = {}
    for name, cut in zip(names, short, strict=True):
        spread.setdefault(cut, set()).add(name)
    return [
        f"Column {k}" if len(spread[cut]) > 1 and cut != name else cut
        for k, (name, cut) in enumerate(zip(names, short, strict=True), start=1)
    ]


def _lines(
    names: list[str], rows: Iterable[_Row], ragged: list[int], swapped: Container[int]
) -> Iterator[_Line]:
    """The rows as lines; adds the numbers of those with too few or too many cells to `ragged`.

    swapped: the columns whose numbers have decimal commas.
    """
    for number, row in rows:
        if len(row) != len(names):
            ragged.append(number)
        cells = (with_points(cell) if k in swapped else cell for k, cell in enumerate(row))
        yield number, _line(names, cells)


def _line(names: list[str], row: Iterable[str]) -> str:
    cells = []
    for k, cell in enumerate(row):
        value = " ".join(cell.split())
        if value:
            cells.append(f"{names[k]}: {value}" if k < len(names) else value)
    line = "; ".join(cells)
    return line if line[-1:] in (".", "!", "?") else line + "."


def _titled(rows: Iterator[_Row]) -> tuple[list[_Line], Iterator[_Row]]:
    """The titles above the row that names the columns, and the rows from it on; none is blank."""
    filled = ((number, row) for number, row in rows if any(map(str.strip, row)))
    first: list[_Row] = []
    for one in filled:
        first.append(one)
        if _cells(one) > 1:
            break
    after = list(islice(filled, _SAMPLE))
    several = sum(_cells(one) > 1 for one in after)
    titles = first[:-1] if 2 * several > len(after) else []
    lines = [(number, " ".join(" ".join(row).split())) for number, row in titles]
    return lines, chain(first[len(titles) :], after, filled)


def _cells(numbered: _Row) -> int:
    """How many cells of a row have something in them."""
    return sum(1 for cell in numbered[1] if cell.strip())


def _rows(text: str, delimiter: str, problems: list[str]) -> Iterator[_Row]:
    """Numbered rows; what the csv module cannot read is divided at each delimiter."""
    stream = io.StringIO(text, newline="")
    # Strict, so that a quotation mark that is never closed does not swallow the rows after it.
    reader = csv.reader(stream, delimiter=delimiter, strict=True)
    number = 0
    while True:
        place = stream.tell()
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            problems.append(f"row {number + 1} cannot be read as CSV ({error}); divided as it is")
            stream.seek(place)
            for line in stream.read().splitlines():
                number += 1
                yield number, line.split(delimiter)
            return
        number += 1
        yield number, row


def _delimiter(text: str) -> str:
    """The delimiter that divides the first rows most evenly into the most cells, titles apart."""
    sample = text[:20_000].splitlines()[:30]
    if len(text) > 20_000:
        sample = sample[:-1] or sample
    best, most = ",", (0.0, 0)
    for delimiter in _DELIMITERS:
        try:
            counts = [len(row) for row in csv.reader(sample, delimiter=delimiter) if row]
        except csv.Error:
            continue
        if not counts or max(counts) < 2:
            continue
        below = dropwhile(lambda width: width == 1, counts)
        width, agreeing = Counter(below).most_common(1)[0]
        if width > 1 and (agreeing / len(counts), width) > most:
            best, most = delimiter, (agreeing / len(counts), width)
    return best


def _is_number(name: str) -> bool:
    """Whether a cell is an amount, which no column is called; a year may be a column's name."""
    bare = name.strip("$%\u20ac\u00a3 ()").replace(",", "").replace(".", "", 1)
    return bare.lstrip("+-").isdigit() and not (len(bare) == 4 and bare[:2] in ("19", "20"))
