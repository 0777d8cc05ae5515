"""Neighbouring rows: records of one kind side by side, and whose value it is that a claim gives.

Of rows and tool results several look alike, and a value of one of them is told of another with
ease: "The Kestrel 30 costs 345", where 345 is the price of the Kestrel 40. A record that the claim
names, by its id or name, has the last word on its own fields: the claim must not give it what
another record holds, and what the others hold is no support.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from halgo.evidence.lexical import content_stems, stems
from halgo.facts.aliases import folded
from halgo.signals.derivation.questions import is_apart
from halgo.signals.matching import same_words
from halgo.signals.quantities.relation import Relation, relation
from halgo.signals.records.fields import (
    FIGURE,
    NOTHING,
    begins_word,
    called,
    figure_in,
    is_naming,
    naming,
    place_of,
    record_of,
    telling,
    words_in,
)
from halgo.signals.records.statuses import is_said
from halgo.types import Claim, Pair, Quantity, Signal, Span, Stance

CONFLICT, UNSUPPORTED = 0.8, 0.75
_LONGEST = 60  # characters of a value that could be told of another record
_LONGEST_NAME = 8  # content words of a first cell that may name its row
_SURE_DIGITS = 3  # a number this long is hardly met by chance

_MOST = 40  # predicates of a claim
_NESTED = 2  # lists, one in the other
_TELLING = 2  # words of another record's value that the named one has not
_MOSTLY = 2 / 3  # share of such a value's words that a claim has
# Words by which a claim says what a thing is called or has.
_IDLE = frozenset(
    stems("call code error field give have key mean name response return status value")
)
# A value that only a program reads: "run.command", "logs:read", "not_found".
_LITERAL = re.compile(r"(?=\S*[A-Za-z])[\w-]+(?:[.:/_][\w-]+)+")
_CONTRAST = re.compile(
    r"\b(?:not|no|never|unlike|than|instead|whereas|while|both|either|or)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
# A part of a name that tells by itself which is meant: "/metrics" of "GET /metrics", "--limit".
_CODE = re.compile(r"(?=\S*[A-Za-z])(?:--?|/)?[\w/{}.-]*[/_\d{}](?:[\w/{}.-]*[\w}])?|--\w[\w-]+")


@dataclass(frozen=True, slots=True)
class _Record:
    """A passage that is one record: its fields, and the name by which the claim calls it."""

    at: int
    values: Mapping[str, str]
    label: str
    named: Span | None

    @property
    def cell(self) -> str:
        """The first cell of a table's row, which says what the row is about; else ""."""
        return next(iter(self.values.values())) if "|" in self.label else ""

    @property
    def fields(self) -> list[tuple[str, str]]:
        """What is told of the record; the first cell of a table's row says which it is."""
        return list(self.values.items())["|" in self.label :]


class RecordsDetector:
    """What the records among a claim's passages say of one another: a `ClaimDetector`."""

    name = "records"

    def alone(self, claim: Claim) -> tuple[Signal, ...]:
        """Nothing: it takes records."""
        return ()

    def together(
        self, pairs: Sequence[Pair], found: Sequence[tuple[Signal, ...]]
    ) -> list[tuple[Signal, ...]]:
        """One tuple per passage, in order."""
        return _of_records(pairs, found)


def _of_records(
    pairs: Sequence[Pair], found: Sequence[tuple[Signal, ...]]
) -> list[tuple[Signal, ...]]:
    """What each passage's record adds to what was found."""
    groups: dict[str, list[_Record]] = {}
    if any(signal.kind == "rows_agree" for signals in found for signal in signals):
        return [()] * len(pairs)  # worked out on all the rows
    for at, pair in enumerate(pairs):
        label, fields = record_of(pair)
        if fields and (len(fields) > 1 or "|" not in label):
            values = dict(fields)
            named = _named(pair.claim.text, label, values)
            groups.setdefault(label, []).append(_Record(at, values, label, named))
    told = [list(some) for some in found]
    for records in groups.values():
        meant = [record for record in records if same_words(pairs[record.at])]
        meant = meant or _called(pairs[records[0].at].claim.text, records)
        meant = meant or _worded(pairs, records) or _spoken_of(pairs[records[0].at].claim, records)
        if not meant and len(records) == 1 and _is_about(pairs[records[0].at], records[0]):
            meant = records
        inside = _inside(pairs[records[0].at].claim.text, records)
        meant = inside or meant
        if len({tuple(record.values.items()) for record in meant}) != 1:
            for record in records if inside else ():
                if record not in inside:
                    told[record.at].append(_of_another(inside[0], pairs[record.at].claim.text))
            continue  # none, or several that the claim compares
        own = meant[0]
        others = [record for record in records if record.values != own.values]
        for record in others:
            told[record.at].append(_of_another(own, pairs[own.at].claim.text))
        conflict = next(_conflicts(pairs[own.at], own, others), None)
        conflict = conflict or next(_in_words(pairs[own.at], own, others), None)
        for record in meant:
            told[record.at] += [conflict] if conflict else _of_field(pairs[record.at], own)
    return [tuple(some[len(before) :]) for some, before in zip(told, found, strict=True)]


