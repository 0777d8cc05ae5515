"""Passages of a claim -> the sentences that decide it, and the passages that hold them, first.

Re-ranking, the stage behind retrieval, for what a reader is shown: no verdict depends on it. Each
sentence is aligned with the claim: the words that it holds as they are or by a synonym, and the
amounts, dates and names that a detector found there in other words. The sentence with most of the
claim comes first; a clause of the claim that it says little of brings in the best one for that
clause. Where a signal decided, the sentence is the one that the signal points to.

Asking the entailment model about each sentence by itself was tried: of 100 claims it put the
deciding sentence first in 56, the alignment in 91, and both together in no more.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from halgo.evidence.lexical import is_common, stems
from halgo.signals.passages import ByIdentity
from halgo.types import (
    Assessment,
    Chunk,
    Evidence,
    Facts,
    Pair,
    Sentence,
    Signal,
    Span,
    Stance,
    Verdict,
)
from halgo.verdict.scoring import SYNONYM_CREDIT, Words

if TYPE_CHECKING:
    from halgo.evidence.index import Index
    from halgo.protocols import Lexicon
    from halgo.verdict.rules import Decision

# Sentences that a reader still compares with a claim.
MOST = 3
# A clause brings in a sentence that adds one of its words, and this share of them; for a verb the
# sentence holds so many words of the claim, so that it is about the same thing.
_ADDS, _NEAR, _ELSEWHERE, _BESIDE = 1.0, 0.15, 0.4, 2.0
_LETTERS = 6  # of a stem
_AGREES = 0.4  # "at least €49" only leaves room for "€175"
_PREDICATES = 20  # of a claim
_RARE = 2.0  # what a word counts more that no other sentence of the passages has
_NEARLY = 0.25  # a passage much further off the subject than another shares words with it, no more
# A word counts for less by a synonym than the same word in another sentence.
_BY_SYNONYM = 0.4
_CLAUSE = re.compile(
    r"[;:,]\s+|\s(?:and|but|or|while|whereas|which|who|when|if|unless|because|since|although"
    r"|though|so|as|before|after)\s",
    re.IGNORECASE,
)
_AGAINST = (Stance.CONTRADICTS, Stance.UNSUPPORTED)
_LONGEST = 2000  # characters of a claim that are looked at
_GAP = 4  # characters between neighbours: spaces, a line break with the mark of a list


@dataclass(frozen=True, slots=True)
class Place:
    """A sentence of a document that bears on a claim.

    of_verb: it is there only for a verb of the claim, so it tells why the claim does not hold.
    """

    doc_id: str
    sentence: Sentence
    of_verb: bool = False

    def stands_in(self, chunk: Chunk) -> bool:
        """Whether a chunk holds it."""
        span = self.sentence.span
        here = chunk.doc_id == self.doc_id
        return here and chunk.span.start <= span.start and span.end <= chunk.span.end

    def touches(self, other: Place) -> bool:
        """Whether nothing but white space, or a few marks, stands between the two."""
        ours, theirs = self.sentence.span, other.sentence.span
        between = max(ours.start, theirs.start) - min(ours.end, theirs.end)
        return self.doc_id == other.doc_id and 0 <= between <= _GAP


@dataclass(frozen=True, slots=True)
class _Aligned:
    """A sentence with the words of the claim that it holds, each with how surely, in (0, 1]."""

    place: Place
    held: dict[str, float]

    def of(self, words: Sequence[str]) -> float:
        return sum([self.held[word] for word in words if word in self.held])

    def of_rare(self, rarity: Mapping[str, float]) -> float:
        # In the order of the claim: that of `held` is a set's, and sums of fractions depend on it.
        return sum([rare * self.held[word] for word, rare in rarity.items() if word in self.held])

    def beyond(self, known: Mapping[str, float], words: Sequence[str]) -> float:
        more = [self.held[word] - known.get(word, 0.0) for word in words if word in self.held]
        return sum([gain for gain in more if gain > 0.0])


def places(
    pairs: Sequence[Pair], signals: Sequence[Sequence[Signal]], index: Index, lexicon: Lexicon
) -> tuple[Place, ...]:
    """The sentences that together hold most of one claim, the fullest first; at most `MOST`.

    pairs: the claim beside its passages, best first; signals: those of each pair.
    """
    if not pairs:
        return ()
    claim, facts = pairs[0].claim, pairs[0].claim_facts
    text = claim.resolved[:_LONGEST]
    words = _words(text, facts)
    aligned = _aligned(pairs, signals, words, index, lexicon)
    spread = Counter(chain.from_iterable(one.held for one in aligned))
    rarity = {word: 1.0 / spread[word] for word in words if word in spread}
    chosen = [max(aligned, key=lambda one: one.of(words) + _RARE * one.of_rare(rarity))]
    clauses = [_telling(clause) for clause in _CLAUSE.split(text)]
    says = [_telling(said.span.of(claim.text)) for said in facts.predicates[:_PREDICATES]]
    # One word is enough of a neighbour only: "Hospitals, too, are bound by it".
    for at, asked in enumerate((*clauses, *says)):
        if len(chosen) == MOST:
            break
        mine = [word for word in asked if word in words]
        known = {w: max(one.held.get(w, 0.0) for one in chosen) for w in mine}
        gains = [one.beyond(known, mine) for one in aligned]
        gain, of_verb = max(gains), at >= len(clauses)
        if gain < max(_ADDS, _NEAR * len(mine)):
            continue
        most = [one for one, its in zip(aligned, gains, strict=True) if its == gain]
        added = max(most, key=lambda one: (one.of(mine), one.of(words)))
        near = any(added.place.touches(one.place) for one in chosen)
        # Of a neighbour a word is enough; of a sentence from elsewhere much of the clause.
        least = max(_ADDS, (_NEAR if near else _ELSEWHERE) * len(mine))
        if gain < least or (len(mine) < 2 and not of_verb and not near):
            continue
        if of_verb and not near and added.of(words) < _BESIDE:
            continue
        chosen.append(replace(added, place=replace(added.place, of_verb=of_verb)))
    return tuple(one.place for one in chosen)


def _words(text: str, facts: Facts) -> tuple[str, ...]:
    """What is looked for: telling words, and for each date a mark of its own.

    The words and figures of a date stand in many another date.
    """
    dates = {stem for date in facts.dates for stem in _telling(date.span.of(text))}
    marks = (_mark(date.span) for date in facts.dates)
    return (*(stem for stem in _telling(text) if stem not in dates), *marks)


def _mark(span: Span) -> str:
    return f"{span.start} {span.end}"  # with a space, so that it is no stem


def _aligned(
    pairs: Sequence[Pair],
    signals: Sequence[Sequence[Signal]],
    wanted: Sequence[str],
    index: Index,
    lexicon: Lexicon,
) -> list[_Aligned]:
    """Each sentence of the passages once; headings and lead-ins only where nothing else is."""
    claim, facts = pairs[0].claim, pairs[0].claim_facts
    words = Words.of(facts.terms, lexicon)
    known = frozenset(wanted)
    stems_of = [known & set(_telling(term.span.of(claim.text))) for term in words.terms]
    found: dict[int, _Aligned] = {}
    seen: set[tuple[int, tuple[Span, ...]]] = set()
    for pair, told in zip(pairs, signals, strict=True):
        chunk = pair.evidence.chunk
        parts = index.parts(chunk)
        lemmas_of = _lemmas_of(pair.evidence_facts, parts)
        for row, (sentence, part), lemmas in zip(index.rows(chunk), parts, lemmas_of, strict=True):
            agreed = tuple(_agreed(told, part))
            if (row, agreed) in seen:  # passages overlap
                continue
            seen.add((row, agreed))
            if row not in found:
                said = known & set(_telling(sentence.reading.text))
                found[row] = _Aligned(Place(chunk.doc_id, sentence), dict.fromkeys(said, 1.0))
            mine = found[row].held
            credits = words.credits(lemmas, agreed)
            for some, credit in zip(stems_of, credits, strict=True):
                worth = _BY_SYNONYM if credit == SYNONYM_CREDIT else credit
                for stem in some if worth else ():
                    mine[stem] = max(worth, mine.get(stem, 0.0))
            for date in facts.dates:
                if any(date.span.overlaps(span) for span in agreed):
                    mine[_mark(date.span)] = 1.0
    every = list(found.values())
    # "## 4.1.2 (2024-09-18)" alone tells when it came out.
    plain = [one for one in every if not _is_title(one.place.sentence)]
    every = plain if any(one.held for one in plain) else every
    # "Bikes are taken, as long as you observe the following rules:" has most words and says least.
    telling = [one for one in every if not one.place.sentence.reading.text.rstrip().endswith(":")]
    return telling if any(one.held for one in telling) else every


_kept = ByIdentity[list[frozenset[str]]]()


def _lemmas_of(facts: Facts, parts: tuple[tuple[Sentence, Span], ...]) -> list[frozenset[str]]:
    """The content lemmas of each of a passage's sentences."""
    return _kept.get(
        (facts, parts),
        lambda: [
            frozenset(term.lemma for term in facts.terms if part.overlaps(term.span))
            for _, part in parts
        ],
    )


