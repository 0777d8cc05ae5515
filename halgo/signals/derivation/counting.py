"""Counting (Dua et al. 2019, DROP): how many rows or items of the passages are as the claim says.

"Two of Maren's three orders are delivered": of the rows that have what the claim says before its
noun there are three, of those that have all of it two. A word that stands in some rows and not in
all of them tells rows apart; one that stands in none of them tells that something else is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from halgo.signals.derivation.operands import ROW, cues, read_passage, words_of
from halgo.signals.records.fields import begins_word
from halgo.types import Pair, Quantity, Signal, Span, Stance

WEIGHT, WRONG = 0.8, 0.6
_MOST_ROWS = 200
_MOST_UNKNOWN = 1  # content words of the claim that no row has: "lie in 12 metres of water"
# "active: false": the row has not what its key says.
_NO_VALUE = re.compile(r"\w+(?:\s\w+)?:?\s(?:false|no|null|none)(?=[;.,]|$)", re.IGNORECASE)
_OF_ALL = re.compile(r"\bof (?:(?:the|these|those|its|their|our|all) )?$", re.IGNORECASE)
_NOT = re.compile(r"\b(?:not|n['’]t|never|without|no)\s+(?:\w+\s+){0,2}?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Row:
    """A row or item: its words and its amounts."""

    at: int  # the passage
    span: Span
    words: frozenset[str]
    amounts: tuple[Quantity, ...]


def counted(pairs: Sequence[Pair]) -> list[tuple[int, Signal]]:
    """(passage, signal) where a number of the claim is how many rows fit the rest of it."""
    claim, facts = pairs[0].claim.text, pairs[0].claim_facts
    bare = [q for q in facts.quantities if not q.unit and q.low == q.high and q.low >= 1]
    bare = [q for q in bare if q.span.of(claim).lower() != "single"]  # "single sign-on"
    bare = [q for q in bare if not _names(claim, q)]
    if not bare or len(bare) > 2:
        return []
    for kind in _kinds(pairs):
        rows = list(kind.values())
        if len(rows) < 2:
            continue
        signals = _Count(claim, pairs[0], rows, bare).signals()
        if signals:
            return [(row, one) for row in sorted({row.at for row in rows}) for one in signals]
    return []


def _names(claim: str, amount: Quantity) -> bool:
    """Whether a number stands behind its noun, and names one: "user 2"."""
    before = claim[: amount.span.start].rsplit(maxsplit=1)[-1:]
    return bool(amount.noun) and bool(before) and before[0].lower().startswith(amount.noun)


def _kinds(pairs: Sequence[Pair]) -> Iterator[dict[int, _Row]]:
    """The rows of each document among the passages, by their place in it."""
    documents: dict[str, dict[int, _Row]] = {}
    for at, pair in enumerate(pairs):
        passage = read_passage(pair.evidence, pair.evidence_facts)
        rows = documents.setdefault(pair.evidence.chunk.doc_id, {})
        for start in {sentence for _, sentence in passage.words}:
            begin = start - passage.chunk.span.start
            if start in rows or len(rows) >= _MOST_ROWS or not ROW.match(passage.chunk.text, begin):
                continue
            text = passage.reading.text
            mine = [
                word
                for word, sentence in passage.words
                if sentence == start and not _NO_VALUE.match(text, word.start)
            ]
            amounts = tuple(
                q for q in pair.evidence_facts.quantities if passage.sentence(q.span) == start
            )
            if amounts or len(mine) > 1:
                rows[start] = _Row(at, Span(mine[0].start, mine[-1].start + 1),
                                   frozenset(word.key for word in mine), amounts)  # fmt: skip
    yield from documents.values()


class _Count:
    """A claim beside the rows of one document."""

    def __init__(
        self, claim: str, pair: Pair, rows: Sequence[_Row], bare: Sequence[Quantity]
    ) -> None:
        self.claim, self.pair, self.rows, self.bare = claim, pair, rows, bare

    def signals(self) -> list[Signal]:
        """That the count is right, beside each number and word of the claim that it rests on."""
        first = self.bare[0]
        whole = self.bare[1] if len(self.bare) > 1 else None
        noun = first.noun[:6] or (whole.noun[:6] if whole else "")
        if not noun or not self._of_rows(noun):
            return []
        kept, base, told = self._fitting(noun, first, whole)
        if not told:
            return []
        number = first.span.of(self.claim)
        if whole is None and is_whole(self.claim, first):
            return []
        counts_rows = all(q.noun[:6] != noun for row in self.rows for q in row.amounts)
        if any(q.low == q.high == first.low for row in kept for q in row.amounts):
            return []  # "qty: 2" says how many there are
        if whole is None and counts_rows and first.low == len(self.rows) > len(kept) > 0:
            message = f"Of {len(self.rows)} rows of the source {len(kept)} are as the claim says."
            values = (number, str(len(kept)))
            return [Signal("not_derivable", Stance.CONTRADICTS, WRONG, message, first.span, None,
                           values)]  # fmt: skip
        if len(kept) != first.low or (whole is not None and base != whole.low):
            return []
        message = f"{number}, counted in the rows of the source"
        spans = [first.span, *([whole.span] if whole else []), *told]
        return [
            Signal("derived", Stance.SUPPORTS, WEIGHT, message, span, kept[0].span,
                   (number, str(len(kept))))
            for span in spans
        ]  # fmt: skip

    def _of_rows(self, noun: str) -> bool:
        """Whether the rows are what the claim counts: each has the noun, or a passage's title."""
        if all(noun in row.words for row in self.rows):
            return True
        text = self.pair.evidence.chunk.text.lower()
        above = " ".join(self.pair.evidence.headings).lower() + text
        return begins_word(noun, above) or self.pair.evidence.source.lower().find(noun[:5]) >= 0

    def _fitting(
        self, noun: str, first: Quantity, whole: Quantity | None
    ) -> tuple[list[_Row], int, list[Span]]:
        """The rows that fit, how many fit what stands before the noun, and what told them."""
        facts = self.pair.claim_facts
        amounts = [q for q in facts.quantities if q not in self.bare and not _is_sum(self.claim, q)]
        asking = frozenset[str]().union(*(cues()[name] for name in ("rest", "denied", "total")))
        kept, base = list(self.rows), list(self.rows)
        told: list[Span] = []
        unknown = 0
        noun_at = self.claim.lower().find(noun[:5], (whole or first).span.end)
        for word in words_of(self.claim, facts):
            written = re.compile(r"\w+").match(self.claim, word.start)
            inside = any(q.span.start <= word.start < q.span.end for q in facts.quantities)
            if word.key == noun or inside or not written or written.group().lower() in asking:
                continue
            has = [row for row in self.rows if word.key in row.words]
            if not has:
                unknown += word.names
                continue
            if len(has) == len(self.rows):
                continue
            told.append(Span(*written.span()))
            denied = bool(_NOT.search(self.claim[max(0, word.start - 24) : word.start]))
            kept = [row for row in kept if (row in has) != denied]
            if word.start < noun_at:
                base = [row for row in base if (row in has) != denied]
        for amount in amounts:
            if amount.unit:
                told.append(amount.span)
                kept = [row for row in kept if any(_within(q, amount) for q in row.amounts)]
        if unknown > _MOST_UNKNOWN:
            return [], 0, []
        return kept, len(base), told


_SUM = re.compile(r"\b(?:to|totals?|at|cost|costs|worth|for|of)\s+$", re.IGNORECASE)


def _is_sum(claim: str, amount: Quantity) -> bool:
    """Whether an amount is what the rows make together, none of theirs: "come to £95"."""
    return bool(_SUM.search(claim[max(0, amount.span.start - 8) : amount.span.start]))


def is_whole(claim: str, amount: Quantity) -> bool:
    """Whether a number is what others are counted of: "of the three plans"."""
    return _OF_ALL.search(claim, max(0, amount.span.start - 12), amount.span.start) is not None


def _within(given: Quantity, limit: Quantity) -> bool:
    if given.unit != limit.unit or given.low != given.high:
        return False
    if limit.low == limit.high:
        return given.low == limit.low
    # "more than 12" leaves 12 out
    return limit.low < given.low < limit.high
