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

UNASSESSED = 0  # stands for the answer itself, of which nothing was assessed; claims count from 1


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
    own_id: what that line itself calls the answer. known: the numbers of the claims that a baseline
    holds, and UNASSESSED; None where there is no baseline.
    question: what the answer is given to, where that is known.
    """

    name: str
    report: Report
    path: str
    line: int | None = None
    own_id: str = ""
    known: frozenset[int] | None = None
    question: str | None = None

    def region(self, claim: Claim) -> Region:
        """Where a claim stands in the file; the whole line where that holds JSON."""
        if self.line is not None:
            return Region(self.line, 1, self.line, 1)
        span = claim.span.shift(self._offsets.get(claim.id, 0))
        text = span.of(self.report.answer)
        start = span.start + len(text) - len(text.lstrip())
        return self._region(Span(start, max(start, span.start + len(text.rstrip()))))

    def is_known(self, number: int) -> bool:
        """Whether a claim, or UNASSESSED, is among the findings of a baseline."""
        return self.known is not None and number in self.known

    def fails(self, result: ClaimResult, fail_on: FailOn | None) -> bool:
        """Whether a claim fails the check; what is known from a baseline fails none."""
        return self.counts(result, fail_on) and not self.is_known(result.claim.id)

    def counts(self, result: ClaimResult, fail_on: FailOn | None) -> bool:
        """Whether a claim would fail the check without a baseline."""
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
