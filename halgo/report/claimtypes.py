"""Claim -> its type: quantitative, temporal, obligation or general, by what it asserts.

The first line that fits is the type:

| type | the claim holds |
|---|---|
| quantitative | an amount that is no stretch of time: money, a share, a rate, a count, a measure |
| temporal | a stretch of time, a date, a time of day, or a word that sets one: "within", "after" |
| obligation | a duty or a promise: shall, must, will, is required, has to |
| general | none of these |

So "shall pay a late fee of 1.5% per month" is quantitative, for the month belongs to the rate, and
"must be made within 30 days" is temporal: what can be looked up outranks how it is said. Numbers
that name or order something ("Section 5", "order A-1042", "third-party") are no amounts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from halgo.facts.identifiers import identifiers
from halgo.types import Facts, Quantity

_TIMES = frozenset({"second", "clock"})
_NO_AMOUNTS = frozenset({"ordinal"})
_TIME_WORDS = re.compile(
    r"\b(?:within|after|before|prior to|until|till|during|deadlines?|no later than|"
    r"(?:next|last|every|each) (?:day|week|month|quarter|year))\b\s*(?:the\s+|an?\s+)?",
    re.IGNORECASE,
)
_REQUIRED = re.compile(
    r"\b(?:is|are|was|were|be|been|being)\s+(?:not\s+)?(?:required|obliged|obligated)\b",
    re.IGNORECASE,
)
_DUTIES = frozenset({"must", "will"})  # "shall", "have to" and "need to" are read as "must"

_BRACKETED = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])\s*[.;,]?\s*")
_LOCATOR = re.compile(
    r"\b(?:pages?|pp?\.|sections?|§+|clauses?|articles?|chapters?|appendix|annex|sources?|figures?|"
    r"tables?|lines?)\s*[A-Z]?\d[\w.\-]*(?:\s*(?:-|to|and|,)\s*\d[\w.\-]*)*",
    re.IGNORECASE,
)
_YEAR_CITED = re.compile(r"[A-Z][\w'.\- ]*(?:et al\.?|and [A-Z]\w+)?,? \d{4}[a-z]?")
_SEE = frozenset({"see", "cf", "compare", "refer"})


class ClaimType(StrEnum):
    """What kind of thing a claim asserts, which says how it is verified."""

    QUANTITATIVE = "quantitative"
    TEMPORAL = "temporal"
    OBLIGATION = "obligation"
    GENERAL = "general"


def claim_type(text: str, facts: Facts) -> ClaimType:
    """The type of a claim; `facts` are those of `text`."""
    cited = [found.span() for found in _LOCATOR.finditer(text)]
    named = [(found.span.start, found.span.end) for found in identifiers(text)]
    amounts = [
        quantity
        for quantity in facts.quantities
        if _is_amount(quantity)
        and not _lies_in(cited, quantity)
        and (quantity.unit or not _lies_in(named, quantity))  # "EUR1500" is an amount
    ]
    if any(not _is_time(amount) for amount in amounts):
        return ClaimType.QUANTITATIVE
    if amounts or facts.dates or _sets_a_time(text, facts):
        return ClaimType.TEMPORAL
    if any(predicate.frame in _DUTIES for predicate in facts.predicates) or _REQUIRED.search(text):
        return ClaimType.OBLIGATION
    return ClaimType.GENERAL


def claim_types(texts: Sequence[str]) -> list[ClaimType]:
    """The type of each claim, in order; all are parsed in one batch."""
    from halgo.facts import extract

    return [claim_type(text, facts) for text, facts in zip(texts, extract(texts), strict=True)]


def is_citation(text: str, facts: Facts, titles: frozenset[str] = frozenset()) -> bool:
    """Whether a text only says where something stands: "(See Late Payment Penalties, page 5)".

    It stands in brackets, has no predicate of its own, and names a page, a section, a year behind
    an author, or nothing but one of the `titles` (in lower case).
    """
    if not _BRACKETED.fullmatch(text):
        return False
    if any(predicate.lemma not in _SEE for predicate in facts.predicates):
        return False
    inside = text.strip().rstrip(".;,").strip()[1:-1].strip()
    if inside.lower() in titles or _YEAR_CITED.fullmatch(inside):
        return True
    return _LOCATOR.search(inside) is not None


def _is_amount(quantity: Quantity) -> bool:
    return quantity.unit not in _NO_AMOUNTS and not quantity.unit.startswith("identifier")


def _lies_in(places: Sequence[tuple[int, int]], quantity: Quantity) -> bool:
    return any(a <= quantity.span.start and quantity.span.end <= b for a, b in places)


def _is_time(quantity: Quantity) -> bool:
    """Whether an amount is a stretch of time or a time of day: "30 days", "2 hours a week"."""
    return quantity.unit.partition("/")[0] in _TIMES


def _sets_a_time(text: str, facts: Facts) -> bool:
    """Whether a word such as "within" sets a time: not a place, "within the European Union"."""
    named = {name.span.start for name in facts.names}
    return any(found.end() not in named for found in _TIME_WORDS.finditer(text))
