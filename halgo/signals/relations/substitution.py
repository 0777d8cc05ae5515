"""Substitution: the claim and a sentence agree but for what fills one place.

"The red car stands near the bank" beside "The blue car stands near the bank": the same words hang
together in the same way, only "red" has another word in its place. That is a contradiction when
the two cannot both hold (names of one kind, opposites, words of a closed group), and nothing at
all when they can ("car", "vehicle"), so everything not known to exclude each other passes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache

from halgo.facts.aliases import same_name
from halgo.facts.words import lines
from halgo.signals.matching import Arguments, lemmas_match, opposites, wholes
from halgo.signals.polarity import comparisons
from halgo.signals.relations import converse
from halgo.signals.texts import Texts
from halgo.types import Name, Signal, Span, Stance

# Share of the claim's other content words that the sentence has to hold.
ALIGNED = 0.75
_KINDS = ("subject", "object", "is", "mod", "poss", "appos", "adv")
_PLACES = tuple(f"prep:{word}" for word in ("in", "at", "from", "to", "by", "near", "on"))
_LABELS = frozenset({"PERSON", "GPE", "ORG", "NORP", "LOC"})
_NEGATOR = re.compile(r"\b(?:not|no|never|neither|nor|without|cannot)\b|n['’]t\b")
_MOST = 60  # relations or words of one text; a longer sentence is not compared word by word
_NAME, _WORD, _OPPOSITE = 0.7, 0.65, 0.7


def conflicts(texts: Texts) -> list[Signal]:
    """name_conflict, word_conflict and antonym signals for places filled otherwise, in order."""
    view = _Slots(texts)
    if not view.comparable:
        return []
    found: dict[str, Signal] = {}
    for ours, theirs, held in view.changed():
        if ours in found:
            continue
        signal = view.judged(ours, theirs, held)
        if (
            signal is not None
            and signal.kind == "antonym"
            and comparisons.agrees(texts.pair, texts.lexicon)
        ):
            continue  # "deeper than the south", "shallower than the north"
        if signal is not None:
            found[ours] = signal
    return list(found.values())


class _Slots:
    """The words and relations of a claim and of the best sentence of its passage."""

    def __init__(self, texts: Texts) -> None:
        pair = self.pair = texts.pair
        self.lexicon, self.mine, self.theirs = texts.lexicon, texts.mine, texts.theirs
        best = pair.evidence.best
        self.claim_words = {term.lemma: term.span for term in pair.claim_facts.terms}
        self.best_words = {
            term.lemma: term.span for term in pair.evidence_facts.terms if term.span.overlaps(best)
        }
        self.passage_words = frozenset(term.lemma for term in pair.evidence_facts.terms)
        self._claimed = frozenset(self.claim_words)
        self._best = frozenset(self.best_words)
        self._in_best: dict[str, bool] = {}
        self._known: dict[tuple[str, bool], bool] = {}

    @cached_property
    def relations(self) -> list[tuple[str, str, str]]:
        """The relations of the best sentence."""
        return [
            relation
            for relation in self.pair.evidence_facts.relations
            if relation[0] in self.best_words and relation[2] in self.best_words
        ][: 4 * _MOST]

    @cached_property
    def negators(self) -> tuple[int, int]:
        """How many words of the claim and of the best sentence deny something."""
        best = self.pair.evidence.best.of(self.pair.evidence.reading.text)
        said, told = (_NEGATOR.findall(text.lower()) for text in (self.pair.claim.text, best))
        return len(said), len(told)

    @property
    def comparable(self) -> bool:
        """Whether the sentences are of a length to be compared, and may agree but for one place."""
        words, best = len(self.claim_words), len(self.best_words)
        if not (3 <= words <= _MOST and 3 <= best <= 2 * _MOST):
            return False
        # One place may be filled by a name of several words.
        place = max((len(name.key.split()) for name in self.pair.claim_facts.names), default=1)
        held = sum(map(self._is_in_best, self.claim_words))
        return held >= ALIGNED * (words - min(words - held, max(place, 1)))

    def changed(self) -> Iterator[tuple[str, str, bool]]:
        """(claim's word, sentence's word) in the same place, and whether the passage has both."""
        for head, kind, dependent in self.pair.claim_facts.relations[:_MOST]:
            if kind not in _KINDS and not kind.startswith("prep:"):
                continue
            for end, other_end in ((2, 0), (0, 2)):
                word = (head, kind, dependent)[end]
                anchor = (head, kind, dependent)[other_end]
                held = self._is_held(word)
                if held and not self._elsewhere(anchor, kind, word, end):
                    continue
                rivals = {
                    relation[end]
                    for relation in self.relations
                    if relation[1] == kind
                    and lemmas_match(anchor, relation[other_end], self.lexicon)
                    and not self._is_claimed(relation[end])
                }
                if len(rivals) == 1:
                    yield word, rivals.pop(), held

    def _elsewhere(self, anchor: str, kind: str, word: str, end: int) -> bool:
        """Whether the sentence has the word in the same kind of place, but at another verb.

        "born in Lisbon and died in Naples" has Naples, and does not have anyone born there.
        """
        if end != 2 or kind not in _PLACES or word not in self.best_words:
            return False
        anchors = [head for head, k, other in self.relations if k == kind and other == word]
        return bool(anchors) and not any(
            lemmas_match(anchor, head, self.lexicon) for head in anchors
        )

    def judged(self, ours: str, theirs: str, held: bool) -> Signal | None:
        """What it means that `theirs` stands where the claim has `ours`; None for nothing."""
        if ours not in self.claim_words or self._aligned(ours) < ALIGNED:
            return None
        a, b = self._name(ours, self.mine), self._name(theirs, self.theirs)
        if a is not None and b is not None:
            places = [wholes(name.key, self.lexicon) for name in (a, b)]
            if a.key in places[1] or b.key in places[0]:
                return None  # "in Poland", "in Katowice"
            alike = a.label == b.label and a.label in _LABELS
            if not (alike or all(places)) or same_name(a, b) > 0:
                return None
            kind = "name_role" if held else "name_conflict"
            return self._signal(kind, _NAME, a.span, b.span, a.text, b.text)
        if a is not None or b is not None or held:
            return None
        if self.negators[0] != self.negators[1]:  # "reasonably", "not unreasonably"
            return None
        kind, weight = "", 0.0
        if theirs in exclusive(ours):
            kind, weight = "word_conflict", _WORD
        elif opposites(ours, theirs, self.lexicon) and not self._converse(ours, theirs):
            kind, weight = "antonym", _OPPOSITE
        if not kind:
            return None
        mine, other = self.claim_words[ours], self.best_words[theirs]
        texts = mine.of(self.pair.claim.text), other.of(self.pair.evidence.reading.text)
        return self._signal(kind, weight, mine, other, *texts)

    def _converse(self, ours: str, theirs: str) -> bool:
        """Whether both can be true of two parties: one buys what the other sells."""
        if not converse.converse(ours, theirs):
            return False
        mine = {
            d for h, kind, d in self.pair.claim_facts.relations if (h, kind) == (ours, "subject")
        }
        others = {d for h, kind, d in self.relations if (h, kind) == (theirs, "subject")}
        return mine.isdisjoint(others)

    def _signal(
        self, kind: str, weight: float, mine: Span, theirs: Span, ours: str, source: str
    ) -> Signal:
        message = f'The source says "{source}" where the claim says "{ours}".'
        return Signal(kind, Stance.CONTRADICTS, weight, message, mine, theirs, (ours, source))

    def _aligned(self, but: str) -> float:
        name = self._name(but, self.mine)
        parts = set(name.key.split()) if name else {but}
        others = [word for word in self.claim_words if word not in parts]
        if len(others) < 2:
            return 0.0
        return sum(map(self._is_in_best, others)) / len(others)

    def _is_in_best(self, word: str) -> bool:
        """Whether the best sentence has a word of the claim."""
        if word not in self._in_best:
            self._in_best[word] = self._held(word, self._best, self.mine, self.theirs)
        return self._in_best[word]

    def _is_held(self, word: str) -> bool:
        """Whether the passage has a word of the claim."""
        if (word, True) not in self._known:
            held = self._held(word, self.passage_words, self.mine, self.theirs)
            self._known[word, True] = held
        return self._known[word, True]

    def _is_claimed(self, word: str) -> bool:
        """Whether the claim has a word of the passage."""
        if (word, False) not in self._known:
            held = self._held(word, self._claimed, self.theirs, self.mine)
            self._known[word, False] = held
        return self._known[word, False]

    def _held(self, word: str, words: frozenset[str], mine: Arguments, theirs: Arguments) -> bool:
        """Whether a text has a word, a synonym of it or a name like the one it belongs to."""
        if word in words or not self.lexicon.synonyms(word).isdisjoint(words):
            return True
        for name in mine.names(word):
            if any(same_name(name, other) > 0 for other in theirs.all_names):
                return True
        return False

    @staticmethod
    def _name(word: str, arguments: Arguments) -> Name | None:
        names = arguments.names(word)
        return names[0] if names else None


@lru_cache(maxsize=4096)
def exclusive(word: str) -> frozenset[str]:
    """The words that cannot hold in the place where `word` does."""
    return frozenset(other for group in _groups() if word in group for other in group) - {word}


@lru_cache(maxsize=1)
def _groups() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(map(str.strip, line.split(","))) for line in lines("exclusive"))
