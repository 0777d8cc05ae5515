"""Word lists as they are written in the readers' tables."""

from __future__ import annotations


def words(listing: str) -> frozenset[str]:
    """The words of a listing that is separated by white space."""
    return frozenset(listing.split())
