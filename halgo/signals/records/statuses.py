"""Status fields: "Order 17 was delivered" against "order id 17; status processing".

Records give a state as a field of its own, so that what is one in prose ("shipped", later
"delivered") excludes the other there: a status is the state that holds now. Which words exclude
each other is in `data/statuses.txt`. Only a record of the thing that the claim names counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from halgo.facts.aliases import folded
from halgo.facts.words import lines
from halgo.types import Pair, Predicate, Signal, Span, Stance

CONFLICT, UNNAMED = 0.8, 0.55
_LONGEST = 5_000  # characters of a sentence in which fields are looked for
_FIELD = re.compile(
    r"(?:^|[;,|\n{(.])[ \"']{0,3}(?P<name>[A-Za-z][\w ./-]{0,40}?)[\"']?"
    r"(?:[ ]?[:=][ ]?|[ ])[\"']?(?P<value>[A-Za-z]{2,20}(?:[ _-][A-Za-z]{2,20}){0,2})[\"']?"
    r"(?=$|[ ]?[;,|\n})]|[.](?:\s|$))"
)
STATE = frozenset({"status", "state", "stage", "phase", "result", "outcome", "condition"})
_NAME = re.compile(r"[a-z_]+")
_WORD = re.compile(r"[\w#][\w/#-]*")
NOT_YET = ("will", "may", "can", "must", "if", "plan", "ask")
_OF_NAME = 4  # words of what a record is called
_MOST, _NEAR = 40, 30  # predicates of a claim; characters before a state that deny it
_NOW = re.compile(r"\b(?:being|still)\s(?:\w+\s)?$", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:not|never|no longer|n[o']t)\b|n['\u2019]t\b", re.IGNORECASE)
_OPEN = re.compile(r"\b(?:will|may|might|can|could|should|must|if|once|when)\b", re.IGNORECASE)
_LONG = 4  # letters of an ending that opposites share
_YES, _NO = ("true", "yes"), ("false", "no")


def conflicts(pair: Pair) -> list[Signal]:
    """word_conflict of states that the record's field excludes, yes_no_agrees of a switch."""
    best = pair.evidence.best
    found: dict[Span, Signal] = {}
    for record in _records(best.of(pair.evidence.reading.text)[:_LONGEST]):
        fields = _fields(record.group())
        weight = _about(pair, record.group(), fields) if fields else 0.0
        for said in _said(pair) if weight else ():
            if said.span in found:
                continue
            start = best.start + record.start()
            for field in _meant(pair.claim.text, fields):
                if _excluded(said, field):
                    found[said.span] = _signal(pair, said, field, start, weight)
                    break
                if _agrees(said, field):
                    found[said.span] = _agreed(said, field, start)
                    break
    return list(found.values())


@dataclass(frozen=True, slots=True)
class _Said:
    """A state that a claim tells: the word, whether it is denied, and whether it is said of now.

    "The status is shipped" and "it is being processed" speak of now, "it was shipped" of what may
    have gone on since.
    """

    span: Span
    word: str
    negated: bool
    now: bool


def _said(pair: Pair) -> Iterator[_Said]:
    """What a claim says of a thing's state: by a verb, or in several words ("on its way")."""
    text = pair.claim.text
    for said in pair.claim_facts.predicates[:_MOST]:
        word = said.span.of(text).lower().split()[-1:]
        before = text[: said.span.start]
        if not word or said.frame in NOT_YET or before.endswith("to be "):
            continue
        now = (
            bool(STATE & {said.subject, said.object})
            or word[0].endswith("ing")
            or bool(_NOW.search(before))
        )
        yield _Said(said.span, word[0], said.negated, now)
    for match in _phrases().finditer(text[:_LONGEST].lower()):
        before = text[max(0, match.start() - _NEAR) : match.start()]
        if not _OPEN.search(before):
            denied = bool(_DENIED.search(before))
            yield _Said(Span(*match.span()), " ".join(match.group().split()), denied, True)


