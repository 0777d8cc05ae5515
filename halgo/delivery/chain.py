"""Records -> a file of JSON lines, each of which holds the hash of the line before it.

A line is `{...,"prev":"<hash of the line before>","hash":"<its own>"}`. Its own hash is the
SHA-256 of its bytes up to `,"hash"`, so every byte of it counts: nothing is read and written
again to be compared. Lines are pure ASCII, and a line break stands only at their ends.

A crash while a line is written leaves a torn last line. It is kept: the next record stands on a
line of its own and tells in "recovered" how long each torn line before it is and its SHA-256. So
an alteration cannot pass for a crash later on, and a crash is reported by every `verify`.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import re
import stat
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from halgo import disk
from halgo.errors import AuditError
from halgo.printable import printable

FIRST = "0" * 64  # what the first line has for the hash of the line before it
LOCK_WAIT_S = 10.0

_END = re.compile(rb',"hash":"([0-9a-f]{64})"\}\Z')
_END_BYTES = len(b',"hash":""}') + 64
_HEAD = b'{"schema":'
_BLOCK = 1 << 16


@dataclass(frozen=True, slots=True)
class ChainCheck:
    """What `verify` found. `ok` is False from the first line on that is not as it was written.

    `records` counts the good lines before it; `bad_line` is its number, from 1, and `why` says
    what is wrong. `torn` are the numbers of incomplete lines that a crash left and that a later
    record accounts for: each is a record that was lost. `last_hash` is that of the last good
    line; kept elsewhere and given to a later `verify`, it shows that nothing was cut off.
    """

    ok: bool
    records: int
    bad_line: int | None
    why: str | None
    torn: tuple[int, ...]
    last_hash: str

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON."""
        return {
            "ok": self.ok,
            "records": self.records,
            "bad_line": self.bad_line,
            "why": self.why,
            "torn": list(self.torn),
            "last_hash": self.last_hash,
        }


def seal(record: Mapping[str, Any], prev: str) -> bytes:
    """The line of a record, without its line break. Raises ValueError for NaN and the like."""
    body = json.dumps({**record, "prev": prev}, ensure_ascii=True, allow_nan=False, separators=_SEP)
    head = body[:-1].encode("ascii")
    return head + f',"hash":"{hashlib.sha256(head).hexdigest()}"}}'.encode("ascii")


_SEP = (",", ":")


def own_hash(line: bytes) -> str | None:
    """The hash of a line, without its line break; None when the line is not as it was written."""
    found = _END.search(line, max(0, len(line) - _END_BYTES))
    if found is None:
        return None
    told = found[1].decode("ascii")
    return told if hashlib.sha256(line[: found.start()]).hexdigest() == told else None


def append(path: Path, record: Mapping[str, Any], *, fsync: bool = False) -> str:
    """Adds one record to the file, made when it is not there; returns the line's hash.

    Safe under several processes and threads: each append holds a lock on the file. Raises
    OSError when it cannot be written (then nothing is, or a torn line that is recovered later),
    and AuditError for what is no audit log: a file of something else, a pipe, a device.
    """
    descriptor = _open_locked(path)
    try:
        size = os.fstat(descriptor).st_size
        if size and not _begins_well(_read(descriptor, 0, min(size, len(_HEAD)))):
            raise AuditError(
                f"{path} is no audit log of halgo (line 1 does not begin like one), so nothing was "
                f"added to it; name another file, or move this one away",
                line=1,
            )
        prev, torn, ended = _state(descriptor, size)
        line = seal({**record, **({"recovered": torn} if torn else {})}, prev)
        _write(descriptor, (b"" if ended else b"\n") + line + b"\n", size)
        if fsync:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)  # which also lets go of the lock
    found = own_hash(line)
    assert found is not None
    return found


def verify(path: str | Path, *, known: str | None = None) -> ChainCheck:
    """Recomputes the chain of a log from its first line to its last.

    known: a `last_hash` from before, kept somewhere else: the log must still hold it. Without
    one, whole lines cut off at the end cannot be noticed. Raises AuditError for a file that is
    missing or may not be read, and for what is no file: a pipe, a device or a folder.
    """
    last, records, met = FIRST, 0, known is None
    torn: list[int] = []
    pending: list[tuple[int, bytes]] = []

    def bad(line: int, why: str) -> ChainCheck:
        return ChainCheck(False, records, line, why, tuple(torn), last)

    number, whole = 0, True
    for number, line, ended in _lines(Path(path)):
        whole = ended
        own = own_hash(line)
        record = _loaded(line) if own is not None else None
        if own is None or record is None:
            pending.append((number, line))
            continue
        if record.get("recovered", []) != [_told(raw) for _, raw in pending]:
            if pending:
                return bad(pending[0][0], _fault(pending[0][1]))
            return bad(number, "it tells of a torn line before it, which is gone")
        if record["prev"] != last:
            return bad(
                number, "it does not follow the line before it: lines were removed, added or moved"
            )
        torn += (place for place, _ in pending)
        pending = []
        last = own
        records += 1
        met = met or own == known
    if pending and not whole:
        return bad(
            pending[0][0],
            "it is incomplete: a crash while it was written, or it was cut off; the next record "
            "that is added will account for it",
        )
    if pending:
        return bad(pending[0][0], _fault(pending[0][1]))
    if not met:
        return bad(number + 1, f"the line with the hash {known} is gone: lines were cut off")
    return ChainCheck(True, records, None, None, tuple(torn), last)


