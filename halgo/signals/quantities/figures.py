"""An amount's figure in a passage: without its unit, or read there as something else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from halgo.facts import numberwords
from halgo.facts.units import CURRENCIES, RANKS, find
from halgo.signals.passages import OfPassage
from halgo.signals.quantities import captions
from halgo.signals.quantities.labelled import is_row
from halgo.signals.quantities.relation import (
    MOST_AMOUNTS,
    Relation,
    is_negated,
    relation,
    unit_and_rate,
)
from halgo.signals.records.fields import figure_in
from halgo.signals.segments import covering
from halgo.types import Pair, Quantity, Span

# "30 days instead of 14" is not 14.
_SET_ASIDE = re.compile(
    r"\b(?:instead of|rather than|not|than|against|from|versus)\s$", re.IGNORECASE
)
_PERCENT = re.compile(r"\d\s?(?:%|per\s?cent)")
_LOOK = 20
_UNIT_ALONE = re.compile(
    r"\b(?P<name>[a-z]{4,20}s)\b"
    r"|[(\[_](?:in )?(?P<symbol>[a-zµ]{1,3})\b(?=[)\]\s:=.,]|$)",
    re.IGNORECASE,
)
_SPREAD = re.compile(r"(\d), (?=\d{3}(?!\d))")  # "3, 800 km", as some tools write it
_SCALES = (1e3, 1e6, 1e9, 1e12)


def without_unit(claim: Quantity, pair: Pair) -> Quantity | None:
    """The claim's figure where the best sentence has it bare, its unit told elsewhere; or None.

    In a row the head of the column or of the table tells it ("2023: 918", in millions), in a
    sentence an amount before it: "48 GB during installation but only 31 afterwards".
    """
    best = pair.evidence.best
    there = [q for q in pair.evidence_facts.quantities[:MOST_AMOUNTS] if q.span.overlaps(best)]
    bare = bare_figures(claim, pair, there, percent=True)
    if bare and not is_row(best.of(pair.evidence.reading.text)):
        unit = unit_and_rate(claim)[0]
        told = [q.span.end for q in there if unit_and_rate(q)[0] == unit]
        bare = [q for q in bare if q.span.start >= min(told, default=q.span.end)]
        bare = [q for q in bare if not q.noun or q.noun in claim.context | {claim.noun}]
        text = pair.evidence.reading.text
        bare = [q for q in bare if not _SET_ASIDE.search(text[: q.span.start][-_LOOK:])]
    return bare[0] if bare else None


def in_unit_told_apart(claim: Quantity, pair: Pair) -> Quantity | None:
    """The claim's amount where the passage tells its figure and its unit apart, or None.

    "The number of milliseconds to wait. Defaults to 5000." says five seconds. The unit is a plural,
    or a symbol in brackets or behind an underscore, that no amount of the passage has. Told in the
    figure's own sentence it is the amount's (`facts/described_units.py`).
    """
    base = unit_and_rate(claim)[0]
    if not base or base in CURRENCIES or claim.low != claim.high:
        return None
    there = pair.evidence_facts.quantities[:MOST_AMOUNTS]
    bare = [q for q in there if not q.unit and q.low == q.high]
    if not bare:
        return None
    is_measured = covering(q.span for q in there if q.unit)
    known = claim.context | {claim.noun, ""}
    for told in _UNIT_ALONE.finditer(pair.evidence.reading.text):
        unit = find(told["name"] or told["symbol"])
        if unit is None or unit.base != base or is_measured(Span(*told.span())):
            continue
        for figure in bare:
            same = relation(claim, captions.scaled(figure, float(unit.factor), base))
            if same >= Relation.ROUNDED and (figure.noun in known or find(figure.noun) == unit):
                return figure
    return None


def bare_figures(
    claim: Quantity, pair: Pair, there: Sequence[Quantity], percent: bool = False
) -> list[Quantity]:
    """Those of the passage's amounts that are the claim's figure without a unit.

    percent: whether 35 may stand for 35%.
    """
    written = claim.span.of(pair.claim.text)
    share = claim.unit.startswith("fraction") and not (percent and _PERCENT.search(written))
    if not claim.unit or share or claim.unit.startswith((*RANKS, "times")):
        return []
    figure = figure_of(written)
    # "8 million" of "8 million kronor" is its figure, whatever stands for the million.
    return [q for q in there if not q.unit and q.low == q.high and q.low in (figure, claim.low)]


def figure_of(written: str) -> float | None:
    """The number that an amount is written with, whatever its unit: 12 of "twelve hours"."""
    if (figure := figure_in(written)) is not None:
        return figure
    worded = numberwords.read(written.lower().replace("-", " - ").split())
    return float(worded.value) if worded and not worded.vague else None


def is_written_in(claim: Quantity, pair: Pair) -> bool:
    """Whether the passage has the claim's very words and digits, however they were read there.

    A temperature is not there as its negative, 4 °C as "-4 °C". A bare count is not there where its
    digits are those of thousands or millions, 843 of "843 thousand", or in a row those of a year.
    """
    written = claim.span.of(pair.claim.text).lower()
    text = _joined(pair.evidence, pair.evidence_facts)
    at = text.find(written)
    if at < 0:
        return False
    same = len(text) == len(pair.evidence.reading.text)  # spans are those of the text as it is
    is_other = covering(_others(claim, pair) if same else ())
    while at >= 0:
        end = at + len(written)
        before, after = text[at - 1 : at], text[end : end + 1]
        inside_number = after in (".", ",") and text[end + 1 : end + 2].isdigit()
        clear = not before.isalnum() and before not in (".", ",") and not inside_number
        whole = clear and not (after.isalnum() and written[-1].isalnum())
        if whole and not is_other(Span(at, end)):
            return True
        at = text.find(written, end)
    return False


# A passage in lower case, its figures in one piece.
_joined = OfPassage(lambda evidence, facts: _SPREAD.sub(r"\1,", evidence.reading.text.lower()))


def _others(count: Quantity, pair: Pair) -> Iterator[Span]:
    """What may have an amount's digits and is another.

    Of a temperature its negative; of a bare count its thousands, and in a row a year.
    """
    facts = pair.evidence_facts
    if count.unit:
        amounts = facts.quantities[:MOST_AMOUNTS]
        yield from (other.span for other in amounts if is_negated(count, other))
        return
    scaled = {count.low * scale for scale in _SCALES if count.low}
    yield from (q.span for q in facts.quantities[:MOST_AMOUNTS] if q.low in scaled)
    if is_row(pair.evidence.reading.text):
        yield from (found.span for found in facts.dates)
