"""Coordinated amounts: "€14, or €9 for students" beside a claim that gives one for the other.

The second of them stands in a clause without a verb, and the words of that clause say what it is
of. A claim that has these words and the first amount, or the second amount without them, has
taken the wrong one, though both stand in the sentence. And one that has both amounts, each with
the words of the other's clause, has exchanged them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf

from halgo.facts.units import NO_AMOUNTS
from halgo.facts.words import words
from halgo.protocols import Lexicon
from halgo.signals.passages import ByIdentity, OfFacts
from halgo.signals.quantities.figures import figure_of
from halgo.signals.quantities.labelled import is_row
from halgo.signals.quantities.relation import Relation, relation, unit_and_rate
from halgo.signals.segments import CLAUSE, covering, split
from halgo.types import Facts, Pair, Quantity, Signal, Span, Stance

_WEIGHT = 0.65
_PART = re.compile(
    rf"{CLAUSE.pattern}|\s(?:than|or|plus|versus|vs\.?)\s"
    r"|\s\((?=[^()]*\d[^()]*\s(?:in|at|for|on|from|with|of)\s|[a-z]{3,}\s[^()]*\d"
    r"|[^()\d:]{2,30}:\s[^()]*\d)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[,;]\s|\s(?:and|but|or|while|whereas|against)\s", re.IGNORECASE)
_TO = re.compile(r"\s(?:[a-z]+\s){0,2}to\s", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_BE = re.compile(r"\b(?:is|are|was|were|be|been|has|have|had)\b", re.IGNORECASE)
_IDLE = words(
    "one other it that those these this them more less only about some total respectively per "
    "further another a an the of in on at to for with from by as and or but each every all up down"
)
# "1.5 m from every lot line", "£9 for students", "99.9% availability for Business".
_PHRASE = re.compile(
    r"\s(?:[a-z-]+\s){0,2}?(?:from|for|to|of|in|at|on|with|under|during)\s"
    r"((?:(?!\s(?:and|or|but)\s)[^,;.()\d]){2,40})"
)
# "the police within 48 hours".
_BEFORE = re.compile(
    r"((?:(?!\s(?:and|or|but)\s)[^,;.()\d]){2,40})\s(?:within|after|for|in|by|at)\s"
    r"(?:(?:up to|at least|at most|about|the)\s)?\Z"
)
_JOINED, _MEASURED = re.compile(r"\w+-\w+"), re.compile(r"\s\w+")  # "three-year warranty"
_NEAR = 48  # characters before an amount
_MOST_AMOUNTS = 24  # of a passage; more are a table
# Share of the claim's words that the sentence has to hold.
_SHARED = 0.5
_LEAST_SHARED = 0.25  # ... where a phrase right beside an amount says what it is of


@dataclass(frozen=True, slots=True)
class _Told:
    """Two like amounts of a sentence, each with the words of its clause."""

    first: Quantity
    second: Quantity
    of_first: frozenset[str]
    of_second: frozenset[str]


def signals(pair: Pair, lexicon: Lexicon) -> list[Signal]:
    """number_conflict signals, at most one: the claim has the amount of the other thing."""
    claim, facts = pair.claim.text, pair.claim_facts
    claimed = [found for found in facts.quantities if _figure(found) is not None]
    if not claimed or not 2 <= len(pair.evidence_facts.quantities) <= _MOST_AMOUNTS:
        return []
    mine = _words(claim, facts, Span(0, len(claim)))
    held = _words(pair.evidence.reading.text, pair.evidence_facts, pair.evidence.best)
    shared = len(mine & held) / max(len(mine), 1)
    if shared < _SHARED:
        return _of_another(pair, claimed) if shared >= _LEAST_SHARED else []
    for told in _side_by_side(pair):
        agreeing = [
            (ours, theirs)
            for ours in claimed
            for theirs in (told.first, told.second)
            if _agree(ours, theirs)
        ]
        if len(agreeing) != 1:
            continue  # neither, or both: "€14, students €9"
        ((ours, theirs),) = agreeing
        other = told.second if theirs is told.first else told.first
        if theirs is told.first:
            clause = next(
                part for part in _clauses(pair) if part.start <= ours.span.start < part.end
            )
            wrong = told.of_second <= _known(_words(claim, facts, clause), lexicon)
        else:
            # Its own words may be put otherwise ("underground" for "in tunnels"), unless the
            # claim has no words but the sentence's.
            wrong = told.of_second.isdisjoint(_known(mine, lexicon)) and mine <= held
        if wrong and (other is told.second or not _takes_in(ours, other)):
            return [_signal(pair, ours, other)]
    return _exchanged(pair) or _of_another(pair, claimed)


def _exchanged(pair: Pair) -> list[Signal]:
    """Two amounts that have changed places: "1.2 m at the side and 2 in front"."""
    text = pair.evidence.reading.text
    if is_row(pair.evidence.best.of(text)):
        return []  # cells have names
    ours = _alone_in_claim(pair)
    if len(ours) != 2:
        return []
    theirs = _each_alone(text, pair.evidence_facts, pair.evidence.best)
    if not ours.keys() <= theirs.keys():
        return []
    (one, (amount, of_one)), (two, (second, of_two)) = ours.items()
    if _TO.fullmatch(pair.claim.text, amount.span.end, second.span.start):
        return []  # "rose from 23% to 24%": what stands before the first is said of both
    (_, told_of_one), (other, told_of_two) = theirs[one], theirs[two]
    only_one, only_two = told_of_one - told_of_two, told_of_two - told_of_one
    if of_one & only_one or of_two & only_two:
        return []
    crossed = bool(of_one & only_two), bool(of_two & only_one)
    # Of "two trains" and "5.30" one side alone would say too little.
    if all(crossed) or (any(crossed) and (amount.unit or second.unit)):
        return [_signal(pair, amount, other)]
    return []


def _of_another(pair: Pair, claimed: Sequence[Quantity]) -> list[Signal]:
    """The amount of a neighbour, told by the phrase right behind it, or right before it, in both.

    "5 m from the line" beside "1.5 m from every line and 5 m from any dwelling"; "the police within
    7 days" beside "the police within 48 hours and us within 7 days".
    """
    text = pair.evidence.reading.text
    if is_row(pair.evidence.best.of(text)):
        return []
    told = [
        found
        for found in pair.evidence_facts.quantities
        if found.span.overlaps(pair.evidence.best) and _figure(found) is not None and found.unit
    ]
    agreeing = [(ours, _agreeing(ours, told)) for ours in claimed if ours.unit]
    alone = [(ours, own[0]) for ours, own in agreeing if len(own) == 1]
    for behind in (True, False) if alone and len(told) > 1 else ():
        theirs = [(one, _beside(text, pair.evidence_facts, one, behind)) for one in told]
        for ours, at in alone:
            one, told_of_one = theirs[at]
            said = _beside(pair.claim.text, pair.claim_facts, ours, behind)
            if not said:
                continue
            for other, told_of_other in theirs:
                only_one, only_other = told_of_one - told_of_other, told_of_other - told_of_one
                if other is one or not _is_like(other, one):
                    continue
                # A phrase behind both may be of both, "20 or 30 minutes of inactivity"; one behind
                # the first is of that: "20 minutes of inactivity and in any case after 8 hours".
                first = not told_of_one and other.span.start < one.span.start
                if behind and not only_one and not first:
                    continue
                if not behind and _takes_in(ours, other):
                    continue
                if said & only_other and not said & only_one:
                    return [_signal(pair, ours, other)]
        if any(near for _, near in theirs):
            break  # what stands before the first of them is said of all
    return []


def _agreeing(ours: Quantity, told: Sequence[Quantity]) -> list[int]:
    """Which amounts agree with one of the claim; where some are the very same, these alone."""
    same = [at for at, one in enumerate(told) if (one.low, one.unit) == (ours.low, ours.unit)]
    return same or [at for at, one in enumerate(told) if _agree(ours, one)]


def _beside(text: str, facts: Facts, amount: Quantity, behind: bool) -> frozenset[str]:
    """The nouns of the phrase right behind an amount, or the last noun of that before it."""
    if behind:
        found = _PHRASE.match(text, amount.span.end)
        part = Span(*found.span(1)) if found else None
    else:
        start = max(0, amount.span.start - _NEAR)
        before = _BEFORE.search(text[: amount.span.start], start)
        part = Span(*before.span(1)) if before else None
    if part is None:
        return frozenset()
    nouns = [
        term.lemma.lower()
        for term in facts.terms
        if part.start <= term.span.start < part.end and term.pos in ("NOUN", "PROPN")
    ]
    return frozenset(nouns if behind else nouns[-1:]) - _IDLE


def _each_alone(
    text: str, facts: Facts, part: Span
) -> dict[float, tuple[Quantity, frozenset[str]]]:
    """Figure as written -> the amount and the words of its clause; none where one stands twice."""
    amounts = [
        q
        for q in facts.quantities
        if part.start <= q.span.start < part.end and not q.unit.startswith(NO_AMOUNTS)
    ][:_MOST_AMOUNTS]
    if not amounts:
        return {}
    cuts = [part.start]
    for before, after in pairwise(amounts):
        between = list(_BETWEEN.finditer(text, before.span.end, after.span.start))
        joined = _JOINED.fullmatch(before.span.of(text))
        own = _MEASURED.match(text, before.span.end) if joined else None
        end = own.end() if own and own.end() <= after.span.start else before.span.end
        cuts.append(between[-1].end() if between else end)
    found: dict[float, tuple[Quantity, frozenset[str]]] = {}
    for amount, clause in zip(amounts, pairwise([*cuts, part.end]), strict=True):
        figure = figure_of(amount.span.of(text))
        if figure is None or figure in found:
            return {}
        part_of = Span(*clause)  # its verb may hold for the other as well
        found[figure] = amount, _words(text, facts, part_of) - _verbs(facts, part_of)
    return found


def _signal(pair: Pair, ours: Quantity, other: Quantity) -> Signal:
    values = ours.span.of(pair.claim.text), other.span.of(pair.evidence.reading.text)
    message = f"The claim says {values[0]}; of this the source says {values[1]}."
    return Signal(
        "number_conflict", Stance.CONTRADICTS, _WEIGHT, message, ours.span, other.span, values
    )


def _side_by_side(pair: Pair) -> Iterator[_Told]:
    """Like amounts of the best sentence of which the second's clause has no verb."""
    facts, text = pair.evidence_facts, pair.evidence.reading.text
    before: tuple[Quantity, Span] | None = None
    for clause in split(_PART, pair.evidence.best, text):
        amounts = [
            found
            for found in facts.quantities
            if clause.start <= found.span.start < clause.end
            and (
                _figure(found) is not None
                or (before is not None and found.unit.startswith("identifier"))
            )
        ]
        measured = [found for found in amounts if found.unit]
        amounts = measured if len(measured) == 1 else amounts  # "one-off costs of $250 million"
        if len(amounts) != 1:
            before = None if amounts else before
            continue
        (amount,) = amounts
        if (
            before is not None
            and _is_like(before[0], amount)
            and not _has_verb(text, facts, clause, besides=before[1])
        ):
            # "27 ships, Baltrans 14": the second is read as so many of Baltrans.
            noun = amount.noun if amount.noun == before[0].noun else ""
            of_first = _words(text, facts, before[1])
            of_second = _words(text, facts, clause) - {noun}
            if of_second - of_first:  # "25 days in the first year and 28 in the second year"
                yield _Told(before[0], amount, of_first, of_second)
        before = (amount, clause) if _figure(amount) is not None else None


