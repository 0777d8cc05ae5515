"""A Report -> a page: one self-contained file, or page, style sheet and script apart.

The same report, documents and decision give the same bytes. Nothing in it is loaded from anywhere:
a policy in the page forbids it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from halgo.report.marks import summary
from halgo.report.page import assets, labels
from halgo.report.page.answer import answer
from halgo.report.page.cards import cards
from halgo.report.page.charts import score_strip, verdict_bar
from halgo.report.page.citation_table import citations_view
from halgo.report.page.markup import attributed, element, text
from halgo.report.page.sent import sent_view
from halgo.report.page.sources import pane, placed, sheets
from halgo.report.page.verdict_looks import look
from halgo.types import Document, State, Verdict

if TYPE_CHECKING:
    from halgo.report.report import Report

TITLE = "Check of an answer"
_ORDER = (Verdict.CONTRADICTION, Verdict.HALLUCINATION, Verdict.WEAK_SUPPORT, Verdict.SUPPORTED)
_KEYS = (
    ("j", "next claim"),
    ("k", "previous claim"),
    ("r", "this verdict is right"),
    ("w", "this verdict is wrong"),
    ("?", "these keys"),
)
_FRAME_HEIGHT = 640  # of the page inside a notebook


def page(
    report: Report,
    documents: Iterable[Document] | None = None,
    sent: Mapping[str, Any] | None = None,
    citations: Mapping[str, Any] | None = None,
    title: str | None = None,
) -> str:
    """One file with everything in it.

    documents: the sources in full; without them the passages are shown that claims rest on.
    sent: `Decision.to_dict()` of what may be sent. citations: `CitationReport.to_dict()`.
    """
    style, script = assets.style(), assets.script()
    head = f"<style>{style}</style>"
    tail = f"<script>{script}</script>"
    inner = body(report, documents, sent, citations, title)
    return whole(_named(report, title), assets.policy(style, script), head, inner, tail)


def split(
    report: Report,
    name: str,
    documents: Iterable[Document] | None = None,
    sent: Mapping[str, Any] | None = None,
    citations: Mapping[str, Any] | None = None,
    title: str | None = None,
) -> dict[str, str]:
    """The page with style sheet and script beside it, by file name: for hosts without inline ones.

    name: of the files, without its ending.
    """
    css, js = f"{name}.css", f"{name}.js"
    head = element("link", "", rel="stylesheet", href=css).removesuffix("</link>")
    tail = element("script", "", src=js, defer="")
    inner = body(report, documents, sent, citations, title)
    made = whole(_named(report, title), assets.SPLIT_POLICY, head, inner, tail)
    return {f"{name}.html": made, css: assets.style(), js: assets.script()}


def framed(report: Report) -> str:
    """The page in a frame of its own, for a notebook: neither acts on the other's style."""
    inner = escape(page(report), quote=True)
    return (
        f'<iframe title="{escape(TITLE)}" width="100%" height="{_FRAME_HEIGHT}" '
        'sandbox="allow-scripts allow-downloads" '
        f'srcdoc="{inner}"></iframe>'
    )


def _listed(given: Any) -> list[Document] | None:
    """The documents in a list. Raises TypeError for what is none, which a text is not here."""
    if given is None:
        return None
    several = isinstance(given, Iterable) and not isinstance(given, str)
    listed = list(given) if several else [given]
    for one in listed:
        if not several or not isinstance(one, Document):
            raise TypeError(
                "documents must be a list of Documents, as checker.index.documents is, "
                f"not {'with ' if several else ''}{type(one).__name__}"
            )
    return listed


def body(
    report: Report,
    documents: Iterable[Document] | None = None,
    sent: Mapping[str, Any] | None = None,
    citations: Mapping[str, Any] | None = None,
    title: str | None = None,
) -> str:
    """What stands inside <body>, but for the script."""
    documents = _listed(documents)
    shown = sheets(report, documents)
    there = placed(shown)
    left = [
        _tabs() if sent is not None else "",
        f'<section id="as-written" class="text" aria-label="The answer as written">\n'
        f"{answer(report, there)}\n</section>",
        _sent(report, sent),
        _citations(report, citations),
        skipped(report),
    ]
    middle = [_filters(report), _strip(report), cards(report, there), _none(report)]
    return "\n".join(
        [
            '<a class="skip" href="#claims">Skip to the claims</a>',
            _header(report, title or TITLE),
            '<main class="panes">',
            _pane("answer", "Answer", left),
            _pane("claims", "Claims", middle),
            _pane("sources", "Sources", [pane(shown)]),
            "</main>",
            _footer(report),
            _help(),
            f'<script type="application/json" id="rows">{labels.rows(report, documents)}</script>',
        ]
    )


def _named(report: Report, title: str | None) -> str:
    return f"{title or TITLE}: {summary(report)}"


