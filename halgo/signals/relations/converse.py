"""Converse relations: what two parties have to do with one another, told from either side.

"Quaye learned from Penn", "Penn taught Quaye" and "Quaye was Penn's pupil" say the same, "Penn was
Quaye's pupil" the opposite. `data/dealings.txt` has the relations and the words that tell them; a
claim that has the two parties of one in each other's places has it the wrong way round.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from halgo.facts.words import lines
from halgo.signals.matching import Match
from halgo.signals.relations.role_reversal import SWAPPED, TAKEN_UP, exchanged
from halgo.signals.texts import Texts
from halgo.types import Facts, Predicate, Signal

_MOST = 8  # words that may fill one place
_MOST_SAID = 40  # relations of one text
_MOST_PREDICATES = 160
_WHOSE = ("poss", "prep:of", "prep:to")
_UNSAID = ("if", "ask", "plan")


@dataclass(frozen=True, slots=True)
class Way:
    """One side a relation is told from: where its parties stand, and a noun that the word needs."""

    relation: str
    first: str
    second: str
    needs: str = ""

    @property
    def leads(self) -> bool:
        """Whether the word is said of the first party: "sell", "teacher"."""
        return self.first in ("subject", "is")

    @property
    def by_noun(self) -> bool:
        """Whether a noun tells it: "teacher", "pupil"."""
        return "is" in (self.first, self.second)


@dataclass(frozen=True, slots=True)
class Dealing:
    """A relation as a text tells it: the lemmas that may name either party, and where.

    about: the lemma of what changes hands, or "".
    """

    relation: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    about: str
    predicate: Predicate


def reversed_parties(texts: Texts) -> list[Signal]:
    """A swapped_names signal for each relation whose parties the passage has the other way."""
    claimed = list(islice(_dealings(texts.pair.claim_facts), _MOST_SAID))
    if not claimed:
        return []
    told = list(islice(_dealings(texts.pair.evidence_facts), _MOST_SAID))
    found = []
    for ours in claimed:
        rivals = [theirs for theirs in told if _comparable(texts, ours, theirs)]
        if any(_straight(texts, ours, theirs) for theirs in rivals):
            continue
        for theirs in rivals:
            weight = _crossed(texts, ours, theirs)
            if weight:
                a, b = ours.first[0], ours.second[0]
                found.append(exchanged(texts, weight, ours.predicate, theirs.predicate, a, b))
                break
    return found


def converse(one: str, other: str) -> bool:
    """Whether two verbs tell one relation from its two sides: "buy" and "sell"."""
    return any(
        ours.relation == theirs.relation
        and ours.leads != theirs.leads
        and not (ours.by_noun or theirs.by_noun)
        for ours in _ways().get(one, ())
        for theirs in _ways().get(other, ())
    )


def _comparable(texts: Texts, ours: Dealing, theirs: Dealing) -> bool:
    """Whether both are of one relation, and not of two different things that change hands."""
    if ours.relation != theirs.relation:
        return False
    return not (ours.about and theirs.about) or (
        texts.match(ours.about, theirs.about) is not Match.DIFFERENT
    )


def _straight(texts: Texts, ours: Dealing, theirs: Dealing) -> bool:
    """Whether the passage may have the parties as the claim has them."""
    sides = _best(texts, ours.first, theirs.first), _best(texts, ours.second, theirs.second)
    return Match.SAME in sides and Match.DIFFERENT not in sides


def _crossed(texts: Texts, ours: Dealing, theirs: Dealing) -> float:
    """How sure it is that the passage has the parties in each other's places; 0 if not at all."""
    sides = _best(texts, ours.first, theirs.second), _best(texts, ours.second, theirs.first)
    if sides == (Match.SAME, Match.SAME):
        return SWAPPED
    if Match.SAME not in sides or Match.UNKNOWN not in sides:
        return 0.0
    # "She took the place of Croft": whoever she was, it was not Croft that did so. Croft may have
    # taken another's place; that of the one whom the passage goes on about he did not take.
    other = ours.second if sides[0] is Match.SAME else ours.first
    return TAKEN_UP if any(texts.theirs.names(word) for word in other) else 0.0


