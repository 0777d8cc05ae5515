"""Made-up documents -> bytes a passage by what they are for, seconds a claim, and what follows.

Bytes are counted in the arrays of an index as they lie on disk, so they are the same on every
machine. Seconds are processor time of one core, so they do not grow while other programs run.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import corpus, runs
from benchmarks.figures import Figure, figure, show
from halgo import Checker, Halgorithm

OUT = runs.RESULTS / "sizing.json"
_CLAIMS = 40
_SIZES = (10**5, 10**6, 10**7, 10**8, 10**9)

# What the arrays of a segment are for, by the first part of their name.
_PARTS = {
    "vectors": ("vectors",),
    "postings": ("bm25",),
    "facts": ("facts", "fact_rows", "corpus"),
}


def main(argv: Sequence[str]) -> int:
    """The exit code: 0, as nothing here has a bound."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks sizing", description=__doc__)
    parser.add_argument("--chunks", type=int, default=5000, help="passages that are measured")
    parser.add_argument("--out", type=Path, help="JSON file (default: benchmarks/results)")
    options = parser.parse_args(argv)
    figures = measured(options.chunks)
    show(figures)
    result = {"schema": 1, **runs.origin("sizing", argv), "figures": figures}
    scaled = [arithmetic(figures, size) for size in _SIZES]
    result["sizes"] = scaled
    print("\n" + table(scaled))
    runs.write(result, options.out or (OUT if options.chunks == 5000 else None))
    return 0


def measured(chunks: int) -> list[Figure]:
    """Bytes a passage and processor seconds a passage and a claim."""
    halgorithm = Halgorithm()
    texts = corpus.documents(chunks, seed=3)
    Checker.from_docs(texts[:1], halgorithm=halgorithm).check("A fee of 5 euros is due.")
    start = time.process_time()
    checker = Checker.from_docs(texts, halgorithm=halgorithm)
    indexing = (time.process_time() - start) / chunks
    answer = " ".join(corpus.sentences(_CLAIMS, seed=4))
    start = time.process_time()
    report = checker.check(answer)
    checking = (time.process_time() - start) / len(report)
    sizes = bytes_of(checker)
    return [
        figure("text of a passage (its new half, as passages overlap)", _text(texts) / chunks, "B"),
        *(figure(f"{name}, a passage", size / chunks, "B") for name, size in sizes.items()),
        figure("all on disk, a passage", sum(sizes.values()) / chunks, "B"),
        figure("indexing a passage, one core", indexing, "s"),
        figure("checking a claim, one core", checking, "s"),
    ]


def bytes_of(checker: Checker) -> dict[str, int]:
    """Bytes of an index on disk by what they are for."""
    from halgo.store.segment import arrays_of

    index = checker.index
    sizes = dict.fromkeys(("text", *_PARTS), 0)
    for name, array in arrays_of(index).items():
        head = name.split("/")[0]
        part = next((part for part, heads in _PARTS.items() if head in heads), "text")
        sizes[part] += int(np.asarray(array).nbytes)
    return sizes


def arithmetic(figures: Sequence[Figure], size: int) -> dict[str, Any]:
    """What so many passages take on disk, and so many claims in processor time."""
    values = {one["what"]: one["value"] for one in figures}
    disk = values["all on disk, a passage"] * size
    return {
        "count": size,
        "text_gb": round(values["text, a passage"] * size / 1e9, 3),
        "facts_gb": round(values["facts, a passage"] * size / 1e9, 3),
        "vectors_gb": round(values["vectors, a passage"] * size / 1e9, 3),
        "postings_gb": round(values["postings, a passage"] * size / 1e9, 3),
        "disk_gb": round(disk / 1e9, 3),
        "indexing_core_days": round(values["indexing a passage, one core"] * size / 86400, 3),
        "claims_core_days": round(values["checking a claim, one core"] * size / 86400, 3),
    }


def table(rows: Sequence[dict[str, Any]]) -> str:
    """The arithmetic as a table in Markdown."""
    lines = [
        "| passages, or claims | text | facts | vectors | postings | on disk "
        "| indexing the passages | checking the claims |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        parts = [_gigabytes(row[f"{name}_gb"]) for name in ("text", "facts", "vectors", "postings")]
        lines.append(
            f"| {row['count']:,} | {' | '.join(parts)} | {_gigabytes(row['disk_gb'])} "
            f"| {_core_time(row['indexing_core_days'])} | {_core_time(row['claims_core_days'])} |"
        )
    return "\n".join(lines)


def _text(texts: Sequence[str]) -> int:
    return sum(len(text.encode()) for text in texts)


def _gigabytes(value: float) -> str:
    if value >= 1000:
        return f"{value / 1000:,.1f} TB"
    return f"{value:,.1f} GB" if value >= 1 else f"{1000 * value:,.0f} MB"


def _core_time(days: float) -> str:
    if days >= 730:
        return f"{days / 365.25:,.1f} core-years"
    return f"{days:,.0f} core-days" if days >= 2 else f"{24 * days:,.1f} core-hours"
