"""What prose says of a record, by its fields: another state, another record's value, no value."""

from __future__ import annotations

from typing import Any

import pytest
from small_values import pair_of

from halgo import Halgorithm
from halgo.signals.records import fields
from halgo.sources.records import plain_fields
from halgo.types import Facts

pytestmark = pytest.mark.models

ORDERS = {
    "orders": [
        {"order_id": "KD-208", "status": "pending", "customer": "Ann Lee", "inspected_by": None},
        {
            "order_id": "KD-311",
            "status": "backordered",
            "customer": "Ida Moe",
            "inspected_by": "Bo",
        },
    ]
}


@pytest.fixture(scope="module")
def halgorithm() -> Halgorithm:
    return Halgorithm(embedder="lexical", entailment=None)


def told(halgorithm: Halgorithm, docs: Any, claim: str) -> set[tuple[str, str]]:
    (result,) = halgorithm.checker(docs).check_claims([claim])
    return {
        (signal.kind, signal.stance.value)
        for assessment in result.assessments
        for signal in assessment.signals
        if signal.detector in ("field_values", "records") and signal.kind != "unsupported_name"
    }


@pytest.mark.parametrize(
    "claim, kind",
    [
        ("Order KD-208 has been packed.", "word_conflict"),
        ("Order KD-208 is delayed.", "word_conflict"),
        ("Order KD-208 is backordered.", "word_conflict"),
        ("Order KD-208 has been inspected.", "unsupported_term"),
    ],
)
def test_what_the_fields_do_not_say_is_found(halgorithm: Halgorithm, claim: str, kind: str) -> None:
    assert kind in {found for found, _ in told(halgorithm, [ORDERS], claim)}


@pytest.mark.parametrize(
    "claim",
    [
        "Order KD-208 is pending.",
        "Order KD-311 is backordered.",
        "Order KD-208 has not been packed.",
        "Order KD-208 will be packed.",
        "Order KD-208 was packed on 3 May by hand.",
        "The customer of order KD-208 has been notified.",
        "Order KD-208 is pending, order KD-311 is backordered.",
        "Order KD-208 has not been inspected.",
        "Order KD-311 has been inspected.",
        "Order KD-9 has been packed.",
        "Orders are packed by hand.",
    ],
)
def test_what_may_be_so_is_left_alone(halgorithm: Halgorithm, claim: str) -> None:
    assert told(halgorithm, [ORDERS], claim) == set()


def test_a_word_that_another_passage_has_is_left_to_it(halgorithm: Halgorithm) -> None:
    docs = [ORDERS, "All orders are insured."]
    assert told(halgorithm, docs, "Order KD-208 is insured.") == set()


def test_of_the_only_record_the_field_is_enough(halgorithm: Halgorithm) -> None:
    docs = [{"shipment": [{"status": "pending"}]}]
    assert told(halgorithm, docs, "The status of the shipment is delayed.")
    assert not told(halgorithm, docs, "The status of the shipment is pending.")


def test_a_record_without_positions_has_fields() -> None:
    line = "order_id: KD-208; status: on hold; note: "
    assert plain_fields(line) == [("order id", "KD-208"), ("status", "on hold"), ("note", "")]
    assert plain_fields("Note: we close early; bring a coat.") == []
    assert plain_fields("A plain sentence; nothing else.") == []


def test_prose_has_no_fields() -> None:
    assert fields.of_record(pair_of("A.", Facts(), "The state is active.", Facts())) == []
