"""Records side by side: a value of one is not told of another, and what is right is left alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from halgo import Halgorithm, Verdict
from halgo.sources.bundle import Bundle
from halgo.sources.records import fields

pytestmark = pytest.mark.models

PUMPS = [
    {"sku": "KX-40", "name": "Kestrel 40 pump", "in_stock": 12, "price": 345.0, "made_in": "Oslo"},
    {"sku": "KX-30", "name": "Kestrel 30 pump", "in_stock": 0, "price": 310.0, "made_in": "Graz"},
]
TABLE = """| Plan | Price | Seats |
|---|---|---|
| Basic | 9 EUR | 3 |
| Team | 19 EUR | 25 |
"""


@pytest.fixture(scope="module")
def halgorithm() -> Halgorithm:
    return Halgorithm(embedder="lexical", entailment=None)


def kinds(halgorithm: Halgorithm, docs: Any, claim: str) -> set[str]:
    """The kinds of the signals that say something of records."""
    (result,) = halgorithm.checker(docs).check_claims([claim])
    return {
        signal.kind
        for assessment in result.assessments
        for signal in assessment.signals
        if "record" in signal.message or '" as ' in signal.message
    }


def rows() -> Sequence[Any]:
    bundle = Bundle()
    bundle.add_rows("pumps", PUMPS)
    return bundle.documents


@pytest.mark.parametrize(
    "claim",
    [
        "The Kestrel 30 pump costs 345.",
        "KX-30 is made in Oslo.",
        "The price of KX-40 is 310.",
        "The Kestrel 40 pump is made in Graz.",
        "The price of the Kestrel 30 pump is 299.",
    ],
)
def test_a_value_of_another_record_contradicts(halgorithm: Halgorithm, claim: str) -> None:
    (result,) = halgorithm.checker(rows()).check_claims([claim])
    assert result.verdict is Verdict.CONTRADICTION
    assert result.evidence is not None
    named = "KX-30" if "30 " in claim or "KX-30" in claim else "KX-40"
    assert named in result.evidence.chunk.text


@pytest.mark.parametrize(
    "claim",
    [
        "The Kestrel 30 pump costs 310.",
        "KX-40 costs 345 and is made in Oslo.",
        "The Kestrel 40 pump costs 345, the Kestrel 30 pump 310.",
        "The Kestrel 40 pump costs 35 more than the Kestrel 30 pump.",
        "Pumps are made in Oslo and Graz.",
        "One of the pumps costs 345.",
        "There are 12 KX-40 in stock.",
        "KX-40 costs 345.00.",
    ],
)
def test_what_is_right_gets_no_signal(halgorithm: Halgorithm, claim: str) -> None:
    found = kinds(halgorithm, rows(), claim)
    assert not found & {"number_conflict", "word_conflict", "unsupported_number"}


def test_a_table_row_is_a_record_named_by_its_first_cell(halgorithm: Halgorithm) -> None:
    assert "number_conflict" in kinds(halgorithm, TABLE, "The Basic plan has 25 seats.")
    assert "number_conflict" not in kinds(halgorithm, TABLE, "The Team plan has 25 seats.")


FARES = """Fares of the tramways (euros)
ticket | zone A | zones A+B | all zones | valid
Single | 2.60 | 3.40 | 4.90 | 90 min
Month, trainee | 36.00 | 46.00 | 59.00 | calendar month
"""


@pytest.mark.parametrize(
    "claim, contradicted",
    [
        ("A Single for all zones costs 3.40 euros.", True),
        ("A Single for all zones costs 4.90 euros.", False),
        ("A Single in zone A costs 2.60 euros.", False),
        ("A Single in zone A costs 4.90 euros.", True),
        ("A monthly ticket for trainees in all zones costs 46 euros.", True),
        ("A monthly ticket for trainees in all zones costs 59 euros.", False),
        ("A Single costs 3.40 euros.", False),  # no column is named
        ("Two Singles for all zones cost 9.80 euros.", False),  # in no cell, so worked out perhaps
    ],
)
def test_the_figure_of_another_column_contradicts(
    halgorithm: Halgorithm, claim: str, contradicted: bool
) -> None:
    assert ("number_conflict" in kinds(halgorithm, FARES, claim)) is contradicted


LIMITS = """| what | most | beyond it |
|---|---|---|
| a settings or policy file | 1,000,000 bytes | refused |
| a calibration file | 10,000,000 bytes | refused |
| a document | 200,000,000 bytes | left out |
"""


def test_a_row_is_known_by_a_word_that_only_its_first_cell_has(halgorithm: Halgorithm) -> None:
    wrong = kinds(halgorithm, LIMITS, "Settings files have 10,000,000 bytes at most.")
    assert {"unsupported_name", "number_conflict"} & wrong
    assert kinds(halgorithm, LIMITS, "Files have 10,000,000 bytes at most.") == set()


ROUTES = """| route | what it does |
|---|---|
| POST /alignscore_base | for NeMo Guardrails |
| GET /metrics | figures for Prometheus |
"""


def test_a_row_is_known_by_the_code_in_its_first_cell(halgorithm: Halgorithm) -> None:
    assert "unsupported_name" in kinds(halgorithm, ROUTES, "/metrics is for NeMo Guardrails.")
    assert kinds(halgorithm, ROUTES, "The route is for NeMo Guardrails.") == set()


def test_prose_is_no_record(halgorithm: Halgorithm) -> None:
    docs = ["Name: the pump; it costs 345.", "The Kestrel 30 costs 310; the 40: 345."]
    assert kinds(halgorithm, docs, "The Kestrel 30 costs 345.") == set()


def test_a_line_of_a_record_has_fields() -> None:
    assert fields("orders[3].id: 7; orders[3].customer.full_name: Ann Lee") == (
        "orders[]",
        [("id", "7"), ("customer full name", "Ann Lee")],
    )
    assert fields("The fee: 5%; more.") is None and fields("") is None


@pytest.mark.parametrize(
    "payload",
    [
        {"a": {}},
        [[[1]], [[2]]],
        {"name": "", "id": None},
        [{"name": "x" * 5000, "v": "[("}],
        [{"name": "a.b*c", "v": "\\d+"}, {"name": "(", "v": "]"}],
        [{"": 1, " ": 2, ";": 3, ":": 4}],
        {"deep": {"er": [{"name": "\u200b\ufeff"}]}},
    ],
)
def test_odd_records_are_no_crash(halgorithm: Halgorithm, payload: Any) -> None:
    bundle = Bundle()
    bundle.add_tool_result("odd tool", payload)
    checker = halgorithm.checker(bundle.documents)
    report = checker.check("The a.b*c has ( and x 5 [1]. The name is 3.")
    assert len(report) >= 1
