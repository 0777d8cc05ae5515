"""Which rows of a table, or records, a claim is about: those that it names, where it names one.

"The db service restarts always" beside the record of the web service, which does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from halgo.evidence.index import Index
from halgo.evidence.lexical import stems
from halgo.evidence.subjects import COMPARED
from halgo.types import Claim, Evidence

_THAN = re.compile(r"\b(?:than|together|altogether|total|as \w+ as)\b", re.IGNORECASE)
_NAMING = ("name", "title", "id", "key")


def of_record(index: Index, claim: Claim, evidence: Sequence[Evidence]) -> list[Evidence]:
    """The passages without the rows of others, where the claim names the row of one.

    All of them where it compares rows, or names none.
    """
    names = [_name(index, found) for found in evidence]
    said = frozenset(stems(claim.resolved))
    mine = {
        (kind, table) for told in names if told for kind, table, name in (told,) if name <= said
    }
    if not mine or COMPARED.search(claim.resolved) or _THAN.search(claim.resolved):
        return list(evidence)
    return [
        found
        for found, told in zip(evidence, names, strict=True)
        if told is None or told[:2] not in mine or told[2] <= said
    ]


def _name(index: Index, found: Evidence) -> tuple[str, str, frozenset[str]] | None:
    """The document of a row, what its rows are called, and the words of its own name."""
    chunk = found.chunk
    rows = [row for row, (part, _) in index.body(chunk).items() if part.block == "row"]
    if len(rows) != 1:
        return None
    told = index.cells(rows[0], chunk.doc_id)
    if told is None or not told[1]:
        return None
    kind, cells = told
    named = next((cell for cell in cells if cell.column in _NAMING), cells[0])
    name = frozenset(stems(named.text))
    return (chunk.doc_id, kind, name) if name else None
