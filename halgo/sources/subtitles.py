"""WebVTT and SubRip -> what is said, in paragraphs: without numbers and times, behind its speaker.

    <v Anna>The budget is    and    <v Anna>40,000 euros.

of two cues become "Anna: The budget is 40,000 euros." Cues that go on what the one before said are
one paragraph with it, and a line that is shown again, as captions roll on, is told once.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from halgo.sources.grids import untagged

_TIME = r"(?:\d{1,4}:)?\d{1,2}:\d\d[.,]\d{1,3}"
_TIMES = re.compile(rf"\s{{0,9}}{_TIME}\s{{0,9}}-->\s{{0,9}}{_TIME}(?:\s|$)")
_VOICE = re.compile(r"<v(?:\.[^\s<>]{1,60})?\s{1,9}([^<>]{1,100})>")
_MARKS = re.compile(r"<[^<>]{0,200}>|\{\\[^{}]{0,60}\}")
# Blocks of WebVTT that are not shown.
_UNSHOWN = ("NOTE", "STYLE", "REGION", "WEBVTT")
# "Anna: We agree." where no tag tells the speaker, and "- We agree." of another one.
_NAMED = re.compile(r"([^\W\d_a-z][\w.'’ -]{0,40}(?: \([^()]{1,30}\))?):\s+(?=\S)")
_DASHED = re.compile(r"[-\u2013\u2014]\s*(?=\S)")


class _Said(NamedTuple):
    """What is said in a line: by whom ("" where nobody is named), and whether it goes on."""

    speaker: str
    text: str
    goes_on: bool


def spoken(text: str) -> str | None:
    """The paragraphs of a text of cues; None where it has none."""
    lines = text.splitlines()
    starts = [k for k, line in enumerate(lines) if _TIMES.match(line)]
    if not starts:
        return None
    paragraphs: list[list[str]] = []
    speaker = last = ""
    for said in _said(_cues(lines, starts), voiced=_VOICE.search(text) is not None):
        if said.text == last and (said.goes_on or said.speaker == speaker):
            continue  # captions that roll on
        last = said.text
        if paragraphs and (said.goes_on or (said.speaker and said.speaker == speaker)):
            paragraphs[-1].append(said.text)
            continue
        speaker = said.speaker
        paragraphs.append([f"{speaker}: {said.text}" if speaker else said.text])
    return "\n\n".join(untagged(" ".join(some)) for some in paragraphs)


def _cues(lines: list[str], starts: list[int]) -> Iterator[str]:
    """What each cue shows, its lines below one another; `starts` are the lines with the times."""
    for at, following in pairwise([*starts, len(lines)]):
        shown = lines[at + 1 : following]
        if following < len(lines) and shown and shown[-1].strip():
            # The number or the name of the next cue.
            alone = len(shown) == 1 or not shown[-2].strip()
            if alone or shown[-1].strip().isdecimal():
                shown = shown[:-1]
        blocks = "\n".join(line.strip() for line in shown).split("\n\n")
        yield "\n".join(block for block in blocks if not block.startswith(_UNSHOWN))


def _said(cues: Iterator[str], voiced: bool) -> Iterator[_Said]:
    """The lines of all cues, with their speakers. voiced: whether tags tell these."""
    for cue in cues:
        before, *told = _VOICE.split(cue)
        voices = [("", before), *zip(told[::2], told[1::2], strict=True)]
        for voice, shown in voices:
            speaker, goes_on = _plain(voice), not voiced
            for line in filter(None, map(_plain, shown.split("\n"))):
                dash = _DASHED.match(line)
                line = line[dash.end() :] if dash and not voice else line
                named = None if voiced else _NAMED.match(line)
                if named:
                    yield _Said(named[1], line[named.end() :], False)
                else:
                    yield _Said(speaker, line, goes_on and not dash)
                goes_on = True


def _plain(shown: str) -> str:
    """A line without tags and settings, in one form of blanks."""
    return " ".join(html.unescape(_MARKS.sub("", shown)).split())
