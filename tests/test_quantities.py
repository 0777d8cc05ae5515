import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halgo import facts
from halgo.facts import dates, quantities
from halgo.facts.parse import parse

pytestmark = pytest.mark.models
DAY = 86400
YEAR = 31_557_600


def read(text):
    doc = parse([text])[0]
    return quantities.read(doc, tuple(date.span for date in dates.read(doc)))


def brief(text):
    return [(q.span.of(text), q.low, q.high, q.unit) for q in read(text)]


@pytest.mark.parametrize(
    "text, surface, low, high, unit",
    [
        ("Pay within thirty (30) days.", "thirty (30) days", 30 * DAY, 30 * DAY, "second"),
        ("A 30-day notice is needed.", "30-day", 30 * DAY, 30 * DAY, "second"),
        ("It has seven billion users.", "seven billion", 7e9, 7e9, ""),
        ("It cost $4.2B in all.", "$4.2B", 4.2e9, 4.2e9, "dollar"),
        ("It made 1.5bn parts.", "1.5bn", 1.5e9, 1.5e9, ""),
        ("The marks add up to 303.", "303", 303, 303, ""),  # no limit
        ("It brings the load on it up to 60 kg.", "60 kg", 60_000, 60_000, "gram"),
        ("Bring a bag of up to 5 kg.", "5 kg", 0, 5000, "gram"),
        ("It lasts 14 full days.", "14 full days", 14 * DAY, 14 * DAY, "second"),
        (
            "It stood empty for 45 consecutive days.",
            "45 consecutive days",
            45 * DAY,
            45 * DAY,
            "second",
        ),
        ("The dose is halved.", "halved", 0.5, 0.5, "fraction"),
        ("They cut it in half.", "half", 0.5, 0.5, "fraction"),
        ("They paid £5m for it.", "£5m", 5e6, 5e6, "pound"),
        ("They paid USD 5 million.", "USD 5 million", 5e6, 5e6, "dollar"),
        ("They paid 5 million euros.", "5 million euros", 5e6, 5e6, "euro"),
        ("Half a million people came.", "Half a million", 5e5, 5e5, ""),
        ("Walk between 3 and 5 km.", "3 and 5 km", 3000, 5000, "metre"),
        ("They sold 3 to 5 million units.", "3 to 5 million", 3e6, 5e6, ""),
        ("Walk 3–5 km a day.", "3–5 km", 3000, 5000, "metre/day"),
        ("It was minus 5 degrees outside.", "minus 5 degrees", -5, -5, "degree"),
        ("It is 1.5 × 10⁻³ m wide.", "1.5 × 10⁻³ m", 0.0015, 0.0015, "metre"),
        ("It is 3·10^6 km away.", "3·10^6 km", 3e9, 3e9, "metre"),
        ("It is 10^-2 m wide.", "10^-2 m", 0.01, 0.01, "metre"),
        ("It is 1010 m away.", "1010 m", 1010, 1010, "metre"),
        ("The rent is £950 pcm here.", "£950", 950, 950, "pound/month"),
        ("The rent is £95 p/w here.", "£95", 95, 95, "pound/week"),
        ("It costs £5 p.m. for all.", "£5", 5, 5, "pound/month"),
        ("It opens at 5 p.m. for all.", "5 p.m.", 61200, 61200, "clock"),
        ("It was -5 °C outside.", "-5 °C", -5, -5, "degree Celsius"),
        ("It fell 12 % last year.", "12 %", 0.12, 0.12, "fraction"),
        ("It fell twelve percent.", "twelve percent", 0.12, 0.12, "fraction"),
        ("It fell 8 per cent.", "8 per cent", 0.08, 0.08, "fraction"),
        ("It rose by 12 percentage points.", "12 percentage points", 12, 12, "percentage point"),
        ("3/4 of the members left.", "3/4", 0.75, 0.75, "fraction"),
        ("Three quarters of users left.", "Three quarters", 0.75, 0.75, "fraction"),
        ("The sum is 1,234.5 today.", "1,234.5", 1234.5, 1234.5, ""),
        ("There were 1.2e6 cells.", "1.2e6", 1.2e6, 1.2e6, ""),
        ("She bought a dozen eggs.", "a dozen", 12, 12, ""),
        ("The road is 2,700 m long.", "2,700 m", 2700, 2700, "metre"),
        ("A fee of 1.5% per month applies.", "1.5%", 0.015, 0.015, "fraction/month"),
        ("The monthly rent is €850.", "€850", 850, 850, "euro/month"),
        ("An annual fee of $40 is due.", "$40", 40, 40, "dollar/year"),
        ("Annual salary: £27,400", "£27,400", 27400, 27400, "pound/year"),
        ("Weekly and monthly price: $5", "$5", 5, 5, "dollar"),  # which is not told
        ("The annual report names a fine of $5.", "$5", 5, 5, "dollar"),
        ("It allows 60 per minute.", "60", 60, 60, "/minute"),
        ("It allows 30 search requests an hour.", "30", 30, 30, "/hour"),
        ("He runs 2 hours 30 minutes.", "2 hours 30 minutes", 9000, 9000, "second"),
        ("A 64-year-old man fell.", "64-year-old", 64, 64, "year of age"),
        ("The file has 5 GB of text.", "5 GB", 5e9, 5e9, "byte"),
        ("It costs $12 an hour.", "$12", 12, 12, "dollar/hour"),
        ("About 5m users joined.", "5m", 5e6, 5e6, ""),
        ("It takes half an hour.", "half an hour", 1800, 1800, "second"),
        ("A clip lasts up to an hour.", "an hour", 0, 3600, "second"),
        ("The warranty is just a week.", "a week", 604800, 604800, "second"),
        ("The trial is a week.", "a week", 604800, 604800, "second"),
        ("It has a notice of a week.", "a week", 604800, 604800, "second"),
        ("It takes 3 h 20 min.", "3 h 20 min", 12_000, 12_000, "second"),
        ("It takes 3h20.", "3h20", 12_000, 12_000, "second"),
        ("It takes 3:20 h.", "3:20 h", 12_000, 12_000, "second"),
        (
            "It takes three hours and ten minutes.",
            "three hours and ten minutes",
            11_400,
            11_400,
            "second",
        ),
        (
            "It takes an hour and three quarters.",
            "an hour and three quarters",
            6300,
            6300,
            "second",
        ),
        ("It slipped by a week.", "a week", 7 * DAY, 7 * DAY, "second"),
        ("It lasted more than a week.", "a week", 7 * DAY, math.inf, "second"),
        ("It is serviced every six months.", "six months", 15_778_800, 15_778_800, "second/every"),
        ("It is printed monthly.", "monthly", 2_629_800, 2_629_800, "second/every"),
        ("Nine in ten users stayed.", "Nine in ten", 0.9, 0.9, "fraction"),
        ("It affects 1 in 100 people.", "1 in 100", 0.01, 0.01, "fraction"),
        ("Sales fell by half.", "half", 0.5, 0.5, "fraction"),
        ("They get a one-off €300.", "€300", 300, 300, "euro/once"),
        ("It costs 9 cents per kWh.", "9 cents", 0.09, 0.09, "dollar/kilowatt hour"),
        ("A half-hour show follows.", "half-hour", 1800, 1800, "second"),
        ("It takes an hour and a half.", "an hour and a half", 5400, 5400, "second"),
        ("It takes half of one percent.", "half of one percent", 0.005, 0.005, "fraction"),
        ("Walk three quarters of a mile.", "three quarters of a mile", 1207.008, 1207.008, "metre"),
        ("Use a 1/4 inch bolt.", "1/4 inch", 0.00635, 0.00635, "metre"),
        ("The fund has CHF 112'300.", "CHF 112'300", 112_300, 112_300, "franc"),
        ("The price is 18’400.50 francs.", "18’400.50 francs", 18_400.5, 18_400.5, "franc"),
        ("The rent is PLN 2,900.", "PLN 2,900", 2900, 2900, "zloty"),
        ("Calls cost 4p a minute.", "4p", 0.04, 0.04, "pound/minute"),
        ("The default is P30D.", "P30D", 30 * DAY, 30 * DAY, "second"),
        ("It expires after PT1H30M.", "PT1H30M", 5400, 5400, "second"),
        ("Prices rose by a fifth.", "a fifth", 0.2, 0.2, "fraction"),
        ("Students pay a quarter less.", "a quarter", 0.25, 0.25, "fraction"),
        ("It was four degrees below zero.", "four degrees below zero", -4, -4, "degree"),
        ("It is the twenty-fifth release.", "twenty-fifth", 25, 25, "ordinal"),
        (
            "The rate is adjusted semi-annually.",
            "semi-annually",
            YEAR / 2,
            YEAR / 2,
            "second/every",
        ),
        (
            "It is sent every other Monday.",
            "every other Monday",
            14 * DAY,
            14 * DAY,
            "second/every",
        ),
        ("They meet every other week.", "every other week", 14 * DAY, 14 * DAY, "second/every"),
        ("They meet every half-year.", "every half-year", YEAR / 2, YEAR / 2, "second/every"),
        ("The bin is emptied fortnightly.", "fortnightly", 14 * DAY, 14 * DAY, "second/every"),
        ("It starts at quarter past four.", "quarter past four", 15_300, 15_300, "clock12"),
        ("It starts at twelve minutes to one.", "twelve minutes to one", 2_880, 2_880, "clock12"),
        ("It starts at 8 minutes past 4 p.m.", "8 minutes past 4 p.m.", 58_080, 58_080, "clock"),
        (
            "It starts at half past seven in the evening.",
            "half past seven in the evening",
            70_200,
            70_200,
            "clock",
        ),
        ("It starts at ten to six.", "ten to six", 21_000, 21_000, "clock12"),
        ("It opens at 8 in the morning.", "8 in the morning", 28_800, 28_800, "clock"),
        ("It left at 11 at night.", "11 at night", 82_800, 82_800, "clock"),
        ("It left at two at night.", "two at night", 7_200, 7_200, "clock"),
        ("It opens at nine o'clock.", "nine o'clock", 32_400, 32_400, "clock12"),
        ("It opens at 4.15 pm.", "4.15 pm", 58_500, 58_500, "clock"),
        ("It left shortly before 7 am.", "shortly before 7 am", 24_000, 25_199, "clock"),
        ("It left just after 7 am.", "just after 7 am", 25_201, 26_400, "clock"),
        ("The office closes at noon.", "noon", 43_200, 43_200, "clock"),
        ("It closes at 24:00.", "24:00", 0, 0, "clock"),
        ("It left on 2025-05-09T12:17:00Z.", "12:17:00", 44_220, 44_220, "clock"),
        ("It left on 2025-05-09T08:52+02:00.", "08:52", 31_920, 31_920, "clock"),
        ("It was read on 2025-01-14 06:00.", "06:00", 21_600, 21_600, "clock"),
        ('Cut it to 24" and sand it.', '24"', 0.6096, 0.6096, "metre"),
        ('A 3/4" pipe leaks.', '3/4"', 0.01905, 0.01905, "metre"),
        ("The nail is 6″ long.", "6″", 0.1524, 0.1524, "metre"),
        ('He said "about 3" and left.', "3", 3, 3, ""),
        ('The file has "size": "24".', "24", 24, 24, ""),
        ("It is compressed 10:1.", "10:1", 10, 10, "times"),
        ("The ratio is 2.5:1.", "2.5:1", 2.5, 2.5, "times"),
        ("They face 3-to-1 odds.", "3-to-1", 3, 3, "times"),
        ("Sheep outnumber people by twenty to one.", "twenty to one", 20, 20, "times"),
    ],
)
def test_an_amount_is_read_in_its_base_unit(text, surface, low, high, unit):
    found = brief(text)
    assert [item[0] for item in found] == [surface]
    assert found[0][1:3] == (pytest.approx(low), pytest.approx(high))
    assert found[0][3] == unit


