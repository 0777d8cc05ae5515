"""Passages of one document that overlap or touch -> one text with its facts.

A passage is a window of a sentence or two; "the club has since changed the lock" and the third of
five steps take more than that to be understood.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from halgo.facts import merged
from halgo.signals.segments import Passage, read_passage
from halgo.types import Date, Facts, Pair, Predicate, Reading, Span, Term

_Fact = TypeVar("_Fact", Date, Predicate, Term)
_NEAR = 3  # characters between two passages that follow each other

JOINT = "\n"  # between two passages: a sentence ends there, whether a mark tells it or not
Run = list[tuple[Pair, int]]  # passages, and where what is new in each begins


def runs(pairs: Sequence[Pair]) -> Iterator[Run]:
    """The runs of passages, in a fixed order."""
    run: Run = []
    end, doc_id = 0, ""
    for pair in sorted(pairs, key=lambda one: (one.evidence.chunk.doc_id, one.evidence.chunk.span)):
        chunk = pair.evidence.chunk
        new = _after(pair.evidence.reading, end)
        begins = run and run[-1][0].evidence.chunk.span.start
        follows = bool(run) and doc_id == chunk.doc_id and chunk.span.start <= end + _NEAR
        if follows and begins != chunk.span.start and new is not None:
            run.append((pair, new))
        else:
            if run:
                yield run
            run = [(pair, 0)]
        end, doc_id = chunk.span.end, chunk.doc_id
    if run:
        yield run


def _after(reading: Reading, end: int) -> int | None:
    """Where a reading goes beyond a place of the document; None where it does not."""
    for piece in reading.pieces:
        if piece.span.end > end:
            return piece.at + max(0, end - piece.span.start)
    return None


def joined(run: Run) -> tuple[str, Facts, int]:
    """(text, its facts, where its headings end) of a run; it depends on its passages alone.

    The facts are terms, predicates and dates; amounts and names are left out.
    """
    texts: list[str] = []
    parts: list[tuple[Facts, int]] = []
    at = 0
    for pair, start in run:
        text = _told(pair).text
        start += len(text[start:]) - len(text[start:].lstrip())
        parts.append((_from(pair.evidence_facts, start), at - start))
        texts.append(text[start:])
        at += len(text[start:]) + 1
    return JOINT.join(texts), merged(parts), _told(run[0][0]).above.end


def _told(pair: Pair) -> Passage:
    return read_passage(pair.evidence, pair.evidence_facts)


def _from(facts: Facts, start: int) -> Facts:
    def kept(items: Sequence[_Fact]) -> tuple[_Fact, ...]:
        return tuple(item for item in items if item.span.start >= start)

    return replace(
        Facts(),
        dates=kept(facts.dates),
        predicates=kept(facts.predicates),
        terms=kept(facts.terms),
    )


def found_in(text: str, whole: str, span: Span) -> Span | None:
    """Where a stretch of a joined text stands in one passage, by the words around it."""
    first = whole.rfind(JOINT, 0, span.start) + 1
    last = len(whole) if (joint := whole.find(JOINT, span.end)) < 0 else joint
    for reach in (60, 20):
        start, end = max(first, span.start - reach), min(last, span.end + reach)
        at = text.find(whole[start:end])
        if at >= 0:
            return Span(at + span.start - start, at + span.end - start)
    return None
