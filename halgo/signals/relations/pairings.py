"""Pairings by place: "Oslo and Bergen have 709,000 and 291,000 inhabitants respectively"; gapping.

What belongs together is told by order, or by a clause without its verb ("Mr Adler chairs the
finance committee, Ms Boyd the audit committee"). Words alone tell neither, so a claim that pairs
the wrong two seems said, and one that pairs the right two seems said of another.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from halgo.evidence.lexical import content_stems, is_common, stems
from halgo.signals.segments import SENTENCE, split
from halgo.types import Pair, Signal, Span, Stance

AGREES = "pairing_agrees"
_WEIGHT = 0.75
_LONGEST = 6_000  # characters of a passage
_MOST = 9  # items of both lists
_GAP = 2  # words that a clause without its verb lacks
_RESPECTIVELY = re.compile(r",?\s*\brespectively\b", re.IGNORECASE)
_BETWEEN = re.compile(r",\s(?:and\s|or\s)?|\s(?:and|or)\s", re.IGNORECASE)
_CLAUSES = re.compile(r"[,;]\s(?:and\s|while\s|but\s)?|\sand\s", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:not|never|no|neither|nor)\b|n['’]t\b", re.IGNORECASE)

_Keys = tuple[frozenset[str], ...]


def signals(pair: Pair) -> list[Signal]:
    """At most one: `pairing_agrees`, or `swapped_names` where a claim pairs what is not paired."""
    claim = pair.claim.text
    if _DENIED.search(claim):
        return []
    ours = content_stems(claim)
    text = pair.evidence.reading.text[:_LONGEST]
    for sentence in split(SENTENCE, Span(0, len(text)), text):
        said = sentence.of(text)
        found = _paired(ours, said) if "espectively" in said else _gapped(claim, ours, said)
        if found is not None:
            return [_signal(pair, sentence, found)]
    return []


def _paired(ours: frozenset[str], sentence: str) -> bool | None:
    """Whether a claim has one of either list, and those in the same place; None if it has not."""
    for first, second in lists(sentence):
        at = [place for place, key in enumerate(first) if key <= ours]
        beside = [place for place, key in enumerate(second) if key <= ours]
        if len(at) == 1 and len(beside) == 1:
            return at == beside
    return None


@lru_cache(maxsize=1024)
def lists(sentence: str) -> tuple[tuple[_Keys, _Keys], ...]:
    """The two lists before each "respectively": what tells an item from the others of its list."""
    found = []
    start = 0
    for match in _RESPECTIVELY.finditer(sentence):
        parts = [part.strip() for part in _BETWEEN.split(sentence[start : match.start()])]
        start = match.end()
        count = (len(parts) + 1) // 2
        if len(parts) % 2 == 0 or not 2 <= count <= _MOST:
            continue
        # The middle part ends the first list and begins the second; items of a list are alike.
        middle = parts[count - 1].split()
        last = " ".join(middle[: len(parts[count - 2].split())])
        begins = " ".join(middle[-len(parts[count].split()) :])
        keys = _keys([*parts[: count - 1], last]), _keys([begins, *parts[count:]])
        if all(map(all, keys)):
            found.append(keys)
    return tuple(found)


def _keys(items: Sequence[str]) -> _Keys:
    """What tells items apart: their figures where all have some, else the words of each alone."""
    held = [content_stems(item) for item in items]
    figures = [frozenset(stem for stem in some if stem[0].isdecimal()) for some in held]
    if all(figures):
        held = figures
    shared = frozenset.intersection(*held)
    return tuple(some - shared for some in held)


def _gapped(claim: str, ours: frozenset[str], sentence: str) -> bool | None:
    """True where a clause without its verb says the claim, None where none does.

    The clause has nothing but words of the claim, its first one among them, and lacks a few that
    the clause before has: the verb, and what is counted.
    """
    clauses = _clauses(sentence)
    first = next((stem for stem in stems(claim) if not is_common(stem)), "")
    for at, clause in enumerate(clauses[1:], start=1):
        missing = ours - clause
        if (
            first in clause
            and clause <= ours
            and 0 < len(missing) <= min(_GAP, len(clause) - 1)
            and missing <= clauses[0] | clauses[at - 1]
        ):
            return True
    return None


@lru_cache(maxsize=4096)
def _clauses(sentence: str) -> tuple[frozenset[str], ...]:
    return tuple(content_stems(part) for part in _CLAUSES.split(sentence) if part)


def _signal(pair: Pair, sentence: Span, agrees: bool) -> Signal:
    whole = Span(0, len(pair.claim.text.rstrip(" .!")))
    said = " ".join(sentence.of(pair.evidence.reading.text).split())
    if agrees:
        message = f"The source pairs these so: “{said}”."
        return Signal(AGREES, Stance.SUPPORTS, _WEIGHT, message, whole, sentence)
    message = f"The source pairs these otherwise: “{said}”."
    return Signal("swapped_names", Stance.CONTRADICTS, _WEIGHT, message, whole, sentence)
