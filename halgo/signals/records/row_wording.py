"""A claim beside a table: which rows and columns it names, and what it says of several rows.

A small semantic parser in the sense of table-based fact verification (Chen et al. 2020, TabFact):
the claim's words are matched to rows, values, columns and operations of the table. What no part of
the table accounts for is `unknown`, and nothing is concluded from a claim that has such words:
"the cheapest plan for schools" is not what a table without schools can tell.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from halgo.evidence.lexical import is_common, stems
from halgo.facts.units import CURRENCIES
from halgo.facts.words import words
from halgo.protocols import Lexicon
from halgo.signals.derivation.operands import cues
from halgo.signals.matching import alike, derived
from halgo.signals.polarity.comparisons import COST, NAMED, UNITS, measures
from halgo.signals.quantities.directions import DOWN, UP
from halgo.signals.records.fields import FIGURE, NAMING, NO, NO_VALUE, YES, place_of
from halgo.types import Cell, Date, Facts, Quantity, Span, Table

_NOTHING = NO_VALUE | {"unknown", "tbd"}
_LONGEST_NAME, _LONGEST_VALUE = 60, 30
_SHORTEST = 3  # letters of a column's word that a word of the claim may begin with: "dep", "min"
_FEWEST_DIGITS = 4  # of a name that is a number: "2023", not "1"
_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_NOT = re.compile(
    r"(?:\b(?:not|never|no|without|lacks?|lacking|neither|nor|cannot)\b|n['\u2019]t\b)(?:\s+\w+){0,3}\s*$",
    re.IGNORECASE,
)
_THAN = re.compile(r"\bthan\b", re.IGNORECASE)
_NO_ROW = re.compile(r"\W*(?:no|none|neither|not (?:one|a single))\b", re.IGNORECASE)
_CHANGE = re.compile(
    rf"\b(?:(?P<up>{UP}|more|higher)|(?P<down>{DOWN}|less|fewer|lower))\b", re.IGNORECASE
)
_PERIOD = re.compile(r"(?:19|20)\d\d|\bq[1-4]\b|\bh[12]\b")
_BOTH = re.compile(r"\b(?:both|each|every)\b", re.IGNORECASE)
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d):(\d\d)")
_NO_NAMES = frozenset(stems("other others rest unknown misc total all none"))
_ROUND = 0.02  # how far "about 50" may be from an amount, as a share of it
_IDS = NAMING - {"name", "title"}
_RANKS = {"second": 2, "third": 3, "fourth": 4, "fifth": 5}
# Words of a claim that restrict nothing, whatever the table is about.
_IDLE = words(
    "have include offer be list record show make see come do get row entry item one table overall "
    "total number amount value figure all every each none no only both except any other same "
    "compare respectively there listed give among as well also whole provide feature support "
    "available of them fact still currently more than less fewer least most person people class "
    "classify rate mark label categorise categorize assign date day time year month"
)
_LATEST = words("recent recently")


@dataclass(frozen=True, slots=True)
class Measure:
    """What rows are ordered by: the name of the measure, and whether more of it is meant."""

    name: str
    more: bool
    span: Span
    rank: int = 1
    superlative: bool = False


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that a claim says of rows: of each row, by its place, whether it has it."""

    told: str  # as a message has it
    span: Span
    of: Mapping[int, bool]


