"""A shell -> the first verdict: `halgo check` of one page in a fresh process, models included.

Processor time stands beside the wall's: on a machine that others use, it is what says something.
The share of each library is told by Python itself, in a run of its own that is slower for it.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks import runs
from benchmarks.data import ROOT
from benchmarks.figures import Figure, figure, show

OUT = runs.RESULTS / "cold.json"
PAGE = ROOT / "examples" / "docs" / "services-agreement.md"
ANSWER = (
    "Payment is due within 30 days of receiving an invoice. Either party can end the agreement "
    "with 60 days written notice.\n"
)
MOST_S = 1.5
_IMPORT = re.compile(r"import time:\s+(\d+) \|\s+\d+ \|\s+(\w+)")
_SHOWN = 8  # libraries


def main(argv: Sequence[str]) -> int:
    """The exit code: 1 when the first verdict comes too late."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks cold", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--python", default=sys.executable, help="of another environment")
    parser.add_argument("--out", type=Path, help="JSON file (default: benchmarks/results)")
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "answer.md"
        answer.write_text(ANSWER, encoding="utf-8")
        check = ["-m", "halgo", "check", str(answer), "--docs", str(PAGE)]
        took = [once([options.python, *check]) for _ in range(options.rounds + 1)][1:]
        shares = libraries([options.python, "-X", "importtime", *check])
    figures = [
        figure("halgo check of one page, from the shell to its end", median(took, 0), "s",
               most=MOST_S),
        figure("the quickest of these", min(one[0] for one in took), "s"),
        figure("its processor time, all threads", median(took, 1), "s"),
        figure("its memory at most", median(took, 2), "MB"),
    ]  # fmt: skip
    figures += shares
    code = show(figures)
    runs.write({"schema": 1, **runs.origin("cold", argv), "figures": figures}, options.out or OUT)
    return code


def once(command: Sequence[str]) -> tuple[float, float, float]:
    """Seconds on the wall, of the processor, and MB at most, of one process that says 2 verdicts.

    It ends with the report, which it writes as a whole.
    """
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    said = process.stdout.read()
    _, _, used = os.wait4(process.pid, 0)
    took = time.perf_counter() - start
    if said.count("SUPPORTED") != 2:
        raise SystemExit(f"{' '.join(command)} says no two verdicts:\n{said}")
    return took, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def median(took: Sequence[tuple[float, float, float]], part: int) -> float:
    """Of one of the three figures."""
    return statistics.median(one[part] for one in took)


def libraries(command: Sequence[str]) -> list[Figure]:
    """What importing each library takes, the longest first."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    sums: Counter[str] = Counter()
    for microseconds, name in _IMPORT.findall(done.stderr):
        sums[name] += int(microseconds)
    return [
        figure(f"importing {name}, waiting for other threads included", each / 1000, "ms")
        for name, each in sums.most_common(_SHOWN)
    ]
