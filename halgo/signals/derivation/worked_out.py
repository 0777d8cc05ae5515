"""Numerical reasoning: numbers of a claim that are worked out from all of its passages.

The claim's words ask for an operation (`questions.py`), the passages have the amounts
(`operands.py`).
Which of them are meant is told by roles alone: by the words that each is said of, never by whether
the result hits, since among many amounts some pair makes any number. Only the operands that fit
best are worked out. Where they give the claim's number, in the claim's direction and on its base,
the number is "derived"; where both sides are named beyond doubt and the result is another, it is
"not_derivable"; else nothing is said (Dua et al. 2019, DROP; Geva et al. 2020).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from halgo.protocols import Lexicon
from halgo.signals.derivation import counting
from halgo.signals.derivation.combined import Combined
from halgo.signals.derivation.compared import Compared
from halgo.signals.derivation.fitting import Sources, Way
from halgo.signals.derivation.operands import STEM, Operand, at_odds, cues
from halgo.signals.derivation.questions import LIMIT, Question, questions
from halgo.types import Facts, Pair, Signal, Span, Stance

SURE, TIED, WRONG = 0.85, 0.7, 0.6
_ABOUT = 0.06  # how far "about 40" may be from what is worked out, as a share of it
_CLOSE = 0.01  # the same of an amount of which nobody knows how far it is rounded
_MOST_OFF = 0.1  # the most of a length of time: 105 minutes are no two hours
_LOOSE = 0.15  # how far a change told in words may be off, and is not called wrong
_ROUND = 0.03  # the most of a ratio: "four times", where half a digit would be an eighth
_FEW = 2  # values of a share that may be meant, where nothing tells more
# What no word of a claim need ask for: an amount that a passage states is not taken for one. Nor
# for a limit: "up to 40 mg" is met by what is left of many a 40 mg.
_UNASKED = frozenset({"rest", "product"})
_FIGURE = re.compile(r"\d{1,4}")
_BEFORE = 24  # characters before an amount in which its "more than" stands


def worked_out(pairs: Sequence[Pair], lexicon: Lexicon) -> list[tuple[Signal, ...]]:
    """For each passage of one claim the numbers of the claim that follow from all passages.

    A signal goes to every passage that gave an operand.
    """
    found: list[list[Signal]] = [[] for _ in pairs]
    if not pairs:
        return []
    claim, facts = pairs[0].claim.text, pairs[0].claim_facts
    counts = counting.counted(pairs)
    for row, signal in counts:
        found[row].append(signal)
    told: set[Span] = {signal.claim_span for _, signal in counts if signal.claim_span}
    asked = [one for one in questions(claim, facts) if one.target.span not in told]
    if not asked:
        return [tuple(some) for some in found]
    sources = Sources(pairs)
    wrong: list[tuple[Question, Way]] = []
    for question in asked:
        if question.target.span in told:
            continue
        unasked = question.is_limit or question.operation in _UNASKED
        if unasked and _told(question, sources.known):
            continue
        solver = _Solver(question, sources)
        ways, certain = solver.ways()
        hits = [
            way
            for way in ways
            if _agrees(way, question)
            and not (_is_sum(way) and at_odds(solver.does, [p.does for p in way.parts], lexicon))
            and not _counts_otherwise(way, facts, sources)
        ]
        if question.is_limit and len(hits) < len(ways):
            continue  # a limit is soon met by one of several
        if hits:
            told |= {question.target.span, *hits[0].claimed}
            if question.denied and question.operation in ("rest", "share"):
                hits[0] = replace(hits[0], claimed=(*hits[0].claimed, *_denials(claim)))
            hits[0] = replace(hits[0], claimed=(*hits[0].claimed, *_dates(claim, facts, hits[0])))
            weight = SURE if len({round(way.value, 9) for way in ways}) == 1 else TIED
            signal = _signal("derived", Stance.SUPPORTS, weight, question, hits[0], claim)
            _add(found, signal, hits[0], sources)
            for span in hits[0].claimed:
                _add(found, replace(signal, claim_span=span), hits[0], sources)
        elif (
            certain
            and ways
            and not _stands(question, sources.known, ways[0], pairs)
            and _is_number(question.target.span.of(claim))
            and not _is_loosely(question, ways[0], claim)
        ):
            wrong.append((question, ways[0]))
    for question, way in wrong:
        if question.target.span not in told:
            told.add(question.target.span)
            signal = _signal("not_derivable", Stance.CONTRADICTS, WRONG, question, way, claim)
            for row, told_of in sources.spread(signal, way.parts):
                found[row].append(told_of)
    return [tuple(some) for some in found]


def _counts_otherwise(way: Way, facts: Facts, sources: Sources) -> bool:
    """Whether a way takes a count from the claim of which the record has another: "qty: 2"."""
    if not way.claimed or "×" not in way.pattern:
        return False
    claimed = {q.low for q in facts.quantities}
    places = {part.sentence for part in way.parts}
    return any(
        one.noun in cues()["counted"] and one.sentence in places and one.value not in claimed
        for one in sources.known
    )


def _is_sum(way: Way) -> bool:
    return way.pattern == " + ".join(f"{{{at}}}" for at in range(len(way.parts)))


def _add(found: list[list[Signal]], signal: Signal, way: Way, sources: Sources) -> None:
    for row, told_of in sources.spread(signal, way.parts):
        found[row].append(told_of)


def _signal(
    kind: str, stance: Stance, weight: float, question: Question, way: Way, claim: str
) -> Signal:
    said = _said(question, claim)
    formula = way.pattern.format(*(part.written for part in way.parts))
    exact = math.isclose(abs(way.value), abs(question.value), rel_tol=1e-6)
    sign = "is met by" if question.is_limit else "=" if exact else chr(8776)
    message = f"{said} {sign} {formula} (sources)"
    if stance is Stance.CONTRADICTS:
        message = f"{formula} in the sources is not {said}."
    return Signal(kind, stance, weight, message, question.target.span, None, (said, formula))


def _said(question: Question, claim: str) -> str:
    """The claim's amount as it is written, with its "more than"."""
    start, end = question.target.span.start, question.target.span.end
    limit = LIMIT.search(claim, max(0, start - _BEFORE), start) if question.is_limit else None
    return " ".join(claim[limit.start() if limit else start : end].split())


