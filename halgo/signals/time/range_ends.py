"""Ends of a stretch: "breakfast is served from 7 to 10" starts at 7, and not at 10.

Both ends stand in the source, so a claim that takes the one for the other has all its words. Read
are the stretches of a passage (hours, days, months, years, amounts) and what a claim says begins or
ends at a value: "she left office in 1994" beside "prime minister from 1994 to 2001".
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise

from halgo.evidence.lexical import content_stems, stems
from halgo.facts.units import HALF_DAY
from halgo.facts.words import WEEKDAYS, words
from halgo.signals.segments import SENTENCE, shown, split
from halgo.types import Date, Facts, Pair, Quantity, Signal, Span, Stance

_WEIGHT = 0.75
_LONGEST = 6_000  # characters of a passage
_MOST = 60  # values of a passage, of a claim
_MOST_ELSE = 4  # words of a claim that says nothing but when
_LOOK = 40  # characters between "ends" and its value
_HOUR, _HOURS = 3600, 24

Value = Date | Quantity
# "Is open at 10" tells a state, "shops open at 10" when they do.
_DOES = r"(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )(?<!\bbe )"
_ROLE = re.compile(
    rf"\b(?:(?P<opens>opens|opening|{_DOES}open(?:ed)?|from)"
    rf"|(?P<closes>closes|closing|shuts|{_DOES}close[ds]?(?! to\b)|until|till)"
    r"|(?P<begins>start(?:s|ed|ing)?|beg(?:ins?|an|un|inning)|commence[sd]?|became|launch(?:es|ed)?"
    r"|(?:took|takes?|entered) office|first day)"
    r"|(?P<ends>end(?:s|ed|ing)?|finish(?:es|ed)?|stop(?:s|ped)?|conclude[sd]?|cease[sd]?"
    r"|expire[sd]?|(?:is|was|are|were) over|last day|resign(?:s|ed)?|retire[sd]?|stepped down"
    r"|le(?:ft|aves?) (?:office|power|the (?:post|job|role))))\b",
    re.IGNORECASE,
)
_JOIN = re.compile(r"\s*(?:to|until|till|through|[-–—])\s*(?:[$€£]\s?)?", re.IGNORECASE)
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween\s+$", re.IGNORECASE)
_FROM = re.compile(r"\b(?:from|between)\s+\S?$", re.IGNORECASE)
_STRETCH = re.compile(r"\w\s*(?:[-–—]|\b(?:to|and|until|till|through)\b)\s*\w", re.IGNORECASE)
_DAY = re.compile(rf"\b(?:{'|'.join(WEEKDAYS)})\b", re.IGNORECASE)
_CUT = re.compile(r"[;,(\n]|\b(?:and|but|while|then)\b", re.IGNORECASE)
_SHUT = re.compile(
    r"\b(?:closed|shut|closure|out of service|under (?:repair|renovation|maintenance))\b", re.I
)
_AGAIN = re.compile(r"\bagain\b", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:not|never|no|except)\b|n['’]t\b", re.IGNORECASE)
_PRONOUN = re.compile(r"\s*(?:it|they|he|she|this|these)\b", re.IGNORECASE)
_RELATIVE = re.compile(r"\s*(?:which|who|that)\b", re.IGNORECASE)
# Words of any claim about a beginning or an end: they tell no two things apart.
_IDLE = frozenset(
    stem
    for word in words(
        "hour hours time times day days date office term post job role service run runs running "
        "each every year daily week open again am pm"
    ).union(WEEKDAYS)
    for stem in stems(word)
)


@dataclass(frozen=True, slots=True)
class Stretch:
    """What lasts from one value to another.

    own: the stems of the clause that tells it. owners: with those that its pronoun may stand for.
    """

    first: Value
    last: Value
    span: Span
    own: frozenset[str] = frozenset()
    owners: frozenset[str] = frozenset()
    shut: bool = False  # whether something is closed then


@dataclass(frozen=True, slots=True)
class _End:
    """A claim's "closes at 5": the value, whether it is an end, and whether of being open."""

    value: Value
    is_end: bool
    of_opening: bool


