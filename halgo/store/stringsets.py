"""Sets of words, amounts and dates that stay on disk, spread over the segments of an index.

What one is asked for is found by halving, and an answer is kept: claims ask for the same words
again and again. Amounts and dates are kept as strings, one for all that are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from datetime import date
from functools import lru_cache
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from halgo.evidence.columns import Arrays
from halgo.evidence.vocabulary import Vocabulary, arrays_of, by_hash, hashed

Item = TypeVar("Item")
_KEPT = 1 << 15


class StoredSet(Set[Item], Generic[Item]):
    """A set that is spread over several parts; asking for an item is quick, iterating is not.

    written: an item as a string, and read: the reverse.
    """

    def __init__(
        self,
        parts: Sequence[Mapping[str, NDArray[Any]]],
        written: Callable[[Any], str],
        read: Callable[[str], Item],
    ) -> None:
        self._parts = [Vocabulary(part) for part in parts]
        self._written, self._read = written, read
        self._held = lru_cache(_KEPT)(self._look)

    def __contains__(self, item: object) -> bool:
        return self._held(self._written(item))

    def _look(self, string: str) -> bool:
        return any(part.number(string) is not None for part in self._parts)

    def __iter__(self) -> Iterator[Item]:
        distinct = {string for part in self._parts for string in part}
        return map(self._read, sorted(distinct))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    @classmethod
    def _from_iterable(cls, items: Iterable[Any]) -> Any:
        return frozenset(items)


def string_set(strings: Iterable[str]) -> Arrays:
    """The arrays of a part."""
    return arrays_of(by_hash(strings))


def words(parts: Sequence[Mapping[str, NDArray[Any]]]) -> StoredSet[str]:
    """A stored set of strings."""
    return StoredSet(parts, str, str)


def amounts(parts: Sequence[Mapping[str, NDArray[Any]]]) -> StoredSet[tuple[float, float, str]]:
    """A stored set of (low, high, unit)."""
    return StoredSet(parts, amount_written, _amount)


def dates(parts: Sequence[Mapping[str, NDArray[Any]]]) -> StoredSet[tuple[date, date]]:
    """A stored set of (first, last)."""
    return StoredSet(parts, dates_written, _dates)


def amount_written(amount: Any) -> str:
    """(low, high, unit) as a string."""
    low, high, unit = amount
    # Adding nothing makes the zero below nothing the one that it equals.
    return f"{float(low) + 0.0!r} {float(high) + 0.0!r} {unit}"


def dates_written(dates: Any) -> str:
    """(first, last) as a string."""
    first, last = dates
    return f"{first.toordinal()} {last.toordinal()}"


def _amount(string: str) -> tuple[float, float, str]:
    low, high, unit = string.split(" ", 2)
    return float(low), float(high), unit


def _dates(string: str) -> tuple[date, date]:
    first, last = string.split(" ")
    return date.fromordinal(int(first)), date.fromordinal(int(last))


def ids_by_hash(ids: Sequence[str]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """The hashes of ids in ascending order, and the number of the id that each is of."""
    hashes = np.array([hashed(one) for one in ids], dtype=np.uint64)
    order = np.argsort(hashes, kind="stable")
    return hashes[order], order.astype(np.int64)


def places_of(string: str, hashes: NDArray[np.uint64]) -> range:
    """Where in ascending `hashes` the string may stand: hardly ever more than one place."""
    wanted = np.uint64(hashed(string))
    first = int(hashes.searchsorted(wanted))
    last = first
    while last < len(hashes) and hashes[last] == wanted:
        last += 1
    return range(first, last)
