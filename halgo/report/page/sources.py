"""The documents with the passages marked that claims rest on; where they are not at hand, those.

A passage carries the numbers of its claims, and behind it stand links back to them. What is far
from the part that is looked at costs nothing until it is scrolled to: documents stand in leaves
that the browser lays out when they come near.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from halgo.report.page.claim_findings import Finding, findings
from halgo.report.page.flow import Inline, flow, leaves
from halgo.report.page.markup import Overlay, Part, attributed, element, text
from halgo.report.page.text_blocks import Shown, laid_out
from halgo.report.page.verdict_looks import WORST_FIRST, look_of
from halgo.types import Document, SourceKind, Span

if TYPE_CHECKING:
    from halgo.report.report import Report

# Claims that a passage is linked back to; a thousand on one sentence would each be named on it.
MOST_BACK = 40
_KINDS = {
    SourceKind.DOCUMENT: "",
    SourceKind.CHUNK: "retrieved passage",
    SourceKind.TOOL: "tool result",
    SourceKind.ROW: "database row",
    SourceKind.TURN: "earlier in the conversation",
}


@dataclass(frozen=True, slots=True)
class Sheet:
    """A document as it is shown: all of it, or those parts that are known, with their starts."""

    source: str
    about: str
    parts: tuple[tuple[int, str], ...]
    found: tuple[Finding, ...]
    whole: bool

    __hash__ = None  # type: ignore[assignment]


def sheets(report: Report, documents: Iterable[Document] | None = None) -> list[Sheet]:
    """What is shown of the sources: the documents in order, else the passages by document.

    A passage that does not stand in the document of its name is shown by itself.
    """
    by_document: dict[str, list[Finding]] = {}
    for found in findings(report):
        if found.evidence is not None:
            by_document.setdefault(found.evidence.chunk.doc_id, []).append(found)
    made = []
    for document in documents or ():
        inside, outside = _held(document, by_document.pop(document.id, []))
        made.append(
            Sheet(document.source, _about(document), ((0, document.text),), tuple(inside), True)
        )
        if outside:
            by_document[document.id] = outside
    for found_ in by_document.values():
        evidence = found_[0].evidence
        assert evidence is not None
        about = _KINDS[evidence.kind]
        made.append(Sheet(evidence.source, about, _passages(found_), tuple(found_), False))
    return made


def placed(shown: Iterable[Sheet]) -> frozenset[int]:
    """The numbers of the claims whose passages stand on these sheets."""
    return frozenset(found.number for sheet in shown for found in sheet.found)


def sources(report: Report, documents: Iterable[Document] | None = None) -> str:
    """The pane of all sources."""
    return pane(sheets(report, documents))


def pane(shown: Sequence[Sheet]) -> str:
    """A list of the documents, where there are several, and each of them."""
    if not shown:
        return '<p class="quiet">There is no passage to show.</p>'
    parts = [_contents(shown)] if len(shown) > 1 else []
    parts += (_sheet(sheet, number) for number, sheet in enumerate(shown, start=1))
    return "\n".join(parts)


def _contents(shown: Sequence[Sheet]) -> str:
    rows = []
    for number, sheet in enumerate(shown, start=1):
        count = len(sheet.found)
        claims = f"{count} claim{'' if count == 1 else 's'}" if count else ""
        rows.append(
            f'<li><a href="#d{number}"><bdi>{text(_short(sheet.source))}</bdi></a> '
            f'<span class="quiet">{claims}</span></li>'
        )
    what = "documents" if all(sheet.whole for sheet in shown) else "sources"
    return (
        f'<details class="contents"><summary>{len(shown)} {what}</summary>'
        f"<ol>{''.join(rows)}</ol></details>"
    )


def _sheet(sheet: Sheet, number: int) -> str:
    marked = _Marked(sheet)
    shown_parts: list[str] = []
    for start, part in sheet.parts:
        shown = list(laid_out(part))
        marked.turn_to(start, part, shown)
        shown_parts += leaves(list(flow(shown, marked.inline)))
    between = "\n" if sheet.whole else '\n<p class="quiet gap">…</p>\n'
    about = sheet.about or ("" if sheet.whole else "passages only")
    inner = (
        f'<h3 id="d{number}"><bdi>{text(sheet.source)}</bdi>'
        + (f' <span class="quiet">{text(about)}</span>' if about else "")
        + f"</h3>\n{between.join(shown_parts)}"
    )
    return element("section", inner, class_="doc", aria_labelledby=f"d{number}")


def _short(source: str) -> str:
    """The last part of a path; all of what is none."""
    return source.rstrip("/").rsplit("/", 1)[-1] if " " not in source else source


def _about(document: Document) -> str:
    said = [_KINDS[document.kind]]
    if document.metadata.get("revision"):
        said.append(f"revision {document.revision}")
    return ", ".join(filter(None, said))


def _held(document: Document, found: Iterable[Finding]) -> tuple[list[Finding], list[Finding]]:
    """Those whose passage stands in this document, and those whose does not."""
    inside: list[Finding] = []
    outside: list[Finding] = []
    for one in found:
        chunk = None if one.evidence is None else one.evidence.chunk
        fits = chunk is not None and chunk.span.of(document.text) == chunk.text
        (inside if fits else outside).append(one)
    return inside, outside


def _passages(found: Iterable[Finding]) -> tuple[tuple[int, str], ...]:
    """The passages of one document in order; those that overlap as one."""
    chunks = {one.evidence.chunk.span: one.evidence.chunk.text for one in found if one.evidence}
    parts: list[tuple[int, str]] = []
    for span in sorted(chunks):
        said = chunks[span]
        if parts and span.start <= (end := parts[-1][0] + len(parts[-1][1])):
            start, before = parts[-1]
            parts[-1] = (start, before + said[end - span.start :])
        else:
            parts.append((span.start, said))
    return tuple(parts)


@dataclass(frozen=True, slots=True)
class _On:
    """What lies over a stretch of a document: the passage of some claims, or words of them."""

    claims: tuple[int, ...]
    agrees: bool | None = None


class _Marked:
    """Writes a document line by line with its passages, their names and the links back."""

    def __init__(self, sheet: Sheet) -> None:
        places: dict[tuple[Span, bool | None], list[int]] = {}
        for found in sheet.found:
            if found.place is None:
                continue
            places.setdefault((found.place, None), []).append(found.number)
            for span, yes in found.there:
                places.setdefault((span, yes), []).append(found.number)
        ordered = sorted(places.items(), key=lambda one: (one[0][0], str(one[0][1])))
        self.overlay = Overlay(
            [(span, _On(tuple(numbers), yes)) for (span, yes), numbers in ordered]
        )
        self.found = {found.number: found for found in sheet.found}
        self.begun: set[int] = set()
        self.last: dict[int, int] = {}
        self.start = 0
        self.text = ""

    def turn_to(self, start: int, part: str, blocks: Iterable[Shown]) -> None:
        """Goes on with a part of the document that begins at `start`, and its blocks."""
        self.start, self.text = start, part
        for block in blocks:
            spans = [span for line in block.lines for span in line.spans]
            for span in [*([block.lead] if block.lead else []), *spans]:
                for one in self.overlay.parts(span.shift(start)):
                    for number in _passage_of(one):
                        self.last[number] = one.span.end

    def inline(self, items: Inline) -> str:
        html: list[str] = []
        for item in items:
            if isinstance(item, str):
                html.append(item)
                continue
            for part in self.overlay.parts(item.shift(self.start)):
                html.append(self._part(part))
        return "".join(html)

    def _part(self, part: Part[_On]) -> str:
        said = text(part.span.shift(-self.start).of(self.text))
        numbers = _passage_of(part)
        if not numbers:
            return said
        fresh = [number for number in numbers if number not in self.begun]
        self.begun.update(fresh)
        anchors = "".join(f'<span class="at" id="p{number}"></span>' for number in fresh)
        worst = self._worst(numbers)
        if any(one.agrees is not None for one in part.on):
            yes = _named(one.claims for one in part.on if one.agrees is True)
            no = _named(one.claims for one in part.on if one.agrees is False)
            said = element("mark", said, data_yes=yes or None, data_no=no or None)
        listed = " ".join(map(str, numbers))
        ended = [number for number in numbers if self.last.get(number) == part.span.end]
        marks = attributed(class_=f"s {worst}", data_c=listed)
        return f"{anchors}<span{marks}>{said}</span>{self._back(ended)}"

    def _worst(self, numbers: Iterable[int]) -> str:
        """How the passage looks while no claim is picked: as the worst that rests on it."""
        results = [self.found[number].result for number in numbers]
        return look_of(min(results, key=lambda one: WORST_FIRST.index(one.verdict))).name

    def _back(self, numbers: Sequence[int]) -> str:
        """Links to the claims that rest on the passage that ends here."""
        links = []
        for number in numbers[:MOST_BACK]:
            seen = look_of(self.found[number].result)
            inner = f'<span aria-hidden="true">{seen.symbol}</span>\u202f{number}'
            links.append(
                element(
                    "a",
                    inner,
                    class_=f"back {seen.name}",
                    dir="ltr",
                    href=f"#c{number}",
                    data_to=str(number),
                    aria_label=f"claim {number}: {seen.word}",
                )
            )
        return f" {' '.join(links)}" if links else ""


def _passage_of(part: Part[_On]) -> list[int]:
    return sorted({n for one in part.on if one.agrees is None for n in one.claims})


def _named(claims: Iterable[Sequence[int]]) -> str:
    return " ".join(map(str, sorted({number for some in claims for number in some})))
