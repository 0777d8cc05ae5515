"""Operand selection: which amounts of the passages a claim means, by the roles that they play.

An operand is meant by the words that it is said of: those of its own stretch count whole, those of
its sentence half. A year, month or rank of the claim's that is another's is a sure sign against it.
Only the operands that fit best are worked out; what fits as well and comes to something else is
worked out too, and makes the result less sure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from halgo.facts.units import CURRENCIES
from halgo.signals.derivation.operands import (
    RANKED,
    SIDES,
    STEM,
    Operand,
    Told,
    later,
    operands,
    read_passage,
    words_of,
)
from halgo.signals.derivation.questions import Question
from halgo.signals.matching import alike
from halgo.signals.segments import covering
from halgo.types import Pair, Signal, Span, Stance

MOST_LIKE = 24  # operands of one measure that are paired
_LEAST_COVER = 0.4  # share of the claim's words that the operands' sentences have
_OWN, _NEAR, _DATED = 1.0, 0.5, 2.0
# Off for a word of one side that only the other operand has. The right side has little but the
# name of what is held against; the left has the verb too, which a second clause may leave out.
_ASTRAY = 0.5
_ALIKE = 0.25  # on for each word of a claim with one side that what it is held against has too
_SAID = 1.0  # on for an operand that the claim tells too: "costs €899, €500 more than the S5"
_TIE = 0.01
_WORD = re.compile(r"[^\W_]{2,40}")
_CENTS = re.compile(r"\d+ cents?$")
ONE_THING = 10  # one quantity at two times is seldom further apart


@dataclass(frozen=True, slots=True)
class Way:
    """A result, the operands it comes from and how: `pattern` filled with them."""

    value: float
    pattern: str
    parts: tuple[Operand, ...]
    score: float = 0.0
    exact: bool = True  # a quotient is rounded, a sum is not
    claimed: tuple[Span, ...] = ()  # other amounts of the claim that it takes: "three days"


class Sources:
    """A claim and the operands of its passages: what all its questions have in common."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        passages = [read_passage(pair.evidence, pair.evidence_facts) for pair in pairs]
        self.pairs, self.known = pairs, operands(passages)
        self._rows: dict[int, tuple[int, Told]] = {}
        for row, passage in enumerate(passages):
            self._rows.setdefault(passage.number, (row, passage))
        self.beside: dict[tuple[str, int], set[tuple[float, str]]] = {}
        for one in self.known:
            self.beside.setdefault(one.sentence, set()).add((one.value, one.unit))
        claim, facts = pairs[0].claim.text, pairs[0].claim_facts
        ranked = (Span(*match.span()) for match in RANKED.finditer(claim))
        sides = (Span(*match.span(1)) for match in SIDES.finditer(claim))
        dated = covering([*(found.span for found in facts.dates), *ranked, *sides])
        # A year, rank or side that is another is a sure sign; other words may be left out.
        self.weight = {
            word.key: _DATED
            for word in words_of(claim, facts)
            if dated(Span(word.start, word.start + 1))
        }
        self.verbs = {p.lemma[:6] for p in facts.predicates}
        self.does = {p.lemma for p in facts.predicates if not p.negated}
        self._credits: dict[int, dict[str, float]] = {}

    def row(self, one: Operand) -> int:
        """The place among the claim's passages of the one that an operand is from."""
        return self._rows[one.passage][0]

    def spread(self, signal: Signal, parts: Sequence[Operand]) -> Iterator[tuple[int, Signal]]:
        """(passage, signal): beside each passage that gave a part, and against the claim by all.

        Whatever another passage says, it does not say what these refute.
        """
        places: dict[int, Span] = {}
        for part in parts:
            places.setdefault(self.row(part), part.span)
        wrong = signal.stance is Stance.CONTRADICTS
        for row in range(len(self.pairs)) if wrong else sorted(places):
            yield row, replace(signal, evidence_span=places.get(row))

    def subject(self, one: Operand) -> frozenset[str]:
        """The words of the passages that an operand stands in, and of how their document begins."""
        opening = self.pairs[self.row(one)].evidence.opening
        return self.words(one) | {word.lower()[:STEM] for word in _WORD.findall(opening)}

    def words(self, one: Operand) -> frozenset[str]:
        """The words of the passages that an operand stands in."""
        return frozenset[str]().union(
            *(
                told.keys
                for _, told in self._rows.values()
                if told.number == one.passage or told.holds(one)
            )
        )

    def credits(self, words: Iterable[str], one: Operand) -> dict[str, float]:
        """How far an operand is said of each word: its own, in its sentence, or not at all."""
        told = self._credits.setdefault(id(one), {})
        return {
            word: told[word] if word in told else told.setdefault(word, self._credit(word, one))
            for word in words
        }

    def _credit(self, word: str, one: Operand) -> float:
        if word in self.weight:
            return self.weight[word] * _OWN * (word in one.own)
        if alike(word, one.own) or word == one.noun[:6]:
            return _OWN
        return _NEAR if alike(word, one.near) else 0.0


