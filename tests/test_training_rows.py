"""Tables made by rule, and claims about their cells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import small_training

from halgo.evidence.embed import LexicalEmbedder


@pytest.fixture(scope="module")
def modules() -> Iterator[Any]:
    with small_training.training("rows", "cells", "examples") as package:
        yield package


@pytest.fixture(scope="module")
def pairs(modules: Any) -> list[Any]:
    found: list[Any] = modules.rows.row_pairs(LexicalEmbedder(), 90, 7)
    return found


def test_every_claim_but_of_what_is_absent_has_a_twin_of_the_other_truth(
    modules: Any, pairs: list[Any]
) -> None:
    for group in modules.examples.groups(pairs):
        labels = {pair.label for pair in group}
        if group[0].source == "rows: absent":
            assert labels == {modules.examples.NEUTRAL}
        else:
            assert labels == {modules.examples.ENTAILED, modules.examples.CONTRADICTED}
            assert len({pair.premise for pair in group}) == 1


def test_all_kinds_of_claims_are_made(pairs: list[Any]) -> None:
    kinds = Counter(pair.source.removeprefix("rows: ") for pair in pairs)
    assert set(kinds) == {"value", "two", "compared", "farthest", "only", "absent"}


def test_the_words_that_make_a_claim_false_are_marked(modules: Any, pairs: list[Any]) -> None:
    for group in modules.examples.groups(pairs):
        told = {pair.label: pair for pair in group}
        if len(told) == 2 and (spans := told[modules.examples.CONTRADICTED].spans):
            false, true = (told[label].claim for label in (modules.examples.CONTRADICTED, 0))
            ((start, end),) = spans
            assert false[start:end] and false[:start] == true[:start]
            assert true.endswith(false[end:])


def test_an_amount_is_said_of_the_row_that_has_it(modules: Any, pairs: list[Any]) -> None:
    names = {
        name
        for domain in modules.cells.schemas()
        if isinstance(domain["names"], list)
        for name in domain["names"]
    }
    told = 0
    for pair in pairs:
        amount = re.search(r"[€£$]([\d,]+)", pair.claim)
        named = [name for name in names if re.search(rf"\b{re.escape(name)}\b", pair.claim)]
        if (
            pair.source == "rows: value"
            and pair.label == 0
            and amount
            and len(named) == 1
            and "about" not in pair.claim
        ):
            told += 1
            rest = pair.premise.partition(named[0])[2]
            assert amount[1].replace(",", "") in rest.replace(",", "")
    assert told >= 3


def test_a_seed_decides_the_pairs(modules: Any, pairs: list[Any]) -> None:
    assert modules.rows.row_pairs(LexicalEmbedder(), 90, 7) == pairs
    assert modules.rows.row_pairs(LexicalEmbedder(), 2, 8) != pairs[:2]


def test_every_schema_can_be_said(modules: Any) -> None:
    for domain in modules.cells.schemas():
        assert isinstance(domain["names"], list) or domain["names"] in ("people", "codes")
        assert len(domain["fields"]) >= 5
        for field in domain["fields"]:
            said = field.get("says") or [*field["yes"], *field["no"]]
            compared = [s for way in ("more", "less") for s in field.get(way, ())]
            assert all("{The}" in s or "{the}" in s for s in (*said, *compared))
            assert all("{other}" in s for s in compared)
            assert len(field["labels"]) == 3
