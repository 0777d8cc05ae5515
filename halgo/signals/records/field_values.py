"""Field values in prose: what a claim says of a record, held against the record's fields.

"Order 17 has been packed" gives the order a state, and the record has a field for that, which says
"pending". Which words a field may hold is in no list: a word is a value of it where another record
has it there (`other_rows.py`), or where it is a participle told of the very thing that the record
is of. And a field
that is empty is no yes: of a contract with `approved_by: null` nobody has said that it is approved.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from halgo.evidence.lexical import content_stems, stems
from halgo.facts.aliases import folded
from halgo.protocols import Lexicon
from halgo.signals.matching import lemmas_match
from halgo.signals.records.fields import (
    NO_VALUE,
    NOTHING,
    NUMBER,
    called,
    differs,
    naming,
    of_record,
    place_of,
    telling,
)
from halgo.signals.records.statuses import STATE, is_said, later_in_course, same_state
from halgo.types import Pair, Signal, Span, Stance

_OPEN, _EMPTY = 0.7, 0.75
# Words of a key that are not what it asks.
_BARE = frozenset(
    {"at", "by", "on", "id", "date", "time", "name", "is", "has", "was", "last", "no"}
)
_ABSENT = re.compile(
    r"\b(?:not|no|none|nobody|never|without|lacks?|missing|empty|blank|null|unknown|pending"
    r"|awaiting|yet|nor)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
_BE = re.compile(r"\b(?:is|are|was|were|been|being)\s(?:now\s|already\s|still\s|\w+ly\s)?$")
# A participle that nothing follows tells a state; "was placed on 3 May" an event.
_ENDS = re.compile(r"\s?(?:now|already|today|currently)?\s?(?:[.,;!]|$|and\b|but\b)")
# "Is on hold", "are out of stock"; "is in the shed" and "is in Antwerp" tell a place.
_PREPOSITIONAL = re.compile(
    r"\b(?:is|are)\s(?:now\s|already\s|still\s|currently\s)?"
    r"(?P<state>(?:on|in|out\sof|under|off|behind|at)\s[a-z]{3,20})(?=\s?(?:[.;!]|$|and\b|but\b))"
)
_WORDS = re.compile(r"[\w-]+")
_MOST = 40


@dataclass(frozen=True, slots=True)
class _Record:
    """A passage that is one record; `named`: whether the claim says that it is this one."""

    at: int
    values: tuple[tuple[str, str], ...]
    named: bool


def signals(pairs: Sequence[Pair], lexicon: Lexicon) -> list[list[Signal]]:
    """For each of one claim's passages at most one signal."""
    told: list[list[Signal]] = [[] for _ in pairs]
    found = [(at, tuple(values)) for at, pair in enumerate(pairs) if (values := of_record(pair))]
    if not found:
        return told
    claim = pairs[0].claim.text
    records = [_Record(at, values, _is_named(claim, values)) for at, values in found]
    meant = [record for record in records if record.named]
    if not meant and len(records) == 1 and _speaks_of_one(pairs[records[0].at]):
        (only,) = records
        told[only.at] = list(_open(pairs[only.at], only, _stems_beside(pairs, only), lexicon))[:1]
    if not meant and len(records) == 1 and not told[records[0].at]:
        told[records[0].at] = list(_empty(pairs[records[0].at], records[0]))[:1]
    if len({record.values for record in meant}) != 1:
        return told  # none, or several that the claim compares
    for record in meant:
        pair = pairs[record.at]
        states = _open(pair, record, _stems_beside(pairs, record), lexicon)
        told[record.at] = [*states, *_empty(pair, record)][:1]
    return told


def _stems_beside(pairs: Sequence[Pair], record: _Record) -> Set[str]:
    """The words of the other passages."""
    texts = (pair.evidence.reading.text for at, pair in enumerate(pairs) if at != record.at)
    return {word for text in texts for word in stems(text)}


def _is_named(claim: str, values: Sequence[tuple[str, str]]) -> bool:
    """Whether the claim names the record: by its first field, or one that is a name or an id."""
    keys = naming(values)
    return any(
        telling(value) and called(claim, value) is not None
        for place, (key, value) in enumerate(values)
        if place == 0 or key in keys
    )


