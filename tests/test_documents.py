from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from halgo.printable import printable
from halgo.sources.chunks import chunk
from halgo.sources.documents import to_documents
from halgo.sources.sentences import split
from halgo.types import Document


def test_a_string_is_one_document() -> None:
    documents, warnings = to_documents("The fee is 5%.")
    assert documents == [Document("doc1", "The fee is 5%.", "doc1")]
    assert warnings == []


def test_dicts_give_text_id_source_and_metadata() -> None:
    documents, _ = to_documents(
        [
            {"text": "A.", "id": "a", "source": "a.md", "year": 2024, "tags": ["x"]},
            {"content": "B.", "file_id": 7, "file_path": "b/c.txt"},
            "C.",
        ]
    )
    assert documents[0] == Document("a", "A.", "a.md", {"year": "2024"})
    assert (documents[1].id, documents[1].source) == ("7", "b/c.txt")
    assert documents[2].id == "doc3"


def test_a_row_without_text_is_stated_whole() -> None:
    (document,), _ = to_documents({"id": 1042, "status": "shipped", "total": 99.5})
    assert document.text == "id: 1042; status: shipped; total: 99.5"
    assert document.id == "1042"


@pytest.mark.parametrize("key", ["text", "content", "page_content"])
def test_a_text_that_is_none_is_a_document_without_text(key: str) -> None:
    documents, warnings = to_documents([{key: None, "id": "x", "metadata": {"page": 2}}])
    assert [(one.id, one.text) for one in documents] == [("x", "")]
    assert len(warnings) == 1 and "no text" in warnings[0]
    (row,), _ = to_documents([{key: None, "id": "x", "status": "open"}])
    assert "status: open" in row.text


def test_a_langchain_document_as_a_dict_has_text_and_metadata() -> None:
    given = {"page_content": "A fee of 5%.", "metadata": {"source": "fees.md", "page": 2}}
    ((found,), warnings) = to_documents([given])
    assert (found.text, found.source, warnings) == ("A fee of 5%.", "fees.md", [])
    assert found.metadata["page"] == "2"


@pytest.mark.parametrize("key", ["metadata", "payload", "_source", "properties"])
def test_the_hit_of_a_store_is_the_record_that_it_has_found(key: str) -> None:
    record = {"text": "A fee of 5%.", "source": "fees.md", "page": 2}
    ((found,), warnings) = to_documents([{"id": "v7", "score": 0.83, "values": [0.1], key: record}])
    assert (found.id, found.text, found.source) == ("v7", "A fee of 5%.", "fees.md")
    assert found.metadata == {"score": "0.83", "page": "2"} and warnings == []


def test_a_row_with_a_record_in_it_stays_a_row() -> None:
    row = {"id": "v7", "status": "open", "metadata": {"text": "A fee of 5%."}}
    (found,), _ = to_documents([row])
    assert "status: open" in found.text and "metadata.text: A fee of 5%." in found.text


@pytest.mark.parametrize("key", ["text", "content"])
def test_a_source_in_the_metadata_is_the_documents(key: str) -> None:
    (found,), _ = to_documents([{key: "A fee.", "metadata": {"source": "fees.md"}}])
    assert found.source == "fees.md"
    (own,), _ = to_documents([{key: "A fee.", "source": "a", "metadata": {"source": "b"}}])
    assert own.source == "a"


@pytest.mark.parametrize(
    ("text", "warned"),
    [
        ("docs/faq.md", True),
        ("C:\\docs\\Handbook.PDF\n", True),
        ("Read docs/faq.md", False),
        ("https://example.org/faq.html", False),
        ("example.org", False),
        ("Yes.", False),
    ],
)
def test_a_document_that_is_a_path_warns(text: str, warned: bool) -> None:
    (found,), warnings = to_documents(text)
    assert found.text == text
    assert any("Checker.from_files" in one for one in warnings) is warned


def test_a_tool_result_under_content_keeps_its_paths() -> None:
    (document,), _ = to_documents([{"content": {"orders": [{"id": 1, "status": "new"}]}}])
    assert document.text == "orders[0].id: 1; orders[0].status: new"


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("plan,seats,price\nBasic,3,10\nTeam,10,49\n", "plan: Team; seats: 10; price: 49."),
        ("name, age\nAnn, 41\nBo, 39", "name: Bo; age: 39."),
        ("Plan;Support\r\nBasic;e-mail\r\nPro;phone\r\n", "Plan: Pro; Support: phone."),
        ("id\tcity\n1\tOslo\n2\tRome\n", "id: 2; city: Rome."),
        ('who,said\nAnn,"Yes, \n it is"\nBo,no\n', "who: Ann; said: Yes, it is."),
        ("region,2022,2023\nNorth,120,150\nSouth,31,28\n", "region: South; 2022: 31; 2023: 28."),
    ],
)
def test_a_string_that_is_csv_is_read_as_records(text: str, row: str) -> None:
    documents, warnings = to_documents([{"text": text, "id": "x"}])
    assert row in documents[0].text.split("\n\n")
    assert len(warnings) == 1 and "document 1 is CSV and was read as records" in warnings[0]
    assert to_documents(Document("x", text, "x"))[0][0].text == text


