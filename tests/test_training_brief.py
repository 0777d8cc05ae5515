"""Premises of twins are cut to the sentences that bear on them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import small_training

LONG = (
    "The museum opened in 1931. It was built by Ada Marsh. Its garden is open to all from dawn. "
    "Tickets cost nine euros at the door. Members of the society pay four euros instead. "
    "Dogs are allowed in the garden on a lead. The café serves lunch from noon until three. "
    "Groups of more than ten book two weeks ahead. The nearest station is Holm, a short walk away."
)


@pytest.fixture(scope="module")
def brief() -> Iterator[Any]:
    """`training.brief.brief`."""
    with small_training.training("brief") as package:
        yield package.brief.brief


def test_the_sentences_that_hold_the_words_of_both_are_kept(brief: Any) -> None:
    found = brief(LONG, ["Members pay four euros.", "Members pay nine euros."])
    assert "Members of the society pay four euros" in found
    assert "nine euros" in found
    assert "Groups" not in found
    assert len(found) < len(LONG) / 2


def test_they_stay_in_their_order_and_it_keeps_its_noun(brief: Any) -> None:
    found = brief(LONG, ["Ada Marsh built it.", "Ada Marsh bought it."])
    assert found == "The museum opened in 1931. It was built by Ada Marsh."


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("Tickets cost nine euros.", "Tickets cost four euros."),  # short as it is
        (LONG, "Xyzzy, plugh!"),  # no word of the claim is there
    ],
)
def test_else_it_stays_as_it_is(brief: Any, premise: str, claim: str) -> None:
    assert brief(premise, [claim]) == premise


def test_what_is_cut_is_the_same_again(brief: Any) -> None:
    claims = ["Dogs and groups pay four euros at the door.", "Dogs pay nothing."]
    assert brief(LONG, claims) == brief(LONG, claims)
