"""A measured figure beside the bound that it is held to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Figure = dict[str, Any]


def figure(
    what: str,
    value: float,
    unit: str = "",
    *,
    most: float | None = None,
    least: float | None = None,
) -> Figure:
    """{"what", "value", "unit", "bound", "ok"}; without a bound it is always ok."""
    bounds = []
    if least is not None:
        bounds.append(f"at least {least:g} {unit}".strip())
    if most is not None:
        bounds.append(f"at most {most:g} {unit}".strip())
    return {
        "what": what,
        "value": round(float(value), 4),
        "unit": unit,
        "bound": ", ".join(bounds),
        "ok": (most is None or value <= most) and (least is None or value >= least),
    }


def show(figures: Sequence[Figure]) -> int:
    """Prints each figure beside its bound; the exit code: 1 when one is beyond it."""
    for one in figures:
        late = "" if one["ok"] else "   BEYOND"
        print(f"{one['what']:66}{one['value']:>10,.4g} {one['unit']:10}{one['bound']}{late}")
    return 0 if all(one["ok"] for one in figures) else 1
