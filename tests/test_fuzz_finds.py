"""What fuzzing found stays mended: each find is read again, in time and without a crash."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from fuzzing.targets import TARGETS, seeds

FINDS = sorted(path for path in (Path(__file__).parent / "fuzzing" / "finds").glob("*/*"))
SECONDS = 5.0  # a find that was slow took more; the machine may be busy


@pytest.mark.parametrize("name", TARGETS)
def test_the_inputs_that_fuzzing_begins_with_are_read(name: str) -> None:
    for data in seeds(name):
        TARGETS[name](data)
        TARGETS[name](data[: len(data) // 2])
    TARGETS[name](b"")


@pytest.mark.parametrize("path", FINDS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_find_is_refused_or_read_in_time(path: Path) -> None:
    begun = time.process_time()
    TARGETS[path.parent.name](path.read_bytes())
    assert time.process_time() - begun < SECONDS
