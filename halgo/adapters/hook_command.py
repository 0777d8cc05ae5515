"""`halgo hook`: an agent's closing message held against the results of its own tool calls."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from halgo.adapters.shell import USAGE, tell, write, write_json
from halgo.errors import HalgoError

if TYPE_CHECKING:
    from halgo.agents.hook import Grounding

ERROR = 1  # of a stop hook: shown, and nothing is blocked


class Agent(StrEnum):
    """Whose stop hook this is."""

    CLAUDE_CODE = "claude-code"


class FailOn(StrEnum):
    """What keeps the agent from ending."""

    CONTRADICTION = "contradiction"
    UNSUPPORTED = "unsupported"


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(hook)


def exit_code(code: int, arguments: Sequence[str] | None) -> int:
    """The exit code of a failure: of `halgo hook` never 2, which would keep the agent at work."""
    given = sys.argv[1:] if arguments is None else arguments
    return ERROR if code == USAGE and list(given[:1]) == ["hook"] else code


def hook(
    agent: Annotated[
        Agent | None, typer.Argument(help="Read that agent's hook input from stdin.")
    ] = None,
    transcript: Annotated[
        Path | None, typer.Option(help="Transcript as JSON lines, instead of a hook's input.")
    ] = None,
    fail_on: Annotated[
        FailOn,
        typer.Option(help="contradiction: what a result denies; unsupported: what none shows."),
    ] = FailOn.CONTRADICTION,
    server: Annotated[
        str | None,
        typer.Option(
            help="Running halgo server; structured results are checked there as well.",
            envvar="HALGO_SERVER",
        ),
    ] = None,
    models: Annotated[
        bool, typer.Option("--models", help="Check structured results here; loads the models.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="All findings, on stdout.")] = False,
) -> None:
    """Check an agent's closing message against what its tools returned.

    Exit code 2: a result says otherwise, the report is on stderr; 0: none does; 1: nothing could be
    checked, and why. Nothing is fetched or sent, except to --server.
    """
    from halgo.agents.stop import grounding, stop_hook

    if (agent is None) == (transcript is None):
        _fail("name the agent (halgo hook claude-code) or a file (halgo hook --transcript FILE)")
    unsupported = fail_on is FailOn.UNSUPPORTED
    if transcript is None:
        raise typer.Exit(stop_hook(server=server, models=models, unsupported=unsupported))
    raise typer.Exit(_of_file(transcript, grounding(server, models), unsupported, as_json))


def _of_file(path: Path, grounding: Grounding | None, unsupported: bool, as_json: bool) -> int:
    from halgo.agents.hook import ALLOW, BLOCK, check
    from halgo.agents.transcript import read

    try:
        found = read(path)
        if not found.closing.strip():
            _fail(f"{path}: no closing message in it, so nothing was checked")
        outcome = check(found, unsupported=unsupported, grounding=grounding)
    except OSError as error:
        _fail(f"{error.filename or path}: {error.strerror or error}; nothing was checked")
    except HalgoError as error:
        _fail(f"{error}; nothing was checked")
    for warning in outcome.warnings:
        tell(f"warning: {warning}")
    if as_json:
        write_json(json.dumps(outcome.to_dict(), indent=2))
    else:
        write(outcome.summary())
    if outcome.blocks:
        tell(outcome.report().rstrip("\n"))
    return BLOCK if outcome.blocks else ALLOW


def _fail(why: str) -> NoReturn:
    tell(f"halgo hook: {why}")
    raise typer.Exit(ERROR)
