"""A claim's passages -> the amounts and moments in them, each with the words that it is said of.

What an amount is said of is told by the words of its own stretch of the sentence: between it and
the next amount of the same measure one of them ends and the other begins ("wind 38% | and hydro
27%"). A row or list item is one stretch. A stretch that brings no noun of its own borrows the words
that led to the amount before it ("210 mm in October | and 140 mm in November").
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property, lru_cache
from itertools import count, pairwise

from halgo.facts.cells import counts_things
from halgo.facts.clocktimes import told_by
from halgo.facts.identifiers import VERSION
from halgo.facts.units import DAY, RANKS
from halgo.facts.words import lines
from halgo.protocols import Lexicon
from halgo.signals.passages import ByIdentity, OfPassage
from halgo.signals.quantities.captions import caption, scaled
from halgo.signals.segments import above, covering, shown
from halgo.types import Date, Evidence, Facts, Quantity, Span

_MONTH, _HALF_YEAR = 31, 190  # days
_TOLD_AHEAD = 48  # characters before an amount that tell whether it is one of another time
MOST = 60  # operands of a claim; what stands in later passages is left out
STEM = 6  # letters in which words are compared: "delivered", "deliveries"

_BREAK = re.compile(
    r"(?<=[.!?])[\"”')]{0,3}\s+(?=[A-Z\d\"“(])|\n\s*(?=\n)|\n(?=\s{0,8}(?:[|*•+#-]|\d{1,3}[.)]\s))"
    r"|\n(?=[^\n:]{1,40}: )|(?<=\})\s?,"
)
ROW = re.compile(r"\s{0,8}(?:[|*•{]|[+-]\s|\d{1,3}[.)]\s)|[^\n]{1,60}: [^\n;]{1,80}; ")
# Cells of a row as it is read: "Price — City: €2,490; Trail: €3,890".
_CELLS = re.compile(r";\s|\s—\s|\s?\|\s?")
_LABELLED = re.compile(
    r"[^;:\n]{1,60}: [^;\n]{0,80}(?:; | — )[^;:\n]{1,60}: |[^;:]{1,60} — [^;:]{1,60}: "
)
# What leads to what an amount was before: "down from 25,000", "3,000, against 2,500".
_ONCE = re.compile(
    r"\b(?:from|against|compared (?:with|to)|previously|formerly)\s+(?:about |some |only |an? )?"
    r"[^\w\s]?$",
    re.IGNORECASE,
)
# The same in brackets behind it, where what leads to it tells of a time: "(Q3 2024: 127.6)".
_BRACKETED = re.compile(r"\(([^()]{2,40}):\s*[^\w\s]?$")
_IN_BRACKETS = re.compile(r"\([^)]*$")
_STRONG = re.compile(r"[;:(]|,\s")
_WEAK = re.compile(r"\s(?:and|but|while|against|whereas|to|than|or|from)\s", re.IGNORECASE)
_CLAUSE = re.compile(r";\s|,?\s(?:while|whereas)\s|,\s(?:and|but)\s")
_NAMED = re.compile(
    r"\b([A-Z]\w{2,20}) (\d{1,3}|[A-Z])\b(?!\.\d)|\b([A-Z]{1,3}-?\d{1,5})\b|\b([B-HJ-Z])\b"
)
_OF_THEM = re.compile(r"\bof (?:them|whom|which|these|those|the)\b", re.IGNORECASE)
_WHOLE = re.compile(
    r"\d(?:\s\w+)?\s(?:out of|of)(?: (?:the|all|a total of))?\s$|\bof the $", re.IGNORECASE
)
_PART_OF = re.compile(r"(?:\s\w+)?\s(?:out of|of)(?: (?:the|all|a total of))?\s", re.IGNORECASE)
RANKED = re.compile(r"\b(?:first|second|third|fourth|fifth|sixth)\b(?! of\b)", re.IGNORECASE)
# Which side a vote was for, where it is told by no other word.
SIDES = re.compile(r"\b(?:vot\w+|\d+) (for|against)\b(?! \d)", re.IGNORECASE)
_LABEL = re.compile(r"(?:^|[.;]\s|\n)([A-Z][a-z]\w{1,20}): ")  # "Plus: $45 a month"
_NUMBERING = re.compile(r"\(\d{1,2}\)|§\s?\d{1,3}.?")  # of paragraphs: "(1)"
_CLOCK = re.compile(r"(\d{1,2})[:.](\d{2})")
_WORD = re.compile(r"[^\W_]{2,40}")


@lru_cache(maxsize=1)
def cues() -> dict[str, frozenset[str]]:
    """The words that ask for an operation, by its name in data/operations.txt."""
    table = (line.partition(":") for line in lines("operations"))
    return {
        name: frozenset(word.strip() for word in listed.split(",")) for name, _, listed in table
    }


@dataclass(frozen=True, slots=True)
class Operand:
    """An amount of a passage, or a moment.

    A moment's `unit` is "day", "month", "year", "clock", or "date" where its year is not known; its
    `value` is in seconds.
    passage: the number of the `Told` it is from. own, near: the words of its stretch and sentence.
    sentence, place: where it stands in its document. when: its year, and the month in which its
    period begins, as far as known: 0 of a whole year.
    """

    passage: int
    value: float
    unit: str
    rate: str
    noun: str
    written: str
    span: Span
    own: frozenset[str]
    near: frozenset[str]
    sentence: tuple[str, int]
    place: int
    in_row: bool
    approximate: bool
    when: tuple[int, int]
    earlier: bool
    once: bool  # what the amount before it was until then: "down from 25,000"
    before: str  # the characters that lead to it
    of_them: bool  # "85 of them", "of whom 85"
    whole: bool  # 620 in "62 of 620"
    is_limit: bool  # "at least 16", whose value is its end
    does: frozenset[str]  # the predicates of its stretch that are not denied

    @property
    def is_moment(self) -> bool:
        """Whether this is a day, a year or a time of day."""
        return self.unit in ("day", "month", "year", "clock", "date")


def at_odds(claimed: Set[str], parts: Sequence[Set[str]], lexicon: Lexicon) -> bool:
    """Whether a sum is said of what holds of one part only, and the opposite of another.

    "214 tests passed" beside "211 passed, 3 failed". claimed, parts: lemmas.
    """
    told = frozenset[str]().union(*parts)
    return any(not lexicon.antonyms(word).isdisjoint(told) for word in claimed & told)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text as it is compared."""

    key: str
    start: int
    names: bool  # a noun or a name


