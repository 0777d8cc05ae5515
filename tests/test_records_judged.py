"""Claims beside records: results that failed, told anew, without a value; rows named before."""

from typing import Any

import pytest

from halgo import Bundle, Checker, Halgorithm

pytestmark = pytest.mark.models

MAIL = {"ok": False, "error": "SMTP 550 mailbox unavailable", "to": "ann@ex.com"}
SENT = {"ok": True, "error": None, "to": "ann@ex.com"}
CARD = {"success": False, "message": "Card declined", "amount": 50, "currency": "EUR"}
BOB = {"error": "Insufficient permissions", "user": "bob"}
LEFT = {"id": 3, "email": "cy@ex.com", "cancelled_at": None}
GONE = {"id": 3, "email": "cy@ex.com", "cancelled_at": "2026-03-04"}
JOB = {"job": "etl", "started_at": "2026-03-02T10:00:00Z", "finished_at": None}
USERS = {"users": [{"id": at, "active": at != 2} for at in (1, 2, 3)]}
TICKET = {"ticket": "T-77", "sla_breached": True, "assignee": None}
PARCEL = {
    "order": {
        "shipping": {"carrier": "DB Schenker", "tracking": "DBS-7741902", "eta": "2025-03-27"},
        "payment": {"terms_days": 45, "paid": False},
    }
}


ORDERED = {"item": {"name": "USB-C Cable", "qty": 2, "unit_price_cents": 1499}, "currency": "USD"}
INVOICES = {
    "invoices": [
        {"number": f"INV-{at}", "status": "PAID" if at == 1 else "OPEN"} for at in (1, 2, 3)
    ]
}


def of_order(status: str) -> dict[str, str]:
    return {"id": "ORD-1", "status": status}


@pytest.fixture(scope="module")
def halgorithm() -> Halgorithm:
    return Halgorithm(entailment="cascade")


def verdict(halgorithm: Halgorithm, results: list[Any], claim: str, tool: str = "look_up") -> str:
    """Of a claim beside the results of one tool, each later than the one before."""
    bundle = Bundle()
    for at, result in enumerate(results):
        bundle.add_tool_result(tool, result, call_id=f"c{at}", revision=str(at + 1))
    (found,) = Checker.from_bundle(bundle, halgorithm=halgorithm).check_claims([claim]).results
    return found.verdict.value


def test_what_is_in_transit_has_shipped_and_nothing_says_otherwise(halgorithm: Halgorithm) -> None:
    bundle = Bundle()
    bundle.add_tool_result("get_order", of_order("IN_TRANSIT"))
    checker = Checker.from_bundle(bundle, halgorithm=halgorithm)
    (found,) = checker.check_claims(["Order ORD-1 has shipped."]).results
    assert found.verdict.value != "CONTRADICTION" and "otherwise" not in found.message


@pytest.mark.parametrize(
    ("result", "claim", "supported"),
    [
        (MAIL, "I sent the email to ann@ex.com.", False),
        (MAIL, "The email to ann@ex.com could not be sent.", True),
        (SENT, "I sent the email to ann@ex.com.", True),
        (CARD, "I charged your card €50.", False),
        (CARD, "Your card was declined.", True),
        (BOB, "I deleted the user bob.", False),
        (BOB, "I do not have sufficient permissions to delete the user bob.", True),
        (LEFT, "User 3 cancelled.", False),
        (LEFT, "User 3 has not cancelled.", True),
        (GONE, "User 3 cancelled.", True),
        (JOB, "The etl job has finished.", False),
        (JOB, "The etl job has not finished yet.", True),
        (JOB, "The etl job started on 2 March 2026.", True),
        (USERS, "Two users are active.", True),
        (USERS, "Three users are active.", False),
        (USERS, "User 2 is active.", False),
        (of_order("IN_TRANSIT"), "Order ORD-1 is on its way.", True),
        (of_order("IN_TRANSIT"), "Order ORD-1 hasn't shipped yet.", False),
        (of_order("IN_TRANSIT"), "Order ORD-1 is still being processed.", False),
        (of_order("SHIPPED"), "Order ORD-1 is still being processed.", False),
        (of_order("DELIVERED"), "Order ORD-1 has shipped.", True),
        (of_order("DELIVERED"), "Order ORD-1 is on its way.", False),
        ({"id": "ORD-1", "total_cents": 4599, "currency": "EUR"}, "The total is €45.99.", True),
        ({"id": "ORD-1", "total_cents": 4599, "currency": "EUR"}, "The total is €54.99.", False),
        ({"id": "ORD-1", "amount_minor": 4599, "currency": "GBP"}, "The amount is £45.99.", True),
        ({"id": "ORD-1", "amount_minor": 4599, "currency": "usd"}, "The amount is $45.99.", True),
        ({"id": "ORD-1", "amount_minor": 4599, "currency": "JPY"}, "The amount is ¥4,599.", True),
        (INVOICES, "Two invoices are unpaid.", True),
        (INVOICES, "Only one invoice is unpaid.", False),
        (ORDERED, "You ordered 2 USB-C cables for $29.98.", True),
        (ORDERED, "You ordered 3 USB-C cables for $44.97.", False),
        (USERS, "User 3 is active.", True),
        (TICKET, "Nobody is assigned to ticket T-77.", True),
        (TICKET, "The SLA of T-77 was breached.", True),
        (PARCEL, "The order has been paid.", False),
        (PARCEL, "Payment is due within 45 days.", True),
    ],
)
def test_what_a_result_says(
    halgorithm: Halgorithm, result: Any, claim: str, supported: bool
) -> None:
    tool = "send_email" if "to" in result else "look_up"
    assert (verdict(halgorithm, [result], claim, tool) == "SUPPORTED") == supported


