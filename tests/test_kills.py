"""Writers killed at any moment, and disks that fill up: the old state is read or the new one.

A writer is a forked child that writes one thing after the other and says so after each. It is
killed (SIGKILL: no handler, no `finally`) at a seeded moment; what it said it had written has to
be there, nothing half-written may be read, and what it leaves behind may not pile up. All of it
runs in a process of its own, so that nothing forks beside the threads of the test run.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

FORKS = pytest.mark.skipif(not hasattr(os, "fork"), reason="forks and kills of POSIX")
KILLS = 60
LONGEST_S = 0.02  # from the first write of a writer to its end


@FORKS
@pytest.mark.parametrize("what", ["index_saves", "audit_lines", "reports", "full_disk"])
def test_what_was_said_to_be_written_is_there_and_nothing_half_is(
    what: str, tmp_path: Path
) -> None:
    command = [sys.executable, "-W", "error", __file__, what, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr


def index_saves(folder: Path) -> None:
    """An index saved over an earlier one is that one or the new one."""
    from halgo.evidence import files

    indexes, whole = _indexes(), []
    for number, index in enumerate(indexes):
        files.save(index, folder / f"{number}.halgo")
        whole.append((folder / f"{number}.halgo").read_bytes())
    target = folder / "saved" / "index.halgo"
    target.parent.mkdir()
    for after_s in _moments():
        said = _killed(lambda n: files.save(indexes[n % len(indexes)], target), after_s)
        assert target.read_bytes() in (whole[(said - 1) % len(whole)], whole[said % len(whole)])
        files.load(target)
        assert len(list(target.parent.iterdir())) <= 2  # it and one draft
    files.save(indexes[0], target)
    assert list(target.parent.iterdir()) == [target]


def audit_lines(folder: Path) -> None:
    """Every line of an audit log that a writer knows to be written is read, in its place."""
    from test_audit import report

    from halgo.delivery import chain
    from halgo.delivery.audit import AuditLog, verify

    log = AuditLog(folder / "log.jsonl", on_error="raise")
    said: list[int] = []
    for writer, after_s in enumerate(_moments()):
        said.append(_killed(lambda n, who=writer: log.append(report(), who=who, n=n), after_s))
    log.append(report(), who=KILLS, n=0)  # which accounts for a line that was torn
    found = verify(log.path)
    assert found.ok
    lines: list[list[int]] = [[] for _ in range(KILLS + 1)]
    for _, record in chain.records(log.path):
        if record is not None:
            lines[record["tags"]["who"]].append(record["tags"]["n"])
    for mine, known in zip(lines, [*said, 1], strict=True):
        # All that it knew of, in order, and perhaps the one it was killed over.
        assert mine in (list(range(known)), list(range(known + 1)))


def reports(folder: Path) -> None:
    """Reports written one after the other are whole, each at least as new as was said."""
    from halgo import disk

    names = [f"{number}.json" for number in range(10)]

    def write(number: int) -> None:
        text = json.dumps({"number": number, "text": "x" * 20_000})
        disk.write(folder / names[number % len(names)], text.encode())

    for after_s in _moments():
        said = _killed(write, after_s)
        for place, name in enumerate(names[: min(said, len(names))]):
            known = max(range(place, said, len(names)))
            found = json.loads((folder / name).read_text())
            assert found["number"] in (known, known + len(names)) and len(found["text"]) == 20_000
            (folder / name).unlink()
        assert len(list(folder.iterdir())) <= 2 * len(names)
    for number in range(len(names)):
        write(number)
    assert sorted(path.name for path in folder.iterdir()) == names


def full_disk(folder: Path) -> None:
    """Where no byte more can be written, the old file stays, and the error names it."""
    import resource

    from test_audit import report

    from halgo.adapters.shell import write_file
    from halgo.delivery.audit import AuditLog, verify
    from halgo.errors import AuditError
    from halgo.evidence import files

    places = [folder / name for name in ("index.halgo", "report.json", "log.jsonl")]
    small = _indexes()[0]
    files.save(small, places[0])
    write_file(places[1], "old")
    log, kept = AuditLog(places[2], on_error="raise"), 0
    most = places[0].stat().st_size - 1_000
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    attempts: list[Callable[[], object]] = [
        lambda: files.save(small, places[0]),
        lambda: write_file(places[1], "new" * most),
    ]
    for attempt in attempts:
        try:
            attempt()
        except OSError as error:
            assert error.strerror == "File too large"
        else:
            raise AssertionError("it was written all the same")
    try:
        for _ in count():
            log.append(report())
            kept += 1
    except AuditError as error:
        assert "Make room on the disk" in str(error)
    files.load(places[0])
    assert places[1].read_text() == "old"
    found = verify(places[2])
    assert found.ok and found.records == kept > 0
    assert sorted(folder.iterdir()) == sorted(places)


def _killed(write: Callable[[int], object], after_s: float) -> int:
    """How many writes a child said it had done, one after the other, when it was killed."""
    heard, told = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            for number in count():
                write(number)
                os.write(told, b".")
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    os.close(told)
    first = os.read(heard, 1)
    time.sleep(after_s)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    said = first
    while more := os.read(heard, 1 << 16):
        said += more
    os.close(heard)
    assert os.WIFSIGNALED(status), "the writer failed by itself"
    return len(said)


def _moments() -> list[float]:
    random_ = random.Random(20260301)
    return [random_.uniform(0, LONGEST_S) for _ in range(KILLS)]


def _indexes() -> list:
    import small_index

    import halgo.facts

    halgo.facts.extract = small_index.word_facts
    return [small_index.built(f"The fee is {number} dollars. " * 3) for number in range(4)]


if __name__ == "__main__":
    globals()[sys.argv[1]](Path(sys.argv[2]))
