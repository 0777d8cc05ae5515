"""Turns of a conversation as sources: what somebody tells supports, what they ask for does not."""

from __future__ import annotations

import pytest

from halgo import Bundle, Checker, Halgorithm

pytestmark = pytest.mark.models

KNOWN = "We ship to the United States and Canada only."


@pytest.fixture(scope="module")
def halgorithm() -> Halgorithm:
    return Halgorithm(entailment="cascade")


def judged(halgorithm: Halgorithm, said: str, claim: str, role: str = "user") -> tuple[str, str]:
    """Verdict and message of a claim beside one turn and a page of the shop's."""
    bundle = Bundle()
    bundle.add_chunk(KNOWN)
    bundle.add_turn(role, said, 1)
    (found,) = Checker.from_bundle(bundle, halgorithm=halgorithm).check_claims([claim]).results
    return found.verdict.value, found.message


@pytest.mark.parametrize(
    ("said", "claim"),
    [
        ("Do you ship to Mexico?", "Yes, we ship to Mexico!"),
        ("Can I get a 50% discount?", "You can get a 50% discount."),
        ("Please cancel my order ORD-9.", "Your order ORD-9 is cancelled."),
        ("Hi, cancel my order ORD-9.", "Your order ORD-9 is cancelled."),
        ("I want a refund of $50.", "You get a refund of $50."),
        ("I'd like to move my visit to Friday.", "Your visit was moved to Friday."),
        ("Could you waive the late fee of $12?", "The late fee of $12 is waived."),
        ("Is my flight QF 12 delayed?", "Your flight QF 12 is delayed."),
    ],
)
def test_a_question_or_a_request_supports_no_answer_to_it(
    halgorithm: Halgorithm, said: str, claim: str
) -> None:
    verdict, message = judged(halgorithm, said, claim)
    assert verdict != "SUPPORTED", message


def test_the_message_says_that_it_was_only_asked_for(halgorithm: Halgorithm) -> None:
    _, message = judged(halgorithm, "Can I get a 50% discount?", "You can get a 50% discount.")
    assert message == "“Can I get a 50% discount?” only asks for it."


@pytest.mark.parametrize(
    ("said", "claim"),
    [
        ("I'm on the Free plan, my file has 18 MB. May I upload it?", "You are on the Free plan."),
        ("I'm on the Free plan and my file has 18 MB.", "Your file has 18 MB."),
        ("I ordered two pumps on 3 March.", "You ordered two pumps on 3 March."),
        ("Please cancel my order ORD-9.", "You asked me to cancel your order ORD-9."),
    ],
)
def test_what_somebody_tells_or_that_they_ask_is_supported(
    halgorithm: Halgorithm, said: str, claim: str
) -> None:
    verdict, message = judged(halgorithm, said, claim)
    assert verdict == "SUPPORTED", message


def test_what_a_user_says_of_us_is_no_source_of_what_we_say(halgorithm: Halgorithm) -> None:
    said, claim = "Last week you promised me a $30 credit.", "We promised you a $30 credit."
    verdict, message = judged(halgorithm, said, claim)
    assert verdict != "SUPPORTED" and message.startswith("Only the user says so")
