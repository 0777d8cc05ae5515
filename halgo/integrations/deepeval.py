"""DeepEval 4: a metric that checks `actual_output`, given to `input`, against `retrieval_context`.

What was not assessed gets no score and an error that says why, so that no mean counts it and
`assert_test` fails: DeepEval lets a test pass whose metrics were all skipped.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from halgo.integrations.common import Grounding, needs

with needs("deepeval"):
    from deepeval.metrics import BaseMetric
    from deepeval.test_case import LLMTestCase, SingleTurnParams

if TYPE_CHECKING:
    from halgo.checker import Checker
    from halgo.config import Config


class GroundednessMetric(BaseMetric):
    """The share of claims that the context supports; passes only where every claim is SUPPORTED.

    threshold: the least share that passes, 1 unless given. `score_breakdown` holds the claims.
    """

    _required_params: ClassVar = [SingleTurnParams.INPUT, SingleTurnParams.ACTUAL_OUTPUT]

    def __init__(
        self,
        threshold: float = 1.0,
        *,
        against: Checker | str | Path | None = None,
        config: Config | None = None,
    ) -> None:
        self.threshold = threshold
        self.evaluation_model = "halgo"
        # DeepEval copies a metric by the attributes that are named as its settings.
        self.against = against
        self.config = config

    @property
    def __name__(self) -> str:
        return "Groundedness [halgo]"

    def measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float | None:
        """The score; None, with an error, when nothing was assessed."""
        grounding = Grounding(self.against, self.config)
        found = grounding(test_case.actual_output, test_case.retrieval_context, test_case.input)
        self.score, self.reason = found.score, found.reason
        self.score_breakdown = found.metadata()
        self.error = None if found.assessed else f"Not assessed: {found.reason}"
        self.is_successful()
        return self.score

    async def a_measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float | None:
        """`measure` in a worker thread, so that the event loop stays free."""
        return await asyncio.to_thread(self.measure, test_case)
