"""A lemma -> its synonyms, opposites, derived words and broader words.

From WordNet, and from a small table of general words (`data/antonyms.txt`) where WordNet has no
direct relation: it gives increase and decrease, but not increase and drop.

Rare senses are left out, or every common word would mean nearly everything. WordNet orders the
senses of a word by how often they stood in a hand-tagged text and tells how many stood there at
all. A synonym counts when the shared sense is a usual one of both words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType

from halgo import models
from halgo.facts.wordnet import (
    ANTONYM,
    DERIVED,
    HYPERNYM,
    INSTANCE,
    PART_OF,
    PERTAINS,
    SIMILAR,
    Dictionary,
    Pointer,
    Senses,
    Synset,
)
from halgo.facts.words import lines

# Of the senses that were tagged, the first half, and at most three: with all of them "buy" means
# "bribe" and "steal", and "have" a rich person.
_MOST_SENSES = 3
_MOST_WHOLES = 5  # steps from a part to what it is part of: town, county, state, country, continent


class WordNetLexicon:
    """Word relations out of a folder of WordNet files; lemmas in lower case, in and out.

    Opening takes milliseconds and next to no memory. Safe to share between threads. An unknown
    word has no relations. Raises ModelNotFoundError when a file is missing or empty.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._wordnet = Dictionary(path)
        # Caches that belong to this lexicon, so that they end with it.
        self._synonyms = lru_cache(maxsize=16_384)(self._find_synonyms)
        self._antonyms = lru_cache(maxsize=16_384)(self._find_antonyms)
        self._derived = lru_cache(maxsize=16_384)(self._find_derived)
        self._hypernyms = lru_cache(maxsize=16_384)(self._find_hypernyms)
        self._wholes = lru_cache(maxsize=16_384)(self._find_wholes)
        self._known = lru_cache(maxsize=65_536)(self._is_known)

    def __reduce__(self) -> tuple[type[WordNetLexicon], tuple[Path]]:
        return WordNetLexicon, (self.path,)

    @property
    def name(self) -> str:
        """Which WordNet this is, for a report's `engine`."""
        return f"wordnet-{self._version}"

    @cached_property
    def _version(self) -> str:
        found = models.recorded_version(models.entry("wordnet"), self.path)
        return found or models.UNRECORDED

    def synonyms(self, lemma: str) -> frozenset[str]:
        """Lemmas of the same meaning in a usual sense of both, as any part of speech."""
        return self._synonyms(lemma.lower())

    def antonyms(self, lemma: str) -> frozenset[str]:
        """Direct opposites; for an adjective without any, those of the word it is close to."""
        return self._antonyms(lemma.lower())

    def derived(self, lemma: str) -> frozenset[str]:
        """Lemmas of the same stem and idea: decide -> decision; French -> France."""
        return self._derived(lemma.lower())

    def hypernyms(self, lemma: str, depth: int = 2) -> frozenset[str]:
        """Broader lemmas up to `depth` steps up: car -> motor vehicle, self-propelled vehicle.

        Raises ValueError for a depth below 1.
        """
        if depth < 1:
            raise ValueError(f"depth must be 1 or more, not {depth!r}")
        return self._hypernyms(lemma.lower(), depth)

    def wholes(self, lemma: str) -> frozenset[str]:
        """What a place or thing is part of, in any sense: munich -> bavaria, germany, europe."""
        return self._wholes(lemma.lower())

    def knows(self, word: str) -> bool:
        """Whether the word, in lower case, or what an ending was put to is a lemma."""
        return self._known(word)

    def _is_known(self, word: str) -> bool:
        return any(self._wordnet.senses(lemma) for lemma in (word, *_bases(word)))

    def _find_synonyms(self, lemma: str) -> frozenset[str]:
        found = {
            word
            for synset in self._usual_synsets(lemma)
            for word in synset.words
            if self._is_usual(word, synset)
        }
        found |= _table().synonyms.get(lemma, frozenset())
        return frozenset(found - self.antonyms(lemma) - {lemma})

    def _find_antonyms(self, lemma: str) -> frozenset[str]:
        found = set(_table().antonyms.get(lemma, ()))
        synsets = list(self._usual_synsets(lemma))
        for synset in synsets:
            found.update(self._words_at(synset, lemma, ANTONYM))
        if not found:
            for synset in synsets[:1]:
                found.update(self._head_antonyms(synset))
        return frozenset(found - {lemma})

    def _find_derived(self, lemma: str) -> frozenset[str]:
        synsets = self._usual_synsets(lemma)
        return frozenset(
            word
            for synset in synsets
            for relation in (DERIVED, PERTAINS)
            for word in self._words_at(synset, lemma, relation)
            if word != lemma
        )

    def _find_hypernyms(self, lemma: str, depth: int) -> frozenset[str]:
        level = list(self._usual_synsets(lemma))
        found: set[str] = set()
        for _ in range(depth):
            level = [
                self._target(pointer)
                for synset in level
                for pointer in synset.pointers
                if pointer.relation in (HYPERNYM, INSTANCE)
            ]
            found.update(word for synset in level for word in synset.words)
        return frozenset(found - {lemma})

    def _find_wholes(self, lemma: str) -> frozenset[str]:
        level = [
            self._wordnet.synset(senses.part, offset)
            for senses in self._wordnet.senses(lemma)
            for offset in senses.offsets
        ]
        found: set[str] = set()
        for _ in range(_MOST_WHOLES):
            level = [
                self._target(pointer)
                for synset in level
                for pointer in synset.pointers
                if pointer.relation == PART_OF
            ]
            found.update(word for synset in level for word in synset.words)
        return frozenset(found - {lemma})

    def _usual_synsets(self, lemma: str) -> Iterator[Synset]:
        for part, offset in _usual(self._wordnet.senses(lemma)):
            yield self._wordnet.synset(part, offset)

    def _is_usual(self, lemma: str, synset: Synset) -> bool:
        """Whether this is a usual sense of the lemma."""
        return (synset.part, synset.offset) in _usual(self._wordnet.senses(lemma))

    def _target(self, pointer: Pointer) -> Synset:
        return self._wordnet.synset(pointer.part, pointer.offset)

    def _words_at(self, synset: Synset, lemma: str, relation: str) -> Iterator[str]:
        """The words that the lemma's own pointers of one relation lead to."""
        number = synset.number(lemma)
        for pointer in synset.pointers:
            if pointer.relation == relation and pointer.source in (0, number):
                words = self._target(pointer).words
                yield from words[pointer.target - 1 : pointer.target] if pointer.target else words

    def _head_antonyms(self, synset: Synset) -> Iterator[str]:
        """For "huge", close to "large": "small"."""
        for pointer in synset.pointers:
            if pointer.relation == SIMILAR:
                head = self._target(pointer)
                yield from self._words_at(head, head.words[0] if head.words else "", ANTONYM)


