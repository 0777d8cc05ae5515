"""The short answers are sound in form, and the command counts what the checker said of each."""

from __future__ import annotations

import json
from collections import Counter
from types import SimpleNamespace

from benchmarks import asked
from benchmarks.__main__ import main
from halgo import Checker
from halgo.types import Verdict

ROWS, DOCUMENTS = asked.load()


class Says:
    """A checker that supports every answer given with a question, and no other."""

    def check(self, answer: str, question: str | None = None) -> SimpleNamespace:
        verdict = Verdict.SUPPORTED if question else Verdict.WEAK_SUPPORT
        return SimpleNamespace(results=[SimpleNamespace(verdict=verdict, reason="", score=0.5)])


def test_each_document_is_of_one_part_and_has_as_many_true_answers_as_false_ones() -> None:
    assert {claimed.doc for claimed, _ in ROWS} <= set(DOCUMENTS)
    assert len({(claimed.doc, claimed.part) for claimed, _ in ROWS}) == 24
    found = Counter((claimed.doc, claimed.true) for claimed, _ in ROWS)
    assert set(found.values()) == {5}


def test_no_question_is_asked_twice_of_a_document() -> None:
    told = [(claimed.doc, question) for claimed, question in ROWS]
    assert len(told) == len(set(told)) and all(question.strip() for _, question in told)


def test_the_command_counts_what_was_said_with_the_question_and_without(
    tmp_path, capsys, monkeypatch
) -> None:
    monkeypatch.setattr(Checker, "from_docs", lambda *_, **__: Says())
    monkeypatch.setattr("halgo.Halgorithm", lambda config: SimpleNamespace(config=config))
    out = tmp_path / "asked.json"
    assert main(["asked", "--out", str(out)]) == 0
    parts = json.loads(out.read_text(encoding="utf-8"))["parts"]
    for part in ("seen", "unseen"):
        assert parts[part]["true"][0] == 1.0 and parts[part]["false"][0] == 0.0
        alone = parts[f"{part}, without its question"]
        assert alone["true"][0] == 0.0 and alone["false"][0] == 1.0
    assert "without its question" in capsys.readouterr().out


def test_an_answer_without_claims_is_not_supported() -> None:
    checker = SimpleNamespace(check=lambda *_: SimpleNamespace(results=[]))
    judged = asked.run(ROWS[:1], DOCUMENTS, lambda _: checker)
    assert [one.verdict for one in judged] == ["NO_CLAIMS", "NO_CLAIMS"]
