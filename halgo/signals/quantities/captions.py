"""Amounts whose currency and magnitude a caption tells: 48,200 under "Results (€ thousand)"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from halgo.facts.cells import LONGEST_CAPTION, scale_told
from halgo.signals.quantities.relation import MOST_AMOUNTS
from halgo.types import Pair, Quantity


def amounts(pair: Pair) -> Iterator[Quantity]:
    """The bare numbers of a passage as the money that they are, beside what else they may be.

    What tells it is the passage's lead-in, its heading, or the passage itself.
    """
    passage = pair.evidence
    texts = (passage.lead_in, passage.heading, passage.reading.text)
    told = next(filter(None, (scale_told(text[:LONGEST_CAPTION]) for text in texts)), None)
    if told is None:
        return
    unit, scale = told
    size = float(unit.factor * scale)
    for bare in pair.evidence_facts.quantities[:MOST_AMOUNTS]:
        if not bare.unit:
            yield replace(
                bare,
                low=bare.low * size,
                high=bare.high * size,
                step=bare.step * size,
                unit=unit.base,
            )
