"""RTF: what a reader of the document sees, in its order, as Markdown."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halgo import Checker, DocumentError, UnsupportedFormatError
from halgo.sources.folders import read_files
from halgo.sources.readers import read_bytes
from halgo.sources.richtext import read_rtf

HEAD = (
    rb"{\rtf1\ansi\ansicpg1252\uc1\deff0{\fonttbl{\f0\fcharset0 Times;}{\f4\fcharset238 Arial CE;}}"
    rb"{\colortbl;\red0\green0\blue0;}"
    rb"{\stylesheet{\ql\snext0 Normal;}{\s1\outlinelevel0\b\sbasedon0\snext0 heading 1;}}"
    rb"{\info{\title Not the text}{\author Nobody}}{\header Page head\par}{\footer Page 3\par}"
)


def text_of(body: bytes) -> str:
    return read_rtf(HEAD + body + b"}", "a.rtf")[0]


def warnings_of(body: bytes) -> list[str]:
    return read_rtf(HEAD + body + b"}", "a.rtf")[2]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (rb"\pard One.\par\pard Two {\b bold}.\par", "One.\n\nTwo bold."),
        (rb"\pard No end", "No end"),
        (b"\\pard wor\r\nd on\\line e\\par", "word on e"),
        (rb"\pard\s1 Fees\par\pard Due.\par", "# Fees\n\nDue."),
        (rb"\pard\outlinelevel1 Fees\par", "## Fees"),
        (rb"\pard caf\'e9 \u8364 ?20\u8212\'97more\par", "café €20—more"),
        (rb"\pard\uc0 \u8364 20\par", "€20"),
        (rb"\pard \u-10179 ?\u-8704 ?\par", "\U0001f600"),
        (rb"\pard {\f4 \'9c}\'9c\par", "śœ"),
        (rb"\pard 45 m{\super 2}, H{\sub 2}O\par", "45 m², H₂O"),
        (rb"\pard a{\v hidden}b\par", "ab"),
        (rb"\pard \{a\}\\b\~c\_d\-e\par", "{a}\\b c-de"),
        (rb"\pard {\field{\*\fldinst HYPERLINK \"http://x\"}{\fldrslt here}} now\par", "here now"),
        (rb"\pard a{\pict\wmetafile8 010203}{\*\new b}{\pict\bin6 }}}{{{}c\par", "ac"),
        (
            rb"\pard Free.{\footnote\pard {\super 1} Not for firms.}\par\pard Next.\par",
            "Free.\n\n¹ Not for firms.\n\nNext.",
        ),
        (
            rb"{\listtext\'b7\tab}\pard One\par{\listtext\'b7\tab}\pard\ilvl1 Two\par\pard End\par",
            "- One\n  - Two\n\nEnd",
        ),
        (rb"{\listtext 2.\tab}\pard Two\par{\listtext 2.1\tab}\pard A\par", "2. Two\n\n2.1 A"),
    ],
)  # fmt: skip
def test_text_is_read_as_it_is_shown(body: bytes, text: str) -> None:
    assert text_of(body) == text


ROW = rb"\trowd\cellx1\cellx2\pard\intbl %b\cell %b\cell\row"


def test_a_table_has_its_rows_and_the_list_before_it_comes_before_it() -> None:
    rows = b"".join(ROW % cells for cells in ((b"Plan", b"Price"), (b"Plus", rb"20\par a month")))
    item = rb"{\listtext\'b7\tab}\pard Item\par"
    assert text_of(item + rows + rb"\pard After.\par") == (
        "- Item\n\n| Plan | Price |\n| --- | --- |\n| Plus | 20 a month |\n\nAfter."
    )


def test_merged_cells_are_told_in_each_of_their_places() -> None:
    merged = (
        rb"\trowd\cellx1\cellx2\cellx3\pard\intbl Plan\cell May\cell June\cell\row"
        rb"\trowd\clvmgf\cellx1\clmgf\cellx2\clmrg\cellx3\pard\intbl Plus\cell 20\cell\cell\row"
        rb"\trowd\clvmrg\cellx1\cellx2\cellx3\pard\intbl\cell 21\cell 22\cell\row"
    )
    assert text_of(merged).splitlines()[2:] == ["| Plus | 20 | 20 |", "| Plus | 21 | 22 |"]


def test_what_was_deleted_or_struck_out_is_not_said_any_more() -> None:
    body = rb"\pard It is 2%{\deleted  or 3%}{\strike , or 4%}.\par"
    assert text_of(body) == "It is 2%."
    said = " ".join(warnings_of(body))
    assert "tracked changes" in said and "struck-out text is left out (1 times)" in said
    assert not warnings_of(rb"\pard It is 2%.\par")


@pytest.mark.models
def test_a_claim_is_checked_against_a_cell_of_its_table(tmp_path: Path) -> None:
    rows = b"".join(
        ROW % cells
        for cells in ((b"Plan", b"Price"), (b"Plus", b"20 euros"), (b"Max", b"35 euros"))
    )
    (tmp_path / "plans.rtf").write_bytes(HEAD + rows + b"}")
    checker = Checker.from_files([tmp_path])
    right, wrong = checker.check_claims(
        ["The price of the Max plan is €35.", "The price of the Max plan is €20."]
    ).results
    assert right.verdict.value == "SUPPORTED" and wrong.verdict.value == "CONTRADICTION"


def test_a_word_file_that_is_rtf_is_read_and_another_is_told_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "a.doc").write_bytes(HEAD + rb"\pard The fee is 5%.\par}")
    (tmp_path / "b.doc").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600)
    documents, warnings = read_files([tmp_path])
    assert [document.text for document in documents] == ["The fee is 5%."]
    assert len(warnings) == 1 and "old Word files are not read; save it as .docx" in warnings[0]
    with pytest.raises(UnsupportedFormatError, match=r"save it as \.docx"):
        read_files([tmp_path / "b.doc"])


@pytest.mark.parametrize("data", [b"plain text", b"PK\3\4", b"{\\html"])
def test_what_is_no_rtf_is_refused(data: bytes) -> None:
    with pytest.raises(DocumentError, match="no RTF file"):
        read_bytes(data, "a.rtf")


def test_groups_nested_without_end_are_refused() -> None:
    with pytest.raises(DocumentError, match="nested more than 1,000 deep"):
        text_of(b"{" * 2_000)


_TOKENS = (
    *rb"{ } \par \cell \row \trowd \intbl \pard \* \footnote \bin5 \clvmrg \clmrg".split(),
    *rb"\listtext \cellx9 \fonttbl \f1 \fcharset128 \stylesheet \s1 \u8364? \u-10179? \'e9".split(),
    *rb"\strike \ \ansicpg932 \uc999999999 \super \outlinelevel99 words 12 heading1".split(),
    *(b" ", b"\n", rb"\f1 "),
)


@given(st.lists(st.sampled_from(_TOKENS), max_size=60).map(b"".join))
def test_any_tokens_are_read_without_a_crash_and_into_no_more_than_they_are(body: bytes) -> None:
    text, _, _ = read_rtf(b"{\\rtf1 " + body, "a.rtf")
    assert len(text) < 60 * len(body) + 1_000


@pytest.mark.parametrize(
    "piece",
    [rb"\trowd\pard\intbl a\cell b\cell\row", rb"{\listtext -}a\par ", rb"{\footnote a}", b"\\",
     b"{}", rb"\cellx1", rb"\f1 a\f4 b", b"a"],
)  # fmt: skip
def test_a_long_file_is_read_in_proportion(piece: bytes) -> None:
    def seconds(size: int) -> float:
        body = piece * (size // len(piece))
        started = time.process_time()
        text_of(body)
        return time.process_time() - started

    few = min(seconds(30_000) for _ in range(3))
    assert seconds(240_000) < 8 * 3 * max(few, 0.005)
