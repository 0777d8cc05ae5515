"""A claim's amount and a passage's -> the same two, in one unit, where their texts tell how.

Units of one measure share a base unit (`facts/units.py`) and come here alike. Cents do not say
whose they are, and scales of temperature begin at different points.
"""

from __future__ import annotations

import re
from dataclasses import replace

from halgo.facts import units
from halgo.signals.derivation.questions import is_apart
from halgo.signals.quantities.relation import unit_and_rate
from halgo.types import Quantity

_CENTS = re.compile(r"^[^$]*(?<!dollar )\bcents?$", re.IGNORECASE)
_BY = re.compile(
    r"\bby\s(?:(?:about|around|nearly|almost|some|only|up to|at least)\s)?$", re.IGNORECASE
)
_AHEAD = 20  # characters before an amount


def in_one_unit(
    claim: Quantity, said: str, truth: Quantity, given: str
) -> tuple[Quantity, Quantity]:
    """A claim's amount and a passage's in one unit; as they are where nothing tells how.

    said, given: the texts of both. "34 cents", read as a dollar's, are what "€0.34" is, and 350 °F
    are 177 °C.
    """
    if claim.unit == truth.unit:  # as nearly all are that are of one measure
        return claim, truth
    kinds = {unit_and_rate(amount)[0] for amount in (claim, truth)}
    if "dollar" in kinds and len(kinds) == 2 and kinds <= units.CURRENCIES:
        (other,) = kinds - {"dollar"}
        return _in_money(claim, said, other), _in_money(truth, given, other)
    if len(kinds) == 2 and kinds <= units.SCALES.keys():
        return claim, _on_scale(claim, said, truth, given)
    return claim, truth


def _in_money(amount: Quantity, text: str, other: str) -> Quantity:
    unit, rate = unit_and_rate(amount)
    if unit != "dollar" or not _CENTS.search(amount.span.of(text)):
        return amount
    return replace(amount, unit=f"{other}/{rate}" if rate else other)


def _on_scale(claim: Quantity, said: str, truth: Quantity, given: str) -> Quantity:
    """A passage's temperature on the claim's scale; an end that is the claim's rounded, as that.

    A difference is converted without the scales' beginnings: a rise by 5 °C is one by 9 °F.
    """
    (unit, rate), (other, other_rate) = unit_and_rate(claim), unit_and_rate(truth)
    apart = rate or other_rate or _is_difference(said, claim) or _is_difference(given, truth)
    ours, theirs = units.SCALES[unit], units.SCALES[other]
    size = float(theirs.size / ours.size)
    start = 0.0 if apart else float((theirs.start - ours.start) / ours.size)
    step = truth.step * size
    off = max(step, claim.step) / 2
    low, high = (
        told if abs((end * size + start) - told) <= off else end * size + start
        for end, told in ((truth.low, claim.low), (truth.high, claim.high))
    )
    return replace(
        truth, low=low, high=high, step=step, unit=f"{unit}/{other_rate}" if other_rate else unit
    )


def _is_difference(text: str, amount: Quantity) -> bool:
    """Whether a temperature is told as what lies between two: "rose by 5 °C", "5 °C warmer"."""
    start = amount.span.start
    by = _BY.search(text, max(0, start - _AHEAD), start)
    return by is not None or is_apart(text, amount.span)
