"""The word lists of `halgo/data`: what they hold, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources


def lines(name: str) -> Iterator[str]:
    """The lines of `data/<name>.txt`, without comments (from "#" on) and empty lines."""
    text = resources.files("halgo").joinpath(f"data/{name}.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if content := line.partition("#")[0].strip():
            yield content
