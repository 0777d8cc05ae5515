"""Yes/no answers: "refunds are offered" beside "Do you offer refunds? No, we do not".

In a list of questions and answers a passage has the claim's words in its question, and what is said
of them in the first word of the answer. A question by itself says nothing, so what its answer
contradicts is wrong beside every passage of the document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from halgo.evidence.lexical import content_stems
from halgo.protocols import Lexicon
from halgo.signals.records.yes_no import DENIED
from halgo.types import Pair, Signal, Span, Stance

_TOLD = 0.8
_SAID = 0.75  # share of the claim's words that question and answer hold, and of the question's
_ASKED = 0.6  # that the claim has
_FEWEST = 2  # words of the claim in the question
_LONGEST, _MOST = 4_000, 8
# A question that yes or no answers, and the answer's first sentences; marks of "Q:" and "A:" aside.
_ANSWERED = re.compile(
    r"(?P<asked>\b(?:is|are|was|were|am|do|does|did|can|could|may|must|will|would|should|has|have"
    r"|had|need|shall)(?! not\b|n['\u2019]t\b)\s[^.?!\n]{4,200}\?)[*_\s]*"
    r"(?:\bA(?:nswer)?[*_]*\s?[:.)][*_]*\s*)?"
    r"(?P<first>yes|no|certainly|of course|absolutely|not at all|never|unfortunately(?:,? not?)?)\b"
    r"(?P<rest>[^?]{0,240})",
    re.IGNORECASE,
)
_YES = ("yes", "certainly", "of course", "absolutely")
# What an answer may say as well: "Yes, with a card".
_LIMITED = re.compile(r"\b(?:but|unless|except|only|if|provided|however)\b", re.IGNORECASE)


def signals(pairs: Sequence[Pair], _: Lexicon) -> list[list[Signal]]:
    """For each of one claim's passages at most one: `negation`, or `yes_no_agrees`."""
    found = [list(islice(_told(pair), 1)) for pair in pairs]
    wrong = {
        pair.evidence.chunk.doc_id: signal
        for pair, told in zip(pairs, found, strict=True)
        for signal in told
        if signal.stance is Stance.CONTRADICTS
    }
    return [
        told or [replace(wrong[doc_id], evidence_span=None)] if doc_id in wrong else told
        for told, doc_id in zip(found, (pair.evidence.chunk.doc_id for pair in pairs), strict=True)
    ]


def _told(pair: Pair) -> Iterator[Signal]:
    claim, text = pair.claim.text, pair.evidence.reading.text[:_LONGEST]
    said = content_stems(claim)
    if "?" not in text or len(said) < _FEWEST or _LIMITED.search(claim):
        return
    denied = bool(DENIED.search(claim))
    for match in islice(_ANSWERED.finditer(text), _MOST):
        asked = content_stems(match["asked"])
        both = asked | content_stems(match["rest"])
        shared = _share(said, asked)
        if (
            shared * len(said) < _FEWEST
            or _share(said, both) < _SAID
            or _share(asked, said) < _ASKED
        ):
            continue
        yes = match["first"].lower().startswith(_YES)
        agrees = yes != denied
        answer = Span(*match.span("first"))
        values = (claim, match["first"])
        if agrees:
            message = f'The source answers "{match["first"]}" to this question.'
            yield Signal("yes_no_agrees", Stance.SUPPORTS, _TOLD, message, None, answer, values)
        else:
            message = f'To "{match["asked"]}" the source answers "{match["first"]}".'
            whole = Span(0, len(claim.rstrip(" .!")))
            yield Signal("negation", Stance.CONTRADICTS, _TOLD, message, whole, answer, values)


def _share(wanted: frozenset[str], held: frozenset[str]) -> float:
    """The share of the words that are among these, by their first letters."""
    known = {word[:6] for word in held}
    return sum(word[:6] in known for word in wanted) / len(wanted) if wanted else 0.0
