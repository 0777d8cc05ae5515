"""Temporal and causal order: a claim that links two events, beside what the sources say of them.

"The roof was repaired before the boiler was serviced" conflicts with "the boiler was serviced on
2 August and the roof repaired on 19 August", "the fall in cash prompted the purchase" with "cash
fell due to the purchase", though every word of them stands there. A cause comes before its effect,
so one comparison serves both (temporal and causal relations: Mirza & Tonelli 2016). An event is
told by the content words on its side of the link; `links` reads these off either text. What no word
of a source links may be told by its dates, in any of the claim's passages.

Kinds of signal: `order_agrees` (SUPPORTS), `order_conflict` and, for a cause that a source denies,
`negation` (CONTRADICTS), `unsupported_link` (UNSUPPORTED).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import chain

from halgo.facts.units import HALF_DAY
from halgo.facts.words import words
from halgo.protocols import Lexicon
from halgo.signals.matching import derived
from halgo.signals.passages import ByIdentity
from halgo.signals.segments import Passage, covering, quoted, read_passage, shown
from halgo.signals.time.event_links import Kind, Link, Told, links
from halgo.signals.time.joined import Run, found_in, joined, runs
from halgo.types import Date, Facts, Pair, Quantity, Signal, Span, Stance

_DATED, _TOLD, _LISTED, _APART = 0.75, 0.7, 0.6, 0.55
# Share of an event's own words that a stretch has to hold, and of all its words the sentence.
_OWN, _ALL, _NEARLY = 0.5, 0.5, 0.6
_DENIED = re.compile(
    r"\b(?:no|not|never|neither|nor|without|unless|until)\b|n['’]t\b", re.IGNORECASE
)
_CONTENT = ("NOUN", "PROPN", "VERB", "ADJ", "NUM")
# Words that say that something happened, and not what.
_IDLE = words(
    "be have do come go happen take place occur get begin start year month week day hour minute "
    "second later earlier soon long short first last time date shortly immediately same people "
    "result"
)
# What a stretch is about stands before it: "the decrease", "her departure", "this".
_TAKEN_UP = re.compile(
    r"(?:.*\bthat )?\s*(?:the|this|that|these|those|its|it|they|their|his|her|he|she|which|both)\b",
    re.IGNORECASE,
)
_ADDING = re.compile(r"\b(?:also|too|as well|in addition|meanwhile|at the same time)\b", re.I)
_ELLIPSIS = re.compile(r"\b(?:do|does|did|has|had|is|was|were)\s*[.!]?\s*$", re.IGNORECASE)
_PRONOUN = re.compile(r"\s*(?:it|they|he|she)\b", re.IGNORECASE)
_FOLLOWING = re.compile(r"\W*(\w+)")
_FEW = 3  # words of such a stretch, at most
_MOST_LINKS = 4  # of a claim

# (lemma, which time) -> it and the words that may stand for it
_Words = dict[tuple[str, int], frozenset[str]]
# What a cause is that lasts, and what one is that happened.
_LASTS = re.compile(
    r"\b(?:is|are|has|have|can|cannot|must|may|stays?|remains?|keeps?|lasts?|holds?|needs?"
    r"|requires?)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:was|were|had|did|been|became|\w+ed (?:the|an?|its|their))\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Event:
    """One side of the claim: its own words, and those that the other side has too."""

    own: tuple[frozenset[str], ...]  # each word with its synonyms; a verb twice
    shared: tuple[frozenset[str], ...]

    def held(self, words: Iterable[str]) -> float:
        """Share of its own words among these."""
        return _share(self.own, set(words))

    def named(self, words: Iterable[str]) -> float:
        """The same, each word once: beside what has no verb, "fares" for "fares rose"."""
        return _share(tuple(dict.fromkeys(self.own)), set(words))

    def whole(self, words: Iterable[str]) -> float:
        """Share of all its words."""
        return _share(self.own + self.shared, set(words))


@dataclass(frozen=True, slots=True)
class _Order:
    """A claim's two events; `first` came first, or is said to be the cause. `link`: as told."""

    first: _Event
    second: _Event
    link: Link


