"""`halgo demo`: the example answer, with its planted errors, as a report page in the browser."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from halgo.adapters.page_option import write_page
from halgo.adapters.shell import (
    GROUNDED,
    Embedder,
    Entailment,
    progress,
    require_writable,
    tell,
    write,
)
from halgo.errors import HalgoError
from halgo.printable import printable

NAME = "halgo-demo.html"


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(demo)


def demo(
    output: Annotated[
        Path, typer.Option("--output", "-o", help="File to write the page to.")
    ] = Path(NAME),
    show: Annotated[
        bool, typer.Option("--open/--no-open", help="Open it in the browser, where there is one.")
    ] = True,
    embedder: Embedder = "minilm",
    entailment: Entailment = "default",
) -> None:
    """Check an example answer with planted errors, and open the report as a page.

    Exit code 0: the page is written; 3: a model is missing.
    """
    from halgo.checker import Checker
    from halgo.halgorithm import Halgorithm
    from halgo.report.marks import summary
    from halgo.sources.folders import read_files
    from halgo.sources.readers import read_text

    require_writable(output)
    place = example()
    halgorithm = Halgorithm(
        embedder=embedder, entailment=None if entailment == "none" else entailment
    )
    with progress("Checking the example"):
        documents, _ = read_files([place / "docs"])
        # Named as in the example, wherever that lies.
        named = [replace(d, id=Path(d.id).name, source=Path(d.source).name) for d in documents]
        checker = Checker.of(halgorithm, named)
        report = checker.check(read_text(place / "answer.md")[0])
    write_page(report, checker, None, output)
    write(f"{summary(report)}\n{printable(str(output))}: the report, as a page\n")
    if show and not _opened(output):
        tell("no browser to open it with here; open the file yourself")
    raise typer.Exit(GROUNDED)


def example() -> Path:
    """The folder of the example: in the installed package, or beside it in a checkout."""
    package = Path(str(files("halgo")))
    tried = [package / "examples", package.parent / "examples"]
    for place in tried:
        if (place / "answer.md").is_file() and (place / "docs").is_dir():
            return place
    raise HalgoError(
        "the example is not there; looked in\n"
        + "".join(f"  {printable(str(place))}\n" for place in tried)
        + "It comes with halgo's wheel and its checkout; install halgo again."
    )


def _opened(page: Path) -> bool:
    """Whether a browser was told to show the page; never one inside the terminal."""
    import webbrowser

    screens = ("DISPLAY", "WAYLAND_DISPLAY")
    if sys.platform.startswith("linux") and not any(map(os.environ.get, screens)):
        return False
    try:
        return webbrowser.open(page.resolve().as_uri())
    except (webbrowser.Error, OSError):
        return False
