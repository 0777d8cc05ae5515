"""Privative and approximating modifiers: "a former judge", "almost won", "the second-largest".

Such a word is easily lost in an answer, and all others stand in the source. It counts where the
passage has the claim's word only behind it, the claim has no such word, and the sentence otherwise
says what the claim says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from halgo.types import Pair, Signal, Span, Stance, Term

# Share of the claim's other words that the sentence has to hold.
_SHARED = 0.66
_MOST = 40  # words of a claim that are looked at
_LONGEST = 40  # characters before a word in which what limits it stands
_NOW = re.compile(r"\b(?:is|are|am|serves?|works?|remains?)\b|['’]s\b", re.IGNORECASE)
_RANK = re.compile(r"(?:est|best|worst)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Limit:
    """Words that take back a part of what follows them.

    words: a pattern of them. said: one of what a claim may have that says as much. parts: the
    parts of speech of the words that are limited so. now: whether it counts only against a claim
    about the present, rank: only before a superlative.
    """

    words: str
    said: str
    parts: str
    stance: Stance
    weight: float
    now: bool = False
    rank: bool = False

    def before(self, span: Span, text: str) -> int:
        """Where such words start that stand right before a span; -1 without any."""
        found = _compiled(rf"(?:{self.words})[\s-]+$").search(
            text, max(0, span.start - _LONGEST), span.start
        )
        return found.start() if found else -1

    def is_said(self, claim: str) -> bool:
        """Whether the claim says as much."""
        return _compiled(self.said).search(claim) is not None


@lru_cache(maxsize=32)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_ORDINALS = r"\b(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:nd|rd|th))"
_LIMITS = (
    Limit(
        r"\b(?:former|ex|one-time|onetime|erstwhile)",
        r"\b(?:former|ex|one-?time|erstwhile|was|were|had been|used to|previous|until)\b",
        "NOUN PROPN",
        Stance.CONTRADICTS,
        0.6,
        now=True,
    ),
    Limit(
        r"\b(?:formerly|previously|no longer)",
        r"\b(?:formerly|previous(?:ly)?|once|was|were|had been|used to|no longer|until|not)\b",
        "VERB ADJ NOUN",
        Stance.CONTRADICTS,
        0.6,
        now=True,
    ),
    Limit(
        r"\b(?:almost|nearly|not quite|all but)",
        r"\b(?:almost|nearly|quite|all but|virtually|practically|close to|not|about|nearing)\b",
        "VERB ADJ",
        Stance.CONTRADICTS,
        0.6,
    ),
    Limit(
        r"\b(?:partly|partially|in part)",
        r"\b(?:partly|partial(?:ly)?|part|parts|some|half)\b",
        "VERB ADJ",
        Stance.UNSUPPORTED,
        0.5,
    ),
    Limit(
        r"\b(?:deputy|vice|assistant|would-be|aspiring|alleged|suspected|so-called|fake)",
        r"\b(?:deputy|vice|assistant|would-be|aspiring|alleged(?:ly)?|suspected|accused|fake)\b",
        "NOUN",
        Stance.CONTRADICTS,
        0.6,
        now=True,
    ),
    Limit(
        _ORDINALS,
        _ORDINALS,
        "ADJ ADV",
        Stance.CONTRADICTS,
        0.7,
        rank=True,
    ),
    Limit(
        r"\b(?:one|some|two|three|several|many|among) (?:of )?(?:the|its|their|our|his|her)",
        r"\b(?:one|some|two|three|several|many|among)\b",
        "ADJ ADV",
        Stance.UNSUPPORTED,
        0.5,
        rank=True,
    ),
)  # fmt: skip


_ANY = rf"(?:{'|'.join(limit.words for limit in _LIMITS)})\b"


def signals(pair: Pair) -> list[Signal]:
    """Signals of kind "limited", at most one for each word of the claim, in order."""
    if not _compiled(_ANY).search(pair.evidence.reading.text):
        return []
    found: list[Signal] = []
    for term in pair.claim_facts.terms[:_MOST]:
        signal = next(_lost(pair, term), None)
        if signal is not None and _aligned(pair, term):
            found.append(signal)
    return found


def _lost(pair: Pair, term: Term) -> Iterator[Signal]:
    """The limits that the passage sets to a word wherever it has it, and the claim does not."""
    claim, text = pair.claim.text, pair.evidence.reading.text
    own, terms = term.span.of(claim), pair.evidence_facts.terms
    ranked = bool(_RANK.search(own))
    there = [
        other.span
        for other in terms
        if other.lemma == term.lemma and bool(_RANK.search(other.span.of(text))) == ranked
    ]
    in_best = [span for span in there if span.overlaps(pair.evidence.best)]
    if not in_best:
        return
    if ranked:  # another sentence ranks another thing
        there = in_best
    followed = any(t.pos == "NOUN" and t.span.start == in_best[0].end + 1 for t in terms)
    for limit in _LIMITS:
        if term.pos not in limit.parts.split() or limit.rank != ranked:
            continue
        if followed and "NOUN" in limit.parts:
            continue  # "a former American football player" is no former American
        if limit.is_said(claim) or (limit.now and not _NOW.search(claim[: term.span.start])):
            continue
        if all(limit.before(span, text) >= 0 for span in there):
            where = Span(limit.before(in_best[0], text), in_best[0].end)
            source = where.of(text)
            message = f'The claim says "{own}"; the source says "{source}".'
            yield Signal(
                "limited", limit.stance, limit.weight, message, term.span, where, (own, source)
            )


def _aligned(pair: Pair, but: Term) -> bool:
    """Whether the best sentence has nearly all the other words of the claim."""
    others = {term.lemma for term in pair.claim_facts.terms} - {but.lemma}
    best = {t.lemma for t in pair.evidence_facts.terms if t.span.overlaps(pair.evidence.best)}
    return bool(others) and len(others & best) >= _SHARED * len(others)
