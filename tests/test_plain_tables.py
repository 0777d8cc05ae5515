"""Tables drawn with blanks, fields told line by line, JSON objects within a text: each a row."""

from __future__ import annotations

from pathlib import Path

import pytest

from halgo import Checker, Verdict
from halgo.delivery import gate
from halgo.sources.folders import read_files
from halgo.sources.plain_tables import is_parted
from halgo.sources.sentences import split

PLANS = """Our plans in short:

Plan         Price    Seats    Single sign-on
Harbour      9        5        no
Lagoon       29                yes
Open Ocean   120      500      yes
(prices in euros)
"""
YEARS = """Region      2022     2023
------      ----     ----
North       1,200    1,350
South         980    1,010

That is all.
"""
SERVERS = """Inventory

node: hx-1
  role: primary
  region: oslo
node: hx-2
  role: standby
  region: porto

listen_port:
    type: integer
    default: 8480
"""
TOOLS = """Tools:
[
  {"item": "T-014", "name": "drill", "fee_per_day": 4},
  {"item": "T-022", "name": "tile cutter", "fee_per_day": 6}
]
"""
STOCK = """stock.csv, as of 31 May:

sku;product;units_on_hand;unit_cost
B-20;Office chair, basic;125;62.50
B-55;"Bar stool; oak";19;39.90
C-31;Desk 160 cm;;119.00

Items below 20 units are ordered again.
"""
DEPOT = """# Settings of the depot

[server]
port = 8480
host = "0.0.0.0"
# how long a call may take, in seconds
timeout = 30

[[plugins]]
name = "audit"
enabled = false

That is all.
"""
HELP = """usage: pack [-h] [--level N] [--force] SOURCE

options:
  -h, --help     show this message and exit
  --level N      compression level, 1 to 9 (default: 6)
  --force        overwrite an existing archive
                 without asking
  --on-error {stop,skip}
                 what to do with a file that cannot be read

sub-commands:
    info         print what is in an archive
    verify       read an archive again and report
                 what differs

Commands:
  unpack         Restore a folder from an archive
  ls             List archives
"""


def rows(text: str) -> list[str]:
    return [one.reading.text for one in split(text) if one.block == "row"]


def test_columns_set_apart_by_blanks_are_a_table() -> None:
    assert rows(PLANS) == [
        "Plan: Harbour — Price: 9; Seats: 5; Single sign-on: no",
        "Plan: Lagoon — Price: 29; Single sign-on: yes",
        "Plan: Open Ocean — Price: 120; Seats: 500; Single sign-on: yes",
    ]
    assert "(prices in euros)" in [one.reading.text for one in split(PLANS)]


def test_strokes_under_the_names_and_years_as_names() -> None:
    assert rows(YEARS) == [
        "Region: North — 2022: 1,200; 2023: 1,350",
        "Region: South — 2022: 980; 2023: 1,010",
    ]


def test_an_empty_corner_leaves_the_first_column_without_a_name() -> None:
    text = "            Basic   Plus\nSeats       5       50\nPrice (€)   9       29\n"
    assert rows(text) == ["Seats — Basic: 5; Plus: 50", "Price (€) — Basic: 9; Plus: 29"]


def test_a_unit_over_bare_numbers_is_a_name() -> None:
    text = "Bean       250 g   1 kg\nOld Crow   8.40    29.00\n"
    assert rows(text) == ["Bean: Old Crow — 250 g: 8.40; 1 kg: 29.00"]


def test_fields_under_their_name_are_one_row() -> None:
    assert rows(SERVERS) == [
        "node: hx-1 — role: primary; region: oslo",
        "node: hx-2 — role: standby; region: porto",
        "listen_port — type: integer; default: 8480",
    ]


def test_a_json_object_on_a_line_of_its_own_is_a_row() -> None:
    assert rows(TOOLS) == [
        "item: T-014 — name: drill; fee_per_day: 4",
        "item: T-022 — name: tile cutter; fee_per_day: 6",
    ]


def test_csv_within_a_text_is_a_table() -> None:
    assert rows(STOCK) == [
        "sku: B-20 — product: Office chair, basic; units_on_hand: 125; unit_cost: 62.50",
        "sku: B-55 — product: Bar stool; oak; units_on_hand: 19; unit_cost: 39.90",
        "sku: C-31 — product: Desk 160 cm; unit_cost: 119.00",
    ]
    assert rows('id,name,net\n17,"Meyer, Hans",120.5\n18,Okafor\n') == [
        "id: 17 — name: Meyer, Hans; net: 120.5"
    ]


def test_settings_are_rows_with_the_name_of_their_section() -> None:
    assert rows(DEPOT) == [
        "server — port: 8480; host: 0.0.0.0",
        "server — timeout: 30",
        "plugins — name: audit; enabled: false",
    ]
    others = [one.reading.text for one in split(DEPOT) if one.block == "paragraph"]
    assert others == ["how long a call may take, in seconds", "That is all."]


def test_files_of_settings_in_a_folder_are_read(tmp_path: Path) -> None:
    (tmp_path / "depot.toml").write_text(DEPOT, encoding="utf-8")
    (tmp_path / "pump.ini").write_text("[pump]\nspeed = 40\nmode = eco\n", encoding="utf-8")
    documents, warnings = read_files(tmp_path)
    assert warnings == []
    assert [row for one in documents for row in rows(one.text)][-2:] == [
        "plugins — name: audit; enabled: false",
        "pump — speed: 40; mode: eco",
    ]


def test_a_section_keeps_its_name_when_one_of_its_settings_is_left_out() -> None:
    answer = "[server]\nport = 9999\n\ntimeout = 30\n\nThat is all.\n"
    report = Checker.from_docs(DEPOT).check(answer)
    kept = gate.apply(report, gate.STRIP_UNSUPPORTED).text
    assert kept.startswith("[server]\n\ntimeout = 30\n"), kept


