"""`halgo index`: documents -> an index file, or an index in a folder that is changed later on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from halgo.adapters import outputs
from halgo.adapters.shell import (
    GROUNDED,
    NOT_ASSESSED,
    UNGROUNDED,
    Embedder,
    Settings,
    indexing,
    progress,
    require_writable,
    tell,
    write,
)
from halgo.printable import printable

if TYPE_CHECKING:
    from halgo.config import Config
    from halgo.halgorithm import Halgorithm
    from halgo.indexes import Index

_FOLDER = "--store"


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(index)


def index(
    docs: Annotated[list[str] | None, typer.Argument(help="Documents and folders.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write: read whole by each check.")
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(
            _FOLDER,
            "--out",
            metavar="FOLDER",
            help="Folder to write, or to change: for many documents, which come and go.",
        ),
    ] = None,
    remove: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="With --store: takes a document out; may be repeated."),
    ] = None,
    show: Annotated[bool, typer.Option("--list", help="With --store: its documents.")] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="With --store: looks at every byte of it.")
    ] = False,
    jobs: Annotated[
        int, typer.Option(min=0, help="Processes that read; 0 for one for each processor.")
    ] = 1,
    config: Settings = None,
    embedder: Embedder = "minilm",
) -> None:
    """Read documents once, for many checks: writes an index file or an index folder.

    With --store, documents that the folder has are replaced where they have changed, and the
    others added. Exit code 1 when --verify finds damage.
    """
    from halgo.config import Config

    _require_sense(docs, output, store, remove, show, verify)
    if store is not None and verify:
        raise typer.Exit(_verify(store))
    if store is not None and show and not docs and not remove:
        raise typer.Exit(_list(store))
    outputs.require_apart(
        [("--output", output)],
        [(outputs.SETTINGS, config), *((outputs.A_DOCUMENT, name) for name in docs or ())],
    )
    settings = Config.from_toml(config) if config else None
    if output is not None:
        raise typer.Exit(_to_file(docs or [], output, settings, embedder, jobs))
    assert store is not None
    raise typer.Exit(_to_folder(docs or [], store, remove or [], settings, embedder, jobs, show))


def _require_sense(
    docs: list[str] | None,
    output: Path | None,
    store: Path | None,
    remove: list[str] | None,
    show: bool,
    verify: bool,
) -> None:
    """Refuses options that do not go together."""
    if (output is None) == (store is None):
        raise typer.BadParameter(
            "name a file to write with --output, or a folder with --store",
            param_hint="--output / --store",
        )
    if store is None and (remove or show or verify):
        raise typer.BadParameter("an index file is not changed; these go with --store FOLDER")
    if verify and (docs or remove or show):
        raise typer.BadParameter("is asked for by itself", param_hint="--verify")
    if not (docs or remove or show or verify):
        raise typer.BadParameter("name documents or folders to read", param_hint="DOCS")


def _to_file(
    docs: list[str], output: Path, settings: Config | None, embedder: str, jobs: int
) -> int:
    from halgo.checker import Checker
    from halgo.halgorithm import Halgorithm

    if output.is_dir():
        raise typer.BadParameter(
            f"{output} is a folder; name a file, or use --store for an index in a folder",
            param_hint="--output",
        )
    require_writable(output, regular=True)
    halgorithm = Halgorithm(settings, embedder=embedder)
    with indexing() as hear:
        checker = Checker.from_files(list(docs), halgorithm=halgorithm, progress=hear, jobs=jobs)
    with progress("Writing the index"):
        checker.save(output)
    for warning in checker.warnings:
        tell(f"warning: {printable(warning)}")
    documents, chunks = len(checker.index.documents), len(checker.index.chunks)
    _say(output, documents, chunks, output.stat().st_size)
    return GROUNDED if chunks else NOT_ASSESSED


def _to_folder(
    docs: list[str],
    store: Path,
    remove: list[str],
    settings: Config | None,
    embedder: str,
    jobs: int,
    show: bool,
) -> int:
    from halgo.halgorithm import Halgorithm

    if not docs:
        return _taken_out(store, remove, show)
    index = _opened(docs, store, Halgorithm(settings, embedder=embedder))
    removed = index.remove(*remove).removed if remove else 0
    told = [f"{removed:,} removed"] if remove else []
    try:
        with indexing() as hear:
            done = index.put_files(docs, progress=hear, jobs=jobs)
    except OSError as error:
        if error.filename is not None:
            raise
        raise OSError(error.errno, error.strerror, str(store)) from error  # a full disk
    for warning in done.warnings:
        tell(f"warning: {printable(warning)}")
    told = [f"{done.added:,} added", f"{done.replaced:,} replaced", *told]
    told.append(f"{done.unchanged:,} unchanged")
    chunks = len(index.checker().index.chunks)
    _say(store, len(index), chunks, index.size(), "; " + ", ".join(told))
    if show:
        _list(store)
    return GROUNDED if chunks else NOT_ASSESSED


def _taken_out(store: Path, remove: list[str], show: bool) -> int:
    """Takes documents out of a folder, whichever embedder it was made with: none is needed."""
    from halgo.store.folder import Folder
    from halgo.store.listing import contents

    folder = Folder(store, None)
    removed = folder.remove(remove).removed
    left = list(contents(store))
    chunks = sum(one.passages for one in left)
    _say(store, len(left), chunks, folder.size(), f"; {removed:,} removed")
    if show:
        _list(store)
    return GROUNDED


def _opened(docs: list[str], store: Path, halgorithm: Halgorithm) -> Index:
    """The index in the folder; made where documents are to be put into it."""
    from halgo.indexes import open_index
    from halgo.sources.folders import read_files
    from halgo.store.manifest import is_folder_index

    there = is_folder_index(store)
    if not there:
        for name in docs:  # a name that leads nowhere is to leave no empty index behind
            if not Path(name).exists():
                read_files([name])
    return open_index(store, create=bool(docs) and not there, halgorithm=halgorithm)


def _list(store: Path) -> int:
    """Writes the documents of a folder, one a line: chunks, characters, id."""
    from halgo.store.listing import contents

    rows = [
        (f"{one.passages:,}", f"{one.characters:,}", printable(one.id)) for one in contents(store)
    ]
    rows = [("chunks", "characters", "id"), *rows]
    widths = [max(len(row[at]) for row in rows) for at in range(2)]
    write("".join(f"{a:>{widths[0]}}  {b:>{widths[1]}}  {c}\n" for a, b, c in rows))
    return GROUNDED


def _verify(store: Path) -> int:
    from halgo.store.verifying import verify

    with progress("Looking at every byte"):
        found = verify(store)
    if found.ok:
        _say(store, found.documents, found.passages, found.size, "; as written")
        return GROUNDED
    write("".join(f"{printable(problem)}\n" for problem in found.problems))
    write("Copy the index again from where it is whole, or index the documents again.\n")
    return UNGROUNDED


def _say(place: Path, documents: int, chunks: int, size: int, also: str = "") -> None:
    counts = f"{_several(documents, 'document')}, {_several(chunks, 'chunk')}"
    write(f"{printable(str(place))}: {counts}, {size:,} bytes{also}\n")


def _several(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
