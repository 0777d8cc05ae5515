"""A Report -> the golden rows that a reader's "right" and "wrong" become, as JSON for the script.

A row holds its documents, so that a file of rows stands by itself: all of them where they are
short, else the passages that the claim was held against.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from halgo.types import ClaimResult, Document, Verdict

if TYPE_CHECKING:
    from halgo.report.report import Report

LONGEST = 20_000  # characters of all documents together that every row carries whole
# What halgo's verdict says as a label of a golden row.
LABELS = {
    Verdict.SUPPORTED: "supported",
    Verdict.CONTRADICTION: "contradicted",
    Verdict.WEAK_SUPPORT: "unsupported",
    Verdict.HALLUCINATION: "unsupported",
}


def rows(report: Report, documents: Iterable[Document] | None = None) -> str:
    """JSON that may stand in a <script>: `documents`, and for each claim its row by number.

    A claim's `documents` are positions in that list; none of the characters means anything to HTML.
    """
    known = list(documents or ())
    table: dict[tuple[str, str, str], int] = {}
    whole = 0 < sum(len(document.text) for document in known) <= LONGEST
    every = [_at(table, d.id, d.source, d.text) for d in known] if whole else []
    about = _digest(report.answer, report.engine.index_digest)
    claims = {}
    for result in report.results:
        held = every if whole else _held_against(result, table)
        if held:
            claims[str(result.claim.id)] = {
                "id": f"{about}-{result.claim.id}",
                "claim": result.claim.resolved,
                "verdict": result.verdict.value,
                "documents": held,
            }
    listed = [{"id": id_, "source": source, "text": text} for id_, source, text in table]
    data: dict[str, Any] = {"documents": listed, "claims": claims}
    said = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return said.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _held_against(result: ClaimResult, table: dict[tuple[str, str, str], int]) -> list[int]:
    """The passages that the claim was held against, each with the place that it stands at."""
    held = []
    for found in result.assessments:
        chunk = found.evidence.chunk
        name = f"{chunk.doc_id}#{chunk.span.start}"
        held.append(_at(table, name, found.evidence.source, chunk.text))
    return sorted(set(held))


def _at(table: dict[tuple[str, str, str], int], id_: str, source: str, text: str) -> int:
    return table.setdefault((id_, source, text), len(table))


def _digest(*parts: str) -> str:
    found = hashlib.sha256()
    for part in parts:
        found.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return found.hexdigest()[:12]
