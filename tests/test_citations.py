"""Citations in: what they name, whether it is one source, and whether it says what is cited."""

from __future__ import annotations

import json
from typing import Any

import pytest

from halgo import Checker, Document, Halgorithm
from halgo.delivery.citations import CitationReport, check_citations, read_citations
from halgo.types import Span

HANDBOOK = Document(
    "hr/7",
    "Leave is 30 days a year. Overtime is paid at 150%.",
    "docs/Staff Handbook.pdf",
    {"pages": "[0, 25]", "url": "https://intra.example.org/handbook"},
)
PENALTIES = {
    "title": "Late Payment Penalties",
    "content": "A late fee of 1.5% per month applies. Payment is due within 30 days of receipt.",
    "page_num": 5,
    "id": "kb-1",
}
TRAVEL = {"id": "kb-2", "source": "travel.md", "text": "Hotels are paid up to 140 euros a night."}
SOURCES: list[Any] = [HANDBOOK, PENALTIES, TRAVEL]


def named(answer: str, sources: Any = None) -> list[tuple[str, ...]]:
    """The documents of each citation."""
    report = check_citations(answer, sources=SOURCES if sources is None else sources)
    return [one.documents for one in report.citations]


def kinds(report: CitationReport) -> list[str]:
    return [finding.kind for finding in report.findings]


# --- reading ------------------------------------------------------------------------------------


def test_each_number_of_a_mark_is_a_citation_with_its_place() -> None:
    answer = "Leave is 30 days [1, 3-4]. It is paid.[^a] See (A, page 2; B, pages 3-4)."
    read = read_citations(answer)
    assert [one.number for one in read] == [1, 3, 4, None, None, None]
    assert [one.span.of(answer) for one in read][:4] == ["[1, 3-4]"] * 3 + ["[^a]"]
    assert [(one.title, one.pages) for one in read[4:]] == [("A", (2, 2)), ("B", (3, 4))]


def test_the_example_of_a_title_with_see_and_page_is_read() -> None:
    (one,) = read_citations("Payment is due. (See Late Payment Penalties, page 5)")
    assert (one.kind, one.title, one.pages) == ("page", "Late Payment Penalties", (5, 5))


def test_text_without_citations_has_none_and_no_text_is_an_error() -> None:
    assert read_citations("") == read_citations("No [sic] citation (1) here.") == ()
    with pytest.raises(TypeError, match="answer is a string"):
        read_citations(None)  # type: ignore[arg-type]


# --- what they name -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "mark, expected",
    [
        ("[1]", ["hr/7"]),
        ("[2, 3]", ["kb-1", "kb-2"]),
        ("[Source 3]", ["kb-2"]),
        ("(See Late Payment Penalties, page 5)", ["kb-1"]),
        ("(late payment penalties, p. 5)", ["kb-1"]),
        ("(Staff Handbook, page 2)", ["hr/7"]),
        ("(Acme Staff Handbook, page 1)", ["hr/7"]),
        ("[kb-2]", ["kb-2"]),
        ("(travel.md)", ["kb-2"]),
        ("[hr/7]", ["hr/7"]),
        ("[the handbook](http://www.intra.example.org/handbook/#p2)", ["hr/7"]),
        ("https://intra.example.org/handbook", ["hr/7"]),
        ("[travel](docs/travel.md)", ["kb-2"]),
    ],
)
def test_a_citation_names_its_source(mark: str, expected: list[str]) -> None:
    assert named(f"Something is so {mark}.") == [(one,) for one in expected]


@pytest.mark.parametrize(
    "mark, why",
    [
        ("[4]", "no source 4"),
        ("[kb-99]", 'no source is called "kb-99"'),
        ("(Staff Handbook, page 3)", "2 pages"),
        ("(Late Payment Penalties, page 6)", "page 6"),
        ("(Board Minutes, page 1)", "Board Minutes"),
        ("https://example.org/made-up", "no source is at"),
        ("[^3]", "no such note"),
    ],
)
def test_a_fabricated_citation_is_an_orphan(mark: str, why: str) -> None:
    answer = f"Something is so {mark}."
    report = check_citations(answer, sources=SOURCES)
    finding = report.findings[0]
    assert finding.kind == "orphan" and why in finding.message
    assert finding.span is not None and finding.span.of(answer) == mark
    assert not report.bijective


