"""LangSmith and openevals: an evaluator function of a row, whatever keys the row has.

Where nothing was assessed `score` is None and `value` the state: "refusal", "no_sources" ...
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from halgo.integrations.common import NAME
from halgo.integrations.row_fields import Rows


class Groundedness(Rows):
    """Gives `{"key", "score", "value", "comment", "metadata"}`; `value` is the worst verdict.

    The contexts are looked for in `context`, the outputs, the inputs, then the reference outputs.
    """

    def __call__(
        self,
        outputs: Any = None,
        inputs: Any = None,
        reference_outputs: Any = None,
        context: Any = None,
    ) -> Mapping[str, Any]:
        """The result for one row."""
        given = {self.contexts or "context": context}
        found = self.outcome(outputs, given, inputs, reference_outputs, inputs=inputs)
        return {
            "key": NAME,
            "score": found.score,
            "value": found.label,
            "comment": found.reason,
            "metadata": found.metadata(),
        }
