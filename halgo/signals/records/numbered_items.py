"""Numbered items: which step comes first, who came second, by the numbers of a list.

"1. Unplug the device. 2. Remove the cover." is read item by item, and no item says that it is the
second. So "First, remove the cover" has all words of one, at the wrong place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from halgo.evidence.lexical import content_stems
from halgo.facts.words import words
from halgo.protocols import Lexicon
from halgo.signals.records.yes_no import DENIED
from halgo.types import Pair, Signal, Span, Stance

_WEIGHT = 0.75
_HELD = 0.6  # share of an item's words that the claim has
_LONGEST = 8_000  # characters of a passage
_ITEM = re.compile(r"^[ \t]*(?:step\s)?(\d{1,2})[.):]\s+(\S[^\n]{0,200})", re.MULTILINE | re.I)
_RANKS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_RANK = "|".join(_RANKS)
_PLACED = re.compile(
    rf"^(?P<ahead>{_RANK})(?:ly)?,?\s(?!of\b|time\b)"
    rf"|\b(?:the\s)?(?P<thing>{_RANK})\s(?:(?:step|place|item|point|stage|rank|position)\b"
    r"|\w+\s(?:is|was)\b)"
    rf"|\b(?:step|number|no\.|rank|place)\s(?P<number>\d{{1,2}})\b"
    rf"|\b(?:is|are|was|were|comes?|came|finish(?:es|ed)|ranks?|ranked|placed|be)\s(?:\w+\s)?"
    rf"(?:in\s)?(?P<behind>{_RANK})(?:\splace)?[.!]?$"
    r"|(?P<won>\b(?:won|wins|winner|leads|champion)\b)",
    re.IGNORECASE,
)
_RESULTS = re.compile(
    r"\b(?:results?|ranking|standings|final|race|places?|podium|leaderboard|top \d+)\b", re.I
)
# A claim of several items: each may be right for its own.
_SEVERAL = re.compile(r"\b(?:then|before|after|next|finally|and then|followed)\b", re.IGNORECASE)
_IDLE = content_stems("step place item point come finish rank first race") | words("the")


def signals(pairs: Sequence[Pair], _: Lexicon) -> list[list[Signal]]:
    """Beside each passage of a claim at most one `order_conflict`: its item has another number."""
    found: list[list[Signal]] = [[] for _ in pairs]
    claim = pairs[0].claim.text if pairs else ""
    match = _PLACED.search(claim)
    if match is None or _SEVERAL.search(claim) or DENIED.search(claim):
        return found
    place = _place(match)
    said = content_stems(claim) - _IDLE
    meant: dict[tuple[str, int], list[tuple[int, str]]] = {}
    for at, pair in enumerate(pairs):
        over = f"{pair.evidence.lead_in} {pair.evidence.heading} {pair.evidence.over}"
        if match["won"] and not _RESULTS.search(over):
            continue
        for number, item in _ITEM.findall(pair.evidence.chunk.text[:_LONGEST]):
            own = content_stems(item)
            if own and len(own & said) >= _HELD * len(own):
                meant.setdefault((pair.evidence.chunk.doc_id, int(number)), []).append((at, item))
    numbers = {number for _, number in meant}
    if len(numbers) != 1 or place in numbers:
        return found
    (number,) = numbers
    told = [one for some in meant.values() for one in some]
    message = f"“{told[0][1].strip()}” is number {number} of its list."
    signal = Signal("order_conflict", Stance.CONTRADICTS, _WEIGHT, message, Span(*match.span()))
    docs = {doc_id for doc_id, _ in meant}
    shown = {at for at, _ in told}
    for at, pair in enumerate(pairs):
        if pair.evidence.chunk.doc_id in docs:
            span = pair.evidence.best if at in shown else None
            found[at].append(replace(signal, evidence_span=span))
    return found


def _place(match: re.Match[str]) -> int:
    """The number that a claim gives: 1 of "first", and of who won."""
    if match["number"]:
        return int(match["number"])
    rank = match["ahead"] or match["thing"] or match["behind"]
    return _RANKS.index(rank.lower()) + 1 if rank else 1
