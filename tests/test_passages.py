"""Memoization by identity (`signals/passages.py`)."""

from __future__ import annotations

from halgo import Checker
from halgo.signals.passages import _KEPT, OfPassage
from halgo.types import Evidence, Facts, Pair


def pair_of(text: str) -> Pair:
    (examined,) = Checker.from_docs(text).examine(
        [Checker.from_docs(text).check_claims([text]).results[0].claim]
    )
    return examined.pairs[0]


def test_a_passage_is_worked_out_once_and_never_taken_for_another() -> None:
    asked: list[str] = []

    def words(evidence: Evidence, facts: Facts) -> int:
        asked.append(evidence.reading.text)
        return len(facts.terms)

    of = OfPassage(words)
    pool, hall = pair_of("The pool opens at seven."), pair_of("The old hall seats forty guests.")
    found = [of(one.evidence, one.evidence_facts) for one in (pool, hall, pool, hall)]
    assert found == [len(pool.evidence_facts.terms), len(hall.evidence_facts.terms)] * 2
    assert asked == [pool.evidence.reading.text, hall.evidence.reading.text]
    assert of(pool.evidence, Facts()) == 0  # the same words, read otherwise


def test_what_is_remembered_is_bounded() -> None:
    evidence = pair_of("The pool opens at seven.").evidence
    of = OfPassage(lambda _, facts: id(facts))
    for _ in range(3 * _KEPT):
        facts = Facts()
        assert of(evidence, facts) == id(facts)
    assert len(of._kept._found) == _KEPT
