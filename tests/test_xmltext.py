"""XML is read as records: elements and attributes by name, elements of one name as a list."""

from __future__ import annotations

import pytest

from halgo import Checker, Verdict
from halgo.sources import xmltext
from halgo.sources.documents import to_documents
from halgo.sources.jsontext import NotOfKind
from halgo.sources.readers import read_bytes

FEED = """<?xml version="1.0"?>
<shop>
  <item sku="L-1"><name>Lantern Ardo</name><price currency="EUR">24.50</price>
    <traits><trait name="colour" value="brass"/><trait name="height" value="32" unit="cm"/></traits>
  </item>
  <item sku="L-2"><name>Lantern Brio</name><price currency="EUR">31.00</price>
    <traits><trait name="colour" value="black"/><trait name="height" value="41" unit="cm"/></traits>
  </item>
</shop>"""


def test_elements_are_records_with_their_attributes() -> None:
    (document,), warnings = to_documents([FEED])
    first, second = document.text.split("\n\n")
    assert first.startswith("shop.item[0].sku: L-1; shop.item[0].name: Lantern Ardo; ")
    assert "shop.item[0].traits.trait.colour: brass" in first
    assert "shop.item[1].traits.trait.height: 41 cm" in second
    assert any("XML" in warning for warning in warnings)


def test_the_value_of_one_element_is_not_said_of_another() -> None:
    claims = ["The Lantern Brio is black.", "The Lantern Ardo is black."]
    right, wrong = Checker.from_docs(FEED).check_claims(claims).results
    assert right.verdict is Verdict.SUPPORTED
    assert wrong.verdict is not Verdict.SUPPORTED


@pytest.mark.parametrize(
    "text",
    [
        "<p>Hello <b>you</b></p>",
        "<html><body><p>Text</p></body></html>",
        "<note>One line.</note>",
        "<a><b></a>",
        "The <shop> element holds <item>.",
        "<!DOCTYPE a [<!ENTITY x 'y'>]><a><b>&x;</b></a>",
    ],
)
def test_pages_damaged_and_flat_texts_are_no_records(text: str) -> None:
    assert xmltext.records(text) is None


def test_words_between_elements_are_read_as_text() -> None:
    value, _ = xmltext.loads("<doc><p>Use <code>x</code> now.</p><p>Or y.</p></doc>")
    assert value == {"doc": {"p": ["Use x now.", "Or y."]}}


def test_names_are_without_their_namespaces() -> None:
    value, _ = xmltext.loads("<r xmlns='u'><i a='1'>t</i></r>")
    assert value == {"r": {"i": {"a": "1", "text": "t"}}}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("<a>" * 50_000 + "</a>" * 50_000, "deeper than 100"),
        ("<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", "document type"),
        ("<a><b></a>", "not valid XML at line 1"),
    ],
)
def test_hostile_and_damaged_xml_is_refused(text: str, why: str) -> None:
    with pytest.raises(NotOfKind, match=why):
        xmltext.loads(text)


def test_a_damaged_file_is_read_as_text_with_a_warning() -> None:
    document, warnings = read_bytes(b"<a><b></a>", "broken.xml")
    assert document.text == "<a><b></a>"
    assert warnings == ["broken.xml: not valid XML at line 1; read as text"]
