"""Claims of absence: what the sources are said to be silent about, and whether they are."""

from __future__ import annotations

import pytest

from halgo import Checker, ClaimKind, Halgorithm, State, Verdict
from halgo.claims.absence import absence
from halgo.report.judge import Judge

pytestmark = pytest.mark.models

POLICY = """Refunds are available within 30 days of purchase. Gift cards cannot be refunded.
Shipping takes three to five days. Ann Lowe answers questions about orders."""


@pytest.fixture(scope="module")
def checker() -> Checker:
    return Halgorithm(embedder="lexical", entailment=None).checker([POLICY])


@pytest.mark.parametrize(
    ("claim", "asked", "topics"),
    [
        ("The documents do not mention pets.", "", ["pets"]),
        ("Unfortunately, the lease doesn't explicitly mention pets.", "", ["pets"]),
        ("I'm sorry, but based on the documents, there is no mention of pets.", "", ["pets"]),
        ("The terms say nothing about pets or bicycles.", "", ["pets", "bicycles"]),
        ("Pets are not mentioned anywhere in the lease.", "", ["Pets"]),
        ("There is no information in the passages about pets.", "", ["pets"]),
        ("No information is given about pets.", "", ["pets"]),
        ("The report does not say whether pets are allowed.", "yes_no", ["pets are allowed"]),
        ("It is not stated who pays the rent.", "who", ["pays the rent"]),
        ("The lease does not specify how long it runs.", "amount", ["it runs"]),
        ("The lease does not state when the rent is due.", "time", ["the rent is due"]),
        ("The lease does not state that pets are banned.", "said", ["pets are banned"]),
        ("The lease does not specify a deposit.", "value", ["a deposit"]),
        ("The guide does not say what a room costs.", "amount", ["a room costs"]),
        ("The lease does not say what the rent is.", "what", ["the rent is"]),
        ("The lease does not say what pets are banned.", "open", ["pets are banned"]),
        ("The lease does not say how rent is paid.", "way", ["rent is paid"]),
        ("The guide does not say why pets are banned.", "open", ["pets are banned"]),
    ],
)
def test_a_claim_of_absence_is_read(claim: str, asked: str, topics: list[str]) -> None:
    found = absence(claim)
    assert found is not None
    assert (found.asked, [span.of(claim).strip() for span in found.topics]) == (asked, topics)


@pytest.mark.parametrize(
    "claim",
    [
        "Pets are not allowed.",
        "The plan does not include support.",
        "The policy does not cover water damage.",
        "The store does not mention it to customers.",
        "The documents do not mention pets, but guests may bring bicycles.",
        "The documents do not provide any further information on pets.",
        "Nothing is as good as it was.",
        "The documents mention pets.",
        "The text says " + "nothing about pets " * 400,
    ],
)
def test_what_says_something_else_is_none(claim: str) -> None:
    assert absence(claim) is None


@pytest.mark.parametrize(
    ("claim", "verdict", "reason"),
    [
        ("The policy does not mention gift cards.", Verdict.CONTRADICTION, "mentioned"),
        ("The policy does not say how long shipping takes.", Verdict.CONTRADICTION, "mentioned"),
        ("The policy does not mention a phone number.", Verdict.SUPPORTED, "not_mentioned"),
        ("The policy does not state when gift cards expire.", Verdict.SUPPORTED, "not_mentioned"),
        ("The policy does not say why refunds are available.", Verdict.WEAK_SUPPORT, "mentioned"),
    ],
)
def test_the_sources_are_asked(checker: Checker, claim: str, verdict: Verdict, reason: str) -> None:
    (result,) = checker.check_claims([claim]).results
    assert (result.verdict, result.reason) == (verdict, reason), result.message


def test_the_sentence_that_speaks_of_it_is_shown(checker: Checker) -> None:
    (result,) = checker.check_claims(["The policy does not mention gift cards."]).results
    assert "Gift cards cannot be refunded" in result.message
    evidence = result.assessments[0].evidence
    assert "Gift cards" in evidence.best.of(evidence.reading.text)


def test_a_refusal_that_may_be_right_stays_one(checker: Checker) -> None:
    report = checker.check("The documents do not mention a warranty.")
    assert (report.state, report.results) == (State.REFUSAL, ())
    assert [claim.kind for claim in report.skipped] == [ClaimKind.REFUSAL]


def test_a_refusal_that_the_sources_belie_is_a_claim(checker: Checker) -> None:
    answer = "Ann Lowe answers questions. The documents do not mention gift cards. Hello!"
    report = checker.check(answer)
    assert [found.verdict for found in report] == [Verdict.SUPPORTED, Verdict.CONTRADICTION]
    assert report.results[1].claim.kind is ClaimKind.FACT
    assert [claim.text for claim in report.skipped] == ["Hello!"]
    assert report.grounded is False


TRAVEL = """Receipts are required for every expense. Sessions end after 12 hours.
Claims are sent by e-mail. Claims are paid monthly.

| Tier | Hotel | Meals |
|---|---|---|
| Tier 1 (London) | $220 | $95 |
| Tier 2 (Berlin, Rome) | $190 | $70 |
"""


@pytest.fixture(scope="module")
def travel() -> Checker:
    return Halgorithm(embedder="lexical", entailment=None).checker([TRAVEL])


@pytest.mark.parametrize(
    "silent",
    [
        "say what the hotel limit in Berlin is",
        "state what the meal allowance in Rome is",
        "mention a hotel limit for Berlin",
        "say whether receipts are needed",
        "mention if receipts are required",
        "specify when sessions end",
        "say how claims are sent",
    ],
)
@pytest.mark.parametrize("lead", ["The documents do not ", "Unfortunately, the documents do not "])
def test_a_refusal_of_what_the_sources_tell_is_caught(
    travel: Checker, lead: str, silent: str
) -> None:
    (result,) = travel.check(f"{lead}{silent}.")
    assert (result.verdict, result.reason) == (Verdict.CONTRADICTION, "mentioned")


@pytest.mark.parametrize(
    "silent",
    [
        "say what the hotel limit in Oslo is",
        "say what the parking limit in Berlin is",
        "say what the phone number of the hotel is",
        "say whether wine is reimbursed",
        "say whether receipts are kept",
        "say whether expenses are demanded back",
        "say how claims are paid",
        "say when receipts are destroyed",
        "mention if sessions are recorded",
    ],
)
def test_a_refusal_of_what_the_sources_do_not_tell_stays_one(travel: Checker, silent: str) -> None:
    assert travel.check(f"The documents do not {silent}.").state is State.REFUSAL


def test_a_stream_and_a_judge_say_the_same(checker: Checker) -> None:
    answer = "Sorry, the documents do not mention gift cards. Ann Lowe answers questions."
    report = checker.check(answer)
    session = checker.session()
    told = [found for piece in answer.split(" ") for found in session.feed(piece + " ")]
    assert [found.verdict for found in session.finish()] == [found.verdict for found in report]
    assert [found.verdict for found in told] == [found.verdict for found in report][: len(told)]
    verdict = Judge(checker).evaluate(answer)
    assert [claim.status for claim in verdict.claims] == ["contradicted", "supported"]
    assert not verdict.unchecked


def test_classic_mode_knows_no_such_claims() -> None:
    from halgo import Config

    classic = Checker.from_docs(
        POLICY, halgorithm=Halgorithm(Config(mode="classic"), embedder="lexical")
    )
    assert classic.check("The documents do not mention gift cards.").state is State.REFUSAL
