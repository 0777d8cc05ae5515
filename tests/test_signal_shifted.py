"""Dates that follow from another date and a length of time."""

from __future__ import annotations

import pytest

from halgo import Halgorithm

pytestmark = pytest.mark.models

LEASE = (
    "Clause 3: The agreement takes effect on 15 January 2024 and has a term of 36 months. "
    "Clause 4: Invoices are payable within 45 days. "
    "Clause 5: An invoice was issued on 28 January 2025."
)


@pytest.fixture(scope="module")
def halgorithm() -> Halgorithm:
    return Halgorithm(embedder="lexical", entailment=None)


@pytest.mark.parametrize(
    ("claim", "working"),
    [
        ("The agreement ends on 15 January 2027.", "15 January 2024 + 36 months"),
        ("The last day of the agreement is 14 January 2027.", "15 January 2024 + 36 months"),
        ("The invoice is due on 14 March 2025.", "28 January 2025 + 45 days"),
        ("The agreement has a term that ends in January 2027.", "15 January 2024 + 36 months"),
    ],
)
def test_the_end_of_a_term_is_worked_out(halgorithm: Halgorithm, claim: str, working: str) -> None:
    (result,) = halgorithm.checker([LEASE]).check_claims([claim]).results
    derived = [s for a in result.assessments for s in a.signals if s.detector == "shifted_dates"]
    assert derived and all(working in signal.message for signal in derived)
    told = {s.kind for a in result.assessments for s in a.signals}
    assert told.isdisjoint({"unsupported_date", "date_conflict"})


@pytest.mark.parametrize(
    "claim",
    [
        "The agreement ends on 15 January 2026.",
        "The invoice is due on 15 April 2025.",
        "The agreement takes effect on 15 January 2024.",  # stands there
        "The agreement ends in 2027.",  # no day, no month
    ],
)
def test_nothing_else_is(halgorithm: Halgorithm, claim: str) -> None:
    (result,) = halgorithm.checker([LEASE]).check_claims([claim]).results
    assert not any(s.detector == "shifted_dates" for a in result.assessments for s in a.signals)
