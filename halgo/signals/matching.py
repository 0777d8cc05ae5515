"""Lexical matching: whether a claim's words and a passage's may mean the same thing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from functools import lru_cache

from halgo.evidence.lexical import tokens
from halgo.facts.aliases import SAME, folded, same_name
from halgo.facts.identifiers import identifiers
from halgo.facts.words import words
from halgo.protocols import Lexicon
from halgo.signals.passages import OfFacts
from halgo.types import Facts, Name, Pair, Predicate, Span

# What is no word and tells an amount: "$0.34" and "\u20ac0.34", "-5" and "5".
_SIGNS = re.compile(r"[$\u20ac\u00a3\u00a5\u20b9<>\u2264\u2265+\u00d7=]|(?<!\w)[-\u2212](?=\d)")


class Match(IntEnum):
    """How two arguments compare."""

    DIFFERENT = 0
    UNKNOWN = 1  # one is missing, a pronoun, or a general word for the other
    SAME = 2


_PRONOUNS = words(
    "i you he she it we they one who which that this these those him her them us me himself "
    "herself itself themselves what someone somebody anyone anybody everyone everybody "
    "something anything everything other another such same thing nobody nothing none all some "
    "both each many most few"
)
_SHORTEST = 4  # letters of a word that another may begin with
_ANYBODY = words("person people man woman human being individual")
_PEOPLE = words("person people individual human")
# Words by which a text takes up a name or a noun that it has already used.
_TAKING_UP = words(
    "company firm organization organisation group agency institution business corporation team "
    "club party government country nation state city town man woman person people boy girl "
    "president minister official officer spokesman spokeswoman leader player patient victim "
    "defendant plaintiff court police product device drug medication treatment medicine vaccine "
    "study trial report paper book film movie song album work author writer researcher scientist "
    "student teacher doctor user customer client member agreement contract system model method "
    "approach program project plan case one"
)


def same_words(pair: Pair) -> bool:
    """Whether the best sentence of a passage has the claim's very words."""
    best = pair.evidence.best.of(pair.evidence.reading.text)
    told = (
        (*tokens(text), *_SIGNS.findall(text), *(one.key for one in identifiers(text)))
        for text in (best, pair.claim.text)
    )
    return next(told) == next(told)


def lemmas_match(a: str, b: str, lexicon: Lexicon) -> bool:
    """Whether two lemmas are the same word or synonyms."""
    return a == b or b in lexicon.synonyms(a) or a in lexicon.synonyms(b)


def said_alike(mine: Predicate, theirs: Predicate, lexicon: Lexicon) -> int:
    """1 for the same predicate, -1 for its opposite, 0 for neither; with their particles.

    "Turn down" is "reject", not "turn"; "go up" and "go down" are opposites.
    """
    if mine.lemma == theirs.lemma:
        both = frozenset((mine.particle, theirs.particle))
        if len(both) == 1 or "" in both:  # parsers miss particles
            return 1
        return -1 if both in _OPPOSITE_PARTICLES else 0
    a, b = _phrase(mine, lexicon), _phrase(theirs, lexicon)
    if opposites(a, b, lexicon):
        return -1
    return 1 if lemmas_match(a, b, lexicon) else 0


_OPPOSITE_PARTICLES = frozenset(map(frozenset, (("on", "off"), ("up", "down"), ("in", "out"))))


def _phrase(predicate: Predicate, lexicon: Lexicon) -> str:
    """The verb with its particle, where the lexicon has that; else the verb."""
    phrase = f"{predicate.lemma} {predicate.particle}"
    known = predicate.particle and (lexicon.synonyms(phrase) or lexicon.antonyms(phrase))
    return phrase if known else predicate.lemma


def opposites(a: str, b: str, lexicon: Lexicon) -> bool:
    """Whether two lemmas are antonyms, but not synonyms in another sense."""
    if a == b:
        return False
    opposed = b in lexicon.antonyms(a) or a in lexicon.antonyms(b)
    return opposed and not lemmas_match(a, b, lexicon)


