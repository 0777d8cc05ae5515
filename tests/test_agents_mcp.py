"""The MCP server, asked by a real client: in memory, and as the process that an agent starts."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra mcp is not installed")
pytestmark = pytest.mark.models

from jsonschema import validate  # noqa: E402
from mcp import StdioServerParameters  # noqa: E402
from mcp.client.client import Client  # noqa: E402
from mcp.client.stdio import stdio_client  # noqa: E402

from halgo import Checker  # noqa: E402
from halgo.agents.mcp import server  # noqa: E402

CONTRACT = "A late fee of 1.5% per month applies. Payment is due within thirty (30) days."
ANSWER = "The late fee is 5% per month. Payment is due within 30 days. Shall I go on?"


def asked(ask: Callable[[Client], Awaitable[Any]], checker: Checker | None = None) -> Any:
    async def run() -> Any:
        async with Client(server(checker)) as client:
            return await ask(client)

    return asyncio.run(run())


def called(tool: str, checker: Checker | None = None, **arguments: Any) -> Any:
    async def ask(client: Client) -> Any:
        tools = {one.name: one for one in (await client.list_tools()).tools}
        result = await client.call_tool(tool, arguments)
        if not result.is_error:
            validate(result.structured_content, tools[tool].output_schema)
        return result

    return asked(ask, checker)


SOURCES = [{"text": CONTRACT, "name": "contract"}]


def test_a_text_is_checked_with_what_it_answers() -> None:
    lease = [{"text": "The notice period is 60 days. The trial period is 30 days."}]
    question = "How long is the trial period?"
    for given, grounded in (({}, True), ({"question": question}, False)):
        found = called("check", answer="60 days.", sources=lease, **given).structured_content
        assert found["grounded"] is grounded
        cited = called("cite", answer="60 days.", sources=lease, **given).structured_content
        assert bool(cited["uncited"]) is not grounded
    assert called("check", answer="60 days.", question="x" * 10_001).is_error


def test_check_gives_each_claim_its_verdict_place_reason_and_passage() -> None:
    found = called("check", answer=ANSWER, sources=SOURCES).structured_content
    wrong, right = found["claims"]
    assert (wrong["verdict"], right["verdict"]) == ("CONTRADICTION", "SUPPORTED")
    assert "5%" in wrong["message"] and "1.5%" in wrong["message"]
    assert ANSWER[wrong["start"] : wrong["end"]] == "The late fee is 5% per month."
    assert right["passages"] == [
        {
            "text": "Payment is due within thirty (30) days.",
            "source": "contract",
            "page": None,
            "location": None,
        }
    ]
    assert found["grounded"] is False
    assert found["not_checked"] == [{"text": "Shall I go on?", "kind": "question"}]


@pytest.mark.parametrize(
    "answer, sources, state",
    [
        (ANSWER, None, "no_sources"),
        (ANSWER, [{"text": " "}], "no_sources"),
        ("", SOURCES, "empty"),
        ("I don't have enough information to answer.", SOURCES, "refusal"),
        ("Shall I go on?", SOURCES, "no_claims"),
    ],
)
def test_what_was_not_assessed_is_null_and_never_a_pass(
    answer: str, sources: Any, state: str
) -> None:
    found = called("check", answer=answer, sources=sources).structured_content
    assert (found["state"], found["grounded"], found["confidence"]) == (state, None, None)
    assert found["summary"]


def test_cite_marks_what_is_supported_and_names_what_is_not() -> None:
    found = called("cite", answer=ANSWER, sources=SOURCES).structured_content
    assert "Payment is due within 30 days [1]." in found["text"]
    assert found["sources"][0]["name"] == "contract"
    assert [one["claim"] for one in found["uncited"]] == ["The late fee is 5% per month."]


def test_explain_shows_both_values() -> None:
    result = called("explain", claim="The late fee is 5% per month.", sources=SOURCES)
    found = result.structured_content
    assert found["claim"]["verdict"] == "CONTRADICTION"
    values = [(one["ours"], one["theirs"]) for one in found["compared"][0]["signals"]]
    assert ("5%", "1.5%") in values


def test_the_server_answers_from_its_own_documents_unless_it_is_given_others() -> None:
    checker = Checker.from_docs(["The late fee is 5% per month."])
    own = called("check", checker, answer="The late fee is 5% per month.")
    assert own.structured_content["grounded"] is True
    sure = own.structured_content["confidence"]
    assert sure == round(sure, 4)
    given = called("check", checker, answer="The late fee is 5% per month.", sources=SOURCES)
    assert given.structured_content["grounded"] is False


@pytest.mark.parametrize("tool", ["check", "cite", "explain"])
def test_an_empty_list_of_sources_is_no_source(tool: str) -> None:
    checker = Checker.from_docs(["The late fee is 5% per month."])
    said = {"claim" if tool == "explain" else "answer": "The late fee is 5% per month."}
    for own in (checker, None):
        found = called(tool, own, sources=[], **said).structured_content
        assert found["state"] == "no_sources"
    both = called(tool, checker, sources=[], with_documents=True, **said).structured_content
    assert both["state"] == called(tool, checker, **said).structured_content["state"] == "assessed"


@pytest.mark.parametrize("tool", ["check", "cite"])
def test_sources_beside_the_servers_documents_count_alone_unless_both_are_asked_for(
    tool: str,
) -> None:
    checker = Checker.from_docs(["Refunds are granted within 14 days."])
    answer = "Refunds are granted within 14 days. Payment is due within 30 days."
    alone = called(tool, checker, answer=answer, sources=SOURCES).structured_content
    assert any("only the sources of this call counted" in one for one in alone["warnings"])
    arguments = {"answer": answer, "sources": SOURCES, "with_documents": True}
    both = called(tool, checker, **arguments).structured_content
    assert not any("only the sources" in one for one in both["warnings"])
    if tool == "check":
        verdicts = [[one["verdict"] for one in found["claims"]] for found in (alone, both)]
        assert verdicts == [["HALLUCINATION", "SUPPORTED"], ["SUPPORTED", "SUPPORTED"]]
    else:
        assert (len(alone["uncited"]), both["uncited"]) == (1, [])
    without = called(tool, answer=answer, sources=SOURCES).structured_content
    assert not any("only the sources" in one for one in without["warnings"])


def test_every_tool_has_a_description_and_schemas_and_says_that_it_only_reads() -> None:
    async def ask(client: Client) -> Any:
        return (await client.list_tools()).tools

    tools = asked(ask)
    assert [tool.name for tool in tools] == ["check", "cite", "explain"]
    for tool in tools:
        assert tool.description and tool.output_schema["properties"]
        assert tool.input_schema["additionalProperties"] is False
        assert tool.annotations.read_only_hint and not tool.annotations.open_world_hint


@pytest.mark.parametrize(
    "tool, arguments, said",
    [
        ("explain", {"claim": " "}, "the claim is empty"),
        ("check", {}, "answer"),
        ("check", {"answer": "x" * 50_001}, "50000"),
        ("check", {"answer": "x", "sources": [{"text": "x"}] * 201}, "200"),
        ("check", {"answer": "x", "source": [{"text": "x"}]}, "source: Extra inputs"),
        (
            "cite",
            {"answer": "x", "sources": [{"text": "x", "titel": "y"}]},
            "sources.0.titel: Extra",
        ),
        ("explain", {"claim": "x", "answer": "x"}, "answer: Extra inputs"),
    ],
)
def test_a_wrong_call_is_told_what_is_wrong(
    tool: str, arguments: dict[str, Any], said: str
) -> None:
    result = called(tool, **arguments)
    assert result.is_error
    assert said in result.content[0].text
    assert "pydantic" not in result.content[0].text


def test_the_process_that_an_agent_starts_answers_from_its_folder(tmp_path: Path) -> None:
    (tmp_path / "contract.md").write_text(CONTRACT, encoding="utf-8")
    how = StdioServerParameters(
        command=sys.executable, args=["-m", "halgo", "mcp", "--docs", str(tmp_path)]
    )

    async def run() -> Any:
        async with Client(stdio_client(how)) as client:
            return await client.call_tool("check", {"answer": ANSWER})

    found = asyncio.run(run()).structured_content
    assert [one["verdict"] for one in found["claims"]] == ["CONTRADICTION", "SUPPORTED"]
    assert found["claims"][0]["passages"][0]["source"].endswith("contract.md")
