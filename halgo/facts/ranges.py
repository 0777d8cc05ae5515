"""Two amounts -> one range: "3 to 5 million", "$3.5-4 million", "5 ± 1 cm"; or a score, "3-1".

What is written once belongs to both ends: the unit, the magnitude, the currency.
"""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from halgo.facts.amounts import AmountReader, is_contest
from halgo.facts.numbers import Amount
from halgo.facts.roles import Locator

_BETWEEN = re.compile(r"\bbetween\s(?:about\s|around\s)?$", re.IGNORECASE)
_BY = re.compile(r"\bby\s(?:about\s|around\s|some\s)?$", re.IGNORECASE)
_TOLERANCE = ("±", "+/-", "+-", "plus or minus")
_DASHES = frozenset("-–—‒~")
_OUTCOME = 5  # a bare range is seldom wider: what is so many times a change is what came of it


def other_end(reader: AmountReader, first: Amount, before: str) -> Amount | None:
    """The amount that ends a range begun by `first`, or a score; None where there is neither."""
    if first.unit.startswith(("ordinal", "clock", "identifier")):
        return None
    at, word = first.last, reader.word(first.last)
    dash = word in _DASHES
    score = dash and reader.attached(at) and reader.attached(at + 1)
    joined = dash or word in ("to", "or") or (word == "and" and _BETWEEN.search(before))
    if not joined or at + 1 >= len(reader.pieces) or reader.blocked[at + 1]:
        return None
    if dash and reader.attached(at) != reader.attached(at + 1):
        return None
    second = reader.read(at + 1) if reader.is_number(at + 1) or not score else None
    if second is None or second.unit.startswith(("ordinal", "clock", "identifier")):
        return None
    if word == "to" and _BY.search(before) and _is_outcome(first, second):
        return None
    if word == "or" and (second.low <= first.low or second.first != at + 1):
        return None
    if score and not first.unit and not second.unit and first.scale == second.scale == 1:
        a, b = first.number, second.number
        whole = a.denominator == b.denominator == 1 and max(a, b) < 200
        around = reader.lower[max(0, first.first - 8) : second.last + 4]
        if whole and (a >= b or is_contest(around)):
            low, high = sorted((int(a), int(b)))
            return Amount(Fraction(low), Fraction(high), f"identifier:{low}-{high}", Fraction(0),
                          first.first, second.last, Fraction(low), label="score")  # fmt: skip
    return second


def _is_outcome(change: Amount, after: Amount) -> bool:
    """Whether "by A to B" tells a change and what it came to, not how large the change may be.

    "By €2 million to €6 million", "by 12% to €45 million", "by 56 to 712"; not "by 5 to 10%".
    """
    if change.unit == "fraction":
        return after.unit != "fraction"
    if change.unit:
        return bool(after.unit)
    return after.unit != "fraction" and after.low >= _OUTCOME * change.low


def in_same_money(reader: AmountReader, where: Locator, second: Amount) -> bool:
    """Whether a second end without a unit counts nothing else: "$3.5 to 4 million"."""
    if second.unit:
        return False
    token = where.doc[where.index(reader.pieces[second.last - 1].start)]
    counted = token.dep_ == "nummod" and token.head.i > token.i and token.head.pos_ == "NOUN"
    return not counted or second.scale > 1


def tolerance(reader: AmountReader, first: Amount) -> Amount | None:
    """The range of "5 ± 1 cm" and "5 cm +/- 10%"; None where no tolerance follows."""
    start = reader.pieces[first.last - 1].end
    after = reader.text[start : start + 20].lstrip().lower()
    sign = next((sign for sign in _TOLERANCE if after.startswith(sign)), None)
    if sign is None or first.unit.startswith(("ordinal", "clock", "identifier")):
        return None
    at = first.last
    while at < first.last + 4 and not (reader.is_number(at) and reader.word(at)):
        at += 1
    off = reader.number(at, money=False) if reader.is_number(at) else None
    off = reader.measured(reader.scaled(off, money=False)) if off else None
    if off is None or off.low < 0:
        return None
    if first.unit and off.unit not in ("fraction", "", first.unit):
        return None
    if off.unit == "fraction" != first.unit:
        spread = abs(first.low) * off.low
    elif off.unit == first.unit:
        spread = off.low
    elif not first.unit:
        first = share(first, off)
        spread = off.low
    else:
        spread = off.low * first.factor  # "5 cm ± 1"
    return replace(first, low=first.low - spread, high=first.high + spread, last=off.last)


def share(first: Amount, second: Amount) -> Amount:
    """The first end with the unit and magnitude that are written once, at the second."""
    low, step = first.low, first.step
    small = first.number <= second.number or (first.number < 100 and second.number < 100)
    alike = first.unit in ("", second.unit)
    if alike and first.scale == 1 and second.scale > 1 and small:
        low, step = low * second.scale, step * second.scale
    if first.unit == "" and second.unit:
        low, step = low * second.factor, step * second.factor
        if second.unit == "year of age":
            low, step = first.low, first.step
        return replace(first, low=low, high=low, step=step, unit=second.unit, rate=second.rate,
                       factor=second.factor)  # fmt: skip
    if second.unit == first.unit and first.factor == 1 and second.factor not in (1, first.factor):
        return replace(first, low=low, high=low, step=step)
    return replace(first, low=low, high=low, step=step, rate=first.rate or second.rate)
