"""Sums and products: amounts of the passages added, taken from a whole, or a rate times a count."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, permutations, product

from halgo.facts.units import DAY, YEAR
from halgo.signals.derivation.fitting import MOST_LIKE, Roles, Way
from halgo.signals.derivation.operands import STEM, Operand, cues, keys, words_of
from halgo.signals.matching import alike
from halgo.signals.segments import shown
from halgo.types import Span

_MOST_ADDED = 12
_MOST_CHOSEN = 8  # amounts of which some are chosen: 70 ways at most
_AROUND = 32  # characters beside a percentage that say what it does
_LEFT_OUT = re.compile(
    r"\b(?:apart from|except(?: for)?|other than|besides|excluding|without|aside from)\s+"
    r"((?:\w+\s?){1,4})"
)
_OTHERS = re.compile(r"\b(?:remaining|the rest|remainder|others?)\b")
_OTHERS_TOLD = re.compile(
    r"\b(?:the (?:rest|others?|remainder)|(?:the|all) remaining)\b", re.IGNORECASE
)
_CLAUSE = re.compile(r"[,;.]\s(?:and\s|while\s)?|\s(?:and|while)\s")
_SENTENCE = re.compile(r"[.;]\s|[.;]?$")
_FAR = 120  # characters between a part and what is told of the others
_EQUAL = re.compile(r"\s(?:equal|identical)\s")
_SECONDS = {"minute": 60, "hour": 3600, "day": DAY, "week": 7 * DAY, "month": YEAR / 12,
            "quarter": YEAR / 4, "year": YEAR}  # fmt: skip


class Combined(Roles):
    """A question that takes any number of operands."""

    def sums(self) -> Iterator[Way]:
        """The amounts that the claim names, or all of a kind where it names none of them."""
        if self.unit == "times":
            return
        groups: dict[tuple[str, str, str, str], list[Operand]] = {}
        for one in self.known:
            if self.measures(one) and self.same_rate(one) and not (one.is_moment or one.whole):
                column = one.noun.rstrip("s") if one.in_row else ""
                groups.setdefault((one.sentence[0], one.unit, one.rate, column), []).append(one)
        for group in groups.values():
            if len(group) > 1:
                yield from self._sums_of(group)

    def _sums_of(self, group: Sequence[Operand]) -> Iterator[Way]:
        dated = [one for one in group if self.weight.keys() & one.own]
        group = dated or group  # of another year or month than the claim's are others
        joined = self._joined()
        group = [one for one in group if any(alike(word, one.own) for word in joined)] or group
        told = {
            word
            for word in self.words
            if 0 < sum(alike(word, one.own) for one in group) < len(group)
        }
        if not group[0].in_row:
            told |= {one.noun[:6] for one in group} & self.words
        told -= self.verbs - joined  # who "brought in" what is told by the nouns
        mine = [
            frozenset(word for word in told if alike(word, one.own | {one.noun[:6]}))
            for one in group
        ]
        named = [one for one, has in zip(group, mine, strict=True)
                 if has and not any(has < other for other in mine)]  # fmt: skip
        sets = [named]
        for sentence in dict.fromkeys(one.sentence for one in group):
            sets.append([o for o in group if o.sentence == sentence])
        for noun in dict.fromkeys(one.noun.rstrip("s") for one in group):
            if noun and (group[0].in_row or noun[:6] == self.noun):
                sets.append([one for one in group if one.noun.rstrip("s") == noun])
        counts = self._counts()
        if not named and math.log10(max(self.asked.value, 1)) >= 2 and len(group) <= _MOST_CHOSEN:
            # "Two of the invoices": which two is left open, and so long a sum is no accident.
            sets += [list(some) for n in counts for some in combinations(group, int(n))]
        seen = set()
        for some in sets:
            places = tuple(one.place for one in some)
            if not 2 <= len(some) <= _MOST_ADDED or places in seen:
                continue
            seen.add(places)
            near = frozenset[str]().union(*(one.near for one in some))
            # A word that tells amounts apart and is of none of these speaks of others.
            if some is not named and told - near:
                continue
            if not self.covered(some) or (counts and len(some) not in counts):
                continue
            total = math.fsum(one.value for one in some)
            pattern = " + ".join(f"{{{at}}}" for at in range(len(some)))
            spans = {**self._lengths(), **counts}
            claimed = (spans[len(some)],) if len(some) in spans else ()
            yield Way(total, pattern, tuple(some), claimed=claimed)

    def _joined(self) -> frozenset[str]:
        """The words on either side of an "and" of the claim: "wind and hydro"."""
        claim, facts = self.pairs[0].claim.text, self.pairs[0].claim_facts
        found: set[str] = set()
        row: list[str] = []
        words = [word for word in words_of(claim, facts) if word.key in self.words]
        for one, two in pairwise(words):
            between = claim[one.start : two.start].lower().replace(",", " , ").split()[1:]
            if not between or between[-1] in ("the", "its", "for", "in"):
                between = between[:-1]
            row = [*row, one.key] if between == [","] else row
            if "and" in between[-3:] and len(between) <= 3:
                found |= {*row, one.key, two.key}
            row = row if between == [","] else []
        return frozenset(found)

    def _counts(self) -> dict[float, Span]:
        """How many amounts the claim says are added, "the three orders", and where."""
        return {
            q.low: q.span
            for q in self.pairs[0].claim_facts.quantities
            if q is not self.asked.target and not q.unit and q.low == q.high
            and 2 <= q.low <= _MOST_ADDED
        }  # fmt: skip

    def _lengths(self) -> dict[float, Span]:
        """Over how many days or years the claim adds up, and where: "over the two years"."""
        return {count: place[0] for count, unit, _, place in self._multipliers() if unit and place}

    def rests(self) -> Iterator[Way]:
        """What is left of a whole: of 100 %, or of the number that the parts are of."""
        if self.unit == "fraction":
            yield from self._rests_of_hundred()
            return
        like = [o for o in self.known if o.unit == self.unit and not o.is_moment and not o.in_row]
        claimed = {
            q.low: q.span
            for q in self.pairs[0].claim_facts.quantities
            if q is not self.asked.target
        }
        wholes = [
            one for one in like[:MOST_LIKE]
            if one.value in claimed or (one.noun and one.noun[:6] in {self.noun, *self.words})
        ]  # fmt: skip
        cued = self.asked.denied or bool(cues()["rest"] & self._said())
        ways = []
        for whole in wholes:
            for part in like[:MOST_LIKE]:
                if part is whole or not 0 < part.value < whole.value:
                    continue
                if part.sentence[0] != whole.sentence[0]:
                    continue
                of_them = part.of_them and self.does.isdisjoint(part.does)
                if not (cued or of_them or self._is_of_others(part)):
                    continue
                score = self.fit(part)
                score += 0.5 * self.fit(whole)
                score += 1.0 * (whole.value in claimed) + 0.5 * (part.sentence == whole.sentence)
                if whole.when != part.when and all(map(any, (whole.when, part.when))):
                    score -= 1
                spans = (claimed[whole.value],) if whole.value in claimed else ()
                ways.append(Way(whole.value - part.value, "{0} - {1}", (whole, part), score,
                                 claimed=spans))  # fmt: skip
        yield from self.best(ways)
        for whole in wholes:
            parts = [o for o in like if o.sentence == whole.sentence and o.place > whole.place]
            if 2 <= len(parts) <= _MOST_ADDED and cues()["rest"] & self._said():
                left = whole.value - math.fsum(part.value for part in parts)
                pattern = "{0}" + "".join(f" - {{{at + 1}}}" for at in range(len(parts)))
                if self.covered([whole, *parts]):
                    yield Way(left, pattern, (whole, *parts))

    def _is_of_others(self, part: Operand) -> bool:
        """Whether the claim is of whom the passage tells as the others: "the rest get a letter"."""
        pair = self.pairs[self.sources.row(part)]
        text, at = pair.evidence.reading.text, part.span.end
        found = _OTHERS_TOLD.search(text, at, at + _FAR)
        if found is None:
            return False
        begins = max((cut.end() for cut in _CLAUSE.finditer(text, at, found.start())), default=at)
        ends = _SENTENCE.search(text, found.end())
        words = words_of(text, pair.evidence_facts)
        told = keys(words, begins, ends.start() if ends else len(text))
        ahead = keys(words, max(0, at - _FAR), begins)
        return any(alike(word, told) and not alike(word, ahead) for word in self.words)

    def _said(self) -> frozenset[str]:
        return frozenset(self.pairs[0].claim.text.lower().replace(",", " ").split())

    def _rests_of_hundred(self) -> Iterator[Way]:
        shares = [one for one in self.known if one.unit == "fraction" and 0 < one.value < 1]
        some = shares[:MOST_LIKE]
        said = self.pairs[0].claim.text.lower()
        if _OTHERS.search(said):
            for document in dict.fromkeys(one.sentence[0] for one in some):
                mine = [one for one in some if one.sentence[0] == document]
                left = 1 - math.fsum(one.value for one in mine)
                if mine and 0 < left < 1 and self.covered(mine):
                    pattern = "100%" + "".join(f" - {{{at}}}" for at in range(len(mine)))
                    yield Way(left, pattern, tuple(mine))
            return
        left_out = _LEFT_OUT.search(said)
        if left_out is None:
            told = (one for one in some if self._is_of_others(one))
            yield from self.best([Way(1 - one.value, "100% - {0}", (one,)) for one in told])
            return
        words = {word.lower()[:6] for word in left_out[1].split()}
        ways = [
            Way(1 - one.value, "100% - {0}", (one,))
            for one in some
            if any(key.startswith(word[:5]) for word in words for key in one.own if len(word) > 2)
        ]
        yield from self.best(ways)

    def products(self) -> Iterator[Way]:
        """A rate times a count of the claim's, or rows times seats of the passages'."""
        ways = []
        counts = list(self._multipliers())
        for one in self.known[:MOST_LIKE]:
            if one.is_moment or not (
                one.unit == self.unit or (one.unit, self.unit) == ("times", "")
            ):
                continue
            score = self.fit(one)
            rate = one.rate or self._paced(one)
            score += 1.0 * bool(rate)
            for count, unit, written, span in counts:
                of_count = unit == "" and not one.rate and count >= 2
                if of_count or (unit and rate == unit):
                    ways.append(Way(one.value * count, f"{{0}} × {written}", (one,),
                                     score + bool(unit), claimed=span))  # fmt: skip
            if one.rate and self.rate and one.rate != self.rate:
                times = _SECONDS.get(self.rate, 0) / _SECONDS.get(one.rate, math.inf)
                if times > 1:
                    ways.append(Way(one.value * round(times), f"{{0}} × {round(times)}", (one,),
                                     score + 1))  # fmt: skip
        yield from self.best(ways)
        yield from self.best(list(self._areas()))
        yield from self.best(list(self._equal_parts()))
        yield from self.best(list(self._rows()))
        yield from self.best(list(self._percentages()))

    def _paced(self, one: Operand) -> str:
        """What "daily" or "per day" in an operand's own words tell of its rate."""
        pairs = (pair.split() for pair in cues()["paced"])
        return next((per for word, per in pairs if word[:STEM] in one.own and one.unit), "")

    def _multipliers(self) -> Iterator[tuple[float, str, str, tuple[Span, ...]]]:
        """(count, unit of time or "", as written, where) of the claim's other amounts."""
        claim, facts = self.pairs[0].claim.text, self.pairs[0].claim_facts
        for other in facts.quantities[:MOST_LIKE]:
            if other is self.asked.target or other.low != other.high or other.low <= 0:
                continue
            written = shown(claim, other.span)
            if not other.unit:
                yield other.low, "", written, (other.span,)
                if other.noun == "night":  # of which rates are told as of days
                    yield other.low, "day", written, (other.span,)
            elif other.unit == "second":
                for name, seconds in _SECONDS.items():
                    if name in written:
                        yield other.low / seconds, name, written, (other.span,)
        said = self.pairs[0].claim.text.lower()
        for name, seconds in _SECONDS.items():
            if not re.search(rf"\b(?:a|per|each|every) {name}\b", said):
                continue
            for rate, per in _SECONDS.items():
                if per < seconds:
                    yield round(seconds / per), rate, f"{round(seconds / per)}", ()

    def _percentages(self) -> Iterator[Way]:
        """An amount with a percentage of it taken off or added: "students get 20 % off"."""
        if self.unit in ("fraction", "times"):
            return
        some = self.known[:MOST_LIKE]
        amounts = [one for one in some if self.measures(one) and one.value > 0]
        for share in (one for one in some if one.unit == "fraction" and 0 < one.value < 1):
            text = self.pairs[self.sources.row(share)].evidence.reading.text
            around = text[max(0, share.span.start - _AROUND) : share.span.end + _AROUND]
            said = frozenset(re.findall(r"[^\W\d_]+", around.lower()))
            for one in amounts:
                if not self.same_rate(one):
                    continue
                score = self.fit_of_two(one, share)
                if not said.isdisjoint(cues()["off"]):
                    yield Way(one.value * (1 - share.value), "{0} - {1}", (one, share), score)
                if not said.isdisjoint(cues()["onto"]):
                    yield Way(one.value * (1 + share.value), "{0} + {1}", (one, share), score)
                if self.unit != "second":  # "10% vests each year over 10 years" is no year
                    yield Way(one.value * share.value, "{1} of {0}", (one, share), score)

    def _rows(self) -> Iterator[Way]:
        """What a record comes to: "qty: 3; unit price: 29.90"."""
        if cues()["total"].isdisjoint(self._said()):
            return
        some = [one for one in self.known[:MOST_LIKE] if one.in_row]
        priced = [one for one in some if self.measures(one) and one.noun in cues()["priced"]]
        counts = [one for one in some if not one.unit and one.noun in cues()["counted"]]
        for price, count in product(priced, counts):
            if price.sentence == count.sentence:
                score = self.fit(price)
                yield Way(price.value * count.value, "{0} × {1}", (price, count), score)

    def _equal_parts(self) -> Iterator[Way]:
        """One of the parts that a passage tells to be equal: "$900 in three equal instalments"."""
        some = self.known[:MOST_LIKE]
        for count, total in permutations(some, 2):
            if count.sentence != total.sentence or count.unit or not self.measures(total):
                continue
            text = self.pairs[self.sources.row(count)].evidence.reading.text
            each = text[total.span.end :].lstrip().startswith(("each", "apiece"))
            if _EQUAL.match(text, count.span.end) and count.value >= 2 and not each:
                score = self.fit_of_two(count, total)
                yield Way(total.value / count.value, "{0} / {1}", (total, count), score, False)

    def _areas(self) -> Iterator[Way]:
        """Two amounts that a passage multiplies itself: "14 rows of 22", "3 m by 2 m"."""
        some = self.known[:MOST_LIKE]
        links = [one.before.rstrip().rpartition(" ")[2] for one in some]
        multiplied = [at for at, link in enumerate(links) if link in ("of", "by", "×", "x")]
        for one, at in product(some, multiplied):
            two, linked = some[at], links[at]
            if one.sentence != two.sentence or one.place >= two.place or one.is_moment:
                continue
            of = (
                linked == "of" and not two.whole and not one.unit and not two.unit and not self.unit
            )
            by = linked in ("by", "×", "x") and one.unit == two.unit
            by = by and self.unit == f"square {one.unit}"
            if of or by:
                score = self.fit_of_two(one, two)
                yield Way(one.value * two.value, "{0} × {1}", (one, two), score)
        repeated = [at for at, link in enumerate(links) if link in ("every", "each")]
        for count, at in product(some, repeated):
            # "a beacon every 30 seconds", "three beacons are missed"
            each = some[at]
            counts = not count.unit and count.value >= 2 and each.unit == self.unit
            of_it = count.noun and count.noun[:6] in each.near and not count.is_moment
            if each is not count and counts and of_it:
                score = self.fit_of_two(count, each)
                yield Way(count.value * each.value, "{0} × {1}", (count, each), score)
