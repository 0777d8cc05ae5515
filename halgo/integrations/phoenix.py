"""Phoenix evals 3: an evaluator for the columns `output`, `context` and, if any, `input`.

Where nothing was assessed the score is None and the label the state: "refusal", "no_sources" ...
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from halgo.integrations.common import Grounding, needs

with needs("phoenix"):
    from phoenix.evals import Evaluator, Score
    from pydantic import BaseModel

if TYPE_CHECKING:
    from halgo.checker import Checker
    from halgo.config import Config

_LABELS = {True: "faithful", False: "unfaithful"}  # as Phoenix's own evaluator calls them


class Row(BaseModel):
    """What is read of a row."""

    output: str | None
    context: Any = None
    input: Any = None


class Groundedness(Evaluator):
    """The share of claims in `output` that `context` supports; "faithful" where all are."""

    def __init__(
        self,
        name: str = "groundedness",
        *,
        against: Checker | str | Path | None = None,
        config: Config | None = None,
    ) -> None:
        super().__init__(name=name, kind="code", direction="maximize", input_schema=Row)
        self._grounding = Grounding(against, config)

    def _evaluate(self, eval_input: dict[str, Any]) -> list[Score]:
        given = (eval_input.get(key) for key in ("output", "context", "input"))
        found = self._grounding(*given)
        label = found.label if found.passed is None else _LABELS[found.passed]
        return [
            Score(
                name=self.name,
                score=found.score,
                label=label,
                explanation=found.reason,
                metadata=found.metadata(),
                kind="code",
                direction="maximize",
            )
        ]
