"""Files that a caller names -> bytes, and bytes -> files: regular, bounded, whole or not at all.

A path is hostile until it is looked at: a pipe never ends, a device has no size, a link may lead to
either. What is read is a regular file of at most so many bytes. What is written stands in a draft
beside its target until it is whole; a draft whose writer was killed is removed by the next one.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import BinaryIO

from halgo import process
from halgo.printable import printable

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISLNK, "a link"),
)
_DRAFT = ".draft"
_LONGEST = 200  # bytes of a name that a draft's can be made of; systems allow 255


@contextmanager
def opened(path: str | Path) -> Iterator[BinaryIO]:
    """A regular file, or a link to one, open for reading.

    Raises OSError: with EINVAL for a pipe, device, socket or folder, which is never waited for;
    as the system says for one that is missing or may not be read.
    """
    _regular(Path(path).stat(), path)
    # Between the look and the opening another thing may have come there: not to be waited for.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags | getattr(os, "O_CLOEXEC", 0))
    with os.fdopen(descriptor, "rb") as stream:
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
        raise OSError(
            errno.EFBIG, f"has more than {most:,} bytes, the most that is read", str(path)
        )
    return data


def missing(path: str | Path, what: str = "file") -> str:
    """What is said of a path that leads to nothing, as one that names a link which does."""
    shown = printable(str(path))
    if Path(path).is_symlink():
        return f"{shown} is a link to a {what} that does not exist"
    return f"no such {what}: {shown}"


@contextmanager
def replacing(path: str | Path) -> Iterator[BinaryIO]:
    """A stream whose bytes are at `path` once the block has ended well, and nowhere before.

    Readers see the old file or the new one; who might read the old one may read the new. Raises
    OSError with EINVAL when there is something at `path` that is no regular file, a link included:
    it would be replaced, not written to.
    """
    target = Path(path)
    mode: int | None = None
    with contextlib.suppress(FileNotFoundError):
        found = os.lstat(target)
        _regular(found, target)
        mode = stat.S_IMODE(found.st_mode)
    stream, draft = _draft(target)
    try:
        with process.interrupts(raised=True), stream:  # so that Ctrl-C leaves no draft
            if mode is not None and sys.platform != "win32":
                os.fchmod(stream.fileno(), mode)
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
            if sys.platform != "win32":
                draft.replace(target)
        if sys.platform == "win32":  # a file that is open cannot be renamed there
            draft.replace(target)
        settled(target.parent)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def write(path: str | Path, data: bytes) -> None:
    """Writes a file whole or not at all; see `replacing`."""
    with replacing(path) as stream:
        stream.write(data)


def _regular(found: os.stat_result, path: str | Path) -> None:
    if not stat.S_ISREG(found.st_mode):
        kind = next((name for test, name in _KINDS if test(found.st_mode)), "something else")
        raise OSError(errno.EINVAL, f"is {kind}, not a regular file", str(path))


def settled(folder: Path) -> None:
    """Brings the names of a folder's files to the disk, so that they outlive a loss of power."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):  # some file systems have nothing to bring for a folder
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _names(target: Path) -> Iterator[Path]:
    """The places of a target's drafts: the first, and others for writers at the same time."""
    name = target.name
    if len(os.fsencode(name)) > _LONGEST:
        name = hashlib.sha256(os.fsencode(name)).hexdigest()
    return (target.with_name(f".{name}.{number}{_DRAFT}") for number in count())


def _own_name(target: Path) -> Path:
    """A place that no other writer has, where drafts cannot be locked."""
    return target.with_name(f".{os.getpid()}.{threading.get_ident()}{_DRAFT}")


if sys.platform == "win32":

    def _draft(target: Path) -> tuple[BinaryIO, Path]:
        draft = _own_name(target)
        return draft.open("w+b"), draft

else:
    import fcntl

    def _draft(target: Path) -> tuple[BinaryIO, Path]:
        """The first draft that no living writer holds, emptied; those behind it are removed."""
        names = _names(target)
        draft = next(names)
        while True:
            stream = os.fdopen(os.open(draft, _CREATE, 0o666), "r+b")
            held = _locked(stream.fileno())
            if held is None:
                stream.close()
                draft.unlink(missing_ok=True)
                draft = _own_name(target)
                return draft.open("w+b"), draft
            # A writer that has just ended renames its draft away, lock and all.
            if held and _is_at(stream.fileno(), draft):
                stream.truncate()
                _sweep(names)
                return stream, draft
            stream.close()
            if not held:
                draft = next(names)

    def _sweep(names: Iterator[Path]) -> None:
        """Removes what writers that were killed left behind, as far as the places are taken."""
        for draft in names:
            try:
                descriptor = os.open(draft, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            except OSError:
                return
            try:
                if _locked(descriptor) and _is_at(descriptor, draft):
                    draft.unlink(missing_ok=True)
            finally:
                os.close(descriptor)

    def _is_at(descriptor: int, draft: Path) -> bool:
        """Whether an open file still has this name: its writer may have renamed it meanwhile."""
        with contextlib.suppress(FileNotFoundError):
            return os.path.samestat(os.fstat(descriptor), os.lstat(draft))
        return False

    def _locked(descriptor: int) -> bool | None:
        """Whether this lock is ours now; None where the file system has no locks."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return None
        return True

    _CREATE = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
