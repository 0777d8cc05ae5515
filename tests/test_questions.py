"""Whatever takes an answer takes its question: "60 days." is right of the notice, not of the trial.

What the statement is that both make is tested in test_short_answers.py, servers and frameworks in
their own files.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import halgo
from halgo import Checker, Halgorithm, Judge, SelfVerifier, assert_grounded, gate, repair
from halgo.adapters.assertion import assert_golden
from halgo.adapters.cli import app
from halgo.agents import grounding, transcript
from halgo.bulk.answer_rows import Columns, Row, files_of, rows_of
from halgo.bulk.row_checker import RowChecker
from halgo.delivery.audit import AuditLog, audited
from halgo.delivery.release import Release
from halgo.delivery.repair import arepair
from halgo.golden import rows
from halgo.golden.evaluate import evaluate
from halgo.types import Verdict

pytestmark = pytest.mark.models

LEASE = "The notice period is 60 days. The trial period is 30 days."
ANSWER = "60 days."
QUESTION = "How long is the trial period?"
ASKED = [(None, True), (QUESTION, False)]  # a question, and whether ANSWER is grounded then


@pytest.fixture(scope="module")
def halgorithm() -> Halgorithm:
    """One without encoder and entailment model."""
    return Halgorithm(embedder="lexical", entailment=None)


@pytest.fixture(scope="module")
def checker(halgorithm: Halgorithm) -> Checker:
    return halgorithm.checker(LEASE)


@pytest.fixture(params=ASKED, ids=["without", "with"])
def asked(request: pytest.FixtureRequest) -> tuple[str | None, bool]:
    pair: tuple[str | None, bool] = request.param
    return pair


# --- Python -------------------------------------------------------------------------------------


def test_compare(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, halgorithm: Halgorithm, asked: Any
) -> None:
    question, grounded = asked
    monkeypatch.setattr("halgo.api.shared", lambda: halgorithm)
    (tmp_path / "lease.txt").write_text(LEASE)
    for found in (
        halgo.compare_to_docs(LEASE, ANSWER, question=question),
        halgo.compare_to_files([tmp_path / "lease.txt"], ANSWER, question=question),
    ):
        assert [claim["status"] == "SUPPORTED" for claim in found] == [grounded]


def test_judge(checker: Checker, asked: Any) -> None:
    question, grounded = asked
    (claim,) = Judge(checker).evaluate(ANSWER, question=question).claims
    (again,) = asyncio.run(Judge(checker).aevaluate(ANSWER, question=question)).claims
    assert claim == again
    assert (claim.verdict is Verdict.SUPPORTED) == grounded


def test_verification(checker: Checker, asked: Any) -> None:
    question, grounded = asked
    found = SelfVerifier(checker).verify(ANSWER, question=question)
    assert found == asyncio.run(SelfVerifier(checker).averify(ANSWER, question=question))
    assert found.flagged is not grounded


@pytest.mark.parametrize("make", [Judge, SelfVerifier])
def test_a_question_that_is_none_is_refused(make: Any, checker: Checker) -> None:
    check = getattr(make(checker), "evaluate" if make is Judge else "verify")
    with pytest.raises(TypeError, match="a question is a string, not int"):
        check(ANSWER, question=7)


def test_repair(checker: Checker, asked: Any) -> None:
    question, grounded = asked
    options: dict[str, Any] = {"question": question, "max_attempts": 0}
    found = repair(lambda *_: ANSWER, checker, **options)
    again = asyncio.run(arepair(lambda *_: ANSWER, checker, **options))
    assert found == again
    assert (found.stopped == "grounded") == grounded


def test_an_answer_that_is_shown_while_it_is_written(checker: Checker, asked: Any) -> None:
    question, grounded = asked
    release = Release(checker, gate.STRIP_UNSUPPORTED, question=question)
    assert (ANSWER in "".join(release.stream(["60 ", "days."]))) == grounded


def test_audited_checks_keep_no_question(tmp_path: Path, checker: Checker, asked: Any) -> None:
    question, grounded = asked
    noted = audited(checker, AuditLog(tmp_path / "log.jsonl"), user="u1")
    reports = [
        noted.check(ANSWER, question),
        asyncio.run(noted.acheck(ANSWER, question)),
        *noted.check_many([ANSWER], [question]),
    ]
    assert [report.grounded for report in reports] == [grounded] * 3
    log = (tmp_path / "log.jsonl").read_text()
    assert log.count("u1") == 3
    assert "trial" not in log


def test_assertions(checker: Checker) -> None:
    assert_grounded(ANSWER, checker)
    with pytest.raises(AssertionError, match="The trial period is 60 days"):
        assert_grounded(ANSWER, checker, question=QUESTION)


def test_golden_rows(tmp_path: Path, halgorithm: Halgorithm, checker: Checker) -> None:
    given = {"documents": LEASE, "answer": ANSWER, "label": "supported"}
    notice = {**given, "question": "How long is the notice period?"}
    trial = {**given, "question": QUESTION, "label": "unsupported"}
    path = tmp_path / "golden.jsonl"
    # The same answer to three questions, one of them unknown: three rows.
    path.write_text("\n".join(map(json.dumps, [given, notice, trial])))
    read = rows.read(path)
    assert [found.right for found in evaluate(read, halgorithm).outcomes] == [True] * 3
    for row in read:
        assert_golden(row, checker)
    path.write_text(json.dumps({**given, "question": 7}))
    with pytest.raises(halgo.GoldenError, match="line 1: question must be a text, not int"):
        rows.read(path)


# --- many answers -------------------------------------------------------------------------------

TABLE = [
    {"id": "a", "answer": ANSWER, "question": QUESTION},
    {"id": "b", "answer": ANSWER, "question": None},
]


def verdicts(checker: Checker, given: Iterator[Row] | list[Row]) -> list[bool | None]:
    found = [
        pair for batch in RowChecker(checker.halgorithm, checker)(list(given)) for pair in batch
    ]
    return [outcome.grounded for _, outcome in found if not isinstance(outcome, str)]


@pytest.mark.parametrize("name", [None, "asked"])
@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet"])
def test_rows_of_files(tmp_path: Path, checker: Checker, kind: str, name: str | None) -> None:
    path = tmp_path / f"answers.{kind}"
    table = [
        {"id": one["id"], "answer": ANSWER, name or "question": one["question"]} for one in TABLE
    ]
    if kind == "jsonl":
        path.write_text("\n".join(map(json.dumps, table)))
    elif kind == "csv":
        lines = [",".join(one[key] or "" for key in one) for one in table]
        path.write_text("\n".join([",".join(table[0]), *lines]))
    else:
        arrow = pytest.importorskip("pyarrow")
        parquet = pytest.importorskip("pyarrow.parquet")
        parquet.write_table(arrow.Table.from_pylist(table), path)
    columns = Columns(question=name)
    assert verdicts(checker, rows_of(files_of([path]), columns)) == [False, True]
    if kind != "jsonl":
        with pytest.raises(halgo.DocumentError, match=r"no column 'questoin'.*--question-column"):
            list(rows_of([path], Columns(question="questoin")))


def test_a_row_whose_question_is_no_text_is_an_error_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps({"answer": ANSWER, "question": {"text": "secret"}}))
    (row,) = rows_of([path], Columns())
    assert (row.text, row.error) == (None, "line 1: the question must be a text, not dict")


def test_answers_of_which_one_fails_keep_their_questions(
    monkeypatch: pytest.MonkeyPatch, checker: Checker
) -> None:
    def fail(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Checker, "check_many", fail)
    monkeypatch.setattr(Checker, "check", lambda self, answer, question: question)
    (found,) = RowChecker(checker.halgorithm, checker)([Row(0, "a", ANSWER, question=QUESTION)])
    assert found[0][1] == QUESTION


def test_a_table_in_memory(checker: Checker) -> None:
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(TABLE)
    assert halgo.frame(table, checker)["grounded"].tolist() == [False, True]
    other = table.rename(columns={"question": "asked"})
    assert halgo.frame(other, checker)["grounded"].tolist() == [True, True]
    assert halgo.frame(other, checker, question="asked")["grounded"].tolist() == [False, True]
    with pytest.raises(ValueError, match=r"question='\.\.\.' names one"):
        halgo.frame(other, checker, question="questoin")


# --- the command line ---------------------------------------------------------------------------

QUICK = ["--embedder", "lexical", "--entailment", "none"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("lease.txt").write_text(LEASE)
    Path("answer.txt").write_text(ANSWER)
    return tmp_path


def ran(*words: str, stdin: str | None = None) -> Any:
    return CliRunner().invoke(app, [*words, "--docs", "lease.txt", *QUICK], input=stdin)


def test_halgo_check_takes_a_question(folder: Path, asked: Any) -> None:
    question, grounded = asked
    words = [] if question is None else ["--question", question]
    assert ran("check", "answer.txt", *words).exit_code == (0 if grounded else 1)
    shown = ran("check", "answer.txt", "--gate", "strip-unsupported", *words)
    assert shown.exit_code == (0 if grounded else 1)
    assert ran("check", "-", *words, stdin=ANSWER).exit_code == (0 if grounded else 1)


def test_halgo_check_of_several_answers_takes_a_question_from_each_line(folder: Path) -> None:
    lines = "\n".join(map(json.dumps, TABLE)) + "\n"
    Path("answers.jsonl").write_text(lines)
    for found in (
        ran("check", "answers.jsonl", "-f", "jsonl"),
        ran("check", "--stdin-jsonl", stdin=lines),
    ):
        assert found.exit_code == 1
        told = [json.loads(line) for line in found.stdout.splitlines()]
        assert [one["passes"] for one in told] == [False, True]
    for words in (["answers.jsonl"], ["answer.txt", "lease.txt"], ["--stdin-jsonl"]):
        refused = ran("check", *words, "--question", QUESTION, stdin=lines)
        assert refused.exit_code == 2
        assert 'each JSON line its own "question"' in " ".join(refused.stderr.split())
    bad = ran("check", "--stdin-jsonl", stdin='{"answer": "x", "question": 7}\n')
    assert "the question must be a text, not int" in bad.stderr


def test_halgo_judge_takes_a_question(folder: Path, asked: Any) -> None:
    question, grounded = asked
    words = [] if question is None else ["--question", question]
    found = json.loads(ran("judge", "answer.txt", "-f", "json", *words).stdout)
    assert found["claims"][0]["found_in_source"] is grounded


# --- agents -------------------------------------------------------------------------------------


def test_what_an_agent_says_last_answers_the_last_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [
        {"role": "user", "content": "Hello!"},
        {"role": "assistant", "content": "Hello."},
        {"role": "user", "content": "What is the total of order 7?"},
        {
            "role": "assistant",
            "tool_calls": [{"id": "c1", "function": {"name": "get_order", "arguments": "{}"}}],
        },
        {"role": "tool", "tool_call_id": "c1", "content": '{"order": {"id": 7, "total": "£300"}}'},
        {"role": "assistant", "content": "£310."},
    ]
    read = transcript.parse(map(json.dumps, lines))
    assert read.asked == "What is the total of order 7?"
    assert read.asked not in repr(read)
    sent: list[Any] = []
    monkeypatch.setattr(grounding, "_posted", lambda *given: sent.append(given[-1]) or {})
    grounding.at_server("http://localhost:8765")(read)
    assert sent[0]["question"] == read.asked
    (found,) = grounding.here(read)
    assert found.verdict is Verdict.CONTRADICTION
