"""An answer's citations -> the sources they name, and whether those say what is cited.

Every citation has to name exactly one source; every source of the list has to be cited; and the
source, read on its own, has to support the sentence: sharing its words is not enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from halgo.claims.markers import Entry, Marker, Marks, marks_of, pages_in
from halgo.delivery.citation_findings import CheckedCitation, Citation, Finding
from halgo.delivery.shelf import Named, Shelf, names_of
from halgo.delivery.support import supported
from halgo.delivery.unread_marks import unread
from halgo.report.report import Report
from halgo.types import Claim, Document, Span

if TYPE_CHECKING:
    from halgo.checker import Checker

Sources = str | Document | Mapping[str, Any] | Iterable[str | Mapping[str, Any] | Document]

_SEE = re.compile(r"\A(?:see(?:\salso)?|cf\.?|from|source:)[,:]?\s", re.IGNORECASE)


# What makes citations and sources other than one to one; the rest is about what they say.
_STRUCTURE = frozenset(
    {"broken", "unread", "orphan", "ambiguous", "duplicate_number", "duplicate_source", "uncited"}
)


@dataclass(frozen=True, slots=True)
class CitationReport:
    """The citations of an answer in order, what is wrong with them, and ids that none names."""

    answer: str
    citations: tuple[CheckedCitation, ...]
    findings: tuple[Finding, ...]
    uncited: tuple[str, ...]

    __hash__ = None  # type: ignore[assignment]

    @property
    def bijective(self) -> bool:
        """Whether each citation names one source and each listed source is cited, under one number.

        Listed are the sources of the answer's own list, or those that were given; without either
        a document that nobody cites is no fault.
        """
        return not any(finding.kind in _STRUCTURE for finding in self.findings)

    @property
    def ok(self) -> bool:
        """Whether nothing at all is wrong."""
        return not self.findings

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON."""
        return {
            "ok": self.ok,
            "bijective": self.bijective,
            "citations": [_citation_dict(checked) for checked in self.citations],
            "findings": [
                {
                    "kind": finding.kind,
                    "message": finding.message,
                    "span": _ends(finding.span),
                    "documents": list(finding.documents),
                }
                for finding in self.findings
            ],
            "uncited": list(self.uncited),
        }


def read_citations(answer: str, names: Iterable[str] = ()) -> tuple[Citation, ...]:
    """The citations of an answer, in order; those in code and in lists of sources left out.

    names: ids and titles of the sources, which are citations in brackets: "[kb-7]", "(Handbook)".
    Takes time in proportion to the answer's length. Raises TypeError for no string.
    """
    if not isinstance(answer, str):
        raise TypeError(f"an answer is a string, not {type(answer).__name__}: {answer!r:.80}")
    return tuple(one for marker in marks_of(answer, names).markers for one in _cited(marker))


