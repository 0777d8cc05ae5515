"""Transcripts of agents -> the tool calls with their results, and the closing message.

Reads the lines that Claude Code keeps of a session, Codex's rollouts, and messages as the chat
interfaces of language models have them, one JSON object a line: whatever a line is, it is a text
of the agent, a prompt, a call of a tool, a result, or nothing of these. The closing message is what
the agent wrote after the last of the others.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from halgo import disk

# Of a longer transcript the end is read; what stands before counts as unknown.
MOST_BYTES = 64_000_000

_EXIT = re.compile(r"\s*(?:Error: )?(?:Exit code|Process exited with code):? (\d{1,3})\b", re.I)
_BY_HAND = re.compile(r"\s*<bash-input>(.*?)</bash-input>", re.DOTALL)
_PRINTED = re.compile(r"\s*<bash-stdout>(.*?)</bash-stdout>", re.DOTALL)
_EXIT_KEYS = ("exit_code", "exitCode", "returncode", "return_code")


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call. `output` is what came back as text, None where nothing did.

    `exit_code` is that of a command, None where the transcript does not tell. `failed`: the tool
    refused, or the command ended with another code than 0. `details` are the result's own fields
    where the transcript has them. `turn` counts the prompts before it.
    """

    id: str
    name: str
    arguments: Mapping[str, Any]
    output: str | None = None
    exit_code: int | None = None
    failed: bool = False
    details: Mapping[str, Any] | None = None
    turn: int = 0

    __hash__ = None  # type: ignore[assignment]

    @property
    def command(self) -> str:
        """The command line that was run, "" when the tool runs none."""
        given = self.arguments.get("command", self.arguments.get("cmd"))
        if isinstance(given, list) and given and all(isinstance(word, str) for word in given):
            return given[-1] if given[0].endswith("sh") else " ".join(given)
        # Editors of files call what they do a command as well: {"command": "create", "path": ...}.
        return given if isinstance(given, str) and "path" not in self.arguments else ""


@dataclass(frozen=True, slots=True)
class Transcript:
    """What an agent did and what it said last. `whole`: nothing is missing at its beginning.

    `asked`: the prompt that the closing message answers, "" where there is none.
    """

    calls: tuple[Call, ...]
    closing: str
    turns: int = 0
    whole: bool = True
    warnings: tuple[str, ...] = ()
    asked: str = field(default="", repr=False)

    __hash__ = None  # type: ignore[assignment]


def read(path: str | Path) -> Transcript:
    """The transcript in a file of JSON lines. Raises OSError when it cannot be read."""
    with disk.opened(path) as stream:
        size = os.fstat(stream.fileno()).st_size
        stream.seek(max(0, size - MOST_BYTES))
        data = stream.read(MOST_BYTES)
    lines = data.decode("utf-8", "replace").split("\n")
    if size <= MOST_BYTES:
        return parse(lines)
    warning = f"of {size:,} bytes the last {MOST_BYTES:,} were read"
    found = parse(lines[1:])
    return replace(found, whole=False, warnings=(warning, *found.warnings))


def parse(lines: Iterable[str]) -> Transcript:
    """The transcript in lines of JSON; a line that is no JSON object is counted in a warning."""
    reader = _Reader()
    unread = 0
    for line in lines:
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            unread += 1
            continue
        if isinstance(entry, dict):
            reader.entry(entry)
        else:
            unread += 1
    warnings = (f"lines that are no JSON object: {unread}",) if unread else ()
    closing = "\n\n".join(reader.texts)
    calls = tuple(reader.calls.values())
    return Transcript(calls, closing, reader.turn, reader.whole, warnings, reader.asked)


