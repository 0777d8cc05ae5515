"""Langfuse: `run_experiment` over one local item."""

from __future__ import annotations

from typing import Any

from langfuse import Langfuse
from seen import Seen

from halgo.integrations.langfuse import Groundedness


def make() -> Groundedness:
    return Groundedness()


def run(evaluator: Groundedness, answer: str, contexts: list[str], question: str = "?") -> Seen:
    def task(*, item: Any, **_: Any) -> dict[str, Any]:
        return {"answer": answer, "contexts": contexts}

    client = Langfuse(
        public_key="none", secret_key="none", base_url="http://127.0.0.1:9", tracing_enabled=False
    )
    result = client.run_experiment(
        name="halgo", data=[{"input": {"question": question}}], task=task, evaluators=[evaluator]
    )
    found = {one.name: one for one in result.item_results[0].evaluations}
    label = found["groundedness_label"]
    score = found["groundedness"].value if "groundedness" in found else None
    passed = None if score is None else label.value == "supported"
    return Seen(score, passed, label.comment, label.metadata["claims"])
