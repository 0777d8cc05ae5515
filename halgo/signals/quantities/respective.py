"""Respective coordination: "Adults and students pay 14 and 9 euros respectively".

The n things of the first list go with the n values of the second, in their order (distributive
reading, Gawron and Kehler 2004). A claim that names one thing and one value has either the pair
or two that do not belong together. Of n and n items, the separators make 2n - 1 parts: the middle
one has the last thing, what is said of all, and the first value.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from halgo.evidence.lexical import content_stems
from halgo.signals.quantities.relation import Relation, relation, unit_and_rate
from halgo.signals.segments import SENTENCE, split
from halgo.types import Pair, Quantity, Signal, Span, Stance

_WEIGHT = 0.75
_RESPECTIVELY = re.compile(r"[\s,(]+(?:respectively|in that order)\b", re.IGNORECASE)
_JOINED = re.compile(r",?\s(?:and|or|&)\s|,\s")
_PARTLY = 0.5  # of an item's words, by their weight: less leaves its surest word out
_SPLIT = re.compile(r"[,;]\s|\s(?:and|but|while|whereas)\s", re.IGNORECASE)
_CLAUSE = re.compile(r"[;:]\s")
_WORD = re.compile(r"[\w$\u20ac\u00a3%.'\u2019-]+")
_MOST = 6  # things
_NAMING = 2  # content words of a thing or a value beside a verb


@dataclass(frozen=True, slots=True)
class _Value:
    """An item of a list: its words, the surest first, and its amount where it has one."""

    words: tuple[str, ...]
    amount: Quantity | None
    span: Span


@dataclass(frozen=True, slots=True)
class _Lists:
    """Both lists of a sentence."""

    things: tuple[_Value, ...]
    values: tuple[_Value, ...]


def signals(pair: Pair) -> list[Signal]:
    """At most one signal: `number_conflict`, `derived` or `name_conflict`."""
    text = pair.evidence.reading.text
    if _RESPECTIVELY.search(text) is None or _RESPECTIVELY.search(pair.claim.text):
        return []
    claim = pair.claim.text
    whole = Span(0, len(claim.rstrip(" .!")))
    for sentence in split(SENTENCE, Span(0, len(text)), text):
        lists = _lists(text, sentence, pair.evidence_facts.quantities)
        if lists is None:
            continue
        parts = [_said(lists, pair, clause) for clause in split(_SPLIT, whole, claim)]
        # "Adults and students pay 14 and 9 euros": not in its clauses, but in its order.
        if any((thing is None) != (given is None) for thing, given in parts):
            parts = []
        for thing, given in (*parts, _said(lists, pair, whole)):
            if thing is not None and given is not None:
                return _told(pair, lists, thing, given)
    return []


def _said(lists: _Lists, pair: Pair, clause: Span) -> tuple[int | None, tuple[int, Span] | None]:
    """Which thing a clause of the claim names, and which value it gives."""
    thing = _only(lists.things, content_stems(clause.of(pair.claim.text)))
    return thing, _given(lists, pair, clause)


def _lists(text: str, sentence: Span, amounts: Sequence[Quantity]) -> _Lists | None:
    """The lists of a sentence that "respectively" joins."""
    found = _RESPECTIVELY.search(text, sentence.start, sentence.end)
    if found is None:
        return None
    starts = [mark.end() for mark in _CLAUSE.finditer(text, sentence.start, found.start())]
    start = starts[-1] if starts else sentence.start
    ends = [mark.span() for mark in _JOINED.finditer(text, start, found.start())]
    bounds = [start, *(at for pair in ends for at in pair), found.start()]
    parts = [Span(*ends) for ends in zip(bounds[::2], bounds[1::2], strict=True)]
    if len(parts) % 2 == 0:
        lead = parts.pop(0)  # "In 2024, ..."
        if not text.startswith(",", lead.end):
            return None
    count = (len(parts) + 1) // 2
    if not 2 <= count <= _MOST:
        return None
    # The part between the lists may have an amount of either: their outer ends tell of which.
    of_first, of_second = (_inside(amounts, part) and amounts for part in (parts[0], parts[-1]))
    first = [_value(text, parts[0], of_first, last=True)]
    first += [_value(text, part, of_first) for part in parts[1:count]]
    second = [_value(text, parts[count - 1], of_second, last=True)]
    second += [_value(text, part, of_second) for part in parts[count:]]
    if of_first and not of_second:
        first, second = second, first
    alike = len({one.amount is None for one in second}) == 1
    return _Lists(tuple(_told_apart(first)), tuple(_told_apart(second))) if alike else None


def _inside(amounts: Sequence[Quantity], part: Span) -> Sequence[Quantity]:
    return [one for one in amounts if part.start <= one.span.start and one.span.end <= part.end]


def _words(text: str) -> list[str]:
    """The content words of a stretch as stems, in order."""
    return [stem for word in _WORD.findall(text) for stem in sorted(content_stems(word))]


def _value(text: str, part: Span, amounts: Sequence[Quantity], last: bool = False) -> _Value:
    """What stands at the beginning of a part, or at its end; its words those beside an amount."""
    inside = _inside(amounts, part)
    amount = inside[-1 if last else 0] if inside else None
    own = _words(part.of(text))
    words = own[: -_NAMING - 1 : -1] if last else own[:_NAMING]
    return _Value(tuple(words), amount, amount.span if amount else part)


def _told_apart(lists: Sequence[_Value]) -> Iterator[_Value]:
    """Each with the words that no other has."""
    for at, own in enumerate(lists):
        others = {word for k, other in enumerate(lists) if k != at for word in other.words}
        yield replace(own, words=tuple(word for word in own.words if word not in others))


def _only(lists: Sequence[_Value], claimed: frozenset[str]) -> int | None:
    """Which one a clause names, and of no other its surest word."""
    shares = [_share(own.words, claimed) for own in lists]
    best = max(shares)
    others = sorted(shares)[:-1]
    return shares.index(best) if best > _PARTLY > others[-1] or best > others[-1] == 0 else None


def _share(own: Sequence[str], claimed: frozenset[str]) -> float:
    weights = [1 / (2 + 4 * at) for at in range(len(own))]
    held = sum(weight for word, weight in zip(own, weights, strict=True) if word in claimed)
    return held / sum(weights) if own else 0.0


def _given(lists: _Lists, pair: Pair, clause: Span) -> tuple[int, Span] | None:
    """Which value a clause of the claim gives, if none of the others, and where."""
    if lists.values[0].amount is None:
        words = content_stems(clause.of(pair.claim.text))
        at = _only(lists.values, words)
        return None if at is None else (at, clause)
    given = {
        at: one.span
        for at, value in enumerate(lists.values)
        for one in pair.claim_facts.quantities
        if value.amount and one.span.overlaps(clause) and _is_same(one, value.amount)
    }
    return next(iter(given.items())) if len(given) == 1 else None


def _is_same(claim: Quantity, truth: Quantity) -> bool:
    if relation(claim, truth) is Relation.SAME:
        return True
    # "14 and 9 euros" has the unit behind the last one alone, and "up to 900" says 900 of a limit.
    bare = not (claim.unit and truth.unit) or unit_and_rate(claim) == unit_and_rate(truth)
    return bare and {claim.low, claim.high} - {0, -math.inf, math.inf} == {truth.low, truth.high}


def _told(pair: Pair, lists: _Lists, thing: int, given: tuple[int, Span]) -> list[Signal]:
    value, place = given
    text, right = pair.evidence.reading.text, lists.values[thing]
    told, said = right.span.of(text), lists.values[value].span.of(text)
    numbers = right.amount is not None
    if thing != value:
        message = f"The source gives {told} of this, respectively, and {said} of the other."
        kind = "number_conflict" if numbers else "name_conflict"
        values = (said, told)
        return [Signal(kind, Stance.CONTRADICTS, _WEIGHT, message, place, right.span, values)]
    if not numbers:
        return []
    message = f"The source gives {told} of this, respectively."
    return [Signal("derived", Stance.SUPPORTS, _WEIGHT, message, place, right.span)]
