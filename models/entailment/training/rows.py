"""Tables and records made by rule (`schemas.toml`), and claims about their cells -> training pairs.

Labelled sets and written claims are about prose; what a check reads of a table or of a tool's
result is "Room: Gull — Price per night: €61; Sea view: no", and that "the Gull room looks out on
the sea" is wrong there takes the right row, the right column, and what the cell means. Tables with
random cells are written as Markdown, as lists or as JSON and read as a check reads them. Each claim
has a twin that differs in the value, the row or the direction. A cell by another name, two cells, a
comparison of two rows, the first of all rows; and claims of a column that is not there, which
nothing supports and nothing contradicts.
"""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from training.data import premises
from training.examples import CONTRADICTED, ENTAILED, NEUTRAL, Example

if TYPE_CHECKING:
    from halgo.protocols import Embedder

_SCHEMAS = Path(__file__).with_name("schemas.toml")
_FIRST = "Mara Joel Ines Tomas Priya Olga Hugo Lena Karim Edda Pavel Ruth Yusuf Clara Niels Amina"
_LAST = "Vollan Petrescu Okafor Lind Marchetti Dubrow Haas Tanaka Ferreira Nowak Ashby Quist Iqbal"
_PLACES = "Ardmoss Bexley Corvin Dunmere Elstow Fallow Grantham Hollin Ivel Kessel Lorne Marwick"
_MONTHS = "January February March April May June July August September October November December"
_NUMBERS = "no one two three four five six seven eight nine ten eleven twelve"
_UNITS = {
    "m": "metres",
    "km": "kilometres",
    "kg": "kilograms",
    "GB": "gigabytes",
    "mg": "milligrams",
    "km²": "square kilometres",
    "%": "percent",
}
_SIGNS = {"€": "euros", "$": "dollars", "£": "pounds"}
_YES_NO = (("yes", "no"), ("Yes", "No"), ("✓", "✗"), ("yes", "no"))
_NOTES = (
    "All figures as of the end of the month.",
    "Changes are possible at any time.",
    "Please ask if anything is unclear.",
    "This list replaces all earlier ones.",
    "See the notes at the end of the page.",
)
_CLAIMS = 5  # of each table
_COMPARED = ("more", "less")
_FARTHEST = ("most", "least")
_OPPOSITE = {"more": "less", "less": "more", "most": "least", "least": "most"}


@dataclass(frozen=True, slots=True)
class _Cell:
    """What stands in a cell: the value that is compared, how it is shown, how a claim says it."""

    value: Any
    shown: str
    said: tuple[str, ...]
    month: str = ""


@dataclass(frozen=True, slots=True)
class _Table:
    """Rows by name, with a cell for each field."""

    domain: Mapping[str, Any]
    fields: tuple[Mapping[str, Any], ...]
    labels: tuple[str, ...]
    names: tuple[str, ...]
    cells: tuple[tuple[_Cell, ...], ...]  # of each row

    def called(self, row: int) -> str:
        """A row as sentences speak of it."""
        call: str = self.domain["call"]
        return call.format(name=self.names[row])


@dataclass(frozen=True, slots=True)
class _Twins:
    """A true claim, a false one, and the rows and fields that tell which is which."""

    kind: str
    true: str
    false: str
    rows: tuple[int, ...]
    fields: tuple[int, ...]


def row_pairs(embedder: Embedder, many: int, seed: int) -> list[Example]:
    """Pairs about `many` tables; a claim's twin follows it."""
    rng = random.Random(f"rows {seed}")
    found: list[Example] = []
    for _ in range(many):
        table = _table(rng)
        text = _written(table, rng)
        for twins in _twins(table, rng):
            found += _read(embedder, text, table, twins, rng)
        found += _absent(embedder, table, rng)
    return found


def _read(
    embedder: Embedder, text: str, table: _Table, twins: _Twins, rng: random.Random
) -> list[Example]:
    """The two against what a check reads, where that holds the cells that decide."""
    held = [
        premise
        for premise in premises(embedder, [text], twins.true, both=True)
        if all(table.names[row] in premise for row in twins.rows)
        and all(table.cells[r][f].shown in premise for r in twins.rows for f in twins.fields)
    ]
    if not held:
        return []
    premise, source = rng.choice(held), f"rows: {twins.kind}"
    true = Example(premise, twins.true, ENTAILED, source, ())
    false = Example(premise, twins.false, CONTRADICTED, source, _differing(twins.false, twins.true))
    first, second = (true, false) if rng.random() < 0.5 else (false, true)
    twin = Example(second.premise, second.claim, second.label, source, second.spans, twin=True)
    return [first, twin]


