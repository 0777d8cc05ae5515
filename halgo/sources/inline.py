"""Lines of an original -> the stream of characters that is read, each knowing where it stood.

Markdown's inline marks, those of formulas in LaTeX, HTML tags, struck-out text, escapes of
terminals and zero-width characters are left out; runs of white space become one space; typographic
quotes, hyphens, minus signs and digits of full width become their plain forms, one character for
one, and digits between tags that set them high or low Unicode's digits for that.
These do not join a number that they stand behind: "12³" is read "12 ³". Every decision looks to the
left and at the next few characters only, never for a closing mark beyond its sentence, so that a
longer text reads the same from its beginning.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from halgo.sources.raised import OFF_LINE, written
from halgo.sources.stops import OTHER_STOPS
from halgo.types import Piece, Reading, Span

# One character for one, so that offsets hold.
_PLAIN: dict[int, str] = {
    **dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f"), '"'),
    **dict.fromkeys(map(ord, "\u2212\u2010\u2011"), "-"),
    **dict.fromkeys(
        [*range(0x1B), *range(0x1C, 0x20), *range(0x7F, 0xA1), 0x1680, 0x202F, 0x205F, 0x3000], " "
    ),
    **dict.fromkeys([*range(0x2000, 0x200B), 0x2028, 0x2029], " "),
    **dict.fromkeys(range(0xD800, 0xE000), "\ufffd"),
    **{0xFF10 + digit: str(digit) for digit in range(10)},  # of full width, as "％" is
    0xFF05: "%",
}
_FULL_WIDTH_POINT = re.compile(r"(?<=\d)\uff0e(?=\d)")
_ZERO_WIDTH = "\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
# What sets colours on a terminal, or its title.
_ESCAPE = r"\x1b(?:\[[0-9;?]{0,30}[A-Za-z]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\))?"
_SPECIAL = re.compile(
    rf"{_ESCAPE}|[*_`~\[\]<&$\\]|!\[| {{2,}}|[{_ZERO_WIDTH}]+|(?<=\d)[{OFF_LINE}]"
)
_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9-]{0,20})(?:\s[^<>]{0,300})?/?>")
_OFF_LINE = re.compile(r"<(sup|sub)>(.{1,300}?)</\1>", re.IGNORECASE)
_COMMENT = re.compile(r"<!--(?:[^-.!?]|-(?!->)){0,500}-->")
# What is struck out is not said any more: "~~$49~~ $29".
_STRUCK = re.compile(
    r"~~(?=[^\s~])[^~`]{1,300}(?<!\s)~~(?!~)|<(del|s|strike)>[^<>]{1,300}</\1>", re.IGNORECASE
)
_AUTOLINK = re.compile(r"<((?:https?|ftp|mailto):[^<>\s]{1,500}|[^<>\s@]{1,80}@[^<>\s@]{1,80})>")
_ENTITY = re.compile(r"&(?:#\d{1,6}|#x[0-9a-fA-F]{1,5}|[A-Za-z][A-Za-z0-9]{1,20});")
_LINK_TEXT = re.compile(r"\[([^\[\]]{0,300})\](?=\()")
_TARGET = re.compile(r"\((?:[^()\s]|\([^()\s]{0,300}\)){0,1000}(?:\s+\"[^\".!?]{0,200}\")?\)")
_LINK = re.compile(_LINK_TEXT.pattern + _TARGET.pattern)
# A formula between $ and $, \( and \) or \[ and \]. Of letters it has variables and commands only,
# so that "$5 and $10" and "$5 (US$)" stay money, and in brackets an operator, so that "\(30\)" and
# "\[2\]" stay. No two of the terms begin alike.
_TERMS = (
    r"(?:\\[A-Za-z]{1,20}(?![A-Za-z])|\\[%$,;:!{} ]|\{[^{}$]{0,100}\}|[^\\$A-Za-z{}]"
    r"|[A-Za-z](?![A-Za-z])){1,300}?"
)
_FORMULA = re.compile(
    rf"(?<![A-Za-z])(\${{1,2}})(?![\s$])(?P<dollars>{_TERMS})(?<=[\w%)}}])\1(?![\d$])"
    rf"|\\(?:\((?P<round>{_TERMS})\\\)|\[(?P<square>{_TERMS})\\\])"
)
_OPERATOR = re.compile(r"[=+^<>\\]")
_TERM = re.compile(r"\\(?P<name>[A-Za-z]+|.)|\^(?=\{?\\circ)|\}\{|[{}^]|[^\\^{}]+")
_SIGNS = {"times": "×", "cdot": "·", "div": "÷", "pm": "±", "approx": "≈", "le": "≤", "leq": "≤",
          "ge": "≥", "geq": "≥", "circ": "°", "left": "", "right": "", "quad": " ",
          ",": " ", ";": " ", ":": " ", "!": ""}  # fmt: skip
_ENDS_SENTENCE = re.compile(rf"[.!?\u2026]['\")\]]*\s|[{OTHER_STOPS}]")
_TITLE = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|Prof|St|No|Fig|vs|[A-Z])\.\s")
_ESCAPABLE = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_BREAKING_TAGS = re.compile("(?:br|p|li|div|tr|td|th|ul|ol|table|h[1-6])$")


def plain(text: str) -> str:
    """`text` with each character in its plain form; the length stays."""
    return _FULL_WIDTH_POINT.sub(".", text.translate(_PLAIN))


@dataclass(frozen=True, slots=True)
class Stream:
    """A reading under way: `text`, and for each run of it where it starts here and there.

    `at` ascends; run k covers text[at[k]:at[k] + sizes[k]] and stands at origins[k] in the
    original. Characters between runs are glue. `code` has the runs that stand between backticks.
    """

    text: str
    at: Sequence[int]
    origins: Sequence[int]
    sizes: Sequence[int]
    code: frozenset[int] = frozenset()

    def origin(self, index: int) -> int:
        """Where character `index` of the stream stands in the original; it must not be glue."""
        run = bisect_right(self.at, index) - 1
        return self.origins[run] + index - self.at[run]

    def reading(self, start: int, end: int) -> Reading:
        """Characters [start, end) of the stream as a Reading."""
        pieces: list[Piece] = []
        run = max(bisect_right(self.at, start) - 1, 0)
        while run < len(self.at) and self.at[run] < end:
            first = max(start, self.at[run])
            last = min(end, self.at[run] + self.sizes[run])
            if first < last:
                origin = self.origins[run] + first - self.at[run]
                place = Span(origin, origin + last - first)
                pieces.append(Piece(first - start, place, run in self.code))
            run += 1
        return Reading(self.text[start:end], tuple(pieces))


class _Builder:
    """Collects runs; joins those that follow each other on both sides."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.at: list[int] = []
        self.origins: list[int] = []
        self.sizes: list[int] = []
        self.code: set[int] = set()  # runs between backticks
        self.in_code = False
        self.opened = 0  # the first run behind the last backtick that opens code
        self.length = 0
        self.last = " "  # the last character read; a space swallows the spaces after it

    def add(self, run: str, origin: int) -> None:
        """Append characters that stand at `origin`."""
        if run[:1] == " " and self.last == " ":
            run, origin = run[1:], origin + 1
        if not run:
            return
        follows = self.at and self.at[-1] + self.sizes[-1] == self.length
        if follows and self.origins[-1] + self.sizes[-1] == origin:
            self.sizes[-1] += len(run)
        else:
            if self.in_code:
                self.code.add(len(self.at))
            self.at.append(self.length)
            self.origins.append(origin)
            self.sizes.append(len(run))
        self._append(run)

    def glue(self) -> None:
        """Append a space that stands for a line break."""
        if self.last != " ":
            self._append(" ")

    def _append(self, run: str) -> None:
        self.texts.append(run)
        self.length += len(run)
        self.last = run[-1]

    def tick(self, opens: bool) -> None:
        """Code begins, or ends, with what is added next."""
        self.in_code = opens
        self.opened = len(self.at)

    def stream(self) -> Stream:
        """The runs; what follows a backtick that none closes, as in ``this'', is no code."""
        code = frozenset(run for run in self.code if not self.in_code or run < self.opened)
        return Stream("".join(self.texts), self.at, self.origins, self.sizes, code)


