"""XLSX -> Markdown: each sheet under its name, its tables with the cells as they are shown.

What formulas came to is read as it was saved. Parts and elements are those of ECMA-376, part 1, 18.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate

from halgo.sources import cell_formats
from halgo.sources.cell_formats import Format, format_of
from halgo.sources.office_parts import Element, Parts, number_of, opened, reference_of
from halgo.sources.raised import of_runs, place_of
from halgo.sources.sheet_tables import Held, Sheet, joined, left_out, shown, tables

_ON = ("1", "true")
_MOST = 10**9
_MOST_COLUMNS = 16_384
_PLACE = re.compile(r"([A-Z]{1,3})([1-9]\d{0,6})")


def read_xlsx(data: bytes, name: str) -> tuple[str, dict[str, str], list[str]]:
    """The sheets of a workbook as Markdown; what is hidden is left out, with a warning.

    Metadata "rows", "row_numbers" and "sheets" tell where each row stands (`row_numbers.py`).
    Raises DocumentError when the file is damaged, or unpacks to more than one of its size does.
    """
    with opened(data, name, "XLSX") as (parts, told):
        book = _Book(parts)
        text, metadata = joined(
            (called, tables(called, book.sheet(part), told)) for called, part in book.sheets
        )
        return text, metadata, [*told.warnings(), *book.warnings(name)]


class _Book:
    """The parts of a workbook that all of its sheets need."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        main = parts.related("", "officeDocument")
        book = parts.parsed(main)
        self.space = book.tag.rpartition("}")[0] + "}"
        places = {one.name: one for one in parts.relations(main)}
        properties = book.find(self.space + "workbookPr")
        self.since_1904 = properties is not None and properties.get("date1904") in _ON
        self.hidden: list[str] = []
        self.unseen = [0, 0]  # hidden rows and columns with something in them
        self.unsaved = 0  # formulas that nothing was saved of
        self.sheets: list[tuple[str, str]] = []
        for sheet in book.iterfind(f"{self.space}sheets/{self.space}sheet"):
            called = " ".join(sheet.get("name", "").split())
            related = reference_of(sheet)
            if related not in places or places[related].kind != "worksheet":
                continue  # a sheet with nothing but a chart, or of macros
            if sheet.get("state", "visible") == "visible":
                self.sheets.append((called, places[related].place))
            else:
                self.hidden.append(called)
        strings = parts.related(main, "sharedStrings")
        self.strings = list(self._strings(parts.parsed(strings))) if strings else []
        styles = parts.related(main, "styles")
        self.styles = list(self._styles(parts.parsed(styles))) if styles else []

    def warnings(self, name: str) -> list[str]:
        """What is to be said of what is not read."""
        found = []
        if self.hidden:
            listed = ", ".join(self.hidden[:5]) + (" ..." if len(self.hidden) > 5 else "")
            found.append(f"{name}: hidden sheets are left out: {listed}")
        found += left_out(name, *self.unseen)
        if self.unsaved:
            count = f"{self.unsaved} formulas have" if self.unsaved > 1 else "1 formula has"
            found.append(
                f"{name}: {count} no saved value to be read; open the file in a spreadsheet "
                "program and save it"
            )
        return found

    def _strings(self, root: Element) -> Iterator[str]:
        for one in root.iterfind(self.space + "si"):
            yield self._said(one)

    def _said(self, element: Element) -> str:
        """The text of an element, without the readings that are given beside its characters."""
        whole = "".join(text.text or "" for text in element.iterfind(self.space + "t"))
        return whole + of_runs(
            (text.text or "", self._place(run))
            for run in element.iterfind(self.space + "r")
            for text in run.iterfind(self.space + "t")
        )

    def _place(self, run: Element) -> str:
        """Whether a run is set high or low, as `raised` calls it."""
        align = run.find(f"{self.space}rPr/{self.space}vertAlign")
        return "" if align is None else place_of(align.get("val"))

    def _styles(self, root: Element) -> Iterator[tuple[Format, bool]]:
        """How the cells of each style show what they hold, and whether they are in bold."""
        space = self.space
        codes = {
            one.get("numFmtId", ""): one.get("formatCode", "")
            for one in root.iterfind(f"{space}numFmts/{space}numFmt")
        }
        bold = []
        for font in root.iterfind(f"{space}fonts/{space}font"):
            switch = font.find(space + "b")
            bold.append(switch is not None and switch.get("val", "1") in _ON)
        known: dict[str, Format] = {}
        for one in root.iterfind(f"{space}cellXfs/{space}xf"):
            number, font_number = one.get("numFmtId", "0"), number_of(one.get("fontId"), 0, _MOST)
            if number not in known:
                known[number] = format_of(codes.get(number, ""), number_of(number, 0, _MOST))
            yield known[number], font_number < len(bold) and bold[font_number]

    def sheet(self, part: str) -> Sheet:
        """What the cells of a sheet hold."""
        space, sheet = self.space, Sheet()
        root = self.parts.parsed(part)
        row_number = 0
        hidden: set[int] = set()
        for row in root.iterfind(f"{space}sheetData/{space}row"):
            row_number = number_of(row.get("r"), 0, _MOST) or row_number + 1
            if row.get("hidden") in _ON:
                hidden.add(row_number)
            column, cells = 0, sheet.rows.setdefault(row_number, {})
            for cell in row.iterfind(space + "c"):
                place = _PLACE.fullmatch(cell.get("r", ""))
                column = _column(place[1]) if place else column + 1
                held = self._held(cell)
                if held.text:
                    cells[column] = held
            if not cells:
                del sheet.rows[row_number]
        for merge in root.iterfind(f"{space}mergeCells/{space}mergeCell"):
            first, _, last = merge.get("ref", "").partition(":")
            begin, end = _PLACE.fullmatch(first), _PLACE.fullmatch(last)
            if begin and end:
                at = int(begin[2]), _column(begin[1])
                sheet.merged[at] = int(end[2]) - at[0] + 1, _column(end[1]) - at[1] + 1
        columns = self._hidden_columns(root)
        if hidden or columns:
            sheet, *unseen = shown(sheet, hidden, columns)
            self.unseen = [self.unseen[k] + count for k, count in enumerate(unseen)]
        return sheet

    def _hidden_columns(self, root: Element) -> set[int]:
        changes = [0] * (_MOST_COLUMNS + 2)  # how many stretches begin and end at each
        for one in root.iterfind(f"{self.space}cols/{self.space}col"):
            if one.get("hidden") in _ON:
                first = number_of(one.get("min"), 1, _MOST_COLUMNS)
                changes[first] += 1
                changes[number_of(one.get("max"), first, _MOST_COLUMNS) + 1] -= 1
        return {column for column, depth in enumerate(accumulate(changes)) if depth > 0}

    def _held(self, cell: Element) -> Held:
        space, kind = self.space, cell.get("t", "n")
        style = number_of(cell.get("s"), 0, _MOST)
        how, bold = self.styles[style] if style < len(self.styles) else (Format(), False)
        if kind == "inlineStr":
            inside = cell.find(space + "is")
            return Held("" if inside is None else " ".join(self._said(inside).split()), bold)
        value = cell.findtext(space + "v", "").strip()
        if not value:
            self.unsaved += cell.find(space + "f") is not None and kind != "str"
            return Held("")
        if kind == "s":
            at = number_of(value, 0, _MOST)
            return Held(" ".join(self.strings[at].split()) if at < len(self.strings) else "", bold)
        if kind == "b":
            return Held("TRUE" if value in _ON else "FALSE", bold)
        if kind == "d":  # a day as ISO 8601 writes it, perhaps with a time
            return Held(value.replace("T00:00:00", "").replace("T", " "), bold, True)
        if kind != "n":
            return Held(" ".join(value.split()), bold)
        try:
            return Held(cell_formats.shown(float(value), how, self.since_1904), bold, True)
        except (OverflowError, ValueError):
            return Held(value, bold)


def _column(letters: str) -> int:
    """The number of a column, from 1: 28 for "AB"."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number
