"""Direction of change: "fell 12%" and "up 12%" give the same amount and say the opposite.

The word that says so stands right before the amount, but for "by" and the like, or right after it.
"""

from __future__ import annotations

import re

from halgo.types import Span

UP = (
    r"up|rose|risen|ris(?:e|es|ing)|increas(?:e|es|ed|ing)|grew|grown|grow(?:s|ing|th)|gain(?:s|ed)?"
    r"|climb(?:s|ed|ing)?|jump(?:s|ed)?|surg(?:e|es|ed)|soar(?:s|ed)?|improv(?:e|es|ed|ement)"
)
DOWN = (
    r"down|fell|fallen|fall(?:s|ing)?|drop(?:s|ped|ping)?|declin(?:e|es|ed|ing)"
    r"|decreas(?:e|es|ed|ing)|shrank|shrunk|shrink(?:s|ing)?|slump(?:s|ed)?|sank|slid|slipped"
    r"|plung(?:e|es|ed)|reduc(?:ed|es|tion)|dipp?(?:s|ed)?|tumbled?"
)
_BETWEEN = (
    r"(?:\s+(?:by|of|to|at|about|around|nearly|almost|roughly|some|another|a|an|the|just|only|over"
    r"|more|less|than|sharply|slightly|further|again|year|on|in|\d{4}))*\s+[$€£]?$"
)
_BEFORE = re.compile(rf"\b(?:(?P<up>{UP})|(?P<down>{DOWN})){_BETWEEN}", re.IGNORECASE)
# "£1,120 over budget", but not "over three years".
_PLANNED = (
    r"\s+(?:the\s+|its\s+|their\s+|our\s+)?(?:budget|plan|target|forecast|estimate|expectation"
    r"|guidance|average|norm|limit|market|prior|previous|last)"
)
_AFTER = re.compile(
    rf"\s*-?(?:percentage points?\s)?(?:(?P<up>higher|more|(?:over|above){_PLANNED}|{UP})"
    rf"|(?P<down>lower|less|fewer|(?:under|below|short of){_PLANNED}|{DOWN}))(?:s|ed)?\b",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:not|never|no|without|nor|neither)\b|n['’]t\b", re.IGNORECASE)
_LONGEST = 60  # characters before an amount in which the word stands


def direction(text: str, amount: Span) -> int:
    """1 where the amount is a rise or reached by one, -1 for a fall, 0 where nothing says so."""
    found = _BEFORE.search(text, max(0, amount.start - _LONGEST), amount.start)
    if found is None:
        found = _AFTER.match(text, amount.end, min(len(text), amount.end + _LONGEST))
    if found is None or _DENIED.search(text, max(0, found.start() - 16), found.start()):
        return 0
    return 1 if found["up"] else -1


def opposed(claim: str, ours: Span, passage: str, theirs: Span) -> bool:
    """Whether a claim and a passage have an amount go opposite ways."""
    return direction(claim, ours) * direction(passage, theirs) == -1
