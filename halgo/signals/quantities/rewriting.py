"""A claim's amounts and dates as its passages write them, for a reader that knows no arithmetic.

That 0.78 kilowatts are 780 W, 90 minutes 1.5 hours and 4 March 2026 2026-03-04, is worked out
exactly; a model of language guesses it. Where the passages have another amount of that measure,
the claim's is told in its unit: that "three weeks" are not "28 days" a model sees by "21 days". No
value changes, only its writing, and so no false claim becomes a true one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from halgo.facts.numerals import numeral
from halgo.facts.units import HALF_DAY
from halgo.signals.quantities import captions
from halgo.signals.quantities.labelled import as_beside
from halgo.signals.quantities.likeness import likeness
from halgo.signals.quantities.one_unit import in_one_unit
from halgo.signals.quantities.relation import (
    MOST_AMOUNTS,
    MOST_CLAIMED,
    Relation,
    relation,
    unit_and_rate,
)
from halgo.signals.segments import shown
from halgo.signals.time import weekdays
from halgo.signals.time.lasting import as_dated
from halgo.types import Date, Pair, Quantity, Span

_DIGITS = re.compile(r"\d[\d,.'’ ]*\d|\d")
_PLAIN = re.compile(rf"(?<![^\s$€£(])(?:{_DIGITS.pattern})(?!\w)")  # not those of "P30D"
_CLOCK = re.compile(r"\d{1,2}:\d\d")
_LEAST, _LARGEST = 0.01, 1e7  # of what is told in another unit
_NO_MEASURE = ("", "ordinal", "times")  # units that have no other
_PARTS = 4  # "2.25 hours", but no "17.39 weeks"


def as_written(pairs: Sequence[Pair]) -> list[tuple[Span, str]]:
    """Stretches of one claim with an amount or a date, each with a passage's other writing of it.

    pairs: the claim beside its passages, best first; the first writing counts. Not of what one of
    them writes as the claim does.
    """
    if not pairs:
        return []
    if beside := as_beside(pairs[0]):
        return sorted(beside)
    text, facts = pairs[0].claim.text, pairs[0].claim_facts
    told: list[tuple[Span, list[str]]] = [
        (amount.span, _same(amount, pairs) or _in_their_unit(amount, pairs))
        for amount in facts.quantities[:MOST_CLAIMED]
    ]
    told += [(day.span, _same_day(day, pairs)) for day in facts.dates[:MOST_CLAIMED]]
    dated = [one for day in facts.dates[:MOST_CLAIMED] if (one := as_dated(day, pairs[0]))]
    # A number alone, as the cell of a table has it, has lost its unit.
    written = [
        (span, given[0])
        for span, given in told
        if given and not any(_words(span.of(text)).issuperset(_words(one)) for one in given)
    ]
    # A right weekday adds nothing to its date.
    return (
        written
        + dated
        + [(one.span, one.day.of(text)) for one in weekdays.told(text, facts) if one.right]
    )


def _words(written: str) -> set[str]:
    return set(written.casefold().replace(", ", " ").split())


def _same_day(claimed: Date, pairs: Sequence[Pair]) -> list[str]:
    """How the passages write this day or period.

    A year that the claim leaves out may be there, but none is added to words that are the claim's
    own, nor one of several.
    """
    if claimed.approximate:
        return []
    found = [
        (_days(theirs), shown(pair.evidence.reading.text, theirs.span))
        for pair in pairs
        for theirs in pair.evidence_facts.dates[:MOST_AMOUNTS]
        if not theirs.approximate and _is_same_day(claimed, theirs)
    ]
    if len({days for days, _ in found}) > 1:
        return []
    said = _words(claimed.span.of(pairs[0].claim.text))
    return [] if any(said <= _words(given) for _, given in found) else [one for _, one in found]


def _is_same_day(claimed: Date, theirs: Date) -> bool:
    if claimed.year_known:
        return theirs.year_known and _days(theirs) == _days(claimed)
    return [day[1:] for day in _days(theirs)] == [day[1:] for day in _days(claimed)]


def _days(period: Date) -> tuple[tuple[int, int, int], ...]:
    return tuple((day.year, day.month, day.day) for day in (period.first, period.last))


def _same(amount: Quantity, pairs: Sequence[Pair]) -> list[str]:
    """How the passages write this amount where it plays its part most, or what it is rounded from.

    "Within 12 months of the birth" is "within one year" there, whoever is paid for 12 months.
    """
    found = list(_writings(amount, pairs))
    most = max((alike for alike, _ in found), default=0.0)
    return [written for alike, written in found if alike == most]


def _writings(amount: Quantity, pairs: Sequence[Pair]) -> Iterator[tuple[float, str]]:
    """(likeness of its part, how it is written) of each such amount of the passages."""
    if amount.low != amount.high:
        return  # "more than 10" is met by 12, and not written so
    for pair in pairs:
        given = pair.evidence.reading.text
        for theirs in (*pair.evidence_facts.quantities[:MOST_AMOUNTS], *captions.amounts(pair)):
            # "Once a minute" is "every 60 s", but not written in its place.
            if theirs.low != theirs.high or _rate(amount) != _rate(theirs):
                continue
            related = relation(*in_one_unit(amount, pair.claim.text, theirs, given))
            # "Some 300" is no other writing of 304.
            rough = theirs.approximate and not amount.approximate
            if related is Relation.SAME or (related is Relation.ROUNDED and not rough):
                alike = likeness(amount.noun, amount.context, theirs.noun, theirs.context).strength
                yield alike, shown(given, theirs.span)


def _in_their_unit(amount: Quantity, pairs: Sequence[Pair]) -> list[str]:
    """The amount in the unit of that amount of the passages which plays its part most; or none.

    Where these are in the claim's own unit, or it would be no round number of theirs, it stays.
    """
    figure = _figure(amount)
    if figure is None or amount.unit in _NO_MEASURE:
        return []
    best, most = None, 0.0
    for pair in pairs:
        given = pair.evidence.reading.text
        for theirs in pair.evidence_facts.quantities[:MOST_AMOUNTS]:
            if not _is_of_measure(amount, theirs):
                continue
            alike = likeness(amount.noun, amount.context, theirs.noun, theirs.context).strength
            if alike > most:
                best, most = (theirs, shown(given, theirs.span)), alike
    said = shown(pairs[0].claim.text, amount.span)
    if best is None:
        return []
    told = _told_as(figure, amount, *best)
    if not told or unit_written(told) == unit_written(said):
        return []
    own = said.lower().startswith("every") or said.lower().endswith("ly")
    return [f"every {told}" if _rate(amount) == "every" and own else told]


def _is_of_measure(claim: Quantity, truth: Quantity) -> bool:
    clocks = claim.unit.startswith("clock") and truth.unit.startswith("clock")
    return claim.unit == truth.unit or clocks


def _figure(amount: Quantity) -> float | None:
    """What is written of an amount: the end of "up to 30"; None of a range."""
    ends = {end for end in (amount.low, amount.high) if 0 < end < math.inf}
    return ends.pop() if len(ends) == 1 else None


def _told_as(figure: float, claim: Quantity, truth: Quantity, written: str) -> str:
    """A figure in the unit and the writing of a passage's amount; "" where it is not round."""
    if truth.unit.startswith("clock"):
        if not _CLOCK.fullmatch(written):
            return ""
        # "Quarter past four" beside 15:45 is one of the afternoon.
        if claim.unit == "clock12" and truth.low >= HALF_DAY:
            figure += HALF_DAY
        return f"{int(figure // 3600):02}:{int(figure % 3600 // 60):02}"
    digits, size = _PLAIN.search(written), _figure(truth)
    value = numeral(digits[0].strip()) if digits else None
    if digits is None or size is None or value is None or not value.value:
        return ""
    number = figure * float(value.value) / size
    whole = Fraction(number).limit_denominator(_PARTS)
    if not _LEAST <= number < _LARGEST or not math.isclose(number, whole, rel_tol=1e-9):
        return ""
    figures = f"{float(whole):,.2f}".rstrip("0").rstrip(".")
    return written[: digits.start()] + figures + written[digits.start() + len(digits[0].strip()) :]


def _rate(amount: Quantity) -> str:
    return unit_and_rate(amount)[1]


def unit_written(written: str) -> str:
    """What is left of an amount without its figures, one or many: "week" of "3 weeks"."""
    return "".join(filter(str.isalpha, _DIGITS.sub("", written).casefold())).removesuffix("s")
