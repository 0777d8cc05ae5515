"""JSON text -> values; a key given twice keeps each of its values, and is named.

RFC 8259 leaves open what a key means that stands twice in one object; most programs take the last
value and say nothing. Here its values become a list, so that none is lost.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from halgo.printable import printable

_NAMED = 5  # keys named in one warning
_KEY = 60  # characters shown of a key

# The way to a value: the way to what holds it, and its key or position there. Only what is shown is
# written out, since keys may be long and ways deep.
_Way = tuple["_Way", str] | None


class NotOfKind(ValueError):
    """A text that is not of the kind it should be, or more than is read of it; says why."""


def loads(text: str | bytes, as_written: bool = False) -> tuple[Any, list[str]]:
    """The values of JSON text, and the paths of keys given more than once ("orders[3].status").

    as_written: numbers as text, just as they stand: 99.50 stays 99.50, 1e999 is no infinity.
    Of more than five such keys the last entry tells how many more there are. Raises ValueError
    (JSONDecodeError) for what is no JSON, RecursionError for what is nested too deeply.
    """
    repeated: dict[int, tuple[dict[str, Any], list[str]]] = {}  # by id, each kept alive here

    def made(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            found, again = all_kept(pairs)
            repeated[id(found)] = found, again
        return found

    if as_written:
        value = json.loads(
            text, object_pairs_hook=made, parse_int=str, parse_float=str, parse_constant=str
        )
    else:
        value = json.loads(text, object_pairs_hook=made)
    return value, _named(value, repeated) if repeated else []


def records(text: str) -> tuple[Any, list[str]] | None:
    """`loads` of a text that is a JSON object or array with something in it; None for others."""
    begins, ends = text.lstrip("\ufeff \t\r\n")[:1], text.rstrip()[-1:]
    if (begins, ends) not in (("{", "}"), ("[", "]")):
        return None
    try:
        value, repeated = loads(text.lstrip("\ufeff"), as_written=True)
    except (ValueError, RecursionError):
        return None
    held = value.values() if isinstance(value, dict) else value
    # "[1]" and "[draft]" may be marks of a text, and a list of words is no record.
    listed = isinstance(value, dict) or any(isinstance(one, (dict, list)) for one in held)
    return (value, repeated) if held and listed else None


def twice(repeated: Sequence[str], name: str) -> list[str]:
    """The warning about keys of `name` that `loads` found repeated; none without such keys."""
    keys = printable(", ".join(repeated))
    what = f"{name}: given more than once in one object: {keys}; each value is kept"
    return [what] if repeated else []


def all_kept(pairs: Sequence[tuple[str, Any]]) -> tuple[dict[str, Any], list[str]]:
    """An object with a list for each key that is given again, and those keys."""
    values: dict[str, list[Any]] = {}
    for key, value in pairs:
        values.setdefault(key, []).append(value)
    found = {key: given if len(given) > 1 else given[0] for key, given in values.items()}
    return found, [key for key, given in values.items() if len(given) > 1]


def _named(value: Any, repeated: Mapping[int, tuple[dict[str, Any], list[str]]]) -> list[str]:
    shown: list[str] = []
    count = 0
    for way, each in _walk(value):
        _, again = repeated.get(id(each), ({}, []))
        count += len(again)
        shown += (_written(way, key) for key in again[: _NAMED - len(shown)])
    return [*shown, f"and {count - len(shown):,} more"] if count > len(shown) else shown


def _walk(value: Any) -> Iterator[tuple[_Way, Any]]:
    """Every object and array with the way to it, in the order in which they begin."""
    left: list[tuple[_Way, Any]] = [(None, value)]
    while left:
        way, each = left.pop()
        yield way, each
        if isinstance(each, dict):
            steps = [(f".{key[:_KEY]}", one) for key, one in each.items() if _holds(one)]
        elif isinstance(each, list):
            steps = [(f"[{k}]", one) for k, one in enumerate(each) if _holds(one)]
        else:
            continue
        left += (((way, step), one) for step, one in reversed(steps))


def _holds(value: Any) -> bool:
    return isinstance(value, (dict, list)) and bool(value)


def _written(way: _Way, key: str) -> str:
    """A path; of a very deep one its last ten steps."""
    steps = [f".{key[:_KEY]}"]
    while way is not None and len(steps) < 10:
        way, step = way
        steps.append(step)
    if way is not None:
        steps.append("\N{HORIZONTAL ELLIPSIS}")
    return "".join(reversed(steps)).removeprefix(".")
