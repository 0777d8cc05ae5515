"""`halgo check` for CI: several answers, forms for other tools, what fails, and a pipe."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from halgo import Halgorithm
from halgo.adapters import cli, nearest
from halgo.report import csv_rows, junit, sarif
from halgo.report.failing import FailOn
from halgo.report.located import Located, Region, Unread

pytestmark = pytest.mark.models

CONTRACT = "A late fee of 1.5% per month applies. Payment is due within thirty (30) days."
RIGHT = "Payment is due within 30 days.\n"
WRONG = "Hello!\n\nThe late fee is 5% per month. Payment is due within 30 days.\n"
ABSENT = "Acme Ltd was founded in 1877.\n"
NOTHING = "Hello! How can I help you?\n"
SCHEMA = Path(__file__).parent.parent / ".cache" / "schemas" / "sarif-2.1.0.json"

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with docs/ and answers/, in which the test stands."""
    for name, text in {
        "docs/contract.md": CONTRACT,
        "answers/right.md": RIGHT,
        "answers/wrong.txt": WRONG,
        "answers/deep/absent.md": ABSENT,
        "answers/.hidden.md": WRONG,
        "answers/picture.png": "none",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(*words: str, docs: str | None = "docs") -> int:
    given = [] if docs is None else ["--docs", docs]
    return cli.main(["check", *words, *given, "--embedder", "lexical", "--entailment", "none"])


def checked(text: str, path: str = "a.md", **more: Any) -> Located:
    report = Halgorithm(None, embedder="lexical", entailment=None).checker(CONTRACT).check(text)
    return Located(path, report, path, **more)


# -- several answers -----------------------------------------------------------------------------


def test_files_and_folders_are_checked_in_one_go(place: Path, capsys: Capture) -> None:
    assert check("answers/right.md", "answers", "./answers/wrong.txt", "--format", "json") == 1
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert [(one["answer"], one["passes"]) for one in found["answers"]] == [
        ("answers/right.md", True),
        ("answers/wrong.txt", False),
        ("answers/deep/absent.md", False),
    ]
    assert err == (
        "warning: answers/picture.png was left out: files of kind '.png' are not read as answers; "
        "save it as text or Markdown\nhalgo: 3 answers: 1 passed, 2 failed\n"
    )


def test_several_answers_are_one_page_with_a_table_and_each_report(
    place: Path, capsys: Capture
) -> None:
    Path("answers/zero.txt").write_bytes(b"\0\1")
    assert check("answers", "--format", "html", "-o", "all.html", "--also", "html=too.html") == 2
    page = Path("all.html").read_text(encoding="utf-8")
    assert page == Path("too.html").read_text(encoding="utf-8")
    assert "1 passed, 2 failed, 1 not read" in page
    for name in ("answers/right.md", "answers/wrong.txt", "answers/deep/absent.md"):
        assert page.count(f"<bdi>{name}</bdi>") == 2  # in the table, and over its report
    assert '<a href="#r1-c2">The late fee is 5% per month.</a>' in page
    assert "The claim says 5%; the source says 1.5%." in page
    assert "zero bytes" in page and "answers/zero.txt" in page
    assert check("answers/right.md", "--format", "json", "--also", "html=one.html") == 0
    assert "docs/contract.md" in Path("one.html").read_text(encoding="utf-8")
    words = ("answers", "--format", "html", "-o", "apart.html", "--assets", "split")
    assert check(*words) == 2
    assert "<style>" not in Path("apart.html").read_text(encoding="utf-8")
    assert Path("apart.css").is_file() and Path("apart.js").is_file()


def test_word_files_and_web_pages_are_answers_as_texts_are(place: Path, capsys: Capture) -> None:
    docx = pytest.importorskip("docx")
    written = docx.Document()
    written.add_paragraph("The late fee is 5% per month.")
    Path("mixed").mkdir()
    written.save("mixed/b.docx")
    page = f"<html><body><p>{RIGHT}</p><script>x()</script></body></html>"
    Path("mixed/c.html").write_text(page, encoding="utf-8")
    Path("mixed/a.txt").write_text(RIGHT, encoding="utf-8")
    assert check("mixed", "--format", "json") == 1
    found = json.loads(capsys.readouterr().out)["answers"]
    assert [(one["answer"], one["passes"]) for one in found] == [
        ("mixed/a.txt", True),
        ("mixed/b.docx", False),
        ("mixed/c.html", True),
    ]
    Path("old.doc").write_bytes(b"\xd0\xcf")
    assert check("old.doc") == 2
    assert "save it as .docx" in capsys.readouterr().err


def test_of_a_mail_the_words_of_its_writer_are_the_answer(place: Path, capsys: Capture) -> None:
    head = "Subject: Fees\nFrom: a@b.c\nTo: d@e.f\nDate: Tue, 04 Mar 2025 09:12:00 +0100\n\n"
    Path("ok.eml").write_text(f"{head}{RIGHT}\n\n> The late fee is 7% per month.\n")
    assert check("ok.eml", "--format", "json") == 0
    (claim,) = json.loads(capsys.readouterr().out)["claims"]
    assert claim["claim"] == RIGHT.strip()
    Path("bad.eml").write_text(f"{head}> Is it 7%?\n\nHello,\nThe late fee is 5% per month.\n")
    assert check("bad.eml", "--format", "sarif") == 1
    (found,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    assert found["locations"][0]["physicalLocation"]["region"]["startLine"] == 2


def test_what_cannot_be_read_in_a_folder_is_one_answer_that_failed(
    place: Path, capsys: Capture
) -> None:
    Path("answers/broken.docx").write_bytes(b"PK nothing")
    Path("answers/zero.txt").write_bytes(b"\0\1\2")
    Path("answers/rows.jsonl").write_text(f"{json.dumps({'answer': RIGHT})}\noops\n")
    assert check("answers", "--format", "json") == 2
    out, err = capsys.readouterr()
    found = {one["answer"]: one for one in json.loads(out)["answers"]}
    assert found["answers/right.md"]["passes"] and found["answers/rows.jsonl:1"]["passes"]
    assert "zero bytes" in found["answers/zero.txt"]["error"]
    assert "no JSON" in found["answers/rows.jsonl:2"]["error"]
    assert "broken.docx" in found["answers/broken.docx"]["error"]
    assert "halgo: 7 answers: 2 passed, 2 failed, 3 not read" in err
    assert check("answers", "--format", "markdown") == 2
    assert "| answers/zero.txt | not read |" in capsys.readouterr().out
    # What is named is told at once.
    assert check("answers/zero.txt", "answers") == 2
    assert not capsys.readouterr().out


def test_one_file_gives_the_report_it_always_gave(place: Path, capsys: Capture) -> None:
    assert check("answers/right.md", "--format", "json") == 0
    assert json.loads(capsys.readouterr().out)["state"] == "assessed"


def test_text_and_markdown_name_each_answer(place: Path, capsys: Capture) -> None:
    assert check("answers") == 1
    out = capsys.readouterr().out
    assert "=== answers/right.md ===" in out and out.endswith("3 answers: 1 passed, 2 failed\n")
    assert check("answers", "--format", "markdown") == 1
    out = capsys.readouterr().out
    assert out.startswith("# 3 answers: 1 passed, 2 failed\n")
    assert "# answers/wrong.txt" in out and "# answers/right.md\n" not in out


@pytest.mark.parametrize(
    "text, options, code",
    [
        ([RIGHT], [], 0),
        ([RIGHT, ABSENT], [], 1),
        ([RIGHT, NOTHING], [], 4),
        ([WRONG, NOTHING], [], 1),
        ([RIGHT, ABSENT], ["--fail-on", "contradiction"], 0),
        ([RIGHT, ABSENT], ["--fail-on", "unsupported"], 1),
        ([RIGHT, WRONG], ["--fail-on", "contradiction"], 1),
        ([RIGHT, NOTHING], ["--fail-on", "contradiction"], 0),
        ([NOTHING, NOTHING], ["--fail-on", "contradiction"], 4),
        ([ABSENT], ["--fail-on", "contradiction"], 0),
        ([NOTHING], ["--fail-on", "contradiction"], 4),
    ],
)
def test_what_fails_is_what_was_asked_for(
    place: Path, capsys: Capture, text: list[str], options: list[str], code: int
) -> None:
    names = [f"{n}.md" for n in range(len(text))]
    for name, content in zip(names, text, strict=True):
        Path(name).write_text(content, encoding="utf-8")
    assert check(*names, *options) == code
    unnamed = [n for n, t in zip(names, text, strict=True) if t == NOTHING]
    if unnamed and len(names) > 1:
        assert f"nothing was assessed of {', '.join(unnamed)}" in capsys.readouterr().err


def test_json_lines_may_bring_their_own_documents(place: Path, capsys: Capture) -> None:
    lines = [
        {"id": "q1", "answer": RIGHT},
        {"response": "It costs 9 EUR.", "contexts": ["It costs 9 EUR."]},
    ]
    Path("a.jsonl").write_text("\n\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert check("a.jsonl", "--format", "jsonl") == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(one["answer"], one["line"]) for one in found] == [("a.jsonl:q1", 1), ("a.jsonl:3", 3)]
    Path("b.jsonl").write_text(json.dumps(lines[1]), encoding="utf-8")
    assert check("b.jsonl", "--format", "jsonl", docs=None) == 0


@pytest.mark.parametrize(
    "words, docs, said",
    [
        (["answers", "--gate", "hedge"], "docs", "takes a single answer"),
        (
            ["answers/right.md", "--gate", "hedge", "--format", "sarif"],
            "docs",
            "for which --format sarif has no place; take text, json or html, and --also sarif=FILE",
        ),
        (["docs/contract.md"], "docs", "is among the documents"),
        (["docs"], "docs", "is among the documents"),
        (["answers/right.md", "--gate", "hedge", "--fail-on", "unsupported"], "docs", "decides"),
        (["answers/right.md", "--also", "xml=a.xml"], "docs", "'xml' is not one of"),
        (["answers/right.md", "--also", "junit"], "docs", "needs a file"),
        (["answers/right.md", "--also", "junit=gone/a.xml"], "docs", "there is no folder gone"),
        (["-", "-"], "docs", "once"),
        ([], "docs", "name a file with an answer"),
        (["answers"], None, "give either --docs or --index"),
        (["empty"], "docs", "no answers in empty"),
        (
            ["answers.csv"],
            "docs",
            "answers.csv: a table of answers is for `halgo batch answers.csv",
        ),
        (["a.parquet"], "docs", "a.parquet: a table of answers is for `halgo batch a.parquet"),
        (["a.xlsx"], "docs", "a.xlsx: a table of answers, saved as CSV, is for `halgo batch`"),
        (["latin1.jsonl"], "docs", "latin1.jsonl is not UTF-8; save it in UTF-8"),
        (["answers/right.md", "--stdin-jsonl"], "docs", "name no files beside it"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_checked(
    place: Path, capsys: Capture, words: list[str], docs: str | None, said: str
) -> None:
    Path("empty").mkdir()
    Path("answers.csv").write_text("id,answer\n1,It rose.\n", encoding="utf-8")
    Path("latin1.jsonl").write_bytes('{"answer": "It costs £5."}\n'.encode("latin-1"))
    for name in ("a.parquet", "a.xlsx"):
        Path(name).write_bytes(b"PAR1")
    assert check(*words, docs=docs) == 2
    out, err = capsys.readouterr()
    assert not out and said in err


def test_a_bad_line_of_a_file_does_not_stop_the_others(place: Path, capsys: Capture) -> None:
    lines = [
        json.dumps({"id": 1, "answer": RIGHT}),
        "oops",
        "[1]",
        '{"id": "q4", "answer": 42}',
        '{"id": "q5", "answer": null}',
        '{"anser": "It rose."}',
        json.dumps({"answer": RIGHT, "documents": 5}),
        json.dumps({"answer": RIGHT}),
    ]
    Path("a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert check("a.jsonl", "--format", "jsonl") == 2
    out, err = capsys.readouterr()
    found = {one["answer"]: one for one in map(json.loads, out.splitlines())}
    assert found["a.jsonl:1"]["passes"] and found["a.jsonl:8"]["passes"]
    for name, said in (
        ("a.jsonl:2", "a.jsonl, line 2: no JSON"),
        ("a.jsonl:3", 'a.jsonl, line 3: an object was expected: {"answer": "..."}'),
        ("a.jsonl:q4", "a.jsonl, line 4: the answer must be a text, not 42"),
        ("a.jsonl:q5", "a.jsonl, line 5: the answer is null"),
        ("a.jsonl:6", "there are 'anser'"),
        ("a.jsonl:7", "a.jsonl:7: documents: documents must be"),
    ):
        assert said in found[name]["error"]
        assert found[name]["error"] in err
    assert "8 answers: 2 passed, 6 not read" in err


def test_an_answer_in_two_spellings_is_checked_once(place: Path, capsys: Capture) -> None:
    words = ("answers/right.md", "answers/deep/../right.md", "./answers/right.md")
    assert check(*words, "--format", "jsonl") == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["answer"] == "answers/right.md"


def test_what_could_not_be_read_stands_in_the_forms_of_other_tools(place: Path) -> None:
    Path("answers/bad.md").write_bytes(b"PK\x00\x01")
    Path("a.jsonl").write_text(f"{json.dumps({'answer': RIGHT})}\noops [1]\n", encoding="utf-8")
    forms = ("sarif", "junit", "csv", "jsonl")
    also = [word for form in forms for word in ("--also", f"{form}={form}.out")]
    assert check("answers", "a.jsonl", *also) == 2
    bad, oops = "answers/bad.md: not text", "a.jsonl, line 2: no JSON"

    suites = ElementTree.parse("junit.out").getroot()
    assert suites.get("errors") == "2"
    errors = {case.get("file"): case.find("error") for case in suites.iter("testcase")}
    assert errors["answers/bad.md"] is not None and errors["answers/right.md"] is None
    assert (errors["answers/bad.md"].get("message") or "").startswith(bad)

    (run,) = json.loads(Path("sarif.out").read_text(encoding="utf-8"))["runs"]
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    first, second = invocation["toolExecutionNotifications"]
    assert first["level"] == "error" and first["message"]["text"].startswith(bad)
    assert second["message"]["text"].startswith(oops)
    assert second["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "a.jsonl"},
        "region": {"startLine": 2},
    }

    with Path("csv.out").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["state"] == "not_read"]
    assert [(row["answer"], row["line"]) for row in rows] == [
        ("answers/bad.md", "1"),
        ("a.jsonl:2", "2"),
    ]
    assert rows[0]["message"].startswith(bad) and not rows[0]["claim"]
    assert [one for one in Path("jsonl.out").read_text().splitlines() if bad in one]


def test_a_line_without_documents_is_named_where_others_bring_theirs(
    place: Path, capsys: Capture
) -> None:
    lines = [{"answer": RIGHT, "documents": CONTRACT}, {"answer": RIGHT}]
    Path("a.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert check("a.jsonl", "--format", "jsonl", docs=None) == 2
    assert "a.jsonl:2: there are no documents to check it against" in capsys.readouterr().err


def test_an_id_that_comes_again_is_made_distinct_and_told(place: Path, capsys: Capture) -> None:
    lines = [json.dumps({"id": name, "answer": RIGHT}) for name in ("a", "b", "a", "a")]
    Path("a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert check("a.jsonl", "--format", "junit") == 0
    out, err = capsys.readouterr()
    suites = [f'<testsuite name="a.jsonl:{name}"' for name in ("a", "b", "a#2", "a#3")]
    assert [out.count(suite) for suite in suites] == [1, 1, 1, 1]
    said = "warning: a.jsonl:a is the name of more than one answer; the next is a.jsonl:a#2\n"
    assert err.count("warning: ") == 1 and said in err


@pytest.mark.parametrize("form", ["text", "junit", "sarif", "json"])
def test_a_document_that_cannot_be_read_is_told_on_stderr_in_every_form(
    place: Path, capsys: Capture, form: str
) -> None:
    Path("docs/bad.pdf").write_bytes(b"%PDF-1.4 nothing")
    Path("docs/photo.png").write_bytes(b"none")
    assert check("answers/right.md", "--format", form) == 0
    out, err = capsys.readouterr()
    (line,) = (one for one in err.splitlines() if one.startswith("warning: "))
    assert "bad.pdf was left out" in line and line.endswith("(and 1 more, in the report)")
    assert check("answers/right.md", "--format", form, "--fail-on-warnings") == 2
    again, err = capsys.readouterr()
    assert again == out  # the report is written all the same
    assert "halgo: --fail-on-warnings: 2 warnings, first: " in err


def test_warnings_fail_nothing_where_there_are_none(place: Path, capsys: Capture) -> None:
    assert check("answers/right.md", "--fail-on-warnings") == 0
    assert "warning" not in capsys.readouterr().err
    assert check("answers/right.md", "answers/wrong.txt", "--fail-on-warnings") == 1


# -- the pipe ------------------------------------------------------------------------------------


def test_a_pipe_gives_a_line_back_for_each_line_before_the_next_comes(place: Path) -> None:
    words = ["--docs", "docs", "--embedder", "lexical", "--entailment", "none"]
    started = subprocess.Popen(
        [sys.executable, "-m", "halgo", "check", "--stdin-jsonl", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": ""},
    )
    assert started.stdin is not None and started.stdout is not None
    seen = []
    for line in (
        '{"id": "a", "answer": "Payment is due within 30 days."}',
        "oops",
        '{"answer": 5}',
    ):
        started.stdin.write(line + "\n")
        started.stdin.flush()
        seen.append(json.loads(started.stdout.readline()))
    out, err = started.communicate(timeout=60)
    assert (seen[0]["answer"], seen[0]["passes"], out, started.returncode) == ("a", True, "", 2)
    assert "stdin, line 2: no JSON" in seen[1]["error"] and "line 3" in seen[2]["answer"]
    assert "3 answers: 1 passed, 2 not read" in err


# -- SARIF ---------------------------------------------------------------------------------------


def test_sarif_points_at_the_words_and_says_why() -> None:
    (run,) = json.loads(sarif.render([checked(WRONG), checked(ABSENT, "b c/ü.md")]))["runs"]
    first, second = run["results"]
    assert (first["ruleId"], first["level"]) == ("contradiction", "error")
    assert first["message"]["text"].startswith("The claim says 5%; the source says 1.5%.")
    where = first["locations"][0]["physicalLocation"]
    assert where["region"] == {"startLine": 3, "startColumn": 1, "endLine": 3, "endColumn": 30}
    assert (second["ruleId"], second["level"]) == ("hallucination", "warning")
    where = second["locations"][0]["physicalLocation"]
    assert where["artifactLocation"]["uri"] == "b%20c/%C3%BC.md"


def test_sarif_tells_of_what_was_not_assessed_and_keeps_its_marks_when_lines_move() -> None:
    (run,) = json.loads(sarif.render([checked(NOTHING), checked("", "b.md")]))["runs"]
    assert [(one["ruleId"], one["level"]) for one in run["results"]] == [
        ("not-assessed", "note"),
        ("not-assessed", "warning"),
    ]

    def marks(text: str) -> list[Any]:
        found = json.loads(sarif.render([checked(text)]))["runs"][0]["results"]
        return [one["partialFingerprints"] for one in found]

    assert marks(WRONG) == marks("\n\n" + WRONG)
    twice = marks("The late fee is 5% per month.\n\nThe late fee is 5% per month.\n")
    assert len(twice) == 2 and twice[0] != twice[1]


def test_no_text_of_users_makes_a_link_in_a_message() -> None:
    located = checked("The late fee of [here](http://evil) is 5% per month.")
    (found,) = json.loads(sarif.render([located]))["runs"][0]["results"]
    message = found["message"]["text"]
    assert not [at for at, sign in enumerate(message) if sign == "[" and message[at - 1] != "\\"]


@pytest.mark.parametrize("text", [WRONG, RIGHT, NOTHING, "", "The fee\x00 \ud800 is [5%](x) \x1b."])
def test_sarif_is_what_its_schema_asks_for(text: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    if not SCHEMA.is_file():
        pytest.skip(f"no {SCHEMA}: in the npm package @microsoft/jest-sarif, lib/schemas")
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    checker = jsonschema.validators.validator_for(schema)(schema)
    whole = json.loads(
        sarif.render(
            [checked(text), checked(text, "/x/y.md"), checked(text, line=3)],
            [Unread("b.jsonl:2", "no JSON", "b.jsonl", 2)],
        )
    )
    assert [error.message for error in checker.iter_errors(whole)] == []


# -- JUnit and CSV -------------------------------------------------------------------------------


def test_junit_has_a_test_a_claim_and_is_read_by_others() -> None:
    junitparser = pytest.importorskip("junitparser", reason="the package junitparser is missing")
    reports = [checked(WRONG), checked(ABSENT, "b.md"), checked(NOTHING, "c"), checked("", "d")]
    read = junitparser.JUnitXml.fromstring(junit.render(reports).encode())
    assert (read.tests, read.failures, read.errors, read.skipped) == (5, 2, 1, 1)
    case = next(iter(next(iter(read))))
    assert (case.classname, case.name) == ("a.md", "2. The late fee is 5% per month.")
    (failure,) = case.result
    assert failure.type == "CONTRADICTION"
    assert failure.message == "The claim says 5%; the source says 1.5%."
    assert "a.md:3" in failure.text and "source: doc1: A late fee of 1.5%" in failure.text
    fewer = junitparser.JUnitXml.fromstring(junit.render(reports, FailOn.CONTRADICTION).encode())
    assert fewer.failures == 1


def test_what_xml_cannot_hold_does_not_break_it() -> None:
    odd = 'The late fee is 5%\x00\x1b]0;x\ud800\ufffe & <b> "per" month ]]> 好 \U0001f600.'
    text = junit.render([checked(odd, "a<&>.md")])
    assert ElementTree.fromstring(text).find(".//testcase") is not None and text.isascii()


def test_csv_has_a_row_for_every_sentence_and_no_formula() -> None:
    text = csv_rows.render(
        [checked(WRONG), checked("=1+1 is the fee of Acme.", "@b"), checked("", "c")]
    )
    table = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [row["verdict"] for row in table[:3]] == ["", "CONTRADICTION", "SUPPORTED"]
    assert [(row["line"], row["column"]) for row in table[:3]] == [
        ("1", "1"),
        ("3", "1"),
        ("3", "31"),
    ]
    assert table[0]["kind"] == "greeting" and table[-1]["state"] == "empty"
    cells = [cell for row in table for cell in row.values()]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]
    assert any(row["answer"] == "'@b" for row in table)


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("＝1+1", "'＝1+1"),
        (" -1", "'-1"),
        # Where a comma is the decimal sign, a spreadsheet divides the line at semicolons.
        ("a;=1+1;b", "a;'=1+1;b"),
        ('a; "@b', "a;' \"@b"),
        ("a-b; c=d", "a-b; c=d"),
    ],
)
def test_no_cell_of_csv_becomes_a_formula(name: str, cell: str) -> None:
    (row,) = csv.DictReader(io.StringIO(csv_rows.render([checked(RIGHT, name)]), newline=""))
    assert row["answer"] == cell


def test_columns_count_characters_and_lines_every_break() -> None:
    located = checked("好 好.\r\nThe late fee is 5% per month.\n")
    wrong = next(r for r in located.report if "5%" in r.claim.text)
    assert located.region(wrong.claim) == Region(2, 1, 2, 30)
    assert checked(WRONG, line=7).region(wrong.claim) == Region(7, 1, 7, 1)


def test_the_same_reports_give_the_same_bytes_in_every_form() -> None:
    for render in (sarif.render, junit.render, csv_rows.render):
        assert render([checked(WRONG)]) == render([checked(WRONG)])


def test_other_forms_are_written_beside_the_first(place: Path, capsys: Capture) -> None:
    also = [word for form in ("sarif", "junit", "csv", "jsonl", "markdown") for word in
            ("--also", f"{form}=out.{form}")]  # fmt: skip
    for answers in (["answers"], ["answers/wrong.txt"]):
        assert check(*answers, *also) == 1
        assert "CONTRADICTION" in capsys.readouterr().out
        assert json.loads(Path("out.sarif").read_text())["version"] == "2.1.0"
        assert Path("out.junit").read_text().startswith("<?xml")
        assert Path("out.csv").read_text().startswith("answer,state")
        lines = Path("out.jsonl").read_text().splitlines()
        assert lines and all("report" in json.loads(line) for line in lines)
        assert "CONTRADICTION" in Path("out.markdown").read_text()


# -- what was meant ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words, said",
    [
        (["check", "answrs/right.md", "--docs", "docs"], "Did you mean answers/right.md?"),
        (["check", "answers/rihgt.md", "--docs", "docs"], "Did you mean answers/right.md?"),
        (["check", "answers/right.md", "--docs=dosc"], "Did you mean docs?"),
        (["check", "answers/right.md", "--index", "handbok.halgo"], "Did you mean handbook.halgo?"),
        (["check", "answers/right.md", "--docs", "docs", "--format", "jsno"], "mean 'json'?"),
        (["check", "answers/right.md", "--docs", "docs", "--gate", "strip"], "'strip-unsupported'"),
        (["check", "answers/right.md", "--docs", "docs", "--fial-on", "x"], "--fail-on"),
        (["chekc", "answers/right.md"], "Did you mean 'check'?"),
        (["audit", "verify", "handbook.jsonl"], "Did you mean handbook.halgo?"),
    ],
)
def test_a_wrong_word_is_answered_with_the_nearest_that_is_right(
    place: Path, capsys: Capture, words: list[str], said: str
) -> None:
    Path("handbook.halgo").touch()
    assert cli.main(words) == 2
    err = capsys.readouterr().err
    assert said in err and "Value error" not in err


def test_a_file_far_from_any_other_gets_no_guess(place: Path, capsys: Capture) -> None:
    assert check("zzzzzz.qq") == 2
    assert "Did you mean" not in capsys.readouterr().err


def test_the_command_that_gets_models_is_one_that_works_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    message = "no encoder 'minilm' on this machine\nTo get it, run: halgo models fetch"
    here = str(Path(sys.executable).parent / "halgo")
    monkeypatch.setattr("shutil.which", lambda name: here)
    assert nearest.from_here(message) == message
    for elsewhere in (None, "/other/bin/halgo"):
        monkeypatch.setattr("shutil.which", lambda name, found=elsewhere: found)
        assert nearest.from_here(message).endswith(f"run: {sys.executable} -m halgo models fetch")


@pytest.mark.parametrize(
    "line, word, found",
    [
        ("halgo ch", 1, {"check"}),
        ("halgo check --fa", 2, {"--fail-on", "--fail-on-warnings"}),
        ("halgo check --format s", 3, {"sarif"}),
        ("halgo check --gate str", 3, {"strict-block", "strip-unsupported"}),
    ],
)
def test_a_shell_completes_commands_options_and_values(
    line: str, word: int, found: set[str]
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "halgo"],
        env={
            **os.environ,
            "_HALGO_COMPLETE": "complete_bash",
            "COMP_WORDS": line,
            "COMP_CWORD": str(word),
        },
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert set(done.stdout.split()) == found, done.stderr


def test_what_all_reports_warn_of_is_told_once(place: Path, capsys: Capture) -> None:
    (Path("docs") / "old.xls").write_bytes(b"\xd0\xcf")
    check("answers")
    out = capsys.readouterr().out
    assert out.startswith("! docs/old.xls was left out: old spreadsheets are not read; save it as")
    assert out.count("old.xls") == 1
