"""Claim -> the claim as models read it: one form for what differs only in how it was typed.

A full stop at the end, whether one was written or not; no quotation marks around the whole; a
hyphen within words and ranges and a dash between clauses, whichever of the two signs was typed; a
claim without the "I think" before it. A parser, an encoder and an entailment model each read these
as if they meant something.

What the caller sees is the claim as it was written: the form here lives from the search for
passages to the verdict, and its reading still points into the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from halgo.claims.phrases import HEDGED
from halgo.sources.stops import OTHER_STOPS
from halgo.types import Claim, Piece, Reading, Span

_DASHES = "-\u2012\u2013"
_DASH = re.compile(rf"(?P<apart>(?<=\s)[{_DASHES}](?=\s))|[{_DASHES}]")
# A dash with spaces around it sets a clause apart, but not in "10 - 3" and "5 \u2013 7".
_AFTER_NUMBER = re.compile(r"\d[%\u00b0]?\s\Z")
_BEFORE_NUMBER = re.compile(r"\s[$\u20ac\u00a3\u00a5]?\d")
_QUOTES = {'"': '"', "'": "'", "\u00ab": "\u00bb"}  # typographic ones are read as straight ones
_BEFORE_OPENING = frozenset(" ([\u2014\u2013-")
_STOPS = " .\u2026"
# Behind these no full stop is missing; brackets and quotation marks may close behind them.
_ENDS = frozenset(f"!?:;,-\u2013\u2014.\u2026{OTHER_STOPS}")
_CLOSING = " )]'\"\u00bb"
_LONGEST_HEDGE = 120
_STRAIGHT = {0x2019: "'"}


def as_read(claim: Claim) -> Claim:
    """The claim with its reading in normal form; itself where it is in that form already."""
    reading = _unhedged(normal(claim.reading))
    if reading.text == claim.text == claim.reading.text:
        return claim
    resolved = reading.text
    if claim.resolved != claim.text:
        resolved = _unhedged(normal(Reading.verbatim(claim.resolved))).text
    return replace(claim, text=reading.text, reading=reading, resolved=resolved)


def normal(reading: Reading) -> Reading:
    """The reading in normal form."""
    if not any(map(str.isalnum, reading.text)):
        return reading
    reading = _unquoted(reading)
    text = dashed(reading.text)
    reading = Reading(text, reading.pieces)
    end = len(text.rstrip(_STOPS))
    tail = text[end:]
    stops = len(tail.strip()) > 0
    # Behind "these:" and "is it?" a full stop is one too many.
    ended = text[end - 1] in _ENDS or (not stops and text[:end].rstrip(_CLOSING)[-1:] in _ENDS)
    if tail == ("" if ended else "."):
        return reading
    bare = spliced(reading, [(Span(end, len(text)), "." if stops and not ended else "")])
    return bare if stops or ended else Reading(f"{bare.text}.", bare.pieces)


def dashed(text: str) -> str:
    """`text` with one sign for hyphens and ranges and one for dashes; the length stays."""
    if not any(dash in text for dash in _DASHES):
        return text
    return _DASH.sub(_sign, text)


def _sign(found: re.Match[str]) -> str:
    if found["apart"] is None:
        return "-"
    text, (start, end) = found.string, found.span()
    after = _AFTER_NUMBER.search(text, max(0, start - 4), start)
    return "-" if after and _BEFORE_NUMBER.match(text, end) else "\u2013"


def spliced(reading: Reading, edits: Iterable[tuple[Span, str]]) -> Reading:
    """The reading with other characters in place of some stretches of it.

    edits: stretches that ascend and do not overlap, each with what is read instead. What both
    begin and end with stays where it stood, and all of it where both are of one length.
    """
    edits = list(edits)
    if not edits:
        return reading
    bounds = [0, *(place for span, _ in edits for place in (span.start, span.end))]
    parts = _divided(reading, [*bounds, len(reading.text)])
    for at, (_, said) in enumerate(edits):
        parts[2 * at + 1] = _instead(parts[2 * at + 1], said)
    return Reading.joined(parts, glue="")


def _divided(reading: Reading, bounds: Sequence[int]) -> list[Reading]:
    """The stretches of a reading between ascending bounds."""
    parts, first = [], 0
    for start, end in pairwise(bounds):
        pieces = []
        while first < len(reading.pieces) and _end(reading.pieces[first]) <= start:
            first += 1
        at = first
        while at < len(reading.pieces) and reading.pieces[at].at < end:
            piece = reading.pieces[at]
            low, high = max(start, piece.at), min(end, _end(piece))
            origin = piece.span.start + low - piece.at
            pieces.append(Piece(low - start, Span(origin, origin + high - low), piece.code))
            at += 1
        parts.append(Reading(reading.text[start:end], tuple(pieces)))
    return parts


def _end(piece: Piece) -> int:
    return piece.at + len(piece.span)


def _instead(reading: Reading, said: str) -> Reading:
    """`said` read where the reading stood."""
    old = reading.text
    if len(old) == len(said):
        return Reading(said, reading.pieces)
    most = min(len(old), len(said))
    head = next((at for at in range(most) if old[at] != said[at]), most)
    tail = next((at for at in range(most - head) if old[-1 - at] != said[-1 - at]), most - head)
    before, _, after = _divided(reading, [0, head, len(old) - tail, len(old)])
    middle = Reading(said[head : len(said) - tail], ())
    return Reading.joined([before, middle, after], glue="")


def respelled(claim: Claim, words: Mapping[str, str]) -> Claim:
    """The claim with words read as others, wherever they stand in it as whole words."""
    if not words:
        return claim
    found = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(words)))})\b")
    edits = [(Span(*match.span()), words[match[0]]) for match in found.finditer(claim.text)]
    reading = spliced(claim.reading, edits)
    resolved = found.sub(lambda match: words[match[0]], claim.resolved)
    return replace(claim, text=reading.text, reading=reading, resolved=resolved)


def as_written(part: Claim, claim: Claim) -> Claim:
    """A part of the claim's normal form in the characters of the claim as it was written."""
    there = {
        piece.span.start + at: claim.reading.text[piece.at + at]
        for piece in claim.reading.pieces
        for at in range(len(piece.span))
    }
    said = list(part.text)
    for piece in part.reading.pieces:
        for at in range(len(piece.span)):
            said[piece.at + at] = there.get(piece.span.start + at, said[piece.at + at])
    text = "".join(said)
    if text == part.text:
        return part
    resolved = text if part.resolved == part.text else part.resolved
    return replace(part, text=text, reading=Reading(text, part.reading.pieces), resolved=resolved)


