from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halgo.sources.chunks import chunk
from halgo.sources.sentences import split
from halgo.types import Chunk, Document


def chunks_of(text: str, size: int = 2, overlap: int = 1) -> list[Chunk]:
    document = Document("d", text, "d")
    return chunk(document, split(text), size, overlap)


def test_windows_overlap_so_that_a_fact_over_two_sentences_is_whole_in_one() -> None:
    found = [each.text for each in chunks_of("One. Two. Three. Four.")]
    assert found == ["One. Two.", "Two. Three.", "Three. Four."]


def test_a_short_document_is_one_chunk() -> None:
    assert [each.text for each in chunks_of("Only this.")] == ["Only this."]
    assert [each.text for each in chunks_of("This. That.")] == ["This. That."]
    assert chunks_of(" \n ") == []


def test_the_last_window_is_not_part_of_the_one_before() -> None:
    assert [each.text for each in chunks_of("A b. C d. E f.", 2, 0)] == ["A b. C d.", "E f."]
    assert [each.text for each in chunks_of("A b. C d. E f.", 3, 1)] == ["A b. C d. E f."]


def test_a_heading_goes_with_what_follows_it() -> None:
    text = "Old end.\n\n# Fees\n\n## Late\n\nThe fee is 5%. It is due.  It grows."
    found = [each.text for each in chunks_of(text)]
    assert found == [
        "Old end.",
        "Fees\n\n## Late\n\nThe fee is 5%. It is due.",
        "It is due.  It grows.",
    ]


def test_rows_and_sentences_count_on_from_where_the_index_stands() -> None:
    text = "One. Two. Three."
    found = chunk(Document("d", text, "d"), split(text), first_row=10, first_sentence=40)
    assert [(each.row, each.sentences.start, each.sentences.end) for each in found] == [
        (10, 40, 42),
        (11, 41, 43),
    ]


@pytest.mark.parametrize("size, overlap", [(0, 0), (2, 2), (2, -1), (-1, 0)])
def test_a_window_that_cannot_move_on_is_refused(size: int, overlap: int) -> None:
    with pytest.raises(ValueError, match=str(size)):
        chunks_of("One. Two.", size, overlap)


@given(
    st.lists(st.sampled_from(["It is.", "# Head", "- item", "| a | b |", ""]), max_size=20),
    st.integers(1, 4),
    st.integers(0, 3),
)
def test_every_sentence_is_in_a_window_and_no_window_in_another(
    lines: list[str], size: int, overlap: int
) -> None:
    text = "\n\n".join(lines)
    sentences = split(text)
    found = chunks_of(text, size, min(overlap, size - 1))
    assert all(each.span.of(text) == each.text for each in found)
    assert {at for each in found for at in range(each.sentences.start, each.sentences.end)} == set(
        range(len(sentences))
    )
    for one, other in pairwise(found):
        assert one.sentences.start < other.sentences.start
        assert one.sentences.end < other.sentences.end
    assert all(len(each.sentences) <= 2 * size for each in found)
