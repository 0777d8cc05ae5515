"""OpenAI Agents: an output guardrail that trips on an answer with unsupported claims.

    results = ToolResults()
    agent = agent.clone(output_guardrails=[groundedness_guardrail(contexts=results)])
    await Runner.run(agent, question, hooks=results)

The SDK runs it once the whole answer is there; text that was streamed is out by then. Not assessed
(a refusal, nothing claimed) does not trip, and says so; claims without any source do.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from halgo.integrations.common import Grounding, needs
from halgo.integrations.requestpath import as_sources, held_back
from halgo.types import Document

with needs("openai_agents"):
    from agents import Agent, GuardrailFunctionOutput, RunContextWrapper, RunHooks, output_guardrail

if TYPE_CHECKING:
    from agents import OutputGuardrail

    from halgo.checker import Checker
    from halgo.config import Config


class ToolResults(RunHooks[Any]):
    """What the tools return in one run: its `hooks`, and the `contexts` of its guardrail."""

    def __init__(self) -> None:
        self._results: list[tuple[str, Any, str | None]] = []

    async def on_tool_end(self, context: Any, agent: Any, tool: Any, result: Any) -> None:
        """Keeps one result."""
        self._results.append((tool.name, result, getattr(context, "tool_call_id", None)))

    def __call__(self, context: Any) -> list[Document]:
        """All results so far, as documents."""
        return as_sources(self._results)


def groundedness_guardrail(
    against: Checker | str | Path | None = None,
    config: Config | None = None,
    *,
    contexts: Callable[[Any], Any] | None = None,
) -> OutputGuardrail[Any]:
    """A guardrail for `Agent(output_guardrails=[...])`.

    contexts: gives the sources, from the object that is the `context` of `Runner.run`; where there
    are none, `against` counts.
    """
    grounding = Grounding(against, config)

    @output_guardrail(name="groundedness")
    async def groundedness(
        context: RunContextWrapper[Any], agent: Agent[Any], output: Any
    ) -> GuardrailFunctionOutput:
        given = None if contexts is None else contexts(context.context)
        found = await asyncio.to_thread(grounding, str(output), given, context.turn_input)
        told = {
            "score": found.score,
            "passed": found.passed,
            "reason": found.reason,
            **found.metadata(),
        }
        return GuardrailFunctionOutput(output_info=told, tripwire_triggered=held_back(found))

    return groundedness