def read(text: str, segments: Iterable[Span]) -> tuple[Stream, list[int]]:
    """The stream of the lines `segments` of `text`, and where in it each line begins."""
    builder = _Builder()
    starts: list[int] = []
    state = _Marks()
    for segment in segments:
        builder.glue()
        starts.append(builder.length)
        _read_line(builder, plain(segment.of(text)), segment.start, state)
    return builder.stream(), starts


def verbatim(text: str, span: Span) -> Stream:
    """The stream that leaves nothing out: code, whose white space has meaning."""
    body = re.sub("[\ud800-\udfff]", "\ufffd", span.of(text))
    return Stream(body, (0,), (span.start,), (len(body),))


class _Marks:
    """Which inline marks are open; a closing mark without its opening one is text."""

    def __init__(self) -> None:
        self.open: list[str] = []
        self.code = False
        self.place = ""  # "sup" or "sub" where text is set high or low
        self.links: set[int] = set()  # closing brackets of links, by place in the line

    def toggles(self, mark: str, before: str, after: str) -> bool:
        """Whether this run of * _ or ~ is a mark, given its neighbours."""
        kind = mark[0]
        if kind == "~" and len(mark) != 2:
            return False
        if before.isalnum() and after.isalnum() and (kind == "_" or before.isdigit()):
            return False
        if kind in self.open and not before.isspace():
            self.open.remove(kind)
            return True
        if after.isspace() or not after or (before.isalnum() and len(mark) == 1):
            return False
        if after.isdigit() and before.isdigit():
            return False
        if kind not in self.open:
            self.open.append(kind)
        return True


