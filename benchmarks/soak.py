"""Threads in processes on one index -> the same reports for minutes, and memory that stays flat.

Every process checks the same answers again and again, each thread in an order of its own, and
compares each report, byte for byte, with the one that a single thread gave before.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import corpus, runs
from benchmarks.data import ROOT
from benchmarks.figures import Figure, figure, show
from benchmarks.memory import held
from halgo import Checker, Halgorithm, process
from halgo.facts import parse

OUT = runs.RESULTS / "soak.json"
THREADS, PROCESSES = 8, 4
# Caches of words and parses fill until all is known. A leak goes on after that, so the second half
# is what is held to a bound.
MOST_GROWTH_MB = 8.0
ANSWERS = 24


def main(argv: Sequence[str]) -> int:
    """The exit code: 1 when a report differs or memory grows."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--processes", type=int, default=PROCESSES)
    parser.add_argument("--threads", type=int, default=THREADS)
    parser.add_argument("--chunks", type=int, default=500, help="size of the index")
    parser.add_argument("--out", type=Path, help="JSON file (default: benchmarks/results)")
    parser.add_argument("--child", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.child:
        path, threads, seconds, answers = options.child
        told = child(Path(path), int(threads), float(seconds), int(answers))
        print(json.dumps(told), flush=True)
        return 0
    seconds = 60 * options.minutes
    figures = run(options.processes, options.threads, seconds, options.chunks)
    code = show(figures)
    whole = (options.processes, options.threads, options.chunks) == (PROCESSES, THREADS, 500)
    result = {"schema": 1, **runs.origin("soak", argv), "figures": figures}
    runs.write(result, options.out or (OUT if whole and options.minutes >= 10 else None))
    return code


def run(
    processes: int, threads: int, seconds: float, chunks: int, answers: int = ANSWERS
) -> list[Figure]:
    """What the processes found, beside its bounds."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "corpus.halgo"
        Halgorithm(entailment=None).checker(corpus.documents(chunks, seed=1)).save(path)
        command = [sys.executable, "-m", "benchmarks", "soak"]
        command += ["--child", str(path), str(threads), str(seconds), str(answers)]
        environment = {**os.environ, "HALGO_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        running = [
            subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
            for _ in range(processes)
        ]
        found = [json.loads(one.communicate()[0] or "null") for one in running]
    if not all(found):
        raise SystemExit("a process of these ended early; its message stands above")
    checks = sum(one["checks"] for one in found)
    references = {one["reports"] for one in found}
    return [
        figure(f"{processes} processes with {threads} threads each, checks", checks, "", least=1),
        figure("reports unlike that of one thread", sum(one["unequal"] for one in found), "",
               most=0),
        figure("different sets of reports among the processes", len(references) - 1, "", most=0),
        figure("memory of a process after warming up", max(o["before_mb"] for o in found), "MB"),
        figure("by how much the most grew in the first half", max(o["first_mb"] for o in found),
               "MB"),
        figure("by how much the most grew in the second half", max(o["grown_mb"] for o in found),
               "MB", most=MOST_GROWTH_MB),
    ]  # fmt: skip


def child(path: Path, threads: int, seconds: float, count: int) -> dict[str, Any]:
    """One process: checks in threads until the time is up, then counts."""
    process.take_over()
    checker = Checker.from_index(path)
    answers = made(count)
    expected = [checker.check(answer).to_json() for answer in answers]
    counts = {"checks": 0, "unequal": 0}
    lock = threading.Lock()

    def work(number: int, until: float, least: int) -> None:
        order = random.Random(number)
        done = 0
        while done < least or time.monotonic() < until:
            at = order.randrange(len(answers))
            if done % 4 == 0:
                parse._recent.clear()  # as if the texts were new: the models are to have work
            same = checker.check(answers[at]).to_json() == expected[at]
            done += 1
            with lock:
                counts["checks"] += 1
                counts["unequal"] += not same

    def together(seconds: float, least: int) -> None:
        until = time.monotonic() + seconds
        running = [
            threading.Thread(target=work, args=(number, until, least)) for number in range(threads)
        ]
        for one in running:
            one.start()
        for one in running:
            one.join()

    together(seconds / 10, 1)
    before = held().private_mb
    together(seconds / 2, 1)
    middle = held().private_mb
    together(seconds / 2, 1)
    digest = hashlib.sha256("".join(expected).encode()).hexdigest()
    grown = {"first_mb": middle - before, "grown_mb": held().private_mb - middle}
    return {**counts, "reports": digest, "before_mb": before, **grown}


def made(count: int) -> list[str]:
    """Answers of three claims, some of them of the documents, with a number changed or not."""
    told = list(corpus.sentences(2 * count, seed=1))
    return [
        f"{told[at]} {told[at + 1].replace('2', '3')} The pumps of lot {at} failed."
        for at in range(0, 2 * count, 2)
    ]
