"""Classic mode: the rules as first published, to the letter."""

from collections.abc import Sequence

import numpy as np
import pytest

from halgo import Checker, Config, Halgorithm
from halgo.types import FloatMatrix
from halgo.verdict.classic import conflicts

pytestmark = pytest.mark.models


class ByAngle:
    """A stand-in encoder: the cosine of two texts is set by a table of angles."""

    name, dim = "by-angle", 2

    def __init__(self, cosines: dict[str, float]) -> None:
        self.cosines = cosines

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        cosines = np.array([self.cosines.get(text, 1.0) for text in texts], dtype=np.float64)
        return np.stack([cosines, np.sqrt(1 - cosines**2)], axis=1).astype(np.float32)


def judged(claim: str, source: str, cosine: float, threshold: float = 0.30) -> dict[str, object]:
    config = Config.classic(threshold=threshold)
    halgorithm = Halgorithm(config, embedder=ByAngle({source: cosine}))
    (result,) = Checker.from_docs(source, halgorithm=halgorithm).check_claims([claim]).claim_dicts()
    return dict(result)


@pytest.mark.parametrize(
    ("cosine", "status"),
    [(0.66, "SUPPORTED"), (0.64, "WEAK_SUPPORT"), (0.31, "WEAK_SUPPORT"), (0.29, "HALLUCINATION")],
)
def test_without_numbers_and_negation_the_cosine_decides(cosine: float, status: str) -> None:
    found = judged("The team likes tea.", "People in the group drink it.", cosine)
    assert (found["status"], found["score"]) == (status, pytest.approx(cosine, abs=1e-3))


def test_agreeing_numbers_add_a_tenth() -> None:
    found = judged("It has 340 members.", "There are 340 people in it.", 0.60)
    assert found["score"] == pytest.approx(0.70, abs=1e-3) and found["status"] == "SUPPORTED"


def test_a_number_within_half_and_double_is_a_conflict_and_both_are_shown() -> None:
    found = judged("It has 340 members.", "There are 400 people in it.", 0.60)
    assert (found["status"], found["reason"]) == ("CONTRADICTION", "Number mismatch")
    assert (found["ai_numbers"], found["truth_numbers"]) == ([340.0], [400.0])


@pytest.mark.parametrize(
    ("ours", "theirs", "conflict"),
    [
        ([340], [400], True),
        ([1972], [1969], False),  # years are skipped
        ([7], [3], False),  # so is everything up to 31
        ([100], [300], False),  # too far apart to be the same quantity
        ([340], [340, 400], True),  # any pair counts
    ],
)
def test_what_counts_as_a_conflict(
    ours: Sequence[float], theirs: Sequence[float], conflict: bool
) -> None:
    assert conflicts(ours, theirs) is conflict


def test_a_negation_mismatch_is_a_contradiction_from_the_threshold_on() -> None:
    source = "The drug does not cause drowsiness."
    found = judged("The drug causes drowsiness.", source, 0.80)
    assert (found["status"], found["reason"]) == ("CONTRADICTION", "Negation mismatch")
    assert found["score"] == pytest.approx(0.50, abs=1e-3)


def test_the_penalty_can_push_a_borderline_claim_below_the_threshold() -> None:
    source = "The drug does not cause drowsiness."
    found = judged("The drug causes drowsiness.", source, 0.50)
    assert found["status"] == "HALLUCINATION" and found["score"] == pytest.approx(0.20, abs=1e-3)


def test_below_the_threshold_there_is_no_penalty() -> None:
    source = "The drug does not cause drowsiness."
    found = judged("The drug causes drowsiness.", source, 0.29)
    assert found["score"] == pytest.approx(0.29, abs=1e-3)


@pytest.mark.parametrize(
    ("claim", "status"),
    [("2 + 2 = 4", "SUPPORTED"), ("2 + 2 = 5", "CONTRADICTION"), ("a + b = c", "ERROR")],
)
def test_an_equation_is_math(claim: str, status: str) -> None:
    found = judged(claim, "Nothing about sums.", 0.9)
    assert (found["type"], found["status"]) == ("MATH", status)


def test_without_documents_no_chunk_matches() -> None:
    report = Checker.from_docs([], Config.classic()).check_claims(["The fee is 5%."])
    assert report.claim_dicts()[0]["status"] == "HALLUCINATION"


def test_other_thresholds_give_what_a_new_check_gives() -> None:
    source = "The drug does not cause drowsiness. It has 340 users. The drug causes relief."
    checker = Checker.from_docs(source, Config.classic())
    answer = "The drug causes drowsiness. It has 300 users. The drug does not cause relief."
    report = checker.check(answer)
    for threshold in (0.1, 0.3, 0.5, 0.6):
        again = checker.with_config(Config.classic(threshold=threshold)).check(answer)
        assert report.rethreshold(threshold).claim_dicts() == again.claim_dicts()
