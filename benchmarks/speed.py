"""Made-up documents -> how long halgo takes, beside what it stands on, and how much memory.

Every ratio comes from one run: the same texts are embedded and parsed bare and through halgo in
turn, so a machine that is slow today is slow for both. Never uses the benchmarks' cache.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from benchmarks import corpus, runs
from benchmarks.data import ROOT
from benchmarks.figures import Figure, figure, show
from benchmarks.provenance import say
from benchmarks.texts import sentences, windows
from halgo import Checker, Config, Halgorithm
from halgo.types import FloatMatrix

OUT = runs.RESULTS / "speed.json"
_ROUNDS = 3
_CLAIMS = 20


class StandIn:
    """Vectors of the usual width without a model: a direction drawn from each text's checksum.

    For the large index: what it costs to hold and to search vectors does not depend on what
    they mean, and a model would need ten minutes for them.
    """

    name, dim = "stand-in", 384

    def __init__(self) -> None:
        self.embedded = 0

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """(len(texts), 384) float32, rows of L2 norm 1."""
        self.embedded += len(texts)
        rows = np.empty((len(texts), self.dim), dtype=np.float32)
        for number, text in enumerate(texts):
            rows[number] = np.random.default_rng(zlib.crc32(text.encode())).standard_normal(384)
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def main(argv: Sequence[str]) -> int:
    """The exit code: 1 when a figure is beyond its bound."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks speed", description=__doc__)
    parser.add_argument("--chunks", type=int, default=1000, help="size of the small index")
    parser.add_argument("--large", type=int, default=100_000, help="of the large one; 0: skip")
    parser.add_argument("--out", type=Path, help="JSON file (default: benchmarks/results)")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.child:
        print(json.dumps(large(options.chunks, options.large)))
        return 0
    figures = [*starting(), *working(options.chunks), *reading(options.chunks), again()]
    if options.large:
        figures += _child(options.chunks, options.large)
    code = show(figures)
    whole = (options.chunks, options.large) == (1000, 100_000)
    result = {"schema": 1, **runs.origin("speed", argv), "figures": figures}
    runs.write(result, options.out or (OUT if whole else None))
    return code


def starting() -> list[Figure]:
    """How long `import halgo` and `halgo --help` take, in a process of their own."""
    code = (
        "import sys, time; start = time.perf_counter(); import halgo;"
        "took = time.perf_counter() - start;"
        "heavy = sum(name in sys.modules for name in ('torch', 'onnxruntime', 'spacy'));"
        "print(took, heavy)"
    )
    runs = [_run("-c", code).split() for _ in range(5)]
    took = statistics.median(float(run[0]) for run in runs)
    waits = []
    for _ in range(5):
        start = time.perf_counter()
        _run("-m", "halgo", "--help")
        waits.append(time.perf_counter() - start)
    return [
        figure("import halgo", took, "s", most=0.15),
        figure(
            "of ONNX Runtime, spaCy and torch, loaded by import halgo", int(runs[0][1]), "", most=0
        ),
        figure("halgo --help", statistics.median(waits), "s", most=0.5),
    ]


