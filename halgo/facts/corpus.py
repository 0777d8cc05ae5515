"""Facts of all sentences -> Corpus: what the documents together mention."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from halgo.facts.aliases import defined_terms, forms
from halgo.types import Corpus, Facts

_WORD = re.compile(r"\w+(?:[.,'’]\w+)*")


def corpus_of(sentence_facts: Sequence[Facts], texts: Sequence[str]) -> Corpus:
    """What sentences and their facts mention together.

    `texts` are what the facts were read from, or the documents whole: lower-case words and
    defined terms are taken from them; the two need not be of equal length. A defined term is
    found only where it and its name stand in one text.
    """
    keys: set[str] = set()
    terms: set[str] = set()
    amounts: set[tuple[float, float, str]] = set()
    dates: set[tuple[date, date]] = set()
    aliases: dict[str, str] = {}
    for facts in sentence_facts:
        keys.update(name.key for name in facts.names)
        terms.update(term.lemma for term in facts.terms)
        amounts.update((amount.low, amount.high, amount.unit) for amount in facts.quantities)
        dates.update((found.first, found.last) for found in facts.dates)
    for text in texts:
        terms.update(_WORD.findall(text.lower()))
        for term, name in defined_terms(text).items():
            aliases.setdefault(term, name)
    names = keys | aliases.keys()
    for key in keys:
        names |= forms(key)
    return Corpus(frozenset(names), frozenset(terms), frozenset(amounts), frozenset(dates), aliases)
