"""Times of validity: what a source dates the beginning or the end of holds on one side of it.

"From 1 May 2025 tickets cost €14" holds in July 2025, "valid until 30 June" on the third, "mayor
from 2011 until 2019" in 2015. What happens once, "the branch closed in March", has its own day.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date

from halgo.facts.words import words
from halgo.signals.segments import shown
from halgo.types import Date, Facts, Pair, Span

_LOOK = 40  # characters before a date that tell what it is of
_RULED = 120  # characters behind it that tell whether it is of a rule
_THE = r"\s+(?:(?:the\s+)?(?:start|beginning|end)\s+of\s+|the\s+)?$"
_SINCE = re.compile(
    r"\b(?:since|as from|effective(?: (?:as of|from|on))?|with effect from"
    rf"|(?:starting|beginning)(?: (?:on|in|from|with))?){_THE}",
    re.IGNORECASE,
)
# "As of 31 December 2023 the group has 412 staff" is said of that day, a rule of those after it.
_AS_OF = re.compile(rf"\bas of{_THE}", re.IGNORECASE)
_RULE = re.compile(
    r"\b(?:must|may|can|will|shall|need|appl(?:y|ies)|required?|requires)\b", re.IGNORECASE
)
# "A letter from 1912" is of that year; "from 1 May", "From 1912 on" and "From 1912, ..." begin.
_FROM = re.compile(rf"(?P<begins>^|[.!?;:]\s+)?\bfrom{_THE}", re.IGNORECASE)
_ON = re.compile(r"\s+(?:on(?!\s+\w+day)|onwards?|forward)\b", re.IGNORECASE)
_UNTIL = re.compile(rf"\b(?:until|till|through|up to(?: and including)?){_THE}", re.IGNORECASE)
_STRETCH = re.compile(r"\b(?:to|through|until|till)\b|[–—]", re.IGNORECASE)
_WITHIN = re.compile(r"\b(?:in|on|during|at)\s+(?:the\s+)?$", re.IGNORECASE)
# What such verbs tell happens on its day. "Is closed" is how something is.
_HAPPENS = words(
    "abolish acquire adopt announce appoint approve arrive award begin build buy cancel "
    "change close come complete create cut decide decrease die discontinue double drop elect "
    "end enter establish expire fall finish form found get grow halve hire improve increase "
    "introduce invent issue join launch leave lose lower marry move open pass promote publish "
    "raise reach reduce release rename reopen replace resign retire rise sell sign start stop "
    "succeed take triple win"
)
_LEAVES = words("cancel close complete end finish stop")  # a state that lasts, "is closed"
_BECOMES = re.compile(r"\bbec(?:ame|omes?|oming)\b", re.IGNORECASE)
_STATE = re.compile(r"\b(?:is|are|was|were|be|been|remain\w*|stay\w*|ke(?:ep|pt)\w*)\s(?:\w+\s)?$")


@dataclass(frozen=True, slots=True)
class Validity:
    """A date that something begins or ends to hold on, and where the phrase of it begins.

    time: the stretch in which it holds, half-open where one end is told.
    """

    time: Date
    start: int


def validity(found: Date, text: str) -> Validity | None:
    """The time in which what a text dates so holds; None of a day on which something happens."""
    before = text[max(0, found.span.start - _LOOK) : found.span.start]
    shift = found.span.start - len(before)
    if (from_ := _FROM.search(before)) is not None:
        start = shift + before.lower().rindex("from")
        if _STRETCH.search(found.span.of(text)):
            return Validity(found, start)
        day = found.first == found.last
        if day or from_["begins"] is not None or _ON.match(text, found.span.end):
            return Validity(replace(found, last=_end(found)), start)
        return None
    since = _SINCE.search(before)
    if since is None and _RULE.search(text, found.span.end, found.span.end + _RULED):
        since = _AS_OF.search(before)
    if since is not None:
        return Validity(replace(found, last=_end(found)), shift + since.start())
    if (until := _UNTIL.search(before)) is not None:
        return Validity(replace(found, first=_begin(found)), shift + until.start())
    return None


def _end(found: Date) -> date:
    return date.max if found.year_known else date(found.first.year, 12, 31)


def _begin(found: Date) -> date:
    return date.min if found.year_known else date(found.first.year, 1, 1)


def in_force(claimed: Date, truth: Date, pair: Pair) -> Validity | None:
    """The validity that a passage dates, where a claim tells how things are at some time."""
    claim = pair.claim.text
    if validity(claimed, claim) is not None or _STRETCH.search(claimed.span.of(claim)):
        return None
    found = validity(truth, pair.evidence.reading.text)
    return None if found is None or happens(claim, pair.claim_facts) else found


def holds(claimed: Date, truth: Date, pair: Pair) -> str:
    """The passage's words, "from 1 May 2025", for a validity that a claim's time lies in; or ""."""
    if claimed.year_known != truth.year_known or truth.approximate:
        return ""
    found = in_force(claimed, truth, pair)
    if found is None or claimed.first < found.time.first or found.time.last < claimed.last:
        return ""
    return shown(pair.evidence.reading.text, Span(found.start, truth.span.end))


def happens(claim: str, facts: Facts) -> bool:
    """Whether a claim tells of something that happens, rather than of how things are.

    What "closes at 8 pm" does so each day.
    """
    if any(amount.unit.startswith("clock") for amount in facts.quantities):
        return False
    if _BECOMES.search(claim):
        return True
    told = ((said.lemma, claim[max(0, said.span.start - 24) : said.span.start])
            for said in facts.predicates)  # fmt: skip
    return any(
        lemma in _HAPPENS and not (lemma in _LEAVES and _STATE.search(before))
        for lemma, before in told
    )


def as_dated(claimed: Date, pair: Pair) -> tuple[Span, str] | None:
    """A claim's "in July 2025" and the passage's "from 1 May 2025" that it lies in, as written.

    What holds from May on is claimed of July: a reader that knows no calendar is asked whether the
    source says it from May on.
    """
    within = _WITHIN.search(pair.claim.text[max(0, claimed.span.start - 12) : claimed.span.start])
    if within is None:
        return None
    for truth in pair.evidence_facts.dates:
        if said := holds(claimed, truth, pair):
            start = claimed.span.start - len(within.group())
            return Span(start, claimed.span.end), said[:1].lower() + said[1:]
    return None
