"""What came first: a claim that one event came before another, beside what the sources date.

"The roof was repaired before the boiler was serviced" conflicts with "the boiler was serviced on
2 August and the roof repaired on 19 August", though every word of it stands there. An event is
told by the content words on its side of "before" or "after"; its time is that of the clause which
holds most of them, in any of the claim's passages. A source that says "before" or "after" itself
needs no dates.

Kinds of signal: `order_agrees` (SUPPORTS), `order_conflict` (CONTRADICTS).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice

from halgo.facts.words import words
from halgo.protocols import Lexicon
from halgo.signals.numbers import shown
from halgo.signals.stretches import Passage, covering
from halgo.types import Pair, Signal, Span, Stance

_DATED, _TOLD = 0.75, 0.7
# Share of an event's own words that a clause has to hold, and of all its words the sentence.
_OWN, _ALL = 0.5, 0.5
_JOIN = re.compile(
    r"\b(?P<before>before(?! (?:tax|interest|long\b|deduct|the (?:court|judge|tribunal)))|prior to"
    r"|earlier than|sooner than|ahead of)\b"
    r"|(?<!\bthe )(?<!named )(?<!look )(?<!looks )(?<!looked )\b"
    r"(?P<after>after(?! all\b)|following|later than)\b",
    re.IGNORECASE,
)
_THEN = re.compile(r"[,;]?\s+(?:and\s+)?(?:then|afterwards|after that)\b", re.IGNORECASE)
_BEFORE_THAT = re.compile(r"[,;]?\s+(?:and\s+)?before (?:that|this|then)\b", re.IGNORECASE)
_DENIED = re.compile(
    r"\b(?:no|not|never|neither|nor|without|unless|until)\b|n['’]t\b", re.IGNORECASE
)
_CONTENT = ("NOUN", "PROPN", "VERB", "ADJ", "NUM")
# Words that say that something happened, and not what.
_IDLE = words(
    "be have do come go happen take place occur get begin start year month week day hour minute "
    "second later earlier soon long short first last time date shortly immediately same"
)
_HALF_DAY = 12 * 3600.0
_MOST_JOINS = 20  # of a sentence


@dataclass(frozen=True, slots=True)
class _Event:
    """One side of the claim: its own words, and those that the other side has too."""

    own: tuple[frozenset[str], ...]  # each word with its synonyms; a verb twice
    shared: tuple[frozenset[str], ...]

    def held(self, words: set[str]) -> float:
        """Share of its own words among these."""
        return _share(self.own, words)

    def whole(self, words: set[str]) -> float:
        """Share of all its words."""
        return _share(self.own + self.shared, words)


@dataclass(frozen=True, slots=True)
class _Order:
    """A claim's two events; `first` came first. `span`: the word that says so."""

    first: _Event
    second: _Event
    span: Span


@dataclass(frozen=True, slots=True)
class _Time:
    """When a passage says that an event was: in days, or in seconds of one day."""

    row: int
    span: Span
    start: float
    end: float
    scale: str


def signals(pairs: Sequence[Pair], lexicon: Lexicon) -> list[tuple[Signal, ...]]:
    """For each passage of one claim what all of them say of the order of the claim's events."""
    found: list[tuple[Signal, ...]] = [() for _ in pairs]
    order = _claimed(pairs[0], lexicon) if pairs else None
    if order is None:
        return found
    passages = [Passage(pair) for pair in pairs]
    told = [_told(passage, order) for passage in passages]
    ways = {way for way, _ in told if way}
    if len(ways) == 1:
        written = [
            span and span.of(pair.evidence.reading.text)
            for pair, (_, span) in zip(pairs, told, strict=True)
        ]
        given = next(words for words in written if words)
        agrees = 1 in ways
        for row, (way, span) in enumerate(told):
            # What agrees does so where it stands; what conflicts is wrong beside every passage.
            if way or not agrees:
                found[row] = (_signal(pairs[row], order, agrees, _TOLD, span, given),)
    if ways:
        return found
    first, second = (_time(pairs, passages, event) for event in (order.first, order.second))
    if first is None or second is None or first.scale != second.scale:
        return found
    if first.end >= second.start and second.end >= first.start:
        return found
    if first.scale == "clock12" and abs(first.start - second.start) > _HALF_DAY / 2:
        return found  # "11:50" and "12:10", or past midnight
    dates = " and ".join(
        shown(pairs[time.row].evidence.reading.text, time.span).rstrip(".")
        for time in (first, second)
    )
    agrees = first.end < second.start
    spans = {time.row: time.span for time in (second, first)}
    for row, pair in enumerate(pairs):
        if row in spans or not agrees:
            found[row] = (_signal(pair, order, agrees, _DATED, spans.get(row), dates),)
    return found


def _signal(
    pair: Pair, order: _Order, agrees: bool, weight: float, span: Span | None, given: str
) -> Signal:
    said = order.span.of(pair.claim.text)
    if agrees:
        message = f'The sources have the same order: "{given}".'
        return Signal(
            "order_agrees", Stance.SUPPORTS, weight, message, order.span, span, (said, given)
        )
    message = f'The sources have the other order, not "{said}": "{given}".'
    return Signal(
        "order_conflict", Stance.CONTRADICTS, weight, message, order.span, span, (said, given)
    )


