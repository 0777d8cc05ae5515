"""(Claim, passage) pairs -> Signals: what each detector saw, with a stance and what to underline.

A new rule is one file in this folder, one line in `RULES` (`registry.py`), and one row in the
groups of `verdict/scoring.py` if its kind is new. Detectors never decide and never see each other;
what stands of what they saw is settled in `verdict/resolve.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from numbers import Real
from typing import Any, TypeGuard

from halgo.config import DETECTORS, Config
from halgo.protocols import ClaimDetector, Detector, Lexicon
from halgo.settings import shown
from halgo.types import Claim, Corpus, Evidence, Pair, Signal, Stance

__all__ = [
    "DETECTORS",
    "alone",
    "default_detectors",
    "located",
    "of_family",
    "required",
    "run",
    "together",
]


def default_detectors(config: Config, lexicon: Lexicon) -> tuple[Detector | ClaimDetector, ...]:
    """The detectors of the families that `config` names, in its order.

    The rules of all families are one detector, so that what they share is read once for all.
    """
    from halgo.signals.registry import RULES, Rules

    rules = [rule for family in config.detectors for rule in RULES if rule.family == family]
    whole = [detector for family in config.detectors for detector in _of_all_signals(family)]
    return (Rules(rules, lexicon), *whole)


def of_family(
    family: str, lexicon: Lexicon, without: Sequence[str] = ()
) -> list[Detector | ClaimDetector]:
    """The rules of one family as detectors, those that need all signals of a claim behind the rest.

    without: names of rules to leave out.
    """
    from halgo.signals.registry import RULES, Rules

    rules = [rule for rule in RULES if rule.family == family and rule.name not in without]
    whole = [found for found in _of_all_signals(family) if found.name not in without]
    return [Rules(rules, lexicon, family), *whole]


def _of_all_signals(family: str) -> list[ClaimDetector]:
    """The rules of a family that need all signals of a claim."""
    from halgo.signals.derivation.in_passage import SumsDetector
    from halgo.signals.disputes import DisputesDetector
    from halgo.signals.records.other_rows import RecordsDetector

    if family == "arithmetic":
        return [SumsDetector()]
    return [RecordsDetector(), DisputesDetector()] if family == "terms" else []


def run(
    detectors: Sequence[Detector | ClaimDetector], pairs: Sequence[Pair], corpus: Corpus
) -> list[tuple[Signal, ...]]:
    """All signals of each pair, detectors in order; spans still in the readings.

    An exception of a detector propagates: a checker that hides a fault reports false support. A
    note on it names the detector.
    Raises TypeError or ValueError, with the detector's name, for what is no signals.
    """
    found: list[tuple[Signal, ...]] = [()] * len(pairs)
    for detector in detectors:
        if not _compares(detector):
            continue
        with _naming(detector.name):
            given = detector.compare(pairs, corpus)
        new = _of_pairs(given, len(pairs), detector.name)
        found = [before + more for before, more in zip(found, new, strict=True)]
    return found


def alone(detectors: Sequence[Detector | ClaimDetector], claim: Claim) -> tuple[Signal, ...]:
    """What detectors see of a claim by itself; no passage is needed."""
    found: list[Signal] = []
    for detector in detectors:
        if _looks_at_claims(detector):
            with _naming(detector.name):
                given = detector.alone(claim)
            found += _signals(given, detector.name)
    return tuple(found)


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
            with _naming(detector.name):
                given = detector.together(pairs, told)
            new = _of_pairs(given, len(pairs), detector.name)
            told = [before + more for before, more in zip(told, new, strict=True)]
    return told


@contextmanager
def _naming(detector: str) -> Iterator[None]:
    """Puts the detector's name on what it raises: a bare KeyError does not tell whose it is."""
    try:
        yield
    except Exception as error:
        error.add_note(f"raised by the detector {detector!r}")
        raise


def required(given: object) -> tuple[Detector | ClaimDetector, ...]:
    """The detectors of a caller. Raises TypeError for what is none, with what one has to have."""
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        raise TypeError(f"detectors must be a sequence of detectors, not {shown(given)}")
    found = tuple(given)
    for each in found:
        looks = not isinstance(each, type) and (_compares(each) or _looks_at_claims(each))
        if not looks or not isinstance(each.name, str):
            raise TypeError(
                f"{shown(each)} is no detector: an object with a `name` and compare(pairs, corpus),"
                " or alone(claim) and together(pairs, found). "
                "Families of rules are chosen by name in Config(detectors=...)"
            )
    return found


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


def _of_pairs(given: Any, pairs: int, detector: str) -> list[tuple[Signal, ...]]:
    """What a detector returned for so many pairs. Raises TypeError or ValueError that names it."""
    if not isinstance(given, (list, tuple)):
        raise TypeError(
            f"detector {detector!r} gave {shown(given)}; a list with a tuple of signals for each "
            "pair is expected, () where it sees nothing"
        )
    if len(given) != pairs:
        raise ValueError(f"detector {detector!r} gave {len(given)} results for {pairs} pairs")
    return [_signals(signals, detector) if signals != () else () for signals in given]


def _signals(given: Any, detector: str) -> tuple[Signal, ...]:
    """Signals with the name of their detector on them. Raises TypeError for what is none."""
    if not isinstance(given, Iterable):
        raise TypeError(
            f"detector {detector!r} gave {shown(given)} where a tuple of signals is expected, "
            "() where it sees nothing"
        )
    return tuple(_named(signal, detector) for signal in given)


def _named(signal: Signal, detector: str) -> Signal:
    if not isinstance(signal, Signal):
        raise TypeError(f"detector {detector!r} gave {shown(signal)} where a Signal is expected")
    if not isinstance(signal.stance, Stance):
        raise TypeError(
            f"detector {detector!r} gave a signal with the stance {shown(signal.stance)}; "
            "a Stance is expected, such as Stance.CONTRADICTS"
        )
    if not isinstance(signal.weight, Real) or not 0 <= signal.weight <= 1:
        raise TypeError(
            f"detector {detector!r} gave a signal with the weight {shown(signal.weight)}; "
            "a number from 0 to 1 is expected"
        )
    return signal if signal.detector else replace(signal, detector=detector)
