"""pydantic-evals: an evaluator that gives a score, a label and an assertion for each case.

Where nothing was assessed there is the label alone: "refusal", "no_sources" ...
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from halgo import __version__
from halgo.integrations.common import needs
from halgo.integrations.row_fields import Rows

with needs("pydantic_evals"):
    from pydantic_evals.evaluators import EvaluationReason, Evaluator, EvaluatorContext


@dataclass(repr=False)
class Groundedness(Evaluator[Any, Any, Any]):
    """`groundedness` is the share of supported claims, `grounded` says whether all are.

    The contexts are looked for in the output, the case's metadata, then its inputs.
    answer, contexts, question: keys, as for `halgo.integrations.row_fields.Rows`; against: a saved
    index.
    """

    against: str | Path | None = None
    answer: str | None = None
    contexts: str | None = None
    question: str | None = None

    async def evaluate(self, ctx: EvaluatorContext[Any, Any, Any]) -> dict[str, EvaluationReason]:
        """The results for one case."""
        rows = Rows(
            self.against, answer=self.answer, contexts=self.contexts, question=self.question
        )
        found = await asyncio.to_thread(
            rows.outcome, ctx.output, ctx.metadata, ctx.inputs, inputs=ctx.inputs
        )
        told = {"groundedness_label": EvaluationReason(found.label, found.reason)}
        if found.score is not None and found.passed is not None:
            told["groundedness"] = EvaluationReason(found.score, found.reason)
            told["grounded"] = EvaluationReason(found.passed, found.reason)
        return told

    def get_evaluator_version(self) -> str:
        """The version of halgo, so that results of another are told apart."""
        return __version__