class Roles:
    """One question beside the operands of all passages: which of them are meant."""

    def __init__(self, question: Question, sources: Sources) -> None:
        self.asked, self.sources = question, sources
        # A limit is soon met by the ends of two others.
        self.known = [one for one in sources.known if not (question.is_limit and one.is_limit)]
        self.pairs = sources.pairs
        self._credits: dict[int, dict[str, float]] = {}
        self._heard: dict[int, frozenset[str]] = {}
        self.unit, _, self.rate = question.target.unit.partition("/")
        self.words = question.left | question.right
        self.noun = question.target.noun[:6]
        said = question.target.span.of(self.pairs[0].claim.text)
        self.cents = bool(_CENTS.match(said)) and self.unit in CURRENCIES
        self.given = {
            (q.high, q.unit.partition("/")[0])
            for q in self.pairs[0].claim_facts.quantities
            if q is not question.target
        }
        self.weight, self.verbs, self.does = sources.weight, sources.verbs, sources.does

    def unheard(self, way: Way) -> frozenset[str]:
        """Words of the claim that none of the operands is said of."""
        return frozenset(
            word
            for word in self.words - self.verbs - {self.rate}
            if not any(self.credit(word, one) for one in way.parts)
        )

    def credit(self, word: str, one: Operand) -> float:
        """How far an operand is said of a word: its own, in its sentence, or not at all."""
        return self.credits(one)[word]

    def credits(self, one: Operand) -> dict[str, float]:
        """`credit` of every word of the question."""
        if id(one) not in self._credits:
            self._credits[id(one)] = self.sources.credits(self.words, one)
        return self._credits[id(one)]

    def fit(self, one: Operand) -> float:
        """How far an operand is said of the words of the question, all together."""
        return sum(self.credits(one).values())

    def fit_of_two(self, one: Operand, two: Operand) -> float:
        """The same of two operands, of each word as far as either is said of it."""
        return sum(map(max, self.credits(one).values(), self.credits(two).values()))

    def score(self, ours: Operand, theirs: Operand) -> float:
        """How well two operands fit the two sides of the claim."""
        asked, score = self.asked, 0.0
        of_ours, of_theirs = self.credits(ours), self.credits(theirs)
        if not asked.right:  # "The Mini is 270 g lighter": what is named is the one side
            one_sided = asked.sign and not asked.timed
            score += self.fit(ours) if one_sided else self.fit_of_two(ours, theirs)
            if one_sided and ours.in_row and theirs.in_row:  # the cell of the row that is named
                score += _ALIKE * len(asked.left & theirs.own)
        for word in asked.left if asked.right else ():
            mine, other = of_ours[word], of_theirs[word]
            score += mine
            if other >= _OWN > mine and word not in asked.right:
                score -= _ASTRAY
        for word in asked.right:
            mine, other = of_ours[word], of_theirs[word]
            score += other
            if mine >= _OWN > other and word not in asked.left:
                score -= 3 * _ASTRAY
        score += 0.5 if ours.sentence[0] == theirs.sentence[0] else -0.5
        score += 0.25 * (ours.sentence == theirs.sentence)
        if ours.noun and theirs.noun and not ours.is_moment:
            named = {ours.noun[:6], theirs.noun[:6]} <= self.words
            if ours.noun == theirs.noun or named:
                score += 0.5
            elif ours.sentence != theirs.sentence and ours.unit not in CURRENCIES:
                score -= 1
        score += 1.0 * (theirs.once and ours.sentence == theirs.sentence and not asked.right)
        score += 0.5 * bool(asked.measure & ours.own & theirs.own)
        score += 0.5 * (self._beside_given(ours) + self._beside_given(theirs))
        score += _SAID * any((one.value, one.unit) in self.given for one in (ours, theirs))
        low, high = sorted((ours.value, theirs.value))
        if asked.timed and high > ONE_THING * low:
            score -= 1
        shared = len(ours.own & theirs.own) / max(1, min(len(ours.own), len(theirs.own)))
        score += 0.5 * shared
        if asked.timed or asked.earlier:
            score += 1.5 * later(ours, theirs)
        elif ours.when[0] != theirs.when[0] and not self.weight and not ours.is_moment:
            score -= 1.0  # two things are held against each other at one time
        return score

    def _beside_given(self, one: Operand) -> int:
        """How many other amounts of the claim stand in the row or sentence of an operand."""
        there = self.sources.beside[one.sentence]
        return len((self.given & there) - {(one.value, one.unit)})

    def covered(self, parts: Sequence[Operand]) -> bool:
        if not self.words:
            return False
        clause = self.asked.clause
        heard = frozenset[str]().union(*map(self._hears, parts))
        return len(self.words & heard) >= _LEAST_COVER * len(self.words) or (
            bool(clause) and len(clause & heard) > 0.5 * len(clause)
        )

    def _hears(self, part: Operand) -> frozenset[str]:
        """The words of the question that stand about an operand, in its passage."""
        if id(part) not in self._heard:
            held = part.near | part.own | self.beside(part)
            self._heard[id(part)] = (self.words | self.asked.clause) & held
        return self._heard[id(part)]

    def beside(self, part: Operand) -> frozenset[str]:
        """The words of the passage around an operand: what "it" and "they" stand for."""
        return self.sources.words(part)

    def best(self, ways: Sequence[Way]) -> list[Way]:
        # From the best fit on: the first that is covered is the best of these.
        some = sorted(ways, key=lambda way: -way.score)
        most = next((way.score for way in some if self.covered(way.parts)), None)
        if most is None:
            return []
        best = {
            (way.pattern, way.parts): way
            for way in ways
            if way.score >= most - _TIE and self.covered(way.parts)
        }
        return list(best.values())

    def measures(self, one: Operand) -> bool:
        """Whether an operand is of the unit asked for; a field's number may be any money."""
        if self.cents and one.unit in CURRENCIES:
            return True  # there are cents of euros and of dollars
        return one.unit == self.unit or (
            one.in_row and not one.unit and self.unit in CURRENCIES and not one.is_moment
        )

    def same_rate(self, one: Operand) -> bool:
        return not self.rate or not one.rate or one.rate == self.rate
