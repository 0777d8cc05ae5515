"""Labelled rows -> a Calibration for their domain, with what speaks for it.

Every row is checked once; what the verdict would be at other cut points is worked out from its
report, so the figures are of verdicts, not of scores alone. Figures called out of fold come from
rows that the curve and the cut did not see, documents kept whole (`curves.folds`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from halgo import disk
from halgo.calibration import Calibration
from halgo.config import Config
from halgo.errors import GoldenError
from halgo.golden import curves, metrics
from halgo.golden.evaluate import Makes, reports, verdict_of
from halgo.golden.metrics import Bin, Bools, Floats
from halgo.golden.rows import Label, Row
from halgo.report.report import Report
from halgo.types import Verdict

LEAST_ROWS = 30
LEAST_EACH = 10  # of supported rows, and of the others
FOLDS = 5
# Cut points that are tried, on the scale of scores.
GRID = np.round(np.arange(0.02, 0.99, 0.02), 2)
# Of the supported rows, so many may score below `threshold`, that is, too low to count at all.
LOST = 0.05


@dataclass(frozen=True, slots=True)
class Bought:
    """What a `support_threshold` buys: how well its SUPPORTED, and the rest, can be trusted.

    supported, unsupported: precision, recall and F1; NaN where not defined.
    """

    threshold: float
    supported: metrics.Retrieval
    unsupported: metrics.Retrieval


@dataclass(frozen=True, slots=True)
class Fitted:
    """A Calibration and the evidence for it.

    before, after: figures with the settings as they were, and out of fold with the new ones: "ece",
    "log_loss", "balanced_accuracy". curve: "logistic" or "isotonic". base_rate: share of supported
    rows; the probabilities hold where about as many claims are supported. folds: "groups" or
    "rows". bins_before, bins_after: reliability of scores, and of probabilities out of fold.
    """

    calibration: Calibration
    curve: str
    base_rate: float
    folds: str
    before: dict[str, float]
    after: dict[str, float]
    table: tuple[Bought, ...]
    bins_before: tuple[Bin, ...]
    bins_after: tuple[Bin, ...]
    not_assessed: int

    __hash__ = None  # type: ignore[assignment]

    def to_dict(self) -> dict[str, Any]:
        """Plain values: the calibration's own keys, which are all `Config` reads, and the rest."""
        return {
            **self.calibration.to_dict(),
            "evidence": {
                "curve": self.curve,
                "base_rate": round(self.base_rate, 4),
                "folds": self.folds,
                "not_assessed": self.not_assessed,
                "before": _rounded(self.before),
                "after": _rounded(self.after),
                "thresholds": [
                    {
                        "support_threshold": bought.threshold,
                        "supported": _retrieval(bought.supported),
                        "unsupported": _retrieval(bought.unsupported),
                    }
                    for bought in self.table
                ],
            },
        }

    def to_json(self) -> str:
        """What `save` writes."""
        return json.dumps(self.to_dict(), indent=2, allow_nan=False) + "\n"

    def save(self, path: str | Path) -> None:
        """Writes the JSON file that `Config.calibrated` takes, whole or not at all.

        Raises OSError where it cannot, or where something stands that is no regular file.
        """
        disk.write(os.path.realpath(path), self.to_json().encode("utf-8"))


def calibrate(
    rows: Sequence[Row],
    models: Makes,
    *,
    name: str,
    precision: float | None = None,
    made: str = "",
) -> Fitted:
    """A Calibration of these rows for the domain `name`, checked with `models` (a `Halgorithm`).

    `support_threshold` is where balanced accuracy is highest, or, with `precision`, the lowest cut
    at which so large a share of what is called SUPPORTED is. made: a date, kept as it is given.
    Raises GoldenError when rows of either kind are too few, when scores do not tell the two apart,
    or when no cut reaches the precision.
    """
    return calibrate_reports(rows, reports(rows, models), name=name, precision=precision, made=made)


