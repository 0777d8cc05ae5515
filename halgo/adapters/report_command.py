"""`halgo report`: what a batch has written -> a page for a browser, a table for a spreadsheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from halgo.adapters import outputs, page_option
from halgo.adapters.report_formats import Format, also_of
from halgo.adapters.shell import (
    progress,
    require_stdout,
    require_writable,
    tell,
    write,
    write_pieces,
)

if TYPE_CHECKING:
    from halgo.bulk.finished import Finished
    from halgo.report.located import Located, Unread

# By this mark Excel knows that a file is UTF-8; else it reads "£" as two other signs.
_MARK = "\ufeff"
_MOST_LINES = 1_048_576  # of a sheet, in Excel and in LibreOffice
_OUTCOMES = {True: "passed", False: "failed", None: "not assessed"}


class Form(StrEnum):
    """How a batch is shown."""

    HTML = "html"
    CSV = "csv"


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(report)


def report(
    verdicts: Annotated[
        list[str],
        typer.Argument(
            metavar="VERDICTS...", help='The folder that "halgo batch" wrote, or files of its rows.'
        ),
    ],
    output_format: Annotated[
        Form, typer.Option("--format", "-f", help="How it is written.")
    ] = Form.HTML,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write it to.")
    ] = None,
    also: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=FILE", help="The other form to another file: csv=claims.csv."),
    ] = None,
    ids: Annotated[
        list[str] | None, typer.Option("--id", help="This answer alone; may be repeated.")
    ] = None,
    assets: Annotated[
        page_option.Assets, typer.Option(help="HTML: style and script inside, or beside the page.")
    ] = page_option.Assets.INLINE,
) -> None:
    """Make a page or a table of a batch; nothing is checked again.

    Exit code 0: it is written; 2: wrong usage, or files that are no verdicts of a batch.
    """
    from halgo.bulk.finished import finished

    others = also_of(also or (), map(Format, Form))
    outputs.require_apart(
        [
            *(("--output", path) for path in page_option.places(assets, output)),
            *(("--also", path) for _, path in others),
        ],
        [(outputs.A_VERDICT, name) for name in verdicts],
    )
    require_writable(output)
    if output is None:
        require_stdout("name a file with -o")
    page_option.require_place(assets, output)
    found = finished(verdicts)
    notes = _notes(found)
    for note in notes:
        tell(f"warning: {note}")
    outcomes: Counter[str] = Counter()
    for form, path in [(Format(output_format), output), *others]:
        outcomes.clear()
        with progress(f"Writing the {'page' if form is Format.HTML else 'table'}"):
            answers = _counted(found, ids or (), outcomes)
            if form is Format.CSV:
                _write_table(answers, path)
            else:
                split = assets if path is output else page_option.Assets.INLINE
                page_option.write_several(
                    answers, None, path, split, notes=notes, elsewhere=_ELSEWHERE
                )
    told = ", ".join(f"{count:,} {name}" for name, count in outcomes.items())
    total = outcomes.total()
    tell(f"halgo: {total:,} answer{'' if total == 1 else 's'}: {told}")


_ELSEWHERE = (
    "halgo report --format csv has the claims of all, and --id ID makes a page of those named."
)


def _notes(found: Finished) -> list[str]:
    """What a reader has to know of all of it."""
    if not found.missing:
        return []
    are = "answer of the batch is" if found.missing == 1 else "answers of the batch are"
    return [f"{found.missing:,} {are} not checked yet; run halgo batch again to go on"]


def _counted(
    found: Finished, ids: Sequence[str], outcomes: Counter[str]
) -> Iterator[Located | Unread]:
    """The answers, counted by what came of them."""
    from halgo.report.located import Unread

    for one in found.answers(ids):
        outcomes["not read" if isinstance(one, Unread) else _OUTCOMES[one.passes(None)]] += 1
        yield one


def _write_table(answers: Iterator[Located | Unread], path: Path | None) -> None:
    from halgo.report.csv_rows import lines

    if path is None:
        for piece in lines(answers):
            write(piece, made=True)
        return
    count = 0

    def pieces() -> Iterator[str]:
        nonlocal count
        yield _MARK
        for piece in lines(answers):
            count += piece.count("\r\n")
            yield piece

    write_pieces(path, pieces())
    if count > _MOST_LINES:
        tell(
            f"warning: {path} has {count:,} lines, of which a spreadsheet shows the first "
            f"{_MOST_LINES:,}; halgo batch --format parquet --claims is made for more"
        )
