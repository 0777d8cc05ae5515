"""Trends: "revenue fell in 2023" beside what it was in 2022 and in 2023.

The claim says which way a measure went; the passages tell its amounts, each with its time. Two of
them are held against each other: that of the claim's time and the one before it, those of its two
times, or those that the claim gives itself ("from $260 million to $210 million"). They are chosen
by what they are said of and by their times, never by the result; where more than one amount may be
meant nothing is said.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from halgo.facts.words import MONTHS
from halgo.protocols import Lexicon
from halgo.signals.derivation.fitting import Sources
from halgo.signals.derivation.operands import STEM, Operand, cues, words_of
from halgo.signals.matching import alike
from halgo.types import Date, Facts, Pair, Quantity, Signal, Span, Stance

_WRONG, _RIGHT = 0.75, 0.8
_FEWEST = 0.3  # share of the claim's nouns that are said of its amounts
_TIMES = frozenset(word[:STEM] for word in ("year", "quarter", "month", "week", "period", "half",
                                            "end", "time"))  # fmt: skip
_ALWAYS = re.compile(
    r"\b(?:every|each) (?:year|quarter|month|time)\b|\b(?:steadily|continuously|consistently"
    r"|year after year)\b",
    re.IGNORECASE,
)
_WENT = re.compile(
    r"\b(?:go(?:es|ne)?|went|com(?:e|es)|came|mov(?:e|es|ed)|edg(?:e|es|ed)|tick(?:s|ed)?|crept"
    r"|is|are|was|were|been) (up|down)\b",
    re.IGNORECASE,
)
_JOINED = re.compile(r"\s(?:to|and|until|till)\s|[-–—]", re.IGNORECASE)
_PART_OF_YEAR = re.compile(r"(q|h)([1-4])")
_BEGINS = re.compile(r"\bfrom\s+(?:about |around |some |just |only )?[^\w\s]?$", re.IGNORECASE)
_ENDS = re.compile(
    r"^[^.;]{0,40}\bto\s+(?:about |around |some |just |only )?[^\w\s]?$", re.IGNORECASE
)
_LONGEST = 60  # characters before an amount in which its "from" stands


@dataclass(frozen=True, slots=True)
class _Told:
    """An amount with its time: its year, and the month in which its period begins or 0."""

    when: tuple[int, int]
    amount: Operand


def signals(pairs: Sequence[Pair], _: Lexicon) -> list[tuple[Signal, ...]]:
    """For each passage of one claim what its amounts say of the direction that the claim gives."""
    found: list[list[Signal]] = [[] for _ in pairs]
    if pairs:
        claim, facts = pairs[0].claim.text, pairs[0].claim_facts
        change = _change(claim, facts)
        if change is not None:
            sources = Sources(pairs)
            for one in _compared(claim, facts, change, sources):
                for row, signal in sources.spread(one[0], [part.amount for part in one[1:]]):
                    found[row].append(signal)
    return [tuple(some) for some in found]


def _change(claim: str, facts: Facts) -> tuple[int, Span] | None:
    """1 of a claim that something rose, -1 that it fell, with the verb; None of any other."""
    verbs = [term.span for term in facts.terms if term.pos == "VERB"]
    verbs += [Span(*match.span(1)) for match in _WENT.finditer(claim)]
    hedged = [said.span for said in facts.predicates if said.negated or said.frame]
    told = {
        span: sign
        for span in verbs
        for sign, name in ((1, "up"), (-1, "down"))
        if span.of(claim).lower() in cues()[name] and not any(map(span.overlaps, hedged))
    }
    ((span, sign),) = told.items() if len(told) == 1 else ((None, 0),)
    return (sign, span) if span is not None else None


def _compared(
    claim: str, facts: Facts, change: tuple[int, Span], sources: Sources
) -> Iterator[tuple[Signal, _Told, _Told]]:
    """What is said of each two amounts that are held against each other."""
    sign, verb = change
    series = _series(claim, facts, sources)
    if len(series) < 2:
        return
    own = _from_to(claim, facts)
    if own is not None:
        first, last = (
            next((one for one in series if one.amount.value == end.low), None) for end in own
        )
        if first is not None and last is not None and first.when > last.when:
            yield _signal(Stance.CONTRADICTS, verb, last, first), last, first
        return
    steps = _steps(claim, _dates(facts, verb), series)
    wrong = [(one, two) for one, two in steps if (two.amount.value - one.amount.value) * sign <= 0]
    # Within one period of several amounts the claim may mean its sum, or its end.
    if wrong and (_ALWAYS.search(claim) or len(wrong) == len(steps)):
        one, two = wrong[0]
        yield _signal(Stance.CONTRADICTS, verb, one, two), one, two
    elif steps and not wrong:
        one, two = steps[-1]
        yield _signal(Stance.SUPPORTS, verb, one, two), one, two
        if (always := _ALWAYS.search(claim)) is not None:  # an amount of time, which holds
            yield _signal(Stance.SUPPORTS, Span(*always.span()), one, two), one, two


def _from_to(claim: str, facts: Facts) -> tuple[Quantity, Quantity] | None:
    """The amounts of the first "from 120 to 90", both of one measure."""
    for first, last in pairwise(facts.quantities):
        if (
            first.unit == last.unit
            and first.low == first.high
            and last.low == last.high
            and _BEGINS.search(claim, max(0, first.span.start - _LONGEST), first.span.start)
            and _ENDS.match(claim[first.span.end : last.span.start])
        ):
            return first, last
    return None


def _series(claim: str, facts: Facts, sources: Sources) -> list[_Told]:
    """The amounts that the claim's nouns are said of, in the order of their times.

    Empty where two of one time differ, or amounts of several measures fit as well.
    """
    dated = [found.span for found in facts.dates]
    nouns = {
        word.key
        for word in words_of(claim, facts)
        if word.names
        and word.key not in _TIMES
        and not any(span.start <= word.start < span.end for span in dated)
    }
    times = _times(sources.known)
    known = [one for one in sources.known if any(times[id(one)])]
    heard = {id(one): _heard(nouns, one) for one in known}
    most = max(heard.values(), default=(0, 0))
    if not nouns or most[0] < max(1, _FEWEST * len(nouns)):
        return []
    told = [one for one in known if heard[id(one)][0] == most[0]]
    nearest = [one for one in told if heard[id(one)] == most]
    return _in_order(told, times) or _in_order(nearest, times)


def _in_order(best: Sequence[Operand], times: dict[int, tuple[int, int]]) -> list[_Told]:
    """The amounts by their times; empty where they are no one series."""
    # In a row of months the name of a column is its time; what was once is of what it is behind.
    measures = {(one.sentence[0], one.unit, one.rate) for one in best}
    counted = (one for one in best if not (_period(one) or (one.once and one.unit)))
    nouns = {one.noun.rstrip("s") for one in counted if one.noun}
    at = {times[id(one)]: one for one in best}
    differ = any(at[times[id(one)]].value != one.value for one in best)
    mixed = len({(bool(year), bool(month)) for year, month in at}) > 1
    if len(measures) != 1 or len(nouns) > 1 or differ or mixed:
        return []
    return [_Told(when, at[when]) for when in sorted(at)]


def _times(known: Sequence[Operand]) -> dict[int, tuple[int, int]]:
    """The time of each amount by its id; of "512 (2023: 540)" the first is of a year later."""
    times = {id(one): (0, 0) if one.is_moment else _when(one) for one in known}
    for one, was in pairwise(known):
        other = not one.unit and was.noun not in ("", one.noun)  # "84 nurses from three hospitals"
        alike_in = (one.sentence, one.unit, one.rate) == (was.sentence, was.unit, was.rate)
        if was.once and alike_in and not other:
            year, month = times[id(was)]
            if bool(year) != bool(times[id(one)][0]) or not any(times[id(one)]):
                year, month = times[id(was)] = (year or not month, month)
                times[id(one)] = (year + bool(year), month + (not year))
    return times


def _when(one: Operand) -> tuple[int, int]:
    """The time of an amount; in a table of months or quarters its column tells it."""
    return one.when[0], _period(one) or one.when[1]


def _period(one: Operand) -> int:
    """The first month of the period that an amount's column is named by: 4 of "Apr", "Q2"; or 0."""
    if not one.in_row:
        return 0
    if (part := _PART_OF_YEAR.fullmatch(one.noun)) is not None:
        return 1 + (int(part[2]) - 1) * (3 if part[1] == "q" else 6)
    named = [
        at for at, month in enumerate(MONTHS, 1) if len(one.noun) > 2 and month.startswith(one.noun)
    ]
    return named[0] if len(named) == 1 else 0


