"""Conflicting dates: the same event at another time in claim and passage.

Kinds of signal:

date_conflict     CONTRADICTS  the passage dates the same thing to another time
date_agrees       SUPPORTS     the passage's date is the claim's, or lies inside it; less surely,
                               the claim's lies in what lasts "from May to September"
derived           SUPPORTS     the passage tells it by its distance from another
unsupported_date  UNSUPPORTED  the passage has no such date, or only a wider one

"March 2024" against "Q1 2024" is consistent but not supported: the passage says less. The other
way round it is. A date that only overlaps another neither agrees nor conflicts for certain.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from enum import IntEnum

from halgo.facts.dates import yearless_days
from halgo.facts.period import NO_YEAR
from halgo.signals.quantities import relative
from halgo.signals.quantities.likeness import (
    Likeness,
    certainty,
    differently_denied,
    likeness,
    shared_words,
)
from halgo.signals.quantities.situations import is_beside
from halgo.signals.segments import shown
from halgo.signals.time.lasting import holds, in_force
from halgo.signals.time.releases import released
from halgo.types import Corpus, Date, Pair, Signal, Stance

_WORKED_OUT = 0.7  # of a date that is told by its distance from another
_NEIGHBOUR = 0.75  # of a date that stands beside the best sentence, not in it
_NEARER = 0.2  # by how much more alike a rival is than what merely fits, to count before it
_THROUGHOUT = 0.45  # of what lasts "from May to September", in July
_UNTIL = re.compile(r"\b(?:until|till)\s+(?:the\s+)?$", re.IGNORECASE)
# What a time is compared with is no other time for the thing: "four more than in 2016".
_COMPARED = re.compile(
    r"\b(?:(?:than|compared (?:with|to))\s+(?:(?:in|for|at|of|during|on|the)\s+){0,2}"
    r"|as\s+(?:in|for|at|during|on)\s+"
    r"|(?:against|from|compared (?:with|to))\s+\S*\d\S*\s+(?:\w+\s+)?(?:in|for)\s+)$",
    re.IGNORECASE,
)
_CAPTIONED = 0.7  # of a day whose caption has no year, over what is told by years
_MOST_CLAIMED, _MOST_GIVEN = 50, 400


class Relation(IntEnum):
    """What a passage's date says about a claim's, ordered from nothing to agreement."""

    APART = 0  # month and day against a year: nothing to compare
    DISJOINT = 1
    OVERLAP = 2  # partly the same time
    WIDER = 3  # the passage says only a wider time that holds the claim's
    WITHIN = 4  # the passage's date lies in the claim's, or is it


def relation(claim: Date, truth: Date) -> Relation:
    """How the passage's date bears on the claim's, whatever happened then."""
    if not truth.year_known and truth.last.year > truth.first.year:
        # January is in "from November to March", which the year began with too.
        return max(_relation(claim, truth), _relation(claim, _year_before(truth)))
    return _relation(claim, truth)


def _year_before(found: Date) -> Date:
    try:
        first, last = (day.replace(year=day.year - 1) for day in (found.first, found.last))
    except ValueError:  # 29 February
        return found
    return replace(found, first=first, last=last)


def _relation(claim: Date, truth: Date) -> Relation:
    first, last, other_first, other_last = claim.first, claim.last, truth.first, truth.last
    if claim.year_known != truth.year_known:
        known, yearless = (claim, truth) if claim.year_known else (truth, claim)
        if (known.last - known.first).days > 45:
            return Relation.APART
        try:
            years = known.first.year - NO_YEAR
            moved = (
                yearless.first.replace(year=yearless.first.year + years),
                yearless.last.replace(year=yearless.last.year + years),
            )
        except ValueError:  # 29 February of a common year
            return Relation.APART
        if claim.year_known:
            other_first, other_last = moved
        else:
            first, last = moved
    if other_last < first or last < other_first:
        return Relation.DISJOINT
    if _side(first, last) == _side(other_first, other_last) != 0:
        # "Before 2022" is a limit, and "before 2023" another one.
        return Relation.WITHIN if (first, last) == (other_first, other_last) else Relation.OVERLAP
    if first <= other_first and other_last <= last:
        whole = (first, last) == (other_first, other_last) or claim.approximate
        return Relation.WITHIN if whole or _is_named(first, last) else Relation.OVERLAP
    if other_first <= first and last <= other_last:
        return Relation.WIDER if _is_named(first, last) else Relation.OVERLAP
    return Relation.OVERLAP


def _side(first: date, last: date) -> int:
    """On which side a stretch is open: -1 of "before 2022", 1 of "since 2022", else 0."""
    return (last == date.max) - (first == date.min)


def _is_named(first: date, last: date) -> bool:
    """Whether a stretch is a day, month, year, decade, century or half-open, not "2001 to 2009"."""
    if first == date.min or last == date.max or (last - first).days <= 366:
        return True
    years = last.year - first.year
    return (years == 9 and first.year % 10 == 0) or years >= 99


@dataclass(frozen=True, slots=True)
class _Match:
    truth: Date
    relation: Relation
    likeness: Likeness
    in_best: bool
    lasts: str = ""  # "from 1 May on": the validity in which the claim's time lies

    @property
    def strength(self) -> float:
        return self.likeness.strength * (1.0 if self.in_best else _NEIGHBOUR)


def signals(pair: Pair, corpus: Corpus) -> list[Signal]:
    """What a passage says of the claim's dates, at most one signal for each of them."""
    claims = pair.claim_facts.dates[:_MOST_CLAIMED]
    if not claims:
        return []
    shared = shared_words(pair)
    matches = {claim: _matches(claim, pair) for claim in claims}
    taken = {
        match.truth
        for found in matches.values()
        for match in found
        if match.relation is Relation.WITHIN
    }
    return [
        _signal(claim, matches[claim], taken, shared, pair, corpus)
        for claim in claims
        if not is_beside(claim, pair)
    ]


