"""Labelled sets and documents -> pairs in the work folder, and the mix that is trained on."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.cache import CachedEmbedder
from benchmarks.provenance import say
from halgo.evidence import embed
from training import data, made
from training.data import Example

OF_MIX = ("name", "most_times", "by_rule")  # of a stage: what decides its pairs


def prepare(sets: Path, work: Path, recipe: Mapping[str, Any]) -> None:
    """Writes labelled, altered and made pairs; a file that is there already is kept."""
    seed, pairs = recipe["seed"], recipe["pairs"]
    labelled = work / "labelled.jsonl.gz"
    if not labelled.exists():
        embedder = CachedEmbedder(embed.resolve("minilm"))
        _told(labelled, data.write(labelled, data.labelled_pairs(embedder, sets, seed)))
    for name, by_rule in (("altered", made.altered_pairs), ("varied", made.varied_pairs)):
        path = work / f"{name}.jsonl.gz"
        if not path.exists():
            _told(path, data.write(path, by_rule(data.read(labelled), seed)))
    texts = data.documents(sets)
    random.Random(0).shuffle(texts)
    for name, of_texts in (("made", made.made_pairs), ("short", made.short_pairs)):
        for part in pairs[name]:
            path = work / f"{name}{part}.jsonl.gz"
            if not path.exists():
                some = texts[part :: pairs["parts"]]
                _told(path, data.write(path, of_texts(some, part, pairs["sentences"])))


def mix(work: Path, recipe: Mapping[str, Any], stage: Mapping[str, Any]) -> list[Example]:
    """The pairs of one stage: labelled ones as often as their set says, those by rule once."""
    times = {source.name: min(source.times, stage["most_times"]) for source in data.SETS}
    found = [
        pair
        for example in data.read(work / "labelled.jsonl.gz")
        for pair in [example] * times[example.source]
    ]
    by_rule = [pair for name in stage["by_rule"] for pair in data.read(work / f"{name}.jsonl.gz")]
    halved: Sequence[str] = recipe["pairs"]["halved"]
    for place, example in enumerate(by_rule):
        if example.source.rpartition(": ")[2] not in halved or place % 2 == 0:
            found.append(example)
    return found


def _told(path: Path, counts: Mapping[str, int]) -> None:
    say(f"{path.name}: {sum(counts.values())} pairs")
    for source, count in sorted(counts.items()):
        say(f"  {source}: {count}")
