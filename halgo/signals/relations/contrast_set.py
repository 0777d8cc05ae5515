"""Contrast set: said of one of several like things, told of another ("Basic plan", "Pro plan").

A sentence says the claim but for the word before one noun, and the sources know the noun with
either word: then they tell two things apart by it, and the claim has the wrong one. Nothing is said
where any sentence has all the claim's words, as it may say it of this one as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from halgo.evidence.lexical import is_common, stems
from halgo.facts.aliases import TITLES
from halgo.protocols import Lexicon
from halgo.signals.matching import lemmas_match
from halgo.signals.segments import SENTENCE, split
from halgo.types import Pair, Signal, Span, Stance

_WEIGHT = 0.7
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_FEWEST = 3  # content words of a claim
_LONGEST, _MOST = 2_000, 40  # characters of a passage, content words of a sentence
_PRONOUN = 6  # characters before the first content word in which a pronoun may stand
_ADDED = 3  # content words that the sentence has beside the claim's
# "It reached 81%, while the Alpha trial had 64%": whom the sentence is about stands before it.
_AGAIN = re.compile(r"\b(?:it|they|he|she|this|these|those)\b", re.IGNORECASE)
_DENIES = re.compile(r"\b(?:not|no|never|neither|nor|without|cannot)\b|n['’]t\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Word:
    stem: str
    written: str
    span: Span


def signals(pairs: Sequence[Pair], lexicon: Lexicon) -> list[list[Signal]]:
    """For each of one claim's passages at most one name_conflict: another thing of one noun."""
    found: list[list[Signal]] = [[] for _ in pairs]
    ours = _content(pairs[0].claim.text, Span(0, len(pairs[0].claim.text))) if pairs else []
    if not _FEWEST <= len(ours) <= _MOST:
        return found
    claimed = {word.stem for word in ours}
    told = [_sentences(pair.evidence.reading.text[:_LONGEST]) for pair in pairs]
    if any(claimed <= {word.stem for word in words} for some in told for words in some):
        return found
    phrases = {both for some in told for words in some for both in _phrases(words)}
    for at, pair in enumerate(pairs):
        for theirs in told[at]:
            signal = _conflict(pair, ours, theirs, phrases, lexicon)
            if signal is not None:
                found[at].append(signal)
                break
    return found


def _conflict(
    pair: Pair,
    ours: Sequence[_Word],
    theirs: Sequence[_Word],
    phrases: set[tuple[str, str]],
    lexicon: Lexicon,
) -> Signal | None:
    held, claimed = {word.stem for word in theirs}, {word.stem for word in ours}
    missing = [at for at, word in enumerate(ours) if word.stem not in held]
    if len(missing) != 1 or len(held - claimed) > 1 + _ADDED:
        return None
    (at,) = missing
    text = pair.evidence.reading.text
    places = [
        (before, noun)
        for before, noun in _adjacent(theirs)
        if at + 1 < len(ours) and noun.stem == ours[at + 1].stem
    ]
    if len(places) != 1 or (ours[at], ours[at + 1]) not in _adjacent(ours):
        return None
    ((rival, noun),) = places
    mine = ours[at]
    if rival.stem in claimed or not all(map(_tells, (mine, rival, noun))):
        return None
    if (mine.stem, noun.stem) not in phrases or lemmas_match(mine.stem, rival.stem, lexicon):
        return None
    whole = Span(theirs[0].span.start, theirs[-1].span.end)
    if bool(_DENIES.search(pair.claim.text)) != bool(_DENIES.search(whole.of(text))):
        return None
    if _AGAIN.search(text, max(0, whole.start - _PRONOUN), whole.end):
        return None
    said = f"{mine.written} {ours[at + 1].written}", f"{rival.written} {noun.written}"
    message = f'The source says this of "{said[1]}", not of "{said[0]}".'
    return Signal(
        "name_conflict",
        Stance.CONTRADICTS,
        _WEIGHT,
        message,
        Span(mine.span.start, ours[at + 1].span.end),
        Span(rival.span.start, noun.span.end),
        said,
    )


def _tells(word: _Word) -> bool:
    """Whether a word can tell things apart: "Mr Patel" and "Raj Patel" may be one."""
    return word.written.isalpha() and len(word.written) > 2 and word.stem not in TITLES


@lru_cache(maxsize=4_096)  # a passage is held against many claims
def _sentences(text: str) -> tuple[tuple[_Word, ...], ...]:
    """The content words of each sentence of a passage, very long ones left out."""
    sentences = split(SENTENCE, Span(0, len(text)), text)
    found = (tuple(_content(text, span)) for span in sentences)
    return tuple(words for words in found if len(words) <= _MOST)


def _content(text: str, where: Span) -> list[_Word]:
    """The content words of a stretch, in order."""
    found = []
    for match in _WORD.finditer(text, where.start, where.end):
        forms = [form for form in stems(match.group()) if not is_common(form)]
        if forms:
            found.append(_Word(forms[-1], match.group(), Span(*match.span())))
    return found


def _adjacent(words: Sequence[_Word]) -> list[tuple[_Word, _Word]]:
    """Words that stand side by side, with nothing but a space or a hyphen between them."""
    return [(one, two) for one, two in pairwise(words) if two.span.start - one.span.end == 1]


def _phrases(words: Sequence[_Word]) -> Iterator[tuple[str, str]]:
    return ((one.stem, two.stem) for one, two in _adjacent(words))
