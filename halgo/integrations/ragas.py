"""ragas 0.4: a metric for `response` and `retrieved_contexts`, for `ascore` and experiments.

Where nothing was assessed `value` is None, never 1 and never NaN, and `reason` says why.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from halgo.integrations.common import Grounding, needs

with needs("ragas"):
    from ragas.metrics.collections.base import BaseMetric
    from ragas.metrics.result import MetricResult

if TYPE_CHECKING:
    from halgo.checker import Checker
    from halgo.config import Config


class Groundedness(BaseMetric):
    """The share of claims in the response that its contexts support; `traces` holds the claims."""

    def __init__(
        self,
        name: str = "groundedness",
        *,
        against: Checker | str | Path | None = None,
        config: Config | None = None,
    ) -> None:
        super().__init__(name=name)
        self._grounding = Grounding(against, config)

    async def ascore(
        self,
        response: str | None = None,
        retrieved_contexts: list[str] | None = None,
        user_input: Any = None,
        **_: Any,
    ) -> MetricResult:
        """The result for one response, as an answer to `user_input`."""
        found = await asyncio.to_thread(self._grounding, response, retrieved_contexts, user_input)
        given = {"response": response, "retrieved_contexts": retrieved_contexts}
        return MetricResult(found.score, found.reason, {"input": given, "output": found.metadata()})
