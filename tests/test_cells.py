"""What amounts in rows are amounts of: the column's name gives unit, noun and context."""

from __future__ import annotations

import time

import pytest

from halgo import facts
from halgo.facts.cells import scale_told

pytestmark = pytest.mark.models


def amounts(text):
    return [(round(q.low, 6), q.unit, q.noun) for q in facts.extract([text])[0].quantities]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("plan: Crew; storage (GB): 320", [(320e9, "byte", "storage")]),
        ("region: North; revenue ($m): 4.5", [(4.5e6, "dollar", "revenue")]),
        ("region: North; revenue (USD millions): 4.5", [(4.5e6, "dollar", "revenue")]),
        ("plan: Crew; fee (GBP/month): 20", [(20, "pound/month", "fee")]),
        ("plan: Crew; margin %: 12", [(0.12, "fraction", "margin")]),
        ("plan: Crew; seats: 12", [(12, "", "seat")]),
        ("ref: KP; weight_kg: 3", [(3000, "gram", "weight")]),
        ("wreck: name Corrie; depth m 42", [(42, "metre", "depth")]),
        ("plan: name Crew; price eur month 29", [(29, "euro/month", "price")]),
        ("order: status sent; total gbp 948.00", [(948, "pound", "total")]),
        ("host: name Alder; latency ms 20", [(0.02, "second", "latency")]),
        ('{"status": "held", "weight_kg": 44}', [(44000, "gram", "weight")]),
        ("field: Weight; unit: g; max: 31500", [(31500, "gram", "max")]),
        ("field: Fee; unit: per head; max: 40", [(40, "", "max")]),
        # A description tells the unit of the numbers behind it.
        (
            "field: wait; type: integer; description: Time in seconds, default 90",
            [(90, "second", "default")],
        ),
        ("field: wait; description: Time in ms (100 to 300)", [(0.1, "second", "")]),
        ("field: note; description: Text in English, up to 30 letters", [(0, "", "letter")]),
        ("The number of milliseconds to wait. Defaults to 5000.", [(5, "second", "")]),
        ("Delay (ms), by default: 250", [(0.25, "second", "")]),
        ("It came later than in week 18.", [(18, "", "")]),
        # What is a scale over a column is no amount of its own.
        ("fund: Legacies; Budget (£000): 900", [(900_000, "pound", "budget")]),
        ("fund: Legacies; Budget (£'000): 900", [(900_000, "pound", "budget")]),
        ("fund: Legacies; Budget £000: 900", [(900_000, "pound", "budget")]),
        ("fund: Legacies; Budget $m: 9", [(9_000_000, "dollar", "budget")]),
        ("fund: Legacies; Budget (EUR k): 900", [(900_000, "euro", "budget")]),
        ("fund: Legacies; Gifts (000s): 900", [(900_000, "", "gift")]),
        ("fund: Legacies; Budget (£): £7,000", [(7000, "pound", "budget")]),
        # Brackets are below nothing in a row of profits; what goes out is told in them too.
        (
            "Profit/(loss) (£m) — May: (12.6); June: 3",
            [(-12.6e6, "signed:pound", "may"), (3e6, "pound", "june")],
        ),
        ("item: Net income; Oslo ($m): $(4)", [(-4e6, "signed:dollar", "oslo")]),
        ("item: Net income; Oslo: £(4)m", [(-4e6, "signed:pound", "oslo")]),
        ("item: Cost of sales; Oslo ($m): (4)", [(4e6, "dollar", "oslo")]),
        ("item: Profit on disposal; Oslo ($m): (4)", [(4e6, "dollar", "oslo")]),
        ("item: Net income; Oslo ($m): 4 (3)", [(4, "", ""), (3, "", "")]),
        # What stands behind the year of an exported column is its unit.
        ("city: Porto; output_2023_t: 8910", [(8.91e9, "gram", "output")]),
        ("city: Porto; growth_2023_pct: 5", [(0.05, "fraction", "growth")]),
        ("city Porto; output 2023 t 8910", [(8.91e9, "gram", "output")]),
        ("city: Porto; grade_t: 5", [(5, "", "t")]),
        # A number in what a row is called counts nothing.
        (
            "Plan: Home 100 — Users: 3; Seats: 4",
            [(100, "identifier:100", "home 100"), (3, "", "user"), (4, "", "seat")],
        ),
        ("Home 300 — Users: 3", [(300, "identifier:300", "home 300"), (3, "", "user")]),
        ("plan Home 100; users 3", [(100, "identifier:100", "home 100"), (3, "", "user")]),
        ("Size: EUR 300 — Users: 3", [(300, "euro", ""), (3, "", "user")]),
        # The rate of money is told by its key, or by the name of the row.
        ("plan: Crew; price per month: $20", [(20, "dollar/month", "price")]),
        (
            "plan: Crew; annual price: $20; size: 5 m",
            [(20, "dollar/year", "price"), (5, "metre", "size")],
        ),
        (
            "Rent per week \u2014 Crew: \u20ac20; Team: \u20ac30",
            [(20, "euro/week", "crew"), (30, "euro/week", "team")],
        ),
        ("plant: Crew; visits per week: 40", [(40, "", "visit")]),
        ("plant: Crew; rain_mm_per_year: 30", [(0.03, "metre/year", "rain")]),
        ("plant: Crew; price_eur_per_month: 30", [(30, "euro/month", "price")]),
        # A unit that the cell writes itself stands; what is no unit is none.
        ("plan: Crew; fee (GBP): $20", [(20, "dollar", "fee")]),
        ("plan: Crew; seats (max): 12", [(12, "", "seat")]),
    ],
)
def test_the_key_gives_the_unit_and_what_is_counted(row, expected):
    assert amounts(row) == expected


def test_the_row_tells_what_its_amounts_are_said_of():
    (amount,) = facts.extract(["plan: Crew; storage (GB): 320"])[0].quantities
    assert {"crew", "plan", "storage"} <= amount.context


def test_prose_with_a_semicolon_is_no_row():
    (amount,) = facts.extract(["He came in usd; the price was 5"])[0].quantities
    assert amount.unit == ""


@pytest.mark.parametrize("text", ["a: 1; " * 15000, "a (GB): " * 12000, '"a_kg": 1, ' * 9000])
def test_a_hostile_row_takes_little_time(text):
    from halgo.facts import cells
    from halgo.facts.parse import parse

    (doc,) = parse([text[:2000]])
    begun = time.process_time()
    cells.read(doc)
    assert time.process_time() - begun < 2


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("Results for the year (€ thousand)", ("euro", 1000)),
        ("All figures in thousands of euros.", ("euro", 1000)),
        ("Balance sheet at 30 June, in $'000", ("dollar", 1000)),
        ("Income statement, year ended 31 December, in € million", ("euro", 1_000_000)),
        ("in millions of dollars, except per share data", ("dollar", 1_000_000)),
        ("(in thousands, except per share data)", (None, 1000)),
        ("Income, £'000", ("pound", 1000)),
        ("£000", ("pound", 1000)),
        ("The bill, €5", None),
        ("Sales by region, in Germany", None),
        ("It earned 5 in $ million terms last year, and lost 3", None),
        ("The vase broke in millions of pieces.", None),
    ],
)
def test_a_caption_tells_money_and_magnitude(caption, expected):
    told = scale_told(caption)
    assert (told and (told[0] and told[0].base, told[1])) == expected
