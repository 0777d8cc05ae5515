"""`python -m benchmarks fit`: fits the coefficients of the score on the dev sets.

Logistic regression over `halgo.verdict.scoring.FEATURES`, with two choices of note:

* *Latent pooling.* A label belongs to a row, the model scores (claim, passage) pairs. Rounds of
  choosing (the best passage of a claim, the weakest claim of an answer, under the coefficients so
  far) and fitting on what was chosen, until the choice settles.
* *Every set counts the same*, and within a set both labels do. While the slopes are fitted each
  set has an intercept of its own, so that they are learned from differences inside sets and not
  from one set being easier than another. One intercept and one scale are then fitted for all.

Signs are bounded: support can only raise a score, a conflict only lower it. Figures printed are
out of fold, folds grouped by document.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from halgo.verdict.scoring import FEATURES

Array = NDArray[Any]

# The share of claims taken to be supported when nothing else is known. Near the mean of the
# claim- and sentence-level sets of real model output; with it the published cut of 0.65 is the
# point where evidence for and against weighs the same.
PRIOR = 0.65
RAISES = (
    "similarity",
    "lexical",
    "cover_best",
    "cover_chunk",
    "cover_top",
    "relations",
    "order",
    "exact",
    "agrees",
    "entailment",
)
FREE = ("length",)
RIDGE = 0.02
ROUNDS = 6
FOLDS = 5


@dataclass(frozen=True)
class Table:
    """Pairs of many rows, flat: features and which claim and row each pair belongs to."""

    features: Array  # (pairs, features)
    claim: Array  # (pairs,) claim number, ascending
    row: Array  # (claims,) row number, ascending
    label: Array  # (rows,) 1 supported, 0 not
    dataset: Array  # (rows,) number of the set
    group: Array  # (rows,) document group
    names: tuple[str, ...]  # of the sets

    def save(self, path: Path) -> None:
        """One .npz, for trying things without extracting again."""
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez(
            path,
            **{k: v for k, v in self.__dict__.items() if k != "names"},
            names=np.array(self.names),
        )

    @classmethod
    def load(cls, path: Path) -> Table:
        with np.load(path, allow_pickle=False) as stored:
            values = {name: stored[name] for name in stored.files}
        names = tuple(str(name) for name in values.pop("names"))
        return cls(**values, names=names)


def chosen(table: Table, scores: Array) -> tuple[Array, Array]:
    """For each row the pair it is judged by, and whether the row has one: max, then min."""
    best = _extreme(scores, table.claim, len(table.row))
    has = best >= 0
    claim_scores = np.where(has, scores[np.maximum(best, 0)], -np.inf)
    weakest = _extreme(-claim_scores, table.row, len(table.label))
    assessed = weakest >= 0
    pair = np.where(assessed, best[np.maximum(weakest, 0)], -1)
    return pair, pair >= 0


def _extreme(values: Array, owner: Array, owners: int) -> Array:
    """Position of the largest value of each owner (-1 where it has none); ties to the first."""
    order = np.lexsort((np.arange(len(values)), -values, owner))
    first = np.full(owners, -1)
    owned, where = np.unique(owner[order], return_index=True)
    first[owned] = order[where]
    return first


def fit(table: Table, rows: Array) -> tuple[Array, float]:
    """Slopes and intercept fitted on `rows` (a mask). Features are used as they are."""
    weights = np.array(
        [1.0 if name in RAISES else 0.0 if name in FREE else -1.0 for name in FEATURES]
    )
    weights[FEATURES.index("cover_best")] = 3.0
    for _ in range(ROUNDS):
        pair, has = chosen(table, table.features @ weights)
        use = rows & has
        new = _slopes(table.features[pair[use]], table.label[use], table.dataset[use])
        if np.allclose(new, weights, atol=1e-3):
            break
        weights = new
    pair, has = chosen(table, table.features @ weights)
    use = rows & has
    scale, intercept = _level(
        table.features[pair[use]] @ weights, table.label[use], table.dataset[use]
    )
    return weights * scale, intercept


def _balance(label: Array, dataset: Array, prior: float = 0.5) -> Array:
    """A weight per row: sets count the same, and labels as `prior` to 1 - `prior`."""
    weight = np.zeros(len(label))
    for number in np.unique(dataset):
        for value, share in ((1, prior), (0, 1 - prior)):
            mask = (dataset == number) & (label == value)
            if mask.any():
                weight[mask] = share / mask.sum()
    return weight / weight.sum()


def _slopes(features: Array, label: Array, dataset: Array) -> Array:
    from scipy.optimize import minimize

    sets = np.unique(dataset)
    own = (dataset[:, None] == sets).astype(float)
    design = np.hstack([features.astype(float), own])
    weight, sign = _balance(label, dataset), 2.0 * label - 1.0
    count = len(FEATURES)

    def loss(theta: Array) -> tuple[float, Array]:
        margin = sign * (design @ theta)
        value = (
            float(weight @ np.logaddexp(0.0, -margin))
            + RIDGE / 2 * float(theta[:count] @ theta[:count]) / count
        )
        slope = -weight * sign / (1.0 + np.exp(margin))
        gradient = design.T @ slope
        gradient[:count] += RIDGE * theta[:count] / count
        return value, gradient

    bounds: list[tuple[float | None, float | None]] = [
        (None, None) if name in FREE else (0.0, None) if name in RAISES else (None, 0.0)
        for name in FEATURES
    ]
    bounds += [(None, None)] * len(sets)
    found = minimize(loss, np.zeros(design.shape[1]), jac=True, bounds=bounds, method="L-BFGS-B")
    slopes: Array = found.x[:count]
    return slopes


def _level(logit: Array, label: Array, dataset: Array) -> tuple[float, float]:
    """Scale and intercept that turn the logit into a probability over all sets (Platt)."""
    from scipy.optimize import minimize

    weight, sign = _balance(label, dataset, PRIOR), 2.0 * label - 1.0

    def loss(theta: Array) -> float:
        return float(weight @ np.logaddexp(0.0, -sign * (theta[0] * logit + theta[1])))

    found = minimize(loss, np.array([1.0, 0.0]), bounds=[(0.2, 5.0), (None, None)])
    return float(found.x[0]), float(found.x[1])


def out_of_fold(table: Table) -> Array:
    """A score per row by coefficients that never saw its document; 0 where nothing is assessed."""
    scores = np.zeros(len(table.label))
    folds = table.group % FOLDS
    for fold in range(FOLDS):
        weights, intercept = fit(table, folds != fold)
        pair, has = chosen(table, table.features @ weights)
        mine = (folds == fold) & has
        scores[mine] = 1 / (1 + np.exp(-(table.features[pair[mine]] @ weights + intercept)))
    return scores


def extract(wanted: Sequence[str], limit: int | None) -> Table:
    """The features of every pair of the sets, by the checker's own examination."""
    from benchmarks import data
    from benchmarks.cache import CachedEmbedder, cached_parses
    from halgo import Config, Halgorithm
    from halgo.claims.extract import as_claims
    from halgo.claims.extract import extract as split
    from halgo.evidence import embed

    features: list[Array] = []
    claim_of: list[int] = []
    row_of: list[int] = []
    label: list[int] = []
    dataset: list[int] = []
    group: list[int] = []
    with cached_parses():
        halgorithm = Halgorithm(Config(), embedder=CachedEmbedder(embed.resolve("minilm")))
        for number, (name, rows) in enumerate(data.load_all(wanted, limit).items()):
            for docs, positions in data.by_documents(rows).items():
                checker = halgorithm.checker(list(docs))
                for row in (rows[position] for position in positions):
                    whole = row.granularity == "response"
                    claims = split(row.claim) if whole else as_claims([row.claim])
                    for examined in checker.examine([c for c in claims if c.kind.checked]):
                        features.append(examined.features)
                        claim_of += [len(row_of)] * len(examined.features)
                        row_of.append(len(label))
                    label.append(int(row.supported))
                    dataset.append(number)
                    group.append(int(row.group[:8], 16))
            print(f"{name}: {len(rows)} rows", flush=True)
    return Table(
        features=np.vstack(features),
        claim=np.array(claim_of),
        row=np.array(row_of),
        label=np.array(label),
        dataset=np.array(dataset),
        group=np.array(group),
        names=tuple(wanted),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Extracts features (or takes the kept ones), prints figures out of fold, writes the fit."""
    from benchmarks import data, metrics

    parser = argparse.ArgumentParser(prog="python -m benchmarks fit", description=__doc__)
    parser.add_argument("--sets", default=",".join(data.FOURTEEN))
    parser.add_argument("--limit", type=int, help="rows per set")
    parser.add_argument("--reuse", action="store_true", help="take the features of the last run")
    parser.add_argument("--write", action="store_true", help="replace halgo/data/fusion.json")
    options = parser.parse_args(arguments)
    kept = data.ROOT / ".cache" / "features.npz"
    if options.reuse:
        table = Table.load(kept)
    else:
        table = extract(options.sets.split(","), options.limit)
        table.save(kept)
    scores = out_of_fold(table)
    aucs, accuracies = [], []
    for number, name in enumerate(table.names):
        mine = table.dataset == number
        label, score = table.label[mine].astype(bool), scores[mine]
        aucs.append(metrics.roc_auc(label, score))
        accuracies.append(metrics.balanced_accuracy(label, score >= 0.65))
        print(f"{name:24} {mine.sum():6} rows  AUC {aucs[-1]:.3f}  BA {accuracies[-1]:.3f}")
    print(
        f"{'mean':24} {len(scores):6} rows  AUC {np.mean(aucs):.3f}  BA {np.mean(accuracies):.3f}"
    )
    weights, intercept = fit(table, np.ones(len(table.label), dtype=bool))
    for name, weight in zip(FEATURES, weights, strict=True):
        print(f"  {name:20} {weight:+.3f}")
    print(f"  {'intercept':20} {intercept:+.3f}")
    return 0
