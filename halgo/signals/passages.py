"""Memoization by identity: what depends on a passage alone is worked out once for many claims.

A passage's facts are large to hash, but an index gives the same objects to every claim.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

from halgo.types import Evidence, Facts, Reading

Value = TypeVar("Value")
_KEPT = 128  # passages


class OfPassage(Generic[Value]):
    """A function of a passage and its facts that remembers the passages it was last asked for.

    The function may depend on the passage's text, place and facts, not on the claim (so not on
    `Evidence.best` or the similarities). Threads may share one.
    """

    def __init__(self, make: Callable[[Evidence, Facts], Value]) -> None:
        self._make = make
        # The objects stand beside the value, so that no other object gets their ids meanwhile.
        self._found: OrderedDict[tuple[int, int], tuple[Reading, Facts, Value]] = OrderedDict()

    def __call__(self, evidence: Evidence, facts: Facts) -> Value:
        key = id(evidence.reading), id(facts)
        held = self._found.get(key)
        if held is not None:
            return held[2]
        value = self._make(evidence, facts)
        self._found[key] = (evidence.reading, facts, value)
        while len(self._found) > _KEPT:
            try:
                self._found.popitem(last=False)
            except KeyError:  # another thread took the last one
                break
        return value
