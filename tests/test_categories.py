"""Each sentence is VERIFIABLE_FACT, OPINION, PROCEDURAL or META; only the first is checked."""

from __future__ import annotations

import json

import pytest

from halgo import Category, ClaimKind, Halgorithm
from halgo.claims.extract import extract

CHECKED = Category.VERIFIABLE_FACT


def test_each_kind_has_a_category_and_only_facts_are_checked() -> None:
    assert {kind.category for kind in ClaimKind} == set(Category)
    assert all((kind.category is CHECKED) == kind.checked for kind in ClaimKind)


@pytest.mark.models
@pytest.mark.parametrize(
    ("sentence", "category"),
    [
        ("The late fee is 1.5% per month.", "VERIFIABLE_FACT"),
        ("12 of 48 is 25%.", "VERIFIABLE_FACT"),
        ("Take 2 tablets a day.", "VERIFIABLE_FACT"),
        ("The CRM shows status: shipped.", "VERIFIABLE_FACT"),
        ("I think these are very promising results!", "OPINION"),
        ("Please call the support team.", "PROCEDURAL"),
        ("Open the settings page and choose your language.", "VERIFIABLE_FACT"),
        ("Let me know if you would like more detail.", "PROCEDURAL"),
        ("Hello!", "META"),
        ("I'm sorry to hear that.", "META"),
        ("Thank you for your patience.", "META"),
        ("I understand how frustrating this must be.", "META"),
        ("I searched the contract.", "META"),
        ("Would you like me to draft a reply?", "META"),
        ("I don't have enough information to answer that.", "META"),
        ("## Fees", "META"),
    ],
)
def test_a_sentence_is_what_a_reader_would_call_it(sentence: str, category: str) -> None:
    (claim,) = extract(sentence)
    assert claim.category.value == category, claim.kind


@pytest.mark.models
def test_a_report_has_the_share_of_each_category() -> None:
    checker = Halgorithm(embedder="lexical", entailment=None).checker("The late fee is 1.5%.")
    report = checker.check(
        "Hello! I searched the contract. The late fee is 1.5%. Please call support."
    )
    assert report.shares == {
        Category.VERIFIABLE_FACT: 0.25,
        Category.OPINION: 0.0,
        Category.PROCEDURAL: 0.25,
        Category.META: 0.5,
    }
    told = json.loads(report.to_json())
    assert told["shares"]["META"] == 0.5
    assert [one["category"] for one in told["skipped"]] == ["META", "META", "PROCEDURAL"]
    assert [one["category"] for one in told["claims"]] == ["VERIFIABLE_FACT"]


@pytest.mark.models
@pytest.mark.parametrize("answer", ["", " \n"])
def test_without_sentences_there_are_no_shares(answer: str) -> None:
    checker = Halgorithm(embedder="lexical", entailment=None).checker("The late fee is 1.5%.")
    report = checker.check(answer)
    assert report.shares is None
    assert json.loads(report.to_json())["shares"] is None
