"""Labelled sets and documents -> pairs in the work folder, and the mix that is trained on."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import metrics
from benchmarks.cache import CachedEmbedder
from benchmarks.provenance import say
from halgo.evidence import embed
from training import data, made, written
from training.data import Example

WRITTEN = Path(__file__).resolve().parent.parent / "written"
# Of a stage: what decides where it begins, and its pairs.
OF_MIX = (
    "name", "begins", "most_times", "labelled", "by_rule", "drawn",
    "written", "crossed", "again", "drawn_again",
)  # fmt: skip


def prepare(sets: Path, work: Path, recipe: Mapping[str, Any]) -> None:
    """Writes labelled, altered and made pairs; a file that is there already is kept."""
    seed, pairs = recipe["seed"], recipe["pairs"]
    embedder = CachedEmbedder(embed.resolve("minilm"))
    labelled = work / "labelled.jsonl.gz"
    if not labelled.exists():
        _told(labelled, data.write(labelled, data.labelled_pairs(embedder, sets, seed)))
    texts = data.documents(sets)
    for name in ("written", "twinned"):
        of_claims = getattr(written, f"{name}_pairs")
        for part in pairs[name]:
            path = work / f"{name}-{part}.jsonl.gz"
            if not path.exists():
                found = of_claims(embedder, WRITTEN / part, texts, seed)
                _told(path, data.write(path, found))
                say(f"  guessed without reading: ROC-AUC {_guessed(found):.3f}")
    for name, by_rule in (("altered", made.altered_pairs), ("varied", made.varied_pairs)):
        path = work / f"{name}.jsonl.gz"
        if not path.exists():
            _told(path, data.write(path, by_rule(data.read(labelled), seed)))
    random.Random(0).shuffle(texts)
    kinds = (
        ("made", made.made_pairs),
        ("short", made.short_pairs),
        ("spliced", made.spliced_pairs),
    )
    for name, of_texts in kinds:
        for part in pairs[name]:
            path = work / f"{name}{part}.jsonl.gz"
            if not path.exists():
                some = texts[part :: pairs["parts"]]
                _told(path, data.write(path, of_texts(some, part, pairs["sentences"])))


def _guessed(pairs: Sequence[Example]) -> float:
    """How well the guesses alone tell what is entailed."""
    guessed = [pair for pair in pairs if pair.guess != data.NO_GUESS]
    return metrics.roc_auc(
        np.array([pair.label == data.ENTAILED for pair in guessed]),
        np.array([pair.guess[data.ENTAILED] for pair in guessed]),
    )


def mix(work: Path, recipe: Mapping[str, Any], stage: Mapping[str, Any]) -> list[Example]:
    """The pairs of one stage: labelled ones as often as their set says, the others once.

    Where the stage says how many labelled ones, how many made by rule or how many of those that it
    reads again, so many are drawn.
    """
    rng = random.Random(f"mix {stage['seed']}")
    times = {source.name: min(source.times, stage["most_times"]) for source in data.SETS}
    labelled = [
        pair
        for example in data.read(work / "labelled.jsonl.gz")
        for pair in [example] * times[example.source]
    ]
    read = [pair for name in stage["by_rule"] for pair in data.read(work / f"{name}.jsonl.gz")]
    halved: Sequence[str] = recipe["pairs"]["halved"]
    by_rule = [
        example
        for place, example in enumerate(read)
        if example.source.rpartition(": ")[2] not in halved or place % 2 == 0
    ]
    found = _drawn(labelled, stage.get("labelled"), rng)
    found += _drawn(by_rule, stage.get("drawn"), rng)

    def claims(names: Sequence[str]) -> list[Example]:
        crossed = stage.get("crossed", True)
        read = [pair for name in names for pair in data.read(work / f"{name}.jsonl.gz")]
        return [pair for pair in read if crossed or pair.source != written.CROSSED]

    found += claims(stage.get("written", ()))
    return found + _drawn(claims(stage.get("again", ())), stage.get("drawn_again"), rng)


def _drawn(pairs: list[Example], many: int | None, rng: random.Random) -> list[Example]:
    return pairs if many is None or many >= len(pairs) else rng.sample(pairs, many)


def _told(path: Path, counts: Mapping[str, int]) -> None:
    say(f"{path.name}: {sum(counts.values())} pairs")
    for source, count in sorted(counts.items()):
        say(f"  {source}: {count}")
