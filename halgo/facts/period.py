"""What is written of a date -> the days it stands for: a day, a month, a decade, a part of one.

What no calendar has raises ValueError, as `datetime.date` does, or is None.
"""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass, replace
from datetime import date, timedelta
from fractions import Fraction

from halgo.facts.numberwords import ORDINALS
from halgo.facts.units import DAY, YEAR
from halgo.facts.words import MONTHS

NO_YEAR = 4  # a leap year, so that 29 February fits
_MONTHS = {
    name[:length]: number for number, name in enumerate(MONTHS, 1) for length in (3, len(name))
} | {"sept": 9}
_MONTH = Fraction(YEAR, 12)  # seconds
_SEASONS = {"spring": (3, 5), "summer": (6, 8), "autumn": (9, 11), "fall": (9, 11)}


@dataclass(frozen=True, slots=True)
class Days:
    """The days from `first` to `last`, both included; in year `NO_YEAR` where none is known."""

    first: date
    last: date
    approximate: bool = False
    year_known: bool = True


def digits(written: str) -> int:
    """The digits of what is written, as a number. Raises ValueError where there are none."""
    return int(re.sub(r"\D", "", written))


def month_number(written: str) -> int:
    """1 to 12 for a month's name, short or whole."""
    return _MONTHS[written.rstrip(".").lower()]


def so_many_months(seconds: float) -> int | None:
    """How many months, of mean length, a length of time is; None where that is no whole number."""
    count = Fraction(seconds) / _MONTH
    return int(count) if count.denominator == 1 else None


def moved(start: date, seconds: float) -> date | None:
    """The day so long after another: by the calendar where the time is whole months, else by days.

    Of a shorter month the last day. None beyond the calendar, and where it is no whole day.
    """
    count = so_many_months(seconds)
    try:
        if count is None:
            return start + timedelta(days=seconds / DAY) if seconds % DAY == 0 else None
        year, month = divmod(start.year * 12 + start.month - 1 + count, 12)
        return date(year, month + 1, min(start.day, calendar.monthrange(year, month + 1)[1]))
    except (ValueError, OverflowError):
        return None


def rank(written: str) -> int:
    """2 for "second", "2nd" and "Q2"."""
    return ORDINALS.get(written.lower()) or digits(written)


def day(year: int, month: int, day: int) -> Days:
    """One day."""
    return Days(date(year, month, day), date(year, month, day))


def months(year: int, first: int, count: int) -> Days:
    """So many months from the first day of month `first` on."""
    last = first + count - 1
    return Days(date(year, first, 1), date(year, last, calendar.monthrange(year, last)[1]))


def years(first: int, last: int) -> Days:
    """Whole years, both included."""
    return Days(date(first, 1, 1), date(last, 12, 31))


def numeric(a: int, b: int, year: str, separator: str) -> Days | None:
    """20/07/1969 and 7/20/1969; where day and month could be swapped, both readings' hull.

    Who writes dots writes the day first: 01.10.2023.
    """
    if len(year) == 2 and separator == ".":
        return None  # 3.11.07 is a version as well as a day
    full = full_year(year)
    readings = []
    for day, month in ((a, b), (b, a)):
        if 1 <= month <= 12 and 1 <= day <= calendar.monthrange(full, month)[1]:
            readings.append(date(full, month, day))
            if separator == ".":
                break
    if not readings:
        return None
    unsure = len(set(readings)) > 1 or len(year) == 2
    return Days(min(readings), max(readings), approximate=unsure)


def full_year(written: str) -> int:
    """The year of "2019", and the nearest one of "58" and "19"."""
    year = int(written)
    return year if len(written) == 4 else year + (2000 if year <= 40 else 1900)


def season(name: str, year: int) -> Days:
    """Spring, summer, autumn or winter of a year, roughly."""
    if name == "winter":  # either end of the year, or across it
        return Days(date(year - 1, 12, 1), date(year + 1, 2, 28), approximate=True)
    first, last = _SEASONS[name]
    return replace(months(year, first, last - first + 1), approximate=True)


def century(written: str) -> Days | None:
    """The century of "19th" or "nineteenth"; None where it lies out of reach."""
    which = rank(written)
    if not 1 <= which <= 22:
        return None
    # 1900 is counted with the 19th and the 20th: people say both.
    return years(max(1, (which - 1) * 100), which * 100)


def decade(first: int) -> Days:
    """The decade, or for "the 1900s" the century, that begins with a year."""
    if first % 100 == 0:  # "the 1900s": ten years or a hundred
        return replace(years(first, first + 99), approximate=True)
    return years(first, first + 9)


def year_range(first: int, second: str) -> Days | None:
    """What stands behind "2001-2005", "2001/02" or "2001-12"; None where it is none of these."""
    last = int(second) if len(second) == 4 else first // 100 * 100 + int(second)
    if last > first:
        unsure = len(second) == 2 and 1 <= int(second) <= 12  # "2001-05": May, or until 2005
        return replace(years(first, last), approximate=unsure)
    if len(second) == 2 and 1 <= int(second) <= 12:
        return months(first, int(second), 1)
    return years(first, first + 1) if second == "00" and first % 100 == 99 else None


def part_of(days: Days, part: str) -> Days:
    """The early, middle or late part of a period, generously: they overlap."""
    length = days.last - days.first
    share = {"early": (0, 0.5), "beginning": (0, 0.4), "start": (0, 0.4), "mid": (0.25, 0.75)}
    low, high = share.get(part, (0.25, 0.75) if part == "middle" else (0.5, 1))
    return replace(
        days, first=days.first + length * low, last=days.first + length * high, approximate=True
    )


def about(days: Days) -> Days:
    """A few years more on either side."""
    spread = 2 if days.first.year >= 1900 else 5
    first = max(1, days.first.year - spread)
    last = min(9999, days.last.year + spread)
    return Days(date(first, 1, 1), date(last, 12, 31), approximate=True)


def stretch(first: Days, last: Days) -> Days | None:
    """From one to the other, over the turn of the year where no year is against it; else None."""
    if not first.year_known and last.year_known:
        year = last.first.year
        given = with_year(first, year)
        if given is not None and given.first > last.last:  # "from November to March 2020"
            given = with_year(first, year - 1)
        if given is None:
            return None
        first = given
    elif not first.year_known and first.first > last.last:  # "from November to March"
        later = with_year(last, NO_YEAR + 1)
        last = replace(later, year_known=False) if later else last
    if first.year_known != last.year_known or first.first > last.last:
        return None
    unsure = first.approximate or last.approximate
    return Days(first.first, last.last, unsure, last.year_known)


def with_year(days: Days, year: int) -> Days | None:
    """The same days of that year; None where it does not have them."""
    try:
        return replace(
            days,
            first=days.first.replace(year=year),
            last=days.last.replace(year=year),
            year_known=True,
        )
    except ValueError:  # 29 February of a common year
        return None
