"""Reports -> CSV (RFC 4180): a row a claim, and a row for each sentence that was not checked.

Text is never a formula: a cell that a spreadsheet would work out stands behind an apostrophe.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from halgo.report.located import Located, Unread
from halgo.report.marks import passage, status, why
from halgo.report.safe import one_line
from halgo.types import Claim

COLUMNS = (
    "answer",
    "state",
    "line",
    "column",
    "claim_id",
    "kind",
    "verdict",
    "score",
    "reason",
    "message",
    "claim",
    "source",
    "location",
    "passage",
)
NOT_READ = "not_read"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def render(reports: Sequence[Located], unread: Sequence[Unread] = ()) -> str:
    """The table with its header. An answer without any sentence has a row with its state.

    One that is unread has a row with the state "not_read" and the reason as its message.
    """
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow(COLUMNS)
    for located in reports:
        table.writerows([_cell(value) for value in row] for row in _rows(located))
    for one in unread:
        cells = {"answer": one.name, "state": NOT_READ, "line": str(one.line or 1)}
        cells["message"] = one.reason
        table.writerow([_cell(cells.get(column, "")) for column in COLUMNS])
    return out.getvalue()


def _rows(located: Located) -> list[list[str]]:
    report = located.report
    rows: list[tuple[int, list[str]]] = []
    for result in report:
        found = passage(result)
        words = "".join(run.text for run in found.runs) if found is not None else ""
        tail = [
            status(result),
            f"{result.score:.4f}",
            result.reason,
            why(result),
            one_line(result.claim.text),
            found.source if found is not None else "",
            found.located if found is not None else "",
            one_line(words),
        ]
        rows.append((result.claim.id, [*_head(located, result.claim), *tail]))
    for claim in report.skipped:
        tail = ["", "", "", "", one_line(claim.text), "", "", ""]
        rows.append((claim.id, [*_head(located, claim), *tail]))
    if not rows:
        rows.append((0, [located.name, report.state.value, str(located.line or 1)] + [""] * 11))
    return [row for _, row in sorted(rows, key=lambda row: row[0])]


def _head(located: Located, claim: Claim) -> list[str]:
    region = located.region(claim)
    column = "" if located.line is not None else str(region.start_column)
    place = [str(region.start_line), column]
    return [located.name, located.report.state.value, *place, str(claim.id), claim.kind.value]


def _cell(value: str) -> str:
    shown = one_line(value)
    return f"'{shown}" if shown.startswith(_FORMULA) else shown
