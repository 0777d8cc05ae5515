"""Texts -> vectors by a BERT sentence encoder, run on torch directly.

The same arithmetic as sentence-transformers, without importing it, which takes far longer than
torch, safetensors and tokenizers do. Mean pooling over word pieces, rows of L2 norm 1 (Reimers and
Gurevych 2019, Sentence-BERT).

Same text, same row, bit for bit: a text is padded to a length that depends on itself alone (the
next multiple of `step`), so whatever else is in the batch, each of its sums has the same terms
in the same order. Measured with torch 2.13 on one and two threads; tests hold us to it.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from halgo.errors import HalgoError, MissingDependencyError, ModelDamagedError
from halgo.types import FloatMatrix

if TYPE_CHECKING:
    import torch

_SLAB = 8192  # texts that are tokenised before they are run
_Kind = TypeVar("_Kind", dict[str, Any], list[Any])
_JSON_NAMES: dict[type, str] = {dict: "object", list: "list"}
_SURROGATE = re.compile("[\ud800-\udfff]")


class WindowedEncoder(ABC):
    """Texts of any length -> rows, given `_forward`, which takes windows of one padded length.

    folder: its tokenizer.json is read. dim: the width of a row. window: the most word pieces that
    the model reads at once. Safe to share.
    Raises ModelDamagedError for a tokenizer that cannot be read, and for rows that are no
    directions: of damaged weights a row is NaN, infinite or zero, and would be like nothing.
    """

    step = 8  # word pieces; exact lengths would leave most batches half empty
    pieces = 2048  # word pieces in a batch; more is no faster and takes more memory

    def __init__(self, folder: Path, dim: int, window: int) -> None:
        from tokenizers import Tokenizer

        self.dim = dim
        self.window = window
        self._folder = folder
        if dim < 1 or window < 3:  # two ends and a word piece
            raise ModelDamagedError(
                f"{folder}: its configuration says that a row has {dim} numbers, and that "
                f"{window} word pieces are read at once"
            )
        path = folder / "tokenizer.json"
        with described(path, "it cannot be read as a tokenizer"):
            self._tokenizer = Tokenizer.from_file(str(path))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    def encode(self, texts: Sequence[str]) -> FloatMatrix:
        """(len(texts), dim) float32, rows of L2 norm 1; a text without word pieces is a zero row.

        A text longer than the model's window is read in windows of that length, and its row is
        their mean by length: nothing is cut off, and time grows with the text.
        """
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        # Slabs of like length keep batches full while only one slab's word pieces are in memory.
        order = sorted(range(len(texts)), key=lambda row: len(texts[row]))
        for start in range(0, len(order), _SLAB):
            slab = order[start : start + _SLAB]
            rows[slab] = self._encode([texts[row] for row in slab])
        return rows

    def _encode(self, texts: Sequence[str]) -> FloatMatrix:
        owners: list[int] = []
        windows: list[list[int]] = []
        for owner, text in enumerate(texts):
            for window in self._windows(text):
                owners.append(owner)
                windows.append(window)
        parts = np.zeros((len(windows), self.dim), dtype=np.float32)
        for batch in _batches([len(window) for window in windows], self.step, self.pieces):
            with described(self._folder, "the encoder cannot be run"):
                made = self._forward([windows[row] for row in batch])
            directions(made, self._folder)
            parts[batch] = made
        # Windows of a text stand together and in order, so its sum has one fixed order too.
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        counts = np.bincount(np.asarray(owners, dtype=np.int64), minlength=len(texts))
        firsts = np.cumsum(counts) - counts
        whole = np.flatnonzero(counts == 1)
        rows[whole] = parts[firsts[whole]]
        for row in np.flatnonzero(counts > 1):
            first, last = firsts[row], firsts[row] + counts[row]
            lengths = np.array([len(window) - 2 for window in windows[first:last]], np.float32)
            mean = (parts[first:last] * lengths[:, None]).sum(axis=0)
            rows[row] = mean / max(float(np.linalg.norm(mean)), 1e-12)
        return rows

    def _windows(self, text: str) -> Iterator[list[int]]:
        """The word pieces of a text, in windows that each carry the marks for its two ends."""
        # The tokenizer takes UTF-8 only. Encoding one by one starts no threads of its own, which
        # would warn when the process forks later; it is under 1% of the time.
        pieces = self._tokenizer.encode(sayable(text)).ids
        if len(pieces) <= self.window:
            if len(pieces) > 2:
                yield pieces
            return
        first, *inner, last = pieces
        count = -(-len(inner) // (self.window - 2))
        width = -(-len(inner) // count)  # windows of one width: no scrap of a few pieces at the end
        for start in range(0, len(inner), width):
            yield [first, *inner[start : start + width], last]

    @abstractmethod
    def _forward(self, windows: Sequence[Sequence[int]]) -> FloatMatrix:
        """Rows for windows that pad to one length."""


class BertEncoder(WindowedEncoder):
    """The encoder in `folder`, a sentence-transformers model folder. Safe to share.

    Raises ValueError when the folder holds another architecture or another pooling, the kind
    ModelDamagedError when its weights are not those of its configuration, MissingDependencyError
    without torch.
    """

    def __init__(self, folder: Path) -> None:
        problem = unfit(folder)
        if problem:
            raise ValueError(f"{folder}: {problem}")
        try:
            from safetensors.torch import load_file
        except ImportError as error:
            raise lacking(folder) from error
        with described(folder, "its weights are not those that its configuration describes"):
            self._load(folder, load_file)

    def _load(self, folder: Path, load_file: Callable[[str], dict[str, torch.Tensor]]) -> None:
        config = json_of(folder / "config.json")
        window: int = json_of(folder / "sentence_bert_config.json").get("max_seq_length", 256)
        super().__init__(folder, config["hidden_size"], window)
        self._heads: int = config["num_attention_heads"]
        self._epsilon: float = config["layer_norm_eps"]
        weights = load_file(str(folder / "model.safetensors"))
        weights = {name.removeprefix("bert."): value.float() for name, value in weights.items()}
        self._layers = [_layer(weights, row) for row in range(config["num_hidden_layers"])]
        self._words = weights["embeddings.word_embeddings.weight"]
        # Every text is one segment, so its type vector joins the positions once and for all.
        self._places = (
            weights["embeddings.position_embeddings.weight"]
            + weights["embeddings.token_type_embeddings.weight"][0]
        )
        self._norm = _pair(weights, "embeddings.LayerNorm")

    def _forward(self, windows: Sequence[Sequence[int]]) -> FloatMatrix:
        """Rows for windows that pad to one length."""
        import torch
        from torch.nn import functional

        length = _padded(max(map(len, windows)), self.step)
        ids = torch.zeros((len(windows), length), dtype=torch.long)
        for row, window in enumerate(windows):
            ids[row, : len(window)] = torch.tensor(window)
        lengths = torch.tensor([len(window) for window in windows])
        mask = torch.arange(length) < lengths[:, None]
        with torch.inference_mode():
            size = (len(windows), length, self.dim)
            states = functional.embedding(ids, self._words) + self._places[:length]
            states = self._normalised(states, self._norm)
            for layer in self._layers:
                mixed = functional.linear(states, *layer["qkv"])
                mixed = mixed.view(len(windows), length, 3, self._heads, self.dim // self._heads)
                query, key, value = mixed.permute(2, 0, 3, 1, 4)
                seen = functional.scaled_dot_product_attention(
                    query, key, value, attn_mask=mask[:, None, None, :]
                )
                seen = functional.linear(seen.transpose(1, 2).reshape(size), *layer["mix"])
                states = self._normalised(states + seen, layer["mix_norm"])
                wide = functional.gelu(functional.linear(states, *layer["up"]))
                wide = functional.linear(wide, *layer["down"])
                states = self._normalised(states + wide, layer["down_norm"])
            weights = mask.unsqueeze(-1).float()
            mean = (states * weights).sum(1) / weights.sum(1)
            rows: FloatMatrix = functional.normalize(mean, dim=1).numpy()
        return rows

    def _normalised(
        self, states: torch.Tensor, norm: tuple[torch.Tensor, torch.Tensor]
    ) -> torch.Tensor:
        from torch.nn import functional

        return functional.layer_norm(states, (self.dim,), *norm, self._epsilon)


@contextmanager
def described(place: Path, problem: str) -> Iterator[None]:
    """Whatever is raised inside, which has a class of its own for each fault, as one error of ours.

    Raises ModelDamagedError that names the place; our own errors, and a lack of a package or of
    memory, as they are.
    """
    try:
        yield
    except (HalgoError, ImportError, MemoryError):
        raise
    except Exception as error:
        raise ModelDamagedError(f"{place}: {problem} ({type(error).__name__}: {error})") from error


def directions(rows: FloatMatrix, folder: Path, zeros: bool = False) -> None:
    """Raises ModelDamagedError unless each row, of a text that is not empty, has L2 norm 1.

    rows (n, dim). folder: of the model that gave them. zeros: a row may be zero as well, as of a
    model that knows some words and no pieces.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        lengths = np.linalg.norm(rows, axis=1)
    wrong = ~((np.abs(lengths - 1) < 1e-3) | (zeros & (lengths == 0)))  # true of NaN, too
    if wrong.any():
        length = lengths[int(np.argmax(wrong))]
        raise ModelDamagedError(
            f"the encoder in {folder} gives a row of length {length:g} for a text, where rows have "
            "length 1: its weights are damaged, or of another precision than it runs in. Get its "
            "files again"
        )


