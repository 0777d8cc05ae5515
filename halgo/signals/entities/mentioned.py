"""Unsupported names: those that the sources never mention, or mention in another part."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence, Set
from functools import cached_property

from halgo.facts.aliases import (
    PARTIAL,
    RELATED,
    SAME,
    canonical,
    defined_terms,
    folded,
    other_forms,
    same_name,
)
from halgo.facts.words import words
from halgo.protocols import Lexicon
from halgo.signals.matching import broader, derived, wholes
from halgo.signals.passages import OfPassage
from halgo.types import Corpus, Evidence, Facts, Name, Pair, Signal, Stance, Term

NOWHERE, BARE, ELSEWHERE, IN_PART = 0.8, 0.7, 0.3, 0.4
_MOST_NAMES = 60
_LONGEST = 20_000  # characters of a passage in which names are looked for
_VERSIONED = re.compile(r"(.*\S)\s+v?\d+(?:\.\d+)+")  # its number is told with the others
# Heads of an answer's own table that name nothing: "Detail: 1.24 kg".
_HEADS = frozenset((
    "feature", "detail", "details", "value", "values", "description", "property", "attribute",
    "item", "field", "name", "parameter", "specification", "spec", "specs", "info", "information",
    "category", "aspect", "topic", "note", "notes", "type", "metric", "status", "key", "setting",
    "option", "question", "answer", "result", "amount",
))  # fmt: skip


def names(
    pair: Pair, corpus: Corpus, aliases: Mapping[str, frozenset[str]], lexicon: Lexicon
) -> list[Signal]:
    """Names of the claim that the passage lacks or has in part.

    aliases: the terms that the documents define, from either side (`both_ways`).
    """
    return _Names(lexicon).signals(pair, corpus, aliases)


class _Names:
    """Names of a claim beside those of a passage."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon

    def signals(
        self, pair: Pair, corpus: Corpus, defined: Mapping[str, frozenset[str]]
    ) -> list[Signal]:
        text = pair.claim.text
        claimed = [
            name
            for name in pair.claim_facts.names[:_MOST_NAMES]
            if not (name.key in _HEADS and text[name.span.end : name.span.end + 2] == ": ")
        ]
        if not claimed:
            return []
        passage = _Passage(pair)
        # "dendritic cells (DCs)": the claim itself says what its letters stand for.
        own = both_ways(defined_terms(pair.claim.text))
        defined = {**defined, **own} if own else defined
        told = (self._name(name, passage, corpus, defined) for name in claimed)
        return [signal for signal in told if signal is not None]

    def _name(
        self,
        name: Name,
        passage: _Passage,
        corpus: Corpus,
        defined: Mapping[str, frozenset[str]],
    ) -> Signal | None:
        versioned = _VERSIONED.fullmatch(name.text)
        own = folded(versioned[1]) if versioned else name.key
        keys = [own, *sorted(defined.get(own, ()))]
        keys += sorted(other_forms(own) - {own})
        if any(passage.holds(key) or passage.is_under(key) for key in keys):
            return None
        best, source = passage.nearest(keys)
        if best >= SAME or self._by_other_word(name, passage.words):
            return None
        if self._by_a_part(keys, passage.names):
            return None
        if best >= PARTIAL and source is not None:
            if best == RELATED:
                return None
            return Signal(
                "partial_name",
                Stance.UNSUPPORTED,
                IN_PART,
                f'The source says "{source.text}", which need not be "{name.text}".',
                name.span,
                source.span,
                (name.text, source.text),
            )
        if name.label != "PERSON" and passage.share(name.key) >= 0.6:
            weight, where = IN_PART, "the passage only has a part of"
            return self._missing(name, weight, where, kind="partial_name")
        everywhere = any(_in_corpus(key, corpus) for key in keys)
        everywhere = everywhere or self._by_other_word(name, corpus.terms)
        weight = NOWHERE
        if everywhere or self._opens(name, passage.claim[1]):
            weight = ELSEWHERE
        elif self._common(name):  # "Gamma pays" names somebody, "the Provider pays" need not
            weight = BARE if _stands_alone(name, passage.claim) else ELSEWHERE
        where = "this passage does not mention" if everywhere else "no source mentions"
        return self._missing(name, weight, where)

    @staticmethod
    def _missing(name: Name, weight: float, where: str, kind: str = "unsupported_name") -> Signal:
        message = f'{where[0].upper()}{where[1:]} "{name.text}".'
        return Signal(kind, Stance.UNSUPPORTED, weight, message, name.span)

    def _opens(self, name: Name, claim: str) -> bool:
        """Whether a word is a name only by its place, at a claim's start: "Frozen rice", "Skis"."""
        if claim[: name.span.start].strip(" \"'“‘"):
            return False
        if not name.label and name.text.istitle() and name.key.endswith("s"):
            return bool(broader(name.key[:-1], self.lexicon))
        is_adjective: Callable[[str], bool] | None = getattr(self.lexicon, "is_adjective", None)
        return (
            is_adjective is not None
            and name.role != "subject"
            and name.label not in _OF_PLACES
            and is_adjective(name.key)
        )

    def _common(self, name: Name) -> bool:
        """Whether a capital is all that makes a name of it: "the Provider", "Section"."""
        parts = name.key.split()
        if name.label in _PROPER or (name.label and len(parts) == 1):
            return False
        if any(not _PLACES.isdisjoint(broader(part, self.lexicon)) for part in parts):
            return False
        return all(
            part in _SMALL
            or any(broader(w, self.lexicon) or derived(w, self.lexicon) for w in _stems(part))
            for part in parts
        )

    def _by_other_word(self, name: Name, held: Set[str]) -> bool:
        """Whether a synonym or a derived word of a name of one word is among the words held."""
        for key in {name.key, canonical(name.key)}:
            if " " in key:
                continue
            others = self.lexicon.synonyms(key) | derived(key, self.lexicon)
            for other in others:
                if all(part in held for part in other.replace("_", " ").split()):
                    return True
        return False

    def _by_a_part(self, keys: Sequence[str], names: Sequence[Name]) -> bool:
        """Whether a place of the passage lies in the named one: "in Poland" of Katowice."""
        wanted = frozenset(keys)
        return any(
            not wanted.isdisjoint(wholes(name.key, self.lexicon)) for name in names[:_MOST_NAMES]
        )


