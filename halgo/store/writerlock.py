"""One writer at a time: a lock on a file of the folder, which ends with the process that holds it.

Readers need none. A file that is locked by nobody but has been left behind says nothing.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from halgo.errors import IndexLockedError

NAME = "lock"


@contextmanager
def writing(folder: Path, wait_s: float) -> Iterator[None]:
    """Holds the folder's lock; another process, or thread, that holds it is waited for.

    Raises IndexLockedError when it is still held after `wait_s` seconds; OSError where there can
    be no lock, such as on a file system that is read-only.
    """
    path = folder / NAME
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(path, flags, 0o666)
    try:
        until, pause = time.monotonic() + wait_s, 0.001
        while not _locked(descriptor):
            if time.monotonic() >= until:
                raise IndexLockedError(
                    f"another process{_holder(descriptor)} is changing the index {folder} and has "
                    f"not ended within {wait_s:g} s; nothing was changed. Try again when it has."
                )
            time.sleep(pause)
            pause = min(2 * pause, 0.1)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0) if hasattr(os, "pwrite") else None
        yield
    finally:
        os.close(descriptor)  # which also lets go of the lock


def _holder(descriptor: int) -> str:
    """Which process holds the lock, as far as it is known."""
    with contextlib.suppress(OSError):
        os.lseek(descriptor, 0, os.SEEK_SET)
        told = os.read(descriptor, 20)
        if told.isdigit():
            return f" ({int(told)})"
    return ""


if sys.platform == "win32":
    import msvcrt

    def _locked(descriptor: int) -> bool:
        os.lseek(descriptor, 1 << 60, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _locked(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES):
                return False
            raise
        return True
