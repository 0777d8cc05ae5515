"""Citations in forms that answers use: some are read, some named as unread, none passed over."""

from __future__ import annotations

import pytest

from halgo import Checker, check_citations, with_citations
from halgo.claims.extract import extract
from halgo.delivery.citations import read_citations

SOURCES = ["Late fees are 5%.", "Refunds take 14 days."]


@pytest.mark.parametrize(
    ("mark", "numbers"),
    [
        ("[#1]", [1]),
        ("[#1, #2]", [1, 2]),
        ("[S2]", [2]),
        ("[Doc 1, Doc 2]", [1, 2]),
        ("[Source 1 and Source 2]", [1, 2]),
        ("[0]", [0]),
    ],
)
def test_a_form_that_is_read(mark: str, numbers: list[int]) -> None:
    found = read_citations(f"Refunds take 14 days {mark}.")
    assert [one.number for one in found] == numbers


def test_a_zero_names_no_source() -> None:
    (finding,) = check_citations("Refunds take 14 days [0].", sources=SOURCES).findings[:1]
    assert (finding.kind, finding.message) == ("orphan", "[0]: there is no source 0, only 2.")


@pytest.mark.parametrize("mark", [" (1)", "\u00b9", " \u00b2", "<sup>1</sup>", "<sup>2</sup>"])
def test_a_form_that_is_not_read_is_named(mark: str) -> None:
    report = check_citations(f"Refunds take 14 days{mark}.", sources=SOURCES)
    assert [one.message for one in report.findings if one.kind == "unread"] == [
        f"{mark.strip()} looks like a citation and is not read; write [1]."
    ]
    assert not report.ok


@pytest.mark.parametrize(
    "text",
    [
        "The room is 20 m\u00b2 and 10\u00b3 is large.",
        "Payment is due in thirty (30). Two (2).",
        "Scores lie in [0, 1].",
        "Use `items(1)`.\n\n```\nprint(days\u00b9)\n```\n",
        "There are many (40).",
    ],
)
def test_what_is_no_citation_is_not(text: str) -> None:
    assert not [one for one in check_citations(text, sources=SOURCES).findings if one.span]


@pytest.mark.models
@pytest.mark.parametrize(
    ("answer", "claim"),
    [
        ("According to [1], late fees are 5%.", "late fees are 5%."),
        ("Late fees are 5% according to [1].", "Late fees are 5%."),
        ("As stated in [1] and [2], late fees are 5%.", "late fees are 5%."),
        ("In [1], late fees are 5%.", "late fees are 5%."),
    ],
)
def test_what_leads_up_to_a_mark_goes_with_it(answer: str, claim: str) -> None:
    assert [one.text for one in extract(answer)] == [claim]


def test_arguments_that_are_mixed_up_are_told() -> None:
    with pytest.raises(
        TypeError, match="second argument of check_citations is a Checker, not list"
    ):
        check_citations("Late fees are 5% [1].", SOURCES)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="with_citations takes a Report, not str"):
        with_citations("Late fees are 5%.")  # type: ignore[arg-type]


@pytest.mark.models
def test_a_second_question_compares_no_sentence_again(monkeypatch: pytest.MonkeyPatch) -> None:
    checker = Checker.from_docs(
        [{"id": "a", "text": "Refunds take 14 days."}, {"id": "b", "text": "Refunds take 30 days."}]
    )
    first = checker.retrieval("How long do refunds take?")
    assert [(one.first, one.second) for one in first.conflicts] == [("a", "b")]
    monkeypatch.setattr(Checker, "signalled", None)
    assert checker.retrieval("How long do refunds take?") == first
