"""A quick index for tests: words as facts and hashed words as vectors, so no model is needed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from itertools import pairwise

import pytest

from halgo.config import Config
from halgo.evidence.build import build_index
from halgo.evidence.embed import LexicalEmbedder
from halgo.evidence.index import Index
from halgo.types import (
    Claim,
    ClaimKind,
    Date,
    Document,
    Facts,
    Name,
    Predicate,
    Quantity,
    Reading,
    Span,
    Term,
)


def word_facts(texts: Sequence[str]) -> list[Facts]:
    """Facts by spelling: digits are amounts, capitals names, years dates, "not" negates."""
    return [_facts(text) for text in texts]


def _facts(text: str) -> Facts:
    words = [(found.group(), Span(*found.span())) for found in re.finditer(r"\w+", text)]
    digits = [(word, span) for word, span in words if word.isascii() and word.isdigit()]
    return Facts(
        quantities=tuple(
            Quantity(float(word), float("inf"), "", span, noun="thing", context=frozenset("ab"))
            for word, span in digits
        ),
        dates=tuple(
            Date(date(int(word), 1, 1), date(int(word), 12, 31), span, frozenset({"when"}))
            for word, span in digits
            if len(word) == 4 and word > "0000"
        ),
        names=tuple(
            Name(word, "ORG", word.lower(), span, "subject")
            for word, span in words
            if word[0].isupper()
        ),
        predicates=tuple(
            Predicate(word, "not" in text, span) for word, span in words if word.endswith("s")
        ),
        terms=tuple(Term(word.lower(), "NOUN", span) for word, span in words),
        relations=tuple((a, "next", b) for (a, _), (b, _) in pairwise(words)),
    )


@pytest.fixture
def without_models(monkeypatch: pytest.MonkeyPatch) -> None:
    """`halgo.facts.extract` by spelling, for tests that are not about facts."""
    monkeypatch.setattr("halgo.facts.extract", word_facts)


def built(*texts: str, previous: Index | None = None, **settings: int) -> Index:
    """An index of these texts, with ids d0, d1 ..."""
    documents = [Document(f"d{at}", text, f"{at}.txt") for at, text in enumerate(texts)]
    return build_index(documents, LexicalEmbedder(), Config(**settings), previous)


def claim(text: str, resolved: str | None = None) -> Claim:
    """A claim as it stands, or with its references resolved."""
    reading = Reading.verbatim(text)
    return Claim(1, text, Span(0, len(text)), ClaimKind.FACT, reading, resolved or text)