def _absent(embedder: Embedder, table: _Table, rng: random.Random) -> list[Example]:
    """A claim about a column that is left out of the table."""
    gone = rng.randrange(len(table.fields))
    said = [twins for twins in (_of_value(table, r, gone, rng) for r in range(2)) if twins]
    if not said or len(table.fields) < 3:
        return []
    left = [at for at in range(len(table.fields)) if at != gone]
    without = _Table(
        table.domain,
        tuple(table.fields[at] for at in left),
        tuple(table.labels[at] for at in left),
        table.names,
        tuple(tuple(cells[at] for at in left) for cells in table.cells),
    )
    claim = rng.choice((said[0].true, said[0].false))
    premise = premises(embedder, [_written(without, rng)], claim, both=True)[0]
    return [Example(premise, claim, NEUTRAL, "rows: absent")]


# -- tables ----------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def schemas() -> tuple[Mapping[str, Any], ...]:
    """What tables are about."""
    return tuple(tomllib.loads(_SCHEMAS.read_text(encoding="utf-8"))["domain"])


def _table(rng: random.Random) -> _Table:
    domain = rng.choice(schemas())
    many = min(len(domain["fields"]), rng.randint(2, 6))
    fields = rng.sample(domain["fields"], many)
    names = _names(domain["names"], rng.choice((2, 3, 3, 4, 5, 6)), rng)
    labels = [rng.choice(field["labels"][:2]) for field in fields]
    marks = rng.choice(_YES_NO)
    columns = [
        _column(field, label, len(names), marks, rng)
        for field, label in zip(fields, labels, strict=True)
    ]
    return _Table(domain, tuple(fields), tuple(labels), names, tuple(zip(*columns, strict=True)))


def _names(names: Any, many: int, rng: random.Random) -> tuple[str, ...]:
    if names == "people":
        return tuple(
            f"{first} {last}"
            for first, last in zip(
                rng.sample(_FIRST.split(), many), rng.sample(_LAST.split(), many), strict=True
            )
        )
    if names == "codes":
        head = rng.choice(("A-", "B", "", "IC ", "T-"))
        return tuple(f"{head}{number}" for number in rng.sample(range(100, 9999), many))
    return tuple(rng.sample(names, many))


def _column(
    field: Mapping[str, Any], label: str, many: int, marks: tuple[str, str], rng: random.Random
) -> list[_Cell]:
    kind = field["kind"]
    if kind == "flag":
        return [_Cell(value, marks[0 if value else 1], ()) for value in _flags(many, rng)]
    if kind == "choice":
        found = [rng.choice(list(field["of"])) for _ in range(many)]
        return [_Cell(value, value, tuple(field["of"][value])) for value in found]
    make = _MAKERS[kind]
    style = rng.random()  # one column is written in one way
    return [make(field, label, style, rng) for _ in range(many)]


def _flags(many: int, rng: random.Random) -> list[bool]:
    found = [rng.random() < 0.5 for _ in range(many)]
    if len(set(found)) == 1:
        found[rng.randrange(many)] ^= True
    return found


def _money(field: Mapping[str, Any], label: str, style: float, rng: random.Random) -> _Cell:
    least, most, sign = field["of"]
    value = rng.randint(least, most) if most < 10_000 else rng.randrange(least, most, 100)
    said = (f"{sign}{value:,}", f"{value:,} {_SIGNS[sign]}", f"{sign}{value:,}")
    if style < 0.25 and most < 10_000:
        return _Cell(value, f"{sign}{value}.00", said)
    return _Cell(value, f"{value:,} {sign}" if style < 0.45 else f"{sign}{value:,}", said)


def _millions(field: Mapping[str, Any], label: str, style: float, rng: random.Random) -> _Cell:
    least, most, sign = field["of"]
    value = rng.randint(least * 10, most * 10) / 10
    whole = (f"about {sign}{value:.0f} million",) if abs(value - round(value)) < 0.35 else ()
    return _Cell(value, f"{value}", (f"{sign}{value} million", f"{sign}{value} million", *whole))


