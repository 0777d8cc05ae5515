"""Scores and signals of one claim -> its verdict. One table, read from top to bottom.

| # | condition                                                                    | verdict       | reason        |
|---|------------------------------------------------------------------------------|---------------|---------------|
| 1 | a sum in the claim is right / wrong, worked out exactly                       | SUPPORTED / CONTRADICTION | `arithmetic` |
| 2 | a passage reaches `support_threshold`, nothing in it speaks against, and no passage nearer the subject contradicts | SUPPORTED | `supported` |
| 3 | a passage about the claim contradicts it                                      | CONTRADICTION | signal's kind |
| 4 | a name, amount or date of the claim is unsupported in every passage           | HALLUCINATION | signal's kind |
| 5 | a passage reaches `threshold`                                                 | WEAK_SUPPORT  | `weak_support`|
| 6 | otherwise                                                                     | HALLUCINATION | `no_evidence` |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from halgo.config import Config
from halgo.types import Assessment, Claim, ClaimKind, Signal, Stance, Verdict

# A signal at least this sure decides by itself; weaker ones only move the score.
DECIDES = 0.5
# By how much a contradicting passage must be nearer the subject than a supporting one to win.
NEARER = 0.05


@dataclass(frozen=True, slots=True)
class Decision:
    """A verdict with its reason: a short code, and a sentence for the reader."""

    verdict: Verdict
    reason: str
    message: str
    score: float


def decide(
    claim: Claim,
    assessments: Sequence[Assessment],
    claim_signals: Sequence[Signal],
    config: Config,
) -> Decision:
    """The verdict on one claim. `assessments` best first; `claim_signals` of the claim alone."""
    top = max((found.score for found in assessments), default=0.0)

    sums = [signal for signal in claim_signals if signal.kind == "arithmetic"]
    wrong = [signal for signal in sums if signal.stance is Stance.CONTRADICTS]
    if wrong:
        return _against(Verdict.CONTRADICTION, wrong[0], top)
    if sums and claim.kind is ClaimKind.ARITHMETIC:
        return Decision(Verdict.SUPPORTED, "arithmetic", sums[0].message, max(top, sums[0].weight))

    enough = [found for found in assessments if found.score >= config.support_threshold]
    nearest = max((found.about for found in enough if not _opposed(found)), default=None)
    contradiction = _strongest(assessments, config, nearer_than=nearest)
    if nearest is not None and contradiction is None:
        return Decision(Verdict.SUPPORTED, "supported", "", top)
    if contradiction:
        return _against(Verdict.CONTRADICTION, contradiction, top)

    unsupported = _unsupported_everywhere(assessments)
    if unsupported:
        return _against(Verdict.HALLUCINATION, unsupported, top)
    if top >= config.threshold:
        return Decision(Verdict.WEAK_SUPPORT, "weak_support", _weak(assessments), top)
    message = "No passage of the sources says this."
    return Decision(Verdict.HALLUCINATION, "no_evidence", message, top)


def _against(verdict: Verdict, signal: Signal, top: float) -> Decision:
    # A decided verdict caps the score: nothing wrong or invented looks half supported.
    return Decision(verdict, signal.kind, signal.message, min(top, 1.0 - signal.weight))


def _opposed(found: Assessment) -> bool:
    """Whether something in this very passage speaks against the claim, surely enough to decide."""
    against = (Stance.CONTRADICTS, Stance.UNSUPPORTED)
    return any(s.stance in against and s.weight >= DECIDES for s in found.signals)


def _strongest(
    assessments: Sequence[Assessment], config: Config, *, nearer_than: float | None
) -> Signal | None:
    """The surest contradiction by a passage about the claim; the first of equals.

    With `nearer_than` only of passages clearly more about the claim than the one that supports it:
    the price of Silver does not make a wrong price of Gold right.
    """
    best: Signal | None = None
    for found in assessments:
        evidence = found.evidence
        if max(evidence.similarity, evidence.lexical) < config.threshold:
            continue  # not about the claim, so it cannot contradict it
        if nearer_than is not None and found.about <= nearer_than + NEARER:
            continue
        for signal in found.signals:
            if signal.stance is Stance.CONTRADICTS and signal.weight >= DECIDES:
                best = signal if best is None or signal.weight > best.weight else best
    return best


def _unsupported_everywhere(assessments: Sequence[Assessment]) -> Signal | None:
    """A signal that the same words of the claim are unsupported in every passage, if it decides."""
    everywhere: dict[object, Signal] | None = None
    for found in assessments:
        here = {
            signal.claim_span or signal.message: signal
            for signal in found.signals
            if signal.stance is Stance.UNSUPPORTED and signal.weight >= DECIDES
        }
        everywhere = (
            here if everywhere is None else {k: s for k, s in everywhere.items() if k in here}
        )
    return max((everywhere or {}).values(), key=lambda signal: signal.weight, default=None)


def _weak(assessments: Sequence[Assessment]) -> str:
    """What keeps the best passage from supporting the claim, if a signal says so."""
    against = (Stance.CONTRADICTS, Stance.UNSUPPORTED)
    doubts = [s for s in assessments[0].signals if s.stance in against] if assessments else []
    doubt = max(doubts, key=lambda signal: signal.weight, default=None)
    return doubt.message if doubt else "A passage is about this, without quite saying it."
