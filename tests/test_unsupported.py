"""A report -> the stretches of its answer that the sources do not support."""

from __future__ import annotations

import pytest
from small_values import claim_of, evidence_of, report_of, span_of

from halgo.report.report import Report
from halgo.types import Assessment, ClaimResult, Signal, Stance, Verdict

POLICY = "Members pay monthly. A late fee of 1.5% per month applies to members."


def _texts(report: Report) -> list[str]:
    return [one.text for one in report.unsupported_spans]


def _report(
    sentence: str, verdict: Verdict, score: float, wrong: tuple[str, ...] = (), lead: str = ""
) -> Report:
    answer = lead + sentence
    signals = tuple(
        Signal("unsupported_name", Stance.UNSUPPORTED, 0.8, "", span_of(words, answer))
        for words in wrong
    )
    found = Assessment(evidence_of(POLICY, POLICY), score, ())
    claim = claim_of(answer, sentence, 1)
    return report_of(answer, [ClaimResult(claim, verdict, "", "", score, (found,), signals)])


@pytest.mark.parametrize("verdict", [Verdict.CONTRADICTION, Verdict.HALLUCINATION])
def test_a_wrong_detail_is_a_stretch_of_its_claim(verdict: Verdict) -> None:
    report = _report(
        "Members pay a late fee to Zed.", verdict, 0.2, ("Zed",), lead="Members pay monthly. "
    )
    assert _texts(report) == ["Zed"]
    (one,) = report.unsupported_spans
    assert one.span.of(report.answer) == "Zed"
    assert (one.claim_id, one.verdict, one.score) == (1, verdict, 0.2)


def test_a_claim_that_no_passage_speaks_of_is_one_stretch() -> None:
    claim = "Ostriches bury eggs near Zed."
    assert _texts(_report(claim, Verdict.HALLUCINATION, 0.2, ("Zed",))) == [claim]
    # A contradiction rests on the two values, whatever else is said.
    assert _texts(_report(claim, Verdict.CONTRADICTION, 0.2, ("Zed",))) == ["Zed"]


def test_without_a_detail_it_is_all_of_the_claim() -> None:
    claim = "Members pay a monthly late fee."
    assert _texts(_report(claim, Verdict.CONTRADICTION, 0.1)) == [claim]


def test_a_supported_claim_has_none() -> None:
    claim = "Members pay a late fee to Zed."
    assert _texts(_report(claim, Verdict.WEAK_SUPPORT, 0.6, ("Zed",))) == ["Zed"]
    assert _texts(_report(claim, Verdict.SUPPORTED, 0.9, ("Zed",))) == []


def test_stretches_that_overlap_are_one() -> None:
    claim = "Members pay the late fee to Zed Corp Ltd."
    report = _report(claim, Verdict.HALLUCINATION, 0.1, ("Corp Ltd", "Zed Corp", "late"))
    assert _texts(report) == ["late", "Zed Corp Ltd"]


def test_the_callers_own_claims_count_in_the_lines_of_the_answer() -> None:
    texts = ("Members pay Zed.", "Members pay Yam.")
    found = Assessment(evidence_of(POLICY, POLICY), 0.1, ())
    results = []
    for number, (text, name) in enumerate(zip(texts, ("Zed", "Yam"), strict=True), 1):
        signal = Signal("unsupported_name", Stance.UNSUPPORTED, 0.8, "", span_of(name, text))
        claim = claim_of(text, text, number)
        results.append(ClaimResult(claim, Verdict.HALLUCINATION, "", "", 0.1, (found,), (signal,)))
    report = report_of("\n".join(texts), results)
    assert _texts(report) == ["Zed", "Yam"]
    assert [one.span.of(report.answer) for one in report.unsupported_spans] == ["Zed", "Yam"]


def test_the_dict_form_has_them() -> None:
    report = _report("Members pay a late fee to Zed.", Verdict.HALLUCINATION, 0.2, ("Zed",))
    assert report.to_dict()["unsupported_spans"] == [
        {"span": [26, 29], "text": "Zed", "claim_id": 1, "verdict": "HALLUCINATION", "score": 0.2}
    ]
