"""Tables of random cells (`schemas.toml`): what claims about rows are made of.

A schema names a kind of thing, its fields, and for each field the ways in which a sentence says
what stands in its cell.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

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


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in a cell: the value that is compared, how it is shown, how a claim says it."""

    value: Any
    shown: str
    said: tuple[str, ...]
    month: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows by name, with a cell for each field."""

    domain: Mapping[str, Any]
    fields: tuple[Mapping[str, Any], ...]
    labels: tuple[str, ...]
    names: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]  # of each row

    def called(self, row: int) -> str:
        """A row as sentences speak of it."""
        call: str = self.domain["call"]
        return call.format(name=self.names[row])


@lru_cache(maxsize=1)
def schemas() -> tuple[Mapping[str, Any], ...]:
    """What tables are about."""
    return tuple(tomllib.loads(_SCHEMAS.read_text(encoding="utf-8"))["domain"])


def random_table(rng: random.Random) -> Table:
    """A table of one schema: 2 to 6 rows, as many columns."""
    domain = rng.choice(schemas())
    many = min(len(domain["fields"]), rng.randint(2, 6))
    fields = rng.sample(domain["fields"], many)
    names = _names(domain["names"], rng.choice((2, 3, 3, 4, 5, 6)), rng)
    labels = [rng.choice(field["labels"][:2]) for field in fields]
    marks = rng.choice(_YES_NO)
    columns = [
        column(field, label, len(names), marks, rng)
        for field, label in zip(fields, labels, strict=True)
    ]
    return Table(domain, tuple(fields), tuple(labels), names, tuple(zip(*columns, strict=True)))


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


def column(
    field: Mapping[str, Any], label: str, many: int, marks: tuple[str, str], rng: random.Random
) -> list[Cell]:
    """So many cells of one column, all written in the same way."""
    kind = field["kind"]
    if kind == "flag":
        return [Cell(value, marks[0 if value else 1], ()) for value in _flags(many, rng)]
    if kind == "choice":
        found = [rng.choice(list(field["of"])) for _ in range(many)]
        return [Cell(value, value, tuple(field["of"][value])) for value in found]
    make = _MAKERS[kind]
    style = rng.random()  # one column is written in one way
    return [make(field, label, style, rng) for _ in range(many)]


def _flags(many: int, rng: random.Random) -> list[bool]:
    found = [rng.random() < 0.5 for _ in range(many)]
    if len(set(found)) == 1:
        found[rng.randrange(many)] ^= True
    return found


def _money(field: Mapping[str, Any], label: str, style: float, rng: random.Random) -> Cell:
    least, most, sign = field["of"]
    value = rng.randint(least, most) if most < 10_000 else rng.randrange(least, most, 100)
    said = (f"{sign}{value:,}", f"{value:,} {_SIGNS[sign]}", f"{sign}{value:,}")
    if style < 0.25 and most < 10_000:
        return Cell(value, f"{sign}{value}.00", said)
    return Cell(value, f"{value:,} {sign}" if style < 0.45 else f"{sign}{value:,}", said)


def _millions(field: Mapping[str, Any], label: str, style: float, rng: random.Random) -> Cell:
    least, most, sign = field["of"]
    value = rng.randint(least * 10, most * 10) / 10
    whole = (f"about {sign}{value:.0f} million",) if abs(value - round(value)) < 0.35 else ()
    return Cell(value, f"{value}", (f"{sign}{value} million", f"{sign}{value} million", *whole))


def _number(field: Mapping[str, Any], label: str, style: float, rng: random.Random) -> Cell:
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
    return Cell(value, shown, tuple(said))


def _date(field: Mapping[str, Any], label: str, style: float, rng: random.Random) -> Cell:
    year = rng.randint(*field["of"])
    month, day = rng.randint(1, 12), rng.randint(1, 28)
    name = _MONTHS.split()[month - 1]
    shown = f"{year}-{month:02}-{day:02}" if style < 0.5 else f"{day} {name} {year}"
    if style > 0.8:
        shown = f"{name[:3]} {day}, {year}"
    said = (f"{day} {name} {year}", f"{name} {day}, {year}")
    return Cell((year, month, day), shown, said, f"{name} {year}")


def _time(field: Mapping[str, Any], label: str, style: float, rng: random.Random) -> Cell:
    hour, minute = rng.randint(6, 21), rng.choice((0, 5, 10, 15, 20, 30, 40, 45, 50))
    half = "a.m." if hour < 12 else "p.m."
    twelve = (hour - 1) % 12 + 1
    said = (f"{hour}:{minute:02}", f"{twelve}:{minute:02} {half}")
    return Cell((hour, minute), f"{hour:02}:{minute:02}", said)


def _year(field: Mapping[str, Any], label: str, style: float, rng: random.Random) -> Cell:
    value = rng.randint(*field["of"])
    return Cell(value, str(value), (str(value),))


def _version(field: Mapping[str, Any], label: str, style: float, rng: random.Random) -> Cell:
    value = f"{rng.randint(1, 5)}.{rng.randint(0, 12)}"
    return Cell(value, value, (value,))


def _person(field: Mapping[str, Any], label: str, style: float, rng: random.Random) -> Cell:
    value = f"{rng.choice(_FIRST.split())} {rng.choice(_LAST.split())}"
    return Cell(value, value, (value,))


def _place(field: Mapping[str, Any], label: str, style: float, rng: random.Random) -> Cell:
    value = rng.choice(_PLACES.split())
    return Cell(value, value, (value,))


_Maker = Callable[[Mapping[str, Any], str, float, random.Random], Cell]
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


def filled(says: str, the: str, value: str = "", month: str = "", other: str = "") -> str:
    """A way of saying with its places filled: the thing, the value, the month, another thing."""
    text = says.format(The=upper(the), the=the, v=value, p=value, my=month, other=other)
    return upper(text)


def upper(text: str) -> str:
    """The text with a capital at its start."""
    return text[:1].upper() + text[1:]