def signals(pair: Pair) -> list[Signal]:
    """At most one: `date_conflict` or `schedule_agrees`, of what a claim says begins or ends when.

    None where a value of the claim has another part, or where stretches of the passage disagree.
    """
    claim = pair.claim.text
    read = None if _DENIED.search(claim) else _ends_of(claim, pair.claim_facts)
    if read is None:
        return []
    ends, subject = read
    text = pair.evidence.reading.text[:_LONGEST]
    stretches = _of_subject(subject, pair, text)
    judged = [(end, one, _agrees(end, one)) for end in ends for one in stretches]
    if not judged or any(agrees is None for *_, agrees in judged):
        return []
    if _AGAIN.search(claim) and not all(one.shut for one in stretches):
        return []  # what opens again has a beginning before
    if len({agrees for *_, agrees in judged}) > 1:
        return []
    end, stretch, agrees = judged[0]
    said, given = shown(claim, end.value.span), shown(text, stretch.span)
    spans = end.value.span, stretch.span
    if not agrees:
        part = "ends" if end.is_end else "begins"
        message = f"The claim says that it {part} at {said}; the source says {given}."
        return [
            Signal("date_conflict", Stance.CONTRADICTS, _WEIGHT, message, *spans, (said, given))
        ]
    if not subject <= stretch.own or len(subject) > _MOST_ELSE or len(ends) > 1:
        return []  # the claim says something else as well
    message = f"The source says {given}."
    return [Signal("schedule_agrees", Stance.SUPPORTS, _WEIGHT, message, *spans, (said, given))]


def _ends_of(claim: str, facts: Facts) -> tuple[list[_End], frozenset[str]] | None:
    """What a claim says begins or ends at its values, and its other words; None if not of all."""
    values = _values(claim, facts)
    roles = list(_ROLE.finditer(claim))
    found: list[_End] = []
    used: list[Span] = []
    end = 0
    for value in values:
        before = [r for r in roles if end <= r.start() and r.end() <= value.span.start]
        behind = [r for r in roles if r.start() >= value.span.end] if not found else []
        role = before[-1] if before else behind[0] if behind and len(values) == 1 else None
        if role is None or value.span.start - role.end() > _LOOK or value.approximate:
            return None
        dated = isinstance(value, Date) or value.unit == "weekday"
        if role[0].lower() == "from" and dated:
            return None  # "letters from 1912" begin nothing
        of_opening = bool(role["opens"] or role["closes"])
        if of_opening and isinstance(value, Quantity) and value.unit == "weekday":
            return None  # "opens on Saturdays"
        found.append(_End(value, bool(role["ends"] or role["closes"]), of_opening))
        used += [Span(*role.span()), value.span]
        end = value.span.end
    if not found:
        return None
    rest = "".join(" " if any(s.start <= at < s.end for s in used) else sign
                   for at, sign in enumerate(claim))  # fmt: skip
    return found, _stems(rest)


def _stems(text: str) -> frozenset[str]:
    return frozenset(s for s in content_stems(text) if s not in _IDLE and not s[0].isdecimal())


def _values(text: str, facts: Facts) -> list[Value]:
    """Dates, amounts and weekdays of a text, in order."""
    days = (
        Quantity(at, at, "weekday", Span(*match.span()))
        for match in _DAY.finditer(text)
        for at in (WEEKDAYS.index(match[0].lower()),)
    )
    found: list[Value] = [*facts.dates, *facts.quantities, *days]
    return sorted(found, key=lambda value: value.span.start)[:_MOST]


def _of_subject(subject: frozenset[str], pair: Pair, text: str) -> Sequence[Stretch]:
    """The stretches of a passage that are of what a claim is about."""
    found = list(_stretches(pair, text))
    if not subject:
        return [one for one in found if one.span.overlaps(pair.evidence.best)]
    shared = [len(subject & one.owners) for one in found]
    most = max(shared, default=0)
    if most < len(subject) / 2:
        return []
    chosen = [one for one, share in zip(found, shared, strict=True) if share == most]
    # "Late breakfast" is spoken of elsewhere; this stretch is of another.
    missing = subject - frozenset[str]().union(*(one.owners for one in chosen))
    return chosen if missing.isdisjoint(stems(text)) else []


def _stretches(pair: Pair, text: str) -> Iterator[Stretch]:
    over = _stems(f"{pair.evidence.heading}\n{pair.evidence.lead_in}")
    read = list(_read(text, pair.evidence_facts))
    for sentence in split(SENTENCE, Span(0, len(text)), text):
        inside = [one for one in read if sentence.start <= one.span.start < sentence.end]
        for one in inside:
            clause = _clause(one.span, sentence, text, inside)
            told = clause.of(text)
            if _DENIED.search(told):
                continue
            own = _stems(told) | over
            owners = own | _stems(text[: clause.start]) if _PRONOUN.match(told) else own
            yield replace(one, own=own, owners=owners, shut=_SHUT.search(told) is not None)


