"""Claims over the rows of a table: what all rows tell, in any form and order of them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from random import Random

import pytest

from halgo import Halgorithm

pytestmark = pytest.mark.models

HEAD = ("Boat", "Price (€)", "Seats", "Motor", "Built")
BOATS = [
    ("Heron", 60, 4, "no", "1998-04-01"),
    ("Teal", 95, 6, "yes", "2011-05-20"),
    ("Swan", 140, 8, "yes", "2019-03-15"),
    ("Coot", 35, 2, "no", "2004-08-30"),
]
RIGHT = [
    "The Coot is the cheapest boat.",
    "The Teal is the second most expensive boat.",
    "The Swan has the most seats.",
    "The cheapest boat with a motor is the Teal.",
    "The Heron is the oldest boat.",
    "The Teal costs more than the Heron.",
    "The Heron was built before the Teal.",
    "Two of the four boats have a motor.",
    "Only the Teal and the Swan have a motor.",
    "Every boat except the Heron and the Coot has a motor.",
    "All boats have at least 2 seats.",
    "The Heron has 4 seats, the Teal 6 and the Swan 8.",
    "The four boats have 20 seats in total.",
    "No other boat has fewer seats than the Coot.",
    "The cheapest boat costs €35.",
    "The cheapest boat has 2 seats.",
    "Prices range from €35 to €140.",
    "Only one of the four boats costs more than €100.",
    "Of the four boats, only the Swan has 8 seats.",
    "The four boats have 20 seats.",
    "On average, a boat has 5 seats.",
]
WRONG = [
    "The Heron is the cheapest boat.",
    "The Heron is the second most expensive boat.",
    "The Teal has the most seats.",
    "The cheapest boat with a motor is the Swan.",
    "The Coot is the oldest boat.",
    "The Heron costs more than the Teal.",
    "The Teal was built before the Heron.",
    "Three of the four boats have a motor.",
    "Only the Swan has a motor.",
    "Every boat except the Heron has a motor.",
    "All boats have more than 3 seats.",
    "The Heron has 4 seats, the Teal 8 and the Swan 6.",
    "The four boats have 24 seats in total.",
    "No other boat has fewer seats than the Heron.",
    "The cheapest boat costs €60.",
    "The cheapest boat has 4 seats.",
    "Prices range from €35 to €95.",
    "Only one of the four boats costs more than €50.",
    "Of the four boats, only the Teal has 8 seats.",
    "The four boats have 24 seats.",
    "The average boat has 6 seats.",
]
# Of each some word is none of the table's, or a row more might say otherwise.
OPEN = [
    "The Coot is the cheapest boat for beginners.",
    "The Coot is the cheapest boat in the harbour.",
    "The Coot may be the cheapest boat.",
    "The cheapest boat for beginners costs €60.",
    "Two of the boats were sold.",
    "The Swan is the most popular boat.",
]


@pytest.fixture(scope="module")
def halgorithm() -> Halgorithm:
    return Halgorithm(embedder="lexical", entailment=None)


def markdown(rows: Sequence[Sequence[object]]) -> str:
    lines = [HEAD, ["---"] * len(HEAD), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def comma_separated(rows: Sequence[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([HEAD, *rows])
    return text.getvalue()


def listed(rows: Sequence[Sequence[object]]) -> str:
    return json.dumps([dict(zip(HEAD, row, strict=True)) for row in rows])


def told(halgorithm: Halgorithm, document: str, claims: Sequence[str]) -> list[set[str]]:
    """What the rows tell of each claim."""
    return [
        {
            signal.kind
            for assessment in result.assessments
            for signal in assessment.signals
            if signal.detector == "over_rows"
        }
        for result in halgorithm.checker(document).check_claims(claims).results
    ]


@pytest.mark.parametrize("form", [markdown, comma_separated, listed])
def test_rows_are_asked_alike_in_every_form_of_a_table(halgorithm: Halgorithm, form) -> None:
    document = form(BOATS)
    for claims, kind in ((RIGHT, "rows_agree"), (WRONG, "rows_conflict")):
        found = told(halgorithm, document, claims)
        assert dict(zip(claims, found, strict=True)) == {claim: {kind} for claim in claims}


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_rows_does_not_matter(halgorithm: Halgorithm, seed: int) -> None:
    rows = Random(seed).sample(BOATS, len(BOATS))
    assert told(halgorithm, markdown(rows), RIGHT + WRONG) == told(
        halgorithm, markdown(BOATS), RIGHT + WRONG
    )


def test_what_no_part_of_the_table_accounts_for_is_left_alone(halgorithm: Halgorithm) -> None:
    found = told(halgorithm, markdown(BOATS), OPEN)
    assert dict(zip(OPEN, found, strict=True)) == {claim: set() for claim in OPEN}


def test_rows_that_are_no_passage_of_the_claim_count_too(halgorithm: Halgorithm) -> None:
    rows = [(f"Boat {at}", 100 + at, 4, "no", "2001-01-01") for at in range(40)]
    document = markdown([*rows, *BOATS])
    assert told(halgorithm, document, ["The Heron is the cheapest boat."]) == [{"rows_conflict"}]
    assert told(halgorithm, document, ["The Coot is the cheapest boat."]) == [{"rows_agree"}]


def test_of_a_table_too_long_to_see_nothing_is_said_to_be_so(halgorithm: Halgorithm) -> None:
    rows = [(f"Boat {at}", 100 + at, 4, "no", "2001-01-01") for at in range(300)]
    document = markdown([*BOATS, *rows])
    assert told(halgorithm, document, ["The Coot is the cheapest boat."]) == [set()]
    assert told(halgorithm, document, ["The Teal is cheaper than the Coot."]) == [{"rows_conflict"}]


def test_a_row_of_totals_is_none_of_them(halgorithm: Halgorithm) -> None:
    document = markdown([*BOATS, ("Total", 330, 20, "", "")])
    claims = ["The four boats have 20 seats in total.", "The Swan is the most expensive boat."]
    assert told(halgorithm, document, claims) == [{"rows_agree"}] * 2


@pytest.mark.parametrize(
    ("claim", "kind"),
    [
        ("Two of the three entries were rejected.", "rows_agree"),
        ("Two of the three entries were not rejected.", "rows_conflict"),
        ("Three entries have more than 4 metres of draught.", "rows_conflict"),
    ],
)
def test_items_of_a_list_are_rows_without_names_of_columns(
    halgorithm: Halgorithm, claim: str, kind: str
) -> None:
    document = """Entries for the regatta:
