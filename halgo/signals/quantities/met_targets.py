"""Targets: "the target was met" beside "target at least 99.9 %, result 99.84 %".

A passage tells a target and what came of it as two amounts of one measure. Whether it was met is
told where the target says at which end it holds ("at least", "at most"), whether what came is above
or below it always.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from halgo.evidence.lexical import content_stems
from halgo.signals.derivation.operands import RANKS
from halgo.signals.quantities.relation import unit_and_rate
from halgo.signals.records.fields import record_of
from halgo.signals.segments import SENTENCE, split
from halgo.types import Pair, Quantity, Signal, Span, Stance

_WEIGHT = 0.8
_TARGET = r"(?:targets?|goals?|objectives?|budget(?:ed)?|thresholds?|quotas?|forecasts?|planned)"
_LED = re.compile(rf"\b{_TARGET}\b[^.;]{{0,40}}$", re.IGNORECASE)
_MOST = re.compile(r"\b(?:budget(?:ed)?|limit)\b", re.IGNORECASE)
_TO = rf"\b[^.;]{{0,40}}\b{_TARGET}\b"
# Right behind a preposition: "On Friday the goal was exceeded" says nothing of "on goal".
_WHOSE = r"(?:the|its|their|our|this|that|an?|all|both|[\w-]+['\u2019]s?)"
_NEXT = rf"(?:\s{_WHOSE})?(?:\s[\w-]+)?\s{_TARGET}\b"
_OF = rf"\b{_TARGET}\b[^.;]{{0,40}}\b"
_MET = re.compile(
    rf"\b(?P<met>met|meets?|reach(?:es|ed)?|hit|achiev(?:es|ed)){_TO}"
    rf"|\b(?P<within>within|on){_NEXT}"
    rf"|\b(?P<missed>miss(?:es|ed)?|fell short of|falls short of|short of){_TO}"
    rf"|\b(?P<above>exceed(?:s|ed)?|beat|surpass(?:es|ed)?){_TO}"
    rf"|\b(?P<over>above|over|higher than){_NEXT}"
    rf"|\b(?P<below>below|under|lower than|less than){_NEXT}"
    rf"|{_OF}(?P<is_met>met|reached|hit|achieved|kept)\b|{_OF}(?P<is_missed>missed)\b"
    rf"|{_OF}(?P<is_above>exceeded|surpassed|beaten)\b",
    re.IGNORECASE,
)
_MEANT = {"within": "met", "over": "above"}
_DENIED = re.compile(r"\b(?:not|never|no|without|failed to|fails to)\b|n['’]t\b", re.IGNORECASE)
_PERIOD = re.compile(r"\b(?:Q[1-4]|[12]\d{3}|January|February|March|April|May|June|July|August"
                     r"|September|October|November|December)\b")  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Pair:
    """A target and what came of it. most: whether the target is the most there may be, a budget."""

    target: Quantity
    actual: Quantity
    most: bool

    @property
    def order(self) -> int:
        """1 where what came is above the target, -1 where it is below, 0 where they are one."""
        limit = self.target.low if self.target.high == math.inf else self.target.high
        return (self.actual.low > limit) - (self.actual.low < limit)

    @property
    def met(self) -> bool | None:
        """None where the target does not say at which end it holds."""
        if self.most:
            return self.order <= 0
        if self.target.low == self.target.high:
            return True if self.order == 0 else None
        return self.target.low <= self.actual.low <= self.target.high


def signals(pair: Pair) -> list[Signal]:
    """At most one signal: `derived` or `number_conflict`."""
    claim = pair.claim.text
    found = _MET.search(claim)
    if found is None or any(one.low != one.high for one in pair.claim_facts.quantities):
        return []
    told = list(_told(pair))
    if len({(one.target.low, one.target.high, one.actual.low) for one in told}) != 1:
        return []
    (one, *_), said = told, found.lastgroup or ""
    denied = _DENIED.search(claim[max(0, found.start() - 30) : found.end()]) is not None
    said = _MEANT.get(said, said.removeprefix("is_"))
    if said in ("met", "missed"):
        truth = one.met
        right = None if truth is None else truth == ((said == "met") != denied)
    else:
        right = (one.order == (1 if said == "above" else -1)) != denied
    if right is None:
        return []
    text = pair.evidence.reading.text
    values = (one.target.span.of(text), one.actual.span.of(text))
    message = f"The source gives {values[1]}, and {values[0]} as the target."
    span = Span(*found.span())
    kind = "derived" if right else "number_conflict"
    stance = Stance.SUPPORTS if right else Stance.CONTRADICTS
    return [Signal(kind, stance, _WEIGHT, message, span, one.actual.span, (said, values[1]))]


def _told(pair: Pair) -> Iterator[_Pair]:
    """The targets of the passage, each with what came of it in the claim's own time."""
    text, best = pair.evidence.reading.text, pair.evidence.best
    amounts = [q for q in pair.evidence_facts.quantities if not q.unit.startswith(RANKS)]
    times = set(_PERIOD.findall(pair.claim.text))
    record = record_of(pair)[1]
    if record:
        if set(content_stems(record[0][1])).isdisjoint(content_stems(pair.claim.text)):
            return  # of another row
        around = best
    else:
        parts = list(split(SENTENCE, Span(0, len(text)), text))
        at = next((n for n, part in enumerate(parts) if part.overlaps(best)), 0)
        around = Span(parts[max(0, at - 1)].start, parts[min(len(parts) - 1, at + 1)].end)
    near = [q for q in amounts if q.span.overlaps(around)]
    targets = [q for q in near if _is_target(q, near, text)]
    for target in targets:
        unit = unit_and_rate(target)[0]
        others = [
            q for q in near if q not in targets and unit_and_rate(q)[0] == unit and q.low == q.high
        ]
        dated = [q for q in others if times <= set(_PERIOD.findall(_before(q, near, text)))]
        for actual in dated if times and dated else others:
            yield _Pair(target, actual, bool(_MOST.search(_before(target, near, text))))


def _is_target(amount: Quantity, near: list[Quantity], text: str) -> bool:
    return _LED.search(_before(amount, near, text)) is not None


def _before(amount: Quantity, near: list[Quantity], text: str) -> str:
    """What leads to an amount: from the one before it in its sentence."""
    ends = [q.span.end for q in near if q.span.end <= amount.span.start]
    start = max([0, *ends])
    return text[max(start, amount.span.start - 80) : amount.span.start]
