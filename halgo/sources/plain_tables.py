"""Lines of plain text -> cells: columns set apart by blanks, tabs or marks, fields line by line.

    Plan      Price   Seats          sku;name;price        plot: 4
    Basic     9       5              A-11;Cable tray;9       holder: Devi Raman

Whether lines are a table is told by two of them: their cells stand under one another, or are as
many between the same marks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest

from halgo.sources.stops import OTHER_STOPS
from halgo.types import Span

# Within a cell one blank parts words.
_CELL = re.compile(r"[^\s\x00]+(?:[ \xa0][^\s\x00]+)*")
_ENDS = re.compile(rf"[.!?\u2026][^\w\s]{{0,8}}(?:\s|$)|[{OTHER_STOPS}]")
_LONGEST_CELL, _MOST_CELLS = 60, 30
_TREE = re.compile("[\u251c\u2514]\u2500")  # a folder's files, drawn under it
_WIDE = 3  # blanks between two columns, where there are no more
_YEAR = re.compile(r"\b(?:(?:19|20)\d\d|[QH][1-4]|FY\d\d)\b")
_SAMPLE = re.compile(r"\b[nN]\s?=\s?\d[\d.,]*")
_MEASURE = re.compile(r"\d[\d.,]*\s?[a-zA-Z]+")
_NUMBER = re.compile(r"[$\u20ac\u00a3]?\s?\d[\d.,]*")
_LONGEST_NAME = 40
_RULE = re.compile(r"[-=_\u2500\u2501]{2,}")
_KEY = r"\"?[A-Za-z_][\w.-]{0,40}(?: [\w.-]{1,20}){0,2}\"?"
_FIELD = re.compile(rf"(?P<key>{_KEY})[ \t]{{0,8}}:(?:[ \t]+(?P<value>\S[^\n]{{0,200}}))?$")
_JSON_FIELD = re.compile(
    r'\s*(?P<key>"(?:[^"\\\n]|\\.){1,60}")\s*:\s*'
    r'(?P<value>"(?:[^"\\\n]|\\.){0,200}"|-?\d[\d.eE+-]{0,30}|true|false|null)\s*(?:,|$)'
)
_LONGEST_LINE = 1000
# Settings of TOML and INI files: a section's name, a key with its value, a remark.
_SECTION = re.compile(r"\[{1,2}(?P<name>[\w\"'][\w .:/\"'-]{0,80})\]{1,2}$")
_SETTING = re.compile(
    r"(?P<key>[A-Za-z_\"][\w.\"-]{0,80})(?P<gap>[ \t]{0,20})=[ \t]{0,20}"
    r"(?P<value>[^\s=~>][^\n]{0,400})?$"
)
# "MAX_SIZE=20", "pool.size=4": alone they are settings as well; "x = 5" may be arithmetic.
_ALONE = re.compile(r"\w+[_.]\w[\w.]*|[A-Z][A-Z0-9]+")
# "-f, --force   what it does", "run   Create and run": what --help prints of a command's options
# and of its own commands.
_COMMAND = re.compile(r"[a-z][\w:.-]{0,30}(?:\s{2,}[A-Z]|\s{4,}[a-z])\S{0,60}(?: \S{1,60}){1,40}$")
_OPTION = re.compile(
    r"-{1,2}[A-Za-z0-9?][\w-]*\S{0,60}(?: \S{1,60}){0,6}"
    r"(?P<does>\s{2,}\S{1,80}(?: \S{1,80}){0,60}$)?"
)
# The marks between cells that CSV within a text may have, and a cell before one or in quotes.
_MARKS = {mark: re.compile(rf'"(?:[^"\n]|"")*"(?=\s*(?:{mark}|$))|[^{mark}\n]*') for mark in ";,"}
_FEWEST, _LONGEST_PARTED = 3, 200
_QUOTED = re.compile(r'"(.*)"')


@dataclass(frozen=True, slots=True)
class Column:
    """From where to where the cells of a column reach, counted from the beginning of a line."""

    start: int
    end: int

    def joined(self, start: int, end: int) -> Column:
        """The column with one more cell."""
        return Column(min(self.start, start), max(self.end, end))


# How the cells of a table's lines are told apart: what they stand under, or the mark between them.
Layout = list[Column] | str


def cells(text: str, start: int, end: int) -> list[Span]:
    """The cells of a line, which more than one blank sets apart; one of prose."""
    return [Span(*found.span()) for found in _CELL.finditer(text, start, end)]


def is_row(line: str) -> bool:
    """Whether a line has several cells set apart by blanks, and no sentence ends in it."""
    return ("  " in line or "\t" in line) and len(_cells_of(line)) > 1 and not _TREE.search(line)


def _cells_of(line: str) -> list[Span]:
    found = cells(line, 0, len(line))
    few = len(found) > _MOST_CELLS or any(len(one) > _LONGEST_CELL for one in found)
    return [] if few or _ENDS.search(line) else found


def layout_of(text: str, first: Span, second: Span) -> Layout | None:
    """The layout of two lines that are the beginning of a table; None where they are none.

    first, second: the lines without the blanks around them. A first line with one cell less has an
    empty corner.
    """
    for mark in _MARKS:
        if _FEWEST <= len(_parted(text, first, mark)) == len(_parted(text, second, mark)):
            return mark
    lines = [one.of(text) for one in (first, second)]
    if is_row(lines[0]) and is_rule(lines[1]) and " " not in lines[1]:
        return _placed(text, first) if len(_placed(text, first)) > 2 else None
    if not all(map(is_row, lines)):
        return None
    upper, lower = (_placed(text, one) for one in (first, second))
    if len(lower) == len(upper) + 1 and lower[0].end <= upper[0].start:
        upper.insert(0, lower[0])
    if len(upper) != len(lower):
        return None
    if len(upper) == 2 and not all(_is_wide(line) for line in lines):
        return None
    tabbed = all("\t" in line for line in lines)
    if not tabbed and not _under(upper, lower):
        return None
    return [a.joined(b.start, b.end) for a, b in zip(upper, lower, strict=True)]


def in_layout(text: str, line: Span, columns: Layout, count: int = 0) -> list[Span] | None:
    """The cells of a line, one for each column, empty ones among them; None where they fit none.

    count: of the columns, where a mark sets them apart; 0 where it is not known yet.
    """
    if isinstance(columns, str):
        parted = _parted(text, line, columns)
        return parted if len(parted) >= _FEWEST and count in (0, len(parted)) else None
    if not is_row(line.of(text)):
        return None
    found, placed = cells(text, line.start, line.end), _placed(text, line)
    if len(found) == len(columns):
        return found
    if len(found) > len(columns):
        return None
    own = [_nearest(cell, columns) for cell in placed]
    if any(a >= b for a, b in pairwise(own)):
        return None
    by_column = dict(zip(own, found, strict=True))
    empty = Span(line.end, line.end)
    return [by_column.get(at, empty) for at in range(len(columns))]


def _parted(text: str, line: Span, mark: str) -> list[Span]:
    """The cells of a line that a mark sets apart, without their quotes; none of prose."""
    if text.count(mark, line.start, line.end) < _FEWEST - 1 or len(line) > _LONGEST_LINE:
        return []
    found: list[Span] = []
    at = line.start
    while True:
        cell = _MARKS[mark].match(text, at, line.end)
        assert cell is not None  # it may be empty
        stop = cell.end()
        written = text[at:stop]
        if found and written[:1].isspace():
            return []  # "red, green and blue"
        if mark == "," and (";" in written or ": " in written) and '"' not in written:
            return []  # "plan: Basic; price: 1,200"
        start = at + len(written) - len(written.lstrip())
        own = _unquoted(text, Span(start, max(start, at + len(written.rstrip()))))
        quoted = own.start > start
        if len(own) > _LONGEST_PARTED or (not quoted and _ENDS.search(text, own.start, own.end)):
            return []
        found.append(own)
        while stop < line.end and text[stop] in " \t":
            stop += 1
        if stop >= line.end:
            return found if len(found) <= _MOST_CELLS else []
        if text[stop] != mark:
            return []  # the next line
        at = stop + 1


def names_columns(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether a first row, which no separator sets apart, holds the names of columns.

    They are short, all there but a corner, all different, over a row with figures or gaps. A year
    is a name, and so is an amount of which the cell below has the bare number: "1 kg" over "25.00".
    """
    named = all(first[1:]) and max(map(len, first)) <= _LONGEST_NAME and first[0][:1] != "-"
    plain = all(
        is_name(cell) or (_MEASURE.fullmatch(cell) and _NUMBER.fullmatch(below))
        for cell, below in zip_longest(first, second, fillvalue="")
    )
    filled = any(map(str.isdecimal, "".join(second))) or any(len(cell) < 3 for cell in second)
    return named and plain and filled and len({cell.casefold() for cell in first}) == len(first)


