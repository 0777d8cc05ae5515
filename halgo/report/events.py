"""Report -> events: plain dicts for programs that follow a check while it runs.

Three types: "claim", one for each claim once it is checked; "progress", how far a text has been
read; "verification", the last one, whose keys are those of the published verification event.
`sse` writes an event as server-sent events are (HTML Living Standard, section 9.2).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from halgo.report.report import ClaimDict, Report
from halgo.types import Verdict

# A claim that is contradicted and one that stands nowhere are both NOT_SUPPORTED in that event.
PUBLISHED = {
    Verdict.SUPPORTED: "SUPPORTED",
    Verdict.WEAK_SUPPORT: "PARTIALLY_SUPPORTED",
    Verdict.CONTRADICTION: "NOT_SUPPORTED",
    Verdict.HALLUCINATION: "NOT_SUPPORTED",
}
WEIGHTS = {"SUPPORTED": 1.0, "PARTIALLY_SUPPORTED": 0.5, "NOT_SUPPORTED": 0.0}


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
    """The whole report in the published keys.

    `confidence` is the mean over the checked claims of 1 for SUPPORTED, 0.5 for
    PARTIALLY_SUPPORTED and 0 for NOT_SUPPORTED, to two places; None when none was checked. What
    is not SUPPORTED has a `note` that says why.
    """
    details = [_detail(result.claim.text, result.verdict, result.message) for result in report]
    verdicts = [detail["verdict"] for detail in details]
    weights = [WEIGHTS[verdict] for verdict in verdicts]
    return {
        "type": "verification",
        "claims_checked": len(details),
        "claims_supported": verdicts.count("SUPPORTED"),
        "claims_partially_supported": verdicts.count("PARTIALLY_SUPPORTED"),
        "claims_unsupported": verdicts.count("NOT_SUPPORTED"),
        "confidence": round(sum(weights) / len(weights), 2) if weights else None,
        "details": details,
    }


def _detail(claim: str, verdict: Verdict, message: str) -> dict[str, str]:
    detail = {"claim": claim, "verdict": PUBLISHED[verdict]}
    if verdict is not Verdict.SUPPORTED and message:
        detail["note"] = message
    return detail


def sse(event: Mapping[str, Any]) -> str:
    """An event as it is sent to a browser: its type, its JSON on one line, and a blank line.

    Raises ValueError for an event without a type of one line.
    """
    kind = event.get("type")
    if not isinstance(kind, str) or not kind or "\n" in kind or "\r" in kind:
        raise ValueError(f"an event has a 'type', a string of one line, not {kind!r}")
    data = json.dumps(dict(event), ensure_ascii=True, allow_nan=False)
    return f"event: {kind}\ndata: {data}\n\n"
