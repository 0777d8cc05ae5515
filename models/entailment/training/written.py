"""Written claims -> training pairs: files in `written/` (its README has their form).

A language model read a document and wrote true claims in other words, and false ones that differ
in one thing; then to each claim a twin, the same words with the least change that turns its truth
round. No rule makes such claims: they say the same with hardly a word in common, or the opposite
with nearly all of them. What their style gives away is left to a guesser (`guess`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.written import Document, Written, read
from halgo.entailment.premises import WORDS
from halgo.evidence.embed import LexicalEmbedder
from training.brief import brief
from training.data import index_of, premises
from training.examples import CONTRADICTED, ENTAILED, NEUTRAL, Example, groups

if TYPE_CHECKING:
    from halgo.protocols import Embedder

LABELS = {"+": ENTAILED, "-": CONTRADICTED, "?": NEUTRAL}
NAMES = {"+": "true", "-": "false", "?": "open"}
CROSSED = "twins"  # the source of pairs of a claim and its twin
_CROSSED = 5  # one in so many documents has its twins crossed


def key(text: str) -> str:
    """What the files call a document of the labelled sets."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def written_pairs(
    embedder: Embedder, folder: Path, texts: Sequence[str], seed: int, words: int = WORDS
) -> list[Example]:
    """Every claim, but no twin, against what a check would read of what the writer read.

    texts: the documents of the labelled sets. words: of the premises, at most.
    """
    found = [
        (pair, number)
        for number, document in enumerate(_documents(folder, texts))
        for claim in document.claims
        if not claim.twin
        for pair in _read_for(embedder, document.text, claim, words)
    ]
    return _with_guesses(found, seed)


def uncut_pairs(
    embedder: Embedder, folder: Path, texts: Sequence[str], seed: int, words: int = WORDS
) -> list[Example]:
    """Claims and twins as `twinned_pairs`, against all that a check reads; none crossed."""
    found = twinned_pairs(embedder, folder, texts, seed, words, cut=False)
    return [pair for pair in found if pair.source != CROSSED]


def twinned_pairs(
    embedder: Embedder,
    folder: Path,
    texts: Sequence[str],
    seed: int,
    words: int = WORDS,
    cut: bool = True,
) -> list[Example]:
    """Claims and twins alike; and a claim as the premise of its twin, which makes it wrong.

    One reading of each, cut to the sentences that bear on it: there are enough of them. Crossed
    ones of few documents: of many, a net would learn that whatever is nearly the same is wrong.
    """
    found, crossed = [], []
    for number, document in enumerate(_documents(folder, texts)):
        pairs: list[Example] = []
        for claim in document.claims:
            pair = next(_read_for(embedder, document.text, claim, words))
            entailed = pairs[-1].label == ENTAILED if pairs else None
            twin = claim.twin and entailed != (pair.label == ENTAILED)
            pairs.append(replace(pair, twin=twin))
        briefly = _briefly if cut else iter
        found += [(pair, number) for group in groups(pairs) for pair in briefly(group)]
        for claim, twin in pairwise(document.claims if number % _CROSSED == 0 else ()):
            if twin.twin and {claim.sign, twin.sign} == {"+", "-"}:
                crossed += [_crossed(claim, twin), _crossed(twin, claim)]
    return _with_guesses(found, seed) + crossed


def _briefly(group: Sequence[Example]) -> Iterator[Example]:
    claims = [pair.claim for pair in group]
    yield from (replace(pair, premise=brief(pair.premise, claims)) for pair in group)


def _crossed(premise: Written, claim: Written) -> Example:
    return Example(premise.text, claim.text, CONTRADICTED, CROSSED, claim.spans or None)


def _documents(folder: Path, texts: Sequence[str]) -> Iterator[Document]:
    known = {key(text): text for text in texts}
    for path in sorted(folder.glob("*.txt")):
        yield from read(path, known)


def _read_for(embedder: Embedder, text: str, claim: Written, words: int) -> Iterator[Example]:
    if len(text.split()) <= words:
        yield _pair(_as_read(text), claim)
        return
    found = premises(embedder, [text], claim.text, True, words)
    # A true claim may be more than its best passage alone says.
    for premise in found[:1] if claim.sign == "+" else found:
        yield _pair(premise, claim)


@lru_cache(maxsize=1)
def _as_read(text: str) -> str:
    """A text that a check reads whole: its sentences, without the marks of lists and the like."""
    index = index_of([text], LexicalEmbedder())
    return " ".join(sentence.reading.text for sentence in index.sentences)


def _pair(premise: str, claim: Written) -> Example:
    name = f"written: {NAMES[claim.sign]}"
    return Example(premise, claim.text, LABELS[claim.sign], name, claim.spans)


def _with_guesses(found: Sequence[tuple[Example, int]], seed: int) -> list[Example]:
    from training.guess import with_guesses  # torch, which reading the files does not need

    pairs, numbers = [pair for pair, _ in found], [number for _, number in found]
    return with_guesses(pairs, numbers, seed)
