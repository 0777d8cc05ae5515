"""Amounts in rows of tables and records: the unit and the part that the column's name gives them.

A row reads "plan: Team; storage (GB): 250" or, from JSON, "order: id 7; total gbp 948.00". There
the parse of a sentence tells little; the key before a value tells what the value is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from halgo.facts import units
from halgo.facts.aliases import folded
from halgo.facts.grammar import lemma
from halgo.facts.numbers import LABELS
from halgo.facts.numberwords import SCALES
from halgo.facts.roles import Locator
from halgo.facts.units import Unit
from halgo.types import Span

if TYPE_CHECKING:
    from spacy.tokens import Doc

_words = str.split
_FIELD = re.compile(r"(?:[^;—\n]|;(?! )|(?<! )—){1,400}")
_KEYED = re.compile(r"([^:]{1,80}):\s+")
# "Plan: Home 100 — Fee: 9", "Home 100; Fee: 9", "plan Home 100; fee 9".
_NAME = re.compile(
    r"(?:[^:;—\n]{1,60}: )?(?:[a-z]{1,30} ){0,3}"
    r"(?P<name>(?P<first>[A-Z][\w'’&.-]{0,30})(?: [A-Z][\w'’&.-]{0,30}){0,3}"
    r" \d{1,5}(?: [A-Z][\w-]{0,20}){0,3})"
    r"(?=(?: —|;) [^:;—\n]{1,60}(?:: | -?[\d.]{1,20}(?:;|$)))"
)
_BARE = re.compile(
    r"[^\W\d_]{1,30}(?:(?:19|20)\d\d)? (?:[^\W\d_]{1,30} |(?:19|20)\d\d ){0,5}"
    r"(?=[-+]?\d[\d,.]{0,40}$)"
)
# "retry_delay_ms", "session.timeout.ms", and what its value is headed by.
_SETTING = re.compile(r"[`'\"]?[A-Za-z]\w*(?:[_.-][A-Za-z]+){1,8}[`'\"]?")
_GIVEN = re.compile(r"(?:default|value|setting|min|max|recommended|current)", re.IGNORECASE)
_JSON = re.compile(r'"([^"\n]{1,60})":\s?(-?\d{1,20}(?:\.\d{1,20})?)(?=\s?[,}\]])')
_BRACKETS = re.compile(r"[(\[]([^()\[\]]{1,24})[)\]]\s*$")
_UNIT_PARTS = re.compile(r"['’]?000s?|[^\W\d_°µμ]+[23²³]?|[£€¥$%/]|[°µμ][^\W\d_]+|\S")
# "depth_m": one letter says little but behind such a word.
_LETTER = re.compile(
    r"\b(?:depth|length|height|width|distance|altitude|elevation)[ _](?P<metre>m)\s*$"
    r"|\b(?:\w{1,40}_)?(?:duration|time|timeout|latency|elapsed|ttl|interval|delay|period|lifetime|"
    r"keepalive|wait)[ _](?P<second>s)\s*$"
    r"|\b(?:weight|mass)[ _](?P<gram>g)\s*$|\b(?:volume|capacity)[ _](?P<litre>l)\s*$"
    r"|\b(?:duration|time|hours)[ _](?P<hour>h)\s*$|\bpower[ _](?P<watt>w)\s*$"
    r"|\b(?:output|production|harvest|tonnage|cargo|load)[ _](?P<tonne>t)\s*$",
    re.IGNORECASE,
)
# "Budget £000", "Revenue $m".
_SIGNED = re.compile(r"(?<=[ _,])[£€$]['’]?(?:000s?|[a-z]{1,3})\s*$", re.IGNORECASE)
_CURRENCY = re.compile(r"\bcurrency(?: code)?:?\s([A-Za-z]{3})(?=[;.,]|$| —)", re.IGNORECASE)
_UNDIVIDED = frozenset({"yen", "won"})  # whose smallest unit is the whole one
# Money in the smallest unit of its currency: "amount_minor", "total in minor units".
_MINOR = re.compile(r"[ _](?:in[ _])?minor(?:[ _]units?)?\s*$", re.IGNORECASE)
# What a letter behind it is a unit of: "output_2023_t", "output2023_t".
_YEAR = re.compile(r"(?:19|20)\d\d$")
# "Weight in g".
_IN_UNIT = re.compile(r"[ _]in[ _]([^\W\d_]{1,3})\s*$")
_NUMBER = re.compile(r"[(]?-?\d[\d,.]{0,20}[)]?")
_UNIT_KEY = re.compile(r"(?:units?|uom|unit of measure(?:ment)?)", re.IGNORECASE)
# As accounts write what is below nothing: "(12.6)", "$(3)", "£(3)m".
_NEGATIVE = re.compile(
    r"(?P<sign>[£€$]?)\((?P<figure>[^()]{1,24})\)\s?(?P<suffix>k|mn?|bn|%|)", re.IGNORECASE
)
# What may be a loss. A cost in brackets is one, and a "profit on disposal" is taken off another.
_GAIN = re.compile(
    r"\b(?:profit|surplus|earnings|result|(?:net|operating) income|ebitda?)\b(?! (?:on|from)\b)",
    re.IGNORECASE,
)
_DATED = frozenset(_words("years dates seasons vintages editions"))
# "temperature_c", "temp_f", "high_c".
_TEMPERATURE = re.compile(
    r"\b(?:temp(?:erature)?|high|low|max|min|feels[ _]like|dew[ _]?point)[ _](c|f)\s*$",
    re.IGNORECASE,
)
# "(amounts in USD million unless stated otherwise)", "All figures in thousands of euros.",
# "Throughput, thousand operations per second".
_CAPTIONED = re.compile(
    r"\((?:(?:all\s)?(?:amounts|figures|values)\s)?(?:in\s)?(?P<bracket>[^()]{2,60})\)"
    r"|\b(?:amounts|figures|values)\s(?:are\s)?in\s(?P<words>[^.,;()]{2,40})"
    r"|(?:^|[,;:–—-]\s{0,3})(?P<sign>[£€$]\s?['’]?(?:000s?|[a-z]{1,9}))\s*$"
    r"|(?:^|[,;:–—-]\s{0,3})(?:\S\s)?in\s(?P<line>[^.,;()\n]{2,24}?)\s*(?:[.:]?\s*$|,\s(?:except|unless)\b)"
    r"|[,;:–—-]\s(?P<counted>(?:thousand|million|billion)s?)\s(?:of\s)?[a-z]+(?:\sper\s[a-z]+)?\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_UNLESS = re.compile(r"[,;]?\s(?:unless|except)\b.*", re.IGNORECASE)
LONGEST_CAPTION = 400
_THOUSANDS = {"000": 3, "000s": 3, "thousands": 3, "millions": 6, "billions": 9}
# What stands as a key by itself.
_SYMBOLS = frozenset(_words("sqm sqft kg km mm cm gb mb tb kwh mw kw usd eur gbp chf ha"))
# Words that end the name of a column without being its unit.
_NOT_UNITS = frozenset(
    _words(
        "second bar won real cup cups stone foot yard ton us in pt league quarter point points "
        "may march cap pound rand time times p"
    )
)
# A key has none of these; what has one is prose with a semicolon.
_SENTENCE = frozenset(
    _words("the a an was were is are be had has have they he she it we you i and who which that")
)
# What a row of a table of money counts all the same.
_COUNTED = frozenset(
    _words(
        "employees headcount staff people persons members customers users visitors shares units "
        "number count ratio margin rate percentage"
    )
)
_MOST_FIELDS = 60
_MOST_LEMMAS = 24
_LONGEST_TELLING = 60


@dataclass(frozen=True, slots=True)
class Cell:
    """One value of a row: where it stands, what it counts, and what the row is about.

    `unit` with `scale` is what the key gives a bare number; None where it gives none. `rate` is the
    period that key or row tell of money ("Price per month"), "" where they tell none.
    `counts`: whether the key says that a number is an amount, so that 2015 visitors are no year.
    `names`: whether a number in it is part of what the row is called, which is its noun.
    `gains`: whether key or row tell of a profit or the like, where brackets are a loss.
    """

    value: Span
    unit: Unit | None
    scale: Fraction
    rate: str
    noun: str
    context: frozenset[str]
    counts: bool = False
    gains: bool = False
    names: bool = False


def read(doc: Doc) -> tuple[Cell, ...]:
    """The cells of a row; none where the text is no row."""
    text = doc.text
    if "; " not in text and " — " not in text:
        return _quoted(doc) if '":' in text else ()
    fields: list[tuple[Span, Span]] = []
    rest: list[Span] = []
    named = _named(text)
    for at, match in enumerate(_FIELD.finditer(text)):
        if at == _MOST_FIELDS:
            break
        found = None
        if at or named is None or ":" in match[0]:
            found = _field(text, match.start(), match.end(), first=at == 0 and named is None)
        if found is not None:
            fields.append(found)
        elif len(match[0]) <= _LONGEST_TELLING:
            rest.append(Span(match.start(), match.end()))
    if not fields or len(fields) + len(rest) < 2:
        return ()
    where = Locator(doc)
    told: dict[str, None] = {}
    for other in rest:
        told.update(dict.fromkeys(_lemmas(where, other)))
    for key, value in fields:
        # What the row is about: its short values in words, and what these are called.
        if len(value) <= _LONGEST_TELLING and not any(map(str.isdigit, value.of(text))):
            told.update(dict.fromkeys([*_lemmas(where, key), *_lemmas(where, value)]))
        elif text[value.start].isalpha():  # "order: id NW-1041"
            told.update(dict.fromkeys(_lemmas(where, key)))
    numbers = (field for field in fields if any(map(str.isdigit, field[1].of(text))))
    rate = units.rate_told("; ".join(other.of(text) for other in rest))
    (head, label), name = fields[0], rest[0] if rest else fields[0][1]
    keyless = name.start < head.start  # "Net debt (£m) — 2024: 41"
    called = (name if keyless else label).of(text)
    scaled = _of_table("" if keyless else head.of(text), called)
    if scaled[0] is None:
        told_unit = next((v.of(text) for k, v in fields if _UNIT_KEY.fullmatch(k.of(text))), "")
        scaled = units.find(told_unit) or scaled[0], scaled[1]
    own = _of_setting(fields[0][1].of(text))
    row = [
        _cell(where, key, value, told, rate, own if own and _GIVEN.match(key.of(text)) else scaled)
        for key, value in numbers
    ]
    row = _in_own_cents(row, text)
    if named is not None:
        row = [cell for cell in row if cell.value.start >= named.end]
        noun, around = folded(named.of(text)), frozenset(list(told)[:_MOST_LEMMAS])
        row.insert(0, Cell(named, None, Fraction(1), "", noun, around, names=True))
    gains = _GAIN.search(called) is not None
    return tuple(replace(cell, gains=True) if gains else cell for cell in row)


def _of_setting(name: str) -> tuple[Unit, Fraction] | None:
    """The unit that the name of a setting ends with, which its value is in: "retry_delay_ms"."""
    if not _SETTING.fullmatch(name):
        return None
    _, unit, scale, _ = _unit_of(re.sub(r"[.-]", "_", name))
    return (unit, scale) if unit else None


def _in_own_cents(row: list[Cell], text: str) -> list[Cell]:
    """Cents, which are read as a dollar's, as those of the currency that the row tells."""
    cents = units.find("cents")
    if cents is None or not any(cell.unit == cents for cell in row):
        return row
    told = {found[1].upper() for found in _CURRENCY.finditer(text)}
    own = units.find(told.pop()) if len(told) == 1 else None
    if own is None or own.base not in units.CURRENCIES:
        return row
    part = Fraction(1) if own.base in _UNDIVIDED else cents.factor
    mine = Unit(own.base, own.factor * part)
    return [replace(cell, unit=mine) if cell.unit == cents else cell for cell in row]


