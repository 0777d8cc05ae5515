"""Files that a command writes: the old one or the new one, and devices as they come."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import typer

from halgo.adapters.shell import require_writable, write_file
from halgo.golden.evaluate import Run

POSIX = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes, links and devices of POSIX")
WRITES = """
import sys
from pathlib import Path
from halgo.adapters.shell import write_file
write_file(Path(sys.argv[1]), "the report\\n")
"""


def test_a_report_is_written_whole_as_utf_8(tmp_path: Path) -> None:
    target = tmp_path / "report.md"
    write_file(target, "old and longer")
    write_file(target, "fee: 5 \u20ac \ud800\n")
    assert target.read_bytes() == "fee: 5 \u20ac ?\n".encode()
    assert list(tmp_path.iterdir()) == [target]


@POSIX
@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_a_link_and_what_it_leads_to_is_written(tmp_path: Path, there: bool) -> None:
    target, link = tmp_path / "reports" / "today.md", tmp_path / "latest.md"
    target.parent.mkdir()
    link.symlink_to("reports/today.md")
    if there:
        target.write_text("old")
    write_file(link, "new")
    assert link.is_symlink() and target.read_text() == "new"
    assert list(target.parent.iterdir()) == [target]


@POSIX
def test_a_pipe_takes_the_report_as_it_comes(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_file(pipe, "the report")
    reader.join()
    assert read == ["the report"] and pipe.is_fifo()


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="there is no /dev/stdout here")
def test_stdout_under_another_name_is_added_to_and_never_replaced(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("before\n")
    command = [sys.executable, "-c", WRITES, "/dev/stdout"]
    with log.open("ab") as stream:
        subprocess.run(command, stdout=stream, check=True)
        stream.write(b"after\n")
    assert log.read_text() == "before\nthe report\nafter\n"
    piped = subprocess.run(command, capture_output=True, check=True)
    assert piped.stdout == b"the report\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    for place in ("/dev/full", str(tmp_path / "none" / "report.md")):
        with pytest.raises(OSError, match=place) as told:
            write_file(Path(place), "x")
        assert told.value.filename == place


@POSIX
def test_an_index_is_no_thing_for_a_pipe_a_device_or_a_link(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("nowhere")
    for place in (tmp_path / "pipe", tmp_path / "link", Path("/dev/null")):
        require_writable(place)
        with pytest.raises(typer.BadParameter, match="name a regular file"):
            require_writable(place, regular=True)
    require_writable(tmp_path / "new.halgo", regular=True)


@POSIX
def test_a_recorded_run_follows_a_link_and_refuses_a_pipe(tmp_path: Path) -> None:
    run = Run((), {"embedder": "lexical"}, (0.3, 0.65))
    (tmp_path / "link.json").symlink_to("run.json")
    run.save(tmp_path / "link.json")
    assert (tmp_path / "run.json").read_text() == run.to_json()
    assert (tmp_path / "link.json").is_symlink()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="is a pipe"):
        run.save(tmp_path / "pipe")