@pytest.mark.parametrize(
    "text, low, high",
    [
        ("At least 40 people came.", 40, math.inf),
        ("More than 40 people came.", 40, math.inf),
        ("Up to 10 people came.", 0, 10),
        ("No more than 10 people came.", 0, 10),
        ("No one may be kept there for more than 10 days.", 0, 10 * DAY),
        ("100+ people came.", 100, math.inf),
        ("It takes 18 or more people.", 18, math.inf),
        ("The over-65s ride for nothing.", 65, math.inf),
        ("The under-16s ride for nothing.", 0, 16),
        ("It is tested at least every 10 days.", 0, 10 * DAY),
        ("It is rung no more than every 10 days.", 10 * DAY, math.inf),
        ("It is rung every 10 days or more.", 10 * DAY, math.inf),
    ],
)
def test_a_bound_leaves_one_end_open(text, low, high):
    assert [(q.low, q.high) for q in read(text)] == [(low, high)]


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("It is open 06:00-23:00.", [21_600, 82_800]),
        ("Buses run 05:48–06:22.", [20_880, 22_920]),
        ("It left on 2025-05-09T08:52+0200.", [31_920]),  # a zone is no time
        ("It left on 2025-05-09T08:52-05:00 and was back at 09:10.", [31_920, 33_000]),
        ("It left on 2025-05-09T08:52:30.125Z.", [31_950]),
    ],
)
def test_both_ends_of_hours_are_read_and_no_zone(text, times):
    assert [q.low for q in read(text)] == times


