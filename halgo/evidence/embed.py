"""Texts -> vectors: the embedders that come with halgo, and finding the one a caller means."""

from __future__ import annotations

import contextlib
import io
import math
import re
import threading
import warnings
import zlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from halgo import models
from halgo.errors import ModelNotFoundError
from halgo.evidence.encoder import (
    BertEncoder,
    WindowedEncoder,
    described,
    directions,
    lacking,
    sayable,
    unfit,
)
from halgo.evidence.lexical import is_common, tokens
from halgo.protocols import Embedder
from halgo.together import Together
from halgo.types import FloatMatrix

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

MINILM = "minilm"
LEXICAL = "lexical"
_TOGETHER = 64  # texts of several callers that are encoded by one call; more are enough alone

# "owner/model", or a model of the library's own makers by its name alone.
_HUB_NAME = re.compile(r"(?:\w[\w.-]{0,95}/)?\w[\w.-]{0,95}")
_MAKERS = "sentence-transformers"


def resolve(embedder: str | Path | Embedder | SentenceTransformer) -> Embedder:
    """The embedder meant by "minilm", "lexical", a folder, a hub's name, or an object.

    An object is a loaded `SentenceTransformer`, or an `Embedder` of one's own. A hub's name is
    looked for in the hub's local cache, never on the network. Raises ModelNotFoundError when a
    model is not on this machine, TypeError for an object without `name`, `dim` and `embed`.
    """
    if _is_sentence_transformer(embedder):
        return LoadedEmbedder(embedder)
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
    checked: Embedder = embedder
    return checked


def recipe(embedder: Embedder) -> str | None:
    """What `resolve` makes the same embedder of in another process, row for row bit by bit.

    None for all but halgo's own: of others nothing is known, or their rows vary with the threads.
    """
    if isinstance(embedder, SentenceTransformerEmbedder):
        return MINILM if embedder.own else None
    return LEXICAL if type(embedder) is LexicalEmbedder and embedder.dim == 512 else None


def _is_sentence_transformer(embedder: object) -> bool:
    """Whether an object is one of the library's, which is not imported to find out."""
    return any(
        kind.__name__ == "SentenceTransformer"
        and kind.__module__.partition(".")[0] == "sentence_transformers"
        for kind in type(embedder).__mro__
    )


class _Encoder(Protocol):
    @property
    def dim(self) -> int: ...

    def encode(self, texts: Sequence[str]) -> FloatMatrix: ...


class SentenceTransformerEmbedder:
    """A sentence encoder on this machine; loaded on first use, on the CPU, never the network.

    name_or_path: "minilm" for all-MiniLM-L6-v2 in int8, the folder of a sentence-transformers
    model, or a model's name on the public hub once it is in the local cache; the last part is then
    the embedder's name. threads: for minilm, as `OnnxEncoder` takes
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
            self._folder, self.name = _located(name_or_path)
        self._threads = threads
        self._lock = threading.Lock()
        self._encoder: _Encoder | None = None
        self._together: Together[str, FloatMatrix] = Together(self._each, most=_TOGETHER)

    @property
    def own(self) -> bool:
        """Whether this is minilm, whose bytes are recorded."""
        return self._found is not None

    @property
    def dim(self) -> int:
        """Width of a row; 384 for minilm."""
        return self._loaded().dim

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """(len(texts), dim) float32, rows of L2 norm 1; empty or white-space text a zero row."""
        encoder = self._loaded()
        # Of other encoders a row depends on the texts beside it.
        if isinstance(encoder, WindowedEncoder) and 0 < len(texts) <= _TOGETHER:
            return np.array(self._together(texts))
        return self._rows(texts)

    def _each(self, texts: list[str]) -> list[FloatMatrix]:
        return list(self._rows(texts))

    def _rows(self, texts: Sequence[str]) -> FloatMatrix:
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


def _located(name_or_path: str | Path) -> tuple[Path, str]:
    """The folder of a model of the caller's, and what the embedder is called."""
    folder = Path(name_or_path).expanduser().resolve()
    if (folder / "modules.json").is_file():
        return folder, folder.name
    searched = [f"folder {folder}"]
    if isinstance(name_or_path, str) and not folder.exists() and _HUB_NAME.fullmatch(name_or_path):
        name = name_or_path if "/" in name_or_path else f"{_MAKERS}/{name_or_path}"
        cached = models.in_hub_cache(name)
        if (cached / "modules.json").is_file():
            return cached, name.partition("/")[2]
        searched.append(f"cache of the public hub: {cached}")
    listed = "\n  ".join(searched)
    raise ModelNotFoundError(
        f"no sentence encoder {str(name_or_path)!r} on this machine; looked in\n  {listed}\n"
        f"Name a folder with a modules.json, as sentence-transformers saves one, a model of the "
        f"public hub once it is in the local cache (hf download NAME), {MINILM!r}, or {LEXICAL!r}.",
        name=str(name_or_path),
        searched=searched,
    )


