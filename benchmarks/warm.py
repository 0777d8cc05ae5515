"""Labelled sets -> the cache: embeds and parses what halgo will ask for, ahead of time.

Resumable: what is cached is skipped, so it can be stopped at any time and run again after a
change to how texts are cut. One thread unless told otherwise: others can work on the machine.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence

from benchmarks import data
from benchmarks.provenance import say
from benchmarks.texts import sentences, windows

_STEP = 1024


def main(argv: Sequence[str]) -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks warm", description=__doc__)
    parser.add_argument("--sets", help="comma-separated; all sets when left out")
    parser.add_argument("--only", choices=("vectors", "parses"), help="one of the two caches")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args(argv)
    chosen = options.sets.split(",") if options.sets else _order(data.names())
    for name in chosen:
        rows = data.load(name)
        if options.only != "parses":
            _work(f"{name}: vectors", list(_embedded(rows)), _embedder(options.threads))
        if options.only != "vectors":
            _work(f"{name}: parses", list(_parsed(rows)), _parser())
    return 0


def _order(names: Sequence[str]) -> list[str]:
    """The large sets after the other ones of the headline, so that most is there early."""
    late = ("wice_claim", "factscore")
    head = [name for name in names if name in data.GROUPED]
    rest = [name for name in names if name not in head]
    return [n for n in head if n not in late] + [n for n in head if n in late] + rest


def _embedded(rows: Sequence[data.Row]) -> Iterator[str]:
    for row in rows:
        yield from _claims(row)
        for doc in row.docs:
            yield from windows(doc)


def _parsed(rows: Sequence[data.Row]) -> Iterator[str]:
    for row in rows:
        yield from _claims(row)
        for doc in row.docs:
            yield from sentences(doc)


def _claims(row: data.Row) -> Sequence[str]:
    return sentences(row.claim) if row.granularity == "response" else (row.claim.strip(),)


def _work(what: str, texts: Sequence[str], work: Callable[[Sequence[str]], object]) -> None:
    texts = list(dict.fromkeys(texts))
    start = time.perf_counter()
    for at in range(0, len(texts), _STEP):
        work(texts[at : at + _STEP])
    say(f"{what}: {len(texts):,} texts in {time.perf_counter() - start:.0f} s")


def _embedder(threads: int) -> Callable[[Sequence[str]], object]:
    from benchmarks.cache import CachedEmbedder
    from halgo.evidence.embed import SentenceTransformerEmbedder

    return CachedEmbedder(SentenceTransformerEmbedder(threads=threads)).embed


def _parser() -> Callable[[Sequence[str]], object]:
    from benchmarks.cache import CachedPipeline
    from halgo.facts.parse import pipeline

    cached = CachedPipeline(pipeline())

    def parse(texts: Sequence[str]) -> None:
        # As halgo does it: batches of like length.
        for _ in cached.pipe(sorted(texts, key=len), batch_size=128):
            pass

    return parse
