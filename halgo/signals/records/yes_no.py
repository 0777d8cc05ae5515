"""Yes/no cells: "Basic has single sign-on" beside "Feature: Single sign-on — Basic: no; Pro: yes".

A table of features has a row for each and a column for each thing, or the other way round; a record
has a field. A claim that names both is held against the cell where they meet; so is one that has
the opposite of a field's name, "part-time" of "Full time", "vacant" of "Occupied". One that says it
of all, of none or only of one is held against the whole row; what is said of all rows is for
`over_rows.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain, pairwise

from halgo.evidence.lexical import content_stems, is_common, stems
from halgo.protocols import Lexicon
from halgo.signals.matching import alike, opposites
from halgo.signals.records.fields import (
    LIVE,
    NO,
    YES,
    is_naming,
    own_of,
    place_of,
    record_of,
    words_in,
)
from halgo.signals.records.row_counts import ALL, NONE, ONLY
from halgo.signals.segments import CLAUSE, split
from halgo.types import Pair, Signal, Span, Stance

_TOLD = 0.8
DENIED = re.compile(
    r"\b(?:no|not|never|none|nobody|nothing|cannot|without|lacks?|lacking|neither|nor|unlike|except"
    r"|excluding|excluded|missing|los(?:e|es|ing)|unable|impossible|forbidden|prohibited|un(?:available|supported))\b"
    r"|n['\u2019]t\b|\b(?:is|are|be|turned|switched|set to) (?:off|disabled|false)\b",
    re.IGNORECASE,
)
_BOTH = re.compile(r"\bboth\b", re.IGNORECASE)
# Words of a label or a claim that every such table has.
_IDLE = frozenset(
    stems("feature support supported available included plan has have can is option work works")
)
_SWITCHED = frozenset(stems(" ".join(YES | NO)))
# What denies in a name denies nothing: "--no-color".
_CODE = re.compile(r"(?<!\w)-{1,2}\w[\w-]*|\w+_\w+")
_OUT_OF = re.compile(r"\bout of (\w+)", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_][\w-]*")
_ASIDE = re.compile(r"\[\^?\w{1,3}\]|\([^()]*\)")  # "Universal[^1]", "Fast (uncapped)"
_QUANTIFIERS = frozenset(stems("all every each both only none no"))
_LITTLE = 4  # words of a claim of all cells that are not the row's name
_MOST = 60  # cells
_LONGEST = 600  # characters of a claim


@dataclass(frozen=True, slots=True)
class _Cell:
    """What a row says of the thing or feature `name`: whether `label` holds of it."""

    name: str
    value: str
    holds: bool


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of a table or a record: its names, and its cells of yes and no."""

    labels: tuple[str, ...]
    cells: tuple[_Cell, ...]
    words: frozenset[str]  # stems of all that it says, the names of its fields too


def signals(pairs: Sequence[Pair], lexicon: Lexicon) -> list[list[Signal]]:
    """For each passage of one claim at most one: `word_conflict`, `yes_no_agrees`, `rows_agree`."""
    if not pairs or len(pairs[0].claim.text) > _LONGEST:
        return [[] for _ in pairs]
    found: list[list[Signal]] = []
    for pair in pairs:
        said, row = _Said(pair), _row(pair)
        told: Iterator[Signal] = iter(())
        label = next(filter(said.names, row.labels), None) if row else None
        if row and label is not None:
            told = chain(said.of_row(label, row.cells), said.of_opposites(label, row, lexicon))
        found.append(sorted(told, key=lambda signal: signal.stance is Stance.SUPPORTS)[:1])
    return found


def _row(pair: Pair) -> _Row | None:
    """The row that the best sentence is; None without a yes or no in it."""
    kind, record = record_of(pair)
    record = record[:_MOST]
    cells = tuple(
        _Cell(key.rpartition(" \N{EM DASH} ")[2], value, value.lower() in YES)
        for key, value in record[1:]
        if value.lower() in YES | NO
    )
    # A record is called by its name, a row of a table by what stands first in it.
    is_record = pair.evidence.kind in LIVE or "|" not in kind
    own = own_of(pair)
    named = tuple(value for key, value in own if is_record and is_naming(key))
    words = frozenset(stems(" ".join(f"{key} {value}" for key, value in record)))
    return _Row(named or (own[0][1],), cells, words) if cells else None


