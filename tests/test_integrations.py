"""What adapters to frameworks share, and those that need no framework to be tried.

The others are run with their frameworks: make test-ecosystem.
"""

from __future__ import annotations

import json
import pickle
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from halgo import Checker, Config, Document
from halgo.errors import MissingDependencyError
from halgo.integrations.common import Grounding, needs
from halgo.integrations.contexts import question_of, sources
from halgo.integrations.langsmith import Groundedness
from halgo.integrations.promptfoo import get_assert
from halgo.integrations.row_fields import Rows
from halgo.types import State

pytestmark = pytest.mark.models

SOURCES = ["A late fee of 1.5% per month applies.", "Payment is due within thirty (30) days."]
GROUNDED = "Payment is due within 30 days."
CONTRADICTED = "Payment is due within 30 days. The late fee is 5% per month."
REFUSAL = "I don't have enough information to answer."


# --- outcomes -----------------------------------------------------------------------------------


def test_the_score_is_the_share_of_supported_claims() -> None:
    found = Grounding()(CONTRADICTED, SOURCES)
    assert (found.score, found.label, found.passed) == (0.5, "contradiction", False)
    assert "The claim says 5%; the source says 1.5%." in found.reason
    assert "\n" not in found.reason


@pytest.mark.parametrize(
    ("answer", "contexts", "state"),
    [
        (REFUSAL, SOURCES, State.REFUSAL),
        ("", SOURCES, State.EMPTY),
        (None, SOURCES, State.EMPTY),
        ("Hello there!", SOURCES, State.NO_CLAIMS),
        (GROUNDED, [], State.NO_SOURCES),
        (GROUNDED, None, State.NO_SOURCES),
        (GROUNDED, ["", None], State.NO_SOURCES),
    ],
)
def test_what_was_not_assessed_has_no_score_and_does_not_pass(
    answer: str | None, contexts: Any, state: State
) -> None:
    found = Grounding()(answer, contexts)
    assert (found.score, found.passed, found.assessed) == (None, None, False)
    assert found.label == state.value
    assert found.reason


@pytest.mark.parametrize("answer", [GROUNDED, CONTRADICTED, REFUSAL, ""])
def test_what_frameworks_store_is_json_and_holds_no_nan(answer: str) -> None:
    found = Grounding()(answer, SOURCES)
    told = json.loads(json.dumps(found.metadata(), allow_nan=False))
    assert told["state"] == found.report.state.value
    assert len(told["claims"]) == len(found.report.results)


def test_a_record_points_into_answer_and_source() -> None:
    record = Grounding()(CONTRADICTED, [{"text": SOURCES[0], "source": "contract.md"}]).records[1]
    assert CONTRADICTED[slice(*record["span"])] == record["claim"]
    assert SOURCES[0][slice(*record["source_span"])] == record["passage"] == SOURCES[0]
    assert (record["source"], record["verdict"]) == ("contract.md", "CONTRADICTION")


def test_a_reason_names_no_more_than_five_claims_and_cuts_long_ones() -> None:
    answer = " ".join(f"The late fee is {n}% per month{' or so' * 99}." for n in range(2, 10))
    reason = Grounding()(answer, SOURCES).reason
    assert reason.endswith("| and 3 more")
    assert len(reason) < 1500


def test_settings_reach_the_check() -> None:
    strict = Grounding(config=Config(threshold=1.0, support_threshold=1.0))
    assert strict(GROUNDED, SOURCES).passed is False


# --- sources ------------------------------------------------------------------------------------


@dataclass
class Retrieved:
    page_content: str
    metadata: dict[str, str] = field(default_factory=dict)


@pytest.mark.parametrize(
    "contexts",
    [
        SOURCES[0],
        (SOURCES[0],),
        iter(SOURCES[:1]),
        {"text": SOURCES[0]},
        {"page_content": SOURCES[0], "metadata": {"source": "a.md"}},
        Retrieved(SOURCES[0], {"source": "a.md"}),
        [Retrieved(SOURCES[0])],
        Document("a", SOURCES[0], "a.md"),
    ],
)
def test_contexts_come_in_the_shapes_of_many_frameworks(contexts: Any) -> None:
    assert Grounding()("A late fee of 1.5% per month applies.", contexts).passed