def records(path: str | Path) -> Iterator[tuple[int, dict[str, Any] | None]]:
    """Line number and record of each line of a log; None for one that is not as it was written.

    Raises AuditError as `verify` does.
    """
    for number, line, _ in _lines(Path(path)):
        yield number, _loaded(line) if own_hash(line) is not None else None


def _loaded(line: bytes) -> dict[str, Any] | None:
    """The record of a line; None when it is no JSON object with a "prev"."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    good = isinstance(record, dict) and isinstance(record.get("prev"), str)
    return record if good else None


def _fault(line: bytes) -> str:
    if not _END.search(line, max(0, len(line) - _END_BYTES)):
        return "it does not end with its hash: it was altered, or is not one of ours"
    return "its hash does not fit what it says: it was altered"


def _told(line: bytes) -> dict[str, Any]:
    """How a record accounts for a torn line before it."""
    return {"bytes": len(line), "sha256": hashlib.sha256(line).hexdigest()}


def _begins_well(head: bytes) -> bool:
    return _HEAD.startswith(head) or head.startswith(_HEAD)


def _lines(path: Path) -> Iterator[tuple[int, bytes, bool]]:
    """Number, bytes and whether it ends with a line break, of each line."""
    try:
        with disk.opened(path) as file:
            _lock_for_reading(file.fileno())
            for number, raw in enumerate(file, start=1):
                ended = raw.endswith(b"\n")
                yield number, raw[:-1] if ended else raw, ended
    except OSError as error:
        shown = printable(str(path))
        if error.errno == errno.EINVAL:
            raise AuditError(f"{shown} {error.strerror}, so it is no audit log") from error
        missing = isinstance(error, FileNotFoundError)
        advice = "Name one that AuditLog wrote" if missing else "See that this user may read it"
        raise AuditError(
            f"the audit log {shown} cannot be read: {error.strerror or error}. {advice}."
        ) from error


def _state(descriptor: int, size: int) -> tuple[str, list[dict[str, Any]], bool]:
    """Hash of the last good line, the torn lines behind it, whether the file ends a line."""
    if size == 0:
        return FIRST, [], True
    ended = _read(descriptor, size - 1, 1) == b"\n"
    end = size - ended
    line = _line_before(descriptor, end)
    own = own_hash(line)
    if own is not None:
        return own, [], ended
    if ended:
        # No crash leaves a whole line that is wrong. It stays unaccounted for: `verify` names it.
        return hashlib.sha256(line).hexdigest(), [], ended
    torn = [_told(line)]
    end -= len(line)
    while end > 0:  # a crash while a torn line was being recovered leaves two in a row
        line = _line_before(descriptor, end - 1)
        own = own_hash(line)
        if own is not None:
            return own, torn, ended
        torn.insert(0, _told(line))
        end -= len(line) + 1
    return FIRST, torn, ended


def _line_before(descriptor: int, end: int) -> bytes:
    """The line that ends at `end`, without its line break."""
    blocks: list[bytes] = []
    at = end
    while at > 0:
        start = max(0, at - _BLOCK)
        block = _read(descriptor, start, at - start)
        cut = block.rfind(b"\n")
        blocks.append(block[cut + 1 :])
        if cut >= 0:
            break
        at = start
    return b"".join(reversed(blocks))


def _read(descriptor: int, start: int, size: int) -> bytes:
    os.lseek(descriptor, start, os.SEEK_SET)
    data = b""
    while len(data) < size:
        more = os.read(descriptor, size - len(data))
        if not more:
            break
        data += more
    return data


def _write(descriptor: int, data: bytes, size: int) -> None:
    """Appends all of `data`; what a full disk took of it is taken back, so no line is torn."""
    try:
        if os.write(descriptor, data) != len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    except OSError:
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, size)
        raise


def _open_locked(path: Path) -> int:
    """The file, open for appending, with a lock that no other process or thread holds."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
    flags |= getattr(os, "O_NONBLOCK", 0)  # a device may be waited for in vain
    until = time.monotonic() + LOCK_WAIT_S
    pause = 0.001
    while True:
        with contextlib.suppress(FileNotFoundError):
            _require_regular(path, path.stat())
        descriptor = os.open(path, flags, 0o666)
        try:
            _require_regular(path, os.fstat(descriptor))
            held = _try_lock(descriptor)
            # A log that was moved away between opening and locking is not the log any more.
            if held and _same(descriptor, path):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
        if time.monotonic() > until:
            raise TimeoutError(
                errno.ETIMEDOUT, f"still locked by another process after {LOCK_WAIT_S:g} s", path
            )
        if not held:
            time.sleep(pause)
            pause = min(2 * pause, 0.05)


def _require_regular(path: Path, found: os.stat_result) -> None:
    """Raises AuditError for a pipe, a device or the like."""
    # What is wrong with a folder the system says itself.
    if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
        raise AuditError(
            f"the check is not in the audit log {path}, which is a pipe, a device or the like: "
            f"what is written there is not kept. Name a file."
        )


def _same(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


if sys.platform == "win32":
    import msvcrt

    # Far behind the end of any log, so that reading is never in the way.
    _PLACE = 1 << 60

    def _try_lock(descriptor: int) -> bool:
        os.lseek(descriptor, _PLACE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _lock_for_reading(descriptor: int) -> None:
        """A reader may meet a line that is just being written, and calls it incomplete."""

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _lock_for_reading(descriptor: int) -> None:
        """Waits until no line is being written; reads without a lock where there are none."""
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_SH)
