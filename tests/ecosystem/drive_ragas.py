"""ragas: `ascore`, and `score` where no event loop is running."""

from __future__ import annotations

from ragas.metrics.result import MetricResult
from seen import Seen

from halgo.integrations.ragas import Groundedness


def make() -> Groundedness:
    return Groundedness()


def shown(result: MetricResult) -> Seen:
    told = result.traces["output"]
    passed = None if result.value is None else result.value == 1
    return Seen(result.value, passed, result.reason, told["claims"])


def run(metric: Groundedness, answer: str, contexts: list[str], question: str = "?") -> Seen:
    return shown(metric.score(user_input=question, response=answer, retrieved_contexts=contexts))


async def arun(metric: Groundedness, answer: str, contexts: list[str]) -> Seen:
    (result,) = await metric.abatch_score([{"response": answer, "retrieved_contexts": contexts}])
    return shown(result)