def _read_line(builder: _Builder, line: str, base: int, marks: _Marks) -> None:
    """Read one line that stands at `base`; `marks` carries over from the line before."""
    at = 0
    marks.links, marks.place = set(), ""
    for found in _SPECIAL.finditer(line):
        start = found.start()
        if start < at:
            continue
        if start > at:
            _add(builder, line[at:start], base + at, marks)
        at = _special(builder, line, start, found, base, marks)
    if at < len(line):
        _add(builder, line[at:], base + at, marks)


def _add(builder: _Builder, run: str, origin: int, marks: _Marks) -> None:
    """Append characters that stand at `origin`, as they are set there."""
    run = written(run, marks.place)
    if builder.last.isdecimal() and run[0] in OFF_LINE:
        builder.glue()
    builder.add(run, origin)


def _special(
    builder: _Builder, line: str, at: int, found: re.Match[str], base: int, marks: _Marks
) -> int:
    """Read what stands at `at`; returns where reading goes on."""
    char = line[at]
    if char == " " or found.group() == "\x1b":
        builder.add(" ", base + at)
        return found.end()
    if char in "$\\" and not marks.code and (formula := _formula(line, at)):
        return _read_formula(builder, line, formula, base)
    if char in "~<" and not marks.code:
        struck = _STRUCK.match(line, at)
        if struck is not None and not _ENDS_SENTENCE.search(struck.group()):
            return struck.end()
    if char == "`":
        marks.code = not marks.code
        builder.tick(marks.code)
        return _run_end(line, at)
    if char in "*_~" and not marks.code:
        end = _run_end(line, at)
        before = line[at - 1] if at else " "
        after = line[end] if end < len(line) else " "
        if marks.toggles(line[at:end], before, after):
            return end
        builder.add(line[at:end], base + at)
        return end
    if char == "\\" and not marks.code and line[at + 1 : at + 2] in _ESCAPABLE:
        if at + 1 < len(line):
            builder.add(line[at + 1], base + at + 1)
            return at + 2
    elif char == "[" and not marks.code and _link(line, at, marks):
        return at + 1
    elif char == "!" and not marks.code and _link(line, at + 1, marks):
        return at + 2
    elif char == "]" and at in marks.links:
        target = _TARGET.match(line, at + 1)
        return target.end() if target else at + 1
    elif char == "<" and not marks.code:
        end = _angle(builder, line, at, base, marks)
        if end:
            return end
    elif char == "&" and not marks.code:
        entity = _ENTITY.match(line, at)
        decoded = html.unescape(entity.group()) if entity else ""
        if entity and len(decoded) == 1:
            builder.add(plain(decoded).replace("\x1b", " "), base + at)
            return entity.end()
    elif char in OFF_LINE:
        _add(builder, char, base + at, marks)
        return at + 1
    elif char not in "[]!<&$\\*_~":
        return found.end()  # zero-width characters
    builder.add(char, base + at)
    return at + 1


