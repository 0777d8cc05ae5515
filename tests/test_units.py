from fractions import Fraction

import pytest

from halgo.facts import units


@pytest.mark.parametrize(
    "one, other",
    [("km", "kilometres"), ("%", "per cent"), ("GB", "gigabytes"), ("m²", "square metres")],
)
def test_a_symbol_and_a_name_are_the_same_unit(one, other):
    assert units.find(one) == units.find(other) is not None


def test_letter_case_tells_symbols_apart_but_not_names():
    assert units.find("MW").factor == 10**6
    assert units.find("mW") is None
    assert units.find("Kilometres") == units.find("kilometres")


def test_twelve_months_are_a_year_and_sixty_minutes_an_hour():
    assert 12 * units.find("month").factor == units.find("year").factor
    assert 60 * units.find("minute").factor == units.find("hour").factor


def test_an_unknown_word_is_no_unit():
    assert units.find("banana") is None
    assert units.find("") is None


@pytest.mark.parametrize("words, base", [({"weigh"}, "gram"), ({"paid"}, "pound")])
def test_pounds_are_a_weight_only_beside_words_of_weight(words, base):
    assert units.pounds(frozenset(words)).base == base


@pytest.mark.parametrize("written", ["°C", "° C", "º C", "℃", "degrees C", "Celsius", "centigrade"])
def test_degrees_celsius_are_one_unit_however_they_are_written(written):
    assert units.find(written) == units.find("degrees Celsius") is not None


def test_factors_are_exact():
    assert units.find("km/h").factor == Fraction(5, 18)
