"""The command line: arguments -> a call of the library -> text and an exit code.

Exit codes: 0 the answer is grounded; 1 it is not; 2 wrong usage or unreadable input; 3 a model or
package is missing; 4 nothing was assessed (no claims, a refusal, an empty answer, no sources).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from halgo import __version__
from halgo.errors import HalgoError, MissingDependencyError, ModelNotFoundError

if TYPE_CHECKING:
    from halgo.checker import Checker, Halgorithm
    from halgo.config import Config
    from halgo.report.report import Report

GROUNDED, UNGROUNDED, USAGE, MISSING, NOT_ASSESSED = range(5)

app = typer.Typer(
    name="halgo",
    help="Checks an AI answer claim by claim against your documents. No LLM, no network.",
    no_args_is_help=True,
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


Embedder = Annotated[
    str,
    typer.Option(help='"minilm", "lexical" (needs no model; weaker), or a folder with a model.'),
]


@app.command()
def check(
    answer: Annotated[str, typer.Argument(help='File with the AI\'s answer; "-" reads stdin.')],
    docs: Annotated[
        list[Path] | None,
        typer.Option("--docs", "-d", help="True document or folder of them; may be repeated."),
    ] = None,
    index: Annotated[
        Path | None, typer.Option(help='Index made by "halgo index", instead of --docs.')
    ] = None,
    output_format: Annotated[Format, typer.Option("--format", "-f")] = Format.TEXT,
    threshold: Annotated[
        float | None, typer.Option(help="Lowest score of weak support, 0 to 1.  [default: 0.30]")
    ] = None,
    support_threshold: Annotated[
        float | None, typer.Option(help="Lowest score of support, 0 to 1.  [default: 0.65]")
    ] = None,
    granularity: Annotated[Granularity | None, typer.Option(help="What one claim is.")] = None,
    classic: Annotated[bool, typer.Option("--classic", help="The first published rules.")] = False,
    config: Annotated[Path | None, typer.Option(help="Settings as TOML.")] = None,
    embedder: Embedder = "minilm",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write the report to.")
    ] = None,
    color: Annotated[
        bool | None, typer.Option("--color/--no-color", help="Colours; by default in a terminal.")
    ] = None,
) -> None:
    """Check an answer against documents.

    Exit code 0: grounded; 1: not grounded; 2: wrong usage or unreadable input; 3: a model is
    missing; 4: nothing was assessed.
    """
    from halgo.checker import Checker, Halgorithm

    if bool(docs) == (index is not None):
        raise typer.BadParameter("give either --docs or --index", param_hint="--docs / --index")
    settings = _settings(config, threshold, support_threshold, granularity, classic)
    text, warnings = _answer(answer)
    halgorithm = Halgorithm(settings, embedder=embedder)
    with _progress("Reading the documents"):
        checker = (
            Checker.from_index(index, halgorithm=halgorithm)
            if index is not None
            else Checker.from_files(list(docs or ()), halgorithm=halgorithm)
        )
        report = checker.check(text)
    for warning in warnings:
        print(f"warning: {warning}", file=sys.stderr)
    colored = color if color is not None else output is None and sys.stdout.isatty()
    rendered = _render(report, output_format, colored)
    if output is not None:
        output.write_text(rendered, encoding="utf-8")
    else:
        _print(rendered)
    raise typer.Exit(_exit_code(report))


@app.command()
def index(
    docs: Annotated[list[Path], typer.Argument(help="Documents and folders.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="File to write.")],
    config: Annotated[Path | None, typer.Option(help="Settings as TOML.")] = None,
    embedder: Embedder = "minilm",
) -> None:
    """Read documents once, for many checks: writes an index file."""
    from halgo.checker import Checker, Halgorithm

    halgorithm = Halgorithm(_settings(config, None, None, None, False), embedder=embedder)
    with _progress("Reading the documents"):
        checker = Checker.from_files(list(docs), halgorithm=halgorithm)
        checker.save(output)
    for warning in checker.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    documents, chunks = len(checker.index.documents), len(checker.index.chunks)
    print(f"{output}: {documents} documents, {chunks} chunks, {output.stat().st_size:,} bytes")


@app.command()
def doctor() -> None:
    """Show every model: found where, or missing and the command that fixes it."""
    raise typer.Exit(_doctor())


@models_app.callback(invoke_without_command=True)
def models(context: typer.Context) -> None:
    """List the models; "halgo models fetch" gets what is missing."""
    if context.invoked_subcommand is None:
        raise typer.Exit(_doctor())


@models_app.command()
def fetch(
    names: Annotated[list[str] | None, typer.Argument(help="Which; all that are missing.")] = None,
) -> None:
    """Get what is missing from the package indexes. The only command that opens a connection."""
    from halgo import fetch as fetching

    fetching.run(names or None)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns its exit code; errors go to stderr as one message."""
    try:
        result = app(args=None if arguments is None else list(arguments), standalone_mode=False)
    except typer.Exit as done:
        return done.exit_code
    except typer.Abort:
        return 130
    except (ModelNotFoundError, MissingDependencyError) as error:
        return _fail(str(error), MISSING)
    except HalgoError as error:
        return _fail(str(error), USAGE)
    except OSError as error:
        return _fail(f"{error.filename or ''}: {error.strerror or error}".lstrip(": "), USAGE)
    except Exception as error:
        if not hasattr(error, "format_message"):  # Typer's own usage errors have it
            raise
        return _fail(f"{error.format_message()}\nTry: halgo --help", USAGE)
    return int(result) if isinstance(result, int) else GROUNDED


@app.callback(invoke_without_command=True)
def options(
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    """Options of halgo itself."""
    if version:
        print(f"halgo {__version__}")
        raise typer.Exit(GROUNDED)


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


def _answer(name: str) -> tuple[str, list[str]]:
    from halgo.sources.readers import decode, read_text

    if name == "-":
        return decode(sys.stdin.buffer.read(), "stdin")
    return read_text(Path(name))


def _render(report: Report, output_format: Format, color: bool) -> str:
    if output_format is Format.JSON:
        return report.to_json() + "\n"
    if output_format is Format.MARKDOWN:
        from halgo.report import markdown

        return markdown.render(report)
    import shutil

    from halgo.report import text

    return text.render(report, color=color, width=min(shutil.get_terminal_size().columns, 110))


def _print(text: str) -> None:
    # A terminal that cannot show a character of a document shows "?" instead of failing.
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding))
    sys.stdout.flush()


def _exit_code(report: Report) -> int:
    if report.grounded is None:
        return NOT_ASSESSED
    return GROUNDED if report.grounded else UNGROUNDED


class _progress:
    """A spinner on stderr while a terminal is watching; nothing in a pipe."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.status: object | None = None

    def __enter__(self) -> None:
        if sys.stderr.isatty():
            from rich.console import Console

            status = Console(stderr=True).status(self.what)
            status.start()
            self.status = status

    def __exit__(self, *_: object) -> None:
        if self.status is not None:
            self.status.stop()  # type: ignore[attr-defined]


def _doctor() -> int:
    from halgo import models as found_models

    missing = False
    for status in found_models.status():
        if status.found is not None and status.intact is not False:
            print(f"ok       {status.name:10} {status.found.version}  {status.found.path}")
            print(f"         {status.about} ({status.licence}); {status.found.where}")
        else:
            missing = True
            print(f"MISSING  {status.name:10} {status.problem}")
            for place in status.searched:
                print(f"         looked in {place}")
            print(f"         fix: {status.fix}")
    return MISSING if missing else GROUNDED


def _fail(message: str, code: int) -> int:
    print(f"halgo: {message}", file=sys.stderr)
    return code