def test_a_context_keeps_the_name_of_its_source() -> None:
    (found,) = sources([Retrieved("The fee is 5%.", {"file_path": "fees.md"})])
    assert found == {"text": "The fee is 5%.", "source": "fees.md"}


@pytest.mark.parametrize("contexts", [7, [7], [object()]])
def test_a_context_without_text_is_refused(contexts: Any) -> None:
    with pytest.raises(TypeError, match="text"):
        sources(contexts)


def test_an_index_serves_answers_without_contexts_and_contexts_come_first(tmp_path: Path) -> None:
    checker = Checker.from_docs(SOURCES)
    checker.save(tmp_path / "fees.halgo")
    for against in (checker, str(tmp_path / "fees.halgo"), tmp_path / "fees.halgo"):
        assert Grounding(against)(GROUNDED).passed
        assert not Grounding(against)(GROUNDED, ["Payment is due within 90 days."]).passed


def test_an_index_that_was_written_anew_is_read_anew(tmp_path: Path) -> None:
    grounding = Grounding(tmp_path / "fees.halgo")
    for text, grounded in ((GROUNDED, True), ("Payment is due within 90 days.", False)):
        Checker.from_docs(text).save(tmp_path / "fees.halgo")
        assert grounding(GROUNDED).passed is grounded


def test_grounding_is_pickled_with_a_path_and_refuses_with_a_checker(tmp_path: Path) -> None:
    checker = Checker.from_docs(SOURCES)
    checker.save(tmp_path / "fees.halgo")
    again = pickle.loads(pickle.dumps(Grounding(tmp_path / "fees.halgo")))
    assert again(GROUNDED).passed
    with pytest.raises(TypeError, match="give that path instead"):
        pickle.dumps(Grounding(checker))


def test_sources_met_again_are_not_read_again() -> None:
    grounding = Grounding()
    assert grounding.checker(SOURCES) is grounding.checker(list(SOURCES))


# --- questions ----------------------------------------------------------------------------------

LEASE = ["The notice period is 60 days.", "The trial period is 30 days."]
SHORT = "60 days."
QUESTION = "How long is the trial period?"


@dataclass
class Message:
    type: str
    content: Any


@pytest.mark.parametrize(
    "given",
    [
        QUESTION,
        {"question": QUESTION, "language": "English"},
        {"query": QUESTION, "input": "x"},
        {"user_input": QUESTION},
        {"input": {"question": QUESTION}},
        {"topic": QUESTION, "top_k": 3},
        [{"role": "user", "content": QUESTION}, {"role": "assistant", "content": SHORT}],
        {"messages": [{"role": "user", "content": [{"type": "text", "text": QUESTION}]}]},
        [Message("human", "Hello!"), Message("ai", "Hello!"), Message("human", QUESTION)],
    ],
)
def test_a_question_comes_in_the_shapes_of_many_frameworks(given: Any) -> None:
    assert question_of(given) == QUESTION
    assert Grounding()(SHORT, LEASE).passed is True
    assert Grounding()(SHORT, LEASE, given).passed is False


@pytest.mark.parametrize(
    "given",
    [
        None,
        7,
        {},
        {"topic": QUESTION, "language": "English"},
        {"document": "word " * 400},
        {"question": None},
        {"question": 7},
        [],
        [QUESTION],
        [{"role": "assistant", "content": QUESTION}],
        [{"role": "user", "content": None}],
    ],
)
def test_what_may_be_no_question_is_none(given: Any) -> None:
    assert question_of(given) is None