def working(chunks: int) -> list[Figure]:
    """Indexing and checking against the bare cost of the models on the same texts.

    Without the entailment model, which `reading` measures.
    """
    from halgo.facts.parse import pipeline

    halgorithm = Halgorithm(Config(), entailment=None)
    embedder, nlp = halgorithm.embedder, pipeline()
    halgorithm.checker("The pump was sold in May 2020.").check("The pump was sold in May 2021.")

    def bare(texts: Sequence[str], parsed: Sequence[str]) -> None:
        embedder.embed(sorted(texts, key=len))
        for _ in nlp.pipe(sorted(parsed, key=len), batch_size=128):
            pass

    indexing, models, checker = [], [], None
    for number in range(_ROUNDS):
        docs = corpus.documents(chunks, seed=number)
        texts = [text for doc in docs for text in windows(doc)]
        parsed = [text for doc in docs for text in sentences(doc)]
        # Turn about, so that neither always meets the warmer machine.
        for step in ("bare", "halgo") if number % 2 else ("halgo", "bare"):
            start = time.perf_counter()
            if step == "bare":
                bare(texts, parsed)
                models.append(time.perf_counter() - start)
            else:
                checker = halgorithm.checker(docs)
                indexing.append(time.perf_counter() - start)
    assert checker is not None
    known = [text for doc in corpus.documents(chunks, seed=_ROUNDS - 1) for text in sentences(doc)]
    claims = [text.replace("2", "3") for text in known[:: max(1, len(known) // (2 * _CLAIMS))]]
    one = _each(claims[0::2], lambda claim: bare([claim], [claim]))
    check = _each(claims[1::2], lambda claim: checker.check_claims([claim]))
    count = len(checker.index.chunks)
    rate = count / statistics.median(indexing)
    ratio = statistics.median(a / b for a, b in zip(indexing, models, strict=True))
    return [
        figure(f"indexing {count:,} chunks, per second", rate, "chunks"),
        figure("indexing / embedding and parsing the same, bare", ratio, "times", most=1.3),
        figure(f"checking one claim against {count:,} chunks, rules only", 1000 * check, "ms"),
        figure(
            "checking / embedding and parsing that sentence, bare", check / one, "times", most=2.0
        ),
    ]


def reading(chunks: int) -> list[Figure]:
    """What reading by the entailment model adds to a check, on one thread.

    Every claim is read, as if nothing had settled it before; its premises are as long as they
    get with documents of business prose. Nothing when the model is not on this machine.
    """
    from halgo.errors import ModelNotFoundError
    from halgo.evidence.embed import SentenceTransformerEmbedder

    embedder = SentenceTransformerEmbedder(threads=1)
    rules = Halgorithm(Config(), embedder=embedder, entailment=None)
    whole = Halgorithm(Config(cascade=False), embedder=embedder)
    try:
        model = whole.entailment
    except ModelNotFoundError as error:
        say(f"without the entailment model: {error}")
        return []
    assert model is not None
    docs = corpus.documents(chunks, seed=_ROUNDS)
    fewer = rules.checker(docs)
    checker = Checker(whole, fewer.index)
    known = [text for doc in docs for text in sentences(doc)]
    claims = [text.replace("2", "3") for text in known[:: max(1, len(known) // (2 * _CLAIMS))]]
    for warm in (fewer, checker):
        warm.check_claims(claims[-1:])
    without, with_it, words = [], [], []
    for claim in claims[: 2 * _CLAIMS]:
        start = time.perf_counter()
        fewer.check_claims([claim])
        middle = time.perf_counter()
        checker.check_claims([claim])
        without.append(middle - start)
        with_it.append(time.perf_counter() - middle)
        (examined,) = checker.examine([r.claim for r in fewer.check_claims([claim])])
        if examined.judged is not None:
            words.append(len(examined.judged.premise.text.split()))
    own = statistics.median(b - a for a, b in zip(without, with_it, strict=True))
    return [
        figure("one claim on one thread, without the entailment model",
                1000 * statistics.median(without), "ms"),
        figure("one claim on one thread, with it", 1000 * statistics.median(with_it), "ms"),
        figure(f"the model's share, its premise {statistics.median(words):.0f} words",
                1000 * own, "ms", most=25.0),
    ]  # fmt: skip


def again() -> Figure:
    """What is embedded when the same documents are asked about a second time."""
    embedder = StandIn()
    halgorithm = Halgorithm(Config(), embedder=embedder, entailment=None)
    docs = corpus.documents(50)
    halgorithm.compare_to_docs(docs, "Costa has led the plant since 1987.")
    before = embedder.embedded
    halgorithm.compare_to_docs(docs, "Haas has led the plant since 1991.")
    return figure("texts embedded beside the claim, same documents again",
                   embedder.embedded - before - 1, "", most=0)  # fmt: skip


def large(small: int, chunks: int) -> list[Figure]:
    """What a large index costs beyond a small one: time per claim and memory."""
    halgorithm = Halgorithm(Config(), embedder=StandIn(), entailment=None)
    fewer = halgorithm.checker(corpus.documents(small, seed=1))
    claims = [text.replace("2", "3") for text in corpus.sentences(2 * _CLAIMS, seed=1)]
    few = _each(claims[:_CLAIMS], lambda claim: fewer.check_claims([claim]))
    before = _memory()
    docs = corpus.documents(chunks, seed=2)
    checker = halgorithm.checker(docs)
    count = len(checker.index.chunks)
    held = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20) - before
    checker.check_claims(["The pumps of lot 7 failed."])
    many = _each(claims[_CLAIMS:], lambda claim: checker.check_claims([claim]))
    return [
        figure(f"one claim against {count:,} chunks, above {len(fewer.index.chunks):,}",
                1000 * (many - few), "ms", most=20.0),
        figure(f"memory at most while indexing {count:,} chunks, beyond the models",
                held, "GiB", most=1.5),
    ]  # fmt: skip


def _child(small: int, chunks: int) -> list[Figure]:
    say(f"indexing {chunks:,} chunks in a process of its own; this takes minutes")
    words = ("-m", "benchmarks", "speed", "--child", "--chunks", str(small), "--large", str(chunks))
    figures: list[Figure] = json.loads(_run(*words))
    return figures


def _run(*words: str) -> str:
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)} failed:\n{done.stderr}")
    return done.stdout


def _each(claims: Sequence[str], work: Callable[[str], object]) -> float:
    """Median seconds of the work on one claim."""
    took = []
    for claim in claims:
        start = time.perf_counter()
        work(claim)
        took.append(time.perf_counter() - start)
    return statistics.median(took)


def _memory() -> float:
    """What this process holds now, in GiB; its peak so far where the system does not say."""
    status = Path("/proc/self/status")
    if status.is_file():
        for line in status.read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 2**20
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
