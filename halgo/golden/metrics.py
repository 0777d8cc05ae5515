"""Scores and labels -> figures, each with an interval.

`labels` are True where the documents support the claim, `scores` higher where the system thinks
so. Rows about one document are not independent, so intervals come from resampling documents,
not rows (cluster bootstrap, Field & Welsh 2007).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
DRAWS = 1000


@dataclass(frozen=True, slots=True)
class Figure:
    """A value with its 95 % interval; NaN where the rows do not define it (one class only)."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Retrieval:
    """How well rows of one kind are found; NaN where there is nothing to divide by.

    precision: of the rows said to be of the kind, the share that is. recall: of the rows of the
    kind, the share that is said to be. f1: their harmonic mean.
    """

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class Bin:
    """Rows of like probability: their mean probability, the share supported, and how many.

    low, high: Wilson's 95 % interval of the share (Wilson 1927).
    """

    said: float
    found: float
    rows: int
    low: float
    high: float


def roc_auc(labels: Bools, scores: Floats, weights: Floats | None = None) -> float:
    """The chance that a supported row scores above an unsupported one, ties counting half.

    Rows may carry `weights` >= 0. NaN when a class is missing or a score is NaN.
    """
    labels = np.asarray(labels, bool)
    scores = np.asarray(scores, float)
    if np.isnan(scores).any():
        return float("nan")
    order = np.argsort(scores, kind="stable")
    weighed = np.ones(len(scores)) if weights is None else np.asarray(weights, float)
    return float(_auc_sorted(labels[order], scores[order], weighed[order][None, :])[0])


def balanced_accuracy(labels: Bools, answers: Bools, weights: Floats | None = None) -> float:
    """Mean of the share of supported rows called so and of unsupported rows called so.

    NaN when a class is missing.
    """
    weighed = np.ones(len(labels)) if weights is None else np.asarray(weights, float)
    return float(_balanced(np.asarray(labels, bool), np.asarray(answers, bool), weighed[None])[0])


def ece(labels: Bools, probabilities: Floats, bins: int = 15) -> float:
    """Expected calibration error: mean gap of probability and share of supported rows per bin.

    Bins hold equally many rows (Nguyen & O'Connor 2015), weighted by what they hold. NaN for none.
    """
    labels = np.asarray(labels, float)
    probabilities = np.asarray(probabilities, float)
    if not len(labels):
        return float("nan")
    total = 0.0
    for part in _equal_bins(probabilities, bins):
        total += len(part) * abs(probabilities[part].mean() - labels[part].mean())
    return float(total / len(labels))


def reliability(labels: Bools, probabilities: Floats, bins: int = 10) -> list[Bin]:
    """The reliability curve: bins of equally many rows by rising probability; none for no rows."""
    labels = np.asarray(labels, float)
    probabilities = np.asarray(probabilities, float)
    found = []
    for part in _equal_bins(probabilities, bins) if len(labels) else ():
        share = float(labels[part].mean())
        low, high = wilson(share, len(part))
        found.append(Bin(float(probabilities[part].mean()), share, len(part), low, high))
    return found


