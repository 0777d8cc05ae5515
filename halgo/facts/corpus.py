"""Facts of all sentences -> Corpus: what the documents together mention."""

from __future__ import annotations

import re
from collections.abc import Sequence

from halgo.facts.aliases import canonical, defined_terms
from halgo.types import Corpus, Facts

_WORD = re.compile(r"\w+(?:[.,'’]\w+)*")


def corpus_of(sentence_facts: Sequence[Facts], texts: Sequence[str]) -> Corpus:
    """What sentences and their facts mention together.

    `texts` are what the facts were read from, or the documents whole: lower-case words and
    defined terms are taken from them; the two need not be of equal length.
    """
    names: set[str] = set()
    terms: set[str] = set()
    amounts: set[tuple[float, float, str]] = set()
    dates = set()
    aliases: dict[str, str] = {}
    for facts in sentence_facts:
        names.update(name.key for name in facts.names)
        terms.update(term.lemma for term in facts.terms)
        amounts.update((amount.low, amount.high, amount.unit) for amount in facts.quantities)
        dates.update((date.first, date.last) for date in facts.dates)
    for text in texts:
        terms.update(_WORD.findall(text.lower()))
        for term, name in defined_terms(text).items():
            aliases.setdefault(term, name)
    names.update([canonical(key) for key in names])
    names.update(aliases)
    return Corpus(frozenset(names), frozenset(terms), frozenset(amounts), frozenset(dates), aliases)
