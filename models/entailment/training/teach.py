"""`python -m training teach`: what a teacher says of each pair that a reader is trained on.

Kept in one file of JSON lines, a line a pair, added to as it goes: cut off and started again, it
goes on with the pairs that are missing. Labels are a bit a pair; a teacher's chances tell how near
a pair is to the other labels (Hinton et al. 2015).
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.provenance import say
from training.examples import Example

if TYPE_CHECKING:
    from halgo.protocols import EntailmentModel

_AT_ONCE = 200
_LEAST = 1e-4  # a chance below says no more than this


def teach(model: EntailmentModel, pairs: Sequence[Example], path: Path) -> None:
    """Adds what the model says of the pairs that `path` lacks."""
    known = set(_lines(path))
    missing = {key(pair): pair for pair in pairs if key(pair) not in known}
    say(f"{path.name}: {len(known)} pairs are there, {len(missing)} are missing")
    keys = list(missing)
    with path.open("a", encoding="utf-8") as lines:
        for start in range(0, len(keys), _AT_ONCE):
            some = keys[start : start + _AT_ONCE]
            rows = model.predict([(missing[one].premise, missing[one].claim) for one in some])
            for one, row in zip(some, rows.tolist(), strict=True):
                chances = [round(math.log(max(chance, _LEAST)), 3) for chance in row]
                lines.write(json.dumps({"key": one, "taught": chances}) + "\n")
            lines.flush()
            if start // _AT_ONCE % 50 == 49:
                say(f"  {start + len(some)} of {len(keys)}")


def with_taught(pairs: Sequence[Example], path: Path) -> list[Example]:
    """The pairs, with what the teacher said of those that it was asked about."""
    told = dict(_told(path)) if path.exists() else {}
    return [dataclasses.replace(pair, taught=told.get(key(pair))) for pair in pairs]


def key(pair: Example) -> str:
    """What the file calls a pair."""
    return hashlib.sha256(f"{pair.premise}\0{pair.claim}".encode()).hexdigest()[:20]


def _lines(path: Path) -> Iterator[str]:
    if path.exists():
        yield from (name for name, _ in _told(path))


def _told(path: Path) -> Iterator[tuple[str, tuple[float, ...]]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.endswith("}\n"):  # a line that was cut off is asked for again
                values = json.loads(line)
                yield values["key"], tuple(values["taught"])
