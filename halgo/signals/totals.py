"""A total in a claim -> the amounts of several passages that add up to it.

"The three orders come to £3,271" stands in no passage where every order has a row of its own. The
amounts must be of one document, one unit and one noun; the exact total is then no accident.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from halgo.signals.derivations import digits
from halgo.types import Pair, Quantity, Signal, Span, Stance

_TOTAL = re.compile(
    r"\b(?:totals?|totall?ed|altogether|combined|in all|overall|sum|sums|adds? up|come to|comes to|"
    r"came to|together)\b",
    re.IGNORECASE,
)
_MOST_ADDED = 12
_MOST_CHOSEN = 8  # amounts of which some are chosen: 70 ways at most
_LEAST_DIGITS = 2  # of a total; one digit comes out of anything
_CHOSEN_DIGITS = 3  # where it is left open which amounts are added


def totals(pairs: Sequence[Pair]) -> list[tuple[Signal, ...]]:
    """For each passage of one claim the totals that the passages' amounts add up to.

    A signal "derived" goes to every passage that gave one of the amounts.
    """
    found: list[tuple[Signal, ...]] = [() for _ in pairs]
    if not pairs or not _TOTAL.search(pairs[0].claim.text):
        return found
    claimed = pairs[0].claim_facts.quantities
    for target in claimed:
        if not _exact(target) or digits(target) < _LEAST_DIGITS or target.unit == "fraction":
            continue
        counts = {
            int(q.low): q
            for q in claimed
            if q is not target and not q.unit and _exact(q) and 2 <= q.low <= _MOST_ADDED
        }
        parts = _parts(target, _groups(pairs, target), sorted(counts))
        if not parts:
            continue
        said = _shown(target.span.of(pairs[0].claim.text))
        written = [_shown(q.span.of(pairs[row].evidence.reading.text)) for row, q in parts]
        formula = " + ".join(written)
        whole = Signal(
            kind="derived",
            stance=Stance.SUPPORTS,
            weight=min(0.9, 0.5 + 0.1 * digits(target)),
            message=f"{said} = {formula} (sources)",
            claim_span=target.span,
            values=(said, formula),
        )
        signals = [whole]
        if len(parts) in counts:  # "the three orders": three amounts were added
            counted = counts[len(parts)]
            number = _shown(counted.span.of(pairs[0].claim.text))
            message = f"{number} amounts make up {said} (sources)"
            signals.append(
                replace(whole, message=message, claim_span=counted.span, values=(number, formula))
            )
        for row in sorted({row for row, _ in parts}):
            span = next(q.span for at, q in parts if at == row)
            found[row] += tuple(replace(signal, evidence_span=span) for signal in signals)
    return found


def _groups(pairs: Sequence[Pair], target: Quantity) -> list[list[tuple[int, Quantity]]]:
    """(passage, amount) of like amounts in one document, each place of it once."""
    groups: dict[tuple[str, str], dict[Span, tuple[int, Quantity]]] = {}
    for row, pair in enumerate(pairs):
        for given in pair.evidence_facts.quantities:
            if not _exact(given) or not given.noun or given.unit != target.unit:
                continue
            place = pair.evidence.reading.locate(given.span)
            if place is not None:  # chunks overlap
                like = groups.setdefault((pair.evidence.chunk.doc_id, given.noun), {})
                like.setdefault(place, (row, given))
    return [list(group.values()) for group in groups.values() if len(group) > 1]


def _parts(
    target: Quantity, groups: Sequence[list[tuple[int, Quantity]]], counts: Sequence[int]
) -> Sequence[tuple[int, Quantity]]:
    """The amounts that add up to the target: all of a kind, or as many as the claim counts."""
    for group in groups:
        stated = not counts or len(group) in counts
        if stated and len(group) <= _MOST_ADDED and _adds_up(group, target):
            return group
    if digits(target) >= _CHOSEN_DIGITS:
        for group in groups:
            for count in counts:
                if len(group) > _MOST_CHOSEN or count >= len(group):
                    continue
                for chosen in combinations(group, count):
                    if _adds_up(chosen, target):
                        return chosen
    return ()


def _adds_up(parts: Sequence[tuple[int, Quantity]], target: Quantity) -> bool:
    total = sum(q.low for _, q in parts)
    return math.isclose(total, target.low, rel_tol=1e-9, abs_tol=1e-9)


def _exact(quantity: Quantity) -> bool:
    return (
        quantity.low == quantity.high
        and math.isfinite(quantity.low)
        and not quantity.unit.startswith(("ordinal", "clock", "identifier"))
    )


def _shown(written: str) -> str:
    return " ".join(written.split())
