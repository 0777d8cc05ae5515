"""Whether a claim speaks of another section of the document than a passage stands in.

"Storage: 10 GB" under the heading "Basic plan" says nothing of the Pro plan, which has a section
of its own; nor does what stands under "3.2.0" and there under "Added" say anything of 3.1.0. Of
headings whose level is known only those beside the passage's own are looked at; of others only
such as are told apart by a word, "Phase 1" and "Phase 2", "2019" and "2021": any claim may have a
word of some other heading.
"""

from __future__ import annotations

import re
from collections.abc import Set
from functools import lru_cache

from halgo.evidence.lexical import is_common, stems, tokens
from halgo.facts.words import words
from halgo.types import Claim, Evidence

_LONGEST = 6  # words of a heading
_ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\b\d{4}-\d{2}-\d{2}\b")  # "3.2.0 (2025-05-06)"
# "4.2 Sick leave", "Article 7. Notice": a number is no part of what a section is about.
_NUMBERED = re.compile(
    r"^\W*(?:(?:section|article|art|chapter|part|clause|step|no)\b\.?\s*)?"
    r"(?:\d+(?:\.\d+)*[.):]?|(?:[ivxlc]+|[a-z])[.):])\s+(?=[^\W\d])",
    re.IGNORECASE,
)
_AGES = re.compile(r"\b(?:from|aged?|over|under|up to|between|of)\s+\d.*", re.IGNORECASE)
_ALIKE = 3  # letters by which two words are taken for one: "pay", "Payment"
# What a section is called whatever it is about: what stands under "Errors" may be about anything.
_GENERAL = frozenset(
    stem
    for word in words(
        "introduction overview summary note notes general background example examples usage "
        "description details detail results result discussion methods method conclusion "
        "conclusions references scope definitions purpose contact questions information "
        "appendix annex preface contents section part chapter terms conditions rules "
        "requirements prerequisites start steps step instructions procedure errors limits "
        "limitations support faq help about more"
    )
    for stem in stems(word)
)


def spoken_of(claim: Claim, evidence: Evidence) -> tuple[str, str, frozenset[str]] | None:
    """Where the passage stands, the other heading that the claim speaks of, and its words there.

    None where the claim speaks of no other.
    """
    if evidence.another is not None:
        own, other, words = evidence.another
        if not words & set(tokens(evidence.reading.text)):
            return own, other, words
    said = frozenset(stems(claim.resolved))
    for own, beside in reversed(evidence.sections):
        if _words(own) <= _GENERAL:
            continue
        for other in beside:
            found = _named(own, other, said, evidence)
            if found is not None and not found <= _GENERAL:
                return (own, other, found) if found else None
    if evidence.sections:
        return None
    mine = _words(evidence.heading)
    for other in evidence.headings:
        theirs = _words(other)
        if not (mine & theirs or (_numbers(mine) and _numbers(theirs))):
            continue
        found = _named(evidence.heading, other, said, evidence)
        if found is not None:
            return (evidence.heading, other, found) if found else None
    return None


def _named(own: str, other: str, said: Set[str], evidence: Evidence) -> frozenset[str] | None:
    """The words by which a claim speaks of the other heading and not of the passage's own.

    None where it does not; no words where the passage itself names it: what it names it is about,
    whatever stands over it.
    """
    named, unnamed = _apart(own, other)
    if not named or not named <= said:
        return None
    if any(_alike(word, one) for word in unnamed for one in said):
        return None
    return frozenset() if named & set(stems(evidence.reading.text)) else named


@lru_cache(maxsize=4096)
def _apart(own: str, other: str) -> tuple[frozenset[str], frozenset[str]]:
    """The words of the other heading that a passage's own lacks, and the other way round.

    No words where either has none of its own, or too many.
    """
    mine, theirs = _words(own), _words(other)
    less = _ageless(own), _ageless(other)
    if all(less) and less[0] != less[1]:  # else it is the ages that tell them apart
        mine, theirs = less
    if mine <= theirs or theirs <= mine or max(len(mine), len(theirs)) > _LONGEST:
        return frozenset(), frozenset()
    return theirs - mine, mine - theirs


@lru_cache(maxsize=4096)
def _words(heading: str) -> frozenset[str]:
    return frozenset(
        word for word in stems(_NUMBERED.sub("", _ASIDE.sub(" ", heading))) if not is_common(word)
    )


@lru_cache(maxsize=4096)
def _ageless(heading: str) -> frozenset[str]:
    return _words(_AGES.sub("", heading))


def _alike(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return one == other or (
        len(short) >= _ALIKE and not short[0].isdigit() and long.startswith(short)
    )


def _numbers(words: Set[str]) -> bool:
    return bool(words) and all(word[0].isdigit() for word in words)
