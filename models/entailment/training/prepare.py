"""`python -m training prepare`: labelled sets and documents -> pairs in the work folder."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.cache import CachedEmbedder
from halgo.evidence import embed
from training import data


def labelled(sets: Path, work: Path, seed: int) -> None:
    """Writes the labelled pairs."""
    embedder = CachedEmbedder(embed.resolve("minilm"))
    counts = data.write(work / "labelled.jsonl.gz", data.labelled_pairs(embedder, sets, seed))
    print(json.dumps(counts, indent=1))


def by_rule(sets: Path, work: Path, seed: int, sentences: int) -> None:
    """Writes the pairs made by rule; needs the labelled ones."""
    pairs = data.read(work / "labelled.jsonl.gz")
    altered = data.write(work / "altered.jsonl.gz", data.altered_pairs(pairs, seed))
    texts = data.documents(sets)
    made = data.write(work / "made.jsonl.gz", data.made_pairs(texts, seed, sentences))
    print(json.dumps({**altered, **made}, indent=1), len(texts), "documents")
