"""Headings of a PDF: what is printed larger or bolder than the text, and nothing else."""

from __future__ import annotations

import pytest
from small_pdf import Placed, placed

from halgo.sources.page_headings import Look, PageText, look, marked, shown
from halgo.sources.papers import read_pdf

TEXT = Look(10.0, False)
PROSE = "The fee is due on the third working day of each month, and later ones cost more."


def page(*lines: tuple[str, Look]) -> PageText:
    return PageText(
        "".join(text + "\n" for text, _ in lines),
        tuple((len(text) + 1, printed) for text, printed in lines),
    )


def read(*lines: tuple[str, Look]) -> list[str]:
    (text,) = marked([page(*lines)])
    return shown(text.splitlines())


def test_larger_lines_are_headings_by_their_size() -> None:
    assert read(
        ("Rules", Look(20.0, True)),
        ("2 Fees", Look(14.0, False)),
        *[(PROSE, TEXT)] * 3,
        ("Note", Look(8.0, False)),
    ) == ["# Rules", "## 2 Fees", PROSE, PROSE, PROSE, "Note"]


def test_bold_lines_are_headings_and_bold_sentences_are_not() -> None:
    bold = Look(10.0, True)
    assert read(
        ("Late fees", bold),
        *[(PROSE, TEXT)] * 6,
        ("This is important.", bold),
        ("of all others", bold),
    ) == ["# Late fees", *[PROSE] * 6, "This is important.", "of all others"]


def test_a_wrapped_heading_is_one_and_two_short_ones_are_two() -> None:
    large = Look(16.0, False)
    assert read(
        ("What employees are paid for their", large),
        ("travel", large),
        *[(PROSE, TEXT)] * 6,
        ("Part A", large),
        ("Scope", large),
    ) == ["# What employees are paid for their travel", *[PROSE] * 6, "# Part A", "# Scope"]


@pytest.mark.parametrize(
    "lines",
    [
        [("Slides are large", Look(30.0, False)), ("and say little", Look(14.0, False))] * 5,
        [(PROSE, TEXT)] * 3,
        [("12", Look(20.0, False)), (PROSE, TEXT)],
        [("1 Scope . . . . . 7", Look(14.0, True)), (PROSE, TEXT), (PROSE, TEXT)],
        [("word " * 40, Look(14.0, False)), *[(PROSE, TEXT)] * 8],
    ],
    ids=["slides", "one size", "page number", "contents", "long"],
)
def test_what_is_no_heading_stays(lines: list[tuple[str, Look]]) -> None:
    assert read(*lines) == [text.strip() for text, _ in lines]


def test_without_looks_a_page_stays() -> None:
    assert marked([PageText("a\nb", ()), PageText("", ())]) == ["a\nb", ""]


def test_bold_is_told_by_the_name_of_the_font() -> None:
    assert look(9.96, "/ABCDEF+CMBX10") == Look(10.0, True)
    assert look(12, "/Helvetica-BoldOblique").bold and not look(12, "/Helvetica").bold


def test_a_pdf_has_its_headings_and_a_table_below_one_is_still_a_table() -> None:
    pytest.importorskip("pypdf")
    rows = [["", "2023", "2022"], ["Sales", "48,612", "44,905"], ["Costs", "4,049", "2,429"]]
    cells: list[Placed] = [
        (60 + 150 * column, 700 - 16 * row, text)
        for row, words in enumerate(rows)
        for column, text in enumerate(words)
        if text
    ]
    data = placed([[(60, 760, "Income"), *cells, (60, 600, PROSE)]], large={"Income"})
    text = read_pdf(data, "a.pdf")[0]
    assert text.startswith("# Income\n\n|  | 2023 | 2022 |\n") and text.endswith(PROSE)