def _best(texts: Texts, ours: tuple[str, ...], theirs: tuple[str, ...]) -> Match:
    return max(texts.match(a, b) for a in ours for b in theirs)


def _dealings(facts: Facts) -> Iterator[Dealing]:
    """The relations that a text tells, those of its nouns too."""
    ways = _ways()
    brought: dict[str, list[tuple[str, str]]] = defaultdict(list)
    said_of: dict[str, list[str]] = defaultdict(list)
    for head, kind, dependent in facts.relations:
        brought[head].append((kind, dependent))
        if kind in ("is", "appos"):
            said_of[dependent].append(head)
    for predicate in facts.predicates[:_MOST_PREDICATES]:
        if predicate.negated or predicate.frame in _UNSAID:
            continue
        for way in ways.get(predicate.lemma, ()):
            if way.by_noun or not _has(predicate, way.needs):
                continue
            parties = [
                _fillers(predicate, place, way.needs, brought) for place in (way.first, way.second)
            ]
            if all(parties):
                about = "" if "object" in (way.first, way.second) or way.needs else predicate.object
                yield Dealing(way.relation, parties[0], parties[1], about, predicate)
    denied = {p.lemma for p in facts.predicates if p.negated or p.frame in _UNSAID}
    nouns = {term.lemma: term for term in reversed(facts.terms) if term.pos == "NOUN"}
    for lemma, noun in reversed(nouns.items()):
        whose = tuple(word for kind, word in brought[lemma] if kind in _WHOSE)[:_MOST]
        who = [word for kind, word in brought[lemma] if kind == "appos"]
        named = tuple(said_of[lemma] + who)[:_MOST]
        if lemma in denied or not whose or not named:
            continue
        for way in ways.get(lemma, ()):
            if way.by_noun:
                first, second = (named, whose) if way.leads else (whose, named)
                told = Predicate(lemma, False, noun.span)
                yield Dealing(way.relation, first, second, "", told)


def _has(predicate: Predicate, needed: str) -> bool:
    """Whether the clause has the noun, or the verb is followed by the particle, that is needed."""
    if not needed:
        return True
    return needed in (predicate.object, predicate.particle) or needed in predicate.context


def _fillers(
    predicate: Predicate, place: str, needed: str, brought: Mapping[str, list[tuple[str, str]]]
) -> tuple[str, ...]:
    """The lemmas that may stand in a place of a predicate, apposed ones too."""
    if place in ("subject", "object"):
        found = [getattr(predicate, place)]
        if not found[0]:  # a name that the parser took for an adverb: "beat Chelsea 2-1"
            found = [word for kind, word in brought[predicate.lemma] if kind == "adv"]
    else:
        heads = [predicate.lemma, needed, predicate.object]
        # "Learned to sail from Penn", "took over as guide from Reed".
        heads += [word for kind, word in brought[predicate.lemma] if kind in ("comp", "prep:as")]
        found = [
            word
            for head in dict.fromkeys(heads)
            if head
            for kind, word in brought[head]
            if kind == f"prep:{place}"
        ]
    found = found[:_MOST]
    also = [word for filler in found for kind, word in brought[filler] if kind == "appos"]
    return tuple(dict.fromkeys(found + also))[:_MOST]


@lru_cache(maxsize=1)
def _ways() -> Mapping[str, tuple[Way, ...]]:
    """Word -> the relations that it tells, from `data/dealings.txt`."""
    found: dict[str, list[Way]] = defaultdict(list)
    for line in lines("dealings"):
        relation, places, told = (part.strip() for part in line.split("|"))
        first, second = places.split()
        for word in told.split():
            verb, _, needed = word.partition("+")
            found[verb].append(Way(relation, first, second, needed))
    return {word: tuple(ways) for word, ways in found.items()}
