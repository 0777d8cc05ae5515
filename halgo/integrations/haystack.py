"""Haystack 3: a component with the inputs and outputs of its `FaithfulnessEvaluator`.

What was not assessed has the status "not_assessed" and the score None; no mean counts it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from halgo.config import Config
from halgo.integrations.common import Grounding, Outcome, needs

with needs("haystack"):
    from haystack import component, default_from_dict, default_to_dict


@component
class GroundednessEvaluator:
    """The share of claims in each answer that its contexts support.

    against: the path of a saved index, for answers without contexts. config: a Config or its dict.
    """

    def __init__(
        self, against: str | None = None, config: Config | Mapping[str, Any] | None = None
    ) -> None:
        self.config = Config.from_dict(config) if isinstance(config, Mapping) else config
        self.against = against
        self._grounding = Grounding(against, self.config)

    def warm_up(self) -> None:
        """Loads the models."""
        self._grounding("Paper is made of wood.", ["Paper is made of wood."])

    @component.output_types(
        score=float | None, individual_scores=list[float | None], results=list[dict[str, Any]]
    )
    def run(
        self, questions: list[str], contexts: list[list[str]], predicted_answers: list[str]
    ) -> dict[str, Any]:
        """Score of all (None when none was assessed), of each, and the claims of each."""
        rows = zip(questions, contexts, predicted_answers, strict=True)
        results = [_result(self._grounding(answer, found, asked)) for asked, found, answer in rows]
        scores = [result["score"] for result in results]
        assessed = [score for score in scores if score is not None]
        mean = sum(assessed) / len(assessed) if assessed else None
        return {"score": mean, "individual_scores": scores, "results": results}

    @component.output_types(
        score=float | None, individual_scores=list[float | None], results=list[dict[str, Any]]
    )
    async def run_async(
        self, questions: list[str], contexts: list[list[str]], predicted_answers: list[str]
    ) -> dict[str, Any]:
        """`run` in a worker thread."""
        return await asyncio.to_thread(self.run, questions, contexts, predicted_answers)

    def to_dict(self) -> dict[str, Any]:
        """The component as plain values."""
        config = None if self.config is None else self.config.to_dict()
        return default_to_dict(self, against=self.against, config=config)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> GroundednessEvaluator:
        """The component of such values."""
        return default_from_dict(cls, data)


def _result(found: Outcome) -> dict[str, Any]:
    return {
        "statements": [record["claim"] for record in found.records],
        "statement_scores": [int(record["supported"]) for record in found.records],
        "score": found.score,
        "status": "evaluated" if found.assessed else "not_assessed",
        "reason": found.reason,
        **found.metadata(),
    }
