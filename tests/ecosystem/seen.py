"""What a framework shows its user of an answer that was checked through it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Seen:
    """score: None where it shows none. passed: None where it says that nothing was assessed.

    records: the claims, as `halgo.integrations.common` records them.
    """

    score: float | None
    passed: bool | None
    reason: str
    records: list[dict[str, Any]] = field(default_factory=list)
