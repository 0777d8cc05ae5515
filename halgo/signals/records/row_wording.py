"""A claim beside a table: which rows and columns it names, and what it says of several rows.

A small semantic parser in the sense of table-based fact verification (Chen et al. 2020, TabFact):
the claim's words are matched to rows, values, columns and operations of the table. What no part of
the table accounts for is `unknown`, and nothing is concluded from a claim that has such words:
"the cheapest plan for schools" is not what a table without schools can tell.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from halgo.evidence.lexical import content_stems, is_common, stems
from halgo.facts.words import words
from halgo.protocols import Lexicon
from halgo.signals.derivation.operands import cues
from halgo.signals.matching import alike, derived
from halgo.signals.polarity.comparisons import COST, NAMED, measures
from halgo.signals.quantities.directions import DOWN, UP
from halgo.signals.records.fields import NO, YES, place_of
from halgo.signals.records.row_columns import Columns
from halgo.types import Facts, Span

_LONGEST_NAME, _LONGEST_VALUE = 60, 30
_OPPOSITES = ("un", "in", "non-")  # what makes the opposite of a value
_SHORTEST = 3  # letters of a column's word that a word of the claim may begin with: "dep", "min"
_FEWEST_DIGITS = 4  # of a name that is a number: "2023", not "1"
_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_NOT = re.compile(
    r"(?:\b(?:not|never|no|without|lacks?|lacking|neither|nor|cannot)\b|n['\u2019]t\b)(?:\s+\w+){0,3}\s*$",
    re.IGNORECASE,
)
DENIED = re.compile(r"\b(?:not|never|nor|neither|hardly|cannot)\b|n['\u2019]t\b", re.IGNORECASE)
_THAN = re.compile(r"\bthan\b", re.IGNORECASE)
_NO_ROW = re.compile(r"\W*(?:no|none|neither|not (?:one|a single))\b", re.IGNORECASE)
_CHANGE = re.compile(
    rf"\b(?:(?P<up>{UP}|more|higher)|(?P<down>{DOWN}|less|fewer|lower))\b", re.IGNORECASE
)
_PERIOD = re.compile(r"(?:19|20)\d\d|\bq[1-4]\b|\bh[12]\b")
_BOTH = re.compile(r"\b(?:both|each|every)\b", re.IGNORECASE)
_NO_NAMES = frozenset(stems("other others rest unknown misc total all none"))
_RANKS = {"second": 2, "third": 3, "fourth": 4, "fifth": 5}
# Words of a claim that restrict nothing, whatever the table is about.
_IDLE = words(
    "have include offer be list record show make see come do get row entry item one table overall "
    "total sum average mean number amount value figure all every each none no only both except any "
    "other same compare respectively there listed give among as well also whole provide feature "
    "support available of them fact still currently more than less fewer least most person people "
    "class classify rate mark label categorise categorize assign date day time year month"
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
    """A value that a claim says of rows: of each row, by its place, whether it has it."""

    column: str
    value: str
    span: Span
    of: Mapping[int, bool]

    @property
    def told(self) -> str:
        """As a message has it; the columns of a list have no names."""
        return ": ".join(filter(str.strip, (self.column, self.value)))


@dataclass(frozen=True, slots=True)
class Told:
    """What the rows tell of a claim: by each column that may be meant, whether it is so, and why.

    given: the claim's amounts that this accounts for. plain: whether what is compared is, whatever
    the verb. sure: whether nothing is missing that might say otherwise of what agrees.
    """

    results: Sequence[tuple[bool, str]]
    span: Span
    given: Collection[float] = ()
    plain: bool = True
    sure: bool = True


class Wording:
    """What one claim says of the rows of one table."""

    def __init__(self, claim: str, facts: Facts, columns: Columns, lexicon: Lexicon) -> None:
        self.claim, self.facts, self.columns, self.lexicon = claim, facts, columns, lexicon
        self._used = bytearray(len(claim))
        self.words = [
            (match.group().lower(), Span(*match.span())) for match in _WORD.finditer(claim)
        ]
        self._lemmas = {term.span.start: term for term in facts.terms}
        self.names = self._named()
        self.conditions = [*self._switches(), *self._categories(), *self._blanks()]
        self.measure = self._measured()
        self.moved: tuple[str, ...] = ()  # the columns of a change, the earlier one first
        self.change = self._changed()
        self.conditions += self._periods()
        self.said = self._columns_said()

    @property
    def unknown(self) -> list[str]:
        """The content words of the claim that nothing of the table accounts for."""
        found: list[str] = []
        measured = {amount.noun for amount in self.facts.quantities if amount.unit}
        called = ""  # what the rows are, where nothing but an id says so: "three incidents"
        for word, span in self.words:
            term = self._lemmas.get(span.start)
            if term is None or self.is_used(span) or is_common(word):
                continue
            lemma = term.lemma.lower()
            if {word, lemma} & _IDLE:
                continue
            nouns, context = self.columns.nouns, self.columns.context
            if any(alike(stem, nouns) or stem in context for stem in stems(word)):
                continue
            if any(amount.span.overlaps(span) for amount in self.facts.quantities):
                continue  # numbers are asked for one by one
            if lemma in measured and self.claim[: span.start].endswith(" of "):
                continue  # "12 metres of water"
            if self.columns.nameless and term.pos == "NOUN" and called in ("", lemma):
                called = lemma
                continue
            found.append(term.pos)
        return found

    def may_be_row(self, noun: str) -> bool:
        """Whether a noun may be what the rows are called."""
        if self.columns.nameless and noun not in self.said:
            return True
        found = content_stems(noun)
        return bool(found) and all(alike(stem, self.columns.nouns) for stem in found)

    def _named(self) -> list[tuple[Span, int]]:
        """The rows that the claim names, by where; a name within a longer one is none."""
        found: list[tuple[Span, int]] = []
        for column in self.columns.naming:
            for at, cell in self.columns.cells[column].items():
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
        for column, cells in self.columns.cells.items():
            values = {c.text.lower() for c in cells.values() if not c.amount and not c.day}
            if column in self.columns.naming or values <= YES | NO:
                continue
            for value in sorted(values - YES - NO, key=lambda one: (-len(one), one)):
                place = place_of(self.claim, value.replace("_", " "))
                shorter = value.rpartition(" ")[0]  # "Kestrel Design" of "Kestrel Design Ltd"
                if place is None and " " in shorter:
                    place = place_of(self.claim, shorter)
                turned = False  # "unpaid" of what is "paid"
                for prefix in _OPPOSITES if place is None and value.isalpha() else ():
                    place = place or place_of(self.claim, prefix + value)
                    turned = place is not None
                if place is None or len(value) > _LONGEST_VALUE or self.is_used(place):
                    continue
                self._use(place)
                denied = self._denies(place) != turned
                has = {at: (c.text.lower() == value) != denied for at, c in cells.items()}
                yield Condition(column, f"not {value}" if denied else value, place, has)

    def _switches(self) -> Iterator[Condition]:
        """Columns of yes and no that the claim names: "includes SSO", "unpaid"."""
        for column, values in self.columns.switches.items():
            wanted = [stem for stem in stems(column) if not is_common(stem) and stem not in _IDLE]
            spans: list[Span] = []
            turned = False
            for stem in wanted:
                for word, span in self.words:
                    negative = word.startswith(("un", "non-", "in")) and stem in stems(
                        word.removeprefix("non-").removeprefix("un").removeprefix("in")
                    )
                    if not self.is_used(span) and (stem in stems(word) or negative):
                        spans.append(span)
                        turned |= negative
                        break
            if not wanted or len(spans) < len(wanted):
                continue
            place = Span(min(spans).start, max(span.end for span in spans))
            for span in spans:
                self._use(span)
            yes = self._denies(place) == turned
            has = {at: value == yes for at, value in values.items()}
            yield Condition(column, "yes" if yes else "no", place, has)

    def _blanks(self) -> Iterator[Condition]:
        """Columns that some rows have nothing under: "without an assignee", "have a head nurse"."""
        for column, cells in self.columns.cells.items():
            wanted = [stem for stem in stems(column) if not is_common(stem)]
            if (
                column in self.columns.naming
                or not wanted
                or not 0 < len(cells) < len(self.columns.table.rows)
            ):
                continue
            spans = [
                span
                for stem in wanted
                for word, span in self.words
                if stem in stems(word) and not self.is_used(span)
            ]
            if len(spans) != len(wanted) or any(cell.amount for cell in cells.values()):
                continue
            place = Span(min(spans).start, max(span.end for span in spans))
            self._use(place)
            empty = self._denies(place)
            has = {at: (at not in cells) == empty for at in range(len(self.columns.table.rows))}
            yield Condition(column, "none" if empty else "some", place, has)

    def _periods(self) -> Iterator[Condition]:
        """Days that rows are of: "opened in 2019"."""
        columns = [
            c for c, cells in self.columns.cells.items() if any(x.day for x in cells.values())
        ]
        heads, held = " ".join(self.columns.cells), set(stems(self.claim))
        columns = [column for column in columns if held & set(stems(column))] or columns
        for said in self.facts.dates:
            written = said.span.of(self.claim)
            if self.is_used(said.span) or written.lower() in heads or not said.year_known:
                continue
            first, last = said.first, said.last
            has: dict[int, bool] = {}
            agree = True
            for cells in map(self.columns.cells.__getitem__, columns):
                for at, day in ((at, cell.day) for at, cell in cells.items() if cell.day):
                    inside = first <= day.first and day.last <= last
                    agree &= has.setdefault(at, inside) == inside
            if has and agree:
                self._use(said.span)
                yield Condition(columns[0], written, said.span, has)

    def _measured(self) -> Measure | None:
        """The first superlative or comparative of the claim."""
        for at, (word, span) in enumerate(self.words):
            ahead = self.words[at - 1][0] if at else ""
            if self.is_used(span) or (ahead == "at" and word in ("most", "least")):
                continue
            following = self.words[at + 1] if at + 1 < len(self.words) else ("", span)
            before, _, last = word.rpartition("-")  # "second-highest"
            rank = _RANKS.get(before or ahead, 1)
            found = self._measure(last if before in _RANKS else word, following[0])
            if found is None:
                continue
            name, more, superlative, takes_next = found
            two_before = {one for one, _ in self.words[max(0, at - 2) : at]}
            if name == "much" and two_before & COST:  # "costs less" is "is cheaper"
                name = "dearer"
            whole = Span(span.start, following[1].end) if takes_next else span
            self._use(whole)
            if rank > 1 and not before:
                self._use(self.words[at - 1][1])
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
        for column in self.columns.cells:
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
        earlier, later = self.columns.values(columns[once]), self.columns.values(columns[now])
        up = bool(cue["up"])
        has = {
            at: (later[at] > earlier[at]) == up and later[at] != earlier[at]
            for at in later.keys() & earlier.keys()
        }
        span = Span(*cue.span())
        for place in (span, *(Span(*match.span()) for match in told)):
            self._use(place)
        self.moved = columns[once], columns[now]
        than = f'{"more" if up else "less"} under "{columns[now]}" than under "{columns[once]}"'
        return Condition(than, "", span, has)

    def _columns_said(self) -> dict[str, int]:
        """Of each column how many of its words the claim has."""
        found: dict[str, int] = {}
        mentioned: list[Span] = []
        first = self.columns.first
        rows = frozenset(stems(" ".join({first, *self.columns.naming})))
        for column in self.columns.cells:
            wanted = content_stems(column)
            if len(wanted) > 1 or column != first:  # "the room types", under "rooms" too
                wanted -= rows
            for word, span in self.words:
                term = self._lemmas.get(span.start)
                lemma = term.lemma if term is not None else word
                same = {lemma, *derived(lemma, self.lexicon)}
                if not self.is_used(span):  # what costs has a price
                    same |= _called().get(word, frozenset()) | _called().get(lemma, frozenset())
                held = frozenset(stem for one in same for stem in stems(one)) | set(stems(word))
                short = any(len(one) >= _SHORTEST and word.startswith(one) for one in wanted)
                if wanted & held or short or any(alike(stem, wanted) for stem in stems(word)):
                    found[column] = found.get(column, 0) + 1
                    if not self.is_used(span):
                        mentioned.append(span)
        for span in mentioned:
            self._use(span)
        return found

    def _is_named(self, place: Span) -> bool:
        return any(span.overlaps(place) for span, _ in self.names)

    def _denies(self, place: Span) -> bool:
        # The "no" of "no plan has" denies no column.
        none = _NO_ROW.match(self.claim)
        first = none.end() if none else 0
        return bool(_NOT.search(self.claim, max(first, place.start - 40), place.start))

    def _use(self, span: Span) -> None:
        self._used[span.start : span.end] = b"\1" * len(span)

    def is_used(self, span: Span) -> bool:
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


def _first(found: Mapping[str, bool]) -> tuple[str, bool]:
    """The first measure, by its first word."""
    name, more = next(iter(found.items()))
    return name.split()[0], more


@lru_cache(maxsize=1)
def _called() -> dict[str, frozenset[str]]:
    """By each word for a measure how a source calls that: "price" and "cost" of "costs"."""
    found: dict[str, frozenset[str]] = {}
    for word, _, name in (pair.partition(" ") for pair in cues()["measure"]):
        found[word] = found.get(word, frozenset()) | {name}
    return found


@lru_cache(maxsize=1024)
def _comparative(word: str) -> str:
    """The comparative of a superlative: "cheaper" of "cheapest"."""
    return f"{word[:-3]}er" if word.endswith("est") and len(word) > 5 else ""
