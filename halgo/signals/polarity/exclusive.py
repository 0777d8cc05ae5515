"""Exclusive focus: "only on Windows" beside "works on Windows and Ubuntu".

What a claim says of one alone, the best sentence says of others in the same breath: items joined
with "and", "or" or commas to what the claim names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from halgo.evidence.lexical import content_stems, overlap, stems
from halgo.types import Pair, Signal, Span, Stance, Term

_WEIGHT = 0.75
_ALIKE = 0.6  # share of the claim's other words that the sentence has
_ONLY = re.compile(r"\b(?<!not )(?:only|solely|exclusively|alone)\b", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:not|never|no|nor|neither|cannot)\b|n['’]t\b", re.IGNORECASE)
_ITEM = r"(?:the |an? |their |its |our )?[\w'’-]+(?: [\w'’-]+){0,2}?"
_AFTER = re.compile(rf"(?:,? (?:and|or|as well as) |, )({_ITEM})(?=[.,;:)]|\s|$)", re.IGNORECASE)
_BEFORE = re.compile(r"([\w'’-]+)(?:,? (?:and|or|as well as) |, )(?:the |an? )?$", re.IGNORECASE)
_SPAN_OF_DAYS = re.compile(r"\b(?:weekends?|weekdays?|from \w+day)\b", re.IGNORECASE)
_NEAR = 4  # words on either side of "only" in which what it is said of stands
_NOUNS = ("NOUN", "PROPN")


def signals(pair: Pair) -> list[Signal]:
    """At most one signal `quantifier`, against a claim of one alone."""
    text = pair.claim.text
    found = _ONLY.search(text)
    if found is None or _DENIED.search(text) or _SPAN_OF_DAYS.search(text):
        return []
    best = pair.evidence.best
    said = best.of(pair.evidence.reading.text)
    if _DENIED.search(said) or overlap(_ONLY.sub("", text), said) < _ALIKE:
        return []
    told = set(content_stems(text))
    for named in _named(pair, Span(*found.span())):
        place = re.search(rf"\b{re.escape(named)}\b", said, re.IGNORECASE)
        if place is None:
            continue
        for other in _joined(said, Span(*place.span())):
            if _is_other(other, told, named, pair):
                span = other.shift(best.start)
                message = f"The source says it of {other.of(said)} as well."
                values = (named, other.of(said))
                return [
                    Signal("quantifier", Stance.CONTRADICTS, _WEIGHT, message,
                           Span(*found.span()), span, values)
                ]  # fmt: skip
    return []


def _named(pair: Pair, only: Span) -> Iterator[str]:
    """The nouns that "only" may be said of, the nearest first: behind it, then before it."""
    nouns = [term for term in pair.claim_facts.terms if term.pos in _NOUNS]
    text = pair.claim.text
    behind = [t for t in nouns if t.span.start >= only.end and _apart(text, only, t) <= _NEAR]
    before = [t for t in nouns if t.span.end <= only.start and _apart(text, only, t) <= 1]
    for term in behind[:2] if behind else before[-1:]:
        yield term.span.of(text)


def _apart(text: str, only: Span, term: Term) -> int:
    between = sorted([only.end, term.span.start]) if term.span.start >= only.end else (
        [term.span.end, only.start])  # fmt: skip
    return len(text[between[0] : between[1]].split())


def _joined(said: str, place: Span) -> Iterator[Span]:
    """The items that stand joined to a stretch of a sentence."""
    if (after := _AFTER.match(said, place.end)) is not None:
        yield Span(*after.span(1))
    if (before := _BEFORE.search(said[: place.start])) is not None:
        yield Span(*before.span(1))


def _is_other(item: Span, told: set[str], named: str, pair: Pair) -> bool:
    """Whether an item is a thing of the same sort that the claim leaves out."""
    best = pair.evidence.best
    said = best.of(pair.evidence.reading.text)
    place = item.shift(best.start)
    nouns = [
        term.span.of(pair.evidence.reading.text)
        for term in pair.evidence_facts.terms
        if term.pos in _NOUNS and term.span.overlaps(place)
    ]
    alike = named[:1].isupper() == item.of(said).removeprefix("the ")[:1].isupper()
    return bool(nouns) and alike and told.isdisjoint(stems(item.of(said)))
