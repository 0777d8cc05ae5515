"""A passage -> the language it is in, where that is not English.

A heading or a short sentence tells no language, so what stands around it is asked as well; a
German annex to an English contract is German all the same.
"""

from __future__ import annotations

from halgo.evidence.index import Index
from halgo.facts.language import ENGLISH, language_of
from halgo.types import Evidence

# Characters of the document on either side of a passage that are asked last.
_AROUND = 300


def foreign_passage(index: Index, evidence: Evidence) -> str | None:
    """The English name of the language of a passage's best sentence; None for English.

    Told by the sentence, else by the passage, else by the document around it.
    """
    span, text = evidence.chunk.span, index.document(evidence.chunk).text
    for asked in (
        evidence.best.of(evidence.reading.text),
        evidence.reading.text,
        text[max(0, span.start - _AROUND) : span.end + _AROUND],
    ):
        found = language_of(asked)
        if found is not None:
            return None if found == ENGLISH else found
    return None
