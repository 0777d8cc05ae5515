"""Claim types: one for each claim, the same for the published examples and for their likes."""

from __future__ import annotations

import pytest

from halgo.facts import extract
from halgo.report.claimtypes import ClaimType, claim_type, claim_types, is_citation
from halgo.types import Facts, Name, Predicate, Quantity, Span

QUANTITATIVE = [
    "The late fee is 1.5% per month.",
    "Late fee is 5% per month.",
    "The late fee is 2% per month.",
    "The fee is 2% of the balance.",
    "The late payment fee is 5% per month.",
    "Client shall pay a late fee of 1.5% per month.",
    "The late payment penalty is 2% of the outstanding balance.",
    "The office has three floors.",
    "Late payment is charged at $5 per day.",
    "A fee of 2% applies after 30 days.",
    "Order A-1042 costs $500.",
    "The deposit is EUR1500.",
]
TEMPORAL = [
    "Payment is due within 30 days.",
    "Client shall pay invoices within 30 days.",
    "Payment must be made within 30 days.",
    "Payment is due within 30 days of invoice receipt.",
    "Either party may terminate upon 30 days\u2019 written notice.",
    "Confidentiality obligations survive for 3 years.",
    "The trial received FDA fast-track designation in March 2024.",
    "Invoices are sent after delivery.",
    "The office opens at 9 am.",
    "Order 17 arrives on 6 May.",
    "Your order A-1042 shipped on 6 May.",
]
OBLIGATION = [
    "ABC Corporation shall indemnify Client against third-party claims.",
    "Client must maintain confidentiality of proprietary information.",
    "The vendor shall provide weekly updates.",
    "The court will hear the case.",
    "Approval is required.",
    "Members have to wear badges.",
]
GENERAL = [
    "The hotel has no pool.",
    "The company is based within the European Union.",
    "The first phase is over.",
    "Dr. Smith's will was read.",
    "Section 5 describes the delivery.",
    "Call 01865 555 014.",
]


@pytest.mark.models
def test_every_published_example_has_its_type() -> None:
    expected = {
        ClaimType.QUANTITATIVE: QUANTITATIVE,
        ClaimType.TEMPORAL: TEMPORAL,
        ClaimType.OBLIGATION: OBLIGATION,
        ClaimType.GENERAL: GENERAL,
    }
    told = {text: kind for kind, texts in expected.items() for text in texts}
    found = dict(zip(told, claim_types(list(told)), strict=True))
    assert found == told


@pytest.mark.models
@pytest.mark.parametrize(
    ("text", "cites"),
    [
        ("(See Late Payment Penalties, page 5)", True),
        ("(Late Payment Penalties, page 5)", True),
        ("(page 5)", True),
        ("[Contract, pp. 5-7].", True),
        ("(Source 1, p.12)", True),
        ("(Smith et al., 2020)", True),
        ("(Terms of Payment)", True),
        ("(Terms of Delivery)", False),
        ("(Acme bought Beta in 2019, page 5)", False),
        ("(The fee is 5%.)", False),
        ("Late Payment Penalties, page 5", False),
        ("(1,200 guests)", False),
    ],
)
def test_a_citation_is_no_claim(text: str, cites: bool) -> None:
    (facts,) = extract([text])
    assert is_citation(text, facts, frozenset({"terms of payment"})) is cites


def test_an_amount_outranks_a_time_and_a_time_a_duty() -> None:
    text = "They shall pay 5 of it within 30 days."
    span, time = Span(15, 16), Span(30, 37)
    duty = (Predicate("pay", False, Span(11, 14), frame="must"),)
    amount = Quantity(5, 5, "dollar", span)
    month = Quantity(2592000, 2592000, "second", time)
    assert claim_type(text, Facts((amount, month), predicates=duty)) is ClaimType.QUANTITATIVE
    assert claim_type(text, Facts((month,), predicates=duty)) is ClaimType.TEMPORAL
    assert claim_type("They shall pay.", Facts(predicates=duty)) is ClaimType.OBLIGATION
    assert claim_type("They pay.", Facts()) is ClaimType.GENERAL


def test_numbers_that_name_or_order_are_no_amounts() -> None:
    for unit in ("identifier:5", "ordinal"):
        facts = Facts((Quantity(5, 5, unit, Span(4, 5)),))
        assert claim_type("Part 5 is long.", facts) is ClaimType.GENERAL
    facts = Facts((Quantity(5, 5, "", Span(21, 22)),))
    assert claim_type("It is short (see page 5).", facts) is ClaimType.GENERAL


def test_within_a_place_is_no_time() -> None:
    text = "They live within the Union."
    named = (Name("Union", "ORG", "union", Span(21, 26)),)
    assert claim_type(text, Facts(names=named)) is ClaimType.GENERAL
    assert claim_type(text, Facts()) is ClaimType.TEMPORAL
