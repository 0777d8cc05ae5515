"""`python -m training evaluate`: weights -> ROC-AUC on the share of the sets not trained on.

The model alone: most over the readings of a claim, least over the claims of a response.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from benchmarks import data as labelled
from benchmarks import metrics
from training import net
from training.data import premises
from training.reading import encode, tokenizer

if TYPE_CHECKING:
    from halgo.protocols import Embedder


def build(embedder: Embedder, path: Path, limit: int) -> None:
    """Writes what is read for at most `limit` kept-aside rows of each set."""
    from halgo.claims.extract import extract

    with gzip.open(path, "wt", encoding="utf-8") as lines:
        for name in labelled.GROUPED:
            rows = [row for row in labelled.load(name) if not labelled.trained_on(row)]
            random.Random(name).shuffle(rows)
            rows = sorted(rows[:limit], key=lambda row: row.docs)
            for row in rows:
                claims = [row.claim]
                if row.granularity == "response":
                    claims = [claim.text for claim in extract(row.claim) if claim.kind.checked]
                reads = [
                    [claim, premises(embedder, row.docs, claim, both=True)] for claim in claims
                ]
                lines.write(json.dumps([name, row.label, reads]) + "\n")


def predict(model: net.CrossEncoder, cut: Any, pairs: Sequence[tuple[str, str]]) -> Any:
    """(premise, claim) -> (n, 3) probabilities."""
    read = [encode(cut, premise, claim)[:2] for premise, claim in pairs]
    found = np.zeros((len(pairs), 3), dtype=np.float32)
    order = sorted(range(len(read)), key=lambda at: len(read[at][0]))
    with torch.inference_mode(), net.autocast("cpu"):
        for start in range(0, len(order), 24):
            batch = order[start : start + 24]
            longest = max(len(read[at][0]) for at in batch)
            ids = torch.zeros((len(batch), longest), dtype=torch.long)
            segments = torch.zeros_like(ids)
            for row, at in enumerate(batch):
                pieces, claim_at = read[at]
                ids[row, : len(pieces)] = torch.tensor(pieces)
                segments[row, claim_at : len(pieces)] = 1
            lengths = torch.tensor([len(read[at][0]) for at in batch])
            logits, _ = model(ids, segments, lengths)
            found[batch] = logits.float().softmax(1).numpy()
    return found


def evaluate(weights: Path, vocabulary: Path, path: Path) -> dict[str, tuple[float, float]]:
    """Set -> ROC-AUC, and balanced accuracy at even odds."""
    model, cut = net.load(weights), tokenizer(vocabulary)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    pairs = [(p, claim) for _, _, reads in rows for claim, ps in reads for p in ps]
    chances = predict(model, cut, pairs)[:, 0].tolist()
    at = 0
    scores: dict[str, list[tuple[bool, float]]] = {}
    for name, label, reads in rows:
        weakest = 1.0
        for _, ps in reads:
            best = max(chances[at : at + len(ps)], default=0.0)
            at += len(ps)
            weakest = min(weakest, best)
        scores.setdefault(name, []).append((label == "supported", weakest if reads else 0.0))
    figures = {}
    for name, found in scores.items():
        label, score = np.array([a for a, _ in found]), np.array([b for _, b in found])
        figures[name] = (
            metrics.roc_auc(label, score),
            metrics.balanced_accuracy(label, score >= 0.5),
        )
    for title, names in labelled.GROUPS.items():
        for name in names:
            auc, balanced = figures[name]
            print(f"{name:24} {len(scores[name]):5} AUC {auc:.3f} BA {balanced:.3f}")
        mean = np.mean([figures[name] for name in names], axis=0)
        print(f"{'MEAN ' + title:24} {'':5} AUC {mean[0]:.3f} BA {mean[1]:.3f}")
    return figures


def build_kept(embedder: Embedder, path: Path) -> None:
    """Writes the claims of `written/kept`, each with what a check would read for it."""
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        for row in labelled.load(labelled.WRITTEN):
            premise = premises(embedder, row.docs, row.claim, both=True)[0]
            lines.write(json.dumps([row.supported, row.claim, premise]) + "\n")


def kept(weights: Path, vocabulary: Path, path: Path) -> tuple[float, float]:
    """ROC-AUC on the claims of `written/kept`, and the share of twins told apart.

    A claim and its twin stand side by side.
    """
    model, cut = net.load(weights), tokenizer(vocabulary)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    label = np.array([supported for supported, _, _ in rows])
    chances = predict(model, cut, [(premise, claim) for _, claim, premise in rows])[:, 0]
    right = [
        (chances[at] > chances[at + 1]) == label[at]
        for at in range(0, len(rows) - 1, 2)
        if label[at] != label[at + 1]
    ]
    found = metrics.roc_auc(label, chances), float(np.mean(right))
    print(f"{labelled.WRITTEN:24} {len(rows):5} AUC {found[0]:.3f} twins told apart {found[1]:.3f}")
    return found
