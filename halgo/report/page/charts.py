"""Counts and scores -> charts as inline SVG, the same values giving the same bytes.

Drawn with attributes, so that they show without a style sheet; classes bring the colours of the
theme. Each says in words what it shows; the exact values stand beside it as text or a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from halgo.report.page.markup import element, text
from halgo.report.page.verdict_looks import look
from halgo.types import ClaimResult, Verdict

_WIDTH, _HEIGHT = 640, 200
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 8, 12, 28
_MOST_LABELS = 8  # below the columns of a chart
_STEPS = 50  # places along of the strip of scores


def meter(score: float) -> str:
    """A score in [0, 1] as a short bar; the number stands beside it."""
    full = round(min(max(score, 0.0), 1.0) * 48, 1)
    return (
        '<svg class="meter" viewBox="0 0 48 6" width="48" height="6" aria-hidden="true">'
        '<rect class="track" width="48" height="6" rx="3" fill="#ccc"/>'
        f'<rect class="full" width="{full}" height="6" rx="3"/></svg>'
    )


def verdict_bar(counts: Mapping[Verdict, int]) -> str:
    """How many claims have each verdict, as one bar."""
    total = sum(counts.values())
    if not total:
        return ""
    order = (
        Verdict.SUPPORTED,
        Verdict.WEAK_SUPPORT,
        Verdict.HALLUCINATION,
        Verdict.CONTRADICTION,
    )
    said = ", ".join(f"{counts.get(v, 0)} {look(v).word}" for v in order if counts.get(v, 0))
    bars, at = [], 0.0
    for verdict in order:
        width = counts.get(verdict, 0) / total * _WIDTH
        if width:
            shown = max(width - 2, 1)
            bars.append(
                f'<rect class="f-{look(verdict).name}" x="{at:.1f}" width="{shown:.1f}" '
                f'height="10" rx="2"/>'
            )
        at += width
    return _svg("bar-chart", _WIDTH, 10, f"Of {total} claims: {said}", bars, stretch=True)


def score_strip(results: Iterable[ClaimResult], threshold: float, support_threshold: float) -> str:
    """Each claim as a dot at its score, those of like score above each other; the cut points."""
    known = sorted(results, key=lambda result: (result.score, result.claim.id))
    highest = max(_stacked([result.score for result in known]), default=1)
    step = min(11.0, 88 / highest)
    floor = 8 + highest * step
    heights: dict[int, int] = {}
    dots = []
    for result in known:
        column = _column(result.score)
        heights[column] = heights.get(column, 0) + 1
        y = floor - (heights[column] - 0.5) * step
        dots.append(
            f'<circle class="f-{look(result.verdict).name}" cx="{_across(column / _STEPS):.1f}" '
            f'cy="{y:.1f}" r="{step * 0.42:.1f}"/>'
        )
    shapes = [
        f'<line class="base" x1="8" x2="632" y1="{floor:.1f}" y2="{floor:.1f}" stroke="#888"/>',
        _tick(0, "0", floor, "start"),
        _tick(1, "1", floor, "end"),
    ]
    for cut, name in ((threshold, "weak"), (support_threshold, "support")):
        x = _across(cut)
        shapes.append(
            f'<line class="cut" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{floor:.1f}" stroke="#888" '
            'stroke-dasharray="2 3"/>'
        )
        shapes.append(_tick(cut, f"{name} {cut:.2f}", floor, "middle"))
    title = f"Scores of {len(known)} claims from 0 to 1, with the cut points"
    return _svg("strip", _WIDTH, round(floor) + 24, title, [*shapes, *dots])


def _tick(score: float, said: str, floor: float, anchor: str) -> str:
    return (
        f'<text class="axis" x="{_across(score):.1f}" y="{floor + 18:.1f}" '
        f'text-anchor="{anchor}">{said}</text>'
    )


def columns(title: str, labels: Sequence[str], series: Mapping[str, Sequence[float]]) -> str:
    """Stacked columns, one a label: claims a day by verdict."""
    top = max((sum(values) for values in zip(*series.values(), strict=True)), default=0) or 1
    width = (_WIDTH - _LEFT - _RIGHT) / max(len(labels), 1)
    shapes = _axes(top, labels, "")
    below = [0.0] * len(labels)
    for n, (name, values) in enumerate(series.items()):
        for at, value in enumerate(values):
            if value > 0:
                y, y0 = _up(below[at] + value, top), _up(below[at], top)
                shapes.append(
                    f'<rect class="{_shade(name, n)}" x="{_LEFT + at * width + width * 0.14:.1f}" '
                    f'y="{y:.1f}" width="{width * 0.72:.1f}" height="{y0 - y:.1f}"/>'
                )
                below[at] += value
    return _with_key(title, shapes, series)


def lines(
    title: str, labels: Sequence[str], series: Mapping[str, Sequence[float | None]], unit: str = ""
) -> str:
    """One line a series over the labels: rates, latencies. None is a gap."""
    top = max((v for values in series.values() for v in values if v is not None), default=0) or 1
    width = (_WIDTH - _LEFT - _RIGHT) / max(len(labels), 1)
    shapes = _axes(top, labels, unit)
    for n, (name, values) in enumerate(series.items()):
        path, pen = [], "M"
        for at, value in enumerate(values):
            if value is None:
                pen = "M"
                continue
            x, y = _LEFT + (at + 0.5) * width, _up(value, top)
            path.append(f"{pen}{x:.1f} {y:.1f}")
            pen = "L"
            shapes.append(f'<circle class="{_shade(name, n)}" cx="{x:.1f}" cy="{y:.1f}" r="2.5"/>')
        shapes.append(
            f'<path class="{_shade(name, n)} line" d="{" ".join(path)}" fill="none" '
            'stroke="#444" stroke-width="2"/>'
        )
    return _with_key(title, shapes, series)


def _axes(top: float, labels: Sequence[str], unit: str) -> list[str]:
    shapes = []
    for part in (0.0, 0.5, 1.0):
        y = _up(part * top, top)
        shapes.append(
            f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" '
            f'stroke="#ddd"/><text class="axis" x="{_LEFT - 6}" y="{y + 4:.1f}" '
            f'text-anchor="end">{part * top:.3g}{text(unit)}</text>'
        )
    width = (_WIDTH - _LEFT - _RIGHT) / max(len(labels), 1)
    every = max(1, -(-len(labels) // _MOST_LABELS))
    for at in range(0, len(labels), every):
        x = _LEFT + (at + 0.5) * width
        shapes.append(
            f'<text class="axis" x="{x:.1f}" y="{_HEIGHT - 8}" text-anchor="middle">'
            f"{text(labels[at])}</text>"
        )
    return shapes


def _with_key(title: str, shapes: Iterable[str], series: Iterable[str]) -> str:
    key = "".join(
        f'<li><svg class="swatch" viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">'
        f'<rect class="{_shade(name, n)}" width="10" height="10" rx="2"/></svg> {text(name)}</li>'
        for n, name in enumerate(series)
    )
    chart = _svg("chart", _WIDTH, _HEIGHT, title, shapes)
    return (
        f'<figure class="chart"><figcaption>{text(title)}</figcaption>{chart}'
        f'<ul class="key">{key}</ul></figure>'
    )


def _shade(name: str, n: int) -> str:
    known = {look(verdict).name for verdict in Verdict} | {look(v).word for v in Verdict}
    if name in known:
        return "f-" + next(look(v).name for v in Verdict if name in (look(v).name, look(v).word))
    return f"f-s{n % 4 + 1}"


def _svg(
    name: str, width: int, height: int, title: str, shapes: Iterable[str], stretch: bool = False
) -> str:
    return element(
        "svg",
        "".join(shapes),
        class_=name,
        viewBox=f"0 0 {width} {height}",
        preserveAspectRatio="none" if stretch else None,
        role="img",
        aria_label=title,
    )


def _up(value: float, top: float) -> float:
    return _HEIGHT - _BOTTOM - value / top * (_HEIGHT - _TOP - _BOTTOM)


def _across(score: float) -> float:
    return 8 + min(max(score, 0.0), 1.0) * (_WIDTH - 16)


def _column(score: float) -> int:
    return round(min(max(score, 0.0), 1.0) * _STEPS)


def _stacked(scores: Iterable[float]) -> list[int]:
    counts: dict[int, int] = {}
    for score in scores:
        counts[_column(score)] = counts.get(_column(score), 0) + 1
    return list(counts.values())