def _named(text: str) -> Span | None:
    """The name that a row begins with, where a number is part of it: "Plan: Home 100 — Fee: 9"."""
    found = _NAME.match(text)
    if found is None or found["first"].lower() in LABELS | units.TIME_UNITS.keys():
        return None
    return None if units.find(found["first"]) else Span(*found.span("name"))


def _of_table(key: str, label: str) -> tuple[Unit | None, Fraction]:
    """The unit and magnitude that the head of its first column gives a row's bare numbers.

    "€ million: Net profit — 2024: 15.6": money, or a magnitude. A label may have a unit of its own,
    "Earnings per share (€)", or count something: "Employees".
    """
    none = None, Fraction(1)
    if any(map(str.isdigit, label)):
        return none
    if _BRACKETS.search(label):
        _, unit, scale, _ = _unit_of(label)
        return unit, scale
    read = _written(key)
    if read is None or not (read[1] != 1 or (read[0] and read[0].base in units.CURRENCIES)):
        return none
    return none if "%" in label or not _COUNTED.isdisjoint(label.lower().split()) else read[:2]


def negative(value: str) -> tuple[Span, Unit | None, Fraction] | None:
    """The figure of a cell in brackets, "(12.6)", with the unit and magnitude that stand outside.

    None of other cells.
    """
    found = _NEGATIVE.fullmatch(value)
    if found is None:
        return None
    unit, scale, _ = _written(found["sign"] + found["suffix"]) or (None, Fraction(1), "")
    return Span(*found.span("figure")), unit, scale


