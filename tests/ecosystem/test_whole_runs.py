"""Runs over datasets: what was not assessed is in no mean, and no run passes on account of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from texts import GROUNDED, REFUSAL, SOURCES

ROWS = [GROUNDED, REFUSAL]


def test_deepeval_counts_a_refusal_as_an_error_and_fails_the_test() -> None:
    from deepeval import assert_test
    from drive_deepeval import case, make, whole_run

    good, refused = (whole_run(make(), answer, SOURCES).test_results[0] for answer in ROWS)
    assert good.success
    assert not refused.success
    (data,) = refused.metrics_data
    assert data.score is None
    assert data.error == ("Not assessed: Nothing was checked: the answer declines to answer.")
    assert_test(case(GROUNDED, SOURCES), [make()], run_async=False)
    with pytest.raises(AssertionError):
        assert_test(case(REFUSAL, SOURCES), [make()], run_async=False)


def test_deepeval_keeps_the_settings_of_a_metric_that_it_copies(tmp_path: Path) -> None:
    from drive_deepeval import whole_run

    from halgo import Checker
    from halgo.integrations.deepeval import GroundednessMetric

    Checker.from_docs(SOURCES).save(tmp_path / "fees.halgo")
    metric = GroundednessMetric(0.25, against=tmp_path / "fees.halgo")
    (found,) = whole_run(metric, GROUNDED, []).test_results[0].metrics_data
    assert (found.success, found.score, found.threshold) == (True, 1.0, 0.25)


@pytest.mark.parametrize(
    "answer",
    [
        "Payment is due within 30 days. The late fee is 5% per month.",
        "Payment is due within 30 days. A late fee of 1.5% per month applies. Bob lives in Bergen.",
        "Bob lives in Bergen.",
    ],
)
def test_deepevals_own_metric_passes_nothing_that_halgo_does_not(answer: str) -> None:
    from drive_deepeval_decider import case, make, metric

    for strict in (False, True):
        faithfulness = metric(make(), strict=strict)
        faithfulness.measure(case(answer, SOURCES), _show_indicator=False)
        assert not faithfulness.is_successful()


def test_deepevals_own_metric_in_strict_mode_gives_full_marks_to_a_grounded_answer() -> None:
    from drive_deepeval_decider import case, make, metric

    faithfulness = metric(make(), strict=True)
    assert faithfulness.measure(case(GROUNDED, SOURCES), _show_indicator=False) == 1


def test_the_decider_answers_claim_by_claim_as_hybrid_mode_asks() -> None:
    from deepeval.models.system_one.schema import NoulQuestion

    from halgo.integrations.deepeval_decider import Decider

    asked = "Is `claim` supported by the facts in `retrieval_context`? Answer no if it contradicts."
    claims = ["Payment is due within 30 days.", "The late fee is 5% per month."]
    questions = {
        text: NoulQuestion(instructions={"claim": text, "question": asked}) for text in claims
    }
    answers, cost = Decider().decide({"retrieval_context": SOURCES, "claims": claims}, questions)
    assert answers.nouls[claims[0]].probability > 0.6
    assert answers.nouls[claims[1]].probability == 0
    assert cost == 0


def test_the_decider_refuses_questions_that_are_not_of_grounding() -> None:
    from deepeval.errors import DeepEvalError
    from deepeval.models.system_one.schema import NoulQuestion

    from halgo.integrations.deepeval_decider import Decider

    state = {"test_case": {"actual_output": GROUNDED, "retrieval_context": SOURCES}}
    with pytest.raises(DeepEvalError, match="questions of grounding only"):
        Decider().decide(state, {"q": NoulQuestion(instructions="`actual_output` is polite.")})


def test_the_mean_of_haystack_is_over_what_was_assessed() -> None:
    from halgo.integrations.haystack import GroundednessEvaluator

    found = GroundednessEvaluator().run(["?", "?"], [SOURCES, SOURCES], ROWS)
    assert (found["score"], found["individual_scores"]) == (1.0, [1.0, None])
    assert [one["status"] for one in found["results"]] == ["evaluated", "not_assessed"]
    assert GroundednessEvaluator().run(["?"], [SOURCES], [REFUSAL])["score"] is None


def test_the_mean_of_trulens_is_over_what_was_assessed() -> None:
    from drive_trulens import make
    from trulens.core import BatchEvaluator

    rows = [{"answer": answer, "contexts": SOURCES, "question": "?"} for answer in ROWS]
    frame = BatchEvaluator(metrics=[make()]).evaluate(rows)
    assert (frame["groundedness"].count(), frame["groundedness"].mean()) == (1, 1.0)


def test_the_mean_of_inspect_is_over_what_was_assessed() -> None:
    from drive_inspect_ai import log, make, scored

    found = scored(make(), log(ROWS, SOURCES))
    (total,) = found.results.scores
    assert (total.scored_samples, total.unscored_samples) == (1, 1)
    assert total.metrics["mean"].value == 1.0
    assert [one.scores["groundedness"].reason for one in found.samples] == [None, "refusal"]


def test_mlflow_evaluates_a_dataset_and_reads_contexts_from_the_trace(tmp_path: Path) -> None:
    import mlflow
    from drive_mlflow import make

    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/mlflow.db")
    rows = [
        {"inputs": {"question": "?"}, "outputs": {"answer": answer, "contexts": SOURCES}}
        for answer in ROWS
    ]
    result = mlflow.genai.evaluate(data=rows, scorers=[make()])
    assert result.metrics["groundedness/mean"] == 1.0
    told = [one for row in result.result_df["assessments"] for one in row]
    errors = [one["feedback"].get("error") for one in told]
    assert sorted(bool(error) for error in errors) == [False, True]

    @mlflow.trace(span_type="RETRIEVER")
    def retrieve(question: str) -> list[dict[str, Any]]:
        return [{"page_content": text, "metadata": {"source": "contract"}} for text in SOURCES]

    @mlflow.trace
    def ask(question: str) -> str:
        retrieve(question)
        return GROUNDED

    ask("When is payment due?")
    trace = mlflow.get_trace(mlflow.get_last_active_trace_id(), flush=True)
    found = make().run(inputs={}, outputs=GROUNDED, trace=trace)
    assert found.value == 1
    assert json.loads(found.metadata["claims"])[0]["source"] == "contract"


def test_an_evaluator_of_openevals_has_the_same_keys() -> None:
    from openevals.exact import exact_match

    from halgo.integrations.langsmith import Groundedness

    theirs = exact_match(outputs="a", reference_outputs="a")
    ours = Groundedness()(outputs=GROUNDED, context=SOURCES)
    assert set(theirs) <= set(ours)
    assert ours["score"] == 1.0
