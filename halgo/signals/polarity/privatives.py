"""Privatives: "the paint contains lead" beside "the paint is lead-free", "free from lead".

Such words deny without a "not", and hold the very word that they deny. What a sentence says its
subject is free of, a claim may not say that it has; nor may a claim call free of something what the
sentence says that it contains.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

from halgo.evidence.lexical import content_stems, stems
from halgo.facts.words import words
from halgo.signals.records.yes_no import DENIED
from halgo.types import Pair, Signal, Span, Stance

_TOLD = 0.75
_SHARED = 0.6  # of the claim's other words, which the sentence has to hold
# "lead-free", "lead- and cadmium-free", "seedless"
_COMPOUND = re.compile(
    r"\b(?:(?P<first>\w{2,})-,? (?:and|or) )?(?P<word>\w{2,})[-‐]free\b"
    r"|\b(?P<less>(?!un|regard|neverthe|nonethe|count|price|end|time)\w{3,})less\b",
    re.IGNORECASE,
)
_FREE_OF = re.compile(
    r"\bfree (?:of|from)\s+(?P<list>[^.;:()!?]{2,80}?)"
    r"(?=\s(?:whatever|whichever|no matter|regardless|irrespective|if|when|unless|until"
    r"|as long as)\b|[.;:()!?]|$)",
    re.IGNORECASE,
)
# "Batteries are sold separately."
_APART = re.compile(
    r"(?:^|[.;:,]\s)(?P<things>[^.;:,]{2,60}?)\s(?:is|are)\s(?:sold|available|supplied|bought|charged)"
    r"\sseparately\b|(?:^|[.;:,]\s)(?P<left>[^.;:,]{2,60}?)\s(?:is|are)\s(?:not|never)\s(?:included|supplied)\b",
    re.IGNORECASE,
)
_PART = re.compile(r",\s*(?:and|or)?\s*|\s+(?:and|or|nor)\s+", re.IGNORECASE)
_MOST_PARTS, _LONGEST_PART = 5, 3
# Verbs by which a thing has another, "contains", "is made with"; which of them says nothing.
_HAVING = frozenset(
    stem
    for word in words(
        "contain contains contained containing include includes included made make comes come use "
        "uses used find found hold holds carry carries feature features all any some"
    )
    for stem in stems(word)
)
_HAS = re.compile(
    r"\b(?:contain|include|has|have|had|with|made of|made from|there (?:is|are|was|were)|uses?)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[;:.,]\s")
_MOST = 6

_Lacked = tuple[tuple[str, Span], ...]


def signals(pair: Pair) -> list[Signal]:
    """At most one negation signal: the claim has what the best sentence lacks, or the reverse."""
    claim, best = pair.claim.text, pair.evidence.best
    sentence = best.of(pair.evidence.reading.text)
    ours, theirs = _lacked(claim), _lacked(sentence)
    if bool(ours) == bool(theirs) or (theirs and DENIED.search(claim)):
        return []
    found = _lacking_there(claim, sentence, theirs) if theirs else _having(claim, sentence, ours)
    return list(islice((_signal(claim, sentence, best, *places) for places in found), 1))


def _lacking_there(claim: str, sentence: str, theirs: _Lacked) -> Iterator[tuple[Span, Span]]:
    """What the claim says is there and the sentence that it is not: where in either."""
    for stem, place in theirs[:_MOST]:
        asserted = _outside(claim, stem, ())
        if asserted is None or _outside(sentence, stem, theirs) is not None:
            continue
        if _about(claim, (asserted,), sentence):
            yield asserted, place


def _having(claim: str, sentence: str, ours: _Lacked) -> Iterator[tuple[Span, Span]]:
    """What the claim says is not there and the sentence that it is: where in either."""
    for stem, place in ours[:_MOST]:
        asserted = _outside(sentence, stem, ())
        if asserted is None or not _has(sentence, asserted):
            continue
        if _about(claim, [span for _, span in ours], sentence):
            yield place, asserted


def _signal(claim: str, sentence: str, best: Span, ours: Span, theirs: Span) -> Signal:
    values = (ours.of(claim), theirs.of(sentence))
    message = f'The claim says "{values[0]}"; the source says "{values[1]}".'
    span = Span(best.start + theirs.start, best.start + theirs.end)
    return Signal("negation", Stance.CONTRADICTS, _TOLD, message, ours, span, values)


@lru_cache(maxsize=4096)
def _lacked(text: str) -> _Lacked:
    """What a text says that something is free of: (stem, the words that say so)."""
    if not any(word in text for word in ("free", "less", "separately", "included", "supplied")):
        return ()
    found: list[tuple[str, Span]] = []
    for match in _APART.finditer(text):
        things = [stems(part)[-1:] for part in _PART.split(match["things"] or match["left"])]
        found += [(thing[0], Span(*match.span())) for thing in things[:_MOST_PARTS] if thing]
    for match in _COMPOUND.finditer(text):
        if _denied(text, match.start()):
            continue
        for name in ("first", "word", "less"):
            if match[name]:
                found += [(stem, Span(*match.span())) for stem in stems(match[name])]
    for match in _FREE_OF.finditer(text):
        if _denied(text, match.start()):
            continue
        start, heads = match.start("list"), []
        for part in [*_PART.finditer(match["list"]), None][:_MOST_PARTS]:
            stop = match.start("list") + part.start() if part else match.end("list")
            held = stems(text[start:stop])
            # "free from nuts and easy to digest": what is no noun alone is something else
            if not held or len(held) > _LONGEST_PART:
                break
            heads.append(held[-1])
            end = stop
            start = match.start("list") + part.end() if part else stop
        found += [(head, Span(match.start(), end)) for head in heads]
    return tuple(found)


def _denied(text: str, at: int) -> bool:
    """Whether the clause denies it before: what "is not free of gluten" lacks nothing."""
    return bool(DENIED.search(text, _clause_start(text, at), at))


def _clause_start(text: str, at: int) -> int:
    return max((match.end() for match in _CLAUSE.finditer(text, 0, at)), default=0)


def _about(claim: str, told: Sequence[Span], sentence: str) -> bool:
    """Whether the sentence holds what else the claim speaks of; "contains" is nothing else."""
    for span in sorted(set(told), reverse=True):
        claim = f"{claim[: span.start]} {claim[span.end :]}"
    others = content_stems(claim) - _HAVING
    return len(others & frozenset(stems(sentence))) >= _SHARED * len(others)


def _outside(text: str, stem: str, lacked: _Lacked) -> Span | None:
    """Where a text has the word other than as what something is free of."""
    for match in re.finditer(r"[^\W_]+", text):
        place = Span(*match.span())
        if stem in stems(match.group()) and not any(place.overlaps(span) for _, span in lacked):
            return place
    return None


def _has(sentence: str, place: Span) -> bool:
    """Whether the clause says that something has the word at `place`, and denies nothing."""
    end = _CLAUSE.search(sentence, place.end)
    start = _clause_start(sentence, place.start)
    clause = sentence[start : end.start() if end else len(sentence)]
    return bool(_HAS.search(clause)) and not DENIED.search(clause)
