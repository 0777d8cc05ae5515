"""What the adapters in the path of a request do with an answer that does not hold."""

from __future__ import annotations

from typing import Any, TypedDict

import drive_langchain
import drive_openai_agents
import pytest
from guardrails import Guard
from guardrails.errors import ValidationError
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from texts import CONTRADICTED, GROUNDED, LEASE, QUESTION, REFUSAL, SHORT, SOURCES

from halgo import Checker
from halgo.integrations.guardrails_ai import Grounded
from halgo.integrations.langchain import GroundednessMiddleware
from halgo.integrations.langgraph import GroundednessJudge

MISSING = "The notice period is six months."


# --- LangChain ----------------------------------------------------------------------------------


def test_langchain_gives_a_bad_answer_back_once_with_the_bad_claim_named() -> None:
    agent = drive_langchain.agent(GroundednessMiddleware(), SOURCES, CONTRADICTED, GROUNDED)
    state = agent.invoke(drive_langchain.asked())
    first, second = state["groundedness"]
    assert (first["passed"], first["asked_again"]) == (False, True)
    assert (second["passed"], second["asked_again"]) == (True, False)
    told = [one.text for one in state["messages"] if one.name == "halgo"]
    assert len(told) == 1
    assert "The late fee is 5% per month." in told[0]
    assert "1.5%" in told[0]
    assert GROUNDED not in told[0]
    assert state["messages"][-1].text == GROUNDED


def test_langchain_ends_after_the_retry_and_records_that_it_is_bad() -> None:
    answers = [CONTRADICTED, MISSING, "never said"]
    state = drive_langchain.agent(GroundednessMiddleware(), SOURCES, *answers).invoke(
        drive_langchain.asked()
    )
    assert [one["held_back"] for one in state["groundedness"]] == [True, True]
    assert state["groundedness"][-1]["asked_again"] is False
    assert state["messages"][-1].text == MISSING


def test_langchain_lets_a_refusal_out_without_calling_it_passed() -> None:
    state = drive_langchain.agent(GroundednessMiddleware(), SOURCES, REFUSAL).invoke(
        drive_langchain.asked()
    )
    (record,) = state["groundedness"]
    assert (record["held_back"], record["passed"], record["state"]) == (False, None, "refusal")


def test_langchain_holds_back_claims_without_any_source() -> None:
    state = drive_langchain.agent(GroundednessMiddleware(retries=0), [], GROUNDED).invoke(
        drive_langchain.asked()
    )
    (record,) = state["groundedness"]
    assert (record["held_back"], record["passed"], record["state"]) == (True, None, "no_sources")


def test_langchain_counts_retries_anew_for_each_prompt() -> None:
    middleware = GroundednessMiddleware(Checker.from_docs(SOURCES))
    model = drive_langchain.Played(
        messages=iter([drive_langchain.AIMessage(text) for text in [CONTRADICTED, GROUNDED] * 2])
    )
    agent = drive_langchain.create_agent(
        model, [], middleware=[middleware], checkpointer=InMemorySaver()
    )
    for turn in (1, 2):
        state = agent.invoke(
            {"messages": [HumanMessage("And the fee?")]}, {"configurable": {"thread_id": "t"}}
        )
        asked = [one["asked_again"] for one in state["groundedness"]]
        assert asked == [True, False] * turn


def test_langchain_does_not_take_its_own_feedback_for_the_question() -> None:
    agent = drive_langchain.agent(GroundednessMiddleware(), LEASE, SHORT, SHORT)
    state = agent.invoke(drive_langchain.asked(QUESTION))
    assert [one["passed"] for one in state["groundedness"]] == [False, False]


# --- LangGraph ----------------------------------------------------------------------------------


class State(TypedDict, total=False):
    answer: str
    contexts: list[str]
    groundedness: dict[str, Any]
    path: list[str]


def graph(judge: GroundednessJudge, answers: list[str], found: list[list[str]]) -> Any:
    """Gives these answers and contexts in order, the last of each for good."""

    def step(name: str, key: str, given: list[Any]) -> Any:
        def node(state: State) -> dict[str, Any]:
            value = given.pop(0) if len(given) > 1 else given[0]
            return {key: value, "path": [*state.get("path", []), name]}

        return node

    made = StateGraph(State)
    made.add_node("retrieve", step("retrieve", "contexts", found))
    made.add_node("generate", step("generate", "answer", answers))
    made.add_node("judge", judge)
    made.add_edge(START, "retrieve")
    made.add_edge("retrieve", "generate")
    made.add_edge("generate", "judge")
    made.add_conditional_edges("judge", judge.route, ["generate", "retrieve", END])
    return made.compile(checkpointer=InMemorySaver())


def ran(judge: GroundednessJudge, answers: list[str], found: list[list[str]]) -> dict[str, Any]:
    made = graph(judge, list(answers), list(found))
    result: dict[str, Any] = made.invoke({}, {"configurable": {"thread_id": "t"}})
    return result