def _clause(stretch: Span, sentence: Span, text: str, inside: Sequence[Stretch]) -> Span:
    """The part of a sentence that tells what a stretch is of."""
    others = [one.span for one in inside]
    cuts = [Span(*cut.span()) for cut in _CUT.finditer(text, sentence.start, sentence.end)]
    cuts = [cut for cut in cuts if not any(other.overlaps(cut) for other in others)]
    end = min((cut.start for cut in cuts if cut.start >= stretch.end), default=sentence.end)
    starts = [sentence.start, *(cut.end for cut in cuts if cut.end <= stretch.start)]
    named = (
        at for at in reversed(starts) if _stems(text[at:end]) and not _RELATIVE.match(text, at)
    )
    return Span(next(named, sentence.start), end)


def _read(text: str, facts: Facts) -> Iterator[Stretch]:
    """Every "from A to B" of a text, whatever it is of."""
    values = _values(text, facts)
    for value in values:
        if isinstance(value, Date):
            if value.first < value.last and _STRETCH.search(value.span.of(text)):
                ends = replace(value, last=value.first), replace(value, first=value.last)
                yield Stretch(*ends, value.span)
        elif value.low < value.high < math.inf and _STRETCH.search(value.span.of(text)):
            ends_ = replace(value, high=value.low), replace(value, low=value.high)
            if _is_told(ends_, text):
                yield Stretch(*ends_, value.span)
    for first, last in pairwise(values):
        if isinstance(first, Date) or isinstance(last, Date):
            continue
        start, between = first.span.start, text[first.span.end : last.span.start]
        joined = _JOIN.fullmatch(between) is not None
        joined |= bool(
            _AND.fullmatch(between) and _BETWEEN.search(text, max(0, start - _LOOK), start)
        )
        alike = first.unit == last.unit or (_clock(first) and _clock(last))
        single = first.low == first.high and last.low == last.high
        if joined and alike and single and _is_told((first, last), text):
            yield Stretch(first, last, Span(first.span.start, last.span.end))


def _is_told(ends: tuple[Quantity, Quantity], text: str) -> bool:
    """Whether amounts are surely the ends of a stretch: hours and days, or "from 80 to 60"."""
    timed = all(_clock(end) or end.unit == "weekday" for end in ends)
    start = ends[0].span.start
    return timed or _FROM.search(text, max(0, start - _LOOK), start) is not None


def _clock(amount: Quantity) -> tuple[float, bool] | None:
    """A time of day in seconds, and whether morning is told from evening; None of what is none."""
    if amount.unit.startswith("clock"):
        return amount.low, amount.unit == "clock"
    if (
        amount.unit
        or amount.noun
        or not float(amount.low).is_integer()
        or not 0 <= amount.low <= _HOURS
    ):
        return None
    return amount.low * _HOUR, amount.low > _HOURS / 2


def _agrees(end: _End, stretch: Stretch) -> bool | None:
    """Whether a stretch begins or ends as the claim says, or the other way round; else None."""
    is_end = end.is_end != (stretch.shut and end.of_opening)
    right, other = (stretch.last, stretch.first) if is_end else (stretch.first, stretch.last)
    if _same(end.value, right):
        return True
    return False if _same(end.value, other) else None


def _same(claimed: Value, end: Value) -> bool:
    """Whether a claim's value is an end of a stretch: "in May" is any of its days."""
    if isinstance(claimed, Date) and isinstance(end, Date):
        if claimed.year_known and end.year_known:
            return claimed.first <= end.first <= claimed.last
        return not claimed.year_known and _in_year(claimed.first, end.first, claimed.last)
    if isinstance(claimed, Date) or isinstance(end, Date):
        return False
    if claimed.low != claimed.high:
        return False
    if claimed.unit == end.unit:
        return math.isclose(claimed.low, end.low)
    ours, theirs = _clock(claimed), _clock(end)
    if ours is None or theirs is None:
        return False
    turn = 2 * HALF_DAY if ours[1] and theirs[1] else HALF_DAY
    return math.isclose(ours[0] % turn, theirs[0] % turn)


def _in_year(first: date, day: date, last: date) -> bool:
    return (first.month, first.day) <= (day.month, day.day) <= (last.month, last.day)