def calibrate_reports(
    rows: Sequence[Row],
    checked: Sequence[Report],
    *,
    name: str,
    precision: float | None = None,
    made: str = "",
) -> Fitted:
    """The same from reports at hand. Raises GoldenError also for reports that are calibrated."""
    if precision is not None and not 0 < precision <= 1:
        raise ValueError(f"precision must be above 0 and at most 1, not {precision!r}")
    if any(report.config.calibration is not None for report in checked):
        raise GoldenError("these reports are calibrated already; check without a calibration")
    if any(report.config.mode == "classic" for report in checked):
        raise GoldenError("classic mode keeps the published scores; it cannot be calibrated")
    kept = [
        (row, report)
        for row, report in zip(rows, checked, strict=True)
        # Whether an answer should have been given is no matter of its score.
        if report.weakest is not None and row.label is not Label.REFUSAL
    ]
    labels = np.array([row.supported for row, _ in kept], bool)
    _require_enough(labels, name)
    groups = [row.group for row, _ in kept]
    found = [report for _, report in kept]
    scores = np.array([report.weakest for report in found], float)
    if metrics.roc_auc(labels, scores) <= 0.5:
        raise GoldenError(
            f"{name}: supported rows score no higher than the others, so no curve or cut can tell "
            "them apart; look at the rows (are the labels the right way round?)"
        )
    said = _said(found)
    dealt, whole = curves.folds(groups, labels, FOLDS)
    kind, probabilities = _out_of_fold(labels, scores, dealt)
    calibration = _curve(kind, labels, scores, name)
    cut = _best_cut(labels, said, precision, name)
    predicted = np.zeros(len(labels), bool)
    for fold in range(FOLDS):
        mine = dealt == fold
        at = _best_cut(labels[~mine], said[:, ~mine], precision, name, strict=False)
        predicted[mine] = said[at, mine]
    lowest = min(float(np.quantile(scores[labels], LOST)), float(GRID[cut]))
    engine = found[0].engine
    calibration = replace(
        calibration,
        threshold=_down(calibration(lowest)),
        support_threshold=_down(calibration(float(GRID[cut]))),
        embedder=engine.embedder,
        entailment=engine.entailment,
        fusion=engine.calibration,
        rows=len(labels),
        made=made,
    )
    bins = metrics.bins_for(len(labels), most=10)
    now = np.array([verdict_of(report) is Verdict.SUPPORTED for report in found], bool)
    return Fitted(
        calibration=calibration,
        curve=kind,
        base_rate=float(labels.mean()),
        folds="groups" if whole else "rows",
        before=_figures(labels, scores, now),
        after=_figures(labels, probabilities, predicted),
        table=_table(labels, said, calibration),
        bins_before=tuple(metrics.reliability(labels, scores, bins)),
        bins_after=tuple(metrics.reliability(labels, probabilities, bins)),
        not_assessed=sum(row.label is not Label.REFUSAL for row in rows) - len(kept),
    )


def _require_enough(labels: Bools, name: str) -> None:
    good, bad = int(labels.sum()), int((~labels).sum())
    wanting = []
    if good < LEAST_EACH:
        wanting.append(f"{LEAST_EACH - good} more supported")
    if bad < LEAST_EACH:
        wanting.append(f"{LEAST_EACH - bad} more unsupported or contradicted")
    if good + bad < LEAST_ROWS:
        wanting.append(f"{LEAST_ROWS - good - bad} more in all")
    if wanting:
        raise GoldenError(
            f"{name}: {good + bad} row{'' if good + bad == 1 else 's'} could be assessed, {good} "
            f"supported and {bad} not; a calibration takes at least {LEAST_ROWS}, {LEAST_EACH} of "
            f"each kind. It lacks {', and '.join(wanting)}"
        )


def _said(found: Sequence[Report]) -> Bools:
    """Whether each row would be SUPPORTED at each cut of the grid: (cuts, rows)."""
    # A curve that changes nothing: what a passage is about then does not move with the cut, just
    # as it will not under the calibration that is being made.
    config = found[0].config.with_(calibration=Calibration("level"))
    level = [replace(report, config=config) for report in found]
    said = np.zeros((len(GRID), len(found)), bool)
    for number, cut in enumerate(float(cut) for cut in GRID):
        low = min(config.threshold, cut)
        for at, report in enumerate(level):
            judged = report.rethreshold(low, support_threshold=cut)
            said[number, at] = verdict_of(judged) is Verdict.SUPPORTED
    return said