@lru_cache(maxsize=1)
def _phrases() -> re.Pattern[str]:
    """States of several words, the longest first."""
    some = sorted((word for word in _ranks() if " " in word), key=lambda word: (-len(word), word))
    return re.compile(rf"\b(?:{'|'.join(some)})\b".replace(" ", r"\s"))


def _records(text: str) -> list[re.Match[str]]:
    """The stretches of a sentence that each speak of one thing: what stands in one brace."""
    return list(re.finditer(r"[^{}\n]+", text))


def _fields(record: str) -> list[re.Match[str]]:
    """Its fields, but for those that stand there of several things: "status open ... status paid".

    What has no colon is one by its name, "payment paid"; "Ruiz refused" is prose.
    """
    found = []
    for field in _FIELD.finditer(record):
        name = field["name"].strip()
        has_colon = bool(record[field.end("name") : field.start("value")].strip(" \"'"))
        is_name = _NAME.fullmatch(name) or re.split(r"[\W_]+", name.lower())[-1] in STATE
        once = len(re.findall(rf"\b{re.escape(name)}\b", record)) == 1
        if once and (has_colon or is_name):
            found.append(field)
    return found


def _about(pair: Pair, record: str, fields: list[re.Match[str]]) -> float:
    """How surely the record is one of the thing the claim speaks of, as a signal's weight."""
    text = pair.claim.text
    low = record.lower()
    identifiers = _identifiers(text)
    if identifiers:
        return CONFLICT if identifiers & set(_WORD.findall(low)) else 0.0
    names = pair.claim_facts.names
    if names:
        words = " ".join(folded(word) for word in _WORD.findall(record))
        return CONFLICT if any(f" {name.key} " in f" {words} " for name in names) else 0.0
    subjects = {said.subject or said.object for said in pair.claim_facts.predicates[:1]}
    keys = {part for field in fields for part in re.split(r"\W|_", field["name"].lower())}
    head, colon, _ = low.partition(":")  # "get account: id R-1; status ..."
    keys |= set(head.split()[:_OF_NAME] if colon else low.split(None, 1)[:1])
    return UNNAMED if subjects & keys else 0.0


def _identifiers(text: str) -> set[str]:
    """The words of a text that stand for one thing: "NW-1063"; plain numbers if none else do."""
    numbered = {
        word for word in _WORD.findall(text[:_LONGEST].lower()) if any(map(str.isdigit, word))
    }
    return {word for word in numbered if not word.isdigit()} or numbered


def _meant(claim: str, fields: list[re.Match[str]]) -> list[re.Match[str]]:
    """The fields less those that say the same of something that the claim names less of.

    "dark mode enabled: false; beta enabled: true" beside "Beta is enabled."
    """
    said = set(_WORD.findall(claim.lower()))
    parts = {field: re.split(r"[\W_]+", field["name"].strip().lower()) for field in fields}
    near = {field: len(said.intersection(words)) for field, words in parts.items()}
    return [
        field
        for field in fields
        if not any(
            parts[other][-1] == parts[field][-1] and near[other] > near[field] for other in fields
        )
    ]


def _is_switched(word: str, field: re.Match[str]) -> bool | None:
    """Whether a field of yes or no means this state, "enabled: false" of "disabled"; else None."""
    name, value = re.split(r"[\W_]+", field["name"].lower()), _value(field)
    if value not in _YES + _NO or word not in _ranks():
        return None
    if word in name:
        return value in _YES
    return value in _NO if any(_is_opposite(word, part) for part in name) else None


def _is_opposite(one: str, other: str) -> bool:
    """Whether two states are one word with a prefix or without: "enabled", "disabled"."""
    return one[-_LONG:] == other[-_LONG:] and any(
        one in group and other in group and group[one] != group[other] for _, group in _groups()
    )