def _number(field: Mapping[str, Any], label: str, style: float, rng: random.Random) -> _Cell:
    least, most, unit, decimals = field["of"]
    value = round(rng.uniform(least, most), decimals) if decimals else rng.randint(least, most)
    figure = f"{value:,.{decimals}f}"
    told = f"({unit})" in label or not unit or (unit[0].isalpha() and len(unit) > 3)
    space = "" if unit == "%" and style < 0.5 else " "
    shown = figure if told else f"{figure}{space}{unit}"
    one = value == 1 and unit.endswith("s")
    long = _UNITS.get(unit, unit[:-1] if one else unit)
    short = unit[:-1] if one else unit
    said = [f"{figure}{'' if unit == '%' else ' '}{short}".strip(), f"{figure} {long}".strip()]
    words = _NUMBERS.split()
    if not decimals and 1 <= value < len(words):
        said += 2 * [f"{words[int(value)]} {long}".strip()]
    if not decimals and value == 0 and unit.isalpha() and len(unit) > 2:
        said = [f"no {long}"]
    return _Cell(value, shown, tuple(said))


def _date(field: Mapping[str, Any], label: str, style: float, rng: random.Random) -> _Cell:
    year = rng.randint(*field["of"])
    month, day = rng.randint(1, 12), rng.randint(1, 28)
    name = _MONTHS.split()[month - 1]
    shown = f"{year}-{month:02}-{day:02}" if style < 0.5 else f"{day} {name} {year}"
    if style > 0.8:
        shown = f"{name[:3]} {day}, {year}"
    said = (f"{day} {name} {year}", f"{name} {day}, {year}")
    return _Cell((year, month, day), shown, said, f"{name} {year}")


def _time(field: Mapping[str, Any], label: str, style: float, rng: random.Random) -> _Cell:
    hour, minute = rng.randint(6, 21), rng.choice((0, 5, 10, 15, 20, 30, 40, 45, 50))
    half = "a.m." if hour < 12 else "p.m."
    twelve = (hour - 1) % 12 + 1
    said = (f"{hour}:{minute:02}", f"{twelve}:{minute:02} {half}")
    return _Cell((hour, minute), f"{hour:02}:{minute:02}", said)


def _year(field: Mapping[str, Any], label: str, style: float, rng: random.Random) -> _Cell:
    value = rng.randint(*field["of"])
    return _Cell(value, str(value), (str(value),))


def _version(field: Mapping[str, Any], label: str, style: float, rng: random.Random) -> _Cell:
    value = f"{rng.randint(1, 5)}.{rng.randint(0, 12)}"
    return _Cell(value, value, (value,))


def _person(field: Mapping[str, Any], label: str, style: float, rng: random.Random) -> _Cell:
    value = f"{rng.choice(_FIRST.split())} {rng.choice(_LAST.split())}"
    return _Cell(value, value, (value,))


def _place(field: Mapping[str, Any], label: str, style: float, rng: random.Random) -> _Cell:
    value = rng.choice(_PLACES.split())
    return _Cell(value, value, (value,))


_Maker = Callable[[Mapping[str, Any], str, float, random.Random], _Cell]
_MAKERS: Mapping[str, _Maker] = {
    "money": _money,
    "millions": _millions,
    "number": _number,
    "date": _date,
    "time": _time,
    "year": _year,
    "version": _version,
    "person": _person,
    "place": _place,
}


# -- how they are written --------------------------------------------------------------------------


def _written(table: _Table, rng: random.Random) -> str:
    """The table as a document."""
    way = rng.random()
    if way < 0.3 and not any(field["kind"] == "millions" for field in table.fields):
        return _as_json(table)
    title = rng.choice(table.domain["titles"])
    above, below = (rng.choice(_NOTES) if rng.random() < 0.3 else "" for _ in range(2))
    thing = str(table.domain["thing"]).capitalize()
    shown = [[cell.shown for cell in cells] for cells in table.cells]
    if way < 0.75:
        rows = [[thing, *table.labels]]
        rows += [[name, *cells] for name, cells in zip(table.names, shown, strict=True)]
        body = _markdown(rows)
    elif way < 0.85:
        rows = [["", *table.names]]
        rows += [[label, *(cells[at] for cells in shown)] for at, label in enumerate(table.labels)]
        body = _markdown(rows)
    else:
        body = "\n".join(
            f"- {name}: "
            + ", ".join(
                f"{label.lower()} {c}" for label, c in zip(table.labels, cells, strict=True)
            )
            for name, cells in zip(table.names, shown, strict=True)
        )
    return "\n\n".join(part for part in (f"# {title}", above, body, below) if part)


