"""Weekdays of dates: "Wednesday, 20 May 2025" is wrong whatever the sources say; it was a Tuesday.

A source that gives the day alone supports a claim that adds its weekday, if that is the right one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from halgo.facts.words import WEEKDAYS
from halgo.types import Date, Facts, Pair, Signal, Span, Stance

_WRONG = 0.8
_GREGORIAN = 1924  # from this year on every country counted its days alike
_NAME = rf"(?P<name>{'|'.join(WEEKDAYS)})"
_BEFORE = re.compile(rf"\b{_NAME},?\s(?:the\s)?$", re.IGNORECASE)
_WITHIN = re.compile(rf"{_NAME},?\s(?:the\s)?", re.IGNORECASE)  # where a date takes it in
_FAR = 16


@dataclass(frozen=True, slots=True)
class Told:
    """A day of a text with the weekday before it: both, the day alone, and whether they agree."""

    span: Span
    day: Span
    date: Date
    right: bool


def told(text: str, facts: Facts) -> Iterator[Told]:
    """The days of a text that a weekday stands before, "Tuesday, 20 May 2025"."""
    for found in facts.dates:
        if not found.year_known or found.approximate or found.first != found.last:
            continue
        if found.first.year < _GREGORIAN:
            continue
        start = found.span.start
        name = _BEFORE.search(text, max(0, start - _FAR), start) or _WITHIN.match(text, start)
        if name is not None:
            right = WEEKDAYS.index(name["name"].lower()) == found.first.weekday()
            day = Span(max(start, name.end()), found.span.end)
            yield Told(Span(name.start(), found.span.end), day, found, right)


def signals(pair: Pair) -> list[Signal]:
    """date_conflict signals beside a passage that gives the same day without that wrong weekday."""
    text = pair.evidence.reading.text
    found = []
    for claimed in told(pair.claim.text, pair.claim_facts):
        same = [one for one in pair.evidence_facts.dates if one.first == claimed.date.first]
        written = {one.date.first for one in told(text, pair.evidence_facts) if not one.right}
        if claimed.right or not same or claimed.date.first in written:
            continue
        day = claimed.day.of(pair.claim.text)
        name = WEEKDAYS[claimed.date.first.weekday()].capitalize()
        values = (claimed.span.of(pair.claim.text), same[0].span.of(text))
        found.append(
            Signal("date_conflict", Stance.CONTRADICTS, _WRONG, f"{day} is a {name}.",
                   claimed.span, same[0].span, values)
        )  # fmt: skip
    return found