def unsupported_terms(claim_facts: Facts, corpus: Corpus, lexicon: Lexicon) -> tuple[str, ...]:
    """Proper nouns and numbers of the claim that no source token holds, sorted, each once.

    As first published: synonyms are tried first, numbers of four digits (years) are left out.
    Lower case, as the lemmas are.
    """
    found = set()
    for term in claim_facts.terms:
        if term.pos not in ("PROPN", "NUM") or re.fullmatch(r"\d{4}", term.lemma):
            continue
        if not _stands(term, corpus, lexicon):
            found.add(term.lemma)
    return tuple(sorted(found))


def _stands(term: Term, corpus: Corpus, lexicon: Lexicon) -> bool:
    lemma = term.lemma
    if lemma in corpus.terms or folded(lemma) in corpus.names or lemma.rstrip(".") in corpus.terms:
        return True
    return any(
        all(part in corpus.terms for part in other.replace("_", " ").split())
        for other in lexicon.synonyms(lemma)
    )


class _Held:
    """The words of a passage, in the forms in which names are looked for."""

    def __init__(self, evidence: Evidence, facts: Facts) -> None:
        text = evidence.reading.text
        self.folded = f" {folded_text(text)} "
        self.words = frozenset(self.folded.split()) | {term.lemma for term in facts.terms}
        self.squeezed = self.folded.replace(" ", "")
        unbroken = text[:_LONGEST].lower().replace("-", "").split()
        self.unbroken = frozenset(word.strip(".,;:()[]'\"") for word in unbroken)


_held_by = OfPassage(_Held)


