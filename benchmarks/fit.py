"""`python -m benchmarks fit`: fits the coefficients of the score on the dev sets.

Logistic regression over `halgo.verdict.scoring.FEATURES`, with two choices of note:

* *Latent pooling.* A label belongs to a row, the model scores (claim, passage) pairs. Rounds of
  choosing (the best passage of a claim, the weakest claim of an answer, under the coefficients so
  far) and fitting on what was chosen, until the choice settles.
* *Every set counts the same*, and within a set both labels do. While the slopes are fitted each
  set has an intercept of its own, held back by `OWN`: with free ones the slopes would be learned
  from differences inside sets only, which ranks best but suits no common cut; with none also from
  one set being easier than another. One scale and intercept are then fitted for all sets, at odds
  of `PRIOR` (Platt 1999).

Signs are bounded: support can only raise a score, a conflict only lower it. Figures printed are
out of fold, folds grouped by document.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.provenance import say
from halgo import Config
from halgo.checker import Checker
from halgo.types import Claim
from halgo.verdict.scoring import FEATURES

Array = NDArray[Any]

OWN = 0.15  # ridge on the intercepts of the sets
# The share of claims taken to be supported when nothing else is known. Near the mean of the
# claim- and sentence-level sets of real model output; with it the published cut of 0.65 is the
# point where evidence for and against weighs the same.
PRIOR = 0.68
PLAIN = 4.0  # how much more than another set the one made by rule counts for the level
RAISES = (
    "similarity",
    "lexical",
    "cover_best",
    "cover_chunk",
    "cover_top",
    "relations",
    "order",
    "exact",
    "plain",
    "verbatim",
    "bigrams",
    "agrees",
    "entailment",
)
RIDGE = 0.02
ROUNDS = 6
FOLDS = 5
# Rows made by rule for each set, of each label.
MADE = 30
BY_RULE = "by_rule"


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
    weights = np.array([1.0 if name in RAISES else -1.0 for name in FEATURES])
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
    logit = table.features[pair[use]] @ weights
    by_rule = table.names.index(BY_RULE)
    scale, intercept = _level(logit, table.label[use], table.dataset[use], by_rule)
    return weights * scale, intercept


def _balance(label: Array, dataset: Array, prior: float = 0.5) -> Array:
    """A weight per row: sets count the same, and labels of a set as `prior` to 1 - `prior`."""
    weight = np.zeros(len(label))
    for number in np.unique(dataset):
        for value, share in ((1, prior), (0, 1 - prior)):
            mask = (dataset == number) & (label == value)
            if mask.any():
                weight[mask] = share / mask.sum()
    total: Array = weight / weight.sum()
    return total


def _slopes(features: Array, label: Array, dataset: Array) -> Array:
    from scipy.optimize import minimize

    sets = np.unique(dataset)
    own = (dataset[:, None] == sets).astype(float)
    design = np.hstack([features.astype(float), own, np.ones((len(label), 1))])
    weight, sign = _balance(label, dataset), 2.0 * label - 1.0
    ridge = np.concatenate([
        np.full(len(FEATURES), RIDGE / len(FEATURES)),
        np.full(len(sets), OWN / len(sets)),
        [0.0],
    ])  # fmt: skip

    def loss(theta: Array) -> tuple[float, Array]:
        margin = sign * (design @ theta)
        value = weight @ np.logaddexp(0.0, -margin) + (ridge * theta) @ theta / 2
        gradient = design.T @ (-weight * sign / (1.0 + np.exp(margin))) + ridge * theta
        return float(value), gradient

    bounds: list[tuple[float | None, float | None]] = [
        (0.0, None) if name in RAISES else (None, 0.0) for name in FEATURES
    ]
    bounds += [(None, None)] * (len(sets) + 1)
    start = np.zeros(design.shape[1])
    found = minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B")
    slopes: Array = found.x[: len(FEATURES)]
    return slopes


def _level(logit: Array, label: Array, dataset: Array, by_rule: int) -> tuple[float, float]:
    """Scale and intercept that make a probability of the logit, over all sets."""
    from scipy.optimize import minimize

    weight, sign = _balance(label, dataset, PRIOR), 2.0 * label - 1.0
    # Labelled sets hold what is hard to tell; what users check is plain far more often.
    weight = np.where(dataset == by_rule, PLAIN * weight, weight)

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
    """The features of every pair of the sets, by the checker's own examination.

    A last set is made by rule: sentences of the documents themselves, which are supported, and
    claims about other documents, which are not. People do not label what is that plain, and
    without it a fit on labelled sets alone would put both ends of the scale near its middle.
    """
    from benchmarks import data
    from benchmarks.cache import CachedEmbedder, cached_parses
    from halgo import Halgorithm
    from halgo.claims.extract import as_claims
    from halgo.claims.extract import extract as split
    from halgo.evidence import embed

    found = _Rows()
    by_rule = len(wanted)
    with cached_parses():
        halgorithm = Halgorithm(Config(), embedder=CachedEmbedder(embed.resolve("minilm")))
        for number, (name, rows) in enumerate(data.load_all(wanted, limit).items()):
            groups = list(data.by_documents(rows).items())
            apart = max(1, len(groups) // MADE)
            for place, (docs, positions) in enumerate(groups):
                checker = halgorithm.checker(list(docs))
                for row in (rows[position] for position in positions):
                    whole = row.granularity == "response"
                    claims = split(row.claim) if whole else as_claims([row.claim])
                    found.add(checker, claims, row.supported, number, row.group)
                if place % apart == 0:
                    own = [claim for claim in split("\n\n".join(docs)) if claim.kind.checked]
                    other = rows[groups[place - 1][1][0]]
                    found.add(checker, own[place % 7 : place % 7 + 1], True, by_rule, row.group)
                    if other.group != row.group:
                        claims = split(other.claim)[:1]
                        found.add(checker, claims, False, by_rule, row.group)
            say(f"{name}: {len(rows)} rows")
    return found.table((*wanted, BY_RULE))


@dataclass
class _Rows:
    """Rows as they are collected."""

    features: list[Array] = field(default_factory=list)
    claim_of: list[int] = field(default_factory=list)
    row_of: list[int] = field(default_factory=list)
    label: list[int] = field(default_factory=list)
    dataset: list[int] = field(default_factory=list)
    group: list[int] = field(default_factory=list)

    def add(
        self, checker: Checker, claims: Sequence[Claim], supported: bool, dataset: int, group: str
    ) -> None:
        """One row: an answer's claims and its label."""
        for examined in checker.examine([claim for claim in claims if claim.kind.checked]):
            self.features.append(examined.features)
            self.claim_of += [len(self.row_of)] * len(examined.features)
            self.row_of.append(len(self.label))
        self.label.append(int(supported))
        self.dataset.append(dataset)
        self.group.append(int(group[:8], 16))

    def table(self, names: tuple[str, ...]) -> Table:
        """All of them, flat."""
        return Table(
            features=np.vstack(self.features),
            claim=np.array(self.claim_of),
            row=np.array(self.row_of),
            label=np.array(self.label),
            dataset=np.array(self.dataset),
            group=np.array(self.group),
            names=names,
        )


