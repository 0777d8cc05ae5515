"""The probability of a whole answer: what moves it, where there is none, where it is shown."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_values import claim_of, report_of

from benchmarks import fit, grounded
from halgo.bulk.answer_rows import Row
from halgo.bulk.verdict_rows import answer_row
from halgo.config import Config
from halgo.report.report import Report
from halgo.types import ClaimResult, State, Verdict
from halgo.verdict.whole_answer import WholeAnswer, default_whole_answer

ANSWER = "The toll is five euros. The bridge is closed at night."
SCORES = st.lists(st.floats(0, 1), min_size=1, max_size=40)


def report(*scores: float) -> Report:
    words = ["The toll is five euros.", "The bridge is closed at night."][: len(scores)]
    results = [
        ClaimResult(claim_of(ANSWER, said, at), Verdict.SUPPORTED, "supported", "", score, ())
        for at, (said, score) in enumerate(zip(words, scores, strict=True), 1)
    ]
    return report_of(ANSWER, results)


@given(SCORES)
def test_it_is_a_probability_whatever_the_scores(scores: list[float]) -> None:
    assert 0.0 < default_whole_answer()(scores) < 1.0


@given(SCORES, st.floats(0, 1))
def test_a_weaker_claim_never_makes_an_answer_likelier(scores: list[float], other: float) -> None:
    weaker = [min(scores[0], other), *scores[1:]]
    whole = default_whole_answer()
    assert whole(weaker) <= whole(scores)


@given(SCORES)
def test_another_claim_never_makes_an_answer_likelier(scores: list[float]) -> None:
    whole = default_whole_answer()
    assert whole([*scores, max(scores)]) <= whole(scores)


def test_ten_thousand_doubtful_claims_are_unlikely_and_as_many_sure_ones_are_not():
    assert 0.0 < default_whole_answer()([0.5] * 10_000) < 0.01
    assert default_whole_answer()([0.94] * 10_000) > 0.7


def test_an_answer_without_claims_has_none():
    with pytest.raises(ValueError, match="without a checked claim"):
        default_whole_answer()([])
    assert replace(report_of(ANSWER, []), state=State.NO_CLAIMS).probability is None


def test_classic_scores_are_cosines_and_make_no_probability():
    assert replace(report(0.9), config=Config.classic()).probability is None


def test_a_calibration_for_a_domain_does_not_change_it():
    plain = report(0.9, 0.7)
    moved = tuple(replace(r, score=0.2, raw_score=r.score) for r in plain.results)
    assert replace(plain, results=moved).probability == plain.probability


def test_it_stands_in_the_dict_and_in_the_table_of_answers():
    found = report(0.9, 0.7)
    assert found.probability is not None
    assert found.to_dict()["probability"] == pytest.approx(found.probability, abs=1e-4)
    assert answer_row(Row(0, "a", ANSWER), found)["probability"] == pytest.approx(
        found.probability, abs=1e-4
    )


def test_it_is_what_the_formula_says():
    # log odds of 0.75 are ln 3, that of the product is ln 0.6.
    whole = WholeAnswer(weakest=1.0, joint=0.5, intercept=0.0)
    assert whole([0.8, 0.75]) == pytest.approx(1 / (1 + 1 / (3 * np.sqrt(0.6))))


# --- the command that fits it --------------------------------------------------------------------


def test_the_shipped_coefficients_are_those_that_were_measured():
    fitted = json.loads(grounded.DATA.read_text(encoding="utf-8"))
    measured = json.loads(
        (Path(grounded.__file__).parent / "results" / "grounded.json").read_text(encoding="utf-8")
    )
    assert fitted["coefficients"] == measured["coefficients"]
    assert fitted["coefficients"]["weakest"] > 0 and fitted["coefficients"]["joint"] > 0


def test_a_fit_finds_what_made_the_labels():
    random = np.random.default_rng(1)
    features = np.column_stack([random.normal(0, 2, 4000), -random.exponential(2, 4000)])
    chances = 1 / (1 + np.exp(-(features @ [1.2, 0.6] + 0.4)))
    label = random.random(4000) < chances
    weakest, joint, _ = grounded.fitted(features, label, np.zeros(4000, int))
    assert weakest == pytest.approx(1.2, abs=0.2) and joint == pytest.approx(0.6, abs=0.2)


def test_calibration_error_is_the_gap_of_score_and_share():
    label, weight = np.array([1.0, 0.0, 1.0, 0.0]), np.ones(4)
    assert fit.calibration_error(label, np.full(4, 0.5), weight, bins=1) == 0.0
    assert fit.calibration_error(label, np.full(4, 0.9), weight, bins=1) == pytest.approx(0.4)


def test_coverage_is_the_surest_share_with_few_wrong():
    # In order of sureness: right, right, wrong, right.
    scores, label = np.array([0.99, 0.02, 0.9, 0.6]), np.array([1.0, 0.0, 0.0, 1.0])
    assert grounded.coverage(label, scores, np.ones(4), 0.0) == 0.5
    assert grounded.coverage(label, scores, np.ones(4), 0.25) == 1.0
    assert grounded.coverage(1 - label, scores, np.ones(4), 0.1) == 0.0
