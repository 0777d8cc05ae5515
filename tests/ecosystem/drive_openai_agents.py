"""OpenAI Agents: a run with the guardrail; the model is played."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from agents import (
    Agent,
    Model,
    ModelResponse,
    OutputGuardrailTripwireTriggered,
    RunConfig,
    Runner,
    Usage,
    function_tool,
)
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)
from seen import Seen

from halgo.integrations.openai_agents import ToolResults, groundedness_guardrail


class Made:
    """What a user keeps: settings. The guardrail itself is a function, made where it is used."""

    def guardrail(self) -> Any:
        return groundedness_guardrail(contexts=lambda context: context["contexts"])


class Played(Model):
    """Says its lines in order: calls of tools, then the answer."""

    def __init__(self, *lines: Any) -> None:
        self.lines = iter(lines)

    async def get_response(self, *_: Any, **__: Any) -> ModelResponse:
        return ModelResponse(output=[next(self.lines)], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
        raise NotImplementedError


def said(text: str) -> ResponseOutputMessage:
    part = ResponseOutputText(text=text, type="output_text", annotations=[])
    return ResponseOutputMessage(
        id="m", content=[part], role="assistant", status="completed", type="message"
    )


def called(name: str) -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(
        id="f", call_id="call_1", name=name, arguments="{}", type="function_call"
    )


def make() -> Made:
    return Made()


async def arun(made: Made, answer: str, contexts: list[str], question: str = "?") -> Seen:
    agent = Agent("a", model=Played(said(answer)), output_guardrails=[made.guardrail()])
    told = RunConfig(tracing_disabled=True)
    try:
        found = await Runner.run(agent, question, context={"contexts": contexts}, run_config=told)
        (result,) = found.output_guardrail_results
    except OutputGuardrailTripwireTriggered as tripped:
        result = tripped.guardrail_result
    info = result.output.output_info
    assert info["passed"] is not False or result.output.tripwire_triggered
    return Seen(info["score"], info["passed"], info["reason"], info["claims"])


def run(made: Made, answer: str, contexts: list[str], question: str = "?") -> Seen:
    return asyncio.run(arun(made, answer, contexts, question))


def run_with_tool(answer: str, returned: str, question: str = "?") -> Seen:
    """The same where the sources are what a tool returned."""

    @function_tool
    def search() -> str:
        """Search the handbook."""
        return returned

    async def ran() -> Seen:
        results = ToolResults()
        agent: Agent[Any] = Agent(
            "a",
            model=Played(called("search"), said(answer)),
            tools=[search],
            output_guardrails=[groundedness_guardrail(contexts=results)],
        )
        try:
            told = RunConfig(tracing_disabled=True)
            found = await Runner.run(agent, question, hooks=results, run_config=told)
            (result,) = found.output_guardrail_results
        except OutputGuardrailTripwireTriggered as tripped:
            result = tripped.guardrail_result
        info = result.output.output_info
        return Seen(info["score"], info["passed"], info["reason"], info["claims"])

    return asyncio.run(ran())
