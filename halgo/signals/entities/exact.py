"""Identifiers that the sources do not have: a telephone number, an address, a version, an option.

Nothing is forgiven of them: one digit exchanged is another number, however sure the entailment
model is of the rest. Where a sentence that has half of the claim's other words has another one of
its kind, that is the one meant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import zip_longest

from halgo.evidence.lexical import content_stems
from halgo.facts.identifiers import Identifier, identifiers
from halgo.protocols import Lexicon
from halgo.signals.quantities import versions
from halgo.signals.segments import SENTENCE, split, words_besides
from halgo.types import Corpus, Pair, Signal, Span, Stance

_NOWHERE, _ELSEWHERE, _OTHER, _AGREES = 0.8, 0.5, 0.75, 0.9
_SHARED = 0.5
_SUBJECTS = ("name", "option", "version")  # what entries of a reference, or of changes, are about
_ROW = " \N{EM DASH} "
_APART = re.compile(r"[,;()]|\b(?:or|and|but|while)\b")
_LONGEST_AHEAD = 40  # words
_FEWEST = 2  # of the claim's other words that are said of what is meant instead


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


def of_another(pairs: Sequence[Pair], _: Lexicon) -> list[list[Signal]]:
    """identifier_conflict: what the sources have for the claim's case is another of its kind.

    "On Windows it is in ~/.npm" beside "in ~/.npm on Posix, or in %AppData% on Windows": what a
    section says of the other has all of the claim's other words that it says of the claim's own
    anywhere, and more; but not many more, or the two are told of different things. For each of one
    claim's passages.
    """
    found: list[list[Signal]] = [[] for _ in pairs]
    claim = pairs[0].claim.text
    claimed = identifiers(claim)
    if not claimed:
        return found
    told = [(at, other, words) for at, pair in enumerate(pairs) for other, words in _said_of(pair)]
    for one in claimed:
        if one.kind in _SUBJECTS or sum(other.kind == one.kind for other in claimed) > 1:
            continue  # it may be what the rest is said of: an option, the machine of a part
        others = words_besides(claim, one.span)
        own = [(at, words & others) for at, other, words in told if one.agrees(other)]
        places = {_section(pairs[at]) for at, _ in own}
        for at, rival, words in told:
            there = words & others
            if (
                rival.kind == one.kind
                and _section(pairs[at]) in places
                and not any(mine.agrees(rival) for mine in claimed)
                and len(there) >= max(_FEWEST, _SHARED * len(others))
                and all(there > mine for _, mine in own)
                and 2 * max(len(mine) for _, mine in own) >= len(there)
            ):
                told_of = _conflict(pairs[at], one, rival)
                found[at].append(told_of)
                for place in sorted({place for place, _ in own} - {at}):
                    found[place].append(replace(told_of, evidence_span=None))
                return found
    return found


def _section(pair: Pair) -> tuple[str, str]:
    return pair.evidence.chunk.doc_id, pair.evidence.heading


def _said_of(pair: Pair) -> list[tuple[Identifier, frozenset[str]]]:
    """Each identifier of a passage with the words said of it: those of its sentence.

    Where that has several, what stands between two goes to either side of its comma or "or", and
    what a later one leaves out is said of it as well: "requests of tests go to A, others to B".
    """
    text = pair.evidence.reading.text
    held = identifiers(text)
    found: list[tuple[Identifier, frozenset[str]]] = []
    for sentence in split(SENTENCE, Span(0, len(text)), text):
        if _ROW in sentence.of(text):
            continue  # a row of a table has each under its column
        there = [one for one in held if sentence.start <= one.span.start < sentence.end]
        ahead = text[sentence.start : there[0].span.start].split() if there else []
        for one, after in zip_longest(there, there[1:]):
            between = text[one.span.end : after.span.start if after else sentence.end]
            apart = _APART.search(between) if after else None
            behind = between[: apart.start()] if apart else between
            found.append((one, content_stems(f"{' '.join(ahead)} {behind}")))
            ahead = _gapped(ahead, (between[apart.end() :] if apart else between).split())
    return found


def _gapped(ahead: Sequence[str], words: Sequence[str]) -> list[str]:
    """What is said ahead of a later one of a list, with what it leaves out (gapping, Ross 1970).

    "those for disputes to" behind "webhooks for refunds go to" is "webhooks for disputes go to".
    """
    if not words:
        return list(ahead)
    first, second = ahead[-_LONGEST_AHEAD:], words[-_LONGEST_AHEAD:]
    ours, theirs = ([word.lower() for word in some] for some in (first, second))
    told: list[str] = []
    for tag, a, b, c, d in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if tag == "equal":
            told += second[c:d]
        elif content_stems(" ".join(second[c:d])):
            told += [*second[c:d], *first[a + d - c : b]]
        else:  # "those" stands for what it replaces
            told += first[a:b]
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
