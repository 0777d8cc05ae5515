"""Word lists: those written in the readers' tables, and those of `halgo/data`."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
# Not `calendar.month_name`: that is in the language that the application's locale is set to.
MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)


def words(listing: str) -> frozenset[str]:
    """The words of a listing that is separated by white space."""
    return frozenset(listing.split())


def lines(name: str) -> Iterator[str]:
    """The lines of `data/<name>.txt`, without comments (from "#" on) and empty lines."""
    text = resources.files("halgo").joinpath(f"data/{name}.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if content := line.partition("#")[0].strip():
            yield content
