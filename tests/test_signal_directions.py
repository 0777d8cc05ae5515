"""Which way an amount went."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halgo.signals.quantities.directions import direction, opposed
from halgo.types import Span


def of(text, amount="12%"):
    at = text.index(amount)
    return direction(text, Span(at, at + len(amount)))


@pytest.mark.parametrize(
    "text, expected",
    [
        ("Revenue rose 12%.", 1),
        ("Revenue grew by nearly 12%.", 1),
        ("Revenue was $4.2 billion in 2023, up 12% from 2022.", 1),
        ("It saw an increase of 12% in sales.", 1),
        ("Sales were 12% higher.", 1),
        ("It saw a 12% increase in sales.", 1),
        ("The margin fell to 12%.", -1),
        ("Sales fell in 2023 by about 12%.", -1),
        ("Sales were 12% lower.", -1),
        ("There was a 12% decline.", -1),
        ("The fee is 12% of the rent.", 0),
        ("Sales did not fall by 12%.", 0),
        ("Sales rose, and the fee is 12%.", 0),
        ("It gives 12% more than before.", 1),
    ],
)
def test_the_word_beside_an_amount_says_which_way_it_went(text, expected):
    assert of(text) == expected


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_text_has_a_direction_and_none_is_opposed_to_itself(before, after):
    text = f"{before}12%{after}"
    amount = Span(len(before), len(before) + 3)
    assert direction(text, amount) in (-1, 0, 1)
    assert not opposed(text, amount, text, amount)
