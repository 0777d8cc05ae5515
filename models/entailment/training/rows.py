"""Tables and records made by rule (`schemas.toml`), and claims about their cells -> training pairs.

Labelled sets and written claims are about prose; what a check reads of a table or of a tool's
result is "Room: Gull — Price per night: €61; Sea view: no", and that "the Gull room looks out on
the sea" is wrong there takes the right row, the right column, and what the cell means. Tables with
random cells are written as Markdown, as lists or as JSON and read as a check reads them. Each claim
has a twin that differs in the value, the row or the direction. A cell by another name, two cells, a
comparison of two rows, the first of all rows; and claims of a column that is not there, which
nothing supports and nothing contradicts.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from training.cell_claims import Twins, examples_of, of_value, twins_of
from training.cells import Table, random_table
from training.data import premises
from training.examples import NEUTRAL, Example

if TYPE_CHECKING:
    from halgo.protocols import Embedder

_NOTES = (
    "All figures as of the end of the month.",
    "Changes are possible at any time.",
    "Please ask if anything is unclear.",
    "This list replaces all earlier ones.",
    "See the notes at the end of the page.",
)


def row_pairs(embedder: Embedder, many: int, seed: int) -> list[Example]:
    """Pairs about `many` tables; a claim's twin follows it."""
    rng = random.Random(f"rows {seed}")
    found: list[Example] = []
    for _ in range(many):
        table = random_table(rng)
        text = _written(table, rng)
        for twins in twins_of(table, rng):
            found += _read(embedder, text, table, twins, rng)
        found += _absent(embedder, table, rng)
    return found


def _read(
    embedder: Embedder, text: str, table: Table, twins: Twins, rng: random.Random
) -> list[Example]:
    """The two against what a check reads, where that holds the cells that decide."""
    held = [
        premise
        for premise in premises(embedder, [text], twins.true, both=True)
        if all(table.names[row] in premise for row in twins.rows)
        and all(table.cells[r][f].shown in premise for r in twins.rows for f in twins.fields)
    ]
    if not held:
        return []
    return examples_of(twins, rng.choice(held), f"rows: {twins.kind}", rng)


def _absent(embedder: Embedder, table: Table, rng: random.Random) -> list[Example]:
    """A claim about a column that is left out of the table."""
    gone = rng.randrange(len(table.fields))
    said = [twins for twins in (of_value(table, r, gone, rng) for r in range(2)) if twins]
    if not said or len(table.fields) < 3:
        return []
    left = [at for at in range(len(table.fields)) if at != gone]
    without = Table(
        table.domain,
        tuple(table.fields[at] for at in left),
        tuple(table.labels[at] for at in left),
        table.names,
        tuple(tuple(cells[at] for at in left) for cells in table.cells),
    )
    claim = rng.choice((said[0].true, said[0].false))
    premise = premises(embedder, [_written(without, rng)], claim, both=True)[0]
    return [Example(premise, claim, NEUTRAL, "rows: absent")]


def _written(table: Table, rng: random.Random) -> str:
    """The table as a document."""
    way = rng.random()
    if way < 0.3 and not any(field["kind"] == "millions" for field in table.fields):
        return _as_json(table)
    title = rng.choice(table.domain["titles"])
    above, below = (rng.choice(_NOTES) if rng.random() < 0.3 else "" for _ in range(2))
    thing = str(table.domain["thing"]).capitalize()
    shown = [[cell.shown for cell in cells] for cells in table.cells]
    if way < 0.75:
        rows = [[thing, *table.labels]]
        rows += [[name, *cells] for name, cells in zip(table.names, shown, strict=True)]
        body = _markdown(rows)
    elif way < 0.85:
        rows = [["", *table.names]]
        rows += [[label, *(cells[at] for cells in shown)] for at, label in enumerate(table.labels)]
        body = _markdown(rows)
    else:
        body = "\n".join(
            f"- {name}: "
            + ", ".join(
                f"{label.lower()} {c}" for label, c in zip(table.labels, cells, strict=True)
            )
            for name, cells in zip(table.names, shown, strict=True)
        )
    return "\n\n".join(part for part in (f"# {title}", above, body, below) if part)


def _markdown(rows: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(cells) + " |" for cells in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def _as_json(table: Table) -> str:
    keys = [str(field["labels"][-1]) for field in table.fields]
    records = [
        {
            "id" if table.domain["names"] == "codes" else "name": name,
            **{
                key: cell.value if isinstance(cell.value, bool) else cell.shown
                for key, cell in zip(keys, cells, strict=True)
            },
        }
        for name, cells in zip(table.names, table.cells, strict=True)
    ]
    return json.dumps({str(table.domain["things"]): records}, ensure_ascii=False)