def is_name(cell: str) -> bool:
    """Whether a cell may be a name: words, "m²", years and "(n=312)", and no other figures."""
    return not any(map(str.isdecimal, _SAMPLE.sub("", _YEAR.sub("", cell))))


def is_rule(line: str) -> bool:
    """Whether a line is nothing but strokes that may stand under the names of columns."""
    return all(map(_RULE.fullmatch, line.split()))


def is_help(line: str, indent: int, listed: bool = False) -> bool:
    """Whether a line begins with an option or a command, set apart from what it does.

    listed: whether it may be in a list of these; there an option may have a line of its own.
    """
    if line[0] != "-":
        return indent > 1 and _COMMAND.match(line) is not None
    option = _OPTION.match(line)
    return option is not None and (bool(option["does"]) or (listed and option.end() == len(line)))


def section(text: str, start: int, end: int) -> Span | None:
    """The name of a section of settings, where a line is nothing else: "[server]"."""
    found = _SECTION.match(text, start, end)
    return Span(*found.span("name")) if found else None


def setting(text: str, start: int, end: int, alone: bool = False) -> tuple[Span, Span] | None:
    """The key and the value of a line "key = value", which may be empty.

    alone: of no section, where only a key that is no plain word, without blanks, is one.
    """
    found = _SETTING.match(text, start, end) if end - start <= _LONGEST_LINE else None
    if found is None or (alone and (found["gap"] or not _ALONE.fullmatch(found["key"]))):
        return None
    value = found.span("value") if found["value"] else (end, end)
    if alone and text[value[0] - 1] != "=":
        return None
    return _unquoted(text, Span(*found.span("key"))), _unquoted(text, Span(*value))


