"""Whole answers that people labelled -> how surely it is told which of them the sources support.

Answers and summaries of one sentence to many, labelled as a whole, about documents that the
entailment model was not trained on. Three decisions are compared: whether every claim is SUPPORTED
(`Report.grounded`), the least score of the claims (`Report.weakest`), and the probability of the
whole answer (`Report.probability`). The last is fitted here, out of fold, with folds that keep
documents whole: every set and both labels count the same, so that half of all answers are
supported, and each set has an intercept of its own while the slopes are fitted, as in `fit`.

Selective prediction (El-Yaniv and Wiener 2010): what share of the answers can be decided, the
surest first, before the share of wrong ones among them is beyond a bound.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks import data, fit, metrics, runs
from benchmarks.features import Array
from benchmarks.provenance import say
from halgo.verdict import whole_answer

SCHEMA = 1
SETS = (
    *("ragtruth_qa", "summedits", "qags_summary", "summeval", "frank_xsum", "xsumfaith", "begin"),
    *("dialfact_small", "faithdial_audit"),
)
FOLDS = 5
PRIOR = 0.5  # the share of answers that are supported: 0.5 of the probability is then a fair cut
RIDGE = 0.02
BINS = 10
ERRORS = (0.05, 0.10, 0.20)
DATA = data.ROOT / "halgo" / "data" / "whole_answer.json"


def main(argv: Sequence[str]) -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks grounded", description=__doc__)
    runs.add_share(parser)
    parser.add_argument("--limit", type=int, default=300, help="answers of each set (300)")
    runs.add_models(parser)
    parser.add_argument("--write", action="store_true", help=f"replace halgo/data/{DATA.name}")
    runs.add_out(parser, "grounded")
    options = runs.parsed(parser, argv, "grounded")
    if options.write:
        options.out = options.out or runs.RESULTS / "grounded.json"
    answers = _checked(options)
    settings = {"share": options.share, "limit": options.limit}
    origin = runs.origin("grounded", argv)
    result = {"schema": SCHEMA, **origin, "settings": settings, **summary(answers)}
    _print(result)
    runs.write(result, options.out)
    if options.write:
        kept = ("command", "commit", "rows", "coefficients", "systems")
        told = {name: result[name] for name in kept if name in result}
        DATA.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
        say(f"written: halgo/data/{DATA.name}")
    return 0


@dataclass(frozen=True)
class Answers:
    """Labelled answers.

    label: (rows,) whether the sources support it; dataset, group: (rows,) the numbers of its set
    and its documents; features: (rows, 2) of `whole_answer`; weakest: (rows,) the least score;
    grounded: (rows,) 1.0 where every claim is SUPPORTED. names: of the sets.
    """

    label: Array
    dataset: Array
    group: Array
    features: Array
    weakest: Array
    grounded: Array
    names: tuple[str, ...]


def _checked(options: argparse.Namespace) -> Answers:
    rows: list[tuple[bool, int, int, tuple[float, float], float, float]] = []
    with ExitStack() as stack:
        from halgo import Config, Halgorithm

        halgorithm = Halgorithm(
            Config(),
            embedder=runs.embedder(options, stack),
            entailment=runs.entailment(options),
        )
        for number, name in enumerate(SETS):
            some = runs.rows(data.load(name), options)
            for docs, positions in data.by_documents(some).items():
                checker = halgorithm.checker(list(docs))
                for row in (some[position] for position in positions):
                    report = checker.check(row.claim)
                    if report.weakest is None:
                        continue  # nothing that can be checked
                    told = whole_answer.features([float(result.score) for result in report])
                    group = int(row.group[:8], 16)
                    grounded = float(bool(report.grounded))
                    rows.append((row.supported, number, group, told, report.weakest, grounded))
            say(f"{name}: {len(some)} answers")
    return Answers(*(np.array(column) for column in zip(*rows, strict=True)), names=SETS)


def summary(answers: Answers) -> dict[str, Any]:
    """{"rows", "systems", "coefficients", "selective"}.

    Of each system the means over the sets of ROC-AUC and of balanced accuracy at its cut, the ECE
    with sets and labels weighted alike, and both of each set.
    """
    label, dataset = answers.label, answers.dataset
    out_of_fold = np.zeros(len(label))
    for fold in range(FOLDS):
        mine = answers.group % FOLDS == fold
        found = fitted(answers.features[~mine], label[~mine], dataset[~mine])
        out_of_fold[mine] = _applied(found, answers.features[mine])
    systems = {
        "every claim SUPPORTED": (answers.grounded, 0.5),
        "least score": (answers.weakest, 0.65),
        "probability": (out_of_fold, 0.5),
    }
    whole = fitted(answers.features, label, dataset)
    return {
        "rows": {name: int((dataset == at).sum()) for at, name in enumerate(answers.names)},
        "systems": {
            name: _figures(answers, scores, cut) for name, (scores, cut) in systems.items()
        },
        "coefficients": dict(
            zip(("weakest", "joint", "intercept"), map(float, np.round(whole, 3)), strict=True)
        ),
        "selective": {
            str(error): round(coverage(label, out_of_fold, _weights(answers), error), 3)
            for error in ERRORS
        },
    }


def fitted(features: Array, label: Array, dataset: Array) -> Array:
    """(weakest, joint, intercept): slopes with an intercept for each set, then one level."""
    from scipy.optimize import minimize

    sets = np.unique(dataset)
    own = (dataset[:, None] == sets).astype(float)
    design = np.hstack([features, own, np.ones((len(label), 1))])
    sign, weight = 2.0 * label - 1.0, fit.balance(label.astype(int), dataset, PRIOR)
    ridge = np.array(
        [RIDGE / features.shape[1]] * features.shape[1] + [fit.OWN / len(sets)] * len(sets) + [0.0]
    )

    def loss(theta: Array) -> tuple[float, Array]:
        margin = sign * (design @ theta)
        value = weight @ np.logaddexp(0.0, -margin) + (ridge * theta) @ theta / 2
        return float(value), design.T @ (-weight * sign / (1.0 + np.exp(margin))) + ridge * theta

    start = np.zeros(design.shape[1])
    slopes = minimize(loss, start, jac=True, method="L-BFGS-B").x[: features.shape[1]]
    logit = features @ slopes

    def level(theta: Array) -> float:
        return float(weight @ np.logaddexp(0.0, -sign * (theta[0] * logit + theta[1])))

    scale, intercept = minimize(level, np.array([1.0, 0.0]), bounds=[(0.2, 5), (None, None)]).x
    return np.array([*(slopes * scale), intercept])


def _applied(found: Array, features: Array) -> Array:
    logits = features @ found[:-1] + found[-1]
    probabilities: Array = 1.0 / (1.0 + np.exp(-logits))
    return probabilities


def _weights(answers: Answers) -> Array:
    return fit.balance(answers.label.astype(int), answers.dataset, PRIOR)


def _figures(answers: Answers, scores: Array, cut: float) -> dict[str, Any]:
    by_set = {}
    for at, name in enumerate(answers.names):
        mine = answers.dataset == at
        if len({*answers.label[mine]}) == 2:
            auc = metrics.roc_auc(answers.label[mine], scores[mine])
            balanced = metrics.balanced_accuracy(answers.label[mine], scores[mine] >= cut)
            by_set[name] = [round(auc, 4), round(balanced, 4)]
    means = np.mean(list(by_set.values()), axis=0)
    error = fit.calibration_error(answers.label, scores, _weights(answers), BINS)
    told = {"auc": means[0], "balanced": means[1], "ece": error}
    return {**{name: round(float(value), 4) for name, value in told.items()}, "sets": by_set}


def coverage(label: Array, scores: Array, weight: Array, error: float) -> float:
    """The largest share that can be decided, the surest first, with at most this share wrong."""
    order = np.argsort(-np.abs(scores - 0.5), kind="stable")
    wrong = (scores[order] >= 0.5) != label[order].astype(bool)
    decided = np.cumsum(weight[order])
    within = np.flatnonzero(np.cumsum(weight[order] * wrong) <= error * decided)
    return float(decided[within[-1]] / weight.sum()) if len(within) else 0.0


def _print(result: dict[str, Any]) -> None:
    print(f"{sum(result['rows'].values())} answers of {len(result['rows'])} sets\n")
    print(f"{'decided by':24}{'ROC-AUC':>9}{'balanced':>10}{'ECE':>8}")
    for name, found in result["systems"].items():
        print(f"{name:24}{found['auc']:9.3f}{found['balanced']:10.3f}{found['ece']:8.3f}")
    print(f"\ncoefficients: {result['coefficients']}")
    for error, share in result["selective"].items():
        print(f"decided with at most {100 * float(error):.0f} % wrong: {100 * share:.0f} %")
