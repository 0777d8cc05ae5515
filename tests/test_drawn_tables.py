"""Tables drawn with rules and uprights, as databases, terminals and manuals print them."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from halgo import Checker, Verdict
from halgo.delivery import gate
from halgo.delivery.layout import layout
from halgo.report.page.flow import flow
from halgo.report.page.text_blocks import laid_out
from halgo.sources.sentences import split
from halgo.types import Span

MYSQL = """The query gave:

+---------+-------+--------+
| product | price | stock  |
+---------+-------+--------+
| Lantern | 12.50 | 40     |
| Stool   | 49.00 | 7      |
|         | 15.00 | 3      |
+---------+-------+--------+
3 rows in set (0.01 sec)
"""
DUCKDB = """┌─────────┬────────┬───────┐
│ product │ price  │ stock │
│ varchar │ double │ int32 │
├─────────┼────────┼───────┤
│ Lantern │   12.5 │    40 │
│ Stool   │   49.0 │     7 │
├─────────┴────────┴───────┤
│ 2 rows         3 columns │
└──────────────────────────┘
"""
POLARS = """shape: (2, 2)
┌─────────┬───────┐
│ product ┆ price │
│ ---     ┆ ---   │
│ str     ┆ f64   │
╞═════════╪═══════╡
│ Lantern ┆ 12.5  │
│ Stool   ┆ 49.0  │
└─────────┴───────┘
"""
RICH = """┏━━━━━━━━━┳━━━━━━━┓
┃ product ┃ price ┃
┡━━━━━━━━━╇━━━━━━━┩
│ Lantern │ 12.50 │
│ Stool   │ 49.00 │
└─────────┴───────┘
"""
PSQL = """shop=> SELECT product, price, stock
shop-> FROM goods;
 product | price | stock
---------+-------+-------
 Lantern | 12.50 |    40
 Stool   | 49.00 |     7
(2 rows)
"""
PLANS = """Plans
=====

+------------------+--------------------------+
| Plan             | What it allows           |
+==================+==========================+
| Seedling         | Up to 3 gardens and      |
|                  | 1 GB of photos.          |
+------------------+--------------------------+
| Orchard for      | Up to 50 gardens and     |
| associations     | 100 GB of photos.        |
+------------------+--------------------------+
"""
SETTINGS = """       These are the settings:

           ┌─────────────┬───────────────────────────┐
           │Setting      │ Meaning                   │
           │             │ of each                   │
           ├─────────────┼───────────────────────────┤
           │wait_ready=  │ How long the pump waits   │
           │             │ before its first stroke.  │
           ├─────────────┼───────────────────────────┤
           │wait_idle=   │ How long it runs on when  │
           │             │ the tank is full.         │
           └─────────────┴───────────────────────────┘

       No other setting is read.
