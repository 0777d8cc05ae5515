"""How the word lists of the rules are written down."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """As in "a b c" -> {"a", "b", "c"}."""
    return frozenset(text.split())


def word_list(text: str) -> tuple[str, ...]:
    """As in "a b c" -> ("a", "b", "c")."""
    return tuple(text.split())


def rows(text: str) -> list[list[str]]:
    """As in "a b c, d e" -> [["a", "b", "c"], ["d", "e"]]."""
    return [row.split() for row in text.split(",")]


def pairs(text: str) -> dict[str, str]:
    """As in "a b, c d" -> {"a": "b", "c": "d"}."""
    return {first: second for first, second in rows(text)}
