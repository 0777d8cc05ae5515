"""The command line: arguments -> a call of the library -> text and an exit code.

Exit codes
    0   the answer is grounded; of the other commands: done
    1   the answer is not grounded
    2   wrong usage, or input that cannot be read
    3   a model or a package is missing or damaged
    4   nothing was assessed: no claims, a refusal, an empty answer, no text in the sources
    70  a fault of halgo itself; HALGO_DEBUG=1 shows where
    130 interrupted
Errors are one message on stderr; what was asked for goes to stdout.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from halgo import __version__
from halgo.adapters import audit_command, gate_option, golden_commands, judge_command
from halgo.adapters.shell import (
    FAULT,
    GROUNDED,
    INTERRUPTED,
    MISSING,
    NOT_ASSESSED,
    UNGROUNDED,
    USAGE,
    Answer,
    Docs,
    Embedder,
    Entailment,
    IndexFile,
    Settings,
    progress,
    read_answer,
    require_writable,
    tell,
    write,
    write_file,
    write_json,
)
from halgo.errors import HalgoError, ModelNotFoundError
from halgo.printable import printable

if TYPE_CHECKING:
    from halgo.config import Config
    from halgo.report.report import Report

WIDEST = 110  # columns; longer lines are hard to read

app = typer.Typer(
    name="halgo",
    help="Checks an AI answer claim by claim against your documents. No LLM, no network.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
models_app = typer.Typer(help="The models halgo stands on: where they are, how to get them.")
app.add_typer(models_app, name="models")


class Format(StrEnum):
    """How a report is written."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


class Granularity(StrEnum):
    """What one claim is: a sentence, or each clause of it."""

    SENTENCE = "sentence"
    ATOMIC = "atomic"


@app.command()
def check(
    answer: Answer,
    docs: Docs = None,
    index: IndexFile = None,
    output_format: Annotated[Format, typer.Option("--format", "-f")] = Format.TEXT,
    threshold: Annotated[
        float | None, typer.Option(help="Lowest score of weak support, 0 to 1.  [default: 0.30]")
    ] = None,
    support_threshold: Annotated[
        float | None, typer.Option(help="Lowest score of support, 0 to 1.  [default: 0.65]")
    ] = None,
    granularity: Annotated[Granularity | None, typer.Option(help="What one claim is.")] = None,
    classic: Annotated[bool, typer.Option("--classic", help="The first published rules.")] = False,
    config: Settings = None,
    gate: Annotated[
        str | None,
        typer.Option(help="Show what may be shown: a profile's name or a policy as TOML."),
    ] = None,
    tenant: Annotated[
        str | None, typer.Option(help="The table [tenants.NAME] of the --gate file.")
    ] = None,
    audit: Annotated[Path | None, typer.Option(help="Audit log to add a line to.")] = None,
    embedder: Embedder = "minilm",
    entailment: Entailment = "default",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write the report to.")
    ] = None,
    color: Annotated[
        bool | None, typer.Option("--color/--no-color", help="Colours; by default in a terminal.")
    ] = None,
) -> None:
    """Check an answer against documents.

    Exit code 0: grounded; 1: not grounded; 2: wrong usage or unreadable input; 3: a model or
    package is missing; 4: nothing was assessed. With --gate 0: passed; 1: not.
    """
    from halgo.checker import Checker
    from halgo.halgorithm import Halgorithm

    if bool(docs) == (index is not None):
        raise typer.BadParameter("give either --docs or --index", param_hint="--docs / --index")
    settings = _settings(config, threshold, support_threshold, granularity, classic)
    policy = gate_option.read_policy(gate, tenant)
    require_writable(output)
    require_writable(audit, "--audit")
    text, warnings = read_answer(answer)
    halgorithm = Halgorithm(
        settings, embedder=embedder, entailment=None if entailment == "none" else entailment
    )
    with progress("Reading the documents"):
        if index is not None:
            checker = Checker.from_index(index, halgorithm=halgorithm)
        else:
            checker = Checker.from_files(list(docs or ()), halgorithm=halgorithm)
    with progress("Checking the answer"):
        started = perf_counter()
        report = checker.check(text)
        latency_ms = (perf_counter() - started) * 1000
    report = replace(report, warnings=(*report.warnings, *warnings))
    colored = color if color is not None else output is None and _shows_colors()
    decision = None
    if policy is not None:
        from halgo.delivery.gate import apply

        decision = apply(report, policy)
        in_terminal = output is None and sys.stdout.isatty()
        rendered = gate_option.rendered(decision, output_format is Format.JSON, in_terminal)
        gate_option.explain(decision)
        code = gate_option.exit_code(decision)
    else:
        rendered, code = _render(report, output_format, colored), _exit_code(report)
    if output is not None:
        write_file(output, rendered)
    elif output_format is Format.JSON:
        write_json(rendered.removesuffix("\n"))
    else:
        write(rendered, made=True)
    audit_command.log(audit, report, decision, latency_ms)
    raise typer.Exit(code)


