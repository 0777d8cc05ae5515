"""What holds for the whole process: threads of the models, how long callers wait, what Ctrl-C does.

Models are shared by all of a process, so these are no part of a `Config`, and no result depends on
them. They are read when a model is loaded, or a call comes, from here, else from the environment.
"""

from __future__ import annotations

import contextlib
import gc
import math
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

from halgo.errors import ConfigError

THREADS, WAIT = "HALGO_THREADS", "HALGO_WAIT_MS"
MOST_THREADS = 4  # products here are small: more threads gain nothing
WAIT_MS = 2.0
# Read by the libraries of linear algebra, when they are loaded.
_OTHERS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
INTERRUPTED = 130  # exit code
_QUOTA = Path("/sys/fs/cgroup/cpu.max")

_threads: int | None = None
_wait_ms: float | None = None
_ours = False


def configure(*, threads: int | None = None, wait_ms: float | None = None) -> None:
    """Sets what is given, for the whole process; before the first check, as models keep threads.

    threads: of the encoder for one call, and that read claims with the entailment model in one
    check; by default as many processors as the process may use, at most 4. Where several
    processes share a machine, 1 in each serves best. wait_ms: how long a call waits for those of
    other threads, to share one call of a model; 0 for not at all.
    Raises ConfigError for threads below 1 and for a wait that is negative or beyond a second.
    """
    global _threads, _wait_ms
    if threads is not None:
        _threads = _whole(threads, "threads")
    if wait_ms is not None:
        _wait_ms = _milliseconds(wait_ms, "wait_ms")


def threads() -> int:
    """Threads for one call of the encoder, or one check. Raises ConfigError if set to no number."""
    said = os.environ.get(THREADS)
    if _threads is not None:
        return _threads
    return _whole(said, THREADS) if said else min(processors(), MOST_THREADS)


def wait_s() -> float:
    """How long a call waits for those of other threads, in seconds."""
    said = os.environ.get(WAIT)
    if _wait_ms is not None:
        return _wait_ms / 1000
    return (_milliseconds(said, WAIT) if said else WAIT_MS) / 1000


def processors() -> int:
    """The processors that this process may use: by its affinity, and its container's share."""
    if hasattr(os, "sched_getaffinity"):
        count = len(os.sched_getaffinity(0))
    else:
        count = os.cpu_count() or 1
    try:
        quota, period = _QUOTA.read_text(encoding="ascii").split()
        return max(1, min(count, math.ceil(int(quota) / int(period))))
    except (OSError, ValueError, ZeroDivisionError):  # no such file, or no limit: "max 100000"
        return count


def is_ours() -> bool:
    """Whether this process is the command line, and nobody else's code runs in it."""
    return _ours


def take_over() -> None:
    """Says so, before any library is loaded, and sets the threads of linear algebra as well.

    From here on Ctrl-C ends the process at once, but for blocks of `interrupts(raised=True)`.
    """
    global _ours
    _ours = True
    # Another handler, or none, is the will of whoever started the process: "nohup", "&".
    if _is_main() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupted)
    gc.set_threshold(50_000, 20, 100)  # libraries that are loaded leave no garbage to look for
    for name in _OTHERS:
        os.environ.setdefault(name, str(threads()))


@contextlib.contextmanager
def interrupts(*, raised: bool) -> Iterator[None]:
    """What Ctrl-C does in the block, where `take_over` was called: raise, or end the process.

    raised=False is for what loads modules in several threads. A KeyboardInterrupt that comes inside
    an import may be lost, or the lock of all imports with it, for which the other threads would
    wait for ever, and the process for them. raised=True is for what has something to tidy up.
    """
    before = signal.getsignal(signal.SIGINT)
    if not _ours or not _is_main() or before not in (_interrupted, signal.default_int_handler):
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler if raised else _interrupted)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()


def _interrupted(number: int, frame: FrameType | None) -> None:
    """Says so and ends the process; past Python's streams, which may be amid a line."""
    with contextlib.suppress(OSError):  # stderr is closed
        # A bar that showed how far it has come has hidden the cursor.
        shown = "\x1b[?25h\n" if os.isatty(2) else ""
        os.write(2, f"{shown}halgo: interrupted\n".encode())
    os._exit(INTERRUPTED)


def _whole(value: object, name: str) -> int:
    try:
        count = int(str(value))
    except ValueError:
        count = 0
    if isinstance(value, bool) or count < 1:
        raise ConfigError(f"{name} is a whole number from 1 up, not {value!r}")
    return count


def _milliseconds(value: object, name: str) -> float:
    try:
        wait = -1.0 if isinstance(value, bool) else float(str(value))
    except ValueError:
        wait = -1.0
    if not 0 <= wait <= 1000:  # which NaN is not either
        raise ConfigError(f"{name} is a number of milliseconds from 0 to 1000, not {value!r}")
    return wait
