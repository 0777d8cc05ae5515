"""Modal strength: what must, always, never or surely is so, of documents that say no such thing.

A strong operator has to be licensed: "members must take a locker" says more than "members choose
between a locker and a shelf", though every word of it is held. A word of its family anywhere in
the documents licenses it, for what a rule says of one thing it may well mean of another; and so
does a passage that tells what the claim says must be: "guests use the side entrance" (Kratzer 1981
on modal force; the scale of Horn 1972). Nor is a duty what the very sentence calls voluntary or
optional, and the other way round. Standards write the level of a
requirement in capitals (RFC 2119, RFC 8174): there "must" is another level than SHOULD, which is
another than MAY.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from halgo.evidence.lexical import content_stems, is_common, stems
from halgo.facts.words import lines, words
from halgo.protocols import Lexicon
from halgo.signals.matching import said_alike
from halgo.signals.segments import CLAUSE, contradiction, split, words_besides
from halgo.types import Corpus, Pair, Quantity, Signal, Span, Stance

_WEIGHT = 0.6
_LONGEST = 2_000  # characters of a claim
_MOST_PREDICATES = 160
_NECESSITY = "necessity"
_KINDS = {_NECESSITY: "modality", "certainty": "modality", "always": "quantifier",
          "never": "quantifier"}  # fmt: skip
# "Do not have to", "need not always", "almost never"; a guess at what was: "must have been".
_DENIED = re.compile(
    r"(?:\b(?:not|never|no|nor|nobody|without|almost|nearly|hardly)|n['’]t)\s+(?:\w+\s+)?$", re.I
)
# "A child who must avoid eggs": of whom it is said, and not what is said.
_WHOM = re.compile(r"[^\s,]\s+(?:who|whom|that|which)\s+$", re.IGNORECASE)
_EXACT = re.compile(r"\b(?:exactly|precisely)\s", re.IGNORECASE)
_MOST_EXACT = 8
_ABOUT = 0.03  # how near the amounts are that a claim may have rounded or converted
# What follows one of these is no duty: "the museum suggests that visitors book".
_SOFT = words("suggest recommend advise encourage invite offer propose allow permit enable")
_GUESS = re.compile(r"must\s+have\s+(?:been|\w+ed)\b", re.IGNORECASE)


# What is left to whom it concerns, and what is not.
_FREE = re.compile(
    r"\b(?:voluntary|voluntarily|optional|optionally|discretionary|recommended|advisable|advised"
    r"|encouraged|at (?:its|his|her|their|your|our|the \w+['’]s) (?:own |sole )?discretion)\b",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"\b(?:must|shall|has to|have to|had to|required|requires|mandatory|compulsory|obligatory"
    r"|obliged|insists?)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[;:]\s|,\s(?:and|but|while|whereas)\s", re.IGNORECASE)
_NOT = re.compile(r"\b(?:not|no|never|nobody|none|without|need)\b|n['’]t\b", re.IGNORECASE)
# The levels of requirement, as standards write them and as claims tell them, the lowest first.
_LEVELS = (
    (r"MAY(?! NOT\b)|OPTIONAL", r"may(?! not\b)|can(?! ?not\b)|optional|need not"),
    (r"SHOULD|RECOMMENDED", r"should|ought to|(?:is|are) recommended"),
    (
        r"MUST|SHALL|REQUIRED",
        r"must|shall|(?:has|have) to|(?:is|are) (?:required|mandatory|obliged|compulsory)|requires?"
        r"|(?:may|can ?)not|(?:is|are) (?:not allowed|forbidden|prohibited)",
    ),
)
_WRITTEN = re.compile("|".join(rf"\b(?P<at{i}>{one})\b" for i, (one, _) in enumerate(_LEVELS)))
_TOLD_AS = re.compile(
    "|".join(rf"\b(?P<at{i}>{one})\b" for i, (_, one) in enumerate(_LEVELS)), re.IGNORECASE
)
_LEVEL_PART = re.compile(rf"{_CLAUSE.pattern}|\s(?:and|but)\s(?=(?:MUST|SHALL|SHOULD|MAY)\b)")
_FORBIDS = re.compile(r"\b(?:not|never|cannot|forbidden|prohibited)\b|n['’]t\b", re.IGNORECASE)
# What comes with a delay, told as coming at once.
_AT_ONCE = re.compile(
    r"\b(?:immediately|instantly|at once|(?:right|straight) ?away|without delay)\b", re.IGNORECASE
)
_AFTER = re.compile(r"\bafter\s(?:\w+\s){0,2}$", re.IGNORECASE)
_LATER = re.compile(r"\b(?:after|then|later|before|until)\b", re.IGNORECASE)
_TIMES = ("second", "month")
_SHARED = 0.5  # of the claim's words that the sentence has
_OPPOSED = 0.65


@dataclass(frozen=True)
class _Family:
    said: re.Pattern[str]  # by a claim
    licences: frozenset[str]  # words of documents


def signals(pair: Pair, corpus: Corpus, lexicon: Lexicon) -> Iterator[Signal]:
    """At most one signal for each family of operators: no document licenses it."""
    claim = pair.claim.text[:_LONGEST]
    for name, found in _said(claim):
        if any(word in corpus.terms for word in _families()[name].licences):
            continue
        if name == _NECESSITY and (
            _GUESS.match(claim, found.start()) or _told(pair, found, lexicon)
        ):
            continue
        span = Span(*found.span())
        message = f'The claim says "{span.of(claim)}"; no source says as much.'
        yield Signal(_KINDS[name], Stance.UNSUPPORTED, _WEIGHT, message, span)
    yield from _exactly(pair, claim)
    yield from _opposed(pair, claim)
    yield from _other_level(pair, claim)
    yield from _at_once(pair, claim)


@lru_cache(maxsize=64)  # a claim is held against several passages
def _said(claim: str) -> tuple[tuple[str, re.Match[str]], ...]:
    """The families of which the claim has an operator, each with its first."""
    told = ((name, family.said.search(claim)) for name, family in _families().items())
    return tuple(
        (name, found)
        for name, found in told
        if found is not None
        and not _DENIED.search(claim, 0, found.start())
        and not _WHOM.search(claim, 0, found.start())
    )


def _opposed(pair: Pair, claim: str) -> Iterator[Signal]:
    """A duty beside what the best sentence leaves open, or the other way round."""
    text, ours = pair.evidence.reading.text, _force(claim)
    if ours is None:
        return
    said = words_besides(claim, ours[1])
    over = said & content_stems(" ".join(pair.evidence.over))
    parts = list(split(_CLAUSE, pair.evidence.best, text))
    part = max(parts, key=lambda part: len(said & content_stems(part.of(text))))
    held = said & content_stems(part.of(text))
    if not held or len(held | over) < _SHARED * len(said):
        return
    theirs = _force(part.of(text))
    if theirs is None or ours[0] == theirs[0]:
        return
    for other in parts:  # "note is optional; amount is required"
        beside = other.of(text) if other != part else ""
        force = _force(beside) if said & content_stems(beside) else None
        if force is not None and force[0] == ours[0]:
            return
    yield contradiction(pair, "modality", _OPPOSED, ours[1], theirs[1].shift(part.start))


def _other_level(pair: Pair, claim: str) -> Iterator[Signal]:
    """Another level of requirement than the best sentence has in capitals."""
    text, best = pair.evidence.reading.text, pair.evidence.best
    if not _WRITTEN.search(text, best.start, best.end):
        return
    ours = _level(_TOLD_AS, claim)
    if ours is None:
        return
    said = words_besides(claim, ours[1])
    parts = list(split(_LEVEL_PART, best, text))
    part = max(parts, key=lambda part: len(said & content_stems(part.of(text))))
    theirs = _level(_WRITTEN, part.of(text))
    behind = [stem for stem in stems(claim[ours[1].end :]) if not is_common(stem)]
    if behind and behind[0] not in stems(part.of(text)):
        return  # the level of something else: "MUST discard" beside "should log"
    shared = len(said & content_stems(best.of(text)))
    if theirs is None or ours[0] == theirs[0] or shared < _SHARED * len(said):
        return
    if bool(_FORBIDS.search(claim)) != bool(_FORBIDS.search(part.of(text))):
        return  # what is forbidden and what is not: told by the predicates
    yield contradiction(pair, "modality", _OPPOSED, ours[1], theirs[1].shift(part.start))


def _at_once(pair: Pair, claim: str) -> Iterator[Signal]:
    """What the best sentence tells after some time, told as coming at once."""
    found, text, best = _AT_ONCE.search(claim), pair.evidence.reading.text, pair.evidence.best
    said = best.of(text)
    if found is None or _DENIED.search(claim, 0, found.start()) or _AT_ONCE.search(said):
        return
    amounts = pair.evidence_facts.quantities
    length = next((q for q in amounts if q.unit in _TIMES and q.span.overlaps(best)), None)
    if length is None or pair.claim_facts.quantities:  # "40 items at once"
        return
    clauses = split(CLAUSE, Span(0, len(claim)), claim)
    mine = next(one.of(claim) for one in clauses if one.start <= found.start() < one.end)
    ours = content_stems(mine) - content_stems(found[0])
    held = ours & content_stems(said)
    if len(held) >= _SHARED * len(ours) and _comes_later(
        held, said, length.span.shift(-best.start)
    ):
        yield contradiction(pair, "modality", _OPPOSED, Span(*found.span()), length.span)


def _comes_later(held: frozenset[str], said: str, length: Span) -> bool:
    """Whether a sentence tells of these words that they come after a length of time."""
    for part in split(_CLAUSE, Span(0, len(said)), said):
        # "It goes to the trash, and after 30 days it is erased": the trash comes first.
        if held <= content_stems(part.of(said)) and not part.overlaps(length):
            return False
    if _AFTER.search(said, 0, length.start) or _LATER.match(said, length.end + 1):
        return True
    mark = _LATER.search(said, length.end)
    behind = content_stems(said[mark.end() :]) if mark else frozenset()
    return bool(mark and held & behind - content_stems(said[: mark.start()]))


def _level(pattern: re.Pattern[str], text: str) -> tuple[int, Span] | None:
    """The one level of requirement that a text tells, from 0, and where; None for none or two."""
    found = list(islice(pattern.finditer(text), _MOST_EXACT))
    levels = {int((one.lastgroup or "")[-1:]) for one in found}
    return (levels.pop(), Span(*found[0].span())) if len(levels) == 1 else None


@lru_cache(maxsize=64)
def _force(text: str) -> tuple[bool, Span] | None:
    """Whether a text binds or leaves free, and by which words; None for neither, or both."""
    free, bound = _FREE.search(text), _BOUND.search(text)
    found = bound or free
    # "Who are not employed have to sign" is of others.
    if found is None or (free and bound) or _NOT.search(text):
        return None
    return bound is not None, Span(*found.span())


def _exactly(pair: Pair, claim: str) -> Iterator[Signal]:
    """An amount told to be exact where the passage gives it about, or another one near it."""
    for found in islice(_EXACT.finditer(claim), _MOST_EXACT):
        mine = next((q for q in pair.claim_facts.quantities if q.span.start >= found.end()), None)
        if mine is None or mine.span.start > found.end() + 1:
            continue
        near = [other for other in pair.evidence_facts.quantities if _near(mine, other)]
        if near and not any(other.low == mine.low and not other.approximate for other in near):
            shown = near[0].span.of(pair.evidence.reading.text)
            span = Span(found.start(), mine.span.end)
            message = f'The claim says "{span.of(claim)}"; the source says "{shown}".'
            yield Signal("modality", Stance.UNSUPPORTED, _WEIGHT, message, span, near[0].span)


def _near(mine: Quantity, other: Quantity) -> bool:
    same = mine.unit == other.unit and mine.low == mine.high and other.low == other.high
    return same and math.isclose(mine.low, other.low, rel_tol=_ABOUT)


def _told(pair: Pair, operator: re.Match[str], lexicon: Lexicon) -> bool:
    """Whether the passage tells what the claim says must be.

    Taggers take many a verb for a noun ("Guests use"), so the word alone is enough.
    """
    mine = next((p for p in pair.claim_facts.predicates if p.span.start >= operator.end()), None)
    if mine is None:
        return False
    facts = pair.evidence_facts
    said = facts.predicates[:_MOST_PREDICATES]
    if any(other.frame == "must" for other in said):  # "riders have to"
        return True
    if any(other.lemma in _SOFT for other in said):
        return False
    return any(term.lemma == mine.lemma for term in facts.terms) or any(
        said_alike(mine, other, lexicon) == 1 for other in said
    )


@lru_cache(maxsize=1)
def _families() -> dict[str, _Family]:
    said: dict[str, list[str]] = {name: [] for name in _KINDS}
    licences: dict[str, list[str]] = {name: [] for name in _KINDS}
    for line in lines("strength"):
        name, mark, some = re.split(r"([|<])", line, maxsplit=1)
        phrases = [phrase.strip() for phrase in some.split(",")]
        (said if mark == "|" else licences)[name.strip()] += phrases
    return {
        name: _Family(
            re.compile(rf"\b(?:{'|'.join(map(re.escape, said[name]))})\b", re.IGNORECASE),
            frozenset(licences[name]),
        )
        for name in _KINDS
    }
