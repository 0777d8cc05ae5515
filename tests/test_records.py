from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halgo.sources.documents import to_documents
from halgo.sources.records import fields, plain_fields, statements
from halgo.sources.sentences import split
from halgo.types import Span

ORDERS = {
    "shop": "Acme",
    "orders": [
        {"order_id": 1041, "status": "pending", "customer": {"name": "Bob Hill"}},
        {
            "order_id": 1042,
            "status": "shipped",
            "items": [{"sku": "X1", "unit_price": "9.50"}],
            "tags": ["gift", "fragile"],
        },
    ],
}


def test_every_leaf_keeps_its_path_beside_its_siblings() -> None:
    assert statements(ORDERS).split("\n\n") == [
        "shop: Acme",
        "orders[0].order_id: 1041; orders[0].status: pending; orders[0].customer.name: Bob Hill",
        "orders[1].order_id: 1042; orders[1].status: shipped; orders[1].tags: gift, fragile",
        "orders[1].order_id: 1042; orders[1].items[0].sku: X1; orders[1].items[0].unit_price: 9.50",
    ]


def test_a_record_is_read_as_words_that_point_into_the_text() -> None:
    text = statements(ORDERS)
    read = split(text)[2]
    assert read.reading.text == "order: order id 1042; status shipped; tags gift, fragile"
    assert read.block == "row"
    at = read.reading.text.index("shipped")
    place = next(piece for piece in read.reading.pieces if piece.at == at)
    assert place.span.of(text) == "shipped"


@pytest.mark.parametrize(
    ("many", "one"),
    [
        ("dishes", "dish"),
        ("countries", "country"),
        ("boxes", "box"),
        ("houses", "house"),
        ("status", "status"),
    ],
)
def test_each_of_many_is_called_one(many: str, one: str) -> None:
    (read,) = split(statements({many: [{"name": "A", "size": 3}]}))
    assert read.reading.text == f"{one}: name A; size 3"


def test_long_texts_stand_in_paragraphs_of_their_own() -> None:
    text = statements({"id": 7, "body": "First sentence. " * 20})
    assert text.startswith("id: 7\n\nbody:\nFirst sentence. First")
    assert [each.reading.text for each in split(text)][2] == "First sentence."


def test_a_wide_record_is_divided_and_named_on_each_line() -> None:
    lines = statements([{"id": 9, **{f"field_{k}": "value" for k in range(80)}}]).split("\n\n")
    assert len(lines) > 2
    assert all(line.startswith("[0].id: 9; ") and len(line) < 600 for line in lines)


@pytest.mark.parametrize(
    "value, text",
    [
        (None, "null"),
        (True, "true"),
        ({"a": None, "b": False, "c": [], "d": {}}, "a: null; b: false; c: empty; d: empty"),
        ([1, 2.5, "x"], ": 1, 2.5, x"),
        ([[1, 2], [3]], "[0]: 1, 2\n\n[1]: 3"),
        ({}, "empty"),
        ({"": 1, 2: "two"}, "value: 1; 2: two"),
    ],
)
def test_odd_values_are_stated_too(value: object, text: str) -> None:
    assert statements(value).lstrip(": ") == text.lstrip(": ")


def test_records_within_objects_are_read_as_words() -> None:
    text = statements({"id": 7, "customer": {"name": "Ann Lee", "home_city": "Oslo"}})
    assert [each.reading.text for each in split(text)] == [
        "id: 7; customer name: Ann Lee; customer home city: Oslo"
    ]
    text = statements({"id": 7, "lines": [{"sku": "A", "qty": 2}]})
    assert [each.reading.text for each in split(text)] == ["id: 7", "id: 7; line: sku A; qty 2"]
    assert fields(text.split("\n\n")[1]) == ("lines[]", [("id", "7"), ("sku", "A"), ("qty", "2")])


@pytest.mark.parametrize("key", ["order_id", "orderId", "team", "Fleet no."])
def test_items_of_a_nested_list_repeat_what_their_record_is_called(key: str) -> None:
    record = {
        key: "B-1",
        "customer": "Ann Lee",
        "status": "paid",
        "items": [{"qty": 2}, {"qty": 3}],
    }
    lines = statements({"orders": [record]}).split("\n\n")
    start = f"orders[0].{key}: B-1; orders[0].customer: Ann Lee; "
    assert lines[1:] == [f"{start}orders[0].items[{k}].qty: {k + 2}" for k in range(2)]