def _speaks_of_one(pair: Pair) -> bool:
    """Whether a claim names nothing, and so speaks of "the order" that the record is of."""
    return not pair.claim_facts.names and not any(map(str.isdigit, pair.claim.text))


def _is_no_word(value: str) -> bool:
    return value.lower() in NOTHING | NO_VALUE or bool(NUMBER.fullmatch(value)) or len(value) > 60


def _open(pair: Pair, record: _Record, elsewhere: Set[str], lexicon: Lexicon) -> Iterator[Signal]:
    """A state told of what the record is of, where its own state is another word."""
    text = pair.claim.text
    states = [
        (key, value)
        for key, value in record.values
        if STATE & set(key.split()[-2:]) and not _is_no_word(value)
    ]
    if len(states) != 1:
        return
    ((key, value),) = states
    known = {word for key, value in record.values for word in stems(f"{key} {value}")} | elsewhere
    best = pair.evidence.best.of(pair.evidence.reading.text)
    subjects = _subjects(record, text, best)
    for span in (*_participles(pair, subjects), *_prepositional(text, subjects)):
        said = span.of(text)
        past = bool(re.search(r"\b(?:was|were|been)\b", text[: span.start]))
        if set(stems(said)) & known or (past and later_in_course(value)):
            continue
        if not same_state(said, value) and not _may_be(said, value, lexicon):
            yield _conflict(pair, key, value, span)


def _may_be(said: str, value: str, lexicon: Lexicon) -> bool:
    """Whether two values may mean the same: one within the other, or words of one meaning."""
    one, two = folded(said), folded(value)
    return (
        one in two
        or two in one
        or any(lemmas_match(a, b, lexicon) for a in one.split() for b in two.split())
    )


def _participles(pair: Pair, subjects: Set[str]) -> Iterator[Span]:
    """Participles that end what the claim says of one of the subjects."""
    text = pair.claim.text
    for said in pair.claim_facts.predicates[:_MOST]:
        word = said.span.of(text).split()[-1:]
        if not word or not is_said(said, said.span):
            continue
        span = Span(said.span.end - len(word[0]), said.span.end)
        written = word[0].lower()
        participle = written.endswith(("ed", "en", "ing")) or written != said.lemma
        alone = _BE.search(text[: span.start]) and _ENDS.match(text, span.end)
        if participle and alone and {said.subject, said.object} & subjects:
            yield span


def _prepositional(text: str, subjects: Set[str]) -> Iterator[Span]:
    """States told by a preposition and a bare noun, "on hold", of one of the subjects."""
    for found in _PREPOSITIONAL.finditer(text):
        if subjects & set(_WORDS.findall(text[: found.start()].lower())):
            yield Span(*found.span("state"))


def _subjects(record: _Record, claim: str, read: str) -> Set[str]:
    """Words for what the record is of: those of its first key, and its name in the claim."""
    key, value = record.values[0]
    # "order: status pending" is of an order, and "order: order id 7" too.
    words = {*key.split(), read.partition(":")[0].strip().lower()}
    named = [value for _, value in record.values if telling(value) and place_of(claim, value)]
    return words | {word for name in (value, *named) for word in name.lower().split()}


def _empty(pair: Pair, record: _Record) -> Iterator[Signal]:
    """A field without a value that the claim takes for a yes."""
    text = pair.claim.text
    if _ABSENT.search(text):
        return
    for key, value in record.values:
        if value.lower() not in NO_VALUE:
            continue
        asked = content_stems(" ".join(word for word in key.split() if word not in _BARE))
        if asked and asked <= set(stems(text)):
            start = next((text.find(word) for word in text.split() if set(stems(word)) & asked), 0)
            word = text[start:].split()[0].rstrip(".,;")
            message = f'The source gives no value for "{key}".'
            yield Signal(
                "unsupported_term",
                Stance.UNSUPPORTED,
                _EMPTY,
                message,
                Span(start, start + len(word)),
                None,
                (word, value),
            )


def _conflict(pair: Pair, key: str, value: str, said: Span) -> Signal:
    message, claimed = differs(pair, key, value, said)
    place = place_of(pair.evidence.reading.text, value)
    return Signal(
        "word_conflict", Stance.CONTRADICTS, _OPEN, message, said, place, (claimed, value)
    )
