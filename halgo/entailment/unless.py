"""Exceptive clauses: "X unless Y" -> "X by default, but not if Y", for the entailment model.

The two say the same, but the model takes the first to contradict "by default, X", and "X if Y" to
follow from it. What is denied unless something is the case ("dogs are not admitted unless they are
guide dogs") it reads rightly, all but its default, and so that is told behind it.
"""

from __future__ import annotations

import re

from halgo.evidence.lexical import content_stems

_BEHIND = re.compile(r"(?<=[^\s,]),? unless (?=\S)")
_AHEAD = re.compile(r"(?:^|(?<=[.;:] ))Unless (?P<case>[^,.;:]+), (?P<rule>[^.;:]+)(?=[.;:]?)")
_END = re.compile(r"[.;:](?=\s|$)")
_DENIED = re.compile(
    r"(?<!-)\b(?:not|no|never|none|nobody|nothing|cannot|without|nor|neither|only)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
_USUAL = re.compile(
    r"\b(?:defaults?|normally|usually|generally|ordinarily|standard|as a rule)\b", re.IGNORECASE
)
_OF_CASE = 0.5  # share of the exception's words that a claim of it has
_SENTENCE = 3  # words of a rule that is a sentence


def as_default(premise: str, claim: str) -> str:
    """A sentence with what it says by default, and when not, for a claim of either.

    As it is for another claim, one with "unless" or a denial: "if there is no damage".
    """
    told = premise.lower()
    if told.count("unless ") != 1 or "default" in told or "unless" in claim.lower():
        return premise
    text = _AHEAD.sub(_turned, premise)
    found = _BEHIND.search(text)
    if found is None:
        return premise
    ends = [mark.end() for mark in _END.finditer(text, 0, found.start())]
    rule = text[ends[-1] if ends else 0 : found.start()].strip()
    if len(rule.split()) < _SENTENCE:
        return premise  # "Fires, unless they are supervised", under "not allowed"
    if not _USUAL.search(claim):
        case = content_stems(_END.split(text[found.end() :], maxsplit=1)[0])
        if _DENIED.search(claim) or len(case & content_stems(claim)) < _OF_CASE * len(case):
            return premise
    if _DENIED.search(rule):
        return f"{text.rstrip(' .')}. {rule} by default."
    return f"{text[: found.start()]} by default, but not if {text[found.end() :]}"


def _turned(found: re.Match[str]) -> str:
    """Text "Unless Y, X" as "X unless Y", which is read further."""
    rule = found["rule"]
    return f"{rule[:1].upper()}{rule[1:]} unless {found['case']}"
