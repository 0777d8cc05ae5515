"""A large report page in a headless browser -> how long it takes to open, and every kind of click.

With --answers the page of so many answers, as `halgo report` makes it of a batch, without bounds;
else one report of 500 claims on 200 pages of sources. Both are made by hand: how a page behaves
does not depend on who decided the verdicts. A click counts from the moment of the input until the
next frame is on screen, as the browser itself measures it (Event Timing, in steps of 8 ms).
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import corpus, runs
from benchmarks.figures import Figure, figure, show
from halgo.config import Config
from halgo.delivery.gate import STRIP_UNSUPPORTED, apply
from halgo.report.located import Located
from halgo.report.page import render, several
from halgo.report.report import Engine, Report
from halgo.sources.sentences import split
from halgo.types import (
    Assessment,
    Chunk,
    Claim,
    ClaimKind,
    ClaimResult,
    Document,
    Evidence,
    Reading,
    Sentence,
    Signal,
    Span,
    Stance,
    State,
    Verdict,
)

OUT = runs.RESULTS / "page.json"
PAGE = 3_000  # characters of a page of text
_ROUNDS = 5
_TYPED = 200  # ms after the last key, when the page looks for the words
Act = tuple[str, Callable[[Any], None]]  # what it is, and how it is done in a tab
_PASSAGES = 5  # a claim is held against
_WATCH = """
window.slow = [];
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) window.slow.push(entry.duration);
}).observe({ type: "event", durationThreshold: 16 });
"""
_OPENED = """() => {
  const [load] = performance.getEntriesByType("navigation");
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  return Math.max(load.loadEventEnd, paint ? paint.startTime : 0);
}"""


def main(argv: Sequence[str]) -> int:
    """The exit code: 1 when a figure is beyond its bound, 2 without a browser."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks page", description=__doc__)
    parser.add_argument("--claims", type=int, default=500)
    parser.add_argument("--pages", type=int, default=200, help=f"of {PAGE:,} characters")
    parser.add_argument("--answers", type=int, help="a page of so many answers instead")
    parser.add_argument("--out", type=Path, help="JSON file (default: benchmarks/results)")
    options = parser.parse_args(argv)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print("benchmarks: needs the package playwright, and chromium", file=sys.stderr)
        return 2
    report, documents = large(options.claims, options.pages)
    if options.answers:
        html = several.page(many(options.answers))
        acts = of_several(options.answers)
    else:
        html = render.page(report, documents, apply(report, STRIP_UNSUPPORTED).to_dict())
        acts = of_one([result.claim.id for result in report.results])
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "report.html"
        path.write_text(html, encoding="utf-8")
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        figures = measured(browser, path.as_uri(), acts, bounded=not options.answers)
        browser.close()
    figures.append(figure("size of the file", len(html.encode()) / 1e6, "MB"))
    code = show(figures)
    result = {"schema": 1, **runs.origin("page", argv), "figures": figures}
    whole = (options.claims, options.pages, options.answers) == (500, 200, None)
    runs.write(result, options.out or (OUT if whole else None))
    return code


def measured(browser: Any, url: str, acts: Sequence[Act], *, bounded: bool) -> list[Figure]:
    """Opening the page several times, then every kind of click all over it.

    bounded: whether the figures have bounds, which are those of one report.
    """
    most_s, most_ms = (1, 50) if bounded else (None, None)
    opened, waits = [], defaultdict(list)
    for _ in range(_ROUNDS):
        tab = browser.new_page(viewport={"width": 1440, "height": 900})
        tab.add_init_script(_WATCH)
        tab.goto(url)
        tab.wait_for_timeout(500)
        tab.evaluate("() => new Promise(done => requestIdleCallback(() => done()))")
        opened.append(float(tab.evaluate(_OPENED)))
        for at, (what, act) in enumerate(acts):
            waits[what, at].append(_wait(tab, partial(act, tab)))
        tab.close()
    said = f"median of {_ROUNDS}"
    figures = [
        figure(f"opening: loaded and painted, {said}", median(opened) / 1000, "s", most=most_s)
    ]
    for what in dict.fromkeys(what for what, _ in waits):
        slowest = max(median(times) for (name, _), times in waits.items() if name == what)
        figures.append(figure(f"{what}, {said}, slowest place", slowest, "ms", most=most_ms))
    return figures


def of_one(claims: Sequence[int]) -> list[Act]:
    """What is done on the page of one report: every kind of click, and keys."""
    acts: list[Act] = [
        (what, partial(_click, selector))
        for what, selectors in clicks(claims)
        for selector in selectors
    ]
    return [*acts, *(("a key", partial(_press, key)) for key in "jjjkjrjw")]


def of_several(answers: int) -> list[Act]:
    """What is done on the page of several: filters, what is looked for, and the way down and up."""
    last = f"q{answers - 1}"
    return [
        *(("a filter", partial(_click, "[data-filter='contradiction']")) for _ in range(2)),
        ("words that are looked for", partial(_fill, last)),
        ("other words", partial(_fill, "")),
        ("an answer of the table", partial(_click, "tbody a >> nth=0")),
        ("all answers", partial(_click, "a[href='#all'] >> nth=0")),
    ]


