"""Former values: what a source says was so before, told as what is so.

"The timeout was raised from 15 to 45 minutes", "platform 4 instead of platform 2", "$48 million,
up from $42 million a year earlier", "Lena Marti replaced Otto Frei": both values stand in the
sentence, so a claim with either has its words; which of the two holds the words between them tell.
So do two clauses or sentences, "it is now a link; before, it was a button".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, pairwise

from halgo.evidence.lexical import content_stems, stems
from halgo.signals.segments import SENTENCE, shown, split
from halgo.types import Pair, Signal, Span, Stance

_WEIGHT = 0.75
_SHARED = 0.6  # of the claim's other words, which the sentence has
_LONGEST = 20_000  # characters of a passage
_MOST = 8  # changes in a sentence

_CHANGES = (
    r"(?:chang|rais|increas|cut|lower|reduc|mov|grew|grow|ros|ris|fell|fall|dropp|drop|went up"
    r"|went down|switch|renam|renumber|extend|shorten|upgrad|downgrad|bump|migrat|convert"
    r"|transferr|relocat"
    r"|shrank|climb|slipp|declin|decreas|widen|narrow|improv|edg|jump|soar|shift|revis|adjust"
    r"|amend|updat|promot|rebrand)\w{0,4}"
)
_LETTER = r"(?:[^,;:()]|(?<=\d)[,:](?=\d))"
_VALUE = rf"{_LETTER}{{1,60}}?"
_STOP = (
    r"(?=[;:()]|[.,](?!\d)|\s(?:in|on|by|since|after|when|at|as|with|and|but|while|during|under|for|per)\s"
    r"|\s(?:a|one|the|last|this)\s(?:year|quarter|month|previous|prior|same|week|time)|$)"
)
_EARLIER = (
    r"(?:(?:a|one|the) (?:year|quarter|month|week) (?:earlier|ago|before)"
    r"|last (?:year|quarter|month)"
    r"|(?:at the end of|in|for|during) (?:the )?(?:prior|previous|preceding|same|\d{4})"
    r"|(?:at the end of|in) \w+ \d{4}|(?:on|at) \d{1,2}(?:st|nd|rd|th)? \w+ \d{4}"
    r"|(?:on|at) [A-Z]\w+ \d{1,2},? \d{4}|previously|before)"
)
# "24.0% (2022: 23.0%)", "€48.6 million (previous year: €44.9 million)".
_TIME = (
    r"(?:[\w.]{1,12}\s){0,3}?(?:(?:19|20)\d\d|PY|LY|(?:first|second|third|fourth)\squarter|Q[1-4]"
    r"|(?:previous|prior|preceding|last)[\s-](?:year|quarter|month|period)(?:\speriod)?)"
)
# The words of which a sentence has to have one, and the form: `old`, and `new` where that stands
# beside it.
_FORMS = tuple(
    (told.split("|"), re.compile(form, re.IGNORECASE))
    for told, form in (
        (
            " from ",
            rf"\b{_CHANGES}\s(?:[^,;:()]{{0,40}}\s)?from\s(?P<old>{_VALUE})\sto\s(?P<new>{_VALUE}){_STOP}",
        ),
        (
            "up from|down from",
            rf"(?P<new>{_LETTER}{{1,60}}),?\s(?:up|down)\sfrom\s(?P<old>{_VALUE}){_STOP}",
        ),
        (
            "instead of|rather than|in place of",
            rf"(?P<new>{_LETTER}{{1,60}}),?\s(?:instead\sof|rather\sthan|in\splace\sof)"
            rf"\s(?P<old>{_VALUE}){_STOP}",
        ),
        (
            "compared|versus|against",
            rf"(?P<new>{_LETTER}{{1,60}}),?\s(?:compared\s(?:with|to)|versus|against)"
            rf"\s(?P<old>{_VALUE})\s(?P<then>{_EARLIER})",
        ),
        (
            "(previously|(formerly|(before|(was|(old|(originally",
            rf"(?P<new>{_LETTER}{{1,60}})\s\((?:previously|formerly|before|was|old|originally):?\s"
            rf"(?P<old>{_VALUE})\)",
        ),
        (
            ": ",
            rf"(?P<new>{_LETTER}{{1,60}})\s\((?P<then>{_TIME}):\s(?P<old>{_VALUE})\)",
        ),
        (
            ", formerly|, previously|, originally",
            rf",\s(?:formerly|previously|originally)\s(?:known\sas\s|called\s|named\s)?(?P<old>{_VALUE}),",
        ),
        (
            "replaced",
            rf"(?P<old>{_VALUE})\s(?:is|was|were|are|has\sbeen|have\sbeen)\s(?:\w+\s)?replaced"
            rf"\s(?:by|with)\s(?P<new>{_VALUE}){_STOP}",
        ),
        (
            "replace|succeed|supersed",
            rf"(?P<new>{_VALUE})\s(?:(?:has\s|had\s)?(?:replaced|succeeded|supersed\w+)"
            rf"|(?:replaces|succeeds|to\s(?:succeed|replace)))\s(?!by\b|with\b)(?P<old>{_VALUE}){_STOP}",
        ),
    )
)
# A claim that tells of before itself, or of the change.
_TELLS = re.compile(
    r"\b(?:from|used to|previous(?:ly)?|former(?:ly)?|original(?:ly)?|initial(?:ly)?|before|until"
    r"|still|in place|earlier|ago|prior|old|longer|instead|rather|compared|since|replac\w+"
    r"|succe\w+|predecessor|not|never"
    r"|last (?:year|quarter|month)|at the end of|(?:19|20)\d\d)\b|n['’]t\b",
    re.IGNORECASE,
)
_FROM_TO = re.compile(rf"\bfrom\s({_VALUE})\sto\s({_VALUE}){_STOP}", re.IGNORECASE)
_MOVES = re.compile(rf"\b{_CHANGES}\b", re.IGNORECASE)
_WAS = re.compile(r"\b(?:was|were|had|did|stood)\b", re.IGNORECASE)
_SINCE = content_stems(
    "now currently today used use previously formerly go up down end between change become since"
)
_USED_TO = re.compile(
    r"\b(?:used to|previously|formerly|originally|initially|until (?:then|now|recently))\b",
    re.IGNORECASE,
)
# Two statements side by side: what is so now, and what was so before.
_PART = re.compile(rf"{SENTENCE.pattern}|;\s|\s[–—]\s")
_NOW = re.compile(
    r"\b(?:now|today|nowadays|currently|at present|these days|as of|since|no longer"
    r"|from .{1,30} on)\b",
    re.IGNORECASE,
)
_THEN = re.compile(
    r"\b(?:previously|formerly|originally|earlier(?! (?:this|in|on|than)\b)|used to|in the past"
    r"|before (?:that|this|then)"
    r"|until (?:then|now|recently|last \w+)|in (?:earlier|previous|older|prior) \w+"
    r"|(?:in|until|up to|before) (?:(?:version|release) )?v?\d[\w.]*\w*)\b|^\W*before(?=,)",
    re.IGNORECASE,
)
_PASSED = re.compile(
    r"\b(?:was|were|had|did|could|used to|\w{2,}ed|came|went|ran|took|cost|made|kept|held|left|gave"
    r"|paid|sent|sold|got|stood|began)\b",
    re.IGNORECASE,
)
# What was done "in 2019" may last: "they moved to Elm Street", "it was extended".
_DATED = re.compile(r"in \D*\d", re.IGNORECASE)
_STATE = re.compile(r"\b(?:was|were|had|could|did)\b(?! \w+ed\b)", re.IGNORECASE)
_TAKEN_UP = re.compile(r"\b(?:it|they|them|this|these|that|you|we|he|she)\b", re.IGNORECASE)
_AS_OF = re.compile(
    r"\b(?:in|since|from|as of|with)\s(?:(?:version|release)\s)?(\S+)", re.IGNORECASE
)
_DENIES = re.compile(r"\b(?:not|never|no)\b|n['’]t\b", re.IGNORECASE)
_IS = re.compile(r"\b(?:is|are|has|have|can|must|may|do|does|will)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Change:
    """What tells a former value, and what has taken its place, where that stands beside it.

    passed: whether the sentence tells when the former one held, so that "was" is said of the new;
    when: what it tells of that.
    """

    old: frozenset[str]
    new: frozenset[str]
    span: Span
    passed: bool
    when: frozenset[str]


def signals(pair: Pair) -> list[Signal]:
    """At most one `former_value`: the claim has a former value as the present one, or reversed."""
    claim, moves = pair.claim.text, _moves(pair)
    ours, telling = frozenset(stems(claim)), content_stems(claim)
    text = pair.evidence.reading.text[:_LONGEST]
    for sentence in split(SENTENCE, Span(0, len(text)), text):
        if 2 * len(telling & content_stems(sentence.of(text))) < len(telling):
            continue  # whatever changes there is something else
        for change in changes(sentence.of(text)):
            told = _told(claim, ours, change, moves)
            held = " ".join([sentence.of(text), *pair.evidence.over])
            when = [date.span.of(claim) for date in pair.claim_facts.dates]
            if told and _is_about(claim, change, held, content_stems(" ".join(when)), moves):
                where = change.span.shift(sentence.start)
                return [_signal(pair, told, where)]
    return list(islice(_beside_now(pair, text, telling - _SINCE), 1))


def _beside_now(pair: Pair, text: str, telling: frozenset[str]) -> Iterator[Signal]:
    """What a clause tells of before, beside one of what is so now, told as so now; or reversed."""
    claim = pair.claim.text
    over = content_stems(" ".join(pair.evidence.over))
    for one, other in pairwise(split(_PART, Span(0, len(text)), text)):
        now, then = one.of(text), other.of(text)
        when = _THEN.search(then)
        if when is None or not _NOW.search(now) or not _PASSED.search(then):
            continue
        is_so = content_stems(now) - _SINCE
        time = content_stems(when[0])
        was = content_stems(then) - is_so - time
        added = telling - is_so
        if not (_TAKEN_UP.search(then) or is_so & content_stems(then)):
            continue
        if not added or not telling & is_so or not added <= was | time | over:
            continue
        if not added & was:
            ends = (content_stems(match[1]) for match in _AS_OF.finditer(claim))
            if not _DENIES.search(claim) and any(added & end for end in ends):
                yield _signal(pair, "new", one)
        elif _USED_TO.search(claim) and not _DENIES.search(claim):
            yield replace(_signal(pair, "old", other), kind="derived", stance=Stance.SUPPORTS)
        elif not (is_so <= telling or _TELLS.search(claim)) and (
            _is_present(pair) and (_STATE.search(then) or not _DATED.match(when[0]))
        ):
            yield _signal(pair, "old", other)


def _is_present(pair: Pair) -> bool:
    """Whether a claim tells of how things are: "is printed", "prints", "print"."""
    claim = pair.claim.text
    verbs = ((said.lemma, said.span.of(claim).lower()) for said in pair.claim_facts.predicates)
    told = any(word == lemma or word.endswith("s") for lemma, word in verbs)
    return not _WAS.search(claim) and bool(told or _IS.search(claim))


def _moves(pair: Pair) -> frozenset[str]:
    """The words by which a claim has something change, "fell"; not those of "the night shift"."""
    claim = pair.claim.text
    found = [Span(*match.span()) for match in _MOVES.finditer(claim)]
    told = [
        span for span in found if any(span.overlaps(p.span) for p in pair.claim_facts.predicates)
    ]
    return content_stems(" ".join(span.of(claim) for span in told))


@lru_cache(maxsize=4096)
def changes(sentence: str) -> tuple[Change, ...]:
    """The changes that a sentence tells of."""
    return tuple(islice(_changes(sentence), _MOST))


def _changes(sentence: str) -> Iterator[Change]:
    low = sentence.lower()
    for told, form in _FORMS:
        for match in form.finditer(sentence) if any(word in low for word in told) else ():
            parts = match.groupdict()
            old, new = _cores(parts["old"], _beside(match))
            if old and not old <= new:
                later = " up from" in match[0].lower() or " down from" in match[0].lower()
                then = content_stems(parts.get("then") or "")
                passed = "then" in parts or later
                yield Change(old - new, new - old, Span(*match.span()), passed, then)


def _beside(match: re.Match[str]) -> str:
    """What stands in the place of a former value, as many words of it as that has: "" where none.

    Of what stands before it these are the last: "The region is now `eu-west` (was `us-east`)".
    """
    parts = match.groupdict()
    new = parts.get("new") or ""
    bracketed = "(" in match.string[match.end("new") : match.start("old")] if new else False
    if not bracketed or any(map(str.isdecimal, new)):
        return new
    return " ".join(new.split()[-len(parts["old"].split()) :])


def _cores(old: str, new: str) -> tuple[frozenset[str], frozenset[str]]:
    """What tells two values apart: their figures where both have some, else their words."""
    content = content_stems(old), content_stems(new)
    old_figures, new_figures = (frozenset(s for s in some if s[0].isdecimal()) for some in content)
    return (old_figures, new_figures) if old_figures and (new_figures or not new) else content


def _told(claim: str, ours: frozenset[str], change: Change, moves: frozenset[str]) -> str:
    """What a claim has wrong: "old", told as present, "new", told as former, or nothing."""
    has_old, has_new = change.old <= ours, bool(change.new & ours)
    if has_new and not change.old & ours:
        return "new" if change.new and _USED_TO.search(claim) else ""
    if has_old and has_new and _is_reversed(claim, change):
        return "old"
    if not has_old or has_new or (change.when and change.when <= ours):
        return ""
    if _comes_to(claim, change.old):
        return "old"
    if _TELLS.search(claim) or moves or (_WAS.search(claim) and not change.passed):
        return ""
    return "old"


def _is_reversed(claim: str, change: Change) -> bool:
    """Whether a claim has the values change the other way: "fell from 61.7 to 54.2"."""
    found = _FROM_TO.search(claim)
    if found is None:
        return False
    before, after = content_stems(found[1]), content_stems(found[2])
    return (
        change.old <= after
        and bool(change.new & before)
        and not (change.old & before or change.new & after)
    )


def _comes_to(claim: str, value: frozenset[str]) -> bool:
    """Whether a claim has something become a value: "raised to 15 minutes"."""
    after = re.search(
        rf"\b{_CHANGES}\s(?:(?!used\s)\w+\s){{0,2}}?to\s({_LETTER}{{1,60}})", claim, re.IGNORECASE
    )
    return after is not None and value <= content_stems(after[1])


def _is_about(
    claim: str, change: Change, sentence: str, when: frozenset[str], moves: frozenset[str]
) -> bool:
    """Whether the sentence, or a heading over it, has most of what else the claim speaks of."""
    others = content_stems(claim) - change.old - change.new - moves - _SINCE
    held = frozenset(stems(sentence))
    others -= when - held  # the source may tell the time in other words
    numbers = {stem for stem in others if stem[0].isdecimal()}
    return numbers <= held and len(others & held) >= max(1, _SHARED * len(others))


def _signal(pair: Pair, told: str, where: Span) -> Signal:
    said = shown(pair.evidence.reading.text, where)
    when = "of before" if told == "old" else "of what came then"
    message = f"The source says this {when}: “{said}”."
    whole = Span(0, len(pair.claim.text.rstrip(" .!")))
    return Signal("former_value", Stance.CONTRADICTS, _WEIGHT, message, whole, where)
