"""Short, typical and long inputs -> where the time goes, beside what cannot be saved; the price.

Processor time on one core, which other programs of the machine do not change much: the process
keeps to one, and each model to one thread. "Unavoidable" are the models' multiply-adds at the rate
at which this processor was seen to do them, 8-bit whole numbers for the transformers, float32 for
the parser.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import corpus, filing, runs
from benchmarks.data import ROOT
from benchmarks.figures import Figure, figure, show
from benchmarks.provenance import say
from benchmarks.stages import REST, STAGES, Clock
from halgo import Checker, Config, Halgorithm
from halgo.evidence.build import build_index
from halgo.report import text
from halgo.sources.documents import to_documents

OUT = runs.RESULTS / "profile.json"
_PAGE = 24  # sentences
_MILLION = 1_000_000


@dataclass(frozen=True)
class Input:
    """A filing of so many pages, and an answer of so many sentences about it."""

    name: str
    pages: int
    claims: int


INPUTS = (Input("short", 1, 1), Input("typical", 20, 8), Input("long", 233, 60))


def main(argv: Sequence[str]) -> int:
    """The exit code: 1 when a figure is beyond its bound."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks profile", description=__doc__)
    parser.add_argument("--inputs", default="short,typical,long", help="which of the three")
    parser.add_argument("--rate", type=float, default=0.05, help="dollars for an hour of one core")
    parser.add_argument("--no-jobs", action="store_true", help="leave out the two processes")
    parser.add_argument("--out", type=Path, help="JSON file (default: benchmarks/results)")
    options = parser.parse_args(argv)
    asked = options.inputs.split(",")
    unknown = {*asked} - {one.name for one in INPUTS}
    if unknown:
        parser.error(f"no input is called {', '.join(sorted(unknown))}")
    # Measured first: the threads of this process are bound to one core afterwards.
    figures = [] if options.no_jobs else [sharing()]
    _keep_to_one_core()
    rates = {"int8": whole_numbers(), "float32": floats()}
    halgorithm = Halgorithm(Config())
    # What is loaded once in a process belongs to none of the inputs.
    warm = list(corpus.sentences(_PAGE, seed=13))
    halgorithm.checker(" ".join(warm)).check(answer_about(warm, 6))
    found = {one.name: measured(one, halgorithm, rates) for one in INPUTS if one.name in asked}
    figures += [beside_bare(), *price(found, options.rate)]
    for name, one in found.items():
        print(_shown(name, one))
    code = show(figures)
    result = {
        "schema": 1,
        **runs.origin("profile", argv),
        "rates": rates,
        "inputs": found,
        "figures": figures,
    }
    whole = not argv
    runs.write(result, options.out or (OUT if whole else None))
    return code


def measured(one: Input, halgorithm: Halgorithm, rates: dict[str, float]) -> dict[str, Any]:
    """Shares of the stages for one input, of indexing it and of checking the answer."""
    say(f"{one.name}: {one.pages} pages, {one.claims} sentences")
    known = list(corpus.sentences(one.pages * _PAGE, seed=11))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "filing.pdf"
        pages = filing.pages_of(known)
        path.write_bytes(filing.pdf(pages))
        indexing = Clock()
        with indexing.running():
            checker = Checker.from_files([path], halgorithm=halgorithm)
    checking = Clock()
    answer = answer_about(known, one.claims)
    with checking.running():
        report = checker.check(answer)
        text.render(report, color=False)
    return {
        "pages": len(pages),
        "chunks": len(checker.index.chunks),
        "claims": len(report.results),
        "indexing": _told(indexing, rates),
        "checking": _told(checking, rates),
    }


