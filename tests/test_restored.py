"""The JSON form of a report and its answer -> a report that pages and tables show alike."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import hand_made as by_hand
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_page import fees

from halgo import Checker, Halgorithm
from halgo.report import csv_rows
from halgo.report.located import Located
from halgo.report.page.answer import answer
from halgo.report.page.cards import cards
from halgo.report.report import Report
from halgo.report.restored import read_as, restored
from halgo.types import ClaimKind, State, Verdict

TABLE = """# Fees

| Plan | Price | Reply |
|------|-------|-------|
| Gold | €14 | 1 hour |
| Silver | €9 | 8 hours |

**Invoices** are due within
thirty (30) days of receipt. A late fee of 1.5% per month applies. Refunds take 5 days.
"""
ANSWER = """Hello! Gold costs €14 a month and **invoices** are due within 30 days
of receipt. Invoices are due within 40 days. Silver costs €19. Acme pays. 2 + 2 = 5.
"""


def again(report: Report) -> Report:
    """The report as it comes back from its JSON."""
    return restored(json.loads(report.to_json()), report.answer)


def table(report: Report) -> str:
    return csv_rows.render([Located("a", report, "a")])


def shown(report: Report) -> tuple[str, list[str]]:
    """The answer and the cards of a page, without what the JSON form leaves out."""
    made = cards(report, frozenset(), labels=False)
    made = re.sub(r"<details><summary>next best.*?</details>", "", made, flags=re.DOTALL)
    return answer(report, ()), made.split()


def classic() -> Report:
    """A sum that classic mode found wrong, and a formula that it could not read."""
    text = "Two is 1 + 1 = 3. Three is 2 + = 3."
    report = by_hand.report(text, {"Two": Verdict.CONTRADICTION, "Three": Verdict.HALLUCINATION})
    wrong, unread = report.results
    wrong = replace(wrong, details={"expected": 2, "got": 3}, reason="expected 2, got 3")
    unread = replace(unread, details={"status": "ERROR"}, reason="Unreadable formula")
    return replace(report, results=(wrong, unread))


@pytest.mark.parametrize(
    "report",
    [
        fees(),
        classic(),
        by_hand.report("Hello! What is due?", kinds={"What": ClaimKind.QUESTION}),
        by_hand.report("", state=State.EMPTY),
        replace(by_hand.report("The fee is 5%."), state=State.NO_SOURCES, warnings=("a", "b")),
    ],
    ids=["values", "classic", "skipped", "empty", "warnings"],
)
def test_tables_and_pages_show_what_they_showed(report: Report) -> None:
    back = again(report)
    assert table(back) == table(report) and shown(back) == shown(report)
    assert (back.state, back.warnings, back.counts) == (
        report.state,
        report.warnings,
        report.counts,
    )
    assert back.grounded == report.grounded
    assert back.probability == (report.probability and round(report.probability, 4))


@pytest.mark.models
def test_a_report_of_a_check_comes_back_with_its_passages_its_clauses_and_its_marks() -> None:
    halgorithm = Halgorithm(embedder="lexical", entailment=None)
    checker = Checker.from_docs([{"text": TABLE, "id": "fees"}], halgorithm=halgorithm)
    report = checker.check(ANSWER)
    claims = report.claim_dicts()
    assert any(claim["parts"] for claim in claims)
    for claim in claims:
        if claim["chunk_text"] is not None:
            start, end = claim["chunk_span"] or (0, 0)
            assert TABLE[start:end] == claim["chunk_text"]
    read = [claim["evidence_text"] for claim in claims]
    assert "Plan: Silver — Price: €9; Reply: 8 hours" in read
    back = again(report)
    assert table(back) == table(report)
    assert answer(back, ()) == answer(report, ())
    made, there = (cards(one, frozenset(), labels=False) for one in (report, back))
    # A passage in its own words has its marks, without the markdown that was not read.
    quoted = (
        '<blockquote dir="auto">Invoices are due within <mark class="no">thirty (30) days</mark>'
    )
    assert quoted in " ".join(made.split()) and quoted in " ".join(there.split())
    assert there.count('<ul class="parts"') == made.count('<ul class="parts"') == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda values: values.pop("claims"),
        lambda values: values["claims"][0].pop("parts"),
        lambda values: values["claims"][0].update(status="MAYBE"),
        lambda values: values["claims"][0].update(claim_span=[0, 10_000]),
        lambda values: values["claims"][0].update(claim_span=[5, 2]),
        lambda values: values["claims"][0].update(claim_span=[0, 1, 2]),
        lambda values: values["claims"][0].update(chunk_span=[0, 10**15]),
        lambda values: values["claims"][0].update(chunk_span=[10**15, 10**15 + 5]),
        lambda values: values["claims"][0].update(score="high"),
        lambda values: values["config"].update(calibration="/etc/passwd"),
        lambda values: values.update(engine={}),
        lambda values: values.update(state="fine"),
    ],
)
def test_values_that_are_no_report_are_told_as_such(change: Any) -> None:
    values = json.loads(fees().to_json())
    change(values)
    with pytest.raises(ValueError, match="no report of halgo"):
        restored(values, fees().answer)


def test_a_report_on_another_answer_is_refused() -> None:
    with pytest.raises(ValueError, match="behind the end of its text"):
        restored(json.loads(fees().to_json()), "Short.")


@pytest.mark.parametrize(
    ("text", "original", "marked"),
    [
        ("The fee is 5%.", "The fee is 5%.", "The fee is 5%."),
        ("The fee is 5%.", "The **fee**\nis 5% [1].", "The feeis 5%"),
        ("Price: 5%", "| 5% | x |", ""),  # a cell behind its column's name
        ("", "x", ""),
        ("a b", "a c b", ""),
    ],
)
def test_a_text_is_found_in_what_it_was_read_from(text: str, original: str, marked: str) -> None:
    reading = read_as(text, original, 100)
    assert reading.text == text
    assert "".join(piece.span.shift(-100).of(original) for piece in reading.pieces) == marked


@given(st.text(alphabet="ab .;*\n", max_size=40), st.text(alphabet="ab .;*\n", max_size=40))
def test_a_piece_holds_the_very_characters_that_are_read(text: str, original: str) -> None:
    at = 0
    for piece in read_as(text, original, 0).pieces:
        size = len(piece.span)
        assert piece.span.start >= at and piece.span.end <= len(original)
        assert text[piece.at : piece.at + size] == piece.span.of(original)
        at = piece.span.end
