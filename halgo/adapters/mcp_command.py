"""`halgo mcp`: halgo as tools of an agent, over stdin and stdout."""

from __future__ import annotations

import typer

from halgo.adapters.shell import Docs, Embedder, Entailment, IndexFile, Settings, indexing, tell
from halgo.printable import printable


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(mcp)


def mcp(
    docs: Docs = None,
    index: IndexFile = None,
    config: Settings = None,
    embedder: Embedder = "minilm",
    entailment: Entailment = "default",
) -> None:
    """Serve the tools check, cite and explain to an agent (Model Context Protocol, stdio).

    With --docs or --index they answer from these; an agent may give sources of its own instead, or
    have both count. Needs the extra "mcp".
    """
    from halgo.agents.mcp import server
    from halgo.checker import Checker
    from halgo.config import Config
    from halgo.halgorithm import Halgorithm

    if docs and index is not None:
        raise typer.BadParameter("give --docs or --index, not both", param_hint="--docs / --index")
    checker = None
    if docs or index is not None:
        halgorithm = Halgorithm(
            Config.from_toml(config) if config else None,
            embedder=embedder,
            entailment=None if entailment == "none" else entailment,
        )
        if index is not None:
            checker = Checker.from_index(index, halgorithm=halgorithm)
        else:
            with indexing() as show:
                checker = Checker.from_files(list(docs or ()), halgorithm=halgorithm, progress=show)
        for warning in checker.warnings:
            tell(f"warning: {printable(warning)}")
    server(checker).run("stdio")
