"""A claim beside a passage: who does what in both, and which of their words mean the same.

Compared once for each pair of words, whatever rules ask for it, and beside all passages.
"""

from __future__ import annotations

from halgo.facts.words import words
from halgo.protocols import Lexicon
from halgo.signals.matching import Match, arguments_of, compare, said_alike
from halgo.signals.passages import OfFacts
from halgo.types import Facts, Pair, Predicate

# Prepositions that bring a second party to the same side, or say the same from both sides.
_BOTH_WAYS = words("with against between among amongst alongside near beside opposite and like as")
_MOST = 8  # places of one predicate

# Place -> the lemmas that may fill it.
Fillers = dict[str, list[str]]


class Compared:
    """Pairs of words that have been compared, for claims and passages that are looked at at once.

    Only what no name of either text has a part in.
    """

    def __init__(self) -> None:
        self.matched: dict[tuple[str, str], Match] = {}
        self.said: dict[tuple[str, str, str, str], int] = {}


class Texts:
    """Claim and passage: whether two of their arguments may be the same thing."""

    def __init__(self, pair: Pair, lexicon: Lexicon, known: Compared | None = None) -> None:
        self.pair, self.lexicon = pair, lexicon
        self._known = known or Compared()
        self.mine, self.theirs = map(arguments_of, (pair.claim_facts, pair.evidence_facts))
        self.our_places, self.their_places = map(places_of, (pair.claim_facts, pair.evidence_facts))
        self._matched: dict[tuple[str, str], Match] = {}

    def match(self, ours: str, theirs: str) -> Match:
        """`compare` of two arguments."""
        key = ours, theirs
        if key not in self._matched:
            named = self.mine.names(ours) or self.theirs.names(theirs)
            known = self._matched if named else self._known.matched
            if key not in known:
                known[key] = compare(ours, self.mine, theirs, self.theirs, self.lexicon)
            self._matched[key] = known[key]
        return self._matched[key]

    def said(self, ours: Predicate, theirs: Predicate) -> int:
        """`said_alike` of two predicates."""
        key = ours.lemma, ours.particle, theirs.lemma, theirs.particle
        known = self._known.said
        if key not in known:
            known[key] = said_alike(ours, theirs, self.lexicon)
        return known[key]


class Places:
    """The prepositions and appositions of one text, by the word they hang from."""

    def __init__(self, facts: Facts) -> None:
        self._brought: dict[str, list[tuple[str, str]]] = {}
        self._also: dict[str, list[str]] = {}
        # A name in apposition that the parser hung on the verb, as names are no adverbs.
        self._loose: dict[str, list[str]] = {}
        last_words = {name.key.split()[-1] for name in facts.names}
        for head, kind, dependent in facts.relations:
            if kind.startswith("prep:") and kind[5:] not in _BOTH_WAYS:
                self._brought.setdefault(head, []).append((kind, dependent))
            elif kind == "appos":
                self._also.setdefault(head, []).append(dependent)
            elif kind == "adv" and dependent in last_words:
                self._loose.setdefault(head, []).append(dependent)

    def of(self, predicate: Predicate) -> Fillers:
        """Place -> the lemmas that may fill it; a noun in apposition fills its noun's place."""
        found: Fillers = {}
        if predicate.subject:
            found["subject"] = [predicate.subject]
        if predicate.object:
            found["object"] = [predicate.object]
        inside = set(predicate.context)
        for kind, word in self._brought.get(predicate.lemma, ())[: 8 * _MOST]:
            if word in inside and len(found) < _MOST:
                found.setdefault(kind, []).append(word)
        loose = [word for word in self._loose.get(predicate.lemma, ()) if word in inside]
        for place, fillers in found.items():
            fillers += [other for word in tuple(fillers) for other in self._named(word)]
            fillers += loose if place.startswith("prep:") else ()
        return found

    def _named(self, word: str) -> list[str]:
        """What stands in apposition with a noun, or with the last word of its phrase."""
        # "the head of finance, Rolf Amber": parsers hang the name on the nearest noun.
        parts = (noun for kind, noun in self._brought.get(word, ()) if kind == "prep:of")
        return [other for noun in (word, *parts) for other in self._also.get(noun, ())][:_MOST]


places_of = OfFacts(Places)
