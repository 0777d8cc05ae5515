"""The right figure of another slot: claims beside passages, both read by the real parser."""

import time

import pytest
from small_values import pair_of

from halgo import facts
from halgo.signals.quantities import labelled

pytestmark = pytest.mark.models

TAX = "Profit before tax was $88 million; profit after tax was $61 million."
ROW = "Item: Revenue — 2023: 918; 2022: 874"
YEARS = "In 2021 the museum had 41,000 visitors, and in 2022 it had 58,500 visitors."


def values(claim: str, passage: str) -> list[tuple[str, str] | None]:
    """What the claim says and what it should."""
    ours, theirs = facts.extract([claim, passage])
    return [signal.values for signal in labelled.signals(pair_of(claim, ours, passage, theirs))]


@pytest.mark.parametrize(
    ("claim", "passage", "said", "told"),
    [
        ("Before tax, profit was $61 million.", TAX, "$61 million", "$88 million"),
        ("Revenue was €874 million in 2023.", ROW, "€874 million", "918"),
        ("The museum had 58,500 visitors in 2021.", YEARS, "58,500", "41,000"),
        (
            "The licence costs £240 before VAT.",
            "The licence costs £240 including VAT.",
            "before",
            "including",
        ),
    ],
)
def test_a_claim_with_the_figure_of_another_slot_is_told(
    claim: str, passage: str, said: str, told: str
) -> None:
    assert values(claim, passage) == [(said, told)]


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("After tax, profit was $61 million.", TAX),
        ("Profit was $88 million before tax and $61 million after it.", TAX),
        ("Revenue was €918 million in 2023.", ROW),
        ("In 2022 there were 58,500 visitors.", YEARS),
        ("The museum's best year brought 58,500 visitors.", YEARS),
        ("The fee is £240, VAT included.", "The licence costs £240 including VAT."),
    ],
)
def test_the_figure_of_its_own_slot_is_no_conflict(claim: str, passage: str) -> None:
    assert values(claim, passage) == []


def test_a_long_text_is_read_in_good_time() -> None:
    text = "net 5 euros, gross 6 euros; " * 3000
    ours, theirs = facts.extract(["The net is 6 euros.", text])
    pair = pair_of("The net is 6 euros.", ours, text, theirs)
    began = time.process_time()
    labelled.signals(pair)
    assert time.process_time() - began < 5
