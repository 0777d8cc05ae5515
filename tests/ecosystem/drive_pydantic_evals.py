"""pydantic-evals: a dataset of one case."""

from __future__ import annotations

from typing import Any

from pydantic_evals import Case, Dataset
from pydantic_evals.reporting import EvaluationReport
from seen import Seen

from halgo.integrations.pydantic_evals import Groundedness

SHOWS_CLAIMS = False  # a result is a value and a reason


def make() -> Groundedness:
    return Groundedness()


def dataset(
    evaluator: Groundedness, contexts: list[str], question: str = "?"
) -> Dataset[Any, Any, Any]:
    case = Case(name="one", inputs=question, metadata={"contexts": contexts})
    return Dataset(name="one", cases=[case], evaluators=[evaluator])


def shown(report: EvaluationReport[Any, Any, Any]) -> Seen:
    case = report.cases[0]
    assert case.evaluator_failures == []
    score = case.scores.get("groundedness")
    passed = case.assertions.get("grounded")
    return Seen(
        score and score.value, passed and passed.value, case.labels["groundedness_label"].reason
    )


def run(evaluator: Groundedness, answer: str, contexts: list[str], question: str = "?") -> Seen:
    def task(inputs: str) -> str:
        return answer

    return shown(dataset(evaluator, contexts, question).evaluate_sync(task, progress=False))


async def arun(evaluator: Groundedness, answer: str, contexts: list[str]) -> Seen:
    async def task(inputs: str) -> str:
        return answer

    return shown(await dataset(evaluator, contexts).evaluate(task, progress=False))
