"""A cell's number is told as its spreadsheet shows it."""

from __future__ import annotations

import pytest

from halgo.sources.cell_formats import format_of, shown


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (0.153, "0.0%", "15.3%"),
        (0.07, "0%", "7%"),
        (1234.5, '#,##0.00 "€"', "1,234.50 €"),
        (5, "#,##0 [$€-407]", "5 €"),
        (5, "[$$-409]#,##0.00", "$5.00"),
        (-1234.5, "_($* #,##0.00_);_($* (#,##0.00)", "($1,234.50)"),
        (-810, "#,##0;(#,##0)", "(810)"),
        (810, "#,##0;(#,##0)", "810"),
        (-0.05, '0%;[Red]\\(0%\\);"-"', "(5%)"),
        (-5, "0;[Red]-0", "-5"),
        (-5, "0;[Red]0", "-5"),
        (-5, "(0)", "-5"),
        (0, '#,##0;(#,##0);"-"', "0"),
        (2_500_000, '[>=1000000]0.0,,"M";[>=1000]0,"k";0', "2.5M"),
        (4000, '[>=1000000]0.0,,"M";[>=1000]0,"k";0', "4k"),
        (12, '[>=1000000]0.0,,"M";[>=1000]0,"k";0', "12"),
        (7, '[<10]0 "left";0', "7 left"),
        (1_200_000, '0.0,, "m"', "1.2 m"),
        (42, '0 "days"', "42 days"),
        (2.5, '0.0"x"', "2.5x"),
        (100, '"USD "#,##0', "USD 100"),
        (7, "00000", "00007"),
        (1234, "0", "1234"),
        (5, "0.##", "5"),
        (0.5, "# ?/?", "0.5"),
        (0.1 + 0.2, "", "0.3"),
        (3.0, "General", "3"),
        (1e20, "", "1e+20"),
    ],
)
def test_numbers_have_what_their_format_shows(value: float, code: str, text: str) -> None:
    assert shown(value, format_of(code)) == text


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (45356, "dd/mm/yyyy", "2024-03-05"),
        (45356, "m/d/yy;@", "2024-03-05"),
        (45356, r"[$-F800]dddd\,\ mmmm\ dd\,\ yyyy", "2024-03-05"),
        (45356.6, "dd/mm/yy hh:mm", "2024-03-05 14:24"),
        (45356, "mmm yy", "March 2024"),
        (45356, "d. mmmm", "5 March"),
        (45356, "yyyy", "2024"),
        (0.5, "h:mm", "12:00"),
        (0.01, "mm:ss", "00:14:24"),
        (1.25, "[h]:mm", "30:00"),
        (0.75, "h:mm AM/PM", "18:00"),
        (1e10, "yyyy-mm-dd", "10000000000"),
    ],
)
def test_days_and_times_are_told_without_doubt(value: float, code: str, text: str) -> None:
    assert shown(value, format_of(code)) == text


def test_some_of_the_digits_that_a_format_hides_are_kept() -> None:
    """An answer may repeat what is shown, or what the cell holds."""
    assert shown(1234.5678, format_of("#,##0")) == "1,234.568"
    assert shown(0.15333333, format_of("0.0%")) == "15.3333%"


@pytest.mark.parametrize(
    ("number", "text"),
    [(9, "50%"), (10, "50.00%"), (14, "1899-12-30"), (46, "12:00:00"), (0, "0.5")],
)
def test_built_in_formats_are_known_by_their_numbers(number: int, text: str) -> None:
    assert shown(0.5, format_of("", number)) == text


def test_days_may_count_from_1904() -> None:
    assert shown(0, format_of("yyyy-mm-dd"), since_1904=True) == "1904-01-01"
