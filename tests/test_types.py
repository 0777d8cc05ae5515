"""The nouns: spans, readings and how they point back at the original."""

from hypothesis import given
from hypothesis import strategies as st

from halgo.types import Piece, Reading, Span


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