def field(text: str, start: int, end: int) -> tuple[Span, Span] | None:
    """The key and the value of a line "key: value"; an empty value where the line ends with it."""
    found = _FIELD.match(text, start, end) if end - start <= _LONGEST_LINE else None
    if found is None:
        return None
    at, stop = found.span("value") if found["value"] else (end, end)
    if text[stop - 1 : stop] == ",":
        stop -= 1
    if found["value"] and _ENDS.search(text, at, stop):
        return None
    return _unquoted(text, Span(*found.span("key"))), _unquoted(text, Span(at, stop))


def fields(text: str, start: int, end: int) -> list[tuple[Span, Span]]:
    """Keys and values of a line that is a JSON object of plain values; none for others."""
    if text[start] != "{" or end - start > _LONGEST_LINE:
        return []
    stop = end - 1 if text[end - 1] == "," else end
    if text[stop - 1] != "}":
        return []
    found: list[tuple[Span, Span]] = []
    at = start + 1
    while at < stop - 1:
        one = _JSON_FIELD.match(text, at, stop - 1)
        if one is None:
            return []
        key, value = Span(*one.span("key")), Span(*one.span("value"))
        found.append((_unquoted(text, key), _unquoted(text, value)))
        at = one.end()
    return found


def is_told(text: str) -> bool:
    """Whether what stands in a document is a row: cells set apart by blanks, or fields."""
    text = text.strip()
    if text.startswith("{"):
        return bool(fields(text, 0, len(text)))
    lines = text.splitlines()
    if len(lines) < 2:
        return is_row(text)
    lines = [line.strip(" \t-*") for line in lines]
    return all(field(line, 0, len(line)) for line in lines) or all(
        setting(line, 0, len(line)) or section(line, 0, len(line)) for line in lines if line
    )


def is_parted(line: str, read: str) -> bool:
    """Whether a line is a row of CSV within a text: it is read with a name before each cell.

    "A budget of 1,234,567 euros" has three parts as well, but no names.
    """
    line = line.strip()
    parts = (_parted(line, Span(0, len(line)), mark) for mark in _MARKS)
    return any(
        len(found) >= _FEWEST and 1 < sum(map(bool, map(len, found))) <= read.count(": ")
        for found in parts
    )


def _unquoted(text: str, span: Span) -> Span:
    quoted = _QUOTED.fullmatch(text, span.start, span.end)
    return Span(*quoted.span(1)) if quoted else span


def _is_wide(line: str) -> bool:
    return "\t" in line or " " * _WIDE in line


def _placed(text: str, line: Span) -> list[Column]:
    """Where the cells of a line stand in it."""
    least = max(0, line.start - _LONGEST_LINE)
    begin = max(least, *(text.rfind(mark, least, line.start) + 1 for mark in "\n\r"))
    return [Column(one.start - begin, one.end - begin) for one in cells(text, line.start, line.end)]


def _under(upper: Sequence[Column], lower: Sequence[Column]) -> bool:
    """Whether the cells of two lines stand under one another, and under no others."""
    for at, cell in enumerate(lower):
        over = [k for k, one in enumerate(upper) if one.start < cell.end and cell.start < one.end]
        if over != [at]:
            return False
    return True


def _nearest(cell: Column, columns: Sequence[Column]) -> int:
    """The column that a cell is under, by what it shares with it, else by where it begins."""

    def likeness(at: int) -> tuple[int, int]:
        one = columns[at]
        shared = min(one.end, cell.end) - max(one.start, cell.start)
        return max(0, shared), -abs(one.start - cell.start)

    return max(range(len(columns)), key=likeness)
