"""Labelled sets and documents -> pairs in the work folder, and the mix that is trained on."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.cache import CachedEmbedder
from benchmarks.provenance import say
from halgo.evidence import embed
from training import data
from training.data import Example


def prepare(sets: Path, work: Path, recipe: Mapping[str, Any]) -> None:
    """Writes labelled, altered and made pairs; a file that is there already is kept."""
    seed, pairs = recipe["seed"], recipe["pairs"]
    labelled = work / "labelled.jsonl.gz"
    if not labelled.exists():
        embedder = CachedEmbedder(embed.resolve("minilm"))
        _told(labelled, data.write(labelled, data.labelled_pairs(embedder, sets, seed)))
    altered = work / "altered.jsonl.gz"
    if not altered.exists():
        _told(altered, data.write(altered, data.altered_pairs(data.read(labelled), seed)))
    texts = data.documents(sets)
    random.Random(0).shuffle(texts)
    for part in pairs["used"]:
        path = work / f"made{part}.jsonl.gz"
        if not path.exists():
            some = texts[part :: pairs["parts"]]
            _told(path, data.write(path, data.made_pairs(some, part, pairs["sentences"])))


def mix(work: Path, recipe: Mapping[str, Any]) -> list[Example]:
    """All pairs of an epoch: labelled ones as often as their set says, those made by rule once."""
    times = {source.name: source.times for source in data.SETS}
    found = [
        pair
        for example in data.read(work / "labelled.jsonl.gz")
        for pair in [example] * times[example.source]
    ]
    made: list[Example] = data.read(work / "altered.jsonl.gz")
    for part in recipe["pairs"]["used"]:
        made += data.read(work / f"made{part}.jsonl.gz")
    halved: Sequence[str] = recipe["pairs"]["halved"]
    for place, example in enumerate(made):
        if example.source.rpartition(": ")[2] not in halved or place % 2 == 0:
            found.append(example)
    return found


def _told(path: Path, counts: Mapping[str, int]) -> None:
    say(f"{path.name}: {sum(counts.values())} pairs")
    for source, count in sorted(counts.items()):
        say(f"  {source}: {count}")
