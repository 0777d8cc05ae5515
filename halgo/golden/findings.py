"""Labelled rows and what a check said of them -> JUnit XML and SARIF: a test, or a finding, a row.

A row fails where the verdict does not fit its label, or is none of those that the row names. One in
which nothing was assessed is skipped, as it is left out of the figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from halgo.golden.evaluate import Outcome, Run, worst_of
from halgo.golden.rows import Label, Row
from halgo.report import junit, sarif
from halgo.report.junit import Case, Suite
from halgo.report.marks import summary, why
from halgo.report.report import Report
from halgo.report.safe import one_line

WRONG, WRONG_VERDICT = "wrong", "wrong-verdict"
_RULES: sarif.Rules = {
    WRONG: ("error", "The verdict does not fit the label of the row."),
    WRONG_VERDICT: ("warning", "The verdict is none of those that the row names."),
    sarif.NOT_ASSESSED: ("note", "Nothing of the row was checked."),
}


def as_junit(
    golden: str, rows: Sequence[Row], checked: Sequence[Report], run: Run, failed: Sequence[str]
) -> str:
    """The XML: one suite with a test a row. golden: the rows' file; failed: why the run fails."""
    cases = [
        _case(golden, row, report, outcome)
        for row, report, outcome in zip(rows, checked, run.outcomes, strict=True)
    ]
    return junit.written([Suite(golden, cases, failed)])


def as_sarif(
    golden: str, rows: Sequence[Row], checked: Sequence[Report], run: Run, failed: Sequence[str]
) -> str:
    """The same as SARIF, with a finding for each row that fails or was not assessed."""
    every = zip(rows, checked, run.outcomes, strict=True)
    return sarif.written(
        [
            _finding(golden, row, report, outcome, rule)
            for row, report, outcome in every
            if (rule := _rule(outcome))
        ],
        _RULES,
        [sarif.notice("error", reason) for reason in failed],
        versions={report.engine.halgo for report in checked},
    )


def _rule(outcome: Outcome) -> str:
    """What is to be said of a row; "" where all is as it should be."""
    if outcome.wrong:
        return WRONG
    if not outcome.as_expected:
        return WRONG_VERDICT
    left_out = outcome.verdict is None and outcome.label is not Label.REFUSAL
    return sarif.NOT_ASSESSED if left_out else ""


def _case(golden: str, row: Row, report: Report, outcome: Outcome) -> Case:
    rule = _rule(outcome)
    if rule == sarif.NOT_ASSESSED:
        return Case(golden, row.id, golden, row.line, "skipped", message=summary(report))
    if not rule:
        return Case(golden, row.id, golden, row.line)
    worst = worst_of(report)
    told = junit.told(f"{golden}:{row.line}", worst) if worst is not None else ""
    return Case(golden, row.id, golden, row.line, "failure", outcome.said, _told(outcome), told)


def _finding(golden: str, row: Row, report: Report, outcome: Outcome, rule: str) -> dict[str, Any]:
    worst = worst_of(report)
    said = summary(report) if rule == sarif.NOT_ASSESSED else f"{_told(outcome)}."
    about = [f"{row.id}: {said}"]
    if worst is not None:
        about += [why(worst), f"Claim: {one_line(worst.claim.text)}"]
    # A row without an id of its own is called by its line, which moves.
    key = f"{row.id if row.named else row.key}\0{rule}"
    text, place = " ".join(filter(None, about)), {"startLine": row.line}
    made = sarif.finding(_RULES, rule, _RULES[rule][0], text, golden, place, key)
    if worst is not None:
        made.update(sarif.resting(worst, Path(golden).parent))
    return made


def _told(outcome: Outcome) -> str:
    """What was to be found and what was: "labelled contradicted, found SUPPORTED (0.80)"."""
    parts = [f"labelled {outcome.label}"]
    if not outcome.as_expected:
        parts.append(f"expected {' or '.join(outcome.expected)}")
    return ", ".join([*parts, f"found {outcome.found}"])
