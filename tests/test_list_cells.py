"""A list of texts in a cell: as JSON, as Python and as numpy print it, and what is none."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from halgo.bulk.list_cells import json_list, looks_listed, texts_of

PRINTED = st.text(st.characters(exclude_categories=["Cs"]))


@given(st.lists(PRINTED))
def test_what_python_prints_of_a_list_of_texts_is_read_back(texts: list[str]) -> None:
    assert texts_of(repr(texts)) == texts


@given(st.lists(st.text("ab '\"\\", min_size=1), min_size=1, max_size=4))
def test_what_numpy_prints_of_a_list_of_texts_is_read_back(texts: list[str]) -> None:
    assert texts_of(str(np.array(texts, dtype=object))) == texts


@pytest.mark.parametrize(
    "cell, texts",
    [
        ("['A late fee.', \"It's due.\"]", ["A late fee.", "It's due."]),
        (" ['A\\nB' ,'\\x41\\u00e9'\n] ", ["A\nB", "A\u00e9"]),
        ("['A' 'B'\n 'C']", ["A", "B", "C"]),
        ('["A", "B"]', ["A", "B"]),
        ("[]", []),
    ],
)
def test_a_list_of_texts_is_read_in_each_form(cell: str, texts: list[str]) -> None:
    assert texts_of(cell) == texts and not looks_listed(texts)


@pytest.mark.parametrize(
    "cell, odd",
    [
        ("['A', None]", True),
        ("[nan, None, 'A']", True),
        ("[{'text': 'A'}]", True),
        ("['A' + 'B']", True),
        ("['A' ... 'B']", True),
        ("['A', open('x')]", True),
        ("['\\N{BULLET}']", True),
        ("['\\U00110000']", True),
        ("['A\x00']", True),
        ("['A'", True),
        ('["A", "B', True),
        ("['Tis", True),
        ("[A list", False),
        ("[1] See 'fees'.", False),
        ('["A", 1]', False),  # JSON, which is read as records
        ("The fee is 5%.", False),
        (None, False),
        (["A"], False),
    ],
)
def test_what_is_no_list_of_texts_stays_and_is_told_where_it_looks_like_one(
    cell: object, odd: bool
) -> None:
    assert texts_of(cell) is cell and looks_listed(cell) is odd


def test_json_of_anything_is_a_list_where_it_is_asked_for() -> None:
    assert json_list('[{"text": "A"}]') == [{"text": "A"}]
    assert json_list("['A']") == "['A']" and json_list(None) is None


@pytest.mark.parametrize("cell", ["['" + "\\" * 400_001, "[" + "'a' " * 200_000, "[" * 100_000])
def test_a_cell_that_ends_nowhere_takes_no_time(cell: str) -> None:
    begun = time.perf_counter()
    assert texts_of(cell) is cell
    assert time.perf_counter() - begun < 5
