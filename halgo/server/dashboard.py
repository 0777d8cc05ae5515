"""Statistics of the audit log -> a part of a page: tiles, charts, and the figures as a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from halgo.delivery.statistics import Figures, Statistics
from halgo.report.page.charts import columns, lines

# The columns of the table, and what stands over them.
_TABLE = {
    "checks": "checks",
    "claims": "claims",
    "claims_median": "claims a check",
    "unsupported_rate": "unsupported",
    "contradiction_rate": "contradicted",
    "affected_rate": "checks affected",
    "strip_rate": "stripped",
    "hedge_rate": "hedged",
    "escalation_rate": "escalated",
    "block_rate": "blocked",
    "latency_p50_ms": "p50 ms",
    "latency_p95_ms": "p95 ms",
    "latency_p99_ms": "p99 ms",
}
_TILES = (
    ("checks", "checks"),
    ("claims", "claims"),
    ("unsupported_rate", "of claims unsupported"),
    ("contradiction_rate", "of claims contradicted"),
    ("strip_rate", "of decisions: strip"),
    ("escalation_rate", "of decisions: escalate"),
    ("latency_p95_ms", "ms, 95 % of checks within"),
)


def rendered(found: Statistics) -> str:
    """The figures as HTML. Of many days the last ninety are drawn, and all are in the table."""
    days = list(found.days)[-90:]
    each = [found.days[day] for day in days]
    parts = [_tiles(found.total), '<div class="charts">', *_charts(days, each), "</div>"]
    parts.append(_table(found))
    if found.unreadable:
        parts.append(
            f'<p class="note" role="status">{found.unreadable:,} damaged or incomplete lines are '
            "left out; halgo audit verify says which.</p>"
        )
    return "".join(parts)


def _charts(days: Sequence[str], each: Sequence[Figures]) -> list[str]:
    shown = [day[5:] for day in days]

    def percent(name: str) -> list[float | None]:
        return [_times(getattr(one, name), 100) for one in each]

    def seconds(name: str) -> list[float | None]:
        return [_times(getattr(one, name), 0.001) for one in each]

    # These two names have colours of their own, the same in every chart.
    bad = {
        "contradiction": [one.claims * (one.contradiction_rate or 0.0) for one in each],
        "hallucination": [one.claims * (one.unsupported_rate or 0.0) for one in each],
    }
    sums = [sum(pair) for pair in zip(*bad.values(), strict=True)]
    fine = [one.claims - some for one, some in zip(each, sums, strict=True)]
    rates = {
        "contradiction": percent("contradiction_rate"),
        "hallucination": percent("unsupported_rate"),
    }
    actions = {
        "strip": percent("strip_rate"),
        "hedge": percent("hedge_rate"),
        "escalate": percent("escalation_rate"),
        "block": percent("block_rate"),
    }
    latencies = {f"p{n}": seconds(f"latency_p{n}_ms") for n in (50, 95, 99)}
    return [
        columns("Claims a day", shown, {"supported, or weakly so": fine, **bad}),
        lines("Contradicted and unsupported, share of claims", shown, rates, unit="%"),
        lines("What the gate did, share of decisions", shown, actions, unit="%"),
        lines("Time of a check", shown, latencies, unit="s"),
    ]


def _tiles(total: Figures) -> str:
    tiles = (
        f"<div><dt>{escape(about)}</dt><dd>{_shown(total, name)}</dd></div>"
        for name, about in _TILES
    )
    return f'<dl class="tiles">{"".join(tiles)}</dl>'


def _table(found: Statistics) -> str:
    head = "".join(f'<th scope="col">{escape(about)}</th>' for about in _TABLE.values())
    rows = [("all", found.total), *reversed(found.days.items())]
    body = "".join(_row(day, figures) for day, figures in rows)
    return (
        '<div class="scroll" tabindex="0" role="region" aria-label="Figures day by day"><table>'
        "<caption>Day by day, in UTC, the newest first</caption>"
        f'<thead><tr><th scope="col">day</th>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _row(day: str, figures: Figures) -> str:
    cells = "".join(f"<td>{_shown(figures, name)}</td>" for name in _TABLE)
    return f'<tr><th scope="row">{escape(day)}</th>{cells}</tr>'


def _shown(figures: Figures, name: str) -> str:
    value = getattr(figures, name)
    if value is None:
        return '<span title="nothing to divide by">–</span>'
    shown: Callable[[float], str] = str
    if name.endswith("_rate"):
        shown = "{:.1%}".format
    elif isinstance(value, float):
        shown = "{:,.1f}".format
    else:
        shown = "{:,}".format
    return shown(value)


def _times(value: float | None, factor: float) -> float | None:
    return None if value is None else round(value * factor, 4)
