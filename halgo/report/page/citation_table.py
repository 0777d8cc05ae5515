"""What was found of an answer's citations -> a table: what each names, and whether that says so.

Takes the plain values of a `CitationReport.to_dict()`: citations are read behind the report.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from halgo.report.page.flow import scrolling
from halgo.report.page.markup import element, text
from halgo.report.page.verdict_looks import look
from halgo.types import Verdict


def citations_view(answer: str, found: Mapping[str, Any]) -> str:
    """The citations in order and what is wrong with them; "" when the answer cites nothing."""
    citations, findings = list(found["citations"]), list(found["findings"])
    if not citations and not findings:
        return ""
    parts = []
    if citations:
        rows = "".join(_row(answer, one) for one in citations)
        head = "".join(f'<th scope="col">{name}</th>' for name in ("cited", "names", "for"))
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
        parts.append(scrolling(table))
    if findings:
        wrong = "".join(
            f'<li dir="auto">{text(str(one["message"]))} '
            f'<span class="quiet">{text(str(one["kind"]).replace("_", " "))}</span></li>'
            for one in findings
        )
        parts.append(f'<ul class="wrong">{wrong}</ul>')
    elif citations:
        parts.append('<p class="quiet">Nothing is wrong with them.</p>')
    return "\n".join(parts)


def _row(answer: str, citation: Mapping[str, Any]) -> str:
    start, end = citation["span"]
    names = ", ".join(f"<bdi>{text(str(one))}</bdi>" for one in citation["documents"])
    claims = " ".join(_claim(one) for one in citation["claims"])
    nothing = '<span class="quiet">none</span>'
    return (
        f"<tr><td><bdi>{text(answer[start:end])}</bdi></td><td>{names or nothing}</td>"
        f"<td>{claims or nothing}</td></tr>"
    )


def _claim(claim: Mapping[str, Any]) -> str:
    seen = look(Verdict(claim["verdict"]))
    number = claim["claim_id"]
    inner = f'{number} <span aria-hidden="true">{seen.symbol}</span> {text(seen.word)}'
    return element("a", inner, class_=f"chip {seen.name}", href=f"#c{number}", data_to=str(number))
