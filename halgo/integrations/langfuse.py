"""Langfuse 5: an evaluator for `run_experiment(evaluators=[...])`.

Gives a number, "groundedness" (1 is best), and a category, "groundedness_label". Where nothing was
assessed there is only the category, with the state: "refusal", "no_sources" ...
"""

from __future__ import annotations

from typing import Any

from halgo.integrations.common import NAME, Outcome, needs
from halgo.integrations.row_fields import Rows

with needs("langfuse"):
    from langfuse import Evaluation


class Groundedness(Rows):
    """The contexts are looked for in the output, the metadata, then the input."""

    def __call__(
        self, *, output: Any, input: Any = None, metadata: Any = None, **_: Any
    ) -> list[Evaluation]:
        """The evaluations of one item."""
        return evaluations(self.outcome(output, metadata, input, inputs=input))


def evaluations(found: Outcome) -> list[Evaluation]:
    """An outcome as Langfuse takes it; `vars()` of each suit `client.create_score` too."""
    told = {"comment": found.reason, "metadata": found.metadata()}
    label = Evaluation(name=f"{NAME}_label", value=found.label, data_type="CATEGORICAL", **told)
    if found.score is None:
        return [label]
    return [Evaluation(name=NAME, value=found.score, data_type="NUMERIC", **told), label]