def _heard(nouns: set[str], one: Operand) -> tuple[int, int]:
    """How many nouns an amount is said of: in its sentence, or of a table's row in its cell.

    And how many in its own stretch.
    """
    words = one.own if one.in_row else one.own | one.near
    near, own = (
        sum(alike(noun, some) or noun == one.noun[:STEM] for noun in nouns)
        for some in (words, one.own)
    )
    return near, own


def _dates(facts: Facts, verb: Span) -> list[Date]:
    """The dates that are told of a change: "jumped in 2022 and eased in 2023" has one of each."""
    verbs = [term.span for term in facts.terms if term.pos == "VERB" and term.span != verb]
    before = max((one.end for one in verbs if one.end <= verb.start), default=0)
    after = min((one.start for one in verbs if one.start >= verb.end), default=math.inf)
    return [one for one in facts.dates if before <= one.span.start < after]


def _steps(claim: str, dates: Sequence[Date], series: Sequence[_Told]) -> list[tuple[_Told, _Told]]:
    """The two amounts that the claim's times mean, or each with the next one."""
    always = _ALWAYS.search(claim) is not None
    if not dates:
        few = always or len(series) == 2
        return list(pairwise(series)) if few else []
    begins = min(dates, key=lambda one: one.first)
    ends = max(dates, key=lambda one: one.last)
    if begins.year_known != ends.year_known:
        return []
    years = {one.when[0] for one in series}
    if not ends.year_known and len(years) > 1:
        return []
    year = None if ends.year_known else min(years)
    last, first = _at(series, ends.last, year), _at(series, begins.first, year)
    if last is None:
        last = first  # the season of 2023/24 is told by its first year
    if last is None:
        return []
    if always and first is not None:  # "every year since 2020"
        return list(pairwise(series[first : last + 1 if first < last else None]))
    if first is None or first == last:
        first = last - 1
        if first < 0:
            return []
    if begins == ends and not _JOINED.search(begins.span.of(claim)):
        return list(pairwise(series[first : last + 1]))  # "in 2023", of which quarters are told
    return [(series[first], series[last])]


