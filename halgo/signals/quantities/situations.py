"""A case beside the limits of its rule: "a parcel of 45 kg" where the sources say "up to 40 kg".

The value of a case stands in no source, and need not: what counts is between which of the values of
a rule it lies. So it is no number that the passages lack or deny, and the entailment model reads it
as it lies beside theirs: "a parcel of more than 40 kg". That is what a model of language compares
badly and arithmetic exactly. What is told is less than the claim says, and true of its value.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from halgo.signals.quantities.likeness import likeness
from halgo.signals.quantities.relation import MOST_AMOUNTS, MOST_CLAIMED, unit_and_rate
from halgo.signals.quantities.rewriting import unit_written
from halgo.types import Date, Facts, Pair, Quantity, Span

_BEST = 0.3  # what it adds to an amount's likeness that it stands in the best sentence
_UNIT = 0.3  # or that it is written in the case's own unit: years beside years
_RANK = 0.05  # and takes from it to stand in the next passage
_ALIKE = 0.3  # how much less alike another value of the same passage may be
_YEAR = 31_557_600.0  # seconds
_NO_MEASURE = ("ordinal", "times")
_WITHIN = re.compile(r"\s*(?:\bto\b|\band\b|\bor\b|[-\u2013\u2014])\s*")
_MODIFIED = re.compile(r"\b(?:only|just|exactly|a|an|at|on|in|by)\s+$", re.IGNORECASE)
_ONLY, _ARTICLES = ("only", "just", "exactly"), ("a", "an")
_OLD = re.compile(r"\bolds?$", re.IGNORECASE)
# What makes a limit of a single value behind it: "within 30 minutes", "closes at 21:30".
_BOUND = re.compile(
    r"\b(?:within|until|till|by|before|after|prior|from|than|between|up to|limit\w*|max\w*|min\w*|"
    r"least|most|deadline|close[sd]?|opens?|ends?|begins?|starts?|exceed\w*|cap\w*|over|under|"
    r"above|below)\b[^.;:|]{0,16}$",
    re.IGNORECASE,
)
_LOOK = 10  # characters ahead of a value
_LOOK_BACK = 30  # and ahead of a limit
_LAST = 9999  # the year of what has no end


@dataclass(frozen=True, slots=True)
class _Limit:
    """A value that a case lies beside: what it is worth, how it is written, how alike it is."""

    value: float
    written: str
    strength: float


def is_beside(claimed: Quantity | Date, pair: Pair) -> bool:
    """Whether a passage has a value that the value of a case lies beside."""
    return claimed.supposed and bool(_limits(claimed, pair.claim.text, pair))


def as_they_lie(pairs: Sequence[Pair]) -> list[tuple[Span, str]]:
    """Stretches of one claim with the value of a case, each as it lies beside the passages' own.

    pairs: the claim beside its passages, best first.
    """
    if not pairs:
        return []
    text, facts = pairs[0].claim.text, pairs[0].claim_facts
    return list(_lying([one for one in _values(facts) if one.supposed], text, pairs))


def case_as_it_lies(case: str, facts: Facts, pairs: Sequence[Pair]) -> str:
    """A user's own case with each of its values as it lies beside the passages' own.

    facts: those of the case.
    """
    for span, told in sorted(_lying(_values(facts), case, pairs), reverse=True):
        case = case[: span.start] + told + case[span.end :]
    return case


def _values(facts: Facts) -> list[Quantity | Date]:
    return [*facts.quantities[:MOST_CLAIMED], *facts.dates[:MOST_CLAIMED]]


def _lying(
    values: Sequence[Quantity | Date], text: str, pairs: Sequence[Pair]
) -> Iterator[tuple[Span, str]]:
    for claimed in values:
        found = [_limits(claimed, text, pair) for pair in pairs]
        best = max(
            (one for one in enumerate(found) if one[1]),
            key=lambda one: max(limit.strength for limit in one[1]) - _RANK * one[0],
            default=None,
        )
        if best is not None:
            yield _written(claimed, best[1], text)


def _value(claimed: Quantity | Date) -> float | None:
    """What a case is worth on the line that limits lie on; None for a range."""
    if isinstance(claimed, Date):
        middle = (claimed.first.toordinal() + claimed.last.toordinal()) / 2
        return middle if claimed.last.year < _LAST else None
    return claimed.low if claimed.low == claimed.high else None


def _limits(claimed: Quantity | Date, said: str, pair: Pair) -> list[_Limit]:
    """The values of a passage that are of one measure with a case, none of them its own.

    said: the text that the value of the case stands in.
    """
    value = _value(claimed)
    if value is None:
        return []
    dated = isinstance(claimed, Date)
    found = list(
        _days(claimed, pair) if isinstance(claimed, Date) else _amounts(claimed, said, pair)
    )
    if any(math.isclose(one.value, value) for one in found):
        return []  # it stands there itself
    most = max((one.strength for one in found), default=0.0)
    return [one for one in found if dated or one.strength >= most - _ALIKE]


def _days(claimed: Date, pair: Pair) -> Iterator[_Limit]:
    text = pair.evidence.reading.text
    for theirs in pair.evidence_facts.dates[:MOST_AMOUNTS]:
        if theirs.year_known != claimed.year_known or not _bounds(theirs, text):
            continue
        written = " ".join(theirs.span.of(text).split())
        for day in (theirs.first, theirs.last):
            if 1 < day.year < _LAST:
                yield _Limit(day.toordinal(), written, _alike(claimed, theirs, pair))


def _amounts(claimed: Quantity, said: str, pair: Pair) -> Iterator[_Limit]:
    text = pair.evidence.reading.text
    for theirs in pair.evidence_facts.quantities[:MOST_AMOUNTS]:
        size = measure(claimed, theirs)
        if not size or not (theirs.low != theirs.high or _bounds(theirs, text)):
            continue
        written = " ".join(theirs.span.of(text).split())
        alike = _alike(claimed, theirs, pair)
        alike += _UNIT if unit_written(written) == unit_written(claimed.span.of(said)) else 0.0
        ends = sorted({end for end in (theirs.low, theirs.high) if _is_limit(end, theirs)})
        for end in ends:
            yield _Limit(end / size, _end(written, end, ends), alike)


def _bounds(theirs: Quantity | Date, text: str) -> bool:
    """Whether a single value is told as a limit."""
    start = theirs.span.start
    return bool(_BOUND.search(text[max(0, start - _LOOK_BACK) : start]))


def _is_limit(end: float, theirs: Quantity) -> bool:
    return abs(end) < math.inf and (end != 0 or theirs.low == theirs.high)


def _end(written: str, end: float, ends: Sequence[float]) -> str:
    """One end of a range as it is written: "12 years" of "6-12 years"."""
    parts = _WITHIN.split(written)
    if len(ends) < 2 or len(parts) != 2:
        return written
    unit = parts[1].partition(" ")[2]
    first = parts[0] if " " in parts[0] or not unit else f"{parts[0]} {unit}"
    return parts[1] if end == ends[1] else first


def measure(claimed: Quantity, theirs: Quantity) -> float:
    """By what a passage's amount is divided to be of a case's measure; 0 where it is of none."""
    unit, rate = unit_and_rate(claimed)
    other, other_rate = unit_and_rate(theirs)
    if unit in _NO_MEASURE or unit.startswith("identifier") or rate != other_rate:
        return 0.0
    bounded = theirs.low != theirs.high
    if unit == "year of age":
        if other == "second":
            return _YEAR if bounded else 0.0
        return 1.0 if other == unit or (not other and bounded) else 0.0
    if unit.startswith("clock"):
        return 1.0 if other == unit else 0.0
    if not unit and other == "year of age":
        return 1.0
    if unit != other:
        return 0.0
    if unit:
        return 1.0
    same = likeness(claimed.noun, claimed.context, theirs.noun, theirs.context).noun
    return 1.0 if same or (bounded and same is not False) else 0.0


def _alike(claimed: Quantity | Date, theirs: Quantity | Date, pair: Pair) -> float:
    nouns = [one.noun if isinstance(one, Quantity) else "" for one in (claimed, theirs)]
    alike = likeness(nouns[0], claimed.context, nouns[1], theirs.context).strength
    return alike + (_BEST if theirs.span.overlaps(pair.evidence.best) else 0.0)


def _written(claimed: Quantity | Date, limits: Sequence[_Limit], text: str) -> tuple[Span, str]:
    """A value of a case, and the nearest limits below and above in its place."""
    value = _value(claimed) or 0.0
    below = max((one for one in limits if one.value < value), key=lambda o: o.value, default=None)
    above = min((one for one in limits if one.value > value), key=lambda o: o.value, default=None)
    timed = isinstance(claimed, Date) or claimed.unit.startswith("clock")
    more, less = ("after", "before") if timed else ("more than", "less than")
    if below and above:
        told = f"{more} {below.written} but {less} {above.written}"
    else:
        told = f"{more} {below.written}" if below else f"{less} {above.written if above else ''}"
    span = claimed.span
    ahead = text[max(0, span.start - _LOOK) : span.start]
    if _OLD.search(span.of(text)):
        return span, f"person aged {told}"
    if found := _MODIFIED.search(ahead):
        word = found[0].strip().lower()
        if word in _ONLY or (timed and word not in _ARTICLES):
            span = Span(span.start - len(found[0]), span.end)
    return span, told
