"""Words that no source and no dictionary knows -> the words they were meant to be.

One slip of the fingers: a letter left out, one too many, another one, or two neighbours exchanged
(Damerau 1964, who found four errors in five to be one of these). A word is read as another only
where nobody knows it, so what people write on purpose stays as it is: names, numbers, the terms of
the documents, every word of WordNet.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from functools import lru_cache

from halgo.protocols import Lexicon
from halgo.types import Corpus

SHORTEST = 5  # letters; of shorter words too many are one slip from another
_LONGEST = 40
_MOST = 20  # unknown words of a text; one with more is in another language
# Not within an address, a path, an identifier or a compound.
_WORD = re.compile(rf"(?<![\w'@/.+\\-])[^\W\d_]{{{SHORTEST},{_LONGEST}}}(?![\w@/+\\-]|['.:]\w)")
_HELD = re.compile(rf"[^\W\d_]{{{SHORTEST - 1},{_LONGEST + 1}}}")


def suspects(text: str, corpus: Corpus, lexicon: Lexicon) -> list[str]:
    """The words of a text that neither the documents nor the lexicon know, in order, each once.

    Empty for a lexicon that cannot say what it knows. A word with a capital counts only at the
    beginning, where it need not be a name.
    """
    knows: Callable[[str], bool] | None = getattr(lexicon, "knows", None)
    if knows is None:
        return []
    begin = next((at for at, char in enumerate(text) if char.isalnum()), 0)
    found: dict[str, None] = {}
    for match in _WORD.finditer(text):
        word = match[0]
        low = word.lower()
        plain = word == low or (match.start() == begin and word[1:] == low[1:])
        if plain and low not in corpus.terms and low not in _common() and not knows(low):
            found[word] = None
            if len(found) > _MOST:
                return []
    return list(found)


def corrections(
    words: Iterable[str], names: Collection[str], passages: Iterable[str], lexicon: Lexicon
) -> dict[str, str]:
    """Which of the unknown `words` are read as which others.

    As the one word of the passages that is a slip away. Where either is a name (`names`: words of
    the claim that are) only two exchanged letters count, for two names may differ by one. Where
    no passage has such a word, as the one known word that exchanging two letters makes.
    """
    held = {word for passage in passages for word in _HELD.findall(passage)}
    plain = {word for word in held if word == word.lower()}
    named = {word.lower() for word in held} - plain
    found: dict[str, str] = {}
    for word in words:
        low = word.lower()
        exchanged = set(_exchanged(low))
        near = (plain | named) & exchanged
        if not near and word not in names:
            near = {other for other in plain if _is_slip(low, other, lexicon)}
        if not near:
            near = {other for other in exchanged if _is_known(other, lexicon)}
        if len(near) == 1:
            meant = near.pop()
            found[word] = meant if word == low else meant.capitalize()
    return found


def _is_slip(word: str, other: str, lexicon: Lexicon) -> bool:
    """Whether `word` is `other` with one letter left out, added or changed; not the first one.

    Nor where a word follows that makes sense by itself: "macroplastics" are no "microplastics".
    """
    if abs(len(word) - len(other)) > 1 or word[0] != other[0]:
        return False
    most = min(len(word), len(other))
    at = next((at for at in range(most) if word[at] != other[at]), most)
    here, there = at + (len(word) >= len(other)), at + (len(other) >= len(word))
    if word[here:] != other[there:]:
        return False
    return not any(_is_known(word[k:], lexicon) for k in range(here, len(word) - SHORTEST + 1))


def _exchanged(word: str) -> Iterable[str]:
    """The word with two neighbouring letters exchanged, at each place."""
    for at in range(len(word) - 1):
        if word[at] != word[at + 1]:
            yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _is_known(word: str, lexicon: Lexicon) -> bool:
    knows: Callable[[str], bool] | None = getattr(lexicon, "knows", None)
    return word in _common() or (knows is not None and knows(word))


@lru_cache(maxsize=1)
def _common() -> Collection[str]:
    """Words that a dictionary of meanings lacks: function words, and forms no ending tells."""
    from halgo.facts.parse import pipeline

    nlp = pipeline()
    found = set(nlp.Defaults.stop_words)
    if "lemmatizer" in nlp.pipe_names:
        lookups = getattr(nlp.get_pipe("lemmatizer"), "lookups", None)
        if lookups is not None and lookups.has_table("lemma_exc"):
            for forms in lookups.get_table("lemma_exc").values():
                found.update(map(str, forms))
    return frozenset(found)
