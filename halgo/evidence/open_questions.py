"""Sentences that only ask: "Is breakfast included?", "The budget is 250k, right?".

A question that yes or no answers has all the words of its answer and says none of it. Of one that
asks what or how much, the answer needs the words ("What does a day cost? €15"), so those stay.
"""

from __future__ import annotations

import re

_LONGEST = 400  # characters of a question
_AHEAD = (
    r"[\s#>*_\-\u2013\u2022\"\u201c'(\[]*"
    r"(?:(?:q(?:uestion)?\s?\d{0,3}|todo|fixme|re|subject|faq|\d{1,3})\s?[:.)\]]\s*)*"
    r"(?:(?:so|and|but|or|ok|okay|hi|hello|also|then|just)\b[, ]+)*"
)
_POLAR = re.compile(
    rf"{_AHEAD}(?:is|are|was|were|am|do|does|did|can|could|may|might|must|will|would|should|shall|"
    r"has|have|had)(?:n['\u2019]t)?\s(?!you know\b).*\?[\s\"\u201d')*_\]]*$",
    re.IGNORECASE | re.DOTALL,
)
_TAG = re.compile(
    r",\s*(?:right|correct|yes|no|ok|okay|true|(?:is|are|was|were|do|does|did|has|have|will|would)"
    r"n['\u2019]t (?:it|that|they|he|she|we|you))\s*\?[\s\"\u201d')*_\]]*$",
    re.IGNORECASE,
)
_ANSWER = re.compile(
    r"[\s>*_\-\u2013\u2022]*(?:a(?:nswer)?\s?[:.)]\s*)?[*_]*(?:yes|no|yep|nope|certainly|of course|"
    r"absolutely|sure|never|not|unfortunately|correct|exactly|that['\u2019]s right"
    # What leaves out what was asked: "Only on weekdays.", "From May on.", "It is, ...".
    r"|only|just|always|usually|sometimes|mostly|partly|from|until|between|on|in|at|with|without|for"
    r"|up to|within|after|before|if|unless|as long as|when|(?:it|they|we|you|i) "
    r"(?:is|are|does|do|did|can|may|must|will|was|were|has|have)(?=[,.;!])"
    r")\b",
    re.IGNORECASE,
)

# A claim that somebody asks or wants is what such a turn does say.
_RESTATED = re.compile(
    r"\b(?:ask(?:s|ed|ing)?|want(?:s|ed|ing)?|need(?:s|ed|ing)?|wish(?:es|ed|ing)?|request\w*"
    r"|wonder\w*|question\w*|inquir\w*|enquir\w*|interested|hop(?:e|es|ed|ing)|looking"
    r"|(?:would|['\u2019]d) (?:like|love|prefer|rather)|prefer\w*|expect\w*|demand\w*)\b",
    re.IGNORECASE,
)


def restates(claim: str) -> bool:
    """Whether a claim says that somebody asks, wants or needs something, which a question does."""
    return _RESTATED.search(claim) is not None


def only_asks(sentence: str) -> bool:
    """Whether a sentence is a question that yes or no answers."""
    if "?" not in sentence or len(sentence) > _LONGEST:
        return False
    return bool(_POLAR.match(sentence) or _TAG.search(sentence))


def is_answered(following: str) -> bool:
    """Whether what follows a question answers it with yes, no or their like."""
    return bool(_ANSWER.match(following))
