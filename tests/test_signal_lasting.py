"""Times of validity and what pronouns stand for, from the facts of texts."""

from __future__ import annotations

from datetime import date

import pytest

from halgo.facts import extract
from halgo.facts.anaphora import resolved
from halgo.signals.time.lasting import happens, validity

pytestmark = pytest.mark.models

EVER = (date.min, date.max)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("From 1 May 2025, tickets cost €14.", date(2025, 5, 1), date.max),
        ("Tickets cost €14 from 1 May 2025 onwards.", date(2025, 5, 1), date.max),
        ("It has been closed since March 2024.", date(2024, 3, 1), date.max),
        ("Effective 1 October 2024, it is free.", date(2024, 10, 1), date.max),
        ("As of January 2023, drivers must hold a licence.", date(2023, 1, 1), date.max),
        ("The voucher is valid until 30 June 2025.", date.min, date(2025, 6, 30)),
        ("It stays closed through 15 November 2024.", date.min, date(2024, 11, 15)),
        ("She was mayor from 2011 until 2019.", date(2011, 1, 1), date(2019, 12, 31)),
        ("From June on it is open.", date(4, 6, 1), date(4, 12, 31)),
    ],
)
def test_a_time_of_validity_is_told_by_the_words_before_it(
    text: str, first: date, last: date
) -> None:
    (facts,) = extract([text])
    found = validity(facts.dates[0], text)
    assert found is not None and (found.time.first, found.time.last) == (first, last)


@pytest.mark.parametrize(
    "text",
    [
        "The fee was raised in May 2025.",
        "A letter from 1912 describes the mill.",
        "As of 31 December 2023 the group had 412 staff.",
        "It opened on 3 March 2024.",
    ],
)
def test_other_days_are_of_no_validity(text: str) -> None:
    (facts,) = extract([text])
    assert validity(facts.dates[0], text) is None


@pytest.mark.parametrize(
    ("claim", "once"),
    [
        ("Tickets cost €14 in July.", False),
        ("The library was closed in August.", False),
        ("The library closed in August.", True),
        ("The fee was introduced in August.", True),
        ("Dana Ruiz became mayor in 2015.", True),
        ("In May the pool closes at 8 pm.", False),
    ],
)
def test_what_happens_once_is_told_from_how_things_are(claim: str, once: bool) -> None:
    (facts,) = extract([claim])
    assert happens(claim, facts) is once


def test_pronouns_stand_for_the_subject_of_the_sentence_before() -> None:
    texts = [
        "The pass is for students.",
        "It costs 5 euros.",
        "It is valid until 3 May.",
        "Guests wait outside.",
        "They pay 7 euros.",
    ]
    found = list(resolved(extract(texts)))
    assert "pass" in found[1].quantities[0].context and "pass" in found[2].dates[0].context
    assert "guest" in found[4].quantities[0].context
    assert [facts.predicates[0].subject for facts in found[1:3]] == ["pass", "pass"]


def test_a_pronoun_with_nothing_before_it_stays() -> None:
    (alone,) = resolved(extract(["It costs 5 euros."]))
    assert alone.predicates[0].subject == "it"