def _at(series: Sequence[_Told], day: date, year: int | None) -> int | None:
    """The place of the amount whose period a day is in; None where its year is not told.

    year: that of a day that the claim gives without one.
    """
    year = day.year if year is None else year
    before = [at for at, one in enumerate(series) if one.when <= (year, day.month)]
    return before[-1] if before and series[before[-1]].when[0] == year else None


def _signal(stance: Stance, verb: Span, first: _Told, last: _Told) -> Signal:
    """first, last: in the order of their times."""
    values = first.amount.written, last.amount.written
    said = f"{_shown(first)} and {_shown(last)}"
    if stance is Stance.SUPPORTS:
        message = f"The sources have {said}."
        return Signal("derived", stance, _RIGHT, message, verb, None, values)
    rose = last.amount.value > first.amount.value
    way = "a rise" if rose else "a fall" if last.amount.value < first.amount.value else "no change"
    message = f"The sources have {said}, which is {way}."
    return Signal("not_derivable", stance, _WRONG, message, verb, None, values)


def _shown(told: _Told) -> str:
    """An amount as it is written, with the time that it is told of."""
    year, month = _when(told.amount)
    when = f"{year}-{month:02}" if month else str(year)
    when = when if year or not month else date(2000, month, 1).strftime("%b")
    return f"{told.amount.written} ({when})" if year or month else told.amount.written
