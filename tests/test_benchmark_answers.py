"""The claims of answers are sound, and the command counts what the checker said of them."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise

import pytest
from small_values import Yes

from benchmarks import answers
from benchmarks.__main__ import main
from benchmarks.answers import Claimed, Judged
from halgo import Verdict

CLAIMS, DOCUMENTS = answers.load()


def test_every_document_has_as_many_true_claims_as_false_ones():
    assert {claimed.doc for claimed in CLAIMS} == set(DOCUMENTS) and len(DOCUMENTS) == 40
    found = Counter((claimed.doc, claimed.true) for claimed in CLAIMS)
    assert set(found.values()) == {7}


def test_no_claim_stands_twice_and_each_document_is_of_one_part():
    assert len({(claimed.doc, claimed.claim) for claimed in CLAIMS}) == len(CLAIMS)
    parts = {(claimed.doc, claimed.part) for claimed in CLAIMS}
    assert len(parts) == len(DOCUMENTS) and {part for _, part in parts} == set(answers.PARTS)


def test_the_order_of_a_documents_claims_does_not_tell_which_are_true():
    runs = Counter()
    for name in DOCUMENTS:
        told = [claimed.true for claimed in CLAIMS if claimed.doc == name]
        runs[sum(a != b for a, b in pairwise(told))] += 1
    assert max(runs) < 13 and min(runs) > 1


def test_what_is_right_of_a_true_and_of_a_false_claim():
    def judged(true, verdict):
        return Judged(Claimed("d", "seen", true, "k", "c"), verdict, "r", 0.5)

    assert judged(True, Verdict.SUPPORTED).right
    assert not judged(True, Verdict.WEAK_SUPPORT).right
    assert judged(False, Verdict.HALLUCINATION).right
    assert not judged(False, Verdict.SUPPORTED).right


def test_whoever_says_yes_has_all_true_ones_right_and_no_false_one():
    asked: list[tuple[str, ...]] = []
    parts = answers.summary(answers.run(CLAIMS, DOCUMENTS, lambda _: Yes(asked)))
    assert [len(claims) for claims in asked] == [1] * len(CLAIMS)
    for part, documents in (("seen", 32), ("unseen", 8)):
        assert parts[part]["documents"] == documents and parts[part]["claims"] == 14 * documents
        assert parts[part]["true"] == [1.0] * 3 and parts[part]["false"] == [0.0] * 3


@pytest.mark.models
def test_the_command_prints_and_writes_what_it_counts(tmp_path, capsys, monkeypatch):
    some = [claimed for claimed in CLAIMS if claimed.doc in ("lease", "recall")]
    monkeypatch.setattr(answers, "load", lambda: (some, DOCUMENTS))
    out = tmp_path / "answers.json"
    assert main(["answers", "--show", "--out", str(out)]) == 0
    written = json.loads(out.read_text(encoding="utf-8"))
    printed = capsys.readouterr().out
    seen = written["parts"]["seen"]
    assert seen["claims"] == 14 and f"{100 * seen['true'][0]:.1f} %" in printed
    wrong = [line for line in printed.splitlines() if line.startswith(("lease", "recall"))]
    shares = [
        written["parts"][part][name][0] for part in answers.PARTS for name in ("true", "false")
    ]
    assert len(wrong) == round(28 - 7 * sum(shares))
