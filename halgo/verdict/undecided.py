"""What a reader is told of a claim that nothing decides: what it lacks, or that nothing says it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from halgo.config import Config
from halgo.types import Assessment, Claim, Signal, Stance
from halgo.verdict.sureness import DECIDES, MODEL, OTHER_NAME, RECORDS, USUAL, WORKED_OUT


def nothing_found(assessments: Sequence[Assessment]) -> str:
    """That no passage says this; and if a signal has it, what is said of something like it.

    What is too unsure to contradict the claim must not read as if it did.
    """
    told = [
        signal
        for found in assessments
        for signal in found.signals
        if signal.stance is Stance.CONTRADICTS and signal.values and all(signal.values)
    ]
    best = max(told, key=lambda signal: signal.weight, default=None)
    nothing = "No passage of the sources says this"
    if best is None or best.values is None:
        return f"{nothing}."
    ours, theirs = best.values
    return f'{nothing}; of something like it one says "{theirs}", not "{ours}".'


def what_is_missing(
    claim: Claim, assessments: Sequence[Assessment], score: float, config: Config
) -> str:
    """What keeps the passage that is shown from supporting the claim, if a signal says so.

    Else that the score, before any calibration, is too low for the settings, where it is enough
    by default.
    """
    against = (Stance.CONTRADICTS, Stance.UNSUPPORTED)
    shown = [s for s in (assessments[0].signals if assessments else ()) if s.stance in against]
    doubts = [s for s in shown if s.kind != MODEL and not _answered(s, claim, assessments)]
    # Of a record that is shown beside the one that names it this is no news.
    doubts = [s for s in doubts if not (s.detector == RECORDS and s.kind == OTHER_NAME)]
    heard = [s for f in assessments for s in f.signals if s.kind == MODEL and s.stance in against]
    if any(s.kind in WORKED_OUT for f in assessments for s in f.signals):
        heard = []  # "The sources say otherwise" would be wrong beside what agrees exactly
    # What points to words of the passage tells a reader most, what only misses something least.
    sure = [s for s in doubts if s.weight >= DECIDES and s.evidence_span is not None]
    doubt = next(iter(sorted(sure, key=_surest) or heard or sorted(doubts, key=_surest)), None)
    if doubt:
        return doubt.message
    least = config.support_threshold
    if config.calibration is None and USUAL <= score < least:
        return f"The score of {score:.4g} is below the {least:g} that the settings ask for."
    return "A passage is about this, but may not say all of it."


def _answered(doubt: Signal, claim: Claim, assessments: Sequence[Assessment]) -> bool:
    """Whether a reader would find a doubt wrong.

    Another passage has the very words; or the claim says what the source says as well, of another
    thing ("twice a year, the other only once").
    """
    if doubt.claim_span is None:
        return False
    theirs = doubt.values[1] if doubt.values else ""
    start = doubt.claim_span.start - claim.span.start
    apart = claim.text[: max(0, start)] + claim.text[start + len(doubt.claim_span) :]
    if theirs and re.search(rf"(?<!\w){re.escape(theirs)}(?!\w)", apart, re.IGNORECASE):
        return True
    return any(
        signal.stance is Stance.SUPPORTS
        and signal.kind != MODEL
        and signal.claim_span is not None
        and signal.claim_span.overlaps(doubt.claim_span)
        for found in assessments
        for signal in found.signals
    )


def _surest(signal: Signal) -> float:
    return -signal.weight
