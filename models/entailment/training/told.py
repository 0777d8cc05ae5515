"""Texts made by rule that tell of several like things, and claims about one of them -> pairs.

"The Gull room costs €61 a night, while the Tern room costs €80": which figure is whose, two halves
said in the other order, and a claim in the very words of the text are what a reader of prose gets
wrong about things of one kind. The tables of `cells.py` are told in sentences, by thing or by
field, alone or joined, and read as a check reads them. Claims are those about tables, and two
things by one field, whose twin exchanges what is said of them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from training.cell_claims import Twins, examples_of, of_value, twins_of
from training.cells import Cell, Table, filled, random_table, upper
from training.data import premises
from training.examples import NEUTRAL, Example

if TYPE_CHECKING:
    from halgo.protocols import Embedder

_JOINTS = (", and ", ", while ", "; ", " and ", ", whereas ")
_THINGS, _FIELDS = 4, 4  # at most, told of in one text
_CROSSED = 2  # claims of two things by one field, tried for each text
_TOLD = Mapping[tuple[int, int], str]  # (row, field) -> the sentence that says it


def told_pairs(embedder: Embedder, many: int, seed: int) -> list[Example]:
    """Pairs about `many` texts; a claim's twin follows it."""
    rng = random.Random(f"told {seed}")
    found: list[Example] = []
    for _ in range(many):
        table = _fewer(random_table(rng))
        told = _told(table, rng)
        text = "\n\n".join((f"# {rng.choice(table.domain['titles'])}", *_paragraphs(table, told)))
        claims = [*twins_of(table, rng), *_crossed(table, rng)]
        for twins in claims:
            found += _read(embedder, text, table, told, twins, rng)
        found += _untold(embedder, table, told, rng)
    return found


def _fewer(table: Table) -> Table:
    cells = tuple(row[:_FIELDS] for row in table.cells[:_THINGS])
    return Table(
        table.domain, table.fields[:_FIELDS], table.labels[:_FIELDS], table.names[:_THINGS], cells
    )


# -- the text --------------------------------------------------------------------------------------


def _told(table: Table, rng: random.Random) -> dict[tuple[int, int], str]:
    """Each cell in a sentence; some sentences tell of two, by thing or by field."""
    by_field = rng.random() < 0.5
    rows, fields = range(len(table.names)), range(len(table.fields))
    places = [(row, at) for row in rows for at in fields]
    if by_field:
        # Things of one kind side by side, in the same words.
        ways = {at: rng.randrange(12) for at in fields}
        places = [(row, at) for at in rng.sample(fields, len(fields)) for row in rows]
    else:
        ways = {}
    alone = {
        place: _saying(
            table, *place, table.cells[place[0]][place[1]], ways.get(place[1], rng.randrange(12))
        )
        for place in places
    }
    found: dict[tuple[int, int], str] = {}
    while places:
        place = places.pop(0)
        after = places[0] if places else None
        goes_on = after is not None and (after[1] == place[1] if by_field else after[0] == place[0])
        if after is not None and goes_on and rng.random() < 0.6:
            places.pop(0)
            second, joint = alone[after], rng.choice(_JOINTS)
            if by_field:
                cell, way = table.cells[after[0]][after[1]], ways[after[1]]
                shorter = f"{table.called(after[0])} {_value(cell, way)}." if cell.said else ""
                joint = "" if rng.random() < 0.3 else joint
                found[place] = _joined(alone[place], second, shorter, table, joint)
            else:
                second = _it(second, table.called(place[0]), table)
                found[place] = _joined(alone[place], second, "", table, joint)
            found[after] = found[place]
        else:
            found[place] = alone[place]
    return found


def _paragraphs(table: Table, told: _TOLD) -> Iterator[str]:
    """One for each thing or field, as the sentences come."""
    sentences = list(dict.fromkeys(told.values()))
    for start in range(0, len(sentences), 4):
        yield " ".join(sentences[start : start + 4])


