"""`halgo report`: a page and a table of what a batch has written, and nothing is checked again."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
import tracemalloc
from contextlib import nullcontext
from pathlib import Path

import pytest
from small_batch import STUB, InThread, answers, contents, stand_in
from small_index import without_models  # noqa: F401

from halgo.adapters import batch_command, cli
from halgo.bulk import batch_run, part_worker
from halgo.bulk.finished import finished
from halgo.report.csv_rows import lines
from halgo.report.page import several

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to stand in; workers are threads of this process, and their checks by hand."""
    monkeypatch.setattr(part_worker, "_checker", stand_in)
    monkeypatch.setattr(batch_run, "Child", lambda threads: InThread())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def batch(name: str, *words: str, out: str = "verdicts") -> None:
    assert cli.main(["batch", name, "--out", out, "--index", "by hand", "--jobs", "1", *words]) == 0
    STUB.asked.clear()


def report(*words: str) -> int:
    code = cli.main(["report", *words])
    assert STUB.asked == []
    return code


def table(path: str) -> list[dict[str, str]]:
    with Path(path).open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream))


def test_a_finished_batch_becomes_a_page_and_a_table_with_the_ids_of_its_rows(
    here: Path, capsys: Capture
) -> None:
    answers(here / "a.jsonl", 40, question="What is the fee?")
    with (here / "a.jsonl").open("a") as stream:
        stream.write('{"id": "=torn", "answer": 5}\n{"id": "gone", "answer": "Hello!"}\n')
    batch("a.jsonl")
    whole = contents(here / "verdicts")
    assert report("verdicts", "-o", "page.html", "--also", "csv=claims.csv") == 0
    assert capsys.readouterr().err == ("halgo: 42 answers: 40 failed, 1 not read, 1 not assessed\n")
    page = Path("page.html").read_text(encoding="utf-8")
    assert "40 failed, 1 not assessed, 1 not read" in page
    assert '<a href="#r39"><bdi>q39</bdi></a>' in page and "<bdi>=torn</bdi>" in page
    assert page.count('<p class="asked" dir="auto">What is the fee?</p>') == 40
    assert "The fee is 39%." in page and "the answer must be a text, not 5" in page
    rows = table("claims.csv")
    assert [row["answer"] for row in rows[:4]] == ["q0", "q0", "q1", "q1"]
    assert [row["verdict"] for row in rows[:2]] == ["SUPPORTED", "CONTRADICTION"]
    assert (rows[1]["claim"], rows[1]["column"], rows[1]["passage"]) == (
        "Wrong it is.",
        "16",
        "The fee is 5%.",
    )
    assert [(row["answer"], row["state"]) for row in rows[-2:]] == [
        ("'=torn", "not_read"),
        ("gone", "no_claims"),
    ]
    # By its mark a spreadsheet knows that it is UTF-8; and what was read is as it was.
    assert Path("claims.csv").read_bytes().startswith(b"\xef\xbb\xbfanswer,state")
    assert contents(here / "verdicts") == whole


def test_parquet_gives_what_json_lines_give(here: Path) -> None:
    pytest.importorskip("pyarrow", reason="the extra batch")
    answers(here / "a.jsonl", 40, question="What?")
    for form in ("jsonl", "parquet"):
        batch("a.jsonl", "--format", form, out=form)
        assert report(form, "-o", f"{form}.html", "--also", f"csv={form}.csv") == 0
    assert Path("jsonl.html").read_bytes() == Path("parquet.html").read_bytes()
    assert Path("jsonl.csv").read_bytes() == Path("parquet.csv").read_bytes()


def test_rows_that_were_chosen_elsewhere_are_shown_alone(here: Path, capsys: Capture) -> None:
    answers(here / "a.jsonl", 40)
    batch("a.jsonl")
    parts = sorted(Path("verdicts/answers").glob("*.jsonl"))
    rows = [line for part in parts for line in part.read_text().splitlines()]
    Path("some.jsonl").write_text("\n".join(rows[5:8]) + "\n")
    capsys.readouterr()
    assert report("some.jsonl", "--format", "csv") == 0
    out = capsys.readouterr().out
    names = [row["answer"] for row in csv.DictReader(io.StringIO(out, newline=""))]
    assert names == ["q5", "q5", "q6", "q6", "q7", "q7"]
    for given in (["verdicts/answers"], [str(part) for part in parts]):
        assert report(*given, "--format", "csv", "-o", "all.csv") == 0
        assert len(table("all.csv")) == 80


def test_answers_are_chosen_by_their_ids(here: Path, capsys: Capture) -> None:
    answers(here / "a.jsonl", 40)
    batch("a.jsonl")
    assert report("verdicts", "--id", "q31", "--id", "q7", "-o", "two.html") == 0
    page = Path("two.html").read_text(encoding="utf-8")
    assert "Check of 2 answers" in page and "<bdi>q31</bdi>" in page and "<bdi>q8</bdi>" not in page
    assert report("verdicts", "--id", "q7", "--id", "q77", "-f", "csv", "-o", "none.csv") == 2
    assert "no answer has the id 'q77'" in capsys.readouterr().err
    assert not Path("none.csv").exists()


