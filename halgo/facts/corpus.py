"""Facts of all sentences -> Corpus: what the documents together mention."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from halgo.facts.aliases import defined_terms, forms
from halgo.types import Corpus, Facts

_WORD = re.compile(r"\w+(?:[.,'’]\w+)*")


class Mentions:
    """What facts mention, gathered as they come; each is looked at once and not kept."""

    def __init__(self) -> None:
        self._keys: set[str] = set()
        self._terms: set[str] = set()
        self._amounts: set[tuple[float, float, str]] = set()
        self._dates: set[tuple[date, date]] = set()

    def add(self, facts: Facts) -> None:
        """Takes note of the facts of one sentence."""
        self._keys.update(name.key for name in facts.names)
        self._terms.update(term.lemma for term in facts.terms)
        self._amounts.update((amount.low, amount.high, amount.unit) for amount in facts.quantities)
        self._dates.update((found.first, found.last) for found in facts.dates)

    def corpus(self, texts: Iterable[str]) -> Corpus:
        """These, and the words and defined terms of `texts`, as `corpus_of` takes them."""
        terms = set(self._terms)
        aliases: dict[str, str] = {}
        for text in texts:
            terms.update(_WORD.findall(text.lower()))
            for term, name in defined_terms(text).items():
                aliases.setdefault(term, name)
        names = self._keys | aliases.keys()
        for key in self._keys:
            names |= forms(key)
        return Corpus(
            frozenset(names),
            frozenset(terms),
            frozenset(self._amounts),
            frozenset(self._dates),
            aliases,
        )


def corpus_of(sentence_facts: Iterable[Facts], texts: Iterable[str]) -> Corpus:
    """What sentences and their facts mention together.

    `texts` are what the facts were read from, or the documents whole: lower-case words and
    defined terms are taken from them; the two need not be of equal length. A defined term is
    found only where it and its name stand in one text.
    """
    mentions = Mentions()
    for facts in sentence_facts:
        mentions.add(facts)
    return mentions.corpus(texts)
