"""Prose about several like things, made by rule, and claims about one of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import small_training

from halgo.evidence.embed import LexicalEmbedder


@pytest.fixture(scope="module")
def modules() -> Iterator[Any]:
    with small_training.training("told", "cells", "examples") as package:
        yield package


@pytest.fixture(scope="module")
def pairs(modules: Any) -> list[Any]:
    found: list[Any] = modules.told.told_pairs(LexicalEmbedder(), 60, 7)
    return found


def test_twins_stand_side_by_side_and_read_the_same(modules: Any, pairs: list[Any]) -> None:
    for group in modules.examples.groups(pairs):
        labels = {pair.label for pair in group}
        if group[0].source == "told: untold":
            assert labels == {modules.examples.NEUTRAL}
        else:
            assert labels == {modules.examples.ENTAILED, modules.examples.CONTRADICTED}
            assert len({pair.premise for pair in group}) == 1
            assert [pair.twin for pair in group] == [False, True]


def test_all_kinds_of_claims_are_made(pairs: list[Any]) -> None:
    kinds = Counter(pair.source.removeprefix("told: ") for pair in pairs)
    assert set(kinds) == {"value", "two", "crossed", "compared", "farthest", "only", "untold"}


def test_some_true_claims_stand_in_the_text_and_some_do_not(modules: Any, pairs: list[Any]) -> None:
    true = [pair for pair in pairs if pair.label == modules.examples.ENTAILED]
    verbatim = sum(pair.claim[:-1].lower() in pair.premise.lower() for pair in true)
    assert 0.1 < verbatim / len(true) < 0.6


def test_two_things_exchange_their_values_in_the_twin(modules: Any, pairs: list[Any]) -> None:
    for group in modules.examples.groups(pairs):
        if group[0].source == "told: crossed":
            strip = str.maketrans("", "", ",;.")
            one, other = (Counter(pair.claim.lower().translate(strip).split()) for pair in group)
            assert one == other


def test_the_same_seed_gives_the_same_pairs(modules: Any, pairs: list[Any]) -> None:
    assert modules.told.told_pairs(LexicalEmbedder(), 60, 7) == pairs
