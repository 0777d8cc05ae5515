"""Examinations -> ClaimResults: the verdict on each claim, and the passages that it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from halgo.config import Config
from halgo.entailment import readings
from halgo.evidence.index import Index
from halgo.evidence.passage_language import foreign_passage
from halgo.facts.language import foreign
from halgo.protocols import Lexicon
from halgo.signals import located
from halgo.signals.entities.code import message
from halgo.signals.entities.mentioned import unsupported_terms
from halgo.types import Assessment, ClaimResult, FloatVector, Signal, Stance, Verdict
from halgo.verdict import deciding
from halgo.verdict.deciding import Place
from halgo.verdict.examining import Examination
from halgo.verdict.own_words import in_own_words, written
from halgo.verdict.rules import best_first, decide
from halgo.verdict.scoring import aboutness
from halgo.verdict.sureness import DOUBTED
from halgo.verdict.unread_languages import noted, what_is_told


def result_of(
    examined: Examination, scores: FloatVector, index: Index, lexicon: Lexicon, config: Config
) -> ClaimResult:
    """The verdict on a claim, with its passages in the order of how much they tell.

    scores: (len(examined.pairs),), how far each passage supports the claim, in [0, 1].
    """
    claim = examined.claim
    about = aboutness(examined.pairs, lexicon)
    bearing = deciding.places(examined.pairs, examined.signals, index, lexicon)
    heard = _heard(examined, bearing)
    unread, notes = _unread(examined, index)
    slips = examined.slips
    found_in = [pair.evidence for pair in examined.pairs] if slips else []
    texts = [text for one in found_in for text in (one.chunk.text, one.reading.text)]
    assessments = [
        Assessment(
            pair.evidence,
            float(score),
            tuple(
                in_own_words(signal, slips, texts)
                for signal in (
                    *(located(signal, claim, pair.evidence) for signal in found),
                    *told,
                    *note,
                )
            ),
            near,
        )
        for pair, found, told, note, score, near in zip(
            examined.pairs, examined.signals, heard, notes, scores, about, strict=True
        )
    ]
    assessments.sort(key=best_first)
    alone = [located(signal, claim) for signal in examined.claim_signals]
    own = tuple(in_own_words(signal, slips, texts) for signal in alone) + unread
    assessments = [what_is_told(found, own) for found in assessments]
    decision = decide(claim, assessments, own, config)
    assessments, rests_on = deciding.first(decision, assessments, bearing, index)
    decision = decide(claim, assessments, own, config)  # in words about what is shown
    if decision.verdict is Verdict.WEAK_SUPPORT:
        assessments, rests_on = deciding.quoted(decision, assessments, rests_on, index)
        decision = decide(claim, assessments, own, config)
    absent = unsupported_terms(examined.facts, index.corpus, lexicon)
    return ClaimResult(
        claim=claim,
        verdict=decision.verdict,
        reason=decision.reason,
        message=decision.message,
        score=decision.score,
        raw_score=decision.raw_score,
        assessments=tuple(assessments),
        signals=own,
        unsupported_terms=tuple(written(term, slips) for term in absent),
        rests_on=rests_on,
    )


def lacking(result: ClaimResult, signals: Sequence[Signal]) -> ClaimResult:
    """The result of a block of code that has what no source has; its passages are the nearest."""
    return replace(
        result,
        verdict=Verdict.HALLUCINATION,
        reason=signals[0].kind,
        message=message(signals, result.claim.text),
        score=min(result.score, DOUBTED),
        signals=tuple(located(signal, result.claim) for signal in signals),
        # What one passage lacks another may have.
        assessments=tuple(replace(found, signals=()) for found in result.assessments),
        unsupported_terms=tuple(
            signal.claim_span.of(result.claim.text) for signal in signals if signal.claim_span
        ),
    )


def _heard(examined: Examination, bearing: Sequence[Place]) -> list[tuple[Signal, ...]]:
    """What the entailment model says of the claim, beside the passage that it rests on.

    bearing: the sentences that decide, of which its message quotes the first that it has read.
    """
    heard: list[tuple[Signal, ...]] = [()] * len(examined.pairs)
    if examined.judged is not None:
        agreed = [
            found.claim_span
            for told in examined.signals
            for found in told
            if found.stance is Stance.SUPPORTS and found.claim_span is not None
        ]
        signal, part = readings.signal(
            examined.claim,
            examined.judged,
            examined.facts,
            [place.sentence for place in bearing],
            agreed,
        )
        claim_span = signal.claim_span and examined.claim.reading.locate(signal.claim_span)
        rows = [pair.evidence.chunk.row for pair in examined.pairs]
        heard[rows.index(part.chunk.row)] = (
            replace(signal, claim_span=claim_span, evidence_span=part.sentence.span),
        )
    return heard


def _unread(
    examined: Examination, index: Index
) -> tuple[tuple[Signal, ...], list[tuple[Signal, ...]]]:
    """That the claim, or else each passage, is in a language that is not read."""
    language = foreign(examined.claim.text)
    if language is not None:
        return (noted(language, "claim"),), [()] * len(examined.pairs)
    passages = [pair.evidence for pair in examined.pairs]
    languages = [foreign_passage(index, passage) for passage in passages]
    return (), [
        (noted(said, f'passage of "{passage.source}"'),) if said else ()
        for passage, said in zip(passages, languages, strict=True)
    ]
