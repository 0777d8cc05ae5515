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
