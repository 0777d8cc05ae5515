"""The links of an answer -> those whose address nothing holds that its claims were held against.

Where a link leads is not read as part of its sentence, and yet its reader goes there. A link that
only says where a sentence comes from is a citation (citations.py), and none of these.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from halgo.claims.markers import marks_of
from halgo.report.report import Report
from halgo.types import Claim, Span

_MAILED = re.compile(r"\]\(((?:mailto|tel):[^()\s]{1,300})\)")
_LEADS = re.compile(r"(?:(?:https?|ftp)://(?:www\.)?|mailto:|tel:|www\.)(?P<bare>[^\s?#]+)", re.I)
_SCHEME = re.compile(r"[a-z][a-z\d+.-]{0,20}:|//", re.IGNORECASE)


class Targets:
    """The links among an answer's words, and the passages of its report."""

    def __init__(self, report: Report, resolved: Sequence[Span] = ()) -> None:
        """resolved: places of links that are known to name a source."""
        answer = report.answer
        markers = marks_of(answer).markers if "](" in answer or "href" in answer else ()
        self._links = [
            (one.span.start, one.url)
            for one in markers
            if one.kind in ("link", "url") and not one.beside and one.span not in resolved
        ]
        self._links += [(found.start(), found[1]) for found in _MAILED.finditer(answer)]
        self._passages = [
            (result.claim.id, f"{e.chunk.text}\n{e.source}\n{e.chunk.doc_id}".casefold())
            for result in (report.results if self._links else ())
            for e in (found.evidence for found in result.assessments)
        ]

    def nowhere(self, claim: Claim) -> str:
        """The first address in a claim that no passage has, its own or one before; "" for none.

        The claim's span is in the answer.
        """
        for place, url in self._links:
            within = claim.span.start <= place < claim.span.end and url not in claim.text
            if within and not self._held(url, claim.id):
                return url
        return ""

    def _held(self, url: str, claim_id: int) -> bool:
        found = _LEADS.match(url)
        if found is None:  # a place in the text, or beside it; or a script
            return _SCHEME.match(url) is None
        bare = re.escape(found["bare"].rstrip("/").casefold())
        whole = re.compile(rf"(?<![\w.-]){bare}(?![\w-])")
        return any(number <= claim_id and whole.search(text) for number, text in self._passages)
