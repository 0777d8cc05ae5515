"""A folder of WordNet files -> synsets, by a small reader of our own.

WordNet (Miller 1995) is a set of text files: `index.noun` maps a lemma to the byte offsets of its
senses in `data.noun`, most frequent first, and so for verbs, adjectives and adverbs. Both are
sorted or addressed by byte, so they are mapped into memory and searched in place. NLTK reads the
same files, but importing it takes 2.0 s here, and it refuses files outside the folders it trusts.
"""

from __future__ import annotations

import mmap
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from halgo.errors import ModelNotFoundError

PARTS = ("noun", "verb", "adj", "adv")
_PART_OF = {"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"}
_BLOCK = 4096  # bytes
_LONGEST = 80  # bytes; the longest lemma of WordNet has 71

ANTONYM, SIMILAR, HYPERNYM, INSTANCE, DERIVED, PERTAINS = "!", "&", "@", "@i", "+", "\\"
PART_OF = "#p"


@dataclass(frozen=True, slots=True)
class Pointer:
    """A relation of a synset. `source` and `target` number the words it joins from 1; 0: all."""

    relation: str
    offset: int
    part: str
    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Synset:
    """Words that share one sense, in lower case and with spaces, and where it points to."""

    offset: int
    part: str
    words: tuple[str, ...]
    pointers: tuple[Pointer, ...]

    def number(self, lemma: str) -> int:
        """The place of the lemma among the words, from 1; 0 when it is not one of them."""
        return self.words.index(lemma) + 1 if lemma in self.words else 0


@dataclass(frozen=True, slots=True)
class Senses:
    """The senses of a lemma as one part of speech: offsets of synsets, most frequent first.

    tagged: how many of them, from the first, stood in WordNet's hand-tagged text.
    """

    part: str
    offsets: tuple[int, ...]
    tagged: int


class Dictionary:
    """The files of one WordNet folder, mapped into memory; safe to share between threads.

    Raises ModelNotFoundError when a file is missing or empty. Damaged lines count as absent.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._index = {part: _Sorted(_mapped(self.path / f"index.{part}")) for part in PARTS}
        self._data = {part: _mapped(self.path / f"data.{part}") for part in PARTS}
        # Caches that belong to this dictionary, so that they end with it.
        self.synset = lru_cache(maxsize=32_768)(self._synset)
        self.senses = lru_cache(maxsize=32_768)(self._find_senses)

    def _find_senses(self, lemma: str) -> tuple[Senses, ...]:
        """The senses of a lower-case lemma, one entry per part of speech that it has."""
        key = "_".join(lemma.split()).encode("utf-8", "replace")
        if not key or len(key) > _LONGEST:
            return ()
        found = (_senses(part, self._index[part].line(key + b" ")) for part in PARTS)
        return tuple(senses for senses in found if senses is not None)

    def _synset(self, part: str, offset: int) -> Synset:
        """The synset at a byte offset of `data.<part>`; without words where there is none."""
        data = self._data[part]
        end = data.find(b"\n", offset)
        line = data[offset : end if end >= 0 else len(data)].decode("utf-8", "replace")
        try:
            return _parsed(part, offset, line.partition(" | ")[0].split())
        except (ValueError, IndexError, KeyError):
            return Synset(offset, part, (), ())


def _mapped(path: Path) -> mmap.mmap:
    try:
        with path.open("rb") as stream:
            return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:  # ValueError: an empty file cannot be mapped
        raise ModelNotFoundError(
            f"cannot read {path} of WordNet ({error}); copy the file again or run: "
            "halgo models fetch",
            name="wordnet",
            searched=(str(path),),
        ) from error


class _Sorted:
    """A file of sorted lines that is searched by how they begin.

    Every so many bytes the beginning of a line is kept, so that a search reads one block.
    """

    def __init__(self, data: mmap.mmap) -> None:
        self._data = data
        starts = {data.rfind(b"\n", 0, at) + 1 for at in range(0, len(data), _BLOCK)}
        self._starts = sorted(starts)
        self._heads = [data[start : start + _LONGEST] for start in self._starts]

    def line(self, key: bytes) -> bytes:
        """The line that begins with `key`; b"" if none does."""
        block = bisect_right(self._heads, key + b"\xff") - 1
        if block < 0:
            return b""
        end = self._starts[block + 1] if block + 1 < len(self._starts) else len(self._data)
        start = self._starts[block]
        if not self._heads[block].startswith(key):
            start = self._data.find(b"\n" + key, start, end) + 1
            if not start:
                return b""
        stop = self._data.find(b"\n", start)
        return self._data[start : stop if stop >= 0 else len(self._data)]


def _senses(part: str, line: bytes) -> Senses | None:
    """Reads: lemma pos synset_cnt p_cnt [relation...] sense_cnt tagsense_cnt offset [offset...]."""
    fields: Sequence[bytes] = line.split()
    try:
        relations = int(fields[3])
        tagged = int(fields[5 + relations])
        offsets = tuple(int(offset) for offset in fields[6 + relations :])
    except (ValueError, IndexError):
        return None
    return Senses(part, offsets, tagged) if offsets else None


def _parsed(part: str, offset: int, fields: list[str]) -> Synset:
    """Reads: offset lex_filenum type w_cnt [word id...] p_cnt [relation offset pos numbers...]."""
    if int(fields[0]) != offset:
        raise ValueError(f"no synset at byte {offset} of data.{part}")
    count = int(fields[3], 16)
    # An adjective may end in where it can stand: "(p)" predicate only, "(a)" before its noun.
    words = tuple(
        word.partition("(")[0].replace("_", " ").lower() for word in fields[4 : 4 + 2 * count : 2]
    )
    at = 4 + 2 * count
    pointers = []
    for i in range(at + 1, at + 1 + 4 * int(fields[at]), 4):
        relation, target, pos, numbers = fields[i : i + 4]
        source_word, target_word = int(numbers[:2], 16), int(numbers[2:], 16)
        pointers.append(Pointer(relation, int(target), _PART_OF[pos], source_word, target_word))
    return Synset(offset, part, words, tuple(pointers))
