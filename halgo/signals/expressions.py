"""Items of tokens.py that are one expression -> its exact value, on sympy's exact rationals.

A small reader of our own, by precedence climbing. Nesting, digits, exponents and the size of every
result are bounded, and no text ever reaches a function that evaluates Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from halgo.signals.tokens import Item, Number

if TYPE_CHECKING:
    from sympy import Rational  # type: ignore[import-untyped]

MAX_NESTING = 20
MAX_EXPONENT = 64
MAX_BITS = 4096  # of the numerator or denominator of any result on the way

# Operators and how strongly each binds; what follows a value, as a power; what stands before one.
BINARY = {"+": 1, "-": 1, "*": 2, "/": 2, "mod": 2, "of": 2, "^": 4}
POSTFIX = {"²": 2, "³": 3}
PREFIX = {"twice": 2, "thrice": 3}


class Unreadable(Exception):
    """The items are no sum, or one beyond the bounds."""


@dataclass(frozen=True, slots=True)
class Value:
    """An exact number, and whether it was written as a percentage."""

    exact: Rational
    percent: bool = False


def value_of(part: Sequence[Item]) -> Value:
    """The value of items that are one expression. Raises Unreadable when they are none."""
    return _Reader(part).read()


def rational(number: Number) -> Rational:
    """The exact value of a number as written; 25 % is a quarter."""
    from sympy import Integer, Rational

    over = number.over * (100 if number.percent else 1)
    if abs(number.power) > 2 * MAX_EXPONENT:
        raise Unreadable
    if number.power >= 0:
        return Rational(Integer(number.mantissa) * 10**number.power, over)
    return Rational(Integer(number.mantissa), 10**-number.power * over)


class _Reader:
    """Precedence climbing over the items of one side."""

    def __init__(self, part: Sequence[Item]) -> None:
        self.part = part
        self.at = 0
        self.depth = 0
        self.brackets = 0

    def read(self) -> Value:
        value = self._expression(1)
        if self.at != len(self.part):
            raise Unreadable
        return value

    def _peek(self) -> str:
        return self.part[self.at].text if self.at < len(self.part) else ""

    def _expression(self, least: int) -> Value:
        self.depth += 1
        if self.depth > 4 * MAX_NESTING:
            raise Unreadable
        left = self._operand()
        while True:
            sign = self._peek()
            strength = BINARY.get(sign, 0)
            if self.at >= len(self.part) or self.part[self.at].kind != "op" or strength < least:
                break
            self.at += 1
            # A power takes its right side first: 2 ^ 3 ^ 2 is 2 ^ 9.
            right = self._expression(strength if sign == "^" else strength + 1)
            left = _apply(sign, left, right)
        self.depth -= 1
        return left

    def _operand(self) -> Value:
        if self.at >= len(self.part):
            raise Unreadable
        item = self.part[self.at]
        self.at += 1
        if item.number is not None:
            value = Value(rational(item.number), item.number.percent)
            value = self._mixed(item, value)
        elif item.text == "(":
            self.brackets += 1
            if self.brackets > MAX_NESTING:
                raise Unreadable
            value = self._expression(1)
            if self._peek() != ")":
                raise Unreadable
            self.at += 1
            self.brackets -= 1
        elif item.text in ("-", "+"):
            inner = self._expression(3)
            return Value(-inner.exact, inner.percent) if item.text == "-" else inner
        elif item.text in PREFIX:
            inner = self._expression(3)
            return Value(_bounded(inner.exact * PREFIX[item.text]))
        else:
            raise Unreadable
        while self._peek() in POSTFIX:
            value = Value(_power(value.exact, POSTFIX[self._peek()]))
            self.at += 1
        return value

    def _mixed(self, item: Item, value: Value) -> Value:
        following = self.part[self.at] if self.at < len(self.part) else None
        if following is None or following.number is None:
            return value
        if following.text in "½¼¾":
            self.at += 1
            return Value(value.exact + rational(following.number))
        under = self.part[self.at + 2].number if self.at + 2 < len(self.part) else None
        if under is None or self.part[self.at + 1].text != "/" or item.number is None:
            raise Unreadable
        self.at += 3
        return Value(value.exact + rational(following.number) / rational(under))


def _apply(sign: str, left: Value, right: Value) -> Value:
    both = left.percent and right.percent
    if sign in "+-":
        # "200 + 10%" is 220, as on a pocket calculator.
        amount = right.exact * left.exact if right.percent and not left.percent else right.exact
        exact = left.exact + amount if sign == "+" else left.exact - amount
        return Value(_bounded(exact), both)
    if sign == "*":
        return Value(_bounded(left.exact * right.exact))
    if sign == "of":
        if not left.percent and left.exact.is_integer:
            raise Unreadable  # "12 of 48" is no product
        return Value(_bounded(left.exact * right.exact))
    if sign == "^":
        if not right.exact.is_integer or abs(right.exact) > MAX_EXPONENT:
            raise Unreadable
        return Value(_power(left.exact, int(right.exact)))
    if right.exact == 0:
        raise Unreadable
    if sign == "/":
        return Value(_bounded(left.exact / right.exact))
    if not (left.exact.is_integer and right.exact.is_integer):
        raise Unreadable
    return Value(left.exact % right.exact)


def _power(base: Rational, exponent: int) -> Rational:
    bits = max(int(base.p).bit_length(), int(base.q).bit_length())
    if bits * abs(exponent) > MAX_BITS or (base == 0 and exponent < 0):
        raise Unreadable
    return _bounded(base**exponent)


def _bounded(value: Rational) -> Rational:
    if max(int(value.p).bit_length(), int(value.q).bit_length()) > MAX_BITS:
        raise Unreadable
    return value
