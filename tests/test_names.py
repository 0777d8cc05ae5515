import pytest

from halgo.facts import dates, names
from halgo.facts.parse import parse
from halgo.types import Span

pytestmark = pytest.mark.models


def read(text, masked=()):
    (doc,) = parse([text])
    return names.read(doc, tuple(masked))


def test_names_carry_their_place_and_their_part():
    text = "Beta Motors was acquired by Acme Corporation in Berlin."
    found = {name.text: name for name in read(text)}
    assert all(name.span.of(text) == name.text for name in found.values())
    assert found["Acme Corporation"].role == "agent"
    assert found["Acme Corporation"].key == "acme corporation"
    assert found["Berlin"].label == "GPE"


def test_a_proper_noun_that_no_entity_covers_is_a_name():
    assert "zolvarix" in {name.key for name in read("The clinic uses Zolvarix against migraine.")}


def test_days_of_the_week_are_no_names_and_mars_is_one():
    text = "On Tuesdays the probe sends pictures of Mars."
    assert {name.key for name in read(text)} == {"mars"}


def test_a_name_ends_before_what_no_name_has():
    text = "The club pays Vireo £25,000, and Inma before Paz."
    assert {"vireo", "inma", "paz"} <= {name.key for name in read(text)}


def test_a_title_belongs_to_the_name_but_not_to_its_key():
    (name,) = read("Dr. Maria Keller spoke first.")
    assert (name.text, name.key, name.role) == ("Dr. Maria Keller", "maria keller", "subject")


@pytest.mark.parametrize(
    "text",
    [
        "However, patients recovered quickly.",
        "Patients recovered quickly.",
        "He left on Monday in March.",
        "THE COMPANY SHALL PAY ALL TAXES.",
        "it was cheap and it worked.",
        "",
        "!!! ... ???",
    ],
)
def test_capitals_that_make_no_name_are_passed_over(text):
    assert read(text) == ()


def test_articles_and_possessives_are_no_part_of_a_name():
    found = read("The United Nations' report praised Brazil's parliament.")
    assert {"united nations", "brazil"} <= {name.key for name in found}
    assert not any(name.text.lower().startswith("the ") for name in found)


def test_nothing_in_a_masked_stretch_is_a_name():
    text = "The 2008 Summer Olympics were held in Beijing."
    (doc,) = parse([text])
    masked = [date.span for date in dates.read(doc)]
    found = read(text, masked)
    assert not any(name.span.overlaps(span) for name in found for span in masked)
    assert "beijing" in {name.key for name in found}
    assert read(text, [Span(0, len(text))]) == ()


def test_lower_case_input_still_has_its_entities():
    assert "barack obama" in {name.key for name in read("barack obama was born in hawaii.")}


def test_a_long_shouted_line_is_read_in_good_time():
    read("ACME BETA " * 2000)
