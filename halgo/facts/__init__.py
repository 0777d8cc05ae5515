"""Text -> Facts. The only folder that imports an NLP library.

Each reader takes the shared spaCy parse and gives one field of `Facts`. Dates are read before
quantities, so that a year is never an amount.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from halgo.types import Facts

if TYPE_CHECKING:
    from spacy.tokens import Doc


def extract(texts: Sequence[str]) -> list[Facts]:
    """The facts of each text, in order; a text that occurs twice is read once."""
    from halgo.facts.parse import parse

    distinct = list(dict.fromkeys(texts))
    facts = {text: read(doc) for text, doc in zip(distinct, parse(distinct), strict=True)}
    return [facts[text] for text in texts]


def read(doc: Doc) -> Facts:
    """The facts of one parsed text; spans are characters of `doc.text`."""
    from halgo.facts import dates, names, negations, quantities, terms

    found_dates = dates.read(doc)
    masked = tuple(found.span for found in found_dates)
    return Facts(
        quantities=quantities.read(doc, masked),
        dates=found_dates,
        names=names.read(doc, masked),
        predicates=negations.read(doc),
        terms=terms.read(doc),
        relations=terms.relations(doc),
    )


def merged(parts: Sequence[tuple[Facts, int]]) -> Facts:
    """The facts of several texts as those of one, each part's spans moved on by its offset."""
    from dataclasses import replace

    def moved(items, by):  # type: ignore[no-untyped-def]
        return [replace(item, span=item.span.shift(by)) if by else item for item in items]

    fields = ("quantities", "dates", "names", "predicates", "terms")
    joined = {
        name: tuple(item for facts, by in parts for item in moved(getattr(facts, name), by))
        for name in fields
    }
    return Facts(**joined, relations=tuple(r for facts, _ in parts for r in facts.relations))
