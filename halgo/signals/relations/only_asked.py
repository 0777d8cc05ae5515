"""What a turn or a document only asks for: "Do you ship to Mexico?", "Cancel my order".

A question or a request tells what somebody wants to know or to have, not that it is so. It supports
that they asked, and nothing else; nor does what a user says of us, "you promised me a credit",
support what is said in our own name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from halgo.evidence.open_questions import is_answered, only_asks, restates
from halgo.types import Evidence, Pair, Signal, SourceKind, Stance

KIND, UNANSWERED = "only_asked", "unanswered"
_SURE, _ASKED = 0.9, 0.75
_LONGEST = 2_000  # characters of a sentence that are looked at
_QUESTION = re.compile(r"[?\uff1f][\s\"\u201d')*_]*$")
_BEFORE = (
    r"(?:(?:hi|hello|hey|ok|okay|so|and|but|then|thanks|thank you|well|also|yes|no|sorry)\b"
    r"[ ,.!]*){0,6}"
)
_REQUEST = re.compile(
    rf"{_BEFORE}(?:please|kindly|(?:can|could|would|will) (?:you|i|we)|(?:may|might) i|let me"
    r"|let us|let['\u2019]s|i['\u2019]m hoping"
    r"|i(?:['\u2019]d| would) (?:like|love|prefer|appreciate)"
    r"|(?:i|we) (?:just |really |only )?(?:want|need|wish|hope|request|demand|expect)\b"
    r"|(?:cancel|refund|change|send|give|tell|show|check|help|find|book|update|move|remove|add|return"
    r"|reset|stop|activate|upgrade|downgrade|switch|transfer|track|confirm|schedule|reschedule"
    r"|resend|call|contact|get|make|fix|explain|compare|list) (?:me|us|my|our|the|it|a|an)\b)"
    r"|.*,? please[.! ]*$",
    re.IGNORECASE | re.DOTALL,
)
_IN_OUR_NAME = re.compile(r"\b(?:we|our|us|ours)\b", re.IGNORECASE)
_USERS = ("user", "customer", "client", "human", "caller", "guest", "visitor")


def signals(pair: Pair) -> Iterator[Signal]:
    """At most one `only_asked`, beside a turn whose best sentence asks for what the claim says."""
    evidence, claim = pair.evidence, pair.claim.text
    if restates(claim):
        return
    if evidence.kind is not SourceKind.TURN:
        yield from _unanswered(pair)
        return
    said = evidence.best.of(evidence.reading.text)[:_LONGEST].strip()
    if _QUESTION.search(said) or _REQUEST.match(said):
        yield _signal(pair, f"“{said}” only asks for it.")
    elif _is_users(evidence) and _IN_OUR_NAME.search(claim):
        yield _signal(pair, f"Only the user says so: “{said}”.")


def _unanswered(pair: Pair) -> Iterator[Signal]:
    """At most one `unanswered`, beside a passage whose best sentence is a question of yes or no.

    What its answer says in other words is for the entailment model, which reads no such question.
    """
    text, best = pair.evidence.reading.text, pair.evidence.best
    asked = best.of(text).strip()
    if only_asks(asked) and not is_answered(text[best.end :]):
        message = f"“{asked[:_LONGEST]}” only asks for it."
        yield Signal(UNANSWERED, Stance.UNSUPPORTED, _ASKED, message, None, best)


def _is_users(evidence: Evidence) -> bool:
    return evidence.source.lower().startswith(_USERS)


def _signal(pair: Pair, message: str) -> Signal:
    return Signal(KIND, Stance.UNSUPPORTED, _SURE, message, None, pair.evidence.best)
