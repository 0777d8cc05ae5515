"""The nouns: spans, readings and how they point back at the original."""

import copy
import json
import pickle
from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halgo.types import (
    Claim,
    ClaimKind,
    ClaimResult,
    Document,
    Piece,
    Reading,
    Span,
    Verdict,
)


def test_a_span_points_into_the_text_it_was_made_for() -> None:
    assert Span(4, 7).of("the fee is") == "fee"
    assert Span(1, 2).shift(3) == Span(4, 5)
    assert Span(0, 2).overlaps(Span(1, 3)) and not Span(0, 2).overlaps(Span(2, 3))


def test_a_finding_in_the_reading_is_shown_where_it_stands_in_the_original() -> None:
    original = "The **late\nfee** is 5%."
    reading = Reading(
        "The late fee is 5%.",
        (
            Piece(0, Span(0, 4)),
            Piece(4, Span(6, 10)),
            Piece(9, Span(11, 14)),
            Piece(12, Span(16, 23)),
        ),
    )
    found = reading.locate(Span(4, 12))
    assert found is not None and found.of(original) == "late\nfee"
    assert reading.locate(Span(8, 9)) is None  # the space that stands for the line break


def test_of_a_cell_and_its_column_name_the_cell_is_shown() -> None:
    original = "|Price|\n|---|\n|9|"
    reading = Reading("Price: 9", (Piece(0, Span(1, 6)), Piece(7, Span(15, 16))))
    found = reading.locate(Span(0, 8))
    assert found is not None and found.of(original) == "9"


@given(st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=5))
def test_joined_readings_keep_every_place(texts: list[str]) -> None:
    original, readings, at = "#".join(texts), [], 0
    for text in texts:
        readings.append(Reading.verbatim(text, at))
        at += len(text) + 1
    joined = Reading.joined(readings)
    assert joined.text == " ".join(texts)
    for piece in joined.pieces:
        there = piece.span.of(original)
        assert joined.text[piece.at : piece.at + len(piece.span)] == there


def _result() -> ClaimResult:
    claim = Claim(1, "x", Span(0, 1), ClaimKind.FACT, Reading.verbatim("x"), "x")
    return ClaimResult(claim, Verdict.SUPPORTED, "", "", 1.0, (), details={"got": 5.0})


def test_the_mappings_of_a_value_cannot_be_changed_either() -> None:
    given = {"page": "3"}
    document, result = Document("a", "Text.", "a", given), _result()
    given["page"] = "4"
    assert document.metadata == {"page": "3"}
    for mapping in (document.metadata, result.details):
        for change in (
            lambda m: m.update(x=1),
            lambda m: m.__setitem__("x", 1),
            lambda m: m.pop("page"),
            lambda m: m.__ior__({"x": 1}),
            lambda m: m.clear(),
        ):
            with pytest.raises(TypeError, match=r"dataclasses\.replace"):
                change(mapping)
    assert replace(result, details={**result.details, "x": 1}).details == {"got": 5.0, "x": 1}


@pytest.mark.parametrize("value", [Document("a", "Text.", "a", {"page": "3"}), _result()])
def test_a_value_with_a_mapping_can_be_pickled_copied_compared_and_written(
    value: Document | ClaimResult,
) -> None:
    for same in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
        assert same == value
        with pytest.raises(TypeError):
            (same.metadata if isinstance(same, Document) else same.details)["x"] = 1
    mapping = value.metadata if isinstance(value, Document) else value.details
    assert json.loads(json.dumps(mapping)) == mapping
    assert asdict(value)
