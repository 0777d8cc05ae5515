"""TruLens 2: a provider with a feedback function of a `source`, a `statement` and a `question`.

What was not assessed is skipped (`SkipEval`), so that no mean counts it.
"""

from __future__ import annotations

from typing import Any

from halgo.integrations.common import Grounding, needs

with needs("trulens"):
    from pydantic import PrivateAttr
    from trulens.core.feedback.provider import Provider
    from trulens.core.metric import SkipEval


class Halgo(Provider):
    """Gives `groundedness`, for the `implementation` of a `Metric`.

    against: the path of a saved index, for apps whose records hold no sources.
    """

    against: str | None = None
    _grounding: Grounding = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        super().model_post_init(context)
        self._grounding = Grounding(self.against)

    def groundedness(
        self, source: Any, statement: str, question: Any = None
    ) -> tuple[float, dict[str, Any]]:
        """The share of claims in a statement that a source, or a list of them, supports.

        question: what the statement answers. `reasons` in the details has one entry a claim. Raises
        SkipEval where nothing was assessed.
        """
        found = self._grounding(statement, source, question)
        if found.score is None:
            raise SkipEval(reason=found.reason)
        reasons = [
            {
                "statement": record["claim"],
                "supporting_evidence": record["passage"],
                "score": float(record["supported"]),
                "reason": record["message"],
            }
            for record in found.records
        ]
        return found.score, {"reason": found.reason, "reasons": reasons, **found.metadata()}
