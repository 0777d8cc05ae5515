"""What an agent is about to write: which fields are claims, and what the sources say of them."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_index import built

from halgo import Checker, Halgorithm, Verdict
from halgo.delivery import payload
from halgo.delivery.payload import PayloadReport, check_payload
from halgo.sources.records import statements

CRM = (
    "Order 1042 was placed by Northwind Traders on 3 March 2024. Its total is £310. "
    "The contact at Northwind Traders is Ann Lee, ann.lee@northwind.example. "
    "Refunds are paid within 14 days. A late fee of 1.5% per month applies to overdue invoices. "
    "Details are at https://northwind.example/terms."
)


class Listening:
    """A checker that finds nothing, and keeps what it was asked."""

    warnings = ()

    def __init__(self) -> None:
        self.claims: list[str] = []
        self.texts: list[str] = []
        self.index = built(CRM)

    def check_claims(self, claims: list[str]) -> Any:
        from hand_made import INVENTED, report

        self.claims = claims
        made = [report(claim, {"": INVENTED}) for claim in claims]
        return type("Made", (), {"results": [m.results[0] for m in made]})()

    def check_many(self, texts: list[str]) -> list[Any]:
        from hand_made import GOOD, report

        self.texts = texts
        return [report(text, {"": GOOD}) for text in texts]


@pytest.fixture
def listening(without_models: None) -> Listening:
    return Listening()


@pytest.fixture
def without_models(monkeypatch: pytest.MonkeyPatch) -> None:
    from small_index import word_facts

    monkeypatch.setattr("halgo.facts.extract", word_facts)


def run(listening: Listening, given_: Any, **options: Any) -> PayloadReport:
    return check_payload(listening, given_, **options)  # type: ignore[arg-type]


STATEMENTS = [
    ({"late_fee": "5% per month"}, ["Late fee: 5% per month"]),
    ({"lateFee": 5}, ["Late fee: 5"]),
    ({"gold_support": {"monthlyPrice": "£3"}}, ["Gold support: monthly price £3"]),
    ({"order": {"id": 1042, "total": "£310"}}, ["Order 1042: total £310"]),
    (
        {"orders": [{"id": 7, "total": 1}, {"id": 8, "total": 2}]},
        ["Order 7: total 1", "Order 8: total 2"],
    ),
    (
        {"order": {"id": 7, "items": [{"name": "Pump", "price": 5}]}},
        ["Order 7: item name Pump", "Order 7, item Pump: price 5"],
    ),
    ({"tags": ["red", "blue"]}, ["Tags: red", "Tags: blue"]),
    (["red"], ["Red"]),
    ({"due": date(2024, 3, 5)}, ["Due: 2024-03-05"]),
    ({"sum": Decimal("3.10")}, ["Sum: 3.10"]),
    ({"order": {"id": 7, "total": 310.0}}, ["Order 7: total 310"]),
    ({"order": {"id": 7, "total": 310, "currency": "GBP"}}, ["Order 7: total 310 GBP"]),
    ({"order": {"id": 7, "total": 9.5, "Currency": "GBP"}}, ["Order 7: total 9.50 GBP"]),
    ({"total": Decimal("9.50"), "currency_code": "GBP"}, ["Total: 9.50 GBP"]),
    (
        {"order": {"id": 7, "total": {"amount": "310", "currency": "GBP"}}},
        ["Order 7: total 310 GBP"],
    ),
    ({"fees": [{"amount": 5, "currency": "EUR"}]}, ["Fees: 5 EUR"]),
    ({"weight": {"value": 24.0, "unit": "kg"}}, ["Weight: 24.0 kg"]),
    ({"seats": 7, "currency": "GBP"}, ["Seats: 7", "Currency: GBP"]),
    ({"price": 5, "currency": "GBP", "unit": "kg"}, ["Price: 5 GBP", "Unit: kg"]),
]


@pytest.mark.parametrize("given_, claims", STATEMENTS, ids=[str(g) for g, _ in STATEMENTS])
def test_a_leaf_is_a_claim_about_its_key_path(
    given_: Any, claims: list[str], listening: Listening
) -> None:
    report = run(listening, given_)
    assert listening.claims == claims
    assert [found.claim for found in report.fields if found.kind == "value"] == claims


def test_a_currency_told_with_its_amount_is_checked_alone_only_where_it_is_named(
    listening: Listening,
) -> None:
    given_ = {"order": {"total": {"amount": 310, "currency": "GBP"}}}
    fields = run(listening, given_).by_path
    assert {path: (one.kind, one.value) for path, one in fields.items()} == {
        "/order/total/amount": ("value", "310"),
        "/order/total/currency": ("unit", "GBP"),
    }
    run(listening, given_, paths=["/order/total/currency"])
    assert listening.claims == ["Total: currency GBP"]


def test_results_map_back_to_json_pointers(listening: Listening) -> None:
    given_ = {"a/b": [{"c~d": "x"}, "y"], "": "z"}
    report = run(listening, given_)
    assert list(report.by_path) == ["/a~1b/0/c~0d", "/a~1b/1", "/"]
    assert report.by_path["/a~1b/1"].value == "y"


def test_what_asserts_nothing_is_skipped_with_its_reason(listening: Listening) -> None:
    given_ = {
        "id": 7,
        "customerId": "c-1",
        "api_key": "k",
        "done": True,
        "note": None,
        "list": [],
        "map": {},
        "blank": "  ",
        "ratio": float("nan"),
        "holiday": "x",
    }
    kinds = {path: found.kind for path, found in run(listening, given_).by_path.items()}
    assert kinds == {
        "/id": "id",
        "/customerId": "id",
        "/api_key": "id",
        "/done": "boolean",
        "/note": "null",
        "/list": "empty",
        "/map": "empty",
        "/blank": "empty",
        "/ratio": "not a number",
        "/holiday": "value",
    }


def test_nothing_to_check_is_neither_grounded_nor_not(listening: Listening) -> None:
    assert run(listening, {"id": 7, "done": True}).grounded is None
    assert run(listening, {}).grounded is None


def test_an_address_is_looked_up_to_the_letter(listening: Listening) -> None:
    given_ = {
        "to": "Ann.Lee@northwind.example",
        "cc": "lee@northwind.example",
        "link": "https://northwind.example/terms",
        "other": "https://evil.example/terms",
    }
    report = run(listening, given_)
    verdicts = [found.verdict for found in report.fields]
    good, bad = Verdict.SUPPORTED, Verdict.HALLUCINATION
    assert verdicts == [good, bad, good, bad] and listening.claims == []
    assert report.by_path["/cc"].message == "No source holds 'lee@northwind.example'."


def test_prose_is_split_into_sentences(listening: Listening) -> None:
    report = run(listening, {"body": "Hello Ann,\n\nThe fee is 5%. Refunds take 3 days."})
    assert listening.texts == ["Hello Ann,\n\nThe fee is 5%. Refunds take 3 days."]
    assert report.by_path["/body"].kind == "text"
    assert len(report.by_path["/body"].results) >= 2


ORDER = {"order": {"id": 7, "paid": True, "items": [{"price": 1, "note": "a"}, {"price": 2}]}}


@pytest.mark.parametrize(
    "paths, chosen",
    [
        (["/order/items/*/price"], ["/order/items/0/price", "/order/items/1/price"]),
        (["/order/items/0"], ["/order/items/0/price", "/order/items/0/note"]),
        (["/*/paid", "/order/id"], ["/order/id", "/order/paid"]),
    ],
)
def test_only_the_chosen_paths_are_checked(
    paths: list[str], chosen: list[str], listening: Listening
) -> None:
    report = run(listening, ORDER, paths=paths)
    assert list(report.by_path) == chosen
    assert all(found.kind == "value" for found in report.fields)


@pytest.mark.parametrize(
    "paths, error, message",
    [
        (["/order/total"], ValueError, "no value lies at '/order/total'; there are /order/id"),
        (["order"], ValueError, "a path begins with '/'"),
        ([3], ValueError, "a path begins with '/'"),
        ("/order", TypeError, "paths is a list of JSON pointers"),
    ],
)
def test_a_path_that_fits_nothing_is_an_error(
    paths: Any, error: type[Exception], message: str, listening: Listening
) -> None:
    with pytest.raises(error, match=message):
        run(listening, ORDER, paths=paths)


def test_hostile_input_is_refused_with_a_clear_error(listening: Listening) -> None:
    deep: Any = "x"
    for _ in range(5_000):
        deep = {"a": deep}
    round_: dict[str, Any] = {}
    round_["self"] = round_
    for given_ in (deep, round_):
        with pytest.raises(ValueError, match="more than 20 levels deep at /"):
            run(listening, given_)
    for given_ in (["x"] * 100_000, {"a": "x" * 300_000}, {"k" * 300_000: 1}):
        with pytest.raises(ValueError, match="check it in parts"):
            run(listening, given_)
    for given_ in ("text", 3, None):
        with pytest.raises(TypeError, match="a payload is a dict or a list"):
            run(listening, given_)
    with pytest.raises(TypeError, match="/a: a payload holds what JSON can, not set"):
        run(listening, {"a": {1, 2}})


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=12)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=40)
@given(JSON)
def test_every_leaf_is_in_the_report_once(value: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        from small_index import word_facts

        patch.setattr("halgo.facts.extract", word_facts)
        report = run(Listening(), {"top": value})
    json.dumps(report.to_dict())
    assert len(report.by_path) == len(report.fields) >= 1
    for path in report.by_path:
        at: Any = {"top": value}
        for part in path.split("/")[1:]:
            key = part.replace("~1", "/").replace("~0", "~")
            at = at[int(key)] if isinstance(at, list) else at[key]
        assert not isinstance(at, (dict, list)) or not at


# --- with the models ------------------------------------------------------------------------------

RECORDS = {
    "orders": [
        {
            "id": 1042,
            "customer": "Northwind Traders",
            "contact": "Ann Lee",
            "total": "£310",
            "placed_on": "2024-03-03",
            "status": "shipped",
        },
        {"id": 1043, "customer": "Fabrikam", "contact": "Bob Stone", "total": "£90"},
    ]
}
TRUE = RECORDS["orders"][0]
FALSE = [
    ("total", "£350"),
    ("total", "£90"),
    ("placed_on", "2024-04-03"),
    ("customer", "Contoso Ltd"),
    ("contact", "Tom Bell"),
]


@pytest.fixture(scope="module")
def checkers() -> dict[str, Checker]:
    halgorithm = Halgorithm()
    return {
        "prose": halgorithm.checker(CRM),
        "records": halgorithm.checker([{"id": "crm", "text": statements(RECORDS)}]),
    }


def said_by(source: str) -> dict[str, Any]:
    """The order as far as a source tells it: prose has no status, and a contact of the customer."""
    untold = ("status", "contact") if source == "prose" else ()
    return {key: value for key, value in TRUE.items() if key not in untold}


@pytest.mark.models
@pytest.mark.parametrize("source", ["prose", "records"])
def test_what_the_sources_say_of_an_order_is_grounded(
    source: str, checkers: dict[str, Checker]
) -> None:
    report = check_payload(checkers[source], {"order": said_by(source)})
    assert report.grounded, [(f.claim, f.verdict) for f in report.bad]


@pytest.mark.models
@pytest.mark.parametrize("source", ["prose", "records"])
@pytest.mark.parametrize("key, value", FALSE)
def test_a_wrong_amount_date_or_name_is_found_at_its_path(
    source: str, key: str, value: str, checkers: dict[str, Checker]
) -> None:
    report = check_payload(checkers[source], {"order": {**said_by(source), key: value}})
    assert report.grounded is False
    assert [found.path for found in report.bad] == [f"/order/{key}"]


@pytest.mark.models
@pytest.mark.parametrize("source", ["prose", "records"])
@pytest.mark.parametrize(
    "total, currency, bad",
    [
        (310, "GBP", []),
        (310.0, "GBP", []),
        (310, "\u00a3", []),
        (310, "EUR", ["/order/total"]),
        (311, "GBP", ["/order/total"]),
    ],
)
def test_an_amount_is_checked_with_the_currency_beside_it(
    source: str, total: float, currency: str, bad: list[str], checkers: dict[str, Checker]
) -> None:
    order = {"id": 1042, "total": total, "currency": currency}
    report = check_payload(checkers[source], {"order": order})
    assert [found.path for found in report.bad] == bad


@pytest.mark.models
def test_an_email_is_checked_sentence_by_sentence(checkers: dict[str, Checker]) -> None:
    email = {
        "to": ["ann.lee@northwind.example"],
        "body": "Dear Ann,\n\nOrder 1042 was placed on 3 March 2024. "
        "Refunds are paid within 30 days.\n\nKind regards",
    }
    report = check_payload(checkers["prose"], email)
    body = report.by_path["/body"]
    assert [found.path for found in report.bad] == ["/body"]
    assert body.verdict is Verdict.CONTRADICTION and "14 days" in body.message
    wrong = [r.claim.text for r in body.results if r.verdict is not Verdict.SUPPORTED]
    assert wrong == ["Refunds are paid within 30 days."]
    assert payload.check_payload(checkers["prose"], {**email, "to": ["x@y.example"]}).bad[-1].path


@pytest.mark.models
@pytest.mark.parametrize("value", ["\ud83d", "!!", "\u200b", "-", "..."])
def test_a_value_of_marks_alone_says_nothing(value: str) -> None:
    checker = Checker.from_docs("A late fee of 1.5% per month applies.")
    [field] = check_payload(checker, {"a": value}).fields
    assert (field.kind, field.verdict) == ("empty", None)
