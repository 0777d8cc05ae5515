"""Ctrl-C ends the command line at once with 130 and a word, whatever its threads are at."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from halgo.adapters import cli

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

# A thread that Python would wait for at its end, as one that loads a model beside a broken lock.
_STUCK = """
import sys, threading, time
threading.Thread(target=time.sleep, args=(60,)).start()
sys.argv = ["halgo", *sys.argv[1:]]
from halgo.adapters.start import main
from halgo.adapters import answers, batch_command
def stuck(*_, **__):
    print("begun", flush=True)
    while True:
        try:
            time.sleep(60)
        except BaseException:  # where the exception comes, something may hold it back
            {then}
answers.read = stuck
from halgo.bulk import batch_run
batch_run.run = stuck
raise SystemExit(main())
"""
_ALONE = """
import signal, sys, time
from halgo import process
process.take_over()
def wait():
    print("begun", flush=True)
    time.sleep({seconds})
{block}
"""


def interrupted(script: str, *words: str, ignored: bool = False) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a script that is interrupted when it has begun."""
    command = [sys.executable, "-c", script, *words]
    ignore = "trap '' INT; exec \"$@\""
    if ignored:
        command = ["sh", "-c", ignore, "sh", *command]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=None if ignored else _default,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=20)
        finally:
            process.kill()
    return process.returncode, out, err


def _default() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a test run in the background ignores it


def test_a_check_ends_though_a_thread_hangs_and_no_exception_would_come_through(
    tmp_path: Path,
) -> None:
    (tmp_path / "answer.md").write_text("The fee is 5%.")
    words = ("check", str(tmp_path / "answer.md"), "--docs", str(tmp_path))
    script = _STUCK.format(then="pass")
    assert interrupted(script, *words) == (130, "", "halgo: interrupted\n")


def test_a_batch_says_how_it_goes_on_and_does_not_wait_for_threads(tmp_path: Path) -> None:
    words = ("batch", "a.jsonl", "--docs", str(tmp_path), "--out", str(tmp_path / "out"))
    code, out, err = interrupted(_STUCK.format(then="raise"), *words)
    assert (code, out, err.count("\n")) == (130, "", 1)
    assert err.startswith("halgo: interrupted; run the same again")


def test_the_process_ends_at_once_from_the_start() -> None:
    done = interrupted(_ALONE.format(block="wait()", seconds=60))
    assert done == (130, "", "halgo: interrupted\n")


def test_what_has_something_to_tidy_up_hears_of_it() -> None:
    block = """
with process.interrupts(raised=False), process.interrupts(raised=True):
    try:
        wait()
    except KeyboardInterrupt:
        print("tidied up")
"""
    assert interrupted(_ALONE.format(block=block, seconds=60)) == (0, "tidied up\n", "")


def test_a_process_that_was_started_to_ignore_it_does() -> None:
    block = "with process.interrupts(raised=True): wait()\nprint('done')"
    assert interrupted(_ALONE.format(block=block, seconds=0.5), ignored=True) == (0, "done\n", "")


def test_nothing_is_changed_where_the_command_line_is_only_called(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = signal.getsignal(signal.SIGINT)

    def ended(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "_doctor", ended)
    assert cli.main(["doctor"]) == 130
    assert capsys.readouterr() == ("", "halgo: interrupted\n")
    assert signal.getsignal(signal.SIGINT) is before
