"""Segmentation: a passage's sentences and clauses by their marks, and the words of a stretch.

Rougher than the parse and surer where a text is a list or a table: for detectors that ask which
of several values stands with which words; and how messages quote what they find.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate, pairwise

from halgo.evidence.lexical import content_stems
from halgo.signals.passages import OfPassage
from halgo.types import Evidence, Facts, Pair, Signal, Span, Stance

SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\d\"“(*-])")
# The same, and where the space between two sentences is missing.
GLUED = re.compile(rf"{SENTENCE.pattern}|(?<=[a-z)][.!?])(?=[A-Z][a-z])")
CLAUSE = re.compile(
    r"[;:]\s|,\s|\s\((?=\d{4}:)|\s(?:and|but|while|whereas|which|who|when)\s"
    r"|\s(?=(?:before|after|against)\s)",
    re.IGNORECASE,
)
# What a clause ends with that belongs to the next one.
_HANGING = re.compile(r"[,;:]?\s(?:and|but|while|whereas|which|who|when)$", re.IGNORECASE)
_QUOTED = 200  # characters that a message quotes
_MOST_TEXT = 4000  # characters of a passage that are looked at


def covering(spans: Iterable[Span]) -> Callable[[Span], bool]:
    """Whether a stretch overlaps any of these: told by bisection, however many they are."""
    apart = sorted(spans)
    starts = [span.start for span in apart]
    ends = list(accumulate((span.end for span in apart), max))

    def covers(span: Span) -> bool:
        before = bisect_left(starts, span.end)
        return before > 0 and ends[before - 1] > span.start

    return covers


def split(at: re.Pattern[str], within: Span, text: str) -> Iterator[Span]:
    """The parts of a stretch, each with the mark that ends it."""
    ends = [match.end() for match in at.finditer(text, within.start, within.end)]
    for start, end in pairwise([within.start, *ends, within.end]):
        if start < end:
            yield Span(start, end)


def words_besides(text: str, part: Span) -> frozenset[str]:
    """The content words of a text, as stems, without a stretch of it."""
    return content_stems(f"{text[: part.start]} {text[part.end :]}")


def shown(text: str, span: Span) -> str:
    """The words of a span as a reader is shown them: white space single."""
    return " ".join(span.of(text).split())


def quoted(pair: Pair, span: Span, within: re.Pattern[str] | None = None) -> str:
    """The sentence of the passage around a stretch, as a message quotes it.

    within: the mark at which to cut it further, as `CLAUSE`. The stretch alone where that is long:
    "taking" denies nothing without the "stop" before it.
    """
    text, best = pair.evidence.reading.text, pair.evidence.best
    around = best if best.start <= span.start and span.end <= best.end else Span(0, len(text))
    for mark in (SENTENCE, within):
        for part in split(mark, around, text) if mark else ():
            if part.start <= span.start < part.end:
                around = Span(part.start, max(part.end, span.end))
                break
    said = shown(text, around).partition(" \N{EM DASH} ")[0]
    said = _HANGING.sub("", said).rstrip(" .,;:(")
    return said if len(said) <= _QUOTED else shown(text, span)


def contradiction(pair: Pair, kind: str, weight: float, ours: Span, theirs: Span) -> Signal:
    """The signal that the passage has other words in the place of the claim's."""
    values = ours.of(pair.claim.text), theirs.of(pair.evidence.reading.text)
    message = f'The claim says "{values[0]}"; the source says "{values[1]}".'
    return Signal(kind, Stance.CONTRADICTS, weight, message, ours, theirs, values)


class Passage:
    """What a claim is held against, in stretches. `above`: the headings it is read with."""

    def __init__(self, evidence: Evidence, facts: Facts) -> None:
        self.text = evidence.reading.text[:_MOST_TEXT]
        self.above = above(evidence)
        dated = covering(found.span for found in facts.dates)
        words = sorted(
            (term.span.start, term.lemma)
            for term in facts.terms
            if term.span.start < len(self.text) and not dated(term.span)
        )
        self._starts = [start for start, _ in words]
        self._lemmas = [lemma for _, lemma in words]

    def sentences(self, at: re.Pattern[str] = SENTENCE) -> Iterator[Span]:
        """Its sentences, the headings left out."""
        yield from split(at, Span(self.above.end, len(self.text)), self.text)

    def clauses(self, sentence: Span) -> Iterator[Span]:
        """The clauses of a sentence; what holds no word but a date belongs to the next one."""
        start = sentence.start
        for clause in split(CLAUSE, sentence, self.text):
            if clause.end < sentence.end and not self.lemmas(Span(start, clause.end)):
                continue
            yield Span(start, clause.end)
            start = clause.end

    def lemmas(self, part: Span) -> set[str]:
        """The content lemmas of a stretch, its dates left out."""
        first, last = bisect_left(self._starts, part.start), bisect_left(self._starts, part.end)
        return set(self._lemmas[first:last])


read_passage = OfPassage(Passage)


def above(evidence: Evidence) -> Span:
    """The headings that a passage is read with, in its reading; empty where there are none."""
    text, at = evidence.reading.text, 0
    titles = [f"{title} " for title in evidence.headings if title]
    while title := next((title for title in titles if text.startswith(title, at)), ""):
        at += len(title)
    return Span(0, min(at, _MOST_TEXT))
