"""The everyday claims are sound in form, and the command counts what the checker said of them."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from types import SimpleNamespace

import pytest
from small_values import Yes

from benchmarks import answers, everyday
from benchmarks.__main__ import main
from benchmarks.answers import Claimed, Judged
from halgo import Checker, Verdict

CLAIMS, DOCUMENTS = everyday.load()
TRUE_KINDS = {"paraphrase", "summary", "format", "derived", "table", "near"}
FALSE_KINDS = {
    "other name",
    "other subject",
    "restriction",
    "negation",
    "modal",
    "cause",
    "other row",
    "unit",
    "number",
    "derived",
    "added",
}


def test_every_document_has_as_many_true_claims_as_false_ones():
    assert {claimed.doc for claimed in CLAIMS} == set(DOCUMENTS) and len(DOCUMENTS) == 80
    found = Counter((claimed.doc, claimed.true) for claimed in CLAIMS)
    assert all(found[name, True] == found[name, False] >= 5 for name in DOCUMENTS)


def test_each_document_is_of_one_part():
    parts = dict.fromkeys((claimed.doc, claimed.part) for claimed in CLAIMS)
    assert Counter(part for _, part in parts) == {"seen": 44, "unseen": 36}


def test_every_kind_is_there_often_enough_in_both_parts():
    found = Counter((claimed.true, claimed.kind) for claimed in CLAIMS)
    assert {kind for true, kind in found if true} == TRUE_KINDS
    assert {kind for true, kind in found if not true} == FALSE_KINDS
    assert min(found[True, kind] for kind in TRUE_KINDS) >= 20
    assert min(found[False, kind] for kind in FALSE_KINDS) >= 12
    split = Counter((claimed.part, claimed.true, claimed.kind) for claimed in CLAIMS)
    assert len(split) == 2 * len(found) and min(split.values()) >= 6


def test_a_claim_is_one_sentence_and_stands_once():
    assert len({claimed.claim for claimed in CLAIMS}) == len(CLAIMS)
    for claimed in CLAIMS:
        assert 6 <= len(claimed.claim.split()) <= 35 and claimed.claim.endswith(".")


def test_documents_are_of_several_forms_and_of_a_readers_length():
    forms = Counter(name.rpartition(".")[2] for name in DOCUMENTS)
    assert forms == {"md": 75, "json": 3, "csv": 2}
    for name, document in DOCUMENTS.items():
        if name.endswith(".md"):
            assert 200 <= len(document.text.split()) <= 600, name


def test_the_order_of_a_documents_claims_does_not_tell_which_are_true():
    for name in DOCUMENTS:
        told = [claimed.true for claimed in CLAIMS if claimed.doc == name]
        assert 1 < sum(a != b for a, b in pairwise(told)) < len(told) - 1


def test_whoever_says_yes_has_all_true_ones_right_and_no_false_one():
    asked: list[tuple[str, ...]] = []
    parts = everyday.summary(answers.run(CLAIMS, DOCUMENTS, lambda _: Yes(asked)))
    assert [len(claims) for claims in asked] == [1] * len(CLAIMS)
    for part in answers.PARTS:
        found = parts[part]
        mine = [claimed for claimed in CLAIMS if claimed.part == part]
        assert found["documents"] == len({claimed.doc for claimed in mine})
        assert found["claims"] == len(mine)
        assert found["true"] == [1.0] * 3 and found["false"] == [0.0] * 3
        assert found["balanced"] == [0.5] * 3
        kinds = found["kinds"]
        assert set(kinds["true"]) == TRUE_KINDS and set(kinds["false"]) == FALSE_KINDS
        assert all(right == claims for right, claims in kinds["true"].values())
        assert 2 * sum(claims for _, claims in kinds["false"].values()) == len(mine)
        assert not any(right for right, _ in kinds["false"].values())


def test_unseen_claims_are_listed_only_when_they_are_named():
    both = [
        Judged(Claimed("d", part, True, "near", "c"), Verdict.SUPPORTED, "r", 0.5)
        for part in answers.PARTS
    ]
    assert everyday.shown(both, None) == everyday.shown(both, "seen") == both[:1]
    assert everyday.shown(both, "unseen") == both[1:]


@pytest.mark.parametrize(
    "options, parts, listed",
    [
        ([], ("seen", "unseen"), {"seen"}),
        (["--part", "seen"], ("seen",), {"seen"}),
        (["--part", "unseen"], ("unseen",), {"unseen"}),
    ],
)
def test_the_command_prints_and_writes_what_it_counts(
    options, parts, listed, tmp_path, capsys, monkeypatch
):
    # No model is loaded: the stub stands in for every checker.
    monkeypatch.setattr(Checker, "from_docs", lambda *_, **__: Yes([]))
    monkeypatch.setattr("halgo.Halgorithm", lambda config: SimpleNamespace(config=config))
    out = tmp_path / "everyday.json"
    assert main(["everyday", "--show", *options, "--out", str(out)]) == 0
    written = json.loads(out.read_text(encoding="utf-8"))
    assert tuple(written["parts"]) == parts
    printed = capsys.readouterr().out
    assert "100.0 %" in printed and "50.0 %" in printed and "restriction" in printed
    wrong = {claimed for claimed in CLAIMS if f": {claimed.claim}\n" in printed}
    assert {claimed.part for claimed in wrong} == listed
    assert wrong == {claimed for claimed in CLAIMS if claimed.part in listed and not claimed.true}
