"""A question and retrieved chunks -> what to know of the chunks before an answer is written.

Retrieval-augmented answers go wrong before a word is written: a chunk is off the subject, an older
revision of one that is there too, or at odds with another (Chen et al. 2022, knowledge conflicts).
Nothing here needs the answer, and no entailment model runs. Precision counts: two chunks are said
to contradict each other where one has the other's sentence with another value in it, or a record
has another value in a field than a sentence gives it; other disagreements are not found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from halgo.signals import located
from halgo.types import (
    Claim,
    ClaimKind,
    Document,
    Pair,
    Sentence,
    Signal,
    SourceKind,
    Span,
)
from halgo.verdict.precedence import is_later, outranks, says_otherwise
from halgo.verdict.sureness import DECIDES

if TYPE_CHECKING:
    from halgo.checker import Checker
    from halgo.evidence.index import Index
    from halgo.verdict.examining import Examination

# Sentences that are held against the other chunks; more would take more than a few seconds.
MOST_SENTENCES = 200
_FEWEST_WORDS = 3
# What a sentence is at odds with does not depend on the question, and takes most of the time.
_known: WeakKeyDictionary[Checker, dict[int, tuple[Conflict, ...]]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class ChunkFound:
    """One chunk: whether it bears on the question, and whether it is out of date.

    relevance: in [0, 1], the larger of the cosine with the question and the share of its words,
    by rarity, that the chunk holds, of its best passage. bears: relevance reaches the threshold.
    newer: the later revision of the same source that is there too; None where there is none.
    """

    id: str
    source: str
    kind: SourceKind
    revision: str
    relevance: float
    bears: bool
    newer: str | None = None

    @property
    def stale(self) -> bool:
        """Whether a later revision of the same source is at hand."""
        return self.newer is not None


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two chunks that contradict each other: their ids, in the order in which they were given.

    kind, message, weight (in [0, 1]) are the signal's; the spans are characters of either chunk's
    text, None where the signal has none. prevails: the id of the one that has the last word, by its
    revision or as a live result; None where they are of equal rank.
    """

    first: str
    second: str
    kind: str
    message: str
    weight: float
    first_span: Span | None
    second_span: Span | None
    prevails: str | None = None


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What to know of retrieved chunks before an answer is written; the same for the same input.

    chunks: one for each chunk that was given, in order. conflicts: at most one for two chunks,
    among those that bear on the question.
    """

    question: str
    chunks: tuple[ChunkFound, ...]
    conflicts: tuple[Conflict, ...]
    warnings: tuple[str, ...] = ()

    @property
    def bearing(self) -> tuple[str, ...]:
        """The ids of the chunks that bear on the question, the most relevant first."""
        found = [chunk for chunk in self.chunks if chunk.bears]
        return tuple(chunk.id for chunk in sorted(found, key=lambda chunk: -chunk.relevance))

    @property
    def stale(self) -> tuple[str, ...]:
        """The ids of the chunks of which a later revision is at hand."""
        return tuple(chunk.id for chunk in self.chunks if chunk.stale)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON."""
        return {
            "question": self.question,
            "bearing": list(self.bearing),
            "stale": list(self.stale),
            "chunks": [
                {
                    "id": chunk.id,
                    "source": chunk.source,
                    "kind": chunk.kind.value,
                    "revision": chunk.revision,
                    "relevance": round(chunk.relevance, 4),
                    "bears": chunk.bears,
                    "stale": chunk.stale,
                    "newer": chunk.newer,
                }
                for chunk in self.chunks
            ],
            "conflicts": [
                {
                    "first": conflict.first,
                    "second": conflict.second,
                    "kind": conflict.kind,
                    "message": conflict.message,
                    "weight": round(conflict.weight, 4),
                    "first_span": _ends(conflict.first_span),
                    "second_span": _ends(conflict.second_span),
                    "prevails": conflict.prevails,
                }
                for conflict in self.conflicts
            ],
            "warnings": list(self.warnings),
        }


def examined(
    checker: Checker, question: str, known: Sequence[Document], warnings: Sequence[str]
) -> Retrieval:
    """The documents of `checker` as retrieved chunks; `known`: others, for their revisions."""
    index = checker.index
    relevance = _relevance(checker, question)
    chunks = tuple(
        ChunkFound(
            document.id,
            document.source,
            document.kind,
            document.revision,
            relevance.get(document.id, 0.0),
            relevance.get(document.id, 0.0) >= checker.config.threshold,
            _newer(document, (*index.documents, *known)),
        )
        for document in index.documents
    )
    bearing = {chunk.id for chunk in chunks if chunk.bears}
    claims = list(_sentences(index, bearing))
    odd = list(warnings)
    if len(claims) > MOST_SENTENCES:
        odd.append(
            f"the chunks have {len(claims):,} sentences; the first {MOST_SENTENCES} were held "
            "against the other chunks"
        )
    conflicts = _conflicts(checker, claims[:MOST_SENTENCES], bearing)
    return Retrieval(question, chunks, tuple(conflicts), tuple(odd))


