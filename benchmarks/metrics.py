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
]


def mean_figure(values: Sequence[float], samples: Sequence[Floats]) -> Figure:
    """The mean over sets of a figure, its interval from the sets' own bootstrap samples."""
    if not len(values):
        return Figure(float("nan"), float("nan"), float("nan"))
    return interval(float(np.mean(values)), np.mean(np.stack(list(samples)), axis=0))
