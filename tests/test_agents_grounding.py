"""What tools returned as JSON, held against the closing message by halgo's own check."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from halgo.agents.grounding import bundle, here
from halgo.agents.hook import check
from halgo.agents.transcript import Transcript, parse

ORDER = {"order_id": 1042, "status": "pending", "carrier": "DHL", "total": 129.9, "currency": "EUR"}
DEPLOY = {"environment": "staging", "version": "2.4.1", "status": "failed", "replicas": 3}
BENCH = {"p50_ms": 41, "p99_ms": 210, "requests": 1000, "errors": 12}


def lines(result: Any, closing: str, tool: str = "lookup") -> list[str]:
    call = {"id": "c1", "function": {"name": tool, "arguments": "{}"}}
    text = result if isinstance(result, str) else json.dumps(result)
    messages = [
        {"role": "user", "content": "Look it up."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": text},
        {"role": "assistant", "content": closing},
    ]
    return [json.dumps(message) for message in messages]


def transcript(result: Any, closing: str) -> Transcript:
    return parse(lines(result, closing))


@pytest.mark.models
@pytest.mark.parametrize(
    "result, closing, said",
    [
        (ORDER, "Order 1042 has been shipped with DHL.", "pending"),
        (ORDER, "The order total is 192.90 EUR.", "129.90 EUR"),
        (DEPLOY, "The deployment of version 2.4.1 to staging succeeded.", "failed"),
    ],
)
def test_a_record_denies_what_the_message_says_of_it(result: Any, closing: str, said: str) -> None:
    outcome = check(transcript(result, closing), grounding=here)
    assert outcome.blocks
    assert said in outcome.report()
    assert outcome.blocking[0].call_id == "c1"


@pytest.mark.models
@pytest.mark.parametrize(
    "result, closing",
    [
        (ORDER, "Order 1042 is still pending; DHL will carry it. It comes to 129.90 EUR."),
        (ORDER, "The parser takes two files and reports 3 errors."),
        (BENCH, "The p99 latency is 210 ms and the median 41 ms. I changed the pool from 4 to 16."),
        # Text is no record: any number in it may stand for anything.
        ("status = 'pending'  # set_total(129.90)", "Order 1042 has been shipped."),
    ],
)
def test_a_record_denies_nothing_else(result: Any, closing: str) -> None:
    assert not check(transcript(result, closing), grounding=here).blocks


def test_only_structured_results_are_sources_and_no_more_than_can_be_read_in_time() -> None:
    deep: Any = 1
    for _ in range(200):
        deep = {"k" * 300: deep}
    held = [ORDER, [ORDER, {"order_id": 1}], "x: 1", "[1, 2]", "{torn", deep, "{" + "9" * 60_000]
    found = [len(bundle(transcript(one, "Done."))) for one in held]
    assert found[:5] == [1, 1, 0, 0, 0]
    assert found[6] == 0


@pytest.mark.parametrize(
    "name, arguments, held",
    [
        ("update_order", {"id": 1042, "status": "shipped"}, 1),  # its own result alone
        ("mcp__crm__sendParcel", {"id": 1042}, 1),
        ("Bash", {"command": "curl -X POST https://crm/orders/1042/ship"}, 0),
        ("get_customer", {"id": 7}, 2),
        ("mcp__crm__listOrders", {}, 2),
        ("Bash", {"command": "ls"}, 1),
        ("Edit", {"file_path": "a.py"}, 1),
    ],
)
def test_a_record_read_before_something_was_written_is_no_source(
    name: str, arguments: dict[str, Any], held: int
) -> None:
    call = {"id": "c2", "function": {"name": name, "arguments": json.dumps(arguments)}}
    later = [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c2", "content": '{"ok": true}'},
    ]
    first = lines(ORDER, "Order 1042 has been shipped.")
    found = parse([*first[:3], *map(json.dumps, later), first[3]])
    assert len(bundle(found)) == held


# --- at a server ----------------------------------------------------------------------------------


def hooked(path: Path, url: str) -> subprocess.CompletedProcess[str]:
    given = json.dumps({"hook_event_name": "Stop", "transcript_path": str(path)})
    words = [sys.executable, "-m", "halgo", "hook", "claude-code", "--server", url]
    return subprocess.run(words, input=given, capture_output=True, text=True, check=False)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    pytest.importorskip("fastapi", reason="the extra serve is not installed")
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("Refunds are granted within 14 days.", encoding="utf-8")
    words = [sys.executable, "-m", "halgo", "serve", str(docs), "--port", "0"]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        found = re.search(r"http://[\w.:]+", process.stderr.readline())
        assert found
        yield found[0]
    finally:
        process.kill()
        process.communicate()


@pytest.mark.models
def test_a_running_server_checks_the_structured_results(server: str, tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_text("\n".join(lines(ORDER, "Order 1042 has been shipped.")), encoding="utf-8")
    for _ in range(60):
        run = hooked(path, server)
        if run.returncode == 2:
            break
        # While it loads its models it says so, and that is no reason to block.
        assert (run.returncode, run.stderr) == (0, "")
        assert "not looked at" in json.loads(run.stdout)["systemMessage"]
        time.sleep(0.5)
    assert 'the source gives "pending"; the claim says "shipped"' in run.stderr
    # It is told of whom each result is: only a record of that tool says that it failed.
    failed = {"ok": False, "error": "already shipped"}
    said = lines(failed, "I've cancelled order ORD-1.", "cancel_order")
    assert check(parse(said), grounding=here).blocks
    path.write_text("\n".join(said), encoding="utf-8")
    run = hooked(path, server)
    assert (run.returncode, "this failed" in run.stderr) == (2, True), run.stderr


@pytest.mark.parametrize("url", ["http://127.0.0.1:9", "127.0.0.1:9", "ftp://x", "http://"])
def test_a_server_that_does_not_answer_blocks_nothing_and_is_named(
    url: str, tmp_path: Path
) -> None:
    path = tmp_path / "session.jsonl"
    path.write_text("\n".join(lines(ORDER, "Order 1042 has been shipped.")), encoding="utf-8")
    run = hooked(path, url)
    assert (run.returncode, run.stderr) == (0, "")
    told = json.loads(run.stdout)["systemMessage"]
    assert url in told
    assert "not looked at" in told
