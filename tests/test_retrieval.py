"""Retrieved chunks before an answer is written: which bear on it, are stale, or contradict."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from halgo import Halgorithm
from halgo.sources.bundle import Bundle
from halgo.types import SourceKind

pytestmark = pytest.mark.models

QUESTION = "How many days of leave do employees have?"
OLD = {
    "id": "old",
    "text": "Employees have 22 days of leave per year. They apply in spring.",
    "source": "handbook",
    "revision": "2",
}
NEW = {
    "id": "new",
    "text": "Employees have 25 days of leave per year.",
    "source": "handbook",
    "revision": "3",
}
WIKI = {"id": "wiki", "text": "Employees have 22 days of leave per year.", "source": "wiki"}
TRAINEES = {"id": "trainees", "text": "Trainees have 20 days of leave per year.", "source": "t"}
CANTEEN = {"id": "canteen", "text": "The canteen opens at noon on Fridays.", "source": "canteen"}


@pytest.fixture(scope="module")
def halgorithm() -> Halgorithm:
    return Halgorithm(entailment=None)


def test_chunks_about_something_else_do_not_bear(halgorithm: Halgorithm) -> None:
    found = halgorithm.checker([NEW, CANTEEN]).retrieval(QUESTION)
    assert found.bearing == ("new",)
    assert [chunk.id for chunk in found.chunks] == ["new", "canteen"]
    assert all(0 <= chunk.relevance <= 1 for chunk in found.chunks)


def test_a_chunk_is_stale_beside_a_later_revision_of_its_source(halgorithm: Halgorithm) -> None:
    found = halgorithm.checker([OLD, NEW, WIKI]).retrieval(QUESTION)
    assert found.stale == ("old",)
    assert {chunk.id: chunk.newer for chunk in found.chunks} == {
        "old": "3",
        "new": None,
        "wiki": None,
    }


def test_a_chunk_is_stale_beside_a_later_revision_among_the_checkers_documents(
    halgorithm: Halgorithm,
) -> None:
    found = halgorithm.checker([NEW]).retrieval(QUESTION, [OLD, CANTEEN])
    assert found.stale == ("old",) and len(found.chunks) == 2


def test_chunks_that_say_a_sentence_with_another_value_contradict(halgorithm: Halgorithm) -> None:
    found = halgorithm.checker([NEW, WIKI, TRAINEES, CANTEEN]).retrieval(QUESTION)
    (conflict,) = found.conflicts
    assert (conflict.first, conflict.second) == ("new", "wiki")
    assert conflict.kind == "number_conflict" and conflict.prevails is None
    assert "25 days" in conflict.message and "22 days" in conflict.message
    assert conflict.first_span is not None and conflict.second_span is not None
    assert conflict.first_span.of(NEW["text"]) == "25 days"
    assert conflict.second_span.of(WIKI["text"]) == "22 days"


def test_of_two_revisions_the_later_one_prevails(halgorithm: Halgorithm) -> None:
    (conflict,) = halgorithm.checker([OLD, NEW]).retrieval(QUESTION).conflicts
    assert conflict.prevails == "new"


def test_a_live_result_prevails_over_a_text(halgorithm: Halgorithm) -> None:
    bundle = Bundle()
    bundle.add_chunk("Order PL-20 has been shipped.", id="mail")
    made = bundle.add_tool_result("get_order", {"order_id": "PL-20", "status": "pending"})
    found = halgorithm.checker(["x"]).retrieval("Where is order PL-20?", bundle)
    (conflict,) = found.conflicts
    assert conflict.prevails == made
    assert [chunk.kind for chunk in found.chunks] == [SourceKind.CHUNK, SourceKind.TOOL]


def test_the_same_chunks_give_the_same_whatever_else_was_asked(halgorithm: Halgorithm) -> None:
    checker = halgorithm.checker([OLD, NEW, WIKI, CANTEEN])
    first = checker.retrieval(QUESTION)
    checker.retrieval("When does the canteen open?")
    assert checker.retrieval(QUESTION) == first
    assert asyncio.run(checker.aretrieval(QUESTION)) == first
    assert json.loads(json.dumps(first.to_dict())) == first.to_dict()


@pytest.mark.parametrize("question, chunks", [("", [NEW]), (QUESTION, [""]), (QUESTION, [])])
def test_nothing_to_ask_or_to_read_is_no_crash(
    halgorithm: Halgorithm, question: str, chunks: list[Any]
) -> None:
    found = halgorithm.checker([NEW]).retrieval(question, chunks)
    assert not any(chunk.bears for chunk in found.chunks) and found.conflicts == ()


def test_a_question_is_a_string(halgorithm: Halgorithm) -> None:
    with pytest.raises(TypeError, match="a question is a string, not int"):
        halgorithm.checker([NEW]).retrieval(5)  # type: ignore[arg-type]
