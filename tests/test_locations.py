"""Where in its file a passage stands: its page, slide, row or line, in every output."""

from __future__ import annotations

import csv
import io
import json
import pickle
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_pdf import pdf

from halgo import Checker, Config, Document, Report, open_index
from halgo.bulk.answer_rows import Row
from halgo.bulk.verdict_rows import claim_rows
from halgo.delivery.repair import feedback_on
from halgo.integrations.common import outcome
from halgo.report import csv_rows, junit, markdown, sarif, text
from halgo.report.located import Located
from halgo.report.quotes import quotes
from halgo.sources.locations import locator
from halgo.sources.readers import read_bytes
from halgo.types import Location, Span

PAGES = [
    ["The company was founded in 1998 in Oslo.", "It makes chairs of oak."],
    ["Sales rose by 12% in 2023.", "The office in Bergen has 40 desks."],
]
PLANS = "Price list\nAs of May\n\nPlan,Price,Seats\nBasic,$10,1\n\nPro,$20,5\n"
NOTES = "# Handbook\n\nStaff have 30 days of\nleave a year, of which ten\nmay be carried over.\n"
ANSWER = (
    "Sales rose by 15% in 2023. The Pro plan costs $25. Staff have 25 days of leave a year. "
    "The lake is 12 metres deep."
)
WHERE = ["page 2", "row 7", "lines 3-5", None]


@pytest.fixture(scope="module")
def checker(tmp_path_factory: pytest.TempPathFactory) -> Checker:
    folder = tmp_path_factory.mktemp("documents")
    (folder / "annual.pdf").write_bytes(pdf(PAGES))
    (folder / "plans.csv").write_text(PLANS)
    (folder / "notes.md").write_text(NOTES)
    files = Checker.from_files(folder).index.documents
    # Names without the folder, which is another one in each run.
    documents = [replace(one, source=Path(one.source).name) for one in files]
    note = Document("lake", "The lake is 9 metres deep.", "the lake")
    return Checker.from_docs([*documents, note])


@pytest.fixture(scope="module")
def report(checker: Checker) -> Report:
    return checker.check(ANSWER)


def told(report: Report) -> list[str | None]:
    locations = [result.evidence and result.evidence.location for result in report]
    return [None if found is None else str(found) for found in locations]


def located(name: str, data: bytes, words: str) -> list[str]:
    """Where the words stand in the file, each part of them."""
    document, _ = read_bytes(data, name)
    found = locator(document)
    start = document.text.index(words)
    parts = () if found is None else found.within(Span(start, start + len(words)))
    return [str(where) for _, where in parts]


# --- files ---------------------------------------------------------------------------------------


def test_a_passage_of_a_pdf_has_its_page() -> None:
    assert located("a.pdf", pdf(PAGES), "founded in 1998") == ["page 1"]
    assert located("a.pdf", pdf(PAGES), "40 desks") == ["page 2"]
    assert located("a.pdf", pdf([PAGES[0], [], PAGES[1]]), "40 desks") == ["page 3"]


def test_a_row_has_the_number_that_a_spreadsheet_shows() -> None:
    assert located("a.csv", PLANS.encode(), "Price list") == ["row 1"]
    assert located("a.csv", PLANS.encode(), "Plan: Basic") == ["row 5"]
    assert located("a.csv", PLANS.encode(), "$20") == ["row 7"]
    cells = 'Name,Note\nAnn,"two\nlines"\nBob,none\n'
    assert located("a.csv", cells.encode(), "Name: Bob") == ["row 3"]


@pytest.mark.parametrize("name", ["a.md", "a.txt", "a.log", "a.py", "a.toml"])
def test_text_that_stands_as_it_is_has_its_lines(name: str) -> None:
    data = b"one\n\ntwo\r\nthree\rfour"
    assert located(name, data, "one") == ["line 1"]
    assert located(name, data, "two") == ["line 3"]
    assert located(name, data, "ree\rfo") == ["line 4", "line 5"]


@pytest.mark.parametrize(
    ("name", "data"),
    [("a.html", b"<p>words</p>"), ("a.json", b'{"a": "words"}'), ("a.yaml", b"a: words\nb: 2\n")],
)
def test_what_has_neither_pages_nor_rows_nor_lines_of_its_own_has_none(
    name: str, data: bytes
) -> None:
    assert located(name, data, "words") == []


@given(st.text("a\n\r", max_size=40), st.integers(0, 40))
def test_lines_are_counted_as_editors_count_them(written: str, at: int) -> None:
    at = min(at, len(written))
    whole = written[:at] + "x" + written[at:]
    found = locator(Document("d", whole, "d", {"format": "txt"}))
    assert found is not None
    ((_, where),) = found.within(Span(at, at + 1))
    before = whole[:at].replace("\r\n", "\n").replace("\r", "\n")
    assert where.first == where.last == before.count("\n") + 1


def test_a_passage_that_was_retrieved_has_the_page_that_it_names() -> None:
    given_page = Document("a", "Leave is 30 days.", "Handbook", {"page_num": "12"})
    found = locator(given_page)
    assert found is not None
    assert found.within(Span(0, 5)) == ((Span(0, 5), Location("page", 12, 12)),)