class _Reader:
    """Takes one line after the other; what it holds at the end is the transcript."""

    def __init__(self) -> None:
        self.calls: dict[str, Call] = {}
        self.texts: list[str] = []  # of the agent, since anything else happened
        self.turn = 0
        self.asked = ""  # the last prompt
        self.whole = True

    def entry(self, entry: Mapping[str, Any]) -> None:
        """One line: a message, in a wrapper or not, or an item of Codex's and the Responses API."""
        if entry.get("isSidechain"):  # a sub-agent's own conversation
            return
        if entry.get("isCompactSummary") or entry.get("type") == "compacted":
            self.whole = False
            return
        if entry.get("type") == "response_item" and isinstance(entry.get("payload"), dict):
            entry = entry["payload"]
        if str(entry.get("type", "")).endswith(("_call", "_call_output")):
            self._item(entry)
            return
        message = entry.get("message", entry)
        if not isinstance(message, dict):
            return
        role = message.get("role", entry.get("type"))
        said = not (entry.get("isMeta") or entry.get("isApiErrorMessage"))
        details = entry.get("toolUseResult")
        for block in _blocks(message.get("content")):
            self._block(role, block, details, said)
        if role == "tool":
            self._result(str(message.get("tool_call_id", "")), _text(message.get("content")))
        for call in _listed(message.get("tool_calls")):
            inner = call.get("function")
            function = inner if isinstance(inner, dict) else call
            self._call(call.get("id"), function.get("name"), function.get("arguments"))

    def _block(self, role: Any, block: Mapping[str, Any], details: Any, said: bool) -> None:
        kind = block.get("type")
        if kind == "tool_use":
            self._call(block.get("id"), block.get("name"), block.get("input"))
        elif kind == "tool_result":
            text = _text(block.get("content"))
            self._result(
                str(block.get("tool_use_id", "")), text, block.get("is_error") is True, details
            )
        elif kind in ("text", "output_text", "input_text") and said:
            text = str(block.get("text") or "")
            if role == "assistant":
                self.texts += [text] if text.strip() else []
            elif role == "user":
                self._prompt(text)

    def _prompt(self, text: str) -> None:
        """A prompt; of Claude Code also a command that the person ran, and what it printed."""
        self.texts = []
        command, printed = _BY_HAND.search(text), _PRINTED.search(text)
        if command:
            self._call(f"by hand {len(self.calls) + 1}", "Bash", {"command": command[1]})
        elif printed and self.calls:
            self._result(next(reversed(self.calls)), printed[1])
        else:
            self.turn += 1
            self.asked = text

    def _item(self, item: Mapping[str, Any]) -> None:
        """A call or its output as an item of its own: function_call, custom_tool_call ..."""
        name = str(item.get("call_id", item.get("id", "")))
        if str(item["type"]).endswith("_output"):
            self._result(name, _text(item.get("output")))
        else:
            given = item.get("arguments", item.get("input", item.get("action")))
            self._call(name, item.get("name", item["type"]), given)

    def _call(self, id: Any, name: Any, given: Any) -> None:
        self.texts = []
        if isinstance(given, str):
            given = _loaded(given, {"input": given})
        arguments = given if isinstance(given, dict) else {}
        key = str(id or f"call {len(self.calls) + 1}")
        self.calls[key] = Call(key, str(name or ""), arguments, turn=self.turn)

    def _result(self, id: str, text: str, failed: bool | None = None, details: Any = None) -> None:
        """failed: None where the transcript has no word for it."""
        self.texts = []
        call = self.calls.get(id)
        if call is None:
            return
        inner = _loaded(text, None)
        if isinstance(inner, dict) and isinstance(inner.get("output"), str):  # Codex's shell
            details, text = inner, inner["output"]
        fields = details if isinstance(details, dict) else {}
        code = _exit_code(text, fields, inner)
        if code is None and failed is False and call.command and not _waits(fields, text):
            code = 0
        self.calls[id] = replace(
            call,
            output=text,
            exit_code=code,
            failed=bool(failed) or bool(code),
            details=fields or None,
        )


def _blocks(content: Any) -> Iterator[Mapping[str, Any]]:
    """The blocks of a message's content; a plain string is one of text."""
    if isinstance(content, str):
        yield {"type": "text", "text": content}
    yield from _listed(content)


def _listed(found: Any) -> list[dict[str, Any]]:
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _text(content: Any) -> str:
    """The text of a result: a string, blocks of text, or values as JSON."""
    if isinstance(content, str):
        return content
    texts = [str(block["text"]) for block in _listed(content) if "text" in block]
    if texts or not content:
        return "\n".join(texts)
    return json.dumps(content, ensure_ascii=False)


def _loaded(text: str, otherwise: Any) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return otherwise


def _exit_code(text: str, fields: Mapping[str, Any], inner: Any) -> int | None:
    inside = inner if isinstance(inner, dict) else {}
    meta = inside.get("metadata")
    for holder in (fields, inside, meta if isinstance(meta, dict) else {}):
        for key in _EXIT_KEYS:
            if type(holder.get(key)) is int:
                return int(holder[key])
    found = _EXIT.match(text)
    return int(found[1]) if found else None


def _waits(fields: Mapping[str, Any], text: str) -> bool:
    """Whether the command had not ended when its result was written."""
    return bool(fields.get("backgroundTaskId") or fields.get("interrupted")) or text.startswith(
        "Command running in background"
    )
