"""A long premise of twins -> the sentences of it that hold what the two say.

Of a passage of ten sentences two or three tell a claim from its twin; a net that reads only those
sees twice as many twins in the same time. Labelled pairs stay as long as checks read them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from halgo.evidence.lexical import tokens
from halgo.sources.sentences import split

_SHORT = 60  # words of a premise that is left as it is
_WORTH = 0.75  # of its length, at most, has to be left


def brief(premise: str, claims: Sequence[str]) -> str:
    """The premise without the sentences that hold no word of the claims that others lack.

    Every word of the claims that stands in it still does. As it was, where that saves little.
    """
    if len(premise.split()) < _SHORT:
        return premise
    sentences = [sentence.reading.text for sentence in split(premise)]
    held = [frozenset(tokens(sentence)) for sentence in sentences]
    said = frozenset(token for claim in claims for token in tokens(claim))
    kept = _covering(held, said)
    if kept and min(kept) > 0 and len(kept) < 3:
        kept.add(min(kept) - 1)  # what its "it" refers to
    short = " ".join(sentences[at] for at in sorted(kept))
    return short if kept and len(short) < _WORTH * len(premise) else premise


def _covering(held: Sequence[frozenset[str]], said: Collection[str]) -> set[int]:
    """The sentences that hold all of what is said and held at all, the most telling ones first."""
    common = {word: sum(word in words for words in held) for word in said}
    left = {word for word, many in common.items() if many}
    kept: set[int] = set()
    while left:
        best = max(
            range(len(held)),
            key=lambda at: (sum(1 / common[w] for w in sorted(left & held[at])), -at),
        )
        kept.add(best)
        left -= held[best]
    return kept
