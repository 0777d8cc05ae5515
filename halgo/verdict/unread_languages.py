"""Claims and passages that are not in English -> what may be decided of them all the same.

halgo's parser, encoder and entailment model read English. What they make of other languages is
noise that looks like a finding, so nothing is supported there. An amount, a date or a name that
clashes still contradicts: these look the same in many languages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from halgo.types import Assessment, ClaimResult, Signal, Stance

# The kind of the signal that tells of a language, and the reason of a verdict that rests on it.
LANGUAGE = "language"
_MOST_TOLD = 10  # warnings
# What can be told to clash in a language that is not read.
_CLASHES = frozenset({"number_conflict", "date_conflict", "name_conflict"})


def noted(language: str, what: str) -> Signal:
    """That a claim or a passage (`what`) is in a language which is not read."""
    message = f"The {what} is in {language}, which halgo does not read."
    return Signal(LANGUAGE, Stance.NEUTRAL, 1.0, message, detector=LANGUAGE)


def note_of(signals: Iterable[Signal]) -> Signal | None:
    """The signal that a claim or passage is in a language which is not read; None without one."""
    return next((signal for signal in signals if signal.kind == LANGUAGE), None)


def in_part(
    assessments: Sequence[Assessment], claim_signals: Sequence[Signal], least: float
) -> list[Assessment]:
    """The passages, each without what is noise, that have a part in the verdict.

    Beside passages that are read, one that is not counts only where it is about the claim: its
    similarity or lexical score is `least` or more.
    """
    told = [what_is_told(found, claim_signals) for found in assessments]
    note = note_of(claim_signals)
    if note is not None:
        told = [replace(found, signals=(*found.signals, note)) for found in told]
    kept = [
        found
        for found in told
        if note_of(found.signals) is None
        or max(found.evidence.similarity, found.evidence.lexical) >= least
    ]
    return kept or told


def what_is_told(found: Assessment, claim_signals: Sequence[Signal]) -> Assessment:
    """The passage without the signals that are noise where it or the claim is not in English."""
    if note_of((*claim_signals, *found.signals)) is None:
        return found
    kept = (s for s in found.signals if s.kind == LANGUAGE or _is_clash(s))
    return replace(found, signals=tuple(kept))


def _is_clash(signal: Signal) -> bool:
    return signal.kind in _CLASHES and not _same_figures(signal)


def _same_figures(signal: Signal) -> bool:
    """Whether two sides that clash are the same figures: "1.500" in German is 1,500."""
    if signal.values is None:
        return False
    ours, theirs = (re.sub(r"\D", "", value) for value in signal.values)
    if any(re.search(r"\d[.,]\d", value) for value in signal.values):
        ours, theirs = ours.rstrip("0"), theirs.rstrip("0")
    return bool(ours) and ours == theirs


def warnings_of(results: Sequence[ClaimResult]) -> list[str]:
    """What a report warns of: the languages of claims and of passages, and how many claims each.

    A passage counts where the verdict rests on its language.
    """
    told = Counter[str]()
    for result in results:
        every = [result.signals]
        if result.reason == LANGUAGE:
            every += (found.signals for found in result.assessments)
        note = next(filter(None, map(note_of, every)), None)
        if note is not None:
            told[note.message] += 1
    every_one = "1 claim" if len(results) == 1 else f"{len(results)} claims"
    found = [
        f"{count} of {every_one} at most WEAK_SUPPORT: {message[:1].lower()}{message[1:]}"
        for message, count in list(told.items())[:_MOST_TOLD]
    ]
    if len(told) > _MOST_TOLD:
        found.append(f"{len(told) - _MOST_TOLD} more languages or sources are not read.")
    return found
