"""Citation marks: what is one, where it stands, and that a claim is read without it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from halgo.claims.markers import CANDIDATE, LOOKAHEAD, begun_at, marks_of
from halgo.claims.unmark import settled, unmarked
from halgo.sources.sentences import split


def found(text: str, names: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    return [(one.kind, one.span.of(text)) for one in marks_of(text, names).markers]


def read(text: str) -> list[str]:
    return [one.reading.text for one in unmarked(text, split(text)) if one.block != "source"]


@pytest.mark.parametrize(
    "mark, kind, numbers",
    [
        ("[1]", "number", (1,)),
        ("[1, 3]", "number", (1, 3)),
        ("[1-3]", "number", (1, 2, 3)),
        ("[1; 4\u20136]", "number", (1, 4, 5, 6)),
        ("[[2]]", "number", (2,)),
        ("\u30104\u2020source\u3011", "number", (4,)),
        ("[^note]", "footnote", ()),
        ("[Source 2]", "name", (2,)),
        ("(passage 2)", "name", (2,)),
        ("[handbook.md]", "name", ()),
        ("[source: The Handbook]", "name", ()),
        ("(Handbook, page 5)", "page", ()),
        ("(See the Handbook (2024), pp. 5-6)", "page", ()),
        ("(p. 7)", "page", ()),
        ("[1](https://example.org/a_(b))", "link", (1,)),
        ("(https://example.org)", "url", ()),
        ("([the handbook](https://example.org))", "link", ()),
    ],
)
def test_a_mark_is_found_and_not_read(mark: str, kind: str, numbers: tuple[int, ...]) -> None:
    for text in (f"The fee is 5% {mark}.", f"The fee is 5%.{mark}", f"The fee {mark} is 5%."):
        assert found(text) == [(kind, mark)]
        assert marks_of(text).markers[0].numbers == numbers
        assert read(text) == ["The fee is 5%."]


@pytest.mark.parametrize(
    "text",
    [
        "The fee is 5% (1).",
        "The fee is 5% [sic].",
        "The interval [1, 3] is closed.",
        "Call `a[1]` first.",
        "```\na[1]\n```",
        "Call ``b `a[1]`` first.",
        "Escaped \\[1] stays.",
        "It rose to [2020].",
        "An image ![1](a.png) here.",
        "The value is (p 0.05).",
        "The slot (P5) is free.",
        "- [ ] open",
        "The array is [0].",
        "See [the handbook][1].",
    ],
)
def test_what_is_no_mark_is_left_alone(text: str) -> None:
    assert found(text) == []
    assert unmarked(text, split(text)) == split(text)


def test_a_link_among_the_words_is_a_citation_and_is_read() -> None:
    text = "The [fee](https://example.org/fee) is 5%, see https://example.org/b."
    assert [kind for kind, _ in found(text)] == ["link", "url"]
    assert read(text) == ["The fee is 5%, see https://example.org/b."]


def test_several_marks_go_with_what_divides_them() -> None:
    assert read("The fee [1], [2] and [3] is 5% [4]-[6].") == ["The fee is 5%."]
    assert marks_of("5% [4]-[6].").markers[1].numbers == (5, 6)


def test_a_mark_in_the_head_of_a_table_is_not_read_in_its_rows() -> None:
    assert read("| Plan | Price [1] |\n|---|---|\n| Gold [2] | 5 [3] |") == [
        "Plan: Gold \N{EM DASH} Price: 5"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "It is `rested' and well [1].",
        "It is ``rested` and well [1].",
        "It is `rested' and well\n[1]. `a",
    ],
)
def test_a_backtick_that_nothing_closes_in_its_line_hides_no_mark(text: str) -> None:
    assert found(text) == [("number", "[1]")]


def test_the_longest_mark_is_told_within_the_lookahead() -> None:
    url = "https://".ljust(2000, "a")
    text = f"- The fee [\n{'1 ' * 148}]({url}) is 5%.\n- It rose [1]."
    line, begun = begun_at(text, 12)
    assert [kind for kind, _ in found(text)] == ["link", "number"]
    assert (line, begun.done) == (12, 2299)
    assert begun_at(text[: 12 + LOOKAHEAD], 12) == (line, begun)
    assert begun_at(text[: 12 + 2298], 12) != (line, begun)


def test_names_of_sources_are_marks_and_so_is_what_looks_like_one() -> None:
    text = "It is 5 [kb-7] or 6 [kb-99], not [abc]. (Staff Handbook)"
    assert found(text) == []
    names = ("kb-7", "kb-12", "staff handbook")
    assert [mark for _, mark in found(text, names)] == ["[kb-7]", "[kb-99]", "(Staff Handbook)"]


@pytest.mark.parametrize(
    "tail, labels",
    [
        ("Sources:\n[1] Handbook, page 3\n[2] Contract", ["1", "2"]),
        ("## References\n\n1. Handbook\n2. Contract", ["1", "2"]),
        ("**Sources**\n- Handbook\n- Contract", ["", ""]),
        ("[^1]: Handbook, page 3.\n[^2]: Contract. It is signed.", ["1", "2"]),
        ("[1]: https://example.org/a", ["1"]),
        ("[1] Handbook, page 3\n  and 4", ["1"]),
    ],
)
def test_a_list_of_sources_is_no_claim(tail: str, labels: list[str]) -> None:
    text = f"The fee is 5% [1].\n\n{tail}"
    assert [entry.label for entry in marks_of(text).entries] == labels
    assert read(text) == ["The fee is 5%."]


def test_what_follows_a_list_of_sources_is_read() -> None:
    text = "The fee is 5% [1].\n\nSources:\n[1] Handbook\n\nPayment is due in 30 days."
    assert read(text) == ["The fee is 5%.", "Payment is due in 30 days."]
    text = "Sources of income\n\n- Fees are 5%.\n\n[1] was never cited before."
    assert marks_of(text).entries == ()


PIECES = ["[1]", "[", "]", "(", ")", "page 5", "(A, page 5)", "`", "```", "\n", "\n\n", " ", ". "]
PIECES += ["Fee", "The fee is 5%", "Sources:\n", "[^a]", "[^a]: x", "[1] x", "- ", "1. ", "|", "-"]
PIECES += ["](", "https://e.org/a", "\\", "\u3010", "\u3011", "!", "**", "[1, 2", ",", " and "]
texts = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


@given(texts)
def test_a_reading_without_marks_still_points_into_the_text(text: str) -> None:
    sentences = unmarked(text, split(text))
    assert [one.span for one in sentences] == [one.span for one in split(text)]
    for sentence in sentences:
        for piece in sentence.reading.pieces:
            shown = sentence.reading.text[piece.at : piece.at + len(piece.span)]
            assert shown.replace(" ", "") == piece.span.of(text).replace("\n", "").replace(" ", "")


@given(texts, st.integers(0, 200))
@example("The fee [a (A. Fee is, page 5). B. ", 25)
@example("It `is [1]. Fee `x. The fee.", 20)
@example("Sources:\n- Fee\n- The fee is 5%\n[1]", 25)
def test_what_follows_never_changes_the_marks_of_a_closed_sentence(text: str, cut: int) -> None:
    begun = text[:cut]
    marked = CANDIDATE.search(begun) is not None
    place = settled(begun, marks_of(begun), marked)
    closed = [one for one in unmarked(begun, split(begun))[:-1] if one.span.end <= place]
    assert closed == unmarked(text, split(text))[: len(closed)]


@given(
    st.lists(st.sampled_from([*PIECES, "\r", "\r\n", "\v", "interval\n"]), max_size=60).map("".join)
)
@example("(A,\n- page 5) [1] and\n\n[1] x")
@example("The interval\n[1, 3] [2]\n- [4]")
@example("Sources:\n- a\n  b [1]")
def test_marks_are_told_from_any_line_on(text: str) -> None:
    whole = marks_of(text)
    for place in range(len(text)):
        line, begun = begun_at(text, place)
        rest = marks_of(text[line:], begun=begun)
        assert line <= place
        assert [replace(one, span=one.span.shift(line)) for one in rest.markers] == [
            one for one in whole.markers if one.span.start >= line
        ]
        for kind in ("heads", "code", "open_code"):
            spans = [one.shift(line) for one in getattr(rest, kind)]
            assert [one for one in spans if one.start >= line] == [
                one for one in getattr(whole, kind) if one.start >= line
            ]
        ends = [(one.label, one.span.end + line) for one in rest.entries]
        assert [one for one in ends if one[1] > line] == [
            (one.label, one.span.end) for one in whole.entries if one.span.end > line
        ]
        assert rest.open_fence == whole.open_fence


@given(texts)
def test_marks_ascend_and_do_not_overlap(text: str) -> None:
    marks = marks_of(text)
    spans = [one.span for one in marks.markers]
    assert all(a.end <= b.start for a, b in pairwise(spans))
    assert all(0 <= one.start < one.end <= len(text) for one in spans)


@pytest.mark.parametrize("unit", ["[", "[1", "[1](", "(", "(A, page 1", "[1, ", "`[1", "](", "[^a"])
def test_endless_brackets_are_looked_at_a_bounded_number_of_times(unit: str) -> None:
    # Quadratic time would take minutes here.
    assert len(marks_of(unit * 20_000).markers) <= 20_000
    assert marks_of(unit * 9_000 + "1" + "]" * 9_000) is not None
