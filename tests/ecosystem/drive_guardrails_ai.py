"""Guardrails AI: a guard with the validator."""

from __future__ import annotations

import asyncio
from typing import Any

from guardrails import Guard
from seen import Seen

from halgo.integrations.guardrails_ai import Grounded


def make() -> Grounded:
    return Grounded(on_fail="noop")


def run(validator: Grounded, answer: str, contexts: list[str], question: str = "?") -> Seen:
    guard = Guard().use(validator)
    outcome = guard.validate(answer, metadata={"sources": contexts, "question": question})
    (log,) = guard.history.last.iterations[-1].validator_logs
    result: Any = log.validation_result
    told = result.metadata
    assert outcome.validation_passed is (result.outcome == "pass" and answer != "")
    assert told["passed"] is not False or not outcome.validation_passed
    return Seen(told["score"], told["passed"], told["reason"], told["claims"])


async def arun(validator: Grounded, answer: str, contexts: list[str]) -> Seen:
    return await asyncio.to_thread(run, validator, answer, contexts)
