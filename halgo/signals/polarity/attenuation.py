"""Attenuation: what a source calls "former", "almost" or "partly" so, told as simply so.

"Former champion Rosa Til" is no champion, what is "almost finished" is not finished, and "one of
the oldest clubs" need not be the oldest. Such words are privative and approximating modifiers
(Partee 2010, "Privative adjectives"); which they are is in `data/attenuating.txt`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from halgo.facts.words import lines
from halgo.signals.segments import shown
from halgo.types import Facts, Pair, Signal, Span, Stance, Term

_WEIGHT = 0.65
_LOOK = 48  # characters before a word
_BETWEEN = r"[\s-]+(?:[a-z'’]+[\s-]+){0,%d}$"  # words between: "former football player"
_KINDS = {"NOUN": "roles", "VERB": "degrees", "ADJ": "degrees"}
_FAR = {"roles": 2, "titles": 1, "degrees": 0}
_THEN = ("former", "ex", "formerly", "previously")
_PAST = re.compile(
    r"\b(?:was|were|been|had|used to|once|until|earlier|prior to|in the past|at one time"
    r"|before (?:that|this|then))\b",
    re.IGNORECASE,
)
_IS = re.compile(r"\b(?:is|are|be|being)\s+(?:\w+\s+)?$", re.IGNORECASE)
_SHARED = 0.5  # of the claim's words that the sentence has
_SUPERLATIVE = re.compile(r"(?:\w{2,}est|best|worst|most|least)$", re.IGNORECASE)


def signals(pair: Pair) -> list[Signal]:
    """At most one: a word of the claim is attenuated wherever the best sentence has it."""
    claim, facts = pair.claim.text, pair.claim_facts
    if any(said.negated or said.frame for said in facts.predicates):
        return []
    text, best = pair.evidence.reading.text, pair.evidence.best
    theirs = [term for term in _said(pair.evidence_facts) if term.span.overlaps(best)]
    known = {term.lemma.lower() for term in theirs}
    ours = [term for term in _said(facts) if term.pos in _KINDS]
    held = [term for term in ours if term.lemma.lower() in known]
    if len(held) < _SHARED * len(ours):
        return []
    for term in held:
        kind = _kind(term, claim)
        if _before(kind, claim, term.span) is not None:
            continue
        same = [one for one in theirs if one.lemma.lower() == term.lemma.lower()]
        places = [_before(kind, text, one.span) for one in same]
        first = next(iter(places), None)
        if first is not None and all(places) and not _was(first.of(text), claim, term):
            return [_signal(pair, term, Span(first.start, same[0].span.end), first)]
    return []


def _said(facts: Facts) -> list[Term]:
    """The content words, and what is said of something: "empty" of a site."""
    known = {term.span for term in facts.terms}
    more = (Term(said.lemma, "ADJ", said.span) for said in facts.predicates)
    return [*facts.terms, *(term for term in more if term.span not in known)]


def _kind(term: Term, text: str) -> str:
    if _SUPERLATIVE.fullmatch(term.span.of(text)):
        return "titles"
    return _KINDS[term.pos]


def _before(kind: str, text: str, span: Span) -> Span | None:
    """Where a word of a kind stands before another; None where none does."""
    begin = max(0, span.start - _LOOK)
    found = _words()[kind].search(text[begin : span.start])
    return Span(begin + found.start(1), begin + found.end(1)) if found else None


def _was(word: str, claim: str, term: Term) -> bool:
    """Whether a claim tells of then what the source calls former: "was a judge", "she taught"."""
    if word.lower() not in _THEN:
        return False
    said, lemma = term.span.of(claim).lower(), term.lemma.lower()
    present = said == lemma or said.endswith(("s", "ing")) or _IS.search(claim[: term.span.start])
    return bool(_PAST.search(claim)) or (term.pos == "VERB" and not present)


@lru_cache(maxsize=1)
def _words() -> dict[str, re.Pattern[str]]:
    listed: dict[str, list[str]] = {}
    for line in lines("attenuating"):
        kind, _, some = line.partition(":")
        listed.setdefault(kind, []).extend(word.strip() for word in some.split(","))
    return {
        kind: re.compile(
            rf"\b({'|'.join(map(re.escape, some))}){_BETWEEN % _FAR[kind]}", re.IGNORECASE
        )
        for kind, some in listed.items()
    }


def _signal(pair: Pair, term: Term, where: Span, word: Span) -> Signal:
    text, said = pair.evidence.reading.text, term.span.of(pair.claim.text)
    given = shown(text, where)
    message = f'The claim says "{said}"; the source says "{given}".'
    values = said, shown(text, word)
    return Signal("modality", Stance.CONTRADICTS, _WEIGHT, message, term.span, where, values)