def _excluded(said: _Said, field: re.Match[str]) -> bool:
    word, value = said.word, _value(field)
    name = re.split(r"[\W_]+", field["name"].lower())
    switched = _is_switched(word, field)
    if switched is not None:  # "active: false"
        return switched == said.negated
    if word not in _ranks() or value not in _ranks():
        return False
    if not STATE & set(name[-2:]):  # "payment: paid" is no status, yet excludes "unpaid"
        return not said.negated and any(
            word in group and value in group and group[word] != group[value]
            for ordered, group in _groups()
            if not ordered
        )
    if said.negated:
        return _has_been(said, value)
    return any(
        word in group
        and value in group
        and (group[word] > group[value] or (said.now and group[word] < group[value]))
        if ordered
        else word in group and value in group and group[word] != group[value]
        for ordered, group in _groups()
    )


def _agrees(said: _Said, field: re.Match[str]) -> bool:
    """Whether a field says what a claim does: by a yes or a no, or as a state gone through."""
    if _is_switched(said.word, field) == (not said.negated):
        return True
    name = re.split(r"[\W_]+", field["name"].lower())
    is_state = bool(STATE & set(name[-2:])) and not said.negated
    return is_state and said.word != _value(field) and _has_been(said, _value(field))


def _has_been(said: _Said, value: str) -> bool:
    """Whether what is in a state is in the claim's, or was: what is in transit has shipped."""
    word = said.word
    return word == value or any(
        word in group
        and value in group
        and (group[word] == group[value] or (not said.now and group[word] < group[value]))
        for ordered, group in _groups()
        if ordered
    )


def _value(field: re.Match[str]) -> str:
    """A field's value as states are listed: "IN_TRANSIT" as "in transit"."""
    return re.sub(r"[ _-]", " ", field["value"]).lower()


def _signal(pair: Pair, said: _Said, field: re.Match[str], start: int, weight: float) -> Signal:
    claimed, value = said.span.of(pair.claim.text), field["value"]
    claimed = re.sub(r"^n['\u2019]t\b", "not", claimed)
    name = field["name"].strip()
    span = Span(start + field.start("value"), start + field.end("value"))
    message = f'For {name} the source gives "{value}"; the claim says "{claimed}".'
    values = (claimed, value)
    return Signal("word_conflict", Stance.CONTRADICTS, weight, message, said.span, span, values)


def _agreed(said: _Said, field: re.Match[str], start: int) -> Signal:
    span = Span(start + field.start("value"), start + field.end("value"))
    message = f'For {field["name"].strip()} the source gives "{field["value"]}".'
    return Signal("yes_no_agrees", Stance.SUPPORTS, CONFLICT, message, said.span, span)


def is_said(predicate: Predicate, said: Span) -> bool:
    """Whether a word is what the claim plainly says of something."""
    plain = not predicate.negated and predicate.frame not in NOT_YET
    return plain and predicate.span.overlaps(said)


def later_in_course(value: str) -> bool:
    """Whether a state comes after others, so that much may have been done before it."""
    return any(ordered and group.get(value.lower(), 0) > 0 for ordered, group in _groups())


def same_state(one: str, other: str) -> bool:
    """Whether two states mean the same: "in transit" and "shipped"."""
    a, b = one.lower(), other.lower()
    return any(a in group and b in group and group[a] == group[b] for _, group in _groups())


@lru_cache(maxsize=1)
def _ranks() -> frozenset[str]:
    return frozenset(word for _, group in _groups() for word in group)


@lru_cache(maxsize=1)
def _groups() -> tuple[tuple[bool, dict[str, int]], ...]:
    """(whether in the course of things, word -> its place among the group's) of each line."""
    found = []
    for line in lines("statuses"):
        ordered = ">" in line
        parts = line.split(">" if ordered else ",")
        group = {word.strip(): i for i, part in enumerate(parts) for word in part.split("/")}
        found.append((ordered, group))
    return tuple(found)