"""


def rows(text: str) -> list[str]:
    return [one.reading.text for one in split(text) if one.block == "row"]


@pytest.mark.parametrize("text", [DUCKDB, POLARS, RICH, PSQL])
def test_each_row_is_told_with_the_names_of_its_columns(text: str) -> None:
    first, second = rows(text)[:2]
    assert first.startswith("product: Lantern — price: 12.5")
    assert second.startswith("product: Stool — price: 49.0")


def test_rows_between_two_rules_are_rows_each_and_an_empty_first_cell_goes_on() -> None:
    assert rows(MYSQL) == [
        "product: Lantern — price: 12.50; stock: 40",
        "product: Stool — price: 49.00 15.00; stock: 7 3",
    ]
    assert split(MYSQL)[-1].reading.text == "3 rows in set (0.01 sec)"


def test_types_under_the_names_and_a_row_over_all_columns() -> None:
    assert rows(DUCKDB) == [
        "product: Lantern — price: 12.5; stock: 40",
        "product: Stool — price: 49.0; stock: 7",
    ]
    assert split(DUCKDB)[-1].reading.text == "2 rows 3 columns"


def test_a_cell_is_read_over_all_its_lines() -> None:
    assert rows(PLANS) == [
        "Plan: Seedling — What it allows: Up to 3 gardens and 1 GB of photos.",
        "Plan: Orchard for associations — What it allows: Up to 50 gardens and 100 GB of photos.",
    ]
    assert rows(SETTINGS) == [
        "Setting: wait_ready= — Meaning of each: How long the pump waits before its first stroke.",
        "Setting: wait_idle= — Meaning of each: How long it runs on when the tank is full.",
    ]


def test_what_is_read_stands_where_it_says() -> None:
    for sentence in split(SETTINGS):
        for piece in sentence.reading.pieces:
            read = sentence.reading.text[piece.at : piece.at + len(piece.span)]
            assert piece.span.of(SETTINGS) == read


def test_a_box_is_a_paragraph_and_a_table_without_a_header_one_row() -> None:
    rule = f"+{'-' * 20}+\n"
    box = f"{rule}| Do not unplug the  |\n| pump while it runs.|\n{rule}"
    assert [(one.block, one.reading.text) for one in split(box)] == [
        ("paragraph", "Do not unplug the pump while it runs.")
    ]
    bare = "+------+----+\n| Lamp | 12 |\n| Desk | 90 |\n+------+----+\n"
    assert rows(bare) == ["Lamp; 12; Desk; 90"]


@pytest.mark.parametrize(
    "text",
    [
        "garden\n├── beds\n│   ├── north.txt\n│   └── south.txt\n└── README.md\n",
        "+--------+       +--------+\nthe pump and the tank\n",
        "+-+-+-+-+-+-+\nthe bits of a header\n",
        "+------ Read this first ------+\nIt is short.\n",
    ],
)
def test_a_drawing_of_something_else_is_no_table(text: str) -> None:
    assert rows(text) == []


@pytest.mark.parametrize("text", [MYSQL, DUCKDB, POLARS, RICH, PSQL, PLANS, SETTINGS])
def test_a_longer_text_changes_nothing_that_has_a_successor(text: str) -> None:
    whole = split(text)
    for end in range(1, len(text)):
        for sentence in split(text[:end])[:-1]:
            assert sentence in whole, text[:end]


@pytest.mark.parametrize("text", [MYSQL, DUCKDB, PLANS, SETTINGS])
def test_the_page_shows_every_word_once(text: str) -> None:
    shown = [
        word
        for block in laid_out(text)
        for line in (*block.header, *block.lines)
        for span in line.spans
        for word in span.of(text).split()
    ]
    types = {"varchar", "double", "int32"}
    told = [word for word in text.split() if any(map(str.isalnum, word)) and word not in types]
    drawn = "│|"
    assert sorted(filter(str.strip, shown)) == sorted(word.strip(drawn) for word in told)


def test_the_page_parts_the_lines_of_a_cell() -> None:
    def inline(items: Iterable[Span | str]) -> str:
        return "".join(one if isinstance(one, str) else one.of(SETTINGS) for one in items)

    page = "".join(flow(laid_out(SETTINGS), inline))
    assert "How long the pump waits before its first stroke." in page
    assert '<th scope="col" dir="auto">Meaning of each</th>' in page


def test_an_answer_with_one_is_laid_out_row_by_row() -> None:
    kinds = [block.kind for block in layout(PLANS).blocks]
    assert kinds == ["heading", "row", "row"]


def test_nothing_is_left_of_a_table_whose_rows_are_all_left_out() -> None:
    rule = "+---------+-------+\n"
    table = f"{rule}| product | stock |\n{rule}| Stool   | 40    |\n{rule}"
    report = Checker.from_docs(MYSQL).check(f"Seen today.\n\n{table}\nThe lantern costs 12.50.\n")
    kept = gate.apply(report, gate.STRIP_UNSUPPORTED).text
    assert "+" not in kept and "The lantern costs 12.50." in kept


@pytest.mark.parametrize(
    ("text", "claim", "verdict"),
    [
        (MYSQL, "The lantern costs 12.50.", Verdict.SUPPORTED),
        (DUCKDB, "There are 7 stools in stock.", Verdict.SUPPORTED),
        (DUCKDB, "There are 40 stools in stock.", Verdict.CONTRADICTION),
        (PSQL, "The stool costs 12.50.", Verdict.CONTRADICTION),
        (PLANS, "Orchard for associations comes with 100 GB of photos.", Verdict.SUPPORTED),
        (PLANS, "Seedling comes with 100 GB of photos.", Verdict.CONTRADICTION),
        (
            SETTINGS,
            "wait_idle= is how long the pump runs on when the tank is full.",
            Verdict.SUPPORTED,
        ),
        (
            SETTINGS,
            "wait_ready= is how long the pump runs on when the tank is full.",
            Verdict.CONTRADICTION,
        ),
    ],
)
def test_claims_are_held_against_the_right_row(text: str, claim: str, verdict: Verdict) -> None:
    (found,) = Checker.from_docs(text).check_claims([claim]).results
    assert found.verdict is verdict, found.message
