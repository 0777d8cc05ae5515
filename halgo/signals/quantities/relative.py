"""Amounts told by how far they are from another: "7.11 metres, five centimetres ahead of Leal".

Leal's jump stands nowhere and is told all the same: 7.06 metres. So are "12 October, a week later
than planned" and "2,000 tonnes a day, four times that after rain". What is implied counts as
an amount of the passage, with the words that follow as what it is of.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from halgo.facts import units
from halgo.facts.period import moved
from halgo.facts.units import RANKS, YEAR
from halgo.signals.derivation.operands import cues
from halgo.signals.passages import OfPassage
from halgo.signals.quantities.figures import figure_of
from halgo.types import Date, Facts, Pair, Quantity, Span

_MOST = 60  # amounts of a passage
_NEAR = 60  # characters between the amount and its distance, and of what follows
# "A week later": no amount by itself, since "in a week" is none.
_ONE = re.compile(r"\ban? (minute|hour|day|week|fortnight|month|year)\b", re.IGNORECASE)
_COMPARED = re.compile(r"\s+(?:times\s+)?([a-z]+)\b", re.IGNORECASE)
_THAN = re.compile(r"\s+(?:than|of|the)\b", re.IGNORECASE)
# "As many", "that": so many times the amount before.
_TIMES_THAT = re.compile(r"\s+(?:as\s+(?:many|much|long|far|high|often)|that)\b", re.IGNORECASE)
_ENDS = re.compile(r"[.;:,)]|\s(?:and|but|while)\s", re.IGNORECASE)
_BREAKS = re.compile(r"[.;:]\s|\n")
_RACED = frozenset({"ahead", "behind"})
_NO_DISTANCE = (*RANKS, "fraction", "times", "percentage point")


def amounts(pair: Pair) -> list[Quantity]:
    """The amounts that a passage tells by their distance, of what the claim speaks of."""
    return [found for found in _amounts(pair.evidence, pair.evidence_facts) if _meant(found, pair)]


def moments(pair: Pair) -> list[Date]:
    """The days and years that it tells so."""
    return [found for found in _moments(pair.evidence, pair.evidence_facts) if _meant(found, pair)]


def _meant(found: Quantity | Date, pair: Pair) -> bool:
    """Whether the claim has a word of what the amount is of: "than Sudan", "than planned"."""
    said = {term.lemma for term in pair.claim_facts.terms}
    if found.context:
        return not found.context.isdisjoint(said)
    words = re.findall(r"[a-z]+", pair.claim.text.lower())  # "earlier than before"
    return not cues()["earlier"].isdisjoint(words) or "until" in words


_amounts = OfPassage(
    lambda evidence, facts: tuple(_implied(evidence.reading.text, facts)),
)
_moments = OfPassage(
    lambda evidence, facts: tuple(_implied_days(evidence.reading.text, facts)),
)


def _implied(text: str, facts: Facts) -> Iterator[Quantity]:
    """The amounts that a passage tells by their distance, or as so many times another."""
    known = facts.quantities[:_MOST]
    for apart in (*known, *_ones(text)):
        if apart.low != apart.high or not 0 < apart.low < math.inf:
            continue
        times = _TIMES_THAT.match(text, apart.span.end)
        if times and apart.unit in ("times", "fraction"):
            for other in _before(apart, known, text, None):
                value = other.low * apart.low
                yield _placed(other, value, apart.span.start, times.end(), text, facts)
            continue
        told = None if apart.unit.startswith(_NO_DISTANCE) else _distance(apart, text)
        if told is None:
            continue
        sign, end = told
        unit = "clock" if apart.unit == "second" else apart.unit
        for other in _before(apart, known, text, unit):
            value = other.low - sign * apart.low * _scale(apart, other, text)
            if value > 0:
                yield _placed(other, value, apart.span.start, end, text, facts)


def _implied_days(text: str, facts: Facts) -> Iterator[Date]:
    """The days that a passage tells by how much earlier or later they are than another."""
    for apart in (*facts.quantities[:_MOST], *_ones(text)):
        if apart.unit != "second" or apart.low != apart.high:
            continue
        told = _distance(apart, text)
        if told is None:
            continue
        for found in facts.dates[:_MOST]:
            days = _moved(found, -told[0] * apart.low)
            if days and _is_near(found.span, apart.span, text):
                span, context = _of(apart.span.start, told[1], text, facts)
                yield replace(found, first=days[0], last=days[1], span=span, context=context)
                break


def _ones(text: str) -> Iterator[Quantity]:
    """The times of an article that are compared: "an hour later"."""
    for match in _ONE.finditer(text):
        unit = units.find(match[1].lower())
        if unit is not None:
            yield Quantity(float(unit.factor), float(unit.factor), "second", Span(*match.span()))


def _moved(found: Date, seconds: float) -> tuple[date, date] | None:
    """A day so long on, or a year so many years on; None where the two do not go together."""
    years = seconds / YEAR
    whole = (found.first.month, found.first.day, found.last.month, found.last.day) == (1, 1, 12, 31)
    try:
        if whole and found.first.year == found.last.year and years == round(years):
            year = found.first.year + round(years)
            return found.first.replace(year=year), found.last.replace(year=year)
    except ValueError:  # before the year 1
        return None
    day = moved(found.first, seconds) if found.first == found.last else None
    return (day, day) if day else None


def _scale(apart: Quantity, other: Quantity, text: str) -> float:
    """What a bare distance counts: thousands of the amount's own unit, as "8,000 more" of tons."""
    figure = figure_of(other.span.of(text)) if not apart.unit and other.unit else None
    return other.low / figure if figure else 1.0


def _distance(apart: Quantity, text: str) -> tuple[int, int] | None:
    """(1 where the amount before has more of it, -1 where less; where that is said).

    None where nothing is compared, or with nothing that is named.
    """
    compared = _COMPARED.match(text, apart.span.end)
    word = compared[1].lower() if compared else ""
    sign = (word in cues()["more"]) - (word in cues()["less"])
    if compared is None or not sign:
        return None
    if word in _RACED and apart.unit != "second":
        sign = -sign
    than = _THAN.match(text, compared.end())
    named = than is not None or word in _RACED or word in ("before", "after", "above", "below")
    return (sign, than.end() if than else compared.end()) if named else None


def _before(
    apart: Quantity, known: Sequence[Quantity], text: str, unit: str | None
) -> Iterator[Quantity]:
    """The last amount before the distance of which it is told. unit: None of any."""
    for other in reversed(known):
        own = other.unit.partition("/")[0]
        counts = own == unit or (unit == "clock" and own.startswith(unit))
        counts = counts or (not unit and not own.startswith((*_NO_DISTANCE, "clock")))
        if counts and other.low == other.high and _is_near(other.span, apart.span, text):
            yield other
            return


def _is_near(one: Span, other: Span, text: str) -> bool:
    between = Span(one.end, other.start) if one.end <= other.start else Span(0, _NEAR + 1)
    return len(between) <= _NEAR and not _BREAKS.search(text, between.start, between.end)


def _placed(
    other: Quantity, value: float, start: int, end: int, text: str, facts: Facts
) -> Quantity:
    span, context = _of(start, end, text, facts)
    return replace(other, low=value, high=value, span=span, context=context)


def _of(start: int, end: int, text: str, facts: Facts) -> tuple[Span, frozenset[str]]:
    """Where what the amount is of stands, with the distance, and its words."""
    stop = _ENDS.search(text, end, end + _NEAR)
    last = stop.start() if stop else min(len(text), end + _NEAR)
    words = (term.lemma for term in facts.terms if end <= term.span.start < last)
    return Span(start, last), frozenset(words)
