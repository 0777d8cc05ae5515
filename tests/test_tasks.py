from __future__ import annotations

import pytest

from halgo import Checker
from halgo.sources.readers import read_bytes
from halgo.sources.sentences import LONGEST, split

LIST = """# Release checklist

- [x] Security review done
- [ ] Load test done
* [X] Docs updated.
1. [ ] Translate the strings. Ask Ann.
- Sign the contract
"""


def words(text: str) -> list[str]:
    return [sentence.reading.text for sentence in split(text, hanging=True)]


def test_a_task_is_read_with_what_its_box_says() -> None:
    assert words(LIST) == [
        "Release checklist",
        "Security review done: yes, done",
        "Load test done: no, not done",
        "Docs updated: yes, done",
        "Translate the strings: no, not done",
        "Ask Ann.",
        "Sign the contract",
    ]
    assert len(words("- [ ] " + "x" * LONGEST)[0]) == LONGEST


def test_a_task_of_an_answer_is_read_as_it_is_written() -> None:
    assert [one.reading.text for one in split("- [ ] Call the bank")] == ["Call the bank"]


def test_the_boxes_of_a_page_s_list_are_those_of_tasks() -> None:
    page = (
        '<ul><li><p><input type="checkbox" disabled checked=""> Review</p><li>'
        "<input disabled type=checkbox> Test</ul><p><input type=checkbox> I agree.</p>"
    )
    assert read_bytes(page.encode(), "a.html")[0].text == "- [x] Review\n- [ ] Test\n\nI agree."


@pytest.mark.parametrize(
    "claim, true",
    [
        ("The load test is not done yet.", True),
        ("The load test has been done.", False),
        ("The security review is done.", True),
        ("The security review has not been done.", False),
        ("The docs have been updated.", True),
        ("The docs have not been updated.", False),
        ("The strings have not been translated yet.", True),
        ("The strings have been translated.", False),
    ],
)
def test_only_what_is_ticked_is_done(tasks: Checker, claim: str, true: bool) -> None:
    (result,) = tasks.check_claims([claim])
    assert result.verdict.value == ("SUPPORTED" if true else "CONTRADICTION")


@pytest.fixture(scope="module")
def tasks() -> Checker:
    return Checker.from_docs(LIST)
