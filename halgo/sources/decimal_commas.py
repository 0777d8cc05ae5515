"""Rows of a CSV file with decimal commas -> the same rows with points: "12.870" is "12,870".

By itself "12.870" is read as a decimal. A file that has "3,40" in a column of numbers writes its
decimals with commas, and so its thousands with points.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_AMOUNT = re.compile(
    r"[^\d.,]{0,6}(?P<number>(?:\d{1,3}(?:\.\d{3}){1,5}|\d{1,15})(?:,(?P<decimals>\d{1,9}))?)"
    r"[^\d.,]{0,12}"
)
_SWAPPED = str.maketrans(".,", ",.")


def columns(rows: Iterable[Sequence[str]]) -> frozenset[int]:
    """The columns of numbers, by their places, where a file has decimal commas; else none."""
    amounts: dict[int, bool] = {}  # whether a column has nothing else that has digits
    told = set[int]()  # columns with what can be nothing but a decimal comma
    for row in rows:
        for at, cell in enumerate(row):
            if not any(map(str.isdigit, cell)):
                continue
            found = _AMOUNT.fullmatch(cell.strip())
            amounts[at] = amounts.get(at, True) and found is not None
            if found and found["decimals"] and _is_sure(found["number"], found["decimals"]):
                told.add(at)
    known = frozenset(at for at, only in amounts.items() if only)
    return known if not known.isdisjoint(told) else frozenset()


def _is_sure(number: str, decimals: str) -> bool:
    return len(decimals) != 3 or "." in number or number.startswith("0")


def with_points(cell: str) -> str:
    """A cell of such a column as English writes it; "n.a." stays."""
    return cell.translate(_SWAPPED) if any(map(str.isdigit, cell)) else cell
