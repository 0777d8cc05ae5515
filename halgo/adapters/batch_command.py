"""`halgo batch`: a file of many answers -> a folder of verdicts; it goes on after a kill."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from halgo.adapters.shell import (
    FAULT,
    GROUNDED,
    Docs,
    Embedder,
    Entailment,
    IndexFile,
    Interrupted,
    Settings,
    tell,
    write,
)
from halgo.printable import printable

if TYPE_CHECKING:
    from halgo.bulk.batch_run import Outcome

_SHARD = re.compile(r"(\d{1,9})/(\d{1,9})")
_NAMED = 10  # parts named in one message


class Form(StrEnum):
    """How the verdicts are written."""

    PARQUET = "parquet"
    JSONL = "jsonl"


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(batch)


def batch(
    answers: Annotated[
        list[str],
        typer.Argument(metavar="ANSWERS...", help=".parquet, .jsonl, .csv files, folders of them."),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the verdicts.")],
    docs: Docs = None,
    index: IndexFile = None,
    docs_column: Annotated[
        str | None, typer.Option(help="Column with each answer's own documents, instead of --docs.")
    ] = None,
    answer_column: Annotated[
        str | None, typer.Option(help='Column with the answer.  [default: "answer", "response"...]')
    ] = None,
    question_column: Annotated[
        str | None, typer.Option(help='Column with the question.  [default: "question", if any]')
    ] = None,
    id_column: Annotated[str, typer.Option(help="Column with the id.")] = "id",
    output_format: Annotated[
        Form | None, typer.Option("--format", "-f", help="How it is written.  [default: as read]")
    ] = None,
    claims: Annotated[
        bool, typer.Option("--claims", help="Write a table with a row a claim too.")
    ] = False,
    report: Annotated[
        bool, typer.Option("--report/--no-report", help="Whether each row holds its report.")
    ] = True,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=0, help="Processes; 0: one a processor.")
    ] = 0,
    shard: Annotated[
        str, typer.Option(metavar="I/N", help="Check the I-th of N shares: 3/16.")
    ] = "1/1",
    rows: Annotated[
        int | None, typer.Option(min=1, help="Rows of a part.  [default: by the input's size]")
    ] = None,
    longest: Annotated[
        int, typer.Option(min=1, help="Most characters of an answer; more is an error of its row.")
    ] = 100_000,
    config: Settings = None,
    embedder: Embedder = "minilm",
    entailment: Entailment = "default",
) -> None:
    """Check a file of many answers; run it again to go on after a kill.

    Exit code 0: every row of this share has its verdict, or an error of its own; 2: wrong usage,
    unreadable input or a full disk; 3: a model or package is missing; 70: parts are missing; 130:
    interrupted.
    """
    from halgo.bulk.answer_rows import Columns
    from halgo.bulk.batch_run import Batch, is_index, run
    from halgo.config import Config

    if bool(docs) + (index is not None) + (docs_column is not None) != 1:
        raise typer.BadParameter(
            "give one of these: the documents, an index of them, or the column that holds them",
            param_hint="--docs / --index / --docs-column",
        )
    if docs is not None and len(docs) == 1 and is_index(docs[0]):
        index, docs = docs[0], None
    wanted = Batch(
        answers=answers,
        out=out,
        docs=docs or (),
        index=index,
        columns=Columns(answer_column, id_column, docs_column, question_column),
        config=Config.from_toml(config) if config else Config(),
        embedder=embedder,
        entailment=None if entailment == "none" else entailment,
        form=output_format,
        report=report,
        claims=claims,
        rows=rows,
        longest=longest,
        shard=_share(shard),
        jobs=jobs,
    )
    try:
        with _progress() as hear:
            outcome = run(wanted, hear)
    except KeyboardInterrupt:
        raise Interrupted(
            "interrupted; run the same again to go on: what is done is not checked again"
        ) from None
    code = _told(outcome)
    if report and sys.stderr.isatty():
        tell(
            "halgo: to read it as a page, and as a table: "
            f"halgo report {printable(str(out))} -o page.html --also csv=claims.csv"
        )
    raise typer.Exit(code)


def _share(given: str) -> tuple[int, int]:
    found = _SHARD.fullmatch(given)
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise typer.BadParameter(
            f"{given!r} is no share: 3/16 is the third of sixteen", param_hint="--shard"
        )
    return int(found[1]), int(found[2])


def _told(outcome: Outcome) -> int:
    """Says what came of it; the exit code."""
    for warning in outcome.warnings:
        tell(f"warning: {printable(warning)}")
    parts = [f"{count:,} {what}" for what, count in outcome.counts.items() if count]
    if outcome.rows_before:
        verb = "was" if outcome.rows_before == 1 else "were"
        parts.append(f"{outcome.rows_before:,} {verb} done before")
    rows = f"{outcome.rows:,} answer{'' if outcome.rows == 1 else 's'}"
    write(f"{printable(str(outcome.out))}: {rows}: {', '.join(parts)}\n")
    if not outcome.missing:
        return GROUNDED
    named = ", ".join(map(str, outcome.missing[:_NAMED]))
    more = f" and {len(outcome.missing) - _NAMED} more" if len(outcome.missing) > _NAMED else ""
    tell(
        f"halgo: the processes that worked on part {named}{more} ended twice, for lack of memory "
        "or by a fault; run the same again with fewer --jobs. All other parts are there."
    )
    return FAULT


@contextmanager
def _progress() -> Iterator[Callable[[dict[str, Any]], None]]:
    """Hears how a run goes: a bar on stderr while a terminal watches, in a pipe what went wrong."""
    if not sys.stderr.isatty():
        yield _tell_losses
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from halgo.progress import READ

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Reading the answers", total=None)

        def hear(message: dict[str, Any]) -> None:
            if "stage" in message:
                bar.update(task, description=message["stage"])
            elif "reading" in message:
                now = message["reading"]
                stage = "Reading" if now.stage == READ else "Indexing"
                bar.update(task, description=f"{stage} the documents, {now.share:.0%}")
            elif "rows" in message:
                bar.update(task, total=message["rows"], completed=message["before"])
            elif "ready" in message:
                bar.update(task, description="Checking the answers")
            elif "lost" in message:
                bar.advance(task, -message["checked"])
            bar.advance(task, message.get("checked", 0) if "lost" not in message else 0)
            _tell_losses(message)

        yield hear


def _tell_losses(message: dict[str, Any]) -> None:
    if "lost" in message:
        tell(
            f"halgo: the process that worked on part {message['lost']} ended ({message['how']}); "
            "another one takes its place"
        )
