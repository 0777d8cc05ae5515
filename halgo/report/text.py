"""A Report -> text for a terminal: the summary, the answer with its bad parts marked, each claim.

In colour, bad parts are red (contradicted) or yellow (not found), those of weak support cyan.
Plain, bad parts stand in double brackets with the number of the claim, "[[The fee is 5%.]]{1}",
those of weak support in round ones, "((The fee is due.)){2}".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from halgo.report.marks import (
    Mark,
    Run,
    answer_runs,
    claim_runs,
    missing,
    offsets,
    own_claims,
    passages,
    shortened,
    status,
    summary,
    why,
)
from halgo.report.report import Report
from halgo.report.safe import one_line
from halgo.types import ClaimResult, Verdict

_RESET = "\x1b[0m"
_BOLD, _DIM = "\x1b[1m", "\x1b[2m"
_RED, _YELLOW, _GREEN, _CYAN = "\x1b[31m", "\x1b[33m", "\x1b[32m", "\x1b[36m"
_STYLES = {
    Mark.CONTRADICTED: _RED,
    Mark.NOT_FOUND: _YELLOW,
    Mark.WEAK: _CYAN,
    Mark.WORDS: _BOLD + "\x1b[4m",
}
_VERDICTS = {
    Verdict.SUPPORTED: _GREEN,
    Verdict.WEAK_SUPPORT: _CYAN,
    Verdict.CONTRADICTION: _RED,
    Verdict.HALLUCINATION: _YELLOW,
}
_LEAST_WIDTH = 20
_LONGEST_CLAIM = 600
# A line at least this long was broken by its writer only to fit a page.
_WRAPPED = 60
_OPENS = re.compile(r"\s*(?:[-*+•#>|]|\d{1,9}[.)]\s|```)|\s{4}")
_ALONE = re.compile(r"\s*(?:#|\||```)")

# A piece of a line: its text, and the style it is shown in.
_Piece = tuple[str, str]


def render(
    report: Report, *, color: bool, width: int = 100, known: frozenset[int] | None = None
) -> str:
    """The report as text that ends with a line break; no line is wider than `width` columns.

    color: whether to use ANSI styles. known: claims to be marked as known, by number.
    Raises ValueError for a width below 20.
    """
    if width < _LEAST_WIDTH:
        raise ValueError(f"width must be {_LEAST_WIDTH} or more, not {width!r}")
    page = _Page(color, width)
    page.add([(summary(report), _BOLD)])
    if report.answer.strip():
        page.heading("Answer")
        lines = _lines(answer_runs(report))
        for line in lines if own_claims(report) else _reflowed(lines):
            page.add(page.pieces(line), 2)
    if report.results:
        page.heading("Claims")
        starts = offsets(report)
        for n, result in enumerate(report.results):
            if n:
                page.blank()
            told = ", known" if known and result.claim.id in known else ""
            _claim(page, report, result, starts[result.claim.id], told)
    if report.skipped:
        page.heading("Not checked")
        for claim in report.skipped:
            said = shortened([Run(one_line(claim.text))], _LONGEST_CLAIM)
            page.add([(f"{claim.id}. {claim.kind.value}: ", _DIM), *page.pieces(said)], 2, 5)
    if report.warnings:
        page.heading("Warnings")
        for warning in report.warnings:
            page.add([("! " + one_line(warning), _YELLOW)], 2, 4)
    return page.text()


def _claim(page: _Page, report: Report, result: ClaimResult, start: int, told: str) -> None:
    page.add(
        [
            (f"{result.claim.id}. ", ""),
            (status(result), _BOLD + _VERDICTS[result.verdict]),
            (f" {result.score:.2f}{told}", _DIM),
        ],
        2,
    )
    page.add(page.pieces(shortened(claim_runs(report, result, start), _LONGEST_CLAIM)), 5)
    reason = why(result)
    if reason:
        page.add([("why: ", _DIM), (reason, "")], 5, 10)
    terms = missing(result)
    if terms:
        page.add([("in no source: ", _DIM), (", ".join(terms), "")], 5, 10)
    for found in passages(result):
        page.add([(f"{found.origin}: ", _DIM), *page.pieces(found.runs)], 5, 10)


def _lines(runs: Iterable[Run]) -> list[list[Run]]:
    """The runs cut at line breaks, empty lines at either end left out."""
    lines: list[list[Run]] = [[]]
    for run in runs:
        first, *others = run.text.split("\n")
        # The number of a claim belongs behind its last line.
        last = len(others)
        for n, part in enumerate((first, *others)):
            if n:
                lines.append([])
            if part:
                lines[-1].append(Run(part, run.mark, run.claim if n == last else None))
    while lines and not any(run.text.strip() for run in lines[-1]):
        lines.pop()
    while lines and not any(run.text.strip() for run in lines[0]):
        lines.pop(0)
    return lines


def _reflowed(lines: list[list[Run]]) -> list[list[Run]]:
    """Lines that were broken only because they were long, as one line again."""
    joined: list[list[Run]] = []
    length = 0
    for line in lines:
        text = "".join(run.text for run in line)
        if joined and length >= _WRAPPED and text.strip() and not _OPENS.match(text):
            last = joined[-1][-1]
            first, *others = line
            if last.claim is None and last.mark is first.mark:
                joined[-1][-1] = Run(f"{last.text} {first.text}", last.mark, first.claim)
            else:
                joined[-1] += (Run(" "), first)
            joined[-1] += others
        else:
            joined.append(list(line))
        length = 0 if _ALONE.match(text) else len(text)
    return joined


class _Page:
    """Lines of text as they are filled, each no wider than the page."""

    def __init__(self, color: bool, width: int) -> None:
        self.color = color
        self.width = width
        self.lines: list[str] = []

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    def blank(self) -> None:
        self.lines.append("")

    def heading(self, title: str) -> None:
        self.blank()
        self.add([(title, _BOLD)])

    def pieces(self, runs: Iterable[Run]) -> list[_Piece]:
        """Runs as pieces: in colour by style, plain by brackets."""
        pieces: list[_Piece] = []
        for run in runs:
            if not run.mark:
                pieces.append((run.text, ""))
            elif self.color:
                pieces.append((run.text, _STYLES[run.mark]))
            elif run.mark is Mark.WORDS:
                pieces.append((f"[{run.text}]", ""))
            elif run.mark is Mark.WEAK:
                pieces.append((f"(({run.text}))", ""))
            else:
                pieces.append((f"[[{run.text}]]", ""))
            if run.claim is not None:
                pieces.append((f"{{{run.claim}}}", _DIM))
        return pieces

    def add(self, pieces: Sequence[_Piece], indent: int = 0, hanging: int | None = None) -> None:
        """A paragraph: `indent` columns in, its further lines `hanging` columns in."""
        further = indent if hanging is None else hanging
        line: list[_Piece] = []
        used = indent
        margin = indent
        for word in _words(pieces):
            size = sum(_columns(text) for text, _ in word)
            gap = 1 if line else 0
            if line and used + gap + size > self.width:
                self._put(margin, line)
                line, used, margin, gap = [], further, further, 0
            if gap:
                line.append((" ", word[0][1] if word[0][1] == line[-1][1] else ""))
                used += 1
            for text, style in word:
                for part in _cut(text, self.width - used, self.width - further):
                    if line and used + _columns(part) > self.width:
                        self._put(margin, line)
                        line, used, margin = [], further, further
                    line.append((part, style))
                    used += _columns(part)
        self._put(margin, line)

    def _put(self, margin: int, line: Sequence[_Piece]) -> None:
        shown = []
        at = 0
        while at < len(line):
            style = line[at][1]
            text = ""
            while at < len(line) and line[at][1] == style:
                text += line[at][0]
                at += 1
            shown.append(f"{style}{text}{_RESET}" if style and self.color else text)
        self.lines.append((" " * margin + "".join(shown)).rstrip())


def _words(pieces: Iterable[_Piece]) -> list[list[_Piece]]:
    """The words of pieces; a word is several pieces where styles meet inside it."""
    words: list[list[_Piece]] = []
    joined = False
    for text, style in pieces:
        if text[:1].isspace():
            joined = False
        for n, word in enumerate(text.split()):
            if n == 0 and joined:
                words[-1].append((word, style))
            else:
                words.append([(word, style)])
        joined = (bool(text.split()) and not text[-1:].isspace()) or (joined and not text)
    return words


def _columns(text: str) -> int:
    """How many columns of a terminal a text takes: wide characters two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(map(_column, text))


def _column(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _cut(text: str, first: int, further: int) -> list[str]:
    """A word in parts that fit the page, when it is wider than a whole line."""
    if _columns(text) <= max(first, further):
        return [text]
    parts: list[str] = []
    part: list[str] = []
    used, room = 0, first if first > 0 else further
    for character in text:
        size = _column(character)
        if part and used + size > room:
            parts.append("".join(part))
            part, used, room = [], 0, further
        part.append(character)
        used += size
    return [*parts, "".join(part)]
