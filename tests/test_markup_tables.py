"""Tables, headings and terms of AsciiDoc and MediaWiki in documents."""

from __future__ import annotations

import time

import pytest

from halgo.sources.sentences import split

ASCIIDOC = """= Backups

== Schedules

[cols="1,1,2", options="header"]
|===
|Job |Runs |Kept for

|nightly
|02:30
|10 days, on disk

|archive |Sundays |400 days
|===

All times are UTC.
"""
MEDIAWIKI = """== Ferries ==
{| class="wikitable"
|+ Ferries in service
! Ship !! Built
! Seats
|-
| ''Alma'' || style="text-align:right" | 1988
| 210
|-
! Berta
| 2004 || 340
|}
They are for sale.
"""


def read(text: str, document: bool = True) -> list[tuple[str, str]]:
    return [(one.block, one.reading.text) for one in split(text, hanging=document)]


def test_asciidoc_cells_stand_in_one_line_or_in_several() -> None:
    assert read(ASCIIDOC) == [
        ("heading", "Backups"),
        ("heading", "Schedules"),
        ("row", "Job: nightly \N{EM DASH} Runs: 02:30; Kept for: 10 days, on disk"),
        ("row", "Job: archive \N{EM DASH} Runs: Sundays; Kept for: 400 days"),
        ("paragraph", "All times are UTC."),
    ]


def test_a_blank_line_after_the_first_names_the_columns() -> None:
    rows = read("|===\n|Job |Runs\n\n|nightly |02:30\n|===\n")
    assert rows == [("row", "Job: nightly \N{EM DASH} Runs: 02:30")]


def test_without_one_the_first_row_is_a_row() -> None:
    rows = read("|===\n|nightly |02:30\n|weekly |05:00\n|===\n")
    assert rows == [("row", "nightly: 02:30"), ("row", "weekly: 05:00")]


def test_mediawiki_rows_have_their_columns_and_no_style() -> None:
    assert read(MEDIAWIKI) == [
        ("heading", "Ferries"),
        ("paragraph", "Ferries in service"),
        ("row", "Ship: Alma \N{EM DASH} Built: 1988; Seats: 210"),
        ("row", "Ship: Berta \N{EM DASH} Built: 2004; Seats: 340"),
        ("paragraph", "They are for sale."),
    ]


@pytest.mark.parametrize("text", [ASCIIDOC, MEDIAWIKI])
def test_what_stands_before_a_table_is_read_alike_in_any_beginning(text: str) -> None:
    whole = [one for one in read(text) if one[0] != "row"]
    for end in range(len(text)):
        begun = [one for one in read(text[:end])[:-1] if one[0] != "row"]
        assert begun == whole[: len(begun)]


def test_a_table_that_is_never_closed_ends_where_text_begins() -> None:
    found = read("|===\n|a |b\n\n|1 |2\n\nA paragraph follows.\n\nAnd another.")
    assert found[-2:] == [("paragraph", "A paragraph follows."), ("paragraph", "And another.")]


def test_a_hostile_cell_takes_no_time() -> None:
    begun = time.perf_counter()
    assert read("{|\n|" + "=" * 200_000 + "\n|}")
    assert read("|===\n" + "|a " * 50_000 + "\n|===")
    assert time.perf_counter() - begun < 20


def test_terms_and_fields_are_items_each() -> None:
    text = "--parallel:: Number of threads.\n--dry-run:: Prints what would be copied.\n"
    assert [block for block, _ in read(text)] == ["item", "item"]
    fields = ":param size: How many.\n:returns: A list.\n"
    assert [block for block, _ in read(fields)] == ["item", "item"]


def test_a_line_in_bold_is_a_heading_in_documents_alone() -> None:
    text = "**Cancellation**\nFree until noon.\n\n**Deposit**\n\nNone."
    assert [block for block, _ in read(text)] == ["heading", "paragraph"] * 2
    assert "heading" not in [block for block, _ in read(text, document=False)]


def test_answers_have_no_such_markup() -> None:
    found = read("== Fees ==\n{| class=x\n! Plan !! Price\n|}", document=False)
    assert "heading" not in [block for block, _ in found]
    assert all("\N{EM DASH}" not in text for _, text in found)