def check_citations(
    answer: Report | str, checker: Checker | None = None, sources: Sources | None = None
) -> CitationReport:
    """Holds each citation against the sources, and the source against its sentence.

    answer: its text, or a report on it. sources: what the numbers count, in order: documents or
    ids of the checker's documents; without them the answer's own list of sources counts, and
    without that all documents of the checker in their order. Without a checker the citations are
    resolved and nothing is said of support. Raises ValueError without checker and sources,
    TypeError where the checker is none.
    """
    if checker is not None and not hasattr(checker, "halgorithm"):
        raise TypeError(
            f"the second argument of check_citations is a Checker, not {type(checker).__name__}: "
            f"{checker!r:.80}\nGive documents as sources=..., or Checker.from_docs(documents)."
        )
    text = answer.answer if isinstance(answer, Report) else answer
    if not isinstance(text, str):
        raise TypeError(f"an answer is a string or a Report, not {type(answer).__name__}")
    shelf = Shelf(_documents(checker, sources))
    names = [name for document in shelf.documents for name in names_of(document)]
    marks = marks_of(text, names)
    lists = _Lists(marks.entries, text, shelf)
    findings = [*_broken(text, marks), *unread(text, marks, len(shelf.documents))]
    findings += lists.findings()
    cited: list[tuple[Citation, Named, Entry | None]] = []
    for marker in marks.markers:
        for citation in _cited(marker):
            named, entry = lists.resolve(citation)
            if not named.documents and not named.mentioned:
                kind = "ambiguous" if named.ambiguous else "orphan"
                shown = citation.span.of(text)
                findings.append(Finding(kind, f"{shown}: {named.why}.", citation.span))
            cited.append((citation, named, entry))
    findings += lists.uncited([entry for _, _, entry in cited])
    findings += _twice(shelf, cited)
    ids = {document.id for _, named, _ in cited for document in named.documents}
    uncited = tuple(document.id for document in shelf.documents if document.id not in ids)
    if sources is not None and not lists.numbered:
        findings += (
            Finding("uncited", f'"{one}" is never cited.', None, (one,)) for one in uncited
        )
    checked = tuple(
        CheckedCitation(one, tuple(d.id for d in named.documents), named.region)
        for one, named, _ in cited
    )
    if checker is not None:
        claims = _claims(answer, checker)
        checked, wrong = supported(text, checked, claims, checker, shelf)
        findings += wrong
    findings.sort(key=_place)
    return CitationReport(text, checked, tuple(findings), uncited)


def _documents(checker: Checker | None, sources: Sources | None) -> Sequence[Document]:
    """The sources in order; a string that is an id of the checker's documents stands for it."""
    from halgo.sources.documents import several, to_documents

    if sources is None:
        if checker is None:
            raise ValueError("give a checker, or sources, or both: there is nothing to look in")
        return checker.index.documents
    known = {one.id: one for one in checker.index.documents} if checker is not None else {}
    found = [known.get(one, one) if isinstance(one, str) else one for one in several(sources)]
    return to_documents(found)[0]


def _claims(answer: Report | str, checker: Checker) -> list[Claim]:
    if isinstance(answer, Report):
        claims = [*(result.claim for result in answer.results), *answer.skipped]
        return sorted(claims, key=lambda claim: (claim.span.start, claim.id))
    from halgo.claims.extract import extract

    return extract(answer, checker.config.granularity)


def _cited(marker: Marker) -> list[Citation]:
    """The things that one mark cites."""
    if marker.kind == "number":
        return [Citation(marker.span, "number", number) for number in marker.numbers]
    if marker.kind != "page":
        number = marker.numbers[0] if marker.numbers else None
        return [
            Citation(
                marker.span,
                marker.kind,
                number,
                label=marker.label,
                title=marker.title,
                pages=marker.pages,
                url=marker.url,
            )
        ]
    found, title = [], ""
    for part in marker.label.split(";"):
        own, pages = pages_in(part)
        title = _SEE.sub("", own + " ").strip() or title  # "(Handbook, page 1; page 3)"
        if title or pages:
            found.append(Citation(marker.span, "page", title=title, pages=pages))
    return found


