"""The rows of a spreadsheet -> metadata that tell where in the text each stands, and its number.

"rows": where the line of each begins; "row_numbers": [place among these, number] wherever numbers
do not go on by one; "sheets": [where it begins, name].
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise


def noted(
    rows: Sequence[tuple[int, int]], sheets: Sequence[tuple[int, str]] = ()
) -> dict[str, str]:
    """The metadata; without sheets none are named.

    rows: where the line of each begins, and the row's number in its file. sheets: where each
    begins, and its name.
    """
    jumps = [(0, rows[0][1])] if rows else []
    for at, ((_, before), (_, number)) in enumerate(pairwise(rows), start=1):
        if number != before + 1:
            jumps.append((at, number))
    told = {"rows": json.dumps([start for start, _ in rows]), "row_numbers": json.dumps(jumps)}
    return {**told, "sheets": json.dumps(sheets)} if sheets else told
