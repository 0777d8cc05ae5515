"""Word lists of halgo/data."""

from __future__ import annotations

from importlib import resources

import pytest

from halgo.facts.words import lines

LISTS = sorted(
    path.name.removesuffix(".txt")
    for path in resources.files("halgo").joinpath("data").iterdir()
    if path.name.endswith(".txt")
)


@pytest.mark.parametrize("name", LISTS)
def test_a_list_gives_its_lines_without_comments(name: str) -> None:
    found = list(lines(name))
    assert found
    assert all(line == line.strip() and line and "#" not in line for line in found)


def test_a_list_that_is_not_there_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        list(lines("nothing"))
