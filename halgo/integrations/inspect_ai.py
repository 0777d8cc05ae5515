"""Inspect: a scorer of the model's answer against the sources of its sample.

What was not assessed is unscored, with the state as its reason ("refusal", "no_sources" ...), so
that neither mean nor standard error counts it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from halgo.integrations.common import Grounding, needs

with needs("inspect_ai"):
    from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
    from inspect_ai.solver import TaskState

if TYPE_CHECKING:
    from halgo.checker import Checker
    from halgo.config import Config

_REASONS = {"empty": "no_response"}  # Inspect's word; "refusal" is the same in both


class Groundedness:
    """Scores one sample; what `groundedness` gives."""

    def __init__(self, contexts: str | Callable[[TaskState], Any], grounding: Grounding) -> None:
        self.contexts = contexts
        self.grounding = grounding

    def __reduce__(self) -> tuple[Any, ...]:
        """Made anew: Inspect ties metrics to a scorer that cannot be pickled."""
        return groundedness, (self.contexts, self.grounding.against, self.grounding.config)

    async def __call__(self, state: TaskState, target: Target) -> Score:
        """The score, with a record of each claim in its metadata; the target plays no part."""
        key, answer = self.contexts, state.output.completion
        contexts = key(state) if callable(key) else state.metadata.get(key)
        found = await asyncio.to_thread(self.grounding, answer, contexts, state.input)
        told = {"answer": answer, "explanation": found.reason, "metadata": found.metadata()}
        if found.score is None:
            return Score.unscored(reason=_REASONS.get(found.label, found.label), **told)
        return Score(value=found.score, **told)


@scorer(metrics=[mean(), stderr()])
def groundedness(
    contexts: str | Callable[[TaskState], Any] = "contexts",
    against: Checker | str | Path | None = None,
    config: Config | None = None,
) -> Scorer:
    """The share of claims in the answer that the sources support.

    contexts: the key of the sample's metadata that holds them, or a function of the state.
    """
    return Groundedness(contexts, Grounding(against, config))
