"""What every command of the command line shares: exit codes, options, progress, printing."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from halgo.errors import DocumentError

GROUNDED, UNGROUNDED, USAGE, MISSING, NOT_ASSESSED = range(5)
FAULT, INTERRUPTED = 70, 130

Answer = Annotated[str, typer.Argument(help='File with the AI\'s answer; "-" reads stdin.')]

Docs = Annotated[
    list[str] | None,
    typer.Option("--docs", "-d", help="True document or folder of them; may be repeated."),
]

IndexFile = Annotated[
    str | None, typer.Option(help='Index made by "halgo index", instead of --docs.')
]

Settings = Annotated[Path | None, typer.Option("--config", help="Settings as TOML.")]

Embedder = Annotated[
    str,
    typer.Option(help='"minilm", "lexical" (needs no model; weaker), or a folder with a model.'),
]

Entailment = Annotated[
    str,
    typer.Option(
        help='"default"; "none" goes without; or the folder or hub name of a cross-encoder.'
    ),
]


def require_writable(output: Path | None, option: str = "--output") -> None:
    """Refuses a place that cannot be written before the work is done rather than after."""
    if output is None:
        return
    if output.is_dir():
        raise typer.BadParameter(f"{output} is a folder; name a file", param_hint=option)
    if not output.parent.is_dir():
        raise typer.BadParameter(f"there is no folder {output.parent}", param_hint=option)


def read_answer(name: str) -> tuple[str, list[str]]:
    """The answer's text, and warnings about its encoding."""
    from halgo.sources.readers import LARGEST_BYTES, decode, read_text

    if name != "-":
        return read_text(name)
    if sys.stdin is None:
        raise DocumentError("stdin is closed; name the file with the answer", "stdin")
    data = sys.stdin.buffer.read(LARGEST_BYTES + 1)
    if len(data) > LARGEST_BYTES:
        raise DocumentError(f"stdin: more than {LARGEST_BYTES:,} bytes; that is the most", "stdin")
    return decode(data, "stdin")


def write(text: str) -> None:
    """Text on stdout. What a terminal cannot show of a document becomes "?" instead of failing."""
    encoding = sys.stdout.encoding or "utf-8"
    try:
        sys.stdout.write(text.encode(encoding, "replace").decode(encoding))
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read the report has seen enough ("| head"): no fault. Python would complain at
        # exit, when it flushes once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def progress(what: str) -> Iterator[None]:
    """A spinner on stderr while a terminal is watching; nothing in a pipe."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield
