"""A running server under load -> throughput beside check_many, latencies, losses, memory.

Four clients send answers of five sentences, each as soon as it has its last report. Throughput is
compared with `Checker.check_many` on the same texts in turn, in one run, so that a machine that is
slow today is slow for both. At the end the server is told to stop while all clients wait for an
answer: every one of them is to come.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import corpus, runs
from benchmarks.data import ROOT
from benchmarks.figures import Figure, figure, show
from benchmarks.provenance import say
from benchmarks.texts import sentences
from halgo import Checker

OUT = runs.RESULTS / "serving.json"
_SENTENCES = 5


@dataclass
class Load:
    """What came of a stretch of load."""

    sent: int = 0
    seconds: float = 0.0
    latencies_ms: list[float] = field(default_factory=list)
    wrong: int = 0  # answers that did not come, or not as check_many has them


def main(argv: Sequence[str]) -> int:
    """The exit code: 1 when a figure is beyond its bound."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks serving", description=__doc__)
    parser.add_argument("--chunks", type=int, default=1000, help="size of the index")
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--answers", type=int, default=40, help="of a round")
    parser.add_argument("--rounds", type=int, default=3, help="of server and check_many in turn")
    parser.add_argument("--minutes", type=float, default=1.0, help="of load for the memory")
    parser.add_argument(
        "--fuzz", metavar="PROGRAM", help="schemathesis, to send it odd requests by its own OpenAPI"
    )
    parser.add_argument("--cases", type=int, default=50, help="of the fuzzing, for each route")
    parser.add_argument("--out", type=Path, help="JSON file (default: benchmarks/results)")
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        index = Path(folder) / "measured.halgo"
        docs = corpus.documents(options.chunks, seed=1)
        checker = Checker.from_docs(docs)
        checker.save(index)
        texts = answers(docs, options.answers)
        with running(index) as (process, url):
            figures = measured(checker, texts, url, process.pid, options)
            figures.append(stopped(texts, url, process, options.clients))
        if options.fuzz:
            with running(index) as (_, url):
                figures += fuzzed(options.fuzz, options.cases, url)
    code = show(figures)
    result = {"schema": 1, **runs.origin("serving", argv), "figures": figures}
    whole = options.minutes >= 10 and options.chunks == 1000
    runs.write(result, options.out or (OUT if whole else None))
    return code


def answers(docs: Sequence[str], count: int) -> list[str]:
    """Answers of five sentences of the documents, half of them with other numbers."""
    known = [text for doc in docs for text in sentences(doc)]
    drawn = random.Random(7)
    made = []
    for _ in range(count):
        some = drawn.sample(known, _SENTENCES)
        made.append(" ".join(t.replace("2", "3") if drawn.random() < 0.5 else t for t in some))
    return made


@contextmanager
def running(index: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server in a process of its own, once it is ready."""
    import httpx

    words = [sys.executable, "-m", "halgo", "serve", "--index", str(index), "--port", "0"]
    process = subprocess.Popen(
        [*words, "--quiet"], cwd=ROOT, stderr=subprocess.PIPE, text=True, stdout=subprocess.DEVNULL
    )
    try:
        assert process.stderr is not None
        told = process.stderr.readline()
        found = re.search(r"http://\S+", told)
        if found is None:
            raise RuntimeError(f"the server did not start: {told}{process.stderr.read()}")
        url = found[0]
        while True:
            if process.poll() is not None:
                raise RuntimeError(f"the server ended: {process.stderr.read()}")
            if httpx.get(f"{url}/ready").status_code == 200:
                break
            time.sleep(0.1)
        yield process, url
    finally:
        process.kill()
        process.wait()


def measured(
    checker: Checker, texts: Sequence[str], url: str, pid: int, options: argparse.Namespace
) -> list[Figure]:
    """Throughput, latencies, losses and memory."""
    right = [report.counts for report in checker.check_many(texts)]  # warms this side
    wanted = [{verdict.value: count for verdict, count in counts.items()} for counts in right]
    asyncio.run(load(url, texts, wanted, options.clients))  # and that one
    ours, theirs, lost = [], [], 0
    work: dict[str, list[float]] = {"server": [], "check_many": []}
    for number in range(options.rounds):
        say(f"round {number + 1} of {options.rounds}")
        for step in ("server", "check_many") if number % 2 else ("check_many", "server"):
            if step == "server":
                before = _processor_s(pid)
                found = asyncio.run(load(url, texts, wanted, options.clients))
                theirs.append(found.sent / found.seconds)
                work["server"].append(_processor_s(pid) - before)
                lost += found.wrong
            else:
                start, before = time.perf_counter(), time.process_time()
                checker.check_many(texts)
                ours.append(len(texts) / (time.perf_counter() - start))
                work["check_many"].append(time.process_time() - before)
    say(f"{options.minutes:g} minutes of load")
    memory: list[tuple[float, float]] = []
    long = asyncio.run(load(url, texts, wanted, options.clients, options.minutes * 60, pid, memory))
    p50, p99 = _percentile(long.latencies_ms, 50), _percentile(long.latencies_ms, 99)
    share = statistics.median(a / b for a, b in zip(theirs, ours, strict=True))
    busy = statistics.median(a / b for a, b in zip(work["server"], work["check_many"], strict=True))
    return [
        figure("check_many, answers a second", statistics.median(ours)),
        figure("the server, answers a second", statistics.median(theirs)),
        figure("the server / check_many", share, "times", least=0.9),
        # Beside others on the machine, what the clients take is missing; this is not moved by that.
        figure("processor time of the server / of check_many", busy, "times"),
        figure(f"latency of {options.clients} clients under load, p50", p50, "ms"),
        figure(f"latency of {options.clients} clients under load, p99", p99, "ms"),
        figure("p99 / p50", p99 / p50, "times", most=3),
        figure("answers under load", long.sent),
        figure("answers lost, or with other verdicts than check_many", lost + long.wrong, most=0),
        figure(f"memory of the server after {options.minutes:g} minutes", memory[-1][1], "MB"),
        figure("memory, rise a minute", _rise(memory), "MB", most=1),
    ]


async def load(
    url: str,
    texts: Sequence[str],
    wanted: Sequence[dict[str, int]],
    clients: int,
    seconds: float = 0.0,
    pid: int = 0,
    memory: list[tuple[float, float]] | None = None,
) -> Load:
    """All texts once, or over and over for so many seconds, sent by so many clients."""
    import httpx

    found, left = Load(), iter(range(len(texts))) if not seconds else None
    start = time.perf_counter()

    def next_one() -> int | None:
        if left is not None:
            return next(left, None)
        over = time.perf_counter() - start >= seconds
        return None if over else found.sent % len(texts)

    async def client() -> None:
        async with httpx.AsyncClient(timeout=60) as http:
            while (at := next_one()) is not None:
                found.sent += 1
                begun = time.perf_counter()
                try:
                    got = await http.post(f"{url}/v1/check", json={"answer": texts[at]})
                    right = got.status_code == 200 and got.json()["counts"] == wanted[at]
                except httpx.HTTPError:
                    right = False
                found.latencies_ms.append((time.perf_counter() - begun) * 1000)
                found.wrong += not right

    async def watch() -> None:
        while memory is not None:
            memory.append((time.perf_counter() - start, _memory_mb(pid)))
            await asyncio.sleep(1)

    watching = asyncio.create_task(watch())
    await asyncio.gather(*(client() for _ in range(clients)))
    watching.cancel()
    found.seconds = time.perf_counter() - start
    return found


def fuzzed(program: str, cases: int, url: str) -> list[Figure]:
    """How many odd requests were sent, and how many the server failed at."""
    import httpx

    def answered() -> dict[str, float]:
        found = {"all": 0.0, "500": 0.0}
        for line in httpx.get(f"{url}/metrics").text.splitlines():
            if line.startswith("halgo_requests_total"):
                status, count = re.findall(r'status="(\d+)"} (\S+)', line)[0]
                found["all"] += float(count)
                found["500"] += float(count) if status == "500" else 0
        return found

    say(f"fuzzing, {cases} cases for each route")
    before = answered()
    words = ["run", f"{url}/openapi.json", "--checks", "not_a_server_error"]
    told = subprocess.run(
        [program, *words, "--max-examples", str(cases), "--seed", "1"],
        capture_output=True,
        text=True,
        check=False,
    )
    say(told.stdout.strip().rpartition("\n")[2])
    after = answered()
    return [
        figure("odd requests sent by schemathesis", after["all"] - before["all"]),
        figure("of these answered with 500", after["500"] - before["500"], most=0),
    ]


def stopped(texts: Sequence[str], url: str, process: subprocess.Popen[str], clients: int) -> Figure:
    """How many answers are lost when the server is told to stop while they are checked."""
    import httpx

    async def ask() -> int:
        async with httpx.AsyncClient(timeout=60) as http:
            long = " ".join(texts[:clients])
            asked = [
                asyncio.create_task(http.post(f"{url}/v1/check", json={"answer": long}))
                for _ in range(clients)
            ]
            # What was taken is to be finished; so all are to be taken before the signal.
            while f"halgo_queue_size {clients}.0" not in (await http.get(f"{url}/metrics")).text:
                if any(one.done() for one in asked):
                    raise RuntimeError("answers came before all were taken; give longer ones")
                await asyncio.sleep(0.01)
            process.send_signal(signal.SIGTERM)
            done = await asyncio.gather(*asked, return_exceptions=True)
            return sum(isinstance(one, BaseException) or one.status_code != 200 for one in done)

    lost = asyncio.run(ask())
    code = process.wait(30)
    return figure("answers lost when stopped in the middle of them", lost + abs(code), most=0)


def _processor_s(pid: int) -> float:
    """Seconds of processor time that a process has had."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory_mb(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("this system does not say how much memory a process has")


def _rise(memory: Sequence[tuple[float, float]]) -> float:
    """MB a minute: the slope of the line through the last two thirds."""
    late = memory[len(memory) // 3 :]
    slope, _ = statistics.linear_regression([at for at, _ in late], [mb for _, mb in late])
    return slope * 60


def _percentile(values: Sequence[float], percent: int) -> float:
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]
