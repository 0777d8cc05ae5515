"""A report -> its answer with numbered citations behind what is supported, and the list of sources.

Only what the documents support is cited, each time with the passage the verdict rests on. The
text between the marks stays as it is, byte for byte, but for numbers and lists of sources that
were there before: those are replaced, so that no number means two things.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from halgo.claims.markers import Marker, Marks, marks_of
from halgo.delivery.sourcelist import CitedSource, digest_of, line, read_line
from halgo.report.report import Report
from halgo.sources.stops import OTHER_STOPS
from halgo.types import ClaimKind, ClaimResult, Document, Span, Verdict

STYLES = ("numbered", "footnotes")
HEAD = "Sources:"

_TERMINAL = f".!?\u2026{OTHER_STOPS}"


@dataclass(frozen=True, slots=True)
class Cited:
    """An answer with citations, and its sources in order of their numbers."""

    text: str
    sources: tuple[CitedSource, ...]
    style: str = "numbered"

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON."""
        return {
            "text": self.text,
            "style": self.style,
            "sources": [source.to_dict() for source in self.sources],
        }

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Cited:
        """The same from `to_dict`. Raises ValueError for anything else."""
        try:
            sources = tuple(CitedSource.from_dict(source) for source in given["sources"])
            return cls(str(given["text"]), sources, str(given.get("style", "numbered")))
        except (KeyError, TypeError) as error:
            raise ValueError(f"no cited answer as to_dict() gives it: {given!r:.200}") from error


@dataclass(frozen=True, slots=True)
class Stale:
    """A cited document that is not as it was: the numbers that cite it, and what has happened."""

    doc_id: str
    numbers: tuple[int, ...]
    reason: str


def with_citations(
    report: Report, *, style: str = "numbered", documents: Iterable[Document] | None = None
) -> Cited:
    """The answer with a citation at the end of each supported claim, and a list of its sources.

    style: "numbered" gives "[1]" and a list under "Sources:", "footnotes" gives "[^1]" and notes.
    documents: those of the checker (`checker.index.documents`), for their revisions and digests;
    without them a change is noticed only where an excerpt stood. A report in which nothing was
    assessed keeps its answer as it is. Raises ValueError for another style, TypeError
    for what is no report.
    """
    if not isinstance(report, Report):
        raise TypeError(
            f"with_citations takes a Report, not {type(report).__name__}: {report!r:.80}\n"
            "Make one with checker.check(answer)."
        )
    if style not in STYLES:
        raise ValueError(f"style must be one of {', '.join(STYLES)}, not {style!r}")
    text = report.answer
    cited = [result for result in report.results if _citable(result)]
    if report.confidence is None:
        return Cited(text, (), style)
    known = {document.id: document for document in documents or ()}
    marks = marks_of(text)
    gone, kept = _replaced(text, marks)
    sources: dict[tuple[str, Span], CitedSource] = {}
    inserts: dict[int, list[int]] = {}
    cited_by_page = [marker.span for marker in marks.markers if marker.kind == "page"]
    for result in cited:
        span = result.claim.span
        if any(span.start <= page.start and page.end <= span.end for page in cited_by_page):
            continue  # "(Handbook, page 5)" says it already
        if any(some.start < span.end <= some.end for some in (*marks.open_code, *marks.fenced)):
            continue  # behind a fence, or a backtick that is never closed, a mark would be code
        source = _source(result, known)
        key = (source.doc_id, source.span)
        if key not in sources:
            sources[key] = _numbered(source, len(sources), kept[style])
        place = _place(text, span, gone, marks)
        numbers = inserts.setdefault(place, [])
        if sources[key].number not in numbers:
            numbers.append(sources[key].number)
    listed = tuple(sources.values())
    body = _edited(text, gone, inserts, style).rstrip() if gone or listed else text
    return Cited(_with_list(body, text, listed, style, marks), listed, style)


def stale(cited: Cited | Iterable[CitedSource], documents: Iterable[Document]) -> list[Stale]:
    """The cited documents that have changed since, by the digest of their text, or are gone.

    Where no digest was taken, a document counts as changed when the excerpt stands elsewhere.
    """
    now = {document.id: document for document in documents}
    sources = cited.sources if isinstance(cited, Cited) else tuple(cited)
    numbers: dict[str, list[int]] = {}
    reasons: dict[str, str] = {}
    for source in sources:
        reason = _changed(source, now.get(source.doc_id))
        if reason:
            numbers.setdefault(source.doc_id, []).append(source.number)
            reasons.setdefault(source.doc_id, reason)
    return [Stale(one, tuple(some), reasons[one]) for one, some in numbers.items()]


def _changed(source: CitedSource, document: Document | None) -> str:
    if document is None:
        return "the document is gone"
    if source.digest is not None:
        same = digest_of(document.text) == source.digest
        if same:
            return ""
        stands = source.span.of(document.text) == source.excerpt
        return f"the text has changed; the excerpt {'still stands' if stands else 'is not'} there"
    return "" if source.span.of(document.text) == source.excerpt else "the excerpt is not there"


def _citable(result: ClaimResult) -> bool:
    """Whether a claim is supported by a passage; a sum that is right needs none."""
    supported = result.verdict is Verdict.SUPPORTED and result.evidence is not None
    return supported and result.claim.kind is not ClaimKind.ARITHMETIC


def _source(result: ClaimResult, known: Mapping[str, Document]) -> CitedSource:
    evidence = result.evidence
    assert evidence is not None
    chunk, span = evidence.chunk, evidence.span
    if not (chunk.span.start <= span.start < span.end <= chunk.span.end):
        span = chunk.span
    document = known.get(chunk.doc_id)
    return CitedSource(
        number=0,
        doc_id=chunk.doc_id,
        title=evidence.source,
        revision=document.revision if document is not None else evidence.revision or None,
        digest=digest_of(document.text) if document is not None else None,
        span=span,
        excerpt=span.shift(-chunk.span.start).of(chunk.text),
    )


