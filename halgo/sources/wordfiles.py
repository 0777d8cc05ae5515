"""DOCX -> Markdown: paragraphs, headings, lists and tables, in one walk over the document's part.

A DOCX is a zip archive of XML parts. Only the parts that hold text or name styles are unpacked,
piece by piece, and what is met is looked at once: python-docx, whose XML parser is used here, looks
up a style among all styles for each paragraph, and a merged cell among all rows above it.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

from halgo.errors import DocumentError, MissingDependencyError
from halgo.sources.ceilings import Told
from halgo.sources.grids import Cell, table

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_ON = ("1", "true", "on")
_IN_RUN = {_W + "tab": "\t", _W + "ptab": "\t", _W + "cr": "\n", _W + "noBreakHyphen": "-"}
_HEADING = re.compile(r"(?:Heading (\d)|heading ([1-9])$|Title)")
# The built-in styles by their ids, for a document that brings no styles: "Heading1", "ListBullet".
_BUILT_IN = re.compile(r"(?<=[a-z])(?=[A-Z0-9])")

# XML of long tables, all cells alike, packs to a sixtieth, and has two tags for each packed byte.
# What is small may grow freely.
_BYTES = (100, 10_000_000, 200_000_000)  # times the size, beyond that, and at most
# A tag takes some hundred bytes of memory and ten microseconds, whatever it is written with.
_TAGS = (5, 200_000, 5_000_000)
_PIECE = 1 << 16
_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the two that DOCX allows

# Word's own limit to the columns of a table.
_MOST_COLUMNS = 63


def read_docx(data: bytes, name: str) -> tuple[str, dict[str, str], list[str]]:
    """The paragraphs, headings, lists and tables of a DOCX as Markdown.

    Raises MissingDependencyError without python-docx, DocumentError when the file is damaged, or
    unpacks to more than one of its size does.
    """
    try:
        from docx import oxml
    except ImportError as error:
        raise MissingDependencyError(
            f"reading {name} takes python-docx; install it with: pip install 'halgo[docx]'"
        ) from error
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = _Parts(archive, oxml.parse_xml, len(data), name)
            main = parts.related("", "officeDocument")
            if not main:
                raise ValueError("it names no main part")
            body = parts.parsed(main).find(_W + "body")
            if body is None:
                raise ValueError(f"{main} has no body")
            styles = parts.related(main, "styles")
            names = _Styles(parts.parsed(styles) if styles else None)
        told = Told(len(data), name)
        text = "\n\n".join(_blocks(body, names, told))
    except DocumentError:
        raise
    except Exception as error:  # zipfile and lxml raise BadZipFile, KeyError, XMLSyntaxError ...
        what = f"{type(error).__name__}: {error}".strip(": ")
        raise DocumentError(f"{name} is no DOCX that can be read ({what})", name) from error
    return text, {}, told.warnings()


class _Parts:
    """The parts of an archive, unpacked when they are asked for, all in all to a ceiling."""

    def __init__(
        self, archive: zipfile.ZipFile, parse: Callable[[bytes], Any], size: int, name: str
    ) -> None:
        self.archive, self.parse, self.name = archive, parse, name
        self.most_bytes, self.most_tags = _ceiling(size, *_BYTES), _ceiling(size, *_TAGS)
        self.bytes = self.tags = 0

    def parsed(self, part: str) -> Any:
        """The root of a part that is XML."""
        data = self._unpacked(part)
        self.tags += data.count(b"<")
        if self.tags > self.most_tags:
            raise self._too_much(f"{self.most_tags:,} tags")
        return self.parse(data)

    def _unpacked(self, part: str) -> bytes:
        """A part's bytes. What the archive says of their number is not believed."""
        if self.archive.getinfo(part).compress_type not in _PACKINGS:
            raise ValueError(f"{part} is packed in a way that DOCX does not allow")
        pieces = []
        with self.archive.open(part) as stream:
            while piece := stream.read(_PIECE):
                pieces.append(piece)
                self.bytes += len(piece)
                if self.bytes > self.most_bytes:
                    raise self._too_much(f"{self.most_bytes:,} bytes")
        return b"".join(pieces)

    def _too_much(self, what: str) -> DocumentError:
        return DocumentError(
            f"{self.name} unpacks to more than {what} of text and styles, more than a document of "
            "its size does. Split it, or save its text as .txt.",
            self.name,
        )

    def related(self, part: str, kind: str) -> str:
        """The part that is the `kind` of another, or, for "", of the archive; "" when none is."""
        folder, file = posixpath.split(part)
        listed = posixpath.join(folder, "_rels", file + ".rels")
        if listed not in self.archive.NameToInfo:
            return ""
        for relation in self.parsed(listed):
            target = relation.get("Target")
            external = relation.get("TargetMode") == "External"
            if target and not external and str(relation.get("Type")).endswith("/" + kind):
                place = posixpath.normpath(posixpath.join("/", folder, target))
                return place.lstrip("/")
        return ""


