"""A Report and the file its answer came from -> where each claim stands, and whether it fails.

What every form for other tools shares: those point at a line and a column of a file.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

from halgo.report.failing import FailOn
from halgo.report.marks import offsets
from halgo.report.report import Report
from halgo.types import Claim, ClaimResult, Span, State, Verdict


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of a file; lines and columns count from 1, columns in characters."""

    start_line: int
    start_column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Unread:
    """An answer that could not be read or checked: what it is called, why, and its place.

    line: as that of Located.
    """

    name: str
    reason: str
    path: str
    line: int | None = None


@dataclass(frozen=True)
class Located:
    """A report, what its answer is called, and the file that holds it.

    line: the line of a file of JSON lines that holds the answer; None where the file is the answer.
    """

    name: str
    report: Report
    path: str
    line: int | None = None

    def region(self, claim: Claim) -> Region:
        """Where a claim stands in the file; the whole line where that holds JSON."""
        if self.line is not None:
            return Region(self.line, 1, self.line, 1)
        span = claim.span.shift(self._offsets.get(claim.id, 0))
        text = span.of(self.report.answer)
        start = span.start + len(text) - len(text.lstrip())
        return self._region(Span(start, max(start, span.start + len(text.rstrip()))))

    def fails(self, result: ClaimResult, fail_on: FailOn | None) -> bool:
        """Whether a claim fails the check."""
        if fail_on is None:
            return result.verdict is not Verdict.SUPPORTED
        return fail_on.fails(result.verdict)

    def passes(self, fail_on: FailOn | None) -> bool | None:
        """Whether the answer passes; None when nothing was assessed."""
        if self.report.state is not State.ASSESSED:
            return None
        return not any(self.fails(result, fail_on) for result in self.report)

    def _region(self, span: Span) -> Region:
        lines = self._lines
        first, last = bisect_right(lines, span.start), bisect_right(lines, span.end)
        return Region(
            first, span.start - lines[first - 1] + 1, last, span.end - lines[last - 1] + 1
        )

    @cached_property
    def _lines(self) -> list[int]:
        """Where each line of the answer begins."""
        answer = self.report.answer
        return [0, *(at + 1 for at, sign in enumerate(answer) if sign == "\n")]

    @cached_property
    def _offsets(self) -> dict[int, int]:
        return offsets(self.report)
