"""Exact value and written number: whether one is the other rounded, and how a value is written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from halgo.arithmetic.expressions import rational
from halgo.arithmetic.tokens import MAGNITUDES, SUFFIXES, Number
from halgo.types import Span

if TYPE_CHECKING:
    from sympy import Rational  # type: ignore[import-untyped]

_DENIED = re.compile(
    r"(?:\b(?:not|never|false|wrong|incorrect|if|suppose|supposing|unless|whether|mistake\w*|"
    r"mistaken\w*|myth|instead of|assum\w+|cannot|solve|simplify)\b|n['’]t\b)[^.!?;\n]{0,80}\Z",
    re.IGNORECASE,
)
_DENIED_AFTER = re.compile(
    r"[\s\"'”’)]*(?:\?|(?:is|was|would be) (?:not|false|wrong|incorrect|a mistake|untrue)\b)",
    re.IGNORECASE,
)
# After a result these say that it goes on: "30 to 40", "5 times as many", "30 of them".
_GOES_ON = re.compile(
    r"\s*(?:[-–+*/×÷^]\s?\d|\b(?:to|or|of|divided|multiplied|plus|minus|times|more|less|fewer|higher|lower|points?|percentage|x)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum that a text states: `expected` worked out, `got` as written at `span`.

    `explanation` reads "12 of 48 is 25%" or "12 of 48 is 25%, not 30%".
    """

    span: Span
    expected: str
    got: str
    agrees: bool
    explanation: str


def asserted(text: str, span: Span) -> bool:
    """Whether the words at `span` are stated, rather than denied, supposed or asked."""
    before = text[max(0, span.start - 100) : span.start]
    return not _DENIED.search(before) and not _DENIED_AFTER.match(text, span.end)


def goes_on(text: str, at: int) -> bool:
    """Whether the number that ends at `at` is not all of the result: "30 to 40", "25% more"."""
    return bool(_GOES_ON.match(text, at))


def rounds_to(exact: Rational, number: Number, *, about: bool = False, plain: bool = False) -> bool:
    """Whether `number` is `exact` as far as its digits go.

    about: 5 % off is still right. plain: a sum or difference of numbers without a magnitude, which
    nobody rounds ("19.99 + 5 = 25" is wrong).
    """
    given = rational(number)
    if exact == given:
        return True
    error = abs(exact - given)
    small = 50 * error <= abs(exact)
    if about:
        return bool(20 * error <= abs(exact)) or _in_last_digit(error, number)
    if number.over > 1:
        return bool(small)  # "a third"
    if not _in_last_digit(error, number):
        return False
    if number.percent:
        return True
    if plain and not number.magnitude:
        return False
    # 7/2 = 4 is wrong, 100/3 = 33 is not.
    return bool(small) or not _terminates(exact)


def _in_last_digit(error: Rational, number: Number) -> bool:
    step = rational(Number(1, power=number.last, percent=number.percent))
    return bool(2 * error <= step)


def _terminates(value: Rational) -> bool:
    under = int(value.q)
    for prime in (2, 5):
        while under % prime == 0:
            under //= prime
    return under == 1


def shown(exact: Rational, like: Number | None) -> str:
    """An exact value in the manner of a written one: percent, currency, magnitude, digits."""
    value = exact
    tail = ""
    decimals = 0
    if like is not None:
        decimals = max(0, -like.last)
        if like.percent:
            value, tail = value * 100, "%"
        power = magnitude(like)
        if power:
            value, tail = value / 10**power, like.magnitude + tail
            decimals = max(0, power - like.last)
    if not value.is_integer:
        decimals = max(decimals + 1, 2)
    scaled = round(abs(value) * 10**decimals)
    whole, part = divmod(int(scaled), 10**decimals)
    digits = f"{part:0{decimals}d}".rstrip("0") if decimals and part else ""
    if digits and like is not None and like.currency and not like.magnitude:
        digits = digits.ljust(2, "0")
    sign = "-" if value < 0 else ""
    money = like.currency if like is not None else ""
    return f"{sign}{money}{whole:,}{'.' + digits if digits else ''}{tail}"


def magnitude(number: Number) -> int:
    """The power of ten that a number's "million" or "k" stands for; 0 without one."""
    word = number.magnitude.strip().lower()
    return MAGNITUDES.get(word) or SUFFIXES.get(word, 0)