def answer_about(known: Sequence[str], claims: int) -> str:
    """An answer of which a third stands in the source, a third is altered, a third is unknown."""
    step = max(1, len(known) // claims)
    unknown = list(corpus.sentences(claims, seed=12))
    told = []
    for number in range(claims):
        text = known[number * step]
        told.append((text, text.replace("2", "3"), unknown[number])[number % 3])
    return " ".join(told)


def _told(clock: Clock, rates: dict[str, float]) -> dict[str, Any]:
    total = clock.spent.total()
    models = clock.encoded / rates["int8"] + clock.parsed / rates["float32"]
    return {
        "seconds": round(total, 4),
        "stages": {name: round(clock.spent[name], 4) for name in (*STAGES, REST)},
        "multiply_adds": clock.encoded + clock.parsed,
        "unavoidable": round(models, 4),
    }


def beside_bare(chunks: int = 400, rounds: int = 3) -> Figure:
    """Indexing over embedding and parsing the same texts bare: processor time on one core."""
    from benchmarks.texts import sentences, windows
    from halgo.facts.parse import pipeline

    halgorithm = Halgorithm(Config(), entailment=None)
    nlp, ratios = pipeline(), []
    halgorithm.embedder.embed(["The pump was sold in May 2020."])
    for number in range(rounds):
        docs = corpus.documents(chunks, seed=20 + number)
        texts = sorted((text for doc in docs for text in windows(doc)), key=len)
        parsed = sorted((text for doc in docs for text in sentences(doc)), key=len)
        spent = {}
        for step in ("bare", "halgo") if number % 2 else ("halgo", "bare"):
            start = time.process_time()
            if step == "halgo":
                halgorithm.checker(docs)
            else:
                halgorithm.embedder.embed(texts)
                for _ in nlp.pipe(parsed, batch_size=128):
                    pass
            spent[step] = time.process_time() - start
        ratios.append(spent["halgo"] / spent["bare"])
    return figure(
        "indexing / embedding and parsing the same, bare, on one core",
        statistics.median(ratios), "times", most=1.1,
    )  # fmt: skip


def sharing(chunks: int = 5600) -> Figure:
    """How much faster two processes index a filing than one of one thread, by the wall's clock."""
    say(f"indexing {chunks:,} chunks by one process and by two")
    took = {}
    for jobs in (1, 2):
        # One thread: the process itself shares nothing then. The two have one each anyway.
        words = [sys.executable, "-c", _SHARING, str(jobs), str(chunks)]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
        took[jobs] = float(done.stdout)
    return figure("indexing by two processes, times as fast as by one", took[1] / took[2], "times",
                  least=1.7)  # fmt: skip


_SHARING = """
import sys
from benchmarks.profile import index_once
print(index_once(int(sys.argv[1]), int(sys.argv[2])))
"""


def index_once(jobs: int, chunks: int) -> float:
    """Seconds that `jobs` processes take to index; one process is given one thread."""
    from halgo.evidence.embed import SentenceTransformerEmbedder
    from halgo.facts import extract

    embedder = SentenceTransformerEmbedder(threads=1)
    documents, _ = to_documents(corpus.documents(chunks, seed=30))
    embedder.embed(["The pump was sold."])
    if jobs == 1:
        extract(["The pump was sold in May 2020."])
    start = time.perf_counter()
    build_index(documents, embedder, Config(), jobs=jobs)
    return time.perf_counter() - start


def price(found: dict[str, Any], rate: float) -> list[Figure]:
    """What a million claims of each input take and cost, and how many a core checks a second."""
    figures = []
    for name, one in found.items():
        each = one["checking"]["seconds"] / max(1, one["claims"])
        figures += [
            figure(f"{name}: claims a second for each core", 1 / each, "claims"),
            figure(f"{name}: processor-seconds for a million claims", each * _MILLION, "s"),
            figure(f"{name}: a million claims at ${rate:g} for a core's hour",
                   each * _MILLION / 3600 * rate, "dollars"),
        ]  # fmt: skip
    return figures


def whole_numbers(size: int = 1024, rounds: int = 20) -> float:
    """Multiply-adds a second of ONNX Runtime in 8-bit whole numbers, on one thread; the best seen.

    Of float32 where the package onnx, which draws the product, is not installed.
    """
    try:
        from onnx import TensorProto, helper
    except ImportError:
        return floats()
    from halgo.evidence import runtime

    weights = np.random.default_rng(0).integers(-60, 60, (size, size)).astype(np.int8)
    graph = helper.make_graph(
        [helper.make_node("MatMulInteger", ["a", "b"], ["c"])],
        "product",
        [helper.make_tensor_value_info("a", TensorProto.UINT8, [size, size])],
        [helper.make_tensor_value_info("c", TensorProto.INT32, [size, size])],
        [helper.make_tensor("b", TensorProto.INT8, weights.shape, weights.tobytes(), raw=True)],
    )
    opset = [helper.make_opsetid("", 17)]
    model = helper.make_model(graph, opset_imports=opset, ir_version=8)
    onnxruntime = runtime.load()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    given = {"a": np.ones((size, size), dtype=np.uint8)}
    return float(size**3 / _least(lambda: session.run(None, given), rounds))


def floats(size: int = 1024, rounds: int = 20) -> float:
    """Multiply-adds a second in float32, by what the parser multiplies with; the best seen."""
    from thinc.api import NumpyOps

    left = np.random.default_rng(0).standard_normal((size, size)).astype(np.float32)
    ops = NumpyOps()
    return float(size**3 / _least(lambda: ops.gemm(left, left), rounds))


def _least(work: Any, rounds: int) -> float:
    took = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        took.append(time.process_time() - start)
    return min(took)


def _keep_to_one_core() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def _shown(name: str, one: dict[str, Any]) -> str:
    lines = [f"{name}: {one['pages']} pages, {one['chunks']:,} chunks, {one['claims']} claims"]
    lines.append(f"  {'':22}{'indexing':>12}{'checking':>12}")
    both = (one["indexing"], one["checking"])
    for stage in (*STAGES, REST):
        shares = [told["stages"][stage] / told["seconds"] for told in both]
        lines.append(f"  {stage:22}" + "".join(f"{share:>12.1%}" for share in shares))
    lines.append(
        "  " + f"{'processor-seconds':22}" + "".join(f"{t['seconds']:12.3f}" for t in both)
    )
    shares = [told["unavoidable"] / told["seconds"] for told in both]
    lines.append(f"  {'unavoidable':22}" + "".join(f"{share:>12.1%}" for share in shares))
    return "\n".join(lines)