def _formula(line: str, at: int) -> re.Match[str] | None:
    """The formula that begins at `at`; None where dollars are money and brackets are text."""
    found = _FORMULA.match(line, at)
    if found is None or _ENDS_SENTENCE.search(found.group()):
        return None
    bracketed = found["round"] or found["square"]
    return found if bracketed is None or _OPERATOR.search(bracketed) else None


def _read_formula(builder: _Builder, line: str, formula: re.Match[str], base: int) -> int:
    """Read a formula: its signs for their commands, and no braces; returns where it ends."""
    start, end = formula.span(formula.lastgroup or 0)
    for term in _TERM.finditer(line, start, end):
        run, name = term.group(), term["name"]
        if name in _SIGNS:
            builder.add(_SIGNS[name], base + term.start())
        elif name:
            if not line.startswith("{", term.end()):  # "\text{late fee}"
                builder.add(name, base + term.start("name"))
        elif run == "}{":  # of "\frac{1}{2}"
            builder.add("/", base + term.start())
        elif run not in "{}" and not line.startswith(("^\\circ", "^{\\circ"), term.start()):
            builder.add(run, base + term.start())
    return formula.end()


def _run_end(line: str, at: int) -> int:
    end = at + 1
    while end < len(line) and line[end] == line[at]:
        end += 1
    return end


def _link(line: str, at: int, marks: _Marks) -> bool:
    """Whether a link's text opens at `at`: closed, with its target, within the sentence."""
    label = _LINK_TEXT.match(line, at)
    if label is None or not _TARGET.match(line, label.end()):
        return False
    if _ENDS_SENTENCE.search(_TITLE.sub("", label.group(1))):
        return False
    marks.links.add(label.end() - 1)
    return True


def _angle(builder: _Builder, line: str, at: int, base: int, marks: _Marks) -> int:
    """Read a tag, comment or link in angle brackets; 0 when it is none."""
    address = _AUTOLINK.match(line, at)
    if address:
        builder.add(address.group(1), base + at + 1)
        return address.end()
    tag = _TAG.match(line, at) or _COMMENT.match(line, at)
    if tag is None or _ENDS_SENTENCE.search(tag.group()):
        return 0
    if tag.re is _TAG and tag.group(1).lower() in ("sup", "sub"):
        marks.place = _place(line, at)
    if tag.re is _TAG and _BREAKING_TAGS.match(tag.group(1).lower()):
        builder.glue()
    return tag.end()


def _place(line: str, at: int) -> str:
    """Where the digits are set behind the tag at `at`: "sup", "sub", or "" in the line."""
    found = _OFF_LINE.match(line, at)
    if found is None or _ENDS_SENTENCE.search(found.group()):
        return ""
    said = _LINK.sub(r"\1", _TAG.sub("", found.group(2)))
    place = found.group(1).lower()
    return place if written(said, place) != said else ""
