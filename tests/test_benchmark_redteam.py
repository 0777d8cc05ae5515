"""The red team: its claims are made false as said, and the command counts what was answered."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from types import SimpleNamespace

import pytest

from benchmarks import redteam, tables
from benchmarks.__main__ import main
from benchmarks.data import Row, digest
from benchmarks.redteam import cases, cites, tools
from benchmarks.redteam.cases import OWN, Case
from halgo.types import Verdict

# --- what is said of tools, and citations --------------------------------------------------------

TOOL_CASES = tools.cases()


def test_what_is_said_of_a_tools_result_differs_in_the_value_alone():
    assert len(TOOL_CASES) >= 60
    assert len({case.false for case in TOOL_CASES}) == len(TOOL_CASES)
    for case in TOOL_CASES:
        assert case.true != case.false and "{" not in case.true + case.false
        apart = Counter(case.true.split()) - Counter(case.false.split())
        assert 1 <= apart.total() <= 3, case.id


def test_a_sentence_about_a_field_that_is_not_there_is_refused(tmp_path):
    file = tmp_path / "tools.json"
    said = [["orders.2.status", "Order 3 is {}.", "open", "closed"]]
    result = {"tool": "crm.list", "result": {"orders": [{"status": "open"}]}, "said": said}
    file.write_text(json.dumps([result]), encoding="utf-8")
    with pytest.raises(ValueError, match=r"crm\.list has no field 'orders\.2\.status'"):
        tools.cases(file)


def test_a_made_up_citation_differs_from_the_right_one_in_the_citation_alone():
    found = cites.cases()
    assert len(found) >= 60
    for case in found:
        bare = case.true.rpartition(" [")[0]
        assert bare and case.false.startswith(bare), case.id
        right = int(case.true.rpartition("[")[2].rstrip("]."))
        own = case.docs[right - 1]
        assert case.id.startswith(own["id"]) and len(case.docs) == 4
        assert case.false != case.true
    ends = Counter(case.false.removeprefix(case.true.rpartition(" [")[0])[1] for case in found)
    assert ends["["] and ends["("]


# --- claims by rule ------------------------------------------------------------------------------

TEXT = """# The yard