class EverySense(WordNetLexicon):
    """The same WordNet with all senses of a word: what the first published algorithm asks for."""

    def __reduce__(self) -> tuple[type[WordNetLexicon], tuple[Path]]:
        return EverySense, (self.path,)

    @property
    def name(self) -> str:
        """Which WordNet this is, for a report's `engine`."""
        return f"{super().name}-every-sense"

    def _find_synonyms(self, lemma: str) -> frozenset[str]:
        return frozenset(
            word
            for senses in self._wordnet.senses(lemma)
            for offset in senses.offsets
            for word in self._wordnet.synset(senses.part, offset).words
        ) - {lemma}


# Endings as English puts them to a word, and what stands there without.
_ENDINGS = (
    *(("s", ""), ("es", ""), ("ies", "y"), ("ves", "f"), ("ves", "fe"), ("men", "man")),
    *(("ed", ""), ("ed", "e"), ("ied", "y"), ("ing", ""), ("ing", "e"), ("ying", "ie")),
    *(("er", ""), ("er", "e"), ("ier", "y"), ("est", ""), ("est", "e"), ("iest", "y")),
    *(("ly", ""), ("ly", "le"), ("ily", "y"), ("ally", ""), ("ness", ""), ("iness", "y")),
)
_DOUBLED = ("ed", "ing", "er", "est")  # "planned", "bigger"


def _bases(word: str) -> Iterator[str]:
    """The words that a word may be a form of, by its ending."""
    for ending, before in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 1:
            yield stem + before
            if ending in _DOUBLED and not before and stem[-1] == stem[-2]:
                yield stem[:-1]


def _usual(parts: Sequence[Senses]) -> list[tuple[str, int]]:
    """The senses of a lemma that a reader would expect, as (part of speech, offset).

    Where some part of speech was tagged, one that never was is left out ("be" the metal); where
    none was, each has its first sense.
    """
    tagged = [senses for senses in parts if senses.tagged]
    return [
        (senses.part, offset)
        for senses in tagged or parts
        for offset in senses.offsets[: min(max((senses.tagged + 1) // 2, 1), _MOST_SENSES)]
    ]


@lru_cache(maxsize=1)
def default_lexicon() -> WordNetLexicon:
    """The WordNet of this machine. Raises ModelNotFoundError when there is none."""
    return WordNetLexicon(_folder())


@lru_cache(maxsize=1)
def every_sense() -> EverySense:
    """The same with all senses of a word. Raises ModelNotFoundError when there is none."""
    return EverySense(_folder())


def _folder() -> Path:
    return models.compared(models.find("wordnet")).path


class _Table:
    """The relations of `data/antonyms.txt`, both ways."""

    def __init__(self) -> None:
        synonyms: dict[str, set[str]] = {}
        antonyms: dict[str, set[str]] = {}
        for line in lines("antonyms"):
            sides = [_words(side) for side in line.split("<>")]
            if len(sides) == 2:
                _join(antonyms, *sides)
                _join(antonyms, *reversed(sides))
            else:
                _join(synonyms, sides[0], sides[0])
        self.synonyms = _frozen(synonyms)
        self.antonyms = _frozen(antonyms)


@lru_cache(maxsize=1)
def _table() -> _Table:
    return _Table()


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _join(relations: dict[str, set[str]], left: list[str], right: list[str]) -> None:
    for word in left:
        relations.setdefault(word, set()).update(other for other in right if other != word)


def _frozen(relations: Mapping[str, set[str]]) -> Mapping[str, frozenset[str]]:
    return MappingProxyType({word: frozenset(others) for word, others in relations.items()})
