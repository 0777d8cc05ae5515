"""ODT, ODS and ODP -> Markdown: the texts, tables and slides of LibreOffice and its kin.

Elements are those of OpenDocument 1.3 (OASIS, part 3). Cells of a spreadsheet have the text that is
shown of them, days as ISO 8601 writes them. What a tracked change deleted, comments, and what is
hidden are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from halgo.sources.ceilings import Told
from halgo.sources.grids import Cell, table
from halgo.sources.office_parts import Element, number_of, opened
from halgo.sources.raised import written
from halgo.sources.sheet_tables import Block, Held, Sheet, joined, left_out, shown, tables
from halgo.sources.slides import paged

_OASIS = "{urn:oasis:names:tc:opendocument:xmlns:"
_OFFICE, _TEXT, _TABLE = (f"{_OASIS}{name}:1.0}}" for name in ("office", "text", "table"))
_DRAW, _SHOW, _STYLE = (f"{_OASIS}{name}:1.0}}" for name in ("drawing", "presentation", "style"))
_ROWS = (_TABLE + "table-header-rows", _TABLE + "table-rows", _TABLE + "table-row-group")
_CELLS = (_TABLE + "table-cell", _TABLE + "covered-table-cell")
_LEFT_OUT = (_OFFICE + "annotation", _TEXT + "tracked-changes", _OFFICE + "forms")
# What stands around blocks and says nothing of its own.
_AROUND = (
    *(_TEXT + name for name in ("section", "index-body", "note-body", "table-of-content")),
    *(_DRAW + name for name in ("frame", "text-box", "g", "custom-shape")),
)
_MOST_COLUMNS, _MOST_ROWS = 16_384, 1_048_576
_MOST_SPACES = _MOST_BLANK = 100
_UNSEEN = ("collapse", "filter")  # rows and columns that are hidden, or do not pass a filter
_WIDE = 63  # columns of a table in a text


def read_odf(data: bytes, name: str) -> tuple[str, dict[str, str], list[str]]:
    """The text of an OpenDocument file as Markdown.

    Raises DocumentError when the file is damaged or encrypted, or unpacks to more than one of its
    size does.
    """
    with opened(data, name, "OpenDocument file") as (parts, told):
        if "META-INF/manifest.xml" in parts and b"encryption-data" in parts.unpacked(
            "META-INF/manifest.xml"
        ):
            raise ValueError("it is encrypted; save a copy without a password")
        root = parts.parsed("content.xml")
        body = root.find(_OFFICE + "body")
        if body is None:
            raise ValueError("content.xml has no body")
        reader = _Reader(told, _off_line(root), _unseen(root))
        metadata: dict[str, str] = {}
        warnings: list[str] = []
        told_of: list[tuple[str, list[Block]]] = []
        if (sheets := body.find(_OFFICE + "spreadsheet")) is not None:
            hidden = _hidden(root)
            for sheet in sheets.iterfind(_TABLE + "table"):
                called = sheet.get(_TABLE + "name", "")
                if sheet.get(_TABLE + "style-name") in hidden:
                    warnings.append(f"{name}: hidden sheet {called} is left out")
                else:
                    told_of.append((called, tables(called, reader.sheet(sheet), told)))
            text, metadata = joined(told_of)
            warnings += left_out(name, *reader.unseen)
        elif (slides := body.find(_OFFICE + "presentation")) is not None:
            text, metadata = paged(reader.slide(page) for page in slides.iterfind(_DRAW + "page"))
        else:
            text = "\n\n".join(block for kind in body for block in reader.blocks(kind))
        return text, metadata, [*told.warnings(), *warnings]


def _hidden(root: Element) -> set[str]:
    """The styles whose sheets are not shown."""
    return {
        style.get(_STYLE + "name", "")
        for style in root.iter(_STYLE + "style")
        for properties in style.iterfind(_STYLE + "table-properties")
        if properties.get(_TABLE + "display") == "false"
    }


def _unseen(root: Element) -> frozenset[str]:
    """The styles of text that is not shown."""
    return frozenset(
        style.get(_STYLE + "name", "")
        for style in root.iter(_STYLE + "style")
        for properties in style.iterfind(_STYLE + "text-properties")
        if properties.get(_TEXT + "display") == "none"
    )


def _off_line(root: Element) -> dict[str, str]:
    """The styles of what is set high or low: "super 58%", "-33% 58%"."""
    found: dict[str, str] = {}
    for style in root.iter(_STYLE + "style"):
        for properties in style.iterfind(_STYLE + "text-properties"):
            position = properties.get(_STYLE + "text-position", "0").split(" ", 1)[0]
            if position.strip("0%"):
                low = position.startswith(("sub", "-"))
                found[style.get(_STYLE + "name", "")] = "sub" if low else "sup"
    return found


class _Reader:
    """Walks over a document's elements."""

    def __init__(self, told: Told, off_line: Mapping[str, str], hidden: Set[str]) -> None:
        self.told = told
        self.off_line = off_line  # styles of what is set high or low, as `raised` calls it
        self.hidden = hidden  # styles of what is not shown
        self.unseen = [0, 0]  # hidden rows and columns with something in them
        self.noted: list[str] = []  # notes of the block under way

    def blocks(self, element: Element) -> Iterator[str]:
        """The paragraphs, lists and tables in an element; notes come right after."""
        for child in element:
            if child.tag == _TEXT + "h":
                level = number_of(child.get(_TEXT + "outline-level"), 1, 6)
                yield from self._block("#" * level + " ", child)
            elif child.tag == _TEXT + "p":
                yield from self._block("", child)
            elif child.tag == _TEXT + "list":
                items = list(self._items(child, 0))
                if items:
                    yield "\n".join(items)
                yield from self._notes()
            elif child.tag == _TABLE + "table":
                yield self._table(child)
                yield from self._notes()
            elif child.tag in _AROUND:
                yield from self.blocks(child)

    def _block(self, mark: str, element: Element) -> Iterator[str]:
        text = self.words(element)
        if text:
            yield mark + text
        for frame in element.iter(_DRAW + "text-box"):
            yield from self.blocks(frame)
        yield from self._notes()

    def _notes(self) -> Iterator[str]:
        noted, self.noted = self.noted, []
        yield from noted

    def words(self, element: Element) -> str:
        """The text of a paragraph in one line."""
        text = " ".join("".join(self._pieces(element)).split())
        self.told.more(len(text))
        return text

    def _pieces(self, element: Element) -> Iterator[str]:
        if element.get(_TEXT + "style-name") in self.hidden:
            return
        yield element.text or ""
        for child in element:
            if child.tag == _TEXT + "note":
                body = child.find(_TEXT + "note-body")
                self.noted += [] if body is None else list(map(self.words, body))
            elif child.tag in (_TEXT + "tab", _TEXT + "line-break"):
                yield " "
            elif child.tag == _TEXT + "s":
                yield " " * number_of(child.get(_TEXT + "c"), 1, _MOST_SPACES)
            elif child.tag not in _LEFT_OUT and child.tag not in _AROUND:
                place = self.off_line.get(child.get(_TEXT + "style-name", ""), "")
                if place:
                    yield written("".join(self._pieces(child)), place)
                else:
                    yield from self._pieces(child)
            yield child.tail or ""

    def _items(self, listed: Element, depth: int) -> Iterator[str]:
        for item in listed:
            for child in item:
                if child.tag == _TEXT + "list":
                    yield from self._items(child, depth + 1)
                elif child.tag in (_TEXT + "p", _TEXT + "h") and (text := self.words(child)):
                    yield "  " * depth + f"- {text}"

    def _table(self, element: Element) -> str:
        """A table of a text as Markdown."""
        rows: list[list[Cell]] = []
        for row, head in _rows_of(element):
            cells: list[Cell] = []
            for cell, again in _cells_of(row):
                if cell.tag != _CELLS[0]:
                    continue  # another one covers it
                across, down = _covered(cell)
                held = " ".join(filter(None, map(self.words, cell.iter(_TEXT + "p"))))
                # A cell beyond the last one may be repeated to the edge of the sheet.
                cells += [Cell(held, across, down, head)] * (again if held else min(again, _WIDE))
                self.told.more(len(held) * again)
            rows.append(cells)
        return table(rows, self.told)

    def sheet(self, element: Element) -> Sheet:
        """The cells of a spreadsheet's sheet."""
        sheet, number = Sheet(), 1
        hidden: set[int] = set()
        for row, _ in _rows_of(element):
            cells: dict[int, Held] = {}
            column = 1
            for cell, again in _cells_of(row):
                text = " ".join(filter(None, map(self.words, cell.iter(_TEXT + "p"))))
                kind = cell.get(_OFFICE + "value-type", "string")
                day = cell.get(_OFFICE + "date-value", "")
                if text and day:
                    text = day.removesuffix("T00:00:00").replace("T", " ")
                self.told.more(again * len(text))
                if text:
                    held = Held(text, is_amount=kind not in ("string", "boolean"))
                    cells.update(dict.fromkeys(range(column, column + again), held))
                across, down = _covered(cell)
                if across * down > 1:
                    sheet.merged[number, column] = down, across
                column += again
            again = number_of(row.get(_TABLE + "number-rows-repeated"), 1, _MOST_ROWS)
            if cells:
                self.told.more(again * sum(len(held.text) for held in cells.values()))
                sheet.rows.update(dict.fromkeys(range(number, number + again), cells))
            if row.get(_TABLE + "visibility") in _UNSEEN:
                # Blank ones only have to divide no table; they may go on to the end of the sheet.
                count = again if cells else min(again, _MOST_BLANK)
                hidden.update(range(number, number + count))
            number += again
        columns = set(_hidden_columns(element))
        if hidden or columns:
            sheet, *unseen = shown(sheet, hidden, columns)
            self.unseen = [self.unseen[k] + count for k, count in enumerate(unseen)]
        return sheet

    def slide(self, page: Element) -> Iterator[str]:
        """The blocks of a slide, its title first, and its notes."""
        frames = [frame for frame in page if frame.tag in _AROUND]
        titles = [frame for frame in frames if frame.get(_SHOW + "class") == "title"]
        for frame in titles:
            text = " ".join(filter(None, map(self.words, frame.iter(_TEXT + "p"))))
            if text:
                yield f"# {text}"
        for frame in frames:
            if frame not in titles:
                yield from self.blocks(frame)
        for notes in page.iter(_SHOW + "notes"):
            for frame in notes:
                if frame.get(_SHOW + "class") == "notes":
                    yield from self.blocks(frame)