def test_a_long_section_is_told_in_rows_that_all_have_its_name() -> None:
    told = rows("[limits]\n" + "".join(f"limit_{n} = {n}\n" for n in range(20)))
    assert len(told) == 3 and all(row.startswith("limits — limit_") for row in told)


def test_settings_of_no_section_and_what_only_looks_like_one() -> None:
    assert rows("MAX_UPLOAD_MB=20\nDEBUG=false\nlog.level=warn\nSECRET_KEY=\n") == [
        "MAX_UPLOAD_MB: 20",
        "DEBUG: false",
        "log.level: warn",
    ]
    assert rows("x = 5\n\ntotal=7\n\n[1]\nAs told there.\n\na_b == 3\n\nf_x => y\n") == []


def test_what_a_command_prints_of_itself_is_a_list() -> None:
    items = [one.reading.text for one in split(HELP) if one.block == "item"]
    assert [" ".join(item.split()) for item in items] == [
        "-h, --help show this message and exit",
        "--level N compression level, 1 to 9 (default: 6)",
        "--force overwrite an existing archive without asking",
        "--on-error {stop,skip} what to do with a file that cannot be read",
        "info print what is in an archive",
        "verify read an archive again and report what differs",
        "unpack Restore a folder from an archive",
        "ls List archives",
    ]


def test_words_set_apart_to_fill_a_line_begin_no_list() -> None:
    text = (
        "       The archive is checked when  it is\n"
        "       opened,  and  with  the options\n"
        "       --force  and --quiet it is replaced\n"
        "       without  Asking anybody.\n"
    )
    assert [one.block for one in split(text)] == ["paragraph"]


@pytest.mark.parametrize(
    ("text", "claim", "verdict"),
    [
        (DEPOT, "The server's port is 8480.", Verdict.SUPPORTED),
        (DEPOT, "The audit plugin is enabled.", Verdict.CONTRADICTION),
        (HELP, "--force overwrites an existing archive without asking.", Verdict.SUPPORTED),
        (HELP, "--level overwrites an existing archive without asking.", Verdict.CONTRADICTION),
        (HELP, "pack verify prints what is in an archive.", Verdict.CONTRADICTION),
        (HELP, "The ls command restores a folder from an archive.", Verdict.CONTRADICTION),
    ],
)
def test_claims_about_settings_and_options(text: str, claim: str, verdict: Verdict) -> None:
    (found,) = Checker.from_docs(text).check_claims([claim]).results
    assert found.verdict is verdict, found.message


@pytest.mark.parametrize(
    "text",
    [
        "We sell red, green, blue\nor yellow, 3 more, none.\n",
        "apples,pears,plums\nare sold here,daily\n",
        "Dear all; it is late; we go home\nToday; at 5; we meet\n",
        "a;b;c\n1;2;3. And so on\n",
        "1,200,300\n5,600,700\n",
        "red,green,blue\nsmall,medium,large\n",
        "The  fee  is due.  It is paid on Monday.\nThe  rest  follows.  No more is due.",
        "The tenant  pays rent on\nthe first day of a month.",
        "Note: the fee is 5%.\n  Details: see section 3. They matter.",
        "A list of words:\n- red\n- green",
        "Key details:\n  Notice period: 30 days\n  Late fee: 5 euros",
        "Signed   in Ghent",
    ],
)
def test_prose_is_no_table(text: str) -> None:
    assert rows(text) == []


@pytest.mark.parametrize("text", [PLANS, YEARS, SERVERS, TOOLS, STOCK, DEPOT, HELP])
def test_a_longer_text_changes_nothing_that_has_a_successor(text: str) -> None:
    whole = split(text)
    for end in range(1, len(text)):
        for sentence in split(text[:end])[:-1]:
            assert sentence in whole, text[:end]


@pytest.mark.models
@pytest.mark.parametrize(
    "document, right, wrong",
    [
        (STOCK, "The desk has a unit cost of 119.00.", "The desk has a unit cost of 62.50."),
        (
            STOCK,
            "The Desk 160 cm is the most expensive product.",
            "The bar stool is the most expensive product.",
        ),
        (PLANS, "The Lagoon plan costs €29.", "The Lagoon plan costs €120."),
        (PLANS, "Open Ocean is the most expensive plan.", "Harbour is the most expensive plan."),
        (SERVERS, "Node hx-2 is in Porto.", "Node hx-1 is in Porto."),
        (TOOLS, "The tile cutter costs 6 per day.", "The tile cutter costs 4 per day."),
    ],
)
def test_claims_are_held_against_their_own_row(document: str, right: str, wrong: str) -> None:
    first, second = Checker.from_docs([document]).check_claims([right, wrong]).results
    assert first.verdict is Verdict.SUPPORTED
    assert second.verdict is not Verdict.SUPPORTED


def test_the_row_of_a_csv_file_is_no_csv_within_a_text() -> None:
    line = "invoice_no: INV-7; customer: Hafner; net: 5,300.00; tax: 1,007.00; total: 6,307.00."
    assert not is_parted(line, line)
    assert not is_parted("Grants of 1,234,567 euros", "Paid: Grants of 1,234,567 euros")
    for line in ('"Later, perhaps, or not"\nwas said', 'a,b,"c d"\nand more'):
        assert not is_parted(line, "a: 1; b: 2; c: 3")  # a quotation, and no cell behind it
    for row in ("7;Hafner;5,300.00", '7,"Hafner, H.",5300', "7,Hafner,"):
        assert is_parted(row, "id: 7 \u2014 name: Hafner; net: 5300")
