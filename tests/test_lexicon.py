"""WordNet by our own reader: which words are the same, opposite, derived or broader."""

from __future__ import annotations

import pickle
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halgo import models
from halgo.errors import ModelNotFoundError
from halgo.facts import lexicon as lexicon_module
from halgo.facts.lexicon import WordNetLexicon, default_lexicon
from halgo.facts.wordnet import PARTS, Dictionary
from halgo.protocols import Lexicon

pytestmark = pytest.mark.models


@pytest.fixture(scope="module")
def lexicon() -> WordNetLexicon:
    return default_lexicon()


def test_it_is_a_lexicon_and_says_which(lexicon: WordNetLexicon) -> None:
    assert isinstance(lexicon, Lexicon)
    assert lexicon.name in ("wordnet-3.0", "wordnet-3.1")


@pytest.mark.parametrize(
    ("lemma", "expected"),
    [
        ("buy", "purchase"),
        ("car", "automobile"),
        ("begin", "start"),
        ("decide", "settle"),
        ("physician", "doctor"),
        ("company", "firm"),
        ("fee", "charge"),
        ("require", "need"),
        ("motor vehicle", "automotive vehicle"),
        ("BUY", "purchase"),
        ("reduce", "lower"),  # from the table
        ("carry", "take"),
    ],
)
def test_words_of_one_meaning_are_synonyms(
    lexicon: WordNetLexicon, lemma: str, expected: str
) -> None:
    assert expected in lexicon.synonyms(lemma)


@pytest.mark.parametrize(
    ("lemma", "other"),
    [
        ("buy", "bribe"),  # its second sense, rare
        ("buy", "steal"),  # "a steal": never tagged
        ("be", "beryllium"),
        ("have", "rich person"),
        ("person", "body"),
        ("increase", "decrease"),
        ("rise", "fall"),
    ],
)
def test_rare_senses_and_opposites_are_no_synonyms(
    lexicon: WordNetLexicon, lemma: str, other: str
) -> None:
    assert other not in lexicon.synonyms(lemma)


@pytest.mark.parametrize(
    ("lemma", "opposite"),
    [
        ("rise", "fall"),
        ("increase", "decrease"),
        ("increase", "drop"),  # from our own table
        ("allow", "prohibit"),
        ("allowed", "prohibited"),
        ("accept", "reject"),
        ("approve", "deny"),
        ("include", "exclude"),
        ("mandatory", "optional"),
        ("before", "after"),
        ("more", "less"),
        ("minimum", "maximum"),
        ("profit", "loss"),
        ("gain", "lose"),
        ("win", "lose"),
        ("hot", "cold"),
        ("buy", "sell"),
        ("huge", "small"),  # through "large", to which it is close
        ("safe", "unsafe"),
    ],
)
def test_opposites_are_found_from_either_side(
    lexicon: WordNetLexicon, lemma: str, opposite: str
) -> None:
    assert opposite in lexicon.antonyms(lemma)
    if lemma != "huge":
        assert lemma in lexicon.antonyms(opposite)


def test_related_forms_are_derived(lexicon: WordNetLexicon) -> None:
    assert {"decision", "deciding"} <= lexicon.derived("decide")
    assert "decide" in lexicon.derived("decision")
    assert "provision" in lexicon.derived("provide")
    assert "france" in lexicon.derived("french")


def test_broader_words_go_up_step_by_step(lexicon: WordNetLexicon) -> None:
    assert "motor vehicle" in lexicon.hypernyms("car", depth=1)
    assert "self-propelled vehicle" not in lexicon.hypernyms("car", depth=1)
    assert "self-propelled vehicle" in lexicon.hypernyms("car")
    assert lexicon.hypernyms("car", 1) < lexicon.hypernyms("car", 3)
    with pytest.raises(ValueError, match="0"):
        lexicon.hypernyms("car", depth=0)


def test_a_place_is_part_of_what_it_lies_in(lexicon: WordNetLexicon) -> None:
    assert {"bavaria", "germany", "europe"} <= lexicon.wholes("munich")
    assert "austria" not in lexicon.wholes("munich")


