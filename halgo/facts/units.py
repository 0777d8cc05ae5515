"""Names of units -> base unit and factor, so that 2.7 km and 2,700 m are one amount.

The table is data/units.txt, one line a unit: `base unit | factor | names ; symbols`. Names are
compared in lower case, symbols as written (mW is not MW). Factors are exact: decimal numbers or
quotients.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from halgo.facts.words import lines

_words = str.split

LONGEST_NAME = 4  # words
HALF_DAY, DAY, YEAR = 43_200, 86_400, 31_557_600  # seconds
RANKS = ("ordinal", "identifier")  # units of numbers that tell things apart and count nothing
NO_AMOUNTS = (*RANKS, "clock")

MAGNITUDE_SUFFIXES = {
    "k": 3, "K": 3, "mn": 6, "mln": 6, "mio": 6, "M": 6, "Mn": 6, "Mio": 6, "bn": 9, "Bn": 9,
    "BN": 9, "bln": 9, "B": 9, "tn": 12, "Tn": 12, "trn": 12,
}  # fmt: skip
MONEY_SUFFIXES = {"m": 6, "mm": 6, "MM": 6, "b": 9, "t": 12, "T": 12}  # only with a currency

# "five pounds" is money or weight; the words around it tell (`pounds`).
AMBIGUOUS_POUND = frozenset({"pound", "pounds"})
POUND_WEIGHT = Fraction("453.59237")
_WEIGHT_WORDS = frozenset(
    _words(
        "weigh weight heavy heavier lose lost gain gained mass baby newborn meat beef flour sugar "
        "potato load cargo overweight bodyweight pressure thrust fish dumbbell lift lifted"
    )
)

TIME_UNITS = {
    "second": "second", "minute": "minute", "hour": "hour", "day": "day", "week": "week",
    "month": "month", "quarter": "quarter", "year": "year", "annum": "year", "decade": "decade",
    "night": "day", "hr": "hour", "yr": "year", "min": "minute", "sec": "second",
}  # fmt: skip
_RATES = {
    "hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month", "quarterly": "quarter",
    "yearly": "year",
}  # fmt: skip
RATE_ADVERBS = {**_RATES, "annually": "year", "pa": "year", "p.a.": "year", "p. a.": "year",
                "pw": "week", "p.w.": "week", "pcm": "month", "p.c.m.": "month"}  # fmt: skip
# Behind money only: "£5 p.m." is no time of day.
MONEY_RATES = {"p/a": "year", "p/w": "week", "p/m": "month", "p/cm": "month", "pm": "month",
               "p.m.": "month", "p.m": "month"}  # fmt: skip
RATE_ADJECTIVES = {**_RATES, "annual": "year", "nightly": "day"}
_RATE_WORDS = {**RATE_ADVERBS, **RATE_ADJECTIVES}
_RATE_TOLD = re.compile(
    r"(?:\b(?:per|each|every)\s|/\s?)(?:[a-z]+\s(?:and|or)\s)?(?P<unit>[a-z]+)\b"
    rf"|\b(?P<word>{'|'.join(map(re.escape, _RATE_WORDS))})(?!\w)"
)


@dataclass(frozen=True, slots=True)
class Unit:
    """A base unit's name and how many of it one of this unit is."""

    base: str
    factor: Fraction


@dataclass(frozen=True, slots=True)
class Scale:
    """A scale of temperature: how large its degree is, and where its zero lies, in kelvins."""

    size: Fraction
    start: Fraction


SCALES = {
    "degree Celsius": Scale(Fraction(1), Fraction("273.15")),
    "degree Fahrenheit": Scale(Fraction(5, 9), Fraction("459.67") * Fraction(5, 9)),
    "kelvin": Scale(Fraction(1), Fraction(0)),
}
TEMPERATURES = frozenset({"degree", *SCALES})


def _read_table() -> tuple[dict[str, Unit], dict[str, Unit]]:
    names: dict[str, Unit] = {}
    symbols: dict[str, Unit] = {}
    for line in lines("units"):
        base, factor, written = (part.strip() for part in line.split("|"))
        plain, _, exact = written.partition(";")
        unit = Unit(base, Fraction(factor))
        names.update((name.replace("_", " "), unit) for name in plain.split())
        symbols.update((symbol, unit) for symbol in exact.split())
    return names, symbols


_NAMES, _SYMBOLS = _read_table()
_FIRST_NAMES = {unit: name for name, unit in reversed(_NAMES.items())}
CURRENCIES = frozenset(
    _words(
        "dollar euro pound yen yuan rupee franc won rouble krona peso lira real shekel bitcoin "
        "zloty koruna forint leu rand dirham riyal dinar baht rupiah ringgit shilling naira hryvnia"
    )
)
PREFIXES = frozenset(
    symbol
    for symbol, unit in _SYMBOLS.items()
    if unit.base in CURRENCIES and symbol not in ("¢", "TRY", "p", "MAD")
)


def find(written: str) -> Unit | None:
    """The unit of this name or symbol; None when it is no unit of ours.

    Words of a name are separated by one space; letter case counts for symbols only.
    """
    written = written.replace("° ", "°").replace("º ", "º")
    return _SYMBOLS.get(written) or _NAMES.get(written.lower())


def name_of(unit: Unit) -> str:
    """What a unit is called, the same for all its names: "kilowatt hour" of kWh."""
    return _FIRST_NAMES.get(unit, unit.base)


def rate_told(text: str) -> str:
    """The period of time per which the amounts under a label or heading are: "Fees per month".

    "" where it tells none, or several.
    """
    found = _RATE_TOLD.finditer(text.lower())
    told = {TIME_UNITS.get(one["unit"]) or _RATE_WORDS.get(one["word"]) for one in found} - {None}
    return told.pop() or "" if len(told) == 1 else ""


def pounds(words_around: frozenset[str]) -> Unit:
    """What "pounds" are beside these lower-case words: a weight where one of them says so."""
    if words_around & _WEIGHT_WORDS:
        return Unit("gram", POUND_WEIGHT)
    return Unit("pound", Fraction(1))
