"""The claims over rows are sound in form, and the command counts what the checker said."""

from __future__ import annotations

import json
from collections import Counter
from types import SimpleNamespace

from small_values import Yes

from benchmarks import rows
from benchmarks.__main__ import main
from halgo import Checker

CLAIMS, DOCUMENTS = rows.load()


def test_each_document_is_of_one_part_and_has_as_many_true_claims_as_false_ones() -> None:
    assert {claimed.doc for claimed in CLAIMS} == set(DOCUMENTS)
    assert len({(claimed.doc, claimed.part) for claimed in CLAIMS}) == len(DOCUMENTS)
    found = Counter((claimed.doc, claimed.true) for claimed in CLAIMS)
    assert all(found[doc, True] == found[doc, False] == 8 for doc in DOCUMENTS)


def test_no_claim_is_told_twice_of_a_document() -> None:
    told = [(claimed.doc, claimed.claim) for claimed in CLAIMS]
    assert len(told) == len(set(told))


def test_the_command_counts_a_yes_to_everything(tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setattr(Checker, "from_docs", lambda *_, **__: Yes([]))
    monkeypatch.setattr("halgo.Halgorithm", lambda config: SimpleNamespace(config=config))
    out = tmp_path / "rows.json"
    assert main(["rows", "--out", str(out)]) == 0
    for part in json.loads(out.read_text(encoding="utf-8"))["parts"].values():
        assert part["true"][0] == 1.0 and part["false"][0] == 0.0
    assert "unseen" in capsys.readouterr().out
