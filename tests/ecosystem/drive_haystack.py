"""Haystack: the component in a pipeline that was saved and loaded."""

from __future__ import annotations

from typing import Any

from haystack import Pipeline
from seen import Seen

from halgo.integrations.haystack import GroundednessEvaluator


def make() -> GroundednessEvaluator:
    return GroundednessEvaluator()


def pipeline(component: GroundednessEvaluator) -> Pipeline:
    made = Pipeline()
    made.add_component("groundedness", component)
    return Pipeline.loads(made.dumps(), allowed_modules=["halgo.integrations.haystack"])


def given(answer: str, contexts: list[str], question: str = "?") -> dict[str, Any]:
    row = {"questions": [question], "contexts": [contexts], "predicted_answers": [answer]}
    return {"groundedness": row}


def shown(output: dict[str, Any]) -> Seen:
    found = output["groundedness"]
    (result,) = found["results"]
    assert found["individual_scores"] == [found["score"]] == [result["score"]]
    passed = result["score"] == 1 if result["status"] == "evaluated" else None
    return Seen(found["score"], passed, result["reason"], result["claims"])


def run(
    component: GroundednessEvaluator, answer: str, contexts: list[str], question: str = "?"
) -> Seen:
    return shown(pipeline(component).run(given(answer, contexts, question)))


async def arun(component: GroundednessEvaluator, answer: str, contexts: list[str]) -> Seen:
    return shown(await pipeline(component).run_async(given(answer, contexts)))