def main(arguments: Sequence[str] = ()) -> int:
    """Extracts features (or takes the kept ones), prints figures out of fold, writes the fit."""
    from benchmarks import data, metrics, provenance

    parser = argparse.ArgumentParser(prog="python -m benchmarks fit", description=__doc__)
    parser.add_argument("--sets", default=",".join(data.FOURTEEN))
    parser.add_argument("--limit", type=int, help="rows per set")
    parser.add_argument("--reuse", action="store_true", help="take the features of the last run")
    parser.add_argument("--write", action="store_true", help="replace halgo/data/fusion.json")
    parser.add_argument("--name", default="dev", help="what reports call this fit")
    options = parser.parse_args(arguments)
    kept = data.ROOT / ".cache" / "features.npz"
    if options.reuse:
        table = Table.load(kept)
    else:
        table = extract(options.sets.split(","), options.limit)
        table.save(kept)
    scores = out_of_fold(table)
    figures = {}
    for number, name in enumerate(table.names):
        mine = table.dataset == number
        label, score = table.label[mine].astype(bool), scores[mine]
        auc = metrics.roc_auc(label, score)
        accuracy = metrics.balanced_accuracy(label, score >= Config().support_threshold)
        figures[name] = (auc, accuracy)
        say(f"{name:24} {mine.sum():6} rows  AUC {auc:.3f}  BA {accuracy:.3f}")
    real = [figures[name] for name in table.names if name != BY_RULE]
    auc, accuracy = np.mean(real, axis=0)
    say(f"{'mean without by_rule':24} {len(scores):6} rows  AUC {auc:.3f}  BA {accuracy:.3f}")
    weights, intercept = fit(table, np.ones(len(table.label), dtype=bool))
    fitted = {
        "name": options.name,
        # Kept features are those of the same command without --reuse.
        "made_by": "python -m benchmarks fit " + " ".join(a for a in arguments if a != "--reuse"),
        "commit": provenance.provenance("fit")["commit"],
        "embedder": "all-MiniLM-L6-v2",
        "rows": {name: int((table.dataset == n).sum()) for n, name in enumerate(table.names)},
        "out_of_fold": {
            "mean_roc_auc": round(float(auc), 3),
            "mean_balanced_accuracy": round(float(accuracy), 3),
        },
        "weights": {n: round(float(w), 3) for n, w in zip(FEATURES, weights, strict=True) if w},
        "intercept": round(intercept, 3),
    }
    text = json.dumps(fitted, indent=2) + "\n"
    say(text)
    if options.write:
        (data.ROOT / "halgo" / "data" / "fusion.json").write_text(text, encoding="utf-8")
    return 0
