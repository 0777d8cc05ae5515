"""Phoenix: `evaluate_dataframe` over one row, and `async_evaluate_dataframe`."""

from __future__ import annotations

from typing import Any

import pandas
from phoenix.evals import async_evaluate_dataframe, evaluate_dataframe
from seen import Seen

from halgo.integrations.phoenix import Groundedness


def make() -> Groundedness:
    return Groundedness()


def frame(answer: str, contexts: list[str], question: str = "?") -> pandas.DataFrame:
    return pandas.DataFrame([{"input": question, "output": answer, "context": contexts}])


def shown(frame: pandas.DataFrame) -> Seen:
    found: dict[str, Any] = frame["groundedness_score"].iloc[0]
    passed = {"faithful": True, "unfaithful": False}.get(found["label"])
    return Seen(found.get("score"), passed, found["explanation"], found["metadata"]["claims"])


def run(evaluator: Groundedness, answer: str, contexts: list[str], question: str = "?") -> Seen:
    return shown(
        evaluate_dataframe(
            dataframe=frame(answer, contexts, question), evaluators=[evaluator], hide_tqdm_bar=True
        )
    )


async def arun(evaluator: Groundedness, answer: str, contexts: list[str]) -> Seen:
    given = frame(answer, contexts)
    return shown(
        await async_evaluate_dataframe(dataframe=given, evaluators=[evaluator], hide_tqdm_bar=True)
    )
