"""What a process holds in memory, as Linux counts it: its own, and what it shares with others."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_LINE = re.compile(r"^(\w+):\s+(\d+) kB", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Held:
    """MB of one process.

    resident: all its pages. private: those that no other process has. fair: the private ones, and
    of each shared page its part, so that the sum over processes counts it once.
    """

    resident_mb: float
    private_mb: float
    fair_mb: float


def held(process: int | str = "self") -> Held:
    """Raises OSError where the system does not say."""
    text = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii")
    kilobytes = {name: int(value) for name, value in _LINE.findall(text)}
    private = kilobytes["Private_Clean"] + kilobytes["Private_Dirty"]
    return Held(kilobytes["Rss"] / 1024, private / 1024, kilobytes["Pss"] / 1024)
