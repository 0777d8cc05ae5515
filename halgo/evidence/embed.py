"""Texts -> vectors: the embedders that come with halgo, and finding the one a caller means."""

from __future__ import annotations

import contextlib
import io
import math
import threading
import warnings
import zlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from halgo import models
from halgo.errors import ModelNotFoundError
from halgo.evidence.encoder import BertEncoder, described, directions, lacking, sayable, unfit
from halgo.evidence.lexical import is_common, tokens
from halgo.protocols import Embedder
from halgo.types import FloatMatrix

MINILM = "minilm"
LEXICAL = "lexical"


def resolve(embedder: str | Path | Embedder) -> Embedder:
    """The embedder meant by "minilm", "lexical", the folder of a model, or an object of one's own.

    Raises ModelNotFoundError when a model is not on this machine, TypeError for an object
    without `name`, `dim` and `embed`.
    """
    if isinstance(embedder, (str, Path)):
        if str(embedder) == LEXICAL:
            return LexicalEmbedder()
        return SentenceTransformerEmbedder(embedder)
    # Looked up on the class: reading `dim` of the object might load a model.
    missing = [
        part
        for part in ("name", "dim", "embed")
        if not hasattr(type(embedder), part) and part not in getattr(embedder, "__dict__", {})
    ]
    if missing:
        raise TypeError(
            f"an embedder has name, dim and embed(texts); {embedder!r:.80} lacks {missing[0]}"
        )
    return embedder


class _Encoder(Protocol):
    @property
    def dim(self) -> int: ...

    def encode(self, texts: Sequence[str]) -> FloatMatrix: ...


class SentenceTransformerEmbedder:
    """A sentence encoder on this machine; loaded on first use, on the CPU, never the network.

    name_or_path: "minilm" for all-MiniLM-L6-v2 in int8, or the folder of a sentence-transformers
    model, whose last part is then the embedder's name. threads: for minilm, as `OnnxEncoder` takes
    it. Safe to share between threads.
    Same text, same row bit for bit for minilm and for BERT models; the rows of others vary with
    the batch by about 1e-6 a component.
    Raises ModelNotFoundError, which names the fix, when the model is not here; at first use
    MissingDependencyError for a folder whose model needs the extra sentence-transformers, and
    ModelDamagedError for a model that cannot be loaded, is minilm with other bytes than recorded,
    or gives rows that are no directions.
    """

    def __init__(self, name_or_path: str | Path = MINILM, *, threads: int | None = None) -> None:
        if str(name_or_path) == MINILM:
            found = models.find(MINILM)
            # Its own name, with its version: vectors of other builds are no match for its own.
            self.name = f"all-MiniLM-L6-v2-int8-{found.version}"
            self._folder = found.path
            self._found: models.Found | None = found
        else:
            self._found = None
            self._folder = Path(name_or_path).expanduser().resolve()
            self.name = self._folder.name
            if not (self._folder / "modules.json").is_file():
                raise ModelNotFoundError(
                    f"no sentence encoder in {self._folder}: it has no modules.json. Name a folder "
                    f"that sentence-transformers saved, {MINILM!r}, or {LEXICAL!r}.",
                    name=str(name_or_path),
                    searched=(str(self._folder),),
                )
        self._threads = threads
        self._lock = threading.Lock()
        self._encoder: _Encoder | None = None

    @property
    def dim(self) -> int:
        """Width of a row; 384 for minilm."""
        return self._loaded().dim

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """(len(texts), dim) float32, rows of L2 norm 1; empty or white-space text a zero row."""
        places = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        rows = self._loaded().encode(list(places))
        if len(places) == len(texts):
            return rows
        return rows[[places[text] for text in texts]]

    def _loaded(self) -> _Encoder:
        with self._lock:
            if self._encoder is None:
                if self._found is not None:
                    models.compared(self._found)
                self._encoder = _encoder(self._folder, self._threads)
            return self._encoder


def _encoder(folder: Path, threads: int | None) -> _Encoder:
    """What runs the encoder in `folder`: ONNX Runtime ours, torch a BERT, else the library."""
    if not (folder / "modules.json").is_file():
        from halgo.evidence.onnxencoder import OnnxEncoder

        return OnnxEncoder(folder, threads=threads)
    return _AnyEncoder(folder) if unfit(folder) else BertEncoder(folder)


class _AnyEncoder:
    """An encoder that only sentence-transformers itself can run."""

    def __init__(self, folder: Path) -> None:
        # Loading draws a progress bar on stderr, and announces deprecations of its own parts.
        with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
            warnings.simplefilter("ignore")
            try:
                from sentence_transformers import SentenceTransformer
            except ImportError as error:
                raise lacking(folder) from error
            with described(folder, "sentence-transformers cannot load it"):
                self._model: Any = SentenceTransformer(
                    str(folder), device="cpu", local_files_only=True
                )
                self.dim = len(self._model.encode("width", show_progress_bar=False))
        self._folder = folder
        self._lock = threading.Lock()

    def encode(self, texts: Sequence[str]) -> FloatMatrix:
        """(len(texts), dim) float32; what is longer than the model's window is cut there."""
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        filled = [row for row, text in enumerate(texts) if text.strip()]
        if filled:
            clean = [sayable(texts[row]) for row in filled]
            with self._lock:
                made = self._model.encode(clean, show_progress_bar=False, normalize_embeddings=True)
            directions(made, self._folder, zeros=True)
            rows[filled] = made
        return rows


class LexicalEmbedder:
    """Words and the letter groups within them, hashed into `dim` columns; needs no model.

    It sees spelling, not meaning: "car" and "automobile" share nothing. For tests, for a first
    look without any model, and for text in languages the encoder was not trained on.
    """

    name = "lexical"

    def __init__(self, dim: int = 512) -> None:
        if isinstance(dim, bool) or not isinstance(dim, int) or dim < 8:
            raise ValueError(f"dim must be a whole number from 8 up, not {dim!r}")
        self.dim = dim

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """(len(texts), dim) float32, rows of L2 norm 1; a text without words is a zero row."""
        rows = np.zeros((len(texts), self.dim), dtype=np.float64)
        for row, text in enumerate(texts):
            counts: dict[str, int] = {}
            for token in tokens(text):
                counts[token] = counts.get(token, 0) + 1
            for token in sorted(counts):
                columns, weights = _features(token, self.dim)
                # A word said twice counts a little more than once, not double.
                np.add.at(rows[row], columns, weights * (1.0 + math.log(counts[token])))
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)


@lru_cache(maxsize=65536)
def _features(token: str, dim: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The columns of one word and what it adds to each: itself 1, its letter groups 1 together."""
    framed = f"^{token[:64]}$"
    groups = [framed[at : at + 3] for at in range(len(framed) - 2)]
    # Words that stand in every text say little about what it is about.
    weight = 0.15 if is_common(token) else 1.0
    parts = [(f"={token}", weight)]
    if not token[0].isdigit():
        parts += [(group, weight / math.sqrt(len(groups)) / 2) for group in groups]
    columns, weights = [], []
    for part, value in parts:
        # crc32 is the same in every process, unlike hash(); one of its bits gives the sign, so
        # that words which share a column by chance cancel out on average.
        code = zlib.crc32(part.encode("utf-8", "replace"))
        columns.append((code >> 1) % dim)
        weights.append(value if code & 1 else -value)
    return np.array(columns), np.array(weights)
