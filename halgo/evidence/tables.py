"""Sentences of an index -> the table that one of them is a row of, with the values of its cells.

The rows of a Markdown table, the lines of a CSV file and the records of a JSON array are read
alike: each has a name for a column and what stands under it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from halgo.sources import drawn_tables, plain_tables
from halgo.sources.records import fields, plain_fields, value_as_read
from halgo.types import Cell, Date, Facts, Quantity, Span, Table

if TYPE_CHECKING:
    from halgo.evidence.index import Index

MOST_ROWS = 120  # on either side of a row; of a table with more it is not sure that all are seen
_FEWEST_ROWS = 2
_INTRODUCING = 3  # sentences right before a table that say what it is about
_FAR = 40  # sentences before a table in which its heading is looked for
_MOST_CELLS = 60
_LONGEST_LABEL = 60
_DASH = " \N{EM DASH} "
_CELL = re.compile(r"(?:^|; | \N{EM DASH} )([^:;\n]{1,60}): ([^;\n]{1,200}?)(?=; | \N{EM DASH} |$)")
_NAMED = re.compile(r"([^:;\n]{1,60}): ([^\n]{1,200})")
_ASIDE = 3  # characters of a cell beside its amount: "~", "€", "[1]"
_PLAIN = re.compile(r"\d{1,15}(?:\.\d{1,6})?")
# Parts of a list item, and what its first one calls it: "Application" of "Application A-11".
_NEXT = re.compile(r",\s|:\s|\s\N{EM DASH}\s")
_CODED = re.compile(r"([^\W\d]+) (?=\S*\d)")
_MOST_PARTS, _LONGEST_ITEM = 8, 160
_LETTERS = re.compile(r"[^\W\d]{4,}")
# What stands in the last row of many a table, and is of no thing of its own.
_SUMS = re.compile(
    r"\W*(?:sub|grand )?(?:totals?|sum|overall|average|mean|median|all)\b", re.IGNORECASE
)


def cells(line: str, read: str) -> tuple[str, list[tuple[str, str]]]:
    """What a row is called, and its columns with what stands under each; none for prose.

    line: as it stands in the document; read: as it is read. Columns are in lower case, "" is the
    first of a table that gives it no name.
    """
    if (found := fields(line)) is not None:
        return found[0], found[1]
    drawn = (
        drawn_tables.is_row(line)
        or plain_tables.is_told(line)
        or plain_tables.is_parted(line, read)
    )
    if not drawn:
        return "", max(plain_fields(line), _of_a_file(line), key=len)
    label, dash, rest = read.partition(_DASH)
    keyless = bool(dash) and ": " not in label and len(label) <= _LONGEST_LABEL
    named = [
        (column.strip().lower(), value.strip())
        for column, value in _CELL.findall(rest if keyless else read)
    ]
    return "", [("", label.strip()), *named] if keyless else named


def _of_a_file(line: str) -> list[tuple[str, str]]:
    """The cells of a CSV file's row: "Region: South; Branch: Ulm; Sales 2024: 2400000."."""
    parts = [_NAMED.fullmatch(part) for part in line.rstrip(".").split("; ")]
    named = [(part[1].strip().lower(), part[2].strip()) for part in parts if part is not None]
    return named if len(named) == len(parts) > 1 else []


def run_of_rows(index: Index, place: int, doc_id: str) -> range:
    """The sentences around `place`, of this document, that are rows under the same header.

    Empty where it is none.
    """
    document = index.places[doc_id].sentences
    own = index.cells(place, doc_id)
    if own is None:
        return range(0)
    first = last = place
    least, most = max(document.start, place - MOST_ROWS), min(document.end - 1, place + MOST_ROWS)
    while first > least and _goes_with(own, index.cells(first - 1, doc_id)):
        first -= 1
    while last < most and _goes_with(own, index.cells(last + 1, doc_id)):
        last += 1
    return range(first, last + 1)