def test_langgraph_writes_again_what_a_source_denies() -> None:
    state = ran(GroundednessJudge(), [CONTRADICTED, GROUNDED], [SOURCES])
    assert state["path"] == ["retrieve", "generate", "generate"]
    assert state["groundedness"]["passed"] is True
    assert state["groundedness"]["attempt"] == 2


def test_langgraph_retrieves_again_what_no_source_says() -> None:
    found = [SOURCES[:1], [*SOURCES, MISSING]]
    state = ran(GroundednessJudge(), [MISSING], found)
    assert state["path"] == ["retrieve", "generate"] * 2
    assert state["groundedness"]["passed"] is True


def test_langgraph_ends_after_so_many_rounds_and_says_what_is_wrong() -> None:
    state = ran(GroundednessJudge(retries=2), [CONTRADICTED], [SOURCES])
    assert state["path"] == ["retrieve", *["generate"] * 3]
    judged = state["groundedness"]
    assert (judged["passed"], judged["next"], judged["attempt"]) == (False, END, 3)
    assert "1.5%" in judged["feedback"]


def test_langgraph_retrieves_again_where_nothing_was_found() -> None:
    state = ran(GroundednessJudge(retries=1), [GROUNDED], [[], SOURCES])
    assert state["path"] == ["retrieve", "generate"] * 2
    assert state["groundedness"]["passed"] is True


def test_langgraph_counts_rounds_anew_in_the_next_run_of_a_thread() -> None:
    made = graph(GroundednessJudge(retries=1), [CONTRADICTED], [SOURCES])
    for _ in range(2):
        told = {"configurable": {"thread_id": "t"}}
        state = made.invoke({"path": []}, told)
        assert state["path"] == ["retrieve", "generate", "generate"]


def test_langgraph_takes_the_question_from_the_messages_with_the_answer() -> None:
    judge = GroundednessJudge(answer="messages")
    for question, passed in (("Hello!", True), (QUESTION, False)):
        messages = [HumanMessage(question), AIMessage(SHORT)]
        judged = judge({"messages": messages, "contexts": LEASE})["groundedness"]
        assert judged["passed"] is passed


# --- OpenAI Agents ------------------------------------------------------------------------------


def test_openai_agents_takes_the_results_of_tools_for_sources() -> None:
    good = drive_openai_agents.run_with_tool(GROUNDED, "\n\n".join(SOURCES))
    bad = drive_openai_agents.run_with_tool(CONTRADICTED, "\n\n".join(SOURCES))
    assert (good.passed, bad.passed) == (True, False)
    assert "1.5%" in bad.reason
    records = '{"order": {"id": 1042, "status": "pending"}}'
    wrong = drive_openai_agents.run_with_tool("Order 1042 has been shipped.", records)
    assert wrong.passed is False
    assert "pending" in wrong.reason
    lease = "\n\n".join(LEASE)
    assert drive_openai_agents.run_with_tool(SHORT, lease).passed is True
    assert drive_openai_agents.run_with_tool(SHORT, lease, QUESTION).passed is False


# --- Guardrails AI ------------------------------------------------------------------------------


def test_guardrails_marks_the_bad_claim_and_can_fix_the_answer() -> None:
    guard = Guard().use(Grounded(on_fail="fix"))
    outcome = guard.validate(CONTRADICTED, metadata={"sources": SOURCES})
    assert outcome.validated_output == GROUNDED
    (summary,) = outcome.validation_summaries
    (span,) = summary.error_spans
    assert CONTRADICTED[span.start : span.end] == "The late fee is 5% per month."
    assert "1.5%" in span.reason


def test_guardrails_raises_unless_told_otherwise() -> None:
    guard = Guard().use(Grounded())
    with pytest.raises(ValidationError, match=r"1\.5%"):
        guard.validate(CONTRADICTED, metadata={"sources": SOURCES})


def test_guardrails_needs_sources_or_an_index() -> None:
    with pytest.raises(Exception, match="sources"):
        Guard().use(Grounded()).validate(GROUNDED)
    own = Guard().use(Grounded(Checker.from_docs(SOURCES), on_fail="noop"))
    assert own.validate(GROUNDED).validation_passed
    assert not own.validate(CONTRADICTED).validation_passed


def test_guardrails_fails_claims_without_any_source() -> None:
    guard = Guard().use(Grounded(on_fail="noop"))
    assert not guard.validate(GROUNDED, metadata={"sources": []}).validation_passed


def test_guardrails_checks_a_stream_sentence_by_sentence() -> None:
    validator = Grounded(on_fail="noop")
    told = {"sources": SOURCES}
    pieces = ["Payment is due ", "within 30 days. The late", " fee is 5% per month. "]
    found = [validator.validate_stream(piece, told) for piece in pieces]
    assert found[0] is None
    assert (found[1].outcome, found[1].validated_chunk) == ("pass", GROUNDED)
    assert found[2].outcome == "fail"
    (span,) = found[2].error_spans
    assert found[2].validated_chunk[span.start : span.end].startswith("The late fee is 5%")