def _best_cut(
    labels: Bools, said: Bools, precision: float | None, name: str, strict: bool = True
) -> int:
    """The position in the grid of the cut to take.

    With a precision the lowest that reaches it; where none does, the most precise, or GoldenError
    if `strict`. Else, of the cuts within one standard error of the best balanced accuracy, the one
    nearest the shipped cut (Breiman et al. 1984): few rows are no reason to move far.
    """
    if precision is None:
        worth = np.array([metrics.balanced_accuracy(labels, row) for row in said])
        error = _standard_error(labels, said[int(worth.argmax())])
    else:
        worth = np.array([metrics.retrieval(labels, row).precision for row in said])
        reached = np.flatnonzero(worth >= precision)
        if len(reached):
            return int(reached[0])
        worth, error = np.nan_to_num(worth), 0.0
        if strict:
            raise GoldenError(
                f"{name}: no cut reaches a precision of {precision:g} for SUPPORTED; the best is "
                f"{worth.max():.3f}, at a score of {GRID[worth.argmax()]:.2f} before calibration; "
                "ask for no more than that, or label more rows"
            )
    near = np.flatnonzero(worth >= worth.max() - error - 1e-12)
    usual = Config().support_threshold
    return int(min(near, key=lambda at: (abs(GRID[at] - usual), at)))


def _standard_error(labels: Bools, said: Bools) -> float:
    """Of the balanced accuracy: both recalls are shares of rows of their own."""
    good, bad = said[labels].mean(), (~said[~labels]).mean()
    spread = good * (1 - good) / labels.sum() + bad * (1 - bad) / (~labels).sum()
    return float(np.sqrt(spread) / 2)


def _curve(kind: str, labels: Bools, scores: Floats, name: str) -> Calibration:
    """The fitted curve alone. Raises GoldenError when it would fall."""
    if kind == "isotonic":
        return Calibration(name, points=tuple(curves.isotonic(labels, scores)))
    slope, intercept = curves.platt(labels, scores)
    if slope <= 0:
        raise GoldenError(
            f"{name}: higher scores go with unsupported rows, so the curve would fall; look at the "
            "rows (are the labels the right way round?)"
        )
    return Calibration(name, slope=round(slope, 4) or 1e-4, intercept=round(intercept, 4))


def _out_of_fold(labels: Bools, scores: Floats, dealt: np.ndarray[Any, Any]) -> tuple[str, Floats]:
    """The kind of curve that predicts best, and its probabilities for rows it did not see."""
    kinds = ["logistic"] + ["isotonic"] * (len(labels) >= curves.ISOTONIC_ROWS)
    found: list[tuple[float, str, Floats]] = []
    for kind in kinds:
        probabilities = np.zeros(len(labels))
        for fold in range(FOLDS):
            mine = dealt == fold
            try:
                curve = _curve(kind, labels[~mine], scores[~mine], "")
            except GoldenError:  # a fold in which scores say nothing; then the share is all
                share = float(labels[~mine].mean())
                curve = Calibration("", points=((0.0, share), (1.0, share)))
            probabilities[mine] = [curve(float(score)) for score in scores[mine]]
        found.append((_log_loss(labels, probabilities), kind, probabilities))
    _, kind, probabilities = min(found, key=lambda one: one[0])
    return kind, probabilities


def _table(labels: Bools, said: Bools, calibration: Calibration) -> tuple[Bought, ...]:
    """What cut points buy, at probabilities of 0.05 to 0.95 and at the chosen one."""
    chosen = calibration.support_threshold
    round_ones = [round(level / 20, 2) for level in range(1, 20)]
    found = []
    for level in sorted([chosen, *(one for one in round_ones if abs(one - chosen) > 0.02)]):
        cut = calibration.score_of(level)
        if not GRID[0] <= cut <= GRID[-1]:
            continue
        row = said[int(np.abs(GRID - cut).argmin())]
        bought = Bought(level, metrics.retrieval(labels, row), metrics.retrieval(~labels, ~row))
        found.append(bought)
    return tuple(found)


def _figures(labels: Bools, probabilities: Floats, said: Bools) -> dict[str, float]:
    return {
        "ece": metrics.ece(labels, probabilities, metrics.bins_for(len(labels))),
        "log_loss": _log_loss(labels, probabilities),
        "balanced_accuracy": metrics.balanced_accuracy(labels, said),
    }


def _log_loss(labels: Bools, probabilities: Floats) -> float:
    held = np.clip(probabilities, 1e-6, 1 - 1e-6)
    return float(-np.where(labels, np.log(held), np.log(1 - held)).mean())


def _down(value: float) -> float:
    """Rounded down, so that the score the value was made of reaches it."""
    return float(np.floor(value * 1e4) / 1e4)


def _rounded(values: dict[str, float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in values.items()}


def _retrieval(found: metrics.Retrieval) -> dict[str, float | None]:
    values = {"precision": found.precision, "recall": found.recall, "f1": found.f1}
    return {name: None if np.isnan(value) else round(value, 4) for name, value in values.items()}