def bins_for(rows: int, most: int = 15) -> int:
    """How many bins so many rows fill with ten or more each: smaller ones err by chance alone."""
    return max(1, min(most, rows // 10))


def wilson(share: float, rows: int) -> tuple[float, float]:
    """The 95 % interval of a share seen in `rows` > 0 rows."""
    z = 1.96
    middle = (share + z * z / (2 * rows)) / (1 + z * z / rows)
    half = z / (1 + z * z / rows) * ((share * (1 - share) + z * z / (4 * rows)) / rows) ** 0.5
    return max(middle - half, 0.0), min(middle + half, 1.0)


def retrieval(wanted: Bools, said: Bools) -> Retrieval:
    """Precision, recall and F1 of the rows that are `wanted`, by what was `said` of each row."""
    wanted, said = np.asarray(wanted, bool), np.asarray(said, bool)
    hits, all_said, all_wanted = (wanted & said).sum(), said.sum(), wanted.sum()
    return Retrieval(
        precision=float(hits / all_said) if all_said else float("nan"),
        recall=float(hits / all_wanted) if all_wanted else float("nan"),
        f1=float(f1_draws(wanted, said, np.ones((1, len(wanted))))[0]),
    )


def f1_draws(wanted: Bools, said: Bools, weights: Floats) -> Floats:
    """F1 on each bootstrap sample: (draws,) for weights (draws, rows); NaN without a wanted row."""
    wanted, said = np.asarray(wanted, bool), np.asarray(said, bool)
    all_wanted = weights @ wanted
    with np.errstate(invalid="ignore"):
        share: Floats = 2 * (weights @ (wanted & said)) / (all_wanted + weights @ said)
    return np.where(all_wanted > 0, share, np.nan)


def draws(groups: Sequence[str], count: int = DRAWS, seed: int = 0) -> Floats:
    """Weights (count, rows) of bootstrap samples of whole groups: how often each row was drawn.

    The same groups give the same draws, so that two systems are compared on the same samples.
    """
    names, member = np.unique(np.asarray(groups, dtype=str), return_inverse=True)
    generator = np.random.default_rng(seed)
    n = len(names)
    times = generator.multinomial(n, np.full(n, 1 / n), size=count).astype(float)
    return times[:, member]


def auc_draws(labels: Bools, scores: Floats, weights: Floats) -> Floats:
    """ROC-AUC on each bootstrap sample: (draws,) for weights (draws, rows)."""
    labels, scores = np.asarray(labels, bool), np.asarray(scores, float)
    order = np.argsort(scores, kind="stable")
    labels, scores = labels[order], scores[order]
    # Slices, since the sorted copy of 1,000 draws of 2,000 rows alone is 16 MB.
    parts = [_auc_sorted(labels, scores, part[:, order]) for part in _slices(weights)]
    return np.concatenate(parts)


def balanced_draws(labels: Bools, answers: Bools, weights: Floats) -> Floats:
    """Balanced accuracy on each bootstrap sample: (draws,) for weights (draws, rows)."""
    labels, answers = np.asarray(labels, bool), np.asarray(answers, bool)
    return np.concatenate([_balanced(labels, answers, part) for part in _slices(weights)])


def interval(value: float, samples: Floats) -> Figure:
    """A figure with the middle 95 % of its bootstrap samples; undefined samples left out."""
    samples = samples[~np.isnan(samples)]
    if np.isnan(value) or not len(samples):
        return Figure(float(value), float("nan"), float("nan"))
    low, high = np.percentile(samples, [2.5, 97.5])
    return Figure(float(value), float(low), float(high))


def paired(ours: Floats, theirs: Floats) -> tuple[float, float, float]:
    """Two systems' bootstrap samples over the same draws -> the difference's 95 % interval.

    Returns (low, high, share of draws in which ours is not above theirs).
    """
    gap = np.asarray(ours, float) - np.asarray(theirs, float)
    gap = gap[~np.isnan(gap)]
    if not len(gap):
        return float("nan"), float("nan"), float("nan")
    low, high = np.percentile(gap, [2.5, 97.5])
    return float(low), float(high), float(np.mean(gap <= 0))


def _equal_bins(probabilities: Floats, bins: int) -> list[NDArray[np.int64]]:
    """Positions of the rows by rising probability, in parts that hold equally many."""
    order = np.argsort(probabilities, kind="stable")
    return list(np.array_split(order, min(bins, len(order))))


def _slices(weights: Floats) -> list[Floats]:
    return [weights[at : at + 100] for at in range(0, len(weights), 100)]


def _auc_sorted(labels: Bools, scores: Floats, weights: Floats) -> Floats:
    """ROC-AUC per row of weights (draws, rows); labels and scores (rows,) by rising score."""
    if not len(scores):
        return np.full(len(weights), np.nan)
    starts = np.flatnonzero(np.r_[True, scores[1:] != scores[:-1]])  # of each run of equal scores
    good = np.add.reduceat(weights * labels, starts, axis=1)
    bad = np.add.reduceat(weights * ~labels, starts, axis=1)
    below = np.cumsum(bad, axis=1) - bad
    with np.errstate(invalid="ignore"):
        won: Floats = (good * (below + bad / 2)).sum(axis=1)
        share: Floats = won / (good.sum(axis=1) * bad.sum(axis=1))
    return share


def _balanced(labels: Bools, answers: Bools, weights: Floats) -> Floats:
    with np.errstate(invalid="ignore"):
        caught = weights @ (labels & answers) / (weights @ labels)
        refused = weights @ (~labels & ~answers) / (weights @ ~labels)
    return (caught + refused) / 2