def _matches(claim: Date, pair: Pair) -> list[_Match]:
    found, said, given = [], claim, pair.evidence.reading.text
    until = claim.year_known and _is_until(claim, pair.claim.text)
    # What happened earlier speaks against nothing; another "until" does.
    if until and not any(_is_until(other, given) for other in pair.evidence_facts.dates):
        claim = replace(claim, first=date.min)
    compared = _is_compared(claim, pair.claim.text)
    implied = relative.moments(pair)
    releases = released(pair)
    for truth in (*pair.evidence_facts.dates[:_MOST_GIVEN], *implied):
        related = relation(claim, truth)
        if related is Relation.APART or not releases.get(truth, True):
            continue
        lasts = holds(claim, truth, pair) if related is Relation.DISJOINT else ""
        if lasts:
            related = Relation.WIDER
        if related is Relation.DISJOINT and compared != _is_compared(truth, given):
            continue
        if related is Relation.WITHIN and relation(said, truth) is Relation.DISJOINT:
            continue  # 1243 says nothing of "until the 1970s"
        alike = likeness("", claim.context, "", truth.context)
        if truth in releases:
            alike = Likeness(None, 1.0)
        in_best = truth.span.overlaps(pair.evidence.best)
        found.append(_Match(truth, related, alike, in_best, lasts))
    return found


def _is_compared(found: Date, text: str) -> bool:
    return bool(_COMPARED.search(text[max(0, found.span.start - 48) : found.span.start]))


def _is_until(found: Date, text: str) -> bool:
    return bool(_UNTIL.search(text[max(0, found.span.start - 16) : found.span.start]))


