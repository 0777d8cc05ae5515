"""Contrastive qualifiers: the right figure of another slot ("net" for "gross", 2022 for 2023).

A sentence or a row often has several figures of one thing, told apart by one word each: "profit
before tax was $88 million; after tax, $61 million". A claim that gives one of them with the word of
another has taken the wrong one, though its figure stands there. So has a claim that turns round the
only word there is: "£240 before VAT" beside "£240 including VAT". Which words tell figures apart is
in `data/qualifiers.txt`; years do too, and in a row the names of the columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import inf

from halgo.evidence.lexical import is_common
from halgo.facts.units import NO_AMOUNTS
from halgo.facts.words import MONTHS, WEEKDAYS, lines
from halgo.signals.quantities import captions
from halgo.signals.quantities.relation import Relation, relation, unit_and_rate
from halgo.signals.records.fields import figure_in
from halgo.signals.segments import CLAUSE, shown, split
from halgo.types import Pair, Quantity, Signal, Span, Stance

_WEIGHT = 0.7
_WORD = re.compile(r"[^\W_]+")
_YEAR = re.compile(r"(?:19|20)\d\d")
_FIELD = re.compile(r";\s|\s—\s")
_KEYED = re.compile(r"(?:[^:]{1,80}:\s.{1,80}|[^\d.!?]{1,60}\s[-+(]?[\d$€£][\d,.%)]*)\.?\s*")
_PART = re.compile(
    rf"{CLAUSE.pattern}|\s(?:than|or|plus|versus|vs\.?)\s|\s\("
    r"|\s(?=compared\s|up from\s|down from\s)"
    r"|\s(?=(?:from|to)\s(?:[a-z]+\s){0,2}[-+(]?[$€£]?\d)",  # "from 120 in 2022 | to 150 in 2023"
    re.IGNORECASE,
)
# "(in $ millions)" is the scale of a table and tells nothing apart.
_SCALE = re.compile(r"\(in [^()]{1,40}\)", re.IGNORECASE)
_CALENDAR = frozenset({*MONTHS, *WEEKDAYS})
_ASIDE = re.compile(r"[^\s()]{0,3}(?:\s\w{1,20}){0,4}\s\((?P<of>[^():]{2,40}):\s[^()]{1,40}\)")
_MOST_AMOUNTS = 24  # of a sentence; more are a table
_LONGEST = 4000  # characters of a sentence


@dataclass(frozen=True, slots=True)
class _Slot:
    """A figure and the words of the stretch that it is told in."""

    amount: Quantity
    said: tuple[str, ...]

    @property
    def labels(self) -> frozenset[str]:
        return frozenset(self.said)


@lru_cache(maxsize=2048)  # several rules ask of one passage
def is_row(text: str) -> bool:
    """Whether a text is fields side by side: "Item: Rent — 2023: 918; 2022: 874"."""
    fields = _FIELD.split(text[:_LONGEST])
    return (
        len(fields) > 1 and sum(bool(_KEYED.fullmatch(field)) for field in fields) > len(fields) / 2
    )


def signals(pair: Pair) -> list[Signal]:
    """number_conflict signals, at most one: a figure of the claim is that of another slot."""
    if not pair.claim_facts.quantities:
        return []
    text, best = pair.evidence.reading.text, pair.evidence.best
    best = Span(best.start, min(best.end, best.start + _LONGEST))
    row = is_row(best.of(text))
    known = pair.evidence_facts.quantities
    if row:  # what its caption makes of it: "in € million"
        money = {amount.span: amount for amount in captions.amounts(pair)}
        known = tuple(money.get(amount.span, amount) for amount in known)
    theirs = list(_slots(text, best, known, _FIELD if row else _PART))
    if not theirs:
        return []
    whole = Span(0, min(len(pair.claim.text), _LONGEST))
    # In a row "zones 1–2" and "40 mg" may be names of columns.
    labels = frozenset[str]().union(*(slot.labels for slot in theirs)) if row else frozenset()
    claimed = tuple(
        amount
        for amount in pair.claim_facts.quantities
        if not labels.issuperset(_WORD.findall(amount.span.of(pair.claim.text).lower()))
    )
    for ours in _slots(pair.claim.text, whole, claimed, _PART):
        same = [slot for slot in theirs if _is_same(ours.amount, slot.amount, pair)]
        if len(same) != 1:
            continue
        rivals = [
            slot
            for slot in theirs
            if slot is not same[0] and _is_rival(ours.amount, same[0].amount, slot.amount)
        ]
        for rival in rivals:
            if _is_other_slot(ours, same[0], rival, row) or _is_aside(ours, same[0], rival, text):
                return [_signal(pair, ours.amount, rival.amount)]
        if not row and (turned := _turned(ours, same[0])):
            return [_turned_signal(pair, ours, same[0], turned)]
    return []


def _slots(
    text: str, within: Span, found: tuple[Quantity, ...], at: re.Pattern[str]
) -> Iterator[_Slot]:
    """The figures that stand alone in their stretch; what holds none belongs to the next one.

    Not so in a row, whose first field names it all.
    """
    amounts = [
        amount
        for amount in found
        if amount.span.overlaps(within) and not amount.unit.startswith(NO_AMOUNTS)
    ]
    if len(amounts) > _MOST_AMOUNTS:
        return
    parts: list[Span] = []
    start = within.start
    for part in split(at, within, text):
        stretch = part if at is _FIELD else Span(start, part.end)
        if any(amount.span.overlaps(stretch) for amount in amounts):
            parts.append(stretch)
            start = part.end
    if parts and start < within.end and at is not _FIELD:
        parts[-1] = Span(parts[-1].start, within.end)
    for part in parts:
        value = text.find(": ", part.start, part.end) if at is _FIELD else -1
        told = Span(max(value, part.start), part.end)
        inside = [amount for amount in amounts if amount.span.overlaps(told)]
        if len(inside) == 1:
            yield _Slot(inside[0], tuple(_said(text, part, inside[0].span)))


def _said(text: str, part: Span, but: Span) -> Iterator[str]:
    scale = _SCALE.search(text, part.start, part.end)
    start = scale.end() if scale and scale.end() <= but.start else part.start
    for match in _WORD.finditer(text, start, part.end):
        if match.end() <= but.start or match.start() >= but.end:
            yield match[0].lower()


def _is_same(claim: Quantity, truth: Quantity, pair: Pair) -> bool:
    """Whether a figure is the claim's; of limits, "up to 160 kg", "5–35 °C", one that they are."""
    if claim.low != claim.high or truth.low != truth.high:
        return truth.unit == claim.unit and not _ends(claim).isdisjoint(_ends(truth))
    if not truth.unit and claim.unit:  # the head of the table has the unit
        return figure_in(claim.span.of(pair.claim.text)) == truth.low
    return relation(claim, truth) >= Relation.ROUNDED


