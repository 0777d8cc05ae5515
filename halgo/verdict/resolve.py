"""Signals of one claim -> those that stand: the one place where rules yield to one another.

Which rule stands aside for which, and how, is written beside the rule (`signals/registry.py`). One
more thing holds of all rules: a number or a date that arithmetic accounts for conflicts with
nothing. "Mia has 23 stamps" does not conflict with "had 14" once 23 = 14 + 9, nor the 25% of a
right "from 80 to 100, up 25%".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from halgo.signals.registry import RULES, Rule
from halgo.types import Signal, Span, Stance

# A derivation at least this sure outweighs what is said of the same number otherwise.
SETTLES = 0.5
# How sure it is that an amount of another section's is not what this one says.
OF_ANOTHER = 0.6
# What all rows of a table tell of a claim that says nothing else.
ROWS = "rows_agree"
_FIGURE_KINDS = (
    "number_conflict",
    "number_other_role",
    "unsupported_number",
    "not_derivable",
    "date_conflict",
    "unsupported_date",
)
# Of a word only where the working rests on it: that one of the rows is "shipped" is why two are
# "delivered", and that 45 passed is why 15 "failed".
_WORD_KINDS = ("word_conflict", "antonym", "negation")


def resolve(
    found: Sequence[tuple[Signal, ...]], own: Sequence[Signal] = ()
) -> list[tuple[Signal, ...]]:
    """What stands of one claim's signals.

    found: one tuple for each passage of the claim; own: the claim's own signals.
    """
    standing = [_standing(signals) for signals in found]
    if any(signal.kind == ROWS for signals in standing for signal in signals):
        # Every word of the claim is accounted for by a table's rows, so no other rule is asked.
        return [
            tuple(s for s in some if s.stance is Stance.SUPPORTS or s.detector not in _rules())
            for some in standing
        ]
    settled = [
        signal.claim_span
        for signal in (*own, *(signal for signals in standing for signal in signals))
        if signal.kind in ("arithmetic", "derived") and _settles(signal)
    ]
    only_elsewhere = _only_elsewhere(standing)
    return [
        tuple(
            replace(signal, weight=OF_ANOTHER)
            if signal.kind == "unsupported_number" and signal.claim_span in only_elsewhere
            else signal
            for signal in signals
            if not _accounted_for(signal, [*settled, *_hours(signals)])
        )
        for signals in standing
    ]


def _settles(signal: Signal) -> bool:
    return (
        signal.stance is Stance.SUPPORTS
        and signal.weight >= SETTLES
        and signal.claim_span is not None
    )


def _hours(signals: Sequence[Signal]) -> list[Span | None]:
    """The stretches of the claim that the same passage has as hours of the same day."""
    return [one.claim_span for one in signals if one.kind == "schedule_agrees" and _settles(one)]


def _only_elsewhere(found: Sequence[Sequence[Signal]]) -> set[Span]:
    """The claim's amounts that stand in sections on something else, and nowhere beside."""
    here: set[Span | None] = set()
    there: set[Span | None] = set()
    for signals in found:
        place = there if any(signal.kind == "other_section" for signal in signals) else here
        place |= {signal.claim_span for signal in signals if signal.kind == "number_agrees"}
    return {span for span in there - here if span is not None}


def _standing(signals: Sequence[Signal]) -> tuple[Signal, ...]:
    """The signals beside one passage without those whose rule stands aside for another's."""
    rules = _rules()
    if not any(rules[one.detector].after for one in signals if one.detector in rules):
        return tuple(signals)
    kept: list[Signal] = []
    for signal in signals:
        rule = rules.get(signal.detector)
        if rule is None or not any(other.detector in rule.after for other in kept):
            kept.append(signal)
    return tuple(kept)


def _accounted_for(signal: Signal, settled: Sequence[Span | None]) -> bool:
    return (
        signal.kind in _FIGURE_KINDS + _WORD_KINDS
        and signal.claim_span is not None
        and any(span is not None and signal.claim_span.overlaps(span) for span in settled)
    )


@lru_cache(maxsize=1)
def _rules() -> Mapping[str, Rule]:
    return {rule.name: rule for rule in RULES}
