"""Files that a command writes: the old one or the new one, and devices as they come."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import typer

from halgo.adapters import cli
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


@POSIX
@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        *(
            (f"check a.md --docs faq.md --format {form}", "; name a file with -o")
            for form in ("text", "json", "csv", "sarif", "junit")
        ),
        ("evaluate gold.jsonl", "; name a file with -o"),
        ("audit verify log.jsonl", ""),
    ],
)
def test_a_stdout_that_is_closed_is_told_and_is_no_fault(
    shop: Path, words: str, remedy: str
) -> None:
    (shop / "log.jsonl").touch()
    done = subprocess.run(
        ["sh", "-c", '"$0" -m halgo "$@" >&-', sys.executable, *words.split()],
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    said = f"halgo: nothing can be written to stdout: it is closed{remedy}\n"
    assert (done.returncode, done.stderr) == (2, said)


# -- outputs that would spoil an input -----------------------------------------------------------


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with answers, documents, settings and a golden file, in which the test stands."""
    for name, text in {
        "answers/a.md": "The fee is 5%.\n",
        "answers/b.md": "The fee is 5%.\n",
        "docs/deep/faq.md": "The fee is 5%.\n",
        "halgo.toml": 'calibration = "fitted.json"\n',
        "fitted.json": "{}",
        "policy.toml": "[policy]\n",
        "run.json": Run((), {}, (0.3, 0.65)).to_json(),
        "known.json": '{"schema": 1, "findings": []}',
        "gold.jsonl": '{"files": "docs/deep/faq.md", "claim": "The fee is 5%.", "label": true}\n',
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


CHECK = "check answers/a.md --docs docs --embedder lexical --entailment none"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (f"{CHECK} -o answers/../answers/a.md", "is an answer"),
        ("check answers --docs docs --also sarif=answers/b.md", "answers/b.md is an answer"),
        (f"{CHECK} --audit answers/a.md", "--audit: answers/a.md is an answer"),
        (f"{CHECK} --also junit=docs/deep/faq.md", "docs/deep/faq.md is a document"),
        (f"{CHECK} --config halgo.toml -o halgo.toml", "halgo.toml is the settings"),
        (f"{CHECK} --config halgo.toml -o fitted.json", "fitted.json is the calibration"),
        (f"{CHECK} --gate policy.toml -o policy.toml", "policy.toml is the policy"),
        (f"{CHECK} --also junit=x --also sarif=./x", "x is written by --also already"),
        (f"{CHECK} -o x --also sarif=docs/../x", "x is written by --output already"),
        (f"{CHECK} -f html --assets split -o x.css", "x.css is written by --output already"),
        ("evaluate gold.jsonl --record gold.jsonl", "gold.jsonl is the golden file"),
        ("evaluate gold.jsonl --record docs/deep/faq.md", "docs/deep/faq.md is a document"),
        ("evaluate gold.jsonl -o gold.jsonl", "--output: gold.jsonl is the golden file"),
        ("evaluate gold.jsonl --also junit=docs/deep/faq.md", "docs/deep/faq.md is a document"),
        ("evaluate gold.jsonl --record x -o x", "x is written by --record already"),
        ("evaluate gold.jsonl --against run.json -o run.json", "run.json is the recorded run"),
        (f"{CHECK} --baseline known.json -o known.json", "known.json is the baseline"),
        (f"{CHECK} --write-baseline answers/a.md", "answers/a.md is an answer"),
        (f"{CHECK} --write-baseline x -o x", "x is written by --output already"),
        ("calibrate gold.jsonl --out x --diagram ./x", "x is written by --out already"),
        ("index docs -o docs/deep/faq.md", "docs/deep/faq.md is a document"),
    ],
)
def test_an_output_that_is_an_input_or_another_output_is_refused(
    shop: Path, capsys: pytest.CaptureFixture[str], words: str, said: str
) -> None:
    before = {path: path.read_bytes() for path in shop.rglob("*") if path.is_file()}
    assert cli.main(words.split()) == 2
    assert said in capsys.readouterr().err
    assert {path: path.read_bytes() for path in shop.rglob("*") if path.is_file()} == before


@POSIX
def test_a_link_to_an_answer_is_that_answer(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (shop / "link").symlink_to("answers/a.md")
    assert cli.main([*CHECK.split(), "-o", "link"]) == 2
    assert "link is an answer" in capsys.readouterr().err


@pytest.mark.models
def test_old_reports_and_devices_are_written_again(shop: Path) -> None:
    # A report beside the documents is none of them while its kind is not read as one.
    for _ in range(2):
        words = ["-o", "docs/report.sarif", "-f", "sarif", "--also", f"csv={os.devnull}"]
        assert cli.main([*CHECK.split(), *words, "--also", f"junit={os.devnull}"]) == 0
