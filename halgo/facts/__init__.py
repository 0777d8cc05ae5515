"""Text -> Facts. The only folder that imports an NLP library.

Each reader takes the shared spaCy parse and gives one field of `Facts`. Dates are read before
quantities, so that a year is never an amount.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from halgo.types import Date, Facts, Name, Predicate, Quantity, Term

if TYPE_CHECKING:
    from spacy.tokens import Doc

_Fact = TypeVar("_Fact", Quantity, Date, Name, Predicate, Term)

# Texts that are parsed at a time: enough to fill the parser's batches, few enough that their
# parses (some 20 kB each) are a small part of the memory.
SLAB = 1000


def extract(texts: Sequence[str]) -> list[Facts]:
    """The facts of each text, in order; a text that occurs twice is read once.

    A text longer than a sentence may be (`LONGEST`) is read in stretches, as an answer is.
    """
    from halgo.facts.parse import parse, stretches

    distinct = list(dict.fromkeys(texts))
    spans = [stretches(text) for text in distinct]
    parts = [span.of(text) for text, some in zip(distinct, spans, strict=True) for span in some]
    found: list[Facts] = []
    for start in range(0, len(parts), SLAB):
        found += [read(doc) for doc in parse(parts[start : start + SLAB])]
    stretch = iter(found)
    facts = {
        text: next(stretch)
        if len(some) == 1
        else merged([(next(stretch), span.start) for span in some])
        for text, some in zip(distinct, spans, strict=True)
    }
    return [facts[text] for text in texts]


def read(doc: Doc) -> Facts:
    """The facts of one parsed text; spans are characters of `doc.text`."""
    from halgo.facts import cells, dates, names, negations, quantities, terms

    row = cells.read(doc)
    counted = {cell.value for cell in row if cell.counts}
    found_dates = tuple(
        found
        for found in dates.read(doc)
        if found.span not in counted or not found.span.of(doc.text).isdigit()
    )
    masked = tuple(found.span for found in found_dates)
    amounts = quantities.read(doc, masked, row)
    return Facts(
        quantities=amounts,
        dates=found_dates,
        names=_no_units(names.read(doc, masked), amounts),
        predicates=negations.read(doc),
        terms=terms.read(doc),
        relations=terms.relations(doc),
    )


def _no_units(names: Sequence[Name], amounts: Sequence[Quantity]) -> tuple[Name, ...]:
    """The names without those that are the unit of an amount: the "MB" of "0.4 MB"."""
    spans = [found.span for found in amounts if found.unit and ":" not in found.unit]
    starts = [span.start for span in spans]

    def is_unit(name: Name) -> bool:
        at = bisect_right(starts, name.span.start) - 1
        return at >= 0 and name.span.end <= spans[at].end

    return tuple(name for name in names if not is_unit(name))


def merged(parts: Sequence[tuple[Facts, int]]) -> Facts:
    """The facts of several texts as those of one, each part's spans moved on by its offset."""
    return Facts(
        quantities=tuple(_moved([(facts.quantities, by) for facts, by in parts])),
        dates=tuple(_moved([(facts.dates, by) for facts, by in parts])),
        names=tuple(_moved([(facts.names, by) for facts, by in parts])),
        predicates=tuple(_moved([(facts.predicates, by) for facts, by in parts])),
        terms=tuple(_moved([(facts.terms, by) for facts, by in parts])),
        relations=tuple(relation for facts, _ in parts for relation in facts.relations),
    )


def _moved(parts: Sequence[tuple[Sequence[_Fact], int]]) -> Iterator[_Fact]:
    for items, by in parts:
        for item in items:
            yield replace(item, span=item.span.shift(by)) if by else item
