"""The invariants benchmark: what it asks, what it counts, and that it sees a breach."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from benchmarks import invariants
from benchmarks.data import Row, digest
from halgo import Config, Halgorithm
from halgo.types import Verdict

DOCS = (
    "# Opening hours\n\nThe pool opens at seven. Children under four swim free of charge. "
    "Where is the key? Lockers take a coin of one euro.",
)
STRANGER = "Otters sleep on their backs and hold each other's paws, so that none drifts away."


def row(claim: str) -> Row:
    return Row("r1", "own", "", DOCS, claim, "supported", "claim", digest(DOCS))


@dataclass
class Result:
    verdict: Verdict
    reason: str = "x"
    message: str = ""


class Results(list):
    def claim_dicts(self):
        # Where its passage stands is different every time, and no breach.
        return [{"verdict": result.verdict, "matched_doc_id": object()} for result in self]


class Unsteady:
    """A checker that finds support as the table says, by claim and documents."""

    table: dict[tuple[str, str], bool]
    index = None

    @classmethod
    def of(cls, halgorithm, documents, previous=None):
        made = cls()
        made.documents = " ".join(document.id for document in documents)
        return made

    def check_claims(self, claims):
        found = (self.table.get((claim, self.documents), True) for claim in claims)
        return Results(Result(Verdict.SUPPORTED if f else Verdict.WEAK_SUPPORT) for f in found)


@pytest.mark.parametrize(
    "table, breached",
    [
        ({}, []),
        ({("The pool opens at seven.", "d0"): False}, ["own", "brought"]),
        ({("The pool is open.", "d0 stranger"): False}, ["taken", "order: verdict"]),
        (
            {("The pool is open.", "d0"): False, ("The pool is open.", "stranger d0"): False},
            ["brought", "order: verdict"],
        ),
    ],
)
def test_each_breach_is_counted_for_what_it_is(monkeypatch, table, breached):
    monkeypatch.setattr(invariants, "Checker", Unsteady)
    monkeypatch.setattr(Unsteady, "table", table, raising=False)
    sentences = ["The pool opens at seven."]
    monkeypatch.setattr(invariants, "own_sentences", lambda texts: sentences)
    counts = invariants.Counts()
    invariants.examine(None, list(DOCS), [row("The pool is open.")], STRANGER, counts)
    assert [breach["what"] for breach in counts.breaches] == breached
    assert counts.asked["own"] == 1 and counts.asked["order"] == 2
    assert counts.found["own"] == ("own" not in breached)


@pytest.mark.models
def test_own_sentences_are_those_that_an_answer_could_assert():
    found = invariants.own_sentences(DOCS)
    assert "The pool opens at seven." in found and "Opening hours" not in found
    assert "Where is the key?" not in found
    assert len(invariants.own_sentences(["The pool opens at seven. " * 30])) <= 5


def test_a_figure_beyond_its_bound_is_said():
    counts = invariants.Counts()
    for number in range(200):
        counts.add("own", number >= 2)
        counts.add("taken", number < 1)
    found = {figure["what"]: figure for figure in invariants.summary(counts)}
    own = found["the documents' own sentences that are SUPPORTED"]
    assert (own["value"], own["ok"], own["bound"]) == (0.99, False, "at least 99.5 %")
    taken = found["SUPPORTED claims that an unrelated document turns"]
    assert (taken["value"], taken["ok"]) == (0.005, True)


@pytest.mark.models
def test_nothing_is_breached_about_a_short_document():
    halgorithm = Halgorithm(Config(), embedder="lexical", entailment=None)
    counts = invariants.Counts()
    claims = ["Children under four swim for nothing.", "The pool opens at nine."]
    invariants.examine(halgorithm, list(DOCS), [row(one) for one in claims], STRANGER, counts)
    assert counts.breaches == []
    assert counts.asked["own"] == 3 and counts.asked["order"] == 5
