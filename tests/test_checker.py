"""From documents to a report, with a stand-in for the encoder and the real parser."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from halgo import Checker, Config, ConfigError, Halgorithm, State, Verdict, compare_to_docs

pytestmark = pytest.mark.models

CONTRACT = (
    'Acme Ltd (the "Client") shall pay invoices within thirty (30) days of receipt. '
    "A late fee of 1.5% per month applies to overdue invoices. "
    "Either party may terminate the agreement with 60 days' written notice."
)


@pytest.fixture(scope="module")
def checker() -> Checker:
    return Checker.from_docs([{"text": CONTRACT, "id": "contract", "source": "contract.md"}])


def test_the_contract_pair() -> None:
    wrong, right = compare_to_docs(
        CONTRACT, "The late fee is 5% per month. Payment is due within 30 days."
    )
    assert wrong["status"] == "CONTRADICTION" and "1.5%" in (wrong["message"] or "")
    # "Shall pay invoices within thirty (30) days" says it in other words: how surely is the
    # entailment model's to tell, but it is never wrong.
    assert right["status"] in ("SUPPORTED", "WEAK_SUPPORT")


@pytest.mark.parametrize("given", ["kb", "kb/", "./kb", "kb/fees.md"])
def test_a_path_that_is_there_given_as_a_text_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    (tmp_path / "kb").mkdir()
    (tmp_path / "kb" / "fees.md").write_text("The fee is 5%.")
    monkeypatch.chdir(tmp_path)
    halgorithm = Halgorithm(embedder="lexical", entailment=None)
    (warning,) = Checker.from_docs(given, halgorithm=halgorithm).warnings
    assert given in warning and "Checker.from_files" in warning
    for text in ("The fee is 5%.", "x" * 5_000, "a\0b"):
        assert Checker.from_docs(text, halgorithm=halgorithm).warnings == ()


def test_a_report_without_claims_is_true_all_the_same(checker: Checker) -> None:
    report = checker.check("Hello!")
    assert (len(report), bool(report)) == (0, True)


def test_a_result_has_every_published_key_first_and_in_order(checker: Checker) -> None:
    (result,) = checker.check("A late fee of 1.5% per month applies.").claim_dicts()
    published = [
        "claim_id",
        "type",
        "status",
        "claim",
        "score",
        "matched_source",
        "matched_chunk_id",
        "chunk_text",
        "unsupported_terms",
        "reason",
        "ai_numbers",
        "truth_numbers",
    ]
    assert list(result)[:12] == published
    assert result["matched_source"] == "contract.md" and result["matched_chunk_id"] is not None


def test_nothing_of_the_answer_disappears(checker: Checker) -> None:
    answer = (
        "# Fees\nHello! The late fee is 1.5% per month. Does that help? I searched the contract."
    )
    report = checker.check(answer)
    assert [r.claim.text for r in report] == ["The late fee is 1.5% per month."]
    assert [c.kind.value for c in report.skipped] == ["heading", "greeting", "question", "meta"]
    for claim in [r.claim for r in report] + list(report.skipped):
        assert claim.span.of(answer)


def test_the_callers_own_claims_are_neither_split_nor_skipped(checker: Checker) -> None:
    report = checker.check_claims(["Hello!", "The fee is 1.5%. Invoices are due in 30 days."])
    assert [r.claim.text for r in report] == [
        "Hello!",
        "The fee is 1.5%. Invoices are due in 30 days.",
    ]


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ("", State.EMPTY),
        (" \n\t", State.EMPTY),
        ("Hello! How can I help you?", State.NO_CLAIMS),
        ("I'm sorry, I don't have enough information to answer that.", State.REFUSAL),
        ("The fee is 1.5% per month.", State.ASSESSED),
    ],
)
def test_the_state_says_what_kind_of_answer_it_was(
    checker: Checker, answer: str, state: State
) -> None:
    report = checker.check(answer)
    assert report.state is state
    assert (report.grounded is None) == (state is not State.ASSESSED)
    assert (report.confidence is None) == (state is not State.ASSESSED)
    json.loads(report.to_json())


@pytest.mark.parametrize("make", [Checker.from_docs, Checker.from_files])
def test_without_sources_nothing_passes_and_nothing_is_assessed(
    make: Callable[[list[str]], Checker],
) -> None:
    report = make([]).check("The fee is 5%.")
    assert report.state is State.NO_SOURCES and report.grounded is None
    assert [(r.verdict, r.reason) for r in report] == [(Verdict.HALLUCINATION, "no_sources")]
    assert compare_to_docs([], "The fee is 5%.")[0]["status"] == "HALLUCINATION"


def test_other_thresholds_judge_the_same_findings_again(checker: Checker) -> None:
    report = checker.check("The late fee is 5% per month. Invoices are payable within 30 days.")
    assert report.rethreshold(0.30) == report
    strict = report.rethreshold(0.99, support_threshold=1.0)
    assert not any(r.verdict is Verdict.SUPPORTED for r in strict)
    assert (
        strict.results
        == checker.with_config(Config(threshold=0.99, support_threshold=1.0))
        .check(report.answer)
        .results
    )


@pytest.mark.parametrize("detectors", [(), ("dates",), ("numbers",)])
def test_other_settings_of_the_same_index_run_their_own_rules(
    checker: Checker, detectors: tuple[str, ...]
) -> None:
    config = Config(detectors=detectors)
    [found] = checker.with_config(config).check("The late fee is 5% per month.")
    assert (found.reason == "number_conflict") == ("numbers" in detectors)
    [before] = checker.check("The late fee is 5% per month.")
    assert before.reason == "number_conflict"


def test_settings_that_shape_the_index_are_refused_where_it_has_others(checker: Checker) -> None:
    with pytest.raises(ConfigError, match=r"sentences_per_chunk.*\(2, 1\).*\(3, 1\)"):
        checker.with_config(Config(sentences_per_chunk=3))
    with pytest.raises(TypeError, match="must be a Config"):
        checker.with_config({"top_k": 3})  # type: ignore[arg-type]


def test_the_same_input_gives_the_same_bytes(checker: Checker) -> None:
    answer = "Acme pays within 30 days. The fee is 5%. NASA wrote it in 1972."
    again = Checker.from_docs([{"text": CONTRACT, "id": "contract", "source": "contract.md"}])
    assert checker.check(answer).to_json() == again.check(answer).to_json()


def test_async_and_many_are_the_same_work(checker: Checker) -> None:
    answers = ["The fee is 1.5% per month.", "", "The notice period is 90 days."]
    single = [checker.check(answer).to_json() for answer in answers]
    assert [r.to_json() for r in checker.check_many(answers)] == single
    assert asyncio.run(checker.acheck(answers[0])).to_json() == single[0]


@pytest.mark.parametrize("wrong", [None, 5, b"bytes", ["a list"]])
def test_an_answer_that_is_no_string_is_a_type_error_with_its_type(
    checker: Checker, wrong: object
) -> None:
    with pytest.raises(TypeError, match=type(wrong).__name__):
        checker.check(wrong)  # type: ignore[arg-type]


def test_asking_again_about_the_same_documents_embeds_only_the_answer() -> None:
    class Counting:
        name, dim, texts = "counting", 8, 0

        def embed(self, texts):  # type: ignore[no-untyped-def]
            import numpy as np

            self.texts += len(texts)
            rows = np.array([[len(t) % (i + 2) + 1.0 for i in range(8)] for t in texts])
            rows = rows.reshape(len(texts), 8).astype(np.float32)
            return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)

    counting = Counting()
    halgorithm = Halgorithm(embedder=counting)
    halgorithm.compare_to_docs(CONTRACT, "The fee is 5%.")
    first = counting.texts
    halgorithm.compare_to_docs(CONTRACT, "The fee is 5%.")
    assert counting.texts - first <= 2
