"""Defaults: "`table` (default), `csv` or `json`" told as "the default is csv"; options told as on.

A list of alternatives marks one as what holds where nothing is chosen, and so no other is. And an
option is there to ask for what is not done by itself: that `--delete` deletes infected files does
not say that they are deleted by default.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from halgo.evidence.lexical import content_stems, stems
from halgo.protocols import Lexicon
from halgo.signals.segments import shown
from halgo.types import Pair, Signal, Span, Stance

_WEIGHT = 0.75
_ABOUT = 0.6  # share of the claim's words that an option's description has
_WORDS = 3  # of an item that are looked at
_ASKED = re.compile(r"\b(?:defaults?|standard)\b", re.IGNORECASE)
_DONE = re.compile(r"\b(?:by default|always)\b", re.IGNORECASE)
_MARK = re.compile(r"[(\[][^()\[\]]*?(?:\bthe |\bby )?\b(?:default|standard)[)\]]", re.IGNORECASE)
_NAMED = re.compile(
    r"\bdefault(?: value| setting)?(?: is|:)\s(?:the\s)?(?P<value>[^\s.;,]+)"
    r"|\b(?P<before>[\w-]+) (?:is|being) the (?:default|standard)\b",
    re.IGNORECASE,
)
# Between items, but not inside brackets.
_BETWEEN = re.compile(r"(?:,\s(?:or\s|and\s)?|\sor\s|\s\|\s|\s/\s|;\s)(?![^(]*\))")
_LEAD = re.compile(r"^.*?(?::|\s=)\s(?=\S)")
_DENIED = re.compile(
    r"\b(?:not|no|never|none|nothing|without|cannot)\b|n['\u2019]t\b", re.IGNORECASE
)
_OPTION = re.compile(r"(?:^|(?<=[\s|]))(?P<name>-{1,2}[A-Za-z][\w-]*)(?![\w-])")
_HEAD = re.compile(rf"(?:[-*+]\s+)?(?:[\w ]{{1,20}}:\s)?{_OPTION.pattern}")
# What an option's entry says of how it is without it.
_ELSE = re.compile(
    r"\b(?:defaults?|without|unless|otherwise|omitted|normally|usually|always|automatically"
    r"|already|implied|enabled)\b",
    re.IGNORECASE,
)
_IDLE = content_stems("default defaults standard always use used set setting option value")


@dataclass(frozen=True, slots=True)
class _Choice:
    """Alternatives of which the one at `at` is the default; the words of it and of the others."""

    at: Span
    default: frozenset[str]
    others: frozenset[str]


def signals(pairs: Sequence[Pair], _: Lexicon) -> list[list[Signal]]:
    """For each of one claim's passages at most one: `word_conflict` by alternatives, `modality`.

    What a reference says otherwise it says beside every passage of it.
    """
    found: list[list[Signal]] = [[] for _ in pairs]
    claim = pairs[0].claim.text
    asked, done = _ASKED.search(claim), _DONE.search(claim)
    if not (asked or done):
        return found
    in_prose = dict.fromkeys((pair.evidence.chunk.doc_id for pair in pairs), 0)
    for pair in pairs:
        if not _HEAD.match(_sentence(pair)) and _choice(_sentence(pair)) is None:
            document = pair.evidence.chunk.doc_id
            in_prose[document] = max(in_prose[document], len(_held(pair)))
    told: dict[str, tuple[int, Signal]] = {}
    agree: set[str] = set()
    for at, pair in enumerate(pairs):
        document = pair.evidence.chunk.doc_id
        choice = _choice(_sentence(pair)) if asked else None
        if choice and _held(pair) & choice.default:
            agree.add(document)
        elif len(_held(pair)) > in_prose[document]:
            other = _other_default(pair, choice, Span(*asked.span())) if asked and choice else None
            one = other or (_optional(pair, Span(*done.span())) if done else None)
            if one is not None:
                told.setdefault(document, (at, one))
    for at, pair in enumerate(pairs):
        document = pair.evidence.chunk.doc_id
        if document in told and document not in agree:
            where, one = told[document]
            found[at].append(one if at == where else replace(one, evidence_span=None))
    return found


def _other_default(pair: Pair, choice: _Choice, asked: Span) -> Signal | None:
    """An alternative that is not the default, told as it."""
    claim, sentence = pair.claim.text, _sentence(pair)
    if _DENIED.search(claim) and not _DENIED.search(sentence):
        return None
    said = content_stems(claim) - _IDLE
    named = choice.others & said
    rest = said - named
    if not named or (rest and rest.isdisjoint(stems(sentence))):
        return None
    place = choice.at.shift(pair.evidence.best.start)
    values = asked.of(claim), shown(pair.evidence.reading.text, place)
    message = f"By default the source has another: “{values[1]}”."
    return Signal("word_conflict", Stance.CONTRADICTS, _WEIGHT, message, asked, place, values)


def _choice(said: str) -> _Choice | None:
    """The alternatives of a sentence that marks one of them as the default."""
    marks, named = list(_MARK.finditer(said)), _NAMED.search(said)
    if len(marks) > 1 or not (marks or named):
        return None
    lead = _LEAD.match(said)
    begins = lead.end() if lead and (not marks or lead.end() <= marks[0].start()) else 0
    items = list(_items(said, begins, named.start() if named and not marks else len(said)))
    if marks:
        chosen = [at for at, one in enumerate(items) if one.start <= marks[0].start() < one.end]
    else:
        assert named is not None
        value = content_stems(named["value"] or named["before"])
        chosen = [at for at, one in enumerate(items) if value & content_stems(one.of(said))]
    if len(chosen) != 1 or len(items) < 2:
        return None
    keys = [_keys(one.of(said), whole=at > 0 or begins > 0) for at, one in enumerate(items)]
    default = keys.pop(chosen[0])
    return _Choice(items[chosen[0]], default, frozenset().union(*keys) - default)


def _items(said: str, start: int, end: int) -> Iterator[Span]:
    for found in _BETWEEN.finditer(said, start, end):
        yield Span(start, found.start())
        start = found.end()
    if said[start:end].strip():
        yield Span(start, end)


def _keys(item: str, whole: bool) -> frozenset[str]:
    """The words of an item: all, or the last before its brackets where a sentence leads to it."""
    plain = [stem for stem in stems(item.split("(")[0]) if stem in content_stems(item)]
    inside = re.findall(r"\(([^()]*)\)", item)
    some = plain[:_WORDS] if whole else plain[-1:]
    return (frozenset(some) | content_stems(" ".join(inside))) - _IDLE


def _sentence(pair: Pair) -> str:
    return pair.evidence.best.of(pair.evidence.reading.text)


def _held(pair: Pair) -> frozenset[str]:
    """The words of a claim of a default that the best sentence has."""
    return (content_stems(pair.claim.text) - _IDLE) & frozenset(stems(_sentence(pair)))


def _optional(pair: Pair, done: Span) -> Signal | None:
    """What an option asks for, told as done by default."""
    claim, text, best = pair.claim.text, pair.evidence.reading.text, pair.evidence.best
    head = _HEAD.match(text, best.start, best.end)
    if head is None or _DENIED.search(claim) or _OPTION.search(claim):
        return None
    further = _OPTION.search(text, best.end)
    entry = text[head.end() : further.start() if further else len(text)]
    least = _ABOUT * len(content_stems(claim) - _IDLE)
    if _ELSE.search(entry) or not 0 < least <= len(_held(pair)):
        return None
    message = f"The source says this of the option {head['name']}, not of what is done by default."
    return Signal("modality", Stance.CONTRADICTS, _WEIGHT, message, done, best)
