"""Signals of one claim -> those that stand: the one place where rules yield to one another.

Which rule stands aside for which, and how, is written beside the rule (`signals/registry.py`). One
more thing holds of all rules: a number that arithmetic accounts for conflicts with nothing. "Mia
has 23 stamps" does not conflict with "had 14" once 23 = 14 + 9, nor the 25% of a right "from 80 to
100, up 25%".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from halgo.signals.registry import KNOWN, RULES, Rule
from halgo.types import Signal, Span, Stance

# A signal at least this sure leaves nothing to say to a rule that stands aside for it.
SURE = 0.5
# A derivation at least this sure outweighs what is said of the same number otherwise.
SETTLES = 0.5
# How sure it is that an amount of another section's is not what this one says.
OF_ANOTHER = 0.6
_NUMBER_KINDS = ("number_conflict", "number_other_role", "unsupported_number", "not_derivable")
# Of a word only where the working rests on it: that one of the rows is "shipped" is why two are
# "delivered", and that 45 passed is why 15 "failed".
_WORD_KINDS = ("word_conflict", "antonym", "negation")
# What shows that a sentence says the claim's words of one another, and what only seemed otherwise.
_PAIRED = ("schedule_agrees", "pairing_agrees")
_NAME_KINDS = ("name_conflict", "name_role", "swapped_names")


def resolve(
    found: Sequence[tuple[Signal, ...]], own: Sequence[Signal] = ()
) -> list[tuple[Signal, ...]]:
    """What stands of one claim's signals.

    found: one tuple for each passage of the claim; own: the claim's own signals.
    """
    standing = [_standing(signals) for signals in found]
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
            if not _accounted_for(signal, settled) and not _only_seems(signal, signals)
        )
        for signals in standing
    ]


def _settles(signal: Signal) -> bool:
    return (
        signal.stance is Stance.SUPPORTS
        and signal.weight >= SETTLES
        and signal.claim_span is not None
    )


def _only_seems(signal: Signal, beside: Sequence[Signal]) -> bool:
    """Whether the same passage says the claim's words of one another, so nothing is exchanged."""
    paired = [one.claim_span for one in beside if one.kind in _PAIRED and _settles(one)]
    if not paired:
        return False
    return signal.kind in _NAME_KINDS or _accounted_for(signal, paired)


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
        if rule is None or not _yields(signal, rule, [s for s in kept if s.detector in rule.after]):
            kept.append(signal)
    return tuple(kept)


def _yields(signal: Signal, rule: Rule, before: Sequence[Signal]) -> bool:
    """Whether a signal stands aside for those of the rules that come before its own."""
    if rule.aside == KNOWN:
        sure = [other for other in before if other.weight >= SURE]
        like = any((o.stance, o.kind) == (signal.stance, signal.kind) for o in sure)
        opposed = any(
            other.stance is Stance.CONTRADICTS or other.kind == "yes_no_agrees" for other in sure
        )
        return like or (opposed and signal.stance is Stance.CONTRADICTS)
    return bool(before)


def _accounted_for(signal: Signal, settled: Sequence[Span | None]) -> bool:
    return (
        signal.kind in _NUMBER_KINDS + _WORD_KINDS
        and signal.claim_span is not None
        and any(span is not None and signal.claim_span.overlaps(span) for span in settled)
    )


@lru_cache(maxsize=1)
def _rules() -> Mapping[str, Rule]:
    return {rule.name: rule for rule in RULES}