class Wording:
    """What one claim says of the rows of one table."""

    def __init__(self, claim: str, facts: Facts, table: Table, lexicon: Lexicon) -> None:
        self.claim, self.facts, self.table, self.lexicon = claim, facts, table, lexicon
        self._used = bytearray(len(claim))
        self._words = [
            (match.group().lower(), Span(*match.span())) for match in _WORD.finditer(claim)
        ]
        self._lemmas = {term.span.start: term for term in facts.terms}
        self.names = self._named()
        self.conditions = [*self._switches(), *self._categories(), *self._blanks()]
        self.measure = self._measured()
        self.change = self._changed()
        self.conditions += self._periods()
        self.said = self._columns_said()

    # --- the table ------------------------------------------------------------------------------

    @cached_property
    def by_column(self) -> dict[str, dict[int, Cell]]:
        """Of each column the cells, by the place of their row; without those that are empty."""
        found: dict[str, dict[int, Cell]] = {}
        for at, row in enumerate(self.table.rows):
            for cell in row:
                cells = found.setdefault(cell.column, {})
                if cell.text.lower() not in _NOTHING:
                    cells.setdefault(at, cell)
        return found

    @cached_property
    def naming(self) -> list[str]:
        """The columns whose values tell the rows apart, and are no mere amounts."""
        found = []
        for place, (column, cells) in enumerate(self.by_column.items()):
            values = {cell.text.lower() for cell in cells.values()}
            apart = len(values) == len(cells) == len(self.table.rows)
            textual = not any(cell.amount or cell.day for cell in cells.values())
            if apart and (textual or not place):
                found.append(column)
        return found

    @cached_property
    def nouns(self) -> frozenset[str]:
        """The stems of what the rows may be called."""
        first = next(iter(self.by_column), "")
        told = [*self.naming, first, self.table.name, *self.table.above]
        return frozenset(stem for one in told for stem in stems(one) if not is_common(stem))

    @cached_property
    def context(self) -> frozenset[str]:
        """The stems of what is said right before the table."""
        told = stems(" ".join(self.table.about))
        return frozenset(stem for stem in told if not is_common(stem))

    def title(self, at: int) -> str:
        """What a row is called in a message."""
        for column in (*self.naming, *self.by_column):
            if at in self.by_column[column]:
                return self.by_column[column][at].text
        return f"row {at + 1}"

    # --- the claim ------------------------------------------------------------------------------

    @property
    def unknown(self) -> list[str]:
        """The content words of the claim that nothing of the table accounts for."""
        found: list[str] = []
        called = ""  # what the rows are, where nothing but an id says so: "three incidents"
        for at, (word, span) in enumerate(self._words):
            term = self._lemmas.get(span.start)
            if term is None or self._is_used(span) or is_common(word):
                continue
            lemma = term.lemma.lower()
            if {word, lemma} & _IDLE:
                continue
            if any(alike(stem, self.nouns) or stem in self.context for stem in stems(word)):
                continue
            if any(amount.span.overlaps(span) for amount in self.facts.quantities):
                continue  # numbers are asked for one by one
            if self._nameless and term.pos == "NOUN" and called in ("", lemma):
                called = lemma
                continue
            found.append("ADJ" if self._restricts(at) else term.pos)
        return found

    def _restricts(self, at: int) -> bool:
        """Whether a word stands before a noun, behind an article or a superlative: "paid plans"."""
        if not 0 < at < len(self._words) - 1:
            return False
        (before, place), (_, after) = self._words[at - 1], self._words[at + 1]
        noun = self._lemmas.get(after.start)
        led = before in ("the", "a", "an", "all", "every", "no") or (
            self.measure is not None and place.overlaps(self.measure.span)
        )
        return led and noun is not None and noun.pos in ("NOUN", "PROPN")

    @cached_property
    def _nameless(self) -> bool:
        """Whether nothing says what the rows are: records of a list, told apart by their ids."""
        return next(iter(self.by_column), "").rpartition(" ")[2] in _IDS

    def amounts(self) -> list[Quantity]:
        """The amounts of the claim that are of no name or column."""
        free = (one for one in self.facts.quantities if not self._used[one.span.start])
        return [
            replace(one, unit="") if one.span.of(self.claim).isdecimal() else one  # "the Teal 6"
            for one in free
        ]

    def may_be_row(self, noun: str) -> bool:
        """Whether a noun may be what the rows are called."""
        if self._nameless and noun not in self.said:
            return True
        found = [stem for stem in stems(noun) if not is_common(stem)]
        return bool(found) and all(alike(stem, self.nouns) for stem in found)

    def columns_of(
        self, measure: Measure, taken: Set[str] = frozenset()
    ) -> tuple[list[tuple[str, int]], bool]:
        """The columns that a measure may be told in, each with 1 where more of it is more, or -1.

        Those that the claim names most of; without a name only one that has the measure's unit, or
        the only one that has amounts or days. And whether the claim's words or its unit chose
        them. taken: columns that the claim says something else of.
        """
        by_day = measure.name in ("earlier", "older")
        pairs = (pair.split() for pair in cues()["measure"])
        hints = {stem for name, word in pairs if name == measure.name for stem in stems(word)}
        found: list[tuple[tuple[int, int], str, int]] = []
        for column, cells in self.by_column.items():
            if column in taken:
                continue
            days = [cell.day for cell in cells.values() if cell.day]
            some = [cell.amount for cell in cells.values() if cell.amount]
            wanted = UNITS.get(measure.name, frozenset())
            in_unit = some and all({u.unit, u.unit.partition("/")[0]} & set(wanted) for u in some)
            told = 2 if set(stems(column)) & hints else int(bool(in_unit))
            if by_day and len(days) > 1:
                found.append(((self.said.get(column, 0), 1), column, -1))
            elif measure.name == "older" and len(some) > 1 and "age" in column.split():
                found.append(((1, 1), column, 1))
            elif not by_day and len(some) > 1 and column not in self.naming:
                slow = measure.name == "faster" and {one.unit for one in some} == {"second"}
                found.append(((self.said.get(column, 0), told), column, -1 if slow else 1))
        best = max((score for score, _, _ in found), default=(0, 0))
        chosen = [(column, sign) for score, column, sign in found if score == best]
        sure = best > (0, 0)
        return (chosen if sure or len(found) == 1 else []), sure

    def values(self, column: str) -> dict[int, float]:
        """What the rows have under a column, as numbers of the unit that most of them have."""
        cells = self.by_column[column]
        days = {at: _moment(c.text, c.day) for at, c in cells.items() if c.day}
        some = {at: c.amount for at, c in cells.items() if c.amount and at not in days}
        if len(days) >= len(some):
            return days
        units = Counter(one.unit for one in some.values())
        unit = max(units, key=lambda one: (units[one], one))
        return {at: one.low for at, one in some.items() if one.unit == unit or not one.low}

    def under(self, amount: Quantity, *, every: bool = False) -> list[str]:
        """The columns that an amount of the claim may be told in: those that it has most words of.

        every: all of its measure, whether or not the claim has a word of them.
        """
        found: list[tuple[int, str]] = []
        for column, cells in self.by_column.items():
            some = [cell.amount for cell in cells.values() if cell.amount]
            if column in self.naming or not some:
                continue
            same = all(one.unit.partition("/")[0] == amount.unit.partition("/")[0] for one in some)
            bare = not any(one.unit for one in some)
            counted = amount.noun and set(stems(amount.noun)) & set(stems(column))
            hits = self.said.get(column, 0)
            if not (amount.unit or counted or every) and amount.low == amount.high:
                hits *= hits >= len(stems(column))  # "in round 21" is no 21 home goals
            hits += 2 * bool(counted)
            if (amount.unit and same) or ((hits or every) and (same or bare)):
                found.append((hits, column))
        if every:
            return [column for _, column in sorted(found, key=lambda one: -one[0])]
        best = max((hits for hits, _ in found), default=0)
        return [column for hits, column in found if hits == best]

    def scale(self, amount: Quantity, column: str) -> float | None:
        """What an amount is multiplied by to be told in the numbers of a column; None if unknown.

        "30 minutes" is 1,800 seconds, and 30 under "delay minutes".
        """
        cells = self.by_column[column].values()
        measured = any(cell.amount.unit for cell in cells if cell.amount)
        if not amount.unit or measured or amount.unit.partition("/")[0] in CURRENCIES:
            return 1.0
        written = amount.span.of(self.claim)
        figures = FIGURE.findall(written)
        unit = set(stems(FIGURE.sub(" ", written)))
        if len(figures) != 1 or not unit or not unit <= set(stems(column)):
            return None
        end = next((e for e in (amount.low, amount.high) if 0 < abs(e) < math.inf), 0.0)
        return float(figures[0].replace(",", "")) / end if end else None

    def is_column(self, word: str) -> bool:
        """Whether a word is one of a column's: "total" of a column of totals."""
        wanted = set(stems(word))
        return any(wanted & set(stems(column)) for column in self.by_column)

    def has(self, at: int, column: str, amount: Quantity) -> bool:
        """Whether a row has an amount of the claim under a column; "7" alone may be 7 minutes."""
        cell = self.by_column[column].get(at)
        if cell is None or cell.amount is None:
            return False
        by = self.scale(amount, column)
        room = max(amount.step / 2, _ROUND * abs(amount.low) if amount.approximate else 0.0)
        if by and abs(cell.amount.low / by - amount.low) <= max(room, 1e-9 * abs(amount.low)):
            return True
        figure = FIGURE.search(cell.text)
        given = float(figure[0].replace(",", "")) if figure else math.nan
        return not amount.unit and math.isclose(given, amount.low)

    def column_in(self, stretch: Span) -> str:
        """The column of amounts that a stretch has most words of; "" where none or two have."""
        held = frozenset(stems(stretch.of(self.claim)))
        hits = {
            column: len(held & set(stems(column)))
            for column, cells in self.by_column.items()
            if column not in self.naming and any(cell.amount for cell in cells.values())
        }
        best = max(hits.values(), default=0)
        found = [column for column, count in hits.items() if count == best > 0]
        return found[0] if len(found) == 1 else ""

    def _named(self) -> list[tuple[Span, int]]:
        """The rows that the claim names, by where; a name within a longer one is none."""
        found: list[tuple[Span, int]] = []
        for column in self.naming:
            for at, cell in self.by_column[column].items():
                places = (place_of(self.claim, name) for name in _spellings(cell.text))
                found += (
                    (place, at)
                    for place in places
                    if place is not None and (len(place) > 1 or self._is_letter(place))
                )
        spans = {span for span, _ in found}
        rows: dict[int, Span] = {}
        for span, at in sorted(found, key=lambda one: (one[0].start, -len(one[0]))):
            if not any(other != span and other.overlaps(span) and len(other) > len(span)
                       for other in spans):  # fmt: skip
                rows.setdefault(at, span)
                self._use(span)
        shared = list(rows.values())
        return sorted((span, at) for at, span in rows.items() if shared.count(span) == 1)

    def _is_letter(self, place: Span) -> bool:
        """Whether a letter names a row, "grade A", and is no article."""
        return place.start > 0 and place.of(self.claim).isupper()

    def _categories(self) -> Iterator[Condition]:
        """Values that several rows may share: "shipped", "North"."""
        for column, cells in self.by_column.items():
            values = {c.text.lower() for c in cells.values() if not c.amount and not c.day}
            if column in self.naming or values <= YES | NO:
                continue
            for value in sorted(values - YES - NO, key=lambda one: (-len(one), one)):
                place = place_of(self.claim, value.replace("_", " "))
                shorter = value.rpartition(" ")[0]  # "Kestrel Design" of "Kestrel Design Ltd"
                if place is None and " " in shorter:
                    place = place_of(self.claim, shorter)
                if place is None or len(value) > _LONGEST_VALUE or self._is_used(place):
                    continue
                self._use(place)
                denied = self._denies(place)
                has = {at: (c.text.lower() == value) != denied for at, c in cells.items()}
                yield Condition(f"{column}: {value}", place, has)

    def _switches(self) -> Iterator[Condition]:
        """Columns of yes and no that the claim names: "includes SSO", "unpaid"."""
        for column, cells in self.by_column.items():
            known = {at: c.text.lower() for at, c in cells.items() if c.text.lower() in YES | NO}
            if len(known) < 2 or len(known) < len(cells):
                continue
            wanted = [stem for stem in stems(column) if not is_common(stem) and stem not in _IDLE]
            spans: list[Span] = []
            turned = False
            for stem in wanted:
                for word, span in self._words:
                    negative = word.startswith(("un", "non-", "in")) and stem in stems(
                        word.removeprefix("non-").removeprefix("un").removeprefix("in")
                    )
                    if not self._is_used(span) and (stem in stems(word) or negative):
                        spans.append(span)
                        turned |= negative
                        break
            if not wanted or len(spans) < len(wanted):
                continue
            place = Span(min(spans).start, max(span.end for span in spans))
            for span in spans:
                self._use(span)
            yes = self._denies(place) == turned
            has = {at: (value in YES) == yes for at, value in known.items()}
            yield Condition(f"{column}: {'yes' if yes else 'no'}", place, has)

    def _blanks(self) -> Iterator[Condition]:
        """Columns that some rows have nothing under: "without an assignee", "have a head nurse"."""
        for column, cells in self.by_column.items():
            wanted = [stem for stem in stems(column) if not is_common(stem)]
            if column in self.naming or not wanted or not 0 < len(cells) < len(self.table.rows):
                continue
            spans = [
                span
                for stem in wanted
                for word, span in self._words
                if stem in stems(word) and not self._is_used(span)
            ]
            if len(spans) != len(wanted) or any(cell.amount for cell in cells.values()):
                continue
            place = Span(min(spans).start, max(span.end for span in spans))
            self._use(place)
            empty = self._denies(place)
            has = {at: (at not in cells) == empty for at in range(len(self.table.rows))}
            yield Condition(f"{column}: {'none' if empty else 'some'}", place, has)

    def _periods(self) -> Iterator[Condition]:
        """Days that rows are of: "opened in 2019"."""
        columns = [c for c, cells in self.by_column.items() if any(x.day for x in cells.values())]
        heads, held = " ".join(self.by_column), set(stems(self.claim))
        columns = [column for column in columns if held & set(stems(column))] or columns
        for said in self.facts.dates:
            written = said.span.of(self.claim)
            if self._is_used(said.span) or written.lower() in heads or not said.year_known:
                continue
            first, last = said.first, said.last
            has: dict[int, bool] = {}
            agree = True
            for cells in map(self.by_column.__getitem__, columns):
                for at, day in ((at, cell.day) for at, cell in cells.items() if cell.day):
                    inside = first <= day.first and day.last <= last
                    agree &= has.setdefault(at, inside) == inside
            if has and agree:
                self._use(said.span)
                yield Condition(f"{columns[0]}: {written}", said.span, has)

    def _measured(self) -> Measure | None:
        """The first superlative or comparative of the claim."""
        for at, (word, span) in enumerate(self._words):
            if self._is_used(span):
                continue
            following = self._words[at + 1] if at + 1 < len(self._words) else ("", span)
            ahead = self._words[at - 1][0] if at else ""
            before, _, last = word.rpartition("-")  # "second-highest"
            rank = _RANKS.get(before or ahead, 1)
            found = self._measure(last if before in _RANKS else word, following[0])
            if found is None:
                continue
            name, more, superlative, takes_next = found
            two_before = {one for one, _ in self._words[max(0, at - 2) : at]}
            if name == "much" and two_before & COST:  # "costs less" is "is cheaper"
                name = "dearer"
            whole = Span(span.start, following[1].end) if takes_next else span
            self._use(whole)
            if rank > 1 and not before:
                self._use(self._words[at - 1][1])
            return Measure(name, more, whole, rank if superlative else 1, superlative)
        return None

    def _measure(self, word: str, following: str) -> tuple[str, bool, bool, bool] | None:
        """Name, whether more of it, whether a superlative, whether the next word is part of it."""
        if word in ("most", "least") and following in _LATEST:
            return "earlier", word == "least", True, True
        if word in ("more", "less", "most", "least") and following in NAMED:
            found = measures(NAMED[following])
            name, up = _first(found)
            return name, up == (word in ("more", "most")), word in ("most", "least"), True
        if word in ("more", "most", "less", "least", "fewer", "fewest"):
            return "much", word in ("more", "most"), word in ("most", "least", "fewest"), False
        if word in ("latest", "last"):
            return "earlier", False, True, False
        if word in ("first", "earliest"):
            return "earlier", True, True, False
        if word in ("before", "after"):
            return "earlier", word == "before", False, False
        for told, superlative in ((word, False), (_comparative(word), True)):
            if told and (found := measures(told)):
                name, up = _first(found)
                return name, up, superlative, False
        return None

    def _changed(self) -> Condition | None:
        """What rose or fell from one column to another of the same name: "Sales 2023", "2024"."""
        if self.measure is not None and self.measure.superlative:
            return None
        groups: dict[str, list[tuple[str, str]]] = {}
        for column in self.by_column:
            if (period := _PERIOD.search(column)) is not None:
                groups.setdefault(_PERIOD.sub("", column), []).append((period[0], column))
        cues_of = _CHANGE.finditer(self.claim)
        cue = next((one for one in cues_of if not self._is_named(Span(*one.span()))), None)
        some = [sorted(group) for group in groups.values() if len(group) > 1]
        if cue is None or not some or self._denies(Span(*cue.span())):
            return None
        told = list(_PERIOD.finditer(self.claim.lower()))
        periods = [match[0] for match in told]
        held = set(stems(self.claim))
        best = max(some, key=lambda group: len(held & set(stems(group[0][1]))))
        columns = dict(best)
        if len(columns) != len(best):
            return None  # the same quarter of two years
        if not re.fullmatch(rf"{UP}|{DOWN}", cue[0], re.IGNORECASE):  # "less in 2024 than in 2023"
            if len(periods) != 2 or not _THAN.search(self.claim, told[0].end(), told[1].start()):
                return None
            now, once = periods
        elif len(periods) == 2 and not _BOTH.search(self.claim):
            once, now = sorted(periods)
        elif len(columns) == 2 and len(periods) < 2 and periods in ([], [best[-1][0]]):
            once, now = (period for period, _ in best)
        else:
            return None
        if once not in columns or now not in columns or once == now:
            return None
        earlier, later = self.values(columns[once]), self.values(columns[now])
        up = bool(cue["up"])
        has = {
            at: (later[at] > earlier[at]) == up and later[at] != earlier[at]
            for at in later.keys() & earlier.keys()
        }
        span = Span(*cue.span())
        for place in (span, *(Span(*match.span()) for match in told)):
            self._use(place)
        return Condition(f"{columns[once]} to {columns[now]}", span, has)

    def _columns_said(self) -> dict[str, int]:
        """Of each column how many of its words the claim has."""
        found: dict[str, int] = {}
        mentioned: list[Span] = []
        rows = frozenset(stems(" ".join(self.by_column.keys() & {*self.naming, *self._first})))
        for column in self.by_column:
            wanted = frozenset(stem for stem in stems(column) if not is_common(stem))
            if len(wanted) > 1 or column not in self._first:  # "the room types", under "rooms" too
                wanted -= rows
            for word, span in self._words:
                term = self._lemmas.get(span.start)
                lemma = term.lemma if term is not None else word
                same = {lemma, *derived(lemma, self.lexicon)}
                held = frozenset(stem for one in same for stem in stems(one)) | set(stems(word))
                short = any(len(one) >= _SHORTEST and word.startswith(one) for one in wanted)
                if wanted & held or short or any(alike(stem, wanted) for stem in stems(word)):
                    found[column] = found.get(column, 0) + 1
                    if not self._is_used(span):
                        mentioned.append(span)
        for span in mentioned:
            self._use(span)
        return found

    @property
    def _first(self) -> list[str]:
        return list(self.by_column)[:1]

    def _is_named(self, place: Span) -> bool:
        return any(span.overlaps(place) for span, _ in self.names)

    def _denies(self, place: Span) -> bool:
        # The "no" of "no plan has" denies no column.
        none = _NO_ROW.match(self.claim)
        first = none.end() if none else 0
        return bool(_NOT.search(self.claim, max(first, place.start - 40), place.start))

    def _use(self, span: Span) -> None:
        self._used[span.start : span.end] = b"\1" * len(span)

    def _is_used(self, span: Span) -> bool:
        return any(self._used[span.start : span.end])


