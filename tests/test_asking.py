"""What is made of a text model's replies: read strictly, so that no odd reply decides anything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from halgo.report.asking import Malformed, Support, ask_claims, ask_verdict

ANSWER = "The trial had 340 participants. It was led by Dr. Smith."
OWN = ["The trial had 340 participants.", "It was led by Dr. Smith."]


def says(reply: Any) -> Callable[[str], Any]:
    return lambda prompt: reply


@pytest.mark.parametrize(
    "reply",
    [
        "The trial had 340 participants.\nThe trial was led by Dr. Smith.",
        "1. The trial had 340 participants.\n\n2) The trial was led by Dr. Smith.",
        "- The trial had 340 participants.\n* The trial was led by Dr. Smith.\n",
        "Here are the claims:\n\u2022 The trial had 340 participants.\n"
        "\u2022 The trial was led by Dr. Smith.",
        "```\nThe trial had 340 participants.\nThe trial was led by Dr. Smith.\n```",
        "<think>There are 2 or 3.</think>\nThe trial had 340 participants.\n"
        "The trial was led by Dr. Smith.",
        "Claim 1: The trial had 340 participants.\nClaim 2: The trial was led by Dr. Smith.",
    ],
)
def test_a_list_of_claims_is_read_however_it_is_marked(reply: str) -> None:
    assert ask_claims(says(reply), ANSWER, OWN) == [
        "The trial had 340 participants.",
        "The trial was led by Dr. Smith.",
    ]


def test_a_number_at_the_head_of_a_claim_is_no_mark() -> None:
    claims = ask_claims(says("340 participants took part."), "340 participants took part.", [])
    assert claims == ["340 participants took part."]


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("", "empty"),
        ("<think>Hm.</think>", "empty"),
        (None, "NoneType"),
        (b"SUPPORTED", "bytes"),
        ("NONE", "left out 2 of 2"),
        ("The trial had 340 participants.", "left out 1 of 2"),
        ("The trial had 304 participants.\nThe trial was led by Dr. Smith.", "do not stand"),
        ("The trial had 340 participants.\nIts budget exceeded expectations.", "do not stand"),
        ("I am sorry, as a language model I cannot help with this request.", "do not stand"),
        ("x" * 300_000, "300,000 characters"),
    ],
)
def test_a_reply_that_is_not_the_claims_of_the_answer_is_malformed(reply: Any, told: str) -> None:
    with pytest.raises(Malformed, match=told):
        ask_claims(says(reply), ANSWER, OWN)


def test_none_is_the_reply_for_an_answer_without_claims() -> None:
    assert ask_claims(says("NONE."), "Hello there!", []) == []


@pytest.mark.parametrize(
    ("reply", "support", "note"),
    [
        ("SUPPORTED", Support.SUPPORTED, None),
        ("supported.", Support.SUPPORTED, None),
        ("**Verdict:** NOT_SUPPORTED", Support.NOT_SUPPORTED, None),
        (
            "Verdict: Not supported - the sources say Q1",
            Support.NOT_SUPPORTED,
            "the sources say Q1",
        ),
        ("UNSUPPORTED", Support.NOT_SUPPORTED, None),
        (
            "PARTIALLY_SUPPORTED: the month is not supported",
            Support.PARTIALLY_SUPPORTED,
            "the month is not supported",
        ),
        ("Partially supported\nThe month is missing.", Support.PARTIALLY_SUPPORTED, None),
        ("<think>SUPPORTED?</think>NOT_SUPPORTED", Support.NOT_SUPPORTED, None),
    ],
)
def test_a_verdict_is_the_word_a_reply_begins_with(
    reply: str, support: Support, note: str | None
) -> None:
    found, told = ask_verdict(says(reply), "claim", "sources")
    assert found is support
    assert told == note or (note is None and told == "The month is missing.")


@pytest.mark.parametrize("reply", ["", "Yes.", "The claim is SUPPORTED", "SUPPORTEDLY", "5", 5])
def test_any_other_reply_is_malformed(reply: Any) -> None:
    with pytest.raises(Malformed):
        ask_verdict(says(reply), "claim", "sources")


def test_the_prompt_holds_claim_and_sources_and_a_note_is_short() -> None:
    asked: list[str] = []

    def model(prompt: str) -> str:
        asked.append(prompt)
        return "NOT_SUPPORTED: " + "word " * 500

    _, note = ask_verdict(model, "The fee is {5}%.", "[Source 1: A]\nThe fee is 1.5%.")
    assert "Claim: The fee is {5}%." in asked[0] and "The fee is 1.5%." in asked[0]
    assert note is not None and len(note) <= 300


def test_what_the_model_raises_is_not_hidden() -> None:
    def model(prompt: str) -> str:
        raise ConnectionError("gone")

    with pytest.raises(ConnectionError):
        ask_claims(model, ANSWER, OWN)
