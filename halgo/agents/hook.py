"""A stop hook: what an agent's program tells it when the agent is done -> whether it may be.

The contract is that of Claude Code's hooks: JSON on stdin; exit code 2 hands stderr to the agent,
which goes on working; 0 lets it end, and a "systemMessage" on stdout is shown to the person; any
other code is an error of the hook that is shown and blocks nothing. So what cannot be read is
never 2, and nothing is blocked twice in a row.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from halgo.agents.compare import Finding, compared
from halgo.agents.transcript import Transcript, read
from halgo.report.safe import one_line
from halgo.types import Verdict

ALLOW, ERROR, BLOCK = 0, 1, 2

# The agent's program may still be writing the transcript when it calls its hooks.
_PATIENCE_S = 1.0
_LOOK_AGAIN_S = 0.05
_LONGEST = 300  # characters shown of a sentence or of a line of output

# Checks what is stated against structured results, where a checker is at hand: see grounding.py.
Grounding = Callable[[Transcript], list[Finding]]


class HookInputError(ValueError):
    """What came on stdin is not what a stop hook gets; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a closing message states, judged, and which of it blocks.

    `complete` is False where the transcript on disk did not hold the closing message yet.
    """

    findings: tuple[Finding, ...]
    blocking: tuple[Finding, ...]
    warnings: tuple[str, ...] = ()
    complete: bool = True

    @property
    def blocks(self) -> bool:
        """Whether the agent is to go on: something is denied, and nothing is missing."""
        return bool(self.blocking) and self.complete

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON."""
        return {
            "blocks": self.blocks,
            "complete": self.complete,
            "findings": [
                {
                    "statement": one.text,
                    "verdict": one.verdict.value,
                    "reason": one.reason,
                    "message": one.message,
                    "shown": one.shown or None,
                    "call_id": one.call_id or None,
                    "blocks": one in self.blocking,
                }
                for one in self.findings
            ],
            "warnings": list(self.warnings),
        }

    def summary(self) -> str:
        """A line for each statement that a result supports or denies, for a person."""
        if not self.findings:
            return "Nothing in the closing message is of a kind that these results can show.\n"
        lines = (f"{one.verdict}: {_cut(one.text)} ({_cut(one.message)})" for one in self.findings)
        return "".join(f"{line}\n" for line in lines)

    def report(self) -> str:
        """What the agent is told: each statement that blocks, why, and the line that shows it."""
        lines = ["halgo: the closing message does not agree with what the tools returned."]
        for number, one in enumerate(self.blocking, start=1):
            lines += [
                "",
                f"{number}. {one.verdict}: \N{LEFT DOUBLE QUOTATION MARK}{_cut(one.text)}"
                "\N{RIGHT DOUBLE QUOTATION MARK}",
                f"   {_cut(one.message)}",
            ]
            lines += [f"   the output says: {_cut(one.shown)}"] if one.shown else []
        lines += ["", "Correct the message, or do what it says and check again."]
        return "\n".join(lines) + "\n"


def check(
    transcript: Transcript,
    *,
    closing: str | None = None,
    unsupported: bool = False,
    grounding: Grounding | None = None,
) -> Outcome:
    """The outcome for a transcript.

    closing: the closing message, where it is known from elsewhere. unsupported: what no result
    shows blocks too, not only what a result denies. grounding: looks at structured results as well.
    """
    complete = closing is None or _squeezed(transcript.closing).endswith(_squeezed(closing))
    if closing is not None:
        transcript = replace(transcript, closing=closing)
    findings = compared(transcript)
    warnings = list(transcript.warnings)
    if grounding is not None and transcript.closing.strip():
        try:
            known = {one.text for one in findings}
            findings += [one for one in grounding(transcript) if one.text not in known]
        except OSError as error:
            warnings.append(f"the structured results were not looked at: {error}")
    bad = {Verdict.CONTRADICTION, *([Verdict.HALLUCINATION] if unsupported else [])}
    blocking = tuple(one for one in findings if one.verdict in bad)
    return Outcome(tuple(findings), blocking, tuple(warnings), complete)


def answered(
    given: str, *, unsupported: bool = False, grounding: Grounding | None = None
) -> tuple[int, str, str]:
    """The exit code, stdout and stderr of the hook for what came on stdin.

    Raises HookInputError for what is no input of a stop hook, OSError for an unreadable transcript.
    """
    event = _event(given)
    sub = event["hook_event_name"] == "SubagentStop"
    path = (sub and event.get("agent_transcript_path")) or event.get("transcript_path")
    if not isinstance(path, str) or not path:
        raise HookInputError("the input names no transcript_path, so there is nothing to read")
    last = event.get("last_assistant_message")
    closing = last if isinstance(last, str) and last.strip() else None
    transcript = _settled(Path(path).expanduser(), closing)
    outcome = check(transcript, closing=closing, unsupported=unsupported, grounding=grounding)
    if outcome.blocks and not event.get("stop_hook_active"):
        return BLOCK, "", outcome.report()
    told = list(outcome.warnings)
    if outcome.blocking:
        why = "it was asked to correct this once" if outcome.complete else "transcript incomplete"
        told += [
            f"{_cut(one.text)}: {_cut(one.message)} (not blocked: {why})"
            for one in outcome.blocking
        ]
    return ALLOW, _system_message(told), ""


def _event(given: str) -> Mapping[str, Any]:
    try:
        event = json.loads(given)
    except (ValueError, RecursionError) as error:
        raise HookInputError(
            f"stdin holds no JSON ({error}). Claude Code calls this command as a Stop hook; for "
            "another agent name its transcript: halgo hook --transcript FILE"
        ) from None
    if not isinstance(event, dict) or event.get("hook_event_name") not in ("Stop", "SubagentStop"):
        name = event.get("hook_event_name") if isinstance(event, dict) else None
        raise HookInputError(
            f"the input is of the event {one_line(str(name))!r}; register this command under Stop "
            "or SubagentStop, which come when the agent has written its closing message"
        )
    return event


def _settled(path: Path, closing: str | None) -> Transcript:
    """The transcript, read again for a moment while it does not hold the closing message."""
    until = time.monotonic() + _PATIENCE_S
    while True:
        found = read(path)
        there = closing is None or _squeezed(found.closing).endswith(_squeezed(closing))
        if there or time.monotonic() > until:
            return found
        time.sleep(_LOOK_AGAIN_S)


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def _system_message(told: Iterable[str]) -> str:
    text = "; ".join(told)
    return json.dumps({"systemMessage": f"halgo: {text}"}) + "\n" if text else ""


def _cut(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
