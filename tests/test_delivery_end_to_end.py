"""From documents and an answer to the text that is shown, with the real models."""

from __future__ import annotations

import pytest

from halgo import Checker, Config, Halgorithm, gate

pytestmark = pytest.mark.models

DOCUMENTS = (
    "The agreement limits liability to £2M. Payment is due within 30 days of receipt. "
    "A late fee of 1.5% per month applies to overdue invoices. "
    "Acme was founded in 1999 in Leeds. Acme employs 340 people across 12 sites. "
    "Refunds are paid within 14 days."
)


@pytest.fixture(scope="module")
def whole() -> Checker:
    return Checker.from_docs(DOCUMENTS, halgorithm=Halgorithm())


@pytest.fixture(scope="module")
def by_clause() -> Checker:
    return Checker.from_docs(DOCUMENTS, halgorithm=Halgorithm(Config(granularity="atomic")))


def test_a_list_and_a_connective(whole: Checker) -> None:
    answer = (
        "Thank you for your question! Here is what the documents say:\n\n"
        "1. **Liability:** The agreement limits liability to £2M.\n"
        "2. **Late fee:** The late fee is 5% per month.\n"
        "3. **Payment:** Payment is due within 30 days.\n\n"
        "However, refunds are paid within 30 days. In addition, Acme was founded in 1999."
    )
    assert gate.apply(whole.check(answer), gate.STRIP_UNSUPPORTED).text == (
        "Thank you for your question! Here is what the documents say:\n\n"
        "1. **Liability:** The agreement limits liability to £2M.\n"
        "2. **Payment:** Payment is due within 30 days.\n\n"
        "Acme was founded in 1999."
    )


def test_a_pronoun_is_resolved_when_its_sentence_goes(whole: Checker) -> None:
    answer = "Acme was founded in 1985. It employs 340 people. Payment is due within 30 days."
    assert gate.apply(whole.check(answer), gate.STRIP_UNSUPPORTED).text == (
        "Acme employs 340 people. Payment is due within 30 days."
    )


@pytest.mark.parametrize(
    "answer, shown",
    [
        (
            "Payment is due within 60 days and refunds are paid within 14 days.",
            "Refunds are paid within 14 days.",
        ),
        (
            "Acme employs 340 people across 50 sites.",
            "Acme employs 340 people.",
        ),
        (
            "Acme, which was founded in 1985, employs 340 people.",
            "Acme employs 340 people.",
        ),
    ],
)
def test_a_clause_goes_and_the_rest_stands(answer: str, shown: str, by_clause: Checker) -> None:
    assert gate.apply(by_clause.check(answer), gate.STRIP_UNSUPPORTED).text == shown


def test_a_hedge_of_an_invented_name(whole: Checker) -> None:
    answer = "Contoso Ltd bought Acme. Refunds are paid within 14 days."
    assert gate.apply(whole.check(answer), gate.HEDGE).text == (
        "The documents do not confirm that Contoso Ltd bought Acme. "
        "Refunds are paid within 14 days."
    )


def test_a_hedged_answer_is_not_hedged_again(whole: Checker) -> None:
    answer = "Contoso Ltd bought Acme. The moon is made of cheese. Refunds are paid within 14 days."
    once = gate.apply(whole.check(answer), gate.HEDGE).text
    assert once.count("The documents do not") == 2
    assert gate.apply(whole.check(once), gate.HEDGE).text == once


@pytest.mark.parametrize("policy", gate.PROFILES.values(), ids=lambda policy: policy.name)
def test_without_sources_no_profile_but_the_audit_shows_an_answer_as_it_is(
    policy: gate.Policy,
) -> None:
    empty = Checker.from_docs("", halgorithm=Halgorithm())
    decision = gate.apply(empty.check("The fee is 5%."), policy)
    assert decision.passed == (policy is gate.AUDIT_ONLY)


def test_a_refusal_passes_every_profile(whole: Checker) -> None:
    report = whole.check("I don't have enough information to answer that.")
    assert all(gate.apply(report, policy).passed for policy in gate.PROFILES.values())
