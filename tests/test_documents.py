from __future__ import annotations

from pathlib import Path

import pytest

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


def test_a_tool_result_under_content_keeps_its_paths() -> None:
    (document,), _ = to_documents([{"content": {"orders": [{"id": 1, "status": "new"}]}}])
    assert document.text == "orders[0].id: 1; orders[0].status: new"


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
        ({1, 2}, ["set"]),
    ],
)
def test_what_is_no_document_is_named_with_its_place(docs: object, words: list[str]) -> None:
    with pytest.raises(TypeError) as caught:
        to_documents(docs)  # type: ignore[arg-type]
    assert all(word in str(caught.value) for word in words)


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
