"""ClaimResult -> the sentences of the sources that it rests on, word for word.

For a supported claim these are the sentences that hold its amounts, dates and names; one where one
holds all, more where the claim is put together from several places. For a contradicted claim it is
the sentence that says otherwise, for any other the one that comes nearest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from halgo.types import Assessment, Claim, ClaimResult, Facts, Signal, Span, Stance, Verdict
from halgo.verdict.rules import DECIDES
from halgo.verdict.rules import MODEL as _MODEL

if TYPE_CHECKING:
    from halgo.evidence.index import Index
    from halgo.types import Sentence

# Beyond this a reader no longer compares; it is also how many sections a premise may come from.
MOST = 3
_PAGES = ("page_num", "page", "page_number")


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence of a source: `span.of(document.text) == text`, always.

    `title` is what a reader is shown as its origin, `page` what the document's metadata say.
    """

    text: str
    doc_id: str
    title: str
    page: str | None
    span: Span

    def to_dict(self) -> dict[str, Any]:
        """Plain values; the span as [start, end] in characters of the document."""
        return {
            "text": self.text,
            "doc_id": self.doc_id,
            "title": self.title,
            "page": self.page,
            "span": [self.span.start, self.span.end],
        }


@dataclass(frozen=True, slots=True)
class _Found:
    """A sentence of one passage, and what of the claim it holds."""

    quote: Quote
    specifics: frozenset[Span]  # amounts, dates and names, by their place in the answer
    rested_on: bool  # the entailment model's reading rests on it
    words: frozenset[str]
    score: float

    @property
    def rank(self) -> tuple[int, bool, int, float]:
        return (len(self.specifics), self.rested_on, len(self.words), self.score)


def quotes(result: ClaimResult, facts: Facts, index: Index) -> tuple[Quote, ...]:
    """The sentences that a result rests on, the first the weightiest; empty when none was found.

    `facts` are those of the claim's text, `index` the one it was checked against.
    """
    if result.reason == "arithmetic":
        return ()  # a sum is right or wrong by itself
    if result.verdict is Verdict.SUPPORTED:
        found = tuple(_covering(result, facts, index))
        if found:
            return found
    if result.verdict is Verdict.CONTRADICTION:
        against = _speaking_against(result)
        if against is not None:
            assessment, place = against
            for sentence in _sentences(assessment, index):
                if sentence.span.overlaps(place):
                    return (_quote(assessment, sentence, index),)
    return tuple(
        _quote(assessment, sentence, index)
        for assessment in result.assessments[:1]
        for sentence in _sentences(assessment, index)
        if sentence.span.overlaps(assessment.evidence.span)
    )[:1]


def _covering(result: ClaimResult, facts: Facts, index: Index) -> Iterator[Quote]:
    """The best sentence, then those that add an amount, a date or a name that it lacks."""
    found = _candidates(result, facts, index)
    covered: frozenset[Span] = frozenset()
    taken: set[Quote] = set()
    while found and len(taken) < MOST:
        best = max(found, key=lambda one: (len(one.specifics - covered), *one.rank))
        if taken and best.specifics <= covered:
            return
        yield best.quote
        taken.add(best.quote)
        covered |= best.specifics
        found = [one for one in found if one.quote not in taken]


def _candidates(result: ClaimResult, facts: Facts, index: Index) -> list[_Found]:
    """The sentences of all passages, in the order of the passages, each once."""
    wanted = {
        place
        for span in _specifics(facts)
        if (place := result.claim.reading.locate(span)) is not None
    }
    lemmas = {term.lemma for term in facts.terms}
    found: dict[Quote, _Found] = {}
    for assessment in result.assessments:
        chunk = assessment.evidence.chunk
        there = index.facts(chunk).terms
        for sentence, part in index.parts(chunk):
            if _contradicts(assessment.signals, sentence.span):
                continue  # the price of another product, where one passage gives both
            quote = _quote(assessment, sentence, index)
            here = _agreeing(assessment.signals, sentence.span)
            found.setdefault(
                quote,
                _Found(
                    quote,
                    frozenset(w for w in wanted if any(w.overlaps(s) for s in here))
                    | _named(result.claim, facts, sentence),
                    any(_rests(signal, sentence.span) for signal in assessment.signals),
                    frozenset(t.lemma for t in there if part.overlaps(t.span)) & lemmas,
                    assessment.score,
                ),
            )
    return list(found.values())


def _specifics(facts: Facts) -> Iterator[Span]:
    """What a claim can be caught at: its amounts and dates; not the number in "Phase 2"."""
    for quantity in facts.quantities:
        if not quantity.unit.startswith(("identifier", "ordinal")):
            yield quantity.span
    for date in facts.dates:
        yield date.span


def _named(claim: Claim, facts: Facts, sentence: Sentence) -> frozenset[Span]:
    """The places of the claim's names that the sentence holds as they are."""
    text = sentence.reading.text.lower()
    held = (name.span for name in facts.names if name.key and name.key in text)
    return frozenset(place for span in held if (place := claim.reading.locate(span)) is not None)


def _agreeing(signals: Iterable[Signal], sentence: Span) -> list[Span]:
    """The places in the answer that a detector found again within this sentence."""
    return [
        signal.claim_span
        for signal in signals
        if signal.stance is Stance.SUPPORTS
        and signal.kind != _MODEL
        and signal.claim_span is not None
        and signal.evidence_span is not None
        and signal.evidence_span.overlaps(sentence)
    ]


def _contradicts(signals: Iterable[Signal], sentence: Span) -> bool:
    """Whether a detector found something in this sentence that speaks against the claim."""
    return any(
        signal.stance is Stance.CONTRADICTS
        and signal.kind != _MODEL
        and signal.weight >= DECIDES
        and signal.evidence_span is not None
        and signal.evidence_span.overlaps(sentence)
        for signal in signals
    )


def _rests(signal: Signal, sentence: Span) -> bool:
    return (
        signal.kind == _MODEL
        and signal.evidence_span is not None
        and signal.evidence_span.overlaps(sentence)
    )


def _speaking_against(result: ClaimResult) -> tuple[Assessment, Span] | None:
    """The passage whose signal decided against the claim, and the place it points to."""
    deciding = [
        (signal.weight, -at, assessment, signal.evidence_span)
        for at, assessment in enumerate(result.assessments)
        for signal in assessment.signals
        if signal.kind == result.reason
        and signal.stance is Stance.CONTRADICTS
        and signal.evidence_span is not None
    ]
    if not deciding:
        return None
    _, _, assessment, place = max(deciding, key=lambda one: one[:2])
    return assessment, place


def _sentences(assessment: Assessment, index: Index) -> Iterator[Sentence]:
    for sentence, _ in index.parts(assessment.evidence.chunk):
        yield sentence


def _quote(assessment: Assessment, sentence: Sentence, index: Index) -> Quote:
    document = index.document(assessment.evidence.chunk)
    page = next((document.metadata[key] for key in _PAGES if document.metadata.get(key)), None)
    return Quote(
        text=sentence.span.of(document.text),
        doc_id=document.id,
        title=document.source,
        page=page,
        span=sentence.span,
    )
