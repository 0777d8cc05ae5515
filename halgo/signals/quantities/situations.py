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
from dataclasses import dataclass, replace

from halgo.facts import units
from halgo.facts.units import YEAR
from halgo.signals.quantities import versions
from halgo.signals.quantities.likeness import likeness
from halgo.signals.quantities.relation import MOST_AMOUNTS, MOST_CLAIMED, unit_and_rate
from halgo.signals.quantities.rewriting import unit_written
from halgo.signals.quantities.told_otherwise import is_of_other_size
from halgo.signals.segments import covering, shown
from halgo.types import Date, Facts, Pair, Quantity, Span

_BEST = 0.3  # what it adds to a limit's likeness that it stands in the best sentence
_RELATED = 0.3  # how alike a limit has to be at least: in the best sentence, or of like words
_UNIT = 0.7  # or that it is written in the case's own unit: years beside years
_RANK = 0.05  # and takes from it to stand in the next passage
_WITHIN = 0.05  # how much less alike a range may be that holds the value than one that does not
_MORNING = 7 * 3600.0  # seconds; an earlier hour may be one of the afternoon
_NO_MEASURE = ("ordinal", "times")
_ENDS = re.compile(r"\s*(?:\bto\b|\band\b|\bor\b|[-\u2013\u2014])\s*")
_MODIFIED = re.compile(
    r"\b(?:only|just|exactly|about|around|roughly|a|an|at|on|in|by)\s+$", re.IGNORECASE
)
_ONLY = ("only", "just", "exactly", "about", "around", "roughly")
_ARTICLES = ("a", "an")
_SMALL = frozenset({"single", "one", "double", "both", "a", "an", "no", "first", "once", "twice"})
_OF_AGE = re.compile(
    r"\b(?:ages?|aged|old|older|young\w*|child\w*|bab(?:y|ies)|infants?)\b", re.IGNORECASE
)
_YEARS, _YOUNG = re.compile(r"\byears?\b"), re.compile(r"\b(?:months?|weeks?)\b")
_OLD = re.compile(r"\bolds?$", re.IGNORECASE)
# What makes a limit of a single value behind it: "within 30 minutes", "closes at 21:30".
_MOST = re.compile(
    r"\b(?:within|until|till|by|before|prior|up to|limit\w*|max\w*|most|deadline|close[sd]?|ends?|"
    r"no later|cap\w*|under|below|first)\b[^.,;:|]{0,24}$",
    re.IGNORECASE,
)
_LEAST = re.compile(
    r"\b(?:from|after|min\w*|least|opens?|begins?|starts?|exceed\w*|over|above|completed|reached)\b"
    r"[^.,;:|]{0,24}$",
    re.IGNORECASE,
)
# Between a case and what is said of it: "If you are 16, you cannot", "You cannot if you are 16".
_APART = re.compile(r",|\b(?:if|when|unless|because|since|as|so)\b", re.IGNORECASE)
_BOUND = re.compile(
    r"\b(up to|at most|(?:no|not) more than|more than|over|above|under|below|less than|fewer than|"
    r"at least|no less than|no fewer than|exceeding|a (?:maximum|minimum) of)\s+$",
    re.IGNORECASE,
)
_OR_SO = re.compile(
    r"\s(?:or|and)\s(?:more|less|fewer|older|over|above|under|younger|below|lower|longer|higher)\b",
    re.IGNORECASE,
)
_LOOK = 10  # characters ahead of a value
_LOOK_BACK = 30  # and ahead of a limit
_LAST = 9999  # the year of what has no end


