"""A day so long after another."""

from __future__ import annotations

from datetime import date

import pytest

from halgo.facts.period import moved

DAY, MONTH = 86_400.0, 2_629_800.0


@pytest.mark.parametrize(
    ("start", "seconds", "end"),
    [
        (date(2025, 1, 28), 45 * DAY, date(2025, 3, 14)),
        (date(2024, 1, 15), 36 * MONTH, date(2027, 1, 15)),
        (date(2024, 9, 9), 4 * MONTH, date(2025, 1, 9)),
        (date(2023, 1, 31), MONTH, date(2023, 2, 28)),  # the last of a shorter month
        (date(2024, 3, 15), -3 * MONTH, date(2023, 12, 15)),
        (date(2024, 3, 15), -15 * DAY, date(2024, 2, 29)),
        (date(2024, 3, 15), 3600.0, None),  # no whole day
        (date(9999, 6, 1), 12 * MONTH, None),  # beyond the calendar
        (date(1, 1, 1), -2 * DAY, None),
    ],
)
def test_months_go_by_the_calendar_and_days_by_number(
    start: date, seconds: float, end: date | None
) -> None:
    assert moved(start, seconds) == end