class _Said:
    """A claim, and the names that stand in it."""

    def __init__(self, pair: Pair) -> None:
        self.pair, self.text = pair, pair.claim.text
        self.plain = _plain(self.text)
        self.clauses = list(split(CLAUSE, Span(0, len(self.text)), self.text))
        self.stems = frozenset(stems(self.text))

    def names(self, name: str) -> bool:
        """Whether the claim has the telling words of a name, or begins them: "safe", "safety"."""
        wanted = _telling(name)
        if name.isdecimal():  # "Two users" is not the user with the id 2
            return place_of(self.text, name) is not None
        return bool(wanted) and all(alike(word, self.stems) for word in wanted)

    def of_row(self, label: str, cells: Sequence[_Cell]) -> Iterator[Signal]:
        """What the cells of a row tell against or for a claim that names the row."""
        named = [cell for cell in cells if self.names(cell.name)]
        longest = [
            cell
            for cell in named
            if not any(_telling(cell.name) < _telling(other.name) for other in named)
        ]
        beside = self._clause(label).of(self.plain)
        if any(not _telling(cell.name).isdisjoint(stems(beside)) for cell in named):
            beside = ""  # what it says is of that alone
        for cell in longest:
            clause = self._clause(cell.name)
            said = DENIED.search(clause.of(self.plain)) or DENIED.search(beside)
            denies = bool(said) or _is_out(clause.of(self.plain), cell.name)
            denied = denies != _is_odd(label, cell)
            signal = self._signal(label, cell, clause, agrees=cell.holds != denied)
            rest = content_stems(self.text) - _IDLE - _SWITCHED - _telling(label)
            alone = self.stems.isdisjoint(_QUANTIFIERS) and not rest - _telling(cell.name)
            whole = signal.stance is Stance.SUPPORTS and alone
            yield replace(signal, kind="rows_agree") if whole else signal
        if longest and self._says_only({word for cell in longest for word in _telling(cell.name)}):
            others = [cell for cell in cells if cell not in longest]
            yield from (self._signal(label, cell) for cell in others if cell.holds)
        elif not longest:
            yield from self._of_all(label, cells)

    def of_opposites(self, label: str, row: _Row, lexicon: Lexicon) -> Iterator[Signal]:
        """What cells tell of a claim that has the opposite of their names."""
        if any(stem[0].isdecimal() and stem not in row.words for stem in self.stems):
            return  # "closes at 9" tells of more than "Open: yes"
        words = list(_WORD.finditer(self.text))
        ours = [(one.start(), one[0].lower()) for one in words]
        ours += [(a.start(), f"{a[0]}-{b[0]}".lower()) for a, b in pairwise(words)]
        ours = [one for one in ours if not row.words >= set(stems(one[1].replace("-", " ")))]
        for cell in row.cells:
            opposed = (one for one in ours if _opposed(cell.name, one[1], lexicon))
            place, word = next(opposed, (-1, ""))
            if place < 0 or self.names(cell.name):
                continue
            clause = next(one for one in self.clauses if one.start <= place < one.end)
            # What is denied by its own form, "unavailable", is not denied again.
            denied = DENIED.search(self.plain[clause.start : place]) is not None
            signal = self._signal(label, cell, clause, agrees=cell.holds == denied)
            rest = content_stems(self.text) - _IDLE - row.words - set(stems(word.replace("-", " ")))
            whole = signal.stance is Stance.SUPPORTS and not rest
            yield replace(signal, kind="rows_agree") if whole else signal

    def _of_all(self, label: str, cells: Sequence[_Cell]) -> Iterator[Signal]:
        """What the cells tell against a claim that speaks of all or of none, and of little else."""
        words = content_stems(self.text) - _IDLE - _QUANTIFIERS
        if len(cells) < 2 or len(words - _telling(label)) > _LITTLE:
            return
        none = NONE.search(self.plain)
        every = ALL.search(self.plain) or (len(cells) == 2 and _BOTH.search(self.text))
        for cell in cells:
            denied = bool(none or DENIED.search(self.plain)) != _is_odd(label, cell)
            if (none or (every and not denied)) and cell.holds == denied:
                yield self._signal(label, cell)

    def _says_only(self, names: Set[str]) -> bool:
        """Whether a claim says something of what has one of these names alone."""
        only = ONLY.search(self.text)
        if only is None or DENIED.search(self.plain):
            return False
        behind = (word for word in stems(self.text[only.end() :]) if not is_common(word))
        return next(behind, "") in names

    def _clause(self, name: str) -> Span:
        """The clause that names it; with what follows a colon, which "SSO: no" says of it."""
        wanted = _telling(name)
        for at, clause in enumerate(self.clauses):
            if not wanted.isdisjoint(stems(clause.of(self.text))):
                last = at + clause.of(self.text).rstrip().endswith(":")
                return Span(clause.start, self.clauses[min(last, len(self.clauses) - 1)].end)
        return Span(0, len(self.text))

    def _signal(
        self, label: str, cell: _Cell, clause: Span | None = None, *, agrees: bool = False
    ) -> Signal:
        text = self.text
        wanted = _telling(cell.name if clause is not None else label)
        span = words_in(text, wanted) or Span(0, len(text))
        source = self.pair.evidence.reading.text
        told = re.search(rf"{re.escape(cell.name)}: {re.escape(cell.value)}", source, re.IGNORECASE)
        message = f'For "{label}" the source gives "{cell.value}" under "{cell.name}".'
        place = Span(*told.span()) if told else None
        values = (span.of(text), cell.value)
        kind = "yes_no_agrees" if agrees else "word_conflict"
        stance = Stance.SUPPORTS if agrees else Stance.CONTRADICTS
        return Signal(kind, stance, _TOLD, message, span, place, values)


def _opposed(name: str, word: str, lexicon: Lexicon) -> bool:
    """Whether a word is the opposite of a cell's name: "outdoors" of "Indoor"."""
    key = name.lower().replace(" ", "-")
    return any(opposites(a, b, lexicon) for a in (key, f"{key}s") for b in (word, f"{word}s"))


def _is_odd(label: str, cell: _Cell) -> bool:
    """Whether a "yes" denies: of "No advertisements"."""
    name = DENIED.search(_plain(cell.name)) or _is_out(cell.name, cell.name)
    return bool(DENIED.search(_plain(label))) != bool(name)


def _is_out(text: str, name: str) -> bool:
    """Whether a text denies a name by "out of": "out of stock" of "In stock"."""
    found = _OUT_OF.search(text)
    return found is not None and not _telling(name).isdisjoint(stems(found[1]))


def _plain(text: str) -> str:
    """A text with blanks for the names in it that only a program reads, each at its place."""
    return _CODE.sub(lambda found: " " * len(found[0]), text)


def _telling(name: str) -> Set[str]:
    """The stems of a name that tell it from others."""
    found = content_stems(_ASIDE.sub(" ", name))
    return found - _IDLE or found
