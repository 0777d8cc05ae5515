"""A batch for tests: reports by hand, and workers that need no process of their own."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hand_made import WRONG
from hand_made import report as by_hand

from halgo.bulk import part_worker
from halgo.bulk.row_checker import RowChecker
from halgo.report.report import Report


class Stub:
    """A Checker by hand: a sentence that begins with "Wrong" contradicts, "Poison" fails."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.takes_s = 0.0

    def check_many(self, texts: Sequence[str], questions: Sequence[str | None]) -> list[Report]:
        self.asked += texts
        return [self.check(text) for text in texts]

    def check(self, text: str, question: str | None = None) -> Report:
        time.sleep(self.takes_s)
        if text.startswith("Poison"):
            raise ZeroDivisionError("a fault of ours")
        return by_hand(text, {"Wrong": WRONG}, source="The fee is 5%.")


STUB = Stub()


def stand_in(settings: Mapping[str, Any]) -> RowChecker:
    """What a worker makes of its settings, with the Stub as its Checker."""
    return RowChecker(None, STUB, longest=settings["longest"])  # type: ignore[arg-type]


class InThread:
    """A worker that is a thread of this process, behind the pipes of one that is not."""

    def __init__(self) -> None:
        heard, told = os.pipe()
        asked, self._send = os.pipe()
        self._heard = heard
        self._thread = threading.Thread(target=self._serve, args=(asked, told))
        self._thread.start()

    def _serve(self, asked: int, told: int) -> None:
        with (
            contextlib.suppress(BrokenPipeError),
            os.fdopen(asked, "rb") as reads,
            os.fdopen(told, "wb") as writes,
        ):
            part_worker.serve(reads, writes)

    def fileno(self) -> int:
        return self._heard

    def send(self, message: Mapping[str, Any] | None) -> None:
        if message is None:
            os.close(self._send)
            self._send = -1
        else:
            data = json.dumps(message).encode() + b"\n"
            while data:
                data = data[os.write(self._send, data) :]

    def ended(self, *, kill: bool) -> str:
        if self._send >= 0:
            os.close(self._send)
        os.close(self._heard)
        self._thread.join()
        return "exit code 0"


class Forked(InThread):
    """A worker that is a forked process; `said`, a pipe, is open as long as one of them lives."""

    def __init__(self) -> None:
        heard, told = os.pipe()
        asked, self._send = os.pipe()
        self._heard = heard
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.close(heard)
                os.close(self._send)
                self._serve(asked, told)
            finally:
                os._exit(0)
        os.close(asked)
        os.close(told)

    def ended(self, *, kill: bool) -> str:
        if kill:
            os.kill(self.pid, signal.SIGKILL)
        if self._send >= 0:
            os.close(self._send)
        os.close(self._heard)
        _, status = os.waitpid(self.pid, 0)
        return f"signal {status}"


def answers(path: Path, count: int, **columns: Any) -> Path:
    """A file of JSON lines with answers q0, q1, ..."""
    lines = (
        json.dumps({"id": f"q{at}", "answer": f"The fee is {at}%. Wrong it is.", **columns})
        for at in range(count)
    )
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def read(out: Path, table: str = "answers") -> list[dict[str, Any]]:
    """The rows of a table of JSON lines, part after part."""
    return [
        json.loads(line)
        for path in sorted((out / table).glob("part-*.jsonl"))
        for line in path.read_text(encoding="ascii").splitlines()
    ]


def contents(out: Path) -> dict[str, bytes]:
    """Every file of an output folder that a reader sees, with its bytes."""
    return {
        str(path.relative_to(out)): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }
