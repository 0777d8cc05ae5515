"""Bare numbers whose unit the words before them tell: "Time to wait in seconds (default 90)".

References of interfaces and commands describe a parameter that way, in a cell or a sentence. Where
the number stands in another sentence, a passage can only agree (`signals/quantities/figures.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from halgo.facts import units
from halgo.types import Quantity

_FAR = 80  # characters between the unit and the number
# "Time in seconds", "the number of milliseconds", "delay (ms)", "retry_ms": up to the number in the
# same cell or line, but not right before it: "in week 18" is a name. Of single letters only "s":
# "(m)" may be millions.
_TOLD = re.compile(
    r"(?:(?:\b(?:in|number of) |[^\W\d]_|\w\.)(?P<named>[^\W\d_]{3,19}s)"
    r"|(?:\bin | [(\[]|\w_|\w\.)(?P<symbol>[^\W\d_]{2,3}|s))"
    r"(?![\w-])(?=\s?[^\s\n;—][^\n;—]{0,80}$)"
)


def with_described(found: Iterable[Quantity], text: str) -> list[Quantity]:
    """The amounts of a text, bare numbers with the unit that is told before them.

    A number with a noun behind it, "in English, up to 30 characters", counts that.
    """
    return [_described(one, text) if not one.unit else one for one in found]


def _described(one: Quantity, text: str) -> Quantity:
    start, end = one.span.start, one.span.end
    if text[end : end + 2].lstrip()[:1].isalpha():
        return one
    told = [*_TOLD.finditer(text[max(0, start - _FAR) : start])]
    unit = units.find(told[-1]["named"] or told[-1]["symbol"]) if told else None
    if unit is None:
        return one
    low, high, step = (float(unit.factor) * value for value in (one.low, one.high, one.step))
    return replace(one, low=low, high=high, step=step, unit=unit.base)
