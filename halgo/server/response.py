"""Report -> what `/v1/check` sends: the report's own keys, each span also in bytes and units.

A span [start, end) in characters keeps its key; beside it stands a place that holds it three times
(`claim_span`, `claim_place`). Holds no clock time and no random id.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from halgo.delivery import gate
from halgo.delivery.citations import CitationReport, check_citations
from halgo.delivery.gate import Decision, Policy
from halgo.report.judge import Judge
from halgo.report.report import ClaimDict, Report
from halgo.server.corpora import Corpus
from halgo.server.offsets import Offsets

Plain = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is wanted beside the report; `sources`: ids of what citation numbers count."""

    parts: frozenset[str]
    policy: Policy
    sources: tuple[str, ...] | None = None


def response(report: Report, corpus: Corpus, wanted: Wanted) -> tuple[Plain, Decision | None]:
    """What is sent, and the gate's decision where one was asked for. May take the models."""
    answer = Offsets(report.answer)
    plain = report.to_dict()
    plain["claims"] = [placed(claim, answer, corpus) for claim in report.claim_dicts()]
    for listed in ("skipped", "unsupported_spans"):
        plain[listed] = _placed(plain[listed], answer)
    parts, decision = wanted.parts, None
    citations = _citations(report, corpus, wanted) if "citations" in parts else None
    if "gate" in parts:
        decision = gate.apply(report, wanted.policy, citations=citations)
    plain["judge"] = _judge(report, corpus, answer) if "judge" in parts else None
    plain["gate"] = None if decision is None else _gate(decision, answer)
    plain["citations"] = None if citations is None else _cited(citations, corpus, answer)
    if "html" in parts:
        from halgo.report.page.render import body

        plain["html"] = body(
            report,
            corpus.documents,
            None if decision is None else decision.to_dict(),
            None if citations is None else citations.to_dict(),
        )
    return plain, decision


def placed(claim: ClaimDict, answer: Offsets, corpus: Corpus) -> Plain:
    """A claim with its places in the answer and in the document that it rests on."""
    doc_id = claim["matched_doc_id"]
    document = None if doc_id is None else corpus.offsets(doc_id)
    return {
        **claim,
        "claim_place": answer.place(claim["claim_span"]),
        "evidence_place": document and document.place(claim["evidence_span"]),
        "chunk_place": document and document.place(claim["chunk_span"]),
        "signals": [
            {
                **signal,
                "claim_place": answer.place(signal["claim_span"]),
                "evidence_place": document and document.place(signal["evidence_span"]),
            }
            for signal in claim["signals"]
        ],
    }


def _placed(rows: Sequence[Plain], answer: Offsets) -> list[Plain]:
    return [{**row, "place": answer.place(row["span"])} for row in rows]


def _judge(report: Report, corpus: Corpus, answer: Offsets) -> Plain:
    plain = Judge(corpus.checker).judge(report).to_dict(full=True)
    for claim in plain["claims"]:
        claim["place"] = answer.place(claim["span"])
        for quote in claim["quotes"]:
            quote["place"] = corpus.offsets(quote["doc_id"]).place(quote["span"])
    plain["unchecked"] = _placed(plain["unchecked"], answer)
    return plain


def _gate(decision: Decision, answer: Offsets) -> Plain:
    plain = decision.to_dict()
    plain["edits"] = _placed(plain["edits"], answer)
    plain["unchecked"] = _placed(plain["unchecked"], answer)
    return plain


def _citations(report: Report, corpus: Corpus, wanted: Wanted) -> CitationReport:
    sources = None if wanted.sources is None else list(wanted.sources)
    return check_citations(report, corpus.checker, sources)


def _cited(found: CitationReport, corpus: Corpus, answer: Offsets) -> Plain:
    plain = found.to_dict()
    plain["citations"] = _placed(plain["citations"], answer)
    plain["findings"] = _placed(plain["findings"], answer)
    for citation in plain["citations"]:
        citation["claims"] = _placed(citation["claims"], answer)
        # Only a citation of one document names a part of it.
        place = None
        if citation["region"] is not None and len(citation["documents"]) == 1:
            place = corpus.offsets(citation["documents"][0]).place(citation["region"])
        citation["region_place"] = place
    return plain
