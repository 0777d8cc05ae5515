"""`halgo check --format`: which forms reports can be written in, and each of them as text."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from halgo.adapters.shell import require_writable
from halgo.bulk.answer_rows import sayable
from halgo.report.safe import one_line

if TYPE_CHECKING:
    from halgo.adapters.answers import Given
    from halgo.report.failing import FailOn
    from halgo.report.located import Located, Unread
    from halgo.report.report import Report

WIDEST = 110  # columns; longer lines are hard to read
SCHEMA = 1


Output = Annotated[Path | None, typer.Option("--output", "-o", help="File to write the report to.")]

Also = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=FILE", help="Another form to another file; may be repeated."),
]


class Format(StrEnum):
    """How a report is written."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    HTML = "html"
    JSONL = "jsonl"
    SARIF = "sarif"
    JUNIT = "junit"
    CSV = "csv"

    @property
    def of_several(self) -> bool:
        """Whether it lists answers, so that one is a list of one."""
        return self in (Format.JSONL, Format.SARIF, Format.JUNIT, Format.CSV)


def render(
    report: Report, output_format: Format, color: bool, known: frozenset[int] | None = None
) -> str:
    """The report of one answer in that form, as text that ends with a line break.

    known: the numbers of claims that a baseline has; None without one.
    """
    if output_format is Format.JSON:
        if known is None:
            return report.to_json() + "\n"
        return in_json({**report.to_dict(), "known": sorted(known)})
    if output_format is Format.MARKDOWN:
        from halgo.report.markdown import render as as_markdown

        return as_markdown(report, known=known)
    if output_format is Format.HTML:
        return report.to_html()
    from halgo.report.text import render as as_text

    width = max(20, min(shutil.get_terminal_size().columns, WIDEST))
    return as_text(report, color=color, width=width, known=known)


def render_all(
    reports: Sequence[Located],
    output_format: Format,
    color: bool,
    fail_on: FailOn | None,
    unread: Sequence[Given] = (),
) -> str:
    """The reports of several answers in that form, as text that ends with a line break.

    unread: answers that could not be read or checked.
    """
    failed = not_read(unread)
    if output_format is Format.JSONL:
        lines = [json_line(located, fail_on) for located in reports]
        return "".join([*lines, *(json_line(one, fail_on) for one in unread)])
    if output_format is Format.SARIF:
        from halgo.report.sarif import render as as_sarif

        return as_sarif(reports, failed)
    if output_format is Format.JUNIT:
        from halgo.report.junit import render as as_junit

        return as_junit(reports, fail_on, failed)
    if output_format is Format.CSV:
        from halgo.report.csv_rows import render as as_rows

        return as_rows([*reports, *failed])
    if output_format is Format.JSON:
        answers = [_values(located, fail_on) for located in reports]
        answers += map(_error, unread)
        return in_json({"schema": SCHEMA, "answers": answers})
    if output_format is Format.MARKDOWN:
        return _markdown(reports, fail_on, unread)
    if output_format is Format.HTML:
        from halgo.report.page.several import page

        return page([*reports, *failed], fail_on)
    shared, reports = _told_once(reports)
    parts = ["".join(f"! {one_line(warning)}\n" for warning in shared)] if shared else []
    parts += [
        f"=== {one_line(one.name)} ===\n\n{render(one.report, output_format, color, one.known)}"
        for one in reports
    ]
    return "\n".join([*parts, f"{overview(reports, fail_on, unread)}\n"])


def in_json(values: dict[str, Any]) -> str:
    """Values as JSON in ASCII, of several lines."""
    return json.dumps(values, indent=2, allow_nan=False) + "\n"


def _told_once(reports: Sequence[Located]) -> tuple[list[str], Sequence[Located]]:
    """The warnings that all reports share, of the documents, and the reports without them."""
    if len(reports) < 2:
        return [], reports
    rest = [set(one.report.warnings) for one in reports[1:]]
    shared = [said for said in reports[0].report.warnings if all(said in some for some in rest)]
    return shared, [
        replace(
            one,
            report=replace(
                one.report, warnings=tuple(w for w in one.report.warnings if w not in shared)
            ),
        )
        for one in reports
    ]