def test_about_makes_an_amount_approximate():
    assert [q.approximate for q in read("About 300 people and 20 dogs came.")] == [True, False]


@pytest.mark.parametrize(
    "text",
    [
        "No one came.",
        "One of them left.",
        "One can say so.",
        "Call 555-123-4567 today.",
        "COVID-19 spread.",
        "A 4K TV and a 5G network.",
        "He is in his 30s.",
        "In 1969 it rained.",
        "See www.example.org/12345 for more.",
        "After the 9/11 attacks.",
        "There is 24/7 support.",
        "One day he left.",
    ],
)
def test_what_counts_nothing_is_no_amount(text):
    assert [q.span.of(text) for q in read(text)] == []


@pytest.mark.parametrize(
    "text, noun, unit",
    [
        ("Section 8.2 applies.", "section", "identifier:8.2"),
        ("Install version 3.11.7 first.", "version", "identifier:3.11.7"),
        ("The iPhone 15 costs more.", "iphone", "identifier:15"),
        ("Phase 2 begins soon.", "phase", "identifier:2"),
        ("They won 3-1 at home.", "score", "identifier:1-3"),
    ],
)
def test_numbers_that_name_are_identifiers(text, noun, unit):
    found = read(text)
    assert (found[0].noun, found[0].unit) == (noun, unit)


