"""Items of tokens.py that are one expression -> its exact value, on sympy's exact numbers.

A small reader of our own, by precedence climbing. Nesting, digits, exponents and the size of every
result are bounded, and no text ever reaches a function that evaluates Python. Functions are those
of functions.py: "sqrt(16)", "5!", "√2".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from halgo.arithmetic.functions import (
    Unreadable,
    applied,
    bounded,
    constant,
    power,
    settled,
    takes_several,
)
from halgo.arithmetic.tokens import ROOTS, Item, Number

if TYPE_CHECKING:
    from sympy import Expr, Rational  # type: ignore[import-untyped]

__all__ = ["BINARY", "POSTFIX", "PREFIX", "Unreadable", "Value", "rational", "value_of"]

MAX_NESTING = 20
MAX_EXPONENT = 64
MAX_FUNCTIONS = 12  # of a side; sympy takes a millisecond for one that is no fraction

# Operators and how strongly each binds; what follows a value, as a power (0: it is no power); what
# stands before one.
BINARY = {"+": 1, "-": 1, "*": 2, "/": 2, "mod": 2, "of": 2, "^": 4}
POSTFIX = {"²": 2, "³": 3, "!": 0}
PREFIX = {"twice": 2, "thrice": 3}


@dataclass(frozen=True, slots=True)
class Value:
    """An exact number, and whether it was written as a percentage."""

    exact: Expr
    percent: bool = False


def value_of(part: Sequence[Item], strict: bool = True) -> Rational:
    """The value of items that are one expression, as a fraction.

    strict: not of what some read otherwise (`applied`). Raises Unreadable when they are none.
    """
    return settled(_Reader(part, strict).read().exact)


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

    def __init__(self, part: Sequence[Item], strict: bool) -> None:
        self.part = part
        self.strict = strict
        self.functions = 0
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
        elif item.kind == "call":
            value = Value(self._called(item.text))
        elif item.kind == "constant":
            self._count()
            value = Value(constant(item.text))
        elif item.text in ROOTS:
            value = Value(self._root(item))
        elif item.text == "(":
            (value,) = self._bracketed()
        elif item.text in ("-", "+"):
            inner = self._expression(3)
            return Value(-inner.exact, inner.percent) if item.text == "-" else inner
        elif item.text in PREFIX:
            inner = self._expression(3)
            return Value(bounded(inner.exact * PREFIX[item.text]))
        else:
            raise Unreadable
        last = ""
        while (sign := self._peek()) in POSTFIX:
            made = POSTFIX[sign]
            if sign == last == "!":
                raise Unreadable  # "6!!" is another function
            last = sign
            value = Value(
                power(value.exact, _whole(made), made)
                if made
                else self._applied("factorial", [value])
            )
            self.at += 1
        return value

    def _bracketed(self) -> list[Value]:
        """What stands in brackets, by its commas; their opening one has been read."""
        self.brackets += 1
        if self.brackets > MAX_NESTING:
            raise Unreadable
        values = [self._expression(1)]
        while self._peek() == ",":
            self.at += 1
            values.append(self._expression(1))
        if self._peek() != ")":
            raise Unreadable
        self.at += 1
        self.brackets -= 1
        return values

    def _called(self, name: str) -> Expr:
        start = self.at
        if self._peek() != "(":
            raise Unreadable
        self.at += 1
        values = self._bracketed()
        inner = self.part[start : self.at]
        # "max(1,200)" is one number or two.
        if takes_several(name) and any(item.number and "," in item.text for item in inner):
            raise Unreadable
        return self._applied(name, values)

    def _root(self, sign: Item) -> Expr:
        inner = self._expression(3)
        # "the square root of 9 plus 16" is 19 to one reader and 5 to the next.
        if self.strict and sign.span.end - sign.span.start > 1 and self._peek() in BINARY:
            raise Unreadable
        return self._applied(ROOTS[sign.text], [inner])

    def _applied(self, name: str, values: Sequence[Value]) -> Expr:
        self._count()
        return applied(name, [value.exact for value in values], self.strict)

    def _count(self) -> None:
        self.functions += 1
        if self.functions > MAX_FUNCTIONS:
            raise Unreadable

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
        return Value(bounded(exact), both)
    if sign == "*":
        return Value(bounded(left.exact * right.exact))
    if sign == "of":
        if not left.percent and left.exact.is_integer:
            raise Unreadable  # "12 of 48" is no product
        return Value(bounded(left.exact * right.exact))
    if sign == "^":
        return Value(power(left.exact, right.exact, MAX_EXPONENT))
    if settled(right.exact) == 0:
        raise Unreadable
    if sign == "/":
        return Value(bounded(left.exact / right.exact))
    if not (left.exact.is_Integer and right.exact.is_Integer):
        raise Unreadable
    return Value(left.exact % right.exact)


def _whole(number: int) -> Expr:
    from sympy import Integer

    return Integer(number)
