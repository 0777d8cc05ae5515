"""A stage of the training reads the pairs that the recipe says, and as many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from small_training import training

RECIPE = {"pairs": {"halved": ["negation_in"]}}
STAGE = {"name": "last", "seed": 1, "most_times": 2, "by_rule": ["short0"]}


@pytest.fixture(scope="module")
def modules() -> Iterator[Any]:
    with training("prepare", "data", "written") as package:
        yield package


@pytest.fixture
def work(modules: Any, tmp_path: Path) -> Path:
    """A work folder with a few pairs of each kind."""
    data = modules.data

    def pairs(source: str, many: int) -> list[Any]:
        return [data.Example("p", f"{source} {at}", data.ENTAILED, source) for at in range(many)]

    # The second set's rows are seen three times where the stage allows it.
    labelled = pairs("mnli_dev", 10) + pairs("fool_me_twice", 4)
    data.write(tmp_path / "labelled.jsonl.gz", labelled)
    data.write(
        tmp_path / "short0.jsonl.gz", pairs("made: number", 6) + pairs("made: negation_in", 6)
    )
    data.write(tmp_path / "twinned-first.jsonl.gz", pairs("written: true", 5))
    return tmp_path


def sources(pairs: list[Any]) -> Counter[str]:
    return Counter(pair.source for pair in pairs)


def test_all_is_read_where_no_number_is_given(modules: Any, work: Path) -> None:
    found = sources(modules.prepare.mix(work, RECIPE, STAGE))
    assert found == {"mnli_dev": 10, "fool_me_twice": 8, "made: number": 6, "made: negation_in": 3}


def test_so_many_are_drawn_and_what_is_written_is_read_whole(modules: Any, work: Path) -> None:
    stage = STAGE | {"labelled": 7, "drawn": 2, "written": ["twinned-first"]}
    mixed = modules.prepare.mix(work, RECIPE, stage)
    found = sources(mixed)
    assert found["written: true"] == 5
    assert found["mnli_dev"] + found["fool_me_twice"] == 7
    assert found["made: number"] + found["made: negation_in"] == 2
    assert mixed == modules.prepare.mix(work, RECIPE, stage)


def test_claims_are_read_twice_or_drawn_again_and_crossed_ones_left_out(
    modules: Any, work: Path
) -> None:
    data = modules.data
    pair = data.Example("p", "c", data.CONTRADICTED, modules.written.CROSSED)
    data.write(work / "twinned-second.jsonl.gz", [pair] * 3)
    stage = STAGE | {"written": ["twinned-first", "twinned-first"], "again": ["twinned-second"]}
    found = sources(modules.prepare.mix(work, RECIPE, stage | {"drawn_again": 2}))
    assert found["written: true"] == 10
    assert found["twins"] == 2
    assert "twins" not in sources(modules.prepare.mix(work, RECIPE, stage | {"crossed": False}))
