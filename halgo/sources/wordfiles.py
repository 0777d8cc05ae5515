"""DOCX -> Markdown: paragraphs, headings, lists and tables, in one walk over the document's part.

Read is what stands in the document once all tracked changes are accepted: inserted text is, deleted
and struck-out text is not. A footnote follows the paragraph, list or table that refers to it.

Only the parts that hold text or name styles are unpacked, and what is met is looked at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from halgo.sources.ceilings import Told
from halgo.sources.grids import Cell, table
from halgo.sources.office_parts import Parts, opened
from halgo.sources.raised import of_runs, place_of
from halgo.sources.word_numbers import Label, Listed, Numbering, listed_in
from halgo.sources.word_numbers import W as _W
from halgo.sources.word_numbers import value as _value

_ON = ("1", "true", "on")
_IN_RUN = {_W + "tab": "\t", _W + "ptab": "\t", _W + "cr": "\n", _W + "noBreakHyphen": "-"}
# What stands around blocks, rows, cells or runs and says nothing of its own: content controls,
# links, inserted and moved text.
_AROUND = frozenset(
    _W + name
    for name in ("sdt", "sdtContent", "customXml", "smartTag", "hyperlink", "fldSimple", "dir",
                 "bdo", "ins", "moveTo")
)  # fmt: skip
_GONE = (_W + "del", _W + "moveFrom")
_STRUCK = (_W + "strike", _W + "dstrike")
_NOTES = {_W + "footnoteReference": "footnotes", _W + "endnoteReference": "endnotes"}
_MOST_BASES = 100  # styles that are based on one another
_LONGEST_TITLE = 80  # characters of "2. Fees and payment"
# Marks that an item of a list has in Markdown too; "2.1" and "Article 7" begin paragraphs.
_ITEM = re.compile(r"\(?\d{1,3}[.)]$|\([a-z]\)$|\([ivx]{1,5}\)$")
_LETTERED = re.compile(r"^([a-z]|[ivx]{1,5})[.)]$")
_ENDED = (".", "!", "?", ":", ";", ",")
_HEADING = re.compile(r"(?:Heading (\d)|heading ([1-9])$|Title)")
# The built-in styles by their ids, for a document that brings no styles: "Heading1", "ListBullet".
_BUILT_IN = re.compile(r"(?<=[a-z])(?=[A-Z0-9])")

# Word's own limit to the columns of a table.
_MOST_COLUMNS = 63


def read_docx(data: bytes, name: str) -> tuple[str, dict[str, str], list[str]]:
    """The paragraphs, headings, lists and tables of a DOCX as Markdown.

    Raises DocumentError when the file is damaged, or unpacks to more than one of its size does.
    """
    with opened(data, name, "DOCX") as (parts, told):
        main = parts.related("", "officeDocument")
        if not main:
            raise ValueError("it names no main part")
        body = parts.parsed(main).find(_W + "body")
        if body is None:
            raise ValueError(f"{main} has no body")
        reader = _Reader(parts, main, told)
        text = "\n\n".join(reader.blocks(body))
        return text, {}, [*told.warnings(), *reader.warnings(name)]


class _Styles:
    """What the paragraph styles are called, and which lists they count in, by their ids."""

    def __init__(self, styles: Any) -> None:
        self.known = styles is not None
        self.names: dict[str, str | None] = {}  # None: no style of paragraphs
        self.lists: dict[str, tuple[str | None, int | None]] = {}
        self.based_on: dict[str, str | None] = {}
        self.default = ""
        for style in styles if styles is not None else ():
            if style.tag != _W + "style":
                continue
            of_paragraphs = style.get(_W + "type") == "paragraph"
            called = _value(style, "name") or ""
            own = style.get(_W + "styleId", "")
            self.names.setdefault(own, called if of_paragraphs else None)
            self.lists.setdefault(own, listed_in(style.find(_W + "pPr")))
            self.based_on.setdefault(own, _value(style, "basedOn"))
            if of_paragraphs and style.get(_W + "default") in _ON:
                self.default = called

    def called(self, style: str | None) -> str:
        if style and not self.known:
            return _BUILT_IN.sub(" ", style)
        name = self.names.get(style) if style else None
        return self.default if name is None else name

    def listed(self, style: str | None) -> tuple[str | None, int | None, str]:
        """The list and the level of a style, by itself or what it is based on, and whose they are.

        ECMA-376, 17.7.2: a style has what it does not say from the style that it is based on.
        """
        for _ in range(_MOST_BASES):
            if not style:
                break
            number, level = self.lists.get(style, (None, None))
            if number is not None:
                return number, level, style
            style = self.based_on.get(style)
        return None, None, ""


class _Reader:
    """Walks over a document's elements, and keeps count of what is numbered and left out."""

    def __init__(self, parts: Parts, main: str, told: Told) -> None:
        self.parts, self.main, self.told = parts, main, told
        styles, numbering = (parts.related(main, kind) for kind in ("styles", "numbering"))
        self.styles = _Styles(parts.parsed(styles) if styles else None)
        self.numbering = Numbering(parts.parsed(numbering) if numbering else None)
        self.notes: dict[str, dict[str, Any]] = {}  # the notes of each kind, by their ids
        self.noted: list[str] = []  # notes that the block under way refers to
        self.boxes: list[Any] = []  # text boxes that stand beside it
        self.in_box = False
        self.changes = self.struck = 0

    def warnings(self, name: str) -> list[str]:
        """What is to be said of text that changes and strokes have taken away or put in."""
        found = []
        if self.changes:
            found.append(f"{name} has tracked changes; it is read as if all of them were accepted")
        if self.struck:
            found.append(f"{name}: struck-out text is left out ({self.struck} times)")
        return found

    def blocks(self, body: Any) -> Iterator[str]:
        """The paragraphs and tables in an element as Markdown; the items of a list are one block.

        Text boxes and notes that a block refers to come right after it.
        """
        items: list[str] = []
        base = 0  # the level of a list below a numbered clause
        for block in _unwrapped(body):
            text, item = "", None
            if block.tag == _W + "tbl":
                text = self.table(block)
            elif block.tag == _W + "p":
                text, item = self.paragraph(block)
            else:
                continue
            if item is not None and text:
                mark, level = item
                mark = _LETTERED.sub(r"(\1)", mark)
                if not mark or _ITEM.match(mark):
                    depth = max(0, level - base)
                    items.append("  " * depth + (mark or "-") + " " + text)
                    continue
                base = level + 1
                text = f"{mark} {text}"
            elif text:
                base = 0
            if items:
                yield "\n".join(items)
                items = []
                yield from self.beside()
            if text:
                yield text
            yield from self.beside()
        if items:
            yield "\n".join(items)
            yield from self.beside()

    def beside(self) -> Iterator[str]:
        """The text boxes and the notes of what has been read since the last block."""
        boxes, self.boxes = self.boxes, []
        noted, self.noted = self.noted, []
        self.in_box = self.in_box or bool(boxes)  # one in another is among them already
        for box in boxes:
            yield from self.blocks(box)
        self.in_box = self.in_box and not boxes
        yield from noted

    def paragraph(self, block: Any) -> tuple[str, tuple[str, int] | None]:
        """A paragraph as Markdown; of an item without its mark, which follows with its level."""
        text = self.words(block)
        self.told.more(len(text))
        properties = block.find(_W + "pPr")
        style = None if properties is None else _value(properties, "pStyle")
        called = self.styles.called(style)
        listed = self.listed(properties, style) if text else None
        label = self.numbering.label(listed) if listed else Label("")
        heading = _HEADING.match(called)
        if text and heading:
            level = int(heading.group(1) or heading.group(2) or 1)
            return "#" * level + " " + f"{label.text} {text}".strip(), None
        if listed and label.is_title and len(text) < _LONGEST_TITLE and not text.endswith(_ENDED):
            return "## " + f"{label.text} {text}", None
        if listed:
            return text, (label.text, max(listed.level, _depth(called)))
        if text and called.startswith("List"):
            return text, ("", _depth(called))
        return text, None

    def listed(self, properties: Any, style: str | None) -> Listed | None:
        """Where a paragraph is counted, by its own properties or those of its style."""
        number, level = listed_in(properties)
        by_style, its_level, owner = self.styles.listed(style)
        if number is None:
            number = by_style
            level = its_level if level is None else level
            if number is not None and level is None:
                level = self.numbering.level_of_style(number, owner)
        if number is None or number == "0":
            return None
        return Listed(number, min(level or 0, 8))

    def words(self, paragraph: Any) -> str:
        """The text of a paragraph's runs and of those in its links, controls and insertions."""
        text = of_runs(
            (piece, _place(run)) for run in self.runs(paragraph) for piece in self.run(run)
        )
        return " ".join(text.split())

    def runs(self, element: Any) -> Iterator[Any]:
        for child in element:
            if child.tag == _W + "r":
                yield child
            elif child.tag in _AROUND:
                self.changes += child.tag in (_W + "ins", _W + "moveTo")
                yield from self.runs(child)
            elif child.tag in _GONE:
                self.changes += 1

    def run(self, run: Any) -> Iterator[str]:
        properties = run.find(_W + "rPr")
        if properties is not None:
            if any(_is_on(properties.find(switch)) for switch in _STRUCK):
                self.struck += bool(run.findtext(_W + "t"))
                return
            if _is_on(properties.find(_W + "vanish")):
                return
        for child in run:
            if child.tag == _W + "t":
                yield child.text or ""
            elif child.tag == _W + "br":
                # A break of the page or the column parts no words.
                yield "\n" if child.get(_W + "type", "textWrapping") == "textWrapping" else ""
            elif child.tag in _NOTES:
                self.note(_NOTES[child.tag], child.get(_W + "id", ""))
            elif child.tag in _IN_RUN:
                yield _IN_RUN[child.tag]
            elif len(child) and not self.in_box:  # a picture or shape
                # Of two ways to write one, the second is for older programs.
                first = child[0] if child.tag.endswith("}AlternateContent") else child
                self.boxes += first.iter(_W + "txbxContent")

    def note(self, kind: str, name: str) -> None:
        """Read a note that is referred to, once."""
        if kind not in self.notes:
            part = self.parts.related(self.main, kind)
            root = self.parts.parsed(part) if part else ()
            self.notes[kind] = {note.get(_W + "id", ""): note for note in root}
        note = self.notes[kind].pop(name, None)
        if note is None:
            return
        words = [self.words(one) for one in _unwrapped(note) if one.tag == _W + "p"]
        text = " ".join(filter(None, words))
        self.told.more(len(text))
        if text:
            self.noted.append(text)

    def table(self, block: Any) -> str:
        """A table as Markdown; a cell that goes on one above it makes that one longer by a row."""
        rows: list[list[Cell]] = []
        above: dict[int, tuple[int, int]] = {}  # by its column, where in `rows` a cell above is
        for row in _unwrapped(block):
            if row.tag != _W + "tr":
                continue
            about = row.find(_W + "trPr")
            if about is not None and about.find(_W + "del") is not None:
                self.changes += 1
                continue
            head = about is not None and _is_on(about.find(_W + "tblHeader"))
            at = _count(about, "gridBefore", 0)
            cells = [Cell("", at, head=head)] if at else []
            here: dict[int, tuple[int, int]] = {}
            rows.append(cells)
            for cell in _unwrapped(row):
                if cell.tag != _W + "tc":
                    continue
                properties = cell.find(_W + "tcPr")
                columns = _count(properties, "gridSpan", 1)
                down = None if properties is None else properties.find(_W + "vMerge")
                goes_on = down is not None and down.get(_W + "val", "continue") == "continue"
                if goes_on and at in above:
                    k, n = here[at] = above[at]
                    rows[k][n] = rows[k][n]._replace(rows=rows[k][n].rows + 1)
                else:
                    here[at] = len(rows) - 1, len(cells)
                    text = "" if goes_on else " ".join(filter(None, self.inside(cell)))
                    cells.append(Cell(text, columns, head=head))
                at += columns
            above = here
        return table(rows, self.told)

    def inside(self, cell: Any) -> Iterator[str]:
        """The paragraphs of a cell, and of the cells of a table within it."""
        for child in _unwrapped(cell):
            if child.tag == _W + "p":
                yield self.words(child)
            elif child.tag in (_W + "tbl", _W + "tr", _W + "tc"):
                yield from self.inside(child)


def _unwrapped(element: Any) -> Iterator[Any]:
    """The children of an element, and those of what only stands around some of them.

    The parser refuses elements more than 256 deep, and so bounds this.
    """
    for child in element:
        if child.tag in _AROUND:
            yield from _unwrapped(child)
        else:
            yield child


def _depth(style: str) -> int:
    """How deep in its list an item stands, from 0, by its style: 1 for "List Bullet 2"."""
    return int(style[-1]) - 1 if style[-2:-1] == " " and style[-1] in "23456789" else 0


def _place(run: Any) -> str:
    """Whether a run is set high or low, as `raised` calls it."""
    properties = run.find(_W + "rPr")
    return "" if properties is None else place_of(_value(properties, "vertAlign"))


def _is_on(switch: Any) -> bool:
    """Whether a property that is on or off is on: there, and not said to be off."""
    return switch is not None and switch.get(_W + "val", "1") in _ON


def _count(properties: Any, key: str, otherwise: int) -> int:
    """A number of columns, as many as a table may have."""
    written = None if properties is None else _value(properties, key)
    digits = written is not None and re.fullmatch(r"\d{1,18}", written)
    return min(max(int(written), otherwise), _MOST_COLUMNS) if written and digits else otherwise
