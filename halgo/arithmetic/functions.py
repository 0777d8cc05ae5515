"""A function's name and the values given to it -> its value, by sympy; and how large any may get.

What sympy knows exactly stays exact: sqrt(16) is 4, sin(pi/6) a half. The rest ("sqrt(2)") is kept
as sympy's own number, so that sqrt(2) * sqrt(2) is 2, and `settled` to 30 digits at the end. Only
names of a short list come here, each with numbers: nothing is looked up by a name out of a text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sympy import Expr, Rational  # type: ignore[import-untyped]

MAX_BITS = 4096  # of the numerator or denominator of any result on the way
MAX_FACTORIAL = 500  # 3,768 bits
_MOST_OPERATIONS = 60  # in a number that is no fraction; each is worked out anew at every step
_MOST_GROWTH = 1000  # what exp and its kin may be given
_DIGITS = 30

# What sympy calls them.
_OF_NUMBERS = {
    "sqrt": "sqrt", "cbrt": "cbrt", "exp": "exp", "ln": "log", "log": "log",
    "sin": "sin", "cos": "cos", "tan": "tan", "asin": "asin", "acos": "acos", "atan": "atan",
    "arcsin": "asin", "arccos": "acos", "arctan": "atan",
    "sinh": "sinh", "cosh": "cosh", "tanh": "tanh",
}  # fmt: skip
_GROWING = frozenset({"exp", "sinh", "cosh", "tanh"})
_ANGLES = frozenset({"sin", "cos", "tan"})


class Unreadable(Exception):
    """The items are no sum, or one beyond the bounds."""


def applied(name: str, given: Sequence[Expr], strict: bool = True) -> Expr:
    """The value of a function. Raises Unreadable for one that is not known or has no real value.

    strict: also where readers differ over what is meant: "log(100)" is 2 to many, "sin(90)" 1.
    Else they are read as sympy does, the natural logarithm and radians.
    """
    import sympy

    if name in _WHOLE:
        least, most, function = _WHOLE[name]
        if not least <= len(given) <= most or not all(value.is_Rational for value in given):
            raise Unreadable
        return bounded(function(*given))
    if name in ("log10", "log2") and len(given) == 1:
        return bounded(sympy.log(_positive(given[0]), int(name[3:])))
    if name == "log" and len(given) == 2:
        base = _positive(given[1])
        if base == 1:
            raise Unreadable
        return bounded(sympy.log(_positive(given[0]), base))
    if name not in _OF_NUMBERS or len(given) != 1:
        raise Unreadable
    (value,) = given
    if name in ("log", "ln"):
        _positive(value)
    if name in _GROWING and abs(value.evalf(15)) > _MOST_GROWTH:
        raise Unreadable
    if strict and ((name == "log" and value != 1) or (name in _ANGLES and _is_angle(value))):
        raise Unreadable
    return bounded(getattr(sympy, _OF_NUMBERS[name])(value))


def constant(name: str) -> Expr:
    """The number pi or e. Raises Unreadable for any other name."""
    import sympy

    if name not in ("pi", "e"):
        raise Unreadable
    return sympy.pi if name == "pi" else sympy.E


def power(base: Expr, exponent: Expr, most: int) -> Expr:
    """`base` to an exponent of at most `most`. Raises Unreadable for a result beyond the bounds."""
    if abs(exponent.evalf(15)) > most:
        raise Unreadable
    if exponent.is_integer:
        if base == 0 and exponent < 0:
            raise Unreadable
        if _bits(base) * abs(int(exponent)) > MAX_BITS:
            raise Unreadable
    elif not _positive(base):
        raise Unreadable
    return bounded(base**exponent)


def bounded(value: Expr) -> Expr:
    """The same value. Raises Unreadable when it is no real number, or one that is too large."""
    if value.is_Rational:
        if max(int(value.p).bit_length(), int(value.q).bit_length()) > MAX_BITS:
            raise Unreadable
        return value
    # Infinity and what has an imaginary part are no results that a text states.
    if value.is_finite is not True or value.is_real is not True:
        raise Unreadable
    if value.count_ops() > _MOST_OPERATIONS or _bits(value) > MAX_BITS:
        raise Unreadable
    return value


def settled(value: Expr) -> Rational:
    """The value as a fraction, to 30 digits where it is none."""
    from sympy import Integer, Rational

    if value.is_Rational:
        return value
    number = value.evalf(_DIGITS)
    if not number.is_Float:
        raise Unreadable
    # Of numbers that cancel out sympy keeps one bit, whatever it was asked for.
    return Integer(0) if number._prec == 1 else Rational(str(number))


def _bits(value: Expr) -> int:
    """How many bits a number takes before or behind the point, about."""
    if value.is_Rational:
        return max(int(value.p).bit_length(), int(value.q).bit_length())
    size = abs(value.evalf(15))
    if not size.is_Float:
        raise Unreadable
    return int(abs(size._mpf_[2] + size._mpf_[3])) if size else 0


def _positive(value: Expr) -> Expr:
    if not value.evalf(15) > 0:
        raise Unreadable
    return value


def _is_angle(value: Expr) -> bool:
    """Whether a number may be meant in degrees: any but 0 and parts of pi."""
    return bool(value.is_Rational) and value != 0


def _factorial(value: Rational) -> Expr:
    from sympy import factorial

    if not value.is_integer or not 0 <= value <= MAX_FACTORIAL:
        raise Unreadable
    return factorial(value)


def _binomial(whole: Rational, part: Rational) -> Expr:
    from sympy import binomial

    if not (whole.is_integer and part.is_integer and 0 <= part <= whole <= MAX_BITS):
        raise Unreadable
    return binomial(whole, part)


def _of_whole(name: str) -> Callable[..., Any]:
    def function(*values: Rational) -> Expr:
        import sympy

        if not all(value.is_integer for value in values):
            raise Unreadable
        return sympy.Integer(getattr(sympy, name)(*map(int, values)))

    return function


def _rounded(name: str) -> Callable[..., Any]:
    def function(value: Rational) -> Expr:
        import sympy

        return getattr(sympy, name)(value)

    return function


# Fractions alone: the least and the most arguments, and what is made of them.
_WHOLE: dict[str, tuple[int, int, Callable[..., Any]]] = {
    "factorial": (1, 1, _factorial),
    "binomial": (2, 2, _binomial),
    "gcd": (2, 8, _of_whole("igcd")),
    "lcm": (2, 8, _of_whole("ilcm")),
    "floor": (1, 1, _rounded("floor")),
    "ceil": (1, 1, _rounded("ceiling")),
    "ceiling": (1, 1, _rounded("ceiling")),
    "abs": (1, 1, abs),
    "min": (2, 30, min),
    "max": (2, 30, max),
}


def takes_several(name: str) -> bool:
    """Whether a function takes more than one number, so that "1,200" may be two."""
    return name == "log" or (name in _WHOLE and _WHOLE[name][1] > 1)
