"""A line that leads in a list, right behind the list before it."""

from __future__ import annotations

from halgo.sources.sentences import split


def pieces(text: str) -> list[str]:
    """The sentences of a text as they are read."""
    return [sentence.reading.text for sentence in split(text)]


def test_a_lead_in_is_no_part_of_the_item_before_it() -> None:
    text = "Included:\n- flights\n- hotel\nNot included:\n- meals"
    assert pieces(text) == ["Included:", "flights", "hotel", "Not included:", "meals"]


def test_an_item_goes_on_in_a_deeper_line() -> None:
    assert pieces("1. Do it\n   Note:\n   twice\n2. Go") == ["Do it Note: twice", "Go"]


def test_lines_that_end_with_sums_of_money_are_no_paragraph() -> None:
    text = "Subtotal £742.00\nVAT 20% £148.40\nTotal due £890.40"
    assert pieces(text) == ["Subtotal £742.00", "VAT 20% £148.40", "Total due £890.40"]


def test_prose_with_sums_of_money_is_one() -> None:
    assert len(pieces("The ticket costs $5\nand the bus another $3, so you pay $8.")) == 1