Northwind Systems bought Harbour Trust on 3 May 2021 for 40 million euros. The crane does not lift
more than 12 tonnes. Visitors may enter the hall before noon. Most boats are repaired in the yard.
It weighs 12 tonnes. Anna Weber founded Calder Shipping in Leeds.
Peter Hall leads the crew. The ferry is larger than the barge and carries 80 cars in 30 minutes.
"""


def row(claim: str, number: int, label: str = "supported", granularity: str = "claim") -> Row:
    docs = (f"{TEXT} {number}",)
    return Row(f"r{number}", "own", "", docs, claim, label, granularity, digest(docs))


@pytest.mark.models
def test_each_kind_makes_the_falsehood_it_names():
    found = {case.kind: case for case in reversed(list(cases.made({"yard.md": TEXT})))}
    assert {case.origin for case in found.values()} == {OWN}
    assert (
        "must enter" in found["strengthened"].false or "will enter" in found["strengthened"].false
    )
    assert found["widened"].false == "All boats are repaired in the yard."
    assert "after noon" in found["reversed comparison"].false or (
        "smaller than" in found["reversed comparison"].false
    )
    assert found["swapped names"].false.startswith("Harbour Trust bought Northwind Systems")
    assert found['dropped "not"'].false.startswith("The crane lifts more than")
    assert " not " in found["negated"].false
    for kind in ("number", "unit", "date", "name"):
        assert found[kind].false != found[kind].true, kind


@pytest.mark.models
def test_what_is_denied_has_no_other_number_that_would_be_false():
    made = list(cases.made({"yard.md": TEXT}))
    denied = [case for case in made if "does not lift" in case.true]
    assert {case.kind for case in denied} <= {'dropped "not"'}
    assert all(not case.true.startswith("It ") for case in made)  # cannot stand alone


@pytest.mark.models
def test_the_same_seed_gives_the_same_cases():
    texts = {"yard.md": TEXT}
    assert list(cases.made(texts)) == list(cases.made(texts))
    assert list(cases.made(texts, 1)) != list(cases.made(texts))


@pytest.mark.models
def test_a_rows_own_claim_is_the_unaltered_one():
    claims = ["The ferry carries 80 cars.", "This carries 80 cars.", "Where does the ferry go?"]
    found = list(cases.of_rows([row(claim, at) for at, claim in enumerate(claims)]))
    assert found and {case.true for case in found} == {claims[0]}
    assert {case.origin for case in found} == {"own"}


def test_only_supported_rows_that_were_not_trained_on_are_altered(monkeypatch):
    rows = [row("A yard.", n) for n in range(4)]
    rows += [row("A yard.", 5, label="contradicted"), row("A yard.", 6, granularity="response")]
    monkeypatch.setattr(cases.data, "trained_on", lambda one: one.id == "r0")
    assert [one.id for one in cases._rows(rows)] == ["r1", "r2", "r3"]


def test_a_sample_takes_half_of_each_and_sets_in_turn():
    def case(kind: str, origin: str, at: int) -> Case:
        return Case(f"{origin}-{at}", kind, origin, (f"d{at}",), "true", f"false {origin} {at}")

    many = [case("unit", origin, at) for origin in (OWN, "a", "b") for at in range(9)]
    picked = cases.sample([*many, case("date", "a", 0)], 8)
    assert Counter(one.origin for one in picked if one.kind == "unit") == {OWN: 4, "a": 2, "b": 2}
    assert [one.origin for one in picked if one.kind == "date"] == ["a"]
    only = cases.sample([one for one in many if one.origin == OWN], 8)
    assert len(only) == 8  # nothing to share with


def test_an_alteration_that_stands_in_the_document_is_none():
    assert cases._stands_in("the ferry is larger than the BARGE", (TEXT,))
    assert not cases._stands_in("The ferry is smaller than the barge.", (TEXT,))


# --- the counting --------------------------------------------------------------------------------

TABLE = {
    "true 1": Verdict.SUPPORTED,
    "true 2": Verdict.HALLUCINATION,
    "false 1": Verdict.CONTRADICTION,
    "false 2": Verdict.WEAK_SUPPORT,
    "false 3": Verdict.SUPPORTED,
}
CASES = [
    Case("a", "number", OWN, ("d1",), "true 1", "false 1"),
    Case("a", "number", OWN, ("d1",), "true 1", "false 2"),
    Case("b", "widened", "fever", ("d2",), "true 2", "false 3"),
]


class ByTable:
    def check_claims(self, claims):
        return SimpleNamespace(
            results=[SimpleNamespace(verdict=TABLE[c], reason="r", score=0.5) for c in claims]
        )


@pytest.fixture
def outcomes():
    return redteam.run(CASES, lambda docs: ByTable())


def test_a_weak_verdict_stops_a_claim_and_is_not_a_bad_one(outcomes):
    found = redteam.summary(outcomes)["kinds"]
    number = found["number"]
    assert number["target"] == 0.9
    assert number["altered"]["count"] == 2
    assert number["altered"]["bad"][0] == 0.5 and number["altered"]["stopped"][0] == 1.0
    assert number["unaltered"] == {
        "count": 1, "bad": [0.0, 0.0, 0.7935], "stopped": [0.0, 0.0, 0.7935],
    }  # fmt: skip
    assert found["widened"]["unaltered"]["bad"][0] == 1.0 and found["widened"]["target"] is None


def test_the_total_counts_an_unaltered_claim_once_and_names_what_was_missed(outcomes):
    result = redteam.summary(outcomes)
    assert result["total"]["altered"]["count"] == 3
    assert result["total"]["unaltered"]["count"] == 2
    assert set(result["origins"]) == {"our own documents", "labelled sets"}
    missed = [(miss["id"], miss["claim"]) for miss in result["misses"]]
    assert missed == [("a", "altered"), ("b", "altered"), ("b", "unaltered")]
    assert "true 2" not in json.dumps(result)  # the sets' texts stay where they are


def test_the_table_marks_what_falls_short_of_its_target(outcomes):
    origin = {
        "command": "c",
        "commit": "1",
        "machine": {"processor": "p", "cores": 1},
        "versions": {},
    }
    text = tables.redteam({**origin, **redteam.summary(outcomes)})
    assert "| number | 2 | **0.500 (0.095 to 0.905)** | 1.000 (0.342 to 1.000) | 0.90 | 1 |" in text


def test_an_unknown_kind_exits_with_2_and_names_those_there_are(capsys):
    assert main(["redteam", "--kinds", "colour"]) == 2
    assert "reversed comparison" in capsys.readouterr().err


@pytest.mark.models
def test_the_command_writes_figures_with_what_is_needed_to_repeat_them(tmp_path, monkeypatch):
    own = Random(0).sample(TOOL_CASES, 2)
    monkeypatch.setattr(tools, "cases", lambda: own)
    out = tmp_path / "redteam.json"
    options = ["--embedder", "lexical", "--entailment", "none", "--no-cache"]
    assert main(["redteam", "--kinds", "tool result", *options, "--out", str(out)]) == 0
    result = json.loads(out.read_text(encoding="utf-8"))
    assert result["kinds"]["tool result"]["altered"]["count"] == 2
    assert result["command"].startswith("python -m benchmarks redteam --kinds")
    assert result["versions"]["python"] and result["settings"]["support_threshold"]
