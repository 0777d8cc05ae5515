"""LangChain: an agent with the middleware, whose tool returns the contexts; the model is played."""

from __future__ import annotations

from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool
from seen import Seen

from halgo.integrations.langchain import GroundednessMiddleware


class Played(GenericFakeChatModel):
    """Says its lines in order; tools may be offered to it."""

    def bind_tools(self, tools: Any, **_: Any) -> Played:
        return self


def make() -> GroundednessMiddleware:
    return GroundednessMiddleware(retries=0)


def agent(middleware: GroundednessMiddleware, contexts: list[str], *answers: str) -> Any:
    @tool
    def search(query: str) -> str:
        """Search the handbook."""
        return "\n\n".join(contexts)

    call = {"name": "search", "args": {"query": "fee"}, "id": "call_1"}
    lines = [AIMessage("", tool_calls=[call]), *map(AIMessage, answers)]
    return create_agent(Played(messages=iter(lines)), [search], middleware=[middleware])


def asked(question: str = "What is the late fee?") -> dict[str, Any]:
    return {"messages": [HumanMessage(question)]}


def shown(state: dict[str, Any], contexts: list[str]) -> Seen:
    (record,) = state["groundedness"]
    claims = [{**claim, **placed(claim, contexts)} for claim in record["claims"]]
    return Seen(record["score"], record["passed"], record["reason"], claims)


def placed(claim: dict[str, Any], contexts: list[str]) -> dict[str, Any]:
    """The span in the tool's result -> that in the context it was made of."""
    start, end = claim["source_span"] or (0, 0)
    at = 0
    for context in contexts:
        if at <= start < at + len(context):
            return {"source_span": [start - at, end - at]}
        at += len(context) + 2
    return {}


def run(
    middleware: GroundednessMiddleware, answer: str, contexts: list[str], question: str = "?"
) -> Seen:
    return shown(agent(middleware, contexts, answer).invoke(asked(question)), contexts)


async def arun(middleware: GroundednessMiddleware, answer: str, contexts: list[str]) -> Seen:
    return shown(await agent(middleware, contexts, answer).ainvoke(asked()), contexts)
