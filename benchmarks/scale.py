"""Made-up documents -> what a check costs as their index on disk grows: opening, memory, time.

Two indexes in folders, a small one and a large one, are asked about the same claims in turn, so a
machine that is slow today is slow for both. Vectors are stand-ins that lie near each other where
texts share words, and documents' facts are read by spelling: what it costs to find passages does
not depend on what wrote them, and models would need a day for a million.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

import numpy as np

from benchmarks import corpus, runs
from benchmarks.data import ROOT
from benchmarks.figures import Figure, figure, show
from benchmarks.provenance import say
from halgo import Checker, Config, Halgorithm
from halgo.types import Facts, FloatMatrix, FloatVector, Name, Quantity, Span, Term

if TYPE_CHECKING:
    from halgo.evidence.index import Index

OUT = runs.RESULTS / "scale.json"
LARGE, SMALL, CLAIMS = 1_000_000, 1_000, 40
_LOT = 50_000  # passages that are added at a time
_SIZES = (16_384, 65_536, 131_072, 262_144)  # vectors that exact search is timed on
_WORD = re.compile(r"[\w.,-]*\w")


class WordVectors:
    """Vectors of the usual width without a model: the sum of a direction for each word.

    Texts that share words are near each other, those on one subject form clusters.
    """

    name, dim = "word-vectors", 384

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """(len(texts), 384) float32, rows of L2 norm 1; empty text zeros."""
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in _WORD.findall(text.lower()):
                row += _direction(word)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.where(lengths > 0, lengths, 1), dtype=np.float32)


@lru_cache(1 << 16)
def _direction(word: str) -> FloatVector:
    generator = np.random.default_rng(zlib.crc32(word.encode()))
    # What is rare says more: numbers weigh as much as the words around them together.
    weight = 2.0 if word[-1].isdigit() else 1.0
    return np.asarray(weight * generator.standard_normal(WordVectors.dim), dtype=np.float32)


def by_spelling(texts: Sequence[str]) -> list[Facts]:
    """Facts without a parse: capitals are names, figures amounts, all words terms."""
    return [_spelled(text) for text in texts]


def _spelled(text: str) -> Facts:
    words = [(found[0], Span(*found.span())) for found in _WORD.finditer(text)]
    figures = [(word, span) for word, span in words if word.isascii() and word.isdecimal()]
    return Facts(
        quantities=tuple(Quantity(float(w), float(w), "", span) for w, span in figures),
        names=tuple(Name(w, "ORG", w.lower(), span) for w, span in words if w[0].isupper()),
        terms=tuple(Term(word.lower(), "NOUN", span) for word, span in words),
    )


def main(argv: Sequence[str]) -> int:
    """The exit code: 1 when a figure is beyond its bound."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks scale", description=__doc__)
    parser.add_argument("--chunks", type=int, default=LARGE, help="passages of the large index")
    parser.add_argument("--small", type=int, default=SMALL, help="of the small one")
    parser.add_argument("--claims", type=int, default=CLAIMS, help="claims that are timed")
    parser.add_argument("--entailment", default="default", help="as elsewhere; 'none' for rules")
    parser.add_argument("--folder", type=Path, help="where the indexes go, and stay")
    parser.add_argument(
        "--graphs", action="store_true", help="search approximately however few passages there are"
    )
    parser.add_argument("--out", type=Path, help="JSON file (default: benchmarks/results)")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.child:
        with _graphs(always=options.graphs):
            print(json.dumps(_measured(options)))
        return 0
    folder = options.folder or Path(tempfile.mkdtemp(prefix="halgo-scale-"))
    try:
        with _graphs(always=options.graphs):
            for passages in (options.small, options.chunks):
                made(folder / str(passages), passages)
        figures = [
            *_child([*argv, "--folder", str(folder), "--child"]),
            *exact_search(options.chunks),
        ]
    finally:
        if options.folder is None:
            shutil.rmtree(folder)
    code = show(figures)
    usual = (options.chunks, options.small, options.claims) == (LARGE, SMALL, CLAIMS)
    result = {"schema": 1, **runs.origin("scale", argv), "figures": figures}
    runs.write(result, options.out or (OUT if usual and not options.graphs else None))
    return code


@contextmanager
def _graphs(*, always: bool) -> Iterator[None]:
    """Whether indexes get search graphs however small they are."""
    from halgo.evidence import dense

    if not always:
        yield
        return
    with mock.patch.multiple(dense, GRAPHS_FROM=0, SMALLEST=1):
        yield