def _rows_of(element: Element, head: bool = False) -> Iterator[tuple[Element, bool]]:
    """The rows of a table, each with whether it is among its heads."""
    for child in element:
        if child.tag == _TABLE + "table-row":
            yield child, head
        elif child.tag in _ROWS:
            yield from _rows_of(child, child.tag == _ROWS[0])


def _hidden_columns(element: Element) -> Iterator[int]:
    """The numbers of a sheet's columns that are not shown."""
    column = 1
    for one in element.iter(_TABLE + "table-column"):
        again = number_of(one.get(_TABLE + "number-columns-repeated"), 1, _MOST_COLUMNS)
        if one.get(_TABLE + "visibility") in _UNSEEN:
            yield from range(column, min(column + again, _MOST_COLUMNS + 1))
        column += again


def _cells_of(row: Element) -> Iterator[tuple[Element, int]]:
    """The cells of a row, each with how often it stands there; covered ones have no text."""
    for cell in row:
        if cell.tag in _CELLS:
            yield cell, number_of(cell.get(_TABLE + "number-columns-repeated"), 1, _MOST_COLUMNS)


def _covered(cell: Element) -> tuple[int, int]:
    """How many columns and rows a cell covers."""
    across, down = (cell.get(f"{_TABLE}number-{name}-spanned") for name in ("columns", "rows"))
    return number_of(across, 1, _MOST_COLUMNS), number_of(down, 1, _MOST_ROWS)