def test_items_of_a_nested_list_are_records_of_a_kind_of_their_own() -> None:
    lines = statements({"orders": [{"id": 7, "items": [{"qty": 2}]}]}).split("\n\n")
    kinds = [found[0] for line in lines if (found := fields(line)) is not None]
    assert kinds == ["orders[]", "orders[].items[]"]


@pytest.mark.parametrize(
    "text",
    [
        "package.json: has the names; setup.py: builds it.",
        "Note: a; b: c",
        "see fig.2: left; right",
        "as of v1.2: yes; later: no",
    ],
)
def test_prose_with_names_of_files_is_no_record(text: str) -> None:
    assert [each.reading.text for each in split(text)] == [text]


def test_a_key_is_read_as_words() -> None:
    assert plain_fields("trackingNumber: 1Z; unit_price: 4; a.bC: 5") == [
        ("tracking number", "1Z"),
        ("unit price", "4"),
        ("a b c", "5"),
    ]


@pytest.mark.parametrize(
    "value, read",
    [
        ({"port": 80, "targetPort": 8080}, ["port: 80; target port: 8080"]),
        ({"targetPort": 8080}, ["target port: 8080"]),
        ([{"id": 1, "unitPrice": 3, "baseURL": "x/y"}], ["id 1; unit price 3; base URL x/y"]),
        ({"app": {"maxReplicas": 10, "min_replicas": 2}},
         ["app max replicas: 10; app min replicas: 2"]),
        ({"iPhone": 5, "pens": 2}, ["iPhone: 5; pens: 2"]),
    ],
)  # fmt: skip
def test_a_key_in_camel_case_is_read_in_words(value: object, read: list[str]) -> None:
    text = statements(value)
    sentences = split(text)
    assert [each.reading.text for each in sentences] == read
    unit = sentences[0].reading.text.find("price")
    if unit >= 0:
        place = sentences[0].reading.locate(Span(unit, unit + 5))
        assert place is not None and place.of(text) == "Price"


@pytest.mark.parametrize(
    "text",
    ["useEffect: runs after render\nand cleans up.", "baseUrl: x. It is set; tokenLife: 3 days."],
)
def test_prose_that_begins_with_a_name_in_camel_case_is_no_record(text: str) -> None:
    assert " ".join(each.reading.text for each in split(text)) == text.replace("\n", " ")


@pytest.mark.parametrize("value", [None, "-", "n/a"])
def test_what_has_no_value_is_read_as_no(value: str | None) -> None:
    rows = statements([{"id": 1, "resolved_at": value}])
    assert [each.reading.text for each in split(rows)] == ["id 1; resolved at no"]
    alone = statements({"id": 1, "resolved_at": value})
    assert [each.reading.text for each in split(alone)] == ["id: 1; resolved at: no"]


def test_prose_with_a_note_in_brackets_is_no_record() -> None:
    words = [each.reading.text for each in split("As Smith [1]: the fee is 5%. It rose.")]
    assert words == ["As Smith [1]: the fee is 5%.", "It rose."]


def test_values_nested_beyond_reason_end_somewhere() -> None:
    value: list[object] = []
    for _ in range(5000):
        value = [value]
    assert len(statements(value)) < 100_000


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=8)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(JSON)
def test_no_leaf_is_lost_and_offsets_hold(value: object) -> None:
    text = statements(value)

    def leaves(node: object) -> list[str]:
        if isinstance(node, dict):
            return [leaf for item in node.values() for leaf in leaves(item)]
        if isinstance(node, list):
            return [leaf for item in node for leaf in leaves(item)]
        return [node] if isinstance(node, str) else [json.dumps(node)]

    for leaf in leaves(value):
        assert " ".join(leaf.split()) in " ".join(text.split())
    for sentence in split(text):
        for piece in sentence.reading.pieces:
            assert 0 <= piece.span.start < piece.span.end <= len(text)


def test_a_number_has_its_currency_however_it_is_given() -> None:
    value = {"order": {"amount": 250, "currency": "EUR", "no": 7}}
    for source in (json.dumps(value), value):
        (document,), _ = to_documents([source])
        assert "order.amount: 250 EUR" in document.text and "order.no: 7;" in document.text + ";"
