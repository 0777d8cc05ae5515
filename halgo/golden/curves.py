"""Scores and labels -> a rising curve from score to probability.

Two parameters on the log odds (Platt 1999) unless rows are many; then also isotonic regression
(Zadrozny & Elkan 2002), which follows any rising shape and so needs more to follow it by.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from halgo.calibration import SUREST
from halgo.golden.metrics import Bools, Floats

# Below this the steps of isotonic regression are mostly noise (Niculescu-Mizil & Caruana 2005).
ISOTONIC_ROWS = 1000
_MOST_POINTS = 50
_RIDGE = 1e-3  # holds the parameters where the rows are told apart without a fault


def platt(labels: Bools, scores: Floats) -> tuple[float, float]:
    """Slope and intercept on the log odds of the scores, by Newton's method.

    Targets are drawn in from 0 and 1 as Platt has it, so that few rows claim no certainty. The
    slope is 0 or less where higher scores go with unsupported rows.
    """
    labels = np.asarray(labels, bool)
    held = np.clip(np.asarray(scores, float), 1 - SUREST, SUREST)
    design = np.stack([np.log(held / (1 - held)), np.ones(len(held))], axis=1)
    good, bad = labels.sum(), (~labels).sum()
    target = np.where(labels, (good + 1) / (good + 2), 1 / (bad + 2))
    start = np.array([1.0, 0.0])
    theta = start

    def loss(at: Floats) -> float:
        logit = design @ at
        held_back = _RIDGE / 2 * float((at - start) @ (at - start))
        return float((np.logaddexp(0.0, logit) - target * logit).mean()) + held_back

    for _ in range(100):
        said = 1 / (1 + np.exp(-(design @ theta)))
        slope = design.T @ (said - target) / len(said) + _RIDGE * (theta - start)
        bend = (design * (said * (1 - said))[:, None]).T @ design / len(said)
        step = np.linalg.solve(bend + _RIDGE * np.eye(2), slope)
        size = 1.0
        while size > 1e-6 and loss(theta - size * step) > loss(theta):
            size /= 2  # a full step may overshoot where the curve is flat
        theta = theta - size * step
        if np.abs(size * step).max() < 1e-9:
            break
    return float(theta[0]), float(theta[1])


def isotonic(labels: Bools, scores: Floats) -> list[tuple[float, float]]:
    """Points (score, probability) of the rising curve that fits best, at most 50.

    Pool adjacent violators: neighbours that would make it fall are merged until none does. A
    point stands at the mean score of its rows; shares are drawn in as Laplace has it.
    """
    order = np.argsort(scores, kind="stable")
    x, y = np.asarray(scores, float)[order], np.asarray(labels, float)[order]
    parts = np.array_split(np.arange(len(x)), min(_MOST_POINTS, len(x)))
    blocks: list[tuple[float, float, float]] = []  # rows, sum of scores, supported rows
    for part in parts:
        block = (float(len(part)), float(x[part].sum()), float(y[part].sum()))
        while blocks and _share(blocks[-1]) >= _share(block):
            last = blocks.pop()
            block = (last[0] + block[0], last[1] + block[1], last[2] + block[2])
        blocks.append(block)
    points: list[tuple[float, float]] = []
    for rows, total, supported in blocks:
        at, share = round(total / rows, 4), round((supported + 1) / (rows + 2), 4)
        if not points:
            points.append((at, share))
        elif at > points[-1][0]:
            points.append((at, max(share, points[-1][1])))
    return points


def _share(block: tuple[float, float, float]) -> float:
    return (block[2] + 1) / (block[0] + 2)


def folds(groups: list[str], labels: Bools, count: int) -> tuple[NDArray[np.int64], bool]:
    """A fold for each row, and whether groups were kept whole.

    The largest groups first, each into the fold with the fewest rows. Where groups are too few, or
    too uneven for both labels to be in all that is learned from, rows are dealt out singly.
    """
    names, member, sizes = np.unique(np.array(groups), return_inverse=True, return_counts=True)
    fold_of = np.zeros(len(names), int)
    held = np.zeros(count, int)
    for group in sorted(range(len(names)), key=lambda at: (-sizes[at], at)):
        fold_of[group] = int(held.argmin())
        held[fold_of[group]] += sizes[group]
    found = fold_of[member]
    learned = [labels[found != fold] for fold in range(count)]
    enough = all(min(part.sum(), (~part).sum()) >= count for part in learned)
    if len(names) >= count and enough:
        return found, True
    singly = np.zeros(len(labels), int)
    for value in (False, True):  # each label by itself, so that every fold has both
        at = np.flatnonzero(labels == value)
        singly[at] = np.arange(len(at)) % count
    return singly, False
