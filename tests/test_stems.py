"""Inflections of one word, found as one."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halgo.evidence.bm25 import Bm25
from halgo.evidence.lexical import stems, tokens
from halgo.evidence.stems import stem


@pytest.mark.parametrize(
    "words",
    [
        "buy buys buying bought",
        "approve approves approved approving",
        "write writes wrote written",
        "child children",
        "analysis analyses",
        "win won winning",
        "policy policies",
    ],
)
def test_forms_of_one_word_have_one_stem(words):
    assert len({stem(word) for word in words.split()}) == 1


def test_other_words_have_others():
    assert len({stem(word) for word in ["buy", "build", "bring", "sell", "leave", "live"]}) == 6


def test_numbers_and_function_words_stay():
    assert stems("Being 1,500 or thirty % of this") == tokens("Being 1,500 or thirty % of this")


@given(st.text(max_size=80))
def test_any_text_has_a_stem_for_each_token(text):
    assert len(stems(text)) == len(tokens(text))


def test_passages_are_found_by_another_form():
    index = Bm25.build(["Solund will buy Baltrans.", "Baltrans has 14 ships."])
    assert index.scores(stems("bought")).argmax() == 0
    assert index.scores(stems("bought"))[1] == 0


def test_threads_do_not_mix_words_up():
    words = [f"{letter}{ending}" for letter in "bcdfghklmnprst" for ending in ("aking", "oted")]
    code = f"from halgo.evidence.stems import stem; print([stem(w) for w in {words * 20}])"
    alone = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    with ThreadPoolExecutor(8) as pool:
        assert str(list(pool.map(stem, words * 20))) == alone.stdout.strip()