class Arguments:
    """The arguments of one text's predicates, with the names they are heads of."""

    def __init__(self, facts: Facts) -> None:
        self.all_names = facts.names[:100]
        self._names: dict[str, list[Name]] = {}
        for name in facts.names:
            for word in set(name.key.split()):
                self._names.setdefault(word, []).append(name)
        nouns = [term for term in facts.terms if term.pos in ("PROPN", "NOUN")][:400]
        for name in self.all_names:  # "Baltrans" is taken for the plural of "baltran"
            for lemma in {term.lemma for term in nouns if term.span.overlaps(name.span)}:
                same = self._names.setdefault(lemma, [])
                if name not in same:
                    same.append(name)

    def names(self, lemma: str) -> list[Name]:
        """The names of the text of which the lemma is a word."""
        return self._names.get(_word(lemma), []) if lemma else []


arguments_of = OfFacts(Arguments)


def compare(a: str, mine: Arguments, b: str, theirs: Arguments, lexicon: Lexicon) -> Match:
    """Whether argument `a` of one text and `b` of another may be the same thing."""
    if not a or not b or a in _PRONOUNS or b in _PRONOUNS:
        return Match.UNKNOWN
    left, right = mine.names(a), theirs.names(b)
    if left and right:
        best = max(same_name(x, y) for x in _apart(left) for y in _apart(right))
        if best >= SAME or (a == b and best >= 0.5):
            return Match.SAME
        return Match.UNKNOWN if best >= 0.4 else Match.DIFFERENT
    if lemmas_match(a, b, lexicon):
        return Match.SAME
    if a in _PEOPLE and b in _PEOPLE:
        return Match.SAME
    if a in _ANYBODY or b in _ANYBODY:
        return Match.UNKNOWN
    if (left and b in _TAKING_UP) or (right and a in _TAKING_UP):  # "Acme" and "the company"
        return Match.UNKNOWN
    if a in broader(b, lexicon) or b in broader(a, lexicon):  # "the poodle" and "the dog"
        return Match.UNKNOWN
    return Match.DIFFERENT


def _apart(names: Sequence[Name]) -> Iterable[Name]:
    """The names without those of the same key, which compare alike."""
    return {name.key: name for name in names}.values()


def alike(word: str, others: frozenset[str]) -> bool:
    """Whether a word is one of these, or begins like one: "rain", "rainfall"."""
    if word in others or " " in word or len(word) < _SHORTEST:
        return word in others
    return any(
        other.startswith(word) or word.startswith(other)
        for other in _by_head(others).get(word[:_SHORTEST], ())
    )


@lru_cache(maxsize=4096)
def _by_head(some: frozenset[str]) -> dict[str, list[str]]:
    """Words that another may begin with, by their first letters."""
    found: dict[str, list[str]] = {}
    for word in some:
        if len(word) >= _SHORTEST and " " not in word:
            found.setdefault(word[:_SHORTEST], []).append(word)
    return found


def derived(lemma: str, lexicon: Lexicon) -> frozenset[str]:
    """Words of the same stem, from a lexicon that has them."""
    look_up: Callable[[str], frozenset[str]] | None = getattr(lexicon, "derived", None)
    return look_up(lemma) if look_up else frozenset()


def broader(lemma: str, lexicon: Lexicon, depth: int = 2) -> frozenset[str]:
    """Words of a broader meaning, up to `depth` steps, from a lexicon that has them."""
    look_up: Callable[[str, int], frozenset[str]] | None = getattr(lexicon, "hypernyms", None)
    return look_up(lemma, depth) if look_up else frozenset()


def wholes(lemma: str, lexicon: Lexicon) -> frozenset[str]:
    """What a place or thing is part of, from a lexicon that has it."""
    look_up: Callable[[str], frozenset[str]] | None = getattr(lexicon, "wholes", None)
    return look_up(lemma) if look_up else frozenset()


def within(predicates: tuple[Predicate, ...], span: Span) -> list[Predicate]:
    """The predicates that stand in a stretch of the text."""
    return [found for found in predicates if found.span.overlaps(span)]


@lru_cache(maxsize=16384)
def _word(lemma: str) -> str:
    parts = folded(lemma).split()
    return parts[-1] if parts else ""
