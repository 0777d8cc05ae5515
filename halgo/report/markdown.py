"""A Report -> Markdown: the summary, a table of the claims, then what is wrong in detail."""

from __future__ import annotations

import re
from collections.abc import Iterable

from halgo.report.marks import (
    Mark,
    Run,
    answer_runs,
    claim_runs,
    missing,
    offsets,
    own_claims,
    passage,
    passages,
    shortened,
    status,
    summary,
    why,
)
from halgo.report.report import Report
from halgo.report.safe import one_line
from halgo.types import BAD, ClaimResult

_SIGNS = {Mark.WEAK: "*"}
_LONGEST_CELL = 200
_LONGEST_CLAIM = 600
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+!|~$^=:@-])")
# In running text these mean nothing; escaping them would only make the source hard to read.
_OPENER = re.compile(r"\\[-+*#|]|\d{1,9}\\|&gt;")
_HARMLESS = frozenset("()-+:=!#^{}")


def render(
    report: Report, title: str = "Check of an answer", known: frozenset[int] | None = None
) -> str:
    """The report as Markdown that ends with a line break; text of users means nothing in it.

    known: claims to be marked as known, by number.
    """
    blocks = [f"# {escape(one_line(title))}", f"**{escape(summary(report))}**"]
    if report.answer.strip():
        blocks += ["## Answer", _answer(report)]
    if report.results:
        blocks += ["## Claims", _table(report, known)]
        starts = offsets(report)
        details = [
            _details(report, result, starts[result.claim.id], _known(result, known))
            for result in report.results
            if result.verdict in BAD
        ]
        if details:
            blocks += ["## What is wrong", *details]
    if report.skipped:
        lines = [
            f"- {claim.id}, {claim.kind.value}: {_inline(shortened([Run(one_line(claim.text))], _LONGEST_CLAIM))}"  # noqa: E501
            for claim in report.skipped
        ]
        blocks += ["## Not checked", "\n".join(lines)]
    if report.warnings:
        blocks += [
            "## Warnings",
            "\n".join(f"- {escape(one_line(warning))}" for warning in report.warnings),
        ]
    return "\n\n".join(blocks) + "\n"


def escape(text: str) -> str:
    """One line of text in which no character means anything to Markdown or HTML."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

    def guarded(match: re.Match[str]) -> str:
        sign = match.group()
        return sign if sign in _HARMLESS else "\\" + sign

    text = _SPECIAL.sub(guarded, text)
    # At the start of a line these open a heading, a list, a rule or a heading's underline.
    text = re.sub(r"^(\s*)([#+=-]|\d{1,9}(?=[.)]))", _opened, text)
    return re.sub(r"(?i)\b(https?|ftp|www|mailto)(?=[:.])", r"\1\\", text)


def _opened(match: re.Match[str]) -> str:
    space, sign = match.groups()
    return f"{space}\\{sign}" if not sign.isdigit() else f"{space}{sign}\\"


def _answer(report: Report) -> str:
    """The answer as a quotation, bad parts bold, weak ones in italics, each with its number."""
    lines: list[str] = [""]
    for run in answer_runs(report):
        parts = run.text.split("\n")
        for n, part in enumerate(parts):
            if n:
                lines.append("")
            if not part.strip():
                lines[-1] += part
                continue
            last = n == len(parts) - 1
            signs = _SIGNS.get(run.mark, "**")
            lines[-1] += _set_off(part, signs) if run.mark else _escaped(part, not lines[-1])
            if last and run.claim is not None:
                lines[-1] += f" \\[{run.claim}\\]"
    kept = [line.strip() for line in _trimmed(lines)]
    breaks = own_claims(report)
    quoted = []
    for line, following in zip(kept, [*kept[1:], ""], strict=False):
        # A line that opens an item or a heading would run into the one before it.
        hard = line and following and (breaks or _OPENER.match(following) or _OPENER.match(line))
        quoted.append(f"> {line}{chr(92) if hard else ''}".rstrip())
    return "\n".join(quoted)


def _trimmed(lines: list[str]) -> list[str]:
    kept = [n for n, line in enumerate(lines) if line.strip()]
    return lines[kept[0] : kept[-1] + 1] if kept else []


def _escaped(text: str, opens: bool) -> str:
    """Escaped text; what only means something at the start of a line is guarded there alone."""
    if opens:
        return escape(text)
    return escape("x" + text)[1:]


def _set_off(text: str, signs: str = "**") -> str:
    """Bold text, or other between such signs; they have to touch the words."""
    inner = text.strip()
    lead, tail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{lead}{signs}{_escaped(inner, False)}{signs}{tail}" if inner else text


def _inline(runs: Iterable[Run]) -> str:
    parts: list[str] = []
    for run in runs:
        parts.append(_set_off(run.text) if run.mark else _escaped(run.text, not parts))
    return "".join(parts)


def _known(result: ClaimResult, known: frozenset[int] | None) -> str:
    return ", known" if known and result.claim.id in known else ""


def _table(report: Report, known: frozenset[int] | None) -> str:
    starts = offsets(report)
    lines = ["| # | verdict | score | claim | why | source |", "|---|---|---|---|---|---|"]
    for result in report.results:
        found = passage(result)
        cells = (
            str(result.claim.id),
            escape(status(result)) + _known(result, known),
            f"{result.score:.2f}",
            _inline(shortened(claim_runs(report, result, starts[result.claim.id]), _LONGEST_CELL)),
            escape(why(result)),
            escape(found.origin) if found is not None else "",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _details(report: Report, result: ClaimResult, start: int, known: str) -> str:
    lines = [
        f"### {result.claim.id}. {escape(status(result))}{known}",
        _inline(shortened(claim_runs(report, result, start), _LONGEST_CLAIM)),
    ]
    reason = why(result)
    if reason:
        lines.append(escape(reason))
    terms = missing(result)
    if terms:
        lines.append(f"In no source: {', '.join(map(escape, terms))}")
    for found in passages(result):
        lines.append(f"> {_inline(found.runs)}\n>\n> {escape(found.origin)}")
    return "\n\n".join(lines)
