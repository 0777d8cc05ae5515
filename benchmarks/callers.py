"""Many callers of one process, and many processes of one machine, beside one that is alone.

Threads: the same answers by one thread, by eight that share calls of the models, and by eight
that do not, in turns. One long answer: with threads for the entailment model beside the rules, and
without. Processes: all of a machine's, each with one thread in its models, and with
as many as there are processors. Memory: what each of several processes holds for itself, and what
they share, as weights that are mapped are.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from operator import truediv
from pathlib import Path
from typing import Any

from benchmarks import corpus, runs
from benchmarks.data import ROOT
from benchmarks.figures import Figure, figure, show
from benchmarks.memory import held
from benchmarks.soak import made
from halgo import Checker, Halgorithm, configure, process
from halgo.facts import parse

OUT = runs.RESULTS / "callers.json"
THREADS = 8
LEAST = 1.0  # eight threads are to be no slower than one
_ROUNDS = 3
_CHUNKS = 300


def main(argv: Sequence[str]) -> int:
    """The exit code: 1 when reports differ, or threads take more time than they save."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks callers", description=__doc__)
    parser.add_argument("--answers", type=int, default=40)
    parser.add_argument("--processes", type=int, default=2 * process.processors())
    parser.add_argument("--out", type=Path, help="JSON file (default: benchmarks/results)")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.child:
        child(Path(options.child), options.answers)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "corpus.halgo"
        Halgorithm().checker(corpus.documents(_CHUNKS, seed=1)).save(path)
        figures = threads(path, options.answers)
        figures += long_answers(path, options.answers)
        figures += processes(path, options.answers, options.processes)
    code = show(figures)
    runs.write({"schema": 1, **runs.origin("callers", argv), "figures": figures},
               options.out or OUT)  # fmt: skip
    return code


def threads(path: Path, count: int) -> list[Figure]:
    """One thread, eight that share calls and eight that do not, turn about."""
    checker = Checker.from_index(path)
    answers = made(count)
    expected = _by(checker, answers, 1)[2]
    took: dict[str, list[tuple[float, float]]] = {}
    unequal = 0
    for _ in range(_ROUNDS):
        for name, number, wait_ms in (
            ("one", 1, process.WAIT_MS),
            ("shared", THREADS, process.WAIT_MS),
            ("apart", THREADS, 0),
        ):
            configure(wait_ms=wait_ms)
            wall, processor, reports = _by(checker, answers, number)
            took.setdefault(name, []).append((wall, processor))
            unequal += reports != expected
    configure(wait_ms=process.WAIT_MS)

    def times(a: str, b: str, part: int) -> float:
        pairs = zip(took[a], took[b], strict=True)
        return statistics.median(one[part] / other[part] for one, other in pairs)

    rate = count / statistics.median(wall for wall, _ in took["shared"])
    return [
        figure("rounds whose reports are not those of one thread", unequal, "", most=0),
        figure(f"answers of 3 claims a second, {THREADS} threads", rate, ""),
        figure(f"{THREADS} threads, as many answers a second as one", times("one", "shared", 0),
               "times", least=LEAST),
        figure("the same where each calls the models for itself", times("one", "apart", 0),
               "times"),
        figure("processor time for an answer, sharing calls / not sharing",
               times("shared", "apart", 1), "times"),
    ]  # fmt: skip


def long_answers(path: Path, count: int) -> list[Figure]:
    """Answers of a dozen claims, the model beside the rules and after them, turn about."""
    checker = Checker.from_index(path)
    told = made(count)
    answers = [" ".join(told[at : at + 4]) for at in range(0, count, 4)]
    several = min(process.processors(), process.MOST_THREADS)
    took: dict[int, list[float]] = {1: [], several: []}
    reports: dict[int, list[str]] = {}
    for _ in range(_ROUNDS):
        for number in took:
            configure(threads=number)
            wall, _, reports[number] = _by(checker, answers, 1)
            took[number].append(wall / len(answers))
    apart = statistics.median(map(truediv, took[1], took[several]))
    return [
        figure("an answer of 12 claims, the model read after the rules", 1000
               * statistics.median(took[1]), "ms"),
        figure(f"the same, {several} threads reading beside the rules, as fast", apart, "times",
               least=LEAST),
        figure("whether their reports differ", int(reports[1] != reports[several]), "", most=0),
    ]  # fmt: skip


