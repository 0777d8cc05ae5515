"""Claims of absence beside sources that tell it in other words: what the entailment model finds."""

from __future__ import annotations

import pytest

from halgo import Checker, State, Verdict

pytestmark = pytest.mark.models

TIERS = """Recordings are stored for 60 days on the Studio tier and for one year on the Label tier.

| Tier | Calls per minute |
|---|---|
| Basic | 30 |
| Gold | 300 |

Uploads are capped at 2 GB. `reel watch` prints the level. `--stream` keeps printing it.
"""


@pytest.fixture(scope="module")
def checker() -> Checker:
    return Checker.from_docs(TIERS)


@pytest.mark.parametrize(
    "claim",
    [
        "The documents do not say how long recordings are kept on the Studio tier.",
        "The documents do not say what the rate limit on the Gold tier is.",
        "The documentation does not give a rate limit for Basic.",
        "There is no information about an upload limit in the provided context.",
        "There is no mention of a `--stream` option.",
    ],
)
def test_what_is_told_in_other_words_is_no_absence(checker: Checker, claim: str) -> None:
    (result,) = checker.check(claim).results
    assert (result.verdict, result.reason) == (Verdict.CONTRADICTION, "mentioned")


@pytest.mark.parametrize(
    "claim",
    [
        "The documents do not say how long recordings are kept on the Home tier.",
        "The documents do not say what the rate limit on the Platinum tier is.",
        "There is no information about refunds in the provided context.",
        "There is no mention of a `--quiet` option.",
        "The documents do not say who founded the company.",
    ],
)
def test_what_is_not_told_stays_a_refusal(checker: Checker, claim: str) -> None:
    report = checker.check(claim)
    assert (report.state, report.results) == (State.REFUSAL, ())


def test_a_bare_noun_in_other_words_is_in_doubt(checker: Checker) -> None:
    (result,) = checker.check("Unfortunately, the docs don't cover recording retention.").results
    assert (result.verdict, result.reason) == (Verdict.WEAK_SUPPORT, "mentioned")


def test_documentation_that_does_not_cover_something_is_silent_about_it(checker: Checker) -> None:
    (result,) = checker.check("Unfortunately, the docs don't cover password rules.").results
    assert (result.verdict, result.reason) == (Verdict.SUPPORTED, "not_mentioned")
