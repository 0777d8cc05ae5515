"""Labelled sets -> the features of every (claim, passage) pair, as one flat table.

The features are those of the checker's own examination, every claim read by the entailment model.
Only rows whose documents the model was not trained on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import data
from benchmarks.provenance import say
from halgo import Config, Halgorithm
from halgo.checker import Checker
from halgo.types import Claim

Array = NDArray[Any]

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


def extract(
    wanted: Sequence[str], limit: int | None, jobs: int, entailment: str = "default"
) -> Table:
    """The features of every pair of the sets, by the checker's own examination.

    A last set is made by rule: sentences of the documents themselves, which are supported, and
    claims about other documents, which are not. People do not label what is that plain, and
    without it a fit on labelled sets alone would put both ends of the scale near its middle.
    """
    import multiprocessing
    import os
    from concurrent.futures import ProcessPoolExecutor

    os.environ.setdefault("OMP_NUM_THREADS", "1")  # read by the workers when they start
    found = _Rows()
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        running = [
            pool.submit(_of_set, name, number, len(wanted), limit, entailment)
            for number, name in enumerate(wanted)
        ]
        for name, future in zip(wanted, running, strict=True):
            rows = future.result()
            found.extend(rows)
            say(f"{name}: {len(rows.label)} rows")
    return found.table((*wanted, BY_RULE))


def _of_set(
    name: str, number: int, by_rule: int, limit: int | None, entailment: str = "default"
) -> _Rows:
    """The rows of one set, and those made by rule of its documents."""
    from benchmarks.cache import CachedEmbedder, cached_entailment, cached_parses
    from halgo.claims.extract import as_claims
    from halgo.claims.extract import extract as split
    from halgo.entailment import cross_encoder
    from halgo.evidence import embed

    found = _Rows()
    with cached_parses():
        model = cross_encoder.resolve(entailment)
        assert model is not None
        halgorithm = Halgorithm(
            Config(cascade=False),
            embedder=CachedEmbedder(embed.resolve("minilm")),
            entailment=cached_entailment(model),
        )
        rows = data.sample(data.kept_out(data.load(name)), limit)
        groups = list(data.by_documents(rows).items())
        apart = max(1, len(groups) // MADE)
        for place, (docs, positions) in enumerate(groups):
            checker = halgorithm.checker(list(docs))
            for row in (rows[position] for position in positions):
                whole = row.granularity == "response"
                claims = split(row.claim) if whole else as_claims([row.claim])
                found.add(checker, claims, row.supported, number, row.group)
            if place % apart == 0 and name in data.FOURTEEN:
                own = [claim for claim in split("\n\n".join(docs)) if claim.kind.checked]
                other = rows[groups[place - 1][1][0]]
                if len(own) > place % 7:
                    found.add(checker, own[place % 7 : place % 7 + 1], True, by_rule, row.group)
                if other.group != row.group:
                    claims = split(other.claim)[:1]
                    found.add(checker, claims, False, by_rule, row.group)
    return found


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

    def extend(self, other: _Rows) -> None:
        """The rows of `other` after these."""
        claims, rows = len(self.row_of), len(self.label)
        self.features += other.features
        self.claim_of += [claim + claims for claim in other.claim_of]
        self.row_of += [row + rows for row in other.row_of]
        self.label += other.label
        self.dataset += other.dataset
        self.group += other.group

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
