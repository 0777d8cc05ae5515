"""The claims about numbers are sound in form, and the command counts what the checker said."""

from __future__ import annotations

import json
from collections import Counter
from types import SimpleNamespace

from small_values import Yes

from benchmarks import numbers
from benchmarks.__main__ import main
from halgo import Checker

CLAIMS, DOCUMENTS = numbers.load()


def test_every_true_claim_has_a_false_twin() -> None:
    assert {claimed.doc for claimed in CLAIMS} == set(DOCUMENTS) and len(DOCUMENTS) == 123
    for one, other in zip(CLAIMS[::2], CLAIMS[1::2], strict=True):
        assert (one.doc, one.part, one.kind) == (other.doc, other.part, other.kind)
        assert one.true != other.true and one.claim != other.claim


def test_each_document_is_of_one_part_and_both_parts_have_every_kind() -> None:
    assert len({(claimed.doc, claimed.part) for claimed in CLAIMS}) == len(DOCUMENTS)
    found = Counter((claimed.part, claimed.kind) for claimed in CLAIMS)
    assert {kind for _, kind in found} == {"amount", "time", "worked out", "record"}
    assert len(found) == 8 and min(found.values()) >= 80


def test_the_command_counts_a_yes_to_everything(tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setattr(Checker, "from_docs", lambda *_, **__: Yes([]))
    monkeypatch.setattr("halgo.Halgorithm", lambda config: SimpleNamespace(config=config))
    out = tmp_path / "numbers.json"
    assert main(["numbers", "--out", str(out)]) == 0
    for part in json.loads(out.read_text(encoding="utf-8"))["parts"].values():
        assert part["true"][0] == 1.0 and part["false"][0] == 0.0
    assert "worked out" in capsys.readouterr().out
