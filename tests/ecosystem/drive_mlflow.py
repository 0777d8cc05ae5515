"""MLflow: `Scorer.run`, by which `mlflow.genai.evaluate` calls a scorer for each row."""

from __future__ import annotations

import json

from mlflow.entities import Feedback
from seen import Seen

from halgo.integrations.mlflow import Groundedness


def make() -> Groundedness:
    return Groundedness()


def shown(found: Feedback) -> Seen:
    told = {key: json.loads(value) for key, value in found.metadata.items() if key == "claims"}
    passed = None if found.error else found.value == 1
    return Seen(found.value, passed, found.rationale, told["claims"])


def run(scorer: Groundedness, answer: str, contexts: list[str], question: str = "?") -> Seen:
    found = scorer.run(
        inputs={"question": question}, outputs={"answer": answer, "contexts": contexts}
    )
    return shown(found)