def test_what_finds_no_room_on_the_page_is_counted_with_the_way_to_it(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(several, "MOST_CHARACTERS", 20_000)
    answers(here / "a.jsonl", 40)
    batch("a.jsonl")
    assert report("verdicts", "-o", "page.html") == 0
    page = Path("page.html").read_text(encoding="utf-8")
    below = page.count('<section class="pane one"')
    assert 0 < below < 40
    assert f"{40 - below} answers are in the table alone" in page
    assert "halgo report --format csv has the claims of all, and --id ID makes a page" in page


def test_a_batch_that_is_not_done_says_how_much_is_missing(here: Path, capsys: Capture) -> None:
    answers(here / "a.jsonl", 40)
    batch("a.jsonl", "--shard", "2/2", "--rows", "16")
    capsys.readouterr()
    assert report("verdicts", "-o", "page.html") == 0
    said = "24 answers of the batch are not checked yet; run halgo batch again to go on"
    assert capsys.readouterr().err == f"warning: {said}\nhalgo: 16 answers: 16 failed\n"
    assert said in Path("page.html").read_text(encoding="utf-8")
    for part in Path("verdicts/answers").iterdir():
        part.unlink()
    assert report("verdicts", "-o", "page.html") == 2
    assert "has no verdicts yet" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["verdicts", "-o", "verdicts/manifest.json"], "is a file of the verdicts, which would"),
        (["some.jsonl", "--also", "csv=./some.jsonl"], "is a file of the verdicts, which would"),
        (["verdicts", "-o", "x.html", "--also", "csv=./x.html"], "is written by --output already"),
        (["verdicts", "-o", "x.css", "--assets", "split"], "is written by --output already"),
        (["verdicts", "--also", "sarif=x"], "'sarif' is not one of 'html', 'csv'"),
        (["verdicts", "-o", "none/x.html"], "there is no folder none"),
        (["bare", "-o", "x.html"], "checked with --no-report"),
        (["nowhere", "-o", "x.html"], "no such file or folder: nowhere"),
        (["a.jsonl", "-o", "x.html"], "a.jsonl: row 1 has no report with its answer"),
        (["a.csv", "-o", "x.html"], "a.csv: verdicts are .jsonl"),
        (["torn.jsonl", "-o", "x.html"], "torn.jsonl: row 1 is no JSON"),
        (["list.jsonl", "-o", "x.html"], "list.jsonl: row 1 is no JSON object"),
        (["odd.jsonl", "-o", "x.html"], "odd.jsonl: row 1 holds no report of halgo"),
        (["old", "-o", "x.html"], "old was written by another version of halgo"),
    ],
)
def test_what_cannot_be_shown_is_told_and_nothing_is_written_over(
    here: Path, capsys: Capture, words: list[str], said: str
) -> None:
    answers(here / "a.jsonl", 3)
    batch("a.jsonl")
    batch("a.jsonl", "--no-report", out="bare")
    (part,) = Path("verdicts/answers").iterdir()
    Path("some.jsonl").write_bytes(part.read_bytes())
    Path("a.csv").write_text("id,answer\nq,x\n")
    Path("torn.jsonl").write_text('{"id": "q1", "rep')
    Path("list.jsonl").write_text("[1]\n")
    Path("odd.jsonl").write_text(json.dumps({"id": "q", "report": {"answer": "x"}}))
    Path("old").mkdir()
    Path("old/manifest.json").write_text(json.dumps({"fingerprint": {"schema": 1}}))
    before = contents(here)
    assert report(*words) == 2
    assert said in capsys.readouterr().err
    assert contents(here) == before


def test_a_table_takes_no_more_memory_for_more_answers(here: Path) -> None:
    answers(here / "a.jsonl", 60)
    batch("a.jsonl")
    parts = sorted(Path("verdicts/answers").glob("*.jsonl"))
    rows = "".join(part.read_text() for part in parts)

    def peak(times: int) -> int:
        Path("many.jsonl").write_text(rows * times)
        found = finished(["many.jsonl"])
        tracemalloc.start()
        count = sum(piece.count("\r\n") for piece in lines(found.answers()))
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert count == 1 + times * 120
        return most

    peak(1)
    assert peak(10) < peak(1) + 100_000


def test_a_page_keeps_of_the_answers_that_come_what_it_shows(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(several, "MOST_CHARACTERS", 50_000)
    monkeypatch.setattr(several, "MOST_ROWS", 50)
    answers(here / "a.jsonl", 60)
    batch("a.jsonl")
    rows = "".join(part.read_text() for part in sorted(Path("verdicts/answers").iterdir()))

    def peak(times: int) -> int:
        Path("many.jsonl").write_text(rows * times)
        found = finished(["many.jsonl"])
        tracemalloc.start()
        made = several.page(found.answers())
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert f"Check of {60 * times} answers" in made
        return most

    peak(1)
    assert peak(10) < peak(1) + 200_000


def test_neither_models_nor_numbers_are_loaded_for_a_report(here: Path) -> None:
    answers(here / "a.jsonl", 3)
    batch("a.jsonl")
    code = (
        "import sys; from halgo.adapters.cli import main; "
        "assert main(['report', 'verdicts', '-o', 'page.html']) == 0; "
        "sys.exit(any(name in sys.modules for name in ('onnxruntime', 'spacy', 'torch')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_in_a_terminal_a_batch_says_how_it_is_read(
    here: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers(here / "a.jsonl", 3)
    batch("a.jsonl")
    assert "halgo report" not in capsys.readouterr().err
    monkeypatch.setattr(batch_command, "_progress", lambda: nullcontext(lambda message: None))
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    batch("a.jsonl")
    said = "halgo report verdicts -o page.html --also csv=claims.csv"
    assert said in capsys.readouterr().err
    batch("a.jsonl", "--no-report", out="bare")
    assert "halgo report" not in capsys.readouterr().err
