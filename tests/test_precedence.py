"""Which of two passages has the last word, and what is said where none has."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from small_values import evidence_of

from halgo import Halgorithm, Verdict
from halgo.signals.disputes import OF_RECORDS
from halgo.signals.registry import NAMES
from halgo.types import SourceKind
from halgo.verdict.precedence import is_later, outranks, told_apart


@pytest.mark.parametrize(
    "one, other",
    [("3", "2"), ("v1.10", "v1.9"), ("2024-06-01", "2023-12-31"), ("2.0.1", "2.0"), ("2024", "9")],
)
def test_a_later_revision_is_told_by_its_numbers(one: str, other: str) -> None:
    assert is_later(one, other) and not is_later(other, one)


@pytest.mark.parametrize(
    "one, other",
    [
        ("2", "2"),
        ("final", "draft"),
        ("2024-06-01", "3"),
        ("9f31c2", "1"),
        ("2024-06", "2024-06-01"),
    ],
)
def test_what_has_no_order_is_of_equal_rank(one: str, other: str) -> None:
    assert not is_later(one, other) and not is_later(other, one)


def test_rules_that_are_trusted_exist() -> None:
    assert {*NAMES, "records"} >= OF_RECORDS


def test_only_revisions_of_one_source_are_compared() -> None:
    old, new = (replace(evidence_of("x", source="a"), revision=n) for n in "12")
    assert outranks(new, old) and not outranks(old, new)
    assert not outranks(replace(new, source="b"), old)
    tool = replace(evidence_of("x", source="t"), kind=SourceKind.TOOL)
    assert outranks(tool, new) and not outranks(new, tool)
    assert told_apart(tool, new) == '"t", a live result, outranks "a"'
    alike = replace(tool, source="a")  # a result that is called as the text is
    assert told_apart(alike, new) == '"a" (t), a live result, outranks "a" (a)'


def judged(docs: list[Any], claim: str) -> Any:
    (result,) = Halgorithm(entailment=None).checker(docs).check_claims([claim])
    return result


DAYS = "Employees have {} days of leave per year."


@pytest.mark.models
def test_what_only_an_older_revision_says_is_superseded() -> None:
    docs = [
        {"text": DAYS.format(22), "source": "handbook", "revision": "1", "id": "one"},
        {"text": DAYS.format(25), "source": "handbook", "revision": "2", "id": "two"},
    ]
    result = judged(docs, DAYS.format(22))
    assert (result.verdict, result.reason) == (Verdict.CONTRADICTION, "superseded")
    assert result.message.startswith('Revision 2 of "handbook" is later than 1')
    assert result.evidence.chunk.doc_id == "two"
    right = judged(docs, DAYS.format(25))
    assert right.verdict is Verdict.SUPPORTED and "says otherwise" in right.message


@pytest.mark.models
def test_sources_of_equal_rank_that_disagree_are_both_named() -> None:
    docs = [
        {"text": DAYS.format(22), "source": "handbook"},
        {"text": DAYS.format(25), "source": "intranet"},
    ]
    result = judged(docs, DAYS.format(22))
    assert (result.verdict, result.reason) == (Verdict.WEAK_SUPPORT, "sources_disagree")
    assert '"handbook" says this, but "intranet" says otherwise' in result.message
    assert DAYS.format(25) in result.message
    assert {found.evidence.source for found in result.assessments} == {"handbook", "intranet"}


@pytest.mark.models
def test_sources_of_one_title_that_disagree_are_told_apart_by_their_ids() -> None:
    docs = [
        {"text": DAYS.format(22), "title": "Leave", "id": "de"},
        {"text": DAYS.format(25), "title": "Leave", "id": "at"},
    ]
    result = judged(docs, DAYS.format(22))
    assert result.message.startswith('"Leave" (de) says this, but "Leave" (at) says otherwise')


@pytest.mark.models
@pytest.mark.parametrize(
    "other",
    [
        "Trainees have 25 days of leave per year.",
        "Employees have 25 days of leave per year in the Oslo office.",
        "Employees have 22 days of leave per year.",
        "Employees have 25 colleagues on average.",
    ],
)
def test_what_is_said_of_something_else_disagrees_with_nothing(other: str) -> None:
    docs = [{"text": DAYS.format(22), "source": "a"}, {"text": other, "source": "b"}]
    assert judged(docs, DAYS.format(22)).verdict is Verdict.SUPPORTED
