"""LlamaIndex: an evaluator for responses and their contexts, or for a query engine's `Response`.

What was not assessed is an invalid result that says why, with neither score nor verdict.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from halgo.integrations.common import Grounding, needs

with needs("llama_index"):
    from llama_index.core.evaluation import BaseEvaluator, EvaluationResult

if TYPE_CHECKING:
    from halgo.checker import Checker
    from halgo.config import Config


class GroundednessResult(EvaluationResult):
    """LlamaIndex's result, with the label and one record a claim."""

    label: str
    claims: list[dict[str, Any]]


class GroundednessEvaluator(BaseEvaluator):
    """The share of claims in the response that the contexts support; passes where all are."""

    def __init__(
        self, against: Checker | str | Path | None = None, config: Config | None = None
    ) -> None:
        self._grounding = Grounding(against, config)

    def _get_prompts(self) -> dict[str, Any]:
        return {}

    def _update_prompts(self, prompts_dict: dict[str, Any]) -> None:
        """There are none."""

    async def aevaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[str] | None = None,
        **_: Any,
    ) -> GroundednessResult:
        """The result for one response, as an answer to the query."""
        found = await asyncio.to_thread(self._grounding, response, contexts, query)
        return GroundednessResult(
            query=query,
            response=response,
            contexts=contexts,
            passing=found.passed,
            score=found.score,
            feedback=found.reason,
            invalid_result=not found.assessed,
            invalid_reason=None if found.assessed else found.reason,
            label=found.label,
            claims=list(found.records),
        )
