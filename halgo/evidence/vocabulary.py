"""Words -> their numbers, in arrays that can be mapped: sorted by a hash, found by halving.

As a Python dict a million words take 100 MB and a second to make; here nothing is made before it is
asked for, and all words of a claim are looked up together.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from halgo.evidence.columns import Arrays, MappedStrings, Strings


def hashed(string: str) -> int:
    """64 bits of a string; the same on every machine."""
    told = string.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(told, digest_size=8).digest(), "little")


def by_hash(strings: Iterable[str]) -> dict[str, int]:
    """Distinct strings, each with its hash, in the order of their hashes; equals by string."""
    hashes = {string: hashed(string) for string in strings}
    return dict(sorted(hashes.items(), key=lambda item: (item[1], item[0])))


def arrays_of(ordered: Mapping[str, int]) -> Arrays:
    """What `by_hash` gave, as arrays."""
    hashes = np.array(list(ordered.values()), dtype=np.uint64)
    return {"hashes": hashes, **Strings(list(ordered)).arrays()}


class Vocabulary(Sequence[str]):
    """Words in the order of their hashes; a word's place is its number."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self.hashes: NDArray[np.uint64] = arrays["hashes"]
        self._strings = MappedStrings(arrays)

    def number(self, word: str, of: int | None = None) -> int | None:
        """The word's number; None where it is not there. of: its hash, where that is known."""
        wanted = np.uint64(hashed(word) if of is None else of)
        at = int(self.hashes.searchsorted(wanted))
        while at < len(self.hashes) and self.hashes[at] == wanted:
            if self._strings[at] == word:
                return at
            at += 1  # another word of the same hash
        return None

    def __len__(self) -> int:
        return len(self.hashes)

    def __getitem__(self, at: Any) -> Any:
        return self._strings[at]
