"""Questions of documents, which say nothing until they are answered."""

from __future__ import annotations

import pytest

from halgo import Checker, Halgorithm
from halgo.evidence.open_questions import is_answered, only_asks


@pytest.mark.parametrize(
    "text",
    [
        "Is breakfast included?",
        "## Can I bring my dog?",
        "Q: Does the app work offline?",
        "> The budget is 250k, right?",
        "TODO: should the fee be 5%?",
        "Could you confirm that the deposit is refundable?",
        "- Isn't the pool heated?",
    ],
)
def test_a_question_of_yes_or_no_only_asks(text: str) -> None:
    assert only_asks(text)


@pytest.mark.parametrize(
    "text",
    [
        "How much is parking?",
        "What does breakfast cost?",
        "Did you know that the tower is 84 m high?",
        "Breakfast is included.",
        "He asked whether it is included.",
        "Is it? Then call us.",
    ],
)
def test_other_sentences_do_not(text: str) -> None:
    assert not only_asks(text)


@pytest.mark.parametrize(
    ("following", "answered"),
    [
        (" Yes, at weekends.", True),
        ("\nA: Only on the Premium plan.", True),
        (" It is, from May on.", True),
        (" From May to September.", True),
        (" We only admit guide dogs.", False),
        (" Breakfast costs $15.", False),
        ("", False),
    ],
)
def test_an_answer_is_yes_no_or_what_is_left_out(following: str, answered: bool) -> None:
    assert is_answered(following) == answered


def test_nothing_is_read_of_a_document_that_only_asks() -> None:
    checker = Checker.from_docs(["Is the warranty five years?"], halgorithm=Halgorithm())
    (result,) = checker.check_claims(["The warranty is five years."]).results
    assert (result.verdict.value, result.reason) == ("HALLUCINATION", "unanswered")
    assert "only asks" in result.message
