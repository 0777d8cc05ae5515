"""A long list of answers -> how much faster n processes of `halgo batch` work it off than one.

One process and n take turns on the same answers in one run, so that a machine that is slow today is
slow for both. The clock runs from the moment when all models are loaded. Beside the rates stands
the processor time of an answer: where other work shares the machine, it says what the clock cannot.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import corpus, runs
from benchmarks.figures import Figure, figure, show
from benchmarks.provenance import say
from benchmarks.serving import answers
from halgo import Checker
from halgo.bulk.batch_run import Batch, run
from halgo.process import processors

OUT = runs.RESULTS / "bulk.json"
_ROWS = 8  # of a part, so that no process waits long for the last one


@dataclass(frozen=True)
class Measured:
    """A run: answers a second once all models are loaded, processor seconds of an answer."""

    rate: float
    processor_s: float
    memory_gib: float  # of the largest process


def main(argv: Sequence[str]) -> int:
    """The exit code: 1 when a figure is beyond its bound."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks bulk", description=__doc__)
    parser.add_argument("--chunks", type=int, default=1000, help="size of the index")
    parser.add_argument("--answers", type=int, default=400, help="of a run")
    parser.add_argument("--rounds", type=int, default=3, help="of one process and n in turn")
    parser.add_argument("--jobs", type=int, default=processors(), help="processes (default: n)")
    parser.add_argument("--out", type=Path, help="JSON file (default: benchmarks/results)")
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        figures = measured(Path(folder), options)
    code = show(figures)
    result = {"schema": 1, **runs.origin("bulk", argv), "figures": figures}
    whole = (options.chunks, options.answers, options.rounds) == (1000, 400, 3)
    runs.write(result, options.out or (OUT if whole else None))
    return code


def measured(folder: Path, options: argparse.Namespace) -> list[Figure]:
    """One process beside n, turn about."""
    index, given = folder / "measured.halgo", folder / "answers.jsonl"
    docs = corpus.documents(options.chunks, seed=1)
    Checker.from_docs(docs).save(index)
    lines = (
        json.dumps({"id": at, "answer": text})
        for at, text in enumerate(answers(docs, options.answers))
    )
    given.write_text("\n".join(lines), encoding="utf-8")
    found: dict[int, list[Measured]] = {1: [], options.jobs: []}
    for number in range(options.rounds):
        for jobs in sorted(found, reverse=bool(number % 2)):
            say(f"round {number + 1} of {options.rounds}: {jobs} at a time")
            found[jobs].append(_run(given, index, folder / f"out-{number}-{jobs}", jobs))
    one, several = found[1], found[options.jobs]
    pairs = list(zip(one, several, strict=True))
    jobs = options.jobs
    return [
        figure("one process, answers of five sentences a second", _median(one, "rate")),
        figure(f"{jobs} processes, answers a second", _median(several, "rate")),
        figure(
            f"{jobs} processes / one",
            statistics.median(b.rate / a.rate for a, b in pairs),
            "times",
            least=0.9 * jobs,
        ),
        figure("processor time of an answer, one process", _median(one, "processor_s"), "s"),
        figure(
            f"the same, {jobs} processes / one",
            statistics.median(b.processor_s / a.processor_s for a, b in pairs),
            "times",
        ),
        figure("memory of one process at most", _median(several, "memory_gib"), "GiB"),
    ]


def _run(given: Path, index: Path, out: Path, jobs: int) -> Measured:
    ready: list[float] = []
    checked: list[tuple[float, int]] = []

    def hear(message: dict[str, Any]) -> None:
        now = time.perf_counter()
        if "ready" in message:
            ready.append(now)
        if "checked" in message:
            checked.append((now, message["checked"]))

    # A thread a process: what is compared is processes.
    batch = Batch(answers=[given], out=out, index=index, jobs=jobs, threads=1, rows=_ROWS)
    outcome = run(batch, hear)
    assert len(ready) == jobs and not outcome.missing
    start = ready[-1]
    rows = sum(count for at, count in checked if at > start)
    all_rows = sum(count for _, count in checked)
    return Measured(rows / (checked[-1][0] - start), outcome.processor_s / all_rows, _memory_gib())


def _memory_gib() -> float:
    """The largest of the processes that have ended so far."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20


def _median(found: Sequence[Measured], name: str) -> float:
    return statistics.median(float(getattr(one, name)) for one in found)