def _is_title(sentence: Sentence) -> bool:
    """Whether a sentence is a heading, or written like one in capitals; it says nothing itself."""
    return sentence.block == "heading" or sentence.reading.text.isupper()


@lru_cache(maxsize=8192)
def _telling(text: str) -> tuple[str, ...]:
    """The beginnings of the words that tell something, in order, each once.

    Of a stem the first letters, so that "analysing" is found in "the analysis".
    """
    return tuple(dict.fromkeys([stem[:_LETTERS] for stem in stems(text) if not is_common(stem)]))


def _agreed(signals: Sequence[Signal], part: Span) -> list[Span]:
    """The stretches of the claim that a detector found again in this sentence."""
    return [
        signal.claim_span
        for signal in signals
        if signal.stance is Stance.SUPPORTS
        and signal.weight >= _AGREES
        and signal.claim_span is not None
        and signal.evidence_span is not None
        and signal.evidence_span.overlaps(part)
    ]


# -- what a decision rests on ----------------------------------------------------------------------


def first(
    decision: Decision, assessments: Sequence[Assessment], found: Sequence[Place], index: Index
) -> tuple[list[Assessment], int]:
    """The passages of a claim with those first that its verdict rests on, and how many these are.

    assessments: best first; found: what `places` gave. Each of the first is narrowed to the
    sentences that decide; the others stay in their order. Of no passage there is nothing to show.
    """
    if not assessments:
        return [], 1
    told = _told(decision, assessments)
    if told is not None:
        assessment, span = told
        front = [replace(assessment, evidence=_narrowed(assessment.evidence, span, index))]
    else:
        supported = decision.verdict is Verdict.SUPPORTED
        least = _NEARLY * max(one.about for one in assessments)
        near = [one for one in assessments if one.about >= least]
        front = _holding(near, [p for p in found if not (supported and p.of_verb)], index)
        front = front or [assessments[0]]
    rows = {one.evidence.chunk.row for one in front}
    others = [one for one in assessments if one.evidence.chunk.row not in rows]
    return [*front, *others], max(1, len(front))


