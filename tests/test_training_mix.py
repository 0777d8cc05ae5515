"""A reader is trained on the pairs that the recipe says, and as many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from small_training import training

RECIPE = {"pairs": {"halved": ["negation_in"]}}
ALL = 1_000


@pytest.fixture(scope="module")
def modules() -> Iterator[Any]:
    with training("prepare", "examples", "written") as package:
        yield package


@pytest.fixture
def work(modules: Any, tmp_path: Path) -> Path:
    """A work folder with a few pairs of each kind."""
    examples = modules.examples

    def pairs(source: str, many: int) -> list[Any]:
        return [
            examples.Example("p", f"{source} {at}", examples.ENTAILED, source) for at in range(many)
        ]

    # The second set's rows are seen three times where the reader allows it.
    labelled = pairs("mnli_dev", 10) + pairs("fool_me_twice", 4)
    examples.write(tmp_path / "labelled.jsonl.gz", labelled)
    examples.write(
        tmp_path / "short0.jsonl.gz", pairs("made: number", 6) + pairs("made: negation_in", 6)
    )
    examples.write(tmp_path / "short3.jsonl.gz", pairs("made: unit", 2))
    crossed = [examples.Example("p", "c", examples.CONTRADICTED, modules.written.CROSSED)] * 3
    examples.write(tmp_path / "twinned-first.jsonl.gz", pairs("written: true", 5) + crossed)
    return tmp_path


def drawn(modules: Any, work: Path, **draw: int) -> Counter[str]:
    reader = {"name": "small", "most_times": 2, "draw": draw}
    return Counter(pair.source for pair in modules.prepare.mix(work, RECIPE, reader))


def test_a_kind_with_fewer_pairs_than_asked_is_read_whole(modules: Any, work: Path) -> None:
    assert drawn(modules, work, labelled=ALL) == {"mnli_dev": 10, "fool_me_twice": 8}


def test_the_parts_of_a_kind_are_one_and_common_alterations_are_halved(
    modules: Any, work: Path
) -> None:
    found = drawn(modules, work, short=ALL)
    assert found == {"made: number": 6, "made: negation_in": 3, "made: unit": 2}


def test_so_many_are_drawn_of_each_kind_and_always_the_same(modules: Any, work: Path) -> None:
    reader = {"name": "small", "most_times": 2, "draw": {"labelled": 7, "short": 2}}
    mixed = modules.prepare.mix(work, RECIPE, reader)
    found = Counter(pair.source.split(":")[0] for pair in mixed)
    assert found["mnli_dev"] + found["fool_me_twice"] == 7
    assert found["made"] == 2
    assert mixed == modules.prepare.mix(work, RECIPE, reader)


def test_what_is_drawn_of_a_kind_is_read_as_often_as_asked(modules: Any, work: Path) -> None:
    draw = {"labelled": 3, "short": 2}
    reader = {"name": "small", "most_times": 2, "draw": draw, "times": {"labelled": 2}}
    found = Counter(pair.claim for pair in modules.prepare.mix(work, RECIPE, reader))
    assert sum(n for claim, n in found.items() if "made" not in claim) == 6
    assert sum(n for claim, n in found.items() if "made" in claim) == 2


def test_claims_as_premises_of_their_twins_are_left_out(modules: Any, work: Path) -> None:
    assert drawn(modules, work, **{"twinned-first": ALL}) == {"written: true": 5}


def test_a_kind_that_was_never_prepared_is_an_error(modules: Any, work: Path) -> None:
    with pytest.raises(ValueError, match="no pairs called 'spliced'"):
        drawn(modules, work, spliced=1)
