"""Amounts whose currency and magnitude a caption tells: 48,200 under "Results (€ thousand)"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from halgo.facts.cells import LONGEST_CAPTION, scale_told
from halgo.facts.units import CURRENCIES, Unit
from halgo.signals.quantities.relation import MOST_AMOUNTS
from halgo.types import Evidence, Pair, Quantity


def caption(passage: Evidence) -> tuple[Unit | None, Fraction] | None:
    """The money and magnitude that a passage's lead-in, its heading or itself tells of numbers."""
    texts = (passage.lead_in, passage.heading, passage.reading.text)
    return next(filter(None, (scale_told(text[:LONGEST_CAPTION]) for text in texts)), None)


def amounts(pair: Pair) -> Iterator[Quantity]:
    """The numbers of a passage as the money that they are, beside what else they may be.

    Under "(in thousands)" what has no sign of its own is of the claim's money.
    """
    told = caption(pair.evidence)
    if told is None:
        return
    unit, scale = told
    claimed = {q.unit for q in pair.claim_facts.quantities if q.unit in CURRENCIES}
    money = unit.base if unit else next(iter(claimed)) if len(claimed) == 1 else ""
    for bare in pair.evidence_facts.quantities[:MOST_AMOUNTS]:
        own = bare.unit if unit is None and bare.unit in CURRENCIES else money
        if own and bare.unit in ("", own if unit is None else ""):
            yield scaled(bare, float((unit.factor if unit else 1) * scale), own)


def scaled(bare: Quantity, size: float, unit: str) -> Quantity:
    """So many times an amount, in that unit."""
    return replace(
        bare, low=bare.low * size, high=bare.high * size, step=bare.step * size, unit=unit
    )
