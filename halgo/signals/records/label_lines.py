"""Lines "Label: value": the value of one label told of another.

"Invoice date: 5 May" and "Due date: 4 June" stand in sentences of their own. That the invoice is
due on 5 May has a value that the source has, and only the labels tell that it is the other one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date

from halgo.evidence.lexical import is_common, stems
from halgo.protocols import Lexicon
from halgo.signals.matching import derived
from halgo.signals.quantities import relation as amounts
from halgo.signals.segments import CLAUSE, covering, shown, split
from halgo.signals.time import date_conflicts as days
from halgo.types import Date, Pair, Quantity, Signal, Span, Stance

_WEIGHT = 0.85
_NEAREST = 1.0  # of the claim's word that stands next to the value
_LIGHT = 0.5  # of a word that says little of what it is told of
_CLEARLY = 0.5  # by how much another label has to fit better
_MOST_FIELDS = 60
_LABEL = re.compile(
    r"[ \t]*(?:[-*\u2022][ \t]+)?[*_]{0,2}([A-Za-z][^\n:;|]{0,40}?)[*_]{0,2}:[*_ \t]*"
)
_AHEAD = re.compile(r"[^\w\n]{0,4}")  # of a sum of money, whose span may not have its sign
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_PHRASE = re.compile(r"\b([^\W\d_]+) (in|out|up|off)\b", re.IGNORECASE)
# What may well be said of a value that is not the label's.
_OPEN = re.compile(
    r"\b(?:not|no|never|if|unless|than|before|after|since|between|from|respectively|or|without"
    r"|except|plus|minus|about|around|nearly|almost)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
_LIGHTLY = frozenset(
    stems(
        "date deadline day time amount number value total price be place make take set have get"
        " give come cost pay charge begin start end open close fall happen run come go must need"
        " ask say"
    )
)

Value = Quantity | Date


@dataclass(frozen=True, slots=True)
class _Field:
    """A value and the label right before it; `at`: its pair's place; doc: whose it is."""

    at: int
    doc: str
    label: str
    value: Value

    @property
    def keys(self) -> frozenset[str]:
        return frozenset((dict(_words(self.label)) | _phrases(self.label)).values())


def signals(pairs: Sequence[Pair], lexicon: Lexicon) -> list[list[Signal]]:
    """Beside each passage of one claim one conflict for each value that is another label's."""
    found: list[list[Signal]] = [[] for _ in pairs]
    if not pairs or _OPEN.search(pairs[0].claim.text):
        return found
    facts = pairs[0].claim_facts
    claimed: list[Value] = [*facts.quantities, *map(_limit, facts.dates)]
    if not claimed:
        return found
    fields = [field for at, pair in enumerate(pairs) for field in _fields(at, pair)]
    if len({field.label for field in fields}) < 2:
        return found
    said = {ours: _Said(pairs[0], ours, claimed, lexicon) for ours in claimed}
    if not all(one.words for one in said.values()):
        return found  # values in a list: "the net and gross weights are 12 and 14 kg"
    for ours in claimed:
        own = [field for field in fields if _compare(ours, field.value) == 1]
        if not own or _stands_in_prose(ours, pairs, fields):
            continue
        rivals = [_rival(said[ours], field, fields) for field in own]
        rival = rivals[0]
        if rival is None or not all(rivals):
            continue
        signal = _signal(pairs, ours, own[0], rival)
        told = (rival.doc, rival.label)
        places = {one.at: one.value.span for one in fields if (one.doc, one.label) == told}
        for at in range(len(pairs)):
            found[at].append(replace(signal, evidence_span=places.get(at)))
    return found


def _fields(at: int, pair: Pair) -> Iterator[_Field]:
    """The values of a passage that stand right behind a label with which their line begins."""
    chunk, reading = pair.evidence.chunk, pair.evidence.reading
    for value in _values(pair)[:_MOST_FIELDS]:
        place = reading.locate(value.span)
        if place is None:
            continue
        start = place.start - chunk.span.start
        line = chunk.text.rfind("\n", 0, max(start, 0)) + 1
        label = _LABEL.match(chunk.text, line, max(start, line))
        if label and _AHEAD.fullmatch(chunk.text, label.end(), start):
            yield _Field(at, chunk.doc_id, label[1].strip(), value)


def _values(pair: Pair) -> list[Value]:
    return [*pair.evidence_facts.quantities, *pair.evidence_facts.dates]


def _limit(found: Date) -> Date:
    """The last day of "by 30 May": a deadline in April lies before it, but is another one."""
    return replace(found, first=found.last) if found.first == date.min else found


def _compare(ours: Value, theirs: Value) -> int:
    """1 for the same value, -1 for another one of the same measure, 0 for neither."""
    if isinstance(ours, Date) and isinstance(theirs, Date):
        told = days.relation(ours, theirs)
        return (told is days.Relation.WITHIN) - (told is days.Relation.DISJOINT)
    if isinstance(ours, Quantity) and isinstance(theirs, Quantity) and ours.low == ours.high:
        same = amounts.relation(ours, theirs)
        exact = theirs.low == theirs.high
        return (same >= amounts.Relation.ROUNDED and exact) - (same is amounts.Relation.DISJOINT)
    return 0