def _agrees(way: Way, question: Question) -> bool:
    """Whether a result is the claim's number as far as its digits go, and of its sign."""
    value, target = way.value, question.value
    if question.sign and question.operation != "duration":
        value *= question.sign
    elif question.operation in ("difference", "growth"):
        value = abs(value)
    if value <= 0:
        return False
    if question.is_limit:
        low, high = question.target.low, question.target.high
        return low <= value <= high and not math.isclose(value, target, rel_tol=1e-6)
    if math.isclose(value, target, rel_tol=1e-6):
        return True
    if question.target.approximate or any(part.approximate for part in way.parts):
        return math.isclose(value, target, rel_tol=_ABOUT)
    if way.exact:
        return False
    step = question.target.step
    room = step / 2 * 1.000001 if step else _CLOSE * target
    if question.operation == "duration":
        room = min(room, _MOST_OFF * target)
    if question.target.unit == "times":
        room = min(room, _ROUND * target) if step else _ROUND * target
    return abs(value - target) <= room


def _dates(claim: str, facts: Facts, way: Way) -> Iterator[Span]:
    """The dates of a claim that its operands are told of: both years of "from 2021 to 2023"."""
    told = frozenset[str]().union(*(part.own for part in way.parts))
    for dated in facts.dates:
        figures = _FIGURE.findall(dated.span.of(claim))
        if figures and told.issuperset(figures):
            yield dated.span


def _denials(claim: str) -> Iterator[Span]:
    """Where a claim denies: "failed" of 15 is what "passed" of the other 45 comes to."""
    denied = cues()["denied"]
    for match in re.finditer(r"[^\W\d_]+", claim):
        if match.group().lower() in denied:
            yield Span(*match.span())


def _is_number(written: str) -> bool:
    """Whether an amount is said as one, rather than "a week"."""
    return written.partition(" ")[0].lower() not in ("a", "an", "one")


def _is_loosely(question: Question, way: Way, claim: str) -> bool:
    """Whether a change in words is roughly right: "doubled" of 1.9 times."""
    in_figures = any(map(str.isdigit, question.target.span.of(claim)))
    near = math.isclose(abs(way.value), question.value, rel_tol=_LOOSE)
    return question.timed and not in_figures and near


def _stands(question: Question, known: Iterable[Operand], way: Way, pairs: Sequence[Pair]) -> bool:
    """Whether the claim's amount is one of the passages' own: with its rate, or beside these."""
    unit, _, rate = question.target.unit.partition("/")
    beside = {part.sentence for part in way.parts}
    limits = (q for pair in pairs for q in pair.evidence_facts.quantities if q.low != q.high)
    if any(question.value in (q.low, q.high) and q.unit.startswith(unit) for q in limits):
        return True  # "up to $40 a month"
    # Beside a growth that is worked out another column's percentage, a share, stands for nothing.
    grows = question.operation == "growth"
    return any(
        _is(one, question.value, unit)
        and (one.rate == rate or one.sentence in beside)
        and not (grows and one.in_row and one.noun and _changes().isdisjoint(one.own))
        for one in known
    )


@lru_cache(maxsize=1)
def _changes() -> frozenset[str]:
    """The words of a column that holds changes, as operands have them."""
    told = (cues()[name] for name in ("up", "down", "gap", "change"))
    return frozenset(word[:STEM] for word in frozenset[str]().union(*told))


def _told(question: Question, known: Iterable[Operand]) -> bool:
    """Whether a passage states the claim's amount, at its rate."""
    unit, _, rate = question.target.unit.partition("/")
    return any(one.rate == rate and _is(one, question.value, unit) for one in known)


def _is(one: Operand, value: float, unit: str) -> bool:
    return one.unit == unit and math.isclose(one.value, value, rel_tol=1e-6)


class _Solver(Compared, Combined):
    """One question, and the ways to its answer."""

    def of_few(self, ways: list[Way]) -> list[Way]:
        """The ways where they come to few values: of many parts and wholes some make any share."""
        return ways if len({round(way.value, 9) for way in ways}) <= _FEW else []

    def ways(self) -> tuple[list[Way], bool]:
        """The ways that fit the roles best, and whether both sides are named beyond doubt."""
        operation = self.asked.operation
        if operation == "share":
            ways, certain = self.of_pairs()
            return self.of_few(ways), certain
        if operation in ("difference", "growth", "ratio"):
            return self.of_pairs()
        if operation == "duration":
            ways, certain = self.durations()
            return ways, certain and cues()["total"].isdisjoint(self._said())
        if operation == "sum":
            ways = list(self.sums())
            return ways, len(ways) == 1 and bool(ways[0].claimed) and not self.unheard(ways[0])
        if operation == "rest":
            return list(self.rests()), False
        ways = list(self.products())
        converted = len(ways) == 1 and len(ways[0].parts) == 1 and bool(self.rate)
        return ways, converted and not self.unheard(ways[0])