def _quoted(doc: Doc) -> tuple[Cell, ...]:
    """The numbers of JSON that stands in a text as it is: `"total_gbp": 948`."""
    where = Locator(doc)
    found = _JSON.finditer(doc.text)
    return tuple(_cell(where, Span(*m.span(1)), Span(*m.span(2)), ()) for m in found)


def _cell(
    where: Locator,
    key: Span,
    value: Span,
    told: Iterable[str],
    of_row: str = "",
    of_table: tuple[Unit | None, Fraction] = (None, Fraction(1)),
) -> Cell:
    """A field whose value has a number, in a row that is about what is told, at the row's rate.

    of_table: the unit and magnitude of bare numbers under heads that tell none.
    """
    text = where.doc.text
    name, unit, scale, rate = _unit_of(key.of(text))
    rate = rate or units.rate_told(key.of(text)) or of_row
    if unit is None and scale == 1 and _NUMBER.fullmatch(value.of(text)):
        unit = _unit_named(name)
        if unit is None:
            unit, scale = of_table
    stated = Span(key.start, key.start + len(name))
    own = _lemmas(where, stated) or [word for word in name.lower().split("_") if word.isalpha()]
    around = frozenset([*own, *told][:_MOST_LEMMAS])
    counts = unit is not None or _is_plural(where, stated)
    gains = _GAIN.search(key.of(text)) is not None
    return Cell(value, unit, scale, rate, _noun(where, stated), around, counts, gains)


