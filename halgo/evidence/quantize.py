"""The pinned float encoder -> the int8 one that halgo runs; made on the user's machine, once.

all-MiniLM-L6-v2 is another maker's, so it is fetched from its package, not shipped. Here its
weights become 8-bit whole numbers: a scale per column, and per word. Every step is arithmetic on
single numbers, whose result IEEE 754 fixes, so the bytes are the same on every machine and their
digest can be recorded (`data/models.toml`). The graph around the weights is `data/encoder.onnx`,
which `models/encoder/build.py` draws; it finds them in `weights.bin` beside it.

A few channels are far larger than the rest: they are divided by a constant that their weights
carry (Xiao et al. 2023, SmoothQuant), `data/encoder.json`. Processors without VNNI add two products
in 16 bits, which overflow for weights up to 127; so two neighbouring weights of a column never sum
to more than 128, and the whole numbers are the same on every x86 processor.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
VERSION = "1.1.0"
WEIGHTS = "weights.bin"
FLOOR = 0.17  # below the least value of the activation, -0.16997
_ALIGNED = 64  # bytes; where a tensor may begin in the file of weights
_LEAST = 1e-12  # of a scale, where all is zero
_KINDS = ("weight", "bias")
# Of the float model's config.json, what says how the net is built.
_SHAPE = (
    *("model_type", "vocab_size", "max_position_embeddings", "hidden_size"),
    *("num_hidden_layers", "num_attention_heads", "intermediate_size", "layer_norm_eps"),
)


def write(
    source: Path, out: Path, *, skeleton: bytes = b"", even: Mapping[str, Array] | None = None
) -> None:
    """Writes model.onnx, weights.bin, tokenizer.json and config.json into `out`.

    source: the sentence-transformers folder of the float model. skeleton, even: the graph and the
    channels' divisors of another net than all-MiniLM-L6-v2. Raises ValueError when a file is
    damaged or of another kind of model, OSError when one cannot be read or written.
    """
    config, about = (_json(source / f"{name}.json") for name in ("config", "sentence_bert_config"))
    try:
        shape = {name: config[name] for name in _SHAPE}
        window, layers = int(about["max_seq_length"]), int(config["num_hidden_layers"])
    except (KeyError, TypeError) as error:
        raise ValueError(f"{source}: its configuration does not say {error}") from error
    exact = named(read(source / "model.safetensors"), layers)
    made = tensors(exact, channels() if even is None else even)
    out.mkdir(parents=True, exist_ok=True)
    with (out / WEIGHTS).open("wb") as file:
        for _, value, offset in places(made):
            file.write(bytes(offset - file.tell()))
            file.write(value.tobytes())
    (out / "model.onnx").write_bytes(skeleton or _data("encoder.onnx").read_bytes())
    shutil.copyfile(source / "tokenizer.json", out / "tokenizer.json")
    ours = {**shape, "halgo": {"version": VERSION, "window": window}}
    (out / "config.json").write_text(json.dumps(ours, indent=1) + "\n", "utf-8", newline="\n")


def read(path: Path) -> dict[str, Array]:
    """The float32 tensors of a safetensors file: a length, a JSON header, and the bytes.

    Raises ValueError when the file is no such file, or cut short.
    """
    data = memoryview(path.read_bytes())
    start = 8 + int.from_bytes(data[:8], "little")
    found = {}
    try:
        header = json.loads(bytes(data[8:start]))
        for name, about in header.items():
            if name == "__metadata__" or about["dtype"] != "F32":
                continue
            first, last = about["data_offsets"]
            value = np.frombuffer(data[start + first : start + last], dtype="<f4")
            found[name.removeprefix("bert.")] = value.reshape(about["shape"])
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"{path} is no whole file of weights (safetensors): {error}") from error
    return found


def channels() -> dict[str, Array]:
    """Product -> what each channel of its input is divided by, (in,) float32."""
    found = json.loads(_data("encoder.json").read_text(encoding="utf-8"))
    return {name: np.array(values, dtype=np.float32) for name, values in found.items()}


def places(made: Mapping[str, Array]) -> Iterator[tuple[str, Array, int]]:
    """Each tensor with where it begins in the file of weights."""
    offset = 0
    for name in sorted(made):
        yield name, made[name], offset
        offset += -(-made[name].nbytes // _ALIGNED) * _ALIGNED


def named(weights: Mapping[str, Array], layers: int) -> dict[str, Array]:
    """The float model's tensors by their names in the graph; products (in, out), float32.

    Raises ValueError when one is missing or not a number throughout.
    """
    made: dict[str, Array] = {}

    def part(name: str) -> Array:
        if name not in weights:
            raise ValueError(f"this is no BERT encoder in float32: it has no {name}")
        if not np.isfinite(weights[name]).all():
            raise ValueError(f"{name} is not a number throughout")
        return weights[name]

    def norm(name: str, found: str) -> None:
        for kind in _KINDS:
            made[f"{name}.{kind}"] = part(f"{found}.LayerNorm.{kind}")

    made["words"] = part("embeddings.word_embeddings.weight")
    # Every text is one segment, so its type vector joins the positions once and for all.
    types = part("embeddings.token_type_embeddings.weight")[0]
    made["places"] = part("embeddings.position_embeddings.weight") + types
    norm("norm", "embeddings")
    for row in range(layers):
        layer = f"encoder.layer.{row}"
        three = [f"{layer}.attention.self.{kind}" for kind in ("query", "key", "value")]
        for name, found in (
            ("qkv", three),
            ("mix", [f"{layer}.attention.output.dense"]),
            ("up", [f"{layer}.intermediate.dense"]),
            ("down", [f"{layer}.output.dense"]),
        ):
            weight, bias = (
                np.concatenate([part(f"{one}.{kind}") for one in found]) for kind in _KINDS
            )
            made[f"{row}.{name}.weight"], made[f"{row}.{name}.bias"] = weight.T, bias
        norm(f"{row}.mix.norm", f"{layer}.attention.output")
        norm(f"{row}.down.norm", f"{layer}.output")
    return {name: np.ascontiguousarray(value) for name, value in made.items()}


def tensors(exact: Mapping[str, Array], even: Mapping[str, Array]) -> dict[str, Array]:
    """What `named` gave, rounded: name in the int8 graph -> value."""
    made: dict[str, Array] = {}
    for name, value in exact.items():
        if value.ndim == 1 or name == "places":
            made[name] = value
        elif name == "words":
            scale = np.abs(value).max(axis=1, keepdims=True).astype(np.float64) / 127
            scale = np.maximum(scale, _LEAST)
            made[name] = np.rint(value / scale).astype(np.int8)
            made["words.scale"] = scale.astype(np.float32)
        else:
            _product(made, name.removesuffix(".weight"), value.astype(np.float64), even)
    return made


def _product(made: dict[str, Array], name: str, weight: Array, even: Mapping[str, Array]) -> None:
    """Adds the tensors of one product; weight (in, out) float64."""
    if name in even:
        made[f"{name}.even"] = np.float32(1) / even[name]
        weight = weight * even[name].astype(np.float64)[:, None]
    small, scale = rounded(weight)
    made[f"{name}.weight"], made[f"{name}.scale"] = small, scale
    if name.endswith(".down"):  # its input is raised by FLOOR, which is taken off again
        sums = small.sum(axis=0, dtype=np.int64)
        made[f"{name}.above"] = (-FLOOR * sums * scale.astype(np.float64)).astype(np.float32)


def rounded(weight: Array) -> tuple[Array, Array]:
    """Weights (in, out) float64 -> int8 (in, out) and the scale of each column, (out,) float32.

    Two neighbours of a column sum to at most 127 steps before rounding, so to 128 after it.
    """
    pairs = np.abs(weight[1:] + weight[:-1]).max(axis=0)
    scale = np.maximum(np.maximum(np.abs(weight).max(axis=0), pairs) / 127, _LEAST)
    return np.rint(weight / scale).astype(np.int8), scale.astype(np.float32)


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is no JSON: {error}") from error
    if not isinstance(found, dict):
        raise ValueError(f"{path} is no JSON object")
    return found


def _data(name: str) -> Traversable:
    return resources.files("halgo").joinpath("data", name)
