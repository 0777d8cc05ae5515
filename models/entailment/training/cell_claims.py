"""Claims about the cells of a table, each with a twin that differs in value, row or direction."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from training.cells import Cell, Table, column, filled, upper
from training.examples import CONTRADICTED, ENTAILED, Example

_CLAIMS = 5  # of each table
_COMPARED = ("more", "less")
_FARTHEST = ("most", "least")
_OPPOSITE = {"more": "less", "less": "more", "most": "least", "least": "most"}


@dataclass(frozen=True, slots=True)
class Twins:
    """A true claim, a false one, and the rows and fields that tell which is which."""

    kind: str
    true: str
    false: str
    rows: tuple[int, ...]
    fields: tuple[int, ...]


def examples_of(twins: Twins, premise: str, source: str, rng: random.Random) -> list[Example]:
    """The two claims against one premise, in random order; the second is the first's twin."""
    false_part = _differing(twins.false, twins.true)
    two = [
        Example(premise, twins.true, ENTAILED, source, ()),
        Example(premise, twins.false, CONTRADICTED, source, false_part),
    ]
    first, second = two if rng.random() < 0.5 else two[::-1]
    return [first, replace(second, twin=True)]


def twins_of(table: Table, rng: random.Random) -> Iterator[Twins]:
    """Some claims of all kinds about a table, with their twins."""
    makers = (_value, _value, _value, _two, _two, _compared, _farthest, _only)
    for _ in range(_CLAIMS):
        made = rng.choice(makers)(table, rng)
        if made is not None and made.true != made.false:
            yield made


def _value(table: Table, rng: random.Random) -> Twins | None:
    return of_value(table, rng.randrange(len(table.names)), rng.randrange(len(table.fields)), rng)


def of_value(table: Table, row: int, at: int, rng: random.Random) -> Twins | None:
    """What one cell says, and what it does not."""
    field, cell = table.fields[at], table.cells[row][at]
    the = table.called(row)
    if field["kind"] == "flag":
        yes, no = (filled(rng.choice(field[way]), the) for way in ("yes", "no"))
        true, false = (yes, no) if cell.value else (no, yes)
        return Twins("value", true, false, (row,), (at,))
    says = rng.choice(field["says"])
    others = [
        cells[other]
        for cells in table.cells
        for other, of in enumerate(table.fields)
        if of["kind"] == field["kind"]
        and (other == at or rng.random() < 0.5)
        and type(cells[other].value) is type(cell.value)
    ]
    if field["kind"] == "choice":
        wrong = [value for value in field["of"] if value != cell.value]
        others = [Cell(value, value, tuple(field["of"][value])) for value in wrong]
    elif rng.random() < 0.3 or not others:
        others = column(field, table.labels[at], 1, ("", ""), rng)
    others = [
        other
        for other in others
        if other.value != cell.value
        and other.said
        and not set(other.said) & set(cell.said)
        and (not cell.month or other.month != cell.month)
    ]
    if not others:
        return None
    place = rng.randrange(12)
    true, false = (
        filled(says, the, one.said[place % len(one.said)], one.month)
        for one in (cell, rng.choice(others))
    )
    return Twins("value", true, false, (row,), (at,))


def _two(table: Table, rng: random.Random) -> Twins | None:
    """Two cells of a row in one sentence, one of them said wrongly in the twin."""
    if len(table.fields) < 2 or table.domain["names"] == "people":
        return None
    row = rng.randrange(len(table.names))
    first, second = rng.sample(range(len(table.fields)), 2)
    told = [of_value(table, row, at, rng) for at in (first, second)]
    if told[0] is None or told[1] is None:
        return None
    the = table.called(row)
    join = rng.choice((", and ", "; ", ", and ", ", but "))

    def joined(start: str, rest: str) -> str:
        rest = rest.replace(upper(the), "It", 1) if upper(the) in rest else rest.replace(the, "it")
        return start[:-1] + join + rest[0].lower() + rest[1:]

    true = joined(told[0].true, told[1].true)
    wrong = rng.choice((joined(told[0].false, told[1].true), joined(told[0].true, told[1].false)))
    return Twins("two", true, wrong, (row,), (first, second))


def _compared(table: Table, rng: random.Random) -> Twins | None:
    """Two rows by what one column says of them; the twin is turned round."""
    found = [at for at, field in enumerate(table.fields) if "more" in field]
    if not found or len(table.names) < 2:
        return None
    at = rng.choice(found)
    one, other = rng.sample(range(len(table.names)), 2)
    ours, theirs = table.cells[one][at].value, table.cells[other][at].value
    if ours == theirs:
        return None
    way = "more" if ours > theirs else "less"
    says = rng.choice(table.fields[at][way])
    true = filled(says, table.called(one), other=table.called(other))
    if rng.random() < 0.5:
        false = filled(says, table.called(other), other=table.called(one))
    else:
        turned = rng.choice(table.fields[at][_OPPOSITE[way]])
        false = filled(turned, table.called(one), other=table.called(other))
    return Twins("compared", true, false, (one, other), (at,))


def _farthest(table: Table, rng: random.Random) -> Twins | None:
    """The row with the most or the least of a column."""
    found = [(at, way) for at, f in enumerate(table.fields) for way in _FARTHEST if way in f]
    if not found or len(table.names) < 3:
        return None
    at, way = rng.choice(found)
    values = [cells[at].value for cells in table.cells]
    best = max(values) if way == "most" else min(values)
    if values.count(best) > 1:
        return None
    row = values.index(best)
    other = rng.choice([one for one in range(len(values)) if one != row])
    says, opposite = rng.choice(table.fields[at][way]), table.fields[at].get(_OPPOSITE[way])
    true = filled(says, table.called(row))
    if opposite and rng.random() < 0.4:
        false = filled(rng.choice(opposite), table.called(row))
    else:
        false = filled(says, table.called(other))
    return Twins("farthest", true, false, tuple(range(len(values))), (at,))


def _only(table: Table, rng: random.Random) -> Twins | None:
    """The one row of which something can be said."""
    found = []
    for at, field in enumerate(table.fields):
        if field["kind"] == "flag":
            values = [cells[at].value for cells in table.cells]
            for way, value in (("yes", True), ("no", False)):
                says = [said for said in field[way] if said.startswith("{The} ")]
                if values.count(value) == 1 and says:
                    found.append((at, rng.choice(says), values.index(value)))
    if not found or len(table.names) < 3:
        return None
    at, says, row = rng.choice(found)
    other = rng.choice([one for one in range(len(table.names)) if one != row])
    true, false = (f"Only {table.called(one)}{says.removeprefix('{The}')}" for one in (row, other))
    return Twins("only", true, false, tuple(range(len(table.names))), (at,))


def _differing(text: str, other: str) -> tuple[tuple[int, int], ...]:
    """The stretch of `text` that is not in `other`, in whole words."""
    ours, theirs = text.split(" "), other.split(" ")
    start = 0
    while start < min(len(ours), len(theirs)) and ours[start] == theirs[start]:
        start += 1
    end = 0
    while end < min(len(ours), len(theirs)) - start and ours[-1 - end] == theirs[-1 - end]:
        end += 1
    if start >= len(ours) - end:
        return ()
    begin = len(" ".join(ours[:start])) + (1 if start else 0)
    return ((begin, begin + len(" ".join(ours[start : len(ours) - end]))),)