def _clauses(pair: Pair) -> Iterator[Span]:
    """The claim's clauses; one with neither verb nor amount belongs to the next, or the last."""
    claim = pair.claim.text
    found: list[Span] = []
    start = 0
    for part in split(_PART, Span(0, len(claim)), claim):
        so_far = Span(start, part.end)
        said = any(found.span.overlaps(so_far) for found in pair.claim_facts.quantities)
        if said or _has_verb(claim, pair.claim_facts, so_far):
            found.append(Span(start, part.end))
            start = part.end
    if found and start < len(claim):
        found[-1] = Span(found[-1].start, len(claim))
    yield from found or [Span(0, len(claim))]


def _figure(found: Quantity) -> float | None:
    """The one value that an amount or a limit gives: 140 of "up to 140"; None for a range."""
    if found.unit.startswith(NO_AMOUNTS):
        return None
    if found.low == found.high or found.high == inf:
        return found.low
    return found.high if found.low <= 0 else None


def _is_like(one: Quantity, other: Quantity) -> bool:
    # "420 people, Torvik 65": the second is read as part of the name.
    unit = "" if other.unit.startswith("identifier") else unit_and_rate(other)[0]
    return unit_and_rate(one)[0] == unit and _figure(one) != _value(other)


def _takes_in(ours: Quantity, other: Quantity) -> bool:
    """Whether a claim's range holds an amount: of "7 days; the longest is 30" "up to 30 days"."""
    return other.low == other.high and ours.low <= other.low <= ours.high