def _field(text: str, start: int, end: int, first: bool) -> tuple[Span, Span] | None:
    """(key, value) of the field at [start, end); None where it is not one."""
    while start < end and text[start] in "; —":
        start += 1
    while start < end and text[end - 1] in " .—":
        end -= 1
    if keyed := _KEYED.match(text, start, end):
        value = keyed.end()
        if value < end and not (first and _BARE.match(text[value:end])):
            return Span(start, keyed.end(1)), Span(value, end)
        start = value  # "order: total gbp 948": the key is "total gbp"
    bare = _BARE.match(text[start:end])
    if bare and _SENTENCE.isdisjoint(bare[0].lower().split()):
        at = start + bare.end()
        return Span(start, at - 1), Span(at, end)
    return None


def _unit_of(key: str) -> tuple[str, Unit | None, Fraction, str]:
    """(name without the unit, unit, magnitude, rate) of a key: "price (GBP/month)", "total_gbp"."""
    if brackets := _BRACKETS.search(key):
        read = _written(brackets[1])
        if read is not None:
            return key[: brackets.start()].rstrip(), *read
        return key[: brackets.start()].rstrip() or key, None, Fraction(1), ""
    if minor := _MINOR.search(key):
        return key[: minor.start()].rstrip(" _"), units.find("cents"), Fraction(1), ""
    if key.rstrip().endswith(("%", "£", "€", "$")):
        sign = key.rstrip()[-1]
        return key.rstrip()[:-1].rstrip(), units.find(sign), Fraction(1), ""
    if (signed := _SIGNED.search(key)) and (read := _written(signed[0])):
        return key[: signed.start()].rstrip(" _,"), *read
    if measured := _TEMPERATURE.search(key):
        return (
            key[: measured.start(1)].rstrip(" _"),
            units.find("\u00b0" + measured[1].upper()),
            Fraction(1),
            "",
        )
    if measured := _IN_UNIT.search(key):
        unit = units.find(measured[1])
        if unit is not None:
            return key[: measured.start()].rstrip(), unit, Fraction(1), ""
    if measured := _LETTER.search(key):
        name = measured.lastgroup or ""
        return key[: measured.start(name)].rstrip(" _"), units.find(name), Fraction(1), ""
    parts = re.split(r"[ _]", key.rstrip())
    last = parts[-1]
    if len(parts) > 2 and parts[-2].lower() == "per" and last.lower() in units.TIME_UNITS:
        rest = key.rstrip()[: -len(last)].rstrip(" _")[: -len("per")].rstrip(" _")
        name, unit, scale, rate = _unit_of(rest)  # "visits per week", "rain_mm_per_year"
        return name, unit, scale, rate or units.TIME_UNITS[last.lower()]
    if len(parts) > 2 and last.lower() in units.TIME_UNITS:  # "price_eur_month"
        name, unit, scale, rate = _unit_of(key.rstrip()[: -len(last)].rstrip(" _"))
        if unit is not None and unit.base in units.CURRENCIES and not rate:
            return name, unit, scale, units.TIME_UNITS[last.lower()]
    letter = len(last) == 1 and _YEAR.search(parts[-2] if len(parts) > 1 else "")
    if len(parts) > 1 and (len(last) > 1 or letter) and last.lower() not in _NOT_UNITS:
        unit = units.find(last) or units.find(last.upper())
        if unit is not None:
            return key.rstrip()[: -len(last)].rstrip(" _,"), unit, Fraction(1), ""
    return key, None, Fraction(1), ""


