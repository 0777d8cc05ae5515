"""Text -> markdown blocks: paragraphs, headings, list items, table rows, code; marks left out.

A line's block is decided by the lines before it, its own first characters and, for underlined
headings and table headers, the line that follows it: a longer text never changes a block that
already has a successor. Lines of a log are paragraphs, each with the lines without a time under it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from halgo.sources import (
    drawn_tables,
    fenced_rows,
    form_lines,
    keyed_rows,
    markup_tables,
    piped_tables,
    plain_rows,
)
from halgo.sources.blocktypes import Begun, Block, Line, Table, trimmed
from halgo.sources.drawn_rows import Drawn, InMarkup
from halgo.sources.plain_tables import is_help
from halgo.sources.records import is_record
from halgo.types import Span

_LINE = re.compile(r"[^\n\r\f\v\x85\u2028\u2029]+|\r\n|[\n\r\f\v\x85\u2028\u2029]")
_BREAKS = "\n\r\f\v\x85\u2028\u2029"
_HEADING = re.compile(r"#{1,6}(?:\s+|$)")
_FENCE = re.compile(r"(`{3,}|~{3,})([^`]*)$")
_RULE = re.compile(r"(?:[-=_*~#+\u2022\u00b7\u2014\u2013]\s*){2,}$")
_UNDERLINE = re.compile(r"(?:=+|-{2,})$")
_BULLET = re.compile(r"(?:[-*]|[\u2022\u25e6\u25aa\u2023\u25cf\u25cb\u25a0\u2713\u2714\u27a4])")
_SHY_BULLET = re.compile(r"[+\u2013\u2014\u00b7\u2192]")  # may also begin a wrapped line
_NUMBER = re.compile(r"\(?(\d{1,3})[.)](?=\s|$)")
# "2.2 If payment is late": the number of a clause, no amount ("2.2 million", "1.5 TB").
CLAUSE = re.compile(r"\d{1,3}(?:\.\d{1,3}){1,5}\.?\s+(?=[A-Z][a-z]|[AI]\s)")
# "4.2 Payment", but not "4.2.0 (18 June 2024)": the version is the heading.
_HEADING_NUMBER = re.compile(r"\d{1,3}\.(?:\d{1,3}\.?){0,5}\s+(?=[^\s(\[–—-])")
_LETTER = re.compile(r"(?:\([a-z]\)|\([ivx]{1,5}\)|[a-z]\))(?=\s|$)")
_CHECKBOX = re.compile(r"\[([ xX])\]\s+")
# What a plain text sets further to the left than what it is about: "OPTIONS", "--force".
_LONGEST_TITLE = 50  # characters from the left edge; a longer line may have been wrapped
BOLD_LINE = re.compile(r"(\*\*|__)[^*_\n]{1,100}\1:?\s*")
# Headings of AsciiDoc, "== Backups", and of MediaWiki, "==Backups==".
_EQUALS = re.compile(r"={1,6}[ \t]+(?=[^\W\d_]|[\"'(])|(={2,6})(?=\w[^=]{0,100}\1$)")
# A term with what it means, "--dry-run:: Prints", and a field, ":param x: The".
_TERM = re.compile(r"[^\s:.][^:\n]{0,60}::(?=\s|$)|:[A-Za-z][\w .-]{0,40}:(?=\s|$)")
# The date and the time that a line of a log or a chat begins with, perhaps behind a level.
_STAMP = re.compile(
    r"""
    \u200e? (?:(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL):?[ ]{1,8})? [\[(<]? (?:
      \d{4}[-/.]\d\d[-/.]\d\d(?:T|[ ]{1,2})\d\d:\d\d(?!\d)         # 2024-05-03T10:15
    | (?: \d\d[-/.]\d\d[-/.]\d{4},?[ ]                            # 03.05.2024 10:15:00
        | (?:[A-Z][a-z]{2},?[ ])?[A-Z][a-z]{2}[ ]{1,2}\d{1,2}[ ]    # Fri May  3 10:15:00
        | [A-Z]\d{4}[ ]                                            # E0503 10:15:00
        | (?:[\w.:-]{0,59}\w[ ]\S{1,40}[ ]\S{1,40}[ ]\[)?\d\d/[A-Z][a-z]{2}/\d{4}:  # of a server
        )? \d\d:\d\d:\d\d(?!\d)
    | \d{1,2}([/.-])\d{1,2}\1\d{2,4},?[ ]\d{1,2}:\d\d(?::\d\d)?    # 3/5/24, 9:15 PM - Ana:
      (?:[ \u00a0\u202f]?[AaPp]\.?[Mm]\.?)? (?:\]|[ ][-\u2013][ ])
    )
    """,
    re.VERBOSE,
)
# "Total due £890.40", "2 x Latte 3.50": a line of a bill, whose lines are no paragraph.
_CODE, _SUM = "EUR|USD|GBP|CHF", r"-?\d[\d,.]*"
_MONEY = rf"(?:[\u00a3$\u20ac]\s?{_SUM}|{_SUM}\s?(?:\u20ac|{_CODE})|(?:{_CODE})\s{_SUM})"
_CHARGE = re.compile(rf"[A-Z0-9][^\n.!?]{{0,58}}\s{_MONEY}")
_ITEM_LINE = re.compile(r"\d{1,4}\s?[x\u00d7]\s[^\n!?]{1,58}\s\d[\d,]*\.\d\d")
_FIGURE_LINE = re.compile(r"[A-Z][^\n.!?:]{0,38}\s-?\d[\d,]*\.\d\d")
_LEAD_IN = re.compile(r"[A-Z][^.!?:;]{1,60}:")
_TITLE_ENDS = ".!?\u2026:;,"
_COMPARED = tuple("=0123456789")  # behind ">": no quote


def _is_charge(line: str) -> bool:
    """Whether a line ends with a sum of money, or with a figure that has the places of one."""
    return any(one.fullmatch(line) for one in (_CHARGE, _ITEM_LINE, _FIGURE_LINE))


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
        self.lines: list[Span] = []  # none while a table is under way
        self.indent = 0  # of the first line
        self.ticked: bool | None = None  # of the item under way
        self.depth = 0
        self.fence = ""
        self.language = ""
        self.code: list[Span] = []
        self.table: Table | None = None

    def close(self) -> None:
        """End the paragraph or item under way."""
        if self.lines:
            self.done.append(Block(self.kind, tuple(self.lines), ticked=self.ticked))
        self.lines = []
        self.kind = "paragraph"
        self.ticked = None

    def close_table(self) -> None:
        """End the table under way, or only its row where more of it may follow."""
        if self.table is not None:
            self.done += self.table.close()
            self.table = self.table if self.table.lasts else None

    def open_table(self, table: Table, settled: Sequence[Block] = ()) -> None:
        """Begin a table with the blocks that its first lines settle."""
        self.close()
        self.table = table
        self.done += settled

    def line(self, start: int, end: int, ended: bool = True) -> None:
        """Take in the next line, without its line break; the last may not have ended yet."""
        if self.fence:
            self.in_code(start, end)
            return
        told = trimmed(self.text, start, end)
        indent = told.start - start
        told = self.unquoted(told)
        if not told:
            self.blank()
            return
        line = Line(self.text, told, told.of(self.text), indent, ended)
        if self.in_table(line):
            return
        self.head(line)
        if not (self.opens_table(line) or self.is_row(line) or self.joins(line)):
            self.outside(line)

    def unquoted(self, line: Span) -> Span:
        """The line without marks of quotes; what is under way ends where their number changes."""
        text, depth = self.text, 0
        while line and text[line.start] == ">":
            inner = line.start + 1
            if text[inner : inner + 1] in _COMPARED:
                break
            depth += 1
            line = trimmed(text, inner, line.end)
        if depth != self.depth:
            self.close()
            self.close_table()
            self.depth = depth
        return line

    def blank(self) -> None:
        """Take in a blank line."""
        if self.table is not None and self.table.blank():
            return
        if self.hanging and self.title is None and self.may_be_title():
            self.title = Block(self.kind, tuple(self.lines))
            self.lines = []
        self.close()
        self.close_table()

    def in_table(self, line: Line) -> bool:
        """Whether the line belongs to the table under way, which otherwise has ended."""
        if self.table is None:
            return False
        settled = self.table.take(line)
        if settled is None:
            self.done += self.table.close()
            self.table = None
            return False
        self.done += settled
        return True

    def head(self, line: Line) -> None:
        """Make what stands before the line a heading where the layout says so."""
        if self.title is not None:
            deeper = line.indent > self.indent and not self.item_mark(line.content)
            heads = deeper or self.is_bold(*self.title.lines)
            self.done.append(replace(self.title, kind="heading" if heads else self.title.kind))
            self.title = None
        elif self.hanging and (self.is_over(line) or self.is_headed()):
            self.kind = "heading"
            self.close()

    def opens_table(self, line: Line) -> bool:
        """Whether the line's first characters begin a table, which then is under way."""
        if self.hanging and line.ended and markup_tables.is_begun(line.content):
            self.open_table(InMarkup(self.markup(line.content)))
        elif drawn_tables.is_rule(line.content):
            self.open_table(Drawn())
        elif line.content[0] == "|":
            self.open_table(*piped_tables.begun(line))
        else:
            return False
        return True

    def markup(self, content: str) -> markup_tables.Markup:
        """A table of AsciiDoc or MediaWiki, with what the line before it tells of it."""
        above = self.lines[-1].of(self.text) if self.lines else ""
        if markup_tables.is_attributes(above):
            self.lines.pop()
        return markup_tables.Markup.of(content, above)

    def is_row(self, line: Line) -> bool:
        """Whether the line is a record, a JSON object or a setting, which then is taken in."""
        if not self.lines and is_record(line.content):
            self.done.append(Block("record", (line.span,)))
            return True
        told = form_lines.fields(line) if self.hanging else []
        if told:
            self.close()
            self.done += told
            return True
        row = keyed_rows.json_object(line) if line.ended else None
        if row is not None:
            self.close()
        elif line.ended and not self.lines:
            row = keyed_rows.setting(line)
        if row is not None:
            self.done.append(row)
        return row is not None

    def joins(self, line: Line) -> bool:
        """Whether the line and the one before it begin a table, which then is under way."""
        begun = self.begun(line) if self.lines else None
        if begun is not None:
            self.lines.pop()
        elif self.hanging:
            begun = form_lines.alone(line)
        if begun is None:
            return False
        self.open_table(*begun)
        return True

    def begun(self, line: Line) -> Begun | None:
        """The table, fields or settings that the line and the one before it begin."""
        above, alone = self.lines[-1], len(self.lines) == 1
        plain = line.ended and self.kind == "paragraph"
        begun: Begun | None = None
        if plain:
            fewest = 3 if self.hanging else 2
            begun = plain_rows.begun(above, line, fewest) or piped_tables.loose(above, line)
            if begun is None and self.hanging:
                begun = form_lines.begun(above, line)
        if begun is None and alone and line.indent > self.indent:
            begun = keyed_rows.fields(above, line)
        if begun is None and plain:
            begun = keyed_rows.settings(above, line)
        return begun

    def outside(self, line: Line) -> None:
        """Take in a line outside tables and code."""
        if self.is_logged(line) or self.is_listed(line) or self.leads(line):
            self.close()
        explains = self.tells_use(line.content, line.indent)
        if explains or (self.hanging and _TERM.match(line.content)):
            self.close()
            self.kind = "item"
        if not self.lines:
            self.indent = line.indent
        if self.is_rule(line) or self.opens_code(line.content) or self.is_heading(line):
            return
        if not self.is_item(line):
            clause = None if self.lines else CLAUSE.match(line.content)
            start = line.span.start + (clause.end() if clause else 0)
            self.lines.append(Span(start, line.span.end))

    def is_rule(self, line: Line) -> bool:
        """Whether the line is a rule: under names of columns, under a heading, or by itself."""
        single = len(self.lines) == 1
        if self.lines and self.kind == "paragraph":
            begun = piped_tables.ruled(self.lines[-1], line, alone=single)
            if begun is not None:
                self.lines.pop()
                self.open_table(*begun)
                return True
            if single and _UNDERLINE.match(line.content):
                self.kind = "underlined"
                self.close()
                return True
        if not _RULE.match(line.content):
            return False
        self.close()
        return True

    def opens_code(self, content: str) -> bool:
        """Whether the line opens a block of code, which then is under way."""
        fence = _FENCE.match(content)
        if fence is None:
            return False
        self.close()
        self.fence = fence.group(1)
        self.language = next(iter(fence.group(2).lower().split()), "")
        return True

    def is_heading(self, line: Line) -> bool:
        """Whether the line is a heading with a mark, which then is taken in without it."""
        content = line.content
        heading = _HEADING.match(content) or (_EQUALS.match(content) if self.hanging else None)
        if heading is None:
            return False
        self.close()
        bare = content.rstrip(content[0])
        closed = bare[-1:].isspace() or content[0] == "="
        stop = len(bare.rstrip()) if closed else len(content)
        numbered = _HEADING_NUMBER.match(content, heading.end())
        begin = numbered.end() if numbered else heading.end()
        if stop > begin:
            at = line.span.start
            self.done.append(Block("heading", (Span(at + begin, at + stop),)))
        return True

    def is_item(self, line: Line) -> bool:
        """Whether a list's item begins with the line, which then is taken in without its marks."""
        mark = self.item_mark(line.content)
        if not mark:
            return False
        self.close()
        self.kind = "item"
        told = trimmed(self.text, line.span.start + mark, line.span.end)
        inner = self.item_mark(told.of(self.text)) or 0
        told = trimmed(self.text, told.start + inner, told.end)
        box = _CHECKBOX.match(self.text, told.start, told.end)
        if box:
            told = Span(box.end(), told.end)
            self.ticked = box.group(1) != " "
        if told:
            self.lines.append(told)
        return True

    def is_logged(self, line: Line) -> bool:
        """Whether the line is one of a log, and the paragraph under way begins or ends with one."""
        if not self.lines or self.kind != "paragraph" or not _STAMP.match(line.content):
            return False
        return any(_STAMP.match(self.text, self.lines[k].start, self.lines[k].end) for k in (0, -1))

    def is_listed(self, line: Line) -> bool:
        """Whether the line and the one before it are of a bill, or of an agenda.

        They end with a sum of money, or begin with a time or a date.
        """
        if not self.lines or self.kind != "paragraph":
            return False
        above = self.lines[-1].of(self.text)
        dated = self.hanging and form_lines.is_dated(line.content) and form_lines.is_dated(above)
        return dated or (_is_charge(line.content) and _is_charge(above))

    def leads(self, line: Line) -> bool:
        """Whether a line behind a list item is what leads in the next list: "Not included:"."""
        found = self.kind == "item" and bool(self.lines) and line.indent <= self.indent
        return found and _LEAD_IN.fullmatch(line.content) is not None

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

    def is_over(self, line: Line) -> bool:
        """Whether what is under way may be the title of the next line, which stands deeper.

        It ended on purpose, for the next line's first word would have had room in it, and this one
        is no list item.
        """
        if line.indent <= self.indent + 1 or not self.may_be_title():
            return False
        first, _, more = line.content.partition(" ")
        if not (line.ended or more) or self.item_mark(line.content):
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
            rows = fenced_rows.blocks(self.text, self.code, self.language) if self.hanging else []
            whole = Span(self.code[0].start, self.code[-1].end)
            self.done += rows or [Block("code", (whole,))]
        self.code = []

    def tells_use(self, content: str, indent: int) -> bool:
        """Whether the line is an option or a command with what it does, where a list may begin.

        Within a paragraph, whose words may be set apart to fill the line, it is none.
        """
        if not self.lines or self.text[self.lines[-1].end - 1] == ":":
            return is_help(content, indent)
        if indent > self.column(self.lines[-1]):
            return is_help(content, indent)
        first, column = self.lines[0].of(self.text), self.column(self.lines[0])
        listed = self.kind == "item" and is_help(first, column, True)
        return listed and indent == column and is_help(content, indent, True)

    def column(self, line: Span) -> int:
        """How many characters stand before a line's first."""
        return line.start - self.text.rfind("\n", 0, line.start) - 1

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

    def finish(self) -> None:
        """End what is under way: the text has no more lines."""
        if self.fence:
            self.close_code()
        if self.title is not None:
            self.done.append(self.title)
        self.close()
        self.close_table()


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
    last = 0  # where the line begins that has not ended
    for start, end, following in lines(text):
        scanner.line(start, end)
        last = following
        if scanner.done:
            yield from scanner.done
            scanner.done = []
    if last < len(text):
        scanner.line(last, len(text), ended=hanging)
    scanner.finish()
    yield from scanner.done