def _relevance(checker: Checker, question: str) -> dict[str, float]:
    """By document how far its best passage is about the question, in [0, 1]."""
    from halgo.evidence.embed import checked_rows
    from halgo.evidence.lexical import is_common, stems

    index = checker.index
    if not index.chunks or not question.strip():
        return {}
    vector = checked_rows(checker.halgorithm.embedder, [question])[0]
    words = stems(question)
    telling = [word for word in words if not is_common(word)] or words
    shares = index.bm25.share(telling, range(len(index.chunks)))
    found: dict[str, float] = {}
    for chunk, share in zip(index.chunks, shares, strict=True):
        # In one order of sums whatever else is there, and no further than sums are sure.
        cosine = round(float((index.vectors[chunk.row].astype(float) * vector).sum()), 6)
        near = min(max(cosine, float(share), 0.0), 1.0)
        found[chunk.doc_id] = max(found.get(chunk.doc_id, 0.0), near)
    return found


def _newer(document: Document, others: Sequence[Document]) -> str | None:
    """The latest revision of the document's source that comes after its own."""
    latest: str | None = None
    for other in others:
        if (other.source, other.kind) == (document.source, document.kind) and is_later(
            other.revision, latest or document.revision
        ):
            latest = other.revision
    return latest


def _sentences(index: Index, bearing: set[str]) -> Iterator[tuple[str, int]]:
    """The rows of sentences in prose of the chunks that bear on the question, with their ids."""
    read: set[int] = set()
    for chunk in index.chunks:
        for row in range(chunk.sentences.start, chunk.sentences.end):
            if chunk.doc_id in bearing and row not in read:
                read.add(row)
                sentence = index.sentences[row]
                told = len(sentence.reading.text.split()) >= _FEWEST_WORDS
                if sentence.block in ("paragraph", "item") and told:
                    yield chunk.doc_id, row


def _claim(number: int, sentence: Sentence) -> Claim:
    text = sentence.reading.text
    return Claim(number, text, sentence.span, ClaimKind.FACT, sentence.reading, text)


def _conflicts(
    checker: Checker, sentences: Sequence[tuple[str, int]], bearing: set[str]
) -> list[Conflict]:
    """The surest conflict of each two chunks, in the order of the chunks."""
    order = {document.id: at for at, document in enumerate(checker.index.documents)}
    known = _known.setdefault(checker, {})
    new = [(mine, row) for mine, row in sentences if row not in known]
    claims = [_claim(at, checker.index.sentences[row]) for at, (_, row) in enumerate(new, 1)]
    for (mine, row), one in zip(new, checker.signalled(claims) if new else (), strict=True):
        known[row] = tuple(_of_sentence(checker, mine, one, order))
    found: dict[tuple[int, int], Conflict] = {}
    for _, row in sentences:
        for conflict in known[row]:
            if not {conflict.first, conflict.second} <= bearing:
                continue
            key = order[conflict.first], order[conflict.second]
            if key not in found or conflict.weight > found[key].weight:
                found[key] = conflict
    return [found[key] for key in sorted(found)]


def _of_sentence(
    checker: Checker, mine: str, examined: Examination, order: dict[str, int]
) -> Iterator[Conflict]:
    """What a sentence of a chunk says otherwise than other chunks."""
    for pair, signals in zip(examined.pairs, examined.signals, strict=True):
        signal = says_otherwise(signals, pair.evidence.kind, DECIDES)
        if pair.evidence.chunk.doc_id != mine and signal is not None:
            yield _conflict(checker, mine, pair, signal, order)


def _conflict(
    checker: Checker, mine: str, pair: Pair, signal: Signal, order: dict[str, int]
) -> Conflict:
    documents = {document.id: document for document in checker.index.documents}
    theirs = pair.evidence.chunk.doc_id
    one, other = documents[mine], documents[theirs]
    prevails = mine if outranks(one, other) else theirs if outranks(other, one) else None
    placed = located(signal, pair.claim, pair.evidence)
    ends = [(mine, placed.claim_span), (theirs, placed.evidence_span)]
    (first, first_span), (second, second_span) = sorted(ends, key=lambda end: order[end[0]])
    message = signal.message
    if signal.values is not None:
        values = dict(zip((mine, theirs), signal.values, strict=True))
        message = f'"{first}" has "{values[first]}" where "{second}" has "{values[second]}".'
    return Conflict(
        first,
        second,
        signal.kind,
        message,
        signal.weight,
        first_span,
        second_span,
        prevails,
    )


def _ends(span: Span | None) -> list[int] | None:
    return None if span is None else [span.start, span.end]