@dataclass(frozen=True, slots=True)
class _Limit:
    """A range that a rule is for, in the measure of a case; `written`: its finite ends, in order.

    strength: how alike the two are; best: whether it stands in the best sentence; said: the range
    as the passage says it, which a model of language knows again, "" where the value says no range.
    """

    low: float
    high: float
    written: tuple[str, ...]
    strength: float
    best: bool
    said: str = ""

    def holds(self, value: float) -> bool:
        """Whether a value lies within."""
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class Lying:
    """How the value of a case is read: what stands in its place, `told`.

    other: a value that the nearest rule is for, where it is not for this one; else "". What the
    rule says of such a case it does not say of the claim's. denied: whether the claim is known to
    deny something of it.
    """

    span: Span
    told: str
    other: str = ""
    denied: bool = False


def is_beside(claimed: Quantity | Date, pair: Pair) -> bool:
    """Whether a passage has a limit that the value of a case lies beside."""
    lying = versions.case(pair)
    if lying and lying.span.overlaps(claimed.span):
        return lying.settled
    return claimed.supposed and bool(_limits(claimed, pair.claim.text, pair))


def denies(claim: str, facts: Facts, case: Span) -> bool:
    """Whether a claim denies something of the case that a value tells: "At 84 °C it is raw"."""
    for told in facts.predicates:
        if not told.negated:
            continue
        first, last = sorted((case, told.span))
        apart = _APART.search(claim, first.end, last.start) is not None
        if apart or (last == told.span and not _APART.search(claim, last.end)):
            return True
    return False


def lies_outside(pair: Pair) -> bool:
    """Whether the value of the claim's case is one that the rule of the passage is not for."""
    return any(one.other for one in as_they_lie([pair]))


def as_they_lie(pairs: Sequence[Pair]) -> list[Lying]:
    """The values of one claim's case, each as it lies beside the limits of its passages.

    pairs: the claim beside its passages, best first.
    """
    if not pairs:
        return []
    text, facts = pairs[0].claim.text, pairs[0].claim_facts
    values: list[Quantity | Date] = [
        *facts.quantities[:MOST_CLAIMED],
        *facts.dates[:MOST_CLAIMED],
    ]
    found = [one for pair in pairs if (one := versions.case(pair))][:1]
    told = [Lying(one.span, one.told, one.other, one.denied) for one in found]
    is_version = covering(one.span for one in told)
    supposed = [one for one in values if one.supposed and not is_version(one.span)]
    return [*told, *_lying(supposed, text, pairs)]


def _lying(values: Sequence[Quantity | Date], text: str, pairs: Sequence[Pair]) -> Iterator[Lying]:
    for claimed in values:
        value = _value(claimed)
        limits = [
            replace(limit, strength=limit.strength - _RANK * at)
            for at, pair in enumerate(pairs)
            for limit in _limits(claimed, text, pair)
        ]
        if value is None or not limits or any(_is_told(claimed, pair) for pair in pairs):
            continue
        best = max(limits, key=_strength)
        holding = [one for one in limits if one.holds(value)]
        if holding and max(map(_strength, holding)) >= best.strength - _WITHIN:
            best = max(holding, key=_strength)
        timed = isinstance(claimed, Date) or claimed.unit.startswith("clock")
        span, told = _in_place(claimed, text, _range(best, timed), timed)
        if best.holds(value):
            yield Lying(span, told)
        else:
            beside = _in_place(claimed, text, _beside(best, value, timed), timed)[1]
            yield Lying(span, beside, told if best.best else "")


def _strength(limit: _Limit) -> float:
    return limit.strength


def _value(claimed: Quantity | Date) -> float | None:
    """What a case is worth on the line that limits lie on; None for a range."""
    if isinstance(claimed, Date):
        middle = (claimed.first.toordinal() + claimed.last.toordinal()) / 2
        return middle if claimed.last.year < _LAST else None
    return claimed.low if claimed.low == claimed.high else None


def _limits(claimed: Quantity | Date, said: str, pair: Pair) -> list[_Limit]:
    """The limits of a passage that are of one measure with a case; [] where it has its value.

    said: the text that the value of the case stands in.
    """
    value = _value(claimed)
    if not value or claimed.span.of(said).lower() in _SMALL or _side(claimed.span, said):
        return []  # "once the first six months are over" is a limit itself
    found = list(
        _days(claimed, pair) if isinstance(claimed, Date) else _amounts(claimed, said, pair)
    )
    ends = (end for one in found for end in (one.low, one.high))
    return [] if any(math.isclose(end, value) for end in ends) else found


