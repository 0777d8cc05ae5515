"""The row of a table whose range holds a value of the claim: "over 10 kg to 20 kg" holds 12 kg.

A claim about a case names no row of a tariff, a scale or a list of doses; its value falls into one.
What other rows hold is told of other cases.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import islice

from halgo.evidence.lexical import content_stems, stems
from halgo.facts import units
from halgo.signals.quantities.told_amounts import counted
from halgo.signals.records.fields import FIGURE, figure_in
from halgo.signals.records.row_columns import Columns
from halgo.types import Cell, Facts, Quantity, Span

_MORE = re.compile(
    r"\b(?:over|above|more|from|least|greater|older|exceed\w*|after|minimum|up)\b|[>≥+]",
    re.IGNORECASE,
)
_LESS = re.compile(
    r"\b(?:under|below|less|fewer|up to|most|younger|until|till|before|within|maximum)\b|[<≤]",
    re.IGNORECASE,
)
_UNIT = re.compile(r"[^\W\d_]+|[%€$£¥]")
_LONGEST = 60  # characters of a cell that tells a range
_FEWEST = 2  # ranges that make a scale
_BEHIND = 16  # characters behind a value in which it is told what it is of
_AGES = content_stems("age ages aged")
_TELLING = 4  # letters of a word that tells a cell from others


@dataclass(frozen=True, slots=True)
class _Band:
    low: float
    high: float
    unit: str  # the base unit, "" where the cell has none


@dataclass(frozen=True, slots=True)
class Fallen:
    """A value of a claim, and the row whose range under `column` holds it."""

    value: Quantity
    column: str
    row: int


def fallen(claim: str, facts: Facts, columns: Columns) -> Fallen | None:
    """The one row that a value of the claim falls into; None where none or several do."""
    found: list[tuple[bool, Fallen]] = []
    for column, cells in columns.cells.items():
        if not any(_band(cell, column) for cell in islice(cells.values(), _FEWEST)):
            continue  # as nearly all columns are
        bands = {at: band for at, cell in cells.items() if (band := _band(cell, column))}
        if len(bands) < _FEWEST or 2 * len(bands) < len(cells):
            continue
        words = content_stems(column)
        for value in facts.quantities:
            if value.low != value.high:
                continue
            aged = value.unit == "year of age" and bool(words & _AGES)
            named = aged or bool(words & content_stems(value.noun if value.noun else claim))
            holding = [at for at, band in bands.items() if _holds(band, value, claim, named)]
            if len(holding) == 1:
                behind = claim[value.span.end : value.span.end + _BEHIND]  # "108 percent of target"
                own = bool(words & content_stems(f"{value.noun} {behind}"))
                found.append((own, Fallen(value, column, holding[0])))
    # Of "a credit of 10% at 99.5% availability" only one is told of what the ranges are of.
    fell = [one for own, one in found if own] or [one for _, one in found]
    return fell[0] if len({(one.value, one.row) for one in fell}) == 1 else None


def of_another_row(
    claim: str, facts: Facts, columns: Columns, case: Fallen
) -> tuple[str, Span, tuple[str, str]] | None:
    """What a claim says of its case, and only another row holds: the message, where, both values.

    None where the claim says nothing of what rows hold.
    """
    said = counted(claim, case.value)
    for column, cells in columns.cells.items():
        own = cells.get(case.row)
        if column == case.column or own is None:
            continue
        for at, other in cells.items():
            if at == case.row or columns.title(at).casefold() in claim.casefold():
                continue  # "Enterprise costs €90 for 30 users": what is named goes before
            span = _told(claim, facts, other, case, column)
            if span is None or _told(claim, facts, own, case, column) is not None:
                continue
            row = columns.cells[case.column][case.row].text
            under = f' under "{column}"' if column.strip() else ""
            message = (
                f'{said} falls under "{row}", for which the source gives "{own.text}"{under}; '
                f'"{other.text}" is for "{columns.title(at)}".'
            )
            if _anywhere(claim, facts, columns, case, span):
                continue
            return message, span, (span.of(claim), own.text)
    return None


def of_its_row(claim: str, facts: Facts, columns: Columns, case: Fallen) -> tuple[str, bool] | None:
    """That a value falls where the claim says it does: it has what the row of its range holds.

    The message, and whether the row holds every other amount of the claim as well.
    """
    row = columns.cells[case.column][case.row].text
    others = [(name, cells.get(case.row)) for name, cells in columns.cells.items()]
    told = [
        span
        for name, own in others
        if own and name != case.column
        if (span := _told(claim, facts, own, case, name)) is not None
    ]
    if not told:
        return None
    rest = [one for one in facts.quantities if one is not case.value]
    every = bool(rest) and all(one.span in told for one in rest)
    return f'{counted(claim, case.value)} falls under "{row}" (sources)', every


def _anywhere(claim: str, facts: Facts, columns: Columns, case: Fallen, span: Span) -> bool:
    """Whether the row that is meant has what the claim says there, under any column."""
    row = ((name, cells.get(case.row)) for name, cells in columns.cells.items())
    return any(_told(claim, facts, cell, case, name) == span for name, cell in row if cell)


def _told(claim: str, facts: Facts, cell: Cell, case: Fallen, column: str) -> Span | None:
    """Where the claim has a cell: its amount, or all the words that it is made of."""
    if cell.amount is not None:
        for one in facts.quantities:
            same = cell.amount.low in (one.low, one.high)
            # "$12" under "Price per user" is what the claim calls "$12 per user".
            unit, measured = cell.amount.unit, one.unit.partition("/")[0]
            if not unit and one.unit == "fraction" and "%" in column:
                same, unit = math.isclose(cell.amount.low / 100, one.low), one.unit
            if same and one.unit and unit in (one.unit, measured) and one is not case.value:
                return one.span
        return None
    words = content_stems(cell.text)
    if not any(len(word) >= _TELLING for word in words) or len(cell.text) > _LONGEST:
        return None
    if FIGURE.search(cell.text) or not words <= content_stems(claim):
        return None
    places = [
        match.span()
        for match in re.finditer(r"[^\W\d_][\w'’-]*", claim)
        if words & set(stems(match[0]))
    ]
    return Span(places[0][0], places[-1][1]) if places else None


def _band(cell: Cell, column: str) -> _Band | None:
    """The range that a cell tells; None for what is none."""
    text = cell.text
    figures = FIGURE.findall(text) if len(text) <= _LONGEST else []
    ends = sorted(end for one in figures if (end := figure_in(one)) is not None)
    if not 1 <= len(ends) <= 2:
        return None
    unit = next((u for w in _UNIT.findall(text) if (u := units.find(w))), None)
    unit = unit or next((u for w in _UNIT.findall(column) if (u := units.find(w))), None)
    size = float(unit.factor) if unit else 1.0
    base = unit.base if unit else ""
    if len(ends) == 2:
        return _Band(ends[0] * size, ends[1] * size, base)
    less = _LESS.search(text) is not None
    more = _MORE.search(_LESS.sub(" ", text)) is not None
    if less == more:
        return None
    limit = ends[0] * size
    return _Band(limit, math.inf, base) if more else _Band(-math.inf, limit, base)


def _holds(band: _Band, value: Quantity, claim: str, named: bool) -> bool:
    """Whether a value lies within; one without a unit only where the claim names the column."""
    if band.unit:
        return value.unit == band.unit and band.low <= value.low <= band.high
    if not named:
        return False
    size: float | None = value.low
    if value.unit:  # of ages and times in a column without a unit the figure is compared
        size = figure_in(value.span.of(claim)) if value.unit == "second" else None
        size = value.low if value.unit == "year of age" else size
    return size is not None and band.low <= size <= band.high