def _signal(
    claim: Date,
    matches: list[_Match],
    taken: set[Date],
    shared: float,
    pair: Pair,
    corpus: Corpus,
) -> Signal:
    said = shown(pair.claim.text, claim.span)

    def made(kind: str, stance: Stance, weight: float, message: str, truth: Date | None) -> Signal:
        given = shown(pair.evidence.reading.text, truth.span) if truth else ""
        return Signal(
            kind,
            stance,
            round(weight, 3),
            message.replace("{given}", given),
            claim.span,
            truth.span if truth else None,
            (said, given),
        )

    def best_of(wanted: Relation, free_only: bool = False) -> _Match | None:
        found = [
            match
            for match in matches
            if match.relation is wanted and not (free_only and match.truth in taken)
        ]
        return max(found, key=lambda m: (m.strength, -m.truth.span.start), default=None)

    if match := best_of(Relation.WITHIN):
        other = best_of(Relation.DISJOINT, free_only=True)
        wider = best_of(Relation.WIDER)
        if wider and wider.in_best and not match.truth.year_known:
            other = None  # a day over columns that are years
        if other and other.strength >= 0.8 and other.strength >= match.strength + 0.25:
            message = f"The source says {said} of something else."
            return made("unsupported_date", Stance.UNSUPPORTED, 0.5, message, match.truth)
        weight = (0.4 + 0.5 * match.likeness.strength) * (1.0 if match.in_best else _NEIGHBOUR)
        message = (
            "The source says {given} as well."
            if said == shown(pair.evidence.reading.text, match.truth.span)
            else f"The source says {{given}}, which is in {said}."
        )
        if match.in_best and match.truth in relative.moments(pair):
            return made("derived", Stance.SUPPORTS, _WORKED_OUT, message, match.truth)
        return made("date_agrees", Stance.SUPPORTS, weight, message, match.truth)
    rival = best_of(Relation.DISJOINT, free_only=True)
    if rival and rival.in_best:
        # "In 1975 they wrote it" counts before "by the early 1980s" in the next sentence.
        fitting = [m for m in matches if m.relation in (Relation.WIDER, Relation.OVERLAP)]
        nearest = max((m.strength for m in fitting), default=0.0)
        beside = not any(m.in_best for m in fitting)
        if fitting and rival.strength > nearest + (0.0 if beside else _NEARER):
            matches = [m for m in matches if m not in fitting]
    if match := best_of(Relation.WIDER):
        text = pair.evidence.reading.text
        over = f"{pair.evidence.lead_in}\n{pair.evidence.heading}"
        days = yearless_days(over) if _is_of_year(claim, match.truth) else {}
        if len(days) == 1:
            ((when, written),) = days.items()
            if when == (claim.first.month, claim.first.day):
                message = f"The source says {{given}}, and {written} over it."
                return made("date_agrees", Stance.SUPPORTS, _CAPTIONED, message, match.truth)
            message = f"The claim says {said}; the source says {{given}}, and {written} over it."
            return made("date_conflict", Stance.CONTRADICTS, _CAPTIONED, message, match.truth)
        valid = in_force(claim, match.truth, pair)
        throughout = valid is not None and valid.time == match.truth  # "from May to September"
        if match.lasts or throughout:
            given = match.lasts or "{given}"
            message = f"The source says {given}, which has {said} in it."
            sure = _THROUGHOUT * (1.0 if match.in_best else _NEIGHBOUR)
            return made("date_agrees", Stance.SUPPORTS, sure, message, match.truth)
        if match.truth.first == date.min and shown(text, match.truth.span) == said:
            message = "The source says {given} as well."  # "By 1910" holds of 1910
            return made("date_agrees", Stance.SUPPORTS, _THROUGHOUT, message, match.truth)
        vague = match.truth.approximate or not _is_named(match.truth.first, match.truth.last)
        sure = 0.25 if vague else 0.5
        message = f"The sources say {{given}}, not {said} specifically."
        return made("unsupported_date", Stance.UNSUPPORTED, sure, message, match.truth)
    if match := best_of(Relation.OVERLAP):
        message = f"The sources say {{given}}, which is not quite {said}."
        two_ends = all(
            _side(one.first, one.last) or not _is_named(one.first, one.last)
            for one in (claim, match.truth)
        )
        sure = 0.6 if two_ends else 0.3  # "from 2001 to 2005" and "from 2001 to 2009"
        return made("unsupported_date", Stance.UNSUPPORTED, sure, message, match.truth)
    if rival:
        rivals = [m for m in matches if m.relation is Relation.DISJOINT and m.truth not in taken]
        denied = differently_denied(pair, rival.truth.context)
        shared = 1.0 if rival.truth in released(pair) else shared
        weight = _conflict_weight(rival, rivals, 0.0 if denied else shared) * certainty(pair)
        if weight:
            message = f"The claim says {said}; the source says {{given}}."
            return made("date_conflict", Stance.CONTRADICTS, weight, message, rival.truth)
    elsewhere = (claim.first, claim.last) in corpus.dates or _is_written(claim, pair, corpus)
    weight = 0.3 if elsewhere else 0.4 if not claim.year_known or claim.approximate else 0.7
    return made(
        "unsupported_date",
        Stance.UNSUPPORTED,
        weight,
        f"The passage gives no date like {said}.",
        None,
    )


def _is_of_year(claim: Date, truth: Date) -> bool:
    """Whether a claim tells a day, and a passage the whole year that it is of."""
    year = claim.first.year
    whole = (date(year, 1, 1), date(year, 12, 31))
    return claim.year_known and claim.first == claim.last and (truth.first, truth.last) == whole


def _is_written(claim: Date, pair: Pair, corpus: Corpus) -> bool:
    """Whether a document has the claim's year as a bare figure: "merged with the Furriers 1512"."""
    said = claim.span.of(pair.claim.text)
    return said.isdigit() and len(said) == 4 and said in corpus.terms


def _conflict_weight(rival: _Match, rivals: list[_Match], shared: float) -> float:
    """How sure a conflict is, in (0, 1]; 0 where there is no ground to call it one."""
    strength = rival.likeness.strength / 0.85  # dates have no noun, so 0.85 is their most
    sure = 0.5 * strength + 0.5 * shared
    if sure < 0.5 or shared < 0.35:
        return 0.0
    if len({(m.truth.first, m.truth.last) for m in rivals if m.in_best}) > 1:
        sure *= 0.8
    return round(min(0.95, sure) * (1.0 if rival.in_best else _NEIGHBOUR), 3)
