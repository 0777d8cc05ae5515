"""A claim's words -> the passages that hold most of them: BM25 (Robertson and Zaragoza 2009).

Passages may lie in several parts, each with postings of its own (`postings.py`); statistics are
those of all parts together, so a passage's score does not depend on where it lies.

The best are found without scoring the rest (MaxScore, Turtle and Flood 1995): once some passages
have a score, one that holds only words which together weigh less is not looked at. In a million
passages that is the difference between all that hold "sold" and the few that hold "Zanzibar" too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from halgo.evidence.columns import Arrays
from halgo.evidence.lexical import is_common
from halgo.evidence.postings import gathered, postings
from halgo.evidence.vocabulary import Vocabulary, hashed

Rows = NDArray[np.int64]
Floats = NDArray[np.float32]
# Rows that ascend, part by part: the part, the place of its first, and where each lies in it.
_Wanted = list[tuple[int, int, NDArray[np.int32]]]

# Robertson and Zaragoza's usual values. Chunks are a few sentences, so neither matters much here.
K1 = 1.2
B = 0.75

# Rarity is counted as if the documents were part of a library of this many more passages, in half
# of which each function word stands and no other word. Three sentences of a contract cannot show
# that "the" is common and "fee" is not; in a large index the library no longer matters.
_LIBRARY = 1000

_KEPT = 1 << 13  # words whose places are kept: claims ask for the same ones again and again

_AHEAD = 2  # passages scored early for each that is wanted

# Sums of float32 may be that much above what is reckoned here in float64.
_SLACK = 1.0 + 1e-5


@dataclass(frozen=True, slots=True)
class _Word:
    """A word in all parts.

    weight: its rarity. spread: how many passages hold it. bound: the most that it adds to the score
    of any. places: (parts, 2), where its list starts and ends in each part; equal where it is not.
    """

    weight: np.float32
    spread: int
    bound: float
    places: NDArray[np.int64]

    def parts(self) -> list[int]:
        """The parts in which it stands."""
        found: list[int] = np.flatnonzero(self.places[:, 0] < self.places[:, 1]).tolist()
        return found


class Bm25:
    """Scores of passages for words. Rows count through the parts, one after the other.

    parts: arrays as `postings` gives them, which may be mapped; none is read before it is needed.
    """

    def __init__(self, parts: Sequence[Mapping[str, NDArray[Any]]]) -> None:
        self._parts = [{**part} for part in parts]
        self._words = [Vocabulary(part) for part in self._parts]
        sizes = [len(part["lengths"]) for part in self._parts]
        self._firsts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self.passages = int(self._firsts[-1])
        tokens = sum(int(part["tokens"][0]) for part in self._parts)
        self._usual = tokens / self.passages if tokens else 1.0  # length of a passage
        self._word = lru_cache(_KEPT)(self._look_up)

    @classmethod
    def build(cls, texts: Sequence[str]) -> Self:
        """One passage per text, in memory."""
        return cls([postings(texts)])

    def beside(self, other: Bm25) -> Bm25:
        """The passages of both, those of `other` behind; nothing is copied."""
        return Bm25([*self._parts, *other._parts])

    def arrays(self) -> Arrays:
        """The postings of all passages together."""
        if len(self._parts) == 1:
            return self._parts[0]
        return gathered([(part, np.arange(len(part["lengths"]))) for part in self._parts])

    def scores(self, query: Iterable[str]) -> Floats:
        """BM25 of every passage for the distinct tokens of `query`: (passages,) float32, >= 0."""
        words = self._asked(query)
        found = [self._whole(part, words) for part in range(len(self._parts))]
        return np.concatenate([np.zeros(0, dtype=np.float32), *found])

    def top(self, query: Iterable[str], count: int) -> tuple[Rows, Floats]:
        """Rows of at least the `count` best of the passages that hold a token of `query`.

        Ascending, each with its score; fewer where fewer hold one. Of more rows with one score
        than could matter the earliest are there.
        """
        words = self._asked(query)
        if not words:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
        # The largest part is scored as a whole, and says what a passage of the others has to reach.
        first = int(np.diff(self._firsts).argmax())
        whole = self._whole(first, words)
        least = _last(whole, count)
        rows = np.flatnonzero((whole > 0) & (whole >= least))
        others = [part for part in range(len(self._parts)) if part != first]
        new = self._candidates(others, words, least, count)
        scores = np.concatenate([whole[rows], self._scored(words, new)])
        rows = np.concatenate([rows + self._firsts[first], new])
        order = np.argsort(rows)
        best = order[highest(scores[order], count)]
        return rows[best], scores[best]

    def best_with(self, token: str, query: Iterable[str]) -> int:
        """Of the passages that hold `token` the first of those that score highest for `query`.

        Raises ValueError where none holds it.
        """
        words, must = self._asked(query), self._word(token)
        if not must.spread:
            raise ValueError(f"no passage holds {token!r}")
        lists = [self._list(part, must)[0] + self._firsts[part] for part in must.parts()]
        rows = np.concatenate(lists).astype(np.int64)
        return int(rows[self._scored(words, rows).argmax()])

    def share(self, query: Iterable[str], rows: Sequence[int]) -> NDArray[np.float64]:
        """How much of `query` each of the passages `rows` holds: (len(rows),) in [0, 1].

        BM25 at k1 = 0, over the best possible: distinct tokens weighted by rarity, those that
        stand nowhere included, so a passage that holds every token of the query has 1.
        """
        total, possible = np.zeros(len(rows)), 0.0
        order, wanted = self._ascending(rows)
        for token in sorted(set(query)):
            word = self._word(token)
            weight = float(word.weight)
            possible += weight
            hit, _ = self._found(word, wanted)
            total[order[hit]] += weight
        return np.minimum(total / possible, 1.0) if possible else total

    def held(self, token: str, rows: Sequence[int]) -> NDArray[np.bool_]:
        """Which of the passages `rows` hold the token: (len(rows),)."""
        told = np.zeros(len(rows), dtype=bool)
        order, wanted = self._ascending(rows)
        hit, _ = self._found(self._word(token), wanted)
        told[order[hit]] = True
        return told

    def _ascending(self, rows: Sequence[int]) -> tuple[Rows, _Wanted]:
        """Places among `rows` in the order of the rows, and these rows."""
        asked = np.asarray(rows, dtype=np.int64)
        order = np.argsort(asked)
        return order, self._wanted(asked[order])

    def spread(self, token: str) -> int:
        """How many passages hold the token."""
        return self._word(token).spread

    def weight(self, token: str) -> float:
        """The token's rarity: high for what few passages hold, highest for what none does."""
        return float(self._word(token).weight)

    def _asked(self, query: Iterable[str]) -> list[_Word]:
        """The distinct tokens that any passage holds, in an order that is always the same."""
        words = map(self._word, sorted(set(query)))
        return [word for word in words if word.spread]

    def _look_up(self, token: str) -> _Word:
        wanted, most, shortest = hashed(token), [0], []
        places = np.zeros((len(self._parts), 2), dtype=np.int64)
        for at, (part, words) in enumerate(zip(self._parts, self._words, strict=True)):
            number = words.number(token, wanted)
            if number is not None:
                places[at] = part["starts"][number : number + 2]
                most.append(int(part["most"][number]))
                shortest.append(int(part["shortest"][number]))
        spread = int((places[:, 1] - places[:, 0]).sum())
        common = _LIBRARY // 2 if is_common(token) else 0
        weight = _rarity(spread + common, self.passages)
        often, long = max(most), self._long(min(shortest, default=0))
        bound = float(weight) * often * (K1 + 1) / (often + long) * _SLACK
        return _Word(weight, spread, bound, places)

    def _list(self, part: int, word: _Word) -> tuple[NDArray[np.int32], NDArray[np.uint16]]:
        """The rows of a part that hold the word, ascending, and how often each does."""
        start, end = word.places[part].tolist()
        return self._parts[part]["rows"][start:end], self._parts[part]["counts"][start:end]

    def _long(self, length: Any) -> Any:
        """How far a passage of this length keeps the count of a word down."""
        return K1 * (1 - B + B * (length / self._usual))

    def _lengths(self, rows: Rows) -> Floats:
        """`_long` of passages, whose rows ascend."""
        found = np.empty(len(rows), dtype=np.float32)
        for part, here in self._split(rows, range(len(self._parts))):
            found[here] = self._parts[part]["lengths"][rows[here] - self._firsts[part]]
        return np.asarray(self._long(found), dtype=np.float32)

    def _whole(self, part: int, words: Iterable[_Word]) -> Floats:
        """The scores of all passages of a part."""
        lengths = self._parts[part]["lengths"]
        total = np.zeros(len(lengths), dtype=np.float32)
        for word in words:
            rows, counts = self._list(part, word)
            if len(rows):
                long = self._long(lengths[rows].astype(np.float32))
                total[rows] += _weights(word, counts, long)
        return total

    def _scored(self, words: Iterable[_Word], rows: Rows) -> Floats:
        """The scores of some passages, whose rows ascend: the same sums as in `_whole`."""
        total, long = np.zeros(len(rows), dtype=np.float32), self._lengths(rows)
        wanted = self._wanted(rows)
        for word in words:
            hit, counts = self._found(word, wanted)
            total[hit] += _weights(word, counts, long[hit])
        return total

    def _candidates(
        self, parts: Sequence[int], words: Sequence[_Word], least: float, count: int
    ) -> Rows:
        """Rows of these parts, ascending, among them every one that may be one of the `count` best.

        least: what as many passages of other parts score.
        """
        order = _heaviest_first(words)
        rest = _rest(order)
        # A passage that holds none of the first words gets no further than `rest` of the others.
        first = next((at for at, most in enumerate(rest) if most < least), len(order))
        floor = (least - rest[first]) / _SLACK
        rows, scores = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.float32)]
        for part in parts if first else ():
            partial = self._whole(part, order[:first])
            here = np.flatnonzero((partial > 0) & (partial >= floor))
            rows.append(here + self._firsts[part])
            scores.append(partial[here])
        some, partial = np.concatenate(rows), np.concatenate(scores)
        # Those that are ahead now, scored to the end, say better what the others have to reach.
        ahead = some[highest(partial, _AHEAD * count)]
        least = max(least, _last(self._scored(words, ahead), count) / _SLACK)
        may = partial * _SLACK + rest[first] >= least
        return self._pruned(order[first:], some[may], partial[may], least)

    def _pruned(self, words: Sequence[_Word], rows: Rows, partial: Floats, least: float) -> Rows:
        """Of `rows`, with these scores so far, those that more words may bring to `least`."""
        long = self._lengths(rows)
        for word, still in zip(words, _rest(words)[1:], strict=True):
            if not len(rows):
                break
            hit, counts = self._found(word, self._wanted(rows))
            partial[hit] += _weights(word, counts, long[hit])
            may = partial * _SLACK + still >= least
            rows, partial, long = rows[may], partial[may], long[may]
        return rows

    def _wanted(self, rows: Rows) -> _Wanted:
        """The ascending `rows` as those of each part."""
        return [
            # Of one type with the lists: else numpy copies all of each that is searched.
            (part, here.start, (rows[here] - self._firsts[part]).astype(np.int32))
            for part, here in self._split(rows, range(len(self._parts)))
        ]

    def _found(self, word: _Word, wanted: _Wanted) -> tuple[Rows, NDArray[np.uint16]]:
        """Places of those rows that hold the word, and how often each does."""
        hits, often = [], []
        for part, first, rows in wanted if word.spread else ():
            held, counts = self._list(part, word)
            if len(held):
                places = np.minimum(held.searchsorted(rows), len(held) - 1)
                (hit,) = (held[places] == rows).nonzero()
                hits.append(hit + first)
                often.append(counts[places[hit]])
        if len(hits) == 1:  # as in an index of one part
            return hits[0], often[0]
        none = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.uint16)
        return np.concatenate([none[0], *hits]), np.concatenate([none[1], *often])

    def _split(self, rows: Rows, parts: Iterable[int]) -> Iterator[tuple[int, slice]]:
        """Where in the ascending `rows` those of each part stand, of parts that have any."""
        cuts = rows.searchsorted(self._firsts).tolist()
        for part in parts:
            if cuts[part] < cuts[part + 1]:
                yield part, slice(cuts[part], cuts[part + 1])


