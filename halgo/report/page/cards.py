"""One claim as a card: verdict, score, reason in words, both values, passage, two buttons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from halgo.report.marks import deciding, missing, offsets, why
from halgo.report.page.charts import meter
from halgo.report.page.claim_findings import Finding, finding, pieces
from halgo.report.page.labels import LABELS
from halgo.report.page.markup import Overlay, element, text
from halgo.report.page.verdict_looks import look, look_of
from halgo.types import ClaimResult, Evidence, Reading, Span, Verdict

if TYPE_CHECKING:
    from halgo.report.report import Report

OTHERS = 2  # further passages that a card quotes
_LONGEST = 600  # characters of a claim, or of a passage
_PLAIN = {
    Verdict.SUPPORTED: "The passage says so.",
    Verdict.WEAK_SUPPORT: "A passage is about this, without quite saying it.",
    Verdict.CONTRADICTION: "The sources say otherwise.",
    Verdict.HALLUCINATION: "No source says so.",
}


def card(report: Report, result: ClaimResult, start: int = 0, place: str | None = None) -> str:
    """One claim, as <article id="c4">.

    start: where its text begins in the answer (`marks.offsets`). place: what its passage is
    linked by, "#p4"; None where that is nowhere on the page.
    """
    return of_finding(report, finding(result, start), place)


def cards(report: Report, placed: frozenset[int], *, labels: bool = True) -> str:
    """All checked claims, in order; placed: the numbers of those whose passage is on the page.

    labels: whether each has the buttons that label it.
    """
    starts = offsets(report)
    return "\n".join(
        of_finding(
            report,
            finding(result, starts[result.claim.id]),
            f"#p{result.claim.id}" if result.claim.id in placed else None,
            labels=labels,
        )
        for result in report.results
    )


def of_finding(report: Report, found: Finding, place: str | None, *, labels: bool = True) -> str:
    """The card of what is shown of a claim."""
    result, number = found.result, found.number
    seen = look_of(result)
    chip = (
        f'<span class="chip {seen.name}"><span aria-hidden="true">{seen.symbol}</span> '
        f"{text(seen.word)}</span>"
    )
    inner = [
        f'<header><h3>{chip} <a class="n" href="#a{number}" data-to="{number}">'
        f"claim {number}</a></h3>"
        f'<p class="score">{meter(result.score)}score '
        f"{result.score:.2f}</p></header>",
        f'<p class="said" dir="auto">{_claim(report, found)}</p>',
        f'<p class="why" id="w{number}" dir="auto">{text(_why(result))}</p>',
        *_values(result),
        *_terms(result),
        *_parts(result),
        *_passage(found, place),
        *_others(found),
        *([_buttons(number)] if labels else []),
    ]
    source = None if found.evidence is None else found.evidence.source
    return element(
        "article",
        "\n".join(inner),
        class_=f"card {seen.name}",
        id=f"c{number}",
        data_claim=str(number),
        data_verdict=seen.name,
        data_label=LABELS[result.verdict],
        data_source=source or None,
        aria_label=f"Claim {number}: {seen.word}",
    )


def _why(result: ClaimResult) -> str:
    return why(result) or _PLAIN[result.verdict]


def _claim(report: Report, found: Finding) -> str:
    """The claim's words with those marked that agree or clash."""
    claim = found.result.claim
    shift = found.span.start - claim.span.start
    overlay = Overlay([(span.shift(-shift), yes) for span, yes in found.said])
    original = report.answer[shift:] if shift else report.answer
    return _marked(claim.reading, Span(0, len(claim.text)), overlay, original, 0)


def _marked(
    reading: Reading, within: Span, overlay: Overlay[bool], original: str, start: int
) -> str:
    """A reading in the words of its original, whose first character is number `start`."""
    within = Span(within.start, min(within.end, within.start + _LONGEST))
    html: list[str] = []
    for words, place in pieces(reading, within):
        there = None if place is None else place.shift(-start)
        if place is None or there is None or not _same(words, there, original):
            html.append(text(words))
            continue
        for part in overlay.parts(place):
            said = text(part.span.shift(-start).of(original))
            if part.on:
                said = f'<mark class="{"yes" if all(part.on) else "no"}">{said}</mark>'
            html.append(said)
    more = " …" if within.end < len(reading.text) and len(within) == _LONGEST else ""
    return "".join(html) + more


