"""Amounts as their table means them: 48,200 under "Results (€ thousand)", (12.6) of a loss.

A caption tells the currency and magnitude of figures. A profit of "(12.6)" is a loss of 12.6.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from halgo.facts.cells import LONGEST_CAPTION, scale_told
from halgo.facts.quantities import SIGNED
from halgo.facts.units import CURRENCIES, Unit
from halgo.signals.quantities.relation import MOST_AMOUNTS, MOST_CLAIMED, Relation, relation
from halgo.types import Evidence, Pair, Quantity

_LOSS = r"loss(?:es)?|deficits?|shortfalls?|lost|minus|negative"
_SIGN = rf"\b(?:(?P<loss>{_LOSS})|profits?|surplus(?:es)?|earnings|gains?|income|ebitda?)\b"
_AFTER = re.compile(rf"[\s-]+(?:[^\W\d][\w-]*\s+){{0,2}}?{_SIGN}", re.IGNORECASE)
_BEFORE = re.compile(_SIGN, re.IGNORECASE)
_LOOK = 80  # characters before an amount


def caption(passage: Evidence) -> tuple[Unit | None, Fraction] | None:
    """The money and magnitude that a passage's lead-in, its heading or itself tells of numbers.

    Those of a heading are the numbers of its tables, not of its sentences.
    """
    text = passage.reading.text
    heading = "" if text.rstrip().endswith((".", "!", "?")) else passage.heading
    texts = (passage.lead_in, heading, text)
    return next(filter(None, (scale_told(text[:LONGEST_CAPTION]) for text in texts)), None)


def amounts(pair: Pair) -> Iterator[Quantity]:
    """The numbers of a passage as the amounts that they are, beside what else they may be.

    A loss that its table tells as a profit below nothing is one of that size where the claim
    speaks of a loss.
    """
    told = pair.evidence_facts.quantities[:MOST_AMOUNTS]
    below = {
        one.span: replace(one, unit=one.unit.removeprefix(SIGNED))
        for one in told
        if one.unit.startswith(SIGNED)
    }
    held = list(_captioned([below.get(one.span, one) for one in told], pair))
    for one in (*(one for one in below.values() if one.unit), *held):
        yield _as_claimed(one, pair) if one.span in below else one


def _as_claimed(below: Quantity, pair: Pair) -> Quantity:
    loss = replace(below, low=-below.high, high=-below.low)
    claimed = pair.claim_facts.quantities[:MOST_CLAIMED]
    return loss if any(_is_loss(claim, loss, pair) for claim in claimed) else below


def _is_loss(claim: Quantity, loss: Quantity, pair: Pair) -> bool:
    """Whether a claim's amount is of a loss, by the word after it or the last one before it."""
    if relation(claim, loss) is Relation.APART or claim.high < 0:
        return False
    text = pair.claim.text
    before = text[max(0, claim.span.start - _LOOK) : claim.span.start]
    found = _AFTER.match(text, claim.span.end) or next(reversed([*_BEFORE.finditer(before)]), None)
    return found is not None and found["loss"] is not None


def _captioned(told: Sequence[Quantity], pair: Pair) -> Iterator[Quantity]:
    """The numbers of a passage in the money that its caption tells.

    Under "(in thousands)" what has no sign of its own is of the claim's money, or a count.
    """
    over = caption(pair.evidence)
    if over is None:
        return
    unit, scale = over
    claimed = {q.unit for q in pair.claim_facts.quantities if q.unit in CURRENCIES}
    money = unit.base if unit else next(iter(claimed)) if len(claimed) == 1 else ""
    for bare in told:
        own = bare.unit if unit is None and bare.unit in CURRENCIES else money
        if (own or unit is None) and bare.unit in ("", own if unit is None else ""):
            yield scaled(bare, float((unit.factor if unit else 1) * scale), own)


def scaled(bare: Quantity, size: float, unit: str) -> Quantity:
    """So many times an amount, in that unit."""
    return replace(
        bare, low=bare.low * size, high=bare.high * size, step=bare.step * size, unit=unit
    )
