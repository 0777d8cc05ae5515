"""Files that a caller names -> bytes, and bytes -> files: regular ones, bounded, whole or not at all.

A path is hostile until it is looked at: a pipe never ends, a device has no size, a link may lead to
either. What is read is a regular file of at most so many bytes. What is written stands in a draft
beside its target until it is whole; a draft whose writer was killed is removed by the next one.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISLNK, "a link"),
)
_DRAFT = ".draft"


@contextmanager
def opened(path: str | Path) -> Iterator[BinaryIO]:
    """A regular file, or a link to one, open for reading.

    Raises OSError: with EINVAL for a pipe, device, socket or folder, which is never waited for;
    as the system says for one that is missing or may not be read.
    """
    _regular(os.stat(path), path)
    # Between the look and the opening another thing may have come there: not to be waited for.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(path, flags | getattr(os, "O_CLOEXEC", 0)), "rb") as stream:
        _regular(os.fstat(stream.fileno()), path)
        yield stream


def read(path: str | Path, most: int) -> bytes:
    """The bytes of a regular file, at most `most` of them.

    Raises OSError as `opened` does, and with EFBIG for a larger file, also one that grows while it
    is read.
    """
    with opened(path) as stream:
        size = os.fstat(stream.fileno()).st_size
        data = stream.read(most + 1) if size <= most else b""
    if size > most or len(data) > most:
        raise OSError(errno.EFBIG, f"has more than {most:,} bytes, the most that is read", str(path))
    return data


@contextmanager
def replacing(path: str | Path) -> Iterator[BinaryIO]:
    """A stream whose bytes are at `path` once the block has ended well, and nowhere before.

    Readers see the old file or the new one. Raises OSError with EINVAL when there is something at
    `path` that is no regular file, a link included: it would be replaced, not written to.
    """
    target = Path(path)
    with contextlib.suppress(FileNotFoundError):
        _regular(os.lstat(target), target)
    _sweep(target)
    draft = target.with_name(f".{target.name}.{os.getpid()}.{threading.get_ident()}{_DRAFT}")
    try:
        with _held(draft) as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
            if sys.platform != "win32":
                draft.replace(target)
        if sys.platform == "win32":  # a file that is open cannot be renamed there
            draft.replace(target)
        _settled(target.parent)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def write(path: str | Path, data: bytes) -> None:
    """Writes a file whole or not at all; see `replacing`."""
    with replacing(path) as stream:
        stream.write(data)


def _held(draft: Path) -> BinaryIO:
    """The draft, open and locked; made again where another writer has just swept it away."""
    while True:
        stream = draft.open("w+b")
        with contextlib.suppress(FileNotFoundError):
            if _lock(stream) and os.path.samestat(os.fstat(stream.fileno()), draft.stat()):
                return stream
        stream.close()
        time.sleep(0.001)


def _regular(found: os.stat_result, path: str | Path) -> None:
    if not stat.S_ISREG(found.st_mode):
        kind = next((name for test, name in _KINDS if test(found.st_mode)), "something else")
        raise OSError(errno.EINVAL, f"is {kind}, not a regular file", str(path))


def _settled(folder: Path) -> None:
    """The renaming itself brought to the disk, so that it outlives a loss of power."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):  # some file systems have nothing to bring for a folder
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _sweep(target: Path) -> None:
    """Removes the drafts of this target whose writers are gone: no one holds their lock."""
    with contextlib.suppress(OSError):
        for draft in target.parent.glob(f".{_quoted(target.name)}.*{_DRAFT}"):
            with contextlib.suppress(OSError):
                _remove_if_left(draft)


def _quoted(name: str) -> str:
    """A name as a pattern that matches itself."""
    return "".join(f"[{char}]" if char in "*?[" else char for char in name)


if sys.platform == "win32":

    def _lock(stream: BinaryIO) -> bool:
        """An open file cannot be removed there, which is lock enough."""
        return True

    def _remove_if_left(draft: Path) -> None:
        draft.unlink()

else:
    import fcntl

    def _lock(stream: BinaryIO) -> bool:
        try:
            fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # this file system has no locks: then no draft can be swept away either
            return True
        return True

    def _remove_if_left(draft: Path) -> None:
        descriptor = os.open(draft, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            draft.unlink()
        finally:
            os.close(descriptor)
