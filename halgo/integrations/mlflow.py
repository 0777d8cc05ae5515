"""MLflow 3: a scorer for `mlflow.genai.evaluate`, with the contexts of a row or of its trace.

Where nothing was assessed the feedback has no value, but the error NOT_ASSESSED that says why.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from halgo.integrations.common import Outcome, needs
from halgo.integrations.row_fields import Rows

with needs("mlflow"):
    from mlflow.entities import AssessmentError, AssessmentSource, Feedback, SpanType
    from mlflow.genai.scorers import Scorer
    from pydantic import PrivateAttr

_SOURCE = AssessmentSource("CODE", "halgo")


class Groundedness(Scorer):
    """The share of claims in the outputs that the contexts support.

    The contexts are looked for in outputs, inputs and expectations, then in what retrievers of the
    trace gave out. Settings: those of `halgo.integrations.row_fields.Rows`.
    """

    name: str = "groundedness"
    _rows: Rows = PrivateAttr()

    def __init__(self, against: Any = None, config: Any = None, **settings: Any) -> None:
        keys = {key: settings.pop(key, None) for key in ("answer", "contexts", "question")}
        super().__init__(**settings)
        self._rows = Rows(against, config, **keys)

    def __call__(
        self, *, outputs: Any, inputs: Any = None, expectations: Any = None, trace: Any = None
    ) -> Feedback:
        """The feedback on one row."""
        others = (inputs, expectations, _retrieved(trace))
        return feedback(self._rows.outcome(outputs, *others, inputs=inputs), self.name)


def feedback(found: Outcome, name: str = "groundedness") -> Feedback:
    """An outcome as MLflow takes it."""
    told = {key: json.dumps(value) for key, value in found.metadata().items()}
    error = None if found.assessed else AssessmentError("NOT_ASSESSED", found.reason)
    return Feedback(
        name, found.score, error=error, source=_SOURCE, metadata=told, rationale=found.reason
    )


def _retrieved(trace: Any) -> Mapping[str, Any]:
    spans = trace.search_spans(span_type=SpanType.RETRIEVER) if trace is not None else []
    found = [document for span in spans for document in span.outputs or ()]
    return {"contexts": found or None}