def _ends(amount: Quantity) -> frozenset[float]:
    return frozenset({amount.low, amount.high}) - {0.0, inf, -inf}


def _is_rival(claim: Quantity, truth: Quantity, other: Quantity) -> bool:
    """Whether another figure is of the same kind and has nothing of what the claim gives."""
    if unit_and_rate(truth)[0] != unit_and_rate(other)[0]:
        return False
    if truth.low == truth.high and other.low == other.high:
        exceeds = claim.low < claim.high == inf and claim.low <= other.low  # 250 is more than 25
        return truth.low != other.low and not exceeds
    return _ends(claim).isdisjoint(_ends(other))


def _is_other_slot(ours: _Slot, same: _Slot, rival: _Slot, row: bool) -> bool:
    """Whether the claim has what tells the rival apart, and nothing of what tells its own."""
    its, others = same.labels - rival.labels, rival.labels - same.labels
    said = ours.labels
    if not said.isdisjoint(its) or not said & others:
        return False
    if row:
        # A column's name is a label; of one in several words ("gross profit") all have to be said.
        years = {word for word in others if _YEAR.fullmatch(word)}
        return bool(years & said) or (bool(others - years) and others - years <= said)
    return any(_is_opposed(one, other) for one in said & others for other in its)


def _is_opposed(one: str, other: str) -> bool:
    """Whether two words tell figures apart: two years, or two sides of one kind."""
    if _YEAR.fullmatch(one) and _YEAR.fullmatch(other):
        return one != other
    ours, theirs = _sides().get(one, {}), _sides().get(other, {})
    return any(ours[kind] != theirs[kind] for kind in ours.keys() & theirs.keys())


