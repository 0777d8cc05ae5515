"""Focus of negation: what a denial is of, where it is not of the event itself (Rooth 1992).

"Consent may not be refused without reason" denies no refusal with one; "is not kept as long as"
does not deny that it is kept; "has not left yet" and "will leave" go together, and so do "is no
longer moving" and "has moved". "No man has won it" is said of men.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from halgo.facts.words import words
from halgo.types import Predicate

# A condition, as a denial puts it and as a statement does.
_ASKED = re.compile(r"\b(?:without|unless|until|before|except|otherwise)\b", re.IGNORECASE)
_ONLY = re.compile(
    r"\bonly\s+(?:with|if|when|after|by|under|once|on)\b|\b(?:provided|on condition)\b"
    r"|\bas long as\b",
    re.IGNORECASE,
)
_MET = re.compile(r"\b(?:with|if|when|after|once|by|under|given)\b", re.IGNORECASE)
_DEGREE = re.compile(r"\b(?:as|so)\s\w+(?:\s\w+)?\sas\b|\bby as (?:much|many)\b", re.IGNORECASE)
# The time up to which something was not so, or from which on it is not so.
_NOT_YET = re.compile(r"\b(?:yet|so far|to date|still)\b", re.IGNORECASE)
_NO_LONGER = re.compile(r"\b(?:no longer|no more|any ?more|any longer)\b", re.IGNORECASE)
_UP_TO = re.compile(r"\b(?:until|till|before)\b", re.IGNORECASE)
_FROM_ON = re.compile(r"\b(?:since|after|from)\b", re.IGNORECASE)
_ENDED = re.compile(r"\b(?:has|have|had|was|were|did|used to)\b", re.IGNORECASE)
_NOBODY = words("nobody nothing none noone one")
_CLAUSE = (". ", "; ", ": ", "\n")  # ends of what a predicate may reach
_NEAR = 60  # characters around a predicate in which its condition stands
_BESIDE = 20  # characters before it in which its "no longer" stands
_LONGEST = 8  # words of a condition
_SHORT = 3  # letters of a word that says too little to tell a condition by


@dataclass(frozen=True)
class Said:
    """A predicate in its text."""

    predicate: Predicate
    text: str

    @cached_property
    def clause(self) -> str:
        """The words around it, as far as its clause may go."""
        span, text = self.predicate.span, self.text
        start, end = max(0, span.start - _NEAR), min(len(text), span.end + _NEAR)
        before = max(text.rfind(mark, start, span.start) for mark in _CLAUSE)
        after = [at for mark in _CLAUSE if (at := text.find(mark, span.end, end)) >= 0]
        return text[max(start, before + 1) : min((*after, end))]

    @property
    def has_ended(self) -> bool:
        """Whether it is told to be so no longer."""
        span = self.predicate.span
        return _NO_LONGER.search(self.text, max(0, span.start - _BESIDE), span.end) is not None


def denies_more(denied: Said, said: Said, same_subject: bool) -> bool:
    """Whether both may be true, since the denial is of a condition, a degree, a time or others."""
    no, yes = denied.clause, said.clause
    if _DEGREE.search(no) and not _DEGREE.search(yes):
        return True
    if _ASKED.search(no) and (_ONLY.search(yes) or _meets(no, yes)):
        return True
    if _NOT_YET.search(no) and said.predicate.frame in ("will", "plan"):
        return True
    if denied.has_ended and (_ENDED.search(yes) or _UP_TO.search(yes)):
        return True
    if _FROM_ON.search(no) and _UP_TO.search(yes):
        return True
    who = denied.predicate.subject
    others = denied.predicate.quantifier == "no" and who and who not in _NOBODY
    return bool(others and said.predicate.subject) and not same_subject


def _meets(no: str, yes: str) -> bool:
    """Whether the statement has the condition of the denial: "unless calcium was added"."""
    asked, met = _ASKED.search(no), _MET.search(yes)
    if asked is None or met is None:
        return False
    wanted = re.findall(r"\w+", no[asked.end() :].lower())
    given = re.findall(r"\w+", yes[met.end() :].lower())[:_LONGEST]
    shared = {word for word in given if len(word) > _SHORT} & {*wanted}
    # "Until 72 hours have passed" is not met "after 48 hours".
    amounts = {word for word in given if word.isdigit()}
    return bool(shared) and amounts <= {*re.findall(r"\w+", no)}
