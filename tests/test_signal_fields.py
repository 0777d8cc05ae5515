"""A field of a record against what a claim gives as its value: records as they are written."""

from __future__ import annotations

import pytest
from small_values import pair_of

from halgo.signals.records import fields
from halgo.sources.records import statements
from halgo.types import Facts, Quantity, Span

RECORD = statements(
    {
        "accounts": [
            {
                "holder": "Jonas Berg",
                "state": "active",
                "department": "Research",
                "assignee": "Mina Okoro",
                "service": "mail-api",
                "version": "4.12.0",
                "limit": 500,
                "opened": "2024-09-03T14:00",
            }
        ]
    }
)


class Words:
    def synonyms(self, lemma):
        return frozenset({"live"} if lemma == "active" else ())

    def antonyms(self, lemma):
        return frozenset()


def pair(claim: str):
    return pair_of(claim, Facts(), RECORD, Facts())


@pytest.mark.parametrize(
    "claim, key, said",
    [
        ("The state of Jonas Berg is frozen.", "state", "frozen"),
        ("Jonas Berg works in the Sales department.", "department", "Sales"),
        ("The account of Jonas Berg is assigned to Rolf Stein.", "assignee", "Rolf Stein"),
        ("The version of mail-api is 4.21.0.", "version", "4.21.0"),
        ("The state of Jonas Berg is not known.", "state", None),
        ("Jonas Berg lives in another state.", "state", None),
    ],
)
def test_what_a_claim_gives_as_the_value_of_a_field(claim, key, said):
    found = fields.said_of(claim, key)
    assert (found and found.of(claim)) == said


@pytest.mark.parametrize(
    "said, value, may",
    [("active", "active", True), ("live", "active", True), ("frozen", "active", False)],
)
def test_a_value_may_be_told_by_another_word(said, value, may):
    assert fields.may_be(said, value, Words()) is may


@pytest.mark.parametrize(
    "claim, written, unit, agrees",
    [
        ("The limit of Jonas Berg is 500 euros.", "500 euros", "euro", True),
        ("The limit of Jonas Berg is 600 euros.", "600 euros", "euro", False),
        ("Jonas Berg has 500 euros in cash.", "500 euros", "euro", False),
        ("It was opened at 14:00.", "14:00", "clock", True),
        ("It was opened at 16:00.", "16:00", "clock", False),
    ],
)
def test_a_number_agrees_with_a_field_that_the_claim_names(claim, written, unit, agrees):
    start = claim.index(written)
    value = float(written.split()[0].replace(":", "."))
    amount = Quantity(value, value, unit, Span(start, start + len(written)))
    assert fields.agrees(amount, pair(claim)) is agrees


def test_prose_has_no_fields():
    assert fields.of_record(pair_of("A.", Facts(), "The state is active.", Facts())) == []