def words_of(text: str, facts: Facts) -> tuple[Word, ...]:
    """The content words of a text in order, with names like "Orla 2" and the words of dates."""
    return _words_kept.get((text, facts), lambda: _words_of(text, facts))


# Of claims, each of whose amounts is asked about.
_words_kept = ByIdentity[tuple[Word, ...]](kept=64)


def _words_of(text: str, facts: Facts) -> tuple[Word, ...]:
    found = {
        (term.span.start, term.lemma[:STEM].lower().rstrip(".")): term.pos in ("NOUN", "PROPN")
        for term in facts.terms
        if term.pos != "NUM"
    }
    amounts = covering(a.span for a in facts.quantities if not a.unit.startswith(RANKS))
    for match in _NAMED.finditer(text):
        if match[2] and amounts(Span(*match.span(2))):
            continue  # "In January 300 came"
        key = match.group().lower() if match[3] or match[1] else match[4].lower()
        found[match.start(), key] = True
    for match in _LABEL.finditer(text):
        found[match.start(1), match[1].lower()[:STEM]] = True
    for match in SIDES.finditer(text):
        found[match.start(1), match[1].lower()[:STEM]] = True
    for numbered in facts.quantities:  # "version 3"
        kind, _, number = numbered.unit.partition(":")
        if kind == "identifier" and numbered.noun and "." not in number:
            found[numbered.span.start, f"{numbered.noun[:STEM]} {number}"] = True
    in_date = covering(day.span for day in facts.dates)
    for match in VERSION.finditer(text):  # "[2.1.1] – 2023-12-05" heads what changed
        place = Span(*match.span(1))
        if not amounts(place) and not in_date(place):
            found[place.start, match[1]] = True
    for match in RANKED.finditer(text):
        found[match.start(), match.group().lower()[:STEM]] = False
    for dated in facts.dates:
        for match in re.finditer(r"\w{2,12}", dated.span.of(text)):
            found[dated.span.start + match.start(), match.group().lower()[:STEM]] = False
    return tuple([Word(key, start, names) for (start, key), names in sorted(found.items())])


