"""A pair to learn from, and files of pairs; needs nothing beside Python itself."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

ENTAILED, NEUTRAL, CONTRADICTED, NOT_ENTAILED = 0, 1, 2, 3
NO_GUESS = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Example:
    """A pair to learn from.

    spans: characters of the claim that are wrong; None: not known. guess: log chances of the three
    labels as guessed without understanding (`guess`). taught: log chances of the three labels as a
    as a larger net gives them; None
    where none was asked. twin: whether it says the opposite of the example before it, in nearly the
    same words: one of the two is entailed.
    """

    premise: str
    claim: str
    label: int
    source: str
    spans: tuple[tuple[int, int], ...] | None = None
    guess: tuple[float, ...] = NO_GUESS
    taught: tuple[float, ...] | None = None
    twin: bool = False


class _MayBeTwin(Protocol):
    @property
    def twin(self) -> bool: ...


Pair = TypeVar("Pair", bound=_MayBeTwin)


def groups(pairs: Iterable[Pair]) -> list[list[Pair]]:
    """Pairs in order, a claim and its twin as one group, each other pair as a group by itself."""
    found: list[list[Pair]] = []
    for pair in pairs:
        if pair.twin and found:
            found[-1].append(pair)
        else:
            found.append([pair])
    return found


def write(path: Path, examples: Iterable[Example]) -> dict[str, int]:
    """Examples as gzipped JSON lines; how many there are of each source."""
    path.parent.mkdir(parents=True, exist_ok=True)
    counts: dict[str, int] = {}
    # Under its name only when it is whole: a file that is there is not written again.
    unfinished = path.with_name(path.name + ".unfinished")
    with gzip.open(unfinished, "wt", encoding="utf-8") as lines:
        for example in examples:
            lines.write(json.dumps(asdict(example), ensure_ascii=False) + "\n")
            counts[example.source] = counts.get(example.source, 0) + 1
    unfinished.replace(path)
    return counts


def read(path: Path) -> list[Example]:
    """What `write` wrote."""

    def example(values: Mapping[str, Any]) -> Example:
        spans = values["spans"]
        marked = None if spans is None else tuple((a, b) for a, b in spans)
        return Example(
            values["premise"],
            values["claim"],
            values["label"],
            values["source"],
            marked,
            tuple(values.get("guess", NO_GUESS)),
            None if values.get("taught") is None else tuple(values["taught"]),
            values.get("twin", False),
        )

    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [example(json.loads(line)) for line in lines]
