"""One index of what an agent may rely on: chunks, tool results, rows, earlier turns."""

from __future__ import annotations

import json
from typing import Any

import pytest

from halgo import Bundle, Checker, Document, Halgorithm, Judge, SourceKind, Verdict

POLICY = "Refunds are granted within 14 days of delivery. Shipping to Norway takes 5 working days."


# --- what a bundle holds -------------------------------------------------------------------------


def test_every_kind_of_source_becomes_a_document_that_knows_where_it_is_from() -> None:
    bundle = Bundle()
    bundle.add_chunk(POLICY, id="kb-7", title="Shipping", page=3, revision="2024-05")
    bundle.add_tool_result("crm", {"order_id": 1042, "status": "shipped"}, call_id="call_1")
    bundle.add_rows("plans", [{"id": 1, "name": "Basic"}, {"id": 2, "name": "Pro"}])
    bundle.add_turn("user", "My order number is 1042.")
    bundle.add_document(Document("handbook", "Hats are worn.", "handbook.md"))
    assert [(d.id, d.kind.value, d.source) for d in bundle.documents] == [
        ("kb-7", "chunk", "Shipping"),
        ("call_1", "tool", "crm"),
        ("plans/1", "row", "plans"),
        ("plans/2", "row", "plans"),
        ("turn:1", "turn", "user, turn 1"),
        ("handbook", "document", "handbook.md"),
    ]
    chunk, tool, *_ = bundle.documents
    assert (chunk.revision, chunk.metadata["page"]) == ("2024-05", "3")
    assert tool.text == "crm[0].order_id: 1042; crm[0].status: shipped"
    assert len(bundle) == 6 and bundle.warnings == []


def test_ids_and_revisions_do_not_depend_on_the_order() -> None:
    def filled(order: int) -> dict[str, str]:
        bundle = Bundle()
        for add in [
            lambda: bundle.add_chunk(POLICY),
            lambda: bundle.add_tool_result("crm", [{"a": 1}]),
            lambda: bundle.add_rows("t", [{"colour": "red"}]),
        ][::order]:
            add()
        return {document.id: document.revision for document in bundle.documents}

    assert filled(1) == filled(-1) and len(filled(1)) == 3


def test_a_revision_is_the_digest_of_the_text_unless_it_is_given() -> None:
    one, two = Document("a", "One.", "a"), Document("a", "Two.", "a")
    assert one.revision != two.revision == Document("b", "Two.", "b").revision
    assert Document("a", "One.", "a", {"revision": "v2"}).revision == "v2"
    assert Document("a", "One.", "a", {"kind": "a novel"}).kind is SourceKind.DOCUMENT


def test_the_same_source_twice_is_there_once_another_text_of_its_id_is_marked() -> None:
    bundle = Bundle()
    assert bundle.add_chunk("A rose.", id="c") == bundle.add_chunk("A rose.", id="c")
    assert len(bundle) == 1
    bundle.add_chunk("A tulip.", id="c")
    assert [d.id for d in bundle.documents] == ["c", "c#2"]
    assert "used twice" in bundle.warnings[0]


@pytest.mark.parametrize(
    ("payload", "text"),
    [
        ({"a": 1}, "crm[0].a: 1"),
        ('{"a": 1}', "crm[0].a: 1"),
        (b'[{"a": 1}, {"a": 2}]', "crm[0].a: 1\n\ncrm[1].a: 2"),
        ([1, 2], "crm[0].result: 1, 2"),
        (None, "crm[0].result: null"),
        (42, "crm[0].result: 42"),
        ("Not found.", "Not found."),
        ('{"a": 1', '{"a": 1'),
        ({}, "crm[0]: empty"),
        ({"total": {"amount": 5.5, "currency": "EUR"}}, "crm[0].total: 5.50 EUR"),
        (
            {"price": 5, "currency": "EUR", "count": 2},
            "crm[0].price: 5 EUR; crm[0].currency: EUR; crm[0].count: 2",
        ),
    ],
)
def test_a_tool_may_return_anything(payload: Any, text: str) -> None:
    bundle = Bundle()
    bundle.add_tool_result("crm", payload)
    assert bundle.documents[0].text == text


def test_odd_names_stay_readable_paths() -> None:
    bundle = Bundle()
    for name in ("functions.get:weather", "2nd", "", "\u5929\u6c17"):
        bundle.add_tool_result(name, {"a": 1})
    assert [d.text for d in bundle.documents] == [
        "functions get weather[0].a: 1",
        "tool 2nd[0].a: 1",
        "tool[0].a: 1",
        "\u5929\u6c17[0].a: 1",
    ]


