"""Frozen dataclasses <-> columns: many small values as few arrays, read back one at a time.

The facts of 100,000 sentences as Python objects take about 10 times the memory of their columns,
and minutes rather than a second to write and read. The layout follows from the field types of
the dataclass, so a new field needs no change here.
"""

from __future__ import annotations

import types
import typing
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date
from itertools import pairwise
from typing import Any, Protocol, TypeVar, cast, overload

import numpy as np
from numpy.typing import NDArray

from halgo.evidence.sliced import Sliced
from halgo.types import Span

Item = TypeVar("Item")
Arrays = dict[str, NDArray[Any]]


class Table(Sliced[Item]):
    """A sequence of values of dataclass `kind`, kept as columns and made again when asked for.

    strings: the table of strings, which several tables may share.
    """

    def __init__(self, kind: type[Item], strings: Strings) -> None:
        self.strings = strings
        self._column = column_of(kind, strings)

    def add(self, value: Item) -> None:
        """Appends a value."""
        self._column.add(value)

    def _one(self, place: int) -> Item:
        return cast("Item", self._column.slice(place, place + 1)[0])

    def _stretch(self, start: int, end: int) -> list[Item]:
        return self._column.slice(start, end)

    def of_field(self, name: str, start: int, end: int) -> list[Any]:
        """One field of the values at [start, end), the others not made again."""
        return cast("_Record", self._column).of_field(name, start, end)

    def __iter__(self) -> Iterator[Item]:
        for start in range(0, len(self), 1024):
            yield from self._column.slice(start, min(start + 1024, len(self)))

    def __len__(self) -> int:
        return len(self._column)

    def arrays(self) -> Arrays:
        """The columns by name, for writing."""
        return self._column.arrays("")

    def fill(self, arrays: Mapping[str, NDArray[Any]], size: int, *, check: bool = True) -> None:
        """Takes `size` values from what `arrays` gave, which may come from anywhere.

        Raises ValueError for columns that are missing or do not fit together, and for numbers that
        are no values: once filled, a table makes every value of it without an error. check: whether
        numbers are looked at; without it nothing is read of arrays but how large they are.
        """
        expected = self._column.arrays("").keys()
        if arrays.keys() != expected:
            odd = sorted(arrays.keys() ^ expected)
            raise ValueError(f"columns are not those of this version: {', '.join(odd)}")
        self._column.fill("", arrays, size, check)

    def take(self, rows: NDArray[np.int64]) -> Arrays:
        """The columns of the values at `rows`, in that order, without making the values."""
        return self._column.take("", rows)

    def roles(self) -> dict[str, str]:
        """What the numbers of each column are: "strings", "ends" or "plain"; see `joined`."""
        return self._column.roles("")

    def reach(self) -> NDArray[np.int64]:
        """How far each value points: the highest end of any Span in it, 0 where it has none."""
        return self._column.reach()


class Strings:
    """A list of distinct strings; columns hold their numbers."""

    def __init__(self, strings: Sequence[str] = ()) -> None:
        self.all = list(strings)
        self._numbers: dict[str, int] | None = None

    def number(self, string: str) -> int:
        """The string's number, a new one for a new string."""
        if self._numbers is None:
            self._numbers = {known: number for number, known in enumerate(self.all)}
        number = self._numbers.setdefault(string, len(self.all))
        if number == len(self.all):
            self.all.append(string)
        return number

    def settle(self) -> None:
        """Frees what only adding needs."""
        self._numbers = None

    def arrays(self) -> Arrays:
        """The strings as UTF-8 end to end, and where each ends."""
        encoded = [string.encode("utf-8", "surrogatepass") for string in self.all]
        ends = np.cumsum([len(part) for part in encoded], dtype=np.int64)
        return {"ends": ends, "utf8": np.frombuffer(b"".join(encoded), dtype=np.uint8)}

    @classmethod
    def of(cls, arrays: Mapping[str, NDArray[Any]]) -> Strings:
        """The reverse of `arrays`. Raises KeyError or ValueError where they do not fit."""
        ends, told = _ascending(arrays["ends"]), arrays["utf8"]
        if told.dtype != np.uint8 or told.shape != (int(ends[-1]) if len(ends) else 0,):
            raise ValueError("strings end elsewhere than their table says")
        utf8 = told.tobytes()
        bounds = [0, *ends.tolist()]
        return cls([utf8[a:b].decode("utf-8", "surrogatepass") for a, b in pairwise(bounds)])

    @classmethod
    def mapped(cls, arrays: Mapping[str, NDArray[Any]]) -> Strings:
        """The reverse of `arrays` without reading them: each string is made when asked for."""
        found = cls()
        found.all = cast("list[str]", MappedStrings(arrays))
        return found


