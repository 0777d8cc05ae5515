"""Failed results: "I sent the email" beside what a tool returned, "ok: false; error: mailbox full".

A result that says it failed is no ground for what was to be done, however much its other fields
sound like it: they repeat what was asked for.
"""

from __future__ import annotations

import re

from halgo.signals.records.fields import NO_VALUE, of_record, place_of
from halgo.signals.records.statuses import NOT_YET, STATE
from halgo.types import Pair, Signal, SourceKind, Span, Stance

_FAILED = 0.8
_DONE = frozenset({"ok", "success", "successful", "succeeded"})
_ERRORS = frozenset({"error", "errors", "exception", "failure"})
_FAILURES = frozenset({"error", "failed", "failure", "rejected", "declined", "denied"})
_NO = frozenset({"false", "no", "0"})
# No deeds: what the speaker found out, wanted or was.
_LOOKED = frozenset(
    {"be", "have", "look", "check", "find", "see", "call", "receive", "get", "need"}
)
# What speaks of the failure itself.
SAYS_SO = re.compile(
    r"\b(?:not|no|never|unable|cannot|fail\w*|error\w*|declin\w*|reject\w*|refus\w*|denied|blocked"
    r"|tried|try|attempt\w*|unsuccessful\w*|insufficient|invalid|unavailable|timed out|problem\w*"
    r"|issue\w*)\b|n['\u2019]t\b",
    re.IGNORECASE,
)


def conflicts(pair: Pair) -> list[Signal]:
    """word_conflict signals, at most one: the claim tells as done what the result says failed."""
    if pair.evidence.kind is not SourceKind.TOOL:
        return []
    claim = pair.claim.text
    failed = next(filter(_tells_failure, of_record(pair)), None)
    said = None if failed is None or SAYS_SO.search(claim) else _deed(pair)
    if failed is None or said is None:
        return []
    key, value = failed
    message = f'The result says that this failed: "{key}: {value}".'
    place = place_of(pair.evidence.reading.text, value)
    values = (said.of(claim), f"{key}: {value}")
    return [Signal("word_conflict", Stance.CONTRADICTS, _FAILED, message, said, place, values)]


def _tells_failure(field: tuple[str, str]) -> bool:
    key, value = field[0].rpartition(" ")[2], field[1].lower()
    if key in STATE:
        return value in _FAILURES
    counted = key == "errors" and value.isdecimal()  # of so many requests
    return (key in _DONE and value in _NO) or (
        key in _ERRORS and value not in NO_VALUE | _NO and not counted
    )


def _deed(pair: Pair) -> Span | None:
    """What the claim says that the speaker did, or that was done."""
    for said in pair.claim_facts.predicates:
        done = said.subject in ("i", "we") or (not said.subject and said.object)
        if done and not said.negated and said.frame not in NOT_YET and said.lemma not in _LOOKED:
            return said.span
    return None
