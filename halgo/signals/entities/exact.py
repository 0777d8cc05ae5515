"""Identifiers that the sources do not have: a telephone number, an address, a version, an option.

Nothing is forgiven of them: one digit exchanged is another number, however sure the entailment
model is of the rest. Where a sentence that has half of the claim's other words has another one of
its kind, that is the one meant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from halgo.evidence.lexical import content_stems
from halgo.facts.identifiers import Identifier, identifiers
from halgo.signals.quantities import versions
from halgo.signals.segments import SENTENCE, split, words_besides
from halgo.types import Corpus, Pair, Signal, Span, Stance

_NOWHERE, _ELSEWHERE, _OTHER, _AGREES = 0.8, 0.5, 0.75, 0.9
_SHARED = 0.5


def signals(pair: Pair, corpus: Corpus) -> list[Signal]:
    """Of each `identifier_agrees`, or where the passage lacks it that it does, or has another."""
    claimed = identifiers(pair.claim.text)
    if not claimed:
        return []
    text = pair.evidence.reading.text
    held = identifiers(text)
    sentences = list(split(SENTENCE, Span(0, len(text)), text))
    rivals = [
        (other, next(at for at, part in enumerate(sentences) if part.end > other.span.start))
        for other in held
        if not any(one.agrees(other) for one in claimed)
    ]
    told = []
    for one in claimed:
        if _holds(text, held, pair.claim.text, one):
            told += [_agreed(pair, one)] if one.telling else []
        elif _is_over(pair, one) or _lies_beside(pair, one):
            continue
        elif signal := _missing(pair, one, rivals, sentences, corpus):
            told.append(signal)
    return told


def _holds(text: str, held: tuple[Identifier, ...], claim: str, one: Identifier) -> bool:
    """Whether a passage has an identifier, as it stands or in another form."""
    if any(one.agrees(other) for other in held):
        return True
    if one.kind == "link":  # a longer one is another page; "Allrecipes" is also Allrecipes.com
        site = one.key.partition(".")[0]
        return "/" not in one.key and site in re.sub(r"[\s-]", "", text.lower())
    if one.kind == "request" and all(other.kind != "request" for other in held):
        method, _, path = one.key.partition(" ")  # in columns of their own: "GET | /users"
        return method in text and path.partition("{")[0].rstrip("/") in text.lower()
    written = re.escape(one.span.of(claim))
    return re.search(rf"(?<![\w-]){written}(?![\w-])", text, re.IGNORECASE) is not None


def _is_over(pair: Pair, one: Identifier) -> bool:
    """Whether a heading over the passage has it: "TK-550 Manual" is what all its sentences mean."""
    return any(_holds(over, identifiers(over), pair.claim.text, one) for over in pair.evidence.over)


def _lies_beside(pair: Pair, one: Identifier) -> bool:
    """Whether it is a version that lies within the bounds of the passage, or outside of them."""
    beside = versions.case(pair) if one.kind == "version" else None
    return beside is not None and beside.span.overlaps(one.span)


def _agreed(pair: Pair, one: Identifier) -> Signal:
    message = f"The source has {one.span.of(pair.claim.text)}."
    return Signal("identifier_agrees", Stance.SUPPORTS, _AGREES, message, one.span)


def _conflict(pair: Pair, one: Identifier, other: Identifier) -> Signal:
    ours, theirs = one.span.of(pair.claim.text), other.span.of(pair.evidence.reading.text)
    message = f"The claim says {ours}; the source says {theirs}."
    return Signal(
        "identifier_conflict",
        Stance.CONTRADICTS,
        _OTHER,
        message,
        one.span,
        other.span,
        (ours, theirs),
    )


def _missing(
    pair: Pair,
    one: Identifier,
    rivals: Sequence[tuple[Identifier, int]],
    sentences: Sequence[Span],
    corpus: Corpus,
) -> Signal | None:
    """What is told of an identifier that the passage lacks; nothing of a short code by itself."""
    claim, text = pair.claim.text, pair.evidence.reading.text
    written = one.span.of(claim)
    like = [
        other
        for other, at in rivals
        if other.kind == one.kind
        and (one.telling or _letters(other.key) == _letters(one.key))
        and (one.kind != "name" or _shape(one, claim) == _shape(other, text))
        and _shared(pair, one.span, sentences[at]) >= _SHARED
    ]
    # Two releases or two orders may be told of in one claim, each in a passage of its own.
    known = _is_known(written.lower(), corpus)
    if one.kind == "version":  # "v2.14.3" is 2.14.3; what has its parts alone is another one
        known = one.key in corpus.terms or f"v{one.key}" in corpus.terms
    elsewhere = known and one.kind in ("code", "version")
    if one.kind == "request":  # what else is asked of the same path
        like = [r for r, _ in rivals if _path(r) == _path(one)][:1]
    if len(like) == 1 and not elsewhere:
        return _conflict(pair, one, like[0])
    if not one.telling:
        return None
    where = "This passage does not mention" if known else "No source mentions"
    weight = _ELSEWHERE if known else _NOWHERE
    message = f'{where} "{written}".'
    return Signal("unsupported_identifier", Stance.UNSUPPORTED, weight, message, one.span)


def _path(one: Identifier) -> str:
    """The path of a request; "" of any other identifier."""
    return one.key.partition(" ")[2] if one.kind == "request" else ""


def _letters(key: str) -> str:
    return key.rstrip("0123456789")


def _shape(one: Identifier, text: str) -> tuple[bool, bool]:
    """How a name is formed: whether with digits, and in capitals. `py_01` is no `list_payments`."""
    written = one.span.of(text)
    return any(map(str.isdigit, written)), written.isupper()


def _shared(pair: Pair, ours: Span, sentence: Span) -> float:
    """The share of the claim's other words that a sentence has."""
    others = words_besides(pair.claim.text, ours)
    held = content_stems(sentence.of(pair.evidence.reading.text))
    return len(others & held) / len(others) if others else 0.0


def _is_known(written: str, corpus: Corpus) -> bool:
    """Whether some document has it, or all its parts."""
    parts = {part for part in re.split(r"\W+", written) if part}
    return written in corpus.terms or parts <= corpus.terms