def _saying(table: Table, row: int, at: int, cell: Cell, way: int) -> str:
    """A row said to have a cell, in one of the ways of its field."""
    field, the = table.fields[at], table.called(row)
    if field["kind"] == "flag":
        says = field["yes" if cell.value else "no"]
        return filled(says[way % len(says)], the)
    return filled(field["says"][way % len(field["says"])], the, _value(cell, way), cell.month)


def _joined(first: str, second: str, shorter: str, table: Table, joint: str) -> str:
    """Two sentences in one; without a joint the second is its thing and value alone, where it can.

    It can where the first has its thing at the start: "The Gull room costs €61, the Tern room €80."
    """
    gap = shorter and any(first.startswith(upper(table.called(r))) for r in range(len(table.names)))
    if not joint and gap and second.split(" ")[0] == upper(shorter).split(" ")[0]:
        return f"{first[:-1]}, {shorter}"
    return first[:-1] + (joint or _JOINTS[0]) + _lower(second, table)


def _value(cell: Cell, way: int) -> str:
    return cell.said[way // 3 % len(cell.said)]


def _it(sentence: str, the: str, table: Table) -> str:
    """The same of a thing just named; people keep their names."""
    if table.domain["names"] == "people":
        return sentence
    if sentence.startswith(upper(the)):
        return "It" + sentence.removeprefix(upper(the))
    return sentence.replace(the, "it", 1)


def _lower(sentence: str, table: Table) -> str:
    """As it goes on inside a sentence; a name keeps its capital."""
    if any(sentence.startswith(name) for name in table.names) or sentence.startswith(("I ", "$")):
        return sentence
    return sentence[0].lower() + sentence[1:]


# -- claims ----------------------------------------------------------------------------------------


def _crossed(table: Table, rng: random.Random) -> Iterator[Twins]:
    """Two things by one field in one sentence; the twin gives each what is the other's."""
    for _ in range(_CROSSED):
        at = rng.randrange(len(table.fields))
        if table.fields[at]["kind"] == "flag" or len(table.names) < 2:
            continue
        one, other = rng.sample(range(len(table.names)), 2)
        ours, theirs = table.cells[one][at], table.cells[other][at]
        if ours.value == theirs.value or set(ours.said) & set(theirs.said):
            continue
        if ours.month and ours.month == theirs.month:
            continue
        way, joint, short = rng.randrange(12), rng.choice(_JOINTS), rng.random() < 0.3
        true, false = (
            _joined(
                _saying(table, one, at, first, way),
                _saying(table, other, at, second, way),
                f"{table.called(other)} {_value(second, way)}.",
                table,
                joint if not short else "",
            )
            for first, second in ((ours, theirs), (theirs, ours))
        )
        yield Twins("crossed", true, false, (one, other), (at,))


def _read(
    embedder: Embedder, text: str, table: Table, told: _TOLD, twins: Twins, rng: random.Random
) -> list[Example]:
    """The two against what a check reads, where that holds the sentences that decide."""
    needed = {told[row, at] for row in twins.rows for at in twins.fields}
    held = [
        premise
        for premise in premises(embedder, [text], twins.true, both=True)
        if all(sentence in premise for sentence in needed)
        and all(table.called(row).lower() in premise.lower() for row in twins.rows)
    ]
    if not held:
        return []
    return examples_of(twins, rng.choice(held), f"told: {twins.kind}", rng)


def _untold(embedder: Embedder, table: Table, told: _TOLD, rng: random.Random) -> list[Example]:
    """A claim of a field that the text tells of the other things alone."""
    if len(table.names) < 2:
        return []
    row, at = rng.randrange(len(table.names)), rng.randrange(len(table.fields))
    gone = told[row, at]
    if sum(sentence == gone for sentence in told.values()) > 1:
        return []
    said = of_value(table, row, at, rng)
    if said is None:
        return []
    claim = rng.choice((said.true, said.false))
    left: Sequence[str] = [s for s in dict.fromkeys(told.values()) if s != gone]
    premise = premises(embedder, [" ".join(left)], claim, both=True)
    return [Example(premise[0], claim, NEUTRAL, "told: untold")] if premise else []
