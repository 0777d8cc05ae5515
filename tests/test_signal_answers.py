"""Yes/no answers: a claim is held against what the answer says of its question."""

from __future__ import annotations

import pytest

from halgo import Halgorithm
from halgo.types import Stance

pytestmark = pytest.mark.models

FAQ = """Q: Do you offer refunds?
A: No. We do not refund months that have begun.

Q: Can I cancel my subscription at any time?
A: Yes, with two weeks' notice.

Q: How long is the notice?
A: Two weeks.
"""


@pytest.fixture(scope="module")
def halgorithm() -> Halgorithm:
    return Halgorithm(embedder="lexical", entailment=None)


@pytest.mark.parametrize(
    ("claim", "stances"),
    [
        ("You offer refunds.", {Stance.CONTRADICTS}),
        ("You do not offer refunds.", {Stance.SUPPORTS}),
        ("You can cancel your subscription at any time.", {Stance.SUPPORTS}),
        ("You cannot cancel your subscription at any time.", {Stance.CONTRADICTS}),
        ("You can cancel only if the subscription is paid at the time.", set()),
        ("The notice is two weeks long.", set()),  # no yes/no question
        ("The office is closed on Mondays.", set()),
    ],
)
def test_the_answer_tells_whether_what_is_asked_holds(
    halgorithm: Halgorithm, claim: str, stances: set[Stance]
) -> None:
    (result,) = halgorithm.checker([FAQ]).check_claims([claim]).results
    found = {s.stance for a in result.assessments for s in a.signals if s.detector == "answers"}
    assert found == stances


@pytest.mark.parametrize(
    "document",
    [
        "## Is the pool heated?\n\nNo, it is not.",
        "**Is the pool heated?** Never.",
        "Is the pool heated? Unfortunately not.",
        "Q3. Is the pool heated? A. No.",
    ],
)
def test_questions_are_found_however_they_are_set(halgorithm: Halgorithm, document: str) -> None:
    (result,) = halgorithm.checker([document]).check_claims(["The pool is heated."]).results
    assert result.verdict.value == "CONTRADICTION"