def quoted(
    decision: Decision, assessments: Sequence[Assessment], rests_on: int, index: Index
) -> tuple[list[Assessment], int]:
    """The same, with the passage first that the message is about where none of the first is it."""
    front = [one.evidence for one in assessments[:rests_on]]
    for at, found in enumerate(assessments):
        for signal in found.signals:
            span = signal.evidence_span
            if signal.message != decision.message or span is None:
                continue
            if any(
                one.chunk.doc_id == found.evidence.chunk.doc_id and one.span.overlaps(span)
                for one in front
            ):
                return list(assessments), rests_on
            shown = replace(found, evidence=_narrowed(found.evidence, span, index))
            others = [*assessments[:at], *assessments[at + 1 :]]
            return [shown, *others], rests_on + (at >= rests_on)
    return list(assessments), rests_on


def _told(decision: Decision, assessments: Sequence[Assessment]) -> tuple[Assessment, Span] | None:
    """The passage of the signal that decided, and what that points to; the surest of several."""
    found = [
        (signal.weight, -at, assessment, signal.evidence_span)
        for at, assessment in enumerate(assessments)
        for signal in assessment.signals
        if signal.evidence_span is not None
        and signal.message
        and (
            (signal.kind == decision.reason and signal.message == decision.message)
            or (decision.reason == "superseded" and decision.message.endswith(signal.message))
        )
    ]
    best = max(found, key=lambda one: one[:2], default=None)
    return None if best is None else (best[2], best[3])


def _holding(
    assessments: Sequence[Assessment], found: Sequence[Place], index: Index
) -> list[Assessment]:
    """For each place a passage that holds it; neighbours in one passage are shown as one."""
    front: dict[int, tuple[Assessment, Span]] = {}
    for place in found:
        span = place.sentence.span
        holders = [one for one in assessments if place.stands_in(one.evidence.chunk)]
        known = next((one for one in holders if one.evidence.chunk.row in front), None)
        if known is not None:
            before = front[known.evidence.chunk.row][1]
            hull = Span(min(before.start, span.start), max(before.end, span.end))
            front[known.evidence.chunk.row] = known, hull
        elif holders:
            best = max(holders, key=lambda one: (*_fit(one, span, found), one.score))
            front[best.evidence.chunk.row] = best, span
    return [
        replace(one, evidence=_narrowed(one.evidence, span, index)) for one, span in front.values()
    ]


def _fit(found: Assessment, sentence: Span, every: Sequence[Place]) -> tuple[int, float]:
    """How many of the places a passage holds, and what surely speaks against the claim in one."""
    inside = sum(place.stands_in(found.evidence.chunk) for place in every)
    doubts = (
        signal.weight
        for signal in found.signals
        if signal.stance in _AGAINST
        and signal.evidence_span is not None
        and signal.evidence_span.overlaps(sentence)
    )
    return inside, max(doubts, default=0.0)


def _narrowed(evidence: Evidence, span: Span, index: Index) -> Evidence:
    """The passage with the sentences that overlap a stretch of the document as its best."""
    parts = index.parts(evidence.chunk)
    inside = [
        (sentence, part)
        for sentence, part in parts
        if sentence.span.overlaps(span) and sentence.block != "heading"
    ]
    if not inside:
        return evidence
    sentences, read = zip(*inside, strict=True)
    return replace(
        evidence,
        span=Span(sentences[0].span.start, sentences[-1].span.end),
        best=Span(read[0].start, read[-1].end),
    )
