"""Sentences of an answer -> the same as they are read, without their citation marks."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from halgo.claims.markers import CANDIDATE, Marker, Marks, marks_of
from halgo.types import Piece, Reading, Sentence, Span

# What leads up to a mark and says nothing without it: "According to [1], late fees are 5%."
_LEADS_TO = re.compile(
    r"(?:\b(?:according to|based on|per|from|(?:as (?:\w{1,12} )?)?(?:in|by)|see))\s+\Z",
    re.IGNORECASE,
)
_LONGEST_LEAD = 40  # characters of it
# What divides two marks: "[1], [2] and [3]".
_BETWEEN = re.compile(r"\s?(?:[,;/&\u2013\u2014-]|and)?\s?\Z")


def unmarked(
    text: str, sentences: Sequence[Sentence], marks: Marks | None = None
) -> list[Sentence]:
    """The sentences of `text` without their citation marks; lines of a list of sources as such.

    A sentence that is nothing but marks, and one that lies in such a list, gets block "source"
    and keeps its words. A mark that a sentence's end divides stays where it is. marks: those of
    the text; without them they are looked for where anything in the text may be one.
    """
    if marks is None and not CANDIDATE.search(text):
        return list(sentences)
    marks = marks or marks_of(text)
    lists = sorted([*marks.heads, *(entry.span for entry in marks.entries)])
    starts = [span.start for span in lists]

    def listed(place: int) -> bool:
        at = bisect_right(starts, place) - 1
        return at >= 0 and place < lists[at].end

    found = []
    inside = spans_within([sentence.span for sentence in sentences], marks.markers)
    for sentence, mine in zip(sentences, inside, strict=True):
        if listed(sentence.span.start) and listed(sentence.span.end - 1):
            found.append(replace(sentence, block="source"))
            continue
        if sentence.block == "row":  # the name of a column stands in another line
            pieces = [piece.span for piece in sentence.reading.pieces]
            mine = tuple(m for some in spans_within(pieces, marks.markers) for m in some)
        bare = without(sentence.reading, _spans(text, mine))
        if mine and not any(char.isalnum() for char in bare.text):
            found.append(replace(sentence, block="source"))
            continue
        spans = _spans(text, [marker for marker in mine if marker.beside])
        beside = [_with_lead(text, span) for span in spans]
        if beside != spans or not all(marker.beside for marker in mine):
            bare = without(sentence.reading, beside)
        if beside and not any(char.isalnum() for char in bare.text):  # "See [1]."
            found.append(replace(sentence, block="source"))
            continue
        found.append(replace(sentence, reading=bare) if beside else sentence)
    return found


def settled(text: str, marks: Marks, marked: bool) -> int:
    """Up to where nothing that is added to `text` makes other sentences of those without marks.

    A backtick begins code when another one closes it in its line, which may still come. marked:
    whether anything in the answer may be a mark; if nothing does, a list of sources is none.
    """
    if not marked:
        return marks.heads[0].start if marks.heads else len(text)
    last = marks.open_code[-1] if marks.open_code else None
    return last.start if last is not None and last.end == len(text) else len(text)


def without(reading: Reading, markers: Iterable[Span]) -> Reading:
    """The reading without what stands there in the original; spaces before it go with it."""
    cuts = sorted(_cuts(reading, markers))
    if not cuts:
        return reading
    kept: list[tuple[int, int]] = []
    at = 0
    for start, end in cuts:
        kept.append((at, max(start, at)))
        at = max(at, end)
    kept.append((at, len(reading.text)))
    return _joined(reading, kept)


def _cuts(reading: Reading, spans: Iterable[Span]) -> Iterator[tuple[int, int]]:
    """Stretches of the reading that stand in `spans`."""
    apart = Span.joined(spans)
    starts = [span.start for span in apart]
    for piece in reading.pieces:
        offset = piece.at - piece.span.start
        for at in range(max(0, bisect_right(starts, piece.span.start) - 1), len(apart)):
            start = max(apart[at].start, piece.span.start)
            end = min(apart[at].end, piece.span.end)
            if apart[at].start >= piece.span.end:
                break
            if start < end:
                yield start + offset, end + offset


def _joined(reading: Reading, kept: list[tuple[int, int]]) -> Reading:
    """The kept stretches one after the other, with no white space left over between them."""
    text = reading.text
    parts: list[tuple[int, int]] = []
    last = ""
    for start, end in kept:
        while start < end and text[start] == " " and last in ("", " ", "("):
            start += 1
        if start >= end:
            continue
        if text[start] in ".,;:!?)" and parts:  # "5% [1]." -> "5%."
            first, stop = parts[-1]
            while stop > first and text[stop - 1] == " ":
                stop -= 1
            parts[-1] = (first, stop)
        parts.append((start, end))
        last = text[end - 1]
    while parts and text[parts[-1][1] - 1] == " ":
        start, end = parts.pop()
        if end - 1 > start:
            parts.append((start, end - 1))
    pieces: list[Piece] = []
    length = 0
    places = [piece.at for piece in reading.pieces]
    for start, end in parts:
        near = slice(max(0, bisect_right(places, start) - 1), bisect_left(places, end))
        for piece in reading.pieces[near]:
            first, stop = max(start, piece.at), min(end, piece.at + len(piece.span))
            if first < stop:
                origin = piece.span.start + first - piece.at
                place = Span(origin, origin + stop - first)
                pieces.append(Piece(length + first - start, place, piece.code))
        length += end - start
    return Reading("".join(text[start:end] for start, end in parts), tuple(pieces))


def _spans(text: str, markers: Sequence[Marker]) -> list[Span]:
    """Where the marks stand, what divides two of them ("[1], [2]") with the first."""
    spans: list[Span] = []
    for marker in markers:
        last = spans[-1] if spans else None
        near = last is not None and 0 <= marker.span.start - last.end <= 5
        if last and near and _BETWEEN.match(text, last.end, marker.span.start):
            spans[-1] = Span(last.start, marker.span.end)
        else:
            spans.append(marker.span)
    return spans


def _with_lead(text: str, span: Span) -> Span:
    """The stretch with the preposition that leads up to it, and the comma behind both."""
    ahead = text[max(0, span.start - _LONGEST_LEAD) : span.start]
    lead = _LEADS_TO.search(ahead)
    if lead is None:
        return span
    start = span.start - len(ahead) + lead.start()
    before = text[:start].rstrip()[-1:]
    opens = before in ("", ".", "!", "?", ":", ",") or "\n" in text[max(0, start - 2) : start]
    comma = re.match(r",\s*", text[span.end : span.end + 5]) if opens else None
    return Span(start, span.end + (comma.end() if comma else 0))


def spans_within(spans: Iterable[Span], markers: Sequence[Marker]) -> list[tuple[Marker, ...]]:
    """For each span the marks that lie wholly in it; spans and marks ascend."""
    starts = [marker.span.start for marker in markers]
    found = []
    for span in spans:
        first = bisect_right(starts, span.start - 1)
        last = bisect_right(starts, span.end - 1)
        found.append(tuple(one for one in markers[first:last] if one.span.end <= span.end))
    return found
