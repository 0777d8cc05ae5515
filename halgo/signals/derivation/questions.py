"""Question of an amount: the operations that a claim's words ask for, and whom each side is of.

"The Green pass is €27 a year cheaper than the Blue pass": a difference of 27, the Green pass being
less, the Blue pass what it is held against. A wording that asks for nothing gives no question.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from halgo.facts.units import NO_AMOUNTS, RANKS
from halgo.signals.derivation.operands import STEM, Word, cues, keys, stated, words_of
from halgo.signals.passages import ByIdentity
from halgo.types import Facts, Quantity, Span

MOST = 12  # amounts of a claim that are asked about
_AHEAD = 40  # characters before an amount that tell what it is
LIMIT = re.compile(
    r"\b(?:(?:more|less|fewer) than|at (?:least|most)|up to|over|under|above|below|about|around"
    r"|nearly|almost)\s$",
    re.IGNORECASE,
)
# Cues that the passages have to tell; of a claim they are content.
_TOLD = frozenset({"change", "counted", "priced", "off", "onto"})
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_FAR = 8  # words before an amount
_LOOK = 60
# Words that ask and are followed by whom the amount is held against: "45 seconds behind Ada".
_AGAINST = frozenset({"behind", "after", "before", "above", "below", "under", "ahead", "over"})
_RACED = frozenset({"ahead", "behind"})
_FROM_TO = re.compile(
    r"\bfrom ([^,;]{2,40}?) (?:to|until|till) ([^,;.]{2,40})|\bbetween ([^,;]{2,40}?) and"
    r" ([^,;.]{2,40})",
    re.IGNORECASE,
)
_AGED_BEFORE = re.compile(r"\b(?:aged?|age of|at)\s+(?:about |around |only )?$", re.IGNORECASE)
_AGED_AFTER = re.compile(r"(?:\s+years? old)?\s+(?:or so )?when\b", re.IGNORECASE)
_UP_TO = re.compile(r"\b(?:add|adds|added|adding|come|comes|came)\s+up\s+to\s*$", re.IGNORECASE)
_CLAUSES = re.compile(r"[,;:]\s|\s(?:with|while|although|though|which|who|but|after having)\s")
_ONE = re.compile(r"an?\s\w+$")
_LASTS = frozenset({"last", "take", "run"})
_TIMES_AS_MUCH = frozenset({"doubled", "tripled", "trebled", "quadrupled", "quintupled", "halved"})
_PART = re.compile(r"\s+(?:of )?(?:the|its|their|all|our)\b", re.IGNORECASE)
_WHAT = re.compile(r"\s+(?:what|that of|those of)\b", re.IGNORECASE)
_THE = re.compile(r"\s+(?=(?:the|its|their)\b)", re.IGNORECASE)
_ITSELF = re.compile(r"\s*(?:it|they|he|she)\b", re.IGNORECASE)
_OTHER_NOUN = re.compile(r"\s(?:the|its|their|his|her)\s", re.IGNORECASE)
_OF = re.compile(r"\s+(?:of|as)\b", re.IGNORECASE)
# What an amount is told to leave out, "without the advance for heating", it is not of.
_LEFT_OUT = re.compile(
    r"\b(?:without|excluding|not (?:including|counting)|leaving out|apart from)\s[^,;:]{1,60}",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Question:
    """An amount of a claim, and the operation by which it should follow from the passages'.

    operation: difference, growth, ratio, share, sum, rest, duration or product. sign: 1 where
    `left` has more than `right`, -1 where it has less, 0 where the wording does not say. left,
    right: the words on either side. `timed`: right is what left was at an earlier time.
    """

    target: Quantity
    value: float
    operation: str
    sign: int
    left: frozenset[str]
    right: frozenset[str]
    timed: bool = False
    is_limit: bool = False  # "more than half": value is where the target's range begins or ends
    denied: bool = False
    aged: bool = False
    earlier: int = 0  # 1 where the right side is told to be earlier
    measure: frozenset[str] = frozenset()  # what is compared: "price" of "more expensive"
    clause: frozenset[str] = frozenset()  # the words of the amount's own clause


def questions(text: str, facts: Facts) -> tuple[Question, ...]:
    """What a claim asks for, one amount after the other."""
    return _kept.get((text, facts), lambda: tuple(_questions(text, facts)))


_kept = ByIdentity[tuple[Question, ...]](kept=64)  # of claims, each beside several passages


def _questions(text: str, facts: Facts) -> Iterator[Question]:
    words = _content(text, facts)
    for target in facts.quantities[:MOST]:
        value = stated(target)
        if value is not None and not target.unit.startswith(NO_AMOUNTS):
            yield from _Asker(text, words, target, value).questions()


def is_apart(text: str, span: Span) -> bool:
    """Whether an amount is told as what lies between two: "€1,400 more than", "rose by 5%".

    It is no rival of either of the two, which is told as it stands.
    """
    before = _before(text, span)
    if _is_end(before):
        return False
    compared, changed = _apart()
    after = [word.lower() for word in _WORD.findall(text[span.end : span.end + 40])]
    # "8 minutes shorter with the glasses" is held against without them.
    if not compared.isdisjoint(after[: 4 if "than" in after else 1]):
        return True
    return not changed.isdisjoint(before[-2:])


def _before(text: str, span: Span) -> list[str]:
    """The words before an amount and its "about"."""
    ahead = text[max(0, span.start - _AHEAD) : span.start]
    return [word.lower() for word in _WORD.findall(LIMIT.sub("", ahead))]


def _is_end(before: list[str]) -> bool:
    """Whether an amount is where a change begins or ends: "fell to 2%"."""
    return before[-1:] in (["from"], ["to"], ["at"])


@lru_cache(maxsize=1)
def _apart() -> tuple[frozenset[str], frozenset[str]]:
    """The words of an amount that lies between two: of what is compared, of what has changed."""
    compared = (cues()["more"] | cues()["less"]) - _AGAINST
    return compared, cues()["up"] | cues()["down"]


@lru_cache(maxsize=1)
def _asking() -> frozenset[str]:
    """The words of a claim that ask for an operation."""
    return frozenset[str]().union(*(words for cue, words in cues().items() if cue not in _TOLD))


def _content(text: str, facts: Facts) -> list[Word]:
    """The words of a claim that say what its amounts are of."""
    asking, moving = _asking(), _apart()[1]  # "a fall" may be what is counted
    others = [amount.span for amount in facts.quantities if not amount.unit.startswith(RANKS)]
    others += [Span(*found.span()) for found in _LEFT_OUT.finditer(text)]
    return [
        word
        for word in words_of(text, facts)
        if not any(span.start <= word.start < span.end for span in others)
        and (match := _WORD.match(text, word.start) or re.compile(r"\w+").match(text, word.start))
        and (
            match.group().lower() not in asking or (word.names and match.group().lower() in moving)
        )
    ]


class _Asker:
    """One amount of a claim with the words around it."""

    def __init__(self, text: str, words: list[Word], target: Quantity, value: float) -> None:
        self.text, self.words, self.target, self.value = text, words, target, value
        self.span = target.span
        self.unit = target.unit.partition("/")[0]
        before = text[max(0, self.span.start - _LOOK) : self.span.start]
        self.is_limit = target.low != target.high and not _UP_TO.search(before)
        self.said = frozenset(word.lower() for word in _WORD.findall(text))
        self.all = keys(words)
        cuts = [0, *(found.end() for found in _CLAUSES.finditer(text)), len(text)]
        own = bisect_right(cuts, self.span.start)
        self.clause = keys(words, cuts[own - 1], cuts[min(own, len(cuts) - 1)])
        named = (pair.split() for pair in cues()["measure"])
        self.measure = frozenset(word[:STEM] for said, word in named if said in self.said)
        self.denied = bool(self.said & cues()["denied"]) or "n't" in text or "n’t" in text

    def questions(self) -> Iterator[Question]:
        yield from self._compared()
        yield from self._changed()
        if self.unit in ("times", "fraction"):
            yield from self._multiple()
        counted = " in " in self.span.of(self.text)  # "three in ten students were"
        if self.unit == "fraction" and (counted or _OF.match(self.text, self.span.end)):
            right = keys(self.words, self.span.end, self._predicate())
            yield self._made("share", 0, self.all - right, right)
        if self.target.unit.endswith("/every"):  # of "every 3 months" no half-year is made
            return
        if self.is_limit:  # what is reached by adding up is reached by nearly any amounts
            yield from self._times()
            return
        if self.said & cues()["total"]:
            yield self._made("sum", 0, self.all)
        yield self._made("rest", 0, self.all)
        yield from self._times()
        yield self._made("product", 0, self.all)

    def _times(self) -> Iterator[Question]:
        if self.unit in ("second", "year of age", ""):
            yield from self._lasting()

    def _made(
        self,
        operation: str,
        sign: int,
        left: frozenset[str],
        right: frozenset[str] = frozenset(),
        **more: bool | int,
    ) -> Question:
        return Question(self.target, self.value, operation, sign, left, right,
                        is_limit=self.is_limit, denied=self.denied, measure=self.measure,
                        clause=self.clause, **more)  # type: ignore[arg-type]  # fmt: skip

    def _near(self, before: int, after: int) -> list[tuple[str, Span]]:
        """The words right around the amount, with where they stand: (word, span)."""
        ahead = [
            (match.group().lower(), Span(*match.span()))
            for match in _WORD.finditer(self.text, max(0, self.span.start - _LOOK), self.span.start)
        ]
        behind = [
            (match.group().lower(), Span(*match.span()))
            for match in _WORD.finditer(self.text, self.span.end, self.span.end + _LOOK)
        ]
        return behind[:after] + ahead[::-1][:before]

    def _sides(self, cut: Span) -> tuple[frozenset[str], frozenset[str]]:
        return keys(self.words, 0, cut.start), keys(self.words, cut.end)

    def _compared(self) -> Iterator[Question]:
        """A difference: "€27 cheaper than", "45 seconds behind", "save €20 by"."""
        for word, _ in self._near(4, 0):
            if word in cues()["save"]:
                yield self._of_measure(-1, self.all, frozenset())
                return
        than = self.text.find(" than ", self.span.end)
        for word, place in self._near(0, 4):
            sign = (word in cues()["more"]) - (word in cues()["less"])
            if not sign:
                continue
            if word in _RACED and self.unit != "second":
                sign = -sign  # "£3 million ahead of plan" is more
            if word in _AGAINST:
                left, right = self._sides(place)
            elif than >= 0:
                left, right = self._sides(Span(than, than + 6))
            else:
                left, right = self.all, frozenset()
            tail = self.text[place.start :].lower()
            earlier = not cues()["earlier"].isdisjoint(_WORD.findall(tail)) and than >= 0
            yield self._of_measure(sign, left, right, earlier=int(earlier))
            return
        if self.said & cues()["gap"]:
            yield self._of_measure(0, self.all, frozenset())

    def _of_measure(
        self, sign: int, left: frozenset[str], right: frozenset[str], **more: bool | int
    ) -> Question:
        operation = "growth" if self.unit == "fraction" else "difference"
        return self._made(operation, sign, left, right, **more)

    def _changed(self) -> Iterator[Question]:
        """A change: "grew by 25%", "up by five on last year", "gained 20 trees"."""
        if _is_end(_before(self.text, self.span)):
            return
        if self.span.of(self.text).lower() in _TIMES_AS_MUCH:
            yield self._made("ratio", 1, *self._in_time(), timed=True)
            return
        # "Raised its interim dividend by 20%": what "by" belongs to may stand further off.
        before = _FAR if self.text[: self.span.start].rstrip().lower().endswith(" by") else 4
        for word, _ in self._near(before, 2):
            sign = (word in cues()["up"]) - (word in cues()["down"])
            if sign:
                left, right = self._in_time()
                if self.unit == "times":  # "grew fivefold"
                    yield self._made("ratio", sign, left, right, timed=True)
                    return
                yield self._of_measure(sign, left, right, timed=True)
                return

    def _in_time(self) -> tuple[frozenset[str], frozenset[str]]:
        """The words of what is now, and of what was: "from 2021 to 2023"."""
        if (told := _FROM_TO.search(self.text)) is None:
            return self.all, frozenset()
        one, two = (1, 2) if told[1] else (3, 4)
        right = keys(self.words, *told.span(one))
        return (self.all - right) | keys(self.words, *told.span(two)), right

    def _multiple(self) -> Iterator[Question]:
        """A ratio: "five times as often by post as by hand", "half the cores of the other"."""
        start = self.span.end
        how = re.compile(r"\s+as\s+(\w{3,20})", re.IGNORECASE).match(self.text, start)
        if how and any(word.startswith(how[1].lower()) for word in cues()["less"]):
            return  # who is four times as fast needs a quarter of the time, or has the pace
        found = re.compile(r"\s+as\b.{1,80}?\sas\s", re.DOTALL).match(self.text, start)
        if found is None and (than := self.text.find(" than ", start)) >= 0:
            found = re.compile(" than ").match(self.text, than)
        if found is None and self.unit == "times":
            found = _WHAT.match(self.text, start)
        if found is None and not self.is_limit and _PART.match(self.text, start):
            last = self.text.rfind(" of ", start + 3)
            found = re.compile(" of ").match(self.text, last) if last >= 0 else None
            if found is None and self.unit == "times":
                found = _THE.match(self.text, start)
        if found is not None:
            left, right = self._sides(Span(found.end(), found.end()))
            if _ITSELF.match(self.text, found.end()) and self.said & cues()["earlier"]:
                yield self._made("ratio", 1, left, timed=True)  # "three times what it was before"
                return
            # "as long as": in what they are compared, which no passage need say.
            measure = [w.key for w in self.words if start <= w.start < start + 6 and not w.names]
            # Held against no name, "an ordinary one", it has the more of what is named.
            yield self._made("ratio", int(not right), left - set(measure), right)

    def _predicate(self) -> int:
        """Where the predicate begins of "a quarter of the patients were children"."""
        of = _OF.match(self.text, self.span.end)
        other = _OTHER_NOUN.search(self.text, of.end() + 5) if of else None
        if other is not None and self.text[: self.span.start].lower() in ("in ", "for ", "at "):
            return other.start()  # "in 9% of the houses the factor was"
        found = re.compile(r"\s(?:is|are|was|were|has|have|had|did|do|does)\s").search(
            self.text, self.span.end
        )
        if found is not None:
            return found.end()
        after = [word for word in self.words if word.start >= self.span.end]
        return next((word.start for word in after if not word.names), len(self.text))

    def _lasting(self) -> Iterator[Question]:
        before = self.text[max(0, self.span.start - _LOOK) : self.span.start]
        aged = bool(_AGED_BEFORE.search(before) or _AGED_AFTER.match(self.text, self.span.end))
        aged = aged or self.unit == "year of age"
        written = self.span.of(self.text).lower()
        # "In a year" asks for nothing, and "six days a week" for how often.
        lasts = self.target.unit in ("second", "second/day") and not _ONE.match(written)
        if not aged and not lasts:
            return
        left, right = self.all - _LASTS, frozenset[str]()
        if aged:
            right = frozenset({"bear"})
        elif (told := _FROM_TO.search(self.text)) is not None:
            one, two = (1, 2) if told[1] else (3, 4)
            right, left = keys(self.words, *told.span(one)), keys(self.words, *told.span(two))
        else:
            for word, place in self._near(0, 2):
                if word in ("after", "before", "later"):
                    rest = self.text.find(",", place.end)
                    rest = rest if self.span.start < 3 and rest > 0 else len(self.text)
                    right = keys(self.words, place.end, rest)
                    left = self.all - right
                    if word == "before":
                        left, right = right, left
                    break
        yield self._made("duration", 1, left, right, aged=aged)