@dataclass(frozen=True, slots=True)
class _Seen:
    """A link of a text between the claim's two events; `way`: 1 as in the claim, else -1."""

    text: str
    way: int
    link: Link


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
    orders = _claimed(pairs[0], lexicon) if pairs else []
    if not orders:
        return found
    texts = [_read(run, lexicon) for run in runs(pairs)]
    for order in orders:
        told = _compared(pairs, texts, order)
        if any(told):
            return told
    return found


class _Text:
    """What a run of passages says, with its links, and the words of a stretch."""

    def __init__(self, text: str, facts: Facts, start: int, lexicon: Lexicon) -> None:
        self.told = Told(text, facts, start)
        self._lexicon = lexicon
        self._words: dict[Span, set[str]] = {}

    @cached_property
    def links(self) -> list[Link]:
        """The links of the text: read where it may tell a claim's events, since that takes long."""
        return links(self.told)

    def may_link(self, order: _Order) -> bool:
        """Whether the text has words enough of both events for a link of its to join them."""
        said = self.words(Span(0, len(self.told.text)))
        events = order.first, order.second
        return all(max(event.held(said), event.named(said)) >= _OWN for event in events)

    def words(self, part: Span) -> set[str]:
        """The content lemmas of a stretch, and those of the same stem."""
        if part not in self._words:
            found = set(self.told.words(part))
            self._words[part] = found.union(*(derived(word, self._lexicon) for word in found))
        return self._words[part]

    def around(self, part: Span) -> set[str]:
        """The same with what stands before it, where the stretch only takes that up."""
        found = set(self.told.words(part))
        taken_up = _TAKEN_UP.match(self.told.text, part.start, part.end)
        if not taken_up or len(found) > _FEW or self.told.verbal(part):
            return self.words(part)
        before = [one for one in self.told.sentences if one.start < part.start][-2:]
        starts = [
            one.start for one in reversed(before) if self.told.words(Span(one.start, part.start))
        ]
        return self.words(Span(starts[0] if starts else part.start, part.end))

    def adds(self, at: int) -> bool:
        """Whether a sentence says that it goes on to something else: "also"."""
        sentence = self.told.sentences[at]
        return bool(_ADDING.search(self.told.text, sentence.start, sentence.end))

    def explains(self, at: int) -> bool:
        """Whether a sentence takes part in a causal link, so that a cause of its is told."""
        sentence = self.told.sentences[at]
        return any(
            link.kind is Kind.CAUSES and part.overlaps(sentence)
            for link in self.links
            for part in (link.first, link.second)
        )


_texts = ByIdentity[_Text]()


def _read(run: Run, lexicon: Lexicon) -> _Text:
    made_of = [(pair.evidence.reading, pair.evidence_facts) for pair, _ in run]
    return _texts.get((lexicon, *chain(*made_of)), lambda: _Text(*joined(run), lexicon))


# -- the claim -------------------------------------------------------------------------------------


def _claimed(pair: Pair, lexicon: Lexicon) -> list[_Order]:
    """The links of a claim between two events; none of an order that it denies."""
    facts = pair.claim_facts
    told = Told(pair.claim.text, facts)
    values: list[Quantity | Date] = [*facts.quantities, *facts.dates]
    supposed = covering(one.span for one in values if one.supposed)
    found = []
    for link in links(told)[:_MOST_LINKS]:
        if link.listed or (not link.causal and _DENIED.search(pair.claim.text)):
            continue
        if link.causal and supposed(link.first):
            continue  # "You joined in 2019, so you pay less" tells of a case, not of a cause
        one, other = (_words(pair, part, lexicon) for part in (link.first, link.second))
        events = (
            _event(one, other, link.second.of(pair.claim.text)),
            _event(other, one, link.first.of(pair.claim.text)),
        )
        if all(event.own for event in events):
            found.append(_Order(events[0], events[1], link))
    return found


