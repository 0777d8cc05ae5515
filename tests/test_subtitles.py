from __future__ import annotations

import time
from pathlib import Path

import pytest

from halgo import Checker
from halgo.sources.folders import read_files
from halgo.sources.readers import read_bytes
from halgo.sources.subtitles import spoken

MEETING = """WEBVTT - Budget meeting

STYLE
::cue { color: white }

NOTE Times are local.

6f3a/12-0
00:00:01.000 --> 00:00:04.000 align:start
<v Anna>The budget is</v>

6f3a/12-1
00:00:04.000 --> 00:00:07.500
<v Anna>40,000 <i>euros</i>.</v>

6f3a/13-0
00:01:08.000 --> 00:01:09.000
<v Bob>I disagree &amp; want 35,000.</v>
<v.loud Anna>No.</v>

00:02:00.000 --> 00:02:03.000
(applause)
"""

FILM = """1
00:00:01,000 --> 00:00:04,000
ANNA: The office moves to Leeds
in May.

2
00:00:05,000 --> 00:00:06,000
{\\an8}Nobody knows it <b>yet</b>.

3
00:00:07,000 --> 00:00:08,000
- When?
- On 3 May.
4
00:00:09,000 --> 00:00:10,000
BOB: Good.
"""


def test_cues_become_paragraphs_behind_their_speakers() -> None:
    assert spoken(MEETING) == (
        "Anna: The budget is 40,000 euros.\n\nBob: I disagree & want 35,000.\n\nAnna: No.\n\n"
        "(applause)"
    )


def test_what_no_new_speaker_says_goes_on() -> None:
    text = spoken(FILM.replace("\n", "\r\n"))
    assert text == (
        "ANNA: The office moves to Leeds in May. Nobody knows it yet.\n\nWhen?\n\nOn 3 May.\n\n"
        "BOB: Good."
    )


def test_a_line_that_is_shown_again_is_told_once() -> None:
    rolling = """WEBVTT

00:00:01.000 --> 00:00:02.000
the fee is

00:00:02.000 --> 00:00:03.000
the fee is
<00:00:02.500><c>five percent</c>
"""
    assert spoken(rolling) == "the fee is five percent"
    agreed = "0:01.0 --> 0:02.0\n<v Ann>Yes.\n\n0:02.0 --> 0:03.0\n<v Bob>Yes.\n"
    assert spoken(agreed) == "Ann: Yes.\n\nBob: Yes."


@pytest.mark.parametrize("name, text", [("a.vtt", MEETING), ("a.srt", FILM)])
def test_subtitles_are_read_in_folders(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    (document,), warnings = read_files(tmp_path)
    assert document.text == spoken(text) and warnings == []


def test_a_file_without_times_is_text() -> None:
    document, (warning,) = read_bytes(b"Nothing is said.", "a.srt")
    assert document.text == "Nothing is said." and "no times" in warning


def test_a_claim_is_held_against_who_said_it() -> None:
    document, _ = read_bytes(MEETING.encode(), "a.vtt")
    right, wrong = Checker.from_docs(document).check_claims(
        ["Anna said that the budget is 40,000 euros.", "The budget is 30,000 euros."]
    )
    assert right.verdict.value == "SUPPORTED" and wrong.verdict.value == "CONTRADICTION"


@pytest.mark.parametrize("unit", ["<v A>x", "0:01,0 --> 0:02,0\n", "1\n\n", "<", "- A: "])
def test_hostile_subtitles_take_time_in_proportion(unit: str) -> None:
    text = "00:00:01,000 --> 00:00:02,000\n" + unit * (1_000_000 // len(unit))
    start = time.perf_counter()
    spoken(text)
    assert time.perf_counter() - start < 5