def _click(selector: str, tab: Any) -> None:
    place = tab.locator(selector).first
    place.scroll_into_view_if_needed()
    place.click()


def _press(key: str, tab: Any) -> None:
    tab.keyboard.press(key)


def _fill(words: str, tab: Any) -> None:
    tab.fill("#find", words)
    tab.wait_for_timeout(_TYPED)


def _wait(tab: Any, act: Callable[[], None]) -> float:
    """How long an input took to show, in ms; 16, a frame, for what is quicker."""
    tab.wait_for_timeout(150)
    tab.evaluate("window.slow = []")
    act()
    tab.wait_for_timeout(150)
    return float(tab.evaluate("Math.max(16, ...window.slow)"))


def clicks(claims: Sequence[int]) -> Iterator[tuple[str, list[str]]]:
    """Every kind of click, each at places from the first claim to the last."""
    some = [claims[at * (len(claims) - 1) // 8] for at in (0, 8, 1, 5, 3)]
    yield "a claim in the answer", [f"#a{n}" for n in some]
    yield "the sign behind a claim", [f"#a{n} + .chip" for n in some]
    yield "a passage from its card", [f"#c{n} a.to" for n in some]
    yield "a claim from its passage", [f".back[data-to='{n}']" for n in some]
    yield (
        "right, wrong",
        [f"#c{n} [data-label='{w}']" for n in some[:2] for w in ("right", "wrong")],
    )
    yield "a filter", ["[data-filter='supported']"] * 2 + ["[data-filter='contradiction']"] * 2
    yield "the other view", ["[data-view='as-sent']", "[data-view='as-written']"]
    yield "a document of the list", [".contents summary", ".contents a >> nth=-1"]


def many(answers: int) -> Iterator[Located]:
    """So many reports of three to six claims each, of every verdict."""
    some = [large(claims, 20)[0] for claims in (3, 4, 5, 6)]
    for at in range(answers):
        yield Located(f"q{at}", some[at % len(some)], "answers.jsonl", question="What is due?")


def large(claims: int, pages: int) -> tuple[Report, list[Document]]:
    """A report of that many claims on documents of ten pages each."""
    documents, at = [], 0
    texts = list(corpus.sentences(pages * 40, seed=3))
    for number in range(-(-pages // 10)):
        parts: list[str] = []
        size = 0
        while size < 10 * PAGE:
            paragraph = " ".join(texts[at : at + 5])
            parts.append(paragraph)
            size += len(paragraph)
            at += 5
        documents.append(Document(f"d{number}", "\n\n".join(parts), f"reports/part-{number}.md"))
    found = [(document, one) for document in documents for one in split(document.text)]
    chosen = [found[n * len(found) // claims] for n in range(claims)]
    answer = ""
    results = []
    for number, (document, sentence) in enumerate(chosen, start=1):
        said = sentence.reading.text
        span = Span(len(answer), len(answer) + len(said))
        answer += said + ("\n\n" if number % 5 == 0 else " ")
        claim = Claim(number, said, span, ClaimKind.FACT, Reading.verbatim(said, span.start), said)
        near = [found[(number * 97 + k) % len(found)] for k in range(1, _PASSAGES)]
        results.append(_result(claim, [(document, sentence), *near]))
    engine = Engine("0", "none", "none", "none", "by-hand", "0")
    report = Report(answer, State.ASSESSED, tuple(results), (), (), Config(), engine)
    return report, documents


def _result(claim: Claim, near: Sequence[tuple[Document, Sentence]]) -> ClaimResult:
    verdict = tuple(Verdict)[claim.id % 4]
    passages = [_evidence(document, sentence) for document, sentence in near]
    good = verdict is Verdict.SUPPORTED
    first = passages[0].span
    signal = Signal(
        "number_agrees" if good else "number_conflict",
        Stance.SUPPORTS if good else Stance.CONTRADICTS,
        0.8,
        "" if good else "The claim says otherwise than the source.",
        Span(claim.span.end - 12, claim.span.end - 2),
        Span(first.end - 12, first.end - 2),
        ("these words", "those words"),
    )
    assessments = [Assessment(passages[0], 0.6, (signal,))]
    assessments += (Assessment(passage, 0.2, ()) for passage in passages[1:])
    score = (claim.id * 37 % 100) / 100
    return ClaimResult(claim, verdict, signal.kind, signal.message, score, tuple(assessments))


def _evidence(document: Document, sentence: Sentence) -> Evidence:
    span, reading = sentence.span, sentence.reading
    chunk = Chunk(span.start, document.id, span, span.of(document.text), Span(0, 1))
    best = Span(0, len(reading.text))
    return Evidence(chunk, document.source, span, 0.8, 0.7, reading, best)
