"""LangChain 1: middleware for `create_agent` that checks the answer against the tools' results.

An answer with unsupported claims is given back once with these named; then the agent ends. Each
check is recorded in the state under "groundedness", so what is not assessed is seen there.
"""

from __future__ import annotations

import asyncio
import operator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NotRequired

from halgo.delivery.repair import feedback_on
from halgo.integrations.common import Grounding, needs
from halgo.integrations.requestpath import as_sources, held_back

with needs("langchain"):
    from langchain.agents.middleware import AgentMiddleware, AgentState, hook_config
    from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

if TYPE_CHECKING:
    from halgo.checker import Checker
    from halgo.config import Config

_NAME = "halgo"  # of the messages that give an answer back


class GroundednessState(AgentState[Any]):
    """The agent's state, with a record of each check."""

    groundedness: NotRequired[Annotated[list[dict[str, Any]], operator.add]]  # type: ignore[valid-type]


class GroundednessMiddleware(AgentMiddleware[GroundednessState, Any]):
    """Checks each answer against the results of the tools, or against `against` without any."""

    state_schema = GroundednessState

    def __init__(
        self,
        against: Checker | str | Path | None = None,
        config: Config | None = None,
        *,
        retries: int = 1,
    ) -> None:
        super().__init__()
        self._grounding = Grounding(against, config)
        self._retries = retries

    @hook_config(can_jump_to=["model", "end"])
    def after_model(self, state: GroundednessState, runtime: Any) -> dict[str, Any] | None:
        """Ends or asks again, where the model has answered rather than called a tool."""
        messages = state["messages"]
        last = messages[-1] if messages else None
        if not isinstance(last, AIMessage) or last.tool_calls:
            return None
        asked = [one for one in messages if one.name != _NAME]
        found = self._grounding(last.text, _sources(messages), asked)
        bad = held_back(found)
        again = bad and _tries(messages) < self._retries
        record = {
            "score": found.score,
            "passed": found.passed,
            "held_back": bad,
            "asked_again": again,
            "reason": found.reason,
            **found.metadata(),
        }
        if not again:
            return {"groundedness": [record], "jump_to": "end"}
        told = HumanMessage(feedback_on(found.report), name=_NAME)
        return {"groundedness": [record], "jump_to": "model", "messages": [told]}

    @hook_config(can_jump_to=["model", "end"])
    async def aafter_model(self, state: GroundednessState, runtime: Any) -> dict[str, Any] | None:
        """The same in a worker thread, so that the event loop stays free."""
        return await asyncio.to_thread(self.after_model, state, runtime)


def _sources(messages: list[AnyMessage]) -> Any:
    found = [one for one in messages if isinstance(one, ToolMessage)]
    return as_sources((one.name or "tool", one.text, one.tool_call_id) for one in found)


def _tries(messages: list[AnyMessage]) -> int:
    """How often the answer was given back since a person last wrote."""
    people = [one for one in messages if isinstance(one, HumanMessage)]
    asked = [at for at, one in enumerate(people) if one.name != _NAME]
    return len(people) - 1 - asked[-1] if asked else len(people)