def _weights(word: _Word, counts: NDArray[np.uint16], long: Floats) -> Floats:
    """What a word adds to the scores of passages that hold it so often and are so long."""
    times = counts.astype(np.float32)
    return np.asarray(times * (K1 + 1) / (times + long) * word.weight, dtype=np.float32)


def _heaviest_first(words: Iterable[_Word]) -> list[_Word]:
    return sorted(words, key=lambda word: -word.bound)


def _rest(words: Sequence[_Word]) -> list[float]:
    """The most that the words from each place on may add together; 0 behind the last."""
    return list(accumulate((word.bound for word in reversed(words)), initial=0.0))[::-1]


def _last(scores: Floats, count: int) -> float:
    """The lowest of the `count` highest scores; 0 where there are fewer."""
    at = len(scores) - count
    return float(np.partition(scores, at)[at]) if at >= 0 else 0.0


def highest(scores: Floats, count: int, noise: float = 0.0) -> NDArray[np.int64]:
    """Places of at least the `count` highest scores, and of those within `noise` of the last.

    Ascending. Of more with one score than could matter the earliest are taken.
    """
    if len(scores) <= count:
        return np.arange(len(scores))
    last = np.partition(scores, len(scores) - count)[len(scores) - count]
    above = np.flatnonzero(scores > last + noise)
    level = np.flatnonzero((scores >= last - noise) & (scores <= last + noise))
    return np.sort(np.concatenate([above, level[: 2 * count]]))


def _rarity(spread: int, passages: int) -> np.float32:
    """Inverse passage frequency, as in Lucene: above 0 even for what stands in every passage."""
    total = passages + _LIBRARY
    return np.float32(np.log1p((total - spread + 0.5) / (spread + 0.5)))
