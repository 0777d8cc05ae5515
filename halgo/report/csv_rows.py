"""Reports -> CSV (RFC 4180): a row a claim, and a row for each sentence that was not checked.

Text is never a formula: a cell that a spreadsheet would work out stands behind an apostrophe, and
so does what would be one where semicolons divide cells, as they do where commas are decimal signs.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

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
# The full-width forms act where people write with them.
_SIGNS = "=+\\-@＝＋－＠"
_FORMULA = re.compile(f'^(?=[{_SIGNS}])|(?<=;)(?=["\\s]*[{_SIGNS}])')


def render(found: Iterable[Located | Unread]) -> str:
    """The table with its header, as `lines` gives it."""
    return "".join(lines(found))


def lines(found: Iterable[Located | Unread]) -> Iterator[str]:
    """The table, a piece for its header and one for each answer, each ending a line.

    An answer without any sentence has a row with its state; one that is unread a row with the
    state "not_read" and the reason as its message.
    """
    yield _written([COLUMNS])
    for one in found:
        if not isinstance(one, Unread):
            yield _written(_rows(one))
            continue
        cells = {"answer": one.name, "state": NOT_READ, "line": str(one.line or 1)}
        cells["message"] = one.reason
        yield _written([[cells.get(column, "") for column in COLUMNS]])


def _written(rows: Iterable[Sequence[str]]) -> str:
    out = io.StringIO()
    csv.writer(out).writerows([_cell(value) for value in row] for row in rows)
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
    return _FORMULA.sub("'", one_line(value))
