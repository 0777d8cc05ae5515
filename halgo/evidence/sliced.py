"""A sequence that is asked for its values one at a time or in stretches: how places are counted."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TypeVar, overload

Item = TypeVar("Item")


class Sliced(Sequence[Item]):
    """A sequence whose values are made when they are asked for."""

    @abstractmethod
    def _one(self, place: int) -> Item:
        """The value at `place`, which is in [0, len(self))."""

    def _stretch(self, start: int, end: int) -> list[Item]:
        """The values at [start, end)."""
        return [self._one(place) for place in range(start, end)]

    @overload
    def __getitem__(self, at: int) -> Item: ...
    @overload
    def __getitem__(self, at: slice) -> list[Item]: ...
    def __getitem__(self, at: int | slice) -> Item | list[Item]:
        if isinstance(at, slice):
            start, end, step = at.indices(len(self))
            if step == 1:
                return self._stretch(start, max(start, end))
            return [self._one(place) for place in range(start, end, step)]
        place = at + len(self) if at < 0 else at
        if not 0 <= place < len(self):
            raise IndexError(f"no value {at} in a sequence of {len(self)}")
        return self._one(int(place))
