"""A total that stands in no passage, and the amounts of several that add up to it."""

from __future__ import annotations

import pytest

from halgo import Checker

pytestmark = pytest.mark.models

ROWS = {
    "id": "invoices",
    "text": "| invoice | amount (EUR) |\n|---|---|\n| R-1 | 1240 |\n| R-2 | 385 |\n| R-3 | 2760 |",
}


def derived(claim, docs=(ROWS,)):
    (result,) = Checker.from_docs(list(docs)).check_claims([claim]).results
    found = [s for each in result.assessments for s in each.signals if s.kind == "derived"]
    return {signal.values[0] for signal in found if signal.values}


def test_all_rows_of_a_table_add_up():
    assert "€4,385" in derived("The three invoices come to €4,385 in total.")


def test_as_many_rows_as_the_claim_counts_add_up():
    assert "€1,625" in derived("Two of the invoices come to €1,625 together.")


@pytest.mark.parametrize(
    "claim",
    [
        "The three invoices come to €4,850 in total.",  # not their sum
        "The three invoices come to $4,385 in total.",  # other money
        "One invoice is for €4,385.",  # no total is claimed
        "The two invoices come to €4,385 in total.",  # there are three
    ],
)
def test_what_is_no_total_of_the_rows_is_not_derived(claim):
    assert derived(claim) == set()


def test_amounts_of_two_documents_are_not_added():
    docs = [
        {"id": str(n), "text": f"| invoice | amount (EUR) |\n|---|---|\n| R-{n} | {amount} |\n"}
        for n, amount in enumerate((1240, 385, 2760))
    ]
    assert derived("The three invoices come to €4,385 in total.", docs) == set()