def operands(passages: Iterable[Told]) -> list[Operand]:
    """The amounts and moments of a claim's passages, each place of a document once."""
    found: dict[tuple[str, int, bool], Operand] = {}
    for passage in passages:
        if len(found) >= MOST:
            break
        for operand in passage.operands:
            found.setdefault((operand.sentence[0], operand.place, operand.is_moment), operand)
    return list(found.values())[:MOST]


_numbers = count()


class Told:
    """One passage, cut into sentences and rows by its document's own lines."""

    def __init__(self, evidence: Evidence, facts: Facts) -> None:
        self.number, self.evidence = next(_numbers), evidence
        self.reading, self.chunk, self.facts = evidence.reading, evidence.chunk, facts
        self.text, self.above = evidence.reading.text, above(evidence)
        starts = [0, *(match.end() for match in _BREAK.finditer(self.chunk.text))]
        self.starts = [self.chunk.span.start + start for start in starts]
        places = [one.span.start for one in self.reading.pieces if one.at >= self.above.end]
        # A row is read with the names of its columns, which stand before it.
        self.is_row = places != sorted(places)
        self.begins = self.starts[-1] if self.is_row else self.chunk.span.start
        known = facts.quantities
        amounts = covering(q.span for q in known if not q.unit.startswith(RANKS))
        told = _words_of(self.text, facts)
        self.keys = frozenset(word.key for word in told)
        self.over = keys(told, 0, self.above.end)  # what all of it is about
        self.words: list[tuple[Word, int]] = []
        self._headed: set[Word] = set()
        for word in told:
            place = self.reading.locate(Span(word.start, word.start + 1))
            if place is None or amounts(Span(word.start, word.start + 1)):
                continue
            self.words.append((word, self._line(place.start)))
            if place.start < self.begins:
                self._headed.add(word)
                if len(word.key) > 3 and word.key.endswith("s"):  # in capitals no plural: "Wins"
                    single = replace(word, key=word.key[:-1])
                    self.words.append((single, self._line(place.start)))
                    self._headed.add(single)

    def sentence(self, span: Span) -> int | None:
        """Where in the document the sentence or row of a span begins."""
        place = self.reading.locate(span)
        return None if place is None else self._line(place.start)

    def _is_inside(self, span: Span) -> bool:
        """Whether a span is of the passage itself, and not of what stands over it."""
        place = self.reading.locate(span)
        return place is not None and place.start >= self.begins

    def _line(self, place: int) -> int:
        # What stands over a passage is told of its last sentence, or of the row that it is.
        at = bisect_right(self.starts, place) - 1
        return self.starts[at if place >= self.begins else -1]

    def headed(self, word: Word) -> bool:
        """Whether a word is of the headings over the passage, which say less of an amount."""
        return word in self._headed

    @cached_property
    def operands(self) -> list[Operand]:
        """The amounts and moments of the passage."""
        facts = self.facts
        captioned = self._captioned()
        items: list[tuple[Span, Quantity | Date]] = [
            (found.span, captioned(found))
            for found in facts.quantities[:MOST]
            if stated(found) is not None
            and not found.unit.startswith(RANKS)
            and not _NUMBERING.fullmatch(
                self.text, max(0, found.span.start - 1), found.span.end + 1
            )
        ]
        items += [
            (found.span, found)
            for found in facts.dates[:MOST]
            if found.year_known or found.first == found.last
        ]
        by_sentence: dict[int, list[tuple[Span, Quantity | Date]]] = {}
        for span, item in sorted(items, key=lambda one: one[0]):
            sentence = self.sentence(span)
            # A head of a column is no beginning or end of what its cells are of.
            heads = isinstance(item, Date) and not self._is_inside(span)
            over = self.is_row and (heads or span.start < self.above.end)
            if sentence is not None and not over:
                by_sentence.setdefault(sentence, []).append((span, item))
        found: list[Operand] = []
        for sentence, some in by_sentence.items():
            found += self._of_sentence(sentence, some)
        return found

    def holds(self, one: Operand) -> bool:
        """Whether an operand of another passage stands in this one too, with which it overlaps."""
        inside = self.chunk.span.start <= one.place < self.chunk.span.end
        return inside and self.chunk.doc_id == one.sentence[0]

    def _captioned(self) -> Callable[[Quantity], Quantity]:
        """An amount -> the money that the caption of its table says it is: "in € million"."""
        told = caption(self.evidence)
        unit, scale = told or (None, 1)
        if unit is None:
            return lambda amount: amount
        size, base = float(unit.factor * scale), unit.base
        return lambda amount: (
            amount if amount.unit or counts_things(amount.noun) else scaled(amount, size, base)
        )

    def _of_sentence(
        self, sentence: int, items: Sequence[tuple[Span, Quantity | Date]]
    ) -> list[Operand]:
        mine = [word for word, at in self.words if at == sentence]
        begin = sentence - self.chunk.span.start
        in_row = bool(ROW.match(self.chunk.text, begin))
        near = frozenset(word.key for word in mine) | self.over
        # What leads to its first word or amount is of the headings, what comes later of columns.
        inside = [word.start for word in mine if not self.headed(word)]
        inside += (span.start for span, _ in items if self._is_inside(span))
        with_heads = [w for w in mine if not self.headed(w) or w.start > min(inside, default=0)]
        mine = [word for word in mine if not self.headed(word)] or mine
        last = max([word.start + 1 for word in mine] + [span.end for span, _ in items])
        others = (w.start for w, at in self.words if at != sentence and w.start >= last)
        end = min(others, default=len(self.text))
        start = min([word.start for word in mine] + [span.start for span, _ in items])
        # From its first word on, which may be none of its content: "Last year 40 passed".
        body = min(self.above.end, start)
        start = max(self.text.rfind(mark, body, start) + 1 for mark in ".!?;\n") or body
        in_row = in_row or bool(_LABELLED.match(self.text, start))
        cells: Sequence[Span] = ()
        named = frozenset[str]()
        if in_row:
            mine = with_heads or mine
            cells, named = self._cells(mine, [span for span, _ in items], Span(start, end))
        found: list[Operand] = []
        groups: dict[str, list[tuple[Span, Quantity | Date]]] = {}
        for span, item in items:
            groups.setdefault(_measure(item), []).append((span, item))
        for like in groups.values():
            noun, lead = "", frozenset[str]()
            begin = start if in_row else self._clause(like[0][0], [span for span, _ in items], mine)
            stretches = self._stretches([span for span, _ in like], max(start, begin), end)
            for (span, item), stretch in zip(like, stretches, strict=True):
                ahead = [word for word in mine if stretch.start <= word.start < span.start]
                own = {word.key for word in mine if stretch.start <= word.start < stretch.end}
                once = _measure(item) not in ("moment", "clock") and self._is_once(span)
                if not (once and lead) and (any(word.names for word in ahead) or not lead):
                    lead = frozenset(word.key for word in ahead)
                own |= lead
                told = self._noun(item, "" if once else noun, stretch, in_row, once)
                noun = noun if once else told
                if in_row:
                    cell = next(cell for cell in cells if cell.start <= span.start < cell.end)
                    if len(cells) > 1:
                        own, stretch = set(named) | {told[:STEM]}, cell
                    elif len(like) == 1:
                        own = set(near)
                    if len(cells) > 1 or len(like) == 1:
                        own |= {word.key for word in mine if cell.start <= word.start < cell.end}
                found.append(self._operand(item, told, frozenset(own), near, sentence, in_row,
                                           stretch, start, like[0][0].start, once))  # fmt: skip
        return found

    def _is_once(self, amount: Span) -> bool:
        """Whether an amount is what the one before it was until then."""
        ahead = self.text[max(0, amount.start - _TOLD_AHEAD) : amount.start]
        if _ONCE.search(ahead) is not None:
            return True
        if (told := _BRACKETED.search(ahead)) is None:
            return False
        place = Span(amount.start - len(ahead) + told.start(1), amount.start)
        dated = any(found.span.overlaps(place) for found in self.facts.dates)
        return dated or not cues()["earlier"].isdisjoint(_WORD.findall(told[1].lower()))

    def _clause(self, first: Span, amounts: Sequence[Span], mine: Sequence[Word]) -> int:
        """Where the clause of an amount begins, if it is a second one with a noun of its own."""
        before = max((span.end for span in amounts if span.end <= first.start), default=0)
        cuts = [found.end() for found in _CLAUSE.finditer(self.text, before, first.start)]
        named = cuts and any(w.names and cuts[-1] <= w.start < first.start for w in mine)
        return cuts[-1] - 1 if before and named else 0

    def _cells(
        self, mine: Sequence[Word], amounts: Sequence[Span], row: Span
    ) -> tuple[list[Span], frozenset[str]]:
        """The cells of a row, and the words of the first and of those that are no amount."""
        cuts = [row.start]
        cuts += (match.end() for match in _CELLS.finditer(self.text, row.start, row.end))
        cells = [Span(start, end) for start, end in pairwise((*cuts, len(self.text) + 1))]
        naming = [
            cell
            for at, cell in enumerate(cells)
            if at == 0 or not any(self._is_value(cell, span) for span in amounts)
        ]
        return cells, frozenset(
            word.key for word in mine if any(cell.start <= word.start < cell.end for cell in naming)
        )

    def _is_value(self, cell: Span, amount: Span) -> bool:
        """Whether a cell holds an amount and no more: "area: 18 ha", not "stage 8 by 6 m"."""
        if not cell.start <= amount.start < cell.end:
            return False
        ahead = self.text[cell.start : amount.start].rpartition(": ")[2]
        return not any(map(str.isalpha, ahead))

    def _noun(
        self, item: Quantity | Date, last: str, stretch: Span, in_row: bool, once: bool
    ) -> str:
        """What an amount counts: "45 tickets by post and 9 by telephone" are tickets, all."""
        if isinstance(item, Date):
            return ""
        if once and not item.unit and item.noun[:4] not in self.text[item.span.end :][:24].lower():
            return ""  # that of another amount: "24,000 students in 40 schools, down from 25,000"
        said = item.noun[:4] in self.text[item.span.end : stretch.end].lower()
        return item.noun if in_row or item.unit or not last or (item.noun and said) else last

    def _stretches(self, spans: Sequence[Span], start: int, end: int) -> list[Span]:
        """The stretch of each amount; "62 of 620 people" is one for both."""
        groups: list[list[Span]] = []
        for span in spans:
            if groups and _PART_OF.fullmatch(self.text, groups[-1][-1].end, span.start):
                groups[-1].append(span)
            else:
                groups.append([span])
        cuts = [start]
        for before, after in pairwise(groups):
            if self.text[before[-1].end : before[-1].end + 1] == ")":
                cuts.append(before[-1].end)  # "amber ones (17%) and clear ones (8%)"
                continue
            found = _STRONG.search(self.text, before[-1].end, after[0].start)
            found = found or _WEAK.search(self.text, before[-1].end, after[0].start)
            cuts.append(found.end() - 1 if found else after[0].start)
        cuts.append(end)
        return [Span(cuts[at], cuts[at + 1]) for at, group in enumerate(groups) for _ in group]

    def _operand(
        self,
        item: Quantity | Date,
        noun: str,
        own: frozenset[str],
        near: frozenset[str],
        sentence: int,
        in_row: bool,
        stretch: Span,
        begin: int,
        first: int,
        once: bool,
    ) -> Operand:
        span, facts = item.span, self.facts
        value, unit, rate = _value(item, self.text)
        said = stretch.of(self.text).lower()
        place = self.reading.locate(span)
        dates = [d for d in facts.dates if d.span.overlaps(stretch)]
        early = once or not cues()["earlier"].isdisjoint(_WORD.findall(said))
        if not dates and not early:
            dates = self._shared_dates(span, sentence, begin, first)
            own |= {
                word.key
                for word, _ in self.words
                if any(d.span.start <= word.start < d.span.end for d in dates)
            }
        whens = {
            (d.first.year if d.year_known else 0,
             d.first.month if (d.last - d.first).days < _HALF_YEAR else 0)
            for d in dates
        }  # fmt: skip
        bracketed = _IN_BRACKETS.search(self.text, max(0, span.start - 8), span.start) is not None
        return Operand(
            self.number, value, unit, rate, noun, shown(self.text, span), span,
            own, near, (self.chunk.doc_id, sentence),
            place.start if place is not None else -1, in_row,
            item.approximate or _is_beside_time(item),
            next(iter(whens)) if len(whens) == 1 else (0, 0),
            bracketed or early, once,
            self.text[max(0, span.start - 16) : span.start].lower(),
            bool(_OF_THEM.search(self.text[max(0, span.start - 16) : span.end + 16])),
            bool(_WHOLE.search(self.text[max(0, span.start - 24) : span.start])),
            isinstance(item, Quantity) and item.low != item.high and not _is_beside_time(item),
            frozenset(p.lemma for p in facts.predicates
                      if not p.negated and p.span.overlaps(stretch)),
        )  # fmt: skip

    def _shared_dates(self, span: Span, sentence: int, begin: int, first: int) -> list[Date]:
        """The dates of a sentence that hold of all its amounts, this one too."""
        mine = [d for d in self.facts.dates if self.sentence(d.span) == sentence]
        if self.is_row:  # what heads other cells is not of this one
            mine = [d for d in mine if d.span.end <= self.above.end or self._is_inside(d.span)]
        ahead = [d for d in mine if begin <= d.span.start and d.span.end <= first]
        if ahead or len(mine) != 1:
            return ahead
        between = self.text[span.end : mine[0].span.start]
        return [] if _STRONG.search(between) else mine