def _by(checker: Checker, answers: Sequence[str], number: int) -> tuple[float, float, list[str]]:
    """Seconds on the wall and of the processor, and the reports, by so many threads."""
    parse._recent.clear()  # the models are to have the same work in every round
    wall, processor = time.perf_counter(), time.process_time()
    if number == 1:
        reports = [checker.check(answer) for answer in answers]
    else:
        with ThreadPoolExecutor(number) as pool:
            reports = list(pool.map(checker.check, answers))
    took = time.perf_counter() - wall, time.process_time() - processor
    return *took, [report.to_json() for report in reports]


def processes(path: Path, count: int, number: int) -> list[Figure]:
    """So many processes at once with one thread each in their models, and with the default."""
    alone = run(path, count, 1, 1)
    quiet = run(path, count, number, 1)
    loud = run(path, count, number, min(process.processors(), process.MOST_THREADS))
    rate = [statistics.median(one["rate"] for one in found) for found in (alone, quiet, loud)]
    fair = sum(one["fair_mb"] for one in quiet)
    return [
        figure("one process with one thread, answers a second", rate[0], ""),
        figure(f"{number} processes with one thread each, as many as one", number * rate[1]
               / rate[0], "times"),
        figure("the same with as many threads each as processors", number * rate[2] / rate[0],
               "times"),
        figure("memory of one process that is alone", alone[0]["resident_mb"], "MB"),
        figure(f"of each of {number}, its own", statistics.median(o["private_mb"] for o in quiet),
               "MB"),
        figure(f"of all {number} together, what they share counted once", fair, "MB"),
        figure("weights and dictionaries that are mapped, in memory once", mapped_mb(), "MB"),
    ]  # fmt: skip


def run(path: Path, count: int, number: int, own_threads: int) -> list[dict[str, Any]]:
    """What so many processes say of themselves, who all check at the same time."""
    command = [sys.executable, "-m", "benchmarks", "callers", "--child", str(path)]
    command += ["--answers", str(count)]
    environment = {
        **os.environ,
        process.THREADS: str(own_threads),
        "OPENBLAS_NUM_THREADS": str(own_threads),
    }
    running = [
        subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(number)
    ]
    found = []
    for step in ("warm", "checked", "counted"):  # each waits for all the others
        for one in running:
            assert one.stdout is not None
            said = one.stdout.readline()
            if not said:
                raise SystemExit("a process ended early; its message stands above")
            if step == "counted":
                found.append(json.loads(said))
        for one in running:
            assert one.stdin is not None
            one.stdin.write("\n")
            one.stdin.flush()
    for one in running:
        one.communicate()
    return found


def child(path: Path, count: int) -> None:
    """One process: tells when it is warm, checks when told to, tells how it went."""
    process.take_over()
    checker = Checker.from_index(path)
    answers = made(count)
    _by(checker, answers[:4], 1)
    print("warm", flush=True)
    input()
    wall, _, _ = _by(checker, answers, 1)
    print("checked", flush=True)
    input()
    own = held()
    print(
        json.dumps(
            {
                "rate": count / wall,
                "resident_mb": own.resident_mb,
                "private_mb": own.private_mb,
                "fair_mb": own.fair_mb,
            }
        ),
        flush=True,
    )
    input()


def mapped_mb() -> float:
    """Files of the models that a process maps, and all processes have in common."""
    from halgo import models

    encoder, words = models.find("minilm").path, models.find("wordnet").path
    files = [encoder / "weights.bin", *words.glob("index.*"), *words.glob("data.*")]
    return sum(file.stat().st_size for file in files) / 2**20
