"""Responses with annotated words -> how well the words that halgo marks agree with them.

Precision, recall and F1 over characters, all responses together, as RAGTruth measures detection
at span level (Niu et al. 2024, RAGTruth, ACL). What halgo names is `Report.unsupported_spans`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks import baselines, data, metrics, runs
from benchmarks.metrics import Floats
from halgo.report.report import Report
from halgo.types import ClaimResult, Span, Verdict

SCHEMA = 2
SETS = ("ragtruth_qa", data.WRITTEN)
Marker = Callable[[data.Row, Report], list[Span]]


def main(argv: Sequence[str]) -> int:
    """The exit code."""
    options = _options(argv)
    sets: dict[str, dict[str, Any]] = {}
    with ExitStack() as stack:
        from halgo import Config, Halgorithm

        halgorithm = Halgorithm(
            Config(),
            embedder=runs.embedder(options, stack),
            entailment=runs.entailment(options),
        )
        for name in SETS:
            rows = runs.rows(data.load(name), options)
            reports: dict[int, Report] = {}
            for docs, positions in data.by_documents(rows).items():
                checker = halgorithm.checker(list(docs))
                for position in positions:
                    reports[position] = checker.check(rows[position].claim)
            sets[name] = summary(rows, [reports[position] for position in range(len(rows))])
        model = halgorithm.entailment
    result = {
        "schema": SCHEMA,
        **runs.origin("spans", argv),
        "settings": {
            **halgorithm.config.to_dict(),
            "entailment": None if model is None else model.name,
            "share": options.share,
            "limit": options.limit,
        },
        "sets": sets,
    }
    _print(result)
    runs.write(result, options.out)
    return 0


def summary(rows: Sequence[data.Row], reports: Sequence[Report]) -> dict[str, Any]:
    """The figures as plain values: {"rows", "documents", "annotated", "systems"}.

    Of each system precision, recall and F1, as [value, low, high] with a 95 % interval from
    samples of whole documents.
    """
    weights = metrics.draws([row.group for row in rows])
    systems = {}
    for name, mark in MARKERS.items():
        counts = np.array(
            [
                shared(mark(row, report), annotated(row), len(row.claim))
                for row, report in zip(rows, reports, strict=True)
            ],
            dtype=float,
        )
        values, samples = figures(counts.sum(axis=0)), figures(weights @ counts)
        systems[name] = {
            kind: _plain(metrics.interval(float(values[at]), samples[..., at]))
            for at, kind in enumerate(("precision", "recall", "f1"))
        }
    return {
        "rows": len(rows),
        "documents": len({row.group for row in rows}),
        "annotated": sum(bool(annotated(row)) for row in rows),
        "systems": systems,
    }


def annotated(row: data.Row) -> list[Span]:
    """What annotators marked: `meta["spans"]`, each (start, end, text) of the claim.

    Raises DataError where the text is not what stands there.
    """
    found = []
    for start, end, text in row.meta.get("spans", ()):
        if row.claim[start:end] != text:
            raise data.DataError(f"{row.dataset}, {row.id}: no {text!r:.60} at {start}")
        found.append(Span(start, end))
    return found


def shared(marked: Sequence[Span], wanted: Sequence[Span], length: int) -> tuple[int, int, int]:
    """Characters of a text of this length that are marked and annotated, marked, annotated."""
    ours, theirs = np.zeros(length, dtype=bool), np.zeros(length, dtype=bool)
    for mask, some in ((ours, marked), (theirs, wanted)):
        for span in some:
            mask[span.start : span.end] = True
    return int((ours & theirs).sum()), int(ours.sum()), int(theirs.sum())


def figures(counts: Floats) -> Floats:
    """(..., 3) counts of `shared` -> (..., 3) precision, recall, F1; NaN where undefined.

    Nothing marked has no precision, and an F1 of 0 where something is annotated.
    """
    both, marked, wanted = counts[..., 0], counts[..., 1], counts[..., 2]
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = np.stack(
            [both / marked, both / wanted, 2 * both / (marked + wanted)], axis=-1
        )
    return found


# --- what is marked ------------------------------------------------------------------------------


def by_report(row: data.Row, report: Report) -> list[Span]:
    """What the report names: `Report.unsupported_spans`."""
    return [one.span for one in report.unsupported_spans]


def by_words(row: data.Row, report: Report) -> list[Span]:
    """Of claims that are not SUPPORTED the words a report underlines, else the whole claim."""
    return [span for result in _bad(report) for span in _words(result)]


def by_claims(row: data.Row, report: Report) -> list[Span]:
    """Claims that are not SUPPORTED, whole."""
    return [result.claim.span for result in _bad(report)]


def by_overlap(row: data.Row, report: Report) -> list[Span]:
    """The same claims, but those of which too few words stand in the documents."""
    claims = [result.claim for result in report]
    scores = baselines.word_overlap([replace(row, claim=claim.text) for claim in claims])
    return [
        claim.span
        for claim, score in zip(claims, scores, strict=True)
        if score < baselines.OVERLAP_CUT
    ]


def everything(row: data.Row, report: Report) -> list[Span]:
    """All of the response."""
    return [Span(0, len(row.claim))]


MARKERS: dict[str, Marker] = {
    "everything": everything,
    "claims by word overlap": by_overlap,
    "claims not supported, whole": by_claims,
    "words underlined": by_words,
    "default": by_report,
}


def _bad(report: Report) -> list[ClaimResult]:
    return [result for result in report if result.verdict is not Verdict.SUPPORTED]


def _words(result: ClaimResult) -> list[Span]:
    from halgo.report import marks

    spans = [s.claim_span for s in marks.marked(result) if s.claim_span is not None]
    return spans or [result.claim.span]


def _plain(figure: metrics.Figure) -> list[float | None]:
    values = (figure.value, figure.low, figure.high)
    return [None if np.isnan(value) else round(value, 4) for value in values]


def _print(result: dict[str, Any]) -> None:
    for name, told in result["sets"].items():
        print(f"{name}: {told['rows']} responses, {told['annotated']} annotated\n")
        print(f"{'marked':30}{'precision':>12}{'recall':>10}{'F1':>8}")
        for system, found in told["systems"].items():
            cells = [found[kind][0] for kind in ("precision", "recall", "f1")]
            row = "".join(f"{'-' if c is None else format(100 * c, '.1f'):>10}" for c in cells)
            print(f"{system:30}  {row}")
        print()


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks spans", description=__doc__)
    runs.add_share(parser)
    parser.add_argument("--limit", type=int, help="at most so many responses")
    runs.add_models(parser)
    runs.add_out(parser, "spans")
    return runs.parsed(parser, argv, "spans")
