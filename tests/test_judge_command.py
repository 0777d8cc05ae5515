"""`halgo judge`: what it prints, and its exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from halgo.adapters import cli

CONTRACT = (
    "Acme Ltd shall pay invoices within thirty (30) days of receipt. "
    "A late fee of 1.5% per month applies to overdue invoices."
)
RIGHT = "A late fee of 1.5% per month applies to overdue invoices."
WRONG = "A late fee of 5% per month applies to overdue invoices."


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "contract.md").write_text(CONTRACT, encoding="utf-8")
    (tmp_path / "empty.md").write_text("", encoding="utf-8")
    for name, text in (("right", RIGHT), ("wrong", WRONG), ("hello", "Hello!")):
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    return tmp_path


def judge(files: Path, answer: str, *rest: str, docs: str = "contract.md") -> int:
    return cli.main(
        ["judge", str(files / answer), "--docs", str(files / docs), "--embedder", "lexical", *rest]
    )


@pytest.mark.models
def test_a_right_answer_may_be_returned(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert judge(files, "right.txt") == 0
    out, err = capsys.readouterr()
    assert out.startswith("The answer may be returned.\nConfidence 1.00. Found 1 supported,")
    assert f"contract.md: “{RIGHT}”" in out and not err


@pytest.mark.models
def test_a_wrong_one_may_not_and_the_text_says_why(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert judge(files, "wrong.txt") == 1
    out, _ = capsys.readouterr()
    assert out.startswith("The answer is hallucinated: do not return it.\nConfidence 0.20.")
    assert "1. CONTRADICTED (quantitative)" in out and "why: The claim says 5%" in out


@pytest.mark.models
def test_json_has_the_published_keys_and_full_has_more(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert judge(files, "wrong.txt", "--format", "json", "--contradicted-weight", "0.4") == 1
    told = json.loads(capsys.readouterr().out)
    assert told["confidence_score"] == 0.6 and "state" not in told
    assert judge(files, "wrong.txt", "-f", "json", "--full") == 1
    told = json.loads(capsys.readouterr().out)
    assert told["state"] == "assessed" and told["claims"][0]["quotes"]


@pytest.mark.models
def test_where_nothing_was_assessed_the_code_says_so(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert judge(files, "hello.txt") == 4
    assert judge(files, "right.txt", docs="empty.md") == 4
    assert "No source holds any text." in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ["judge", "answer.txt"],
        ["judge", "answer.txt", "--docs", "a", "--index", "b"],
        ["judge", "no-such-file.txt", "--docs", "a"],
        ["judge", "answer.txt", "--docs", "a", "--cut", "2"],
        ["judge", "answer.txt", "--docs", "a", "--unsupported-weight", "-1"],
        ["judge", "answer.txt", "--docs", "a", "--weak-is", "maybe"],
        ["judge", "answer.txt", "--docs", "a", "--full"],
    ],
)
def test_wrong_usage_is_one_message(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(arguments) == 2
    out, err = capsys.readouterr()
    assert not out and err.startswith("halgo: ")
