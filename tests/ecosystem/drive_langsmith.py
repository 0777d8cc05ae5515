"""LangSmith: `evaluate` of a target over examples, nothing uploaded."""

from __future__ import annotations

import uuid
from typing import Any

from langsmith import Client, RunTree, evaluate
from langsmith.evaluation import EvaluationResult, run_evaluator
from langsmith.schemas import Example
from seen import Seen

from halgo.integrations.langsmith import Groundedness


def make() -> Groundedness:
    return Groundedness()


def client() -> Client:
    return Client(api_url="http://127.0.0.1:9", api_key="none", auto_batch_tracing=False)


def example(question: str = "?") -> Example:
    return Example(
        id=uuid.UUID(int=1), dataset_id=uuid.UUID(int=2), inputs={"question": question}, outputs={}
    )


def shown(rows: list[Any]) -> Seen:
    (found,) = rows[0]["evaluation_results"]["results"]
    assert isinstance(found, EvaluationResult)
    passed = None if found.score is None else found.value == "supported"
    return Seen(found.score, passed, found.comment, found.metadata["claims"])


def run(evaluator: Groundedness, answer: str, contexts: list[str], question: str = "?") -> Seen:
    return shown(
        list(
            evaluate(
                lambda inputs: {"answer": answer, "contexts": contexts},
                data=[example(question)],
                evaluators=[evaluator],
                client=client(),
                upload_results=False,
            )
        )
    )


async def arun(evaluator: Groundedness, answer: str, contexts: list[str]) -> Seen:
    # Not `aevaluate`: of langsmith 0.15 it opens connections though nothing is to be uploaded.
    given = RunTree(name="target", outputs={"answer": answer, "contexts": contexts})
    found = await run_evaluator(evaluator).aevaluate_run(given, example())
    return shown([{"evaluation_results": {"results": [found]}}])
