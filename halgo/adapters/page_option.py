"""`halgo check --format html`: a report as a page, in one file or three (docs/report-page.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from halgo.adapters.shell import require_writable, write, write_file

if TYPE_CHECKING:
    from halgo.checker import Checker
    from halgo.delivery.gate import Decision
    from halgo.report.failing import FailOn
    from halgo.report.located import Located, Unread
    from halgo.report.report import Report


class Assets(StrEnum):
    """Where a page's style sheet and script stand."""

    INLINE = "inline"
    SPLIT = "split"


def require_place(assets: Assets, output: Path | None) -> None:
    """Refuses three files that have no place, or one that cannot be written."""
    if assets is Assets.INLINE:
        return
    if output is None:
        raise typer.BadParameter("needs --output: three files are written", param_hint="--assets")
    for path in places(assets, output):
        require_writable(path)


def places(assets: Assets, output: Path | None) -> list[Path]:
    """The files that are written for that output."""
    if output is None:
        return []
    endings = () if assets is Assets.INLINE else (".css", ".js")
    return [output, *(output.with_suffix(ending) for ending in endings)]


def write_page(
    report: Report,
    checker: Checker,
    decision: Decision | None,
    output: Path | None,
    assets: Assets = Assets.INLINE,
) -> None:
    """The page to `output`, with style sheet and script beside it when they are apart.

    decision: what may be sent; without one, the answer without what is not supported.
    """
    from halgo.delivery.citations import check_citations, read_citations
    from halgo.delivery.gate import STRIP_UNSUPPORTED, apply
    from halgo.delivery.shelf import names_of
    from halgo.report.page import render

    documents = checker.index.documents
    sent = decision or apply(report, STRIP_UNSUPPORTED)
    names = [name for document in documents for name in names_of(document)]
    cited = read_citations(report.answer, names)
    citations = check_citations(report, checker).to_dict() if cited else None
    if output is None:
        write(render.page(report, documents, sent.to_dict(), citations), made=True)
    elif assets is Assets.INLINE:
        write_file(output, render.page(report, documents, sent.to_dict(), citations))
    else:
        _write(output, render.split(report, output.stem, documents, sent.to_dict(), citations))


def write_several(
    found: Iterable[Located | Unread],
    fail_on: FailOn | None,
    output: Path | None,
    assets: Assets,
    *,
    notes: Sequence[str] = (),
    elsewhere: str | None = None,
) -> None:
    """The page of several answers to `output`, style sheet and script beside it when apart."""
    from halgo.report.page import several

    if output is not None and assets is Assets.SPLIT:
        name = output.stem
        _write(output, several.split(found, name, fail_on, notes=notes, elsewhere=elsewhere))
        return
    made = several.page(found, fail_on, notes=notes, elsewhere=elsewhere)
    if output is None:
        write(made, made=True)
    else:
        write_file(output, made)


def _write(output: Path, made: Mapping[str, str]) -> None:
    for name, content in made.items():
        ending = Path(name).suffix
        write_file(output if ending == ".html" else output.with_suffix(ending), content)
