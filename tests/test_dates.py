import subprocess
import sys
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halgo.facts import dates
from halgo.facts.parse import parse

pytestmark = pytest.mark.models


def read(text):
    return dates.read(parse([text])[0])


def days(text):
    return [(str(found.first), str(found.last)) for found in read(text)]


@pytest.mark.parametrize(
    "text",
    [
        "It landed on July 20, 1969.",
        "It landed on 20 July 1969.",
        "It landed on the 20th of July 1969.",
        "It landed on 20/07/1969.",
        "It landed on 7/20/1969.",
        "It landed on 1969-07-20.",
        "It landed on 20.07.1969.",
        "it landed on july 20, 1969.",
    ],
)
def test_a_day_is_one_day_however_it_is_written(text):
    assert days(text) == [("1969-07-20", "1969-07-20")]


@pytest.mark.parametrize(
    "text, first, last",
    [
        ("It rose in Q1 2024.", "2024-01-01", "2024-03-31"),
        ("It rose in the first quarter of 2024.", "2024-01-01", "2024-03-31"),
        ("It rose in March 2024.", "2024-03-01", "2024-03-31"),
        ("It rose in the 1990s.", "1990-01-01", "1999-12-31"),
        ("It rose in 1969.", "1969-01-01", "1969-12-31"),
        ("The war of 1939–1945 ended.", "1939-01-01", "1945-12-31"),
        ("She led it from 2001 to 2005.", "2001-01-01", "2005-12-31"),
        ("It is shut from November to March.", "0004-11-01", "0005-03-31"),
        ("It was shut from November to March 2020.", "2019-11-01", "2020-03-31"),
        ("It is shut in November.", "0004-11-01", "0004-11-30"),
        ("It was built in the 19th century.", "1800-01-01", "1900-12-31"),
        ("It rose in the late 2000s.", "2004-12-31", "2009-12-31"),
        ("It rose in FY2023.", "2023-01-01", "2023-12-31"),
        ("It burned down in '58.", "1958-01-01", "1958-12-31"),
        ("Until 1972 boys entered here.", "1972-01-01", "1972-12-31"),
        ("It rose in spring 2020.", "2020-03-01", "2020-05-31"),
        ("It ran from May to June 2020.", "2020-05-01", "2020-06-30"),
        ("It ran on 12-15 March 2020.", "2020-03-12", "2020-03-15"),
        ("It was founded after 2010.", "2010-01-01", str(date.max)),
        ("It was founded before 2010.", str(date.min), "2010-12-31"),
    ],
)
def test_a_period_has_both_its_ends(text, first, last):
    assert days(text) == [(first, last)]


def test_day_and_month_that_could_be_swapped_give_both_readings():
    (found,) = read("It landed on 7/8/1969.")
    assert found.approximate
    assert found.first <= date(1969, 7, 8) <= found.last
    assert found.first <= date(1969, 8, 7) <= found.last


def test_who_writes_dots_writes_the_day_first():
    (found,) = read("It landed on 07.08.1969.")
    assert (found.first, found.last, found.approximate) == (
        date(1969, 8, 7),
        date(1969, 8, 7),
        False,
    )


def test_a_day_without_a_year_says_so():
    (found,) = read("We met on 12 March.")
    assert not found.year_known
    assert (found.first.month, found.first.day) == (3, 12)


@pytest.mark.parametrize(
    "text",
    [
        "On 31/02/2020 nothing happened.",
        "On 30 February 2020 nothing happened.",
        "2000 people came.",
        "It costs $2019 in all.",
        "There were 1,969 cars.",
        "A 1500 metre race began.",
        "You may go, they march on.",
        "COVID-2019 spread.",
        "Room 1200 is free.",
        "It happened in 500 BC.",
        "Yesterday it rained.",
    ],
)
def test_what_is_no_date_is_not_read(text):
    assert days(text) == []


def test_late_and_early_narrow_a_decade():
    early, late = read("It grew in the early 1990s and shrank in the late 1990s.")
    assert early.first < late.first and early.approximate and late.approximate


def test_a_date_knows_what_happened_then():
    born, died = read("Maria Keller was born in 1901 and died in 1980.")
    assert "bear" in born.context and "die" in died.context and "bear" not in died.context


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="0123456789-/., MarchyQ1sthndt", max_size=60))
def test_any_text_is_read_without_fault(text):
    for found in read(text):
        assert found.first <= found.last
        assert 0 <= found.span.start < found.span.end <= len(text)


@settings(max_examples=40, deadline=None)
@given(st.dates(date(1900, 1, 1), date(2100, 12, 31)))
def test_every_day_of_the_calendar_is_read_back(day):
    assert days(f"It landed on {day.isoformat()}.") == [(str(day), str(day))]
    assert days(f"It landed on {day.day} {day:%B %Y}.") == [(str(day), str(day))]


def test_months_are_english_whatever_the_language_of_the_application() -> None:
    """`calendar.month_name` follows the locale that an application sets."""
    code = (
        "import calendar; calendar.month_name = ['', *('Jänner' for _ in range(12))]\n"
        "from halgo.facts.period import month_number\n"
        "print(month_number('March'), month_number('Sept.'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["3", "9"]


def test_the_name_of_a_column_is_read_as_words_are() -> None:
    found = days("region: North; sales_2022: 120; net_q2_2024_total: 7; y_1990s: 3")
    assert found == [
        ("2022-01-01", "2022-12-31"),
        ("2024-04-01", "2024-06-30"),
        ("1990-01-01", "1999-12-31"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("name: Jewel Cave; date: 2/17/08; year: 1908", "1908-02-17"),
        ("name: Jewel Cave; date: 2/17/08", "2008-02-17"),
        ("date: 2/17/08; from: 1908; to: 2008", "2008-02-17"),
    ],
)
def test_a_year_of_two_figures_is_the_one_that_is_told_beside_it(text, expected):
    assert days(text)[0] == (expected, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("city: Porto; output_2023_t: 8910", ["2023"]),
        ("city: Porto; output2022: 8540; output2023_t: 8910", ["2022", "2023"]),
        ("city Porto; output 2022 t 8540; output 2023 t 8910", ["2022", "2023"]),
        ("city Porto; output2022 8540; output2023 8910", ["2022", "2023"]),
        ("Porto sold 2022 t of cork; it cost 3.", []),
        ("city: Porto; model2023x: 5; code: ab2023", []),
    ],
)
def test_the_year_in_the_name_of_a_column_is_a_date(text, expected):
    assert [str(found.first.year) for found in read(text)] == expected
