"""(Claim, passage) pairs -> Signals: what each detector saw, with a stance and what to underline.

A new rule is one file in this folder, one line in `RULES` (`registry.py`), and one row in the
groups of `verdict/scoring.py` if its kind is new. Detectors never decide and never see each other;
what stands of what they saw is settled in `verdict/resolve.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeGuard

from halgo.config import DETECTORS, Config
from halgo.protocols import ClaimDetector, Detector, Lexicon
from halgo.types import Claim, Corpus, Evidence, Pair, Signal

__all__ = ["DETECTORS", "alone", "default_detectors", "located", "of_family", "run", "together"]


def default_detectors(config: Config, lexicon: Lexicon) -> tuple[Detector | ClaimDetector, ...]:
    """The detectors of the families that `config` names, in its order."""
    found: list[Detector | ClaimDetector] = []
    for family in config.detectors:
        found += of_family(family, lexicon)
    return tuple(found)


def of_family(
    family: str, lexicon: Lexicon, without: Sequence[str] = ()
) -> list[Detector | ClaimDetector]:
    """The rules of one family as detectors, those that need all signals of a claim behind the rest.

    without: names of rules to leave out.
    """
    from halgo.signals.derivation.in_passage import SumsDetector
    from halgo.signals.disputes import DisputesDetector
    from halgo.signals.records.other_rows import RecordsDetector
    from halgo.signals.registry import RULES, Rules

    rules = [rule for rule in RULES if rule.family == family and rule.name not in without]
    found: list[Detector | ClaimDetector] = [Rules(rules, lexicon, family)]
    whole: dict[str, tuple[type[SumsDetector | RecordsDetector | DisputesDetector], ...]] = {
        "arithmetic": (SumsDetector,),
        "terms": (RecordsDetector, DisputesDetector),
    }
    return found + [kind() for kind in whole.get(family, ()) if kind.name not in without]


def run(
    detectors: Sequence[Detector | ClaimDetector], pairs: Sequence[Pair], corpus: Corpus
) -> list[tuple[Signal, ...]]:
    """All signals of each pair, detectors in order; spans still in the readings.

    An exception of a detector propagates: a checker that hides a fault reports false support.
    """
    found: list[tuple[Signal, ...]] = [()] * len(pairs)
    for detector in detectors:
        if not _compares(detector):
            continue
        signals = detector.compare(pairs, corpus)
        if len(signals) != len(pairs):
            raise ValueError(
                f"detector {detector.name!r} gave {len(signals)} results for {len(pairs)} pairs"
            )
        found = [
            before + tuple(_named(signal, detector.name) for signal in new)
            for before, new in zip(found, signals, strict=True)
        ]
    return found


def alone(detectors: Sequence[Detector | ClaimDetector], claim: Claim) -> tuple[Signal, ...]:
    """What detectors see of a claim by itself; no passage is needed."""
    return tuple(
        _named(signal, detector.name)
        for detector in detectors
        if _looks_at_claims(detector)
        for signal in detector.alone(claim)
    )


def together(
    detectors: Sequence[Detector | ClaimDetector],
    pairs: Sequence[Pair],
    found: Sequence[tuple[Signal, ...]],
) -> list[tuple[Signal, ...]]:
    """The signals of one claim's passages with what detectors see of all passages together.

    found: what stands beside each passage; what a detector adds stands behind it.
    """
    told = list(found)
    for detector in detectors:
        if _looks_at_claims(detector):
            told = [
                before + tuple(_named(signal, detector.name) for signal in new)
                for before, new in zip(told, detector.together(pairs, told), strict=True)
            ]
    return told


# What `isinstance` says of these protocols, at a tenth of its time: it is asked for every claim.
def _compares(detector: Detector | ClaimDetector) -> TypeGuard[Detector]:
    return hasattr(detector, "name") and hasattr(detector, "compare")


def _looks_at_claims(detector: Detector | ClaimDetector) -> TypeGuard[ClaimDetector]:
    return all(hasattr(detector, member) for member in ("name", "alone", "together"))


def located(signal: Signal, claim: Claim, evidence: Evidence | None = None) -> Signal:
    """The signal with its spans moved from the readings into the answer and the document."""
    return replace(
        signal,
        claim_span=signal.claim_span and claim.reading.locate(signal.claim_span),
        evidence_span=(
            evidence.reading.locate(signal.evidence_span)
            if evidence is not None and signal.evidence_span
            else None
        ),
    )


def _named(signal: Signal, detector: str) -> Signal:
    return signal if signal.detector else replace(signal, detector=detector)