def _event(mine: _Words, theirs: _Words, other: str) -> _Event:
    """An event by its words, those of the other event beside it, and the other's text."""
    shared = {lemma for lemma, _ in theirs} | _meant(mine, other)
    return _Event(
        tuple(forms for (lemma, _), forms in mine.items() if lemma not in shared),
        tuple(forms for (lemma, _), forms in mine.items() if lemma in shared),
    )


def _meant(mine: Iterable[tuple[str, int]], other: str) -> set[str]:
    """The words of one event that the other means too: the nouns of "it", the verb of "did"."""
    verbs = {lemma for lemma, time in mine if time}
    if _ELLIPSIS.search(other):
        return verbs
    return {lemma for lemma, _ in mine} - verbs if verbs and _PRONOUN.match(other) else set()


def _words(pair: Pair, part: Span, lexicon: Lexicon) -> _Words:
    """(word, which time) -> it and its synonyms; a verb tells an event from others, so it is two.

    "The Halla was refitted" is not the clause that says that the Halla was launched.
    """
    facts = pair.claim_facts
    valued = covering(item.span for kind in (facts.dates, facts.quantities) for item in kind)
    return {
        (term.lemma, time): frozenset(
            (term.lemma, *lexicon.synonyms(term.lemma), *derived(term.lemma, lexicon))
        )
        for term in facts.terms
        if part.start <= term.span.start < part.end
        and term.pos in _CONTENT
        and term.lemma not in _IDLE
        and (term.pos != "NUM" and not valued(term.span))
        for time in range(2 if term.pos == "VERB" else 1)
    }


def _share(wanted: Sequence[frozenset[str]], words: set[str]) -> float:
    held = sum(not others.isdisjoint(words) for others in wanted)
    return held / len(wanted) if wanted else 0.0


# -- what the passages say -------------------------------------------------------------------------


def _compared(
    pairs: Sequence[Pair], texts: Sequence[_Text], order: _Order
) -> list[tuple[Signal, ...]]:
    """By their links; where there is none by their dates; last by the steps that they list."""
    seen = [
        _Seen(text.told.text, way, link)
        for text in texts
        if text.may_link(order)
        for link in text.links
        if order.link.causal or link.kind is not Kind.DENIED
        for way in [_way(text, link, order)]
        if way
    ]
    told = [one for one in seen if not one.link.listed]
    if told:
        return _by_links(pairs, order, told, _TOLD)
    dated = _by_time(pairs, order)
    if any(dated) or not seen:
        return dated if any(dated) else _unlinked(pairs, texts, order)
    steps = _fullest(seen, texts, order)
    if len({one.way for one in steps}) > 1:
        return [() for _ in pairs]  # one of several like steps is meant
    return _by_links(pairs, order, steps, _LISTED)


def _fullest(seen: Sequence[_Seen], texts: Sequence[_Text], order: _Order) -> list[_Seen]:
    """Of listed steps those that have the most words of the claim's two events."""
    words = {text.told.text: text for text in texts}

    def held(one: _Seen) -> float:
        steps = (one.link.first, one.link.second)[:: one.way]
        events = (order.first, order.second)
        return sum(
            event.held(words[one.text].words(step))
            for event, step in zip(events, steps, strict=True)
        )

    most = max(map(held, seen))
    return [one for one in seen if held(one) == most]


def _way(text: _Text, link: Link, order: _Order) -> int:
    """1 where a link joins the claim's two events as the claim does, -1 the other way, else 0."""
    near, around = text.words, text.around
    for here, there in ((near, near), (around, near), (near, around)):
        sides = (link.first, here(link.first)), (link.second, there(link.second))
        (earlier, first), (later, second) = (
            (words, _Event.held if text.told.verbal(part) else _Event.named)
            for part, words in sides
        )
        for way, one, two in ((1, order.first, order.second), (-1, order.second, order.first)):
            apart = one.held(earlier) > one.held(later) and two.held(later) > two.held(earlier)
            if apart and first(one, earlier) >= _OWN and second(two, later) >= _OWN:
                return way
    return 0