def _is_told(claimed: Quantity | Date, pair: Pair) -> bool:
    """Whether a passage has the very value: then it is no case that no source has to hold."""
    if isinstance(claimed, Date):
        days = (claimed.first, claimed.last)
        return any(days == (one.first, one.last) for one in pair.evidence_facts.dates)
    return any(
        one.unit == claimed.unit and claimed.low in (one.low, one.high)
        for one in pair.evidence_facts.quantities
        if one.unit
    )


def _days(claimed: Date, pair: Pair) -> Iterator[_Limit]:
    text = pair.evidence.reading.text
    for theirs in pair.evidence_facts.dates[:MOST_AMOUNTS]:
        first = -math.inf if theirs.first.year <= 1 else theirs.first.toordinal()
        last = math.inf if theirs.last.year >= _LAST else theirs.last.toordinal()
        single = math.inf not in (last, -first)
        side = _side(theirs.span, text) if single else 1
        if theirs.year_known != claimed.year_known or not side:
            continue
        if single:
            first, last = (-math.inf, last) if side < 0 else (first, math.inf)
        written, alike = shown(text, theirs.span), _alike(claimed, theirs, pair)
        if alike >= _RELATED:
            yield _Limit(first, last, (written,), alike, _is_best(theirs, pair))


def _amounts(claimed: Quantity, said: str, pair: Pair) -> Iterator[_Limit]:
    text = pair.evidence.reading.text
    for theirs in pair.evidence_facts.quantities[:MOST_AMOUNTS]:
        around = text[max(0, theirs.span.start - _LOOK_BACK) : theirs.span.end + _LOOK_BACK]
        size = _measure(claimed, theirs, around, claimed.span.of(said))
        if not size or _is_slip(claimed, theirs):
            continue
        low, high = theirs.low, theirs.high
        if low == high:
            side = _side(theirs.span, text)
            if not side:
                continue
            low, high = (-math.inf, high) if side < 0 else (low, math.inf)
        elif low == 0:
            low = -math.inf
        written = shown(text, theirs.span)
        alike = _alike(claimed, theirs, pair)
        if written.lower() in _SMALL or alike < _RELATED:
            continue
        ends = [end for end in (low, high) if abs(end) < math.inf]
        told = tuple(_end(written, at, len(ends)) for at in range(len(ends)))
        if told and _unit(told[-1]) == _unit(claimed.span.of(said)):
            alike += _UNIT
        said_so = _said(theirs.span, text, written, len(ends))
        yield _Limit(low / size, high / size, told, alike, _is_best(theirs, pair), said_so)


def _is_slip(claimed: Quantity, theirs: Quantity) -> bool:
    """Whether a case is the limit with its magnitude left out: "$2" of "up to $2 million"."""
    unit, _ = unit_and_rate(claimed)
    return (not unit or unit in units.CURRENCIES) and is_of_other_size(claimed, theirs)


def _unit(written: str) -> str:
    """The unit of an amount as it is written, one or many: "year" of "three years"."""
    return unit_written(written.split()[-1])


def _said(span: Span, text: str, written: str, ends: int) -> str:
    """A range as it is said: "up to 40 kg", "16 or older", "6-12 years"; "" of a single value."""
    if ends == 2:
        return written
    before = _BOUND.search(text[max(0, span.start - _LOOK_BACK) : span.start])
    behind = _OR_SO.match(text[span.end : span.end + _LOOK_BACK])
    return f"{before[1]} {written}" if before else f"{written}{behind[0]}" if behind else ""