def _spellings(value: str) -> list[str]:
    """How a claim may write the name of a row: whole, or without what stands in brackets."""
    if value.isdecimal() and len(value) < _FEWEST_DIGITS:
        return []
    short = re.sub(r"\s*\([^()]*\)", "", value).strip()
    some = dict.fromkeys((value, short, short.replace("_", " ")))
    telling = (word for word in stems(short) if not is_common(word) and word not in _NO_NAMES)
    if not any(telling) and not (len(short) == 1 and short.isupper()):
        return []
    return [one for one in some if len(one) <= _LONGEST_NAME and (len(one) > 1 or one.isupper())]


def _moment(written: str, day: Date) -> float:
    """A day in days, with its time of day where that is told."""
    time = _MOMENT.match(written)
    return day.first.toordinal() + ((int(time[2]) * 60 + int(time[3])) / 1440 if time else 0.0)


def _first(found: Mapping[str, bool]) -> tuple[str, bool]:
    """The first measure, by its first word."""
    name, more = next(iter(found.items()))
    return name.split()[0], more


@lru_cache(maxsize=1024)
def _comparative(word: str) -> str:
    """The comparative of a superlative: "cheaper" of "cheapest"."""
    return f"{word[:-3]}er" if word.endswith("est") and len(word) > 5 else ""
