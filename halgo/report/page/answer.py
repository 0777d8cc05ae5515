"""The answer with every claim marked: a link to its passage, then symbol, word and number."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from halgo.report.marks import own_claims
from halgo.report.page.claim_findings import Finding, findings
from halgo.report.page.flow import Inline, flow, leaves
from halgo.report.page.markup import Overlay, Part, attributed, element, text
from halgo.report.page.text_blocks import Line, Shown, laid_out
from halgo.report.page.verdict_looks import WORST_FIRST, look_of
from halgo.types import Span

if TYPE_CHECKING:
    from halgo.report.report import Report


def answer(report: Report, placed: Collection[int] | None = None) -> str:
    """The whole answer, its claims in order.

    placed: numbers of the claims whose passages stand on the page, as #p4; None: all that have
    one. The others lead to what is said of them, as #c4.
    """
    if not report.answer.strip():
        return '<p class="quiet">The answer is empty.</p>'
    known = findings(report)
    if placed is None:
        placed = {found.number for found in known if found.place is not None}
    blocks = list(_lines(report) if own_claims(report) else laid_out(report.answer))
    marked = _Marked(report.answer, known, placed, blocks)
    return "\n".join(leaves(list(flow(blocks, marked.inline))))


def _lines(report: Report) -> list[Shown]:
    """The caller's own claims, a paragraph each, untouched."""
    blocks, at = [], 0
    for line in report.answer.split("\n"):
        blocks.append(Shown("paragraph", None, (Line((Span(at, at + len(line)),), False),)))
        at += len(line) + 1
    return blocks


@dataclass(frozen=True, slots=True)
class _On:
    """What lies over a stretch: a claim, or a word of one that agrees or clashes."""

    found: Finding
    agrees: bool | None = None

    __hash__ = None  # type: ignore[assignment]


class _Marked:
    """Writes the answer line by line, opening and closing claims as they come."""

    def __init__(
        self, text_: str, known: list[Finding], placed: Collection[int], blocks: list[Shown]
    ) -> None:
        self.text, self.placed = text_, placed
        stretches = [(found.span, _On(found)) for found in known]
        stretches += ((at, _On(found, yes)) for found in known for at, yes in found.said)
        self.overlay = Overlay(stretches)
        self.begun: set[int] = set()
        self.ended: list[Finding] = []  # whose sign is still to be shown
        self.last: dict[int, int] = {}  # where the last that is shown of each claim ends
        for block in blocks:
            for line in block.lines:
                for span in line.spans:
                    for part in self.overlay.parts(span):
                        for one in part.on:
                            self.last[one.found.number] = part.span.end

    def inline(self, items: Inline) -> str:
        html: list[str] = []
        open_: Finding | None = None
        glue = ""
        for item in items:
            if isinstance(item, str):
                glue = item
                continue
            for part in self.overlay.parts(item):
                found = _claim(part)
                if open_ is not None and found is not open_:
                    html += self._close()
                    open_ = None
                html.append(glue)
                glue = ""
                if found is not None and open_ is None:
                    html.append(self._opened(found))
                    open_ = found
                html.append(self._words(part, found))
        if open_ is not None:
            html += self._close()
        return "".join(html)

    def _opened(self, found: Finding) -> str:
        number = found.number
        target = f"#p{number}" if number in self.placed else f"#c{number}"
        marks = attributed(
            class_=f"claim {look_of(found.result).name}",
            id=self._id(number),
            href=target,
            data_claim=str(number),
            aria_describedby=f"w{number}",
        )
        return f"<a{marks}>"

    def _id(self, number: int) -> str | None:
        """The name by which the claim is linked to, once."""
        first = number not in self.begun
        self.begun.add(number)
        return f"a{number}" if first else None

    def _close(self) -> list[str]:
        """The end of a link, and the signs of the claims of which nothing is left to show."""
        ended, self.ended = self.ended, []
        return ["</a>", *(f"\N{NO-BREAK SPACE}{self._sign(found)}" for found in ended)]

    def _sign(self, found: Finding) -> str:
        seen = look_of(found.result)
        inner = (
            f'<span class="n">{found.number}</span> '
            f'<span aria-hidden="true">{seen.symbol}</span> {text(seen.word)}'
        )
        return element(
            "a",
            inner,
            class_=f"chip {seen.name}",
            dir="ltr",
            id=self._id(found.number),
            href=f"#c{found.number}",
            data_to=str(found.number),
            aria_label=f"claim {found.number}: {seen.word}",
        )

    def _words(self, part: Part[_On], found: Finding | None) -> str:
        for one in part.on:
            if one.agrees is None and self.last[one.found.number] == part.span.end:
                self.ended.append(one.found)
        said = text(part.span.of(self.text))
        for one in part.on:
            if one.agrees is not None and one.found is found:
                return f'<mark class="{"yes" if one.agrees else "no"}">{said}</mark>'
        return said


def _claim(part: Part[_On]) -> Finding | None:
    """The claim that a stretch is shown as: of several the worst, then the first."""
    known = [one.found for one in part.on if one.agrees is None]
    order = WORST_FIRST.index
    return min(known, key=lambda f: (order(f.result.verdict), f.number), default=None)