def _called(claim: str, records: Sequence[_Record]) -> list[_Record]:
    """The records that a claim names; the row that it does no more than give another's name.

    "404 is `permission_denied`" of rows with a code and a name.
    """
    named = [one for one in records if one.named is not None]
    by_cell = [one for one in named if one.cell and called(claim, one.cell)]
    if len(by_cell) != 1 or len(named) == 1:
        return named
    keys = " ".join(key for one in named for key in one.values)
    names = " ".join(one.named.of(claim) for one in named if one.named)
    return named if content_stems(claim) - content_stems(f"{keys} {names}") - _IDLE else by_cell


def _inside(claim: str, records: Sequence[_Record]) -> list[_Record]:
    """The records of inner lists that lie in the only outer one that the claim names: its items."""
    if records[0].label.count("[]") < _NESTED:
        return []
    outer = [(one, next(iter(one.values.values()))) for one in records]
    named = {value for _, value in outer if telling(value) and place_of(claim, value)}
    return [one for one, value in outer if value in named] if len(named) == 1 else []


def _named(claim: str, label: str, values: Mapping[str, str]) -> Span | None:
    """Where the claim names the record: by a value that is a name or an id, the longest one."""
    by_place = "|" in label  # of a table the first column names the row, of a record a code may
    spans: list[Span] = []
    keys = naming(list(values.items()))
    for place, (key, value) in enumerate(values.items()):
        names = key in keys or (place == 0 and (by_place or telling(value)))
        if names and len(value) <= _LONGEST and value.lower() not in NOTHING:
            places = [called(claim, value), *(place_of(claim, one) for one in _CODE.findall(value))]
            spans += filter(None, places)
    return max(spans, key=len, default=None)


def _spoken_of(claim: Claim, records: Sequence[_Record]) -> list[_Record]:
    """The records that the answer named last before the claim, which names none.

    "In Madrid, hotels cost up to $190. Meals are capped at $95."
    """
    spots = [(one, _named(claim.before, one.label, one.values)) for one in records]
    last = max((span.end for _, span in spots if span), default=0)
    return [one for one, span in spots if span and span.end == last]


def _worded(pairs: Sequence[Pair], records: Sequence[_Record]) -> list[_Record]:
    """The row of a table that the claim calls by a word that only this row's first cell has.

    "Settings files" beside the rows "a settings or policy file" and "a calibration file". None
    where the claim has words of two rows, or another passage as many of its words.
    """
    claim = _words_of(pairs[0].claim.text)
    cells = {one.cell: _words_of(one.cell) for one in records}
    called = [
        cell
        for cell, words in cells.items()
        if any(sum(word in other for other in cells.values()) == 1 for word in claim & words)
    ]
    if len(called) != 1 or len(cells) < 2 or len(cells[called[0]]) > _LONGEST_NAME:
        return []
    held = {one.at: len(claim & _words_of(pairs[one.at].evidence.reading.text)) for one in records}
    mine = [one for one in records if one.cell == called[0]]
    others = (held[one.at] for one in records if one.cell != called[0])
    return mine if min(held[one.at] for one in mine) > max(others) else []


def _words_of(text: str) -> frozenset[str]:
    return frozenset(word for word in content_stems(text) if word[0].isalpha())


def _is_about(pair: Pair, record: _Record) -> bool:
    """Whether the claim speaks of two things at least that the only record of its kind is about."""
    said = pair.claim.text.lower()
    words = {word for key in (record.label, *record.values) for word in _words(key)}
    return sum(begins_word(word, said) for word in words) > 1


def _words(key: str) -> list[str]:
    found = [word for word in re.split(r"[\W_]+", key.lower()) if len(word) > 2]
    return [word.removesuffix("s") if len(word) > 3 else word for word in found]