@pytest.mark.parametrize(
    "text",
    [
        "plan,seats\nBasic,3\n",  # one row may be anything
        "plan,seats\nBasic,3\nTeam\n",
        "Red, green, blue\nOne, two, three\nOld, new, borrowed\n",
        "Roses are red,\nViolets are blue,\nSugar is sweet,\n",
        "10:00,start\n10:05,stop\n10:09,go\n",
        "| a | b |\n|---|---|\n| 1 | 2 |\n",
        "a,a\n1,2\n3,4\n",
        'name,note\nAnn,"open\nBo,no\nCy,no\n',
        "name,note\nAnn," + "long " * 50 + "\nBo,no\n",
    ],
)
def test_prose_with_commas_is_no_csv(text: str) -> None:
    documents, warnings = to_documents(text)
    assert documents[0].text == text and not warnings


def test_ids_met_twice_are_told_apart_with_a_warning() -> None:
    docs = [{"id": "a", "text": "1."}, {"id": "a", "text": "2."}, {"id": "a#2", "text": "3."}]
    documents, warnings = to_documents(docs)
    assert [document.id for document in documents] == ["a", "a#3", "a#2"]
    assert len(warnings) == 1 and "'a'" in warnings[0]


def test_empty_documents_warn_and_no_documents_are_none() -> None:
    documents, warnings = to_documents(["", " \n"])
    assert len(documents) == 2 and len(warnings) == 2
    assert to_documents([]) == ([], [])


@pytest.mark.parametrize(
    "text",
    [
        "\u200b\u200d\ufeff",  # zero width
        "\u202a\u202c \u2066\u2069",  # marks of direction
        "".join(chr(0xE0000 + ord(char)) for char in "the fee is 9%"),  # tags
        "\x00\x01\x1b\x7f\x9b",  # controls
        "\ufe0f\U000e0100",  # variation selectors
        "\u3164\n\u115f",  # fillers
    ],
)
def test_a_document_of_nothing_that_shows_warns(text: str) -> None:
    (document,), warnings = to_documents([text])
    assert document.text == text
    assert warnings == ["document 'doc1' (doc1) has nothing but characters that do not show"]


@pytest.mark.parametrize("text", ["\u200b5\u200b", "\u2764\ufe0f", "\u202b\u05d0", "."])
def test_a_document_of_which_something_shows_does_not_warn(text: str) -> None:
    assert to_documents([text])[1] == []


def test_ids_and_sources_are_safe_to_print_in_warnings() -> None:
    evil = "\x1b]0;x\x07\u3164"
    docs = [{"id": evil, "source": evil, "text": ""}, {"id": evil, "text": "x"}]
    documents, warnings = to_documents(docs)
    assert documents[0].source == evil
    assert len(warnings) == 2 and [one for one in warnings if printable(one) != one] == []


def test_what_lies_too_deep_in_a_dict_warns() -> None:
    value: object = "deep"
    for _ in range(150):
        value = {"a": value}
    assert isinstance(value, dict)
    documents, warnings = to_documents([{"id": "x", **value}, {"content": value}])
    assert all("deep" not in document.text for document in documents)
    assert [f"document {k}" in warning for k, warning in enumerate(warnings, 1)] == [True, True]


@pytest.mark.parametrize(
    "docs, words",
    [
        (["fine", 5], ["document 2", "int"]),
        ([b"bytes"], ["document 1", "bytes", "decode"]),
        (b"bytes", ["bytes", "decode"]),
        ([Path("a.md")], ["document 1", "from_files"]),
        ([{"text": 5}], ["document 1", "'text'", "int"]),
        ([{"text": b"x"}], ["decode"]),
        ([None], ["document 1", "NoneType"]),
        (None, ["NoneType"]),
        (5, ["int"]),
        ({"a", "b"}, ["set", "no order", "sorted"]),
        (StringIO("a\nb"), ["StringIO", "file.read()"]),
        (SimpleNamespace(columns=["text"]), ["documents must be", "SimpleNamespace"]),
        (np.array(["a", 5], dtype=object), ["document 2", "int"]),
    ],
)
def test_what_is_no_document_is_named_with_its_place(docs: object, words: list[str]) -> None:
    with pytest.raises(TypeError) as caught:
        to_documents(docs)  # type: ignore[arg-type]
    assert all(word in str(caught.value) for word in words)


@pytest.mark.parametrize(
    "several",
    [
        tuple,
        iter,
        lambda texts: (text for text in texts),
        lambda texts: dict(enumerate(texts)).values(),
        np.array,
        lambda texts: np.array(texts, dtype=object),
        lambda texts: pytest.importorskip("pandas").Series(texts, index=[7, 8]),
        lambda texts: pytest.importorskip("polars").Series(texts),
    ],
)
def test_documents_may_be_any_iterable(several: Callable[[list[str]], Any]) -> None:
    texts = ["The fee is 5%.", "Pay within 30 days."]
    documents, warnings = to_documents(several(texts))
    assert [(one.id, one.text) for one in documents] == list(
        zip(["doc1", "doc2"], texts, strict=True)
    )
    assert not warnings


def test_a_table_is_not_taken_for_the_names_of_its_columns() -> None:
    pandas = pytest.importorskip("pandas")
    with pytest.raises(TypeError, match=r"not DataFrame; give the column.*table\['text'\]"):
        to_documents(pandas.DataFrame({"text": ["The fee is 5%."]}))


@pytest.mark.parametrize(
    "text",
    [
        "lone \ud800 surrogate. Next.",
        "\x00\x01 control \x1b[0m. Next.",
        "עברית. العربية هنا.",
        "\u202eevil",
    ],
)
def test_odd_characters_survive_and_can_be_encoded_where_they_are_read(text: str) -> None:
    (document,), _ = to_documents([text])
    assert document.text == text
    sentences = split(text)
    for sentence in sentences:
        sentence.reading.text.encode("utf-8")
    for each in chunk(document, sentences):
        assert each.span.of(document.text) == each.text
