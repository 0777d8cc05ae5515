"""A claim that states several facts -> its parts, each of which can be checked by itself.

"The Basic plan costs 9 EUR and the Pro plan 19 EUR" is one claim, and no passage need hold both
prices. Its parts are its clauses (`clause_splitting.py`); where the second has no verb of its own,
as here, it gets that of the first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from halgo.claims.clause_splitting import Clause, clauses
from halgo.claims.extract import glued
from halgo.types import Claim, Span

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_SUBJECTS = ("nsubj", "nsubjpass")
_DIVIDES = re.compile(r"(?:,\s+(?:and|but|while|whereas)|[,;]|\s(?:and|but|while|whereas))\s+")
_LONGEST_SUBJECT = 8  # tokens
_VERBS = ("VERB", "AUX")


def may_divide(claim: Claim) -> bool:
    """Whether anything in the claim could divide two clauses; without it no parse is needed."""
    return _DIVIDES.search(claim.text) is not None


def parts_of(claim: Claim, doc: Doc, amounts: Sequence[Span]) -> list[Claim]:
    """The parts of a claim in order, each with its id, kind and a reading of its own.

    doc: the parse of `claim.text`; amounts: where its amounts and dates stand. Empty when the
    claim hangs together.
    """
    found = clauses(doc) or gapped(doc, amounts)
    return [part(claim, clause) for clause in found]


def gapped(doc: Doc, amounts: Sequence[Span]) -> list[Clause]:
    """The clauses of "A costs 9 EUR, B 19 EUR and C 29 EUR": what they share is the verb.

    Empty unless each amount but the first has a subject of its own right before it.
    """
    text = doc.text
    end = len(text.rstrip(" .!"))
    if len(amounts) < 2:
        return []
    subject = next((t for t in doc if t.dep_ in _SUBJECTS and t.idx < amounts[0].start), None)
    if subject is None:
        return []
    last = subject.right_edge
    first = Span(last.idx + len(last.text), amounts[0].start)
    verb = trimmed(text, first)
    if not len(verb) or not any(t.pos_ in _VERBS for t in _tokens(doc, verb)):
        return []
    starts: list[tuple[Span, int]] = []  # each further subject, and where the clause before ends
    for before, after in pairwise(amounts):
        divided = _DIVIDES.search(text, before.end, after.start)
        if divided is None:
            return []
        own = _without_preposition(doc, Span(divided.end(), after.start), verb)
        if own is None:
            return []
        starts.append((own, divided.start()))
    stops = [stop for _, stop in starts] + [end]
    whole = Span(0, stops[0])
    found = [Clause((whole,), whole)]
    for (own, _), amount, stop in zip(starts, amounts[1:], stops[1:], strict=True):
        found.append(Clause((own, verb, Span(amount.start, stop)), Span(own.start, stop)))
    return found


def _without_preposition(doc: Doc, place: Span, verb: Span) -> Span | None:
    """The subject in `place`, less a preposition that the verb has too; None where it is none."""
    tokens = _tokens(doc, place)
    shared = _tokens(doc, verb)[-1].lower_
    if tokens and tokens[-1].pos_ == "ADP" and tokens[-1].lower_ == shared:
        tokens.pop()
    nouns = [token for token in tokens if token.pos_ in ("NOUN", "PROPN")]
    other = [token for token in tokens if token.pos_ in (*_VERBS, "ADP", "SCONJ", "PUNCT", "NUM")]
    if not nouns or other or len(tokens) > _LONGEST_SUBJECT:
        return None
    return Span(tokens[0].idx, tokens[-1].idx + len(tokens[-1].text))


def _tokens(doc: Doc, span: Span) -> list[Token]:
    return [t for t in doc if span.start <= t.idx < span.end and not t.is_space]


def trimmed(text: str, span: Span) -> Span:
    """A stretch of a text without the blanks at its ends."""
    body = span.of(text)
    start = span.start + len(body) - len(body.lstrip())
    return Span(start, max(start, span.start + len(body.rstrip())))


def part(claim: Claim, clause: Clause) -> Claim:
    """A clause of a claim as a claim of its own."""
    reading = glued(claim.reading, clause.parts)
    return replace(
        claim, text=reading.text, reading=reading, resolved=_resolved(claim, reading.text)
    )


def _resolved(claim: Claim, part: str) -> str:
    """The part with what the claim's leading "It" refers to in its place, where it has it too."""
    text, resolved = claim.text, claim.resolved
    same = 0
    while same < min(len(text), len(resolved)) and text[-1 - same] == resolved[-1 - same]:
        same += 1
    said, meant = text[: len(text) - same], resolved[: len(resolved) - same]
    return meant + part[len(said) :] if said and part.startswith(said) else part