@app.command()
def index(
    docs: Annotated[list[str], typer.Argument(help="Documents and folders.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="File to write.")],
    config: Settings = None,
    embedder: Embedder = "minilm",
) -> None:
    """Read documents once, for many checks: writes an index file."""
    from halgo.checker import Checker
    from halgo.halgorithm import Halgorithm

    settings = _settings(config, None, None, None, False)
    require_writable(output, regular=True)
    halgorithm = Halgorithm(settings, embedder=embedder)
    with progress("Reading the documents"):
        checker = Checker.from_files(list(docs), halgorithm=halgorithm)
        checker.save(output)
    for warning in checker.warnings:
        tell(f"warning: {printable(warning)}")
    documents, chunks = len(checker.index.documents), len(checker.index.chunks)
    size = f"{_several(documents, 'document')}, {_several(chunks, 'chunk')}"
    write(f"{printable(str(output))}: {size}, {output.stat().st_size:,} bytes\n")
    raise typer.Exit(GROUNDED if chunks else NOT_ASSESSED)


@app.command()
def doctor() -> None:
    """Show every model: found where, or what fixes it.

    Exit code 3 when one is missing or damaged.
    """
    raise typer.Exit(_doctor())


@models_app.callback(invoke_without_command=True)
def models(context: typer.Context) -> None:
    """List the models, as doctor does; "halgo models fetch" gets what is missing."""
    if context.invoked_subcommand is None:
        raise typer.Exit(_doctor())


@models_app.command()
def fetch(
    names: Annotated[list[str] | None, typer.Argument(help="Which; all that are missing.")] = None,
) -> None:
    """Get what is missing from the package indexes. The only command that opens a connection."""
    from halgo import fetch as fetching
    from halgo import models as known

    for name in names or ():
        if name not in known.manifest():
            there = ", ".join(known.manifest())
            raise typer.BadParameter(f"no model is called {name!r}; there are {there}")
    fetching.run(names or None)


audit_command.register(app)
golden_commands.register(app)
judge_command.register(app)


@app.callback(invoke_without_command=True)
def options(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    """Checks an AI answer claim by claim against your documents. No LLM, no network."""
    if version:
        print(f"halgo {__version__}")
        raise typer.Exit(GROUNDED)
    if context.invoked_subcommand is None:
        print(context.get_help(), file=sys.stderr)
        raise typer.Exit(USAGE)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns its exit code; an error is one message on stderr."""
    try:
        result = app(
            args=None if arguments is None else list(arguments),
            prog_name="halgo",
            standalone_mode=False,
        )
    except typer.Exit as done:
        return done.exit_code
    except (typer.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except Exception as error:
        if os.environ.get("HALGO_DEBUG"):
            raise
        return _explained(error)
    return result if isinstance(result, int) else GROUNDED


def _explained(error: Exception) -> int:
    """Says on stderr what went wrong; returns the exit code for it."""
    if hasattr(error, "format_message"):  # Typer's own usage errors have it
        return _fail(f"{printable(error.format_message())}\nTry: halgo --help", USAGE)
    if isinstance(error, (ModelNotFoundError, ImportError)):
        return _fail(str(error), MISSING)
    if isinstance(error, HalgoError):
        return _fail(str(error), USAGE)
    if isinstance(error, OSError):
        said = f"{error.filename or ''}: {error.strerror or error}".lstrip(": ")
        return _fail(printable(said), USAGE)
    if isinstance(error, MemoryError):
        return _fail("out of memory; check fewer documents at a time", USAGE)
    what = f"{type(error).__name__}: {error}"
    return _fail(f"internal error: {what}\nHALGO_DEBUG=1 shows where; please report it.", FAULT)


def _settings(
    path: Path | None,
    threshold: float | None,
    support_threshold: float | None,
    granularity: Granularity | None,
    classic: bool,
) -> Config:
    from halgo.config import Config

    config = Config.from_toml(path) if path else Config()
    changes: dict[str, object] = {}
    if threshold is not None:
        changes["threshold"] = threshold
    if support_threshold is not None:
        changes["support_threshold"] = support_threshold
    if granularity is not None:
        changes["granularity"] = granularity.value
    if classic:
        changes["mode"] = "classic"
    return config.with_(**changes)


def _render(report: Report, output_format: Format, color: bool) -> str:
    if output_format is Format.JSON:
        return report.to_json() + "\n"
    if output_format is Format.MARKDOWN:
        from halgo.report.markdown import render as as_markdown

        return as_markdown(report)
    import shutil

    from halgo.report.text import render as as_text

    width = max(20, min(shutil.get_terminal_size().columns, WIDEST))
    return as_text(report, color=color, width=width)


def _shows_colors() -> bool:
    """Whether stdout is a terminal that shows colours and its user wants them (no-color.org)."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty()


def _exit_code(report: Report) -> int:
    if report.grounded is None:
        return NOT_ASSESSED
    return GROUNDED if report.grounded else UNGROUNDED


def _doctor() -> int:
    from halgo import models as known

    missing = False
    for status in known.status():
        wrong = status.found is None or status.intact is False
        missing = missing or wrong
        if status.found is None:
            lines = [f"MISSING  {status.name:10} {status.about} ({status.licence})"]
            lines += (f"         looked in {place}" for place in status.searched)
        else:
            lines = [f"{'DAMAGED' if wrong else 'ok':8} {status.name:10} {status.found.version}"]
            lines.append(f"         {status.about} ({status.licence})")
            lines.append(f"         {status.found.where}: {status.found.path}")
            if status.problem:
                lines.append(f"         note: {status.problem}")
        if status.fix:
            lines.append(f"         fix: {status.fix}")
        write("".join(f"{printable(line)}\n" for line in lines))
    return MISSING if missing else GROUNDED


def _several(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _fail(message: str, code: int) -> int:
    tell(f"halgo: {message}")
    return code
