"""Texts -> tokens -> BM25: the passages that hold a claim's own words, names, dates and amounts.

Vectors blur what is exact: to an encoder "1,500" and "1,600" are nearly one. BM25 (Robertson and
Zaragoza 2009) finds the passage that has the very token.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from halgo.evidence.stems import stem

# Robertson and Zaragoza's usual values. Chunks are a few sentences, so neither matters much here.
K1 = 1.2
B = 0.75

# Rarity is counted as if the documents were part of a library of this many more passages, in half
# of which each function word stands and no other word. Three sentences of a contract cannot show
# that "the" is common and "fee" is not; in a large index the library no longer matters.
_LIBRARY = 1000

_TOKEN = re.compile(
    r"\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|[^\W\d_](?:[^\W_]|['’](?=[^\W\d_]))*|%"
)

_FUNCTION_WORDS = (
    "a about after all also an and any are as at be been before being between both but by can "
    "could did do does during each for from had has have he her here him his how i if in into is "
    "it its may might more most must no nor not of on one only or other our out over own per "
    "she should so some such than that the their them then there these they this those "
    "through to under until up very was we were what when where which while who whom whose why "
    "will with within without would you your"
)
# Not "one", which is more often a pronoun than a number.
_SMALL = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty"
)
_TENS = "thirty forty fifty sixty seventy eighty ninety"
_NUMBERS = {word: str(value) for value, word in enumerate(_SMALL.split(), 2)}
_NUMBERS |= {word: str(value) for value, word in enumerate(_TENS.split(), 3)}
_NUMBERS |= {word: f"{_NUMBERS[word]}0" for word in _TENS.split()}


def tokens(text: str) -> list[str]:
    """The words and numbers of a text, in order, in the form in which they are compared.

    Case, accents, possessives and simple plurals are gone; "1,500" and "1500.0" are "1500",
    "thirty" is "30", "%" is "percent".
    """
    if not text.isascii():
        decomposed = unicodedata.normalize("NFKD", text)
        text = "".join(mark for mark in decomposed if not unicodedata.combining(mark))
    return [_folded(found) for found in _TOKEN.findall(text)]


def stems(text: str) -> list[str]:
    """The tokens of a text with their inflections gone too: what passages are found by."""
    return [
        token if token[0].isdecimal() or is_common(token) else stem(token) for token in tokens(text)
    ]


def is_common(token: str) -> bool:
    """Whether a token is a function word, which stands in texts about anything."""
    return token in _COMMON


@lru_cache(maxsize=65536)
def _folded(token: str) -> str:
    if token[0].isdecimal():
        whole, _, part = token.replace(",", "").partition(".")
        part = part.rstrip("0")
        return f"{whole}.{part}" if part else whole
    if token == "%":
        return "percent"
    word = token.casefold().replace("’", "'")
    word = word.removesuffix("'s").replace("'", "")
    if word in _NUMBERS:
        return _NUMBERS[word]
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


_COMMON = frozenset(_folded(word) for word in _FUNCTION_WORDS.split())


@dataclass(frozen=True, eq=False, slots=True)
class Bm25:
    """Which passages hold which stems, as arrays; built once, never changed.

    vocabulary: stem -> its number, in sorted order. The passages of token t are
    `rows[starts[t]:starts[t + 1]]` (int32, ascending), `weights` (float32) what t adds
    to the score of each, and `rarity` (float32) is the rarity of each token.
    """

    vocabulary: dict[str, int]
    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    weights: NDArray[np.float32]
    rarity: NDArray[np.float32]
    passages: int

    @classmethod
    def build(cls, texts: Sequence[str]) -> Self:
        """The arrays for one passage per text; equal texts are cut into tokens once."""
        seen: dict[str, int] = {}
        numbers: dict[str, int] = {}
        # Flat arrays of machine numbers: lists of Python's own would take five times the memory.
        ids, counts, bounds = array("i"), array("i"), array("q", [0])
        lengths = array("i")
        order = [seen.setdefault(text, len(seen)) for text in texts]
        for text in seen:
            found = Counter(stems(text))
            ids.extend(numbers.setdefault(token, len(numbers)) for token in found)
            counts.extend(found.values())
            bounds.append(len(ids))
            lengths.append(found.total())
        del seen
        # From the tokens of each distinct text to those of each passage.
        which = np.asarray(order, dtype=np.int64)
        limits = np.frombuffer(bounds, dtype=np.int64)
        sizes = (limits[1:] - limits[:-1])[which]
        rows = np.repeat(np.arange(len(which), dtype=np.int32), sizes)
        ends = np.cumsum(sizes)
        places = np.arange(len(rows)) + np.repeat(limits[which] - (ends - sizes), sizes)
        vocabulary = sorted(numbers)
        renumbered = np.empty(len(numbers), dtype=np.int32)
        renumbered[[numbers[token] for token in vocabulary]] = np.arange(len(numbers))
        held = renumbered[np.frombuffer(ids, dtype=np.int32)[places]]
        times = np.frombuffer(counts, dtype=np.int32)[places].astype(np.float32)
        long = np.frombuffer(lengths, dtype=np.int32)[which].astype(np.float32)
        usual = float(long.mean()) if long.sum() else 1.0
        weights = times * (K1 + 1) / (times + K1 * (1 - B + B * (long / usual))[rows])
        # A stable sort keeps the passages of a token ascending.
        by_token = np.argsort(held, kind="stable")
        spread = np.bincount(held, minlength=len(numbers))
        common = np.array([is_common(token) for token in vocabulary], dtype=bool)
        rarity = _rarity(spread + common * (_LIBRARY // 2), len(which))
        return cls(
            vocabulary={token: number for number, token in enumerate(vocabulary)},
            starts=np.concatenate([[0], np.cumsum(spread)]).astype(np.int64),
            rows=rows[by_token],
            weights=(weights * rarity[held])[by_token].astype(np.float32),
            rarity=rarity,
            passages=len(which),
        )

    def scores(self, query: Iterable[str]) -> NDArray[np.float32]:
        """BM25 of every passage for the distinct tokens of `query`: (passages,) float32, >= 0.

        Touches only the passages that hold one of the tokens.
        """
        total = np.zeros(self.passages, dtype=np.float32)
        for token in sorted(set(query)):
            number = self.vocabulary.get(token)
            if number is not None:
                held = slice(self.starts[number], self.starts[number + 1])
                total[self.rows[held]] += self.weights[held]
        return total

    def share(self, query: Iterable[str], rows: Sequence[int]) -> NDArray[np.float64]:
        """How much of `query` each of the passages `rows` holds: (len(rows),) in [0, 1].

        BM25 at k1 = 0, over the best possible: distinct tokens weighted by rarity, those that
        stand nowhere included, so a passage that holds every token of the query has 1.
        """
        held, possible = np.zeros(len(rows)), 0.0
        for token in sorted(set(query)):
            weight = self.weight(token)
            possible += weight
            held += weight * held_by(self.holders(token), rows)
        return np.minimum(held / possible, 1.0) if possible else held

    def holders(self, token: str) -> NDArray[np.int32]:
        """The passages that hold the token, ascending."""
        number = self.vocabulary.get(token)
        if number is None:
            return self.rows[:0]
        return self.rows[self.starts[number] : self.starts[number + 1]]

    def weight(self, token: str) -> float:
        """The token's rarity: high for what few passages hold, highest for what none does."""
        number = self.vocabulary.get(token)
        if number is not None:
            return float(self.rarity[number])
        spread = _LIBRARY // 2 if is_common(token) else 0
        return float(_rarity(np.array([spread]), self.passages)[0])


def held_by(holders: NDArray[np.int32], rows: Sequence[int]) -> NDArray[np.bool_]:
    """Which of `rows` are among the ascending `holders`: (len(rows),)."""
    if not len(holders):
        return np.zeros(len(rows), dtype=bool)
    asked = np.asarray(rows, dtype=np.int32)
    places = np.minimum(np.searchsorted(holders, asked), len(holders) - 1)
    return np.asarray(holders[places] == asked)


def _rarity(spread: NDArray[Any], passages: int) -> NDArray[np.float32]:
    """Inverse passage frequency, as in Lucene: above 0 even for what stands in every passage."""
    total = passages + _LIBRARY
    return np.log1p((total - spread + 0.5) / (spread + 0.5)).astype(np.float32)
