"""Tasks -> their results, worked out by several processes on this machine.

A task is the name of a function of halgo's, "module:function", from bytes to bytes. The processes
are started afresh, not forked, and load nothing of the caller's program: so this works from a
script without a main guard, a notebook and a thread, and nothing is unpickled. They end with the
process that started them, and leave Ctrl-C to it.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from halgo import errors, process
from halgo.errors import WorkerError
from halgo.printable import printable

_START = (
    "import importlib, json, sys; sys.path[:] = json.loads(sys.argv[1]);"
    "module, _, name = sys.argv[2].partition(':'); getattr(importlib.import_module(module), name)()"
)
_AHEAD = 2  # tasks under way for each process, so that none waits for the next
_DONE, _FAILED = b"+", b"-"


class Workers:
    """At most `jobs` processes, started when they are first needed and ended by `close`.

    jobs: 0 for as many as this process may use processors. One is none: the caller works itself.
    """

    def __init__(self, jobs: int = 1) -> None:
        self.jobs = count(jobs)
        self._idle: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
        self._all: list[_Worker] = []
        self._threads: ThreadPoolExecutor | None = None

    @property
    def several(self) -> bool:
        """Whether there are other processes than this one."""
        return self.jobs > 1

    def map(self, tasks: Iterable[tuple[str, bytes]]) -> Iterator[bytes]:
        """The result of each task and payload, in order; a few are taken ahead of the results.

        Raises what the task raises, where that is an error of halgo's or of Python's own, and
        WorkerError when a process dies. Either way the processes end.
        """
        under_way: deque[Future[bytes]] = deque()
        try:
            for task, payload in tasks:
                under_way.append(self._pool().submit(self._ask, task, payload))
                if len(under_way) >= _AHEAD * self.jobs:
                    yield under_way.popleft().result()
            while under_way:
                yield under_way.popleft().result()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Ends the processes, whatever they are at."""
        for worker in self._all:
            worker.kill()
        if self._threads is not None:
            self._threads.shutdown(cancel_futures=True)
        self._all, self._threads = [], None
        self._idle = queue.SimpleQueue()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _pool(self) -> ThreadPoolExecutor:
        if self._threads is None:
            self._all = [_Worker() for _ in range(self.jobs)]
            for worker in self._all:
                self._idle.put(worker)
            self._threads = ThreadPoolExecutor(self.jobs, "halgo-worker")
        return self._threads

    def _ask(self, task: str, payload: bytes) -> bytes:
        worker = self._idle.get()  # there is one for each thread
        try:
            return worker.ask(task, payload)
        finally:
            self._idle.put(worker)


@contextlib.contextmanager
def running(jobs: int | Workers) -> Iterator[Workers]:
    """So many processes for the block; those that are running already go on behind it."""
    if isinstance(jobs, Workers):
        yield jobs
        return
    with Workers(jobs) as workers:
        yield workers


def count(jobs: int) -> int:
    """How many processes `jobs` means. Raises ValueError for what is no whole number from 0 on."""
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 0:
        raise ValueError(
            f"jobs is a whole number of processes, 0 for one a processor, not {jobs!r}"
        )
    jobs = jobs or process.processors()
    # A program that is one frozen file would start itself again; its only process is as right.
    return 1 if not sys.executable or getattr(sys, "frozen", False) else jobs


def started(
    function: str, *, threads: int = 1, stderr: IO[bytes] | None = None
) -> subprocess.Popen[bytes]:
    """A Python of its own, with the search path of this one, that runs "module:function".

    It is spoken to by its stdin and stdout. threads: of its models for one call; one where there
    are as many processes as processors, which would fight for them otherwise. No call of a model
    waits for another: there is one at a time.
    """
    path = [str(Path(entry).absolute()) for entry in sys.path]
    told = {process.THREADS: str(threads), process.WAIT: "0", "PYTHONWARNINGS": "ignore"}
    return subprocess.Popen(
        [sys.executable, "-c", _START, json.dumps(path), function],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        env={**os.environ, **told},
        start_new_session=True,  # Ctrl-C is for this process, which ends the others
    )