def _numbered(source: CitedSource, taken: int, kept: frozenset[str]) -> CitedSource:
    """The source with the next number that no list which stays has."""
    number = taken + 1
    if kept:
        free = (n for n in range(1, 10_000) if str(n) not in kept)
        number = next(n for at, n in enumerate(free) if at == taken)
    return CitedSource(
        number,
        source.doc_id,
        source.title,
        source.revision,
        source.digest,
        source.span,
        source.excerpt,
    )


def _replaced(text: str, marks: Marks) -> tuple[list[Span], dict[str, frozenset[str]]]:
    """Marks and lists that go, ascending; and the labels that stay, for each style.

    Numbers and their lists go, and notes that we have written; a note of the answer's own says
    something, a title and page or a link stays as well.
    """
    ours = {e.label for e in marks.entries if e.note and read_line(e.text.of(text)) is not None}
    linked = {str(n) for n in _linked(text)}
    gone: list[Span] = []
    kept: dict[str, set[str]] = {"numbered": set(linked), "footnotes": set()}
    emptied = {entry.head for entry in marks.entries if entry.head is not None}
    for entry in marks.entries:
        stays = not entry.label or (entry.note and entry.label not in ours)
        if stays or (not entry.note and entry.label in linked):
            kept["footnotes" if entry.note else "numbered"].add(entry.label)
            emptied.discard(entry.head)
        else:
            gone.append(_whole_lines(text, entry.span))
    gone += (_whole_lines(text, head) for head in emptied if head is not None)
    for marker in marks.markers:
        number = marker.kind == "number" and not any(str(n) in linked for n in marker.numbers)
        if number or (marker.kind == "footnote" and marker.label in ours):
            gone.append(_with_space(text, marker))
        elif marker.kind == "footnote":
            kept["footnotes"].add(marker.label)
    gone.sort()
    return gone, {style: frozenset(labels) for style, labels in kept.items()}


def _linked(text: str) -> list[int]:
    """Numbers of links whose address stands elsewhere: "[the handbook][2]"."""
    return [int(found[1]) for found in re.finditer(r"(?<=[^\]\d]\])\[(\d{1,3})\]", text)]


def _whole_lines(text: str, span: Span) -> Span:
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.end)
    return Span(start, len(text) if end < 0 else end + 1)


def _with_space(text: str, marker: Marker) -> Span:
    """The mark with the spaces before it, or after it where it begins its line."""
    start, end = marker.span.start, marker.span.end
    while start and text[start - 1] in " \t":
        start -= 1
    if start and text[start - 1] != "\n":
        return Span(start, end)
    while end < len(text) and text[end] in " \t":
        end += 1
    return Span(marker.span.start, end)


def _place(text: str, span: Span, gone: list[Span], marks: Marks) -> int:
    """Where the mark of a claim goes: before its last full stop, behind what else ends it."""
    end = span.end
    for listed in (*marks.heads, *(entry.span for entry in marks.entries)):
        if span.start < listed.start < end:  # a line of a list joined the sentence before it
            end = span.start + len(text[span.start : listed.start].rstrip())
    moved = True
    while moved:  # old marks at the end are no part of it
        moved = False
        for old in gone:
            if old.start < end <= old.end and old.start > span.start:
                end, moved = old.start, True
    if text[end - 1 : end] == "|" and text[span.start : span.start + 1] == "|":
        end -= 1  # within the last cell of a row
        while end > span.start + 1 and text[end - 1] in " \t":
            end -= 1
        return end
    bare = end
    while bare > span.start and text[bare - 1] in "*_":
        bare -= 1
    place = bare
    while place > span.start and text[place - 1] in _TERMINAL:
        place -= 1
    if place in (bare, span.start):
        place = end
    for old in gone:  # "5% [1]."
        if old.start < place <= old.end and old.start > span.start:
            place = old.start
    for some in marks.code:
        if some.start < place < some.end:
            return max(end, some.end) if end <= some.end else some.end
    return place


def _edited(text: str, gone: list[Span], inserts: Mapping[int, list[int]], style: str) -> str:
    """The text without what goes and with the marks, every other character as it was."""
    parts: list[str] = []
    at = 0
    edits = [(place, 0, place, numbers) for place, numbers in inserts.items()]
    edits += [(span.start, 1, span.end, []) for span in gone]
    for start, _, end, numbers in sorted(edits, key=lambda edit: edit[:2]):
        if start > at:
            parts.append(text[at:start])
        at = max(at, end)
        if numbers:
            parts.append(_marks(numbers, style))
    parts.append(text[at:])
    return "".join(parts)


def _marks(numbers: list[int], style: str) -> str:
    if style == "footnotes":
        return "".join(f"[^{number}]" for number in numbers)
    return " " + "".join(f"[{number}]" for number in numbers)


def _with_list(
    body: str, text: str, sources: tuple[CitedSource, ...], style: str, marks: Marks
) -> str:
    """The text with its list of sources at the end."""
    end = text[len(text.rstrip()) :]
    if not sources:
        return body if body == text else body + end
    fence = f"\n{marks.open_fence}" if marks.open_fence else ""
    if style == "footnotes":
        lines = "\n".join(f"[^{source.number}]: {line(source)}" for source in sources)
        return f"{body}{fence}\n\n{lines}{end}"
    lines = "\n".join(f"- [{source.number}] {line(source)}" for source in sources)
    return f"{body}{fence}\n\n{HEAD}\n\n{lines}{end}"
