"""The benchmark's figures, against values worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import metrics


def with_interval(labels, scores, groups):
    samples = metrics.auc_draws(labels, scores, metrics.draws(groups))
    return metrics.interval(metrics.roc_auc(labels, scores), samples)


def test_auc_counts_the_pairs_that_are_in_order():
    # Supported 0.9, 0.4; unsupported 0.5, 0.1: of four pairs only (0.4, 0.5) is out of order.
    labels, scores = np.array([1, 1, 0, 0], bool), np.array([0.9, 0.4, 0.5, 0.1])
    assert metrics.roc_auc(labels, scores) == 0.75


def test_a_tie_counts_half():
    # Pairs: 0.5 against 0.5 a tie, 0.5 above 0.2, 0.8 above both: 3.5 of 4.
    labels, scores = np.array([1, 1, 0, 0], bool), np.array([0.5, 0.8, 0.5, 0.2])
    assert metrics.roc_auc(labels, scores) == 0.875


def test_one_score_for_all_is_a_coin():
    assert metrics.roc_auc(np.array([1, 0, 0], bool), np.zeros(3)) == 0.5


def test_a_weight_of_two_is_the_row_twice():
    labels, scores = np.array([1, 0, 1, 0], bool), np.array([0.3, 0.4, 0.9, 0.1])
    twice = metrics.roc_auc(np.r_[labels, labels[:1]], np.r_[scores, scores[:1]])
    assert metrics.roc_auc(labels, scores, np.array([2.0, 1, 1, 1])) == pytest.approx(twice)


def test_a_missing_class_has_no_figure():
    everything = np.array([1, 1], bool)
    assert math.isnan(metrics.roc_auc(everything, np.array([0.1, 0.2])))
    assert math.isnan(metrics.balanced_accuracy(everything, everything))
    weights = metrics.draws(["a", "b"])
    samples = metrics.auc_draws(everything, np.array([0.1, 0.2]), weights)
    assert math.isnan(metrics.interval(math.nan, samples).low)


def test_balanced_accuracy_is_the_mean_of_both_recalls():
    # Three of four supported rows called so, one of two unsupported ones: (3/4 + 1/2) / 2.
    labels = np.array([1, 1, 1, 1, 0, 0], bool)
    answers = np.array([1, 1, 1, 0, 1, 0], bool)
    assert metrics.balanced_accuracy(labels, answers) == 0.625


def test_ece_weighs_each_bin_by_its_rows():
    # Two bins of two: said 0.25 and found 0.5; said 0.9 and found 1.0.
    labels = np.array([0, 1, 1, 1], bool)
    said = np.array([0.2, 0.3, 0.8, 1.0])
    assert metrics.ece(labels, said, bins=2) == pytest.approx(0.5 * 0.25 + 0.5 * 0.1)


def test_a_calibrated_guess_has_no_error():
    assert metrics.ece(np.array([1, 0] * 30, bool), np.full(60, 0.5), bins=1) == 0.0


def test_an_interval_holds_its_value_and_is_the_same_every_time():
    generator = np.random.default_rng(3)
    labels = generator.random(200) < 0.5
    scores = generator.random(200) + 0.4 * labels
    groups = [str(n % 40) for n in range(200)]
    first = with_interval(labels, scores, groups)
    assert first.low < first.value < first.high
    assert first == with_interval(labels, scores, groups)


def test_rows_of_one_document_are_drawn_together():
    weights = metrics.draws(["a", "a", "b", "b", "c"], count=50)
    assert (weights[:, 0] == weights[:, 1]).all() and (weights[:, 2] == weights[:, 3]).all()
    assert (weights[:, 0] + weights[:, 2] + weights[:, 4] == 3).all()


def test_more_rows_of_the_same_documents_do_not_narrow_the_interval():
    labels = np.array([1, 0] * 10, bool)
    scores = np.linspace(0, 1, 20)[::-1] ** 2
    groups = [str(n) for n in range(20)]
    once = with_interval(labels, scores, groups)
    thrice = with_interval(np.tile(labels, 3), np.tile(scores, 3), groups * 3)
    assert thrice.high - thrice.low == pytest.approx(once.high - once.low)


def test_balanced_accuracy_of_a_sample_is_that_of_its_rows():
    labels, answers = np.array([1, 1, 0, 0], bool), np.array([1, 0, 0, 1], bool)
    weights = np.array([[1.0, 1, 1, 1], [2, 0, 2, 0], [0, 1, 0, 1]])
    assert metrics.balanced_draws(labels, answers, weights) == pytest.approx([0.5, 1.0, 0.0])


def test_a_mean_over_sets_has_the_interval_of_the_mean():
    samples = [np.array([0.5, 0.6, 0.7]), np.array([0.7, 0.6, 0.5])]
    assert metrics.mean_figure([0.6, 0.6], samples) == metrics.Figure(
        pytest.approx(0.6), pytest.approx(0.6), pytest.approx(0.6)
    )


def test_a_pair_of_systems_is_compared_draw_by_draw():
    theirs = np.linspace(0.4, 0.9, 101)
    low, high, beaten = metrics.paired(theirs + 0.05, theirs)
    assert (low, high) == (pytest.approx(0.05), pytest.approx(0.05)) and beaten == 0.0


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=2, max_size=25))
def test_auc_agrees_with_counting_every_pair(rows):
    labels = np.array([label for label, _ in rows], bool)
    scores = np.array([score for _, score in rows], float)
    pairs = [(s > t) + (s == t) / 2 for s in scores[labels] for t in scores[~labels]]
    found = metrics.roc_auc(labels, scores)
    assert math.isnan(found) if not pairs else found == pytest.approx(np.mean(pairs))
