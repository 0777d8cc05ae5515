"""Values go into columns and come back as they were."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halgo.evidence.columns import Strings, Table
from halgo.types import Date, Facts, Name, Predicate, Quantity, Sentence, Span, Term

TEXT = st.text(st.characters(), max_size=6)  # lone surrogates included
SPANS = st.builds(lambda a, b: Span(a, a + b), st.integers(0, 2**40), st.integers(0, 2**40))
WORDS = st.frozensets(TEXT, max_size=3)
NUMBERS = st.floats(allow_nan=False)
DAYS = st.dates(date(1, 1, 1), date(9999, 12, 31))


def many(strategy: st.SearchStrategy) -> st.SearchStrategy:
    return st.lists(strategy, max_size=3).map(tuple)


FACTS = st.builds(
    Facts,
    many(st.builds(Quantity, NUMBERS, NUMBERS, TEXT, SPANS, st.booleans(), TEXT, WORDS)),
    many(st.builds(Date, DAYS, DAYS, SPANS, WORDS)),
    many(st.builds(Name, TEXT, TEXT, TEXT, SPANS, TEXT)),
    many(st.builds(Predicate, TEXT, st.booleans(), SPANS, TEXT, TEXT)),
    many(st.builds(Term, TEXT, TEXT, SPANS)),
    many(st.tuples(TEXT, TEXT, TEXT)),
)


@settings(max_examples=40, deadline=None)
@given(st.lists(FACTS, max_size=5))
def test_facts_come_back_as_they_were_also_from_arrays(values: list[Facts]) -> None:
    table = Table(Facts, Strings())
    for value in values:
        table.add(value)
    again = Table(Facts, Strings.of(table.strings.arrays()))
    again.fill(table.arrays(), len(values))
    for kept in (table, again):
        assert list(kept) == values
        assert [kept[at] for at in range(len(kept))] == values
        assert kept[1:3] == values[1:3]
        assert kept[::-1] == values[::-1]


def test_a_sentence_with_a_reading_in_pieces_comes_back() -> None:
    from halgo.sources.sentences import split

    sentences = split(
        "# Head\n\nOne **bold** word. Two\nlines.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    )
    table = Table(Sentence, Strings())
    for sentence in sentences:
        table.add(sentence)
    assert list(table) == sentences != []


@dataclass(frozen=True)
class Perhaps:
    day: date | None
    pair: tuple[int, str]


def test_absent_values_and_fixed_tuples_come_back() -> None:
    values = [Perhaps(None, (1, "a")), Perhaps(date(2020, 2, 29), (-5, ""))]
    table = Table(Perhaps, Strings())
    for value in values:
        table.add(value)
    assert list(table) == values


@dataclass(frozen=True)
class Loose:
    anything: dict[str, str]


def test_a_type_without_a_column_is_refused_at_once() -> None:
    with pytest.raises(TypeError, match="dict"):
        Table(Loose, Strings())


def test_a_place_outside_the_table_is_an_index_error() -> None:
    table = Table(Span, Strings())
    table.add(Span(1, 2))
    assert table[-1] == Span(1, 2)
    for place in (1, -2):
        with pytest.raises(IndexError):
            table[place]


def test_columns_that_do_not_fit_are_refused() -> None:
    table = Table(Facts, Strings())
    table.add(Facts(terms=(Term("fee", "NOUN", Span(0, 3)),)))
    good, strings = table.arrays(), table.strings.arrays()

    def filled(changes: dict[str, np.ndarray]) -> None:
        Table(Facts, Strings.of(strings)).fill({**good, **changes}, 1)

    filled({})
    lemma = next(name for name in good if name.endswith("lemma") and "terms" in name)
    terms = next(name for name in good if name.endswith("terms"))
    for changes in (
        {lemma: np.array([99], dtype=np.int32)},
        {lemma: np.array([-1], dtype=np.int32)},
        {lemma: np.array([0, 0], dtype=np.int32)},
        {lemma: np.array([0.0])},
        {terms: np.array([-1])},
        {terms: np.array([5])},
        {"extra": np.array([1])},
    ):
        with pytest.raises((ValueError, KeyError)):
            filled(changes)
