"""Labelled sets and documents -> pairs in the work folder, and the mix that is trained on."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import metrics
from benchmarks.cache import CachedEmbedder
from benchmarks.provenance import say
from halgo.entailment.premises import WORDS
from halgo.evidence import embed
from halgo.evidence.embed import LexicalEmbedder
from training import data, examples, joined, made, rows, told, written
from training.examples import Example

WRITTEN = Path(__file__).resolve().parent.parent / "written"


def prepare(sets: Path, work: Path, recipe: Mapping[str, Any]) -> None:
    """Writes labelled, altered and made pairs; a file that is there already is kept."""
    seed, pairs = recipe["seed"], recipe["pairs"]
    embedder = CachedEmbedder(embed.resolve("minilm"))
    labelled = work / "labelled.jsonl.gz"
    if not labelled.exists():
        _told(labelled, examples.write(labelled, data.labelled_pairs(embedder, sets, seed)))
    longer = work / f"labelled{pairs['longer']}.jsonl.gz"
    if not longer.exists():
        again = data.labelled_pairs(embedder, sets, seed, documents=True, words=pairs["longer"])
        _told(longer, examples.write(longer, again))
    texts = data.documents(sets)
    for name in ("written", "twinned", "uncut"):
        of_claims = getattr(written, f"{name}_pairs")
        for part in pairs[name]:
            path = work / f"{name}-{part}.jsonl.gz"
            if not path.exists():
                words = pairs["longer"] if part in pairs["long"] else WORDS
                found = of_claims(embedder, WRITTEN / part, texts, seed, words=words)
                _told(path, examples.write(path, found))
                say(f"  guessed without reading: ROC-AUC {_guessed(found):.3f}")
    path = work / "joined.jsonl.gz"
    if not path.exists():
        twins = [pair for part in pairs["twinned"] for pair in _twinned(work, part)]
        found = joined.joined_pairs(twins, pairs["joined"], seed)
        _told(path, examples.write(path, found))
    path = work / "rows.jsonl.gz"
    if not path.exists():
        # A table is a few passages: words alone find the right ones.
        found = rows.row_pairs(LexicalEmbedder(), pairs["tables"], seed)
        _told(path, examples.write(path, found))
    path = work / "told.jsonl.gz"
    if not path.exists():
        found = told.told_pairs(LexicalEmbedder(), pairs["told"], seed)
        _told(path, examples.write(path, found))
    for name, by_rule in (("altered", made.altered_pairs), ("varied", made.varied_pairs)):
        path = work / f"{name}.jsonl.gz"
        if not path.exists():
            _told(path, examples.write(path, by_rule(examples.read(labelled), seed)))
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
                _told(path, examples.write(path, of_texts(some, part, pairs["sentences"])))


def _twinned(work: Path, part: str) -> list[Example]:
    return examples.read(work / f"twinned-{part}.jsonl.gz")


def _guessed(pairs: Sequence[Example]) -> float:
    """How well the guesses alone tell what is entailed."""
    guessed = [pair for pair in pairs if pair.guess != examples.NO_GUESS]
    return metrics.roc_auc(
        np.array([pair.label == examples.ENTAILED for pair in guessed]),
        np.array([pair.guess[examples.ENTAILED] for pair in guessed]),
    )


def mix(work: Path, recipe: Mapping[str, Any], reader: Mapping[str, Any]) -> list[Example]:
    """The pairs that a reader is trained on: of each kind as many as its `draw` says, drawn anew.

    A kind is a file of `prepare` or all files that are called after it and a number ("short": its
    parts). Labelled rows stand in the urn as often as their set says, at most `most_times`; of
    alterations that nearly every sentence allows there is half, of claims as premises of their
    twins none. What is drawn of a kind is read as many times as `times` says, once unless it does.
    Of twins that `uncut` has too, the share that the reader names is read so.
    Raises ValueError for a kind that has no file.
    """
    rng = random.Random(f"mix {reader['name']} {reader.get('seed', 1)}")
    found: list[Example] = []
    for kind, many in reader["draw"].items():
        paths = sorted(path for path in work.glob(f"{kind}*.jsonl.gz") if _is_of(path, kind))
        if not paths:
            raise ValueError(
                f"no pairs called {kind!r} in {work}; run `python -m training prepare`"
            )
        urn = [pair for path in paths for pair in examples.read(path)]
        if kind == "labelled":
            most = reader["most_times"]
            times = {source.name: min(source.times, most) for source in data.SETS}
            urn = [pair for pair in urn for _ in range(times[pair.source])]
        halved: Sequence[str] = recipe["pairs"]["halved"]
        urn = [
            pair
            for place, pair in enumerate(urn)
            if pair.source != written.CROSSED
            and (pair.source.rpartition(": ")[2] not in halved or place % 2 == 0)
        ]
        drawn = urn if many >= len(urn) else _drawn(urn, many, rng)
        found += drawn * reader.get("times", {}).get(kind, 1)
    return _uncut(found, work, reader["uncut"], rng) if reader.get("uncut") else found


def _uncut(pairs: Sequence[Example], work: Path, share: float, rng: random.Random) -> list[Example]:
    """The pairs, a share of the twins with all of their premise."""
    whole = {
        pair.claim: pair.premise
        for path in sorted(work.glob("uncut-*.jsonl.gz"))
        for pair in examples.read(path)
    }
    found: list[Example] = []
    for group in examples.groups(pairs):
        known = len(group) > 1 and all(pair.claim in whole for pair in group)
        if known and rng.random() < share:
            group = [replace(pair, premise=whole[pair.claim]) for pair in group]
        found += group
    return found


def _drawn(urn: Sequence[Example], many: int, rng: random.Random) -> list[Example]:
    """So many of the urn, twins together."""
    groups = examples.groups(urn)
    if len(groups) == len(urn):
        return rng.sample(urn, many)
    rng.shuffle(groups)
    return [pair for group in groups for pair in group][:many]


def _is_of(path: Path, kind: str) -> bool:
    rest = path.name.removesuffix(".jsonl.gz").removeprefix(kind)
    return not rest or rest.isdecimal()


def _told(path: Path, counts: Mapping[str, int]) -> None:
    say(f"{path.name}: {sum(counts.values())} pairs")
    for source, count in sorted(counts.items()):
        say(f"  {source}: {count}")
