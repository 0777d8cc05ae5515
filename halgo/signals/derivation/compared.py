"""Comparison of two amounts: difference, growth, ratio, share, and the time between two moments.

The one is what the claim speaks of, the other what it is held against: the order in which they are
taken is the direction, and the other is the base.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations

from halgo.facts.units import DAY, YEAR
from halgo.signals.derivation.fitting import MOST_LIKE, ONE_THING, Roles, Way
from halgo.signals.derivation.operands import Operand, later
from halgo.signals.matching import alike

_FEW = 3  # ways that are all worked out before a claim is called wrong
_LESS = 1.0  # by how much a pair of another measure may fit less, and count too
_LESS_OF_COLUMNS = 0.4  # the same in tables, short of half a word
_POINT = "percentage point"
_OWN = 1.0  # the fit of an amount that one word of the claim is said of


class Compared(Roles):
    """A question whose answer two operands give. Each gives (ways, whether it is certain)."""

    def _like(self) -> list[Operand]:
        """Operands of the measure that is asked for; of a ratio any."""
        if self.asked.operation == "difference":
            points = self.unit == _POINT
            some = [
                o
                for o in self.known
                if (o.unit == "fraction" if points else self.measures(o)) and self.same_rate(o)
            ]
        else:
            some = [o for o in self.known if not o.is_moment]
        return some[:MOST_LIKE]

    def of_pairs(self) -> tuple[list[Way], bool]:
        ways = []
        like, right = self._like(), self.asked.right
        # Whom it is held against is told, or stands elsewhere.
        against = [
            self.asked.earlier
            or not right
            or any(map(self.credits(one).get, right))
            or (self.asked.operation == "share" and one.in_row and "total" in one.own)
            for one in like
        ]
        for (ours, _), (theirs, told) in permutations(zip(like, against, strict=True), 2):
            if not told or not _is_like(ours, theirs) or theirs.value <= 0:
                continue
            one_cell = ours.sentence == theirs.sentence and ours.own == theirs.own
            if (ours.in_row and one_cell) or ours.value <= 0:
                continue
            # Of a ratio those of its measure come first, whatever they cover.
            if self.asked.operation != "ratio" and not self.covered((ours, theirs)):
                continue
            way = self._worked(ours, theirs)
            if way is not None:
                ways.append(way)
        if self.asked.operation == "ratio":
            ways = self._of_its_measure(ways)
            best = self._of_each_measure(ways, self.best(ways))
        else:
            best = self.best(ways)
        orders = {(way.parts[0].place, way.parts[1].place) for way in best}
        if any((two, one) in orders for one, two in orders):
            # Nothing tells which is which: what depends on it is not asked.
            best = [] if self.asked.sign or self.asked.operation != "difference" else best
        return best, 0 < len(best) <= _FEW and all(map(self._named, best))

    def _of_its_measure(self, ways: list[Way]) -> list[Way]:
        """The ways by prices of "costs twice as much", where the source calls some amounts so."""
        measure = self.asked.measure
        return [w for w in ways if all(part.own & measure for part in w.parts)] or ways

    def _of_each_measure(self, ways: Sequence[Way], best: Sequence[Way]) -> list[Way]:
        """The best pair of each measure: "as heavy as" does not say that it is grams."""
        most = best[0].score if best else 0.0
        found = list(best)
        for unit in dict.fromkeys(way.parts[0].unit for way in ways):
            if all(way.parts[0].unit != unit for way in best):
                some = self.best([way for way in ways if way.parts[0].unit == unit])
                # The head of a column names its measure, and the claim may name the head.
                less = _LESS_OF_COLUMNS if all(o.in_row for w in some for o in w.parts) else _LESS
                found += (way for way in some if way.score >= most - less)
        return found

    def _worked(self, ours: Operand, theirs: Operand) -> Way | None:
        asked, score, parts = self.asked, self.score(ours, theirs), (ours, theirs)
        operation = asked.operation
        if operation == "difference":
            pattern = "{0} - {1}" if asked.sign >= 0 else "{1} - {0}"
            apart = (ours.value - theirs.value) * (100 if self.unit == _POINT else 1)
            return Way(apart, pattern, parts, score)
        if operation == "growth":
            pattern = "({0} - {1}) / {1}" if ours.value >= theirs.value else "({1} - {0}) / {1}"
            return Way(ours.value / theirs.value - 1, pattern, parts, score, exact=False)
        if operation == "share":
            if ours.value >= theirs.value or ours.unit == "fraction":
                return None
            if asked.left and not any(self.credit(word, ours) for word in asked.left):
                return None
            if asked.is_limit and not asked.left:
                return None
            if not ours.unit and any("." in one.written for one in parts):
                return None  # a score, no count
            score += theirs.in_row and "total" in theirs.own
            score += theirs.whole and ours.sentence == theirs.sentence
            score += (theirs.value, theirs.unit) in self.given  # "half of the 212 nurses"
            if asked.denied:
                return Way(1 - ours.value / theirs.value, "({1} - {0}) / {1}", parts, score, False)
        if operation == "ratio" and ours.value == theirs.value:
            return None
        return Way(ours.value / theirs.value, "{0} / {1}", parts, score, exact=False)

    def _named(self, way: Way) -> bool:
        """Whether the claim has words of either operand that the other lacks."""
        ours, theirs = way.parts
        asked = self.asked
        if asked.timed and not asked.right:  # one thing at two times, told beside each other
            told = later(ours, theirs) > 0 and ours.sentence == theirs.sentence
            nouns = {one.noun.rstrip("s") for one in way.parts if one.noun}
            return told and (theirs.once or len(nouns) < 2) and not self.unheard(way)
        if asked.operation not in ("difference", "ratio"):
            return False
        left = asked.left & (ours.own - theirs.own)
        right = asked.right & (theirs.own - ours.own)
        unheard = self.unheard(way)
        rest = {word for word in unheard if any(alike(word, one.own) for one in self.known)}
        if not asked.right:  # "longer with amber": of a row's cells the one that is named
            in_row = ours.in_row and theirs.in_row and ours.sentence == theirs.sentence
            return bool(asked.sign and left and in_row) and not rest
        rest |= unheard - self.beside(ours)
        high, low = sorted((ours.value, theirs.value), reverse=True)
        one_thing = asked.operation != "difference" or high <= ONE_THING * low
        return bool(left and right) and not rest and one_thing

    def durations(self) -> tuple[list[Way], bool]:
        asked, ways = self.asked, []
        moments = [one for one in self.known if one.is_moment][:MOST_LIKE]
        if asked.value >= DAY:  # longer than two times of day are apart
            moments = [one for one in moments if one.unit != "clock"]
        first = {
            side: min(named, key=lambda one: one.value)
            for side, words in (("right", asked.right), ("left", asked.left))
            if "first" in words
            and (named := [m for m in moments if any(self.credit(w, m) for w in words)])
        }  # "the first alarm" is the earliest
        for end, start in permutations(moments, 2):
            clocks = (end.unit == "clock", start.unit == "clock")
            if (end.unit == "date") != (start.unit == "date"):
                continue
            if clocks[0] != clocks[1] or (end.place, end.sentence) == (start.place, start.sentence):
                continue
            value = end.value - start.value
            if clocks[0] and value < 0:
                value += DAY
            told = end.sentence[0] if clocks[0] else end.sentence  # in which a start comes first
            behind = end.place < start.place and told in (start.sentence[0], start.sentence)
            if value <= 0 or (not asked.right and behind):
                continue
            whole = [YEAR if unit == "year" else YEAR / 12 for unit in (end.unit, start.unit)
                     if unit in ("year", "month")]  # fmt: skip
            if whole:
                value = round(value / max(whole)) * max(whole)
            score = self.score(end, start)
            score += 1.0 * (start is first.get("right")) + 1.0 * (end is first.get("left"))
            if not asked.right:
                score += 2.0 * (end.sentence == start.sentence)
            if asked.aged:
                score += 1.0 * ("bear" in start.own)
                value = round(value / YEAR) * (YEAR if self.unit else 1)
                if self.unit == "year of age":
                    value /= YEAR
            ways.append(Way(value, "{0} - {1}", (end, start), score, exact=False))
        best = [way for way in self.best(ways) if not self._is_told(way)]
        near = [
            way
            if not math.isclose(way.value, asked.value, rel_tol=0.012)
            else Way(asked.value, way.pattern, way.parts, way.score)
            for way in best
        ]
        # From March to July are four months, or five.
        certain = len(best) == 1 and all(part.unit != "month" for part in best[0].parts)
        certain = certain and not asked.right and not self.unheard(best[0])
        return near, certain and bool(self.unit) and self._beside_each_other(best[0])

    def _is_told(self, way: Way) -> bool:
        """Whether a passage states how long it is: of more of the claim's words than the moments.

        "The deal was signed on 5 January and closed on 5 April. The contract runs for six months."
        """
        told = (one for one in self.known if one.unit == "second" and not one.is_moment)
        most = max(map(self.fit, told), default=0.0)
        return most >= _OWN and most > self.fit_of_two(*way.parts)

    def _beside_each_other(self, way: Way) -> bool:
        return way.parts[0].sentence == way.parts[1].sentence


def _is_like(ours: Operand, theirs: Operand) -> bool:
    """Whether two amounts are of one unit and rate; "3.6p per share (3.0p)" tells it once."""
    once = ours.sentence == theirs.sentence and not (ours.rate and theirs.rate)
    return ours.unit == theirs.unit and (ours.rate == theirs.rate or once)