- Entry R-1, Barge Orla, 3 m: rejected
- Entry R-2, Barge Una, 5 m: accepted
- Entry R-3, Sloop Ada, 6 m: rejected
"""
    assert told(halgorithm, document, [claim]) == [{kind}]


@pytest.mark.parametrize(
    ("claim", "kinds"),
    [
        ("A-100 is above its reorder level.", {"rows_agree"}),
        ("A-100 is below its reorder level.", {"rows_conflict"}),
        ("A-100 is above the threshold.", set()),  # no column of the table
    ],
)
def test_one_column_is_held_against_the_only_other_one(
    halgorithm: Halgorithm, claim: str, kinds: set[str]
) -> None:
    rows = ["sku,qty,reorder level,sold", "A-100,40,20,9", "C-300,12,15,31"]
    assert told(halgorithm, "\n".join(row.rpartition(",")[0] for row in rows), [claim]) == [kinds]
    assert told(halgorithm, "\n".join(rows), [claim]) == [set()]  # of two nobody knows which


def test_what_grew_is_answered_with_its_two_values(halgorithm: Halgorithm) -> None:
    cities = (
        "| city | pop_2020 | pop_2023 |\n|---|---|---|\n| Arvik | 51 | 54 |\n| Belsk | 88 | 85 |"
    )
    (result,) = halgorithm.checker(cities).check_claims(["Belsk grew from 2020 to 2023."]).results
    assert "Belsk 88" in result.message and "Belsk 85" in result.message
