"""Text -> spaCy Doc: the one parse that every reader of facts shares, loaded on first use."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from halgo import models
from halgo.sources.sentences import LONGEST
from halgo.together import Together
from halgo.types import Span

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

# An answer's sentences are looked at three times (kinds, clauses, facts); documents only once.
_KEPT = 2048
# What the tokenizer takes apart mark by mark, in time with the square of their number: 3 s for a
# run of 2000. Nobody writes a hundred of them without a space.
_KNOT = re.compile(r"(?:['\u2019]s|[^\w\s]|_){100,}")
_PIECE = 50
_END = re.compile(r"[.!?\u2026]['\")\]]*\s")
_BATCH = 128
_loading = threading.Lock()
_parsing = threading.Lock()
_lock = threading.Lock()
_recent: OrderedDict[str, Doc] = OrderedDict()


def pipeline() -> Language:
    """The English pipeline. Raises ModelNotFoundError when none is on this machine."""
    with _loading:  # lru_cache alone would let two threads load it twice
        return _pipeline()


@lru_cache(maxsize=1)
def _pipeline() -> Language:
    from halgo.facts import loading

    return loading.load(models.compared(models.find("spacy-en")))


@lru_cache(maxsize=1)
def pipeline_name() -> str:
    """Name and version of the pipeline, as a report records it."""
    meta = pipeline().meta
    return f"{meta['lang']}_{meta['name']}-{meta['version']}"


def stretches(text: str) -> list[Span]:
    """The text as the parser may have it: the whole, or parts of at most LONGEST characters.

    Parts end behind a sentence, else at a space, else anywhere. The parser takes 10 kB for a
    character of one text while it reads it, and refuses a text of a million.
    """
    found: list[Span] = []
    start = 0
    while len(text) - start > LONGEST:
        stop = start
        for end in _END.finditer(text, start, start + LONGEST):
            stop = end.end()
        if stop == start:
            stop = text.rfind(" ", start, start + LONGEST) + 1 or start + LONGEST
        found.append(Span(start, stop))
        start = stop
    found.append(Span(start, len(text)))
    return found


def tokenized(nlp: Language, text: str) -> Doc:
    """The tokens of a text, those of a knot of marks taken piece by piece."""
    from spacy.tokens import Doc

    bounds = {0, len(text)}
    for knot in _KNOT.finditer(text):
        bounds |= {*range(knot.start(), knot.end(), _PIECE), knot.end()}
    made = [nlp.make_doc(text[start:end]) for start, end in pairwise(sorted(bounds))]
    if len(made) < 2:
        return made[0] if made else nlp.make_doc(text)
    whole = Doc.from_docs(made, ensure_whitespace=False)
    assert whole is not None
    return whole


def parse(texts: Sequence[str]) -> list[Doc]:
    """One Doc per text, in order; a text that occurs twice is parsed once. Thread-safe."""
    with _lock:
        docs = {text: _recent[text] for text in texts if text in _recent}
    missing = [text for text in dict.fromkeys(texts) if text not in docs]
    # Batches of like length parse faster; the order of results does not depend on it.
    missing.sort(key=len)
    for start in range(0, len(missing), _BATCH):
        some = missing[start : start + _BATCH]
        docs.update(zip(some, _together(some), strict=True))
    with _lock:
        for text in texts[-_KEPT:]:
            if len(text) <= LONGEST:
                _recent[text] = docs[text]
                _recent.move_to_end(text)
        while len(_recent) > _KEPT:
            _recent.popitem(last=False)
    return [docs[text] for text in texts]


def _parsed(texts: Sequence[str]) -> list[Doc]:
    """One Doc per text, in order, by one call of the pipeline, which no two threads may use."""
    distinct = sorted(dict.fromkeys(texts), key=len)
    with _parsing:
        nlp = pipeline()
        cut = [tokenized(nlp, text) if _KNOT.search(text) else text for text in distinct]
        docs = dict(zip(distinct, nlp.pipe(cut, batch_size=_BATCH), strict=True))
    return [docs[text] for text in texts]


# No product of the pipeline depends on the texts of its batch: tests/test_together.py.
_together = Together(_parsed, most=_BATCH)
