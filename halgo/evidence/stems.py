"""Words -> stems: the inflections of one word as one, "bought" and "buys" with "buy".

Endings by Snowball's English stemmer (Porter 2001), forms that no ending tells from
`data/irregular.txt`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import lru_cache

from halgo.facts.words import lines

_LOCK = threading.Lock()  # the stemmer keeps the word it is at in itself


def stem(word: str) -> str:
    """The stem of a word in lower case; it need not be a word itself ("approv")."""
    word = _irregular().get(word, word)
    with _LOCK:
        return _stemmer()(word)


@lru_cache(maxsize=1)
def _stemmer() -> Callable[[str], str]:
    import snowballstemmer

    stem_word: Callable[[str], str] = snowballstemmer.stemmer("english").stemWord
    return stem_word


@lru_cache(maxsize=1)
def _irregular() -> Mapping[str, str]:
    """Form -> its word, from `data/irregular.txt`."""
    found: dict[str, str] = {}
    for line in lines("irregular"):
        word, *forms = line.split()
        for form in forms:
            found.setdefault(form, word)
    return found