def _unhedged(reading: Reading) -> Reading:
    """The reading without the words before what it says: "I think that", "Did you know that"."""
    end = 0
    for _ in range(2):  # "In my opinion, I think ..."
        low = reading.text[end : end + _LONGEST_HEDGE].translate(_STRAIGHT).lower()
        found = HEDGED.match(low)
        end += found.end() if found else 0
    left = reading.text[end : end + _LONGEST_HEDGE].split()
    if not end or len(left) < 3:
        return reading
    first = Span(end, end + 1)
    edits = [(Span(0, end), ""), (first, first.of(reading.text).upper()[:1])]
    asked = len(reading.text.rstrip("?"))
    if asked < len(reading.text):  # "Did you know that the fee is 5%?"
        edits.append((Span(asked, len(reading.text)), "."))
    return spliced(reading, edits)


def _unquoted(reading: Reading) -> Reading:
    """The reading without quotation marks that enclose the whole of it and nothing else.

    Of several sentences in quotation marks the first has only the mark that opens and the last
    only the one that closes: these go too.
    """
    text = reading.text
    start, end = len(text) - len(text.lstrip()), len(text.rstrip(_STOPS + "!?"))
    if end - start < 2:
        return reading
    first, last = Span(start, start + 1), Span(end - 1, end)
    cuts: list[tuple[Span, str]] = []
    for opening, closing in _QUOTES.items():
        if text[start] != opening and text[end - 1] != closing:
            continue
        partners = _partners(text, opening, closing)
        whole = partners.get(start) == end - 1
        alone = opening != "'"  # "'Tis the boys'" and a pipe of 5" are no quotations
        if whole or (alone and text[start] == opening and start not in partners):
            cuts.append((first, ""))
        alone = alone and not text[end - 2].isdigit() and end - 1 not in partners.values()
        if whole or (alone and text[end - 1] == closing):
            cuts.append((last, ""))
    return spliced(reading, cuts)


def _partners(text: str, opening: str, closing: str) -> dict[int, int]:
    """Where quotations open -> where they close; straight marks open behind space only."""
    found: dict[int, int] = {}
    open_: list[int] = []
    for at in (at for at, char in enumerate(text) if char in (opening, closing)):
        if opening == "'" and text[at - 1 : at].isalnum() and text[at + 1 : at + 2].isalnum():
            continue  # an apostrophe
        opens = text[at] == opening
        if opening == closing:
            opens = at == 0 or text[at - 1] in _BEFORE_OPENING or at - 1 in open_[-1:]
            opens = opens and not text[at + 1 : at + 2].isspace()
        if opens:
            open_.append(at)
        elif open_:
            found[open_.pop()] = at
    return found
