"""Whether a claim names another thing than a document is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from halgo import Bundle, Checker

HOTELS = [
    "Hotel Seerose – Conditions\n\nSpa: included for guests from 16 years on. Dogs cost €18.",
    "Hotel Marisol · Good to know\n\nThe spa costs €22 a day. Dogs are not admitted.",
]
TOWNS = [
    "Travel notes from Lesk. You can walk right around its walls, free of charge. There is a bus "
    "to Brod.",
    "Brod has 52,700 inhabitants. The road to Velna is closed; in Brod nobody minds.",
]
CLUB = [
    "Brackley Rowing Club: about us. The club has two boathouses.",
    "Borrowing\n\nMembers may take out a scull after passing the capsize test.",
]
GUEST = [
    "Hotel Kestrin: conditions. Dogs cost €18 per night.",
    "Dear Ms Ferro, your booking at Hotel Kestrin is confirmed. Your dog is noted.",
]


def another(docs: Sequence[Any], claim: str, at: int) -> tuple[str, str] | None:
    index = Checker.from_docs(docs).index
    found = index.another(claim, index.documents[at].id)
    return None if found is None else found[:2]


@pytest.mark.parametrize(
    ("docs", "claim", "at", "expected"),
    [
        (HOTELS, "At Hotel Marisol the spa is included.", 0, ("Hotel Seerose", "Hotel Marisol")),
        (HOTELS, "At Hotel Seerose the spa is included.", 0, None),
        # It tells of Brod in passing, and more of Lesk.
        (TOWNS, "You can walk around the walls of Brod.", 0, None),
        (HOTELS, "The spa is included.", 0, None),
        (HOTELS, "Both Hotel Marisol and the inn admit dogs.", 0, None),
        (HOTELS, "Only Hotel Marisol has a spa.", 0, None),
        (HOTELS, "At Hotel Bergland the spa is included.", 0, None),
        (CLUB, "At Brackley Rowing Club members may take out a scull.", 1, None),
        (GUEST, "Ms Ferro pays €18 per night for her dog.", 0, None),
    ],
)
def test_another(
    docs: Sequence[str], claim: str, at: int, expected: tuple[str, str] | None
) -> None:
    assert another(docs, claim, at) == expected


def test_one_document_alone_is_about_anything() -> None:
    assert another(HOTELS[:1], "At Hotel Marisol the spa is included.", 0) is None


def test_the_signal_tells_both_names() -> None:
    (result,) = Checker.from_docs(HOTELS).check_claims(["At Hotel Marisol dogs cost €18."]).results
    signals = [s for a in result.assessments for s in a.signals if s.kind == "other_section"]
    assert ("Hotel Marisol", "Hotel Seerose") in [signal.values for signal in signals]


def test_chunks_of_one_source_are_one_document() -> None:
    chunks = [
        {"text": "Hotel Marisol stands on the hill.", "source": "marisol.html#1"},
        {
            "text": "Hotel Seerose owned it until 1990. The spa is included.",
            "source": "marisol.html#2",
        },
        {"text": "Hotel Seerose lies on the lake.", "source": "seerose.html"},
    ]
    assert another(chunks, "The spa is included at Hotel Marisol.", 1) is None


def test_a_further_chunk_is_about_what_its_source_is_about() -> None:
    chunks = [
        {"text": "Hotel Marisol stands on the hill.", "source": "marisol.html"},
        {"text": "Hotel Seerose lies on the lake.", "source": "seerose.html#1"},
        {"text": "The spa is included for all guests.", "source": "seerose.html#2"},
    ]
    told = another(chunks, "The spa is included at Hotel Marisol.", 2)
    assert told == ("Hotel Seerose", "Hotel Marisol")


def test_a_sentence_that_only_mentions_a_name_is_not_about_it() -> None:
    docs = ["Elon Musk is an engineer.", "He is the CEO of SpaceX and founded The Boring Company."]
    assert another(docs, "Elon Musk founded a company.", 1) is None


def test_the_order_of_the_documents_changes_nothing() -> None:
    claim = "At Hotel Marisol the spa is included."
    assert another(HOTELS[::-1], claim, 1) == another(HOTELS, claim, 0)


def test_what_tools_and_users_say_is_about_anything() -> None:
    bundle = Bundle()
    bundle.add_chunk("Hotel Marisol has a spa. The spa of Hotel Marisol costs €22 a day.")
    bundle.add_turn("user", "Anna Ferro asked about the spa.")
    index = Checker.from_bundle(bundle).index
    for document in index.documents[1:]:
        assert index.another("Hotel Marisol has a spa.", document.id) is None
