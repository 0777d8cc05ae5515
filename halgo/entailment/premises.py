"""Evidence -> premises: what the entailment model reads of the documents for one claim.

Two readings. *Together*: the sentences of the claim's passages that hold its words, joined in
the order in which they stand, so that a fact told in two places can be seen whole. *Singly*: the
best passage alone, which nothing else on the shelf can disturb. Which of the two counts is told in
`entailment/readings.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from halgo.claims.normal import dashed
from halgo.entailment.unless import as_default
from halgo.evidence.headings import spoken_of
from halgo.evidence.lexical import is_common, stems
from halgo.evidence.open_questions import is_answered, only_asks, restates
from halgo.types import Chunk, Claim, Evidence, Sentence, Span

if TYPE_CHECKING:
    from halgo.evidence.index import Index

# Passages behind the first `top_k` from which sentences are read too.
FURTHER = 13
# Words of a premise. Longer ones cost time in proportion and dilute what the model attends to.
WORDS = 100
# Up to which share of these words sentences come in that hold no further word of the claim, if no
# more than such a share of the claim is missing. They tell what "it" is; a claim in other words, as
# the summary of a whole text is, needs all of them.
FILLED, _MISSING = 0.6, 0.25
# What a function word weighs against a content word: whole numbers, since the sum of a set of
# fractions depends on its order. A sentence of another passage joins for a content word, not less.
_COMMON, _CONTENT = 1, 10
_ELSEWHERE = 2 * _CONTENT  # one of another document for two: any document has some word of a claim


@dataclass(frozen=True, slots=True)
class Part:
    """A sentence in a premise: the passage it came from, itself, and its place in the text."""

    chunk: Chunk
    sentence: Sentence
    span: Span


@dataclass(frozen=True, slots=True)
class Premise:
    """A text that the model reads, and where its sentences stand."""

    text: str
    parts: tuple[Part, ...]

    def part(self, at: int) -> Part:
        """The sentence that character `at` of the text belongs to."""
        for part in self.parts:
            if at < part.span.end:
                return part
        return self.parts[-1]


def premises(
    index: Index,
    claim: Claim,
    evidence: Sequence[Evidence],
    words: int = WORDS,
    said: str = "",
) -> tuple[Premise, ...]:
    """What is read for `claim`: the passages together, and the best one singly where it differs.

    evidence: the claim's passages, best first. Empty when there are none, or they only ask. words:
    at most so many are read together. said: the words by which sentences are chosen, where the
    claim is read in other ones: "75%" of "three quarters".
    """
    if not evidence:
        return ()
    rows, together = _together(index, claim, evidence, words, said)
    if not rows:
        return ()
    chunks = list(dict.fromkeys(rows.values()))
    first = [row for row in rows if rows[row] is chunks[0]]
    # Documents in the order of their best passages, so that it does not matter how they came.
    documents = list(dict.fromkeys(chunk.doc_id for chunk in chunks))
    place = {row: (documents.index(chunk.doc_id), row) for row, chunk in rows.items()}
    readings = [sorted(together, key=place.__getitem__), first]
    return tuple(
        _premise([(rows[row], index.sentence(row)) for row in reading], said or claim.resolved)
        for reading in (readings if readings[0] != readings[1] else readings[:1])
    )


def drawn_on(index: Index, claim: Claim, evidence: Sequence[Evidence], sure: int) -> list[Evidence]:
    """The first `sure` passages, and of the others those that are read together with them.

    What a claim joins may stand in a passage that is not among the first, all of which are about
    its best known part.
    """
    if len(evidence) <= sure:
        return list(evidence)
    rows, together = _together(index, claim, evidence, WORDS)
    read = {rows[row].row for row in together}
    return [found for at, found in enumerate(evidence) if at < sure or found.chunk.row in read]


def _together(
    index: Index, claim: Claim, evidence: Sequence[Evidence], words: int, said: str = ""
) -> tuple[dict[int, Chunk], list[int]]:
    """Sentence -> the passage it is read in, best passages first; and those read together."""
    # A section on another plan than the claim's has its words and not its meaning.
    about = [found for found in evidence if spoken_of(claim, found) is None]
    rows: dict[int, Chunk] = {}
    asking = restates(claim.text)  # "Hannah wants a table" of "Could you book a table?"
    for found in about or evidence:
        for row in index.rows(found.chunk):
            if asking or not _is_open(index, row, found.chunk):
                rows.setdefault(row, found.chunk)
    order = list(rows)
    chosen = select(
        said or claim.resolved,
        [index.sentence(row).reading.text for row in order],
        [rows[row].doc_id for row in order],
        words,
    )
    told = [order[at] for at in chosen]
    leads = {index.lead_in(row, rows[row]) for row in told}  # without which an item says little
    return rows, [*told, *(row for row in order if row in leads and row not in told)]


def _is_open(index: Index, row: int, chunk: Chunk) -> bool:
    """Whether a sentence is a question that the next one does not answer with yes or no."""
    if not only_asks(index.sentence(row).reading.text):
        return False
    end = index.chunks[index.rows_of(chunk.doc_id)[-1]].sentences.end
    return row + 1 >= end or not is_answered(index.sentence(row + 1).reading.text)


def select(
    claim: str, sentences: Sequence[str], documents: Sequence[str], words: int = WORDS
) -> list[int]:
    """Positions of the sentences to read together for `claim`, in the order of choosing.

    sentences: best first, with the document of each. First come those that hold words of the
    claim which none before them holds, the most first, while `words` allows; then, from the
    documents already chosen, the others in order, up to `FILLED` of them where the claim is nearly
    covered. A sentence of a document that adds nothing to the claim never comes in, so an unrelated
    document changes nothing.
    """
    wanted = {token: _COMMON if is_common(token) else _CONTENT for token in stems(claim)}
    every = sum(wanted.values())
    held = [wanted.keys() & stems(sentence) for sentence in sentences]
    lengths = [_length(sentence) for sentence in sentences]
    worth = [sum(wanted[token] for token in mine) for mine in held]
    left = list(range(len(sentences)))
    chosen: list[int] = []
    documents_read: set[str] = set()
    total = 0
    while left:
        gains = [worth[at] for at in left]
        if chosen:
            asked = [_CONTENT if documents[at] in documents_read else _ELSEWHERE for at in left]
            gains = [gain if gain >= least else 0 for gain, least in zip(gains, asked, strict=True)]
        most = max(gains)
        if chosen and not most:
            break
        at = left.pop(gains.index(most))
        if chosen and total + lengths[at] > words:
            continue
        chosen.append(at)
        documents_read.add(documents[at])
        total += lengths[at]
        new = {token for token in held[at] if wanted[token]}
        wanted.update(dict.fromkeys(new, 0))
        for other in left:
            if not new.isdisjoint(held[other]):
                worth[other] = sum(wanted[token] for token in held[other])
    room = words if sum(wanted.values()) > _MISSING * every else FILLED * words
    for at in left:
        if documents[at] in documents_read and total + lengths[at] <= room:
            chosen.append(at)
            total += lengths[at]
    return chosen


@lru_cache(maxsize=4096)  # of sentences that many claims are held against
def _length(sentence: str) -> int:
    return len(sentence.split())


def _premise(parts: Sequence[tuple[Chunk, Sentence]], claim: str) -> Premise:
    found, texts, at = [], [], 0
    for chunk, sentence in parts:
        text = as_default(dashed(sentence.reading.text), claim)  # dashes as claims have them
        found.append(Part(chunk, sentence, Span(at, at + len(text))))
        texts.append(text)
        at += len(text) + 1
    return Premise(" ".join(texts), tuple(found))