def _encoder(folder: Path, threads: int | None) -> _Encoder:
    """What runs the encoder in `folder`: ONNX Runtime ours, torch a BERT, else the library."""
    if not (folder / "modules.json").is_file():
        from halgo.evidence.onnxencoder import OnnxEncoder

        return OnnxEncoder(folder, threads=threads)
    return _AnyEncoder(_saved(folder), folder) if unfit(folder) else BertEncoder(folder)


class _AnyEncoder:
    """An encoder that only sentence-transformers itself can run: `model` is one of its objects."""

    def __init__(self, model: Any, place: Path) -> None:
        self._model, self._place = model, place
        self._lock = threading.Lock()
        with described(place, "sentence-transformers cannot run it"):
            self.dim = len(np.asarray(model.encode("width", show_progress_bar=False)))

    def encode(self, texts: Sequence[str]) -> FloatMatrix:
        """(len(texts), dim) float32; what is longer than the model's window is cut there."""
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        filled = [row for row, text in enumerate(texts) if text.strip()]
        if filled:
            clean = [sayable(texts[row]) for row in filled]
            with self._lock, described(self._place, "sentence-transformers cannot run it"):
                made = self._model.encode(clean, show_progress_bar=False, normalize_embeddings=True)
            rows[filled] = np.asarray(made)
            directions(rows[filled], self._place, zeros=True)
        return rows


def _saved(folder: Path) -> Any:
    """The `SentenceTransformer` in a folder."""
    # Loading draws a progress bar on stderr, and announces deprecations of its own parts.
    with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise lacking(folder) from error
        with described(folder, "sentence-transformers cannot load it"):
            return SentenceTransformer(str(folder), device="cpu", local_files_only=True)


class LoadedEmbedder:
    """A `SentenceTransformer` that the caller has loaded, with its own device and precision.

    Its name is that of the folder or hub model it was loaded from, so that an index built with the
    one can be read with the other; "SentenceTransformer" where the model does not tell.
    Raises ModelDamagedError for rows that are no directions.
    """

    def __init__(self, model: Any) -> None:
        self.name = _name_of(model)
        self._encoder = _AnyEncoder(model, Path(self.name))

    @property
    def dim(self) -> int:
        """Width of a row."""
        return self._encoder.dim

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """(len(texts), dim) float32, rows of L2 norm 1; empty or white-space text a zero row."""
        places = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        rows = self._encoder.encode(list(places))
        return rows[[places[text] for text in texts]]


def _name_of(model: Any) -> str:
    """What a loaded model was called when it was loaded."""
    about = getattr(getattr(model, "model_card_data", None), "base_model", None)
    config = None
    with contextlib.suppress(Exception):  # a model is a list of modules, of which any may be first
        config = getattr(getattr(model[0], "auto_model", None), "config", None)
    for said in (getattr(config, "_name_or_path", None), about):
        if not isinstance(said, str) or not said.strip("/\\. "):
            continue
        parts = [part for part in re.split(r"[/\\]", said) if part]
        if "snapshots" in parts[1:]:  # models--owner--name/snapshots/revision
            return parts[parts.index("snapshots", 1) - 1].rpartition("--")[2]
        return parts[-1]
    return "SentenceTransformer"


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


def checked_rows(embedder: Embedder, texts: Sequence[str]) -> FloatMatrix:
    """The embedder's rows for `texts`. Raises ValueError when they are not what it promises."""
    if not texts:
        return np.zeros((0, embedder.dim), dtype=np.float32)
    rows = np.array(embedder.embed(texts), dtype=np.float32)
    if rows.shape != (len(texts), embedder.dim):
        raise ValueError(
            f"embedder {embedder.name!r} gave rows of shape {rows.shape} for {len(texts)} texts; "
            f"({len(texts)}, {embedder.dim}) was expected"
        )
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))  # with no second array of that size
    wrong = np.flatnonzero(~((lengths == 0) | (np.abs(lengths - 1) < 1e-3)))
    if len(wrong):
        raise ValueError(
            f"embedder {embedder.name!r} gave a row of length {lengths[wrong[0]]}; rows have L2 "
            f"norm 1, or are zero for empty text"
        )
    return rows
