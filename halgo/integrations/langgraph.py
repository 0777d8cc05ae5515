"""LangGraph: a node that judges the answer in a graph's state, and the edge that leads on from it.

    judge = GroundednessJudge(retries=2)
    graph.add_node("judge", judge)
    graph.add_conditional_edges("judge", judge.route, ["generate", "retrieve", END])

Contradicted or weakly supported claims go back to "generate", with what is wrong of them; where
the sources do not say it at all, "retrieve" is tried again; after `retries` rounds the graph ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from halgo.delivery.repair import feedback_on
from halgo.integrations.common import Grounding, Outcome, needs
from halgo.integrations.requestpath import held_back
from halgo.types import Verdict

with needs("langgraph"):
    from langgraph.graph import END

if TYPE_CHECKING:
    from halgo.checker import Checker
    from halgo.config import Config


class GroundednessJudge:
    """The node. Writes "groundedness": passed, score, reason, attempt, feedback, next, claims.

    answer, contexts, question: the keys of the state that hold them; of a list of messages the last
    counts, and for a question the last of a person, also of those that hold the answer.
    generate, retrieve: the names of the nodes that are gone back to.
    """

    def __init__(
        self,
        against: Checker | str | Path | None = None,
        config: Config | None = None,
        *,
        answer: str = "answer",
        contexts: str = "contexts",
        question: str = "question",
        generate: str = "generate",
        retrieve: str = "retrieve",
        retries: int = 2,
    ) -> None:
        self._grounding = Grounding(against, config)
        self._keys = (answer, contexts, question)
        self._nodes = (generate, retrieve)
        self._retries = retries

    def __call__(self, state: Any) -> dict[str, Any]:
        """The update of the state."""
        answer, contexts, question = (_value(state, key) for key in self._keys)
        if question is None and isinstance(answer, list):
            question = answer
        found = self._grounding(_text(answer), contexts, question)
        before = _value(state, "groundedness") or {}
        attempt = 1 if before.get("next", END) == END else before["attempt"] + 1
        judged = {
            "score": found.score,
            "passed": found.passed,
            "reason": found.reason,
            "attempt": attempt,
            "feedback": feedback_on(found.report),
            "next": self._next(found, attempt),
            **found.metadata(),
        }
        return {"groundedness": judged}

    def route(self, state: Any) -> str:
        """Where to go on: the name of a node, or END."""
        return str(_value(state, "groundedness")["next"])

    def _next(self, found: Outcome, attempt: int) -> str:
        if not held_back(found) or attempt > self._retries:
            return END
        verdicts = {result.verdict for result in found.report}
        # What a source denies or half says is there to be read; what none says has to be found.
        missing = not found.assessed or verdicts <= {Verdict.SUPPORTED, Verdict.HALLUCINATION}
        generate, retrieve = self._nodes
        return retrieve if missing else generate


def _value(state: Any, key: str) -> Any:
    return state.get(key) if isinstance(state, Mapping) else getattr(state, key, None)


def _text(answer: Any) -> str | None:
    last = answer[-1] if isinstance(answer, list) and answer else answer
    return last if isinstance(last, str) else getattr(last, "text", None)
