"""Citations beside claims -> whether the cited document, read alone, supports its sentence.

A mark within or behind a sentence is about that sentence. One that is a sentence of its own,
"(See the handbook, page 5)", is about all sentences of its paragraph that cite nothing themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from halgo.claims.unmark import without
from halgo.delivery.citation_findings import CheckedCitation, Finding
from halgo.delivery.shelf import Shelf, page_at
from halgo.types import Claim, ClaimResult, Document, Span, Verdict

if TYPE_CHECKING:
    from halgo.checker import Checker

_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")
# Between marks that cite together: "[1][2]", "[1], [2] and [3]".
_JOINS = re.compile(r"[\s,;]*(?:(?:and|&)\s*)?\Z")


def supported(
    text: str,
    citations: Sequence[CheckedCitation],
    claims: Sequence[Claim],
    checker: Checker,
    shelf: Shelf,
) -> tuple[tuple[CheckedCitation, ...], list[Finding]]:
    """The citations with the results of their claims, and a finding for each that fails."""
    about = _about(text, citations, claims)
    readers = _Readers(checker, shelf, about, citations)
    findings: list[Finding] = []
    told: list[CheckedCitation] = []
    beside: dict[int, dict[tuple[str, ...], None]] = {}
    for checked, mine in zip(citations, about, strict=True):
        for claim in mine:
            if checked.documents:
                beside.setdefault(claim.id, {})[checked.documents] = None
    for checked, mine, group in zip(citations, about, _groups(text, citations), strict=True):
        results = []
        for claim in mine:
            result = readers.result(checked.documents, claim)
            if result is None:
                continue
            results.append(result)
            others = [ids for ids in beside[claim.id] if ids != checked.documents]
            finding = _finding(text, checked, result, others, group, claim, readers, shelf)
            if finding is not None and finding not in findings:
                findings.append(finding)
        told.append(replace(checked, results=tuple(results)))
    return tuple(told), findings


def _groups(text: str, citations: Sequence[CheckedCitation]) -> list[list[CheckedCitation]]:
    """Beside each citation all that cite together with it, it too: "[1, 2]", "[1][2]"."""
    found: list[list[CheckedCitation]] = []
    end = 0
    for checked in citations:
        span = checked.citation.span
        joined = found and (span.end == end or _JOINS.match(text[end : span.start]))
        found.append(found[-1] if joined else [])
        found[-1].append(checked)
        end = span.end
    return found


class _Readers:
    """One Checker per cited document, or per group of them, made once."""

    def __init__(
        self,
        checker: Checker,
        shelf: Shelf,
        about: Sequence[Sequence[Claim]],
        citations: Sequence[CheckedCitation],
    ) -> None:
        self.checker, self.shelf = checker, shelf
        links = ("link", "url")
        self.marks = [c.citation.span for c in citations if c.citation.kind not in links]
        self.made: dict[tuple[str, ...], Checker] = {}
        self.found: dict[tuple[tuple[str, ...], int], ClaimResult] = {}
        wanted: dict[tuple[str, ...], dict[int, Claim]] = {}
        for checked, mine in zip(citations, about, strict=True):
            if checked.documents:
                wanted.setdefault(checked.documents, {}).update((one.id, one) for one in mine)
        for ids, some in wanted.items():
            self._read(ids, list(some.values()))

    def result(self, ids: tuple[str, ...], claim: Claim) -> ClaimResult | None:
        """What these documents alone say of a claim; None when there are none."""
        if not ids:
            return None
        if (ids, claim.id) not in self.found:
            self._read(ids, [claim])
        return self.found[ids, claim.id]

    def _said(self, claim: Claim) -> str:
        """What is checked: "It rose" says little, so what rose is named; no mark is read."""
        bare = without(claim.reading, self.marks)
        return claim.resolved if bare == claim.reading else bare.text

    def _read(self, ids: tuple[str, ...], claims: Sequence[Claim]) -> None:
        if not claims:
            return
        if ids not in self.made:
            documents = [self.shelf.ids[one] for one in ids]
            made = type(self.checker).of(
                self.checker.halgorithm, documents, previous=self.checker.index
            )
            self.made[ids] = made.with_config(self.checker.config)
        report = self.made[ids].check_claims([self._said(claim) for claim in claims])
        for claim, result in zip(claims, report.results, strict=True):
            self.found[ids, claim.id] = replace(result, claim=claim)


def _finding(
    text: str,
    checked: CheckedCitation,
    result: ClaimResult,
    others: Sequence[tuple[str, ...]],
    group: Sequence[CheckedCitation],
    claim: Claim,
    readers: _Readers,
    shelf: Shelf,
) -> Finding | None:
    """What is wrong with a citation of a claim; None when its documents support it.

    others: the documents of the claim's other citations; group: those that cite together.
    """
    mark = checked.citation.span.of(text)
    source = shelf.ids[checked.documents[0]].source
    if result.verdict is Verdict.SUPPORTED:
        return _misplaced(mark, checked, result, shelf.ids[checked.documents[0]], readers)
    if result.verdict is Verdict.CONTRADICTION:
        message = f"{mark}: {source} contradicts the sentence{_because(result, 'it')}"
        return Finding("contradicted", message, checked.citation.span, checked.documents)
    heard = {ids: one.verdict for ids in others if (one := readers.result(ids, claim)) is not None}
    beside = {one.documents: heard[one.documents] for one in group if one.documents in heard}
    adds = result.verdict is Verdict.WEAK_SUPPORT  # to a sentence that another source carries
    if Verdict.SUPPORTED in (heard if adds else beside).values():
        return None
    if others and Verdict.SUPPORTED not in heard.values():
        # Two sources may each hold a half of the sentence.
        whole = readers.result(_joined([checked.documents, *others]), claim)
        if whole is not None and whole.verdict is Verdict.SUPPORTED:
            return None
    if Verdict.CONTRADICTION in beside.values():
        return None  # which is told of that source
    span, documents, it = checked.citation.span, checked.documents, "it"
    if beside:
        span = Span(group[0].citation.span.start, group[-1].citation.span.end)
        documents = _joined([documents, *beside])
        result = readers.result(documents, claim) or result
        mark, source, it = span.of(text), "the cited sources", "them"
    partly = result.verdict is Verdict.WEAK_SUPPORT
    if beside:
        part = "only partly support" if partly else "do not support"
    else:
        part = "only partly supports" if partly else "does not support"
    message = f"{mark}: {source} {part} the sentence{_because(result, it)}"
    return Finding("unsupported", message, span, documents)


def _joined(groups: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(sorted({one for ids in groups for one in ids}))


def _because(result: ClaimResult, cited: str) -> str:
    """What ends a finding: ": no passage of it says this."; cited: "it" or "them"."""
    said = result.message.replace("No passage of the sources", f"no passage of {cited}")
    return f": {said[:1].lower()}{said[1:]}" if said else "."


def _misplaced(
    mark: str, checked: CheckedCitation, result: ClaimResult, document: Document, readers: _Readers
) -> Finding | None:
    """A finding when the passages that support the claim stand outside the cited part."""
    region, evidence = checked.region, result.evidence
    if region is None or evidence is None:
        return None
    lowest = readers.checker.config.support_threshold
    for found in result.assessments:
        good = found.score >= lowest or found is result.assessments[0]
        if good and found.evidence.span.overlaps(region):
            return None
    page = page_at(document, evidence.span.start)
    where = f"on page {page}" if page else f"at character {evidence.span.start}"
    message = f"{mark}: what supports the sentence stands {where} of {document.source}, not there."
    return Finding("misplaced", message, checked.citation.span, checked.documents)


def _about(
    text: str, citations: Sequence[CheckedCitation], claims: Sequence[Claim]
) -> list[list[Claim]]:
    """The claims that each citation is cited for."""
    found: list[list[Claim]] = []
    free = 0  # claims before this one have a citation, or stand before one
    at = -1
    marks = [checked.citation.span for checked in citations]
    for k, span in enumerate(marks):
        while at + 1 < len(claims) and claims[at + 1].span.start <= span.start:
            at += 1
        if k and span == marks[k - 1]:
            found.append(found[-1])  # "[1, 3]"
            continue
        if at < 0:
            found.append([])
            continue
        here, own = at, claims[at]
        inside = span.start < own.span.end
        if inside and own.kind.checked and not _words(text, own.span.start, span.start, marks, k):
            # "... is 5%. [1] Payment ...": at the head of a sentence it is about the one before.
            before = claims[at - 1] if at else None
            close = before is not None and "\n" not in text[before.span.end : own.span.start]
            if before is not None and close and before.kind.checked:
                here = at - 1
        if claims[here].kind.checked and (inside or not _parted(text, claims[here], span)):
            found.append([claims[here]])
        elif not claims[here].kind.checked:
            found.append(_paragraph(text, claims, here, free))
        else:
            found.append([])
        if found[-1] and (k + 1 == len(marks) or marks[k + 1].start - span.end > 2):
            free = here + 1
    return found


def _words(text: str, start: int, end: int, marks: Sequence[Span], k: int) -> bool:
    """Whether words, and not only other marks, stand before a mark in its sentence."""
    for at in range(k - 1, -1, -1):
        span = marks[at]
        if span.end <= start:
            break
        if any(char.isalnum() for char in text[span.end : end]):
            return True
        end = min(end, span.start)
    return any(char.isalnum() for char in text[start:end])


def _parted(text: str, claim: Claim, span: Span) -> bool:
    return bool(_BLANK_LINE.search(text, claim.span.end, span.start))


def _paragraph(text: str, claims: Sequence[Claim], at: int, free: int) -> list[Claim]:
    """The checked claims before claim `at`, back to the paragraph's start or the last citation."""
    found: list[Claim] = []
    after = claims[at]
    for claim in reversed(claims[free:at]):
        if found and _BLANK_LINE.search(text, claim.span.end, after.span.start):
            break
        if claim.kind.checked:
            found.insert(0, claim)
        after = claim
    return found