def test_an_address_that_a_source_itself_gives_is_no_orphan() -> None:
    sources = ["Apply at https://example.org/apply."]
    report = check_citations("You can apply at https://example.org/apply.", sources=sources)
    assert "orphan" not in kinds(report) and report.citations[0].documents == ()


def test_a_title_that_several_sources_have_is_ambiguous() -> None:
    sources = [
        {"id": "a", "source": "2024/report.md", "text": "Sales rose."},
        {"id": "b", "source": "2025/report.md", "text": "Sales fell."},
    ]
    report = check_citations("Sales fell (Report, page 1).", sources=sources)
    assert kinds(report)[0] == "ambiguous" and "2024/report.md" in report.findings[0].message


def test_numbers_count_the_sources_in_the_order_given() -> None:
    assert named("So [1].", [TRAVEL, HANDBOOK]) == [("kb-2",)]
    assert named("So [1].", [HANDBOOK, TRAVEL]) == [("hr/7",)]


def test_the_answers_own_list_says_what_its_numbers_mean() -> None:
    answer = (
        "Hotels are paid [2]. Leave is 30 days [1].[^n]\n\nReferences:\n"
        "[1] Staff Handbook, page 1\n[2] See https://intra.example.org/handbook\n\n[^n]: travel.md"
    )
    assert named(answer) == [("hr/7",), ("hr/7",), ("kb-2",)]
    report = check_citations(answer, sources=SOURCES)
    assert report.citations[1].region == Span(0, 25)


# --- one to one ---------------------------------------------------------------------------------


def test_sources_may_be_any_iterable() -> None:
    texts = (text for text in ["The fee is 5%.", "Pay soon."])
    assert check_citations("Pay soon [2].", sources=texts).citations[0].documents == ("doc2",)


def test_every_source_cited_once_is_bijective() -> None:
    report = check_citations("Leave [1], fees [2] and hotels [3] are paid [1].", sources=SOURCES)
    assert report.ok and report.bijective and report.uncited == ()


def test_a_given_source_that_is_never_cited_is_found() -> None:
    report = check_citations("Leave [1] and fees [2] are paid.", sources=SOURCES)
    assert kinds(report) == ["uncited"] and report.findings[0].documents == ("kb-2",)
    assert report.uncited == ("kb-2",) and not report.bijective


def test_a_listed_source_that_is_never_cited_is_found_with_its_place() -> None:
    answer = "Leave is paid [1].\n\nSources:\n[1] Staff Handbook\n[2] travel.md"
    report = check_citations(answer, sources=SOURCES)
    (finding,) = report.findings
    assert finding.kind == "uncited" and finding.span is not None
    assert finding.span.of(answer) == "[2] travel.md"


def test_one_number_for_two_sources_and_two_numbers_for_one() -> None:
    answer = (
        "Leave [1], fees [2], hotels [3].\n\nSources:\n[1] Staff Handbook\n"
        "[2] Late Payment Penalties\n[2] travel.md\n[3] Staff Handbook"
    )
    report = check_citations(answer, sources=SOURCES)
    assert kinds(report) == ["duplicate_number", "duplicate_source"]
    assert "[2] stands for two" in report.findings[0].message
    assert "same source as [1]" in report.findings[1].message
    pages = "Leave [1], fees [2].\n\nSources:\n[1] Staff Handbook, page 1\n[2] Staff Handbook, p. 2"
    assert check_citations(pages, sources=SOURCES).bijective  # two passages are two sources


def test_the_same_text_given_twice_is_the_same_source() -> None:
    report = check_citations("Leave [1] is paid [2].", sources=["Leave is paid.", "Leave is paid."])
    assert kinds(report) == ["duplicate_source"]


@pytest.mark.parametrize("mark", ["[1, 2", "[^note", "[[1", "[3 and so on"])
def test_a_citation_that_never_ends_is_told(mark: str) -> None:
    report = check_citations(f"Leave is paid {mark}", sources=SOURCES)
    assert "broken" in kinds(report) and not report.bijective