def test_sections_in_a_row_are_all_sections():
    assert [q.unit for q in read("See sections 3 and 4.")] == ["identifier:3", "identifier:4"]


def test_a_change_has_two_amounts_and_no_range():
    found = read("Revenue rose from 80 to 100 million dollars.")
    assert [(q.low, q.high) for q in found] == [(80e6, 80e6), (100e6, 100e6)]


@pytest.mark.parametrize(
    "text, noun",
    [
        ("Three offices opened.", "office"),
        ("A fee of 5% applies.", "fee"),
        ("The fee is 5%.", "fee"),
        ("5% of users left.", "user"),
        ("40 of the employees left.", "employee"),
        ("Add 5 kg of rice.", "rice"),
    ],
)
def test_an_amount_knows_what_it_counts_or_measures(text, noun):
    assert read(text)[0].noun == noun


@pytest.mark.parametrize("text, value", [("no cars", 0), ("a single car", 1), ("both cars", 2)])
def test_small_counts_in_words(text, value):
    assert [q.low for q in read(f"She has {text} at home.")] == [value]


def test_numbers_with_two_places_are_hours_only_where_hours_are_told():
    assert [q.unit for q in read("It meets on Thursdays from 19.00 to 21.30.")] == ["clock"] * 2
    assert [q.low for q in read("Time: 18.30 - 19.15")] == [66_600, 69_300]
    for other in (
        "The index fell from 12.45 to 10.30 on Monday.",
        "On Mondays entry costs 2.50 to 3.50 euros.",
        "Runs of 1.20 to 1.45 km take place on Sundays.",
        "At that time the rate rose from 1.15 to 1.30.",
        "On Mondays the share is up to 13.30.",
    ):
        assert not any(q.unit.startswith("clock") for q in read(other))


def test_the_score_of_a_contest_is_no_ratio():
    assert {q.unit for q in read("They won the match 3:1.")} == {""}


def test_an_ordinal_is_a_rank():
    found = read("She was the first president and the 3rd speaker.")
    assert [(q.low, q.unit, q.noun) for q in found] == [
        (1, "ordinal", "president"),
        (3, "ordinal", "speaker"),
    ]


def test_spans_point_into_the_text():
    text = "On 3 May, 12 people paid $5 each for two-thirds of the 40 tickets."
    assert all(q.span.of(text) and q.span.of(text) in text for q in read(text))


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="0123456789.,-–/%$£ ()'\"eEkmM:+onetwhalf½", max_size=60))
def test_any_text_is_read_without_fault(text):
    for quantity in read(text):
        assert quantity.low <= quantity.high
        assert 0 <= quantity.span.start < quantity.span.end <= len(text)


def test_a_hundred_thousand_characters_are_read_in_good_time():
    import time

    import spacy
    from spacy.tokens import Doc

    words = ["1,22"] * 12_000 + ["$"] * 20_000 + ["9" * 20_000]
    doc = Doc(spacy.blank("en").vocab, words=words, spaces=[False] * len(words))
    began = time.process_time()
    quantities.read(doc, ())
    assert time.process_time() - began < 30


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Home 100 has a 24-month contract.", {"100"}),
        ("Home 100 and Home 300 have 24-month contracts.", {"100", "300"}),
        ("Pro 500 costs more than Pro 300.", {"500", "300"}),
        ("Giga 900 costs €55.", {"900"}),
        ("The Airbus A320 seats 180 people.", set()),
        ("Yesterday 300 came.", set()),
        ("In January 300 came.", set()),
        ("Ulm 20 km away.", set()),
        ("Since 2019 it grew.", set()),
        ("Over 100 people came.", set()),
        ("Nearly 300 came.", set()),
        ("Women 40 were there.", set()),
        ("Home 100 people live there.", set()),
        ("Attendance 300.", set()),
        ("INC-2219 was opened before INC-2210.", set()),
    ],
)
def test_the_number_of_a_name_counts_nothing(text, named):
    found = facts.extract([text])[0].quantities
    assert {q.span.of(text) for q in found if q.unit.startswith("identifier")} == named
    if text.startswith("INC"):
        assert not found
