"""Two written claims in one, and the same with one half turned round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import small_training

SHOP = "The shop opens at nine. It sells bread and cheese. The owner is Ida Moll."
BOAT = "The ferry leaves at noon. It takes an hour. Cars are carried on weekdays only."


@pytest.fixture(scope="module")
def modules() -> Iterator[Any]:
    with small_training.training("joined", "examples") as package:
        yield package


def twins(modules: Any, premise: str, true: str, false: str, wrong: str) -> list[Any]:
    made = modules.examples
    start = false.index(wrong)
    spans = ((start, start + len(wrong)),)
    return [
        made.Example(premise, true, made.ENTAILED, "written: true", ()),
        made.Example(premise, false, made.CONTRADICTED, "written: false", spans, twin=True),
    ]


@pytest.fixture
def written(modules: Any) -> list[Any]:
    return [
        *twins(modules, SHOP, "Customers can buy cheese.", "Customers can buy shoes.", "shoes"),
        *twins(
            modules, SHOP, "The shop is run by Ida Moll.", "The shop is run by her son.", "her son"
        ),
        *twins(
            modules, BOAT, "Cars stay ashore on Sundays.", "Cars are taken on Sundays.", "taken"
        ),
    ]


def test_claims_about_one_document_are_joined_and_turned_round(
    modules: Any, written: list[Any]
) -> None:
    found = modules.joined.joined_pairs(written, 10, 1)
    assert len(found) == 2 and found[1].twin and not found[0].twin
    told = {pair.label: pair for pair in found}
    true, false = told[modules.examples.ENTAILED], told[modules.examples.CONTRADICTED]
    assert (
        true.claim.startswith("Customers can buy cheese") and "the shop is run by Ida" in true.claim
    )
    ((start, end),) = false.spans
    assert false.claim[start:end] in ("shoes", "her son")
    assert all(sentence in true.premise for sentence in SHOP.split(". "))
    assert "ferry" not in true.premise


def test_so_many_as_asked_and_always_the_same(modules: Any, written: list[Any]) -> None:
    assert modules.joined.joined_pairs(written, 0, 1) == []
    once, again = (modules.joined.joined_pairs(written, 10, 4) for _ in range(2))
    assert once == again


def test_two_that_say_nearly_the_same_are_left_apart(modules: Any) -> None:
    same = [
        *twins(modules, SHOP, "The shop opens at nine.", "The shop opens at ten.", "ten"),
        *twins(modules, SHOP, "The shop opens at 9 o'clock.", "The shop opens at 8 o'clock.", "8"),
    ]
    assert modules.joined.joined_pairs(same, 10, 1) == []