def _claimed(pair: Pair, lexicon: Lexicon) -> _Order | None:
    """The two events of a claim; None where it orders none, or a day and no event."""
    text = pair.claim.text
    joins = list(_JOIN.finditer(text))
    if len(joins) != 1 or _DENIED.search(text):
        return None
    (join,) = joins
    head, tail = Span(0, join.start()), Span(join.end(), len(text))
    if not head.of(text).strip():  # "After the boiler was serviced, the roof was repaired"
        comma = text.find(",", join.end())
        if comma < 0:
            return None
        head, tail = Span(comma, len(text)), Span(join.end(), comma)
    values = [
        item.span for kind in (pair.claim_facts.dates, pair.claim_facts.quantities) for item in kind
    ]
    ours = [_words(pair, part, values, lexicon) for part in (head, tail)]
    events = [
        _Event(
            tuple(others for (lemma, _), others in mine.items() if lemma not in named),
            tuple(others for (lemma, _), others in mine.items() if lemma in named),
        )
        for mine, theirs in (ours, ours[::-1])
        for named in [{lemma for lemma, _ in theirs}]
    ]
    if not all(event.own for event in events):
        return None
    if join.lastgroup == "after":
        events.reverse()
    return _Order(events[0], events[1], Span(join.start(), join.end()))


def _words(
    pair: Pair, part: Span, values: Sequence[Span], lexicon: Lexicon
) -> dict[tuple[str, int], frozenset[str]]:
    """(word, which time) -> it and its synonyms; a verb tells an event from others, so it is two.

    "The Halla was refitted" is not the clause that says that the Halla was launched.
    """
    valued = covering(values)
    return {
        (term.lemma, time): frozenset((term.lemma, *lexicon.synonyms(term.lemma)))
        for term in pair.claim_facts.terms
        if term.span.overlaps(part)
        and term.pos in _CONTENT
        and term.lemma not in _IDLE
        and not valued(term.span)
        for time in range(2 if term.pos == "VERB" else 1)
    }


def _share(wanted: Sequence[frozenset[str]], words: set[str]) -> float:
    held = sum(not others.isdisjoint(words) for others in wanted)
    return held / len(wanted) if wanted else 0.0


def _told(passage: Passage, order: _Order) -> tuple[int, Span | None]:
    """1 where the passage itself orders the two as the claim does, -1 the other way, else 0."""
    ways: dict[int, Span] = {}
    for sentence in passage.sentences():
        for left, right, span in islice(_joined(sentence, passage.text), _MOST_JOINS):
            earlier, later = passage.lemmas(left), passage.lemmas(right)
            for way, one, two in ((1, order.first, order.second), (-1, order.second, order.first)):
                apart = one.held(earlier) > one.held(later) and two.held(later) > two.held(earlier)
                if apart and min(one.held(earlier), two.held(later)) >= _OWN:
                    ways.setdefault(way, span)
    if len(ways) != 1:
        return 0, None
    ((way, span),) = ways.items()
    return way, span


def _joined(sentence: Span, text: str) -> Iterator[tuple[Span, Span, Span]]:
    """(what came first, what came second, the words that say so) as a sentence has it."""
    for match in _BEFORE_THAT.finditer(text, sentence.start, sentence.end):
        yield Span(match.end(), sentence.end), Span(sentence.start, match.start()), _of(match)
    for match in _THEN.finditer(text, sentence.start, sentence.end):
        yield Span(sentence.start, match.start()), Span(match.end(), sentence.end), _of(match)
    for match in _JOIN.finditer(text, sentence.start, sentence.end):
        if re.match(r"\s+(?:that|this|then)\b", text[match.end() :]):
            continue
        left, right = Span(sentence.start, match.start()), Span(match.end(), sentence.end)
        if not left.of(text).strip():
            comma = text.find(",", match.end(), sentence.end)
            if comma < 0:
                continue
            left, right = Span(comma, sentence.end), Span(match.end(), comma)
        yield (
            (left, right, _of(match)) if match.lastgroup == "before" else (right, left, _of(match))
        )


def _of(match: re.Match[str]) -> Span:
    return Span(match.start(), match.end())


def _time(pairs: Sequence[Pair], passages: Sequence[Passage], event: _Event) -> _Time | None:
    """When the passages say the event was; None where they do not, or differ."""
    found: list[tuple[float, _Time]] = []
    for row, (pair, passage) in enumerate(zip(pairs, passages, strict=True)):
        dated = _times(pair, row, passage.above)
        for sentence in passage.sentences():
            if event.whole(passage.lemmas(sentence)) < _ALL:
                continue
            times = _times(pair, row, sentence)
            # What has no time of its own is of the time that its section is about.
            for part in passage.clauses(sentence) if times else (sentence,):
                held = event.held(passage.lemmas(part))
                inside = [time for time in times or dated if not times or time.span.overlaps(part)]
                if held >= _OWN and len(inside) == 1:
                    found.append((held, inside[0]))
    most = max((held for held, _ in found), default=0.0)
    best = [time for held, time in found if held == most]
    return best[0] if len({(time.start, time.end, time.scale) for time in best}) == 1 else None


def _times(pair: Pair, row: int, part: Span) -> list[_Time]:
    """The dates of a stretch; where it has none, its times of day."""
    facts = pair.evidence_facts
    dates = [found for found in facts.dates if found.span.overlaps(part)]
    if dates:
        return [
            _Time(
                row,
                found.span,
                found.first.toordinal(),
                found.last.toordinal(),
                "year" if found.year_known else "day of a year",
            )
            for found in dates
            if found.first > date.min and found.last < date.max
        ]
    return [
        _Time(row, amount.span, amount.low, amount.high, amount.unit)
        for amount in facts.quantities
        if amount.unit.startswith("clock") and amount.span.overlaps(part)
    ]