def _markdown(rows: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(cells) + " |" for cells in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def _as_json(table: _Table) -> str:
    keys = [str(field["labels"][-1]) for field in table.fields]
    records = [
        {
            "id" if table.domain["names"] == "codes" else "name": name,
            **{
                key: cell.value if isinstance(cell.value, bool) else cell.shown
                for key, cell in zip(keys, cells, strict=True)
            },
        }
        for name, cells in zip(table.names, table.cells, strict=True)
    ]
    return json.dumps({str(table.domain["things"]): records}, ensure_ascii=False)


# -- claims ----------------------------------------------------------------------------------------


def _twins(table: _Table, rng: random.Random) -> Iterator[_Twins]:
    makers = (_value, _value, _value, _two, _two, _compared, _farthest, _only)
    for _ in range(_CLAIMS):
        made = rng.choice(makers)(table, rng)
        if made is not None and made.true != made.false:
            yield made


def _value(table: _Table, rng: random.Random) -> _Twins | None:
    return _of_value(table, rng.randrange(len(table.names)), rng.randrange(len(table.fields)), rng)


def _of_value(table: _Table, row: int, at: int, rng: random.Random) -> _Twins | None:
    """What one cell says, and what it does not."""
    field, cell = table.fields[at], table.cells[row][at]
    the = table.called(row)
    if field["kind"] == "flag":
        yes, no = (_filled(rng.choice(field[way]), the) for way in ("yes", "no"))
        true, false = (yes, no) if cell.value else (no, yes)
        return _Twins("value", true, false, (row,), (at,))
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
        others = [_Cell(value, value, tuple(field["of"][value])) for value in wrong]
    elif rng.random() < 0.3 or not others:
        others = _column(field, table.labels[at], 1, ("", ""), rng)
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
        _filled(says, the, one.said[place % len(one.said)], one.month)
        for one in (cell, rng.choice(others))
    )
    return _Twins("value", true, false, (row,), (at,))


def _two(table: _Table, rng: random.Random) -> _Twins | None:
    """Two cells of a row in one sentence, one of them said wrongly in the twin."""
    if len(table.fields) < 2 or table.domain["names"] == "people":
        return None
    row = rng.randrange(len(table.names))
    first, second = rng.sample(range(len(table.fields)), 2)
    told = [_of_value(table, row, at, rng) for at in (first, second)]
    if told[0] is None or told[1] is None:
        return None
    the = table.called(row)
    join = rng.choice((", and ", "; ", ", and ", ", but "))

    def joined(start: str, rest: str) -> str:
        rest = (
            rest.replace(_upper(the), "It", 1) if _upper(the) in rest else rest.replace(the, "it")
        )
        return start[:-1] + join + rest[0].lower() + rest[1:]

    true = joined(told[0].true, told[1].true)
    wrong = rng.choice((joined(told[0].false, told[1].true), joined(told[0].true, told[1].false)))
    return _Twins("two", true, wrong, (row,), (first, second))


def _compared(table: _Table, rng: random.Random) -> _Twins | None:
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
    true = _filled(says, table.called(one), other=table.called(other))
    if rng.random() < 0.5:
        false = _filled(says, table.called(other), other=table.called(one))
    else:
        turned = rng.choice(table.fields[at][_OPPOSITE[way]])
        false = _filled(turned, table.called(one), other=table.called(other))
    return _Twins("compared", true, false, (one, other), (at,))


def _farthest(table: _Table, rng: random.Random) -> _Twins | None:
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
    true = _filled(says, table.called(row))
    if opposite and rng.random() < 0.4:
        false = _filled(rng.choice(opposite), table.called(row))
    else:
        false = _filled(says, table.called(other))
    return _Twins("farthest", true, false, tuple(range(len(values))), (at,))


def _only(table: _Table, rng: random.Random) -> _Twins | None:
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
    return _Twins("only", true, false, tuple(range(len(table.names))), (at,))


def _filled(says: str, the: str, value: str = "", month: str = "", other: str = "") -> str:
    text = says.format(The=_upper(the), the=the, v=value, p=value, my=month, other=other)
    return _upper(text)


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


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
