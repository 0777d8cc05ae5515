"""What adapters in the path of a request share: tool results as sources, and what is held back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from halgo.integrations.common import Outcome
from halgo.sources.bundle import Bundle
from halgo.types import Document


def held_back(found: Outcome) -> bool:
    """Whether an answer must not go out as it is: a claim of it is not supported.

    Claims without any source are that too. A refusal, or an answer that claims nothing, may go out;
    it is not assessed, and never counts as passed.
    """
    return found.passed is False or bool(found.report.results and not found.assessed)


def as_sources(results: Iterable[tuple[str, Any, str | None]]) -> list[Document]:
    """What tools returned, as (name, text or values, id of the call), as documents."""
    bundle = Bundle()
    for name, payload, call_id in results:
        if payload:
            bundle.add_tool_result(name, payload, call_id=call_id)
    return bundle.documents
