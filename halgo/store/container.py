"""Arrays <-> one file that is mapped, not read: arrays where a processor wants them, then a table.

A file is a mark, the arrays end to end at multiples of 64 bytes, a table of them as JSON, and a
tail that says where the table stands and has its SHA-256. Its name is the SHA-256 of all of it, so
the same contents are the same file, and no file ever changes its contents. Nothing in it is
executed; what the table says is believed only as far as it stays within the file.
"""

from __future__ import annotations

import hashlib
import json
import math
import mmap
import os
import re
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from halgo import disk
from halgo.errors import IndexFormatError
from halgo.evidence.columns import Arrays

MARK = b"halgo segment 1\n"  # the number goes up with every change of what is written
_ALIGN = 64
_TAIL = struct.Struct("<QQ32s")  # where the table starts, its bytes, its SHA-256
_LARGEST_TABLE = 1 << 20
_BLOCK = 1 << 22
_KIND = re.compile(r"[<|][fiu][1248]")


def write(folder: Path, arrays: Mapping[str, NDArray[Any]], suffix: str) -> tuple[str, int]:
    """Writes the arrays to a file of `folder`; returns its name and its size in bytes.

    Whole or not at all; on the disk when it returns. Raises OSError where it cannot be written.
    """
    draft = folder / f"new{suffix}"
    digest = hashlib.sha256()
    try:
        with draft.open("wb") as stream:
            size = _write(_Hashing(stream, digest), arrays)
            stream.flush()
            os.fsync(stream.fileno())
        name = f"{digest.hexdigest()}{suffix}"
        draft.replace(folder / name)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    return name, size


class _Hashing:
    """A stream that is written once from its beginning, and the digest of what was written."""

    def __init__(self, stream: BinaryIO, digest: Any) -> None:
        self._stream, self._digest, self.at = stream, digest, 0

    def write(self, data: bytes | memoryview) -> None:
        self._stream.write(data)
        self._digest.update(data)
        self.at += len(data)


def _write(out: _Hashing, arrays: Mapping[str, NDArray[Any]]) -> int:
    table: dict[str, tuple[str, list[int], int]] = {}
    out.write(MARK)
    for name, values in arrays.items():
        little = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<"))
        out.write(b"\0" * (-out.at % _ALIGN))
        table[name] = (little.dtype.str, list(little.shape), out.at)
        flat = little.reshape(-1).view(np.uint8)
        for start in range(0, len(flat), _BLOCK):
            out.write(flat[start : start + _BLOCK].data)
    told = json.dumps(table, separators=(",", ":")).encode("ascii")
    start = out.at
    out.write(told)
    out.write(_TAIL.pack(start, len(told), hashlib.sha256(told).digest()))
    return out.at


class Mapped:
    """The arrays of one file, as views of its pages; nothing is read before it is asked for."""

    def __init__(self, path: Path, size: int) -> None:
        """Raises FileNotFoundError, and IndexFormatError for a file that is not as it was written.

        What is looked at is its size and its table, not the arrays; see `digest`.
        """
        self.path = path
        with disk.opened(path) as stream:
            found = os.fstat(stream.fileno()).st_size
            if found != size:
                raise damaged(path, f"it has {found:,} bytes, and {size:,} were written")
            if size < len(MARK) + _TAIL.size:
                raise damaged(path, "it is too short")
            self._map = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        if self._map[: len(MARK)] != MARK:
            raise damaged(path, "it does not begin like a segment")
        self._table = _table(path, self._map)

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def array(self, name: str) -> NDArray[Any]:
        """One array, read-only. Raises IndexFormatError when the file has none of that name."""
        if name not in self._table:
            raise damaged(self.path, f"it has no {name}")
        kind, shape, start = self._table[name]
        count = math.prod(shape)
        return np.frombuffer(self._map, np.dtype(kind), count, start).reshape(shape)

    def under(self, prefix: str) -> Arrays:
        """The arrays whose names begin with `prefix` and "/", by the rest of their names."""
        start = f"{prefix}/"
        return {
            name.removeprefix(start): self.array(name)
            for name in self._table
            if name.startswith(start)
        }

    def digest(self) -> str:
        """SHA-256 of what is mapped, as hex: the name of the file, if it is as it was written."""
        return hashlib.sha256(self._map).hexdigest()


def damaged(path: Path, why: str) -> IndexFormatError:
    """The error for a file of an index that is not as it was written."""
    return IndexFormatError(
        f"{path} is damaged: {why}. Copy the index again from where it is whole, or index the "
        f"documents again."
    )


def digest_of_file(path: Path) -> str:
    """SHA-256 of a file's bytes, as hex."""
    with disk.opened(path) as stream:
        return hashlib.file_digest(cast("Any", stream), "sha256").hexdigest()


def _table(path: Path, data: mmap.mmap) -> dict[str, tuple[str, list[int], int]]:
    start, size, digest = _TAIL.unpack(data[-_TAIL.size :])
    if size > _LARGEST_TABLE or start + size != len(data) - _TAIL.size:
        raise damaged(path, "its table is not where it should be")
    told = data[start : start + size]
    if hashlib.sha256(told).digest() != digest:
        raise damaged(path, "its table is not what was written")
    try:
        table = json.loads(told)
        return {name: _entry(entry, start) for name, entry in table.items()}
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise damaged(path, f"its table makes no sense ({error!s:.100})") from error


def _entry(entry: Any, end: int) -> tuple[str, list[int], int]:
    kind, shape, start = entry
    numbers = [start, *shape]
    if not all(type(one) is int and 0 <= one <= end for one in numbers):
        raise ValueError("a number")
    if not isinstance(kind, str) or not _KIND.fullmatch(kind) or len(shape) > 2:
        raise ValueError("an array")
    if start % _ALIGN or start + math.prod(shape) * np.dtype(kind).itemsize > end:
        raise ValueError("an array beyond the file")
    return kind, shape, start
