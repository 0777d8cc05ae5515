"""The seams: what a model or a detector of your own has to offer. Batch first, no base classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from halgo.types import Claim, Corpus, FloatMatrix, Pair, Signal


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
    """Natural language inference: how likely a premise entails a hypothesis."""

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
