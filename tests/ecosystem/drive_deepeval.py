"""DeepEval: `evaluate` of one test case with the metric, and the metric's own `a_measure`."""

from __future__ import annotations

from typing import Any

from deepeval import evaluate
from deepeval.evaluate import AsyncConfig, CacheConfig, DisplayConfig
from deepeval.test_case import LLMTestCase, RetrievedContextData
from seen import Seen

from halgo.integrations.deepeval import GroundednessMetric


def make() -> GroundednessMetric:
    return GroundednessMetric()


def case(answer: str, contexts: list[str], question: str = "?") -> LLMTestCase:
    first = [RetrievedContextData(context=c, source="contract") for c in contexts[:1]]
    return LLMTestCase(input=question, actual_output=answer, retrieval_context=first + contexts[1:])


def shown(metric: GroundednessMetric) -> Seen:
    passed = None if metric.error else metric.is_successful()
    claims = metric.score_breakdown["claims"]
    return Seen(metric.score, passed, metric.reason or "", claims)


def run(metric: GroundednessMetric, answer: str, contexts: list[str], question: str = "?") -> Seen:
    metric.measure(case(answer, contexts, question))
    return shown(metric)


async def arun(metric: GroundednessMetric, answer: str, contexts: list[str]) -> Seen:
    await metric.a_measure(case(answer, contexts), _show_indicator=False)
    return shown(metric)


def whole_run(metric: GroundednessMetric, answer: str, contexts: list[str]) -> Any:
    """`evaluate`, as in a script; it works on copies of the metric."""
    return evaluate(
        [case(answer, contexts)],
        metrics=[metric],
        async_config=AsyncConfig(run_async=True),
        cache_config=CacheConfig(write_cache=False),
        display_config=DisplayConfig(show_indicator=False, print_results=False),
    )
