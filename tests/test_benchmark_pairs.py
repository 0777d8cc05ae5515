"""The minimal pairs are sound, and the command counts what the checker answered."""

from __future__ import annotations

import json
from collections import Counter
from types import SimpleNamespace

import pytest

from benchmarks import pairs
from benchmarks.__main__ import main
from benchmarks.pairs import Answer, Outcome, Pair
from halgo import Checker, Config, Halgorithm, Verdict

KINDS = (
    "number",
    "magnitude",
    "unit",
    "number word",
    "year",
    "date order",
    "entity",
    "person",
    "role swap",
    "negation",
    "antonym",
    "quantifier",
    "number in another role",
    "extra fact",
    "paraphrase",
    "comparison",
)
PAIRS, DOCUMENTS = pairs.load()


def words(text: str) -> list[str]:
    return text.lower().split()


# --- the pairs ----------------------------------------------------------------------------------


def test_there_are_as_many_pairs_of_every_kind_as_were_promised():
    found = Counter(pair.kind for pair in PAIRS)
    assert sorted(found) == sorted(KINDS)
    assert len(PAIRS) >= 240
    assert min(found.values()) >= 13 and max(found.values()) <= 20


def test_every_pair_has_an_id_of_its_own_and_a_document():
    assert len({pair.id for pair in PAIRS}) == len(PAIRS)
    for pair in PAIRS:
        assert pair.id.startswith(pair.kind.replace(" ", "-") + "-"), pair.id
    assert {pair.doc for pair in PAIRS} == set(DOCUMENTS)


def test_no_claim_stands_twice():
    claims = Counter((pair.doc, claim) for pair in PAIRS for claim in (pair.true, pair.false))
    assert [claim for claim, times in claims.items() if times > 1] == []


def test_twins_differ_and_are_as_alike_as_their_kind_allows():
    for pair in PAIRS:
        true, false = Counter(words(pair.true)), Counter(words(pair.false))
        assert pair.true != pair.false
        apart = (true - false).total() + (false - true).total()
        assert apart <= 10, f"{pair.id}: {apart} words are not shared"


def test_true_twins_are_mostly_reworded_and_false_twins_are_never_copied():
    texts = {doc: " ".join(words(text)) for doc, text in DOCUMENTS.items()}
    copied = [p.id for p in PAIRS if " ".join(words(p.true)).rstrip(".") in texts[p.doc]]
    assert len(copied) <= len(PAIRS) / 10
    assert [p.id for p in PAIRS if " ".join(words(p.false)).rstrip(".") in texts[p.doc]] == []


@pytest.mark.parametrize("doc", sorted(DOCUMENTS))
def test_a_document_is_short(doc):
    assert 60 <= len(words(DOCUMENTS[doc])) <= 250


# --- the counting -------------------------------------------------------------------------------

TABLE = {
    "The mill is old.": ("SUPPORTED", 0.9),
    "The mill is new.": ("CONTRADICTION", 0.1),
    "The mill is in Kent.": ("WEAK_SUPPORT", 0.5),
    "The mill is in Sussex.": ("WEAK_SUPPORT", 0.4),
    "Orla Finch built the mill.": ("SUPPORTED", 0.8),
    "Hugh Finch built the mill.": ("SUPPORTED", 0.8),
}
OWN = [
    Pair("antonym-01", "mill", "antonym", "The mill is old.", "The mill is new."),
    Pair("entity-01", "mill", "entity", "The mill is in Kent.", "The mill is in Sussex."),
    Pair(
        "person-01", "history", "person", "Orla Finch built the mill.", "Hugh Finch built the mill."
    ),
]
TEXTS = {"mill": "An old mill in Kent.", "history": "Orla Finch built the mill."}


class ByTable:
    """A checker that answers from TABLE and notes the texts that checkers were made for."""

    made: list[str] = []  # noqa: RUF012

    def __init__(self, text: str) -> None:
        self.made.append(text)

    def check_claims(self, claims):
        (claim,) = claims  # one at a time
        verdict, score = TABLE[claim]
        result = SimpleNamespace(verdict=Verdict(verdict), reason="by-table", score=score)
        return SimpleNamespace(results=(result,))


@pytest.fixture
def outcomes(monkeypatch):
    monkeypatch.setattr(ByTable, "made", [])
    return pairs.run(OWN, TEXTS, ByTable)


def test_a_true_twin_has_to_be_supported_and_a_false_one_must_not_be(outcomes):
    counted = pairs.summary(outcomes)["kinds"]
    assert counted == {
        "antonym": {"pairs": 1, "both": 1, "true": 1, "false": 1, "ranked": 1},
        "entity": {"pairs": 1, "both": 0, "true": 0, "false": 1, "ranked": 1},
        "person": {"pairs": 1, "both": 0, "true": 1, "false": 0, "ranked": 0},
    }


def test_the_total_is_a_share_of_the_pairs_and_misses_say_what_was_answered(outcomes):
    result = pairs.summary(outcomes)
    assert result["documents"] == 2 and result["total"]["pairs"] == 3
    value, low, high = result["total"]["both"]
    assert value == 0.3333 and low == 0 and high == 0.5  # a sample of documents: mill or not
    assert result["misses"] == [
        {"id": "entity-01", "twin": "true", "verdict": "WEAK_SUPPORT", "reason": "by-table",
         "score": 0.5},
        {"id": "person-01", "twin": "false", "verdict": "SUPPORTED", "reason": "by-table",
         "score": 0.8},
    ]  # fmt: skip


def test_a_document_is_indexed_once_for_all_its_pairs(outcomes):
    assert ByTable.made == ["An old mill in Kent.", "Orla Finch built the mill."]


def test_a_wrong_answer_is_listed_with_its_claim(outcomes, capsys):
    pairs._print_misses(outcomes)
    lines = capsys.readouterr().out.strip().splitlines()
    assert len(lines) == 2
    assert "SUPPORTED (by-table, 0.80)" in lines[1] and "Hugh Finch built" in lines[1]


def test_an_unknown_kind_exits_with_2_and_names_those_there_are(capsys):
    assert main(["pairs", "--kinds", "colour"]) == 2
    assert "role swap" in capsys.readouterr().err


@pytest.mark.models
def test_a_real_checker_is_asked_the_same_way():
    halgorithm = Halgorithm(Config(), embedder="lexical")
    pair = Pair("number-01", "fee", "number", "The fee is 5% a month.", "The fee is 6% a month.")
    documents = {"fee": "The fee is 5% a month."}
    (found,) = pairs.run(
        [pair], documents, lambda text: Checker.from_docs(text, halgorithm=halgorithm)
    )
    assert isinstance(found, Outcome) and isinstance(found.to_true, Answer)
    assert found.both and found.ranked


@pytest.mark.models
def test_the_command_writes_figures_with_what_is_needed_to_repeat_them(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(pairs, "load", lambda: (OWN[:1], {"mill": "The mill is old. It stands."}))
    out = tmp_path / "pairs.json"
    assert main(["pairs", "--show", "--out", str(out)]) == 0
    result = json.loads(out.read_text(encoding="utf-8"))
    assert result["kinds"]["antonym"]["pairs"] == 1 and result["total"]["pairs"] == 1
    assert result["command"] == "python -m benchmarks pairs"
    assert result["versions"]["python"] and result["settings"]["support_threshold"]
    assert "antonym" in capsys.readouterr().out
