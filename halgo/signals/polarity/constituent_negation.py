"""Constituent negation: "by rail, not by road", "with salt but no pepper".

Such denials hang on a noun and not on a verb, so comparing predicates does not see them. A claim
that asserts the very words, and otherwise says what the sentence says, has it wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from halgo.facts.words import words
from halgo.protocols import Lexicon
from halgo.types import Pair, Signal, Span, Stance, Term

_SET_ASIDE = 0.65
# ", not from the gate", "but no gluten"
_NOT = re.compile(
    r"(?:,|\band\b|\(|–|—)\s*(?:and\s+|but\s+)?(?:not|never)\s+"
    r"((?:from|to|in|at|on|by|with|for|of|as|into|through)\s[^,.;:()]{2,60})",
    re.IGNORECASE,
)
_NO = re.compile(
    r"\b(?:(?:has|have|had|is|are|was|were|contain|contains|contained|but|and|takes?|took|earns?|"
    r"needs?|needed|gets?|got|with)\s+no|without(?: an?| any)?|free of|free from)\s+"
    r"([\w-]+(?:\s[\w-]+)?)",
    re.IGNORECASE,
)
_NEGATOR = re.compile(
    r"\b(?:no|not|never|none|neither|nor|nobody|nothing|without|cannot|free|lacks?|unable|fail(?:s|ed)?|"
    r"hardly|except|instead|apart|only|if|unless)\b|n['’]t\b",
    re.IGNORECASE,
)
_FURTHER = words(
    "further other more longer doubt matter means idea additional new later earlier less evidence "
    "such single one"
)
# Share of the claim's other words that the sentence has to hold.
_SHARED, _LITERAL = 0.66, 0.5


def signals(pair: Pair, lexicon: Lexicon) -> list[Signal]:
    """At most one negation signal: the claim asserts what the sentence sets aside."""
    view = _Words(pair, lexicon)
    if not 2 <= len(view.ours) <= 30:
        return []
    return list(_set_aside(view))


class _Words:
    """The content words of the claim and of the best sentence."""

    def __init__(self, pair: Pair, lexicon: Lexicon) -> None:
        self.pair, self.lexicon = pair, lexicon
        self.claim, self.text = pair.claim.text, pair.evidence.reading.text
        self.best = pair.evidence.best
        self.ours = pair.claim_facts.terms
        self.theirs = [term for term in pair.evidence_facts.terms if term.span.overlaps(self.best)]
        self.held = {term.lemma for term in self.theirs}

    def stands(self, word: str) -> bool:
        synonyms = self.lexicon.synonyms(word)
        return word in self.held or not synonyms.isdisjoint(self.held)

    def share(self, but: frozenset[str]) -> float:
        """Share of the claim's words that the sentence has, those in question left out."""
        others = [term.lemma for term in self.ours if term.lemma not in but]
        return sum(map(self.stands, others)) / len(others) if others else 0.0


def _set_aside(view: _Words) -> Iterator[Signal]:
    """The claim asserts what the sentence says "not" or "no" of."""
    if _NEGATOR.search(view.claim):
        return
    mine = {term.lemma: term for term in view.ours}
    for span, aside in _asides(view):
        lemmas = frozenset(term.lemma for term in aside)
        if not lemmas or not lemmas <= mine.keys() or lemmas & _FURTHER:
            continue
        # Said a second time, outside what is set aside, it may well be so.
        again = any(t.lemma in lemmas and not t.span.overlaps(span) for t in view.theirs)
        # "not from the gate" against "from the gate": the words themselves are nearly proof.
        literal = span.of(view.text).lower() in view.claim.lower()
        if again or view.share(lemmas) < (_LITERAL if literal else _SHARED):
            continue
        first = min((mine[lemma].span for lemma in lemmas), key=lambda s: s.start)
        said = first.of(view.claim), span.of(view.text)
        message = f'The source says "{said[1]}".'
        yield Signal("negation", Stance.CONTRADICTS, _SET_ASIDE, message, first, span, said)
        return


def _asides(view: _Words) -> Iterator[tuple[Span, list[Term]]]:
    best, text = view.best, view.text
    for match in _NOT.finditer(text, best.start, best.end):
        span = Span(match.start(1), match.end(1))
        yield span, [term for term in view.theirs if span.overlaps(term.span)]
    for match in _NO.finditer(text, best.start, best.end):
        # "no hot water": the noun with what narrows it.
        span = Span(match.start(1), match.end(1))
        inside = [term for term in view.theirs if span.overlaps(term.span)]
        nouns = [at for at, term in enumerate(inside) if term.pos in ("NOUN", "PROPN")]
        if not nouns or inside[0].pos not in ("NOUN", "PROPN", "ADJ"):
            continue
        inside = inside[: nouns[0] + 1]
        yield Span(match.start(), inside[-1].span.end), inside