def _unit_named(key: str) -> Unit | None:
    """The unit that a key of one word is, "sqm: 90", or names in the plural, "minutes: 90"."""
    bare = key.islower() and key.isalpha() and (key.endswith("s") or key in _SYMBOLS)
    return units.find(key) if bare and key not in _NOT_UNITS else None


def _is_plural(where: Locator, key: Span) -> bool:
    """Whether a key names things that are counted: "visitors", "parts made"."""
    if not len(key):
        return False
    first, last = where.index(key.start), where.index(key.end - 1)
    return any(
        token.tag_ in ("NNS", "NNPS") and token.lower_ not in _DATED
        for token in where.doc[first : last + 1]
    )


def _written(unit_text: str) -> tuple[Unit | None, Fraction, str] | None:
    """A unit as columns have it, "GBP", "$m", "USD millions", "in kg", "£/month"; None if none."""
    whole = units.find(unit_text.strip())
    if whole is not None:
        return whole, Fraction(1), ""
    unit: Unit | None = None
    scale, rate, per = Fraction(1), "", False
    for part in _UNIT_PARTS.findall(unit_text):
        lower = part.lower()
        if lower in ("in", "of"):
            continue
        if lower in ("/", "per", "a"):
            per = True
        elif per and lower in units.TIME_UNITS:
            rate, per = units.TIME_UNITS[lower], False
        elif per and (whole := units.find(part)):
            rate, per = units.name_of(whole), False
        elif lower in SCALES:
            scale *= SCALES[lower]
        elif lower.lstrip("'’") in _THOUSANDS:
            scale *= 10 ** _THOUSANDS[lower.lstrip("'’")]
        elif unit is not None and (power := units.MONEY_SUFFIXES.get(part) or _suffix(part)):
            scale *= 10**power
        elif unit is None and not per and (found := units.find(part) or units.find(part.upper())):
            unit = found
        else:
            return None
    return (unit, scale, rate) if unit is not None or scale != 1 else None


# A row whose first column is called by the unit of the others: "£'000: Revenue — 2023: 4,118".
_CORNER = re.compile(r"(?P<unit>[^\s:][^:\n\u2014]{1,14}): [^:\n]{1,80} \u2014 ")


@lru_cache(maxsize=4096)
def scale_told(caption: str) -> tuple[Unit | None, Fraction] | None:
    """The money and magnitude of the numbers under a caption: "(€ thousand)", "in USD m".

    The money is None where a caption tells the magnitude alone, "(in thousands)". None where it
    tells none. caption: of at most `LONGEST_CAPTION` characters.
    """
    corner = _CORNER.match(caption)
    found = [corner["unit"]] if corner else []
    found += (next(filter(None, told.groups())) for told in _CAPTIONED.finditer(caption))
    for written in found:
        read = _written(_UNLESS.sub("", written).strip())
        if read and read[1] != 1 and (read[0] is None or read[0].base in units.CURRENCIES):
            return read[0], read[1]
    return None


def counts_things(noun: str) -> bool:
    """Whether what a number of a table of money counts is no money: "employees"."""
    return noun in _COUNTED or f"{noun}s" in _COUNTED


def _suffix(part: str) -> int:
    return units.MAGNITUDE_SUFFIXES.get(part, 0)


def _lemmas(where: Locator, span: Span) -> list[str]:
    if not len(span):
        return []
    first, last = where.index(span.start), where.index(span.end - 1)
    return [
        lemma(token)
        for token in where.doc[first : last + 1]
        if token.idx >= span.start and token.text.isalpha() and not token.is_stop
    ]


def _noun(where: Locator, key: Span) -> str:
    """What the values of a key are: its last noun, or its last word."""
    if not len(key):
        return ""
    first, last = where.index(key.start), where.index(key.end - 1)
    tokens = [t for t in where.doc[first : last + 1] if t.text.isalpha() and not t.is_stop]
    nouns = [token for token in tokens if token.pos_ in ("NOUN", "PROPN")]
    best = (nouns or tokens)[-1:]
    if best:
        return lemma(best[0])
    words = key.of(where.doc.text).lower().split("_")
    return next((word for word in reversed(words) if word.isalpha()), "")