def table_of(index: Index, places: range, doc_id: str) -> Table | None:
    """The table of these sentences, without its rows of totals; None of fewer than two rows."""
    found = [row for at in places if (row := index.cells(at, doc_id)) is not None]
    last = len(found) - 1
    rows = tuple(row for at, (_, row) in enumerate(found) if not _is_sum(row, at == last))
    if len(rows) < _FEWEST_ROWS:
        return None
    document = index.places[doc_id]
    first = max(document.sentences.start, places.start - _FAR)
    blocks = index.sentences.of_field("block", first, places.start)
    heads = [at for at, block in enumerate(blocks, first) if block == "heading"][-1:]
    above = [index.sentence(at).reading.text for at in heads]
    above.append(index.documents[document.number].source)
    intro = range(max(first, places.start - _INTRODUCING), places.start)
    title = range(document.sentences.start, min(document.sentences.start + 1, intro.start))
    about = tuple(index.sentence(at).reading.text for at in (*title, *intro))
    inside = range(document.sentences.start, document.sentences.end)
    beside = [at for at in (places.start - 1, places.stop) if at in inside]
    cut = any(index.sentence(at).block == "row" for at in beside)  # a row that is not read
    whole = len(places) <= MOST_ROWS and not cut
    return Table(found[0][0], tuple(above), about, rows, whole)


def read_row(line: str, read: str, facts: Facts) -> tuple[str, tuple[Cell, ...]] | None:
    """What a row is called, and its cells; None for what is no row.

    line: as it stands in the document; read: as it is read; facts: of that text.
    """
    name, named = cells(line, read)
    if len(named) < 2:
        return None
    found: list[Cell] = []
    at, low = 0, read.lower()
    for column, value in named[:_MOST_CELLS]:
        head = low.find(column, at)
        begin = head + len(column) if head >= 0 else at
        told = value if value in read[begin:] else value_as_read(value)  # "null" of a record
        place = read.find(told, begin)
        if place < 0:
            return None
        at = place + len(told)
        span = Span(place, at)
        found.append(Cell(column, value, _amount(span, read, facts), _day(span, facts)))
    return name, tuple(found)


def read_item(read: str, facts: Facts) -> tuple[str, tuple[Cell, ...]] | None:
    """A list item as a row: "Application A-11, Rook Theatre, €9,000: approved"; None of one part.

    Its columns have no names, but for what the first part calls it. read: as it is read; facts: of
    that text.
    """
    ends = [*(found.start() for found in _NEXT.finditer(read)), len(read)]
    if not 2 <= len(ends) <= _MOST_PARTS or len(read) > _LONGEST_ITEM:
        return None
    found: list[Cell] = []
    start, column = 0, " "
    for at, end in enumerate(ends):
        coded = _CODED.match(read, 0, end) if not at else None
        span = Span(coded.end() if coded else start, end)
        text = span.of(read).rstrip(".")
        name = coded[1].lower() if coded else column
        found.append(Cell(name, text, _amount(span, read, facts), _day(span, facts)))
        following = _NEXT.match(read, end)
        start, column = following.end() if following else end, f"{column} "
    return "", tuple(found)


def _goes_with(
    own: tuple[str, tuple[Cell, ...]], other: tuple[str, tuple[Cell, ...]] | None
) -> bool:
    """Whether two rows have the same header; a cell that is empty may be left out of one."""
    if other is None or own[0] != other[0]:
        return False
    ours, theirs = ({cell.column for cell in row} for _, row in (own, other))
    return ours <= theirs or theirs <= ours


def _is_sum(row: tuple[Cell, ...], last: bool) -> bool:
    """Whether a row is a total of the others, and of no thing of its own like "All Saints"."""
    name = row[0].text
    return _SUMS.fullmatch(name) is not None or (last and _SUMS.match(name) is not None)


def _amount(value: Span, read: str, facts: Facts) -> Quantity | None:
    """The one amount that a cell is, but for a sign or a note."""
    some = [one for one in facts.quantities if one.span.overlaps(value)]
    if (
        len(some) == 1
        and some[0].unit.startswith("identifier")
        and _PLAIN.fullmatch(value.of(read))
    ):
        return replace(some[0], unit="")  # "seats 6" names nothing
    if len(some) != 1 or some[0].unit.startswith(("identifier", "ordinal", "clock")):
        return None
    before = read[value.start : some[0].span.start]
    after = read[some[0].span.end : value.end]
    told = some[0].low == some[0].high and not any(map(str.isalpha, before))
    return some[0] if told and "-" not in before[:-1] and not _LETTERS.search(after) else None


def _day(value: Span, facts: Facts) -> Date | None:
    """The one day, month or year that a cell is."""
    some = [one for one in facts.dates if one.span.overlaps(value)]
    told = len(some) == 1 and some[0].year_known and some[0].span.start - value.start <= _ASIDE
    return some[0] if told else None
