import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halgo.facts import numberwords


def read(text):
    words = re.findall(r"\w+|-", text.lower())
    found = numberwords.read(words)
    return found and (found.value, " ".join(words[: found.end]))


@pytest.mark.parametrize(
    "text, value",
    [
        ("seven billion", 7 * 10**9),
        ("twenty-one", 21),
        ("two hundred and five", 205),
        ("one hundred twenty-three thousand four hundred fifty-six", 123456),
        ("three point five million", 3_500_000),
        ("two and a half", Fraction(5, 2)),
        ("half a million", 500_000),
        ("a dozen", 12),
        ("two thirds", Fraction(2, 3)),
        ("one-third of", Fraction(1, 3)),
        ("half a dozen", 6),
        ("one in five people", Fraction(1, 5)),
    ],
)
def test_number_words_have_their_value(text, value):
    assert read(text)[0] == value


def test_neighbouring_numbers_are_not_run_together():
    assert read("three million and five million") == (3_000_000, "three million")
    assert read("one two three") == (1, "one")


@pytest.mark.parametrize("text", ["million", "house", "a third man", "and", ""])
def test_what_is_no_number_is_not_read(text):
    assert read(text) is None


def test_a_plural_scale_is_vague():
    assert numberwords.read(["dozens", "of", "people"]).vague


_SPOKEN = str.split("zero one two three four five six seven eight nine")


@given(st.integers(1, 9), st.integers(2, 9), st.sampled_from([10**3, 10**6, 10**9]))
def test_any_spoken_number_is_read_back(hundreds, ones, scale):
    name = {10**3: "thousand", 10**6: "million", 10**9: "billion"}[scale]
    spoken = f"{_SPOKEN[hundreds]} hundred and {_SPOKEN[ones]} {name}"
    assert read(spoken) == ((hundreds * 100 + ones) * scale, spoken)


@given(st.lists(st.sampled_from(["one", "half", "a", "and", "-", "million", "third", "of", "x"])))
def test_any_row_of_words_is_read_without_fault(words):
    found = numberwords.read(words)
    assert found is None or 0 < found.end <= len(words)