def sayable(text: str) -> str:
    """The text with each lone surrogate, which has no UTF-8, as U+FFFD."""
    return _SURROGATE.sub("\ufffd", text)


def lacking(folder: Path) -> MissingDependencyError:
    """What to say when the encoder in `folder` needs what is not installed."""
    return MissingDependencyError(
        f"the encoder in {folder} needs torch and sentence-transformers: "
        "pip install 'halgo[sentence-transformers]'; embedder='minilm' goes without"
    )


def unfit(folder: Path) -> str:
    """Why `BertEncoder` cannot run the model in `folder`; "" when it can.

    Raises ModelDamagedError for a configuration that is no JSON.
    """
    for name in ("config.json", "tokenizer.json", "model.safetensors"):
        if not (folder / name).is_file():
            return f"no {name}"
    config = json_of(folder / "config.json")
    if config.get("model_type") != "bert" or config.get("hidden_act") != "gelu":
        return "not a BERT encoder"
    if config.get("position_embedding_type", "absolute") != "absolute":
        return "positions are not absolute"
    modules = [
        str(module.get("type")).rpartition(".")[2] for module in _list(folder / "modules.json")
    ]
    if modules != ["Transformer", "Pooling", "Normalize"]:
        return "not a transformer with mean pooling and unit length"
    pooling = json_of(folder / "1_Pooling" / "config.json")
    chosen = [mode for mode, on in pooling.items() if mode.startswith("pooling_mode") and on]
    if chosen not in (["pooling_mode_mean_tokens"], ["pooling_mode"]) or (
        pooling.get("pooling_mode", "mean") != "mean"
    ):
        return "pooling is not the mean"
    return ""