def _side(span: Span, text: str) -> int:
    """On which side of a single value a rule holds: -1 below, 1 above, 0 where it is no limit."""
    ahead = text[max(0, span.start - _LOOK_BACK) : span.start]
    if _MOST.search(ahead):
        return -1
    return 1 if _LEAST.search(ahead) else 0


def _end(written: str, at: int, ends: int) -> str:
    """One end of a range as it is written: "12 years" of "6-12 years"."""
    parts = _ENDS.split(written)
    if len(parts) != 2:
        return written
    if ends < 2:  # "0 to 19"
        return parts[1]
    unit = parts[1].partition(" ")[2]
    first = parts[0] if " " in parts[0] or not unit else f"{parts[0]} {unit}"
    return parts[1] if at else first


def _measure(claimed: Quantity, theirs: Quantity, around: str, written: str) -> float:
    """By what a passage's amount is divided to be of a case's measure; 0 where it is of none.

    around: the passage's words beside it; written: the case as the claim writes it.
    """
    unit, rate = unit_and_rate(claimed)
    other, other_rate = unit_and_rate(theirs)
    if unit in _NO_MEASURE or unit.startswith("identifier") or rate != other_rate:
        return 0.0
    bounded = theirs.low != theirs.high
    if unit == "year of age":
        if other == "second":  # "up to three years", "under 18 months"; not "backdated by 6 months"
            aged = _YEARS.search(around) and _OF_AGE.search(around)
            young = _YOUNG.search(written) and _YOUNG.search(around)
            return YEAR if bounded and (aged or young) else 0.0
        bare = bounded or (not theirs.noun and _OF_AGE.search(around) is not None)
        return 1.0 if other == unit or (not other and bare) else 0.0
    if unit.startswith("clock"):  # "11:30" is of the morning where nothing else is said
        morning = unit == other or claimed.low >= _MORNING
        return 1.0 if other.startswith("clock") and morning else 0.0
    if not unit and other == "year of age":
        return 1.0
    if unit != other:
        return 0.0
    if unit:
        return 1.0
    same = likeness(claimed.noun, claimed.context, theirs.noun, theirs.context).noun
    return 1.0 if same or (bounded and same is not False) else 0.0


def _is_best(theirs: Quantity | Date, pair: Pair) -> bool:
    return theirs.span.overlaps(pair.evidence.best)


def _alike(claimed: Quantity | Date, theirs: Quantity | Date, pair: Pair) -> float:
    nouns = [one.noun if isinstance(one, Quantity) else "" for one in (claimed, theirs)]
    alike = likeness(nouns[0], claimed.context, nouns[1], theirs.context).strength
    return alike + (_BEST if _is_best(theirs, pair) else 0.0)


def _beside(limit: _Limit, value: float, timed: bool) -> str:
    """On which side of a limit a value lies that it does not hold: "more than 40 kg"."""
    more, less = ("after", "before") if timed else ("more than", "less than")
    return f"{more} {limit.written[-1]}" if limit.high < value else f"{less} {limit.written[0]}"


def _range(limit: _Limit, timed: bool) -> str:
    """A limit in words: "less than 40 kg"."""
    if limit.said:
        return limit.said
    more, less = ("after", "before") if timed else ("more than", "less than")
    if len(limit.written) == 2:
        return f"{more} {limit.written[0]} but {less} {limit.written[1]}"
    return f"{less if limit.low == -math.inf else more} {limit.written[0]}"


def _in_place(claimed: Quantity | Date, text: str, told: str, timed: bool) -> tuple[Span, str]:
    """The stretch that such words stand in place of, and they as they read there."""
    span = claimed.span
    if _OLD.search(span.of(text)):
        return span, f"person aged {told}"
    if found := _MODIFIED.search(text[max(0, span.start - _LOOK) : span.start]):
        word = found[0].strip().lower()
        if word in _ONLY or (timed and word not in _ARTICLES):
            span = Span(span.start - len(found[0]), span.end)
    return span, told
