"""Which verdicts fail a check: the setting of whoever runs it in CI."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # it stands in the command line's options, which load no more than they need
    from halgo.types import Verdict


class FailOn(StrEnum):
    """The mildest verdict that fails a check; without one, every claim has to be supported."""

    CONTRADICTION = "contradiction"
    UNSUPPORTED = "unsupported"

    def fails(self, verdict: Verdict) -> bool:
        """Whether a claim with that verdict fails."""
        if verdict.value == "CONTRADICTION":
            return True
        return self is FailOn.UNSUPPORTED and verdict.value == "HALLUCINATION"
