"""What is drawn on a PDF's page beside its letters: how high they stand, bullets, soft hyphens."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from small_pdf import contents, pdf

from halgo.sources.papers import flowed, read_pdf

pytest.importorskip("pypdf")


def text_of(content: str) -> str:
    return read_pdf(contents([content]), "a.pdf")[0]


def raised(mark: str, before: str = "24", size: int = 10, rise: str = "4.5") -> str:
    """A line with a mark in letters of another size that the text-rise operator sets higher."""
    return text_of(
        f"BT /F1 12 Tf 60 700 Td (It is {before}) Tj /F1 {size} Tf {rise} Ts ({mark}) Tj 0 Ts "
        "/F1 12 Tf ( tonnes.) Tj ET"
    )


def moved(mark: str, before: str = "24", size: int = 10, up: float = 4.5) -> str:
    """The same, where the mark has a place of its own, as a browser prints it."""
    return text_of(
        f"BT /F1 12 Tf 1 0 0 1 60 700 Tm (It is {before}) Tj ET BT /F1 {size} Tf 1 0 0 1 100 "
        f"{700 + up} Tm ({mark}) Tj ET BT /F1 12 Tf 1 0 0 1 106 700 Tm ( tonnes.) Tj ET"
    )


@pytest.mark.parametrize("show", [raised, moved])
@pytest.mark.parametrize(
    "before, mark, read",
    [
        ("24", "1", "24¹"),
        ("24", "1, 3", "24¹, ³"),
        ("30 m", "2", "30 m²"),
        ("10", "6", "10⁶"),
        ("10", "-3", "10⁻³"),
        ("the 1", "st", "the 1st"),
    ],
)
def test_smaller_digits_set_higher_are_no_digits_of_the_number(
    show: Callable[[str, str], str], before: str, mark: str, read: str
) -> None:
    assert " ".join(show(mark, before).split()) == f"It is {read} tonnes."


def test_digits_of_one_size_or_on_one_line_stay() -> None:
    assert raised("1", size=12) == "It is 241 tonnes."
    assert raised("1", size=8, rise="0") == "It is 241 tonnes."
    assert raised("1", size=8, rise="(odd)") == "It is 241 tonnes."
    assert moved("1", up=0).replace(" ", "") == "Itis241tonnes."


def test_a_rise_ends_with_the_state_that_it_was_set_in() -> None:
    assert (
        text_of("q BT 5 Ts ET Q BT /F1 12 Tf 60 700 Td (It is 24) Tj /F1 7 Tf (1) Tj ET")
        == "It is 241"
    )


def item(y: int, text: str, shape: str) -> str:
    return f"{shape} BT /F1 12 Tf 1 0 0 1 80 {y} Tm ({text}) Tj ET "


def test_lines_with_bullets_that_are_drawn_are_items() -> None:
    content = (
        item(700, "Leave: 28 days", "70 702 4 4 re f")
        + item(684, "Part-time staff: pro rata", "72 690 m 74 690 74 686 72 686 c s")
        + item(668, "no bullet but a line", "60 665 300 1 re f")
        + item(652, "nor a frame", "60 650 300 20 re S")
        + item(636, "nor a shape elsewhere", "300 640 4 4 re f")
        + item(620, "nor a damaged one", "300 (a) re 4 4 m f")
    )
    assert text_of(content).split("\n\n") == [
        "• Leave: 28 days",
        "• Part-time staff: pro rata no bullet but a line nor a frame nor a shape elsewhere "
        "nor a damaged one",
    ]


def test_lines_that_begin_with_letters_in_a_row_are_items() -> None:
    lines = [
        "2. Hotels cost at most 120 a night.",
        "a. In London the limit is 180.",
        "b. Abroad the limit is 150, as is",
        "p. 7 of the other paper.",
    ]
    assert flowed([lines])[0].split("\n\n") == [
        *lines[:2],
        "b. Abroad the limit is 150, as is p. 7 of the other paper.",
    ]


def test_a_blank_that_stands_for_a_soft_hyphen_is_none() -> None:
    soft = "/Span <</ActualText <FEFF00AD>>> BDC ( ) Tj EMC"
    assert (
        text_of(
            f"BT /F1 12 Tf 60 700 Td (a dry sum) Tj {soft} (mer and the au) Tj {soft} 0 -14 Td "
            "(tumn after it) Tj /Span <</ActualText (x)>> BDC ( is) Tj EMC ( dry) Tj ET"
        )
        == "a dry summer and the autumn after it is dry"
    )


@pytest.mark.parametrize(
    "lines, text",
    [
        (["a dry au\u00ad", "tumn"], "a dry autumn"),
        (["a dry au\u2010", "tumn"], "a dry autumn"),
        (["an agree-", "ment"], "an agreement"),
        # Where the hyphens of divided words are told, others are hyphens.
        (["sum\u00admer, a long-", "term plan"], "summer, a long-term plan"),
        (["a 24-", "hour notice"], "a 24-hour notice"),
        (["by Jean-", "Luc Petit"], "by Jean-Luc Petit"),
        (["the board -", "and others"], "the board - and others"),
    ],
)
def test_words_divided_at_the_end_of_a_line_are_joined(lines: list[str], text: str) -> None:
    assert flowed([lines])[0] == text


def test_a_line_of_plain_text_has_no_marks() -> None:
    assert read_pdf(pdf([["It is 24 tonnes."]]), "a.pdf")[0] == "It is 24 tonnes."
