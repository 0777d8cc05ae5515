"""promptfoo: `get_assert` for an assertion of type python, one component result a claim.

    # halgo_assert.py, named in the configuration: {type: python, value: file://halgo_assert.py}
    from halgo.integrations.promptfoo import get_assert

The contexts are looked for in the output, then in the test's variables. `config:` of the assertion
may hold `threshold`, `answer`, `contexts`, `question` and `against`. promptfoo knows pass and fail
alone: what was not assessed does not pass.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from halgo.integrations.row_fields import Rows


def get_assert(output: Any, context: Mapping[str, Any]) -> dict[str, Any]:
    """The grading result for one output. threshold: the least share of supported claims, or 1."""
    settings = dict(context.get("config") or {})
    threshold = float(settings.pop("threshold", 1.0))
    given = context.get("vars")
    found = Rows(**settings).outcome(output, given, inputs=given)
    score = 0.0 if found.score is None else found.score
    return {
        "pass": found.assessed and score >= threshold,
        "score": score,
        "reason": found.reason if found.assessed else f"Not assessed: {found.reason}",
        "namedScores": {} if found.score is None else {"groundedness": found.score},
        "componentResults": [_component(record) for record in found.records],
        "metadata": found.metadata(),
    }


def _component(record: Mapping[str, Any]) -> dict[str, Any]:
    said = f"{record['verdict']}: {record['claim']}"
    return {
        "pass": record["supported"],
        "score": float(record["supported"]),
        "reason": f"{said} {record['message']}".strip(),
    }
