"""Guardrails AI: a validator; sources and question come in metadata["sources"] and ["question"].

What it fails on stands in `error_spans`, and `fix_value` is the answer without it, still
grammatical. In a stream each sentence is checked as it is complete; spans count in it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from halgo.delivery.gate import STRIP_UNSUPPORTED, apply
from halgo.integrations.common import Grounding, needs
from halgo.integrations.requestpath import held_back
from halgo.report.marks import why
from halgo.types import Verdict

with needs("guardrails_ai"):
    from guardrails.validator_base import (
        ErrorSpan,
        FailResult,
        PassResult,
        ValidationResult,
        Validator,
        register_validator,
    )

if TYPE_CHECKING:
    from halgo.checker import Checker
    from halgo.config import Config


@register_validator(name="halgo/grounded", data_type="string")
class Grounded(Validator):
    """Passes where every claim is supported or none is made; its metadata say which."""

    def __init__(
        self,
        against: Checker | str | Path | None = None,
        config: Config | None = None,
        on_fail: str | Callable[..., Any] | None = None,
    ) -> None:
        super().__init__(on_fail=on_fail)
        self._made_of = (against, config, on_fail)
        self._grounding = Grounding(against, config)
        self.required_metadata_keys = [] if against is not None else ["sources"]

    def __reduce__(self) -> tuple[Any, ...]:
        """Made anew from its settings: the base class holds a lock."""
        return type(self), self._made_of

    def _validate(self, value: Any, metadata: dict[str, Any]) -> ValidationResult:
        found = self._grounding(value, metadata.get("sources"), metadata.get("question"))
        told = {
            "score": found.score,
            "passed": found.passed,
            "reason": found.reason,
            **found.metadata(),
        }
        if not held_back(found):
            return PassResult(metadata=told)
        spans = [
            ErrorSpan(start=one.claim.span.start, end=one.claim.span.end, reason=why(one))
            for one in found.report
            if one.verdict is not Verdict.SUPPORTED
        ]
        fixed = apply(found.report, STRIP_UNSUPPORTED).text
        return FailResult(
            error_message=found.reason, error_spans=spans, fix_value=fixed, metadata=told
        )
