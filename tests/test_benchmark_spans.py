"""Marked words against annotated ones: what is marked, and the figures worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from small_values import claim_of, evidence_of, report_of, span_of

from benchmarks import spans
from benchmarks.data import DataError, Row, digest
from halgo.report.report import Report
from halgo.types import Assessment, ClaimResult, Signal, Span, Stance, Verdict

DOCS = ("The toll is five euros. The bridge is closed at night.",)
ANSWER = "The toll is nine euros. The bridge is closed at night. Swans nest on it."


def row(*annotated: str, claim: str = ANSWER) -> Row:
    marked = [[claim.index(w), claim.index(w) + len(w), w] for w in annotated]
    meta = {"spans": marked}
    return Row("r1", "own", "", DOCS, claim, "unsupported", "response", digest(DOCS), meta)


def span(words: str) -> Span:
    return span_of(words, ANSWER)


def result(number: int, words: str, verdict: Verdict, *signals: Signal) -> ClaimResult:
    reason = signals[0].kind if signals else "weak_support"
    found = (Assessment(evidence_of(DOCS[0]), 0.2, signals),)
    return ClaimResult(claim_of(ANSWER, words, number), verdict, reason, "", 0.2, found)


def report() -> Report:
    wrong = Signal("number_conflict", Stance.CONTRADICTS, 0.9, "", span("nine"))
    agrees = Signal("number_agrees", Stance.SUPPORTS, 0.9, "", span("night"))
    results = [
        result(1, "The toll is nine euros.", Verdict.CONTRADICTION, wrong),
        result(2, "The bridge is closed at night.", Verdict.SUPPORTED, agrees),
        result(3, "Swans nest on it.", Verdict.WEAK_SUPPORT),
    ]
    return report_of(ANSWER, results)


def test_the_words_that_a_signal_points_at_are_marked_or_the_whole_claim():
    assert spans.by_words(row(), report()) == [span("nine"), span("Swans nest on it.")]
    assert spans.by_claims(row(), report()) == [
        span("The toll is nine euros."),
        span("Swans nest on it."),
    ]


def test_by_default_it_is_what_the_report_names():
    assert spans.by_report(row(), report()) == [span("nine"), span("Swans nest on it.")]


def test_word_overlap_marks_the_claims_whose_words_the_documents_lack():
    # Two of three words of the first stand in the documents: below the cut of 0.70.
    found = spans.by_overlap(row(), report())
    assert found == [span("The toll is nine euros."), span("Swans nest on it.")]


def test_characters_are_counted_once_however_often_they_are_marked():
    marked, annotated = [Span(0, 10), Span(5, 15)], [Span(12, 20)]
    assert spans.shared(marked, annotated, 30) == (3, 15, 8)


def test_figures_are_over_all_responses_together():
    # 3 of 15 marked characters are right, 3 of 8 annotated ones found: 2 * 3 / 23.
    counts = np.array([[3.0, 15.0, 8.0], [0.0, 0.0, 8.0], [0.0, 0.0, 0.0]])
    assert spans.figures(counts)[0] == pytest.approx([3 / 15, 3 / 8, 6 / 23])
    assert np.isnan(spans.figures(counts)[1][0]) and spans.figures(counts)[1][2] == 0.0
    assert np.isnan(spans.figures(counts)[2]).all()


def test_the_summary_gives_each_way_of_marking_its_figures():
    found = spans.summary([row("nine", "Swans nest")], [report()])
    assert (found["rows"], found["annotated"]) == (1, 1)
    ours = found["systems"]["words underlined"]
    right, marked = len("nine") + len("Swans nest"), len("nine") + len("Swans nest on it.")
    assert ours["precision"][0] == pytest.approx(right / marked, abs=1e-4)
    assert ours["recall"] == [1.0, 1.0, 1.0]
    assert found["systems"]["everything"]["precision"][0] == round(right / len(ANSWER), 4)


def test_an_annotation_that_does_not_fit_its_text_is_an_error():
    good = row("nine")
    assert spans.annotated(good) == [span("nine")]
    broken = row("nine").meta["spans"][0][:2]
    with pytest.raises(DataError, match="r1"):
        spans.annotated(
            Row("r1", "own", "", DOCS, ANSWER, "x", "response", "g", {"spans": [[*broken, "ten"]]})
        )
