"""The figures of `halgo.golden.metrics`, and what many sets together say."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from halgo.golden.metrics import (
    DRAWS,
    Bools,
    Figure,
    Floats,
    auc_draws,
    balanced_accuracy,
    balanced_draws,
    draws,
    ece,
    interval,
    paired,
    roc_auc,
)

__all__ = [
    "DRAWS",
    "Bools",
    "Figure",
    "Floats",
    "auc_draws",
    "balanced_accuracy",
    "balanced_draws",
    "draws",
    "ece",
    "interval",
    "mean_figure",
    "paired",
    "roc_auc",
    "share",
]


def mean_figure(values: Sequence[float], samples: Sequence[Floats]) -> Figure:
    """The mean over sets of a figure, its interval from the sets' own bootstrap samples."""
    if not len(values):
        return Figure(float("nan"), float("nan"), float("nan"))
    return interval(float(np.mean(values)), np.mean(np.stack(list(samples)), axis=0))


def share(right: Sequence[bool], groups: Sequence[str]) -> Figure:
    """The share of `right` with its interval over whole groups."""
    weights = draws(groups)
    values = np.asarray(right, float)
    return interval(float(values.mean()), weights @ values / weights.sum(axis=1))
