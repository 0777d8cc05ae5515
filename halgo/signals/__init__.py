"""(Claim, passage) pairs -> Signals: what each detector saw, with a stance and what to underline.

A new check is one file in this folder, one line in `DETECTORS`, and one row in the groups of
`verdict/scoring.py` if its kind is new. Detectors never decide and never see each other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from halgo.config import Config
from halgo.protocols import Detector, Lexicon
from halgo.types import Claim, Corpus, Evidence, Pair, Signal


def _numbers(lexicon: Lexicon) -> Detector:
    from halgo.signals.numbers import NumbersDetector

    return NumbersDetector(lexicon)


def _dates(lexicon: Lexicon) -> Detector:
    from halgo.signals.dates import DatesDetector

    return DatesDetector(lexicon)


def _terms(lexicon: Lexicon) -> Detector:
    from halgo.signals.terms import TermsDetector

    return TermsDetector(lexicon)


def _negation(lexicon: Lexicon) -> Detector:
    from halgo.signals.negation import NegationDetector

    return NegationDetector(lexicon)


def _arithmetic(lexicon: Lexicon) -> Detector:
    from halgo.signals.arithmetic import ArithmeticDetector

    return ArithmeticDetector()


DETECTORS: dict[str, Callable[[Lexicon], Detector]] = {
    "numbers": _numbers,
    "dates": _dates,
    "terms": _terms,
    "negation": _negation,
    "arithmetic": _arithmetic,
}


def default_detectors(config: Config, lexicon: Lexicon) -> tuple[Detector, ...]:
    """The detectors that `config` names, in its order."""
    return tuple(DETECTORS[name](lexicon) for name in config.detectors)


def run(
    detectors: Sequence[Detector], pairs: Sequence[Pair], corpus: Corpus
) -> list[tuple[Signal, ...]]:
    """All signals of each pair, detectors in order; spans still in the readings.

    An exception of a detector propagates: a checker that hides a fault reports false support.
    """
    found: list[tuple[Signal, ...]] = [()] * len(pairs)
    for detector in detectors:
        signals = detector.compare(pairs, corpus)
        if len(signals) != len(pairs):
            raise ValueError(
                f"detector {detector.name!r} gave {len(signals)} results for {len(pairs)} pairs"
            )
        found = [before + new for before, new in zip(found, signals, strict=True)]
    return found


def with_sums(
    claim: Claim, pairs: Sequence[Pair], found: Sequence[tuple[Signal, ...]]
) -> tuple[list[tuple[Signal, ...]], tuple[Signal, ...]]:
    """What arithmetic says of one claim as a whole: signals per passage, and the claim's own.

    Totals over several passages join; conflicts over a number that a sum accounts for go.
    """
    from halgo.signals.arithmetic import claim_signals, explained
    from halgo.signals.totals import totals

    own = claim_signals(claim.text)
    joined = [(*some, *more) for some, more in zip(found, totals(pairs), strict=True)]
    return explained(joined, own), own


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