def also_of(given: Sequence[str], forms: Iterable[StrEnum] = Format) -> list[tuple[Format, Path]]:
    """The forms and files of `--also NAME=FILE`. Raises BadParameter for what is none.

    forms: those that a command can write.
    """
    found = []
    names = [form.value for form in forms]
    for text in given:
        name, _, path = text.partition("=")
        if name not in names:
            listed = ", ".join(repr(known) for known in names)
            raise typer.BadParameter(f"{name!r} is not one of {listed}.", param_hint="--also")
        if not path:
            raise typer.BadParameter(f"needs a file: {name}=FILE", param_hint="--also")
        require_writable(Path(path), "--also")
        found.append((Format(name), Path(path)))
    return found


def json_line(found: Located | Given, fail_on: FailOn | None) -> str:
    """One answer's report as a line of JSON, in ASCII; of one without a report, the error."""
    from halgo.report.located import Located

    values = _values(found, fail_on) if isinstance(found, Located) else _error(found)
    return json.dumps(values, allow_nan=False) + "\n"


def overview(
    reports: Sequence[Located], fail_on: FailOn | None, unread: Sequence[Given] = ()
) -> str:
    """How many answers passed: "3 answers: 1 passed, 1 failed, 1 not assessed"."""
    outcomes = [_outcome(located, fail_on) for located in reports]
    outcomes += ["not read"] * len(unread)
    parts = [
        f"{outcomes.count(name)} {name}"
        for name in ("passed", "failed", "not assessed", "not read")
        if name in outcomes
    ]
    count = f"{len(outcomes)} answer{'' if len(outcomes) == 1 else 's'}"
    return f"{count}: {', '.join(parts)}" if parts else count


def _outcome(located: Located, fail_on: FailOn | None) -> str:
    passes = located.passes(fail_on)
    return "not assessed" if passes is None else "passed" if passes else "failed"


def _values(located: Located, fail_on: FailOn | None) -> dict[str, Any]:
    return {
        "answer": sayable(located.name),
        "path": sayable(located.path),
        "line": located.line,
        "passes": located.passes(fail_on),
        **({} if located.known is None else {"known": sorted(located.known)}),
        "report": located.report.to_dict(),
    }


def not_read(unread: Sequence[Given]) -> list[Unread]:
    """The name of each answer that could not be read, why, and its place."""
    from halgo.report.located import Unread

    return [Unread(one.name, one.error or "", one.path, one.line) for one in unread]


def _error(unread: Given) -> dict[str, Any]:
    error = None if unread.error is None else sayable(unread.error)
    names = {"answer": sayable(unread.name), "path": sayable(unread.path)}
    return {**names, "line": unread.line, "error": error}


def _markdown(reports: Sequence[Located], fail_on: FailOn | None, unread: Sequence[Given]) -> str:
    from halgo.report.markdown import escape
    from halgo.report.markdown import render as as_markdown
    from halgo.report.marks import summary

    lines = [
        f"# {overview(reports, fail_on, unread)}",
        "",
        "| answer | outcome | claims |",
        "|---|---|---|",
    ]
    rows = [(one.name, _outcome(one, fail_on), summary(one.report)) for one in reports]
    rows += [(one.name, "not read", one.error or "") for one in unread]
    for cells in rows:
        lines.append(f"| {' | '.join(escape(one_line(cell)) for cell in cells)} |")
    details = [
        as_markdown(located.report, located.name, known=located.known)
        for located in reports
        if located.known or not located.passes(fail_on)
    ]
    return "\n".join(["\n".join(lines) + "\n", *details])


def shows_colors() -> bool:
    """Whether stdout is a terminal that shows colours and its user wants them (no-color.org)."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty()