def test_a_word_is_known_in_any_form(lexicon: WordNetLexicon) -> None:
    assert lexicon.knows("frozen") and lexicon.knows("dearer") and lexicon.knows("tesla")


@pytest.mark.parametrize(
    "word", ["", " ", "\n", "qwxzv", "This", "\x00", "\ud800", "a" * 100_000, "1 this", "_"]
)
def test_an_unknown_word_has_no_relations(lexicon: WordNetLexicon, word: str) -> None:
    start = time.process_time()
    asked = (lexicon.synonyms, lexicon.antonyms, lexicon.derived, lexicon.hypernyms, lexicon.wholes)
    for relation in asked:
        assert relation(word) == frozenset()
    assert time.process_time() - start < 0.5


@pytest.mark.parametrize("part", PARTS)
def test_every_indexed_lemma_is_found_by_search(part: str) -> None:
    folder = models.find("wordnet").path
    dictionary = Dictionary(folder)
    lines = (folder / f"index.{part}").read_text(encoding="utf-8").splitlines()
    entries = [line for line in lines if not line.startswith(" ")]
    for line in [entries[0], entries[-1], *entries[::997]]:
        lemma, *fields = line.split()
        senses = {found.part: found for found in dictionary.senses(lemma.replace("_", " "))}
        assert [f"{offset:08d}" for offset in senses[part].offsets] == fields[-int(fields[1]) :]
        for offset in senses[part].offsets:
            assert lemma.replace("_", " ") in dictionary.synset(part, offset).words


@given(st.text(max_size=20))
def test_any_text_may_be_asked(word: str) -> None:
    lexicon = default_lexicon()
    assert word not in lexicon.synonyms(word)
    assert not lexicon.synonyms(word) & lexicon.antonyms(word)


def test_common_words_do_not_mean_everything(lexicon: WordNetLexicon) -> None:
    for word in (
        "be",
        "have",
        "do",
        "say",
        "go",
        "get",
        "make",
        "take",
        "see",
        "run",
        "set",
        "good",
    ):
        assert len(lexicon.synonyms(word)) <= 20, word


def test_opening_is_quick_and_a_copy_for_another_process_works(lexicon: WordNetLexicon) -> None:
    start = time.process_time()
    opened = WordNetLexicon(lexicon.path)
    assert time.process_time() - start < 0.05
    assert pickle.loads(pickle.dumps(opened)).synonyms("buy") == lexicon.synonyms("buy")


def test_threads_share_one_lexicon(lexicon: WordNetLexicon) -> None:
    fresh = WordNetLexicon(lexicon.path)
    words = ["buy", "car", "begin", "rise", "company"] * 20
    answers: list[list[frozenset[str]]] = []
    threads = [
        threading.Thread(target=lambda: answers.append([fresh.synonyms(w) for w in words]))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 4
    assert all(found == answers[0] for found in answers)


def test_a_missing_or_empty_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelNotFoundError, match=r"index\.noun"):
        WordNetLexicon(tmp_path)
    (tmp_path / "index.noun").touch()
    with pytest.raises(ModelNotFoundError, match=r"index\.noun"):
        WordNetLexicon(tmp_path)


def test_damaged_lines_count_as_absent(tmp_path: Path) -> None:
    for part in PARTS:
        (tmp_path / f"index.{part}").write_text("good a x y\nodd n 1 1 @ 1 1 00000099\n")
        (tmp_path / f"data.{part}").write_text("nonsense\n")
    lexicon = WordNetLexicon(tmp_path)
    assert lexicon.hypernyms("good") == frozenset()
    assert lexicon.derived("odd") == frozenset()
    assert lexicon.name == "wordnet-unrecorded"


def test_the_table_says_nothing_twice_over() -> None:
    table = lexicon_module._table()
    for word, others in table.antonyms.items():
        assert word not in others
        assert not others & table.synonyms.get(word, frozenset()), word
        assert word == word.strip().lower()