def _layer(weights: dict[str, torch.Tensor], row: int) -> dict[str, Any]:
    """One layer's weights; query, key and value joined, so that one product gives all three."""
    import torch

    prefix = f"encoder.layer.{row}."
    joined = [
        torch.cat([weights[f"{prefix}attention.self.{part}.{kind}"] for part in parts])
        for kind in ("weight", "bias")
        for parts in [("query", "key", "value")]
    ]
    return {
        "qkv": tuple(joined),
        "mix": _pair(weights, f"{prefix}attention.output.dense"),
        "mix_norm": _pair(weights, f"{prefix}attention.output.LayerNorm"),
        "up": _pair(weights, f"{prefix}intermediate.dense"),
        "down": _pair(weights, f"{prefix}output.dense"),
        "down_norm": _pair(weights, f"{prefix}output.LayerNorm"),
    }


def _pair(weights: dict[str, torch.Tensor], name: str) -> tuple[torch.Tensor, torch.Tensor]:
    return weights[f"{name}.weight"], weights[f"{name}.bias"]


def _padded(length: int, step: int) -> int:
    return -(-length // step) * step


def _batches(lengths: Sequence[int], step: int, pieces: int) -> Iterator[list[int]]:
    """Positions in batches of one padded length and, but for a single one, at most `pieces`."""
    order = sorted(range(len(lengths)), key=lambda row: (lengths[row], row))
    batch: list[int] = []
    for row in order:
        width = _padded(lengths[row], step)
        full = batch and (len(batch) + 1) * width > pieces
        if batch and (full or width != _padded(lengths[batch[0]], step)):
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def json_of(path: Path) -> dict[str, Any]:
    """The object that a JSON file holds; empty where there is no such file.

    Raises ModelDamagedError for one that holds anything else: what a model's file would have said
    is not to be guessed.
    """
    return _of_kind(dict, path) or {}


def _list(path: Path) -> list[dict[str, Any]]:
    return [one for one in _of_kind(list, path) or () if isinstance(one, dict)]


def _of_kind(kind: type[_Kind], path: Path) -> _Kind | None:
    """What a JSON file holds, a dict or a list; None where there is no such file."""
    try:
        loaded = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, RecursionError) as error:
        raise ModelDamagedError(f"{path} cannot be read as JSON: {error}") from error
    if not isinstance(loaded, kind):
        raise ModelDamagedError(f"{path} holds no JSON {_JSON_NAMES[kind]}")
    return loaded
