"""Converse relations: verbs that tell one relation from its two sides, as "buy" and "sell" do.

They are no opposites: "Quaye learned from Penn" and "Penn taught Quaye" say the same.
"""

from __future__ import annotations

from functools import lru_cache

from halgo.facts.words import lines


@lru_cache(maxsize=4096)
def converse(one: str, other: str) -> bool:
    """Whether two verbs, as lemmas, tell one relation from its two sides."""
    return any(
        (one in ours and other in theirs) or (other in ours and one in theirs)
        for ours, theirs in _relations()
    )


@lru_cache(maxsize=1)
def _relations() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """The verbs of each relation, from either side."""
    sides = (line.split("|") for line in lines("converse"))
    return tuple((frozenset(one.split()), frozenset(other.split())) for one, other in sides)