read_passage = OfPassage(Told)


def _is_beside_time(item: Quantity | Date) -> bool:
    """Whether an item is "shortly before 7 am", from which one reckons as from about 7 am."""
    return isinstance(item, Quantity) and item.unit.startswith("clock") and item.low < item.high


def _measure(item: Quantity | Date) -> str:
    if isinstance(item, Date):
        return "moment"
    return "clock" if item.unit.startswith("clock") else item.unit.partition("/")[0]


def _value(item: Quantity | Date, text: str) -> tuple[float, str, str]:
    """(value, unit, rate) of an amount; of a moment seconds."""
    if isinstance(item, Date):
        days = (item.last - item.first).days
        whole = days > _MONTH
        unit = "year" if whole else "month" if days else "day"
        unit = unit if whole or item.year_known else "date"
        return float((item.first - date(1, 1, 1)).days * DAY), unit, ""
    if item.unit.startswith("clock"):
        told = _CLOCK.fullmatch(item.span.of(text).strip())
        if told:  # read as it is written: "12:00" of a timetable is noon
            return int(told[1]) * 3600.0 + int(told[2]) * 60, "clock", ""
        return stated(item) or 0.0, "clock", ""
    unit, _, rate = item.unit.partition("/")
    return stated(item) or 0.0, unit, rate


def stated(amount: Quantity) -> float | None:
    """An amount, or the end of "at least 16" and "up to ten"; None of "two to three"."""
    if _is_beside_time(amount):
        return told_by(amount.low, amount.high)
    if amount.low == amount.high or amount.low in (0, -math.inf):
        return amount.high if math.isfinite(amount.high) else None
    return amount.low if amount.high == math.inf else None


def later(one: Operand, other: Operand) -> int:
    """1 where an amount is of a later time than another, -1 of an earlier, 0 where nobody knows."""
    for mine, theirs in zip(one.when, other.when, strict=True):
        if mine and theirs and mine != theirs:
            return 1 if mine > theirs else -1
    return int(other.earlier) - int(one.earlier)


def keys(words: Iterable[Word], start: int = 0, end: int = 1 << 30) -> frozenset[str]:
    """The words that begin at [start, end)."""
    return frozenset(word.key for word in words if start <= word.start < end)