class _Lists:
    """The answer's own lists of sources, and what each number and note in them names."""

    def __init__(self, entries: Sequence[Entry], text: str, shelf: Shelf) -> None:
        self.text, self.shelf = text, shelf
        self.entries = entries
        self.named = [shelf.entry(entry.text.of(text)) for entry in entries]
        self.numbered = any(entry.label and not entry.note for entry in entries)
        self.at: dict[tuple[bool, str], int] = {}
        for at, entry in enumerate(entries):
            if entry.label:
                self.at.setdefault((entry.note, entry.label), at)

    def resolve(self, citation: Citation) -> tuple[Named, Entry | None]:
        """What a citation names, and the entry through which it does."""
        shelf = self.shelf
        if citation.kind == "footnote":
            at = self.at.get((True, citation.label))
            if at is None:
                return Named(why="there is no such note"), None
            return self.named[at], self.entries[at]
        if citation.kind == "page":
            return shelf.title(citation.title, citation.pages), None
        if citation.kind in ("link", "url"):
            named = shelf.url(citation.url)
        elif citation.title:
            named = shelf.title(citation.title, citation.pages)
        else:
            named = Named()
        if named.documents or named.mentioned or citation.number is None:
            return named, None
        at = self.at.get((False, str(citation.number)))
        if at is not None:
            return self.named[at], self.entries[at]
        if self.numbered:
            return Named(why=f"the list of sources has no {citation.number}"), None
        return shelf.number(citation.number), None

    def findings(self) -> list[Finding]:
        """Numbers with two sources, sources with two numbers."""
        found: list[Finding] = []
        places: dict[tuple[tuple[str, ...], Span | None, bool], str] = {}
        for entry, named in zip(self.entries, self.named, strict=True):
            if not entry.label:
                continue
            shown = f"[^{entry.label}]" if entry.note else f"[{entry.label}]"
            first = self.at[entry.note, entry.label]
            ids = tuple(document.id for document in named.documents)
            if self.entries[first] is not entry:
                message = f"{shown} stands for two sources."
                found.append(Finding("duplicate_number", message, entry.span, ids))
                continue
            if not ids:
                continue
            key = (ids, named.region, entry.note)
            if key in places:
                message = f"{shown} is the same source as {places[key]}."
                found.append(Finding("duplicate_source", message, entry.span, ids))
            places.setdefault(key, shown)
        return found

    def uncited(self, used: Sequence[Entry | None]) -> list[Finding]:
        """Entries that no citation leads to."""
        cited = {entry.span for entry in used if entry is not None}
        found = []
        for entry, named in zip(self.entries, self.named, strict=True):
            if entry.label and self.entries[self.at[entry.note, entry.label]] is not entry:
                continue  # a number met again, which is told already
            if entry.label and entry.span not in cited:
                shown = f"[^{entry.label}]" if entry.note else f"[{entry.label}]"
                ids = tuple(document.id for document in named.documents)
                message = f"{shown} is in the list of sources and never cited."
                found.append(Finding("uncited", message, entry.span, ids))
        return found


def _twice(shelf: Shelf, cited: Sequence[tuple[Citation, Named, Entry | None]]) -> list[Finding]:
    """Numbers of the given order that lead to sources of the same text."""
    found: list[Finding] = []
    numbers: dict[str, int] = {}
    told: set[int] = set()
    for citation, named, entry in cited:
        if citation.kind != "number" or entry is not None or len(named.documents) != 1:
            continue
        number = citation.number or 0
        first = numbers.setdefault(named.documents[0].text, number)
        if first != number and number not in told:
            told.add(number)
            message = f"[{number}] is the same source as [{first}]."
            ids = (named.documents[0].id,)
            found.append(Finding("duplicate_source", message, citation.span, ids))
    return found


def _broken(text: str, marks: Marks) -> list[Finding]:
    return [
        Finding("broken", f"{span.of(text)} begins like a citation and never ends.", span)
        for span in marks.broken
    ]


def _place(finding: Finding) -> tuple[int, int, str]:
    span = finding.span
    return (span.start, span.end, finding.kind) if span else (1 << 60, 0, finding.message)


def _ends(span: Span | None) -> list[int] | None:
    return [span.start, span.end] if span is not None else None


def _citation_dict(checked: CheckedCitation) -> dict[str, Any]:
    citation = checked.citation
    return {
        "span": _ends(citation.span),
        "kind": citation.kind,
        "number": citation.number,
        "label": citation.label or None,
        "title": citation.title or None,
        "pages": list(citation.pages) if citation.pages else None,
        "url": citation.url or None,
        "documents": list(checked.documents),
        "region": _ends(checked.region),
        "claims": [
            {
                "claim_id": result.claim.id,
                "span": _ends(result.claim.span),
                "verdict": result.verdict.value,
                "message": result.message or None,
            }
            for result in checked.results
        ],
    }