class _Passage:
    """The words and names of one passage, beside a claim."""

    def __init__(self, pair: Pair) -> None:
        self.claim = pair.claim_facts, pair.claim.text
        self.names = pair.evidence_facts.names
        self._held = _held_by(pair.evidence, pair.evidence_facts)
        self.words = self._held.words
        self._evidence = pair.evidence

    @cached_property
    def _over(self) -> frozenset[str]:
        return frozenset(folded_text(" ".join(sorted(self._evidence.over))).split())

    def holds(self, key: str) -> bool:
        """Whether all words of a folded name stand in the passage."""
        usual = canonical(key)
        parts = [part for part in key.split() if part not in _SMALL] or key.split()
        if all(self._has(part) for part in parts):
            return True
        if f" {usual} " in self._held.folded:
            return True
        together = key.replace(" ", "")
        held = self._held
        return together in held.unbroken or (len(key) >= 6 and together in held.squeezed)

    def is_under(self, key: str) -> bool:
        """Whether the headings over the passage have all words of a folded name."""
        parts = [part for part in key.split() if part not in _SMALL] or key.split()
        return bool(parts) and self._over.issuperset(parts)

    def share(self, key: str) -> float:
        """Which part of a folded name's words stands in the passage, in [0, 1]."""
        parts = [part for part in key.split() if part not in _SMALL]
        return sum(self._has(part) for part in parts) / len(parts) if len(parts) > 1 else 0.0

    def _has(self, word: str) -> bool:
        return word in self.words or f"{word}s" in self.words or word.rstrip("s") in self.words

    def nearest(self, keys: Sequence[str]) -> tuple[float, Name | None]:
        """The passage's name that is most like one of the keys, and how much."""
        best, source = 0.0, None
        for name in self.names:
            for key in keys:
                score = same_name(key, name)
                if score > best:
                    best, source = score, name
        return best, source


# Labels that the pipeline gives to proper names only, however common their words.
_PLACES = words(
    "city capital country state continent island river lake mountain port town province region "
    "metropolis nation sea ocean"
)
_OF_PLACES = frozenset({"GPE", "LOC", "NORP", "LANGUAGE"})
_PROPER = frozenset({"PERSON", "GPE", "LOC", "NORP"})
_DETERMINERS = words(
    "the a an this that these those each every any no some all both either neither another such "
    "my your his her its our their whose which what most many few several"
)
_SMALL = words("of the and for in on at de la")


def _stands_alone(name: Name, claim: tuple[Facts, str]) -> bool:
    """Whether a name of one word is a subject without an article, as only proper names are.

    Words of which there is no telling how many ("Water") stand so too; those are no proper nouns.
    """
    facts, text = claim
    if name.role not in ("subject", "agent") or len(name.key.split()) > 1:
        return False
    if not (name.text.istitle() and name.text.isalpha()):
        return False
    before = text[: name.span.start].split()
    if before and (before[-1].lower() in _DETERMINERS or before[-1][:1].isdigit()):
        return False
    return any(term.span == name.span and term.pos == "PROPN" for term in facts.terms)


def folded_text(text: str) -> str:
    """A whole text as words in the folded form of names, single spaces between them."""
    return " ".join(folded(word) for word in re.split(r"[\s\-‐-―/]+", text[:_LONGEST]))


def _stems(word: str) -> tuple[str, ...]:
    """A word, and the verb of which it may be the -ing form: "Receiving Party"."""
    stem = word.removesuffix("ing")
    return (word,) if stem == word else (word, stem, f"{stem}e")


def _in_corpus(key: str, corpus: Corpus) -> bool:
    if key in corpus.names or canonical(key) in corpus.names:
        return True
    parts = [part for part in key.split() if part not in _SMALL] or key.split()
    return all(part in corpus.terms or part in corpus.names for part in parts)


def both_ways(aliases: Mapping[str, str]) -> Mapping[str, frozenset[str]]:
    """Term -> its name, and name -> its terms.

    Those of a large index are kept for the next claims: there may be tens of thousands.
    """
    global _kept
    kept = _kept
    if kept is not None and kept[0] is aliases:
        return kept[1]
    found: dict[str, set[str]] = {}
    for term, name in aliases.items():
        found.setdefault(term, set()).update((name, canonical(name)))
        found.setdefault(name, set()).add(term)
        found.setdefault(canonical(name), set()).add(term)
    told = {key: frozenset(others) for key, others in found.items()}
    if len(aliases) >= _MANY:
        _kept = aliases, told
    return told


_MANY = 500
_kept: tuple[Mapping[str, str], Mapping[str, frozenset[str]]] | None = None
