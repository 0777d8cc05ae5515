"""Privatives: what a thing is free of, it does not have."""

from __future__ import annotations

import pytest

from halgo import Halgorithm

pytestmark = pytest.mark.models


@pytest.fixture(scope="module")
def halgorithm() -> Halgorithm:
    return Halgorithm(embedder="lexical", entailment=None)


@pytest.mark.parametrize(
    ("source", "claim", "told"),
    [
        ("The paint is lead-free.", "The paint contains lead.", ("lead", "lead-free")),
        (
            "The paint is lead- and cadmium-free.",
            "The paint contains lead.",
            ("lead", "lead- and cadmium-free"),
        ),
        (
            "The cream is free from perfume, parabens and dyes.",
            "The cream contains parabens.",
            ("parabens", "free from perfume, parabens and dyes"),
        ),
        ("The grapes are seedless.", "The grapes have seeds.", ("seeds", "seedless")),
        ("The cake contains nuts.", "The cake is nut-free.", ("nut-free", "nuts")),
        ("The cake is free from nuts.", "There are no nuts in the cake.", None),
        ("The cake is not free from nuts.", "The cake contains nuts.", None),
        ("The gum is sugar-free; the drops have sugar.", "The drops have sugar.", None),
        ("The cake contains no nuts.", "The cake is nut-free.", None),
        ("Entry is free from noon on.", "Entry is at noon.", None),
        ("The cake is free from nuts.", "The factory in Leeds uses nuts.", None),
    ],
)
def test_what_a_thing_is_free_of_it_does_not_have(
    halgorithm: Halgorithm, source: str, claim: str, told: tuple[str, str] | None
) -> None:
    (result,) = halgorithm.checker([source]).check_claims([claim]).results
    found = [s.values for a in result.assessments for s in a.signals if s.detector == "privatives"]
    assert found == ([told] if told else [])
