"""Parts -> n processes that work them off, each with models of its own; one that dies is replaced.

A part whose process dies (out of memory, a fault in a library) is tried once more by a fresh one,
and given up then: the run goes on with the others and says which are missing.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from halgo.errors import BatchError
from halgo.workers import remade, started

Message = dict[str, Any]
Task = dict[str, Any]  # part_worker.task_of
_TRIES = 2  # for each part, and to load the models


class Worker(Protocol):
    """A process that speaks JSON lines."""

    def fileno(self) -> int:
        """What its messages are read from."""
        ...

    def send(self, message: Mapping[str, Any] | None) -> None:
        """A message to it; None is that there are no more. Raises BrokenPipeError."""
        ...

    def ended(self, *, kill: bool) -> str:
        """Waits for its end, or makes it; says how it ended."""
        ...


class Child:
    """A process that works parts off. threads: of its models for one call."""

    def __init__(self, threads: int) -> None:
        self._process = started("halgo.bulk.part_worker:main", threads=threads)

    def fileno(self) -> int:
        """What its messages are read from."""
        assert self._process.stdout is not None
        return self._process.stdout.fileno()

    def send(self, message: Mapping[str, Any] | None) -> None:
        """A message to it; None is that there are no more."""
        assert self._process.stdin is not None
        if message is None:
            self._process.stdin.close()
            return
        self._process.stdin.write(json.dumps(message).encode("ascii") + b"\n")
        self._process.stdin.flush()

    def ended(self, *, kill: bool) -> str:
        """Waits for its end, or makes it; says how it ended."""
        if kill:
            self._process.kill()
        code = self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):  # what was not yet sent
                    stream.close()
        return f"signal {-code}" if code < 0 else f"exit code {code}"


class _Held:
    """A worker, what it has said of a line that has no end yet, and the part it works on."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self.begun = b""
        self.task: Task | None = None
        self.checked = 0  # rows of that part
        self.is_ready = False


def work_off(
    tasks: Iterator[Task],
    settings: Mapping[str, Any],
    jobs: int,
    start: Callable[[], Worker],
    hear: Callable[[Message], None],
) -> list[int]:
    """Hands the tasks to `jobs` workers; returns the parts that were given up.

    hear: called with each message: {"ready": engine}, {"checked": rows}, {"done": part, ...}, and
    {"lost": part, "how": ..., "checked": rows that no longer count}. An error that it raises, or
    that a worker tells, ends all workers and is raised.
    """
    pool = _Pool(tasks, settings, start, hear)
    try:
        for _ in range(jobs):
            pool.begin()
        while pool.held:
            pool.wait()
    finally:
        pool.end()
    return pool.given_up


class _Pool:
    def __init__(
        self,
        tasks: Iterator[Task],
        settings: Mapping[str, Any],
        start: Callable[[], Worker],
        hear: Callable[[Message], None],
    ) -> None:
        self.tasks, self.settings, self.start, self.hear = tasks, settings, start, hear
        self.again: deque[Task] = deque()
        self.tries: dict[int, int] = {}
        self.given_up: list[int] = []
        self.stillborn = 0  # processes that ended before they were ready, one after the other
        self.held: set[_Held] = set()
        self.selector = selectors.DefaultSelector()

    def begin(self) -> None:
        held = _Held(self.start())
        self.held.add(held)
        self.selector.register(held.worker.fileno(), selectors.EVENT_READ, held)
        held.worker.send(self.settings)

    def wait(self) -> None:
        for key, _ in self.selector.select():
            held: _Held = key.data
            found = os.read(key.fd, 1 << 16)
            if not found:
                self._gone(held)
                continue
            *lines, held.begun = (held.begun + found).split(b"\n")
            for line in lines:
                self._heard(held, json.loads(line))

    def end(self) -> None:
        for held in self.held:
            held.worker.ended(kill=True)
        self.selector.close()

    def _heard(self, held: _Held, message: Message) -> None:
        if "failed" in message:
            raise remade(message["failed"])
        held.checked += message.get("checked", 0)
        if "done" in message:
            held.task, held.checked = None, 0
        self.hear(message)
        if "ready" in message:
            held.is_ready = True
            self.stillborn = 0
        if "ready" in message or "done" in message:
            self._next(held)

    def _next(self, held: _Held) -> None:
        held.task = self.again.popleft() if self.again else next(self.tasks, None)
        with contextlib.suppress(BrokenPipeError):  # dead, as the end of its messages tells too
            held.worker.send(held.task)

    def _gone(self, held: _Held) -> None:
        self.selector.unregister(held.worker.fileno())
        self.held.remove(held)
        how = held.worker.ended(kill=False)
        if not held.is_ready:
            self.stillborn += 1
            if self.stillborn == _TRIES:
                raise BatchError(f"a process ended while it loaded the models ({how}), and again")
            self.begin()
            return
        if held.task is None:
            return
        part = held.task["part"]
        self.tries[part] = self.tries.get(part, 0) + 1
        self.hear({"lost": part, "how": how, "checked": held.checked})
        if self.tries[part] < _TRIES:
            self.again.append(held.task)
        else:
            self.given_up.append(part)
        self.begin()
