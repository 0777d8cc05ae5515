"""Files that a caller names: nothing hangs, all is bounded, nothing half-written stays."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from halgo import disk

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="pipes and links of POSIX")


@POSIX
def test_a_pipe_that_no_one_writes_to_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="is a pipe, not a regular file"):
        disk.read(tmp_path / "pipe", 10)


@POSIX
def test_a_link_to_a_device_that_never_ends_is_refused(tmp_path: Path) -> None:
    (tmp_path / "endless").symlink_to("/dev/zero")
    with pytest.raises(OSError, match="is a device"):
        disk.read(tmp_path / "endless", 10)


def test_a_file_is_read_up_to_its_bound_and_refused_beyond(tmp_path: Path) -> None:
    (tmp_path / "ten").write_bytes(b"0123456789")
    assert disk.read(tmp_path / "ten", 10) == b"0123456789"
    with pytest.raises(OSError, match="more than 9 bytes") as told:
        disk.read(tmp_path / "ten", 9)
    assert told.value.errno == errno.EFBIG


@POSIX
def test_a_link_to_a_file_is_read_but_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "link").symlink_to("file")
    assert disk.read(tmp_path / "link", 10) == b"old"
    with pytest.raises(OSError, match="is a link"):
        disk.write(tmp_path / "link", b"new")
    assert (tmp_path / "file").read_bytes() == b"old"
    assert (tmp_path / "link").is_symlink()


def test_what_fails_half_way_leaves_the_old_file_and_no_draft(tmp_path: Path) -> None:
    target = tmp_path / "report"
    target.write_bytes(b"old")
    with pytest.raises(RuntimeError), disk.replacing(target) as stream:
        stream.write(b"half")
        raise RuntimeError
    assert [path.name for path in tmp_path.iterdir()] == ["report"]
    assert target.read_bytes() == b"old"


KILLED = """
import os, sys, signal
from halgo import disk
with disk.replacing(sys.argv[1]) as stream:
    stream.write(b"x" * 100_000)
    stream.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


@POSIX
def test_who_may_read_the_old_file_may_read_the_new(tmp_path: Path) -> None:
    target = tmp_path / "private"
    target.write_bytes(b"old")
    target.chmod(0o600)
    disk.write(target, b"new")
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_a_name_as_long_as_the_system_allows_is_written(tmp_path: Path) -> None:
    disk.write(tmp_path / ("n" * 255), b"text")
    assert (tmp_path / ("n" * 255)).read_bytes() == b"text"


@POSIX
def test_the_draft_of_a_killed_writer_is_removed_by_the_next(tmp_path: Path) -> None:
    target = tmp_path / "index[1].halgo"
    for _ in range(3):
        subprocess.run([sys.executable, "-c", KILLED, str(target)], check=False)
        assert len(list(tmp_path.iterdir())) == 1
    (tmp_path / f".{target.name}.1.draft").write_bytes(b"of a writer at the same time")
    disk.write(target, b"whole")
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


def test_writers_at_once_all_end_well_and_leave_one_whole_file(tmp_path: Path) -> None:
    target = tmp_path / "index"
    failed: list[BaseException] = []

    def write(mark: bytes) -> None:
        try:
            for _ in range(30):
                disk.write(target, mark * 5_000)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=write, args=(mark,)) for mark in (b"a", b"b", b"c", b"d")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert len(list(tmp_path.iterdir())) == 1
    assert len(set(target.read_bytes())) == 1
