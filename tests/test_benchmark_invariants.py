"""The invariants benchmark: what it asks, what it counts, and that it sees a breach."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from benchmarks import invariants, noise
from benchmarks.data import Row, digest
from halgo import Checker, Config, Document, Halgorithm
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


@pytest.mark.parametrize(
    "kind, claim, typed",
    [
        ("stop", "Lockers take a coin.", "Lockers take a coin"),
        ("stop", "Lockers take a coin", "Lockers take a coin."),
        ("stop", "Lockers take what?", "Lockers take what?"),
        ("quotes", "Lockers take a coin. ", '"Lockers take a coin."'),
        ("dash", "A one-euro coin - or 0-5", "A one\u2013euro coin \u2013 or 0\u20135"),
        ("citation", "Lockers take a coin.", "Lockers take a coin. [1]."),
        ("typo", "A Locker is a box.", "A Locker is a box."),  # no ordinary word of five letters
    ],
)
def test_noise_is_what_it_says(kind, claim, typed):
    assert noise.KINDS[kind][1](claim) == typed


def test_a_typo_exchanges_two_letters_of_one_ordinary_word():
    claim = "The Lockers of 24-hour swimmers take coins."
    typed = noise.mistyped(claim)
    changed = [at for at in range(len(claim)) if claim[at] != typed[at]]
    assert len(changed) == 2 and changed[1] == changed[0] + 1
    assert sorted(typed) == sorted(claim)
    word = claim[: changed[0]].rpartition(" ")[2] + claim[changed[0] :].partition(" ")[0]
    assert word.strip(".") in ("swimmers", "coins")
    assert noise.mistyped(claim) == typed


def test_no_document_is_in_both_samples():
    docs = [(f"Pool {number} opens at seven.",) for number in range(40)]
    share = [
        Row(f"r{n}", "healthver", "", doc, "It opens.", "supported", "claim", digest(doc))
        for n, doc in enumerate(docs)
    ]
    aside, mending = (noise.rows("healthver", share, 40, s) for s in (noise.ASIDE, noise.MENDING))
    assert len(aside) + len(mending) == 40 and min(len(aside), len(mending)) > 5
    assert not {row.docs for row in aside} & {row.docs for row in mending}
    assert noise.rows("sick", share, 40, noise.ASIDE) == []


@pytest.mark.models
def test_a_verdict_that_noise_changes_is_counted_for_its_kind(monkeypatch):
    other = ("stop", ("changed", lambda claim: "The pool opens at nine.", 0.005))
    monkeypatch.setattr(noise, "KINDS", dict([other, ("typo", noise.KINDS["typo"])]))
    halgorithm = Halgorithm(Config(), embedder="lexical", entailment=None)
    checker = Checker.of(halgorithm, [Document("d0", DOCS[0], "d0")])
    counts = noise.Counts()
    noise.examine(checker, [row("The pool opens at seven.")], counts)
    assert counts.asked == {"stop": 1, "typo": 1} and counts.changed == {"stop": 1, "typo": 0}
    (breach,) = counts.breaches
    assert breach["what"] == "stop" and breach["reason"].startswith("SUPPORTED SUPPORTED -> ")
    changed, kept = noise.summary(counts)
    assert (changed["value"], changed["ok"]) == (1.0, False)
    assert (kept["value"], kept["ok"], kept["bound"]) == (0.0, True, "at most 4 %")