def test_a_row_is_found_again_by_its_key() -> None:
    bundle = Bundle()
    assert bundle.add_rows("t", [{"Name": "x", "SKU": "K-1"}]) == ["t/K-1"]
    assert bundle.add_rows("t", [{"a": 1, "b": 2}], key="b") == ["t/2"]
    (first,) = bundle.add_rows("t", [{"a": 1}])
    assert bundle.add_rows("t", [{"a": 1}]) == [first]


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda b: b.add_chunk(None), TypeError, "NoneType"),
        (lambda b: b.add_tool_result(5, {}), TypeError, "int"),
        (lambda b: b.add_rows("t", "rows"), TypeError, "str"),
        (lambda b: b.add_rows("t", {"a": 1}), TypeError, "dict"),
        (lambda b: b.add_rows("t", [["a"]]), TypeError, "row 1 of 't'"),
        (lambda b: b.add_rows("t", [{"a": 1}], key="b"), ValueError, "has no 'b'"),
        (lambda b: b.add_turn("user", "Hi.", "one"), TypeError, "str"),
        (lambda b: b.add_turn("user", b"Hi."), TypeError, "bytes"),
        (lambda b: b.add_document({"text": "a"}), TypeError, "dict"),
    ],
)
def test_what_is_no_source_is_named(call: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        call(Bundle())


def test_turns_are_counted_on() -> None:
    bundle = Bundle()
    assert bundle.add_turn("user", "One.") == "turn:1"
    assert bundle.add_turn("assistant", "Five.", 5) == "turn:5"
    assert bundle.add_turn("user", "Six.") == "turn:6"


# --- checked with the real models ----------------------------------------------------------------

ORDER = {"order_id": 1042, "carrier": "DHL", "total": {"amount": 129.9, "currency": "EUR"}}
WEATHER = {"city": "Oslo", "temperature_c": -3, "conditions": "light snow", "wind_kmh": 14}
STOCK = {
    "results": [
        {"sku": "KX-40", "name": "Kestrel 40 pump", "in_stock": 12, "price": 345.0},
        {"sku": "KX-30", "name": "Kestrel 30 pump", "in_stock": 0, "price": 310.0},
    ]
}
FLIGHT = {"flight": "LH 441", "state": "delayed", "gate": "B12", "delay_minutes": 45}
CUSTOMERS = [
    {"id": 7, "name": "Ann Lee", "plan": "Pro", "seats": 25, "active": True},
    {"id": 8, "name": "Bo Chen", "plan": "Basic", "seats": 3, "active": False},
]
INVOICES = [
    {"number": "INV-881", "customer": "Ann Lee", "eur": 480, "due": "2024-05-01", "paid": False},
    {"number": "INV-882", "customer": "Bo Chen", "eur": 36, "due": "2024-06-01", "paid": True},
]
SUPPORTED, WRONG = {"SUPPORTED"}, {"CONTRADICTION", "HALLUCINATION"}
AGAINST = {"CONTRADICTION"}


@pytest.fixture(scope="module")
def halgorithm() -> Halgorithm:
    return Halgorithm()


def bundle_of(kind: str) -> Bundle:
    bundle = Bundle()
    bundle.add_chunk(POLICY, title="Shipping policy")
    if kind in ("shipped", "pending"):
        bundle.add_tool_result("crm", {**ORDER, "status": kind})
    elif kind == "rows":
        bundle.add_rows("customers", CUSTOMERS)
        bundle.add_rows("invoices", INVOICES)
    elif kind == "turns":
        bundle.add_turn("user", "My order number is 1042 and I ordered two pumps on 3 March.")
        bundle.add_turn("assistant", "The replacement will be sent on Monday.")
    else:
        payloads = {"get_weather": WEATHER, "search": STOCK, "flight_status": FLIGHT}
        bundle.add_tool_result(kind, json.dumps(payloads[kind]))
    return bundle


@pytest.mark.models
@pytest.mark.parametrize(
    ("kind", "claim", "verdicts"),
    [
        ("shipped", "The CRM shows status: shipped.", SUPPORTED),
        ("pending", "The CRM shows status: shipped.", AGAINST),
        ("shipped", "Order 1042 has been shipped.", SUPPORTED),
        ("pending", "Order 1042 has been shipped.", AGAINST),
        ("pending", "The status of order 1042 is pending.", SUPPORTED),
        ("shipped", "Order 1042 was shipped with DHL.", SUPPORTED),
        ("shipped", "Order 1042 was shipped with UPS.", WRONG),
        ("shipped", "The order total is 129.90 EUR.", SUPPORTED),
        ("shipped", "The order total is 149.90 EUR.", AGAINST),
        ("get_weather", "It is -3 \u00b0C in Oslo with light snow.", SUPPORTED),
        ("get_weather", "The temperature in Oslo is 3 \u00b0C.", AGAINST),
        ("search", "The Kestrel 40 pump is in stock: 12 units.", SUPPORTED),
        ("search", "The Kestrel 30 pump costs 310.", SUPPORTED),
        ("search", "The Kestrel 30 pump costs 345.", AGAINST),
        ("search", "There are 4 Kestrel 30 pumps in stock.", AGAINST),
        ("flight_status", "Flight LH 441 is delayed by 45 minutes.", SUPPORTED),
        ("flight_status", "Flight LH 441 leaves from gate C4.", WRONG),
        ("rows", "Ann Lee is on the Pro plan.", SUPPORTED),
        ("rows", "Bo Chen is on the Pro plan.", AGAINST),
        ("rows", "Ann Lee has 25 seats.", SUPPORTED),
        ("rows", "Bo Chen has 25 seats.", AGAINST),
        ("rows", "Bo Chen's account is active.", WRONG),
        ("rows", "Invoice INV-881 is due on 1 May 2024.", SUPPORTED),
        ("rows", "Invoice INV-881 is due on 1 June 2024.", AGAINST),
        ("rows", "Invoice INV-881 has been paid.", AGAINST),
        ("turns", "Your order number is 1042.", SUPPORTED),
        ("turns", "Your order number is 1024.", AGAINST),
        ("turns", "You ordered two pumps on 3 March.", SUPPORTED),
        ("turns", "You ordered three pumps on 3 March.", AGAINST),
        ("turns", "The replacement will be sent on Friday.", AGAINST),
    ],
)
def test_a_claim_is_checked_against_what_the_tool_row_or_turn_says(
    halgorithm: Halgorithm, kind: str, claim: str, verdicts: set[str]
) -> None:
    checker = Checker.from_bundle(bundle_of(kind), halgorithm=halgorithm)
    (result,) = checker.check_claims([claim])
    assert result.verdict.value in verdicts, (result.reason, result.score, result.message)


@pytest.mark.models
def test_a_result_says_which_kind_of_source_it_rests_on(halgorithm: Halgorithm) -> None:
    bundle = bundle_of("shipped")
    bundle.add_turn("user", "I live in Bergen.")
    report = Checker.from_bundle(bundle, halgorithm=halgorithm).check(
        "Order 1042 was shipped with DHL. Shipping to Norway takes 5 working days. "
        "You live in Bergen."
    )
    assert [result.verdict for result in report] == [Verdict.SUPPORTED] * 3
    assert [result.source_kind for result in report] == ["tool", "chunk", "turn"]
    dicts = report.claim_dicts()
    assert [one["source_kind"] for one in dicts] == ["tool", "chunk", "turn"]
    for one, result in zip(dicts, report, strict=True):
        document = next(d for d in bundle.documents if d.id == one["matched_doc_id"])
        assert one["source_revision"] == document.revision
        assert result.evidence and result.evidence.span.of(document.text)


@pytest.mark.models
def test_a_saved_index_keeps_kinds_and_revisions(halgorithm: Halgorithm, tmp_path: Any) -> None:
    checker = Checker.from_bundle(bundle_of("rows"), halgorithm=halgorithm)
    checker.save(tmp_path / "a.halgo")
    again = Checker.from_index(tmp_path / "a.halgo", halgorithm=halgorithm)
    claim = "Ann Lee has 25 seats."
    assert again.check(claim) == checker.check(claim)
    assert again.check(claim).results[0].source_kind is SourceKind.ROW


@pytest.mark.models
def test_an_empty_bundle_is_no_sources(halgorithm: Halgorithm) -> None:
    report = Checker.from_bundle(Bundle(), halgorithm=halgorithm).check("The fee is 5%.")
    assert report.state.value == "no_sources"
    assert report.results[0].source_kind is None


def test_who_gives_a_bundle_where_documents_are_wanted_is_told_what_takes_one() -> None:
    bundle = Bundle()
    bundle.add_tool_result("clock", {"opens": "8 am"})
    halgorithm = Halgorithm(embedder="lexical", entailment=None)
    for call in (
        lambda: Checker.from_docs(bundle),  # type: ignore[arg-type]
        lambda: halgorithm.checker(bundle),  # type: ignore[arg-type]
        lambda: Judge().evaluate("It opens at 8 am.", bundle),  # type: ignore[arg-type]
    ):
        with pytest.raises(TypeError, match=r"Checker\.from_bundle\(bundle\)"):
            call()


def test_numbers_of_a_result_are_told_as_they_are_written() -> None:
    bundle = Bundle()
    bundle.add_tool_result("price", '{"net": 99.50}')
    assert "99.50" in Checker.from_bundle(bundle).index.documents[0].text


def test_a_list_is_no_bundle() -> None:
    with pytest.raises(TypeError, match=r"a Bundle is needed, not list.*from_docs"):
        Checker.from_bundle([{"text": "The fee is 5%."}])  # type: ignore[arg-type]
