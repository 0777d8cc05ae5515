"""Text -> spaCy Doc: the one parse that every reader of facts shares, loaded on first use."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from halgo import models

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

# An answer's sentences are looked at three times (kinds, clauses, facts); documents only once.
_KEPT = 2048
_LONGEST_KEPT = 2000
_lock = threading.Lock()
_recent: OrderedDict[str, Doc] = OrderedDict()


@lru_cache(maxsize=1)
def pipeline() -> Language:
    """The English pipeline. Raises ModelNotFoundError when none is on this machine."""
    import spacy

    return spacy.load(models.find("spacy-en").path)


@lru_cache(maxsize=1)
def pipeline_name() -> str:
    """Name and version of the pipeline, as a report records it."""
    meta = pipeline().meta
    return f"{meta['lang']}_{meta['name']}-{meta['version']}"


def parse(texts: Sequence[str]) -> list[Doc]:
    """One Doc per text, in order; a text that occurs twice is parsed once. Thread-safe."""
    with _lock:
        docs = {text: _recent[text] for text in texts if text in _recent}
        missing = [text for text in dict.fromkeys(texts) if text not in docs]
        # Batches of like length parse faster; the order of results does not depend on it.
        missing.sort(key=len)
        if missing:
            docs.update(zip(missing, pipeline().pipe(missing, batch_size=128), strict=True))
        for text in texts[-_KEPT:]:
            if len(text) <= _LONGEST_KEPT:
                _recent[text] = docs[text]
                _recent.move_to_end(text)
        while len(_recent) > _KEPT:
            _recent.popitem(last=False)
    return [docs[text] for text in texts]
