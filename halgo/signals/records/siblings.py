"""Sibling entries: what a configuration gives one entry, told of another beside it.

    [cache]                  "The cache uses the ldap provider" has the name of one section and
    size = 512               the value of another. Nothing contradicts it, for the cache has no
                             provider; but an entry says what it says of nothing else.
    [auth]
    provider = ldap

Entries are the sections of TOML and INI and what is nested in YAML and JSON. Two are siblings where
they lie in the same one; what lies deeper is said of all that it lies in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from halgo.facts.words import words
from halgo.protocols import Lexicon
from halgo.signals.records.fields import (
    LIVE,
    NO,
    NO_VALUE,
    YES,
    begins_word,
    called,
    is_naming,
    place_of,
)
from halgo.sources import drawn_tables, plain_tables
from halgo.sources.jsontext import loads
from halgo.sources.records import in_words, is_record, leaves, statements
from halgo.types import Pair, Signal, Span, Stance

_WRONG = 0.8
_LONGEST = 60  # characters of a value
_SURE_DIGITS = 3  # a number this long is hardly met by chance
_NESTED = 2  # lists, one in the other; of their records each tells what it lies in
_DASH = " \N{EM DASH} "
_CELL = re.compile(r"([^:;\n]{1,60}): ([^;\n]{1,200})")
_PARTS = re.compile(r"[\s./\"]+")
# A value that only a program reads: "run.command", "not_found".
_LITERAL = re.compile(r"(?=\S*[A-Za-z])[\w-]+(?:[.:/_@][\w-]+)+")
_APART = re.compile(
    r"\b(?:not|no|never|only|unlike|than|instead|while|whereas|both|either|or|all|every|each|same"
    r"|other|except|without|lacks?)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
# Entries that hold for those beside them, and keys by which one takes over another.
_OF_ALL = words("default defaults common global general base shared all any *")
_TAKES_OVER = words("extends extend inherits inherit parent base from")

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Field:
    """What stands under a key of the entry at `path`, in the passage `at`."""

    at: int
    path: Path
    key: str
    value: str


def signals(pairs: Sequence[Pair], _: Lexicon) -> list[list[Signal]]:
    """For each of one claim's passages at most one name_conflict."""
    found: list[list[Signal]] = [[] for _ in pairs]
    fields = [field for at, pair in enumerate(pairs) for field in _fields(at, pair)]
    if not fields or _APART.search(pairs[0].claim.text):
        return found
    own = _named(pairs[0].claim.text, fields)
    if own is None:
        return found
    wrong = next(_told_of_another(pairs, fields, own), None)
    if wrong is None:
        return found
    span = _called(pairs[0].claim.text, own[-1])
    other = wrong.path[len(own) - 1]
    message = f'The source gives "{wrong.value}" as {wrong.key} of "{other}", not of "{own[-1]}".'
    for at in {field.at for field in fields}:
        place = place_of(pairs[at].evidence.reading.text, wrong.value) if at == wrong.at else None
        values = (own[-1], other)
        signal = Signal("name_conflict", Stance.CONTRADICTS, _WRONG, message, span, place, values)
        found[at].append(signal)
    return found


def _fields(at: int, pair: Pair) -> Iterator[_Field]:
    """The fields of the row of a configuration that the best sentence is; none of other texts."""
    evidence = pair.evidence
    if evidence.kind in LIVE:
        return  # records of their own, for `records`
    line = evidence.span.shift(-evidence.chunk.span.start).of(evidence.chunk.text).strip()
    if is_record(line) or line.startswith('{"'):
        told = leaves(line if is_record(line) else _stated(line))
        # Of a list's record the first field names it.
        names = {path.rpartition(".")[0]: value for path, value in reversed(told)}
        for path, value in told:
            *within, key = path.split(".")
            over: list[str] = []
            for end, part in enumerate(within, 1):
                name = names.get(".".join(within[:end]), "") if part.endswith("]") else None
                over += [part] if name is None else [part.partition("[")[0], name]
            if over and path.count("[") < _NESTED:
                yield _Field(at, tuple(over), in_words(key), value)
        return
    label, dash, rest = evidence.best.of(evidence.reading.text).partition(_DASH)
    if not dash or ": " in label or drawn_tables.is_row(line):
        return
    if plain_tables.is_told(line) or label not in line:
        parts = tuple(part for part in _PARTS.split(label) if part)
        for key, value in _CELL.findall(rest):
            yield _Field(at, parts, in_words(key.strip()), value.strip())


