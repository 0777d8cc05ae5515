"""What "It", "They" and "The company" refer to: the nearest earlier noun that fits, or nothing."""

from __future__ import annotations

import pytest

from halgo.claims.extract import extract

pytestmark = pytest.mark.models


def resolved(answer: str) -> list[str]:
    return [claim.resolved for claim in extract(answer) if claim.kind.checked]


@pytest.mark.parametrize(
    "answer, last",
    [
        ("Acme Corp was founded in 1998. It has 300 employees.", "Acme Corp has 300 employees."),
        ("Acme Corp was founded in 1998. Its revenue fell.", "Acme Corp's revenue fell."),
        ("Acme Corp was founded in 1998. They sell shoes.", "Acme Corp sell shoes."),
        ("Acme Corp was founded in 1998. The company sells shoes.", "Acme Corp sells shoes."),
        (
            "The Phase 2 trial had 340 participants. The trial was led by Dr. Smith.",
            "The Phase 2 trial was led by Dr. Smith.",
        ),
        (
            "The service agreement runs for two years. In 2026, it may be renewed.",
            "In 2026, the service agreement may be renewed.",
        ),
        ("Marie Curie won two prizes. She was born in Warsaw.", "Marie Curie was born in Warsaw."),
        (
            "Marie Curie won two prizes. She was born in Warsaw. Her husband taught physics.",
            "Marie Curie's husband taught physics.",
        ),
        (
            "Ada Lovelace and Charles Babbage met in 1833. They worked on an engine.",
            "Ada Lovelace and Charles Babbage worked on an engine.",
        ),
        (
            "The drug may cause headaches and nausea. These are mild.",
            "Headaches and nausea are mild.",
        ),
        ("## Beta Inc\n\nIt was founded in 2001.", "Beta Inc was founded in 2001."),
    ],
)
def test_a_reference_is_replaced_by_what_it_means(answer, last):
    assert resolved(answer)[-1] == last


def test_a_referent_is_carried_along_a_chain():
    answer = (
        "The tower opened in 1889. It is tall. It was repainted. It has three floors. It is grey."
    )
    assert resolved(answer)[1:] == [
        "The tower is tall.",
        "The tower was repainted.",
        "The tower has three floors.",
        "The tower is grey.",
    ]


@pytest.mark.parametrize(
    "answer",
    [
        "Acme Corp was founded in 1998. It is important to call first.",
        "Acme Corp was founded in 1998. It seems that sales fell.",
        "Acme Corp was founded in 1998. It is likely that sales fell.",
        "Acme Corp was founded in 1998. The weather was bad.",
        "Acme Corp was founded in 1998. When Beta grew, it hired 50 people.",
        "The tower opened in 1889. She was born in Warsaw.",
        "Marie Curie won two prizes. It has 300 employees.",
        "It has 300 employees.",
        "The company sells shoes.",
        "These are mild.",
    ],
)
def test_text_stays_where_nothing_fits(answer):
    claims = [claim for claim in extract(answer) if claim.kind.checked]
    assert claims[-1].resolved == claims[-1].text


@pytest.mark.parametrize(
    "answer, items",
    [
        (
            "Acme Corp:\n- Founded in 1998\n- Has 3 offices",
            ["Acme Corp: Founded in 1998", "Acme Corp: Has 3 offices"],
        ),
        ("# Acme Corp\n\n- Founded in 1998", ["Acme Corp: Founded in 1998"]),
        (
            "Based on the provided passages, the benefits of clove tea include:\n1. Pain relief",
            ["the benefits of clove tea include: Pain relief"],
        ),
        (
            "Here are some benefits of clove tea based on the documents:\n\n* Pain relief",
            ["benefits of clove tea: Pain relief"],
        ),
        ("- Pain relief\n- Weight loss", ["Pain relief", "Weight loss"]),
        ("Side effects:\n- The drug causes nausea.", ["The drug causes nausea."]),
        (
            "Acme Corp:\n- Founded in 1998\n\nThat was in May.\n\n- Has 3 offices",
            ["Acme Corp: Founded in 1998", "That was in May.", "Has 3 offices"],
        ),
    ],
)
def test_a_bare_list_item_is_put_behind_its_lead_in(answer, items):
    assert resolved(answer) == items


def test_the_beginning_resolves_alike_however_the_answer_goes_on():
    answer = (
        "Acme Corp was founded in 1998. It has 300 employees. Its chairman is John Smith. "
        "He lives in Rome. The company opened 12 stores. They are in Italy."
    )
    whole = resolved(answer)
    ends = [claim.span.end for claim in extract(answer)]
    for count, end in enumerate(ends, start=1):
        assert resolved(answer[:end]) == whole[:count]


def test_claims_that_are_not_checked_are_left_as_they_are():
    answer = "Acme Corp was founded in 1998. Is it large? I hope it helps!"
    assert all(c.resolved == c.text for c in extract(answer) if not c.kind.checked)