def _by_links(
    pairs: Sequence[Pair], order: _Order, seen: Sequence[_Seen], weight: float
) -> list[tuple[Signal, ...]]:
    """What conflicts is wrong beside every passage; what agrees does so where it stands."""
    claimed = order.link.kind
    alike = [one for one in seen if _agrees(claimed, one)]
    said = order.link.first.of(pairs[0].claim.text)
    against = [one for one in seen if one not in alike and _opposed(claimed, said, one)]
    found: list[tuple[Signal, ...]] = [() for _ in pairs]
    if alike:  # a vicious circle says both
        against = []
    elif not against or _undecided(claimed, seen):
        return found
    given = (alike or against)[0]
    written = given.link.cue.of(given.text).strip()
    kind = "negation" if Kind.DENIED in (claimed, given.link.kind) else "order_conflict"
    for row, pair in enumerate(pairs):
        spans = (
            found_in(pair.evidence.reading.text, one.text, one.link.cue) for one in alike or against
        )
        span = next((span for span in spans if span), None)
        if span or against:
            found[row] = (_signal(pair, order, "" if alike else kind, weight, span, written),)
    return found


def _unlinked(
    pairs: Sequence[Pair], texts: Sequence[_Text], order: _Order
) -> list[tuple[Signal, ...]]:
    """A claim's cause where the passages tell both events far apart, and give neither a cause.

    Of two sentences side by side the second may well be there to say what came of the first.
    """
    none: list[tuple[Signal, ...]] = [() for _ in pairs]
    events = order.first, order.second
    cue = order.link.cue.of(pairs[0].claim.text).lower()
    if cue.startswith(("mak", "made")):  # "start by making a list" tells no cause
        return none
    if _advises(pairs[0].claim.text, pairs[0].claim_facts, order.link.cue.end):
        return none
    if order.link.kind is not Kind.CAUSES or any(len(set(one.own)) < 2 for one in events):
        return none
    places: list[list[tuple[int, int]]] = [[], []]  # of each event: which text, which sentence
    for number, text in enumerate(texts):
        for at, sentence in enumerate(text.told.sentences):
            held = [event.held(text.words(sentence)) for event in events]
            if min(held) >= _OWN:
                return none  # one sentence tells both
            for mine, share in zip(places, held, strict=True):
                if share >= _NEARLY:
                    mine.append((number, at))
    near = any(
        one == other and abs(here - there) == 1 and not texts[one].adds(max(here, there))
        for one, here in places[0]
        for other, there in places[1]
    )
    if (
        not all(places)
        or near
        or any(texts[number].explains(at) for mine in places for number, at in mine)
    ):
        return none
    said = order.link.cue.of(pairs[0].claim.text).strip()
    message = f'The sources tell both, but not "{said}".'
    signal = Signal("unsupported_link", Stance.UNSUPPORTED, _APART, message, order.link.cue)
    return [(signal,) for _ in pairs]


def _advises(claim: str, facts: Facts, at: int) -> bool:
    """Whether an order follows: "dizziness is common, so be careful" tells of no effect."""
    word = _FOLLOWING.match(claim, at)
    if word is None:
        return False
    begins = (term.lemma for term in facts.terms
              if term.pos == "VERB" and term.span.start == word.start(1))  # fmt: skip
    return word[1] in ("be", "please", "do", "don", "never", "always") or word[1] in begins


def _agrees(claimed: Kind, one: _Seen) -> bool:
    """Whether a passage's link says what is claimed; a cause comes before its effect."""
    if claimed is Kind.DENIED:
        return one.link.kind is Kind.DENIED
    return one.way == 1 and one.link.kind in (claimed, Kind.CAUSES)


