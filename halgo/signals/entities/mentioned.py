"""Unsupported names: those that the sources never mention, or mention in another part."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence, Set
from dataclasses import replace

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
from halgo.signals.matching import broader, derived
from halgo.signals.passages import OfPassage
from halgo.signals.quantities import versions
from halgo.types import Corpus, Evidence, Facts, Name, Pair, Signal, Span, Stance, Term

NOWHERE, ELSEWHERE, IN_PART = 0.8, 0.3, 0.4
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


def names(pair: Pair, corpus: Corpus, lexicon: Lexicon) -> list[Signal]:
    """Names of the claim that the passage lacks or has in part."""
    text = pair.claim.text
    claimed = [
        name
        for name in pair.claim_facts.names[:_MOST_NAMES]
        if not (name.key in _HEADS and text[name.span.end : name.span.end + 2] == ": ")
    ]
    if not claimed:
        return []
    passage = _passage_of(pair.evidence, pair.evidence_facts)
    defined = defined_terms(text)
    if beside := versions.case(pair):  # its number lies beside those of the passage
        claimed = [_without(name, beside.span) for name in claimed]
    told = (_name(name, passage, corpus, lexicon, defined) for name in claimed)
    return [signal for signal in told if signal is not None]


def _without(name: Name, version: Span) -> Name:
    """A name without its version: "Node.js" of "Node.js 22"."""
    ahead = name.text[: max(0, version.start - name.span.start)].rstrip()
    if not ahead or version.start >= name.span.end:
        return name
    return replace(name, text=ahead, key=folded(ahead))


def _name(
    name: Name,
    passage: _Passage,
    corpus: Corpus,
    lexicon: Lexicon,
    defined: Mapping[str, str],
) -> Signal | None:
    versioned = _VERSIONED.fullmatch(name.text)
    own = folded(versioned[1]) if versioned else name.key
    keys = [own, *sorted(other_forms(own) - {own})]
    if own in defined:  # "dendritic cells (DCs)": the claim itself says what it stands for
        keys.append(canonical(defined[own]))
    if any(passage.holds(key) or passage.is_under(key) for key in keys):
        return None
    best, source = passage.nearest(keys)
    others = _other_words(name, lexicon)
    if best >= SAME or best == RELATED or _has_one(passage.words, others):
        return None
    if best >= PARTIAL and source is not None:
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
        return _missing(name, IN_PART, "The passage only has a part of", kind="partial_name")
    if any(_in_corpus(key, corpus) for key in keys) or _has_one(corpus.terms, others):
        return _missing(name, ELSEWHERE, "This passage does not mention")
    weight = ELSEWHERE if _common(name, lexicon) else NOWHERE
    return _missing(name, weight, "No source mentions")


def _missing(name: Name, weight: float, where: str, kind: str = "unsupported_name") -> Signal:
    return Signal(kind, Stance.UNSUPPORTED, weight, f'{where} "{name.text}".', name.span)


def _other_words(name: Name, lexicon: Lexicon) -> Set[str]:
    """The synonyms of a name of one word, and the words derived of it: "three" of "III"."""
    single = [key for key in {name.key, canonical(name.key)} if " " not in key]
    return {
        word.replace("_", " ")
        for key in single
        for word in lexicon.synonyms(key) | derived(key, lexicon)
    }


def _has_one(held: Container[str], words: Set[str]) -> bool:
    return any(all(part in held for part in word.split()) for word in words)


def _common(name: Name, lexicon: Lexicon) -> bool:
    """Whether a capital is all that makes a name of it: "the Provider", "Section"."""
    parts = name.key.split()
    if name.label in _PROPER or (name.label and len(parts) == 1):
        return False
    if any(not _PLACES.isdisjoint(broader(part, lexicon)) for part in parts):
        return False
    return all(
        part in _SMALL or any(broader(w, lexicon) or derived(w, lexicon) for w in _stems(part))
        for part in parts
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


class _Passage:
    """The names of a passage, and its words in the forms in which names are looked for."""

    def __init__(self, evidence: Evidence, facts: Facts) -> None:
        text = evidence.reading.text
        self.names = facts.names
        self._folded = f" {folded_text(text)} "
        self.words = frozenset(self._folded.split()) | {term.lemma for term in facts.terms}
        self._over = frozenset(folded_text(" ".join(sorted(evidence.over))).split())
        self._squeezed = self._folded.replace(" ", "")
        unbroken = text[:_LONGEST].lower().replace("-", "").split()
        self._unbroken = frozenset(word.strip(".,;:()[]'\"") for word in unbroken)

    def holds(self, key: str) -> bool:
        """Whether all words of a folded name stand in the passage."""
        parts = [part for part in key.split() if part not in _SMALL] or key.split()
        if all(map(self._has, parts)) or f" {canonical(key)} " in self._folded:
            return True
        together = key.replace(" ", "")
        return together in self._unbroken or (len(key) >= 6 and together in self._squeezed)

    def is_under(self, key: str) -> bool:
        """Whether the headings over the passage have all words of a folded name."""
        parts = [part for part in key.split() if part not in _SMALL] or key.split()
        return bool(parts) and self._over.issuperset(parts)

    def share(self, key: str) -> float:
        """Which part of a folded name's words stands in the passage, in [0, 1]."""
        parts = [part for part in key.split() if part not in _SMALL]
        return sum(self._has(part) for part in parts) / len(parts) if len(parts) > 1 else 0.0

    def _has(self, word: str) -> bool:
        held = self.words
        return word in held or f"{word}s" in held or word.rstrip("s") in held

    def nearest(self, keys: Sequence[str]) -> tuple[float, Name | None]:
        """The passage's name that is most like one of the keys, and how much."""
        best, source = 0.0, None
        for name in self.names:
            for key in keys:
                score = same_name(key, name)
                if score > best:
                    best, source = score, name
        return best, source


_passage_of = OfPassage(_Passage)
_PLACES = words(
    "city capital country state continent island river lake mountain port town province region "
    "metropolis nation sea ocean"
)
# Labels that the pipeline gives to proper names only, however common their words.
_PROPER = frozenset({"PERSON", "GPE", "LOC", "NORP"})
_SMALL = words("of the and for in on at de la")


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
