"""Passages -> postings: which passages hold which stems and how often, as arrays.

They hold counts and lengths, no weights: what a word weighs follows from all passages of an index
together (`bm25.py`), so postings of some passages can be kept, dropped or put together, and no
text is read again. Nothing of them has to be read before it is asked for.

hashes, ends, utf8: the stems, in the order of their hashes (`vocabulary.py`).
starts: (stems + 1,) int64; the passages of stem t are `rows[starts[t]:starts[t + 1]]`.
rows: int32, ascending for each stem. counts: uint16, how often the passage holds it.
most: (stems,) uint16, its highest count. shortest: (stems,) int32, its shortest passage.
lengths: (passages,) int32, in tokens. tokens: (1,) int64, all of them together.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from halgo.evidence.columns import Arrays, Strings
from halgo.evidence.lexical import stems
from halgo.evidence.vocabulary import Vocabulary, arrays_of, by_hash, hashed

# Beyond this many a word in one passage weighs all that it can.
_MOST = np.iinfo(np.uint16).max


def postings(texts: Sequence[str]) -> Arrays:
    """The postings of one passage per text; equal texts are cut into tokens once."""
    seen: dict[str, int] = {}
    numbers: dict[str, int] = {}
    # Flat arrays of machine numbers: lists of Python's own would take five times the memory.
    ids, counts, bounds = array("i"), array("i"), array("q", [0])
    lengths = array("i")
    order = [seen.setdefault(text, len(seen)) for text in texts]
    for text in seen:
        found = Counter(stems(text))
        ids.extend(numbers.setdefault(token, len(numbers)) for token in found)
        counts.extend(min(count, _MOST) for count in found.values())
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
    return _sorted(
        list(numbers),
        np.frombuffer(ids, dtype=np.int32)[places],
        rows,
        np.frombuffer(counts, dtype=np.int32)[places].astype(np.uint16),
        np.frombuffer(lengths, dtype=np.int32)[which],
    )


def gathered(parts: Sequence[tuple[Mapping[str, NDArray[Any]], NDArray[np.int64]]]) -> Arrays:
    """Postings of the passages `rows` (ascending) of each part, the parts one after the other.

    The same as `postings` of these passages' texts.
    """
    numbers: dict[str, int] = {}
    ids, rows, counts, lengths = [], [], [], []
    before = 0
    for part, kept in parts:
        place = np.full(len(part["lengths"]), -1, dtype=np.int32)
        place[kept] = np.arange(before, before + len(kept), dtype=np.int32)
        before += len(kept)
        moved = place[part["rows"]]
        stays = moved >= 0
        words = np.repeat(np.arange(len(part["hashes"])), np.diff(part["starts"]))[stays]
        held, words = np.unique(words, return_inverse=True)
        vocabulary = Vocabulary(part)
        of_all = [numbers.setdefault(vocabulary[int(word)], len(numbers)) for word in held]
        ids.append(np.array(of_all, dtype=np.int32)[words])
        rows.append(moved[stays])
        counts.append(part["counts"][stays])
        lengths.append(part["lengths"][kept])
    return _sorted(
        list(numbers),
        np.concatenate([np.zeros(0, dtype=np.int32), *ids]),
        np.concatenate([np.zeros(0, dtype=np.int32), *rows]),
        np.concatenate([np.zeros(0, dtype=np.uint16), *counts]),
        np.concatenate([np.zeros(0, dtype=np.int32), *lengths]),
    )


def require_postings(arrays: Mapping[str, NDArray[Any]], passages: int) -> None:
    """Raises KeyError or ValueError unless the arrays are postings of so many passages."""
    types = {"hashes": "u8", "starts": "i8", "rows": "i4", "counts": "u2", "most": "u2"}
    types |= {"shortest": "i4", "lengths": "i4", "tokens": "i8"}
    for name, kind in types.items():
        if arrays[name].dtype != np.dtype(kind) or arrays[name].ndim != 1:
            raise ValueError(f"the word index has {name} of {arrays[name].dtype}")
    vocabulary = Strings.of({name: arrays[name] for name in ("ends", "utf8")}).all
    starts, rows, counts, lengths = (arrays[k] for k in ("starts", "rows", "counts", "lengths"))
    sizes = {"starts": len(vocabulary) + 1, "hashes": len(vocabulary), "lengths": passages}
    sizes |= {"most": len(vocabulary), "shortest": len(vocabulary), "tokens": 1}
    _require(all(len(arrays[name]) == size for name, size in sizes.items()), "sizes")
    _require(starts[0] == 0 and (starts[1:] > starts[:-1]).all(), "starts")
    _require(len(rows) == len(counts) == starts[-1], "rows")
    _require(list(by_hash(vocabulary)) == vocabulary, "words")
    _require([hashed(word) for word in vocabulary] == arrays["hashes"].tolist(), "hashes")
    _require((lengths >= 0).all() and lengths.sum(dtype=np.int64) == arrays["tokens"][0], "lengths")
    if not len(rows):
        return
    _require(0 <= rows.min() <= rows.max() < passages and (counts > 0).all(), "rows")
    ascends = np.diff(rows) > 0
    ascends[starts[1:-1] - 1] = True  # from one word to the next they may fall
    _require(ascends.all(), "rows")
    _require((np.maximum.reduceat(counts, starts[:-1]) == arrays["most"]).all(), "most")
    shortest = np.minimum.reduceat(lengths[rows], starts[:-1])
    _require((shortest == arrays["shortest"]).all() and (shortest > 0).all(), "shortest")


def _require(true: Any, what: str) -> None:
    if not true:
        raise ValueError(f"the word index does not fit together: {what}")


def _sorted(
    words: list[str],
    ids: NDArray[np.int32],
    rows: NDArray[np.int32],
    counts: NDArray[np.uint16],
    lengths: NDArray[np.int32],
) -> Arrays:
    """Postings from the places of words in `words`; rows ascend within each word already."""
    ordered = by_hash(words)
    places = {word: number for number, word in enumerate(ordered)}
    renumbered = np.array([places[word] for word in words], dtype=np.int32)
    held = renumbered[ids]
    # A stable sort keeps the passages of a word ascending.
    by_word = np.argsort(held, kind="stable")
    spread = np.bincount(held, minlength=len(words))
    starts = np.concatenate([[0], np.cumsum(spread)]).astype(np.int64)
    rows, counts = rows[by_word], counts[by_word]
    some = len(words) > 0
    return {
        **arrays_of(ordered),
        "starts": starts,
        "rows": rows.astype(np.int32),
        "counts": counts,
        "most": np.maximum.reduceat(counts, starts[:-1]) if some else counts,
        "shortest": np.minimum.reduceat(lengths[rows], starts[:-1]) if some else rows[:0],
        "lengths": lengths.astype(np.int32),
        "tokens": np.array([lengths.sum(dtype=np.int64)], dtype=np.int64),
    }
