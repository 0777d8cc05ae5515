"""What every command of the command line shares: exit codes, options, progress, printing."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from halgo import disk, process
from halgo.errors import DocumentError, HalgoError
from halgo.report.safe import clean

if TYPE_CHECKING:
    from halgo.progress import OnProgress, Progress

GROUNDED, UNGROUNDED, USAGE, MISSING, NOT_ASSESSED = range(5)
FAULT, INTERRUPTED = 70, process.INTERRUPTED


class Interrupted(Exception):
    """Ctrl-C, with what is to be said of it."""


Answer = Annotated[str, typer.Argument(help='File with the AI\'s answer; "-" reads stdin.')]

Docs = Annotated[
    list[str] | None,
    typer.Option("--docs", "-d", help="True document or folder of them; may be repeated."),
]

IndexFile = Annotated[
    str | None, typer.Option(help='Index made by "halgo index", instead of --docs.')
]

Question = Annotated[
    str | None, typer.Option("--question", "-q", help="The question that the answer is given to.")
]

Jobs = Annotated[
    int,
    typer.Option(
        "--jobs", min=0, help="Processes that read and index; 0 for one for each processor."
    ),
]

Settings = Annotated[Path | None, typer.Option("--config", help="Settings as TOML.")]

Embedder = Annotated[
    str,
    typer.Option(help='"minilm", "lexical" (needs no model; weaker), or a folder with a model.'),
]

Entailment = Annotated[
    str,
    typer.Option(
        help='"default", "small", "cascade" or "large" of our models; "none" goes without; or the '
        "folder or hub name of a cross-encoder."
    ),
]


def require_writable(
    output: Path | None, option: str = "--output", *, regular: bool = False
) -> None:
    """Refuses a place that cannot be written before the work is done rather than after.

    regular: also one where something stands that is no regular file, such as a device or a link.
    """
    if output is None:
        return
    if output.is_dir():
        raise typer.BadParameter(f"{output} is a folder; name a file", param_hint=option)
    if not output.parent.is_dir():
        raise typer.BadParameter(f"there is no folder {output.parent}", param_hint=option)
    if regular and os.path.lexists(output) and not stat.S_ISREG(os.lstat(output).st_mode):
        raise typer.BadParameter(
            f"{output} is a link, a pipe or a device; name a regular file", param_hint=option
        )


def require_stdout(remedy: str = "") -> None:
    """Refuses a stdout that is closed (">&-"), with what to do instead where there is anything.

    Python has no stream then, and a file that is opened next may get its number.
    """
    if sys.stdout is None:
        more = f"; {remedy}" if remedy else ""
        raise HalgoError(f"nothing can be written to stdout: it is closed{more}")


def write_file(path: Path, text: str) -> None:
    """Text to a file that the user named, as UTF-8; see `write_pieces`."""
    write_pieces(path, [text])


def write_pieces(path: Path, pieces: Iterable[str]) -> None:
    """Text that comes in pieces to a file that the user named, as UTF-8; none of them is kept.

    A regular file has the old content or all of the new; a link stays a link, and what it leads
    to is written. What is no regular file (a pipe, "/dev/stdout") takes the text as it comes.
    Raises OSError that names the file.
    """
    # A document may hold half a surrogate pair, which no encoding can write.
    blocks = (piece.encode("utf-8", "replace") for piece in pieces)
    try:
        standard = _standard_stream(path)
        if standard is not None:
            sys.stdout.flush()
            with open(standard, "wb", closefd=False) as stream:
                stream.writelines(blocks)
        elif path.exists() and not path.is_file():
            with path.open("wb") as stream:
                stream.writelines(blocks)
        else:
            with disk.replacing(os.path.realpath(path)) as stream:
                stream.writelines(blocks)
    except BrokenPipeError:
        pass  # whoever read it has seen enough, as in `write`
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def _standard_stream(path: Path) -> int | None:
    """Which of stdout and stderr the path is another name of.

    Where the shell leads them into a file, that file is no longer the user's to be replaced: what
    comes after would go into the old one.
    """
    for descriptor in (1, 2):
        try:
            if os.path.samestat(path.stat(), os.fstat(descriptor)):
                return descriptor
        except OSError:  # there is nothing at the path, or the stream is closed
            continue
    return None


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


def write(text: str, *, made: bool = False) -> None:
    """Text on stdout, made safe to print line by line.

    made: it is so already, or has to stay as it is to the byte: a report with its colours, JSON.
    What a terminal cannot show of a document becomes "?" instead of failing.
    """
    require_stdout()
    if not made:
        text = clean(text)
    encoding = sys.stdout.encoding or "utf-8"
    try:
        sys.stdout.write(text.encode(encoding, "replace").decode(encoding))
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read the report has seen enough ("| head"): no fault. Python would complain at
        # exit, when it flushes once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_json(text: str) -> None:
    """JSON in ASCII on stdout; the one control that its encoder lets through is escaped."""
    write(text.replace("\x7f", "\\u007f") + "\n", made=True)


def tell(message: str) -> None:
    """A message on stderr, made safe to print; it may have several lines, a name in it has none."""
    if sys.stderr is None:  # closed: whoever did it wants no messages
        return
    shown = clean(message).encode("utf-8", "replace").decode("utf-8")
    sys.stderr.write(f"{shown}\n")


def _is_watched() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def progress(what: str) -> Iterator[None]:
    """A spinner on stderr while a terminal is watching; nothing in a pipe."""
    if not _is_watched():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield


@contextmanager
def indexing() -> Iterator[OnProgress | None]:
    """What to tell how far documents are read and indexed: a bar on stderr, as in `progress`.

    None in a pipe, where nobody is watching.
    """
    if not _is_watched():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, SpinnerColumn, TextColumn
    from rich.progress import Progress as Bar

    from halgo.progress import READ

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[pages]}"),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Reading the documents", total=None, pages="")
        stage = READ

        def show(now: Progress) -> None:
            nonlocal stage
            if now.stage != stage:
                stage = now.stage
                bar.reset(task, description="Indexing the documents")
            of = "" if now.of_pages is None else f" of {now.of_pages:,}"
            pages = f"{now.pages:,}{of} page{'' if (now.of_pages or now.pages) == 1 else 's'}"
            if now.remaining_s is not None:
                pages += f", {timedelta(seconds=round(now.remaining_s))} left"
            bar.update(task, total=1.0, completed=now.share, pages=pages)

        yield show