@pytest.mark.parametrize(
    ("before", "after", "now", "then"),
    [
        (
            {"order_id": 1042, "eta": "2026-05-12"},
            {"order_id": 1042, "eta": "2026-05-08"},
            "Order 1042 arrives on 8 May.",
            "Order 1042 arrives on 12 May.",
        ),
        ({"id": "A1", "price": 90}, {"id": "A1", "price": 99}, "A1 costs 99.", "A1 costs 90."),
        (
            {"id": "A1", "active": True},
            {"id": "A1", "active": False},
            "A1 is not active.",
            "A1 is active.",
        ),
        (
            {"id": "A1", "gate": "B12"},
            {"id": "A1", "gate": "C3"},
            "Flight A1 leaves from gate C3.",
            "Flight A1 leaves from gate B12.",
        ),
    ],
)
def test_a_later_result_takes_the_place_of_the_earlier_one(
    halgorithm: Halgorithm, before: Any, after: Any, now: str, then: str
) -> None:
    assert verdict(halgorithm, [before, after], now) == "SUPPORTED"
    assert verdict(halgorithm, [before, after], then) != "SUPPORTED"


def test_a_result_about_another_record_takes_no_place(halgorithm: Halgorithm) -> None:
    results = [{"order_id": 1041, "eta": "2026-05-12"}, {"order_id": 1042, "eta": "2026-05-08"}]
    assert verdict(halgorithm, results, "Order 1041 arrives on 12 May.") == "SUPPORTED"


LIMITS = """| City | Hotel | Meals |
|---|---|---|
| London | $280 | $95 |
| Madrid | $190 | $70 |
| Oslo | $250 | $90 |
"""


@pytest.mark.parametrize(
    ("answer", "supported"),
    [
        ("In Madrid, hotels cost up to $190. Meals are capped at $70.", True),
        ("In Madrid, hotels cost up to $190. Meals are capped at $95.", False),
        ("London is dear. Madrid has two limits. The meal limit is $95 a day.", False),
        ("## Madrid\nThe meal limit is $95 a day.", False),
        ("Madrid has two limits. London has a meal limit of $95 a day.", True),
    ],
)
def test_the_row_that_an_answer_named_last_is_the_one_it_speaks_of(
    halgorithm: Halgorithm, answer: str, supported: bool
) -> None:
    report = Checker.from_docs(LIMITS, halgorithm=halgorithm).check(answer)
    assert (report.results[-1].verdict.value == "SUPPORTED") == supported


SERVICE = {"port": 80, "targetPort": 8080, "timeout": 30, "idleTimeout": 300}
INCIDENTS = [
    {"id": "INC-101", "resolved_at": "2024-05-03", "assignee": "Ann"},
    {"id": "INC-102", "resolved_at": None, "assignee": None},
]


@pytest.mark.parametrize(
    "source, claim, supported",
    [
        (SERVICE, "The target port is 8080.", True),
        (SERVICE, "The target port is 80.", False),
        (SERVICE, "The port is 80.", True),
        (SERVICE, "The idle timeout is 300.", True),
        (SERVICE, "The idle timeout is 30.", False),
        (INCIDENTS, "INC-102 has not been resolved yet.", True),
        (INCIDENTS, "INC-102 has been resolved.", False),
        (INCIDENTS, "INC-102 was resolved on 3 May 2024.", False),
        (INCIDENTS, "INC-101 was resolved on 3 May 2024.", True),
        (INCIDENTS, "INC-102 has no assignee.", True),
        (INCIDENTS, "INC-102 is assigned to Ann.", False),
    ],
)
def test_keys_of_several_words_and_values_that_are_not_there(
    halgorithm: Halgorithm, source: Any, claim: str, supported: bool
) -> None:
    (result,) = Checker.from_docs({"data": source}, halgorithm=halgorithm).check_claims([claim])
    assert (result.verdict.value == "SUPPORTED") == supported
