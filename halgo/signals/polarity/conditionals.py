"""Conditionals: conditions that a source sets and a claim waves away, or gives to somebody else.

"Business class may be booked, even for training" beside "except for training"; "without
supervision" beside "only under supervision"; "admins can delete it" beside "only the owner can
delete it". All the claim's words stand in the sentence, and it is the small ones that turn it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from halgo.evidence.lexical import is_common
from halgo.facts.words import words
from halgo.protocols import Lexicon
from halgo.signals.matching import lemmas_match
from halgo.signals.segments import GLUED, split
from halgo.types import Facts, Pair, Predicate, Signal, Span, Stance

_WEIGHT = 0.6
# What a claim says to hold all the same ...
_EVEN = re.compile(
    r"\b(?:even (?:if|when|though|where|after|before|during|for|with|without|on|at|in)|whether or "
    r"not|regardless of|irrespective of|no matter|including (?:those|when|during|if|for|in|on)"
    r"|without)\b",
    re.IGNORECASE,
)
# ... of what the source excepts, or asks for.
_EXCEPT = re.compile(
    r"\b(?:unless|except|excepting|apart from|other than|save for|only (?:if|when|where|after|"
    r"before|under|with|in|on|during|for|from|to|until|while|through)|provided|providing|on "
    r"condition|as long as|so long as|subject to|but not|but (?:[\w'’-]+ ){1,4}not)\b",
    re.IGNORECASE,
)
_IF = re.compile(rf"{_EXCEPT.pattern}|\b(?:if|when|where|once)\b", re.IGNORECASE)
_UNMET = re.compile(r"\bnot\b|n['’]t\b|^(?:whether|regardless|irrespective|no matter)", re.I)
_DENIED = re.compile(
    r"\b(?:not|no|never|cannot|nobody|none|neither|nor|only|must|needs?|unable|forbidden)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[;.!?](?=\s|$|[A-Z])")
_COMMA = re.compile(r",\s")
# Share of the words waved away that the exception has, and of the claim's others that its
# sentence has.
_SAME, _SHARED = 0.5, 0.6
_ONLY_BEFORE = re.compile(
    r"\bonly\s+(?:by\s+)?(?:(?:the|an?|its|their|our|your)\s+)?(?:[\w-]+\s+)?$", re.IGNORECASE
)
_ONLY_AFTER = re.compile(r"^\s+(?:only|alone)\b", re.IGNORECASE)
_IDLE = words("have be do anything something")
_MOST, _MOST_MARKS, _LONGEST = 40, 8, 4_000  # predicates or sentences, marks of one, characters
_NEAR = 80  # characters between a subject and its predicate


def signals(pair: Pair, lexicon: Lexicon) -> list[Signal]:
    """Signals of kind "limited", at most one of each sort."""
    return [*_waved_away(pair), *_of_others(pair, lexicon)]


# -- conditions waved away ------------------------------------------------------------------------


def _waved_away(pair: Pair) -> Iterator[Signal]:
    claim, text = pair.claim.text, pair.evidence.reading.text[:_LONGEST]
    found = _EVEN.search(claim)
    if found is None or not _IF.search(text):
        return
    conceded = Span(found.start(), _end(claim, found.end(), found.start() == 0))
    said = conceded.of(claim)
    rest = claim[: conceded.start] + claim[conceded.end :]
    if found.group().lower() == "without" and _DENIED.search(rest):
        return  # "cannot enrol without consent" is the condition itself
    others = _words(pair.claim_facts, Span(0, conceded.start))
    others |= _words(pair.claim_facts, Span(conceded.end, len(claim)))
    wanted = _words(pair.claim_facts, conceded) - others
    if not wanted or not others:
        return
    marks = _IF if _UNMET.search(said) else _EXCEPT
    sentences = list(islice(split(GLUED, Span(0, len(text)), text), _MOST))
    shares = [len(others & _words(pair.evidence_facts, sentence)) for sentence in sentences]
    for sentence, share in zip(sentences, shares, strict=True):
        if share < _SHARED * len(others) or share < max(shares):
            continue  # another sentence says this of something else
        condition = _condition(pair, wanted, marks, sentence)
        if condition is not None:
            source = condition.of(text).strip()
            message = f'The claim says "{said}"; the source says "{source}".'
            values = said, source
            yield Signal(
                "limited", Stance.CONTRADICTS, _WEIGHT, message, conceded, condition, values
            )
            return


def _condition(
    pair: Pair, wanted: frozenset[str], marks: re.Pattern[str], sentence: Span
) -> Span | None:
    """Where a sentence asks for what the claim waves away; None if it says "even" of it itself."""
    text, facts = pair.evidence.reading.text, pair.evidence_facts

    def speaks_of_it(part: Span) -> bool:
        return len(wanted & _words(facts, part)) >= _SAME * len(wanted)

    for even in islice(_EVEN.finditer(text, sentence.start, sentence.end), _MOST_MARKS):
        if speaks_of_it(Span(even.start(), sentence.end)):
            return None
    for mark in islice(marks.finditer(text, sentence.start, sentence.end), _MOST_MARKS):
        fronted = not text[sentence.start : mark.start()].strip()
        part = Span(mark.start(), min(sentence.end, _end(text, mark.end(), fronted)))
        if speaks_of_it(part):
            return part
    return None


def _end(text: str, start: int, fronted: bool) -> int:
    """Where the clause ends that starts here: at its comma where the main clause follows."""
    found = (_COMMA if fronted else _ENDS).search(text, start)
    return found.start() if found else len(text)


def _words(facts: Facts, part: Span) -> frozenset[str]:
    """The content words and amounts of a stretch."""
    found = {
        term.lemma.lower()
        for term in facts.terms
        if part.start <= term.span.start < part.end and not is_common(term.lemma.lower())
    }
    found |= {
        f"{amount.low:g} {amount.unit}"
        for amount in facts.quantities
        if part.start <= amount.span.start < part.end
    }
    return frozenset(found - _IDLE)


# -- what only others may -------------------------------------------------------------------------


def _of_others(pair: Pair, lexicon: Lexicon) -> Iterator[Signal]:
    text = pair.evidence.reading.text
    if "only" not in text and "alone" not in text and "Only" not in text:
        return
    known = {term.lemma for term in pair.evidence_facts.terms}
    # "Only the owner may sign. The owner is Ann Moss."
    ties = pair.evidence_facts.relations
    same = {frozenset((one, other)) for one, kind, other in ties if kind in ("is", "appos")}
    for said in pair.claim_facts.predicates[:_MOST]:
        if said.negated or said.frame in ("if", "ask") or said.subject not in known:
            continue
        alike = [
            other
            for other in pair.evidence_facts.predicates[: 4 * _MOST]
            if other.lemma == said.lemma and _same_object(said, other, lexicon)
        ]
        if any(lemmas_match(said.subject, other.subject, lexicon) for other in alike):
            continue
        for other in alike:
            if other.negated or frozenset((said.subject, other.subject)) in same:
                continue
            alone = _alone(pair, other)
            if alone is not None:
                message = f'The source says this only of "{alone.of(text)}".'
                values = said.span.of(pair.claim.text), alone.of(text)
                yield Signal(
                    "limited", Stance.CONTRADICTS, _WEIGHT, message, said.span, alone, values
                )
                return


def _same_object(said: Predicate, other: Predicate, lexicon: Lexicon) -> bool:
    if said.object and other.object:
        return lemmas_match(said.object, other.object, lexicon)
    ours, theirs = {said.object, *said.context} - {""}, {other.object, *other.context} - {""}
    return bool(ours & theirs) or not (said.object or other.object)


def _alone(pair: Pair, told: Predicate) -> Span | None:
    """The subject of a predicate where it stands, when "only" stands with it.

    "Only six clubs" says how many they are.
    """
    text, counted = pair.evidence.reading.text, pair.evidence_facts.quantities
    for term in pair.evidence_facts.terms:
        near = abs(term.span.start - told.span.start) < _NEAR
        if term.lemma == told.subject and near:
            before = _ONLY_BEFORE.search(text, max(0, term.span.start - 40), term.span.start)
            if before and not any(before.start() <= q.span.start < term.span.end for q in counted):
                return term.span
            if _ONLY_AFTER.match(text[term.span.end : term.span.end + 8]):
                return term.span
    return None
