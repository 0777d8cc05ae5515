"""Report -> events: plain dicts for programs that follow a check while it runs.

Three types: "claim", one for each claim once it is checked; "progress", how far a text has been
read; "verification", the last one, whose keys are those of the published verification event.
`sse` writes an event as server-sent events are (HTML Living Standard, section 9.2).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from halgo.report.asking import Support
from halgo.report.report import ClaimDict, Report
from halgo.types import Verdict

# A claim that is contradicted and one that stands nowhere are both NOT_SUPPORTED in that event.
SUPPORT = {
    Verdict.SUPPORTED: Support.SUPPORTED,
    Verdict.WEAK_SUPPORT: Support.PARTIALLY_SUPPORTED,
    Verdict.CONTRADICTION: Support.NOT_SUPPORTED,
    Verdict.HALLUCINATION: Support.NOT_SUPPORTED,
}
Detail = tuple[str, Support, str | None]  # a claim, how far it is supported, what is missing


def claim_event(claim: ClaimDict) -> dict[str, Any]:
    """The event of one checked claim; `claim` as in `Report.claim_dicts`."""
    return {"type": "claim", "claim": dict(claim)}


def progress_event(report: Report) -> dict[str, Any]:
    """How far a text has been read: characters received, sentences closed, claims by verdict."""
    return {
        "type": "progress",
        "characters": len(report.answer),
        "sentences": len(report.results) + len(report.skipped),
        "claims_checked": len(report.results),
        "counts": {verdict.value: count for verdict, count in report.counts.items()},
    }


def verification_event(report: Report) -> dict[str, Any]:
    """The whole report in the published keys: `event_of` its verdicts and their messages."""
    return event_of(
        [(result.claim.text, SUPPORT[result.verdict], result.message) for result in report]
    )


def event_of(details: Sequence[Detail]) -> dict[str, Any]:
    """The verification event of these claims.

    `confidence` is the mean weight of the verdicts, in [0, 1], to two places; None without
    claims. What is not SUPPORTED has a `note` that says why, where there is something to say.
    """
    verdicts = [verdict for _, verdict, _ in details]
    score = confidence(verdicts)
    return {
        "type": "verification",
        "claims_checked": len(details),
        "claims_supported": verdicts.count(Support.SUPPORTED),
        "claims_partially_supported": verdicts.count(Support.PARTIALLY_SUPPORTED),
        "claims_unsupported": verdicts.count(Support.NOT_SUPPORTED),
        "confidence": None if score is None else round(score, 2),
        "details": [
            {"claim": claim, "verdict": verdict.value}
            | ({"note": note} if note and verdict is not Support.SUPPORTED else {})
            for claim, verdict, note in details
        ],
    }


def confidence(verdicts: Sequence[Support]) -> float | None:
    """The mean weight of the verdicts, in [0, 1]; None without any."""
    if not verdicts:
        return None
    return sum(verdict.weight for verdict in verdicts) / len(verdicts)


def sse(event: Mapping[str, Any]) -> str:
    """An event as it is sent to a browser: its type, its JSON on one line, and a blank line.

    Raises ValueError for an event without a type of one line, TypeError for what is no event.
    """
    if not isinstance(event, Mapping):
        raise TypeError(f"an event is a dict, not {type(event).__name__}: {event!r:.80}")
    kind = event.get("type")
    if not isinstance(kind, str) or not kind or "\n" in kind or "\r" in kind:
        raise ValueError(f"an event has a 'type', a string of one line, not {kind!r}")
    data = json.dumps(dict(event), ensure_ascii=True, allow_nan=False)
    return f"event: {kind}\ndata: {data}\n\n"