def _conflicts(pair: Pair, own: _Record, others: Sequence[_Record]) -> Iterator[Signal]:
    """What the claim says of the record it names, and another record holds in its stead."""
    text, reading, dates = pair.claim.text, pair.evidence.reading.text, pair.claim_facts.dates
    mine = " ; ".join(own.values.values())
    keys = {word for key in own.values for word in _words(key)}
    for other in others:
        for key, value in other.values.items():
            has = own.values.get(key, "")
            if not has or _same(has, value) or value.lower() in keys:  # "default" under "Default"
                continue
            said = place_of(text, _plain(value)) or place_of(text, value)
            if said is None or (own.named and said.overlaps(own.named)):
                continue
            if not _telling(pair, said, key, value):
                continue
            if any(dated.span.overlaps(said) != (dated.span == said) for dated in dates):
                continue  # the 14 of "14 December"
            if _is_passed(pair, said, has):
                continue
            if value.isdecimal() and any(
                one.unit and one.span.overlaps(said) for one in pair.claim_facts.quantities
            ):
                continue  # the 30 of "30 days" is no number of runs
            if place_of(mine, said.of(text)) or place_of(text, has) or place_of(text, _plain(has)):
                continue
            place = place_of(reading, has)
            kind = "number_conflict" if value[0].isdigit() else "word_conflict"
            message = f'The source gives "{has}" as {key}; "{value}" is that of another record.'
            values = (said.of(text), has)
            yield Signal(kind, Stance.CONTRADICTS, CONFLICT, message, said, place, values)


def _is_passed(pair: Pair, said: Span, has: str) -> bool:
    """Whether a number of the claim is one that the record's own exceeds: "more than 30" of 300."""
    own = figure_in(has)
    return own is not None and any(
        one.low <= own and one.low < one.high == math.inf and one.span.overlaps(said)
        for one in pair.claim_facts.quantities
    )


def _in_words(pair: Pair, own: _Record, others: Sequence[_Record]) -> Iterator[Signal]:
    """What the claim says in words of the record it names, and only another record holds.

    "Lamp 2 means that the oil is too old", where that is what lamp 3 means.
    """
    text = pair.claim.text
    mine = _words_of(" ".join(own.values.values()))
    name = _words_of(own.named.of(text)) if own.named else _words_of(own.cell)
    said = _words_of(text) - name
    rest = said - _words_of(" ".join(own.values)) - _IDLE
    if _CONTRAST.search(text):
        return
    for other in others:
        for key, value in other.fields:
            has = own.values.get(key, "")
            words, theirs = _words_of(value), _words_of(has)
            held, new = words & said, (words & said) - mine
            mostly = len(new) >= _TELLING and len(held) >= _MOSTLY * len(words)
            if not has or len(value) > _LONGEST or not (mostly or (rest & new and rest <= words)):
                continue
            if not theirs - words or (theirs - words) & said:
                continue
            span = words_in(text, words) or Span(0, len(text))
            message = f'The source gives "{has}" as {key}; "{value}" is that of another record.'
            place = place_of(pair.evidence.reading.text, has)
            values = (span.of(text), has)
            yield Signal(
                "word_conflict", Stance.CONTRADICTS, CONFLICT, message, span, place, values
            )


def _same(one: str, other: str) -> bool:
    return folded(one) == folded(other) or _plain(one) == _plain(other)


def _plain(value: str) -> str:
    """A number as it may be written too: "345.0" is 345, "1,345" is 1345."""
    number = re.fullmatch(r"(-?\d{1,3}(?:,\d{3}){0,5}|-?\d{1,18})(\.\d{1,6})?", value)
    if number is None:
        return value
    part = (number[2] or "").rstrip("0").rstrip(".")
    return number[1].replace(",", "") + part


def _telling(pair: Pair, said: Span, key: str, value: str) -> bool:
    """Whether a value is hardly in a claim by chance: a name, what its key is for, a predicate."""
    claim = pair.claim.text
    if value.lower() in NOTHING or len(value) > _LONGEST:
        return False
    if sum(map(str.isdigit, value)) >= _SURE_DIGITS:
        return True
    if _LITERAL.fullmatch(value) or is_naming(key):
        return True
    if value[0].isupper() and len(value) > 2:
        return said.start > 0 and claim[said.start].isupper()
    if any(is_said(predicate, said) for predicate in pair.claim_facts.predicates[:_MOST]):
        return True
    return any(begins_word(word, claim.lower()) for word in _words(key))