def test_citations_without_checker_or_sources_are_refused() -> None:
    with pytest.raises(ValueError, match="nothing to look in"):
        check_citations("Leave is paid [1].")
    with pytest.raises(TypeError, match="a string or a Report"):
        check_citations(7, sources=SOURCES)  # type: ignore[arg-type]


# --- what they say ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def checker() -> Checker:
    halgorithm = Halgorithm(embedder="lexical", entailment=None)
    return Checker.from_docs(SOURCES, halgorithm=halgorithm)


@pytest.mark.models
def test_a_source_that_supports_its_sentence_is_right(checker: Checker) -> None:
    answer = (
        "Leave is 30 days a year [1]. A late fee of 1.5% per month applies.[2] "
        "Hotels are paid up to 140 euros a night (travel.md)."
    )
    for given in (answer, checker.check(answer)):
        report = check_citations(given, checker, SOURCES)
        assert report.ok and report.bijective
        assert [one.results[0].claim.id for one in report.citations] == [1, 2, 3]


@pytest.mark.models
def test_a_source_that_others_support_is_not_enough(checker: Checker) -> None:
    answer = "Leave is 30 days a year [3]. A late fee of 5% per month applies [2]."
    report = check_citations(answer, checker)
    assert kinds(report) == ["unsupported", "contradicted"]
    assert report.findings[1].documents == ("kb-1",) and "1.5%" in report.findings[1].message
    assert report.bijective and not report.ok
    assert report.uncited == ("hr/7",)


@pytest.mark.models
def test_support_on_another_page_is_misplaced(checker: Checker) -> None:
    report = check_citations("Leave is 30 days a year (Staff Handbook, page 2).", checker)
    assert kinds(report) == ["misplaced"] and "on page 1" in report.findings[0].message
    assert check_citations("Leave is 30 days a year (Staff Handbook, page 1).", checker).ok


@pytest.mark.models
def test_a_mark_is_about_the_sentence_before_it(checker: Checker) -> None:
    answer = "Leave is 30 days a year. [1] Hotels are paid up to 140 euros a night. [3]"
    report = check_citations(answer, checker)
    texts = [[result.claim.text for result in one.results] for one in report.citations]
    assert texts == [["Leave is 30 days a year."], ["Hotels are paid up to 140 euros a night."]]
    assert report.ok


@pytest.mark.models
def test_a_mark_of_its_own_is_about_its_paragraph(checker: Checker) -> None:
    answer = (
        "Leave is 30 days a year [1].\n\nA late fee of 5% per month applies. Payment is due "
        "within 30 days of receipt. (See Late Payment Penalties, page 5)"
    )
    report = check_citations(answer, checker)
    assert [result.verdict.value for result in report.citations[1].results] == [
        "CONTRADICTION",
        "SUPPORTED",
    ]
    assert kinds(report) == ["contradicted"]


@pytest.mark.models
def test_two_sources_may_each_hold_a_half(checker: Checker) -> None:
    answer = "Leave is 30 days a year and hotels are paid up to 140 euros a night [1, 3]."
    together = check_citations(answer, checker)
    alone = check_citations(answer.replace(", 3", ""), checker)
    assert kinds(alone) == ["unsupported"]
    assert len(together.findings) <= len(alone.findings) * 2
    assert json.dumps(together.to_dict()) and together.to_dict()["citations"][0]["claims"]


@pytest.mark.models
@pytest.mark.parametrize("marks", ["[1, 3]", "[3, 1]", "[1][3]", "[3] and [1]", "[1-3]"])
def test_of_sources_cited_together_one_that_supports_is_enough(
    checker: Checker, marks: str
) -> None:
    assert check_citations(f"Hotels are paid up to 140 euros a night {marks}.", checker).ok
    report = check_citations(f"Parking is free at the airport {marks}.", checker)
    (finding,) = report.findings
    assert finding.message.startswith(f"{marks}: the cited sources do not support the sentence")
    assert "of the sources" not in finding.message
    assert set(finding.documents) >= {one.documents[0] for one in report.citations}


@pytest.mark.models
@pytest.mark.parametrize("answer", ["", "[1]", "[1] [2] [3]", "(", "[" * 500, "[1]\n\n" * 50])
def test_odd_answers_are_checked(checker: Checker, answer: str) -> None:
    assert check_citations(answer, checker).answer == answer