class _Worker:
    """One process, and the pipes to it."""

    def __init__(self) -> None:
        # What libraries write there is kept for the case that the process dies of it.
        self._noise: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (`kill` closes it)
        self._process = started("halgo.workers:serve", stderr=self._noise)

    def ask(self, task: str, payload: bytes) -> bytes:
        """The result of a task. Raises what it raised, or WorkerError when the process is dead."""
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            _send(self._process.stdin, task.encode() + b"\n" + payload)
            reply = _received(self._process.stdout)
        except (OSError, ValueError):  # a broken pipe, or one that `kill` has closed
            reply = None
        if reply is None:
            raise WorkerError(self._obituary())
        if reply[:1] == _FAILED:
            raise remade(unpacked(reply[1:]))
        return reply[1:]

    def kill(self) -> None:
        """Ends the process now."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                assert pipe is not None
                pipe.close()
        self._noise.close()

    def _obituary(self) -> str:
        try:
            code = self._process.wait(timeout=5)
            self._noise.seek(0)
            last = self._noise.read()[-2000:].decode("utf-8", "replace").strip().splitlines()
        except (subprocess.TimeoutExpired, OSError, ValueError):
            code, last = None, []
        how = f"was killed (signal {-code})" if code and code < 0 else f"ended (exit code {code})"
        said = f"; its last words: {printable(last[-1][:300])}" if last else ""
        return (
            f"a worker process {how} before its work was done{said}. What was saved "
            "before is whole. Where memory ran short, take fewer of them (jobs=, --jobs); each "
            "takes about 0.5 GB"
        )


def serve() -> None:
    """What a process does: answers tasks from stdin on stdout until there are no more."""
    process.take_over()
    tasks, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):  # what a library prints is no part of a reply
        os.dup2(nothing, standard)
    asked: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(tasks, asked), daemon=True).start()
    with contextlib.suppress(BrokenPipeError):  # whoever asked is gone
        while True:
            name, _, payload = asked.get().partition(b"\n")
            try:
                module, _, function = name.decode().partition(":")
                reply = _DONE + getattr(importlib.import_module(module), function)(payload)
            except Exception as error:
                reply = _FAILED + packed(told(error))
            _send(replies, reply)


def _listen(tasks: IO[bytes], asked: queue.SimpleQueue[bytes]) -> None:
    """Takes in tasks; ends the process, whatever it is at, when whoever asks is gone."""
    while (request := _received(tasks)) is not None:
        asked.put(request)
    os._exit(0)


def _send(stream: IO[bytes], data: bytes) -> None:
    stream.write(len(data).to_bytes(8, "big"))
    stream.write(data)
    stream.flush()


def _received(stream: IO[bytes]) -> bytes | None:
    """What was sent; None when the other end is closed, or was before all of it was sent."""
    head = stream.read(8)
    if len(head) < 8:
        return None
    size = int.from_bytes(head, "big")
    data = stream.read(size)
    return data if len(data) == size else None


def packed(value: Any) -> bytes:
    """Plain values as bytes, every string as it is: half of a surrogate pair stays a half."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


def unpacked(data: bytes) -> Any:
    """The reverse of `packed`."""
    return json.loads(data.decode("utf-8", "surrogatepass"))


def told(error: BaseException) -> dict[str, Any]:
    """An error as plain values, for `remade`."""
    more = {name: value for name, value in vars(error).items() if _plain(value)}
    if isinstance(error, OSError):
        file = error.filename if _plain(error.filename) else str(error.filename)  # or a Path
        more |= {"errno": error.errno, "strerror": error.strerror, "filename": file}
    return {"kind": type(error).__name__, "said": str(error), "more": more}


def _plain(value: Any) -> bool:
    return value is None or isinstance(value, (str, int)) or _plain_items(value)


def _plain_items(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value)


def remade(found: Mapping[str, Any]) -> Exception:
    """The error that a process told of: one of halgo's with all it knows, or of Python's own."""
    kind, said, more = getattr(errors, found["kind"], None), found["said"], found["more"]
    if isinstance(kind, type) and issubclass(kind, errors.HalgoError):
        ours: Exception = kind(said)
        for name, value in more.items():
            setattr(ours, name, tuple(value) if isinstance(value, list) else value)
        return ours
    if more.get("errno") is not None:
        return OSError(more["errno"], more["strerror"], more["filename"])
    known: dict[str, type[Exception]] = {"ModuleNotFoundError": ImportError}
    known |= {one.__name__: one for one in (ImportError, MemoryError, ValueError)}
    if found["kind"] in known:
        return known[found["kind"]](said)
    return RuntimeError(f"{found['kind']} in a worker process: {said}")