def _is_aside(ours: _Slot, same: _Slot, rival: _Slot, text: str) -> bool:
    """Whether the claim gives a figure with what is told of the one in brackets right behind it.

    Of "24.0% (2022: 23.0%)" it is the second that is of 2022.
    """
    aside = _ASIDE.match(text, same.amount.span.end)
    if aside is None or not aside.start("of") <= rival.amount.span.start < aside.end():
        return False
    label = {word.lower() for word in _WORD.findall(aside["of"]) if not is_common(word.lower())}
    return bool(label) and label <= ours.labels


def as_beside(pair: Pair) -> list[tuple[Span, str]]:
    """A claim's figure of a bracket as the one before it, and its time or group left out.

    "In 2022 it employed 388 people" beside "it employed 412 people (2022: 388)" says of the one
    what the source says of the other: a reader is asked whether it employed 412 people. Stretches
    of the claim, each with what is read in its place.
    """
    claim, text = pair.claim.text[:_LONGEST], pair.evidence.reading.text
    known = pair.evidence_facts.quantities
    for head in known if len(known) <= _MOST_AMOUNTS else ():
        aside = _ASIDE.match(text, head.span.end)
        if aside is None:
            continue
        label = re.escape(aside["of"].strip())
        said = re.search(
            rf"(?:\b(?:in|for|at|on|during|by)\s+)?(?:the\s+)?\b{label}\b,?", claim, re.I
        )
        inside = [one for one in known if aside.end("of") <= one.span.start < aside.end()]
        if said is None or len(inside) != 1:
            continue
        for ours in pair.claim_facts.quantities:
            if relation(ours, inside[0]) >= Relation.ROUNDED and not ours.span.overlaps(
                Span(*said.span())
            ):
                return [(ours.span, head.span.of(text)), (Span(*said.span()), "")]
    return []


def _turned(ours: _Slot, theirs: _Slot) -> tuple[str, str] | None:
    """The claim's qualifier and the passage's opposite one, of the same thing: "before VAT"."""
    for one, after in zip(ours.said, ours.said[1:], strict=False):
        if one in _CALENDAR or is_common(after) or one in theirs.said:
            continue  # dates are compared elsewhere
        for other, follows in zip(theirs.said, theirs.said[1:], strict=False):
            if after == follows and other not in ours.said and _is_opposed(one, other):
                return one, other
    return None


def _signal(pair: Pair, ours: Quantity, rival: Quantity) -> Signal:
    said, given = _shown(pair, ours, rival)
    message = f"The claim says {said}; of this the source says {given}."
    return Signal("number_conflict", Stance.CONTRADICTS, _WEIGHT, message, ours.span, rival.span,
                  (said, given))  # fmt: skip


def _turned_signal(pair: Pair, ours: _Slot, same: _Slot, turned: tuple[str, str]) -> Signal:
    amounts = _shown(pair, ours.amount, same.amount)
    message = f'Of {amounts[0]} the claim says "{turned[0]}"; the source says "{turned[1]}".'
    return Signal("number_conflict", Stance.CONTRADICTS, _WEIGHT, message, ours.amount.span,
                  same.amount.span, turned)  # fmt: skip


def _shown(pair: Pair, ours: Quantity, theirs: Quantity) -> tuple[str, str]:
    return shown(pair.claim.text, ours.span), shown(pair.evidence.reading.text, theirs.span)


@lru_cache(maxsize=1)
def _sides() -> Mapping[str, Mapping[int, int]]:
    """Each word of the table with its kinds, and its side of each."""
    found: dict[str, dict[int, int]] = {}
    for kind, line in enumerate(lines("qualifiers")):
        for side, part in enumerate(line.split("|")):
            for word in part.split():
                found.setdefault(word, {})[kind] = side
    return found