def _stands_in_prose(ours: Value, pairs: Sequence[Pair], fields: Sequence[_Field]) -> bool:
    """Whether a passage has the value where no label stands before it."""
    held = {(field.at, field.value.span) for field in fields}
    return any(
        (at, value.span) not in held and _compare(ours, value) == 1
        for at, pair in enumerate(pairs)
        for value in _values(pair)
    )


class _Said:
    """What a claim says of one of its values: the words of its clause, the nearest first."""

    def __init__(
        self, pair: Pair, value: Value, claimed: Sequence[Value], lexicon: Lexicon
    ) -> None:
        text = pair.claim.text
        clause = _clause(text, value.span, claimed)
        valued = covering(one.span for one in claimed)
        words = {
            start: key
            for start, key in _words(text)
            if clause.start <= start < clause.end and not valued(Span(start, start + 1))
        }
        self.words = [words[at] for at in sorted(words, key=lambda at: _distance(at, value.span))]
        self._family = {key: {key} for key in self.words}
        for term in pair.claim_facts.terms:
            if term.span.start in words:
                told = map(_key, derived(term.lemma, lexicon))
                self._family[words[term.span.start]].update(told)
        for start, phrase in _phrases(text).items():
            if start in words:
                self._family[words[start]].add(phrase)
        verbs = {words.get(one.span.start, "") for one in pair.claim_facts.predicates}
        self._verbs = verbs - _LIGHTLY - {""}

    def fit(self, keys: frozenset[str], others: frozenset[str]) -> float:
        """How well it fits the words by which one of two labels differs from the other."""
        own, shared = keys - others, (keys & others) | _LIGHTLY
        score = sum(_LIGHT if key in _LIGHTLY else 1.0 for key in own if self.is_told({key}))
        nearest = next((word for word in self.words if not self._is_of(word, shared)), "")
        return score + _NEAREST * self._is_of(nearest, own)

    def is_told(self, label: Set[str]) -> bool:
        """Whether it has every word of a label, or one of its family: "wide" of "width"."""
        return all(any(self._is_of(word, {key}) for word in self.words) for key in label)

    def says_else(self, *labels: frozenset[str]) -> bool:
        """Whether its predicate is of none of the labels: "the order left the warehouse"."""
        known = frozenset[str]().union(*labels)
        return not all(self._is_of(verb, known) for verb in self._verbs)

    def _is_of(self, word: str, keys: Set[str]) -> bool:
        return not keys.isdisjoint(self._family.get(word, {word}))


def _rival(said: _Said, own: _Field, fields: Sequence[_Field]) -> _Field | None:
    """The field with another value of whose label the claim clearly speaks; None of its own."""
    if said.is_told(own.keys):
        return None
    best, most = None, 0.0
    for other in fields:
        if other.doc != own.doc or _compare_fields(own, other) != -1:
            continue
        telling = other.keys - _LIGHTLY or other.keys
        if not said.is_told(telling) or said.says_else(own.keys, other.keys):
            continue
        better = said.fit(other.keys, own.keys) - said.fit(own.keys, other.keys)
        if better >= max(_CLEARLY, most + 0.01):
            best, most = other, better
    return best


def _compare_fields(own: _Field, other: _Field) -> int:
    return _compare(own.value, other.value) if own.label != other.label else 0


def _signal(pairs: Sequence[Pair], ours: Value, own: _Field, rival: _Field) -> Signal:
    claim = shown(pairs[0].claim.text, ours.span)
    given = shown(pairs[rival.at].evidence.reading.text, rival.value.span)
    message = f'The source gives {claim} under "{own.label}"; under "{rival.label}" it has {given}.'
    kind = "date_conflict" if isinstance(ours, Date) else "number_conflict"
    values = (claim, given)
    return Signal(kind, Stance.CONTRADICTS, _WEIGHT, message, ours.span, rival.value.span, values)


def _clause(text: str, span: Span, claimed: Sequence[Value]) -> Span:
    """The stretch of a claim that a value stands in; what has no value belongs to the next one."""
    start = 0
    for part in split(CLAUSE, Span(0, len(text)), text):
        if any(value.span.overlaps(Span(start, part.end)) for value in claimed):
            if span.start < part.end:
                return Span(start, part.end)
            start = part.end
    return Span(start, len(text))


def _distance(at: int, span: Span) -> int:
    return max(span.start - at, at - span.end)


def _words(text: str) -> Iterator[tuple[int, str]]:
    """Each content word of a text, as a stem, with its place."""
    for match in _WORD.finditer(text):
        if not is_common(match[0].lower()):
            yield match.start(), _key(match[0].lower())


def _phrases(text: str) -> dict[int, str]:
    """What "check out" is in one word, "checkout", by its place."""
    return {one.start(): _key(f"{one[1]}{one[2]}".lower()) for one in _PHRASE.finditer(text)}


def _key(word: str) -> str:
    return next(iter(stems(word.replace("-", ""))), "")
