"""LangGraph: a graph that generates and judges, with the edge that leads on."""

from __future__ import annotations

from typing import Any, TypedDict

from langgraph.graph import END, START, StateGraph
from seen import Seen

from halgo.integrations.langgraph import GroundednessJudge


class State(TypedDict, total=False):
    question: str
    answer: str
    contexts: list[str]
    groundedness: dict[str, Any]


def make() -> GroundednessJudge:
    return GroundednessJudge(retries=0)


def graph(judge: GroundednessJudge, answer: str, contexts: list[str]) -> Any:
    made = StateGraph(State)
    made.add_node("retrieve", lambda state: {"contexts": contexts})
    made.add_node("generate", lambda state: {"answer": answer})
    made.add_node("judge", judge)
    made.add_edge(START, "retrieve")
    made.add_edge("retrieve", "generate")
    made.add_edge("generate", "judge")
    made.add_conditional_edges("judge", judge.route, ["generate", "retrieve", END])
    return made.compile()


def shown(state: dict[str, Any]) -> Seen:
    found = state["groundedness"]
    return Seen(found["score"], found["passed"], found["reason"], found["claims"])


def run(judge: GroundednessJudge, answer: str, contexts: list[str], question: str = "?") -> Seen:
    return shown(graph(judge, answer, contexts).invoke({"question": question}))


async def arun(judge: GroundednessJudge, answer: str, contexts: list[str]) -> Seen:
    return shown(await graph(judge, answer, contexts).ainvoke({}))
