"""A Report -> rows of two tables: one row an answer, and one row a claim.

Made for DuckDB, pandas and Polars: plain columns, one type each, null where there is nothing. The
report stands whole in the column `report`, so that what has no column of its own is not lost.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from halgo.bulk.answer_rows import Row, sayable
from halgo.report.report import Report
from halgo.types import ClaimResult, Verdict

# Column -> what it holds: text, whole (number), number, bool or texts. Any of them may be null.
Kinds = Mapping[str, str]

ANSWERS: Kinds = {
    "id": "text",
    "row": "whole",
    "state": "text",
    "grounded": "bool",
    "confidence": "number",
    "weakest": "number",
    "probability": "number",
    "claims": "whole",
    "supported": "whole",
    "weak_support": "whole",
    "contradiction": "whole",
    "hallucination": "whole",
    "skipped": "whole",
    "warnings": "texts",
    "error": "text",
    "report": "text",
}

CLAIMS: Kinds = {
    "id": "text",
    "row": "whole",
    "claim_id": "whole",
    "verdict": "text",
    "score": "number",
    "reason": "text",
    "message": "text",
    "kind": "text",
    "claim": "text",
    "claim_start": "whole",
    "claim_end": "whole",
    "doc_id": "text",
    "source": "text",
    "location": "text",
    "passage": "text",
    "evidence_start": "whole",
    "evidence_end": "whole",
    "similarity": "number",
}


def answer_row(row: Row, found: Report | str, *, report: bool = True) -> dict[str, Any]:
    """A row of the table of answers; found: the report, or why there is none.

    report: whether the whole of it is there too, as JSON, with the texts that it is about.
    """
    values: dict[str, Any] = dict.fromkeys(ANSWERS)
    values |= {"id": row.id, "row": row.number, "warnings": []}
    if isinstance(found, str):
        return {**values, "error": sayable(found)}
    return values | {
        "state": found.state.value,
        "grounded": found.grounded,
        "confidence": _rounded(found.confidence),
        "weakest": _rounded(found.weakest),
        "probability": _rounded(found.probability),
        "claims": len(found),
        **{verdict.value.lower(): count for verdict, count in found.counts.items()},
        "skipped": len(found.skipped),
        "warnings": [sayable(warning) for warning in found.warnings],
        "report": _whole(row, found) if report else None,
    }


def _whole(row: Row, found: Report) -> str:
    """The report as JSON, with the texts that it is about, so that a reader needs no other file."""
    values = {"question": row.question, "answer": found.answer, **found.to_dict()}
    return json.dumps(values, ensure_ascii=True, allow_nan=False)


def claim_rows(row: Row, found: Report | str) -> list[dict[str, Any]]:
    """The rows of the table of claims: those that were checked, in order."""
    if isinstance(found, str):
        return []
    return [_claim_row(row, result) for result in found]


def _claim_row(row: Row, result: ClaimResult) -> dict[str, Any]:
    evidence, claim = result.evidence, result.claim
    location = evidence.location if evidence else None
    values: dict[str, Any] = {
        "id": row.id,
        "row": row.number,
        "claim_id": claim.id,
        "verdict": Verdict(result.verdict).value,
        "score": _rounded(result.score),
        "reason": result.reason or None,
        "message": result.message or None,
        "kind": claim.kind.value,
        "claim": claim.text,
        "claim_start": claim.span.start,
        "claim_end": claim.span.end,
        "doc_id": evidence.chunk.doc_id if evidence else None,
        "source": evidence.source if evidence else None,
        "location": str(location) if location else None,
        "passage": evidence.chunk.text if evidence else None,
        "evidence_start": evidence.span.start if evidence else None,
        "evidence_end": evidence.span.end if evidence else None,
        "similarity": _rounded(evidence.similarity) if evidence else None,
    }
    return {
        name: sayable(value) if isinstance(value, str) else value for name, value in values.items()
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(float(value), 4)