def whole(
    named: str, policy: str, head: str, inner: str, tail: str, shape: str | None = None
) -> str:
    """A document of what stands in its head and in its body.

    named: what a tab shows. shape: the class of its body, where it is laid out in its own way.
    """
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(policy, quote=False)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{text(named)}</title>
{head}
</head>
<body{attributed(class_=shape)}>
{inner}
{tail}
</body>
</html>
"""


def _pane(name: str, title: str, parts: Sequence[str]) -> str:
    inner = "\n".join(part for part in parts if part)
    return (
        f'<section class="pane" id="{name}" tabindex="0" aria-labelledby="{name}-title">\n'
        f'<h2 id="{name}-title">{title}</h2>\n{inner}\n</section>'
    )


def _header(report: Report, title: str) -> str:
    known = [
        (name, value, meant)
        for name, value, meant in (
            ("mean score", report.confidence, "of the claims' scores, each from 0 to 1"),
            ("weakest", report.weakest, "the lowest of the claims' scores"),
            ("whole answer", report.probability, "how probably the sources support all of it"),
        )
        if value is not None
    ]
    figures = "".join(
        f'<div title="{text(f"{name}: {meant}")}"><dt>{name}</dt><dd>{value:.2f}</dd></div>'
        for name, value, meant in known
    )
    meant = "; ".join(f"{name}: {said}" for name, _, said in known)
    numbers = (
        f'<dl class="figures">{figures}</dl><p class="meant">{text(meant)}.</p>' if known else ""
    )
    save = (
        '<button type="button" class="button" id="save" data-js hidden disabled>'
        "Save labels</button>"
        '<button type="button" class="button" id="keys" data-js hidden '
        'aria-label="Keyboard shortcuts">?</button>'
    )
    return "\n".join(
        [
            '<header class="bar">',
            f'<div class="head"><p class="mark">halgo</p><h1>{text(title)}</h1>'
            f'<div class="tools">{save}</div></div>',
            f'<div class="sum"><p class="summary">{text(_said(report))}</p>{numbers}</div>',
            verdict_bar(report.counts),
            warnings_on(report),
            '<p class="sr" id="said" role="status"></p>',
            "</header>",
        ]
    )


def warnings_on(report: Report) -> str:
    """The warnings as a list; "" where there are none."""
    warnings = "".join(f'<li dir="auto">{text(warning)}</li>' for warning in report.warnings)
    return f'<ul class="note" aria-label="Warnings">{warnings}</ul>' if warnings else ""


def _said(report: Report) -> str:
    if report.state is not State.ASSESSED:
        return summary(report)
    total = len(report.results)
    supported = report.counts[Verdict.SUPPORTED]
    if supported == total:
        return "The one claim is supported." if total == 1 else f"All {total} claims are supported."
    return f"{supported} of {total} claim{'' if total == 1 else 's'} supported"


def _tabs() -> str:
    return (
        '<p class="tabs"><a href="#as-written" data-view="as-written" aria-current="true">'
        'As written</a> <a href="#as-sent" data-view="as-sent">As it may be sent</a></p>'
    )


def _sent(report: Report, sent: Mapping[str, Any] | None) -> str:
    if sent is None:
        return ""
    view = sent_view(sent, {result.claim.id for result in report.results})
    return (
        '<section id="as-sent" aria-label="The answer as it may be sent">\n'
        f'<h3 class="no-js">As it may be sent</h3>\n{view}\n</section>'
    )


def _citations(report: Report, citations: Mapping[str, Any] | None) -> str:
    found = "" if citations is None else citations_view(report.answer, citations)
    return f'<section class="more"><h3>Citations</h3>{found}</section>' if found else ""


def skipped(report: Report) -> str:
    """The sentences that were not checked, folded up; "" where there are none."""
    if not report.skipped:
        return ""
    rows = "".join(
        f'<li dir="auto"><span class="kind">{claim.kind.value}</span> {text(claim.text)}</li>'
        for claim in report.skipped
    )
    return (
        f'<details class="more"><summary>{len(report.skipped)} not checked</summary>'
        f'<ul class="skipped">{rows}</ul></details>'
    )


def _filters(report: Report) -> str:
    """Counts by verdict, which a script makes into switches; and the sources to choose from."""
    if not report.results:
        return ""
    buttons = []
    for verdict in _ORDER:
        count, seen = report.counts[verdict], look(verdict)
        if count:
            buttons.append(
                f'<button type="button" class="chip {seen.name}" data-filter="{seen.name}" '
                f'aria-pressed="true"><span aria-hidden="true">{seen.symbol}</span> '
                f"{count} {text(seen.word)}</button>"
            )
    names = sorted({found.evidence.source for found in report.results if found.evidence})
    options = "".join(f'<option value="{text(name)}">{text(name)}</option>' for name in names)
    choice = (
        '<label class="choice" data-js hidden>source <select id="by-source">'
        f'<option value="">all</option>{options}</select></label>'
        if len(names) > 1
        else ""
    )
    return (
        '<div class="filters" role="group" aria-label="Which claims are shown">'
        f"{''.join(buttons)}{choice}</div>"
    )


def _strip(report: Report) -> str:
    if len(report.results) < 2:
        return ""
    cuts = report.config
    return score_strip(report.results, cuts.threshold, cuts.support_threshold)


def _none(report: Report) -> str:
    if report.results:
        return '<p class="quiet" id="none" hidden>No claim is left by these filters.</p>'
    return f'<p class="quiet">{text(summary(report))}</p>'


def _footer(report: Report) -> str:
    engine = report.engine
    made = [
        f"halgo {engine.halgo}",
        f"encoder {engine.embedder}",
        f"entailment {engine.entailment or 'none'}",
        f"index {engine.index_digest[:12]}",
        *([f"search {engine.search}"] if engine.search else []),
        f"support from {report.config.support_threshold:.2f}",
        f"weak from {report.config.threshold:.2f}",
    ]
    return f"<footer><p>{' · '.join(text(one) for one in made)}</p></footer>"


def _help() -> str:
    rows = "".join(f"<dt><kbd>{key}</kbd></dt><dd>{said}</dd>" for key, said in _KEYS)
    return (
        '<dialog id="help" aria-labelledby="help-title"><h2 id="help-title">Keys</h2>'
        f'<dl>{rows}</dl><button type="button" class="button" id="close">Close</button>'
        "</dialog>"
    )