def test_a_row_holds_its_question_in_its_inputs() -> None:
    row = {"answer": SHORT, "contexts": LEASE}
    assert Rows().outcome(row, inputs={"question": QUESTION}).passed is False
    assert Rows().outcome(row, inputs={"asked": QUESTION, "to": "us"}).passed is True
    named = Rows(question="asked")
    assert named.outcome(row, inputs={"asked": QUESTION, "to": "us"}).passed is False
    # Neither contexts nor the answer are taken for a question because they stand alone.
    for inputs in ({"context": QUESTION}, {"answer": QUESTION}):
        assert Rows().outcome(row, inputs=inputs).passed is True


def test_langsmith_and_promptfoo_hand_over_the_question() -> None:
    row = {"answer": SHORT, "contexts": LEASE}
    for question, score in (("Hello!", 1.0), (QUESTION, 0.0)):
        told = Groundedness()(outputs=row, inputs={"question": question})
        assert told["score"] == score
        assert question not in json.dumps(told["metadata"])
        given = {"vars": {"answer": SHORT, "contexts": LEASE, "question": question}}
        assert get_assert(SHORT, given)["score"] == score
        given["config"] = {"question": "asked"}
        assert get_assert(SHORT, given)["score"] == 1


# --- rows ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("output", "other"),
    [
        (GROUNDED, {"contexts": SOURCES}),
        ({"answer": GROUNDED, "contexts": SOURCES}, None),
        ({"output": GROUNDED}, {"retrieved_contexts": SOURCES}),
        ({"response": GROUNDED, "contexts": None}, {"documents": SOURCES}),
    ],
)
def test_answer_and_contexts_are_found_under_the_usual_names(output: Any, other: Any) -> None:
    assert Rows().outcome(output, other).passed


def test_names_of_ones_own_come_instead_of_the_usual_ones() -> None:
    rows = Rows(answer="reply", contexts="found")
    assert rows.outcome({"reply": GROUNDED, "answer": "x", "found": SOURCES}).passed


def test_a_row_without_an_answer_is_an_error_that_names_what_is_there() -> None:
    with pytest.raises(ValueError, match=r"tried answer.*there is \['reply'\].*answer='\.\.\.'"):
        Rows().outcome({"reply": GROUNDED}, {"contexts": SOURCES})
    with pytest.raises(ValueError, match="no answer found"):
        Rows().outcome(7, {"contexts": SOURCES})


def test_a_row_without_contexts_is_not_assessed_and_says_where_they_were_looked_for() -> None:
    found = Rows().outcome({"answer": GROUNDED, "docs": SOURCES})
    assert found.score is None
    assert "tried contexts, context" in found.reason


# --- frameworks ---------------------------------------------------------------------------------


def test_a_missing_framework_is_named_with_what_brings_it() -> None:
    with (
        pytest.raises(MissingDependencyError, match=r"pip install 'halgo\[inspect-ai\]'"),
        needs("inspect_ai"),
    ):
        raise ImportError("No module named 'inspect_ai'")


def test_langsmith_gets_a_number_in_score_and_a_word_in_value() -> None:
    row = {"answer": GROUNDED, "contexts": SOURCES}
    found = Groundedness()(outputs=row)
    assert (found["key"], found["score"], found["value"]) == ("groundedness", 1.0, "supported")
    refused = Groundedness()(outputs={**row, "answer": REFUSAL})
    assert (refused["score"], refused["value"]) == (None, "refusal")


def test_promptfoo_gets_a_component_a_claim_and_no_pass_without_assessment() -> None:
    given = {"vars": {"context": SOURCES}}
    found = get_assert(CONTRADICTED, given)
    assert (found["pass"], found["score"]) == (False, 0.5)
    assert [one["pass"] for one in found["componentResults"]] == [True, False]
    assert get_assert(CONTRADICTED, {**given, "config": {"threshold": 0.5}})["pass"]
    refused = get_assert(REFUSAL, {**given, "config": {"threshold": 0}})
    assert (refused["pass"], refused["score"], refused["namedScores"]) == (False, 0.0, {})
