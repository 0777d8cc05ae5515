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
from halgo.facts.numberwords import ORDINALS
from halgo.signals.records.yes_no import DENIED
from halgo.signals.segments import SENTENCE, split
from halgo.types import Pair, Signal, Span, Stance

_WEIGHT = 0.75
_LONGEST = 6_000  # characters of a passage
_MOST = 9  # items of both lists
_GAP = 2  # words that a clause without its verb lacks
_RESPECTIVELY = re.compile(r",?\s*\brespectively\b", re.IGNORECASE)
_BETWEEN = re.compile(r",\s(?:and\s|or\s)?|\s(?:and|or)\s", re.IGNORECASE)
_CLAUSES = re.compile(r"[,;]\s(?:and\s|while\s|but\s)?", re.IGNORECASE)
_ORDINAL = re.compile(
    rf"^(?:the\s)?(?P<rank>{'|'.join(ORDINALS)}|last|final)\s(?P<noun>[a-z]+)\s"
    r"(?:is|was|are|will be)\s(?:the\s|an?\s)?(?P<item>[^,.;]{2,60})\W*$",
    re.IGNORECASE,
)

_Keys = tuple[frozenset[str], ...]


def signals(pair: Pair) -> list[Signal]:
    """At most one: `pairing_agrees`, or `swapped_names` where a claim pairs what is not paired."""
    claim = pair.claim.text
    if DENIED.search(claim):
        return []
    ours = content_stems(claim)
    text = pair.evidence.reading.text[:_LONGEST]
    for sentence in split(SENTENCE, Span(0, len(text)), text):
        said = sentence.of(text)
        if 2 * len(ours & content_stems(said)) < len(ours):
            continue
        if "espectively" in said:
            found = _paired(ours, said)
            if found and not ours <= content_stems(said):
                found = None  # the claim says something else as well
        else:
            found = _placed(claim, said)
            found = _gapped(pair, ours, sentence) if found is None else found
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


def _gapped(pair: Pair, ours: frozenset[str], sentence: Span) -> bool | None:
    """True where a clause without its verb says the claim, None where none does.

    The clause has nothing but words of the claim, its first one among them, and lacks a few that
    the clause before has: the verb, and what is counted.
    """
    clauses = list(split(_CLAUSES, sentence, pair.evidence.reading.text))
    if not 1 < len(clauses) <= _MOST:
        return None
    first = next((stem for stem in stems(pair.claim.text) if not is_common(stem)), "")
    held = [content_stems(clause.of(pair.evidence.reading.text)) for clause in clauses]
    verbs = pair.evidence_facts.predicates
    for at, (clause, has) in enumerate(zip(clauses[1:], held[1:], strict=True), start=1):
        missing = ours - has
        if (
            first in has
            and has <= ours
            and 0 < len(missing) <= min(_GAP, len(has) - 1)
            and missing <= held[0] | held[at - 1]
            and not any(clause.overlaps(verb.span) for verb in verbs)
        ):
            return True
    return None


def _placed(claim: str, sentence: str) -> bool | None:
    """Whether what a claim calls the third stage is the third of "four stages: ..."."""
    match = _ORDINAL.match(claim)
    if match is None:
        return None
    listed = re.search(
        rf"\b{re.escape(match['noun'].lower().rstrip('s'))}(?:e?s)?(?: are)?: ?(?P<items>[^:.;]+)",
        sentence.lower(),
    )
    items = [item for item in _BETWEEN.split(listed["items"]) if item] if listed else []
    said = content_stems(match["item"])
    at = [place for place, item in enumerate(items) if said and said <= content_stems(item)]
    if len(at) != 1 or len(items) < 2:
        return None
    rank = match["rank"].lower()
    place = len(items) - 1 if rank in ("last", "final") else ORDINALS[rank] - 1
    return at[0] == place


def _signal(pair: Pair, sentence: Span, agrees: bool) -> Signal:
    whole = Span(0, len(pair.claim.text.rstrip(" .!")))
    said = " ".join(sentence.of(pair.evidence.reading.text).split())
    if agrees:
        message = f"The source pairs these so: “{said}”."
        return Signal("pairing_agrees", Stance.SUPPORTS, _WEIGHT, message, whole, sentence)
    message = f"The source pairs these otherwise: “{said}”."
    return Signal("swapped_names", Stance.CONTRADICTS, _WEIGHT, message, whole, sentence)
