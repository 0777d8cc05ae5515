from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_rules import Family
from small_values import NoWords, pair_of

from halgo.signals.time.date_conflicts import Relation, relation
from halgo.types import Corpus, Date, Facts, Span, Stance, Term

MARCH = date(2024, 3, 1), date(2024, 3, 31)
QUARTER = date(2024, 1, 1), date(2024, 3, 31)
APRIL = date(2024, 4, 1), date(2024, 4, 30)
YEAR_1969 = date(1969, 1, 1), date(1969, 12, 31)
LANDING = date(1969, 7, 20), date(1969, 7, 20)
OPENED = frozenset({"factory", "open"})


def dated(text, surface, days, context=OPENED, **more):
    at = text.index(surface)
    return Date(*days, Span(at, at + len(surface)), context, **more)


def judge(claim, claim_dates, source, source_dates, corpus=None):
    terms = []
    for text in (claim, source):
        words = ("factory", "opened", "closed")
        terms.append(
            tuple(
                Term(word, "NOUN", Span(text.index(word), text.index(word) + len(word)))
                for word in words
                if word in text
            )
        )
    pair = pair_of(
        claim,
        Facts(dates=tuple(claim_dates), terms=terms[0]),
        source,
        Facts(dates=tuple(source_dates), terms=terms[1]),
    )
    (found,) = Family("dates", NoWords()).compare([pair], corpus or Corpus())
    return found


def one(claim_days, claim_words, source_days, source_words):
    claim, source = (
        f"The factory opened in {claim_words}.",
        f"The factory opened in {source_words}.",
    )
    (signal,) = judge(
        claim, [dated(claim, claim_words, claim_days)],
        source, [dated(source, source_words, source_days)],
    )  # fmt: skip
    return signal


WINTER = date(4, 11, 15), date(5, 3, 1)


@pytest.mark.parametrize(
    "days, known, expected",
    [
        ((date(4, 1, 3), date(4, 1, 3)), False, Relation.WIDER),
        ((date(4, 12, 3), date(4, 12, 3)), False, Relation.WIDER),
        ((date(4, 4, 3), date(4, 4, 3)), False, Relation.DISJOINT),
        ((date(2024, 1, 1), date(2024, 1, 31)), True, Relation.WIDER),
        ((date(2024, 12, 1), date(2024, 12, 31)), True, Relation.WIDER),
        ((date(2024, 7, 1), date(2024, 7, 31)), True, Relation.DISJOINT),
    ],
)
def test_a_stretch_of_every_year_goes_on_over_the_new_year(days, known, expected):
    claim = Date(*days, Span(0, 1), frozenset(), year_known=known)
    assert relation(claim, Date(*WINTER, Span(0, 1), frozenset(), year_known=False)) is expected


def test_what_lasts_from_one_time_to_another_holds_between():
    text = "The factory opened from May to September 2024."
    stretch = "May to September 2024", (date(2024, 5, 1), date(2024, 9, 30))
    claim = "The factory opened in July 2024."
    mine = [dated(claim, "July 2024", (date(2024, 7, 1), date(2024, 7, 31)))]
    (signal,) = judge(claim, mine, text, [dated(text, *stretch)])
    assert signal.kind == "date_agrees" and signal.weight < 0.5
    text = text.replace("from", "some time")
    (signal,) = judge(claim, mine, text, [dated(text, *stretch)])
    assert signal.kind == "unsupported_date"


def test_a_month_is_consistent_with_its_quarter_but_not_supported_by_it():
    signal = one(MARCH, "March 2024", QUARTER, "Q1 2024")
    assert signal.kind == "unsupported_date" and signal.stance is Stance.UNSUPPORTED
    assert signal.message == "The sources say Q1 2024, not March 2024 specifically."


def test_a_quarter_is_supported_by_a_month_in_it():
    assert one(QUARTER, "Q1 2024", MARCH, "March 2024").kind == "date_agrees"


def test_a_month_outside_the_quarter_is_a_conflict():
    signal = one(APRIL, "April 2024", QUARTER, "Q1 2024")
    assert signal.kind == "date_conflict" and signal.stance is Stance.CONTRADICTS
    assert signal.weight >= 0.8
    assert signal.values == ("April 2024", "Q1 2024")


def test_a_year_is_supported_by_a_day_in_it():
    assert one(YEAR_1969, "1969", LANDING, "July 20, 1969").kind == "date_agrees"


def test_dates_of_other_events_do_not_conflict():
    claim, source = "The factory opened in 1969.", "The mill closed in April 2024."
    (signal,) = judge(
        claim, [dated(claim, "1969", YEAR_1969)],
        source, [dated(source, "April 2024", APRIL, frozenset({"mill", "close"}))],
    )  # fmt: skip
    assert signal.kind == "unsupported_date"


def test_a_date_that_stands_elsewhere_weighs_less():
    claim, source = "The factory opened in 1969.", "The factory is large."
    mine = [dated(claim, "1969", YEAR_1969)]
    (nowhere,) = judge(claim, mine, source, [])
    (elsewhere,) = judge(claim, mine, source, [], Corpus(dates=frozenset({YEAR_1969})))
    assert elsewhere.weight < 0.5 < nowhere.weight


def test_a_day_without_year_is_compared_by_month_and_day():
    day = Date(date(4, 3, 12), date(4, 3, 12), Span(0, 1), year_known=False)
    other = Date(date(4, 3, 19), date(4, 3, 19), Span(0, 1), year_known=False)
    full = Date(date(2022, 3, 12), date(2022, 3, 12), Span(0, 1))
    year = Date(date(2022, 1, 1), date(2022, 12, 31), Span(0, 1))
    assert relation(day, full) is Relation.WITHIN
    assert relation(other, full) is Relation.DISJOINT
    assert relation(day, year) is Relation.APART


@pytest.mark.parametrize("year", [2021, 2023])
def test_29_february_is_not_compared_with_a_common_year(year):
    leap = Date(date(4, 2, 29), date(4, 2, 29), Span(0, 1), year_known=False)
    assert relation(leap, Date(date(year, 3, 1), date(year, 3, 1), Span(0, 1))) is Relation.APART


def test_terms_of_office_that_end_apart_do_not_support_each_other():
    longer = Date(date(2001, 1, 1), date(2009, 12, 31), Span(0, 1))
    shorter = Date(date(2001, 1, 1), date(2005, 12, 31), Span(0, 1))
    assert relation(longer, shorter) is relation(shorter, longer) is Relation.OVERLAP


DATES = st.builds(
    lambda a, b: Date(min(a, b), max(a, b), Span(0, 1)),
    st.dates(date(1000, 1, 1), date(2199, 12, 31)),
    st.dates(date(1000, 1, 1), date(2199, 12, 31)),
)


@given(DATES, DATES)
def test_conflict_is_mutual(one, other):
    assert (relation(one, other) is Relation.DISJOINT) == (
        relation(other, one) is Relation.DISJOINT
    )


@given(DATES)
def test_a_date_agrees_with_itself(one):
    assert relation(one, one) is Relation.WITHIN
