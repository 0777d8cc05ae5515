"""`halgo serve`: the HTTP server and its page, for programs and for a browser."""

from __future__ import annotations

import ipaddress
import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from halgo import disk
from halgo.adapters.shell import (
    Embedder,
    Entailment,
    Settings,
    indexing,
    require_writable,
    tell,
)
from halgo.errors import DocumentError, MissingDependencyError

if TYPE_CHECKING:
    from halgo.halgorithm import Halgorithm
    from halgo.server.corpora import Corpora
    from halgo.server.limits import Limits

TOKEN = "HALGO_TOKEN"
_SHORTEST = 16


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(serve)


def serve(
    docs: Annotated[
        list[str] | None, typer.Argument(help='Documents and folders: the index "default".')
    ] = None,
    index: Annotated[
        list[Path] | None,
        typer.Option(help='Index made by "halgo index", under its file\'s name; may be repeated.'),
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8765,
    token_file: Annotated[
        Path | None, typer.Option(help=f"File with the token; or set {TOKEN}.")
    ] = None,
    audit: Annotated[
        Path | None, typer.Option(help="Audit log to add a line to for each check.")
    ] = None,
    config: Settings = None,
    embedder: Embedder = "minilm",
    entailment: Entailment = "default",
    queue: Annotated[
        int | None, typer.Option(min=1, help="Answers that may wait.  [default: 64]")
    ] = None,
    seconds: Annotated[
        int | None, typer.Option(min=1, help="Time limit of a request.  [default: 60]")
    ] = None,
    body_mb: Annotated[
        int | None, typer.Option(min=1, help="Largest request in MB.  [default: 20]")
    ] = None,
    claims: Annotated[
        int | None, typer.Option(min=1, help="Most claims of an answer.  [default: 500]")
    ] = None,
    documents: Annotated[
        int | None, typer.Option(min=1, help="Most documents of an index.  [default: 2,000]")
    ] = None,
    grace: Annotated[
        int, typer.Option(min=0, help="Seconds to finish what was taken, when stopped.")
    ] = 30,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Let no client make, change or delete an index.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Log faults only.")] = False,
) -> None:
    """Serve checks over HTTP, and a page at its address.

    Exit code 0: stopped; 2: wrong usage or unreadable input; 3: a model or package is missing.
    """
    try:
        import fastapi  # noqa: F401
        import prometheus_client  # noqa: F401
        import python_multipart  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise MissingDependencyError(
            f"halgo serve needs the package {error.name}; run: pip install 'halgo[serve]'"
        ) from error
    from halgo.config import Config
    from halgo.halgorithm import Halgorithm
    from halgo.server.logs import Log
    from halgo.server.run import serve as run
    from halgo.server.service import Service

    token = _token(token_file)
    if token is None and not _is_loopback(host):
        raise typer.BadParameter(
            f"{host} can be reached from other machines, so requests have to show a token: "
            f"set {TOKEN}, or name a file with --token-file",
            param_hint="--host",
        )
    require_writable(audit, "--audit")
    _require_there([*(docs or []), *map(str, index or [])])
    bounds = {
        "queue": queue,
        "seconds": seconds,
        "body_bytes": body_mb and body_mb * 1_000_000,
        "claims": claims,
        "documents": documents,
    }
    halgorithm = Halgorithm(
        Config.from_toml(config) if config else None,
        embedder=embedder,
        entailment=None if entailment == "none" else entailment,
    )
    listening = _listening(host, port)
    service = Service(
        halgorithm,
        lambda made, corpora: _load(made, corpora, docs or [], index or []),
        limits=_limits(bounds),
        token=token,
        audit=audit,
        read_only=read_only,
        log=Log(quiet=quiet),
    )
    shown = f"[{host}]" if ":" in host else host
    tell(f"halgo: listening on http://{shown}:{listening.getsockname()[1]}  (Ctrl-C stops)")
    run(service, listening, grace)


def _load(halgorithm: Halgorithm, corpora: Corpora, docs: list[str], indexes: list[Path]) -> None:
    """Fills the indexes that were named on the command line."""
    from halgo.checker import Checker
    from halgo.printable import printable
    from halgo.server.corpora import DEFAULT

    for path in indexes:
        corpora.open(path.stem, path)
    if docs:
        with indexing() as show:
            checker = Checker.from_files(docs, halgorithm=halgorithm, progress=show)
        corpora.add(DEFAULT, checker)
        for warning in checker.warnings:
            tell(f"warning: {printable(warning)}")
    elif len(indexes) == 1 and indexes[0].stem != DEFAULT:
        corpora.name_too(DEFAULT, indexes[0].stem)


def _require_there(names: list[str]) -> None:
    """Raises DocumentError for what is not there, before anybody is told that it is served."""
    for name in names:
        if not Path(name).exists():
            raise DocumentError(f"{disk.missing(name)} (looked in {Path.cwd()})", name)


def _limits(bounds: dict[str, int | None]) -> Limits:
    from halgo.server.limits import Limits

    return Limits(**{name: value for name, value in bounds.items() if value is not None})


def _token(path: Path | None) -> str | None:
    """The token that requests have to show. Raises BadParameter for one that is easily guessed."""
    token = os.environ.get(TOKEN) if path is None else path.read_text(encoding="utf-8")
    if token is None:
        return None
    token = token.strip()
    if len(token) < _SHORTEST or not token.isascii() or not token.isprintable():
        raise typer.BadParameter(
            f"a token has at least {_SHORTEST} plain characters; make one with: "
            "python -c 'import secrets; print(secrets.token_urlsafe())'",
            param_hint=f"--token-file / {TOKEN}",
        )
    return token


def _is_loopback(host: str) -> bool:
    """Whether an address is reached from this machine only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:  # a name may lead anywhere
        return False


def _listening(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises OSError that names address and port."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        what = f"cannot listen there: {error.strerror or error}; name another with --port"
        raise OSError(error.errno, what, f"{host}:{port}") from error
    listening.listen(128)  # whoever comes before the server runs waits a moment
    return listening
