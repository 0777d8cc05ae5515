"""The stop hook as an agent's program runs it: how long it takes, alone and beside a server.

Each figure is of whole processes, from their start to their exit code: a transcript of some hundred
calls with a false closing message, and one whose tool result only a server's models can hold
against it. A run that does not find its falsehood counts for nothing and fails the command.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import corpus, runs
from benchmarks.serving import running
from halgo import Checker

OUT = runs.RESULTS / "hook.json"
ALONE_S, BESIDE_S = 1.5, 0.25
_RED = "Exit code 1\n..F..\n3 failed, 211 passed in 41.20s"
_ORDER = json.dumps({"order_id": 1042, "status": "pending", "carrier": "DHL"})


def main(argv: Sequence[str]) -> int:
    """The exit code: 1 when a falsehood was not found or a median is over its limit."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks hook", description=__doc__)
    parser.add_argument("--runs", type=int, default=20, help="processes of each kind")
    parser.add_argument("--calls", type=int, default=300, help="calls in the transcript")
    parser.add_argument("--out", type=Path, help="JSON file (default: benchmarks/results)")
    options = parser.parse_args(argv)
    figures: dict[str, Any] = {"load_before": round(os.getloadavg()[0], 2)}
    with tempfile.TemporaryDirectory() as folder:
        false = transcript(Path(folder) / "false.jsonl", options.calls, "All 214 tests pass.")
        sent = "Order 1042 has been shipped."
        shipped = transcript(Path(folder) / "order.jsonl", options.calls, sent)
        figures["transcript_kb"] = round(false.stat().st_size / 1000)
        figures["alone"] = timed(false, [], options.runs)
        index = Path(folder) / "docs.halgo"
        Checker.from_docs(corpus.documents(10, seed=1)).save(index)
        with running(index) as (_, url):
            timed(shipped, ["--server", url], 2)  # a server's first checks load what it needs
            figures["beside_a_server"] = timed(shipped, ["--server", url], options.runs)
    figures["load_after"] = round(os.getloadavg()[0], 2)
    for name, most in (("alone", ALONE_S), ("beside_a_server", BESIDE_S)):
        found = figures[name]
        print(
            f"{name.replace('_', ' ')}: median {found['p50_ms']} ms, worst {found['worst_ms']} ms"
            f"   median at most {most * 1000:.0f} ms   (processor time {found['cpu_ms']} ms)"
        )
    print(f"processes that wanted to run meanwhile: {figures['load_before']} to "
          f"{figures['load_after']} on {os.cpu_count()} cores")  # fmt: skip
    runs.write({"schema": 1, **runs.origin("hook", argv), "figures": figures}, options.out or OUT)
    late = figures["alone"]["p50_ms"] > ALONE_S * 1000
    return 1 if late or figures["beside_a_server"]["p50_ms"] > BESIDE_S * 1000 else 0


def transcript(path: Path, calls: int, closing: str) -> Path:
    """A session as Claude Code writes it: files read and changed, tests run, an order looked up."""
    steps = [("Read", {"file_path": f"/w/{n}.py"}, "x = 1\n" * 100) for n in range(calls)]
    steps += [
        ("Edit", {"file_path": "/w/a.py", "old_string": "a", "new_string": "b"}, "Updated."),
        ("Bash", {"command": "pytest -q"}, _RED),
        ("mcp__crm__get_order", {"id": 1042}, _ORDER),
    ]
    lines = [{"type": "user", "message": {"role": "user", "content": "Fix it."}}]
    for number, (name, given, output) in enumerate(steps):
        call = {"type": "tool_use", "id": f"t{number}", "name": name, "input": given}
        result = {
            "type": "tool_result",
            "tool_use_id": f"t{number}",
            "content": output,
            "is_error": output.startswith("Exit code"),
        }
        lines.append(_line("assistant", call))
        lines.append(_line("user", result))
    lines.append(_line("assistant", {"type": "text", "text": closing}))
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def _line(role: str, block: dict[str, Any]) -> dict[str, Any]:
    return {"type": role, "message": {"role": role, "content": [block]}}


def timed(path: Path, options: Sequence[str], count: int) -> dict[str, float]:
    """Milliseconds of so many processes: median and worst on the clock, mean on the processor."""
    given = json.dumps(
        {"hook_event_name": "Stop", "transcript_path": str(path), "stop_hook_active": False}
    )
    waits = []
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for _ in range(count):
        started = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "halgo", "hook", "claude-code", *options],
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )
        waits.append(time.perf_counter() - started)
        if done.returncode != 2:
            raise SystemExit(f"the hook did not find the falsehood: {done.stderr or done.stdout}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        "runs": count,
        "p50_ms": round(statistics.median(waits) * 1000, 1),
        "worst_ms": round(max(waits) * 1000, 1),
        "cpu_ms": round(busy / count * 1000, 1),
    }
