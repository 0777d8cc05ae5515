"""Text -> markdown blocks: paragraphs, headings, list items, table rows, code; marks left out.

A line's block is decided by the lines before it, its own first characters and, for underlined
headings and table headers, the line that follows it: a longer text never changes a block that
already has a successor. Lines of a log are paragraphs, each with the lines without a time under it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from halgo.sources import drawn_tables, markup_tables, plain_tables
from halgo.sources.ceilings import LONGEST_NAME
from halgo.sources.records import is_record
from halgo.sources.stops import OTHER_STOPS
from halgo.types import Span

_LINE = re.compile(r"[^\n\r\f\v\x85\u2028\u2029]+|\r\n|[\n\r\f\v\x85\u2028\u2029]")
_BREAKS = "\n\r\f\v\x85\u2028\u2029"
_HEADING = re.compile(r"#{1,6}(?:\s+|$)")
_FENCE = re.compile(r"(`{3,}|~{3,})([^`]*)$")
_RULE = re.compile(r"(?:[-=_*~#+\u2022\u00b7\u2014\u2013]\s*){2,}$")
_UNDERLINE = re.compile(r"(?:=+|-{2,})$")
_SEPARATOR = re.compile(r"[-:|+=\s]+$")
# A table's header is no sentence and none may have been closed in it.
_MAY_END = re.compile(rf"[.!?\u2026]\S{{0,8}}\s|[{OTHER_STOPS}]")
_BULLET = re.compile(r"(?:[-*]|[\u2022\u25e6\u25aa\u2023\u25cf\u25cb\u25a0\u2713\u2714\u27a4])")
_SHY_BULLET = re.compile(r"[+\u2013\u2014\u00b7\u2192]")  # may also begin a wrapped line
_NUMBER = re.compile(r"\(?(\d{1,3})[.)](?=\s|$)")
# "2.2 If payment is late": the number of a clause, no amount ("2.2 million", "1.5 TB").
CLAUSE = re.compile(r"\d{1,3}(?:\.\d{1,3}){1,5}\.?\s+(?=[A-Z][a-z]|[AI]\s)")
# "4.2 Payment", but not "4.2.0 (18 June 2024)": the version is the heading.
_HEADING_NUMBER = re.compile(r"\d{1,3}\.(?:\d{1,3}\.?){0,5}\s+(?=[^\s(\[–—-])")
_LETTER = re.compile(r"(?:\([a-z]\)|\([ivx]{1,5}\)|[a-z]\))(?=\s|$)")
_CELL = re.compile(r"(?:[^|\\]|\\.|\\$)*")
_DRAWN_CELL = re.compile(rf"(?:[^{drawn_tables.UPRIGHTS}\\]|\\.|\\$)*")
_CHECKBOX = re.compile(r"\[([ xX])\]\s+")
_BAR = " | "
_ENDS = re.compile(rf"[.!?\u2026][^\w\s]{{0,8}}\s|[{OTHER_STOPS}]")  # where a sentence may end
_SHORT_LINE = 80  # characters; a longer line with one bar may be prose
_MOST_SETTINGS = 8  # of a section in one row
# What a plain text sets further to the left than what it is about: "OPTIONS", "--force".
_LONGEST_TITLE = 50  # characters from the left edge; a longer line may have been wrapped
BOLD_LINE = re.compile(r"(\*\*|__)[^*_\n]{1,100}\1:?\s*")
# Headings of AsciiDoc, "== Backups", and of MediaWiki, "==Backups==".
_EQUALS = re.compile(r"={1,6}[ \t]+(?=[^\W\d_]|[\"'(])|(={2,6})(?=\w[^=]{0,100}\1$)")
# A term with what it means, "--dry-run:: Prints", and a field, ":param x: The".
_TERM = re.compile(r"[^\s:.][^:\n]{0,60}::(?=\s|$)|:[A-Za-z][\w .-]{0,40}:(?=\s|$)")
# The date and the time that a line of a log begins with, perhaps behind a level.
_STAMP = re.compile(
    r"""
    (?:(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL):?[ ]{1,8})? [\[(<]? (?:
      \d{4}[-/.]\d\d[-/.]\d\d(?:T|[ ]{1,2})\d\d:\d\d(?!\d)         # 2024-05-03T10:15
    | (?: \d\d[-/.]\d\d[-/.]\d{4},?[ ]                            # 03.05.2024 10:15:00
        | (?:[A-Z][a-z]{2},?[ ])?[A-Z][a-z]{2}[ ]{1,2}\d{1,2}[ ]    # Fri May  3 10:15:00
        | [A-Z]\d{4}[ ]                                            # E0503 10:15:00
        | (?:[\w.:-]{0,59}\w[ ]\S{1,40}[ ]\S{1,40}[ ]\[)?\d\d/[A-Z][a-z]{2}/\d{4}:  # of a server
        )? \d\d:\d\d:\d\d(?!\d)
    )
    """,
    re.VERBOSE,
)
_TITLE_ENDS = ".!?\u2026:;,"
# A byte order mark is white space at the start of a line.
_BLANKS = " \t\xa0\u3000\ufeff\u200b\x00"


@dataclass(frozen=True, slots=True)
class Block:
    """A block's kind (as `Sentence.block`) and its lines without block marks.

    A row has one segment per cell in `lines`, `header` its columns' names (or none), each at
    most LONGEST_NAME characters of it, and `whole` the row from its first to its last character.
    `further` are the other lines of a drawn table's cells and names, beside the first of each.
    `ticked` says of a task, an item with a box, whether it is done.
    """

    kind: str
    lines: tuple[Span, ...]
    header: tuple[Span, ...] = ()
    whole: Span | None = None
    further: Mapping[Span, tuple[Span, ...]] = field(default_factory=dict)
    ticked: bool | None = None

    def segments(self, first: Span) -> tuple[Span, ...]:
        """All lines of the cell, or the column's name, that begins with this one."""
        return first, *self.further.get(first, ())


class Scanner:
    """Takes in a text line by line; `done` has the blocks that no later line can change.

    hanging: whether the text is a document, where layout alone makes a line a heading: a short one
    over deeper ones, as in manuals and standards, or one in bold.
    """

    def __init__(self, text: str, hanging: bool = False) -> None:
        self.text = text
        self.hanging = hanging
        self.title: Block | None = None  # a line that what follows a blank may make a heading
        self.done: list[Block] = []
        self.kind = "paragraph"
        self.lines: list[Span] = []
        self.ticked: bool | None = None  # of the item under way
        self.depth = 0
        self.fence = ""
        self.code: list[Span] = []
        self.header: tuple[Span, ...] = ()
        self.waiting: Block | None = None  # a row that may turn out to be a table's header
        # "", "piped", "open" (rows without a leading pipe), "loose" (without a separator too),
        # "plain" (columns set apart by blanks, or CSV), "drawn" (between rules), "markup" (of
        # AsciiDoc or MediaWiki) or "fields" (a row told line by line)
        self.table = ""
        self.drawing: drawn_tables.Drawing | markup_tables.Markup = drawn_tables.Drawing()
        self.columns: plain_tables.Layout = []
        self.fields: list[tuple[Span, Span]] = []
        self.indent = 0  # of the lines of `fields`
        self.section: Span | None = None  # whose settings these lines may be

    def close(self) -> None:
        """End the paragraph or item under way."""
        if self.lines:
            self.done.append(Block(self.kind, tuple(self.lines), ticked=self.ticked))
        self.lines = []
        self.kind = "paragraph"
        self.ticked = None

    def close_table(self) -> None:
        if self.waiting is not None:
            self.done.append(self.waiting)
        if self.fields:
            keys, values = zip(*self.fields, strict=True)
            first = (
                keys[1].start if self.section is not None else min(keys[0].start, values[0].start)
            )
            whole = Span(first, max(keys[-1].end, values[-1].end))
            self.done.append(Block("row", values, keys, whole))
        if self.table in ("drawn", "markup"):
            rows = self.drawing.close()
            if isinstance(self.drawing, markup_tables.Markup) and self.drawing.caption:
                self.done.append(Block("paragraph", (self.drawing.caption,)))
            self.take_in(rows)
            self.drawing = drawn_tables.Drawing()
        self.fields = []
        self.waiting = None
        self.table = ""
        self.header = ()

    def line(self, start: int, end: int, ended: bool = True) -> None:
        """Take in the next line, without its line break; the last may not have ended yet."""
        text = self.text
        if self.fence:
            self.in_code(start, end)
            return
        begin = start
        start, end = _trim(text, start, end)
        indent = start - begin
        depth = 0
        while (
            start < end
            and text[start] == ">"
            and text[start + 1 : start + 2] not in tuple("=0123456789")
        ):
            depth += 1
            start, end = _trim(text, start + 1, end)
        if depth != self.depth:
            self.close()
            self.close_table()
            self.depth = depth
        if start >= end and isinstance(self.drawing, markup_tables.Markup):
            self.drawing.blank()
            return
        if start >= end:
            if self.hanging and self.title is None and self.may_be_title():
                self.title = Block(self.kind, tuple(self.lines))
                self.lines = []
            self.close()
            self.close_table()
            return
        content = text[start:end]
        if self.section is not None and self.in_settings(start, end, ended):
            return
        if self.title is not None:
            deeper = indent > self.indent and not self.item_mark(content)
            heads = deeper or self.is_bold(*self.title.lines)
            self.done.append(replace(self.title, kind="heading" if heads else self.title.kind))
            self.title = None
        elif self.hanging and (
            (indent > self.indent + 1 and self.is_over(start, end, ended)) or self.is_headed()
        ):
            self.kind = "heading"
            self.close()
        if self.table == "fields":
            if self.in_fields(start, end, indent, ended):
                return
        elif self.table == "plain":
            if self.in_plain_table(Span(start, end), ended):
                return
        elif isinstance(self.drawing, markup_tables.Markup):
            if self.in_markup(self.drawing, content, Span(start, end)):
                return
        elif self.table == "drawn":
            if self.in_drawn_table(self.drawing, content, start, end, ended):
                return
        elif self.table and self.in_table(content, start, end, ended):
            return
        if self.hanging and ended and markup_tables.is_begun(content):
            self.open_markup(content)
            return
        if drawn_tables.is_rule(content):
            self.close()
            self.table, self.drawing = "drawn", drawn_tables.Drawing()
            return
        if content[0] == "|":
            self.close()
            self.table = "piped"
            self.row(start, end)
            return
        if not self.lines and is_record(content):
            self.done.append(Block("record", (Span(start, end),)))
            return
        if ended and self.is_object(start, end):
            return
        if ended and self.opens_table(start, end):
            return
        if self.opens_fields(start, end, indent, ended):
            return
        if ended and (self.opens_settings(start, end) or self.is_setting(start, end)):
            return
        if self.is_logged(start, end):
            self.close()
        if self.is_help(content, indent) or (self.hanging and _TERM.match(content)):
            self.close()
            self.kind = "item"
        if not self.lines:
            self.indent = indent
        self.block(content, start, end)

    def is_logged(self, start: int, end: int) -> bool:
        """Whether the line is one of a log, and the paragraph under way begins or ends with one."""
        if not self.lines or self.kind != "paragraph" or not _STAMP.match(self.text, start, end):
            return False
        return any(_STAMP.match(self.text, self.lines[k].start, self.lines[k].end) for k in (0, -1))

    def may_be_title(self) -> bool:
        """Whether what is under way is a paragraph of one short line that no mark ends."""
        if len(self.lines) != 1 or self.kind != "paragraph":
            return False
        line = self.lines[0]
        if _STAMP.match(self.text, line.start, line.end):
            return False
        if self.indent + len(line) > _LONGEST_TITLE or self.text[line.end - 1] in _TITLE_ENDS:
            return self.is_bold(line)
        return any(map(str.isalnum, line.of(self.text)))

    def is_bold(self, line: Span) -> bool:
        """Whether a line is in bold as a whole."""
        return BOLD_LINE.fullmatch(self.text, line.start, line.end) is not None

    def is_headed(self) -> bool:
        """Whether what is under way is a paragraph of one line, in bold."""
        return self.kind == "paragraph" and len(self.lines) == 1 and self.is_bold(*self.lines)

    def is_over(self, start: int, end: int, ended: bool) -> bool:
        """Whether what is under way may be the title of the next line, which stands deeper.

        It ended on purpose, for the next line's first word would have had room in it, and this one
        is no list item.
        """
        if not self.may_be_title():
            return False
        first, _, more = self.text[start:end].partition(" ")
        if not (ended or more) or self.item_mark(self.text[start:end]):
            return False
        return self.indent + len(self.lines[0]) + 1 + len(first) <= _LONGEST_TITLE

    def in_code(self, start: int, end: int) -> None:
        content = self.text[start:end].strip(" \t>")
        if content.startswith(self.fence) and not content.strip(self.fence[0]):
            self.close_code()
        else:
            self.code.append(Span(start, end))

    def close_code(self) -> None:
        self.fence = ""
        if self.code:
            self.done.append(Block("code", (Span(self.code[0].start, self.code[-1].end),)))
        self.code = []

    def in_table(self, content: str, start: int, end: int, ended: bool) -> bool:
        """Whether the line belongs to the table under way, which it then has joined."""
        if self.table == "piped" and content[0] != "|":
            if not _RULE.match(content) or content[0] != "+":
                self.close_table()
                return False
            return True  # a border of a drawn table
        # A line under way may still get a bar; what is settled in it must not be unsettled by one.
        may_be_row = _BAR in content or (not ended and _ENDS.search(content))
        if self.table == "loose" and not may_be_row:
            self.close_table()
            return False
        self.row(start, end)
        return True

    def in_plain_table(self, line: Span, ended: bool) -> bool:
        if ended and plain_tables.is_rule(line.of(self.text)):
            return True
        found = plain_tables.in_layout(self.text, line, self.columns, len(self.header))
        if found is None and not (ended or _ENDS.search(line.of(self.text))):
            found = [line]  # a line under way may still get more cells
        if found is None:
            self.close_table()
            return False
        self.waiting = None
        self.done.append(Block("row", tuple(found), self.header, line))
        return True

    def open_markup(self, content: str) -> None:
        """Begin a table of AsciiDoc or MediaWiki, with what the line before it tells of it."""
        above = self.lines[-1].of(self.text) if self.lines else ""
        if markup_tables.is_attributes(above):
            self.lines.pop()
        self.close()
        self.table, self.drawing = "markup", markup_tables.Markup.of(content, above)

    def in_markup(self, markup: markup_tables.Markup, content: str, line: Span) -> bool:
        """Whether the line belongs to the table in markup under way, perhaps as its last one."""
        last = markup.ends(content)
        if last or not markup.line(self.text, line):
            self.close_table()
        return last or self.table == "markup"

    def in_drawn_table(
        self, drawing: drawn_tables.Drawing, content: str, start: int, end: int, ended: bool
    ) -> bool:
        """Whether the line belongs to the drawn table under way; one that has not ended may."""
        if drawn_tables.is_rule(content) or not (ended or any(map(str.isalnum, content))):
            self.take_in(drawing.rule(self.text))
            return True
        drawn = content[0] in drawn_tables.UPRIGHTS
        found = list(_cells(self.text, start, end, _DRAWN_CELL)) if drawn else []
        if not found or (ended and content[-1] not in drawn_tables.UPRIGHTS):
            self.close_table()
            return False
        self.take_in(drawing.line((Span(start, end), found)))
        return True

    def take_in(self, rows: list[drawn_tables.Row]) -> None:
        """Take in rows of a drawn table, after its header if it has one; a box is a paragraph."""
        named = self.drawing.header
        for row in rows:
            if len(row.cells) == 1:
                self.done.append(Block("paragraph", row.cells[0]))
                continue
            if named and not self.header:
                self.head(_drawn(named))
            self.done.append(_drawn(row, self.header, named))

    def opens_table(self, start: int, end: int) -> bool:
        """Whether the line and the one before it are rows of a table that no separator announces.

        "Plan | Price" over "Basic | 9": as many cells, in lines that no sentence ends in.
        """
        if self.kind != "paragraph" or not self.lines:
            return False
        first, second = self.lines[-1], Span(start, end)
        if self.opens_plain_table(first, second):
            return True
        both = [one.of(self.text) for one in (first, second)]
        bars = {one.count(_BAR) for one in both}
        few = bars == {1} and max(map(len, both)) > _SHORT_LINE
        if len(bars) != 1 or bars == {0} or few or _SEPARATOR.match(both[1]):
            return False
        if any(map(_ENDS.search, both)):
            return False
        self.lines.pop()
        self.close()
        rows = [tuple(_cells(self.text, one.start, one.end)) for one in (first, second)]
        block = Block("row", rows[0], (), first)
        if plain_tables.names_columns(*([cell.of(self.text) for cell in row] for row in rows)):
            self.head(block)
        else:
            self.done.append(block)
        self.table = "loose"
        self.row(start, end)
        return True

    def opens_plain_table(self, first: Span, second: Span) -> bool:
        """The same of columns that blanks or marks set apart, the first over strokes or a row."""
        columns = plain_tables.layout_of(self.text, first, second)
        if columns is None:
            return False
        upper, lower = (
            tuple(plain_tables.in_layout(self.text, one, columns) or ()) for one in (first, second)
        )
        ruled = plain_tables.is_rule(second.of(self.text))
        if not upper or not (lower or ruled):
            return False
        named = ruled or plain_tables.names_columns(
            *([cell.of(self.text) for cell in row] for row in (upper, lower))
        )
        if not named and (isinstance(columns, str) or len(columns) == 2):
            return False
        self.lines.pop()
        self.close()
        row = Block("row", upper, (), first)
        if named:
            self.head(row)
        else:
            self.done.append(row)
        self.table, self.columns = "plain", columns
        if ruled:
            self.waiting = row  # until a row has its names
        else:
            self.done.append(Block("row", lower, self.header, second))
        return True

    def opens_fields(self, start: int, end: int, indent: int, ended: bool) -> bool:
        """Whether the line is a field of what the line before it names, further to the left.

        "plot: 4" over "  holder: Devi Raman", "listen_port:" over "  type: integer". What stands
        under "Details:" says something line by line.
        """
        if len(self.lines) != 1 or self.kind not in ("paragraph", "item") or indent <= self.indent:
            return False
        over = plain_tables.field(self.text, self.lines[0].start, self.lines[0].end)
        own = self.field(start, end, ended)
        if over is None or own is None or over[0].of(self.text)[:1].isupper():
            return False
        key, value = over
        self.lines = []
        self.close()
        self.fields = [over if value else (Span(key.start, key.start), key), own]
        self.table, self.indent = "fields", indent
        return True

    def in_fields(self, start: int, end: int, indent: int, ended: bool) -> bool:
        """Whether the line is one more field, which the row under way then has joined."""
        own = self.field(start, end, ended) if indent == self.indent else None
        if own is None:
            self.close_table()
            return False
        self.fields.append(own)
        return True

    def is_help(self, content: str, indent: int) -> bool:
        """Whether the line is an option or a command with what it does, where a list may begin.

        Within a paragraph, whose words may be set apart to fill the line, it is none.
        """
        if not self.lines or self.text[self.lines[-1].end - 1] == ":":
            return plain_tables.is_help(content, indent)
        if indent > self.column(self.lines[-1]):
            return plain_tables.is_help(content, indent)
        first, column = self.lines[0].of(self.text), self.column(self.lines[0])
        listed = self.kind == "item" and plain_tables.is_help(first, column, True)
        return listed and indent == column and plain_tables.is_help(content, indent, True)

    def column(self, line: Span) -> int:
        """How many characters stand before a line's first."""
        return line.start - self.text.rfind("\n", 0, line.start) - 1

    def opens_settings(self, start: int, end: int) -> bool:
        """Whether the line is a setting of the section that the line before it names."""
        if len(self.lines) != 1 or self.kind != "paragraph":
            return False
        name = plain_tables.section(self.text, self.lines[0].start, self.lines[0].end)
        own = plain_tables.setting(self.text, start, end)
        if name is None or own is None:
            return False
        self.lines = []
        self.section = name
        self.take_setting(*own)
        return True

    def is_setting(self, start: int, end: int) -> bool:
        """Whether the line is a setting of no section, "MAX_SIZE=20", then taken in as a row."""
        own = None if self.lines else plain_tables.setting(self.text, start, end, alone=True)
        if own is None:
            return False
        self.done.append(Block("row", (own[1],), (own[0],), Span(start, end)))
        return True

    def in_settings(self, start: int, end: int, ended: bool) -> bool:
        """Whether the line is a setting, a remark or a section's name in a file of settings."""
        own = plain_tables.setting(self.text, start, end)
        if own is None and not (ended or _ENDS.search(self.text, start, end)):
            own = Span(start, start), Span(start, end)  # a line under way may still become one
        if own is not None:
            self.take_setting(*own)
            return True
        self.close_table()
        if self.text[start] in "#;":  # a remark
            said = _trim(self.text, start + 1, end)
            self.done.append(Block("paragraph", (Span(*said),)))
            return True
        self.section = plain_tables.section(self.text, start, end)
        return self.section is not None

    def take_setting(self, key: Span, value: Span) -> None:
        """Take in a setting; rows are kept short, each with the name of the section."""
        assert self.section is not None
        if len(self.fields) > _MOST_SETTINGS:
            self.close_table()
        if not self.fields:
            self.fields = [(Span(self.section.start, self.section.start), self.section)]
        self.fields.append((key, value))

    def field(self, start: int, end: int, ended: bool) -> tuple[Span, Span] | None:
        """The key and the value of a line; a line under way may still become a field."""
        own = plain_tables.field(self.text, start, end)
        if own is not None and own[1]:
            return own
        if ended or _ENDS.search(self.text, start, end):
            return None
        return Span(start, start), Span(start, end)

    def is_object(self, start: int, end: int) -> bool:
        """Whether the line is a JSON object, which is then taken in as a row."""
        found = plain_tables.fields(self.text, start, end)
        if len(found) < 2:
            return False
        self.close()
        keys, values = zip(*found, strict=True)
        self.done.append(Block("row", values, keys, Span(start, end)))
        return True

    def row(self, start: int, end: int) -> None:
        """Take in a table's row: header, separator or body."""
        content = self.text[start:end]
        if _SEPARATOR.match(content):
            if self.waiting is not None and "-" in content:
                self.head(self.waiting)
                self.waiting = None
            return
        if self.waiting is not None:
            self.done.append(self.waiting)
        block = Block("row", tuple(_cells(self.text, start, end)), self.header, Span(start, end))
        self.waiting = None
        if self.header:
            self.done.append(block)
        else:
            self.waiting = block

    def head(self, row: Block) -> None:
        """Take a row as the table's header, the columns' names cut to what may be read in each row.

        A header with a name longer than that is a row as well, so that all of it is read once.
        """
        self.header = tuple(
            Span(name.start, min(name.end, name.start + LONGEST_NAME)) for name in row.lines
        )
        if self.header != row.lines:
            self.done.append(row)

    def block(self, content: str, start: int, end: int) -> None:
        """Take in a line outside tables and code."""
        text = self.text
        single = len(self.lines) == 1 and self.kind == "paragraph"
        if single and "|" in content and "-" in content and _SEPARATOR.match(content):
            only = self.lines[0]
            if "|" in only.of(text) and not _MAY_END.search(only.of(text)):
                self.lines = []
                self.table = "open"
                self.head(Block("row", tuple(_cells(text, only.start, only.end)), (), only))
                return
        if self.kind == "paragraph" and self.lines:
            names = self.lines[-1]
            if drawn_tables.is_under(content, names.of(text)):
                self.lines.pop()
                self.close()
                self.table = "loose"
                self.head(Block("row", tuple(_cells(text, names.start, names.end)), (), names))
                return
        if single and _UNDERLINE.match(content):
            self.kind = "underlined"
            self.close()
            return
        if _RULE.match(content):
            self.close()
            return
        fence = _FENCE.match(content)
        if fence:
            self.close()
            self.fence = fence.group(1)
            return
        heading = _HEADING.match(content) or (_EQUALS.match(content) if self.hanging else None)
        if heading:
            self.close()
            bare = content.rstrip(content[0])
            closed = bare[-1:].isspace() or content[0] == "="
            stop = len(bare.rstrip()) if closed else len(content)
            numbered = _HEADING_NUMBER.match(content, heading.end())
            begin = numbered.end() if numbered else heading.end()
            if stop > begin:
                self.done.append(Block("heading", (Span(start + begin, start + stop),)))
            return
        mark = self.item_mark(content)
        if mark:
            self.close()
            self.kind = "item"
            start, end = _trim(text, start + mark, end)
            inner = self.item_mark(text[start:end]) or 0
            start, end = _trim(text, start + inner, end)
            box = _CHECKBOX.match(text, start, end)
            if box:
                start = box.end()
                self.ticked = box.group(1) != " "
            if start < end:
                self.lines.append(Span(start, end))
            return
        clause = None if self.lines else CLAUSE.match(content)
        self.lines.append(Span(start + clause.end() if clause else start, end))

    def item_mark(self, content: str) -> int:
        """How long the list mark is that the line begins with; 0 when there is none."""
        fresh = not self.lines or self.kind == "item"
        last = self.text[self.lines[-1].end - 1] if self.lines else ""
        bullet = _BULLET.match(content) or (_SHY_BULLET.match(content) if fresh else None)
        if bullet:
            spaced = content[1:2].isspace() or len(content) == 1
            return 1 if spaced or content[0] in "\u2022\u25e6\u25aa\u25cf\u25a0" else 0
        number = _NUMBER.match(content)
        if number and (fresh or int(number.group(1)) == 1 or last == ":"):
            return number.end()
        letter = _LETTER.match(content)
        if letter and (fresh or last in ":;,.") and letter.end() < len(content):
            return letter.end()
        return 0


def lines(text: str) -> Iterator[tuple[int, int, int]]:
    """Each line that has been ended: its start, its end, and the start of the next."""
    start = end = 0
    for found in _LINE.finditer(text):
        if found.group()[0] in _BREAKS:
            yield start, end, found.end()
            start = end = found.end()
        else:
            end = found.end()


def scan(text: str, hanging: bool = False) -> Iterator[Block]:
    """The blocks of `text` in order. "underlined" is a heading unless it has sentences.

    hanging: as in `Scanner`.
    """
    scanner = Scanner(text, hanging)
    start = end = 0
    for found in _LINE.finditer(text):
        if found.group()[0] in _BREAKS:
            scanner.line(start, end)
            start = end = found.end()
        else:
            end = found.end()
        if scanner.done:
            yield from scanner.done
            scanner.done = []
    if end > start:
        scanner.line(start, end, ended=False)
    if scanner.fence:
        scanner.close_code()
    if scanner.title is not None:
        scanner.done.append(scanner.title)
    scanner.close()
    scanner.close_table()
    yield from scanner.done


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and (text[start] in _BLANKS or text[start].isspace()):
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _drawn(
    row: drawn_tables.Row, header: tuple[Span, ...] = (), named: drawn_tables.Row | None = None
) -> Block:
    """A row of a drawn table, under these names where it has as many cells."""
    fits = named is not None and len(named.cells) == len(row.cells)
    cells = (*row.cells, *(named.cells if named is not None and fits else ()))
    further = {first: tuple(more) for first, *more in cells if more}
    lines = tuple(cell[0] for cell in row.cells)
    return Block("row", lines, header if fits else (), row.whole, further)


def _cells(text: str, start: int, end: int, cell: re.Pattern[str] = _CELL) -> Iterator[Span]:
    r"""The cells of a row; "\|" does not divide. cell: what one consists of."""
    first = cell.match(text, start, end)
    at = start + 1 if first is not None and first.end() == start else start
    while at < end:
        found = cell.match(text, at, end)
        stop = found.end() if found else end
        yield Span(*_trim(text, at, stop))
        at = stop + 1