class MappedStrings(Sequence[str]):
    """Strings end to end in an array, each made when it is asked for; never changed."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        # Views give Python's own numbers, and text without a copy of its bytes.
        self._ends = np.ascontiguousarray(arrays["ends"]).data
        self._utf8 = np.ascontiguousarray(arrays["utf8"]).data

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            return [self[place] for place in range(*at.indices(len(self)))]
        start = self._ends[at - 1] if at else 0
        return str(self._utf8[start : self._ends[at]], "utf-8", "surrogatepass")

    def __len__(self) -> int:
        return len(self._ends)


class Column(Protocol):
    """Values of one type. `slice` gives those at positions [start, end); the rest as in Table."""

    def add(self, value: Any) -> None: ...
    def slice(self, start: int, end: int) -> list[Any]: ...
    def arrays(self, name: str) -> Arrays: ...
    def fill(
        self, name: str, arrays: Mapping[str, NDArray[Any]], size: int, check: bool
    ) -> None: ...
    def take(self, name: str, rows: NDArray[np.int64]) -> Arrays: ...
    def roles(self, name: str) -> dict[str, str]: ...
    def reach(self) -> NDArray[np.int64]: ...
    def __len__(self) -> int: ...


class _Plain:
    """Numbers of one machine type, turned into values by `decode`.

    bounds: the least and the highest number that `decode` has a value for; of floats any but NaN.
    """

    def __init__(
        self,
        code: str,
        encode: Callable[[Any], Any] | None = None,
        decode: Callable[[Any], Any] | None = None,
        bounds: Callable[[], tuple[int, int]] | None = None,
        role: str = "plain",
    ) -> None:
        self._code, self._encode, self._decode, self._bounds = code, encode, decode, bounds
        self._role = role
        # An array while it grows; a view of a loaded array later. Both give Python's own numbers.
        self._values: Any = array(code)

    def add(self, value: Any) -> None:
        self._values.append(self._encode(value) if self._encode else value)

    def slice(self, start: int, end: int) -> list[Any]:
        values = self._values[start:end].tolist()
        return [self._decode(value) for value in values] if self._decode else values

    def arrays(self, name: str) -> Arrays:
        return {name: np.asarray(self._values, dtype=np.dtype(self._code))}

    def fill(self, name: str, arrays: Mapping[str, NDArray[Any]], size: int, check: bool) -> None:
        found = arrays[name]
        if found.dtype != np.dtype(self._code) or found.shape != (size,):
            raise ValueError(f"column {name} has {found.dtype}{found.shape}")
        if check and self._bounds and size:
            least, most = self._bounds()
            if not least <= found.min() <= found.max() <= most:
                raise ValueError(f"column {name} has numbers that stand for nothing")
        if check and found.dtype.kind == "f" and np.isnan(found).any():
            raise ValueError(f"column {name} has what is no number")
        self._values = np.ascontiguousarray(found).data

    def take(self, name: str, rows: NDArray[np.int64]) -> Arrays:
        return {name: self.arrays(name)[name][rows]}

    def roles(self, name: str) -> dict[str, str]:
        return {name: self._role}

    def reach(self) -> NDArray[np.int64]:
        return np.zeros(len(self), dtype=np.int64)

    def __len__(self) -> int:
        return len(self._values)


class _Record:
    """Values of a dataclass: one column per field."""

    def __init__(self, cls: type[Any], strings: Strings) -> None:
        hints = typing.get_type_hints(cls)
        self._cls = cls
        self._names = [field.name for field in fields(cls)]
        self._columns = [column_of(hints[name], strings) for name in self._names]

    def add(self, value: Any) -> None:
        for name, column in zip(self._names, self._columns, strict=True):
            column.add(getattr(value, name))

    def slice(self, start: int, end: int) -> list[Any]:
        parts = [column.slice(start, end) for column in self._columns]
        return [self._cls(*values) for values in zip(*parts, strict=True)]

    def of_field(self, name: str, start: int, end: int) -> list[Any]:
        return self._columns[self._names.index(name)].slice(start, end)

    def arrays(self, name: str) -> Arrays:
        found: Arrays = {}
        for field, column in zip(self._names, self._columns, strict=True):
            found |= column.arrays(f"{name}.{field}")
        return found

    def fill(self, name: str, arrays: Mapping[str, NDArray[Any]], size: int, check: bool) -> None:
        for field, column in zip(self._names, self._columns, strict=True):
            column.fill(f"{name}.{field}", arrays, size, check)

    def take(self, name: str, rows: NDArray[np.int64]) -> Arrays:
        found: Arrays = {}
        for field, column in zip(self._names, self._columns, strict=True):
            found |= column.take(f"{name}.{field}", rows)
        return found

    def roles(self, name: str) -> dict[str, str]:
        found: dict[str, str] = {}
        for field, column in zip(self._names, self._columns, strict=True):
            found |= column.roles(f"{name}.{field}")
        return found

    def reach(self) -> NDArray[np.int64]:
        return _furthest(self._columns)

    def __len__(self) -> int:
        return len(self._columns[0])


class _Spans(_Record):
    """Spans: a record whose two numbers bound each other."""

    def __init__(self, strings: Strings) -> None:
        super().__init__(Span, strings)

    def fill(self, name: str, arrays: Mapping[str, NDArray[Any]], size: int, check: bool) -> None:
        super().fill(name, arrays, size, check)
        starts, ends = arrays[f"{name}.start"], arrays[f"{name}.end"]
        if check and ((starts < 0).any() or (ends < starts).any()):
            raise ValueError(f"column {name} has a span that ends before it starts")

    def reach(self) -> NDArray[np.int64]:
        return np.asarray(self._columns[self._names.index("end")].arrays("")[""])


class _Many:
    """Values of any number of items: the items end to end, and where each value's end.

    parts: value -> its items in an order that is the same in every process; make: the reverse.
    """

    def __init__(
        self, item: Column, parts: Callable[[Any], Iterable[Any]], make: Callable[[list[Any]], Any]
    ) -> None:
        self._item, self._parts, self._make = item, parts, make
        self._ends: Any = array("q")

    def add(self, value: Any) -> None:
        for item in self._parts(value):
            self._item.add(item)
        self._ends.append(len(self._item))

    def slice(self, start: int, end: int) -> list[Any]:
        if start >= end:
            return []
        bounds = [self._ends[start - 1] if start else 0, *self._ends[start:end].tolist()]
        first = bounds[0]
        items = self._item.slice(first, bounds[-1])
        return [self._make(items[a - first : b - first]) for a, b in pairwise(bounds)]

    def arrays(self, name: str) -> Arrays:
        return {name: np.asarray(self._ends, dtype=np.int64), **self._item.arrays(f"{name}[]")}

    def fill(self, name: str, arrays: Mapping[str, NDArray[Any]], size: int, check: bool) -> None:
        ends = _ascending(arrays[name]) if check else _whole(arrays[name])
        if len(ends) != size:
            raise ValueError(f"column {name} has {len(ends)} rows where {size} were expected")
        self._ends = ends.data
        self._item.fill(f"{name}[]", arrays, int(ends[-1]) if size else 0, check)

    def take(self, name: str, rows: NDArray[np.int64]) -> Arrays:
        ends = np.asarray(self._ends, dtype=np.int64)
        starts = np.concatenate([[0], ends[:-1]]).astype(np.int64)[rows]
        items, new = runs(starts, ends[rows])
        return {name: new, **self._item.take(f"{name}[]", items)}

    def roles(self, name: str) -> dict[str, str]:
        return {name: "ends", **self._item.roles(f"{name}[]")}

    def reach(self) -> NDArray[np.int64]:
        ends = np.asarray(self._ends, dtype=np.int64)
        found = np.zeros(len(ends), dtype=np.int64)
        starts = np.concatenate([[0], ends[:-1]]).astype(np.int64)
        held = ends > starts  # what holds no items takes none from its neighbours
        if held.any():
            found[held] = np.maximum.reduceat(self._item.reach(), starts[held])
        return found

    def __len__(self) -> int:
        return len(self._ends)


class _Fixed:
    """Tuples of a fixed number of items, one column each."""

    def __init__(self, items: Sequence[Column]) -> None:
        self._items = items

    def add(self, value: Any) -> None:
        for column, item in zip(self._items, value, strict=True):
            column.add(item)

    def slice(self, start: int, end: int) -> list[Any]:
        return list(zip(*(column.slice(start, end) for column in self._items), strict=True))

    def arrays(self, name: str) -> Arrays:
        found: Arrays = {}
        for at, column in enumerate(self._items):
            found |= column.arrays(f"{name}.{at}")
        return found

    def fill(self, name: str, arrays: Mapping[str, NDArray[Any]], size: int, check: bool) -> None:
        for at, column in enumerate(self._items):
            column.fill(f"{name}.{at}", arrays, size, check)

    def take(self, name: str, rows: NDArray[np.int64]) -> Arrays:
        found: Arrays = {}
        for at, column in enumerate(self._items):
            found |= column.take(f"{name}.{at}", rows)
        return found

    def roles(self, name: str) -> dict[str, str]:
        found: dict[str, str] = {}
        for at, column in enumerate(self._items):
            found |= column.roles(f"{name}.{at}")
        return found

    def reach(self) -> NDArray[np.int64]:
        return _furthest(self._items)

    def __len__(self) -> int:
        return len(self._items[0])


def column_of(kind: Any, strings: Strings) -> Column:
    """The column for values of type `kind`. Raises TypeError for a type that has none."""
    if kind is str:
        return _Plain(
            "i",
            strings.number,
            lambda at: strings.all[at],
            lambda: (0, len(strings.all) - 1),
            "strings",
        )
    if kind is bool:
        return _Plain("b", int, bool, lambda: (0, 1))
    if kind is int:
        return _Plain("q")
    if kind is float:
        return _Plain("d")
    if kind is date:
        days = (date.min.toordinal(), date.max.toordinal())
        return _Plain("i", date.toordinal, date.fromordinal, lambda: days)
    if kind is Span:
        return _Spans(strings)
    if is_dataclass(kind):
        return _Record(cast("type[Any]", kind), strings)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is frozenset:
        return _Many(column_of(arguments[0], strings), sorted, frozenset)
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return _Many(column_of(arguments[0], strings), iter, tuple)
    if origin is tuple and arguments:
        return _Fixed([column_of(argument, strings) for argument in arguments])
    if origin in (typing.Union, types.UnionType) and len(arguments) == 2:
        inner = next((argument for argument in arguments if argument is not type(None)), None)
        if inner is not None and type(None) in arguments:
            return _Many(
                column_of(inner, strings),
                lambda value: () if value is None else (value,),
                lambda items: items[0] if items else None,
            )
    raise TypeError(f"no column for values of type {kind!r}")


def joined(roles: Mapping[str, str], parts: Sequence[Arrays]) -> Arrays:
    """The columns of several tables of one kind, one after the other; they share their strings."""
    found: Arrays = {}
    for name, role in roles.items():
        pieces, before = [], 0
        for part in parts:
            piece = part[name]
            pieces.append(piece + before if role == "ends" else piece)
            before += int(piece[-1]) if role == "ends" and len(piece) else 0
        found[name] = np.concatenate(pieces)
    return found


def runs(
    starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The numbers of each range [start, end), range after range; and where each ends in them."""
    sizes = ends - starts
    new = np.cumsum(sizes, dtype=np.int64)
    total = int(new[-1]) if len(new) else 0
    return np.arange(total, dtype=np.int64) + np.repeat(starts - (new - sizes), sizes), new


def _whole(ends: NDArray[Any]) -> NDArray[np.int64]:
    """`ends` itself. Raises ValueError unless it is a row of whole numbers."""
    if ends.dtype != np.int64 or ends.ndim != 1:
        raise ValueError(f"ends have type {ends.dtype}{ends.shape}")
    return np.ascontiguousarray(ends)


def _ascending(ends: NDArray[Any]) -> NDArray[np.int64]:
    """`ends` itself. Raises ValueError unless they are whole numbers that never fall."""
    ends = _whole(ends)
    # Compared, not subtracted: a difference of two such numbers may be too large for one.
    if len(ends) and (ends[0] < 0 or (ends[1:] < ends[:-1]).any()):
        raise ValueError("ends do not ascend")
    return ends


def _furthest(columns: Sequence[Column]) -> NDArray[np.int64]:
    """The highest reach of several columns beside each other."""
    found = columns[0].reach()
    for column in columns[1:]:
        found = np.maximum(found, column.reach())
    return found