def _stated(line: str) -> str:
    """An object in one line as a record's line; "" for what is none."""
    try:
        return statements(loads(line)[0]).replace("\n\n", "; ")
    except (ValueError, RecursionError):
        return ""


def _called(claim: str, name: str) -> Span | None:
    """Where a claim names an entry: "Mill Lane" of "mill_lane", "laptop" of "laptops"."""
    if len(name) < 2 or not any(map(str.isalpha, name)):
        return None
    plain = " ".join(re.split(r"[_-]+", name))
    return called(claim, name) or called(claim, plain) or place_of(claim, plain.removesuffix("s"))


def _named(claim: str, fields: Iterable[_Field]) -> Path | None:
    """The one entry with siblings that a claim names; None where it names one of these too.

    What it names further inside is part of a key: "the image tag of the frontend".
    """
    every = {field.path[:end] for field in fields for end in range(1, len(field.path) + 1)}
    named = sorted((path for path in every if _called(claim, path[-1])), key=len)
    for own in named:
        over, deep = own[:-1], len(own)
        others = [path for path in named if path != own[: len(path)]]
        if any(path[-1] == own[-1] for path in others):
            continue  # "limits" of its own, and the limits of a server that the claim names
        apart = all(len(path) > deep and path[: deep - 1] == over for path in others)
        if apart and any(len(path) == deep and path[:-1] == over for path in every - {own}):
            return own
    return None


def _told_of_another(
    pairs: Sequence[Pair], fields: Sequence[_Field], own: Path
) -> Iterator[_Field]:
    """The fields of siblings whose values the claim gives the entry at `own`, which lacks them."""
    depth = len(own)
    mine = [field for field in fields if field.path[:depth] == own]
    theirs = [
        field
        for field in fields
        if len(field.path) >= depth and field.path[: depth - 1] == own[:-1] and field not in mine
    ]
    # What stands over both may hold for both, and so may what prose says.
    over = [
        f.value for f in fields if f.path == own[: len(f.path)] or f.path[-1].lower() in _OF_ALL
    ]
    rows = {field.at for field in fields}
    over += [p.evidence.reading.text for at, p in enumerate(pairs) if at not in rows]
    held = " ; ".join([*over, *(field.value for field in mine)])
    # "orders" and "tasks" only hold entries: what stands beside them is no sibling of theirs.
    own_fields = any(field.path == own for field in mine)
    if not own_fields or any(field.key in _TAKES_OVER for field in mine):
        return
    for field in theirs:
        key = in_words(" ".join([*field.path[depth:], field.key]))
        beside = [f for f in mine if set(f.key.split()) & set(field.key.split())]
        if not place_of(held, field.value) and _says(pairs, field, key, bool(beside)):
            yield field


def _says(pairs: Sequence[Pair], field: _Field, key: str, beside: bool) -> bool:
    """Whether the claim has a field's value, and its key where the value alone tells too little.

    beside: whether the entry that the claim names has a key like it, and so a value of its own.
    """
    text, value = pairs[0].claim.text, field.value
    parts = [word.removesuffix("s") for word in key.split() if len(word) > 2]
    keys = [begins_word(word, text.lower()) for word in parts]
    if value.lower() in YES | NO:
        return bool(keys) and all(keys) and not beside
    if value.lower() in NO_VALUE or len(value) > _LONGEST:
        return False
    place = _place(pairs[0], pairs[field.at], value, beside)
    telling = _LITERAL.fullmatch(value) or sum(map(str.isdigit, value)) >= _SURE_DIGITS
    return place and (any(keys) or bool(telling) or is_naming(field.key))


def _place(claim: Pair, passage: Pair, value: str, beside: bool) -> bool:
    """Whether a claim has a value, or the amount that it is: "three", "15 seconds" of "15s"."""
    text, where = claim.claim.text, place_of(passage.evidence.reading.text, value)
    amounts = [one for one in claim.claim_facts.quantities if one.low == one.high]
    if beside and any(one.unit and one.span.of(text).startswith(value) for one in amounts):
        return False  # the 2 of "2 minutes", which may be its own 120
    if value.isdecimal() and any(one.low == float(value) and not one.unit for one in amounts):
        return True
    theirs = [
        one for one in passage.evidence_facts.quantities if where and one.span.overlaps(where)
    ]
    same = any((one.low, one.unit) == (own.low, own.unit) for own in theirs for one in amounts)
    return same or place_of(text, value) is not None
