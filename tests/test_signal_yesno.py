"""Yes/no cells: check marks as they are read, and claims of the cell, the row and the column."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from halgo import Checker, Halgorithm
from halgo.sources.sentences import split
from halgo.types import Stance

pytestmark = pytest.mark.models

SERVICES = [
    {"service": "billing", "encrypted": True, "public": False, "backups": True},
    {"service": "search", "encrypted": False, "public": True, "backups": True},
    {"service": "mailer", "encrypted": True, "public": False, "backups": False},
]
PLANS = """| Feature | Basic | Pro |
|---|---|---|
| Single sign-on | no | yes |
| No advertisements | no | yes |
"""


def table(*rows: str) -> str:
    return "\n".join(["| Feature | Basic | Pro |", "|---|---|---|", *rows])


@pytest.mark.parametrize(
    ("row", "read"),
    [
        ("| Export | ✅ | ❌ |", "Feature: Export — Basic: yes; Pro: no"),
        ("| Export | ✔️ | ✘ |", "Feature: Export — Basic: yes; Pro: no"),
        ("| Export | :x: | :white_check_mark: |", "Feature: Export — Basic: no; Pro: yes"),
        ("| Export | ✅ (beta) | ❌ |", "Feature: Export — Basic: yes (beta); Pro: no"),
        ("| Export | x |  |", "Feature: Export — Basic: yes; Pro: no"),
        ("| Export |  | ✓ |", "Feature: Export — Basic: no; Pro: yes"),
        ("| Export | 5 |  |", "Feature: Export — Basic: 5"),
        ("| Export | x | 3 |", "Feature: Export — Basic: x; Pro: 3"),
        ("| Export |  |  |", "Feature: Export"),
    ],
)
def test_check_marks_are_read_as_yes_and_no(row: str, read: str) -> None:
    text = table(row)
    (sentence,) = split(text)
    assert sentence.reading.text == read
    assert sentence.span.of(text) == row
    for piece in sentence.reading.pieces:
        assert sentence.reading.text[piece.at : piece.at + len(piece.span)] == piece.span.of(text)


@pytest.fixture(scope="module")
def halgorithm() -> Halgorithm:
    return Halgorithm(embedder="lexical", entailment=None)


def told(checker: Checker, claim: str) -> set[Stance]:
    (result,) = checker.check_claims([claim]).results
    return {s.stance for a in result.assessments for s in a.signals if s.detector == "yes_no"}


@pytest.mark.parametrize(
    ("claim", "stance"),
    [
        ("The Basic plan has single sign-on.", Stance.CONTRADICTS),
        ("The Pro plan has single sign-on.", Stance.SUPPORTS),
        ("The Pro plan has no advertisements.", Stance.SUPPORTS),
        ("The Basic plan has no advertisements.", Stance.CONTRADICTS),
        ("Pro has single sign-on, but Basic does not.", Stance.SUPPORTS),
        ("Basic has single sign-on, but Pro does not.", Stance.CONTRADICTS),
        ("Only Basic has single sign-on.", Stance.CONTRADICTS),
        ("Both plans have single sign-on.", Stance.CONTRADICTS),
    ],
)
def test_a_claim_is_held_against_the_cell_it_names(
    halgorithm: Halgorithm, claim: str, stance: Stance
) -> None:
    assert told(halgorithm.checker([PLANS]), claim) == {stance}


@pytest.mark.parametrize("claim", ["Sign here.", "The Enterprise plan has single sign-on."])
def test_what_names_no_cell_is_left_alone(halgorithm: Halgorithm, claim: str) -> None:
    assert told(halgorithm.checker([PLANS]), claim) == set()


@pytest.mark.parametrize(
    ("claim", "stance"),
    [
        ("The billing service is encrypted.", Stance.SUPPORTS),
        ("The search service is encrypted.", Stance.CONTRADICTS),
        ("The mailer has no backups.", Stance.SUPPORTS),
        ("The mailer has backups.", Stance.CONTRADICTS),
    ],
)
def test_fields_of_records_are_cells_too(
    halgorithm: Halgorithm, tmp_path: Path, claim: str, stance: Stance
) -> None:
    (tmp_path / "services.json").write_text(json.dumps(SERVICES), encoding="utf-8")
    checker = Checker.from_files([tmp_path / "services.json"], halgorithm=halgorithm)
    assert told(checker, claim) == {stance}
