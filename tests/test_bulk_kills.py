"""Batches killed at any moment (SIGKILL), and disks that fill up: nothing lost, each id once.

Each scenario runs in a process of its own, so that nothing forks beside the threads of the test
run. HALGO_KILLS sets how many kills there are.
"""

from __future__ import annotations

import json
import os
import random
import select
import shutil
import signal
import subprocess
import sys
import time
import traceback
from pathlib import Path

import pytest

from halgo.bulk.batch_run import Outcome

FORKS = pytest.mark.skipif(not hasattr(os, "fork"), reason="forks and kills of POSIX")
KILLS = int(os.environ.get("HALGO_KILLS", "40"))
ROWS, EACH = 60, 3
LONGEST_S = 0.2  # from the first part of a run to its end


@FORKS
@pytest.mark.parametrize("what", ["runs", "workers", "full_disk"])
def test_what_was_told_as_done_is_there_and_each_id_once(what: str, tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", __file__, what, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr


def runs(folder: Path) -> None:
    """A run with its workers, killed and begun again until it is whole; then another one."""
    from small_batch import answers, contents, read

    given, out = answers(folder / "a.jsonl", ROWS), folder / "out"
    _run(given, folder / "whole")
    whole = contents(folder / "whole")
    kills = finished = 0
    drawn = random.Random(20260301)
    while kills < KILLS:
        killed = _killed(given, out, drawn.uniform(0, LONGEST_S))
        kills += killed
        held = contents(out)
        # What a reader sees of the folder is part of the whole, to the byte.
        assert held.items() <= whole.items(), set(held) - set(whole)
        if not killed:
            finished += 1
            assert held == whole
            assert [row["id"] for row in read(out)] == [f"q{at}" for at in range(ROWS)]
            drafts = [path.name for path in out.rglob(".*") if path.name != ".lock-1-of-1"]
            assert drafts == []
            shutil.rmtree(out)
    _run(given, out)
    assert contents(out) == whole
    assert finished, "no run came to its end, so none was gone on with"


def workers(folder: Path) -> None:
    """One process after the other is killed under a run, which comes to its end all the same."""
    from small_batch import Forked, answers, contents, read

    given = answers(folder / "a.jsonl", ROWS)
    _run(given, folder / "whole")
    drawn = random.Random(20260302)
    alive: list[Forked] = []
    lost: list[int] = []

    def start() -> Forked:
        alive.append(Forked())
        return alive[-1]

    def hear(message: dict) -> None:
        if "lost" in message:
            lost.append(message["lost"])
        if "done" in message and drawn.random() < 0.1:
            # It may be writing, reading or resting.
            os.kill(alive.pop(drawn.randrange(len(alive))).pid, signal.SIGKILL)

    while len(lost) < KILLS // 4:
        out = folder / "out"
        while _run(given, out, hear, start).missing:  # two kills met the same part
            pass
        assert contents(out) == contents(folder / "whole")
        assert [row["id"] for row in read(out)] == [f"q{at}" for at in range(ROWS)]
        shutil.rmtree(out)
        alive.clear()


def full_disk(folder: Path) -> None:
    """Where no byte more can be written the run ends with the file's name, and goes on later."""
    import resource

    from small_batch import answers, contents

    given, out = answers(folder / "a.jsonl", ROWS), folder / "out"
    _run(given, folder / "whole")
    largest = max(path.stat().st_size for path in (folder / "whole" / "claims").iterdir())
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    # Enough for the manifest and the claims of a part, but not for its answers.
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, before[1]))
    try:
        _run(given, out)
    except OSError as error:
        assert error.strerror == "File too large" and "answers/part-" in str(error.filename)
    else:
        raise AssertionError("it was written all the same")
    # A worker that was stopped meanwhile may leave a draft, which no reader sees.
    assert list((out / "answers").glob("part-*.jsonl")) == []
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    _run(given, out)
    assert contents(out) == contents(folder / "whole")


def _run(given: Path, out: Path, hear=None, start=None) -> Outcome:
    from small_batch import STUB, Forked, stand_in

    from halgo.bulk import batch_run, part_worker

    part_worker._checker = stand_in
    STUB.takes_s = 0.0005
    batch = batch_run.Batch(
        answers=[given], out=out, index="by hand", rows=EACH, jobs=3, claims=True
    )
    return batch_run.run(batch, hear, start or Forked)


def _killed(given: Path, out: Path, after_s: float) -> bool:
    """Starts a run and kills it; whether it was still at work. Parts it told of have to be there.

    Its workers have to end by themselves: they hold the pipe `alive`, which then has an end.
    """
    import fcntl

    out.mkdir(exist_ok=True)
    heard, told = os.pipe()
    alive, held = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(heard)
            os.close(alive)
            _run(
                given,
                out,
                lambda message: (
                    os.write(told, f"{message['done']} ".encode()) if "done" in message else None
                ),
            )
            os._exit(0)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    os.close(told)
    os.close(held)
    time.sleep(after_s)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "the run failed by itself"
    readable, _, _ = select.select([alive], [], [], 10)
    assert readable and os.read(alive, 1) == b"", "its workers live on"
    with (out / ".lock-1-of-1").open("ab") as lock:  # forked workers have it too
        fcntl.flock(lock.fileno(), fcntl.LOCK_EX)
    said = b""
    while more := os.read(heard, 1 << 16):
        said += more
    os.close(heard)
    os.close(alive)
    there = {int(path.name.split("-")[1]) for path in (out / "answers").glob("part-*")}
    assert {int(part) for part in said.split()} <= there
    return os.WIFSIGNALED(status)


# --- the command itself -------------------------------------------------------------------------


@pytest.mark.models
@FORKS
def test_a_killed_command_goes_on_where_it_was(tmp_path: Path) -> None:
    from small_batch import contents, read

    from halgo import Checker, Halgorithm

    models = Halgorithm(embedder="lexical", entailment=None)
    checker = Checker.from_docs("A late fee of 1.5% per month applies.", halgorithm=models)
    checker.save(tmp_path / "fees.halgo")
    lines = [
        {"id": at, "answer": f"The late fee is {at}% per month. It applies.", "note": "mine"}
        for at in range(64)
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    # The second time with one process, since neither how many nor when may matter.
    first = subprocess.Popen(_command("out", 2), cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    answers = tmp_path / "out" / "answers"
    while first.poll() is None and not any(answers.glob("part-*")):
        time.sleep(0.02)
    first.kill()
    _, said = first.communicate(timeout=60)
    assert first.returncode == -signal.SIGKILL, said
    done = len(list(answers.glob("part-*")))
    assert 0 < done < 4
    again = subprocess.run(
        _command("out", 1), cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert again.returncode == 0, again.stderr
    assert "were done before" in again.stdout and again.stderr == ""
    assert [row["id"] for row in read(tmp_path / "out")] == [str(at) for at in range(64)]
    assert [path for path in (tmp_path / "out").rglob(".*") if "lock" not in path.name] == []
    verdicts = {row["row"]: row["grounded"] for row in read(tmp_path / "out")}
    assert verdicts[5] is False
    assert contents(tmp_path / "out")["manifest.json"]


def _command(out: str, jobs: int) -> list[str]:
    words = [sys.executable, "-m", "halgo", "batch", "a.jsonl", "--out", out]
    options = ["--index", "fees.halgo", "--embedder", "lexical", "--entailment", "none"]
    return [*words, *options, "--jobs", str(jobs)]


if __name__ == "__main__":
    globals()[sys.argv[1]](Path(sys.argv[2]))
