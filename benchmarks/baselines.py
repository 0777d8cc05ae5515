"""Rows -> scores of the simplest systems: what a checker has to beat before it has shown anything.

Each takes rows and gives one score per row, higher where the claim looks supported, and the
yes/no at a fixed cut point that is the same for all sets.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from benchmarks.data import Row
from benchmarks.metrics import Bools, Floats
from halgo.protocols import Embedder

# A claim counts as supported from here on. Word overlap: the tenth with the best mean balanced
# accuracy on the dev sets, which flatters it; cosine: the cut point as first published.
OVERLAP_CUT = 0.70
COSINE_CUT = 0.65

_WORD = re.compile(r"[a-z0-9]+")
_STOP = frozenset(
    _WORD.findall(
        """a about after all also although am an and any are as at be because been before being both
    but by can could did do does doing down during each for from further had has have having he
    her here hers herself him himself his how i if in into is it its itself just me more most my
    myself no nor not now of off on once only or other our ours out over own s same she should so
    some such t than that the their theirs them themselves then there these they this those
    through to too under until up very was we were what when where which while who whom why will
    with would you your yours"""
    )
)


def content_words(text: str) -> list[str]:
    """The text's lower-case words and numbers, function words left out."""
    return [word for word in _WORD.findall(text.lower()) if word not in _STOP]


def word_overlap(rows: Sequence[Row]) -> Floats:
    """Share of each claim's distinct content words that stand in its documents; 0 for none."""
    vocabulary: dict[tuple[str, ...], frozenset[str]] = {}
    scores = np.zeros(len(rows))
    for at, row in enumerate(rows):
        known = vocabulary.get(row.docs)
        if known is None:
            known = frozenset(_WORD.findall(" ".join(row.docs).lower()))
            vocabulary[row.docs] = known
        words = set(content_words(row.claim))
        scores[at] = len(words & known) / len(words) if words else 0.0
    return scores


def majority(rows: Sequence[Row]) -> tuple[Floats, Bools]:
    """One answer for every row, the commoner label: ROC-AUC and balanced accuracy are 0.5."""
    common = sum(row.supported for row in rows) * 2 >= len(rows)
    return np.full(len(rows), float(common)), np.full(len(rows), common)


def cosine(rows: Sequence[Row], embedder: Embedder) -> Floats:
    """Each claim's least-supported sentence: its best cosine with any two-sentence window.

    A long claim is cut into sentences as an answer is; the least of their best cosines is the
    score, so that one invented sentence brings a response down. 0 for a claim without words.
    """
    from benchmarks.texts import sentences, windows

    per_docs: dict[tuple[str, ...], list[str]] = {}
    for row in rows:
        if row.docs not in per_docs:
            per_docs[row.docs] = [text for doc in row.docs for text in windows(doc)]
    claims = [sentences(row.claim) or [row.claim] for row in rows]
    texts = list(
        dict.fromkeys(
            [text for found in per_docs.values() for text in found]
            + [text for found in claims for text in found]
        )
    )
    at = {text: number for number, text in enumerate(texts)}
    vectors = embedder.embed(texts)
    scores = np.zeros(len(rows))
    for number, (row, parts) in enumerate(zip(rows, claims, strict=True)):
        passages = per_docs[row.docs]
        if not passages:
            continue
        ours = vectors[[at[text] for text in parts]]
        theirs = vectors[[at[text] for text in passages]]
        scores[number] = float((ours @ theirs.T).max(axis=1).min())
    return scores