def _same(words: str, place: Span, original: str) -> bool:
    """Whether these words stand there: a reading may be of another text, or reach out of it."""
    there = place.of(original) if place.start >= 0 else ""
    return len(there) == len(words) and _letters(there) == _letters(words)


def _letters(said: str) -> str:
    return "".join(filter(str.isalnum, said))


def _values(result: ClaimResult) -> Iterator[str]:
    """Both values beside each other, where the verdict rests on two."""
    signal = deciding(result)
    if result.verdict is not Verdict.CONTRADICTION or signal is None or signal.values is None:
        return
    ours, theirs = signal.values
    if ours and theirs and ours != theirs:
        other = "should be" if signal.kind == "arithmetic" else "document"
        yield (
            f'<dl class="values"><div><dt>answer</dt><dd dir="auto">{text(ours)}</dd></div>'
            f'<div><dt>{other}</dt><dd dir="auto">{text(theirs)}</dd></div></dl>'
        )


def _terms(result: ClaimResult) -> Iterator[str]:
    terms = missing(result)
    if terms:
        shown = ", ".join(f"<bdi>{text(term)}</bdi>" for term in terms)
        yield f'<p class="terms">In no source: {shown}</p>'


def _parts(result: ClaimResult) -> Iterator[str]:
    """The clauses of a claim whose facts stand in several passages, each with its verdict."""
    if not result.parts:
        return
    rows = []
    for part in result.parts:
        seen = look(part.verdict)
        from_ = "" if part.evidence is None else f" {_origin(part.evidence, part.evidence.span)}"
        rows.append(
            f'<li dir="auto"><span class="chip {seen.name}"><span aria-hidden="true">{seen.symbol}'
            f"</span> {text(seen.word)}</span> {text(part.claim.text)}{from_}</li>"
        )
    yield f'<ul class="parts" aria-label="Its parts">{"".join(rows)}</ul>'


def _passage(found: Finding, place: str | None) -> Iterator[str]:
    evidence = found.evidence
    if evidence is None:
        return
    name = _origin(evidence, found.best or evidence.span)
    if place is not None:
        name = element("a", name, class_="to", href=place, data_to=str(found.number))
    quoted = _quoted(evidence, found)
    yield f'<blockquote dir="auto">{quoted}</blockquote>\n<p class="from">{name}</p>'


def _origin(evidence: Evidence, stretch: Span) -> str:
    """A passage's source, and where in its file the stretch of it stands."""
    location = evidence.located(stretch)
    told = "" if location is None else f", {text(str(location))}"
    return f"<cite>{text(evidence.source)}</cite>{told}"


def _quoted(evidence: Evidence, found: Finding | None = None) -> str:
    """The passage in words, a table's cell behind its column's name."""
    words = () if found is None else found.there
    whole = found is not None and found.best == evidence.chunk.span
    within = Span(0, len(evidence.reading.text)) if whole else evidence.best
    chunk = evidence.chunk
    return _marked(evidence.reading, within, Overlay(words), chunk.text, chunk.span.start)


def _others(shown: Finding) -> Iterator[str]:
    """The next best passages, for whoever wonders what else there was; none that is shown."""
    if shown.evidence is None or shown.best is None:
        return
    # Passages overlap, so another one may have the very sentence that is quoted already.
    known = [(shown.evidence.chunk.doc_id, shown.best)]
    others: list[Evidence] = []
    for evidence in (found.evidence for found in shown.result.assessments):
        place = (evidence.chunk.doc_id, evidence.span)
        if evidence is shown.evidence or any(_same_place(place, other) for other in known):
            continue
        known.append(place)
        others.append(evidence)
    others = others[:OTHERS]
    if not others:
        return
    rows = "".join(
        f'<blockquote dir="auto">{_quoted(evidence)}</blockquote>'
        f'<p class="from">{_origin(evidence, evidence.span)}</p>'
        for evidence in others
    )
    yield f"<details><summary>next best passages</summary>{rows}</details>"


def _same_place(one: tuple[str, Span], other: tuple[str, Span]) -> bool:
    return one[0] == other[0] and one[1].overlaps(other[1])


def _buttons(number: int) -> str:
    """Right or wrong, and what is right instead; for the script, so hidden without it."""
    return (
        f'<div class="judge" data-js hidden role="group" aria-label="Verdict on claim {number}">'
        '<span class="quiet">This verdict is</span> '
        '<button type="button" data-label="right" aria-pressed="false">right</button> '
        '<button type="button" data-label="wrong" aria-pressed="false">wrong</button></div>'
    )
