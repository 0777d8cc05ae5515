"""Amounts told by their distance: claims beside passages, both read by the real parser."""

import pytest
from small_values import pair_of

from halgo import facts
from halgo.signals.quantities import relative
from halgo.types import Pair

pytestmark = pytest.mark.models

JUMP = "Moore won with 7.11 metres, five centimetres ahead of Leal."
GUM = "Chad exported 130,000 tonnes, 8,000 more than Sudan."
RAIN = "The Arno brings 2,000 tonnes of mud a day, four times that after rain."
FERRY = "The ferry leaves at 7:20, ten minutes earlier than before."


def pair(claim: str, passage: str) -> Pair:
    ours, theirs = facts.extract([claim, passage])
    return pair_of(claim, ours, passage, theirs)


@pytest.mark.parametrize(
    ("claim", "passage", "amount"),
    [
        ("Leal jumped 7.06 metres.", JUMP, 7.06),
        ("Sudan exported 122,000 tonnes.", GUM, 122_000e6),
        ("After rain it brings 8,000 tonnes.", RAIN, 8_000e6),
        ("Until then it had left at 7:30.", FERRY, 27_000),
        ("The X10 weighs 1.3 kg.", "The X20 weighs 1.1 kg, 200 g less than the X10.", 1_300),
        ("The cathedral opens at 9:00.", "It opens at 10:00, an hour later than the cathedral.",
         32_400),
    ],
)  # fmt: skip
def test_what_is_so_far_from_another_is_an_amount_too(claim, passage, amount):
    (found,) = relative.amounts(pair(claim, passage))
    assert found.low == found.high == pytest.approx(amount)


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Moore jumped 7.06 metres.", JUMP),  # told of Leal
        ("The ferry leaves at 7:30.", FERRY),  # told of another time
        ("Leal jumped 7.06 metres.", "Moore won with 7.11 metres. Five centimetres are little."),
        ("Leal jumped 7.06 metres.", "Moore won. She was five centimetres ahead of Leal."),
    ],
)
def test_it_is_told_of_the_other_only(claim, passage):
    assert relative.amounts(pair(claim, passage)) == []


@pytest.mark.parametrize(
    ("claim", "passage", "day"),
    [
        ("It was planned for 5 October.", "Next meeting 12 October, a week later than planned.",
         "0004-10-05"),
        ("Sandhorn got them in 1352.", "Ost got them in 1312, forty years before Sandhorn.",
         "1352-01-01"),
        ("Sandhorn got them.", "Ost got them in 30, forty years after Sandhorn.", None),
    ],
)  # fmt: skip
def test_days_and_years_are_told_so_too(claim, passage, day):
    assert [str(found.first) for found in relative.moments(pair(claim, passage))] == (
        [day] if day else []
    )
