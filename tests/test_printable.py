"""Names and keys of others, in messages: what acts or does not show is written out."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from halgo.printable import printable, shows


@pytest.mark.parametrize(
    "text, shown",
    [
        ("\x1b]0;owned\x07.txt", r"\x1b]0;owned\x07.txt"),
        ("a\nwarning: forged\t.txt", r"a\x0awarning: forged\x09.txt"),
        ("csi \x9b2J", r"csi \x9b2J"),
        ("invoice\u202efdp.exe", r"invoice\u202efdp.exe"),
        ("pla\u200bn \ufeff", r"pla\u200bn \ufeff"),
        ("tag \U000e0041\U000e007f", r"tag \U000e0041\U000e007f"),
        ("line\u2028break\u2029\x85", r"line\u2028break\u2029\x85"),
        ("caf\udce9.txt", r"caf\udce9.txt"),
    ],
)
def test_what_acts_or_does_not_show_is_written_out(text: str, shown: str) -> None:
    assert printable(text) == shown


@pytest.mark.parametrize(
    "text", ["", "plan.md", "Café ñandú.pdf", "契約書　2024.txt", "договор.docx", r"C:\docs\a.txt"]
)
def test_ordinary_names_stay_as_they_are(text: str) -> None:
    assert printable(text) == text


def test_nothing_that_unicode_calls_invisible_gets_through() -> None:
    hidden = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
    every = (chr(code) for code in range(sys.maxunicode + 1))
    through = [c for c in every if unicodedata.category(c) in hidden and printable(c) == c]
    assert through == []


def test_what_is_written_can_always_be_encoded() -> None:
    assert printable("\ud800\udfff").encode("ascii") == rb"\ud800\udfff"


@pytest.mark.parametrize(
    ("text", "does"),
    [("", False), (" \n\u00a0\u3000", False), ("\u200b\ufeff", False), ("\u200ba", True)],
)
def test_text_shows_by_one_character(text: str, does: bool) -> None:
    assert shows(text) is does


def test_no_character_both_shows_and_is_written_out() -> None:
    shown = "".join(filter(shows, map(chr, range(sys.maxunicode + 1))))
    assert len(shown) > 800_000 and printable(shown) == shown
