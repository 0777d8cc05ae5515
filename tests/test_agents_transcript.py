"""Transcripts in each form that is read -> the same calls, results and closing message."""

from __future__ import annotations

import json
from typing import Any

import pytest

from halgo.agents.hook import check
from halgo.agents.transcript import MOST_BYTES, parse, read

OUTPUT = "3 failed, 211 passed in 41.20s"


def lines(*entries: dict[str, Any]) -> list[str]:
    return [json.dumps(entry) for entry in entries]


CLAUDE_CODE = lines(
    {"type": "summary", "summary": "Parser", "leafUuid": "x"},
    {"type": "user", "message": {"role": "user", "content": "Fix it."}},
    {"type": "assistant", "message": {"role": "assistant", "content": [
        {"type": "thinking", "thinking": "..."},
        {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "pytest -q"}}]}},
    {"type": "user", "toolUseResult": f"Error: Exit code 1\n{OUTPUT}",
     "message": {"role": "user", "content": [
         {"type": "tool_result", "tool_use_id": "t1", "is_error": True,
          "content": f"Exit code 1\n{OUTPUT}"}]}},
    {"type": "assistant", "isSidechain": True,
     "message": {"role": "assistant", "content": [{"type": "text", "text": "A sub-agent's."}]}},
    {"type": "assistant", "message": {"role": "assistant", "content": [
        {"type": "text", "text": "All 214 tests pass."}]}},
    {"type": "system", "subtype": "turn_duration", "durationMs": 60000},
)  # fmt: skip

CHAT = lines(
    {"role": "user", "content": "Fix it."},
    {"role": "assistant", "content": None, "tool_calls": [
        {"id": "t1", "type": "function",
         "function": {"name": "shell", "arguments": '{"command": "pytest -q"}'}}]},
    {"role": "tool", "tool_call_id": "t1", "content": f"Exit code 1\n{OUTPUT}"},
    {"role": "assistant", "content": "All 214 tests pass."},
)  # fmt: skip

CODEX = lines(
    {"type": "session_meta", "payload": {"id": "s", "cwd": "/w"}},
    {"type": "response_item", "payload": {"type": "message", "role": "user",
                                          "content": [{"type": "input_text", "text": "Fix it."}]}},
    {"type": "response_item", "payload": {
        "type": "function_call", "name": "shell", "call_id": "t1",
        "arguments": '{"command": ["bash", "-lc", "pytest -q"]}'}},
    {"type": "response_item", "payload": {
        "type": "function_call_output", "call_id": "t1",
        "output": json.dumps({"output": OUTPUT, "metadata": {"exit_code": 1}})}},
    {"type": "response_item", "payload": {"type": "message", "role": "assistant", "content": [
        {"type": "output_text", "text": "All 214 tests pass."}]}},
    {"type": "event_msg", "payload": {"type": "agent_message", "message": "All 214 tests pass."}},
)  # fmt: skip


@pytest.mark.parametrize("form", [CLAUDE_CODE, CHAT, CODEX], ids=["claude-code", "chat", "codex"])
def test_every_form_gives_the_command_its_result_and_the_closing_message(form: list[str]) -> None:
    found = parse(form)
    (call,) = found.calls
    assert (call.command, call.exit_code, call.turn) == ("pytest -q", 1, 1)
    assert OUTPUT in (call.output or "")
    assert found.closing == "All 214 tests pass."
    assert check(found).blocks


def test_the_closing_message_is_what_was_written_after_the_last_call() -> None:
    found = parse([*CLAUDE_CODE[:3], CLAUDE_CODE[5], CLAUDE_CODE[3], *CHAT[3:], *CHAT[3:]])
    assert found.closing == "All 214 tests pass.\n\nAll 214 tests pass."
    assert parse(CLAUDE_CODE[:4]).closing == ""


def test_a_file_changed_by_a_patch_counts() -> None:
    patch = "*** Begin Patch\n*** Update File: a.py\n@@\n*** Add File: b.py\n+x\n*** End Patch"
    call = {"type": "custom_tool_call", "name": "apply_patch", "call_id": "t1", "input": patch}
    output = {"type": "custom_tool_call_output", "call_id": "t1", "output": "Done"}
    for closing, blocks in (("I changed two files.", False), ("I changed three files.", True)):
        said = {"type": "message", "role": "assistant",
                "content": [{"type": "output_text", "text": closing}]}  # fmt: skip
        assert check(parse(lines(call, output, said))).blocks is blocks


def test_what_a_person_ran_in_the_session_is_a_result_too() -> None:
    by_hand = lines(
        {"type": "user", "message": {"role": "user", "content": "<bash-input>tox</bash-input>"}},
        {"type": "user", "message": {"role": "user", "content":
            "<bash-stdout>214 passed in 3s</bash-stdout><bash-stderr></bash-stderr>"}},
    )  # fmt: skip
    assert check(parse(CLAUDE_CODE)).blocks
    assert not check(parse([*CLAUDE_CODE[:4], *by_hand, CLAUDE_CODE[5]])).blocks


def test_after_a_summary_of_what_was_before_nothing_is_said_to_be_missing() -> None:
    said = lines({"role": "assistant", "content": "I ran the tests and updated three files."})
    edited = lines(
        {"role": "assistant", "content": [
            {"type": "tool_use", "id": "t", "name": "Edit", "input": {"file_path": "a.py"}}]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "t", "content": "Updated."}]},
    )  # fmt: skip
    compacted = lines({"type": "user", "isCompactSummary": True, "message": {
        "role": "user", "content": "This session is continued from another."}})  # fmt: skip
    assert [one.reason for one in check(parse([*edited, *said])).blocking] == [
        "not_run",
        "file_count",
    ]
    assert not check(parse([*compacted, *edited, *said])).blocks


@pytest.mark.parametrize(
    "line",
    ["{torn", "[]", "3", '{"type": "assistant", "message": 3}', '{"message": {"content": [3]}}',
     '{"role": "assistant", "tool_calls": [{"function": {"arguments": "{"}}]}',
     '{"type": "x_call_output"}', '{"role": "user", "content": [{"type": "tool_result"}]}',
     "[" * 100_000, '{"a": NaN}', '{"type": 3, "role": ["assistant"]}',
     '{"role": "assistant", "content": [{"type": "tool_use", "input": {"command": [1]}}]}'],
)  # fmt: skip
def test_a_line_of_any_kind_is_no_crash(line: str) -> None:
    found = check(parse([line, *CHAT]))
    assert found.blocks


def test_of_a_transcript_that_is_too_long_the_end_is_read(tmp_path: Any) -> None:
    path = tmp_path / "long.jsonl"
    with path.open("w", encoding="utf-8") as stream:
        stream.write('{"role": "user", "content": "' + "x" * MOST_BYTES + '"}\n')
        stream.write("\n".join(CHAT))
    found = read(path)
    assert (len(found.calls), found.whole) == (1, False)
    assert "the last 64,000,000 were read" in found.warnings[0]
