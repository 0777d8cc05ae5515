"""`halgo check` of several answers: each checked as it comes -> one result of all, and a code."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from halgo.adapters import audit_command, page_option
from halgo.adapters.answers import STDIN
from halgo.adapters.report_formats import Format, json_line, not_read, overview, render_all
from halgo.adapters.shell import (
    GROUNDED,
    NOT_ASSESSED,
    UNGROUNDED,
    USAGE,
    progress,
    tell,
    write,
    write_file,
    write_json,
)
from halgo.errors import DocumentError
from halgo.printable import printable

if TYPE_CHECKING:
    from halgo.adapters.answers import Given
    from halgo.checker import Checker
    from halgo.halgorithm import Halgorithm
    from halgo.report.failing import FailOn
    from halgo.report.located import Located
    from halgo.report.report import Report

_NAMED = 5  # answers named in one message
_LEFT_OUT = 20  # files of which it is told that they are no answers


def checked(
    given: Iterable[Given],
    checker: Checker | None,
    halgorithm: Halgorithm,
    audit: Path | None,
) -> Iterator[Located | Given]:
    """The report of each answer as it comes; an answer that cannot be checked comes as it is.

    Raises DocumentError for one that could be read and is no line of several.
    """
    paths = paths_of(checker)
    for one in given:
        try:
            mine = _own(one, checker, halgorithm)
            require_other(one, paths)
            with progress(f"Checking {printable(one.name)}"):
                report, latency_ms = report_on(one, mine)
        except DocumentError as error:
            if one.error is None and one.line is None:
                raise
            yield replace(one, error=str(error))
            continue
        audit_command.log(audit, report, None, latency_ms)
        yield located(one, report)


def _own(given: Given, checker: Checker | None, halgorithm: Halgorithm) -> Checker:
    """The Checker of the documents that an answer brings, else that of all."""
    if given.error is not None:
        raise DocumentError(given.error, given.path)
    if given.documents is not None:
        try:
            return halgorithm.checker(given.documents)
        except (TypeError, ValueError) as error:
            raise DocumentError(
                f"{printable(given.name)}: documents: {error}", given.path
            ) from error
    if checker is None:
        raise DocumentError(
            f"{printable(given.name)}: there are no documents to check it against; "
            'give --docs, --index, or "documents" in its line',
            given.path,
        )
    return checker


def paths_of(checker: Checker | None) -> frozenset[str]:
    """The files that are the documents."""
    documents = checker.index.documents if checker is not None else ()
    return frozenset(os.path.realpath(document.source) for document in documents)


def require_other(given: Given, paths: frozenset[str]) -> None:
    """Refuses an answer that is among the documents: it would bear itself out."""
    if given.path == STDIN or given.documents is not None:
        return
    if os.path.realpath(given.path) in paths:
        raise DocumentError(
            f"{printable(given.path)} is among the documents, so it would be checked against "
            "itself; keep answers in a folder of their own",
            given.path,
        )


def report_on(given: Given, checker: Checker) -> tuple[Report, float]:
    """The report on an answer, and how many milliseconds it took."""
    started = perf_counter()
    report = checker.check(given.text, given.question)
    latency_ms = (perf_counter() - started) * 1000
    return replace(report, warnings=(*report.warnings, *given.warnings)), latency_ms


def located(given: Given, report: Report) -> Located:
    """The report with the place its answer came from."""
    from halgo.report.located import Located

    return Located(
        given.name, report, given.path, given.line, given.own_id, question=given.question
    )


def write_all(
    checks: Iterable[Located | Given],
    form: Format,
    fail_on: FailOn | None,
    output: Path | None,
    colored: bool,
    also: Sequence[tuple[Format, Path]],
    assets: page_option.Assets = page_option.Assets.INLINE,
    fail_on_warnings: bool = False,
) -> int:
    """Writes the reports, JSON lines as each is there; returns the exit code."""
    from halgo.report.located import Located

    reports: list[Located] = []
    unread: list[Given] = []
    lines: list[str] = []
    for one in checks:
        if isinstance(one, Located):
            reports.append(one)
        else:
            unread.append(one)
            tell(f"halgo: {one.error}")
        if form is Format.JSONL:
            lines.append(json_line(one, fail_on))
            if output is None:
                write_json(lines.pop().removesuffix("\n"))
    if form is Format.HTML:
        page_option.write_several([*reports, *not_read(unread)], fail_on, output, assets)
    elif form is not Format.JSONL:
        write_report(render_all(reports, form, colored, fail_on, unread), form, output)
    elif output is not None:
        write_file(output, "".join(lines))
    write_also(reports, also, fail_on, unread)
    if form not in (Format.TEXT, Format.MARKDOWN) or output is not None:
        tell(f"halgo: {overview(reports, fail_on, unread)}")
    _tell_unassessed(reports)
    if unread or (fail_on_warnings and warned(reports)):
        return USAGE
    return exit_code(reports, fail_on)


def tell_left_out(said: Sequence[str]) -> None:
    """Says which files of folders are no answers, so that none is missed without a word."""
    for one in said[:_LEFT_OUT]:
        tell(f"warning: {one}")
    if len(said) > _LEFT_OUT:
        tell(f"warning: {len(said) - _LEFT_OUT:,} more files were left out in such ways")


def tell_warnings(said: Sequence[str]) -> None:
    """Says in a line what is wrong with the documents, whatever form the report has.

    Verdicts rest on what was read: few servers show what a form for them holds of this.
    """
    if said:
        more = f" (and {len(said) - 1:,} more, in the report)" if len(said) > 1 else ""
        tell(f"warning: {said[0]}{more}")


def warned(reports: Sequence[Located]) -> bool:
    """Whether a report has a warning; says so, since it decides on the exit code."""
    said = list(dict.fromkeys(warning for one in reports for warning in one.report.warnings))
    if said:
        count = "a warning" if len(said) == 1 else f"{len(said):,} warnings, first"
        tell(f"halgo: --fail-on-warnings: {count}: {said[0]}")
    return bool(said)


def _tell_unassessed(reports: Sequence[Located]) -> None:
    names = [one.name for one in reports if one.passes(None) is None]
    if names:
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        shown = ", ".join(printable(name) for name in names[:_NAMED])
        tell(f"halgo: nothing was assessed of {shown}{more}")


def write_also(
    reports: Sequence[Located],
    also: Sequence[tuple[Format, Path]],
    fail_on: FailOn | None,
    unread: Sequence[Given] = (),
) -> None:
    """The same reports in further forms, each to its file."""
    for form, path in also:
        write_file(path, render_all(reports, form, False, fail_on, unread))


def write_report(rendered: str, form: Format, output: Path | None) -> None:
    """A rendered report to the file, or to stdout."""
    if output is not None:
        write_file(output, rendered)
    elif form in (Format.JSON, Format.SARIF):
        write_json(rendered.removesuffix("\n"))
    else:
        write(rendered, made=True)


def exit_code(reports: Sequence[Located], fail_on: FailOn | None) -> int:
    """1 when an answer fails; 4 when one was not assessed: with `fail_on`, when none was.

    That nothing was assessed of an answer counts no more once a baseline has it.
    """
    from halgo.report.located import UNASSESSED

    outcomes = [one.is_known(UNASSESSED) or one.passes(fail_on) for one in reports]
    if False in outcomes:
        return UNGROUNDED
    if (None in outcomes and fail_on is None) or True not in outcomes:
        return NOT_ASSESSED
    return GROUNDED
