"""A text -> the sums it states, each worked out exactly and held against what the text says.

A result is right when it is the exact value rounded to the digits given: "1/3 = 0.333", "12 of 47
is 26%". What is not certainly a sum (an unknown, mixed units, a supposition, a denial) is passed
over: a sum that is called wrong decides a claim, so doubt means silence.
"""

from __future__ import annotations

import re
from dataclasses import replace

from halgo.arithmetic.equations import Equation, Side, equations
from halgo.arithmetic.expressions import Unreadable, rational
from halgo.arithmetic.rounding import Sum, asserted, goes_on, magnitude, rounds_to, shown
from halgo.arithmetic.tokens import Item, items
from halgo.arithmetic.worded import worded_sums

_LONGEST_TEXT = 200_000
_PERHAPS = re.compile(
    r"[=≈%]|\b(?:percent|per cent|is|are|was|were|equals?|makes?|gives|leaves|yields|comes|amounts|"
    r"adds?|total\w*|sum|average|from)\b",
    re.IGNORECASE,
)
_ABOUT_BEFORE = re.compile(r"\b(?:about|roughly|approximately|around|nearly|almost)\s+\Z", re.I)


def check_sums(text: str) -> list[Sum]:
    """Every sum found in a text, in order, checked. Never raises for any string."""
    if len(text) > _LONGEST_TEXT or not _PERHAPS.search(text):
        return []
    found = items(text)
    if sum(item.number is not None or item.kind == "constant" for item in found) < 2:
        return []
    sums = [judged for equation in equations(text, found) if (judged := _judge(text, equation))]
    for other in worded_sums(text, found):
        if not any(other.span.overlaps(known.span) for known in sums):
            sums.append(other)
    return sorted(sums, key=lambda found: found.span)


# --- equations -----------------------------------------------------------------------------------


def _judge(text: str, equation: Equation) -> Sum | None:
    """The equation as a sum; None when it is not certain what is asserted."""
    sides = equation.sides
    first = next((n for n, side in enumerate(sides) if side.number is None), None)
    if first is None or not asserted(text, equation.span) or goes_on(text, equation.span.end):
        return None
    base = sides[first]
    trusted = _trusted(text, equation, first)
    if trusted is None:
        return None
    about = any(relation.about for relation in equation.relations) or bool(
        _ABOUT_BEFORE.search(text[max(0, equation.span.start - 20) : equation.span.start])
    )
    try:
        wrong = next((s for s in sides if s is not base and not _same(base, s, about)), None)
    except Unreadable:
        return None
    if wrong is not None and not trusted:
        return None
    other = wrong or next(side for side in reversed(sides) if side is not base)
    like = other.number
    if like is not None and not any(number.magnitude for number in base.numbers):
        like = replace(like, last=like.last - magnitude(like), magnitude="")
    expected, got = shown(base.value, like), other.span.of(text)
    left = " ".join(base.span.of(text).split())
    says = f"{left} = {expected if wrong else got}"
    return Sum(equation.span, expected, got, wrong is None, f"{says}, not {got}" if wrong else says)


def _same(base: Side, other: Side, about: bool) -> bool:
    if other.number is None:
        return bool(base.value == other.value)
    plain = base.additive and not any(number.magnitude for number in base.numbers)
    if rounds_to(base.value, other.number, about=about, plain=plain):
        return True
    if other.number.magnitude and not any(number.magnitude for number in base.numbers):
        # "606 + 671 = 1,277 billion": the magnitude is said once, for all.
        bare = replace(other.number, power=min(0, _scale(other)), last=_scale(other), magnitude="")
        return rounds_to(base.value, bare, about=about, plain=base.additive)
    percents = [number.percent for number in base.numbers]
    if other.number.percent and not any(percents):
        # "12/48 * 100 = 25%"
        return rounds_to(base.value / 100, other.number, about=about) and any(
            rational(number) == 100 for number in base.numbers
        )
    # "25% - 10% = 15"
    return all(percents) and rounds_to(base.value * 100, other.number, about=about)


def _scale(side: Side) -> int:
    """The power of ten of the last digit of a side's one number, its magnitude left out."""
    number = side.number
    assert number is not None
    return number.last - magnitude(number)


def _trusted(text: str, equation: Equation, first: int) -> bool | None:
    """Whether a wrong result is certainly wrong; None when not even a right one counts."""
    sides = equation.sides
    base = sides[first]
    units = {unit for side in sides for unit in side.units}
    # The "!" of "2 + 2 = 4!" is the sentence's, that of "120 = 5!" the number's.
    certain = text[equation.span.end : equation.span.end + 1] != "!"
    if any(side.additive for side in sides):
        if len(units) > 1:
            return None  # 1 km + 500 m
        percents = [number.percent for number in base.numbers]
        if percents[0] and not all(percents):
            certain = False  # "20% + 5": percent or points
        if len({number.magnitude for number in base.numbers}) > 1:
            certain = False  # "3.1 + 4.2 million"
    elif len(units) > 1:
        certain = False  # 2 h * 60 km/h = 120 km
    words = [relation.text for relation in equation.relations if relation.text != "="]
    if not words:
        return certain
    return certain if len(sides) == 2 and _prose(text, equation, first, words[0]) else None


def _prose(text: str, equation: Equation, first: int, verb: str) -> bool:
    """Whether "is" or "are" between the two sides means "equals"."""
    base, other = equation.sides[first], equation.sides[1 - first]
    if other.number is None or re.search(r"\d[-–]\d", base.span.of(text)):
        return False  # a 3-2 win is no difference
    if base.tight_slash and not base.has_of and not other.number.percent:
        return other.number.last < 0  # "9/11 is 20 years ago", but "1/3 is 0.33"
    if verb == "are" and base.units != other.units:
        return False  # "15% of 200 patients are 65 years old"
    if first == 0:
        return not (base.units and other.units and base.units != other.units)
    before: Item | None = equation.before
    starts = before is None or before.kind == "mark" or before.text in ("that", "so", "and")
    return base.has_of and verb == "is" and starts
