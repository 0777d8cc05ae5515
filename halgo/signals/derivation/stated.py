"""Numbers that a claim itself says how it comes by: "€42, as members get €10 off the €52".

What it names beside the number, and what the question told of the user's own case, are its only
operands; at least one of them has to stand in a passage. Among so few nothing hits by chance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from halgo.facts.units import NO_AMOUNTS
from halgo.protocols import Lexicon
from halgo.signals.derivation.derivations import Derivation, derive
from halgo.types import Pair, Quantity, Signal, Span, Stance

_WEIGHT = 0.7
_MOST = 8  # amounts of a claim that are looked at
_OPERATIONS = frozenset({"sum", "difference", "product"})


def signals(pairs: Sequence[Pair], _: Lexicon) -> list[tuple[Signal, ...]]:
    """For each passage of one claim that has an operand a signal `derived`."""
    found: list[list[Signal]] = [[] for _ in pairs]
    if not pairs:
        return []
    claim = pairs[0].claim
    amounts = [q for q in pairs[0].claim_facts.quantities[:_MOST] if _is_exact(q)]
    given = [q for q in claim.given if _is_exact(q)]
    if len(amounts) + len(given) < 3:
        return [() for _ in pairs]
    standing = [_standing(pair) for pair in pairs]
    told = {key for keys in standing for key in keys}
    own = {_key(one) for one in given}
    for target in amounts:
        if _key(target) in told or _key(target) in own:
            continue
        stated = [one for one in amounts if one is not target and _key(one) in told | own]
        stated += [one for one in given if _key(one) not in {_key(other) for other in stated}]
        way = derive(target, stated, operations=_OPERATIONS)
        if way is None or not any(_key(part) in told for part in way.parts):
            continue
        said = target.span.of(claim.text)
        formula = way.formula([_written(part, claim.text, amounts) for part in way.parts])
        for row, keys in enumerate(standing):
            place = _place(way, keys)
            if place is not None:
                values = (said, formula)
                found[row].append(
                    Signal("derived", Stance.SUPPORTS, _WEIGHT, f"{said} = {formula}",
                           target.span, place, values)
                )  # fmt: skip
    return [tuple(some) for some in found]


def _is_exact(amount: Quantity) -> bool:
    told = amount.low == amount.high and 0 < amount.low < math.inf
    return told and not amount.unit.startswith(NO_AMOUNTS)


def _key(amount: Quantity) -> tuple[float, str]:
    return amount.low, amount.unit.partition("/")[0]


def _standing(pair: Pair) -> dict[tuple[float, str], Span]:
    return {_key(one): one.span for one in pair.evidence_facts.quantities if _is_exact(one)}


def _place(way: Derivation, keys: dict[tuple[float, str], Span]) -> Span | None:
    return next((keys[_key(part)] for part in way.parts if _key(part) in keys), None)


def _written(part: Quantity, text: str, amounts: Sequence[Quantity]) -> str:
    """An operand as the claim writes it, the question's as a number."""
    return part.span.of(text) if part in amounts else f"{part.low:g}"
