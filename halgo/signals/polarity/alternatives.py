"""Alternatives: "a badge or a code is needed" told as "both are needed", and the other way round.

Possibility distributes over its alternatives: who can pay by card or in cash can pay by card and
can pay in cash. A requirement does not, nor what is said of both at once (von Wright 1968 on free
choice). Of a condition, a denial or a kind ("damage to walls or floors must be reported") "or" says
the same as "and", and so this looks only at what is required, done or had by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from halgo.evidence.lexical import content_stems, stems
from halgo.signals.segments import SENTENCE, contradiction, split
from halgo.types import Pair, Signal, Span

_WEIGHT = 0.75
_LONGEST = 4000  # characters of a passage
_ITEM = 3  # content words of an item that are looked at
_REST = 0.5  # share of the claim's other words that the sentence has
_JOIN = re.compile(r"\s(?P<how>or|and|as well as|and also)\s", re.IGNORECASE)
_REQUIRED = re.compile(
    r"\b(?:needs?|needed|requires?|required|must|shall|ha(?:s|ve|d) to|necessary|mandatory"
    r"|obligatory)\b",
    re.IGNORECASE,
)
_NEEDED = re.compile(
    r"\s(?:is|are|were|was|be)\s(?:\w+\s)?(?:needed|required|necessary|mandatory)\b"
)
# The verb of a duty, and where what it does goes: "must be sent to", "have to show".
_VERB = re.compile(
    r"\s(?:to\s)?(?:(?:be|have been|only)\s)?[\w-]+(?:\s(?:to|by|with|in|on|at|from)\b)?",
    re.IGNORECASE,
)
_APART = re.compile(
    r"\b(?:to|of|for|about|by|with|in|on|at|from|against|before|after)\s", re.IGNORECASE
)
_PASSIVE = re.compile(r"(?:needed|required|necessary|mandatory|[\w ]+ be)\b", re.IGNORECASE)
_ONLY_IF = re.compile(r"\bonly\b[^,;]{0,60}?\b(?:if|when|after|once)\b", re.IGNORECASE)
_BOTH = re.compile(
    r"\b(?:both|together|at the same time|simultaneously|all three)\b", re.IGNORECASE
)
_POSSIBLE = re.compile(
    r"\b(?:can|could|may|might|possible|possibly|allowed|allows?|accepts?|accepted|available"
    r"|supports?|supported|works?|choose|choice|options?|optional)\b",
    re.IGNORECASE,
)
_ENOUGH = re.compile(r"\b(?:enough|suffices?|sufficient|either)\b", re.IGNORECASE)
_DENIED = re.compile(
    r"\b(?:not|no|never|nor|neither|without|unless|cannot|missing|lacks?|whichever|whether|except)\b"
    r"|n['’]t\b|\band/or\b|\?",
    re.IGNORECASE,
)
_CASE = re.compile(
    r"\b(?:if|when|whenever|where|once|after|before|until|while|who|whom|whose|which|that|those|anyone"
    r"|someone)\b",
    re.IGNORECASE,
)
_ONE = re.compile(r"(?:an?|the|one|his|her|its|their|your|our)\s|`|-", re.IGNORECASE)
_STOP = re.compile(r"[,;:.()]")


@dataclass(frozen=True, slots=True)
class _Joined:
    """Two items with "and" or "or" between them; left, right: their stems, the nearest first."""

    how: str
    at: Span
    left: tuple[str, ...]
    right: tuple[str, ...]

    def is_of(self, other: _Joined) -> bool:
        """Whether both join the same two things, in this order or the other."""
        straight = self.left[0] == other.left[0] and bool(set(self.right) & set(other.right))
        turned = self.left[0] in other.right and other.left[0] in self.right
        return straight or turned


def signals(pair: Pair) -> list[Signal]:
    """At most one `quantifier`: what one of two does told as needing both, or the reverse."""
    claim = pair.claim.text
    mine = list(_joined(claim, Span(0, len(claim))))
    if not mine or _DENIED.search(claim):
        return []
    text = pair.evidence.reading.text[:_LONGEST]
    if not _JOIN.search(text):
        return []
    told = [
        (sentence, one)
        for sentence in split(SENTENCE, Span(0, len(text)), text)
        for one in _joined(text, sentence)
    ]
    for ours in mine:
        same = [(sentence, one) for sentence, one in told if one.is_of(ours)]
        if not same or any(one.how == ours.how for _, one in same):
            continue
        for sentence, theirs in same:
            if _is_about(claim, theirs, sentence.of(text)) and _differs(
                claim, ours, text, sentence, theirs
            ):
                return [contradiction(pair, "quantifier", _WEIGHT, ours.at, theirs.at)]
    return []


def _differs(claim: str, ours: _Joined, text: str, sentence: Span, theirs: _Joined) -> bool:
    """Whether "and" and "or" say different things here."""
    said = sentence.of(text)
    if _DENIED.search(said):
        return False
    if ours.how == "or":  # of two things that are both required
        forced = _REQUIRED.search(claim) or _ENOUGH.search(claim)
        if _in_case(claim, 0, ours.at.start):
            return _ONLY_IF.search(text, sentence.start, theirs.at.start) is not None
        free = _POSSIBLE.search(claim) and not forced
        return not free and _requires(text, sentence, theirs)
    only = _ONLY_IF.search(claim, 0, ours.at.start) is not None
    if _in_case(claim, 0, ours.at.start) and not only:
        return False
    must = _REQUIRED.search(claim)
    if not (must or only):  # "both" is said of what is possible, and true of either
        may = _POSSIBLE.search(claim) or _POSSIBLE.search(said)
        return bool(_BOTH.search(claim)) and not may and not _in_case(said, 0, len(said))
    if _in_case(text, sentence.start, theirs.at.start):
        return not _REQUIRED.search(said)
    after = _REQUIRED.search(text, theirs.at.end, sentence.end)
    if must and must.start() < ours.at.start and not _is_held(claim, must, ours):
        return False
    if must and must.start() > ours.at.end and not _PASSIVE.match(claim, must.start()):
        return after is not None and _is_one(text, sentence, theirs)  # "both the manager and the"
    return after is None or _is_one(text, sentence, theirs)


def _requires(text: str, sentence: Span, told: _Joined) -> bool:
    """Whether a sentence requires the two things it joins."""
    if _ONLY_IF.search(text, sentence.start, told.at.start):
        return True
    must = _REQUIRED.search(text, sentence.start, sentence.end)
    if must is None or _in_case(text, sentence.start, told.at.start):
        return False
    if must.start() < told.at.start:
        return _is_held(text, must, told)
    return _is_one(text, sentence, told)


def _is_one(text: str, sentence: Span, told: _Joined) -> bool:
    """Whether joined subjects are single things, or needed: "the tenant and the landlord sign"."""
    needed = _NEEDED.search(text, told.at.end, sentence.end)
    return needed is not None or _ONE.match(text, told.at.end + 1) is not None


def _in_case(text: str, start: int, end: int) -> bool:
    return _CASE.search(text, start, end) is not None


def _is_held(text: str, must: re.Match[str], told: _Joined) -> bool:
    """Whether what is required are the joined things: not in "a licence to sell tobacco and"."""
    gap = text[must.end() : told.at.start]
    own = _VERB.match(gap) if not must[0].lower().startswith("requi") else None
    return _APART.search(gap, own.end() if own else 0) is None


def _is_about(claim: str, told: _Joined, sentence: str) -> bool:
    """Whether a sentence has most of a claim's words besides what it joins and its force."""
    plain = claim
    for words in (_REQUIRED, _BOTH, _ENOUGH, _ONLY_IF, _POSSIBLE):
        plain = words.sub(" ", plain)
    said = content_stems(plain) - set(told.left + told.right)
    return len(said & set(stems(sentence))) >= _REST * len(said)


def _joined(text: str, within: Span) -> Iterator[_Joined]:
    """The pairs of a stretch that "and" or "or" joins."""
    for found in _JOIN.finditer(text, within.start, within.end):
        before = _STOP.split(text[within.start : found.start()].rstrip(","))[-1]
        after = _STOP.split(text[found.end() : within.end])[0]
        after = _JOIN.split(after, maxsplit=1)[0]
        left = [stem for stem in stems(before) if stem in content_stems(before)][::-1]
        right = [stem for stem in stems(after) if stem in content_stems(after)]
        alike = set(left[:_ITEM]) & set(right[:_ITEM])
        left, right = ([stem for stem in some if stem not in alike] for some in (left, right))
        if left and right:
            how = "or" if found["how"].lower() == "or" else "and"
            yield _Joined(how, Span(*found.span("how")), tuple(left[:_ITEM]), tuple(right[:_ITEM]))
