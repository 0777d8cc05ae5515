"""Memoization by identity: what depends on passages alone is worked out once for many claims.

A passage's facts are large to hash, but an index gives the same objects to every claim.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

from halgo.types import Evidence, Facts

Value = TypeVar("Value")
_KEPT = 1024  # values of one function: for as many passages as an index keeps facts of


class ByIdentity(Generic[Value]):
    """Values by the objects that they were made of, the last ones that were made.

    Threads may share one.
    """

    def __init__(self, kept: int = _KEPT) -> None:
        self._most = kept
        # The objects stand beside the value, so that no other object gets their ids meanwhile.
        self._found: OrderedDict[tuple[int, ...], tuple[tuple[object, ...], Value]] = OrderedDict()

    def get(self, objects: tuple[object, ...], make: Callable[[], Value]) -> Value:
        """The value of these very objects, made where it is not there."""
        key = tuple(map(id, objects))
        held = self._found.get(key)
        if held is not None:
            return held[1]
        value = make()
        self._found[key] = objects, value
        while len(self._found) > self._most:
            try:
                self._found.popitem(last=False)
            except KeyError:  # another thread took the last one
                break
        return value


class OfPassage(Generic[Value]):
    """A function of a passage and its facts that remembers what it last made of passages.

    The function may depend on the passage's text, place and facts, not on the claim (so not on
    `Evidence.best` or the similarities).
    """

    def __init__(self, make: Callable[[Evidence, Facts], Value]) -> None:
        self._make, self._kept = make, ByIdentity[Value]()

    def __call__(self, evidence: Evidence, facts: Facts) -> Value:
        return self._kept.get((evidence.reading, facts), lambda: self._make(evidence, facts))


class OfFacts(Generic[Value]):
    """A function of a text's facts that remembers what it last made of them."""

    def __init__(self, make: Callable[[Facts], Value]) -> None:
        self._make, self._kept = make, ByIdentity[Value]()

    def __call__(self, facts: Facts) -> Value:
        return self._kept.get((facts,), lambda: self._make(facts))
