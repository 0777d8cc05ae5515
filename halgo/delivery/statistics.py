"""An audit log -> figures over time: how often what was unsupported, and what was done about it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from halgo.delivery.chain import records
from halgo.types import Verdict


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of a stretch of time; None where there is nothing to divide by.

    Rates are shares in [0, 1]: `unsupported_rate` and `contradiction_rate` of all checked claims
    (HALLUCINATION, CONTRADICTION); `affected_rate` of the checks with claims, those with at least
    one such claim; `strip_rate`, `hedge_rate`, `escalation_rate` and `block_rate` of the checks
    with a decision, by its action. `claims_median` is the median number of claims of a check.
    Latencies in milliseconds are percentiles by nearest rank.
    """

    checks: int
    claims: int
    unsupported_rate: float | None
    contradiction_rate: float | None
    affected_rate: float | None
    decisions: int
    strip_rate: float | None
    hedge_rate: float | None
    escalation_rate: float | None
    block_rate: float | None
    claims_median: float | None
    latency_p50_ms: float | None
    latency_p95_ms: float | None
    latency_p99_ms: float | None

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Statistics:
    """Figures of all and of each day (UTC); `unreadable` counts damaged or incomplete lines."""

    total: Figures
    days: dict[str, Figures] = field(default_factory=dict)
    unreadable: int = 0

    __hash__ = None  # type: ignore[assignment]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON."""
        return {
            "total": self.total.to_dict(),
            "days": {day: figures.to_dict() for day, figures in self.days.items()},
            "unreadable": self.unreadable,
        }


def statistics(
    path: str | Path,
    since: str | date | datetime | None = None,
    until: str | date | datetime | None = None,
) -> Statistics:
    """Figures of the checks from `since` up to `until`, in all and day by day.

    A moment or a day, as such or in ISO form ("2026-03-01"); a day counts whole, `until` as
    well; without a zone it is UTC. Says nothing of the chain: that is `verify`. Raises ValueError
    for what is no moment or a stretch that ends before it begins, AuditError for a file that is
    missing or cannot be read.
    """
    first = _moment(since, "since", end=False)
    last = _moment(until, "until", end=True)
    if first is not None and last is not None and first >= last:
        raise ValueError(f"since ({since}) must be before until ({until})")
    days: dict[str, list[dict[str, Any]]] = {}
    everything: list[dict[str, Any]] = []
    unreadable = 0
    for _, record in records(path):
        kept = _kept(record)
        if kept is None:
            unreadable += 1
            continue
        moment: datetime = kept["time"]
        if (first is not None and moment < first) or (last is not None and moment >= last):
            continue
        everything.append(kept)
        days.setdefault(moment.date().isoformat(), []).append(kept)
    each = {day: _figures(days[day]) for day in sorted(days)}
    return Statistics(_figures(everything), each, unreadable)


def _kept(record: dict[str, Any] | None) -> dict[str, Any] | None:
    """What the figures need of a record; None when it is none of ours."""
    if record is None:
        return None
    try:
        decision = record["decision"]
        return {
            "time": datetime.fromisoformat(record["time"]).astimezone(UTC),
            "counts": {verdict: int(record["counts"][verdict.value]) for verdict in Verdict},
            "action": None if decision is None else str(decision["action"]).lower(),
            "latency_ms": None if record["latency_ms"] is None else float(record["latency_ms"]),
        }
    except (KeyError, TypeError, ValueError):
        return None


def _figures(kept: Sequence[dict[str, Any]]) -> Figures:
    counts = [one["counts"] for one in kept]
    sizes = [sum(count.values()) for count in counts]
    claims = sum(sizes)
    unsupported = sum(count[Verdict.HALLUCINATION] for count in counts)
    contradicted = sum(count[Verdict.CONTRADICTION] for count in counts)
    affected = sum(
        1 for count in counts if count[Verdict.HALLUCINATION] or count[Verdict.CONTRADICTION]
    )
    actions = [one["action"] for one in kept if one["action"] is not None]
    latencies = sorted(one["latency_ms"] for one in kept if one["latency_ms"] is not None)
    return Figures(
        checks=len(kept),
        claims=claims,
        unsupported_rate=_share(unsupported, claims),
        contradiction_rate=_share(contradicted, claims),
        affected_rate=_share(affected, sum(1 for size in sizes if size)),
        decisions=len(actions),
        strip_rate=_share(actions.count("strip"), len(actions)),
        hedge_rate=_share(actions.count("hedge"), len(actions)),
        escalation_rate=_share(actions.count("escalate"), len(actions)),
        block_rate=_share(actions.count("block"), len(actions)),
        claims_median=_median(sizes),
        latency_p50_ms=_percentile(latencies, 50),
        latency_p95_ms=_percentile(latencies, 95),
        latency_p99_ms=_percentile(latencies, 99),
    )


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _median(values: Iterable[int]) -> float | None:
    ordered = sorted(values)
    if not ordered:
        return None
    middle = len(ordered) // 2
    return (ordered[middle] + ordered[-middle - 1]) / 2


def _percentile(ordered: Sequence[float], percent: int) -> float | None:
    if not ordered:
        return None
    return ordered[max(math.ceil(len(ordered) * percent / 100), 1) - 1]


def _moment(given: str | date | datetime | None, name: str, *, end: bool) -> datetime | None:
    """The moment in UTC; of a day its beginning, or its end."""
    if given is None:
        return None
    try:
        if isinstance(given, str):
            day = len(given.strip()) == 10
            given = date.fromisoformat(given.strip()) if day else datetime.fromisoformat(given)
        if isinstance(given, datetime):
            return given.replace(tzinfo=UTC) if given.tzinfo is None else given.astimezone(UTC)
        if isinstance(given, date):
            start = datetime(given.year, given.month, given.day, tzinfo=UTC)
            return start + timedelta(days=1) if end else start
    except (ValueError, OverflowError):
        pass
    raise ValueError(f'{name} must be a day or a moment, such as "2026-03-01", not {given!r}')