def _of_field(pair: Pair, own: _Record) -> Iterator[Signal]:
    """Another number than the field has whose key the claim names: "total 129.90 EUR".

    Or, where it is plain which field is meant, that it is the same.
    """
    said, reading = pair.claim.text, pair.evidence.reading.text
    amounts = [
        amount
        for amount in pair.claim_facts.quantities
        if not (own.named and amount.span.overlaps(own.named))
    ]
    keys = [(key, value) for key, value in own.fields if _is_named(said, key)]
    keys = [(key, value) for key, value in keys if place_of(said, key)] or keys  # "all zones"
    if len(amounts) == 1 and not keys:
        keys = _only_of_its_unit(pair, own, amounts[0])
    if len(amounts) != 1 or len(keys) != 1 or is_apart(said, amounts[0].span):
        return  # "fell by 3.3 in 2023" is no value of 2023
    (amount,), ((key, value),) = amounts, keys
    place = place_of(reading, value)
    theirs = [
        other
        for other in pair.evidence_facts.quantities
        if place is not None and other.span.overlaps(place)
    ]
    if len(theirs) != 1 or amount.low != amount.high:
        return
    if theirs[0].unit.partition("/")[0] == amount.unit.partition("/")[0]:
        same = any(
            abs(end - amount.low) <= amount.step / 2 for end in (theirs[0].low, theirs[0].high)
        ) or (amount.approximate and relation(amount, theirs[0]) >= Relation.ROUNDED)
        other = not same and theirs[0].low == theirs[0].high
    else:  # the unit stands over the table: by the figures, and only that of another column
        same = False
        other = not theirs[0].unit and any(
            _plain(cell) == _figure(amount.span.of(said)) != _plain(value)
            for cell in own.values.values()
        )
    # What another field has is denied only by one that the claim names with all its words.
    if not _names_all(said, key) and any(
        one.low == amount.low == one.high
        for one in pair.evidence_facts.quantities
        if one.span.overlaps(pair.evidence.best) and one is not theirs[0]
    ):
        return
    given, values = amount.span.of(said), (amount.span.of(said), value)
    if same and amount.unit:
        message = f'The source gives "{value}" as {key}.'
        yield Signal(
            "number_agrees", Stance.SUPPORTS, CONFLICT, message, amount.span, place, values
        )
    elif other:
        message = f'The source gives "{value}" as {key}, not "{given}".'
        yield Signal(
            "number_conflict", Stance.CONTRADICTS, CONFLICT, message, amount.span, place, values
        )


def _figure(written: str) -> str:
    """The digits of an amount as a cell has them: "3.40" of "3.40 euros"."""
    digits = FIGURE.search(written)
    return _plain(digits[0]) if digits else ""


def _only_of_its_unit(pair: Pair, own: _Record, amount: Quantity) -> list[tuple[str, str]]:
    """The field with the record's only amount in this unit, of a claim that is about nothing else.

    "The kettle costs 49 EUR" beside "name kettle; price 55 EUR"; not "The lid of the kettle costs".
    """
    unit = amount.unit.partition("/")[0]  # "€19" may be of a column of monthly prices
    some = pair.evidence_facts.quantities
    theirs = [other for other in some if other.unit.partition("/")[0] == unit]
    if not unit or not own.named or len(theirs) != 1:
        return []
    held = {term.lemma for term in pair.evidence_facts.terms}
    words = [term for term in pair.claim_facts.terms if not term.span.overlaps(amount.span)]
    if any(term.lemma not in held and term.pos not in ("VERB", "AUX") for term in words):
        return []
    written = theirs[0].span.of(pair.evidence.reading.text)
    return [(key, value) for key, value in own.values.items() if place_of(value, written)]


def _is_named(claim: str, key: str) -> bool:
    """Whether the claim names a field: the last word of its key, which is no "id" or "name"."""
    words = _words(key)[-1:]
    return any(begins_word(word, claim.lower()) for word in words) and not is_naming(key)


def _names_all(claim: str, key: str) -> bool:
    """Whether a claim has every word of a key."""
    return all(begins_word(word, claim.lower()) for word in _words(key))


def _of_another(own: _Record, claim: str) -> Signal:
    """This record is not the one that the claim names."""
    message = "This record is of something else than the claim is about."
    if own.named:
        message = f'This record does not name "{own.named.of(claim)}".'
    return Signal("unsupported_name", Stance.UNSUPPORTED, UNSUPPORTED, message, own.named)
