"""An amount of the claim and the amounts of a passage -> how the one follows from the others.

A sum, difference, product or quotient. Among many amounts something nearly always hits by chance,
so this is for word problems, whose wording says which operation is asked for; the more ways were
tried for a number with few digits, the less a hit is worth.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from halgo.types import Quantity

MAX_AMOUNTS = 8
MAX_ADDED = 4

# "steps" lets a product or quotient take a sum or difference first: (18 - 12) / 3.
OPERATIONS = frozenset({"sum", "difference", "balance", "product", "quotient", "steps"})


@dataclass(frozen=True, slots=True)
class Derivation:
    """`value` = `pattern` filled with `parts`: "{0} + {1}" of 9 and 7.

    `operation` is one of OPERATIONS; `weight` in [0, 1] says how unlikely a chance hit is.
    """

    operation: str
    parts: tuple[Quantity, ...]
    pattern: str
    value: float
    weight: float

    def formula(self, written: Sequence[str]) -> str:
        """The derivation with the parts as they are written, one string a part."""
        return self.pattern.format(*written)


# Operation, parts, pattern and value -> a Derivation with its weight.
_Make = Callable[[str, Sequence[Quantity], str, float], Derivation]


def derive(
    target: Quantity,
    amounts: Sequence[Quantity],
    *,
    operations: frozenset[str],
    decimals: int | None = None,
) -> Derivation | None:
    """How `target` follows from some of `amounts`, or None; the simplest way first.

    amounts: nearest first; the first 8 are used. operations: what may be tried. decimals: how many
    the target was written with in its own unit, so that a rounded quotient is known.
    """
    if target.low != target.high or not math.isfinite(target.low):
        return None
    known = [a for a in amounts if a.low == a.high and math.isfinite(a.low) and a.low > 0]
    known = list(dict.fromkeys(known[:MAX_AMOUNTS]))
    tries = _tries(target, known, operations)
    if "balance" in operations and sum(_same_unit(a, target) for a in known) > 2:
        # Something came and something went: the whole story counts, not two of its amounts.
        tries = (d for d in tries if d.operation not in ("sum", "difference"))
    return next((d for d in tries if _equal(d.value, target, d, decimals)), None)


def only_pair(target: Quantity, amounts: Sequence[Quantity]) -> Derivation | None:
    """The sum or difference of two or three amounts that `target` is, where just one of them hits.

    What nothing asks for counts in a tiny passage alone, and not for a number of one digit.
    """
    known = list(dict.fromkeys(a for a in amounts if a.low == a.high and a.low > 0))
    if len(known) > 3 or len(known) < len(amounts) or digits(target) < 2:
        return None
    tries = _tries(target, known, frozenset({"sum", "difference"}))
    hits = [d for d in tries if _equal(d.value, target, d, None)]
    # Two biologists and forty cameras are no 42 megapixels.
    alike = all(part.unit == target.unit or not part.noun for hit in hits for part in hit.parts)
    return hits[0] if len(hits) == 1 and alike else None


def digits(quantity: Quantity) -> int:
    """Significant digits of a value: 1 for 7 and 300, 3 for 12.5 and 416."""
    written = f"{quantity.low:.6e}".partition("e")[0].replace(".", "").rstrip("0")
    return max(1, len(written.lstrip("-")))


def _weight(target: Quantity, amounts: int, operation: str) -> float:
    """0.5 for a one-digit number, up to 0.9; less when many amounts could have made it."""
    weight = 0.45 + 0.12 * digits(target) - 0.03 * max(0, amounts - 2)
    if operation in ("product", "quotient", "balance"):
        weight -= 0.05
    return round(min(0.9, max(0.3, weight)), 3)


def _equal(value: float, target: Quantity, found: Derivation, decimals: int | None) -> bool:
    if math.isclose(value, target.low, rel_tol=1e-9, abs_tol=1e-12):
        return True
    if target.approximate:
        return math.isclose(value, target.low, rel_tol=0.05)
    if found.operation in ("sum", "difference", "balance", "product"):
        # Written decimals are no binary fractions, and 0.667 + 0.1 stands for 2/3 + 1/10.
        return math.isclose(value, target.low, rel_tol=1e-6)
    if decimals is None:
        return math.isclose(value, target.low, rel_tol=1e-3)
    near = abs(value - target.low) <= 10.0**-decimals / 2 * (1 + 1e-9)
    return near and math.isclose(value, target.low, rel_tol=0.02)


def _tries(
    target: Quantity, known: Sequence[Quantity], allowed: frozenset[str]
) -> Iterator[Derivation]:
    """Every derivation that may be tried, simple ones first; whether it hits is not looked at."""

    def made(operation: str, parts: Sequence[Quantity], pattern: str, value: float) -> Derivation:
        weight = _weight(target, len(known), operation)
        return Derivation(operation, tuple(parts), pattern, value, weight)

    alike = [a for a in known if _same_unit(a, target)]
    counted = bool(target.noun) and any(a.noun == target.noun for a in known)
    if "sum" in allowed:
        for n in range(2, min(MAX_ADDED, len(alike)) + 1):
            for parts in combinations(alike, n):
                yield made("sum", parts, _plus(n), sum(p.low for p in parts))
        if len(alike) > MAX_ADDED:
            yield made("sum", alike, _plus(len(alike)), sum(p.low for p in alike))
    for a, b in permutations(known, 2):
        if (
            "difference" in allowed
            and _same_unit(a, b)
            and _same_unit(a, target)
            and a.low >= b.low
        ):
            yield made("difference", (a, b), "{0} - {1}", a.low - b.low)
        if "product" in allowed and a.low >= b.low != 1 and _product_unit(a, b, target):
            yield made("product", (a, b), "{0} × {1}", a.low * b.low)
        shared = not counted or a.noun in ("", target.noun)
        if "quotient" in allowed and b.low > 1 and shared and _quotient_unit(a, b, target):
            yield made("quotient", (a, b), "{0} / {1}", a.low / b.low)
    if "balance" in allowed:
        yield from _balances(made, alike)
    if "steps" in allowed and len(known) <= 4:
        yield from _two_steps(made, known, allowed)


def _balances(made: _Make, alike: Sequence[Quantity]) -> Iterator[Derivation]:
    """Three or four amounts, some added and some taken away: 47 - 25 + 40."""
    for n in range(3, min(MAX_ADDED, len(alike)) + 1):
        for parts in combinations(alike, n):
            if len({part.unit for part in parts}) > 1:
                continue
            for signs in range(1, 2**n - 1):
                kept = [1 if signs >> k & 1 else -1 for k in range(n)]
                value = sum(s * p.low for s, p in zip(kept, parts, strict=True))
                if value < 0:
                    continue
                order = sorted(range(n), key=lambda k: -kept[k])
                pattern = "".join(
                    (" + " if kept[k] > 0 else " - ") + f"{{{at}}}" for at, k in enumerate(order)
                )
                yield made("balance", [parts[k] for k in order], pattern[3:], value)


def _two_steps(
    made: _Make, known: Sequence[Quantity], allowed: frozenset[str]
) -> Iterator[Derivation]:
    """A sum or difference that is multiplied or shared out: (18 - 12) / 3."""
    for a, b, c in permutations(known, 3):
        if not _same_unit(a, b) or (a.noun and b.noun and a.noun != b.noun):
            continue
        for sign, inner in (("-", a.low - b.low), ("+", a.low + b.low)):
            if inner <= 0 or (sign == "+" and a.low < b.low):
                continue
            if "product" in allowed and not (a.unit and c.unit):
                yield made("product", (a, b, c), f"({{0}} {sign} {{1}}) × {{2}}", inner * c.low)
            if "quotient" in allowed and c.low > 1 and not c.unit:
                yield made("quotient", (a, b, c), f"({{0}} {sign} {{1}}) / {{2}}", inner / c.low)


def _plus(n: int) -> str:
    return " + ".join(f"{{{k}}}" for k in range(n))


def _same_unit(a: Quantity, b: Quantity) -> bool:
    # "The bill is 10.46" for dollars: a bare number may leave its unit unsaid.
    return a.unit == b.unit or not a.unit or not b.unit


_PER = re.compile(r" per |/")


def _product_unit(a: Quantity, b: Quantity, target: Quantity) -> bool:
    for rate, other in ((a, b), (b, a)):
        parts = _PER.split(rate.unit)
        if len(parts) == 2:
            return other.unit in (parts[1], "") and target.unit in (parts[0], "")
    if a.unit == b.unit and a.unit:
        return target.unit.startswith(("square", "cubic")) or not target.unit
    return target.unit in (a.unit, b.unit)


def _quotient_unit(a: Quantity, b: Quantity, target: Quantity) -> bool:
    parts = _PER.split(b.unit)
    if len(parts) == 2 and a.unit == parts[0]:
        return target.unit in (parts[1], "")
    if _PER.search(target.unit):
        return _PER.split(target.unit)[0] in (a.unit, "")
    if a.unit == b.unit:
        return not target.unit
    return target.unit == a.unit or not target.unit
