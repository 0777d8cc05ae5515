"""RTF -> Markdown: paragraphs, headings, lists and tables of what old word processors save.

Rich Text Format 1.9.1 (Microsoft 2008). Read is what a reader of the document sees once its tracked
changes are accepted: hidden, deleted and struck-out text is not, nor heads and feet of pages, marks
of fields and pictures. A footnote follows the paragraph or table that refers to it.

The file is gone through once, and no more of it is kept than the groups that are open.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from halgo.errors import DocumentError
from halgo.sources.ceilings import Told
from halgo.sources.grids import Cell, table
from halgo.sources.raised import of_runs

SIGNATURE = b"{\\rtf"
_TOKEN = re.compile(
    rb"\\([A-Za-z]{1,32})(-?\d{1,10})?[ ]?|\\'([0-9A-Fa-f]{2})|\\([^A-Za-z])|([{}])|([^\\{}\r\n]+)"
)
_DEEPEST = 1_000  # groups in groups; word processors write some twenty
# Groups whose text is none of the document's. Others that begin with "\*" are left out too.
_LEFT_OUT = frozenset((
    "header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf", "info",
    "pict", "nonshppict", "object", "fldinst", "colortbl", "filetbl", "listtable",
    "listoverridetable", "revtbl", "rsidtbl", "bkmkstart", "bkmkend", "xe", "tc", "tcn", "ftnsep",
    "ftnsepc", "ftncn", "aftnsep", "aftnsepc", "aftncn", "pn", "sn", "sv", "shprslt",
    "annotation", "atnid", "atnauthor", "themedata", "colorschememapping", "datastore",
    "latentstyles", "template", "generator", "operator", "passwordhash", "xmlnstbl", "mmathPr",
))  # fmt: skip
_CHARACTERS = {
    "tab": "\t", "line": "\n", "emdash": "—", "endash": "–", "bullet": "•", "lquote": "‘",
    "rquote": "’", "ldblquote": "“", "rdblquote": "”", "emspace": " ", "enspace": " ",
    "qmspace": " ",
}  # fmt: skip
_SYMBOLS = {"~": "\N{NO-BREAK SPACE}", "_": "-", "\\": "\\", "{": "{", "}": "}"}
_SWITCHES = {"v": "hidden", "deleted": "deleted", "strike": "struck", "striked": "struck"}
_PLACES = {"super": "sup", "sub": "sub", "nosupersub": ""}
# \fcharset -> code page, as Windows has them.
_CODE_PAGES = {
    77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "cp936", 136: "cp950",
    161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257",
    204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip
_HEADING = re.compile(r"heading ([1-9])\b|(title)\b", re.IGNORECASE)
_NUMBER = re.compile(r"\(?(?:\d{1,3}|[a-z])[.)]$")
_MOST_LEVELS = 6


@dataclass(frozen=True, slots=True)
class _Group:
    """What holds inside a group until it ends. into: where its text goes, "" for nowhere."""

    into: str = "body"
    hidden: bool = False
    deleted: bool = False
    struck: bool = False
    place: str = ""
    font: int = 0
    skipped: int = 1  # characters that stand for a Unicode one in programs that know none


@dataclass(slots=True)
class _Paragraph:
    """The properties of the paragraph under way."""

    style: int = 0
    outline: int = -1
    in_table: bool = False
    level: int = 0


@dataclass(slots=True)
class _Table:
    rows: list[list[Cell]] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    inside: list[str] = field(default_factory=list)  # paragraphs of the cell under way
    merged: list[frozenset[str]] = field(default_factory=list)  # of each cell of the row
    marks: set[str] = field(default_factory=set)  # of the cell that is being defined
    head: bool = False


def read_rtf(data: bytes, name: str) -> tuple[str, dict[str, str], list[str]]:
    """The paragraphs, headings, lists and tables of an RTF file as Markdown.

    Raises DocumentError when `data` is no RTF, or nested beyond what any program writes.
    """
    if not data.lstrip()[: len(SIGNATURE)].startswith(SIGNATURE):
        raise DocumentError(f"{name} is no RTF file: it does not begin with {{\\rtf", name)
    told = Told(len(data), name)
    reader = _Reader(data, name, told)
    text = "\n\n".join(reader.blocks())
    return text, {}, [*told.warnings(), *reader.warnings()]


class _Reader:
    """Goes through a file's tokens, and keeps what the open groups and the paragraph hold."""

    def __init__(self, data: bytes, name: str, told: Told) -> None:
        self.data, self.name, self.told = data, name, told
        self.group, self.open = _Group(), list[_Group]()
        self.code_page = "cp1252"
        self.fonts: dict[int, str] = {}
        self.styles: dict[int, str] = {}
        self.defined = 0  # the font or style that is being defined
        self.usual = 0  # the font of plain text
        self.raw = bytearray()  # characters that are not decoded yet
        self.high = 0  # the first half of a character beyond the basic plane
        self.to_skip = 0
        self.texts: dict[str, list[tuple[str, str]]] = {}  # (text, place) by where it goes
        self.paragraph = _Paragraph()
        self.items: list[str] = []
        self.fresh: list[str] = []  # notes of the paragraph under way
        self.notes: list[str] = []  # of the list or table under way
        self.table = _Table()
        self.changes = self.struck = 0

    def warnings(self) -> list[str]:
        found = []
        if self.changes:
            name = self.name
            found.append(f"{name} has tracked changes; it is read as if all of them were accepted")
        if self.struck:
            found.append(f"{self.name}: struck-out text is left out ({self.struck} times)")
        return found

    def blocks(self) -> Iterator[str]:
        """The blocks of the document in order; the items of a list are one."""
        at = 0
        while match := _TOKEN.search(self.data, at):
            at = match.end()
            word, value, code, symbol, brace, text = match.groups()
            number = int(value) if value else None
            if brace == b"{":
                self._decode()
                self._begin()
            elif brace == b"}":
                self._decode()
                self._end()
                if not self.open:
                    break  # what stands behind the document is none of it
            elif word is not None:
                self._decode()
                if word == b"bin":
                    at += max(0, number or 0)
                    continue
                yield from self._word(word.decode(), number)
            elif code is not None:
                self._bytes(bytes([int(code, 16)]))
            elif symbol is not None:
                self._decode()
                yield from self._symbol(symbol)
            else:
                self._bytes(text)
        self._decode()
        yield from self._ended()
        yield from self._flushed()

    # -- groups ------------------------------------------------------------------------------------

    def _begin(self) -> None:
        if len(self.open) >= _DEEPEST:
            raise DocumentError(
                f"{self.name}: its groups are nested more than {_DEEPEST:,} deep; save it anew as "
                ".docx or .txt",
                self.name,
            )
        self.open.append(self.group)
        self.to_skip = 0

    def _end(self) -> None:
        before = self.group
        self.group = self.open.pop() if self.open else self.group
        self.to_skip = 0
        if before.into == "note" != self.group.into and (note := self._taken("note")):
            self.fresh.append(note)
        if before.into in ("fonts", "styles"):
            self._define(before.into)

    def _define(self, kind: str) -> None:
        """The name of a style; that of a font says nothing."""
        said = self._taken(kind).strip(" ;")
        if kind == "styles" and said:
            self.styles.setdefault(self.defined, said.partition(";")[0])

    def _into(self, where: str) -> None:
        self.group = replace(self.group, into=where)

    # -- characters --------------------------------------------------------------------------------

    def _bytes(self, data: bytes) -> None:
        """Characters of the code page, less those that stand for a Unicode one before."""
        if self.to_skip:
            left = self.to_skip - len(data)
            data, self.to_skip = data[self.to_skip :], max(0, left)
        self.raw += data

    def _decode(self) -> None:
        if not self.raw:
            return
        encoding = self.fonts.get(self.group.font, self.code_page)
        text, self.raw = bytes(self.raw).decode(encoding, "replace"), bytearray()
        self._put(text)

    def _put(self, text: str) -> None:
        group = self.group
        self.high = 0
        if not group.into or group.hidden:
            return
        if group.into == "body":
            self.changes += group.deleted
            self.struck += group.struck and bool(text.strip())
            if group.deleted or group.struck:
                return
        self.told.more(len(text))
        self.texts.setdefault(group.into, []).append((text, group.place))

    def _unicode(self, number: int) -> None:
        """A character by its number in UTF-16, of which some take two."""
        number %= 0x10000
        high, self.high = self.high, 0
        if 0xD800 <= number < 0xDC00:
            self.high = number
            self.to_skip = self.group.skipped
            return
        if 0xDC00 <= number < 0xE000:
            number = 0x10000 + ((high - 0xD800) << 10) + (number - 0xDC00) if high else 0xFFFD
        self._put(chr(number))
        self.to_skip = self.group.skipped

    def _taken(self, where: str) -> str:
        pieces = self.texts.pop(where, [])
        return " ".join(of_runs(pieces).split())

    # -- words and symbols -------------------------------------------------------------------------

    def _symbol(self, symbol: bytes) -> Iterator[str]:
        said = symbol.decode("latin-1")
        self.to_skip = 0
        if said == "*":
            self._into("")
        elif said in "\r\n":
            yield from self._word("par", None)
        elif said in _SYMBOLS:
            self._put(_SYMBOLS[said])

    def _word(self, word: str, number: int | None) -> Iterator[str]:
        on = number != 0
        if word != "u":
            self.to_skip = 0
        if word in _LEFT_OUT:
            self._into("")
        elif word == "u":
            self._unicode(number or 0)
        elif word == "uc":
            self.group = replace(self.group, skipped=min(max(0, number or 0), 10))
        elif word in _CHARACTERS:
            self._put(_CHARACTERS[word])
        elif word in _SWITCHES:
            self.group = self._switched(_SWITCHES[word], on)
        elif word == "revised":
            self.changes += on
        elif word in _PLACES:
            self.group = replace(self.group, place=_PLACES[word] if on else "")
        elif word == "plain":
            self.group = replace(
                self.group, hidden=False, deleted=False, struck=False, place="", font=self.usual
            )
        elif word in ("fonttbl", "stylesheet"):
            self._into("fonts" if word == "fonttbl" else "styles")
        elif word in ("listtext", "pntext"):
            self._into("mark")
        elif word in ("footnote", "shptxt"):  # the latter is a text box
            self._into("note")
        elif word == "deff":
            self.usual = number or 0
        elif word in ("f", "fcharset", "ansicpg", "mac", "pc", "pca"):
            self._encoded(word, number or 0)
        elif self.group.into == "styles":
            if word in ("s", "cs", "ds", "ts"):
                # Names of other styles than those of paragraphs tell nothing here.
                self.defined = number or 0 if word == "s" else -1
        elif self.group.into == "body":
            yield from self._structure(word, number)
        elif self.group.into == "note" and word in ("par", "sect"):
            self._put(" ")

    def _switched(self, what: str, on: bool) -> _Group:
        group = self.group
        if what == "hidden":
            return replace(group, hidden=on)
        return replace(group, deleted=on) if what == "deleted" else replace(group, struck=on)

    def _encoded(self, word: str, number: int) -> None:
        if word == "f":
            if self.group.into == "fonts":
                self.defined = number
            else:
                self.group = replace(self.group, font=number)
        elif word == "fcharset":
            if number in _CODE_PAGES and len(self.fonts) < _DEEPEST:
                self.fonts[self.defined] = _CODE_PAGES[number]
        else:
            named = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850"}
            self.code_page = _known(named.get(word, f"cp{number}"))

    def _structure(self, word: str, number: int | None) -> Iterator[str]:
        """Where paragraphs, cells and rows end, and what holds for a paragraph."""
        paragraph = self.paragraph
        if word == "pard":
            self.paragraph = _Paragraph()
        elif word == "s":
            paragraph.style = number or 0
        elif word == "outlinelevel":
            paragraph.outline = -1 if number is None else number
        elif word == "ilvl":
            paragraph.level = min(max(0, number or 0), 8)
        elif word == "intbl":
            if self.items:
                yield from self._flushed()
            paragraph.in_table = True
        elif word == "trowd":
            if self.items:
                yield from self._flushed()
            self.table.merged, self.table.marks, self.table.head = [], set(), False
        elif word == "trhdr":
            self.table.head = True
        elif word in ("clmgf", "clmrg", "clvmgf", "clvmrg"):
            self.table.marks.add(word)
        elif word == "cellx":
            self.table.merged.append(frozenset(self.table.marks))
            self.table.marks.clear()
        elif word in ("par", "sect", "page"):
            yield from self._ended()
        elif word in ("cell", "nestcell"):
            self._cell_ended(own=word == "cell")
        elif word == "row":
            self._row_ended()

    # -- blocks ------------------------------------------------------------------------------------

    def _ended(self) -> Iterator[str]:
        """A paragraph has ended: it is one, an item of a list, or one of a cell's."""
        text, mark = self._taken("body"), self._taken("mark")
        paragraph = self.paragraph
        if paragraph.in_table:
            if text:
                self.table.inside.append(f"{mark} {text}".strip())
            return
        if self.table.rows or self.table.cells or self.table.inside:
            yield from self._flushed()
        fresh, self.fresh = self.fresh, []
        heading = _HEADING.match(self.styles.get(paragraph.style, ""))
        if text and mark and (_NUMBER.match(mark) or not any(map(str.isalnum, mark))):
            shown = mark if _NUMBER.match(mark) else "-"
            self.items.append("  " * paragraph.level + f"{shown} {text}")
            self.notes += fresh
            return
        yield from self._flushed()
        if text and (heading or 0 <= paragraph.outline < 9):
            level = int(heading[1] or 1) if heading else paragraph.outline + 1
            text = "#" * min(level, _MOST_LEVELS) + " " + f"{mark} {text}".strip()
        elif text:
            text = f"{mark} {text}".strip()
        yield from filter(None, (text, *fresh))

    def _cell_ended(self, own: bool) -> None:
        text = self._taken("body")
        mark = self._taken("mark")
        self.notes += self.fresh
        self.fresh = []
        if text:
            self.table.inside.append(f"{mark} {text}".strip())
        if own:
            self.table.cells.append(Cell(" ".join(self.table.inside), head=self.table.head))
            self.table.inside = []

    def _row_ended(self) -> None:
        """A row, its cells merged as its definition says: beside another, or below one."""
        made = self.table
        cells, made.cells, made.inside = made.cells, [], []
        row: list[Cell] = []
        for at, cell in enumerate(cells):
            merged = made.merged[at] if at < len(made.merged) else frozenset[str]()
            if "clmrg" in merged and row:
                row[-1] = row[-1]._replace(columns=row[-1].columns + 1)
                continue
            if "clvmrg" in merged and made.rows and not cell.text:
                cell = cell._replace(text=_above(made.rows, len(row)))
            row.append(cell)
        if row:
            made.rows.append(row)

    def _flushed(self) -> Iterator[str]:
        """The list or the table under way, with the notes that it refers to."""
        made = self.table
        if made.cells:
            self._row_ended()
        if made.rows:
            text = table(made.rows, self.told)
            if text:
                yield text
        if made.inside:
            yield " ".join(made.inside)
        self.table = _Table()
        if self.items:
            yield "\n".join(self.items)
            self.items = []
        notes, self.notes = self.notes, []
        yield from notes


def _above(rows: list[list[Cell]], at: int) -> str:
    return rows[-1][at].text if at < len(rows[-1]) else ""


def _known(encoding: str) -> str:
    """A code page that Python knows, else the usual one; UTF-8 is 65001."""
    encoding = "utf-8" if encoding == "cp65001" else encoding
    try:
        codecs.lookup(encoding)
    except LookupError:
        return "cp1252"
    return encoding
