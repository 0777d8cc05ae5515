"""The seams: what a model or a detector of your own has to offer. Batch first, no base classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from halgo.types import Claim, Corpus, FloatMatrix, FloatVector, Pair, Signal


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors. `name` is recorded in the index and in every report."""

    @property
    def name(self) -> str: ...

    @property
    def dim(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """(len(texts), dim) float32, rows of L2 norm 1; empty text zeros; same text, same row."""
        ...


@runtime_checkable
class EntailmentModel(Protocol):
    """Natural language inference: how likely a premise entails a hypothesis.

    One with an attribute `parallel` that is true is called by several threads at once, while rules
    look at other claims of the same answer; any other by the caller's own thread.
    """

    @property
    def name(self) -> str: ...

    def predict(self, pairs: Sequence[tuple[str, str]]) -> FloatMatrix:
        """(premise, hypothesis) -> (n, 3): entailment, neutral, contradiction; rows sum to 1."""
        ...


@runtime_checkable
class Detector(Protocol):
    """Compares claims with passages and reports what it sees; never decides."""

    @property
    def name(self) -> str: ...

    def compare(self, pairs: Sequence[Pair], corpus: Corpus) -> list[tuple[Signal, ...]]:
        """One tuple of signals per pair, in order; no state is kept between calls."""
        ...


@runtime_checkable
class ClaimDetector(Protocol):
    """Looks at a claim by itself and beside all its passages together; never decides."""

    @property
    def name(self) -> str: ...

    def alone(self, claim: Claim) -> tuple[Signal, ...]:
        """What can be said of the claim without a passage; spans are in `claim.text`."""
        ...

    def together(
        self, pairs: Sequence[Pair], found: Sequence[tuple[Signal, ...]]
    ) -> list[tuple[Signal, ...]]:
        """More signals, one tuple for each passage of one claim, given what stands beside each."""
        ...


@runtime_checkable
class Lexicon(Protocol):
    """Word relations; lemmas in lower case on both sides. An unknown word has none."""

    def synonyms(self, lemma: str) -> frozenset[str]: ...

    def antonyms(self, lemma: str) -> frozenset[str]: ...


@runtime_checkable
class TextModel(Protocol):
    """A language model: a prompt in, its reply out. Any function of one string is one.

    Nothing needs one. Where a caller passes one, an exception of its own is reported as a warning,
    and the work is done without it.
    """

    def __call__(self, prompt: str, /) -> str: ...


@dataclass(frozen=True, slots=True)
class Hit:
    """What a vector store found: `similarity` is the inner product with the query."""

    id: str
    similarity: float
    payload: bytes


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """What a vector store keeps under an id; `vector` with every bit that was given."""

    id: str
    document: str
    vector: FloatVector
    payload: bytes


@dataclass(frozen=True, slots=True)
class StoreState:
    """What a vector store holds. encoder "" and dim 0: nothing was ever put into it.

    approximate: how its search may miss a record ("pgvector hnsw"), None where it never does.
    engine: what runs underneath, with its version, for messages.
    """

    count: int
    dim: int
    encoder: str
    approximate: str | None = None
    engine: str = ""


@runtime_checkable
class VectorStore(Protocol):
    """Where vectors are kept that outgrow a machine: passages' vectors under ids that halgo makes.

    Ids and documents are digests (hex), payloads opaque bytes. What was acknowledged outlives the
    process. Raises VectorStoreError when the engine fails, after one more try where that can help.
    `halgo.vectorstores.conformance` has checks that every store passes.
    """

    def upsert(
        self,
        encoder: str,
        ids: Sequence[str],
        documents: Sequence[str],
        vectors: FloatMatrix,
        payloads: Sequence[bytes],
    ) -> None:
        """Puts records in, each replacing the one of its id; doing it twice changes nothing.

        Ids are distinct. The first call makes what is needed to hold rows of that width. Raises
        IndexMismatchError for another encoder or width than the store has; nothing is put in then.
        """
        ...

    def delete(self, documents: Sequence[str], keep: Sequence[str] = ()) -> int:
        """Takes out the records of these documents but for the ids to `keep`; how many went."""
        ...

    def search(self, vectors: FloatMatrix, k: int) -> list[list[Hit]]:
        """For each row the `k` records with the highest inner product, best first.

        All of them where there are fewer. Exact unless `state().approximate`: then some may be
        missing. Similarities are within 1e-5 of float32's; zero rows are vectors like others.
        """
        ...

    def get(self, ids: Sequence[str]) -> list[Record]:
        """The records of these ids that there are, in this order."""
        ...

    def state(self) -> StoreState:
        """What the store holds now."""
        ...