@pytest.mark.parametrize(
    "metadata",
    [
        {"pages": "two"},
        {"pages": "[3, 4]"},
        {"pages": '[0, "x"]'},
        {"pages": "[" * 100_000},
        {"page": "9" * 5000},
        {"rows": "[0, 4]"},  # as an earlier version noted them, without their numbers
        {"rows": "[0, 4]", "row_numbers": "[[1, 2]]"},
        {"rows": "[0, 4]", "row_numbers": "[1, 2]"},
        {"format": "pdf"},
        {},
    ],
)
def test_metadata_of_the_callers_own_are_no_places(metadata: dict[str, str]) -> None:
    assert locator(Document("a", "Leave is 30 days.", "a", metadata)) is None


# --- words ---------------------------------------------------------------------------------------


def test_a_location_is_told_in_words_and_as_plain_values() -> None:
    assert str(Location("page", 12, 12)) == "page 12"
    assert str(Location("line", 14, 16)) == "lines 14-16"
    row = Location("row", 5, 5, "Prices")
    assert row.to_dict() == {
        "unit": "row",
        "first": 5,
        "last": 5,
        "sheet": "Prices",
        "text": "sheet Prices, row 5",
    }
    assert Location("page", 1, 1).to_dict()["sheet"] is None


# --- reports -------------------------------------------------------------------------------------


@pytest.mark.models
def test_evidence_knows_where_it_stands_and_a_string_has_no_place(report: Report) -> None:
    assert told(report) == WHERE
    evidence = report.results[2].evidence
    assert evidence is not None and evidence.location == Location("line", 3, 5)
    first = Span(evidence.span.start, evidence.span.start + 5)
    assert evidence.located(first) == Location("line", 3, 3)
    assert told(pickle.loads(pickle.dumps(report))) == WHERE


@pytest.mark.models
def test_classic_mode_tells_where_the_whole_passage_stands(checker: Checker) -> None:
    found = checker.with_config(Config.classic()).check(ANSWER)
    assert told(found)[:2] == ["page 2", "rows 5-7"]


@pytest.mark.models
def test_a_saved_index_tells_the_same_places(checker: Checker, tmp_path: Path) -> None:
    checker.save(tmp_path / "a.halgo")
    assert told(Checker.from_index(tmp_path / "a.halgo").check(ANSWER)) == WHERE
    folder = open_index(tmp_path / "a.index", create=True)
    folder.put(list(checker.index.documents))
    assert told(Checker.from_index(tmp_path / "a.index").check(ANSWER)) == WHERE


@pytest.mark.models
def test_the_json_form_has_the_location_as_plain_values(report: Report) -> None:
    claims = json.loads(report.to_json())["claims"]
    found = [claim["source_location"] for claim in claims]
    assert found[0] == {"unit": "page", "first": 2, "last": 2, "sheet": None, "text": "page 2"}
    assert [one and one["text"] for one in found] == WHERE


@pytest.mark.models
def test_text_markdown_and_the_page_name_it_behind_the_source(report: Report) -> None:
    for shown in (
        text.render(report, color=False),
        markdown.render(report),
        report.to_html().replace("<cite>", "").replace("</cite>", ""),
    ):
        for words in ("annual.pdf, page 2", "plans.csv, row 7", "notes.md, lines 3-5"):
            assert words in shown
        assert "the lake," not in shown


@pytest.mark.models
def test_csv_has_a_column_of_it(report: Report) -> None:
    rows = list(csv.DictReader(io.StringIO(csv_rows.render([Located("a", report, "a.md")]))))
    assert [row["location"] for row in rows] == ["page 2", "row 7", "lines 3-5", ""]
    assert rows[0]["source"] == "annual.pdf"


@pytest.mark.models
def test_junit_names_it_and_sarif_points_at_lines(report: Report) -> None:
    reports = [Located("a", report, "a.md")]
    assert "source: annual.pdf, page 2: Sales rose" in junit.render(reports)
    found = json.loads(sarif.render(reports))["runs"][0]["results"]
    related = [finding["relatedLocations"][0] for finding in found]
    assert related[0]["message"]["text"] == "The source, page 2: Sales rose by 12% in 2023."
    assert "region" not in related[0]["physicalLocation"]
    assert related[2]["physicalLocation"]["region"] == {"startLine": 3, "endLine": 5}
    assert related[3]["message"]["text"].startswith("The source: The lake")


@pytest.mark.models
def test_tables_records_quotes_and_feedback_name_it(checker: Checker, report: Report) -> None:
    rows = claim_rows(Row(0, "a", ANSWER), report)
    assert [row["location"] for row in rows] == WHERE
    assert [record["source_location"] for record in outcome(report).records] == WHERE
    assert "annual.pdf, page 2 says:" in feedback_on(report)
    quote = quotes(report.results[0], checker.index)[0]
    assert quote.page == "2" and quote.location == Location("page", 2, 2)
    assert quotes(report.results[1], checker.index)[0].to_dict()["location"]["text"] == "row 7"