def made(folder: Path, passages: int) -> None:
    """An index of so many passages in `folder`; one that is there is taken as it is."""
    from halgo.indexes import open_index

    halgorithm = Halgorithm(Config(), embedder=WordVectors(), entailment=None)
    folder.parent.mkdir(parents=True, exist_ok=True)
    index = open_index(folder, create=True, halgorithm=halgorithm)
    held = len(index.checker().index.chunks)
    with mock.patch("halgo.facts.extract", by_spelling):
        while held < passages:
            lot = min(_LOT, passages - held)
            texts = corpus.documents(lot, seed=1 + held // _LOT)
            index.add({"id": f"{held}-{at}", "text": text} for at, text in enumerate(texts))
            held += lot
            say(f"{held:,} of {passages:,} passages indexed")


def _measured(options: argparse.Namespace) -> list[Figure]:
    """What the two indexes cost, in a process that has made neither."""
    entailment = None if options.entailment == "none" else options.entailment
    halgorithm = Halgorithm(Config(), embedder=WordVectors(), entailment=entailment)
    claims = [text.replace("2", "3") for text in corpus.sentences(options.claims + 3, seed=1)]
    fewer = Checker.from_index(options.folder / str(options.small), halgorithm=halgorithm)
    for claim in claims[:3]:  # models are loaded
        fewer.check_claims([claim])
    path, before, opening = options.folder / str(options.chunks), resident(), []
    for _ in range(5):
        start = time.perf_counter()
        checker = Checker.from_index(path, halgorithm=halgorithm)
        opening.append(time.perf_counter() - start)
    opened = resident() - before
    for claim in claims[:3]:
        checker.check_claims([claim])
    ratios, few, many = compared(fewer, checker, claims[3:])
    held = resident() - before
    count = len(checker.index.chunks)
    most = 1.5 if options.chunks >= LARGE else None
    figures = [
        figure(f"opening an index of {count:,} passages", statistics.median(opening), "s", most=1),
        figure("memory that opening it takes", opened, "MB"),
        figure("memory that it takes after the checks", held, "MB", most=800),
        figure(f"one claim against {len(fewer.index.chunks):,} passages", few, "ms"),
        figure(f"one claim against {count:,} passages", many, "ms"),
        figure("against the large one / the small one", ratios, "times", most=most),
        *_retrieving(fewer, checker, claims[3:]),
    ]
    if checker.index.dense.name is not None:
        figures += recalled(checker.index)
    return figures


def compared(fewer: Checker, checker: Checker, claims: Sequence[str]) -> tuple[float, float, float]:
    """How much longer a claim takes against the second one, and milliseconds against each.

    Processor time of this process: others on the machine do not count. Each claim is new to both.
    """
    few, many = [], []
    for at, claim in enumerate(claims):
        # Turn about, so that neither always finds what the other has just worked out.
        pair = [(fewer, few), (checker, many)]
        for one, took in pair if at % 2 else reversed(pair):
            start = time.process_time()
            one.check_claims([claim])
            took.append(1000 * (time.process_time() - start))
    ratio = statistics.median(many) / statistics.median(few)
    return ratio, statistics.median(few), statistics.median(many)


def _retrieving(fewer: Checker, checker: Checker, claims: Sequence[str]) -> list[Figure]:
    """How long the searches alone take in each index."""
    from halgo.evidence.lexical import is_common, stems

    figures = []
    for one in (fewer, checker):
        dense, lexical = [], []
        for claim in claims:
            vector = one.halgorithm.embedder.embed([claim])
            words = [word for word in stems(claim) if not is_common(word)]
            start = time.process_time()
            one.index.dense.candidates(vector, 20)
            middle = time.process_time()
            one.index.bm25.top(words, 20)
            dense.append(1000 * (middle - start))
            lexical.append(1000 * (time.process_time() - middle))
        count = f"{len(one.index.chunks):,} passages"
        figures += [
            figure(f"nearest vectors of {count}", statistics.median(dense), "ms"),
            figure(f"BM25 over {count}", statistics.median(lexical), "ms"),
        ]
    return figures


def recalled(index: Index, queries: int = 200) -> list[Figure]:
    """Of the five nearest by exact search how many are among the five found."""
    from halgo.evidence.dense import Exact

    asked = [text.replace("2", "3") for text in corpus.sentences(queries, seed=1)]
    vectors = WordVectors().embed(asked)
    whole = np.asarray(index.vectors, dtype=np.float32)
    right = Exact([whole]).candidates(vectors, 5)
    found = index.dense.candidates(vectors, 5)
    shares = []
    for vector, exact, near in zip(vectors, right, found, strict=True):
        # The fifth of the nearest and what is as near as that: of equals any will do.
        least = np.sort(whole[exact] @ vector)[-5] - 1e-6
        best = np.sort(index.dense.vectors(near) @ vector)[-5:]
        shares.append(float((best >= least).mean()))
    return [figure("recall@5 of approximate search", float(np.mean(shares)), "", least=0.98)]


def exact_search(most: int) -> list[Figure]:
    """How long exact search takes for one claim, in several numbers of vectors up to `most`."""
    from halgo.evidence.dense import Exact

    generator = np.random.default_rng(0)
    sizes = [size for size in _SIZES if size <= most]
    matrix = generator.standard_normal((max(sizes, default=0), WordVectors.dim), dtype=np.float32)
    figures = []
    for size in sizes:
        search, took = Exact([matrix[:size]]), []
        for at in range(9):
            start = time.process_time()
            search.candidates(matrix[at : at + 1], 20)
            took.append(1000 * (time.process_time() - start))
        figures.append(figure(f"exact search of {size:,} vectors", statistics.median(took), "ms"))
    return figures


def resident() -> float:
    """Megabytes of this process in memory, mapped files that were read among them."""
    import resource

    status = Path("/proc/self/status")
    if status.is_file():
        for line in status.read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _child(words: Sequence[str]) -> list[Figure]:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "scale", *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError("the indexes could not be measured; see above")
    figures: list[Any] = json.loads(done.stdout)
    return figures