def _ceiling(size: int, times: int, free: int, most: int) -> int:
    return min(times * size + free, most)


class _Styles:
    """What the paragraph styles are called, by their ids."""

    def __init__(self, styles: Any) -> None:
        self.known = styles is not None
        self.names: dict[str, str | None] = {}  # None: no style of paragraphs
        self.default = ""
        for style in styles if styles is not None else ():
            if style.tag != _W + "style":
                continue
            of_paragraphs = style.get(_W + "type") == "paragraph"
            called = _value(style, "name") or ""
            self.names.setdefault(style.get(_W + "styleId", ""), called if of_paragraphs else None)
            if of_paragraphs and style.get(_W + "default") in _ON:
                self.default = called

    def called(self, style: str | None) -> str:
        if style and not self.known:
            return _BUILT_IN.sub(" ", style)
        name = self.names.get(style) if style else None
        return self.default if name is None else name


def _blocks(body: Any, styles: _Styles, told: Told) -> Iterator[str]:
    """The body's paragraphs and tables as Markdown; the items of a list are one block."""
    items: list[str] = []
    for block in body:
        if block.tag == _W + "tbl":
            text = _table(block, told)
        elif block.tag == _W + "p":
            text = _words(block)
            told.more(len(text))
            properties = block.find(_W + "pPr")
            style = styles.called(None if properties is None else _value(properties, "pStyle"))
            level = _HEADING.match(style)
            numbering = None if properties is None else properties.find(_W + "numPr")
            if text and level:
                text = "#" * int(level.group(1) or level.group(2) or 1) + " " + text
            elif text and (numbering is not None or style.startswith("List")):
                items.append("  " * _depth(style, numbering) + "- " + text)
                continue
        else:
            continue
        if items:
            yield "\n".join(items)
            items = []
        if text:
            yield text
    if items:
        yield "\n".join(items)


def _depth(style: str, numbering: Any) -> int:
    """How deep in its list an item stands, from 0: by its numbering, else as "List Bullet 2"."""
    said = None if numbering is None else _value(numbering, "ilvl")
    if said is None and style[-2:-1] == " " and style[-1] in "23456789":
        said = str(int(style[-1]) - 1)
    return int(said) if said and said in "012345678" and len(said) == 1 else 0


def _words(paragraph: Any) -> str:
    """The text of a paragraph's runs and of those in its links."""
    text: list[str] = []
    for child in paragraph:
        if child.tag == _W + "r":
            text += _run(child)
        elif child.tag == _W + "hyperlink":
            for run in child:
                if run.tag == _W + "r":
                    text += _run(run)
    return " ".join("".join(text).split())


def _run(run: Any) -> Iterator[str]:
    for child in run:
        if child.tag == _W + "t":
            yield child.text or ""
        elif child.tag == _W + "br":
            # A break of the page or the column parts no words.
            yield "\n" if child.get(_W + "type", "textWrapping") == "textWrapping" else ""
        else:
            yield _IN_RUN.get(child.tag, "")


def _table(block: Any, told: Told) -> str:
    """A table as Markdown; a cell that goes on one above it makes that one longer by a row."""
    rows: list[list[Cell]] = []
    above: dict[int, tuple[int, int]] = {}  # by its column, where in `rows` a cell above is
    for row in block:
        if row.tag != _W + "tr":
            continue
        about = row.find(_W + "trPr")
        head = about is not None and _is_on(about.find(_W + "tblHeader"))
        at = _count(about, "gridBefore", 0)
        cells = [Cell("", at, head=head)] if at else []
        here: dict[int, tuple[int, int]] = {}
        rows.append(cells)
        for cell in row:
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
                words = map(_words, cell.iterchildren(_W + "p"))
                text = "" if goes_on else " ".join(filter(None, words))
                cells.append(Cell(text, columns, head=head))
            at += columns
        above = here
    return table(rows, told)


def _is_on(switch: Any) -> bool:
    """Whether a property that is on or off is on: there, and not said to be off."""
    return switch is not None and switch.get(_W + "val", "1") in _ON


def _count(properties: Any, key: str, otherwise: int) -> int:
    """A number of columns, as many as a table may have."""
    written = None if properties is None else _value(properties, key)
    digits = written is not None and re.fullmatch(r"\d{1,18}", written)
    return min(max(int(written), otherwise), _MOST_COLUMNS) if written and digits else otherwise


def _value(properties: Any, key: str) -> str | None:
    child = properties.find(_W + key)
    value = None if child is None else child.get(_W + "val")
    return None if value is None else str(value)