def _opposed(claimed: Kind, first: str, one: _Seen) -> bool:
    """Whether a passage's link denies what is claimed, or has it the other way round.

    first: what the claim says came first, or is the cause.
    """
    if claimed is Kind.DENIED:
        return one.link.kind is Kind.CAUSES and one.way == 1
    cause = first if claimed is Kind.CAUSES else one.link.first.of(one.text)
    if {claimed, one.link.kind} == {Kind.BEFORE, Kind.CAUSES} and _is_state(cause):
        return False
    return one.link.kind is Kind.DENIED or one.way == -1


def _is_state(cause: str) -> bool:
    """Whether a cause is a state, "because the log is kept", which lasts beyond its effect."""
    return _LASTS.search(cause) is not None and _PAST.search(cause) is None


def _undecided(claimed: Kind, seen: Sequence[_Seen]) -> bool:
    """Whether a passage has the order of the claim, though it says nothing of a cause."""
    return (
        claimed is not Kind.DENIED
        and any(one.way == 1 and one.link.kind is Kind.BEFORE for one in seen)
        and not any(one.link.kind is Kind.DENIED for one in seen)
    )


def _signal(
    pair: Pair, order: _Order, against: str, weight: float, span: Span | None, given: str
) -> Signal:
    cue = order.link.cue
    said = cue.of(pair.claim.text).strip()
    if not against:
        message = f'The sources have the same order: "{given}".'
        return Signal("order_agrees", Stance.SUPPORTS, weight, message, cue, span, (said, given))
    message = "In the sources it is the other way round"
    if against == "negation":
        message = "The sources say otherwise of cause and effect"
    # Dates tell the order by themselves; of "before" a reader needs the sentence.
    dated = any(map(str.isdigit, given))
    told = f'"{given}"' if dated else f"“{quoted(pair, span)}”" if span else ""
    message += f": {told}." if dated or len(told.split()) > 1 else "."
    return Signal(against, Stance.CONTRADICTS, weight, message, cue, span, (said, given))


# -- by dates --------------------------------------------------------------------------------------


def _by_time(pairs: Sequence[Pair], order: _Order) -> list[tuple[Signal, ...]]:
    found: list[tuple[Signal, ...]] = [() for _ in pairs]
    passages = [read_passage(pair.evidence, pair.evidence_facts) for pair in pairs]
    first, second = (_time(pairs, passages, event) for event in (order.first, order.second))
    if first is None or second is None or first.scale != second.scale:
        return found
    if first.end >= second.start and second.end >= first.start:
        return found
    if first.scale == "clock12" and abs(first.start - second.start) > HALF_DAY / 2:
        return found  # "11:50" and "12:10", or past midnight
    agrees = first.end < second.start
    if order.link.kind is Kind.DENIED or (agrees and order.link.causal):
        return found  # what came first need not be the cause
    dates = " and ".join(
        shown(pairs[time.row].evidence.reading.text, time.span).rstrip(".")
        for time in (first, second)
    )
    spans = {time.row: time.span for time in (second, first)}
    kind = "" if agrees else "order_conflict"
    for row, pair in enumerate(pairs):
        if row in spans or not agrees:
            found[row] = (_signal(pair, order, kind, _DATED, spans.get(row), dates),)
    return found


def _time(pairs: Sequence[Pair], passages: Sequence[Passage], event: _Event) -> _Time | None:
    """When the passages say the event was; None where they do not, or differ."""
    found: list[tuple[float, _Time]] = []
    for row, (pair, passage) in enumerate(zip(pairs, passages, strict=True)):
        dated = _times(pair, row, passage.above)
        for sentence in passage.sentences():
            if event.whole(passage.lemmas(sentence)) < _ALL:
                continue
            times = _times(pair, row, sentence)
            if len(times) == 1 and not passage.lemmas(Span(sentence.start, times[0].span.start)):
                dated, times = times, []  # "In 1903, when the line was open, a barn was added."
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
