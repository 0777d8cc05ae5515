"""Lines of a bill: how many of a thing were ordered, and what its line costs.

"2 x Latte 3.50" over "Total £9.20" says that there were two lattes, and £3.50, though its figure
has no currency. Of one croissant the same bill has another line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from halgo.evidence.lexical import content_stems
from halgo.facts.units import CURRENCIES
from halgo.protocols import Lexicon
from halgo.signals.quantities.figures import figure_of
from halgo.signals.quantities.relation import unit_and_rate
from halgo.types import Pair, Quantity, Signal, Span, Stance

_WEIGHT = 0.85
_SUM = r"-?\d[\d,]*\.\d\d"
_MONEY = (
    rf"(?:[\u00a3$\u20ac]|EUR |USD |GBP |CHF )?(?P<{{}}>{_SUM})(?: ?\u20ac| EUR| USD| GBP| CHF)?"
)
_LINE = re.compile(
    r"^[ \t]*(?:[-*\u2022] )?(?:(?P<count>\d{1,4}) ?[x\u00d7] )?(?P<label>[A-Z][^\n!?:]{1,58}?) "
    rf"(?:@ ?)?{_MONEY.format('price')}(?: ?= ?{_MONEY.format('all')})?[ \t]*$",
    re.MULTILINE,
)
_TOTAL = re.compile(r"\b(?:sub-?total|total|sum|amount|balance)\b", re.IGNORECASE)
# What is counted by its vessel: "two portions of lasagne".
_PORTIONS = content_stems("portion serving glass bottle cup piece pack packet box bag plate copy")
_DENIED = re.compile(
    r"\b(?:not|no|never|if|than|more|less|other|another|without|of the)\b|n['\u2019]t\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a bill; at: its pair's place; span: in the reading of that; count 0: not told."""

    at: int
    doc: str
    text: str
    span: Span
    label: frozenset[str]
    count: int
    sums: tuple[float, ...]


def signals(pairs: Sequence[Pair], _: Lexicon) -> list[list[Signal]]:
    """Beside each passage of one claim what its bill says of the claim's counts and sums."""
    found: list[list[Signal]] = [[] for _ in pairs]
    if not pairs or not pairs[0].claim_facts.quantities or _DENIED.search(pairs[0].claim.text):
        return found
    lines = [line for at, pair in enumerate(pairs) for line in _lines(at, pair)]
    if not any(line.count for line in lines):
        return found
    for ours in pairs[0].claim_facts.quantities:
        told = _told(ours, pairs[0], lines, pairs)
        if told is None:
            continue
        signal, places = told
        for at in range(len(pairs)):
            if signal.stance is Stance.CONTRADICTS or at in places:
                found[at].append(replace(signal, evidence_span=places.get(at)))
    return found


def _lines(at: int, pair: Pair) -> Iterator[_Line]:
    """The lines of a passage that end with a sum, as they stand in its document."""
    chunk, reading = pair.evidence.chunk, pair.evidence.reading
    for match in _LINE.finditer(chunk.text):
        start = reading.text.find(match["label"])
        if start < 0:
            continue
        span = Span(start, start + len(match["label"]))
        sums = tuple(float(s.replace(",", "")) for s in (match["price"], match["all"]) if s)
        yield _Line(at, chunk.doc_id, " ".join(match[0].split()), span,
                    content_stems(match["label"]), int(match["count"] or 0), sums)  # fmt: skip


def _told(
    ours: Quantity, pair: Pair, lines: Sequence[_Line], pairs: Sequence[Pair]
) -> tuple[Signal, dict[int, Span]] | None:
    """What the lines say of an amount of the claim, and where: nothing of what they do not name."""
    if ours.low != ours.high:
        return None
    claim, (unit, rate) = pair.claim.text, unit_and_rate(ours)
    if unit in ("", "times") and not rate:
        named = _named(_counted(ours, claim), [line for line in lines if line.count])
        priced = any(one.unit in CURRENCIES for one in pair.claim_facts.quantities)
        if ours.low == 1 and priced:
            return None  # "one latte costs £3.50"
        counts = {line.count for line in named}
        agrees = ours.low in counts or ours.low == _ordered(named)
        conflicts = len(counts) == 1 and not agrees
    elif unit in CURRENCIES and not rate:
        named = _named(content_stems(claim), lines)
        figure = figure_of(ours.span.of(claim)) or 0.0
        docs = {line.doc for line in named}
        agrees = any(figure in line.sums for line in named) and unit in _currencies(docs, pairs)
        elsewhere = any(figure in line.sums for line in lines if line.doc in docs)
        # "The total for drinks" is that of no line.
        open_to = any(_TOTAL.search(line.text) or figure in _worth(line) for line in named)
        conflicts = elsewhere and not open_to
    else:
        return None
    if not named or not (agrees or conflicts):
        return None
    places = {line.at: line.span for line in named}
    kind, stance = (
        ("derived", Stance.SUPPORTS) if agrees else ("number_conflict", Stance.CONTRADICTS)
    )
    shown = ours.span.of(claim)
    message = f"The claim says {shown}; " if conflicts else ""
    message += f'the bill has "{named[0].text}".'
    signal = Signal(kind, stance, _WEIGHT, message[0].upper() + message[1:], ours.span, None,
                    None if agrees else (shown, named[0].text))  # fmt: skip
    return signal, places


def _counted(ours: Quantity, claim: str) -> frozenset[str]:
    """The words of what is counted: of "two portions of lasagne" all that follows the number."""
    noun = content_stems(ours.noun)
    return noun if noun and not noun & _PORTIONS else content_stems(claim[ours.span.end :])


def _named(words: frozenset[str], lines: Sequence[_Line]) -> list[_Line]:
    """The lines of whose labels the words have most; none where they have nothing of any."""
    most = max((len(line.label & words) for line in lines), default=0)
    return [line for line in lines if len(line.label & words) == most > 0]


def _ordered(lines: Sequence[_Line]) -> int:
    """How many all of these lines have together, each once, whatever passages it stands in."""
    return sum({(line.doc, line.text): line.count for line in lines}.values())


def _worth(line: _Line) -> Iterator[float]:
    """The sums that a line may stand for: its figure is the price of one, or of all."""
    for figure in line.sums:
        yield from (
            figure,
            round(figure * max(line.count, 1), 2),
            round(figure / max(line.count, 1), 2),
        )


def _currencies(docs: set[str], pairs: Sequence[Pair]) -> frozenset[str]:
    """The currencies that these documents have; any where none is told."""
    told = frozenset(
        unit_and_rate(one)[0]
        for pair in pairs
        if pair.evidence.chunk.doc_id in docs
        for one in pair.evidence_facts.quantities
    )
    return told & CURRENCIES or frozenset(CURRENCIES)
