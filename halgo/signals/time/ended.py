"""Ended states: what a source says was so up to some time, told as so now, or as so no longer.

"Olga worked at the bank until 2019", "led the clinic from 1994 to 2001" and "had 80 employees in
2005. Today it has 30" contradict "Olga works at the bank" and agree with "Olga no longer works
there", though the source has all of their words. What was merely in the past ended for nobody: "She
studied law in Graz".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from halgo.evidence.lexical import content_stems
from halgo.facts.words import words
from halgo.signals.segments import SENTENCE, shown, split
from halgo.signals.texts import Texts
from halgo.types import Facts, Predicate, Signal, Span, Stance

_WEIGHT = 0.75
_LONGEST = 20_000  # characters of a passage
_NEAR = 24  # characters before a predicate in which its auxiliaries stand
_YEAR = r"(?:\w+ ){0,2}?(?:1[5-9]|20)\d\ds?\b"
# "Until noon" and "until 5 pm" end a day's doing, and the next day it is so again.
_OF_DAY = (
    r"(?!(?:about |late |the )?(?:(?:mid)?night|noon|dawn|dusk|sun\w+|morning|evening|late|end\b"
    r"|\d\d?(?::\d\d|\s?[ap]\.?m\b)))"
)
_END = re.compile(
    rf"\b(?:un)?till? {_OF_DAY}(?:{_YEAR}|[^,.;]+)"
    rf"|\b(?:from|between) {_YEAR} (?:to|until|till|through|and) {_YEAR}"
    r"|\(?\b(?:1[5-9]|20)\d\d ?[-\u2013] ?(?:1[5-9]|20)\d\d\b\)?",
    re.IGNORECASE,
)
_IN_YEAR = re.compile(rf"\b(?:in|around|by) {_YEAR}|\b(?:originally|at first)\b", re.IGNORECASE)
_PART = re.compile(rf"{SENTENCE.pattern}|;\s|,\s(?=(?:but )?(?:now|today)\b)|,?\s(?:but|and)\s")
_BACK = 2  # parts before one of what is so now
_AUXILIARIES = (words("is are"), words("has have"))
_BE_OR_HAVE = re.compile(r"\b(?:is|are|has|have)\b", re.IGNORECASE)
_NOW = re.compile(r"\b(?:now|today|nowadays|currently|at present|these days)\b", re.IGNORECASE)
_LASTS = re.compile(r"\b(?:still|remains?|also|more)\b", re.IGNORECASE)
_TAKEN_UP = re.compile(r"\b(?:it|they|he|she|there)\b", re.IGNORECASE)
_BE = re.compile(
    r"(?:(?P<past>\b(?:was|were|had|did)\b)|\b(?:is|are|am|do|does)\b|['\u2019]s\b)[^,;.]*$",
    re.IGNORECASE,
)
_PERFECT = re.compile(
    r"(?:\b(?:has|have)|['\u2019]ve)(?:n['\u2019]t)?\s(?:\w+\s){0,2}$", re.IGNORECASE
)
_COULD = re.compile(r"\b(?:could|had)\b", re.IGNORECASE)
# A claim that tells of a time of its own, or of a change.
_OWN_TIME = re.compile(
    r"\b(?:was|were|had|did|could|until|till|before|after|during|when|while|since|from|ago|former\w*"
    r"|previous\w*|will|if)\b",
    re.IGNORECASE,
)
# "Did not open until 2019", "until 2001 and again since 2015": it may be so now.
_OPEN = re.compile(r"\b(?:not|never|again|since|at least|only)\b|n['’]t\b", re.IGNORECASE)
_TITLE = re.compile(r"\b\w{1,4}\.(?=\s)")
_USED_TO = re.compile(r"\bused to\b", re.IGNORECASE)
# What these do lasts up to then: a deadline "was extended until 2027".
_SET = words(
    "extend prolong renew postpone defer delay schedule sentence adjourn book reserve appoint "
    "elect sign wait grant ban plan promise guarantee commit stay"
)
_IDLE = content_stems("still no longer any more now currently today nowadays used use present")


@dataclass(frozen=True, slots=True)
class _State:
    """A stretch of a passage that says what was so, and where the words of its end stand."""

    told: Span
    end: Span


def signals(texts: Texts) -> list[Signal]:
    """At most one: `former_value` of what has ended, told as so; `derived` of it told as ended."""
    pair = texts.pair
    claim, facts = pair.claim.text, pair.claim_facts
    mine = _present(claim, facts)
    if mine is None or facts.dates or _OWN_TIME.search(claim):
        return []
    passage = pair.evidence.reading.text[:_LONGEST]
    return list(islice(_of(mine, texts, passage), 1))


def _of(mine: Predicate, texts: Texts, passage: str) -> Iterator[Signal]:
    claim, over = texts.pair.claim.text, content_stems(" ".join(texts.pair.evidence.over))
    there = sorted(texts.pair.evidence_facts.predicates, key=lambda said: said.span.start)
    word = _word(mine, claim)  # "married" is a verb to one reading and an adjective to the other
    like = [said for said in there if texts.said(mine, said) == 1 or _word(said, passage) == word]
    plain = _TITLE.sub(" ", claim)  # which ends a sentence for these marks, "Dr. Haas"
    wanted = content_stems(plain) - _IDLE - content_stems(f"{mine.lemma} {mine.span.of(claim)}")
    subject = wanted & content_stems(claim[: mine.span.start])
    verb = next((form[0].lower() for form in _BE_OR_HAVE.finditer(claim)), word)
    for state in _states(passage, verb, wanted):
        theirs = _ending(state, there)
        if (
            theirs is None
            or theirs not in like
            or theirs.lemma in _SET
            or _OPEN.search(state.told.of(passage))
        ):
            continue
        told = content_stems(state.told.of(passage).replace(state.end.of(passage), " ")) | over
        if _TAKEN_UP.search(state.told.of(passage)):
            told |= subject & content_stems(passage[: state.told.start])
        if _tense(theirs, passage) != "past" or not wanted <= told:
            continue
        if any(_holds(said, wanted - subject, passage) for said in like):
            continue
        message = f"The source says this of before: “{shown(passage, state.told).rstrip(' .,;')}”."
        whole = Span(0, len(claim.rstrip(" .!")))
        if mine.negated != theirs.negated or _USED_TO.search(claim):
            yield Signal("derived", Stance.SUPPORTS, _WEIGHT, message, whole, state.told)
        else:
            yield Signal("former_value", Stance.CONTRADICTS, _WEIGHT, message, whole, state.told)


def _ending(state: _State, there: Sequence[Predicate]) -> Predicate | None:
    """What an end is of: of "moved to Graz and worked there until 2019" the work."""
    inside = [said for said in there if state.told.start <= said.span.start < state.told.end]
    before = [said for said in inside if said.span.start < state.end.start]
    after = [said for said in inside if said.span.start >= state.end.end]
    return before[-1] if before else after[0] if after else None


def _holds(said: Predicate, wanted: frozenset[str], text: str) -> bool:
    """Whether a passage says it of now as well: "... until 2019. He came back and leads it"."""
    parts = split(_PART, Span(0, len(text)), text)
    around = next((one for one in parts if said.span.start < one.end), Span(0, 0))
    is_so = _tense(said, text) in ("present", "perfect") and not said.negated
    return is_so and wanted <= content_stems(around.of(text))


def _states(text: str, verb: str, wanted: frozenset[str]) -> Iterator[_State]:
    """What a passage says was so up to some time, or at one where it says what is so now."""
    for sentence in split(SENTENCE, Span(0, len(text)), text):
        if (end := _END.search(text, sentence.start, sentence.end)) is not None:
            yield _State(sentence, Span(*end.span()))
    parts = list(split(_PART, Span(0, len(text)), text))
    for at, now in enumerate(parts):
        is_so = now.of(text)
        if not _NOW.search(is_so) or not _in_its_stead(is_so, verb, wanted):
            continue
        for then in parts[max(0, at - _BACK) : at]:
            when = _IN_YEAR.search(text, then.start, then.end)
            # "Today it has 30"; "Today the firm has 30".
            same = _TAKEN_UP.search(is_so) or content_stems(is_so) & content_stems(then.of(text))
            if when is not None and same:
                yield _State(then, Span(*when.span()))


def _in_its_stead(is_so: str, verb: str, wanted: frozenset[str]) -> bool:
    """Whether what is so now stands in the place of what a claim says, and not beside it."""
    held, said = content_stems(is_so), frozenset(is_so.lower().split())
    figures = any(stem[0].isdecimal() for stem in wanted - held)
    if _LASTS.search(is_so) or wanted <= held or (figures and not re.search(r"\d", is_so)):
        return False
    forms = next((forms for forms in _AUXILIARIES if verb in forms), content_stems(verb))
    return bool(forms & (said | held))


def _present(claim: str, facts: Facts) -> Predicate | None:
    """The first predicate of a claim that tells how things are; None where one tells of before."""
    tenses = [(_tense(said, claim), said) for said in facts.predicates]
    if _USED_TO.search(claim):
        return next((said for _, said in tenses if said.lemma != "use"), None)
    if any(tense == "past" for tense, _ in tenses):
        return None
    return next((said for tense, said in tenses if tense == "present"), None)


def _tense(said: Predicate, text: str) -> str:
    """What its form and its auxiliary tell: "past", "present" or "perfect"; "" of "may lead"."""
    word = _word(said, text)
    before = text[max(0, said.span.start - _NEAR) : said.span.end - len(word)]
    if said.frame in ("can", "must"):
        return "past" if _COULD.search(before) else "present"
    if said.frame:
        return ""
    if _PERFECT.search(before):
        return "perfect"
    be = _BE.search(before)
    if be is not None:
        return "past" if be["past"] else "present"
    return "present" if word in (said.lemma, f"{said.lemma}s") or word.endswith("s") else "past"


def _word(said: Predicate, text: str) -> str:
    return said.span.of(text).lower().split()[-1]