def _value(found: Quantity) -> float | None:
    return found.low if found.unit.startswith("identifier") else _figure(found)


def _agree(claimed: Quantity, told: Quantity) -> bool:
    if told.unit.startswith("identifier"):
        return claimed.unit == "" and claimed.low == told.low
    if told.low == told.high and claimed.low == claimed.high:
        return relation(claimed, told) >= Relation.ROUNDED
    # "Up to €140 within the country and €190 abroad": the limit holds of both.
    return _figure(claimed) == _figure(told) and unit_and_rate(claimed)[0] == unit_and_rate(told)[0]


def _has_verb(text: str, facts: Facts, clause: Span, besides: Span | None = None) -> bool:
    """Whether a clause has a verb; one that the clause `besides` has too tells nothing new."""
    if _BE.search(text, clause.start, clause.end):
        return True
    verbs = _verbs(facts, clause)
    return bool(verbs - _verbs(facts, besides) if besides else verbs)


def _verbs(facts: Facts, part: Span) -> frozenset[str]:
    return frozenset(
        term.lemma
        for term in facts.terms
        if term.pos == "VERB" and part.start <= term.span.start < part.end
    )


_kept = ByIdentity[dict[float, tuple[Quantity, frozenset[str]]]](kept=64)


def _alone_in_claim(pair: Pair) -> dict[float, tuple[Quantity, frozenset[str]]]:
    """`_each_alone` of the whole claim, which stands beside several passages."""
    text, facts = pair.claim.text, pair.claim_facts
    return _kept.get((text, facts), lambda: _each_alone(text, facts, Span(0, len(text))))


# Whether a stretch overlaps an amount.
_measured = OfFacts(lambda facts: covering(found.span for found in facts.quantities))


def _words(text: str, facts: Facts, part: Span) -> frozenset[str]:
    """What a stretch speaks of: its content lemmas and the words of its dates, amounts left out."""
    measured = _measured(facts)
    found = {
        term.lemma.lower()
        for term in facts.terms
        if part.start <= term.span.start < part.end and not measured(term.span)
    }
    for given in facts.dates:
        if given.span.overlaps(part):
            found |= {match.group().lower() for match in _WORD.finditer(given.span.of(text))}
    return frozenset(found - _IDLE)


def _known(said: frozenset[str], lexicon: Lexicon) -> frozenset[str]:
    return said.union(*(lexicon.synonyms(word) for word in said))
